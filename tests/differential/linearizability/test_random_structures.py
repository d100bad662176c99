"""Random data structures: `cseq linearize` and a search through all interleavings say the same."""

from pathlib import Path

import pytest

from cseq.modules.linearizability.structure import CONSISTENCIES
from tests.differential.linearizability.random_structures import difference, orders
from tests.differential.linearizability.weak_structures import differences


@pytest.mark.parametrize("seed", range(100, 102))
@pytest.mark.parametrize("consistency", CONSISTENCIES)
def test_both_say_the_same(seed: int, consistency: str, tmp_path: Path) -> None:
    assert difference(seed, consistency, tmp_path) is None


def test_orders_keep_the_order_of_each_thread() -> None:
    assert sorted(orders((2, 1))) == [(0, 0, 1), (0, 1, 0), (1, 0, 0)]


@pytest.mark.parametrize("seed", range(3))
def test_all_execution_graphs_say_the_same(seed: int, tmp_path: Path) -> None:
    assert not list(differences(seed, tmp_path))
