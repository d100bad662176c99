"""Types are interned, and have the layout of the data model."""

import pytest

from cseq.c import parse
from cseq.c.datamodel import ILP32, LP64
from cseq.c.symbols import Symbols
from cseq.modules.ir.types import Array, Code, Int, Pointer, Record, TypePool


def pool_of(text: str, model=LP64) -> tuple[TypePool, Symbols]:
    symbols = Symbols(parse(text), model)
    return TypePool(symbols), symbols


@pytest.mark.parametrize(
    "declared, text",
    [
        ("int x;", "i32"), ("unsigned long x;", "u64"), ("_Bool x;", "bool"), ("char x;", "i8"), ("float x;", "f32"),
        ("enum e { A, B } x;", "u32"), ("typedef short t; t *x;", "i16*"), ("int x[2][3];", "[2 x [3 x i32]]"),
        ("void *(*x)(int, ...);", "void*(i32)*"), ("struct s { int a; } x[];", "[ x struct s]"),
        ("void (*x)();", "void(...)*"),
    ],
)  # fmt: skip
def test_declarators_become_types(declared, text):
    pool, symbols = pool_of(declared)
    assert str(pool.of(symbols.types["x"])) == text


def test_types_that_look_the_same_to_the_machine_are_one():
    pool, symbols = pool_of(
        "long a; long long b; typedef long c_t; c_t c; const long d; enum { X = -1, Y = 1L << 40 } e;"
    )
    assert len({pool.of(symbols.types[name]) for name in "abcde"}) == 1
    narrow, symbols = pool_of("long a; int b; long long c;", ILP32)
    assert narrow.of(symbols.types["a"]) is narrow.of(symbols.types["b"])
    assert narrow.of(symbols.types["a"]) is not narrow.of(symbols.types["c"])


def test_members_of_a_record_have_offsets_and_bits():
    text = "struct s { char c; int n; struct { short a; unsigned b : 3, d : 5; }; struct s *next; } x;"
    pool, symbols = pool_of(text)
    record = pool.of(symbols.types["x"])
    assert isinstance(record, Record) and record.size == 24 and not record.is_union
    found = {name: (field.offset, field.bits) for name, field in record.fields.items()}
    assert found == {
        "c": (0, None),
        "n": (4, None),
        "a": (8, None),
        "b": (10, (0, 3)),
        "d": (10, (3, 5)),
        "next": (16, None),
    }
    following = record.fields["next"].type
    assert isinstance(following, Pointer) and following.to is record


def test_arrays_and_functions_decay():
    pool, symbols = pool_of("int a[3]; int f(int b[4], void g(void));")
    assert str(pool.decayed(pool.of(symbols.types["a"]))) == "i32*"
    function = pool.of(symbols.types["f"])
    assert isinstance(function, Code) and function.parameters is not None
    assert [str(part) for part in function.parameters] == ["i32*", "void()*"]
    assert pool.decayed(function) is pool.pointer(function)


@pytest.mark.parametrize(
    "one, other, common",
    [
        ("char", "unsigned char", "i32"), ("int", "unsigned int", "u32"), ("unsigned int", "long", "i64"),
        ("long", "unsigned long", "u64"), ("_Bool", "_Bool", "i32"), ("long", "float", "f32"),
        ("double", "float", "f64"),
    ],
)  # fmt: skip
def test_the_usual_arithmetic_conversions_are_those_of_the_compiler(one, other, common, compiler):
    pool, _ = pool_of("")
    type_ = pool.common(pool.arithmetic(one), pool.arithmetic(other))
    assert str(type_) == common
    names = {"i32": "int", "u32": "unsigned", "i64": "long", "u64": "unsigned long", "f32": "float", "f64": "double"}
    compiler.check(f'_Static_assert(_Generic(({one})0 + ({other})0, {names[common]}: 1), "");')


def test_the_length_of_an_array_may_be_a_setting_of_the_chain():
    pool, symbols = pool_of("unsigned char x[__CSEQ_THREADS];")
    array = pool.of(symbols.types["x"])
    assert isinstance(array, Array) and array.length is None and isinstance(array.element, Int)
