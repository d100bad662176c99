"""The lines about several programs."""

from cseq.model.claims import Claim, Kind
from cseq.model.origin import Origin
from cseq.model.taskresults import Expected, TaskEnd, TaskFailure, TaskResult, counted
from cseq.model.verdict import Outcome, Property, Reason, Verdict, summed
from cseq.report.text import tasklines


def violated(name: str) -> Outcome:
    claim = Property(Claim(Kind.ASSERTION, subject="x"), Origin("a.c", 3, function="main"))
    return Outcome(Verdict.FALSE, violated=claim, property=name)


PROOF = Outcome(Verdict.TRUE, property="unreach-call")
RESULTS = [
    TaskResult("a.c", TaskEnd.ANSWERED, seconds=1.25, outcome=violated("unreach-call")),
    TaskResult("dir/b.c", TaskEnd.ANSWERED, outcome=PROOF),
    TaskResult("c.c", TaskEnd.FAILED, failure=TaskFailure("no\nmain", Origin("c.c", 1), 2)),
    TaskResult("d.c", TaskEnd.ANSWERED, outcome=Outcome(Verdict.UNKNOWN, Reason.TIMEOUT)),
    TaskResult("e.c", TaskEnd.ANSWERED, outcome=Outcome(Verdict.UNKNOWN, Reason.BOUNDED)),
    TaskResult("f.c", TaskEnd.STOPPED),
]


def test_lines_are_aligned() -> None:
    columns = tasklines.width([tasklines.name(result) for result in RESULTS])
    assert columns == len("dir/b.c")
    first, second, third = (next(tasklines.lines(result, columns)) for result in RESULTS[:3])
    assert first == "FALSE    a.c      assertion `x` is violated at a.c:3 in main"
    assert second == "TRUE     dir/b.c  no violation in any execution"
    assert third == "error    c.c      c.c:1: no main"
    assert next(tasklines.lines(RESULTS[0], columns, seconds=True)).endswith(" in main (1.2 s)")


def test_each_violated_property_is_named() -> None:
    outcome = summed([PROOF, violated("no-data-race"), violated("no-deadlock")])
    first, second = tasklines.lines(TaskResult("a.c", TaskEnd.ANSWERED, outcome=outcome), 3)
    assert first == "FALSE    a.c  no-data-race: assertion `x` is violated at a.c:3 in main"
    assert second == "              no-deadlock: assertion `x` is violated at a.c:3 in main"


def test_an_unexpected_answer_says_what_is_expected() -> None:
    expected = {"unreach-call": Expected(False, "valid-free")}
    result = TaskResult("a.yml", TaskEnd.ANSWERED, "unreach", outcome=PROOF, expected=expected, as_expected=False)
    assert list(tasklines.lines(result)) == [
        "TRUE     a.yml unreach  no violation in any execution (expected: FALSE (valid-free))"
    ]
    assert tasklines.summary([result], 2.0) == "1 task: 1 correct (2.0 s); 0 answers as expected, 1 not as expected"


def test_the_summary_counts() -> None:
    expected = "6 programs: 1 violated, 1 correct, 1 without a violation within bounds, 1 unknown, 1 failed, 1 stopped"
    assert tasklines.summary(RESULTS, 48.24) == f"{expected} (48.2 s)"
    assert counted(RESULTS).exit_status == 1
    assert counted(RESULTS[1:]).exit_status == 2
    assert counted(RESULTS[3:]).exit_status == 3
    assert counted([RESULTS[1], RESULTS[4]]).exit_status == 0


def test_several_properties_are_correct_only_if_all_are() -> None:
    some = summed([PROOF, Outcome(Verdict.UNKNOWN, Reason.BOUNDED, property="no-deadlock")])
    counts = counted([TaskResult("a.c", TaskEnd.ANSWERED, outcome=some)])
    assert (counts.correct, counts.bounded) == (0, 1)
