"""The normalisation: each name means one thing; declarations without initialisers on top; types at file level."""

import pytest

from cseq.model.errors import UnsupportedError


@pytest.mark.parametrize(
    "program",
    [
        "struct s { int x; };\nint main(void) { union s { int y; char c; } u = {1}; return u.y; }\n",
        "struct s { int x; };\nint main(void) { struct s *p = 0; { enum s { P, Q } v = Q; return v; } }\n",
        "int f(void) { struct s { int a; } v = {1}; return v.a; }\n"
        "int main(void) { struct s { char b; } w = {2}; return w.b; }\n",
        "struct s;\nint f(struct s *p);\nstruct s { int a; };\nint f(struct s *p) { return p->a; }\n"
        "int main(void) { return 0; }\n",
        "int main(void) { struct n { struct n *next; int k; } a = {0, 1}, b = {&a, 2}; return b.next->k; }\n",
        "int main(void) { int x = 1; { extern int x; return x; } }\nint x;\n",
        "int main(void) { { extern int x; x = 1; } { extern int x; return x; } }\nint x;\n",
        "typedef const struct { int a; } t;\nint main(void) { t v = {1}, w = v; return w.a; }\n",
        "typedef int I;\ntypedef const I C;\ntypedef C D;\nint main(void) { C x = 1; D y = x; return y; }\n",
        "typedef int row[3];\ntypedef const row fixed;\nint main(void) { fixed r = {1, 2, 3}; return r[2]; }\n",
        "int main(void) { int a[2] = {1, 2}; for (int *p = a, i = 0; i < 2; i++) p++; return 0; }\n",
        "int f(int (*g)(int g), int h) { return g(h); }\nint main(void) { return 0; }\n",
        "static int f(void);\nint main(void) { return f(); }\nstatic int f(void) { return 1; }\n",
    ],
)
def test_what_comes_out_is_c(translated, compiler, prelude, program):
    compiler.check(prelude + translated("normalise", program))


def test_each_assignment_has_the_line_of_its_declarator(translated):
    unit = translated.unit("normalise", "int main(void)\n{\n  int a = 1,\n      b = 2;\n  int c;\n  return a;\n}\n")
    origins = {line.strip(): str(unit.linemap[number]) for number, line in enumerate(unit.text.splitlines(), 1)}
    assert origins["a = 1;"] == "program.c:3"
    assert origins["b = 2;"] == "program.c:4"
    assert origins["c = __CSEQ_nondet_int();"] == "program.c:5"


@pytest.mark.parametrize(
    "text, message",
    [
        ("int main(void)\n{\n  int n = 2;\n  static int (*a)[n];\n}\n",
         "program.c:4: a static pointer to a variable-length array is not supported"),
        ("int x;\ndouble _Complex z;\nint main(void) { }\n", "program.c:2: `_Complex` is not supported"),
    ],
)  # fmt: skip
def test_what_is_refused(translated, text, message):
    assert translated.refusal("normalise", text, UnsupportedError) == message
