"""Parsing: origins, the memo of top-level declarations, typedef names, and errors with their place."""

from textwrap import dedent

import pytest
from pycparser import c_ast

from cseq.c import parse
from cseq.c import parser as under_test
from cseq.c.parser import OriginParser
from cseq.model.errors import InputError
from cseq.model.origin import LineMap, Origin


@pytest.fixture
def parsed(monkeypatch):
    """The texts of the declarations that are parsed, and not found in the memo, which is empty at first."""
    monkeypatch.setattr(under_test, "_memo", {})
    texts = []
    original = OriginParser.declarations

    def declarations(self, chunk, linemap):
        texts.append(chunk.text)
        return original(self, chunk, linemap)

    monkeypatch.setattr(OriginParser, "declarations", declarations)
    return texts


def places(tree: c_ast.FileAST) -> list[str]:
    """The names of the top-level declarations with their places."""
    return [f"{node.decl.name if isinstance(node, c_ast.FuncDef) else node.name} {node.coord}" for node in tree.ext]


def statement_lines(function: c_ast.FuncDef) -> list[str]:
    return [str(statement.coord) for statement in function.body.block_items]


def test_lines_count_from_the_first_line_of_the_text():
    tree = parse("int a;\n\nint b,\n c;\nint f(void)\n{\n  a = 1;\n\n  return b;\n}\n", "x.c")
    assert places(tree) == ["a x.c:1", "b x.c:3", "c x.c:4", "f x.c:5"]
    assert statement_lines(tree.ext[3]) == ["x.c:7", "x.c:9"]


def test_markers_name_the_file_and_line():
    text = dedent("""\
        # 1 "a.c"
        int a;
        # 1 "lib/b.h" 1
        int b;
        int b2;
        # 7 "a.c" 2

        int c;
        """)
    assert places(parse(text)) == ["a a.c:1", "b lib/b.h:1", "b2 lib/b.h:2", "c a.c:8"]


def test_markers_inside_of_a_declaration_hold_from_there():
    text = dedent("""\
        # 1 "a.c"
        int f(void)
        {
          a();
        # 40 "a.c"
          b();
        # 3 "macro.h"
          c();
        # 60 "a.c"
          return 0;
        }
        int after;
        """)
    tree = parse(text)
    assert statement_lines(tree.ext[0]) == ["a.c:3", "a.c:40", "macro.h:3", "a.c:60"]
    assert places(tree) == ["f a.c:1", "after a.c:62"]


def test_a_marker_between_the_head_and_the_body_of_a_function():
    text = '# 1 "a.c"\nint f(void)\n# 20 "a.c"\n{\n  return 0;\n}\nint g(void) { return 1; }\nint x;\n'
    tree = parse(text)
    assert places(tree) == ["f a.c:1", "g a.c:23", "x a.c:24"]
    assert statement_lines(tree.ext[0]) == ["a.c:21"]


def test_a_line_map_comes_before_markers():
    origins = [Origin("user.c", 10), None, Origin("user.c", 30, function="main")]
    tree = parse("int a;\nint b;\nint c;\n", "x.c", LineMap(origins))
    assert [node.coord for node in tree.ext] == origins


def test_declarations_are_cut_behind_their_end():
    text = """
    typedef struct { int a; } s; s v = {1}, w[2] = {{1}, {2}};
    int f(void) { if (1) { return ';'; } return "}\\"{"[0]; }
    struct t { struct { int b; } c; }; enum { A, B } e; int (*p)(void) = f; int g(void);
    struct t h(struct t x) { return x; }
    """
    tree = parse(text, "x.c")
    names = [node.decl.name if isinstance(node, c_ast.FuncDef) else node.name for node in tree.ext]
    assert names == ["s", "v", "w", "f", None, "e", "p", "g", "h"]


@pytest.mark.parametrize(
    "text", ["int *p = &(int){3};\nint q;\n", "int a[] = {1, 2}, b = (int)3;\nint q;\n", "int x = (1 + 2);\nint q;\n"]
)
def test_braces_in_an_initialiser_end_nothing(text):
    assert places(parse(text, "x.c"))[-1] == "q x.c:2"


def test_gnu_declarations_are_cut_behind_their_end(parsed):
    declarations = [
        "int f(a, b) int a; char *b; { return a; }",
        "struct __attribute__((packed, aligned(sizeof(int) * (2)))) s { int a; } x;",
        'void g(void) __attribute__((noreturn)) __asm__("h;{");',
        "int h(T) __attribute__((pure));",
        "__typeof__(f) *k, *l;",
        "typeof(({ int y; y; })) z;",
        "static int m(void) { return ({ 1; }) /* } ; */; }",
        'asm("; { (");',
        "int n[] = {[0 ... 2] = 1};",
        "_Alignas(T) int o;",
    ]
    tree = parse("typedef int T;\n" + "\n".join(declarations), "x.c")
    assert parsed == ["typedef int T;", *declarations]
    assert [node.coord.line for node in tree.ext] == [1, 2, 3, 4, 5, 6, 6, 7, 8, 9, 10, 11]


def test_what_is_cut_in_the_wrong_place_is_parsed_from_there_on(parsed):
    """Digraphs hide the braces."""
    text = "int a;\nint f(void) <% int x; return a; %>\nint b;\n"
    assert places(parse(text, "x.c")) == ["a x.c:1", "f x.c:2", "b x.c:3"]
    assert parsed[-2:] == ["int f(void) <% int x;", "int f(void) <% int x; return a; %>\nint b;\n"]


def test_names_of_a_piece_that_was_cut_in_the_wrong_place_are_forgotten():
    text = "typedef int T;\nvoid f(void) <% int T; T = 1; %>\nT x;\n"
    assert places(parse(text, "x.c")) == ["T x.c:1", "f x.c:2", "x x.c:3"]


def test_a_declaration_is_parsed_once(parsed):
    text = "int a;\nint f(void) { return a; }\n"
    first = parse(text, "x.c")
    second = parse(text, "x.c")
    assert parsed == ["int a;", "int f(void) { return a; }"]
    assert [a is b for a, b in zip(first.ext, second.ext, strict=True)] == [True, True]


def test_only_a_declaration_that_changed_is_parsed_again(parsed):
    parse("int a;\nint b;\nint c;\n", "x.c")
    parse("int a;\nlong b;\nint c;\n", "x.c")
    assert parsed == ["int a;", "int b;", "int c;", "long b;"]


def test_the_memo_keeps_places_apart(parsed):
    assert places(parse("int a;\n", "x.c")) == ["a x.c:1"]
    assert places(parse("int a;\n", "y.c")) == ["a y.c:1"]
    assert places(parse("\nint a;\n", "x.c")) == ["a x.c:2"]
    linemap = LineMap([Origin("z.c", 5, iteration=(2,))])
    assert parse("int a;\n", "x.c", linemap).ext[0].coord == Origin("z.c", 5, iteration=(2,))


def test_a_typedef_from_the_memo_is_known_to_what_follows(parsed):
    header = "typedef unsigned long word;\n"
    parse(header, "x.h")
    assert places(parse(f"{header}word a;\n", "x.h")) == ["word x.h:1", "a x.h:2"]
    assert parsed == ["typedef unsigned long word;", "word a;"]


@pytest.mark.parametrize(
    "text, place",
    [
        ("int x\nint y;\n", "x.c:2"),
        ("int a;\nint f(void)\n{\n  return 1 2;\n}\n", "x.c:4"),
        ("int a;\n\nint b = ;\n", "x.c:3"),
        ("int f(void) {\n  if (1 {\n  }\n}\n", "x.c:2"),
        ("int f(void)\n{\n  return 1;", "x.c:3"),
        ("int x;\n}\n", "x.c:2"),
        ("int x;\nint y = 1 @ 2;\n", "x.c:2"),
        ('# 12 "lib.h"\nint x;\n# 40 "main.c"\nint y;\nint z = +;\n', "main.c:41"),
    ],
)
def test_a_syntax_error_has_its_place(text, place):
    with pytest.raises(InputError, match="syntax error") as caught:
        parse(text, "x.c")
    assert str(caught.value.origin) == place


def test_an_error_in_a_text_with_a_line_map_is_told_where_the_map_says():
    with pytest.raises(InputError) as caught:
        parse("int a;\nint b = ;\n", "x.c", LineMap([Origin("u.c", 3), Origin("u.c", 8)]))
    assert str(caught.value.origin) == "u.c:8"


def test_a_failed_parse_leaves_nothing_behind():
    with pytest.raises(InputError):
        parse("typedef int T;\nT x = ;\n", "x.c")
    assert places(parse("int T;\nint y = 2 * T;\n", "x.c")) == ["T x.c:1", "y x.c:2"]
