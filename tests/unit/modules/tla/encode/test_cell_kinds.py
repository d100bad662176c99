"""The cells of C types."""

import pytest

from cseq.c import parse
from cseq.c.symbols import ILP32, LP64, Symbols
from cseq.model.errors import UnsupportedError
from cseq.modules.tla.encode.cell_kinds import Cells, function_of, sequence_of
from cseq.modules.tla.encode.tla_names import Identifiers

TYPES = """
enum up { A, B = 7 }; enum down { C = -1 };
struct in { char a; unsigned short b; }; struct out { long l; struct in in[2]; struct { _Bool x, y; }; void *p; };
typedef struct __cs_struct_4 { int v; unsigned f : 3; } lock_t;
union same { int a; int b; }; union differs { int a; char b; };
struct flexible { int n; char more[]; };
"""


def cells(declarations: str = "", model=LP64) -> tuple[Cells, Symbols]:
    symbols = Symbols(parse(TYPES + declarations), model)
    return Cells(symbols, Identifiers(symbols)), symbols


@pytest.mark.parametrize(
    ("declared", "kinds"),
    [
        ("char x", "Int8"), ("signed char x", "Int8"), ("unsigned char x", "UInt8"), ("short x", "Int16"),
        ("unsigned short x", "UInt16"), ("int x", "Int32"), ("unsigned x", "UInt32"), ("long x", "Int64"),
        ("unsigned long long x", "UInt64"), ("_Bool x", "Bool"), ("enum up x", "UInt32"), ("enum down x", "Int32"),
        ("int *x", "Pointer"), ("int (*x)(int)", "Pointer"), ("_Atomic int x", "Int32"),
        ("int x[2][2]", "Int32 Int32 Int32 Int32"), ("int *x[2]", "Pointer Pointer"), ("lock_t x", "Int32 UInt32"),
        ("union same x", "Int32"), ("struct flexible x", "Int32"),
        ("struct out x", "Int64 Int8 UInt16 Int8 UInt16 Bool Bool Pointer"),
    ],
)  # fmt: skip
def test_an_object_has_the_cells_of_its_scalars(declared, kinds):
    found, symbols = cells(f"{declared};")
    assert found.kinds(symbols.types["x"]) == tuple(kinds.split())
    assert found.count(symbols.types["x"]) == len(kinds.split())


def test_the_data_model_counts():
    found, symbols = cells("long x;", ILP32)
    assert found.kind(symbols.types["x"]) == "Int32"


@pytest.mark.parametrize(
    ("declared", "what"),
    [
        ("float x", "floating point"),
        ("_Complex double x", "complex"),
        ("__int128 x", "128 bits"),
        ("union differs x", "a union whose members differ"),
        ("struct unknown x", "`unknown`, which is not defined"),
        ("int n; int x[n]", "known only at run time"),
    ],
)
def test_what_has_no_cells_is_refused(declared, what):
    found, symbols = cells(f"{declared};")
    with pytest.raises(UnsupportedError, match=what):
        found.kinds(symbols.types["x"])


def test_members_have_offsets_with_names():
    found, symbols = cells("struct out x; lock_t y;")
    out, lock = symbols.types["x"], symbols.types["y"]
    assert [found.member(out, name) for name in ("l", "in", "x", "y", "p")] == [0, 1, 5, 6, 7]
    assert (found.offset(out, "p"), found.offset(lock, "f"), found.size(out)) == ("out_p", "lock_f", "out_cells")
    assert found.layout(lock) == "lock_kinds"
    assert found.enumerator("B") == "B"
    assert found.constants == {
        "out_p": "7", "lock_f": "1", "out_cells": "8", "lock_kinds": "<<Int32, UInt32>>", "B": "7"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([], "[i \\in {} |-> 0]"),
        (["0"] * 100, "[i \\in 0..99 |-> 0]"),
        (["1", "0"], "[i \\in 0..1 |-> <<1, 0>>[i + 1]]"),
        (["0", "Null"] * 20, "[i \\in 0..39 |-> <<0, Null>>[(i % 2) + 1]]"),
        (["0", "7", *["0"] * 30, "7"], "[i \\in 0..32 |-> CASE i \\in {1, 32} -> 7 [] OTHER -> 0]"),
    ],
)
def test_many_cells_have_a_short_text(values, text):
    assert function_of(values) == text


@pytest.mark.parametrize(
    ("kinds", "text"),
    [
        ([], "<<>>"),
        (["Int8", "Int8"], "<<Int8, Int8>>"),
        (["Int8"] * 9, "Repeat(Int8, 9)"),
        (["Int32", *["Int8"] * 9, "Pointer"], "<<Int32>> \\o Repeat(Int8, 9) \\o <<Pointer>>"),
    ],
)
def test_long_arrays_have_short_kinds(kinds, text):
    assert sequence_of(kinds) == text
