"""The solver of data-flow equations, and the analyses that need nothing but the graph."""

from collections.abc import Iterable
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cseq.modules.analysis import dataflow

Plain = dataflow.Digraph[int, None]
NOTHING = dataflow.UseDef(0)


def plain(*edges: tuple[int, int]) -> Plain:
    """A graph without labels that begins at 0."""
    nodes = sorted({0, *(node for edge in edges for node in edge)})
    return dataflow.Digraph(0, nodes, [(source, None, target) for source, target in edges])


@dataclass
class Available(dataflow.Analysis[int, None, int]):
    """Expressions that are available on every path (forward, must). made: by each node."""

    made: dict[int, int]
    direction = dataflow.Direction.FORWARD

    def boundary(self) -> int:
        return 0

    def bottom(self) -> int:
        return -1

    def join(self, one: int, other: int) -> int:
        return one & other

    def transfer(self, node: int, state: int) -> int:
        return state | self.made.get(node, 0)


Interval = tuple[int, float] | None


class Counting(dataflow.Analysis[str, tuple[str, int], Interval]):
    """The interval of one counter (forward, may). An edge sets it, adds to it, or needs it to be below a value."""

    direction = dataflow.Direction.FORWARD

    def boundary(self) -> Interval:
        return (0, float("inf"))

    def bottom(self) -> Interval:
        return None

    def join(self, one: Interval, other: Interval) -> Interval:
        if one is None or other is None:
            return one or other
        return (min(one[0], other[0]), max(one[1], other[1]))

    def along(self, edge: tuple[str, int], state: Interval) -> Interval | None:
        assert state is not None
        operator, value = edge
        if operator == "=":
            return (value, value)
        if operator == "+":
            return (state[0] + value, state[1] + value)
        if operator == "<":
            return (state[0], min(state[1], value - 1)) if state[0] < value else None
        return (max(state[0], value), state[1]) if state[1] >= value else None

    def widened(self, old: Interval, new: Interval, turns: int) -> Interval:
        assert old is not None and new is not None
        return (new[0], float("inf")) if turns >= 3 and new[1] > old[1] else new


def loop(least: int) -> dataflow.Digraph[str, tuple[str, int]]:
    """i = 0; while (i < 100) i += 1; if (i < least) unreached."""
    edges = [
        ("start", ("=", 0), "head"),
        ("head", ("<", 100), "body"),
        ("body", ("+", 1), "head"),
        ("head", (">=", 100), "end"),
        ("end", ("<", least), "unreached"),
    ]
    return dataflow.Digraph("start", ["start", "head", "body", "end", "unreached"], edges)


def test_what_is_on_every_path_only_counts_if_all_paths_have_it() -> None:
    diamond = plain((0, 1), (0, 2), (1, 3), (2, 3), (4, 3))
    found = dataflow.solve(diamond, Available({1: 0b11, 2: 0b10}))
    assert found.before[3] == 0b10
    assert found.after[1] == 0b11
    assert found.before[4] == found.after[4] == -1, "no path leads there"


def test_a_loop_begins_with_the_optimistic_assumption_for_what_is_on_every_path() -> None:
    assert dataflow.solve(plain((0, 1), (1, 2), (2, 1), (1, 3)), Available({0: 1})).before[3] == 1


def test_no_state_goes_along_an_edge_that_is_never_taken() -> None:
    found = dataflow.solve(loop(100), Counting())
    assert found.before["unreached"] is None
    assert dataflow.solve(loop(101), Counting()).before["unreached"] == (100, 100.0)


def test_loops_are_widened() -> None:
    found = dataflow.solve(loop(100), Counting(), limit=20)
    assert found.before["head"] == (0, float("inf"))
    assert found.before["body"] == (0, 99)
    assert found.before["end"] == (100, float("inf"))


def test_a_loop_may_be_too_long_for_the_limit() -> None:
    class Exact(Counting):
        def widened(self, old: Interval, new: Interval, turns: int) -> Interval:
            return new

    with pytest.raises(dataflow.LimitReachedError):
        dataflow.solve(loop(100), Exact(), limit=100)
    assert dataflow.solve(loop(101), Exact(), limit=1000).before["head"] == (0, 100)


def test_reachable_nodes_are_in_topological_order() -> None:
    edges = {0: [2, 1], 1: [3], 2: [1], 3: [1], 4: [0]}
    assert dataflow.reachable(lambda node: edges[node], [0]) == [0, 2, 1, 3]
    assert dataflow.reachable(lambda node: edges[node], []) == []
    assert set(dataflow.reachable(lambda node: edges[node], [3, 4])) == set(range(5))


def test_bits_stand_for_elements() -> None:
    sets = dataflow.BitSets("ab")
    assert (sets.of("b"), sets.of("ca"), sets.of("")) == (0b10, 0b101, 0)
    assert list(sets.elements(0b101)) == ["a", "c"]


def test_live_variables_of_the_book() -> None:
    """Aho, Lam, Sethi, Ullman: Compilers, figure 9.13; its solution is exercise 9.2.3."""
    names = dataflow.BitSets(["m", "n", "u1", "u2", "u3", "i", "j", "a"])
    uses = [
        dataflow.UseDef(names.of(used), names.of(defined))
        for used, defined in (
            (["m"], ["i"]), (["n"], ["j"]), (["u1"], ["a"]),
            (["i"], ["i"]), (["j"], ["j"]), (["u2"], ["a"]), (["u3"], ["i"]),
        )
    ]  # fmt: skip
    blocks = {0: [], 1: uses[:3], 2: uses[3:5], 3: uses[5:6], 4: uses[6:], 5: []}
    graph = plain((0, 1), (1, 2), (2, 3), (2, 4), (3, 4), (4, 2), (4, 5))
    found = dataflow.live_variables(graph, in_node=blocks.__getitem__)
    before = {number: set(names.elements(live)) for number, live in found.before.items()}
    assert before[1] == {"m", "n", "u1", "u2", "u3"}
    assert before[2] == {"i", "j", "u2", "u3"}
    assert before[3] == {"j", "u2", "u3"}
    assert before[4] == {"j", "u2", "u3"}
    assert before[5] == set()


def test_variables_that_only_compute_each_other_are_faint() -> None:
    x, y, z = 1, 2, 4
    body = [dataflow.UseDef(x | y, x, is_needed=False), dataflow.UseDef(z, y, is_needed=False)]
    graph = dataflow.Digraph(0, [0, 1], [(0, body, 0), (0, [dataflow.UseDef(z)], 1)])
    assert dataflow.live_variables(graph, on_edge=lambda label: label).before[0] == z
    needed = [use._replace(is_needed=True) for use in body]
    assert dataflow.live_before(needed, 0) == x | y | z
    assert dataflow.live_before(body, x) == x | y
    assert dataflow.live_before(body, y) == z


GRAPHS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12)
EFFECTS = st.lists(st.builds(dataflow.UseDef, st.integers(0, 7), st.integers(0, 7), st.just(True)), max_size=2)


def uses_first(
    edges: Iterable[tuple[int, int]], effects: list[list[dataflow.UseDef]], variable: int, node: int
) -> bool:
    """Whether a path from before *node* uses a variable before it defines it, by a search for that path."""
    pending, seen = [node], {node}
    while pending:
        here = pending.pop()
        for uses, defines, _ in effects[here]:
            if uses & variable:
                return True
            if defines & variable:
                break
        else:
            new = {after for source, after in edges if source == here} - seen
            seen |= new
            pending += new
    return False


@settings(deadline=None, max_examples=60)
@given(GRAPHS, st.lists(EFFECTS, min_size=6, max_size=6))
def test_a_variable_is_live_if_some_path_uses_it_first(
    edges: list[tuple[int, int]], effects: list[list[dataflow.UseDef]]
) -> None:
    graph = dataflow.Digraph(0, range(6), [(source, None, target) for source, target in edges])
    found = dataflow.live_variables(graph, in_node=effects.__getitem__)
    for node in range(6):
        expected = sum(bit for bit in (1, 2, 4) if uses_first(edges, effects, bit, node))
        assert found.before[node] == expected
        assert found.before[node] == dataflow.live_before(effects[node], found.after[node])


@settings(deadline=None, max_examples=60)
@given(GRAPHS, st.lists(st.integers(0, 7), min_size=6, max_size=6))
def test_a_fact_is_available_if_no_path_goes_without_it(edges: list[tuple[int, int]], made: list[int]) -> None:
    found = dataflow.solve(
        dataflow.Digraph(0, range(6), [(source, None, target) for source, target in edges]),
        Available(dict(enumerate(made))),
    )
    for bit in (1, 2, 4):
        passing = {
            node: [after for source, after in edges if source == node and not made[node] & bit] for node in range(6)
        }
        without = dataflow.reachable(passing.__getitem__, [0])
        for node in range(6):
            assert bool(found.before[node] & bit) == (node not in without)
