"""Declarators: names that are taken, tags, types and lengths."""

from __future__ import annotations


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
