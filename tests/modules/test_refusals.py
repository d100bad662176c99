"""What the parser takes and the scoper does not lower yet is refused with its place and name."""

from __future__ import annotations

import pytest

from cseq.errors import UnsupportedError


@pytest.mark.parametrize(
    "statement, construct",
    [
        ("x = ({ int y = 1; y; });", "a statement expression `({ … })`"),
        ("switch (x) { case 1 ... 3: ; }", "a range `… ... …`"),
        ("int a[] = {[0 ... 2] = 1};", "a range `… ... …`"),
        ("x = x ?: 2;", "a conditional `… ?: …` without its second operand"),
        ('asm("nop");', "`asm`"),
        ("void *p = &&end; end: ;", "the address of a label `&&…`"),
        ("goto *(void *) 0;", "a computed `goto`"),
        ("typeof(x) y;", "`typeof`"),
        ("__auto_type y = x;", "`__auto_type`"),
        ("x = _Generic(x, int: 1);", "`_Generic`"),
        ("_Alignas(8) int y;", "`_Alignas`"),
        ("int y __attribute__((aligned(8)));", "the attribute `aligned`"),
        ("struct __attribute__((packed)) { char c; int i; } y;", "the attribute `packed`"),
        ("x = __alignof__ x;", "`__alignof__`"),
        ("x = __real__ x;", "`__real__`"),
        ("x = 1.0f16;", "a constant of type `_Float16`"),
        ("x = 2i;", "a constant of type `_Complex int`"),
        ("__int128 y;", "the type `__int128`"),
        ("_Float64 y;", "the type `_Float64`"),
    ],
)
def test_a_construct_is_refused_with_its_place_and_name(translated, statement, construct):
    text = f"int x;\nint main(void)\n{{\n  {statement}\n  return 0;\n}}\n"
    assert translated.refusal("scoper", text, UnsupportedError) == f"program.c:4: {construct} is not supported"


def test_an_asm_at_file_level_is_refused(translated):
    text = 'int x;\nasm("nop");\nint main(void) { return 0; }\n'
    assert translated.refusal("scoper", text, UnsupportedError) == "program.c:2: `asm` is not supported"
