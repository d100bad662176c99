"""Runs that are interrupted go on from their journal: nothing is done twice, and the verdict is the same."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest

from cseq import verify
from cseq.model.claims import Cut, Limit
from cseq.model.errors import UsageError
from cseq.model.jobrecords import JobName
from cseq.model.origin import CallSite, Origin
from cseq.model.verdict import Bound, Caution, Outcome, Reason, Verdict
from cseq.modules.symbolic.levels import level
from cseq.modules.symbolic.levels.journal import FileJournal, opened
from cseq.pipeline.jobs import Job, JobResult

PLACE = Origin("a.c", 3, 5, "bump", (CallSite("worker", "a.c", 10),), (2, 1))
NOTHING = Outcome(
    Verdict.UNKNOWN,
    Reason.UNWINDING,
    "a bound is too small",
    bounds=[Bound.of(Cut(Limit.TILE, 3, runs=8)), Bound.of(Cut(Limit.LOOP, 2), PLACE, True)],
    about=(Cut(Limit.LOOP, 2),),
    backend="cbmc",
    warnings=[Caution("something", PLACE)],
)
TIMEOUT = Outcome(Verdict.UNKNOWN, Reason.TIMEOUT, "the engine ran out of time")
VALUES: dict[str, object] = {"rounds": 2, "unwind": 1, "timeout": 60.0, "define": ("A", "B")}


def job(tile: str = "", seconds: float | None = 20.0, **values: object) -> Job:
    return Job(JobName("cbmc", "unreach-call", (("rounds", 2),), tile), {**VALUES, "tile": tile, **values}, seconds)


def journal(path: Path, program: str = "p", **values: object) -> FileJournal:
    return opened(path, program, ["merger", "judge"], {**VALUES, **values})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "run.journal"


def test_an_answer_is_the_same_after_a_break(file: Path) -> None:
    journal(file).add(job("3/8"), JobResult(NOTHING, {"reached": Cut(Limit.LOOP, 2), "thinned": False}))
    known = journal(file).known(job("3/8", timeout=5.0, jobs=7, only="unreach-call"))
    assert known is not None
    assert known.outcome == NOTHING and known.facts == {"reached": Cut(Limit.LOOP, 2), "thinned": False}
    for other in (job("2/8"), job("1/4"), job(), job("3/8", unwind=2), job("3/8", define=("A",))):
        assert journal(file).known(other) is None or other.name.tile == "1/4"


def test_a_tile_is_known_where_a_larger_one_is_and_divided_where_smaller_ones_are(file: Path) -> None:
    written = journal(file)
    written.add(job("1/4"), JobResult(NOTHING))
    assert {tile for tile in ("2/8", "3/8", "17/32") if written.known(job(tile))} == {"2/8", "3/8"}
    half = written.known(job("0/2"))
    assert half is not None and isinstance(half.outcome, Outcome) and half.outcome.reason is Reason.TIMEOUT
    assert written.known(job("1/2")) is None and written.known(job()) is None


def test_what_was_given_up_is_tried_again_only_with_more_time(file: Path) -> None:
    journal(file).add(job("1/4", seconds=10.0), JobResult(TIMEOUT))
    again = journal(file)
    assert again.known(job("1/4", seconds=10.0)) is not None
    assert again.known(job("1/4", seconds=5.0)) is not None
    assert again.known(job("1/4", seconds=20.0)) is None
    assert again.known(job("1/4", seconds=None)) is None


def test_a_violation_is_looked_for_again_and_a_failure_is_not_kept(file: Path) -> None:
    written = journal(file)
    written.add(job("1/4"), JobResult(Outcome(Verdict.FALSE)))
    assert journal(file).known(job("1/4")) is None
    size = file.stat().st_size
    for end in (
        JobResult(ValueError("lost")),
        JobResult(Outcome(Verdict.UNKNOWN, Reason.BACKEND)),
        JobResult(Outcome(Verdict.TRUE)),
    ):
        written.add(job("2/4"), end)
    assert file.stat().st_size == size


def test_a_line_that_is_not_whole_is_as_good_as_none(file: Path) -> None:
    journal(file).add(job("0/4"), JobResult(NOTHING))
    journal(file).add(job("1/4"), JobResult(NOTHING))
    text = file.read_bytes()
    begin = text.index(b"\n") + 1
    for length in {*range(begin, len(text), 41), *range(len(text) - 5, len(text))}:
        file.write_bytes(text[:length])
        again = journal(file)
        assert again.known(job("1/4")) is None or length == len(text) - 1
    file.write_bytes(text[:-9])
    journal(file).add(job("2/4"), JobResult(NOTHING))
    assert [bool(journal(file).known(job(f"{number}/4"))) for number in range(4)] == [True, False, True, False]


@pytest.mark.parametrize("member", ["job", "tile", "end", "reason", "limits", "facts", "seconds", "about", "warnings"])
def test_an_entry_that_lacks_something_does_not_count(file: Path, member: str) -> None:
    journal(file).add(job("0/4"), JobResult(NOTHING))
    header, entry = file.read_text().splitlines()
    told = json.loads(entry)
    del told[member]
    file.write_text(f"{header}\n{json.dumps(told)}\n")
    assert journal(file).known(job("0/4")) is None


def test_no_bound_is_no_entry(file: Path) -> None:
    journal(file).add(job("0/4"), JobResult(NOTHING))
    header, entry = file.read_text().splitlines()
    file.write_text(f"{header}\n{json.dumps({**json.loads(entry), 'limits': []})}\n")
    assert journal(file).known(job("0/4")) is None


@pytest.mark.parametrize(
    "change, message",
    [
        ({"program": "q"}, "another program"),
        ({"unwind": 2}, "`unwind` was 1, and is 2"),
        ({"define": ()}, "`define` was"),
    ],
)
def test_another_run_is_refused(file: Path, change: dict[str, Any], message: str) -> None:
    journal(file)
    with pytest.raises(UsageError, match=message):
        journal(file, **change)
    journal(file, timeout=1.0, jobs=3)


def test_what_is_no_journal_is_refused_and_stays(file: Path) -> None:
    for text in ("int main(void) { return 0; }\n", "int main;", "{}\n", '{"cseq-journal": 1}\n', "\n", '["x"]\n'):
        file.write_text(text)
        with pytest.raises(UsageError, match="is not a journal"):
            journal(file)
        assert file.read_text() == text


def test_a_journal_by_another_version_is_refused(file: Path) -> None:
    journal(file)
    file.write_text(file.read_text().replace('"version": "', '"version": "9.'))
    with pytest.raises(UsageError, match=r"is by CSeq 9\."):
        journal(file)


def test_a_beginning_of_the_first_line_is_an_empty_journal(file: Path) -> None:
    journal(file)
    header = file.read_bytes()
    for length in (0, 1, 20, len(header) - 1):
        file.write_bytes(header[:length])
        journal(file)
        assert file.read_bytes() == header


# Of whole runs

PROGRAM = """
#include <assert.h>
#include <pthread.h>
int x, y;
void *one(void *unused) { int seen = x; y = seen + 1; x = seen + 1; return unused; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0); pthread_create(&b, 0, one, 0);
    pthread_join(a, 0); pthread_join(b, 0);
    assert(%s);
    return 0;
}
"""


class Interrupted(FileJournal):
    """A journal whose run is interrupted after some jobs, as if by Ctrl-C. done: the tiles that were checked."""

    after = 1_000
    done: ClassVar[list[str]] = []

    def add(self, job: Job, done: JobResult) -> None:
        super().add(job, done)
        assert isinstance(done.outcome, Outcome)
        if job.name.tile and done.outcome.reason is not Reason.TIMEOUT:
            self.done.append(job.name.tile)
            if len(self.done) >= self.after:
                raise KeyboardInterrupt


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome | None]:
    """Check a program of two threads in tiles, from its first moment."""
    monkeypatch.setattr(level, "_BOX", 0.0)
    monkeypatch.setattr(level, "_BESIDE", 1_000)
    monkeypatch.setattr("cseq.modules.symbolic.levels.journal.FileJournal", Interrupted)

    def verified(claim: str, after: int = 1_000, resume: bool = True, **parameters: Any) -> Outcome | None:
        monkeypatch.setattr(Interrupted, "after", after)
        monkeypatch.setattr(Interrupted, "done", [])
        path = tmp_path / f"{'good' if 'x >=' in claim else 'bad'}.c"
        path.write_text(PROGRAM % claim)
        given = {"backend": "cbmc", "rounds": 3, "prove": True, "jobs": 2, **parameters}
        try:
            return verify(path, **given, **({"resume": str(tmp_path / "journal")} if resume else {}))
        except KeyboardInterrupt:
            return None

    return verified


@pytest.mark.engine
def test_a_proof_goes_on_and_nothing_is_done_twice(run: Callable[..., Outcome | None]) -> None:
    assert run("x >= 1", after=3) is None
    before = list(Interrupted.done)
    outcome = run("x >= 1")
    after = list(Interrupted.done)
    assert outcome is not None and outcome.verdict is Verdict.TRUE and outcome.bounds == []
    assert len(before) == 3 and sorted(before + after) == sorted(f"{number}/8" for number in range(8))
    again = run("x >= 1")
    assert again is not None and again.verdict is Verdict.TRUE and Interrupted.done == []


@pytest.mark.engine
def test_a_violation_is_found_after_a_break(run: Callable[..., Outcome | None]) -> None:
    assert run("x == 2", after=1) is None or Interrupted.done
    outcome = run("x == 2")
    assert outcome is not None and outcome.verdict is Verdict.FALSE and outcome.counterexample is not None


@pytest.mark.engine
def test_the_journal_of_another_program_is_refused(run: Callable[..., Outcome | None]) -> None:
    assert run("x >= 1", after=1) is None
    with pytest.raises(UsageError, match="another program"):
        run("x == 2")
    with pytest.raises(UsageError, match="`unwind` was 1, and is 2"):
        run("x >= 1", unwind=2)


@pytest.mark.engine
def test_levels_that_are_done_are_not_done_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --auto, where each level is small enough to be checked as a whole."""
    path, file = tmp_path / "loop.c", tmp_path / "journal"
    path.write_text(PROGRAM.replace("int seen = x;", "int seen = x; for (int i = 0; i < 2; i++) y++;") % "x >= 1")
    added: list[str] = []
    add = FileJournal.add

    def noted(self: FileJournal, job: Job, done: JobResult) -> None:
        add(self, job, done)
        added.append(str(sorted(job.name.bounds)))
        if len(added) == 1 and os.environ.get("INTERRUPT"):
            raise KeyboardInterrupt

    monkeypatch.setattr(FileJournal, "add", noted)
    monkeypatch.setenv("INTERRUPT", "1")
    with pytest.raises(KeyboardInterrupt):
        verify(path, backend="cbmc", auto=True, jobs=1, resume=str(file), exact_limit=0)
    first = list(added)
    outcome = verify(path, backend="cbmc", auto=True, jobs=1, resume=str(file), exact_limit=0)
    assert outcome.verdict is Verdict.TRUE
    assert len(first) == 1 and first[0] not in added[1:] and len(outcome.levels) > 1


@pytest.mark.parametrize("given", [{"backend": "native"}, {"backend": "cbmc", "encoding": "partial-order"}])
def test_engines_without_tiles_are_refused(tmp_path: Path, given: dict[str, Any]) -> None:
    path = tmp_path / "a.c"
    path.write_text("int main(void) { return 0; }\n")
    with pytest.raises(UsageError, match="--resume: only"):
        verify(path, resume=str(tmp_path / "journal"), **given)


@pytest.mark.engine
def test_orders_of_accesses_are_not_divided(
    run: Callable[..., Outcome | None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {"rounds": None, "prove": None, "encoding": "partial-order", "resume": False}
    for claim, verdict in (("x >= 1", Verdict.TRUE), ("x == 2", Verdict.FALSE)):
        outcome = run(claim, **given)
        assert outcome is not None and outcome.verdict is verdict and outcome.jobs == ()
