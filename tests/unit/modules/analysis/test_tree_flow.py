"""The blocks and edges of statements, and the points before and after these."""

from typing import Any

import pytest
from pycparser import c_ast

from cseq.c import parse
from cseq.modules.analysis.tree_flow import TreeFlow


def flow_of(body: str) -> tuple[TreeFlow, list[Any]]:
    """The flow of *body*, in which `return` and `stop()` end, and its statements."""
    function = parse(f"void stop(void); int f(int a, int b)\n{{\n{body}\n}}\n").ext[-1]

    def ends(node: Any) -> bool:
        return isinstance(node, c_ast.Return) or (isinstance(node, c_ast.FuncCall) and node.name.name == "stop")

    def value(cond: c_ast.Node) -> int | None:
        return int(cond.value) if isinstance(cond, c_ast.Constant) else None

    items = function.body.block_items
    return TreeFlow(items, ends, value), items


def edges(flow: TreeFlow) -> set[tuple[int, int, bool | None]]:
    """The edges between blocks that control can reach, each with whether a condition has to hold."""
    found, todo, seen = set(), [flow.entry], {flow.entry}
    while todo:
        block = todo.pop()
        for edge, after in flow.leaving(block):
            found.add((block, after, None if edge.branch is None else edge.holds))
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return found


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("a = 1; b = 2;", set()),
        ("if (a) b = 1; b = 2;", {(0, 1, True), (1, 2, None), (0, 2, False)}),
        ("if (a) b = 1; else b = 2; b = 3;", {(0, 1, True), (0, 2, False), (1, 3, None), (2, 3, None)}),
        ("while (a) b = 1; b = 2;", {(0, 1, None), (1, 2, True), (2, 1, None), (1, 3, False)}),
        ("while (1) b = 1; b = 2;", {(0, 1, None), (1, 2, True), (2, 1, None)}),
        ("while (0) b = 1; b = 2;", {(0, 1, None), (1, 3, False)}),
        ("goto l; a = 1; l: b = 1;", {(0, 2, None)}),
        ("l: a = 1; if (a) goto l;", {(0, 1, None), (1, 2, True), (2, 1, None), (1, 4, False)}),
        ("if (a) { stop(); } b = 1;", {(0, 1, True), (0, 3, False)}),
        ("return a; b = 1;", set()),
    ],
)
def test_edges(body: str, expected: set[tuple[int, int, bool | None]]) -> None:
    flow, _ = flow_of(body)
    assert edges(flow) == expected


def test_a_jump_into_a_branch_leads_to_the_label_there() -> None:
    flow, _ = flow_of("goto l; if (a) { l: b = 1; } b = 2;")
    (edge, after), *more = flow.leaving(flow.entry)
    assert (edge.branch, after, more) == (None, flow.labels["l"], [])


def test_a_block_has_its_statements_and_the_branch_that_ends_it() -> None:
    flow, (first, _, branch) = flow_of("a = 1; ; if (a) b = 1;")
    assert flow.blocks[0] == [first, branch]


def test_the_points_around_a_statement() -> None:
    flow, (first, branch, last) = flow_of("a = 1; if (a) b = 1; b = 2;")
    assert (flow.before[id(first)], flow.after[id(first)]) == ([(0, 0)], [(0, 1)])
    assert (flow.before[id(branch)], flow.after[id(branch)]) == ([(0, 1)], [(2, 0)])
    assert flow.before[id(last)] == [(2, 0)]


def test_a_statement_in_two_places_has_the_points_of_both() -> None:
    _, (first, _) = flow_of("a = 1; b = 1;")
    flow = TreeFlow([first, first], lambda node: False)
    assert (flow.before[id(first)], flow.after[id(first)]) == ([(0, 0), (0, 1)], [(0, 1), (0, 2)])
