"""Proofs without bounds agree with interpreters, on a few generated programs and transition systems."""

import random
from collections import Counter
from pathlib import Path

from tests.differential import deductive, proofs


def test_generated_programs(tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    for number, test in enumerate(deductive.tests(seed=7, count=10, start=0, counts=counts)):
        assert deductive.disagreement(test, tmp_path, counts, 2.0 if number % 8 == 0 else 0.0) == "", test[1]
    assert sum(counts[f"{kind}, violated: the system has an error"] for kind in ("finite", "endless")) > 3
    assert sum(counts[f"{kind}, safe"] for kind in ("finite", "endless")) > 3


def test_generated_systems() -> None:
    counts: Counter[str] = Counter()
    for number, system in proofs.systems(seed=7, count=8):
        found = proofs.executed(system, number)
        ways = proofs.some(system, random.Random(number))[:1]
        assert proofs.compare(system, ways, found, counts, 1.0) == ""
    assert any(what.startswith("error") for what in counts)
    assert any("proved" in what for what in counts)
