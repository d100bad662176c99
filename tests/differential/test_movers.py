"""A few random programs with locks, whose verdicts critical sections as one step must not change (see movers.py)."""

import pytest

from tests.differential import movers


@pytest.mark.parametrize(("seed", "start", "backend"), [(2, 77, "native"), (1, 0, "cbmc")])
def test_the_verdicts_are_those_without(seed, start, backend, tmp_path):
    for case in movers.cases(seed, 2, start):
        assert not movers.disagreement(case, tmp_path, backend)
