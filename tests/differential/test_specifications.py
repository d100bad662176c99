"""TLC agrees with references that enumerate all executions, on a few generated programs."""

from collections import Counter
from pathlib import Path

import pytest

from cseq.backends import tlc
from tests.differential import deductive
from tests.differential.specifications import disagreement


@pytest.mark.skipif(tlc.find() is None or tlc.java() is None, reason="TLC or Java is not installed")
def test_generated_programs(tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    for number, test in enumerate(deductive.tests(3, 4, 0, counts)):
        options: dict[str, object] = {"no_por": True} if number % 2 else {}
        assert disagreement(test, tmp_path, counts, options) == "", test[1]
    assert sum(times for what, times in counts.items() if what.endswith("TRUE")) >= 2, counts
    assert sum(times for what, times in counts.items() if what.endswith("FALSE")) >= 1, counts
