"""Categories and points."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from cseq.bench.measure import Limits, Measured
from cseq.bench.runs import judged
from cseq.bench.scores import category, points
from cseq.bench.tasks import Expected

STATUSES = ("true", "false", "false(unreach-call)", "false(valid-free)", "false(valid-deref)", "unknown", "done",
            "TIMEOUT", "TIMEOUT (true)", "OUT OF MEMORY", "ERROR (1)")  # fmt: skip
EXPECTED = [(True, None), (False, None), (False, "valid-free"), (None, None)]


@pytest.mark.parametrize(
    "status, expected, known, worth",
    [
        ("true", (True, None), "correct", 2),
        ("true", (False, None), "wrong", -32),
        ("false(unreach-call)", (False, None), "correct", 1),
        ("false(unreach-call)", (True, None), "wrong", -16),
        ("false(valid-free)", (False, "valid-free"), "correct", 1),
        ("false(valid-deref)", (False, "valid-free"), "unknown", 0),
        ("true", (False, "valid-free"), "wrong", -32),
        ("true", (None, None), "missing", 0),
        ("unknown", (True, None), "unknown", 0),
        ("TIMEOUT (true)", (False, None), "error", 0),
    ],
)
def test_points(status: str, expected: tuple[bool | None, str | None], known: str, worth: int) -> None:
    found = category(status, Expected(Path("p.prp"), *expected))
    assert (found, points(found, status)) == (known, worth)


def test_they_are_those_of_benchexec() -> None:
    result = pytest.importorskip("benchexec.result", reason="BenchExec is not installed")
    theirs = result.Property("p.prp", True, "p")
    for status, (verdict, part) in itertools.product(STATUSES, EXPECTED):
        expected = {"p.prp": result.ExpectedResult(verdict, part)}
        their_category = result.get_result_category(expected, status, [theirs])
        our_category = category(status, Expected(Path("p.prp"), verdict, part))
        assert our_category == their_category, (status, verdict, part)
        assert points(our_category, status) == theirs.compute_score(their_category, status)


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
def test_the_status_of_a_run(said, ended, reason, cputime, status) -> None:
    measured = Measured(0, 2.0, cputime, 1000, reason)
    assert judged(said, *ended, measured, Limits(cputime=10.0)) == status
