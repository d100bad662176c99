"""The points of control of a start function."""

import pytest

from cseq.c import Printer, parse
from cseq.model.errors import UnsupportedError
from cseq.modules.tla.encode.locations import Flow, Point


def flow(body: str) -> Flow:
    function = parse(f"void *f(void *a) {{ int x; int y; {body} }}").ext[0]
    return Flow(function)


def shown(point: Point | None) -> str:
    if point is None:
        return "-"
    if point.node is None:
        return "end"
    node = point.node.cond if hasattr(point.node, "cond") else point.node
    return Printer().text(node).strip().rstrip(";")


def successors(body: str) -> dict[str, list[str]]:
    return {shown(point): [shown(after) for after in point.successors()] for point in flow(body).points}


def test_points_are_in_the_order_of_the_text():
    body = "if (x) { x = 1; } else { x = 2; } while (y) { y = 3; } return a;"
    assert successors(body) == {
        "x": ["x = 1", "x = 2"],
        "x = 1": ["y"],
        "x = 2": ["y"],
        "y": ["y = 3", "return a"],
        "y = 3": ["y"],
        "return a": [],
    }


def test_jumps_lead_to_the_next_statement():
    assert successors("if (x) goto out; x = 1; out: ; goto end; x = 2; end: x = 3;") == {
        "x": ["x = 3", "x = 1"],
        "x = 1": ["x = 3"],
        "x = 3": ["end"],
        "end": [],
    }


def test_a_loop_without_a_statement_is_one():
    assert successors("while (x) { } return a;") == {"x": ["x", "return a"], "return a": []}


def test_marks_are_no_statements():
    assert successors("__CSEQ_access(1); __CSEQ_begins(&x, 4); x = 1; __CSEQ_ends(&x, 4); return a;") == {
        "x = 1": ["return a"],
        "return a": [],
    }


def test_control_does_not_go_on_where_the_process_ends():
    assert successors('if (x) { __CSEQ_stop(); } __CSEQ_assert(0, "k"); x = 1;') == {
        "x": ["__CSEQ_stop()", '__CSEQ_assert(0, "k")'],
        "__CSEQ_stop()": [],
        '__CSEQ_assert(0, "k")': [],
    }


def test_an_object_has_no_value_only_where_it_may_have_had_one():
    mark = "__CSEQ_undefine(&x, sizeof(x));"
    assert successors(f"{mark} x = 1; return a;") == {"x = 1": ["return a"], "return a": []}
    again = [shown(point) for point in flow(f"x = 1; {mark} return a;").points]
    assert any("undefine" in text for text in again)
    looping = [shown(point) for point in flow(f"while (y) {{ {mark} y = x; }} return a;").points]
    assert any("undefine" in text for text in looping)


def test_statements_in_sections_are_known():
    found = flow("x = 1; __VERIFIER_atomic_begin(); x = 2; __VERIFIER_atomic_end(); x = 3; return a;")
    depths = {shown(point): sorted(point.depths) for point in found.points}
    assert depths["x = 1"] == [0] and depths["x = 2"] == [1] and depths["x = 3"] == [0]


def test_the_nodes_are_those_of_the_tree():
    function = parse("void f(void) { int x; x = 1; }").ext[0]
    assert Flow(function).entry.node is function.body.block_items[1]


def test_other_statements_are_refused():
    with pytest.raises(UnsupportedError, match="Switch"):
        flow("switch (x) { case 1: x = 2; }")
