"""The tiers of our own tests: a unit test that starts a process or takes long fails."""

import contextlib
import os
import subprocess

import pytest

from cseq.c.preprocess import compiler
from tests.support import tiers
from tests.support.checkout import ROOT

FAILS = pytest.fail.Exception


@pytest.mark.parametrize("start", [lambda: subprocess.run(["true"], check=True), lambda: os.system("true"), os.fork])
def test_a_process_is_not_started_and_fails_the_test_even_if_the_error_is_caught(start) -> None:
    with pytest.raises(FAILS, match="a unit test starts a process"), tiers.Watch().unit(), contextlib.suppress(OSError):
        start()


def test_the_front_end_may_preprocess() -> None:
    with tiers.Watch().unit():
        subprocess.run([compiler(), "-E", "-x", "c", "/dev/null"], check=True, capture_output=True)


def test_other_tests_start_what_they_like() -> None:
    watch = tiers.Watch()
    with watch.unit():
        pass
    subprocess.run(["true"], check=True)


@pytest.mark.parametrize(("seconds", "expected"), [(0.9, contextlib.nullcontext()), (1.1, pytest.raises(FAILS))])
def test_a_unit_test_takes_less_than_a_second(monkeypatch: pytest.MonkeyPatch, seconds: float, expected) -> None:
    times = iter([5.0, 5.0 + seconds])
    monkeypatch.setattr(tiers, "_seconds", lambda: next(times))
    with expected, tiers.limited():
        pass


def test_each_folder_of_tests_has_a_tier(request: pytest.FixtureRequest) -> None:
    tops = {path.relative_to(ROOT).parts[1] for path in (ROOT / "tests").rglob("test_*.py")}
    assert {f"tests/{top}" for top in tops} <= tiers.FOLDERS.keys()
    assert all((ROOT / folder).is_dir() for folder in tiers.FOLDERS)
    assert tiers.tier(request.node) == "engine"
