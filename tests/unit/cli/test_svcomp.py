"""The line of lazy-cseq.py, and the verdict that it reports."""

import pytest

from cseq.cli import svcomp
from cseq.cli.svcomp import line
from cseq.cli.svcomp_rules import reported
from cseq.model.claims import RACE, Claim, Kind, Object, misuse
from cseq.model.claims import Reason as Wrong
from cseq.model.origin import Origin
from cseq.model.trace import Race, RaceKind, Racing, Thread
from cseq.model.verdict import Outcome, Property, Reason, Verdict
from cseq.version import __version__

HERE = Origin("a.c", 3, function="work")
OVERFLOW = Claim(Kind.OVERFLOW, Wrong.DIVISION, "1 / x")
MISUSE = misuse("pthread_mutex_unlock", Object.MUTEX, Wrong.NOT_HELD)
CRASH = Claim(Kind.CRASH, Wrong.ACCESS)


def violated(claim: Claim, part: str = "", property_: str = "unreach-call") -> Outcome:
    return Outcome(Verdict.FALSE, violated=Property(claim, HERE, part), property=property_)


def test_a_crash_is_no_call_of_reach_error() -> None:
    violated = Property(Claim(Kind.CRASH, Wrong.ACCESS), Origin("a.c", 4, function="work"))
    told = line(Outcome(Verdict.FALSE, violated=violated, property="unreach-call"))
    assert told.startswith("UNKNOWN: the program crashes: invalid memory access at a.c:4")


SIDES = (
    Racing(Thread(0, "main"), Origin("a.c", 1), RaceKind.WRITE, "TRUE\n"),
    Racing(Thread(1, "f"), Origin("a.c", 2), RaceKind.READ, "TRUE\n"),
)
TRUE_RACE = Race(SIDES, "TRUE\n")


@pytest.mark.parametrize(
    "outcome, told",
    [
        (Outcome(Verdict.TRUE), "TRUE: no violation in any execution\n"),
        (Outcome(Verdict.UNKNOWN, Reason.TIMEOUT), "UNKNOWN: out of time\n"),
        (Outcome(Verdict.FALSE, violated=Property(RACE, account=TRUE_RACE), property="no-data-race"),
         "FALSE(no-data-race): data race on `true `: main writes it at a.c:1, f (thread 1) reads it at a.c:2\n"),
        (Outcome(Verdict.FALSE, violated=Property(OVERFLOW, Origin("UNKNOWN.c", 3)), parts=[
            Outcome(Verdict.UNKNOWN, Reason.BOUNDED, property="unreach-call"),
            Outcome(Verdict.FALSE, violated=Property(OVERFLOW, Origin("a.c", 3)), property="no-overflow")]),
         "FALSE(no-overflow): division by zero in `1 / x` at a.c:3\n"),
    ],
)  # fmt: skip
def test_the_line(outcome: Outcome, told: str) -> None:
    assert line(outcome) == told


@pytest.mark.parametrize(
    ("claim", "misused", "verdict"),
    [
        (OVERFLOW, False, Verdict.FALSE),
        (MISUSE, False, Verdict.UNKNOWN),
        (MISUSE, True, Verdict.FALSE),
        (CRASH, False, Verdict.UNKNOWN),
        (Claim(Kind.REACHABILITY, Wrong.NO_FUNCTION), False, Verdict.UNKNOWN),
        (Claim(Kind.REACHABILITY, Wrong.CALLED, function="reach_error"), False, Verdict.FALSE),
    ],
)
def test_of_what_no_property_speaks_none_is_violated(claim: Claim, misused: bool, verdict: Verdict) -> None:
    assert reported(violated(claim), misused) is verdict


@pytest.mark.parametrize("verdict", [Verdict.TRUE, Verdict.UNKNOWN])
def test_other_verdicts_stay(verdict: Verdict) -> None:
    assert reported(Outcome(verdict)) is reported(Outcome(verdict), True) is verdict


def test_the_first_part_that_is_violated_decides() -> None:
    parts = [Outcome(Verdict.TRUE, property="no-overflow"), violated(MISUSE), violated(OVERFLOW)]
    assert reported(Outcome(Verdict.FALSE, parts=parts)) is Verdict.UNKNOWN
    assert reported(Outcome(Verdict.FALSE, parts=parts[::2])) is Verdict.FALSE


def test_misuse_is_said_to_be_misuse_unless_it_counts() -> None:
    said = "pthread_mutex_unlock: the calling thread does not own the mutex at a.c:3 in work\n"
    assert line(violated(MISUSE)) == f"UNKNOWN: the thread library is misused: {said}"
    assert line(violated(MISUSE), misuse=True) == f"FALSE(unreach-call): {said}"


def test_the_part_of_a_property_is_named_before_the_property() -> None:
    claim = Claim(Kind.MEMSAFETY, Wrong.FREE, "p")
    assert line(violated(claim, "valid-free", "valid-memsafety")).startswith("FALSE(valid-free): invalid free of `p`")
    assert line(violated(claim, "", "valid-memsafety")).startswith("FALSE(valid-memsafety): ")
    assert line(violated(claim, "", "")).startswith("FALSE: ")


@pytest.mark.parametrize(
    ("words", "status", "printed"),
    [
        (["--version"], 0, f"{__version__}\n"),
        ([], 2, "UNKNOWN: no input file (`cseq --help` lists the options)\n"),
        (["--json", "FALSE.c"], 2, "UNKNOWN: --json is not an option of lazy-cseq.py, which prints one line\n"),
        (["--TRUE", "a.c"], 2, "UNKNOWN: no such option '--true'\n"),
        (["no\x1bTRUE.c"], 2, "UNKNOWN: no\\x1btrue.c: no such file\n"),
    ],
)
def test_one_line_whatever_the_command_line_is(
    words: list[str], status: int, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert svcomp.main(words) == status
    assert capsys.readouterr() == (printed, "")
