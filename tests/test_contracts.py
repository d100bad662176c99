"""The contracts of the design, checked for every stage on many programs."""

from __future__ import annotations

import re
from itertools import zip_longest
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
PROGRAMS = sorted((HERE / "behaviour").glob("*.c"))
UNWIND = {"recursion": 6}


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_behaviour_is_preserved(path, translated, compiler, prelude, epilogue):
    expected = compiler.run(prelude + path.read_text() + epilogue, f"-I{path.parent}")
    units = translated.units(path, until="sequentializer", unwind=UNWIND.get(path.stem, 13))
    for stage, unit in units:
        assert first_difference(compiler.run(prelude + sequential(unit.text) + epilogue), expected) is None, f"behind the {stage}"


def sequential(text: str) -> str:
    """The program *text* of a stage as one that runs: the only thread is never switched out."""
    text = re.sub(
        r"(\w+) = __CSEQ_nondet_bits_\d+\(\);\n\s*(__CSEQ_assume\(\1 <= (\d+)\);)", r"\1 = \3;\n\2", text
    )
    return text.replace("__CSEQ_assume(0);", "exit(0);")


def first_difference(found: str, expected: str) -> str | None:
    """The first line of *found* that is not as *expected*, and what it should be."""
    for one, other in zip_longest(found.splitlines(), expected.splitlines()):
        if one != other:
            return f"{one} instead of {other}"
    return None
