"""Expressions are interned, typed, and know what they load."""

import pytest

from cseq.modules.ir.expressions import AddressOf, Const, Convert, Read, wrapped
from cseq.modules.ir.instructions import Assign
from tests.unit.modules.ir.conftest import listing, template

HEAD = """\
struct s { int m; unsigned b : 3; int a[4]; } s, *p; int x, y; char c; unsigned u; double d; int v[3]; const int k = 1;
"""


def values(core, *statements):
    """What is assigned in these statements of main."""
    program = core(f"{HEAD} int main(void) {{ int l; long n; int *q; {' '.join(statements)} return 0; }}")
    return [each.value for each in template(program).instructions() if isinstance(each, Assign)]


def texts(core, *statements):
    program = core(f"{HEAD} int main(void) {{ int l; long n; int *q; {' '.join(statements)} return 0; }}")
    return [line.partition(" = ")[2] for line in listing(program, "main") if " = " in line]


def test_equal_expressions_are_one_object(core):
    one, other, third = values(core, "l = x + y;", "l = x + y;", "l = y + x;")
    assert one is other and one is not third
    assert [each.number for each in (one.left, one.right)] == [third.right.number, third.left.number]


@pytest.mark.parametrize(
    "statement, text",
    [
        ("l = c + 1;", "((i32) read(c) + 1)"),
        ("n = u + x;", "(i64) (read(u) + (u32) read(x))"),
        ("l = u == -1;", "(read(u) == 4294967295:u32)"),
        ("l = s.b;", "(i32) read(s.b)"),
        ("l = s.a[l];", "read(s.a[(i64) l])"),
        ("l = p->a[2];", "read((*read(p)).a[2:i64])"),
        ("l = *(q + 2);", "read(*(q + 2:i64 * 4))"),
        ("l = 2[q];", "read(*(q + 2:i64 * 4))"),
        ("q = q - l;", "(q + -(i64) l * 4)"),
        ("n = q - v;", "((q - &v[0:i64]) / 4)"),
        ("q = &*q;", "q"),
        ("l = *&x;", "read(x)"),
        ("l = (&s)->m;", "read(s.m)"),
        ("q = 0;", "0:i32*"),
        ("l = k;", "k"),
        ("l = sizeof(int[4]);", "16"),
        ("l = -2147483647 - 1;", "(-2147483647 - 1)"),
        ("l = d && !l;", "(read(d) && !l)"),
        ("l = l ? 'a' : 2u;", "(i32) (l ? 97:u32 : 2:u32)"),
        ("q = (int *) p;", "(i32*) read(p)"),
        ("d = 1;", "(f64) 1"),
    ],
)
def test_expressions_have_explicit_conversions(core, statement, text):
    assert texts(core, statement) == [text]


def test_an_expression_knows_the_loads_of_shared_memory_in_order(core):
    (value,) = values(core, "l = s.a[x] + *q;")
    index, element, pointed = value.loads  # x, s.a[x], *q
    assert (index.object and index.object.name, element.object and element.object.name) == ("x", "s")
    assert pointed.object is None and element.loads == (index,)
    assert isinstance(value.left, Read) and value.left.loads == value.loads[:2]
    assert values(core, "q = &v[l];")[0].loads == ()


def test_conversions_of_constants_are_done_at_once(core):
    one, other, third = values(core, "l = (char) 300;", "n = -1;", "u = -1;")
    assert [each.value for each in (one, other, third)] == [44, -1, 4294967295]
    assert all(isinstance(each, Const) for each in (one, other, third))
    assert isinstance(values(core, "l = (char) x;")[0], Convert)
    assert isinstance(values(core, "q = v;")[0], AddressOf)


def test_integers_wrap_into_their_types(core):
    types = core("int main(void) { return 0; }").types
    assert wrapped(300, types.char) == 44
    assert wrapped(-1, types.size) == (1 << 64) - 1
    assert wrapped(2, types.bool) == 1
    assert wrapped(-1, types.void_pointer) == (1 << 64) - 1
