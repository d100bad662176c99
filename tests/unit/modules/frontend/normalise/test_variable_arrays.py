"""Variable-length arrays become pointers to their elements."""

from textwrap import dedent

import pytest

from cseq.model.errors import UnsupportedError


def test_arrays_and_their_sizes(translated):
    before = "int n;\nint main(void) { int a[n], b[2][n]; a[1] = sizeof a; b[1][n] = 2; }\n"
    after = """\
        int main(void)
        {
          long __cs_length_1;
          int *a;
          long __cs_length_2;
          int *b;
          __cs_length_1 = n;
          __CSEQ_check(__cs_length_1 > 0, "reachability.no_length");
          a = (int *) __CSEQ_allocate(((unsigned long) __cs_length_1) * (sizeof(int)));
          __cs_length_2 = n;
          __CSEQ_check(__cs_length_2 > 0, "reachability.no_length");
          b = (int *) __CSEQ_allocate(((unsigned long) (2 * __cs_length_2)) * (sizeof(int)));
          a[1] = ((unsigned long) __cs_length_1) * (sizeof(int));
          (b + (1 * __cs_length_2))[n] = 2;
        }
        """
    assert translated("normalise", before, "main") == dedent(after)


def test_pointers_to_arrays(translated):
    before = "void f(int n, int (*p)[n]) { p[1][2] = 3; p++; }\nint main(void) { static int m[2][3]; f(3, m); }\n"
    after = """\
        void f(int n, int *p)
        {
          long __cs_length_1;
          __cs_length_1 = n;
          __CSEQ_check(__cs_length_1 > 0, "reachability.no_length");
          (p + (1 * __cs_length_1))[2] = 3;
          (p += __cs_length_1) - __cs_length_1;
        }
        int main(void)
        {
          f(3, (int *) m);
        }
        """
    assert translated("normalise", before, "f", "main") == dedent(after)


def test_a_length_that_a_constant_object_has_is_constant(translated):
    before = "const int n = 2;\nint main(void) { const int m = n + 1; static char *p; char a[m]; p = a; }\n"
    assert "char a[3];" in translated("normalise", before, "main")


def test_the_length_of_a_parameter_is_not_evaluated(translated):
    before = "int n;\nint f(int a[n++]) { return a[0]; }\nint main(void) { return f(&n); }\n"
    after = """\
        int f(int *a)
        {
          return a[0];
        }
        """
    assert translated("normalise", before, "f") == dedent(after)


@pytest.mark.parametrize(
    "declaration",
    [
        "_Alignas(32) char a[n];",
        "struct s { _Alignas(32) char c; } a[n][2];",
        "struct s { int x; } __attribute__((aligned(64))); struct s a[2][n];",
        "void *a = __builtin_alloca_with_align(n, 256);",
    ],
)
def test_memory_that_is_aligned_to_more_than_blocks_is_refused(translated, declaration):
    with pytest.raises(UnsupportedError, match="align"):
        translated("normalise", f"int n;\nint main(void) {{ {declaration} }}\n", strict=True)


@pytest.mark.parametrize("declaration", ["_Alignas(16) char a[n];", "void *a = __builtin_alloca_with_align(n, 128);"])
def test_memory_that_is_aligned_as_blocks_is_allocated(translated, declaration):
    assert "__CSEQ_allocate(" in translated("normalise", f"int n;\nint main(void) {{ {declaration} }}\n", "main")
