"""Constructors for trees: what they make is what its text would be parsed to."""

import pytest
from pycparser import c_ast

from cseq.c import Printer, build, parse
from cseq.model.origin import Origin

PLACE = Origin("a.c", 7)
X, Y = build.ident("x"), build.ident("y")


def text(node: c_ast.Node) -> str:
    return Printer().visit(node).strip()


def expression(source: str) -> c_ast.Node:
    return parse(f"int _ = ({source});").ext[0].init


def declared(source: str) -> c_ast.Decl:
    return parse(source).ext[-1]


@pytest.mark.parametrize(
    "node, expected",
    [
        (build.assign(X, Y, PLACE), "x = y"),
        (build.call("f", X, build.number(1), origin=PLACE), "f(x, 1)"),
        (build.goto("l", PLACE), "goto l;"),
        (build.string('say "a\\b"'), '"say \\"a\\\\b\\""'),
    ],
)
def test_statements(node: c_ast.Node, expected: str) -> None:
    assert text(node).removesuffix(";") == expected.removesuffix(";")


@pytest.mark.parametrize(
    "value", [0, 7, -1, 2**31 - 1, 2**31, -(2**31), -(2**31) - 5000, -(2**40), 2**63 - 1, -(2**63), 2**64 - 1]
)
def test_numbers_are_their_values_to_the_compiler(compiler, value: int) -> None:
    said = text(build.number(value))
    unsigned = "unsigned long long" if value >= 0 else "long long"
    compiler.check(f'_Static_assert(({unsigned})({said}) == ({unsigned}){value % 2**64}ull, "");')


def test_branches_and_blocks_have_places() -> None:
    node = build.branch(X, [build.assign(X, Y, PLACE)], [build.goto("l", PLACE)], PLACE)
    assert node.coord == PLACE
    assert [text(part).rstrip(";") for part in build.statements(node.iftrue)] == ["x = y"]
    assert build.statements(build.block([X, Y], PLACE)) == [X, Y]
    assert build.statements(X) == [X]


def test_a_negation_is_never_doubled() -> None:
    assert text(build.negation(X)) == "!x"
    once = build.negation(expression("x == y"))
    assert text(once) == "!(x == y)"
    assert text(build.negation(once)) == "x == y"


def test_constants_are_told_from_others() -> None:
    assert build.is_constant(build.number(3), 3)
    assert not build.is_constant(build.number(3), 4)
    assert not build.is_constant(X, 3)


@pytest.mark.parametrize("source", ["int x;", "int *x[3];", "int (*x)(char, long);", "struct s *(*x[2])(void);"])
def test_a_declarator_gets_another_name_and_is_the_same_otherwise(source: str) -> None:
    renamed = build.renamed(declared(f"struct s; {source}").type, "y")
    assert text(build.declare("y", renamed, PLACE)).removesuffix(";") == source.replace("x", "y").removesuffix(";")


def test_a_variable_is_declared_so_that_it_can_be_assigned() -> None:
    made = build.declare("y", declared("const int *const x;").type, PLACE)
    assert text(made) == "const int *y"
    atomic = build.declare("y", declared("const _Atomic int x;").type, PLACE)
    assert text(atomic) == "_Atomic int y"
    assert made.coord == PLACE


def test_type_names() -> None:
    assert text(build.typename(declared("int (*x)(char);").type)) == "int (*)(char)"


def test_looking_through_conversions() -> None:
    cast = expression("(long)(int)x")
    assert text(build.uncast(cast)) == "x"
    assert text(build.addressed(expression("(char *)&x.y[1]"))) == "x.y[1]"
    assert build.addressed(expression("x + 1")) is None


def test_calls_and_names() -> None:
    node = expression("f(x, g(y).m)")
    assert build.is_call(node, "g", "f")
    assert not build.is_call(node, "g")
    assert not build.is_call(expression("(*f)(x)"), "f")
    assert list(build.names(node)) == ["f", "x", "g", "y", "m"]


def test_void() -> None:
    assert build.is_void(declared("void f(void);").type.type)
    assert not build.is_void(declared("void *x;").type)


def test_the_value_of_a_string_is_read_back():
    value = 'say "a\\nb"\n\tc\\'
    assert build.text(build.string(value)) == value
