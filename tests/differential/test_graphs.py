"""A few random programs for the explorer of execution graphs; see `graphs.py`."""

from __future__ import annotations

import random
from pathlib import Path

from tests.differential.graphs import disagreements, program


def test_the_explorer_finds_the_graphs_that_the_enumeration_finds(tmp_path: Path) -> None:
    rng = random.Random(20)
    assert not disagreements([program(rng, (4, 5, 6)) for _ in range(15)], tmp_path)
