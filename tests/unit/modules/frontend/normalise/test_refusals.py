"""What the parser takes and the normalisation does not lower yet is refused with its place and name."""

import pytest

from cseq.model.errors import UnsupportedError


@pytest.mark.parametrize(
    "statement, construct",
    [
        ("void *p = &&end; end: ;", "the address of a label `&&…`"),
        ("goto *(void *) 0;", "a computed `goto`"),
        ("x = __real__ x;", "`__real__`"),
        ("x = 1.0f16;", "a constant of type `_Float16`"),
        ("x = 2i;", "a constant of type `_Complex int`"),
        ("_Float128 y;", "the type `_Float128`"),
    ],
)
def test_a_construct_is_refused_with_its_place_and_name(translated, statement, construct):
    text = f"int x;\nint main(void)\n{{\n  {statement}\n  return 0;\n}}\n"
    assert translated.refusal("normalise", text, UnsupportedError) == f"program.c:4: {construct} is not supported"
