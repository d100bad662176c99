"""Symbol tables: types and sizes as the compiler sees them, values of constants, and what is refused."""

from textwrap import dedent

import pytest
from pycparser import c_ast

from cseq.c import Printer, build, parse
from cseq.c.datamodel import ILP32, LP64, DataModel
from cseq.c.literals import string_units
from cseq.c.symbols import Symbols, canonical
from cseq.model.errors import InputError, UnsupportedError

MODELS = [pytest.param(ILP32, "-m32", id="ILP32"), pytest.param(LP64, "-m64", id="LP64")]

DECLARATIONS = dedent("""\
    typedef unsigned short word;
    typedef int row[3];
    struct point { int x; char tag; };
    union number { char c; double d; };
    struct mixed { char a; long b; struct point p; short s[3]; union number n; char *name; };
    struct tail { long long wide; char end; };
    struct inner { char a; union { short s; int i; }; struct { char b, c; }; };
    struct list { struct list *next; row data; };
    enum colour { RED, GREEN = 5, BLUE };
    _Bool t; char c; signed char sc; unsigned char uc; short s; unsigned short us; int i; unsigned u;
    long l; unsigned long ul; long long ll; unsigned long long ull; float f; double d; long double ld;
    word w; row r; row *pr; int *p; const char *text; void *any; char grid[2][5]; word words[4];
    struct point pt; struct mixed *pm; struct list ls; union number un; struct tail tails[2]; struct inner in;
    int func(char, long);
    int (*handler)(char, long);
    struct point (*maker(void))[2];
    """)


def symbols_of(text: str, model: DataModel = LP64) -> Symbols:
    return Symbols(parse(text), model)


def expression(text: str) -> c_ast.Node:
    return parse(f"int _ = ({text});", typedefs=["word", "row"]).ext[0].init


def type_text(symbols: Symbols, text: str) -> str:
    """The type of the expression *text* as a type name of C."""
    unqualified = build.declare("_", symbols.value_type(expression(text))).type
    return Printer().visit(build.typename(unqualified))


ARITHMETIC = ["t", "c", "sc", "uc", "s", "us", "i", "u", "l", "ul", "ll", "ull", "f", "d", "ld", "w", "GREEN"]


@pytest.mark.parametrize("model, option", MODELS)
def test_usual_arithmetic_conversions(compiler, model, option):
    symbols = symbols_of(DECLARATIONS, model)
    expressions = [f"{a} + {b}" for a in ARITHMETIC for b in ARITHMETIC]
    expressions += [f"{a} << {b}" for a in ARITHMETIC[:12] for b in ("c", "ull")]
    expressions += [f"t ? {a} : {b}" for a in ARITHMETIC for b in ("us", "u", "l", "ull", "f")]
    expressions += [f"{operator}{a}" for a in ARITHMETIC[:12] for operator in "+-~!"]
    compiler.check(DECLARATIONS + assertions(symbols, expressions), option)


@pytest.mark.parametrize("model, option", MODELS)
def test_types_of_expressions(compiler, model, option):
    symbols = symbols_of(DECLARATIONS, model)
    expressions = [
        "c", "w", "i++", "--uc", "c = 5", "s += 3.5", "i == u", "!d", "l && ll", "(i, c)", "(char)i", "(word)1",
        "p", "*p", "&p", "p + 1", "1 + p", "p - 1", "p[1]", "1[p]", "r", "r[0]", "&r", "*pr", "pr[1][2]",
        "grid", "grid[1]", "grid[1][2]", "&grid[1]", "*grid", "text[0]", "*text++", "&text[3]", "words + 2",
        "pt", "pt.x", "pt.tag", "&pt", "&pt.tag", "pm->p", "pm->p.x", "pm->s", "pm->s[1]", "(*pm).b", "pm->n.d", "un.c",
        "ls.next->next->data[1]", "ls.data", "in.s", "in.c", "in.i + in.b",
        "func", "&func", "*func", "func(1, 2)", "handler", "handler(1, 2)", "(*handler)(1, 2)", "&handler", "maker()",
        "(*maker())[1].x", "i ? p : 0", "i ? 0 : p", "i ? any : p", "i ? p : any", "i ? (void *)0 : p", "i ? pt : pt",
        "i ? text : 0", "i ? \"a\" : \"bcd\"", "i ? func : handler", "'a'", "\"abc\"", "\"abc\"[1]", "*\"abc\"",
        "1", "1u", "1l", "1ul", "1ll", "1ull", "1.0", "1.0f", "1.0L", "2147483647", "2147483648", "4294967295",
        "4294967296", "0x7fffffff", "0x80000000", "0xffffffff", "0x100000000", "037777777777", "0xffffffffffffffff",
        "0x7FFFFFFFFFFFFFFF", "0xFUL", "0b11", "0xfu", "10LLU", "BLUE", "-1", "-2147483648", "~0u", "RED ? c : s",
    ]  # fmt: skip
    compiler.check(DECLARATIONS + assertions(symbols, expressions), option)


def assertions(symbols: Symbols, expressions: list[str]) -> str:
    """A function that only compiles if each expression has the type that *symbols* says."""
    checks = [f'  _Static_assert(_Generic(({text}), {type_text(symbols, text)}: 1), "");\n' for text in expressions]
    return f"int main(void)\n{{\n{''.join(checks)}}}\n"


@pytest.mark.parametrize("model, option", MODELS)
def test_sizes(compiler, model, option):
    symbols = symbols_of(DECLARATIONS, model)
    names = [name for name in symbols.types if name not in ("func", "maker")]
    values = [f"sizeof {name} == {symbols.sizeof(symbols.types[name])}" for name in names]
    members = ["pm->s", "pm->p", "ls.data", "grid[0]", "tails[1]", "in"]
    values += [f"sizeof({text}) == {symbols.sizeof(symbols.type_of(expression(text)))}" for text in members]
    checks = "".join(f'_Static_assert({value}, "");\n' for value in values)
    compiler.check(f"{DECLARATIONS}{checks}", option)


@pytest.mark.parametrize(
    "literal", ['"abc"', '""', r'"a\n"', r'"\x41\101\0"', r'"\"\\"', '"two" "parts"', r'"\x7f" "f"']
)
def test_the_size_of_a_string_counts_characters_and_the_closing_zero(compiler, literal):
    size = symbols_of("").constant(expression(f"sizeof({literal})"))
    compiler.check(f'_Static_assert(sizeof({literal}) == {size}, "");')


@pytest.mark.parametrize(
    "names, name",
    [
        ("int", "int"),
        ("signed", "int"),
        ("unsigned", "unsigned int"),
        ("long int unsigned long", "unsigned long long"),
        ("short int", "short"),
        ("char signed", "signed char"),
        ("char", "char"),
        ("double long", "long double"),
        ("unsigned char", "unsigned char"),
        ("_Bool", "_Bool"),
        ("void", "void"),
        ("unsigned __int128", "unsigned __int128"),
        ("__int128", "__int128"),
    ],
)
def test_canonical_names(names, name):
    assert canonical(names.split()) == name


@pytest.mark.parametrize(
    "values, type_",
    [
        ("A", "unsigned int"),
        ("A = 0xffffffff", "unsigned int"),
        ("A, B = -1", "int"),
        ("A = 0x100000000", "unsigned long"),
        ("A = 0x80000000, B = -1", "long"),
    ],
)
def test_the_type_of_an_enumeration_has_room_for_its_values(compiler, values, type_):
    symbols = symbols_of(f"enum e {{ {values} }} named; enum {{ {values.replace('A', 'C').replace('B', 'D')} }} v;")
    assert symbols.arithmetic(symbols.types["named"]) == symbols.arithmetic(symbols.types["v"]) == type_
    compiler.check(f'enum {{ {values} }} v; _Static_assert(_Generic(v, {type_}: 1), "");')


def test_enumerators_count_on():
    symbols = symbols_of("enum { A, B = 10, C, D = C * 2, E = -1, F };")
    assert symbols.enumerators == {"A": 0, "B": 10, "C": 11, "D": 22, "E": -1, "F": 0}


@pytest.mark.parametrize(
    "values, name, type_",
    [
        ("A = 1, B = 0x80000000", "A", "int"),
        ("A = 1, B = 0x80000000", "B", "unsigned int"),
        ("A = -1, B = 0x80000000", "A", "int"),
        ("A = -1, B = 0x80000000", "B", "long"),
        ("A = 0x100000000", "A", "unsigned long"),
    ],
)
def test_the_type_of_an_enumerator_is_int_if_that_has_room_for_its_value(compiler, values, name, type_):
    symbols = symbols_of(f"enum e {{ {values} }};")
    assert symbols.arithmetic(symbols.type_of(c_ast.ID(name))) == type_
    compiler.check(f'enum {{ {values} }}; _Static_assert(_Generic({name}, {type_}: 1), "");')


def test_an_enumerator_is_compared_in_its_own_type(compiler):
    text = "enum e { A = 0x80000000 }; int first[A > 0 ? 1 : 2], second[sizeof(A) + (A - 1 < 0)];"
    symbols = symbols_of(text)
    assert [symbols.length(symbols.types[name]) for name in ("first", "second")] == [1, 4]
    compiler.check(f'{text} _Static_assert(sizeof first == sizeof(int) && sizeof second == 4 * sizeof(int), "");')


def test_members_of_anonymous_members_are_members():
    symbols = symbols_of("struct s { int a; union { int b; struct { int c; }; }; } x;")
    assert [member.name for member in symbols.members(symbols.record(symbols.types["x"]))] == ["a", "b", "c"]


def test_a_declaration_without_a_length_does_not_hide_the_one_with_it():
    symbols = symbols_of("int a[3]; extern int a[];")
    assert symbols.length(symbols.types["a"]) == 3


def test_locals_know_their_function():
    symbols = symbols_of("int g; int f(int a) { int b; return a; } int main(void) { int c; return c; }")
    assert symbols.locals == {"a": "f", "b": "f", "c": "main"}
    assert set(symbols.functions) == {"f", "main"}


def test_const_is_seen_through_typedefs_and_arrays():
    symbols = symbols_of(
        "typedef const int fixed; fixed a; const int b[2][2]; const int *c; int *const d; fixed e[3]; int f;"
    )
    assert {name: symbols.is_const(type_) for name, type_ in symbols.types.items()} == {
        "a": True, "b": True, "c": False, "d": True, "e": True, "f": False,
    }  # fmt: skip


@pytest.mark.parametrize(
    "literal, values",
    [
        ('"ab"', [97, 98]),
        (r'"\n\t\\\""', [10, 9, 92, 34]),
        (r'"\x41\x7"', [65, 7]),
        (r'"\1012\0"', [65, 50, 0]),
        ("'q'", [113]),
        ('L"ab"', [97, 98]),
        ('"é"', [0xC3, 0xA9]),
    ],
)
def test_characters_of_literals(literal, values):
    assert string_units(literal) == values


@pytest.mark.parametrize(
    "text, message",
    [
        ("nothing + 1", "f.c:2: `nothing` is not declared"),
        ("*i", "f.c:2: a value that is not a pointer is dereferenced"),
        ("pt.z", "f.c:2: no member named `z` in this value"),
        ("i.x", "f.c:2: no member named `x` in this value"),
        ("pm->q", "f.c:2: no member named `q` in this value"),
        ("i(1)", "f.c:2: something that is not a function is called"),
    ],
)
def test_an_expression_without_a_type_is_an_error_with_its_place(text, message):
    node = parse(f"\nint _ = {text};", "f.c").ext[0].init
    with pytest.raises(InputError) as caught:
        symbols_of(DECLARATIONS).type_of(node)
    assert str(caught.value) == message


def test_an_array_without_a_length_has_no_size():
    node = parse("\nextern int a[];", "f.c").ext[0]
    with pytest.raises(UnsupportedError, match="an array whose length is not known here"):
        symbols_of("").sizeof(node.type)


@pytest.mark.parametrize(
    "text", ["extern int x; int x;", "int x; extern int x;", "extern int x; int x = 1; extern int x;"]
)
def test_an_object_has_its_definition_wherever_it_is_declared_again(text: str) -> None:
    assert "extern" not in symbols_of(text).qualified["x"].storage


def test_a_later_declaration_keeps_the_alignment_of_an_object() -> None:
    symbols = symbols_of("_Alignas(64) int x; extern int x;")
    assert symbols.qualified["x"].align
