"""Expressions: what of them only GNU C or C11 have, and names in them."""

from __future__ import annotations


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
