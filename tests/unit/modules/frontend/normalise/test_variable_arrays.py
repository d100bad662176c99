"""Variable-length arrays become pointers to their elements."""

import pytest

from cseq.model.errors import UnsupportedError


def test_a_length_that_a_constant_object_has_is_constant(translated):
    before = "const int n = 2;\nint main(void) { const int m = n + 1; static char *p; char a[m]; p = a; }\n"
    assert "char a[3];" in translated("normalise", before, "main")


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
