"""Parts of the schedules: the answers about all of them are the answer about the whole."""

from collections.abc import Sequence
from pathlib import Path

import pytest

import cseq
from cseq.backends.cbmc import BACKEND
from cseq.model.errors import UsageError
from cseq.model.verdict import Outcome, Reason, Verdict
from tests.support.checkout import ROOT

pytestmark = pytest.mark.skipif(BACKEND.find() is None, reason="no CBMC is installed (setup/provide-cbmc)")

PROGRAMS = ROOT / "sv-benchmarks"
COVER = ("0/2", "2/4", "6/8", "7/8")

LOOP = """\
#include <assert.h>
#include <pthread.h>
int x; int __VERIFIER_nondet_int(void);
void *count(void *arg) { int n = __VERIFIER_nondet_int(); while (n > 0) n--; x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, count, 0); assert(x < 2); return 0; }
"""


def united(parts: Sequence[Outcome]) -> Verdict:
    """The verdict about the whole that the answers about *parts* make."""
    for part in parts:
        assert part.verdict is not Verdict.TRUE
        if part.verdict is Verdict.FALSE:
            assert part.counterexample is not None
            assert not part.unreplayed
    if any(part.verdict is Verdict.FALSE for part in parts):
        return Verdict.FALSE
    return Verdict.TRUE if all([b.kind for b in part.bounds] == ["tile"] for part in parts) else Verdict.UNKNOWN


@pytest.mark.parametrize(
    "name, parameters, verdict",
    [
        ("lost_update_bad.c", {}, Verdict.FALSE),
        ("lost_update_good.c", {}, Verdict.TRUE),
        ("lost_update_bad.c", {"rounds": 1}, Verdict.UNKNOWN),
        ("atomic_sections_bad.c", {}, Verdict.FALSE),
        ("atomic_sections_good.c", {}, Verdict.TRUE),
        ("nested_create_bad.c", {}, Verdict.FALSE),
        ("nested_create_good.c", {}, Verdict.TRUE),
        ("deadlock/gate_lock_bad.c", {"deadlock": True, "only": "no-deadlock"}, Verdict.FALSE),
        ("deadlock/gate_lock_good.c", {"deadlock": True, "only": "no-deadlock"}, Verdict.TRUE),
        ("race/two_locks_bad.c", {"race": True, "only": "no-data-race", "first": True}, Verdict.FALSE),
        ("race/two_locks_good.c", {"race": True, "only": "no-data-race"}, Verdict.TRUE),
    ],
)
def test_the_answers_about_a_cover_are_the_answer(name: str, parameters: dict[str, object], verdict: Verdict) -> None:
    bounds = {"rounds": 2, "unwind": 1, "prove": True, "backend": "cbmc", **parameters}
    assert cseq.verify(PROGRAMS / name, **bounds).verdict is verdict
    assert united([cseq.verify(PROGRAMS / name, **bounds, tile=tile) for tile in COVER]) is verdict


def test_what_is_cut_off_within_a_part_is_said(tmp_path: Path) -> None:
    path = tmp_path / "loop.c"
    path.write_text(LOOP)
    # In the first of so many parts no thread makes a step; the first half has steps of all threads.
    nothing, half = (cseq.verify(path, rounds=4, backend="cbmc", tile=tile) for tile in ("0/1048576", "0/2"))
    assert (nothing.reason, [bound.kind for bound in nothing.bounds]) == (Reason.BOUNDED, ["tile"])
    assert (half.reason, [bound.kind for bound in half.bounds]) == (Reason.UNWINDING, ["tile", "unwinding"])


@pytest.mark.parametrize(
    "parameters, wrong",
    [
        ({"auto": True}, "--auto and --tile cannot be combined"),
        ({"encoding": "partial-order"}, "--tile cannot be combined with --encoding partial-order"),
        ({"memory_model": "tso"}, "--tile cannot be combined with --encoding partial-order"),
        ({"backend": "native"}, "the backend `native` cannot be combined with --tile"),
    ],
)
def test_what_has_no_parts(parameters: dict[str, object], wrong: str) -> None:
    with pytest.raises(UsageError, match=wrong):
        cseq.verify(PROGRAMS / "lost_update_bad.c", tile="1/2", **parameters)
