"""The outcome of each way in which a run can end."""

from dataclasses import replace
from typing import Any

import pytest

from cseq.model.verdict import Binary, Listing, Outcome, Reason, Verdict
from cseq.modules.compiled.client.record import AccessKind, End, EntryFlag, Misuse, Op, Strategy
from cseq.modules.compiled.client.recorded import RaceFound, RaceSide
from cseq.modules.compiled.exploration import with_statistics
from cseq.modules.compiled.schedule_search import Statistics, Tally
from cseq.modules.compiled.verdict import SEARCHES, binary_at, judged, unviolated
from cseq.report import words
from cseq.report.explain.paragraph import explain
from cseq.report.json import jsonreport
from cseq.report.sarif import sarifreport
from cseq.report.text import terminal
from tests.support.jsonschema_check import check_json
from tests.support.recorded_runs import HEAP, Example, block, did
from tests.support.sarif_check import check_sarif

BINARY = Binary("./x", ("g++ 12.2.0 -O2",))
STACKS = [["in_deposit", "after_deposit", "in_main"], ["allocates", "in_main"], ["locks", "in_main"]]
PENDING = EntryFlag.PENDING
BLOCKS = [block(HEAP, 16, allocated=2, freed=3)]

ENDS: dict[str, dict[str, Any]] = {
    "assertion `x == 1` is violated at example.cpp:15 in deposit": {"end": End.ABORTED, "detail": 1, "text": "x == 1"},
    "abort is called at": {"end": End.ABORTED},
    "std::terminate is called at": {"end": End.ABORTED, "detail": 2},
    "the C library ends the program: double free at": {"end": End.ABORTED, "detail": 3, "text": "double free\n"},
    "uncaught exception `std::out_of_range` at": {"end": End.EXCEPTION, "text": "St12out_of_range"},
    "invalid memory access (the pointer is NULL) at": {"end": End.CRASHED, "detail": 11, "object": 8},
    "division by zero, or one that overflows at": {"end": End.CRASHED, "detail": 8},
    "the program is ended by SIGILL at": {"end": End.CRASHED, "detail": 4},
    "the stack is too small for the calls at": {"end": End.CRASHED, "detail": 11, "text": "stack_overflow"},
    "the program is ended by SIGKILL at": {"end": End.KILLED, "detail": 9},
    "undefined behaviour: signed integer overflow at": {"end": End.UNDEFINED, "text": "signed-integer-overflow"},
    "the exit status is 3, not 0 at": {"end": End.EXITED, "detail": 3},
    "invalid write of `Node#1.mark` (the memory has been freed at example.cpp:22) at": {
        "end": End.USE_AFTER_FREE, "detail": AccessKind.WRITE, "object": HEAP + 8, "freed": 3,
    },
    "invalid read of `Node#1` (outside of the object, which has 16 bytes) at": {
        "end": End.OVERFLOW, "detail": AccessKind.READ, "object": HEAP + 16, "other": HEAP,
    },
    "invalid free of `Node#1` (the memory has been freed at example.cpp:22) at": {
        "end": End.DOUBLE_FREE, "object": HEAP, "freed": 3,
    },
    "pthread_mutex_unlock: the calling thread does not own the mutex at": {
        "end": End.MISUSE, "detail": Misuse.NOT_HELD, "operations": [did(Op.UNLOCK, 1, HEAP, flags=PENDING)],
    },
    "the thread has already been joined at": {
        "end": End.MISUSE, "detail": Misuse.JOINED_TWICE, "operations": [did(Op.JOIN, 1, flags=PENDING)],
    },
}  # fmt: skip


def outcome_of(example: Example, **how: Any) -> Outcome:
    operations = how.pop("operations", [])
    begun = did(Op.CREATE, 0, stack=3, argument=1), did(Op.ATOMIC_STORE, 1, example.at["small"], size=1)
    run = example.run(*begun, *operations, stacks=STACKS, blocks=BLOCKS, stack=1, thread=1, output=b"hello\n", **how)
    return judged(run, BINARY, 0, example.folder)


@pytest.mark.parametrize("said", ENDS)
def test_what_is_wrong(example: Example, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(example.folder)
    outcome = outcome_of(example, **ENDS[said])
    assert outcome.verdict is Verdict.FALSE and outcome.violated is not None
    assert said in words.violation(outcome.violated)
    assert outcome.counterexample is not None
    assert outcome.counterexample.steps[-1].origin[:2] == outcome.violated.origin[:2]  # type: ignore[index]
    assert explain(outcome)
    check_json(jsonreport.render(outcome), outcome)
    check_sarif(sarifreport.render(outcome, ["example.cpp"]), outcome)


def test_every_violation_has_words() -> None:
    ends = {how["end"] for how in ENDS.values()}
    assert {end for end in End if End.DEADLOCK <= end <= End.MISUSE} - ends == {End.DEADLOCK, End.INVALID_FREE}


def test_the_report_shows_what_the_program_printed_and_how_it_was_compiled(example: Example) -> None:
    text = terminal.render(outcome_of(example, end=End.ABORTED), steps=True)
    assert "\n  hello\n" in text
    assert text.endswith("(./x, compiled by g++ 12.2.0 -O2)\n")


def test_a_run_that_hangs(example: Example) -> None:
    run = example.run(did(Op.ATOMIC_LOAD, 1, example.at["small"], size=1), stacks=STACKS, end=End.STEPS, spinning=900)
    outcome = judged(run, BINARY, folder=example.folder, hangs=True)
    assert outcome.violated is not None
    assert words.violation(outcome.violated).startswith("threads spin for ever")
    assert judged(run, BINARY, folder=example.folder).verdict is Verdict.UNKNOWN


def test_what_the_runtime_does_not_follow(example: Example) -> None:
    outcome = judged(example.run(stacks=STACKS, end=End.UNHANDLED, text="vfork"), BINARY, folder=example.folder)
    assert (outcome.verdict, outcome.reason) == (Verdict.UNKNOWN, Reason.BACKEND)
    assert words.answer(outcome) == "runs with what is not followed: vfork"


def test_races_of_further_runs_are_listed_once(example: Example) -> None:
    sides = [RaceSide(n, 0, n, AccessKind.WRITE, False, 1, 0) for n in (1, 2)]
    race = RaceFound(sides[0], sides[1], example.at["small"], 0)
    other = replace(race, first=replace(sides[0], kind=AccessKind.READ))
    one, two = (example.run(stacks=STACKS, races=(each,)) for each in (race, other))
    outcome = judged(one, BINARY, folder=example.folder, further=[one, two, two, replace(two, seed=2)])
    assert len(outcome.others) == 1
    assert len({outcome.violated, *outcome.others}) == 2
    assert outcome.listing is Listing.STOPPED


def test_nothing_was_found() -> None:
    outcome = unviolated(3000, [Strategy.WALK, Strategy.ROUND], BINARY, cut={End.STEPS: 500})
    assert words.answer(outcome) == "no violation in 3 000 runs (random walk, round robin)"
    assert outcome.exit_status == 0 and outcome.reason is Reason.BOUNDED
    assert "runs of more than 500 operations (--steps)" in terminal.render(outcome)
    check_json(jsonreport.render(outcome), outcome)
    late = unviolated(2, [Strategy.WALK], BINARY, cut={End.TIME: 1}, ended=False)
    assert (late.exit_status, words.answer(late)) == (3, "out of time")
    assert "runs of more than 1 second (--run-time)" in terminal.render(late)
    changing = unviolated(9, [Strategy.WALK], BINARY, unrepeated=1)
    assert changing.exit_status == 3
    assert "violations in 1 run that did not happen again" in terminal.render(changing)
    proved = unviolated(12, [], BINARY, complete=True)
    assert (proved.verdict, words.answer(proved)) == (Verdict.TRUE, "no violation in any schedule of this program")


def test_the_numbers_of_a_search(example: Example) -> None:
    numbers = Statistics(
        runs=60, races=1, operations=9, tallies={"pct2": Tally(20), "pct3": Tally(20, found=1), "walk": Tally(20)}
    )
    outcome = with_statistics(outcome_of(example, end=End.ABORTED), numbers, 1, 2.0)
    assert [(share.name, share.walks, share.found) for share in outcome.searches] == [
        ("pct", 40, True), ("walk", 20, False),
    ]  # fmt: skip
    assert outcome.statistics["runs_per_second"] == 30
    assert "random priorities (PCT): 40 executions, seed 1, depth 9; it found this" in words.searches(outcome.searches)
    assert set(SEARCHES.values()) <= set(words._SEARCHES)
    check_json(jsonreport.render(outcome), outcome)


def test_programs_without_a_record_of_their_compilers(example: Example) -> None:
    assert binary_at(example.module.path) == Binary(example.module.path)
    assert binary_at("/nowhere", is_temporary=True) == Binary("")
