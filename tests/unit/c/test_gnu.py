"""GNU C: what each construct becomes in the tree, shown by how it is printed; all of it is C for the compiler too."""

import subprocess
from pathlib import Path
from textwrap import dedent

import pytest
from pycparser import c_ast

from cseq.c import nodes, parse, print_unit
from cseq.c.preprocess import compiler
from cseq.model.errors import InputError, UnsupportedError


def table(name: str) -> dict[str, tuple[str, str]]:
    """A table of constructs: ``== title``, the text, ``--`` and what it is printed as."""
    text = (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8")
    blocks = [block.partition("\n") for block in text.removeprefix("== ").split("\n== ")]
    return {title: tuple(part.strip("\n") for part in rest.split("\n--\n")) for title, _, rest in blocks}


DECLARATIONS = table("gnu_declarations")
STATEMENTS = table("gnu_statements")
"""In a function with `int a, b, *p`, `struct s { int x, y; } v` and `typedef int T`."""

# Where a name is a type and where it is not, with `typedef int T;` before
TYPE_NAMES = {
    "hidden by a local": ("int f(void) { int T = 2; return T * T; }", "T * T"),
    "hidden from its declarator on": ("int f(void) { int T = 2, b = T * 3; return b; }", "int b = T * 3"),
    "hidden in its own initialiser": ("int f(void) { T *T = (void *) sizeof(*T); return 0; }", "sizeof(*T)"),
    "hidden by a parameter": ("int f(int T) { return T * 2; }", "T * 2"),
    "hidden by a parameter before": ("int f(int T, int a[T * 1]);", "a[T * 1]"),
    "hidden by an enumerator": ("int f(void) { enum { T = 3 }; return T * 2; }", "T * 2"),
    "hidden in a loop": ("int f(void) { for (int T = 3; T; ) return T * 2; T x; return x; }", "T * 2"),
    "hidden in a block": ("int f(void) { { int T = 3; T++; } T x = 1; return x; }", "T x = 1"),
    "hidden, but redeclared": ("int f(void) { unsigned T; T = 1; return T; }", "unsigned T;"),
    "a member": ("struct s { int T; T U; unsigned T2 : 2; T : 3; }; int f(struct s *p) { return p->T; }", "p->T"),
    "a tag": ("struct T { T T; }; union U { T T; }; enum E { Q } T2; struct T t;", "struct T t"),
    "a label": ("void f(void) { T: goto T; }", "goto T"),
    "a cast": ("int f(int x) { return (T) * &x + (T) (x) + (T) -x; }", "(T) (*(&x))"),
    "a size": ("int x = sizeof(T) * 2;", "(sizeof(T)) * 2"),
    "a parameter without a name": ("int f(T), g(int (T)), h(T (T)), k(T *, T[2]);", "int g(int (T))"),
    "a parameter in parentheses": ("int f(int (x), int (*g)(T), int (*T));", "int *T"),
    "a type name with a function": ("void *p = (int (*)(void)) 0; int x = sizeof(T (*)(T (T)));", "T (*)(T (T))"),
    "a pointer": ("void f(void) { T * x; T (*y); T (z); }", "T *y"),
    "a designator": ("struct s { int T; } x = { T: 1 }, y = { .T = 2 };", ".T = 2"),
    "redeclared with a type before": ("void f(void) { typedef long T; T x; { typedef char T; T y; } T z; }", "T z"),
    "an array of what a parameter says": ("void f(int n, T a[n], T b[sizeof(T)]);", "T b[sizeof(T)]"),
}  # fmt: skip

FRAME = (
    "struct s {{ int x, y; }}; typedef int T; enum {{ T_LAST = 300 }}; int f(int, int); void g_(int a, int b, int *p, "
    "struct s v)\n{{\n{}\n}}\n"
)


def body(text: str) -> str:
    """The statements of the function in `FRAME`, as they are printed."""
    lines = print_unit(parse(FRAME.format(text), "x.c"))[0].splitlines()
    return dedent("\n".join(lines[lines.index("{", 12) + 1 : -1]))


@pytest.mark.parametrize("text, printed", STATEMENTS.values(), ids=STATEMENTS)
def test_statements(text, printed):
    assert body(text) == printed
    assert body(printed) == printed


@pytest.mark.parametrize("text, part", TYPE_NAMES.values(), ids=TYPE_NAMES)
def test_type_names_and_others(text, part):
    once = print_unit(parse(f"typedef int T; {text}", "x.c"))[0]
    assert part in once
    assert print_unit(parse(once, "x.c"))[0] == once


@pytest.mark.engine
def test_what_is_printed_is_c_for_the_compiler(tmp_path):
    texts = [text for text, _ in DECLARATIONS.values()]
    texts += [FRAME.format(text) for text, _ in STATEMENTS.values()]
    texts += [f"typedef int T; {text}" for text, _ in TYPE_NAMES.values()]
    files = []
    for number, text in enumerate(texts):
        files += [tmp_path / f"{number}before.c", tmp_path / f"{number}after.c"]
        files[-2].write_text(text + "\n", encoding="utf-8")
        files[-1].write_text(print_unit(parse(text, "x.c"))[0], encoding="utf-8")
    command = [compiler(), "-std=gnu11", "-fsyntax-only", "-w", "-fmax-errors=1", *map(str, files)]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr


@pytest.mark.parametrize(
    "text, message",
    [
        ('char *s =\n R"(x)";\n', "x.c:2: a raw string is not supported"),
        ("\ntypedef int x __attribute__((mode(V4SI)));\n", "x.c:2: the attribute `mode(V4SI)` here is not supported"),
        ("int *x __attribute__((mode(DI)));\n", "x.c:1: the attribute `mode` of a pointer is not supported"),
        ('int y;\nextern int x asm("y");\n', "x.c:2: the name that asm gives to `x` is not supported"),
        ('register int x asm("ebx");\n', "x.c:1: the name that asm gives to `x` is not supported"),
        ("int y;\n#pragma redefine_extname y z\n", "x.c:2: `#pragma redefine_extname` is not supported"),
    ],
)
def test_what_is_not_supported_is_named(text, message):
    with pytest.raises(UnsupportedError) as caught:
        parse(text, "x.c")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "text, message",
    [
        ("int x = 12abc;\n", "x.c:1: syntax error: invalid number `12abc`"),
        ("int x;\n#include <x.h>\n", "x.c:2: syntax error: unexpected `#include`"),
        ("int x __attribute__((;\n", "x.c:1: syntax error: unexpected end of an attribute"),
        ("int f(void) { a ? b; }\n", "x.c:1: syntax error: unexpected `;`"),
        ("int f(void) { case 1 ... : ; }\n", "x.c:1: syntax error: unexpected `:`"),
        ("struct s {\n int x\n int y; };\n", "x.c:3: syntax error: unexpected `int`"),
        ("int f(void)\n{ goto\n; }\n", "x.c:3: syntax error: Expected identifier"),
        ("int x = 'a;\n", "x.c:1: syntax error: unmatched '"),
        ("asm(1);\n", "x.c:1: syntax error: Invalid string literal"),
        ("int f(int x) { return f(int); }\n", "x.c:1: syntax error: unexpected `int`"),
    ],
)
def test_what_is_no_c_is_an_error_at_its_place(text, message):
    with pytest.raises(InputError) as caught:
        parse(text, "x.c")
    assert str(caught.value) == message


def test_a_byte_of_a_literal_that_is_not_utf8_stays_that_byte():
    text = b'char s[] = "a\xff1", c = \'\xe9\'; char *t = "\xc3\xa9";'.decode("utf-8", "surrogateescape")
    assert print_unit(parse(text))[0] == 'char s[] = "a\\377\\061";\nchar c = \'\\351\';\nchar *t = "\u00e9";\n'


@pytest.mark.parametrize(
    "literal, printed",
    [
        (r'"\e\E\\e"', r'"\033\033\\e"'),
        (r'"\0333"', r'"\033\063"'),
        (r'"\01234567 \\0333 \08 \0338"', r'"\012\063\064\065\066\067 \\0333 \08 \0338"'),
        (r'"\123" "4"', r'"\123" "4"'),
        (r'"\123" "8" "\\123" "4"', r'"\1238\\1234"'),
        (r'"\12" "3"', r'"\12" "3"'),
    ],
)
def test_escapes_mean_the_same_for_cbmc(literal, printed):
    """It takes all octal digits for one escape, and GNU's escape character for an e."""
    assert print_unit(parse(f"char s[] = {literal};"))[0] == f"char s[] = {printed};\n"


def test_a_wide_literal_names_its_characters():
    text = 'int c = L\'\u00e9\'; void *s[] = {u"x\u20acy", u8"\u00e9"};'
    assert print_unit(parse(text))[0] == 'int c = L\'\\U000000e9\';\nvoid *s[] = {u"x\\U000020acy", u8"\u00e9"};\n'


def test_nodes_know_their_lines():
    text = dedent("""\
        int f(int a)
        {
          a = ({
            a++;
            a;
          });
          asm(
            "nop");
          goto *
            &&end;
        end:
          return a ?:
            1;
        }
        """)
    statements = parse(text, "x.c").ext[0].body.block_items
    assert [statement.coord.line for statement in statements] == [3, 7, 9, 11]
    block = statements[0].rvalue.block
    assert [item.coord.line for item in block.block_items] == [4, 5]


def test_a_nested_function_is_kept_without_its_body():
    text = "int f(void)\n{\n  int g(int x) { while (x) { x--; } return x; }\n  return g(1);\n}\n"
    function = parse(text, "x.c").ext[0]
    declared, nested, result = function.body.block_items
    assert isinstance(nested, nodes.NestedFunction)
    assert (declared.name, nested.name, nested.coord.line) == ("g", "g", 3)
    assert isinstance(result, c_ast.Return)
