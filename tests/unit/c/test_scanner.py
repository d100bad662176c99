"""The lexical grammar of C: tokens and their positions, and what is read from text without a parser."""

from textwrap import dedent

import pytest

from cseq.c import scanner

# Tokens


@pytest.mark.parametrize(
    "text, kind",
    [
        ("while", "name"), ("_x9", "name"), ("$x", "name"), ("\\u00e4b", "name"), ("größe", "name"),
        ("0", "number"), ("0x1Fu", "number"), (".5e-3f", "number"), ("0x1.8p+3", "number"), ("1ULL", "number"),
        ('""', "string"), (r'"a\"b"', "string"), ('L"x"', "string"), ('u8"x"', "string"),
        ('"/* no comment */"', "string"), ('"a\\\nb"', "string"),
        ("'c'", "character"), (r"'\''", "character"), (r"L'\x41'", "character"), ("'\"'", "character"),
        ("/* a\n * b **/", "comment"), ("// a \\\n b", "comment"), ("// 'a \"b", "comment"),
        ("/* without an end", "comment"),
        ("#define X 1", "directive"), ("  # if 0", "directive"), ("#define X \\\n 1", "directive"),
        ("#define X /* a\n b */ 1", "directive"), ('#define X "/*"', "directive"), ("#error don't", "directive"),
        ("...", "punctuator"), ("<<=", "punctuator"), ("->", "punctuator"), ("&&", "punctuator"), ("<:", "punctuator"),
        ("(", "punctuator"), ("~", "punctuator"), ("'", "punctuator"), ('"', "punctuator"),
    ],
)  # fmt: skip
def test_each_kind_of_token(text, kind):
    assert list(scanner.lexemes(text)) == [(kind, text, 0)]


@pytest.mark.parametrize(
    "text, expected",
    [
        ("a+++b", ["a", "++", "+", "b"]),
        ("a-->b", ["a", "--", ">", "b"]),
        ("x.y->z[1]", ["x", ".", "y", "->", "z", "[", "1", "]"]),
        ("f(\"a, b\", ',')", ["f", "(", '"a, b"', ",", "','", ")"]),
        ("a/b//c\n/d", ["a", "/", "b", "/", "d"]),
        ("a /* b */ c", ["a", "c"]),
        ("#include <a.h>\nx # y", ["x", "#", "y"]),
        ("'a", ["'", "a"]),
        ('"a\nb', ['"', "a", "b"]),
        ("0x1e+3+4", ["0x1e+3", "+", "4"]),
        ("a\\\nb @", ["a", "b", "@"]),
        ("", []),
    ],
)
def test_tokens(text, expected):
    assert scanner.tokens(text) == expected


def test_offsets_lines_and_columns():
    text = 'int x;\n  char *s = "a";\n\n/* c */ f();'
    lines = scanner.Lines(text)
    assert len(lines) == 4
    found = [(lexeme.text, *lines.place(lexeme.start)) for lexeme in scanner.lexemes(text)]
    assert found[:3] == [("int", 1, 1), ("x", 1, 5), (";", 1, 6)]
    assert found[3:6] == [("char", 2, 3), ("*", 2, 8), ("s", 2, 9)]
    assert found[-5:-3] == [("/* c */", 4, 1), ("f", 4, 9)]
    for lexeme in scanner.lexemes(text):
        line, column = lines.place(lexeme.start)
        assert lines.line(lexeme.start) == line
        assert lines.offset(line, column) == lexeme.start
        assert text.split("\n")[line - 1][column - 1 :].startswith(lexeme.text)


# What is read from text


@pytest.mark.parametrize(
    "text, expected",
    [
        ("x = y + x;", ["x", "y", "x"]),
        ("a.b->c + d . e", ["a", "d"]),
        ("f(s[i].x)", ["f", "s", "i"]),
        ("g(\"a b\", 'c', 0xff, 1e5, 10UL) // h", ["g"]),
        ("a /* b", ["a"]),
        ("if (x) return", ["if", "x", "return"]),
        ("f(int n, ...)", ["f", "int", "n"]),
    ],
)
def test_identifiers(text, expected):
    assert scanner.identifiers(text) == expected


@pytest.mark.parametrize("text, expected", [("x", True), ("_1", True), ("1x", False), ("a b", False), ("", False)])
def test_names(text, expected):
    assert scanner.is_name(text) is expected


def test_comments_become_blanks_and_lines_stay():
    text = 'int x; // a\nchar *s = "// /* b"; /* c\nd */ int y;\n'
    assert scanner.without_comments(text) == 'int x;  \nchar *s = "// /* b";  \n int y;\n'
    assert scanner.without_comments("int x;") == "int x;"


def test_code_of_a_line_that_is_cut_off():
    assert scanner.code("f(\"a\", 'b', x); // c").split() == ["f(", ",", ",", "x);"]
    assert scanner.code("x = 1; /* goes on").split() == ["x", "=", "1;"]


@pytest.mark.parametrize(
    "call, expected",
    [
        ("f()", [""]),
        ("f(a)", ["a"]),
        ("f(a, g(b, c), d[e, 1]) + h(x, y)", ["a", " g(b, c)", " d[e, 1]"]),
        ("f((struct s){1, 2}, \"x, )\", ',')", ["(struct s){1, 2}", ' "x, )"', " ','"]),
        ("f(a, /* b, */ c", ["a", " /* b, */ c"]),
    ],
)
def test_arguments(call, expected):
    assert [call[begin:end] for begin, end in scanner.arguments(call, 2)] == expected


@pytest.mark.parametrize(
    "line, expected",
    [
        ('# 7 "a.c"', scanner.Marker(7, "a.c", frozenset())),
        ('  #line 7 "a \\" b.c"', scanner.Marker(7, 'a \\" b.c', frozenset())),
        ('# 1 "/usr/include/x.h" 1 3 4', scanner.Marker(1, "/usr/include/x.h", frozenset("134"))),
        ("#line 12", scanner.Marker(12, None, frozenset())),
        ("#define X 1", None),
        ("x", None),
    ],
)
def test_a_line_marker(line, expected):
    assert scanner.marker(line) == expected
    assert list(scanner.markers(f"a\n{line}\nb\n")) == ([expected] if expected else [])


def test_what_a_file_includes():
    text = dedent("""\
        #include <stdio.h>
        #  include "a/b.h"
        x = "#include <no.h>";
        #define include "c.h"
        """)
    assert scanner.includes(text) == [("<", "stdio.h"), ('"', "a/b.h")]
