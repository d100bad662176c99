"""Checks of reproducers that hold for every program: each is the user's text, compiles, and fails every time."""

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cseq.c.numbering import flat
from cseq.model.verdict import Outcome
from cseq.reproducer import running
from cseq.reproducer.making import CannotReproduceError, Source, reproducer
from cseq.reproducer.program import ReproducerProgram

NO_32_BITS = "it needs 32 bits, and the C compiler makes no such programs here"

_CALL = re.compile(r"\bCSEQ_\w+\(")
_AROUND = frozenset({"CSEQ_AFTER(", "CSEQ_DONE_AFTER(", "CSEQ_AFTER_FAIL("})  # the value of an expression
_ARGUMENT = re.compile(r'(?:"(?:\\.|[^"\\])*"|[^",])*,')


def check_reproducer(
    files: Sequence[str | Path], outcome: Outcome, times: int = 100, **values: Any
) -> ReproducerProgram:
    """Check that the reproducer of *outcome*, found with ``moves=True`` and *values*, fails as expected *times* times.

    Skips the test where the bug needs 32 bits and the machine cannot compile 32-bit programs.
    """
    source = Source(tuple(map(str, files)), define=tuple(values.get("define", ())), bits=values.get("bits", 64))
    try:
        program = reproducer(outcome, source)
    except CannotReproduceError as error:
        if NO_32_BITS in str(error):
            pytest.skip(NO_32_BITS)
        raise
    for file in source.files:
        assert without_calls(program.text).count(without_calls(flat(Path(file)))) == 1, "the text has changed"
    with tempfile.TemporaryDirectory() as folder:
        binary = running.compiled(program, Path(folder))
        assert isinstance(binary, Path), binary
        wrong = [why for why in running.runs(program, binary, times, at_once=12) if why]
    assert not wrong, (len(wrong), wrong[0])
    return program


def without_calls(text: str) -> str:
    """*text* without the calls that are inserted, the braces around them, and without blanks."""
    out = []
    last = 0
    for match in _CALL.finditer(text):
        if match.start() < last:
            continue
        depth, end = 1, match.end()
        while depth and end < len(text):
            depth += (text[end] == "(") - (text[end] == ")")
            end += 1
        kept = ""
        if match.group() in _AROUND:
            first = _ARGUMENT.match(text, match.end())
            assert first is not None
            kept = without_calls(text[first.end() : end - 1])
        while not kept and text[end : end + 1] in (";", ","):
            end += 1
        before = text[last : match.start()]
        out += [before.removesuffix(", ") if text[end : end + 1] == ")" and not kept else before, kept]
        last = end
    return re.sub(r"[\s{}]", "", "".join([*out, text[last:]]))
