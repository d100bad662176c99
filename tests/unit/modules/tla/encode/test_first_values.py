"""What is in the objects of a program before it begins."""

import pytest

from cseq.c import parse
from cseq.c.symbols import LP64
from cseq.model.errors import UnsupportedError
from cseq.modules.core.definedness import Definedness
from cseq.modules.tla.encode.cell_kinds import Cells
from cseq.modules.tla.encode.first_values import FirstValues, symbols_of
from cseq.modules.tla.encode.rvalues import Expressions
from cseq.modules.tla.encode.tla_names import Identifiers


def first_values(text: str) -> tuple[FirstValues, object]:
    tree = parse(text)
    symbols = symbols_of(tree, LP64, {"__CSEQ_THREADS": 3})
    identifiers = Identifiers(symbols)
    cells = Cells(symbols, identifiers)
    expressions = Expressions(symbols, identifiers, cells, Definedness(), {"__CSEQ_thread": "self"}, 3)
    return FirstValues(symbols, identifiers, cells, expressions), tree


@pytest.mark.parametrize(
    ("declared", "initial"),
    [
        ("int x;", "0"),
        ("int x = -3;", "-3"),
        ("unsigned char x = 257;", "1"),
        ("_Bool x = 7;", "1"),
        ("int *x;", "Null"),
        ("int y; int *x = &y;", 'Global("y")'),
        ("int y[4]; int *x = y + 2;", 'Shift(Global("y"), 2)'),
        ("int x[3] = {[1] = 5};", "[i \\in 0..2 |-> <<0, 5, 0>>[i + 1]]"),
        ("struct { int v; int *p; } x = {.v = 1};", "[i \\in 0..1 |-> <<1, Null>>[i + 1]]"),
        ("struct { int v : 3; } x = {13};", "[i \\in 0..0 |-> -3]"),
        ("int x[2][2] = {{1}, 2, 3};", "[i \\in 0..3 |-> <<1, 0, 2, 3>>[i + 1]]"),
        ('char x[] = "a\\377";', "[i \\in 0..2 |-> <<97, -1, 0>>[i + 1]]"),
        ("extern int x; int x = 2; extern int x;", "2"),
        ("int x[]; int x[2];", "[i \\in 0..1 |-> 0]"),
        ("int x[];", "[i \\in 0..0 |-> 0]"),
        ("unsigned char __cs_x; unsigned char x[__CSEQ_THREADS];", "[i \\in 0..2 |-> 0]"),
    ],
)
def test_initialisers_are_evaluated(declared, initial):
    values, tree = first_values(declared)
    (found,) = [one for one in values.globals(tree) if one.name == "x" and one.user_name == "x"]
    assert found.initial.replace("(-1)", "-1").replace("(-3)", "-3") == initial


def test_string_literals_are_objects():
    values, tree = first_values('char *s = "a", *t = "a";')
    assert [(one.name, one.user_name) for one in values.globals(tree)] == [("s", "s"), ("t", "t"), ("string_1", "")]


def test_main_is_active_from_the_start():
    values, tree = first_values("unsigned char __cs_active[__CSEQ_THREADS];")
    (active,) = values.globals(tree)
    assert (active.name, active.user_name, active.initial) == ("active", "", "[i \\in 0..2 |-> <<1, 0, 0>>[i + 1]]")


def test_locals_are_undefined_or_static():
    values, tree = first_values("void *f(void *arg) { static _Thread_local int n = 3; int i; int a[2]; }")
    found = values.locals(tree.ext[0])
    assert [(one.name, one.initial) for one in found] == [
        ("arg", "Undef"), ("n", "3"), ("i", "Undef"), ("a", "[i \\in 0..1 |-> Undef]")
    ]  # fmt: skip


def test_objects_that_are_not_defined_are_refused():
    values, tree = first_values("extern int x;")
    with pytest.raises(UnsupportedError, match="`x`, which is not defined"):
        values.globals(tree)
