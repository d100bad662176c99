"""Printing: what comes out parses again and prints the same, has one statement per line, and knows its lines."""

from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cseq.c import Printer, parse, print_unit
from cseq.model.origin import Origin

DECLARATIONS = [
    "int a;",
    "static const unsigned long int *const volatile p;",
    "extern int e;",
    "int a = 1;\nint *b = &a;\nint c[2] = {1, 2};",
    "int a[2][3] = {{1}, {[2] = 3}};",
    "struct s\n{\n  int a : 3;\n  int : 2;\n  struct\n  {\n    char c;\n  };\n} v = {.a = 1};",
    "union\n{\n  int x;\n  float f;\n} u;",
    "enum e\n{\n  A,\n  B = 3\n} w;",
    "typedef struct t\n{\n  struct t *next;\n} T;\nT *tt;",
    "int (*fp[3])(int, char *);\nvoid (*g(int))(void);\nint h(int a, ...);",
    "char *s = \"a\\n\\\"b\";\nint c = '\\'';",
    "int x = (1) ? (2) : (3);",
    "int f(int a[static 3], int (*b)(int));",
    "_Static_assert(1, \"x\");",
    "#pragma pack(1)\nint x;",
    "int x = sizeof(struct {int a; char b;});",
]  # fmt: skip

STATEMENTS = [
    "a = b;", "a += b;", "a = b = c;", "a = (b, c);", "a = (b, c) + 1;", "a = b ? c : d;", "a, b;", "f((a, b), c);",
    ";",
    "- -a;", "-(-a);", "- --a;", "a - -b;", "a - --b;", "a-- - b;", "!(!a);", "&*p;", "*&a;", "(*p)++;", "*p++;",
    "++*p;",
    "(&s)->x;", "(*p).x;", "p->x.y[2];", "m[1][2];", "m[(a, b)];", "f()(a);", "(*fp)(a, b);", "a = (int) b + 1;",
    "a = (int) (b + 1);", "-(int) a;", "sizeof a;", "sizeof(int) + 1;", "sizeof(a) + 1;", "(a = b) + c;",
    "(a ? b : c) ? d : 0;",
    "a ? b : c ? d : 0;", "a << 2 >> 1;", "a < b == c;", "a & b | c ^ d && a || b;", "a - (b - c);", "a / (b * c);",
    "(a + b) * c;", "a = ((int []) {1, 2})[0];", "(struct s) {1, 2};", "if (a) goto out;", "if (a) b = 1; else c = 2;",
    "if (a) if (b) c = 1; else d = 2;", "if (a) { if (b) c = 1; } else d = 2;", "if (a) { } else { ; }",
    "while (a) b--;",
    "do a--; while (a);", "for (;;) break;", "for (int i = 0, *q = &i; i < 3; i++, b--) { continue; }",
    "for (a = 0; a; ) { }",
    "switch (a) { case 1: case 2: b = 1; break; default: c = 2; }", "switch (a) case 3: b = 1;",
    "switch (a) { int x; case 1: { x = 1; } }", "l: a = 1;", "l: k: a = 1;", "l: { a = 1; }", "goto l; l: ;", "return;",
    "return a, b;", "return (struct s) {1}.x;", "{ int a = 2; a++; }", "struct { int a; } x = {1}, y[2] = {{1}, {2}};",
    "enum { Q, R } z;", "static int n = 3, *k;", "typedef int T; T t = 1;", "a = sizeof(struct { int q; }); b = 2;",
    "if (sizeof(struct { int q; })) a = 1;", "return sizeof(struct { int q; });",
]  # fmt: skip


def assert_stable(text: str) -> None:
    """The text of a unit parses with its line map, and prints as it is."""
    tree = parse(text, "x.c")
    once, linemap = print_unit(tree)
    assert len(linemap) == once.count("\n")
    twice, again = print_unit(parse(once, linemap=linemap))
    assert twice == once
    assert list(again) == list(linemap)


@pytest.mark.parametrize("text", DECLARATIONS)
def test_declarations_print_stably(text):
    assert_stable(text)


@pytest.mark.parametrize("text", STATEMENTS)
def test_statements_print_stably(text):
    assert_stable(f"int f(void)\n{{\n  {text}\n  done();\n}}\n")


ATOMS = st.sampled_from(["a", "b", "1", "p->x", "f(a)", "m[1]", "'c'", '"s"'])
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.builds(
            "({} {} {})".format, inner, st.sampled_from([*"+-*/%&|^<>", "<<", ">>", "==", "!=", "&&", "||"]), inner
        ),
        st.builds(
            "({}({}))".format, st.sampled_from(["-", "+", "!", "~", "*", "&", "++", "--", "sizeof ", "(int)"]), inner
        ),
        st.builds("({})++".format, inner),
        st.builds("(m[{}] {} {})".format, inner, st.sampled_from(["=", "+=", "<<="]), inner),
        st.builds("({} ? {} : {})".format, inner, inner, inner),
        st.builds("({}, {})".format, inner, inner),
        st.builds("f({}, {})".format, inner, inner),
        st.builds("({})[{}]".format, inner, inner),
        st.builds("f({}).x".format, inner),
        st.builds("({})->x".format, inner),
    ),
    max_leaves=8,
)


@settings(max_examples=60, derandomize=True)
@given(text=EXPRESSIONS)
def test_an_expression_means_the_same_when_it_is_read_back(text):
    places = [
        "{};",
        "x = {};",
        "return {};",
        "if ({}) {{ }}",
        "while ({}) {{ }}",
        "switch ({}) {{ }}",
        "int x = ({});",
        "f({});",
    ]
    for place in places:
        before = parse(f"int f(void) {{ {place.format(text)} }}").ext[0]
        after = parse(print_unit(parse(f"int f(void) {{ {place.format(text)} }}"))[0]).ext[0]
        assert shape(after) == shape(before)


def shape(node) -> tuple:
    """A tree as nested tuples, without places."""
    values = tuple(str(getattr(node, name)) for name in node.attr_names)
    return (type(node).__name__, values, tuple((slot, shape(child)) for slot, child in node.children()))


def test_there_is_one_statement_per_line():
    tree = parse("int f(int a) { if (a) { a++; g(a), h(); } else while (a) a--; l: return a; }", "x.c")
    assert print_unit(tree)[0] == dedent("""\
        int f(int a)
        {
          if (a) {
            a++;
            g(a), h();
          } else {
            while (a) {
              a--;
            }
          }
          l:
          return a;
        }
        """)


def test_control_statements():
    text = dedent("""\
        int f(int n)
        {
          for (int i = 0; i < n; i++) {
            continue;
          }
          do {
            n--;
          } while (n);
          switch (n) {
            case 1:
            case 2:
              n = 3;
              break;
            default:
              ;
          }
          if (n) goto out;
          {
            n = 4;
          }
          out: ;
        }
        """)
    assert print_unit(parse(text))[0] == text


def test_the_line_map_names_the_line_of_each_statement():
    text = dedent("""\
        int x,
            y;

        int f(int a)
        {
          if (a)
            x = 1; else { y =
              2;
          }
          while (a)

            a--;
          return x
            + y;
        }
        """)
    printed, linemap = print_unit(parse(text, "u.c"))
    shown = [f"{linemap[number].line}: {line}" for number, line in enumerate(printed.splitlines(), 1)]
    assert shown == [
        "1: int x;",
        "2: int y;",
        "4: int f(int a)",
        "4: {",
        "6:   if (a) {",
        "7:     x = 1;",
        "6:   } else {",
        "7:     y = 2;",
        "6:   }",
        "10:   while (a) {",
        "12:     a--;",
        "10:   }",
        "13:   return x + y;",
        "4: }",
    ]


def test_a_statement_that_takes_several_lines_has_its_origin_on_each():
    printed, linemap = print_unit(
        parse(
            "int f(void)\n{\n  int x = sizeof(struct { int a; });\n  x = sizeof(struct { int b; });\n  x++;\n}", "u.c"
        )
    )
    last = [number for number, line in enumerate(printed.splitlines(), 1) if "x++" in line]
    assert [linemap[number] for number in last] == [Origin("u.c", 5)]
    assert len(linemap) == len(printed.splitlines())


def test_shared_nodes_print_alike():
    statement = parse("int f(void) { a = b + 1; }").ext[0].body.block_items[0]
    function = parse("int g(void) { ; }").ext[0]
    function.body.block_items = [statement, statement]
    from pycparser import c_ast

    assert print_unit(c_ast.FileAST([function]))[0].count("a = b + 1;") == 2


def test_an_expression_can_be_printed_alone():
    assert Printer().text(parse("int x = a + b * 2;").ext[0].init) == "a + (b * 2)"
