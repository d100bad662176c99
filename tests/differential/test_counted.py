"""Loops that count, of all types and to all ends, do behind the unroller what they did before (see counted.py)."""

from pathlib import Path

from tests.differential import counted


def test_random_loops_that_count_are_preserved(tmp_path: Path) -> None:
    assert counted.differing(0, 100, tmp_path) == []
