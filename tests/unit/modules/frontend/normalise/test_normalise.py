"""The normalisation: each name means one thing; declarations without initialisers on top; types at file level."""

from __future__ import annotations

import pytest

from cseq.model.errors import UnsupportedError


def test_a_name_that_is_taken_gets_another(assert_scoped):
    assert_scoped(
        """
        int x;
        int f(int x)
        {
          return x;
        }
        int main(void)
        {
          int y = x;
          {
            int x = y;
            y = x;
            {
              int x = 3, y = x;
              f(y);
            }
          }
          return x + y;
        }
        """,
        """\
        int x;
        int f(int x__cs2)
        {
          return x__cs2;
        }
        int main(void)
        {
          int y;
          int x__cs3;
          int x__cs4;
          int y__cs2;
          y = x;
          x__cs3 = y;
          y = x__cs3;
          x__cs4 = 3;
          y__cs2 = x__cs4;
          f(y__cs2);
          return x + y;
        }
        """,
    )


def test_a_local_is_undefined_each_time_its_declaration_is_reached(assert_scoped):
    assert_scoped(
        """
        int main(void)
        {
          while (1) {
            int a;
            char *b, c[2];
            _Bool d;
            long long e;
            a = 1;
          }
        }
        """,
        """\
        int main(void)
        {
          int a;
          char *b;
          char c[2];
          _Bool d;
          long long e;
          while (1) {
            a = __CSEQ_nondet_int();
            b = __CSEQ_nondet_pointer();
            c[0] = __CSEQ_nondet_char();
            c[1] = __CSEQ_nondet_char();
            d = __CSEQ_nondet_bool();
            e = __CSEQ_nondet_longlong();
            a = 1;
          }
        }
        """,
    )


def test_the_variable_of_a_for_loop_is_its_own(assert_scoped):
    assert_scoped(
        """
        int main(void)
        {
          int i = 5;
          for (int i = 0, n = i; i < n; i++)
            i--;
          for (i = 1; ; ) {
            int i = 2;
          }
        }
        """,
        """\
        int main(void)
        {
          int i;
          int i__cs2;
          int n;
          int i__cs3;
          i = 5;
          i__cs2 = 0;
          n = i__cs2;
          for (; i__cs2 < n; i__cs2++) {
            i__cs2--;
          }
          i = 1;
          for (; ; ) {
            i__cs3 = 2;
          }
        }
        """,
    )


def test_static_locals_live_at_file_level_and_are_initialised_once(assert_scoped):
    assert_scoped(
        """
        int n;
        int f(void)
        {
          static int n = 1, *p = &n;
          static int zero[3];
          return n++;
        }
        int main(void)
        {
          static int n = 2;
          return n;
        }
        """,
        """\
        int n;
        static int n__cs2 = 1;
        static int *p = &n__cs2;
        static int zero[3];
        int f(void)
        {
          return n__cs2++;
        }
        static int n__cs3 = 2;
        int main(void)
        {
          return n__cs3;
        }
        """,
    )


def test_a_variable_may_be_called_like_a_type(assert_scoped):
    assert_scoped(
        """
        typedef int T;
        int main(void)
        {
          T a = 1;
          T T = a + sizeof(T);
          return T;
        }
        """,
        """\
        typedef int T;
        int main(void)
        {
          T a;
          T T__cs2;
          a = 1;
          T__cs2 = a + (sizeof(T__cs2));
          return T__cs2;
        }
        """,
    )


def test_extern_in_a_function_means_the_one_outside(assert_scoped):
    assert_scoped(
        """
        int main(void)
        {
          int x = 1;
          {
            extern int x;
            int f(int);
            x = f(2);
          }
          return x;
        }
        int x;
        int f(int n)
        {
          return n;
        }
        """,
        """\
        extern int x;
        int f(int);
        int main(void)
        {
          int x__cs2;
          x__cs2 = 1;
          x = f(2);
          return x__cs2;
        }
        int x;
        int f(int n)
        {
          return n;
        }
        """,
    )


def test_a_label_in_front_of_a_declaration_stays_in_front_of_its_value(assert_scoped):
    assert_scoped(
        """
        int main(void)
        {
          goto l;
        l:;
          int x = 1;
          return x;
        }
        """,
        """\
        int main(void)
        {
          int x;
          goto l;
          l: ;
          x = 1;
          return x;
        }
        """,
    )


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
