"""Unused declarations are gone after the merger."""

from textwrap import dedent

import pytest

from cseq.c import parse
from cseq.c.unused import undeclared_calls
from cseq.model.errors import InputError


@pytest.fixture
def left(translated):
    """What is left of a program."""

    def run(text: str) -> str:
        return translated("merger", text, keep_unused=False)

    return run


def test_what_is_not_reachable_from_main_is_left_out(left):
    before = """\
        typedef int number;
        typedef long other;
        struct inner { number n; };
        struct outer { struct inner i; };
        struct alone { int x; };
        enum kind { FIRST, SECOND };
        enum more { THIRD = 3 };
        enum { FOURTH = 4 };
        extern void undefined(struct alone *a);
        extern int external(number n);
        int count;
        int alone;
        static struct outer object;
        static int unused(void) { return alone + unused(); }
        static int deep(void) { return count; }
        static int (*table[THIRD])(void) = {deep};
        int never(void) { undefined(0); return FOURTH; }
        int main(void) { enum kind k = FIRST; object.i.n = external(k); return table[0](); }
        """
    after = """\
        typedef int number;
        struct inner
        {
          number n;
        };
        struct outer
        {
          struct inner i;
        };
        enum kind
        {
          FIRST,
          SECOND
        };
        enum more
        {
          THIRD = 3
        };
        extern int external(number n);
        int count;
        static struct outer object;
        static int deep(void)
        {
          return count;
        }
        static int (*table[THIRD])(void) = {deep};
        int main(void)
        {
          enum kind k = FIRST;
          object.i.n = external(k);
          return table[0]();
        }
        """
    assert left(before) == dedent(after)


def test_enumerations_without_a_name_are_told_from_each_other(left):
    text = left("enum { A };\nenum { B };\nint main(void) { return B; }\n")
    assert "A" not in text and "B" in text


def test_all_declarations_of_what_is_used_stay(left):
    before = """\
        struct s;
        int f(struct s *p);
        extern int x;
        int x;
        struct s { int f; };
        int f(struct s *p) { return p->f + x; }
        int main(void) { struct s v = {.f = 1}; return f(&v); }
        """
    assert left(before).count("struct s") == dedent(before).count("struct s")
    assert left(before).count(" x;") == 3


def test_the_name_of_a_member_uses_nothing(left):
    text = left("int f(void) { return 1; }\nstruct s { int f; } v;\nint main(void) { return v.f; }\n")
    assert "f(void)" not in text.replace("main(void)", "")


def test_what_another_file_uses_stays(translated):
    translated.write("int g(void);\nint h(void);\nint f(void) { return g(); }\n", "a.c")
    translated.write("int f(void);\nint g(void) { return 2; }\nint h(void) { return 3; }\nint main(void) { f(); }")
    unit = next(translated.units("a.c", "program.c", until="merger", keep_unused=False))[1]
    names = [node.decl.name for node in unit.tree.ext if hasattr(node, "decl")]
    assert names == ["f", "g", "main"]


def test_what_is_not_supported_does_not_matter_where_nobody_uses_it(translated):
    before = """\
        int old(a) int a; { return a; }
        _Complex double c;
        int main(void) { return 0; }
        """
    assert "main" in translated("normalise", before, keep_unused=False)


def test_what_is_not_c_does_matter(left):
    with pytest.raises(InputError, match=r"^program.c:1: .*undeclared"):
        left("int unused(void) { return nothing; }\nint main(void) { return 0; }\n")


@pytest.mark.parametrize("order", [1, -1])
def test_an_inline_function_may_be_defined_in_each_unit(translated, order):
    header = "inline int f(void) { return 2; }\nextern int x;\n"
    files = [
        translated.write(header + "int x = 1;\nint g(void) { return f(); }\n", "a.c"),
        translated.write(header + "int g(void);\nint main(void) { return f() + g() + x; }\n", "b.c"),
    ]
    unit = next(translated.units(*files[::order], until="merger", keep_unused=False))[1]
    assert unit.text.count("int f(void)") == 1


def test_calls_of_what_nothing_declares():
    text = """\
        int f(void);
        int g(int (*p)(void)) { int (*q)(void) = p; return f() + later() + p() + q() + lost(); }
        int later(void) { return 0; }
        """
    assert undeclared_calls(parse(text).ext) == {"lost"}


def test_a_name_that_is_declared_with_the_type_of_the_same_name_uses_that_type(left):
    before = """\
        typedef int word;
        typedef int handler;
        typedef int number;
        struct s
        {
          word word;
        } object;
        int main(void)
        {
          number number = object.word;
          return number;
        }
        void f(handler handler);
        """
    after = left(before)
    assert "typedef int word;" in after
    assert "typedef int number;" in after
    assert "typedef int handler;" not in after
    assert "typedef int handler;" in left(before.replace("return number", "f(number); return number"))
