"""The shadow-memory stage: a step program that notes where it reads what it has not written."""

import re

import pytest


@pytest.fixture
def shadowed(translated):
    """What becomes of the statements of main: the lines that say what is defined, or have to be."""
    translated.use("explicit")

    def run(statements: str, stage: str = "shadow_memory") -> list[str]:
        program = f"#include <string.h>\nint g, h;\nint main(void)\n{{\n{statements}\nreturn 0;\n}}\n"
        text = translated(stage, program)
        text = text[text.index("static void __cs_run_main") : text.index("const unsigned int __CSEQ_most_threads")]
        return [line.strip() for line in text.splitlines() if re.search(r"__CSEQ_(undefine|defined?)\(", line)]

    return run


def test_what_is_never_undefined_is_not_tracked(shadowed):
    assert shadowed("int y = 1;\ng = y;") == []


def test_a_store_defines_and_a_load_asks(shadowed):
    assert shadowed("int y;\nif (g) y = 2;\nif (g) g = y;")[:3] == [
        "__CSEQ_undefine(&__cs_f->y, sizeof(__cs_f->y));",
        "__cs_f->y = 2, __CSEQ_define(&__cs_f->y, sizeof(__cs_f->y));",
        "g = (__CSEQ_defined(&__cs_f->y, sizeof(__cs_f->y), "
        '"program.c:7: `y` is read before it is written"), __cs_f->y);',
    ]


def test_what_is_dead_is_defined_again(shadowed):
    assert shadowed("int y;\nif (g) y = 2;\nif (g) g = y;")[-1] == (
        "__cs_f->y = 0, __CSEQ_define(&__cs_f->y, sizeof(__cs_f->y));"
    )


def test_the_program_has_room_for_a_bit_of_each_byte(translated):
    translated.use("explicit")
    head = "int g;\nint main(void) { int y; "
    tracked = translated("shadow_memory", head + "if (g) y = 2; if (g) g = y; return 0; }\n")
    assert "__CSEQ_STATE unsigned char __cs_undefined[__cs_undefined_bytes];" in tracked
    assert "__CSEQ_STATE unsigned char __cs_undefined[" not in translated(
        "shadow_memory", head + "y = 2; g = y; return 0; }\n"
    )
