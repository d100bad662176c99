"""The exploration of compiled programs agrees with references that enumerate all executions."""

from collections import Counter
from pathlib import Path

import pytest

from tests.differential import schedules
from tests.differential.test_explicit import lost_update


@pytest.mark.parametrize("number", [5, 8])
def test_generated_programs(number: int, tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    assert schedules.compare(1, number, tmp_path, counts) == ""
    assert any(what.startswith("all schedules") for what in counts), counts


def test_a_disagreement_is_seen(tmp_path: Path) -> None:
    program = lost_update(0)
    assert schedules.expected(program) == ("race", False)
    assert schedules.disagreement(program, "", False, tmp_path, Counter()).startswith(
        "false alarm of search: data race"
    )
