"""A sample of the random programs with pipes, event counters, polls and futexes."""

import random
from pathlib import Path

import pytest

from cseq.model.verdict import Verdict
from tests.differential.descriptors import compared, program
from tests.support.selection import everything

COUNT = 60 if everything() else 6


@pytest.mark.parametrize("number", range(COUNT))
def test_no_run_contradicts_a_proof(number: int, tmp_path: Path) -> None:
    verdicts, contradicted = compared(program(random.Random(f"5/{number}")), tmp_path)
    assert contradicted == set()
    assert any(verdict is not Verdict.UNKNOWN for verdict in verdicts.values())
