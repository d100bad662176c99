"""A level that takes too long is divided into parts: the answer is that of the whole, and nothing is left."""

from pathlib import Path

import pytest

import cseq
from cseq.model.jobrecords import JobEnd
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.modules.symbolic.levels import level

BUGGY = """
#include <assert.h>
#include <pthread.h>
int x;
void *thread(void *arg)
{
    int y = x;
    x = y + 1;
    return 0;
}
int main(void)
{
    pthread_t t, u;
    pthread_create(&t, 0, thread, 0);
    pthread_create(&u, 0, thread, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(x == 2);
    return 0;
}
"""
CORRECT = BUGGY.replace("int y = x;", "__VERIFIER_atomic_begin(); int y = x;").replace(
    "x = y + 1;", "x = y + 1; __VERIFIER_atomic_end();"
)


@pytest.fixture(autouse=True)
def nothing_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole never has time enough."""
    monkeypatch.setattr(level, "_BOX", 0.001)
    monkeypatch.setattr(level, "_BESIDE", 1_000)


def answer(folder: Path, text: str, **given: object) -> Outcome:
    path = folder / "program.c"
    path.write_text(text, encoding="utf-8")
    return cseq.verify(path, backend="cbmc", unwind=1, jobs=2, **given)


def test_a_violation_in_a_part(tmp_path: Path) -> None:
    found = answer(tmp_path, BUGGY, rounds=2)
    assert found.verdict is Verdict.FALSE and found.counterexample is not None
    assert "tile" not in {bound.kind for bound in found.bounds}
    ends = [record.end for record in found.jobs]
    assert ends[0] is JobEnd.TIMEOUT and ends.count(JobEnd.VIOLATED) == 1


def test_no_violation_in_all_parts(tmp_path: Path) -> None:
    found = answer(tmp_path, CORRECT, rounds=2)
    assert (found.verdict, found.reason) == (Verdict.UNKNOWN, Reason.BOUNDED)
    assert {bound.kind for bound in found.bounds} == {"rounds"}
    assert found.tiles is not None and found.tiles.done == found.tiles.all == 8
    tiles = {record.name.tile for record in found.jobs if record.end is JobEnd.NOTHING}
    assert tiles == {f"{number}/8" for number in range(8)}


def test_all_parts_are_a_proof_where_the_bounds_leave_nothing_out(tmp_path: Path) -> None:
    found = answer(tmp_path, CORRECT, rounds=2, prove=True)
    assert found.verdict is Verdict.TRUE and found.bounds == []


@pytest.mark.parametrize("text", [BUGGY, CORRECT])
def test_the_whole_is_checked_beside_its_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(level, "_BESIDE", 2)
    found = answer(tmp_path, text, rounds=2, prove=True)
    assert found.verdict is (Verdict.FALSE if text == BUGGY else Verdict.TRUE)
    assert next(record.end for record in found.jobs if not record.name.tile) is JobEnd.TIMEOUT
