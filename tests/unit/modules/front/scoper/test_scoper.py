"""The scoper: each name means one thing; declarations without initialisers on top; types at file level."""

from __future__ import annotations

from textwrap import dedent

import pytest

from cseq.base.errors import UnsupportedError


@pytest.fixture
def assert_scoped(translated):
    """``assert_scoped(before, after)``: what the scoper makes of a whole program."""

    def check(before: str, after: str) -> None:
        assert translated("scoper", before) == dedent(after)

    return check


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


def test_types_live_at_file_level_and_have_tags(assert_scoped):
    assert_scoped(
        """
        struct s { int a; struct { int b; } c; } v;
        typedef struct { int d; } t;
        int main(void)
        {
          struct s { char e; } w = {1};
          enum { RED, BLUE } colour = BLUE;
          typedef struct s t;
          t x = w;
          {
            struct s { t inner; } y = {x};
            return y.inner.e;
          }
          return sizeof(struct s) + sizeof(struct { t f; });
        }
        """,
        """\
        struct __cs_struct_1
        {
          int b;
        };
        struct s
        {
          int a;
          struct __cs_struct_1 c;
        };
        struct s v;
        struct __cs_struct_2
        {
          int d;
        };
        typedef struct __cs_struct_2 t;
        struct s__cs_1
        {
          char e;
        };
        enum __cs_enum_1
        {
          RED,
          BLUE
        };
        typedef struct s__cs_1 t__cs2;
        struct s__cs_2
        {
          t__cs2 inner;
        };
        struct __cs_struct_3
        {
          t__cs2 f;
        };
        int main(void)
        {
          struct s__cs_1 w;
          unsigned int colour;
          t__cs2 x;
          struct s__cs_2 y;
          w.e = 1;
          colour = BLUE;
          x = w;
          y.inner = x;
          return y.inner.e;
          return (sizeof(struct s__cs_1)) + (sizeof(struct __cs_struct_3));
        }
        """,
    )


def test_enumerators_are_names_too(assert_scoped):
    assert_scoped(
        """
        enum { N = 1 };
        int main(void)
        {
          enum { N = N + 1, M = N };
          int a[M] = {N};
          {
            int M = 7;
            a[0] = M;
          }
          return N;
        }
        """,
        """\
        enum __cs_enum_1
        {
          N = 1
        };
        enum __cs_enum_2
        {
          N__cs2 = N + 1,
          M = N__cs2
        };
        int main(void)
        {
          int a[2];
          int M__cs2;
          a[0] = N__cs2;
          a[1] = 0;
          M__cs2 = 7;
          a[0] = M__cs2;
          return N__cs2;
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


def test_members_and_labels_have_name_spaces_of_their_own(assert_scoped):
    assert_scoped(
        """
        int x;
        struct s { int x, y; };
        int main(void)
        {
          struct s s = {.y = 1, .x = 2}, *p = &s;
          int x = s.x + p->y, y = x;
          goto x;
        x:
          return y;
        }
        """,
        """\
        int x;
        struct s
        {
          int x;
          int y;
        };
        int main(void)
        {
          struct s s;
          struct s *p;
          int x__cs2;
          int y;
          s.x = 2;
          s.y = 1;
          p = &s;
          x__cs2 = s.x + p->y;
          y = x__cs2;
          goto x;
          x:
          return y;
        }
        """,
    )


def test_the_length_of_an_array_comes_from_its_initialiser(assert_scoped):
    assert_scoped(
        """
        int a[] = {1, 2, [4] = 5};
        char s[] = "ab\\n";
        int m[][2] = {{1, 2}, {3}};
        int main(void)
        {
          char t[] = "x";
          int n[sizeof(a) / sizeof(a[0])];
          return 0;
        }
        """,
        """\
        int a[5] = {1, 2, [4] = 5};
        char s[4] = "ab\\n";
        int m[2][2] = {{1, 2}, {3}};
        int main(void)
        {
          char t[2];
          int n[5];
          t[0] = 120;
          t[1] = 0;
          n[0] = __CSEQ_nondet_int();
          n[1] = __CSEQ_nondet_int();
          n[2] = __CSEQ_nondet_int();
          n[3] = __CSEQ_nondet_int();
          n[4] = __CSEQ_nondet_int();
          return 0;
        }
        """,
    )


def test_parameters_are_pointers_where_c_says_so(assert_scoped):
    assert_scoped(
        """
        int f(int a[3], int g(void), char *m[][2])
        {
          return a[0];
        }
        int main(void)
        {
          return 0;
        }
        """,
        """\
        int f(int *a, int (*g)(void), char *(*m)[2])
        {
          return a[0];
        }
        int main(void)
        {
          return 0;
        }
        """,
    )


def test_compound_literals_are_variables(assert_scoped):
    assert_scoped(
        """
        struct s { int a, b; };
        int f(struct s *p, int *q);
        int main(void)
        {
          f(&(struct s){1, 2}, 0);
          return f(0, (int[]){3});
        }
        """,
        """\
        struct s
        {
          int a;
          int b;
        };
        int f(struct s *p, int *q);
        int main(void)
        {
          struct s __cs_literal_1;
          int __cs_literal_2[1];
          f((__cs_literal_1.a = 1, __cs_literal_1.b = 2, &__cs_literal_1), 0);
          return f(0, (__cs_literal_2[0] = 3, __cs_literal_2));
        }
        """,
    )


def test_what_is_const_can_be_given_its_value(assert_scoped):
    assert_scoped(
        """
        typedef const int fixed;
        const int n = 1;
        int main(void)
        {
          const int a = n;
          fixed b = a;
          const char *const c = "x";
          fixed d[1] = {b};
          return *c;
        }
        """,
        """\
        typedef const int fixed;
        const int n = 1;
        int main(void)
        {
          int a;
          int b;
          const char *c;
          int d[1];
          a = n;
          b = a;
          c = "x";
          d[0] = b;
          return *c;
        }
        """,
    )


def test_a_local_that_is_atomic_stays_so(assert_scoped):
    assert_scoped(
        """\
        int main(void)
        {
          const _Atomic int n = 1;
          _Atomic(int *) p = 0;
        }
        """,
        """\
        int main(void)
        {
          _Atomic int n;
          int * _Atomic p;
          n = 1;
          p = 0;
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
    compiler.check(prelude + translated("scoper", program))


def test_each_assignment_has_the_line_of_its_declarator(translated):
    unit = translated.unit("scoper", "int main(void)\n{\n  int a = 1,\n      b = 2;\n  int c;\n  return a;\n}\n")
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
    assert translated.refusal("scoper", text, UnsupportedError) == message
