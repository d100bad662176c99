"""A replay on values that an engine reports by the place of their choice, and perhaps not all of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cseq.backends.records import Record, Tag
from cseq.modules.symbolic.encode.instrumenter import Instrumented

_CHOICE = re.compile(r"\b(__CSEQ_nondet_\w+)\(\)")
_HAVOC = "__CSEQ_havoc"


class Choices:
    """The values in *chosen*, each with its line in the sequentialized program *text*, or its primitive."""

    def __init__(self, chosen: Sequence[tuple[int | str, int]], text: str) -> None:
        self._chosen = chosen
        self._lines = [number for number, line in enumerate(text.splitlines(), 1) if _CHOICE.search(line)]
        self._numbers: dict[int | str, int] = {}
        self._by_kind = {place for place, _ in chosen if isinstance(place, str)}

    def fits(self, program: Instrumented) -> bool:
        """Whether the replay's *program* has the same choices as the text."""
        return len(self._rows(program)) == len(self._lines)

    def text(self, program: Instrumented) -> str:
        """The replay's *program*, in which the place of each choice is set before the choice."""
        lines = program.text.splitlines()
        for row, line in zip(self._rows(program), self._lines, strict=True):
            for call in set(_CHOICE.findall(lines[row])):
                lines[row] = lines[row].replace(f"{call}()", self._led(call, line))
        return "\n".join([*lines, ""])

    @staticmethod
    def _rows(program: Instrumented) -> list[int]:
        lines = program.text.splitlines()
        return [row for row in range(program.before, len(lines)) if _CHOICE.search(lines[row])]

    def given(self) -> str:
        """Definitions for the runtime: the values, and the place of the choices that give objects any value."""
        values = ", ".join(f"{{ {self._number(place)}, 0, {value}ULL }}" for place, value in self._chosen)
        havoc = f"#define __CSEQ_HAVOC_PLACE __CSEQ_place = {self._number(_HAVOC)}\n"
        return f"#define __CSEQ_GIVEN {values or '{ 0, 1, 0 }'}\n{havoc}"

    def _led(self, primitive: str, line: int) -> str:
        place = primitive if primitive in self._by_kind else line
        return f"(__CSEQ_place = {self._number(place)}, {primitive}())"

    def _number(self, place: int | str) -> int:
        return self._numbers.setdefault(place, len(self._numbers) + 1)


def missing(reported: Sequence[Record]) -> int:
    """The number of values that the replay needed but the engine did not report, according to its output."""
    return sum(record.tag is Tag.MISSING for record in reported)
