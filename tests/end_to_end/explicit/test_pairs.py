"""Pairs of programs with a data race or a deadlock, and their twins: the explicit family tells them apart, too."""

from pathlib import Path
from typing import Any

import pytest

import cseq
from cseq.model.verdict import Verdict
from tests.support.checkout import ROOT

BENCHMARKS = {
    "race": ["bit_fields", "mixed_atomic", "freed_node"],
    "deadlock": ["lock_order_pointers", "barrier_count"],
}
"""Pairs of sv-benchmarks."""

CONFORMANCE = {
    "race": ["sprintf", "deadline", "section_conditional", "create_handle"],
    "deadlock": ["cond_missed", "once_circle", "rwlock_upgrade", "others_go_on", "chosen_wait"],
}
"""Programs of tests/programs/conformance, which have a bug where BUG is defined."""

_NAMES = {"race": "no-data-race", "deadlock": "no-deadlock"}


def check(path: Path, question: str, bug: bool, **parameters: Any) -> None:
    spec = ROOT / "sv-benchmarks" / "properties" / f"{_NAMES[question]}.prp"
    outcome = cseq.verify(path, chain="explicit", spec=str(spec), **parameters)
    assert outcome.verdict is (Verdict.FALSE if bug else Verdict.TRUE)
    if not bug:
        return
    assert outcome.counterexample is not None
    lines = path.read_text().splitlines()
    marked = [step for step in outcome.counterexample.steps if step.stands]
    assert marked
    for step in marked:
        assert f"// {question.upper()}" in lines[step.origin.line - 1]


@pytest.mark.parametrize("bug", [True, False], ids=["bug", "twin"])
@pytest.mark.parametrize(("question", "name"), [(kind, name) for kind, names in BENCHMARKS.items() for name in names])
def test_benchmark(question: str, name: str, bug: bool) -> None:
    path = ROOT / "sv-benchmarks" / question / f"{name}_{'bad' if bug else 'good'}.c"
    check(path, question, bug)


@pytest.mark.parametrize("bug", [True, False], ids=["bug", "twin"])
@pytest.mark.parametrize(("question", "name"), [(kind, name) for kind, names in CONFORMANCE.items() for name in names])
def test_conformance(question: str, name: str, bug: bool) -> None:
    path = ROOT / "tests" / "programs" / "conformance" / question / f"{name}.c"
    check(path, question, bug, define=("BUG",) if bug else (), strict_posix="--strict-posix" in path.read_text())


@pytest.mark.parametrize(("bug", "verdict"), [(True, Verdict.FALSE), (False, Verdict.TRUE)])
def test_a_thread_outlives_the_one_that_created_it(bug: bool, verdict: Verdict) -> None:
    path = ROOT / "tests" / "programs" / "conformance" / "threads" / "created_by_another.c"
    assert cseq.verify(path, chain="explicit", define=("BUG",) if bug else ()).verdict is verdict


@pytest.mark.parametrize(
    ("chain", "bug", "verdict"),
    [
        ("explicit", True, Verdict.FALSE),
        ("explicit", False, Verdict.TRUE),
        ("horn", True, Verdict.UNKNOWN),
        ("horn", False, Verdict.TRUE),
    ],
)
def test_what_a_thread_does_before_it_waits_for_ever_is_done(chain: str, bug: bool, verdict: Verdict) -> None:
    path = ROOT / "tests" / "programs" / "conformance" / "threads" / "stored_before_waiting.c"
    outcome = cseq.verify(path, chain=chain, define=("BUG",) if bug else (), timeout=20)
    assert outcome.verdict is verdict
