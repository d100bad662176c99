"""The programs of the benchmark of schedules: what it claims of them."""

from pathlib import Path

import pytest

import cseq
from benchmarks.schedule import run as script
from cseq.backends.cbmc import BACKEND
from cseq.model.verdict import Verdict

pytestmark = pytest.mark.engine


@pytest.mark.skipif(BACKEND.find() is None, reason="no CBMC is installed (setup/provide-cbmc)")
def test_a_baton_that_is_handed_on_backwards_takes_a_round_for_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = tmp_path / "bad.c", tmp_path / "good.c"
    bad.write_text(script.relay(3, True))
    good.write_text(script.relay(3, False))
    assert cseq.verify(bad, rounds=2, timeout=60).verdict is Verdict.UNKNOWN
    assert cseq.verify(bad, rounds=3, timeout=60).verdict is Verdict.FALSE
    assert cseq.verify(bad, schedule="0,1,2,3:2:1", timeout=60).verdict is Verdict.FALSE
    assert cseq.verify(good, schedule="0,1,2,3:2:1", timeout=60).verdict is Verdict.UNKNOWN
    schedule = script.scheduled(bad, 3, 1)
    assert schedule.count(":") == 2
    assert cseq.verify(bad, schedule=schedule, timeout=60).verdict is Verdict.FALSE
