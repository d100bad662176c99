"""Which objects may be read before they are written, as far as the text shows."""

import pytest
from pycparser import c_ast

from cseq.c import parse
from cseq.c.symbols import Symbols
from cseq.modules.analysis.places import called, calls
from cseq.modules.core.definedness import Copies, Definedness, assignments, is_place, pointed

TEXT = """\
struct s { int a, b[2]; } g, *p; struct other { int a; } o;
int n, list[2];
void f(void) { struct s l; int x, y, *q; %s }
"""


def program(statements: str) -> tuple[Symbols, c_ast.FuncDef]:
    tree = parse(TEXT % statements)
    return Symbols(tree), tree.ext[-1]


def places(*texts: str) -> tuple[Symbols, list[c_ast.Node]]:
    symbols, function = program("".join(f"{text};" for text in texts))
    return symbols, function.body.block_items[4:]  # after the declarations


def test_a_local_that_is_noted_may_be_undefined_and_others_may_not() -> None:
    symbols, (l_a, x, q, g, behind) = places("l.a", "x", "q", "g.a", "*q")
    undefined = Definedness()
    assert not undefined.is_tracked
    assert undefined.note(symbols, l_a)
    assert not undefined.note(symbols, l_a), "it was noted before"
    assert undefined.names == {"l"}
    assert undefined.is_tracked
    assert [undefined.may_be(symbols, place) for place in (l_a, x, q, g, behind)] == [True, False, False, False, False]


def test_where_something_that_others_reach_may_be_undefined_everything_of_that_kind_may() -> None:
    symbols, (l_a, g, n, behind) = places("l.a", "g.a", "n", "*q")
    undefined = Definedness()
    assert undefined.note(symbols, behind)
    assert [undefined.may_be(symbols, place) for place in (l_a, g, n, behind)] == [False, True, True, True]


@pytest.mark.parametrize(
    "statement, copies",
    [
        ("l = g;", True),
        ("l = *p;", True),
        ("l.a = g.a;", True),
        ("l.b[1] = g.b[1];", True),
        ("p->a = l.a;", True),
        ("l.a = g.b[0];", False),  # another member
        ("l.a = o.a;", False),  # a member of another struct
        ("x = y;", False),
        ("x = l.a;", False),
        ("l.a = x + 1;", False),
        ("l.a += g.a;", False),
    ],
)
def test_what_is_a_copy(statement: str, copies: bool) -> None:
    symbols, function = program(statement)
    (assignment,) = assignments([function])
    assert Copies(symbols).is_copy(assignment) is copies


def test_a_carrier_is_there_for_one_copy_alone() -> None:
    tree = parse(
        TEXT.replace("int x,", "int __cs_tmp_1, __cs_tmp_2, __cs_tmp_3, x,")
        % "__cs_tmp_1 = g.a; l.a = __cs_tmp_1; __cs_tmp_2 = g.a; l.a = __cs_tmp_2; x = __cs_tmp_2;"
        "__cs_tmp_3 = g.a; x = __cs_tmp_3;"
    )
    copies = Copies(Symbols(tree))
    copies.find_carriers([tree.ext[-1]])
    assert copies.carriers == {"__cs_tmp_1"}
    taken = [node for node in assignments([tree.ext[-1]]) if copies.is_copy(node)]
    assert [node.coord.line for node in taken] == [3, 3]


def test_calls_and_what_they_call() -> None:
    _, function = program("x = f1(f2(1)); (*q)(2);")
    statement = function.body.block_items[4]
    assert [call.name.name for call in calls(statement)] == ["f1", "f2"]
    assert list(called(statement)) == ["f1", "f2"]
    assert list(called(function.body.block_items[5])) == []


def test_what_a_pointer_leads_to_has_its_name_where_the_text_tells() -> None:
    symbols, (named, other) = places("&l", "p")
    assert isinstance(pointed(symbols, named), c_ast.ID)
    assert isinstance(pointed(symbols, other), c_ast.UnaryOp)


def test_places() -> None:
    _, nodes = places("x", "l.a", "list[1]", "*q", "x + 1", "1")
    assert [is_place(node) for node in nodes] == [True, True, True, True, False, False]
