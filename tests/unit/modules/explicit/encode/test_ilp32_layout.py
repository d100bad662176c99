"""The narrower: what is compiled for x32 has the layout of i386."""

import random
import re
import subprocess
from pathlib import Path

import pytest

from cseq.c import parse
from cseq.c.preprocess import compiler
from cseq.model.errors import UnsupportedError
from cseq.modules.explicit.encode.ilp32_layout import Ilp32Layout
from cseq.pipeline.stage import Unit
from tests.unit.c.test_layout import record


@pytest.fixture
def narrowed(translated):
    """What becomes of a program."""
    translated.use("explicit")

    def run(text: str, bits: int = 32) -> str:
        return Ilp32Layout(translated.context(bits=bits)).run(Unit(tree=parse(text))).text

    return run


def test_members_of_eight_bytes_are_aligned_to_four(narrowed):
    text = narrowed("typedef double number; struct s { char c; number d[2]; long long w; int i; } g;\nstruct s h;\n")
    assert "number d[2] __attribute__((packed, aligned(4)));" in text
    assert "long long w __attribute__((packed, aligned(4)));" in text
    assert "int i;" in text
    assert text.count("aligned(4)") == 2


def test_bit_fields_have_a_type_of_their_own(narrowed):
    text = narrowed("struct s { char c; unsigned long long b : 40; int i : 3; };\n")
    assert "typedef unsigned long long __cs_aligned_unsigned_long_long __attribute__((aligned(4)));" in text
    assert "__cs_aligned_unsigned_long_long b : 40;" in text
    assert "int i : 3;" in text


@pytest.mark.parametrize(
    "text",
    [
        "struct s { char c; long long w; } __attribute__((packed)) g;",
        "struct s { char c; _Alignas(8) long long w; } g;",
        "struct s { char c; long long w __attribute__((aligned(16))); } g;",
        "typedef long long wide __attribute__((aligned(8))); struct s { char c; wide w; wide a[2]; } g;",
        "struct s { char c; int i; long l; void *p; float f; } g;",
        "long long w; double d[3];",
    ],
)
def test_what_stays(narrowed, text):
    assert "aligned(4)" not in narrowed(text)


def test_programs_with_64_bits_stay(narrowed):
    text = "struct s\n{\n  long long w;\n} g;\n"
    assert narrowed(text, 64) == text


def test_long_double_is_refused(narrowed):
    with pytest.raises(UnsupportedError, match="`long double`"):
        narrowed("long double x;")


@pytest.mark.engine
@pytest.mark.parametrize("seed", range(2))
def test_bytes_are_those_of_i386(narrowed, tmp_path: Path, seed: int):
    """Each member of generated records is where -m32 puts it: an object per member, of which all bits are set."""
    draw = random.Random(seed)
    types: list[str] = []
    objects: list[str] = []
    while len(types) < 80:
        text = record(draw)
        if "long double" in text or "_Alignas(double)" in text:  # the normalisation turns `_Alignas` into numbers
            continue
        name = f"r{len(types)}"
        types.append(f"typedef {text} {name};")
        body = text[text.index("{") + 1 :]
        for depth, member in _own_members(body):
            if depth == 0:
                objects.append(f"{name} {name}_{member} __attribute__((aligned(64))) = {{ .{member} = -1 }};")
        objects.append(f"int {name}_sizes[2] __attribute__((aligned(64))) = {{ sizeof({name}), _Alignof({name}) }};")
    program = narrowed("\n".join(types))
    theirs = _data(tmp_path, "\n".join([*types, *objects]), "-m32")
    assert _data(tmp_path, "\n".join([program, *objects]), "-mx32") == theirs
    assert len(theirs) > 64 * 100


def _own_members(body: str) -> list[tuple[int, str]]:
    """The members that are numbers, each with how many records it is within."""
    found, depth = [], 0
    for part in re.findall(r"[{}]|[^{};]+", body):
        if part in "{}":
            depth += 1 if part == "{" else -1
        elif (match := re.fullmatch(r"\s*[\w ()]*?(m\d+)(\s*:\s*\d+)?\s*", part)) and "*" not in part:
            found.append((depth, match[1]))
    return found


def _data(folder: Path, text: str, option: str) -> bytes:
    source, made, data = folder / "layout.c", folder / "layout.o", folder / "data"
    source.write_text(text, encoding="utf-8")
    command = [compiler(), "-std=gnu11", "-w", "-fno-zero-initialized-in-bss", option, "-c", str(source)]
    subprocess.run([*command, "-o", str(made)], check=True)
    subprocess.run(["objcopy", "-O", "binary", "-j", ".data", str(made), str(data)], check=True)
    return data.read_bytes()
