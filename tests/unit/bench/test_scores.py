"""What a run gives: its status, its category and its points, in sums and tables."""

import pytest
from benchexec.model import Run
from benchexec.result import get_result_category

from cseq.bench import scores
from cseq.bench.measure import Measured
from cseq.bench.runner import give_result
from cseq.bench.runsets import load, of_tasks
from cseq.bench.taskfiles import TaskGroup
from tests.unit.bench.conftest import Bench


def a_run(bench: Bench, verdict: str, prp: str = "unreach-call") -> Run:
    """A run of a task with the expected *verdict*, which has ten seconds."""
    path = bench.task("a", "exit 0", verdict, prp)
    benchmark = load(None, ["--timelimit", "10s"])
    benchmark.executable = "/bin/sh"
    [run_set] = of_tasks(benchmark, [TaskGroup("some", [path])], [prp])
    [run] = run_set.runs
    return run


@pytest.mark.parametrize(
    "status, expected, known, worth",
    [
        ("true", "true", "correct", 2),
        ("true", "false", "wrong", -32),
        ("false(unreach-call)", "false", "correct", 1),
        ("false(unreach-call)", "true", "wrong", -16),
        ("false(valid-free)", "false\n    subproperty: valid-free", "correct", 1),
        ("false(valid-deref)", "false\n    subproperty: valid-free", "unknown", 0),
        ("true", "false\n    subproperty: valid-free", "wrong", -32),
        ("true", "null", "missing", 0),
        ("unknown", "true", "unknown", 0),
        ("TIMEOUT (true)", "false", "error", 0),
    ],
)
def test_points(bench: Bench, status: str, expected: str, known: str, worth: int) -> None:
    run = a_run(bench, expected)
    run.status, run.category = status, get_result_category(run.expected_results, status, run.properties)
    tally = scores.Tally("all", [run])
    assert (run.category, tally.score, tally.wrong) == (known, worth, int(known == "wrong"))
    most = {"true": 2, "false": 1, "null": 0}[expected.partition("\n")[0]]
    unknown = int(known not in ("correct", "wrong"))
    assert (tally.max_score or 0, tally.unknown, sum(tally.others.values())) == (most, unknown, unknown)


def test_sums(bench: Bench) -> None:
    right, late, open_ = (a_run(bench, "true") for _ in range(3))
    right.status, right.category, right.values = "true", "correct", {"cputime": 2.0}
    late.status, late.category, late.values = "TIMEOUT", "error", {"cputime": 10.4}
    tallies = [scores.Tally("one", [right, late, open_]), scores.Tally("two", [right])]
    total = scores.Tally("total", [right, late, open_, right])
    assert scores.row(total) == ("total", "3", "2", "0", "0", "0", "1", "4", "6", "14")
    assert scores.reasons(tallies[0]) == "TIMEOUT 1"
    assert list(scores.markdown(tallies))[2] == "| one | 2 | 1 | 0 | 0 | 0 | 1 | 2 | 4 | 12 | TIMEOUT 1 |"


def test_parts_of_a_run_set_are_not_counted_twice() -> None:
    named = [("race.more", [1]), ("race.few", [2, 3]), ("race", [1, 2, 3]), ("reach.few", [4])]
    assert [name for name, _ in scores.as_parts(named)] == ["race: more", "race: few", "race", "reach.few"]


@pytest.mark.parametrize(
    "said, ended, reason, cputime, status",
    [
        ("true", (0, None), None, 1.0, "true"),
        ("true", (0, None), None, 11.0, "TIMEOUT (true)"),
        ("ERROR", (None, 9), "cputime", 11.0, "TIMEOUT"),
        ("unknown", (130, None), "walltime", 1.0, "TIMEOUT"),
        ("false(no-overflow)", (None, 9), "memory", 1.0, "OUT OF MEMORY (false(no-overflow))"),
        ("ERROR", (2, None), None, 1.0, "ERROR (2)"),
        ("unknown", (2, None), None, 1.0, "unknown"),
        ("ERROR", (None, 6), None, 1.0, "ABORTED"),
        ("ERROR", (None, 9), None, 1.0, "KILLED BY SIGNAL 9"),
        ("ERROR (backend)", (3, None), None, 1.0, "ERROR (backend)"),
    ],
)
def test_the_status_of_a_run(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, said, ended, reason, cputime, status
) -> None:
    """What BenchExec makes of what the tool says and of what we measured."""
    run = a_run(bench, "true")
    value, signal = ended
    monkeypatch.setattr(run.runSet.benchmark.tool, "determine_result", lambda _: said)
    measured = Measured(signal or (value or 0) << 8, 2.0, cputime, 1000, reason)
    run.cmdline()
    give_result(run, measured)
    assert run.status == status
