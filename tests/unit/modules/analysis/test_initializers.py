"""Initialisers as assignments (C11 §6.7.9): which scalar gets which value."""

from textwrap import dedent

import pytest

from cseq.c import Printer, build, parse
from cseq.c.symbols import Symbols
from cseq.model.errors import UnsupportedError
from cseq.modules.analysis.initializers import initialised, length_of, nondet, undefined

TYPES = dedent("""\
    typedef struct { int x, y; } point;
    struct in { int a; char b; };
    struct out { int before; struct in in; int list[3]; };
    struct prefix { struct in in; int in_not; };
    union either { int i; long wide; };
    struct variant { char kind; union { int i; char c; }; struct { char d, e; }; int last; };
    struct bits { int a : 3; int : 2; int b : 4; };
    int n; point p; struct in in; char c; struct in make(void);
    """)


def assignments(declaration: str) -> list[str]:
    """What the initialiser of *declaration*, of a variable `v`, is as assignments."""
    tree = parse(f"{TYPES}{declaration};")
    decl = tree.ext[-1]
    symbols = Symbols(tree)
    return [text(statement) for statement in initialised(symbols, build.ident("v"), decl.type, decl.init, None)]


def text(statement) -> str:
    return Printer().visit(statement)


@pytest.mark.parametrize(
    "declaration, expected",
    [
        # scalars
        ("int v = n + 1", ["v = n + 1"]),
        ("int v = {5}", ["v = 5"]),
        ('char *v = "ab"', ['v = "ab"']),
        # arrays
        ("int v[3] = {1, n}", ["v[0] = 1", "v[1] = n", "v[2] = 0"]),
        ("int v[3] = {0}", ["v[0] = 0", "v[1] = 0", "v[2] = 0"]),
        ("int v[3] = {[2] = 1, [0] = 2}", ["v[0] = 2", "v[1] = 0", "v[2] = 1"]),
        ("int v[4] = {[1] = 1, 2}", ["v[0] = 0", "v[1] = 1", "v[2] = 2", "v[3] = 0"]),
        ("int v[2] = {1, 2, [0] = 3}", ["v[0] = 3", "v[1] = 2"]),
        ("int v[2][2] = {{1}, {2, 3}}", ["v[0][0] = 1", "v[0][1] = 0", "v[1][0] = 2", "v[1][1] = 3"]),
        ("int v[2][2] = {1, 2, 3}", ["v[0][0] = 1", "v[0][1] = 2", "v[1][0] = 3", "v[1][1] = 0"]),
        ("int v[2][2] = {[1] = {4}, [0][1] = 5}", ["v[0][0] = 0", "v[0][1] = 5", "v[1][0] = 4", "v[1][1] = 0"]),
        ("int v[2][2] = {[0][0] = 4, 5, 6}", ["v[0][0] = 4", "v[0][1] = 5", "v[1][0] = 6", "v[1][1] = 0"]),
        # strings
        ('char v[3] = "a"', ["v[0] = 97", "v[1] = 0", "v[2] = 0"]),
        ('char v[2] = "ab"', ["v[0] = 97", "v[1] = 98"]),
        ('char v[2] = {"a"}', ["v[0] = 97", "v[1] = 0"]),
        ('char v[2][2] = {"a", "b"}', ["v[0][0] = 97", "v[0][1] = 0", "v[1][0] = 98", "v[1][1] = 0"]),
        # structs
        ("point v = p", ["v = p"]),
        ("struct in v = make()", ["v = make()"]),
        ("point v = {1}", ["v.x = 1", "v.y = 0"]),
        ("point v = {.y = 1, .x = 2}", ["v.x = 2", "v.y = 1"]),
        ("point v[2] = {1, 2, 3}", ["v[0].x = 1", "v[0].y = 2", "v[1].x = 3", "v[1].y = 0"]),
        ("point v[2] = {[1].y = 5}", ["v[0].x = 0", "v[0].y = 0", "v[1].x = 0", "v[1].y = 5"]),
        (
            "struct out v = {1, {2, 'b'}, {3}}",
            ["v.before = 1", "v.in.a = 2", "v.in.b = 'b'", "v.list[0] = 3", "v.list[1] = 0", "v.list[2] = 0"],
        ),
        (
            "struct out v = {1, 2, 3, 4, 5}",
            ["v.before = 1", "v.in.a = 2", "v.in.b = 3", "v.list[0] = 4", "v.list[1] = 5", "v.list[2] = 0"],
        ),
        (
            "struct out v = {.in.a = 1, 2, .list[1] = 3, 4}",
            ["v.before = 0", "v.in.a = 1", "v.in.b = 2", "v.list[0] = 0", "v.list[1] = 3", "v.list[2] = 4"],
        ),
        ("struct bits v = {1, 2}", ["v.a = 1", "v.b = 2"]),
        # structs inside of structs as a whole
        ("struct prefix v = {in, 7}", ["v.in_not = 7", "v.in = in"]),
        ("struct prefix v = {.in_not = 7, .in = make()}", ["v.in_not = 7", "v.in = make()"]),
        ("struct prefix v = {in, 7, .in.b = 8}", ["v.in_not = 7", "v.in = in", "v.in.b = 8"]),
        # unions and anonymous members
        ("struct variant v = {1, 2, 3, 4, 5}", ["v.kind = 1", "v.i = 2", "v.d = 3", "v.e = 4", "v.last = 5"]),
        ("struct variant v = {1, {2}, {3}, 5}", ["v.kind = 1", "v.i = 2", "v.d = 3", "v.e = 0", "v.last = 5"]),
    ],
)
def test_initialisers(declaration, expected):
    found = assignments(declaration)
    assert sorted(found) == sorted(expected)
    assert [line for line in found if line in expected[-1:]] == expected[-1:]


@pytest.mark.parametrize(
    "declaration, parts",
    [
        ("union either v = {1}", ["v.i"]),
        ("union either v = {.wide = 1L << 40}", ["v.wide", "v.i"]),
        ("union either v = {.wide = 1, .i = 2}", ["v.i"]),
        ("union either v = {}", ["v.i", "v.wide"]),
        ("union either v[2] = {{1}, {.wide = 2}}", ["v[0].i", "v[1].wide"]),
        ("union { point p; int a[3]; } v = {1, 2}", ["v.p.x", "v.p.y", "v.a[0]"]),
        ("union { point p; int a[3]; } v = {.a = {1, [2] = 2}}", ["v.a[0]", "v.a[1]", "v.a[2]"]),
        ("struct variant v = {.c = 1, .e = 2}", ["v.kind", "v.c", "v.d", "v.e", "v.last"]),
        ("struct variant v = {.c = 1, 3}", ["v.kind", "v.c", "v.d", "v.e", "v.last"]),
        ("struct { union { struct { char a, b; }; int i; }; int j; } v = {{{1, 2}}, 3}", ["v.a", "v.b", "v.j"]),
    ],
)
def test_unions_and_anonymous_members(compiler, declaration, parts):
    """As the compiler says, whatever is assigned on the way there."""
    statements = "".join(f"  {statement};\n" for statement in assignments(declaration))
    show = f'  printf("{" %ld" * len(parts)}\\n", {", ".join(f"(long)({part})" for part in parts)});\n'
    undefined_, _ = declaration.split(" = ", 1)
    program = f"""{TYPES}int printf(const char *, ...);
    int main(void)
    {{
      {{
        {declaration};
      {show}
      }}
      {{
        {undefined_};
        __builtin_memset(&v, 0xA5, sizeof v);
      {statements}
      {show}
      }}
    }}
    """
    expected, found = compiler.run(program).splitlines()
    assert found == expected


def test_what_comes_later_in_the_list_is_assigned_later():
    found = assignments("struct prefix v = {in, 7, .in.b = 8}")
    assert found.index("v.in = in") < found.index("v.in.b = 8")


def test_large_objects_are_zeroed_as_a_whole():
    assert assignments("int v[100] = {1, [50] = 2, 3}") == [
        "__CSEQ_zero(v, sizeof(v))", "v[0] = 1", "v[50] = 2", "v[51] = 3",
    ]  # fmt: skip
    assert assignments("struct { point a[50]; } v = {.a[3] = p}") == ["__CSEQ_zero(&v, sizeof(v))", "v.a[3] = p"]


@pytest.mark.parametrize(
    "declaration, length",
    [
        ("int v[] = {1, 2, 3}", 3),
        ("int v[] = {[4] = 1}", 5),
        ("int v[] = {[4] = 1, 2, [0] = 3, 4}", 6),
        ("int v[][2] = {1, 2, 3}", 2),
        ("int v[][2] = {{1}, {2}, {3}}", 3),
        ("int v[][4] = {{1, 2, 3, 4}, {5}}", 2),
        ("int v[][2][3] = {{{1, 2, 3}, {4}}}", 1),
        ("point v[] = {1, 2, 3}", 2),
        ("struct out v[] = {{1, {2, 3}, {4, 5, 6}}}", 1),
        ("struct out v[] = {[1].list[2] = 3, {0}}", 3),
        ('char v[] = "abc"', 4),
        (r'char v[] = "a\n\0"', 4),
        ('char v[] = {"ab"}', 3),
        ('char v[][6] = {"hello", "you"}', 2),
        (r'char v[] = "\x7f" "f"', 3),
    ],
)
def test_the_length_that_an_initialiser_gives(compiler, declaration, length):
    tree = parse(f"{TYPES}{declaration};")
    assert length_of(Symbols(tree), tree.ext[-1].type, tree.ext[-1].init) == length
    compiler.check(f'{TYPES}{declaration};\n_Static_assert(sizeof v / sizeof v[0] == {length}, "");')


@pytest.mark.parametrize(
    "declaration, expected",
    [
        ("unsigned char v", ["v = __CSEQ_nondet_uchar()"]),
        ("point *v", ["v = __CSEQ_nondet_pointer()"]),
        ("int (*v)(int)", ["v = __CSEQ_nondet_pointer()"]),
        ("short v[2]", ["v[0] = __CSEQ_nondet_short()", "v[1] = __CSEQ_nondet_short()"]),
        ("point v", ["v.x = __CSEQ_nondet_int()", "v.y = __CSEQ_nondet_int()"]),
        ("union either v", ["v.wide = __CSEQ_nondet_long()"]),
        ("enum { A } v", ["v = __CSEQ_nondet_uint()"]),
        ("enum { A = -1 } v", ["v = __CSEQ_nondet_int()"]),
        ("long double v", ["v = __CSEQ_nondet_double()"]),
        ("unsigned __int128 v", ["v = __CSEQ_nondet_uint128()"]),
        ("int v[65]", ["__CSEQ_havoc(v, sizeof(v))"]),
        ("union { struct { unsigned a : 4; } f; char c; } v", ["__CSEQ_havoc(&v, sizeof(v))"]),
        ("union { struct { char a; int b; } f; char c[8]; } v", ["__CSEQ_havoc(&v, sizeof(v))"]),
        ("union { struct { int a, b; } f; char c[8]; } v",
         ["v.f.a = __CSEQ_nondet_int()", "v.f.b = __CSEQ_nondet_int()"]),
        ("struct { point a[33]; } v", ["__CSEQ_havoc(&v, sizeof(v))"]),
        (
            "struct variant v",
            ["v.kind = __CSEQ_nondet_char()", "v.i = __CSEQ_nondet_int()", "v.d = __CSEQ_nondet_char()",
             "v.e = __CSEQ_nondet_char()", "v.last = __CSEQ_nondet_int()"],
        ),
    ],
)  # fmt: skip
def test_undefined_objects(declaration, expected):
    tree = parse(f"{TYPES}{declaration};")
    found = undefined(Symbols(tree), build.ident("v"), tree.ext[-1].type, None)
    assert [text(statement) for statement in found] == expected


@pytest.mark.parametrize(
    "declaration, message",
    [
        ("int v = {1, 2}", "an initialiser list for a scalar"),
        ("int v[2] = {1, 2, 3}", "an initialiser with more values than the object has"),
        ("point v = {{1, 2}, 3}", "an initialiser list for a scalar"),
    ],
)
def test_what_is_refused(declaration, message):
    with pytest.raises(UnsupportedError) as caught:
        assignments(declaration)
    assert message in str(caught.value)
    assert caught.value.origin is not None


def test_a_type_without_nondeterministic_values_is_refused():
    with pytest.raises(UnsupportedError, match="a nondeterministic value of type `void`"):
        nondet(Symbols(parse("")), parse("void f(void);").ext[0].type.type)
