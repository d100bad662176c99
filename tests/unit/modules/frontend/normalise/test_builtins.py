"""GNU's built-ins, and what else GNU C adds to types and expressions, as plain C."""

from textwrap import dedent

import pytest

from cseq.model.errors import UnsupportedError


@pytest.mark.parametrize(
    "expression, plain",
    [
        ("__builtin_expect(x, 1)", "x"),
        ("__builtin_expect(c, 1)", "(long) c"),
        ("__builtin_constant_p(x)", "0"),
        ('__builtin_constant_p("a")', "1"),
        ("__builtin_popcount(255)", "8"),
        ("__builtin_clzl(1)", "63"),
        ("__builtin_bswap32(1)", "(unsigned int) 16777216"),
        ("__builtin_choose_expr(1, x, y)", "x"),
        ("__builtin_types_compatible_p(int *, typeof(&x))", "1"),
        ("__builtin_types_compatible_p(const int, int)", "1"),
        ("__builtin_types_compatible_p(const int *, int *)", "0"),
        ("__builtin_offsetof(struct s, b[1])", "(unsigned long) (&((struct s *) 0)->b[1])"),
        ("_Generic(c, int: 1, char: x, default: 3)", "x"),
        ("_Generic(&x, int *: x, default: 3)", "x"),
        ("_Generic(+c, int: 1, char: 2)", "1"),
        ("3 ?: x", "3"),
        ("__alignof__(double)", "(unsigned long) 8"),
        ("sizeof main", "(unsigned long) 1"),
        ("LARGE", "(unsigned long) 1099511627776LL"),
        ("SMALL", "1"),
    ],
)
def test_what_an_expression_becomes(translated, expression, plain):
    declarations = "int x, y; char c; struct s { char a; int b[2]; }; enum { LARGE = 1ll << 40, SMALL = 1 };"
    text = translated("normalise", f"{declarations}\nint main(void) {{ return {expression}; }}\n", "main")
    assert text.splitlines()[-2] == f"  return {plain};"


def test_compound_literals_and_ranges_of_static_objects(translated):
    before = """\
        struct s { int a, b; } *p = &(struct s){1, 2}, q = (struct s){3};
        int a[4] = {[0 ... 1] = 5};
        int main(void) { return 0; }
        """
    text = translated("normalise", dedent(before))
    assert "static struct s __cs_literal_1 = {1, 2};\nstruct s *p = &__cs_literal_1;\nstruct s q = {3};\n" in text
    assert "int a[4] = {[0] = 5, [1] = 5};\n" in text


@pytest.mark.parametrize(
    "statement, message", [("x = __builtin_return_address(0) != 0;", "`__builtin_return_address` is not supported")]
)
def test_what_is_refused(translated, statement, message):
    program = f"int x;\nint main(void)\n{{\n  {statement}\n  return 0;\n}}\n"
    assert translated.refusal("normalise", program, UnsupportedError) == f"program.c:4: {message}"
