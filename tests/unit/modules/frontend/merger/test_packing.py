"""`#pragma pack` is an attribute of records until the normalisation gives their members their alignments."""

import pytest

from cseq.model.errors import UnsupportedError


def test_what_is_on_the_stack_counts(translated):
    text = translated(
        "normalise",
        "#pragma pack(push, 2)\nstruct a { char c; int i; unsigned b : 3; };\n"
        "#pragma pack(1)\nstruct b { long l; char c; };\n#pragma pack(pop)\nstruct c { long l; char c; };\n"
        "int main(void) { struct a x; struct b y; struct c z; return sizeof(x) + sizeof(y) + sizeof(z); }\n",
    )
    assert "int i __attribute__((packed, aligned(2)));" in text
    assert "long l __attribute__((packed));" in text
    assert "struct c\n{\n  long l;\n" in text


def test_what_is_not_understood_is_refused(translated):
    text = "#pragma pack(push, 3)\nint main(void) { return 0; }\n"
    message = "program.c:1: `#pragma pack(push, 3)` is not supported"
    assert translated.refusal("merger", text, UnsupportedError) == message


@pytest.mark.parametrize("pragma", ["pack(push)", "pack(pop)", "pack()", "pack(push, name, 4)", "pack(pop, name)"])
def test_spellings(translated, pragma):
    text = f"struct s {{ char c; long l; }};\n#pragma {pragma}\nint main(void) {{ struct s x; return sizeof x; }}\n"
    assert "pragma" not in translated("merger", text)
