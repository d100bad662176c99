"""Memory as variables: names, types, and addresses."""

from __future__ import annotations

import pytest

from cseq.c import parse
from cseq.c.symbols import Symbols
from cseq.model.errors import UnsupportedError
from cseq.modules.deductive.encode.cells import OPAQUE, Cells, Spot
from cseq.modules.deductive.transitions import (
    BOOL,
    INT,
    UNBOUNDED,
    Address,
    Array,
    Element,
    Number,
    Read,
    Scalar,
)

TEXT = """
typedef unsigned int pthread_t;
struct inner { unsigned char b[3]; _Bool flag; };
struct outer { int a; struct inner in[2]; struct outer *next; };
struct lock { unsigned char __cs_state; unsigned short __cs_owner; };
struct outer st, many[4]; int m[2][3], x; long l; double d; pthread_t t; struct lock k;
union { int i; } u; struct { int b : 2; } bits; __int128 wide;
void f(void) { int x2; int *p; }
"""


@pytest.fixture
def cells():
    return Cells(Symbols(parse(TEXT)))


def test_a_struct_is_as_many_variables_as_it_has_scalars(cells):
    paths = cells.leaves(cells._symbols.types["st"])
    assert paths == [("a",), ("in", "b"), ("in", "flag"), ("next",)]
    types = [cells.variable("f", "many", path).type for path in paths]
    assert types == [
        Array(INT, 4), Array(Scalar(8, False), 24), Array(BOOL, 8), Array(Address.POINTER, 4),
    ]  # fmt: skip


def test_the_types_of_scalars(cells):
    names = {"x": INT, "l": Scalar(64, True), "d": OPAQUE, "t": UNBOUNDED, "m": Array(INT, 6)}
    assert {name: cells.variable("f", name).type for name in names} == names
    assert cells.variable("f", "k", ("__cs_owner",)).type == UNBOUNDED
    assert cells.variable("f", "k", ("__cs_state",)).type == Scalar(8, False)


def test_locals_belong_to_templates(cells):
    one, other = cells.variable("f", "x2"), cells.variable("f.2", "x2")
    assert (one.template, other.template) == ("f", "f.2") and one != other
    assert cells.variable("f", "x") == cells.variable("f.2", "x") and cells.variable("f", "x").is_shared
    assert cells.base("f", "x2", ()) != cells.base("f.2", "x2", ())
    cells.shared_locals = {"p"}
    assert cells.variable("f", "p").is_shared and cells.shared_roots() == {"p"}


def test_what_the_user_calls_it(cells):
    assert cells.variable("f", "st", ("in", "flag")).shown == "st.in.flag"
    assert cells.variable("f", "k", ("__cs_owner",)).shown is None
    assert cells.ghost("g", BOOL).shown is None


def test_ranges_of_addresses_are_apart(cells):
    bases = [cells.base("f", "m", ()), cells.base("f", "x", ()), cells.of_function("f")]
    assert len(set(bases)) == 3 and all(base > 0 for base in bases)
    assert min(abs(a - b) for a in bases for b in bases if a != b) > 6
    assert cells.base("g", "m", ()) == bases[0]


def test_references(cells):
    symbols = cells._symbols
    assert cells.reference("f", Spot("x", (), None, symbols.types["x"])) == Read(cells.variable("f", "x"))
    spot = Spot("m", (), Number(4), symbols.types["x"])
    assert cells.reference("f", spot) == Element(cells.variable("f", "m"), Number(4))


def test_whether_a_thread_is_live_is_kept_beside_its_identifier(cells):
    of_main = cells.live(Read(cells.variable("main", "t")))
    assert of_main.type == BOOL and of_main.variable.is_shared
    own = cells.live(Read(cells.variable("f", "x2")))
    assert own.variable.template == "f" and own.variable in cells.zero["f"]


@pytest.mark.parametrize(
    ("root", "path", "message"), [("bits", ("b",), "bit-field `b`"), ("u", ("i",), "a union"), ("wide", (), "__int128")]
)
def test_refusals(cells, root, path, message):
    with pytest.raises(UnsupportedError, match=message):
        cells.variable("f", root, path)
