"""The nodes that GNU C needs: their children as pycparser has them, and the value of a block."""

import copy
from typing import Any

import pytest
from pycparser import c_ast

from cseq.c import Printer, parse
from cseq.c.nodes import (
    Asm,
    AsmOperand,
    CaseRange,
    ComputedGoto,
    LabelAddress,
    OmittedConditional,
    StatementExpression,
    is_expression,
    value_of,
)


def statements(text: str) -> list[c_ast.Node]:
    """The statements of a function."""
    function: Any = parse(f"int f(int a, int b) {{ {text} }}").ext[0]
    return list(function.body.block_items)


def found(text: str, kind: type[c_ast.Node]) -> Any:
    """The only node of a kind in a function."""
    todo, nodes = statements(text), []
    while todo:
        node = todo.pop()
        nodes.append(node)
        todo.extend(child for _, child in node.children())
    (node,) = [node for node in nodes if isinstance(node, kind)]
    return node


def parts(node: c_ast.Node) -> list[tuple[str, str]]:
    """The names of the children, and their text."""
    return [(name, Printer().visit(child)) for name, child in node.children()]


@pytest.mark.parametrize(
    ("text", "kind", "children"),
    [
        ("switch (a) { case 1 ... 5: ; }", CaseRange, [("first", "1"), ("last", "5")]),
        ("b = a ?: 7;", OmittedConditional, [("cond", "a"), ("otherwise", "7")]),
        ("goto *(p + b);", ComputedGoto, [("target", "p + b")]),
        ('asm("nop");', Asm, []),
        ("done: ; void *p = &&done;", LabelAddress, []),
    ],
)
def test_children(text: str, kind: type[c_ast.Node], children: list[tuple[str, str]]) -> None:
    node = found(text, kind)
    assert parts(node) == children
    assert list(node) == [child for _, child in node.children()]
    assert node.coord is not None and node.coord.line == 1


def test_lists_of_children_are_numbered() -> None:
    node = found('asm volatile("add %1, %0" : "+r"(a), [sum] "=m"(b) : "r"(a + 1) : "memory", "cc");', Asm)
    assert [name for name, _ in node.children()] == ["inputs[0]", "outputs[0]", "outputs[1]"]
    assert [type(child) for child in node] == [AsmOperand] * 3
    assert (node.template, node.operands, node.qualifiers) == ("add %1, %0", True, ["volatile"])
    assert node.clobbers == ["memory", "cc"] and node.labels == []
    assert [operand.name for operand in node.outputs] == [None, "sum"]
    assert [operand.constraint for operand in node.outputs] == ["+r", "=m"]
    assert parts(node.outputs[1]) == [("expr", "b")]
    assert parts(node.inputs[0]) == [("expr", "a + 1")]


def test_a_label_s_address_has_a_name() -> None:
    assert found("void *p = &&done; done: ;", LabelAddress).name == "done"


def test_nodes_do_not_share_their_lists() -> None:
    one, other = Asm("nop", False), Asm("nop", False)
    one.clobbers.append("memory")
    assert other.clobbers == []


def test_a_copy_has_the_same_children() -> None:
    node = found("b = a ?: 7;", OmittedConditional)
    twin = copy.copy(node)
    assert twin is not node and parts(twin) == parts(node)


@pytest.mark.parametrize("text", ["a = 1;", "a++;", "f(a, b);", "a;", "({ a; });", "a, b;", "a ?: b;", "(void)a;"])
def test_statements_that_are_expressions(text: str) -> None:
    (node,) = statements(text)
    assert is_expression(node)


@pytest.mark.parametrize(
    "text",
    ["return a;", "int c = 1;", "if (a) b;", "while (a) ;", "do ; while (a);", "for (;;) ;", "{ a; }", ";",
     "switch (a) { }", "here: ;", 'asm("nop");', "goto *(&a);", "typedef int t;"],
)  # fmt: skip
def test_statements_that_are_none(text: str) -> None:
    assert not is_expression(statements(text)[0])


@pytest.mark.parametrize(
    ("block", "value"),
    [("int c = a; c + 1;", "c + 1"), ("a; b;", "b"), ("a; while (b) ;", None), ("a; int c;", None), ("", None)],
)
def test_the_value_of_a_statement_expression(block: str, value: str | None) -> None:
    node = value_of(found(f"a = ({{ {block} }});", StatementExpression))
    assert (node and Printer().visit(node)) == value
