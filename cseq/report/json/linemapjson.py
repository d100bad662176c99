"""The line map as JSON, for programs that use a sequentialized program without CSeq; described in docs/linemap.md."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cseq.version import __version__

if TYPE_CHECKING:
    from cseq.model.origin import Origin
    from cseq.model.trace import Thread
    from cseq.pipeline.stage import Unit

SCHEMA = 1
"""Grows when a member changes its meaning or is removed; members may be added without notice."""

_FUNCTION = re.compile(r"^\w[^;={]*?\b(\w+)\(.*\)$")
"""Matches the first line of the definition of a function, whose body begins on the next line."""


def render(
    programs: Sequence[dict[str, Any]], inputs: Sequence[str], parameters: Mapping[str, Any], before: int = 0
) -> str:
    """The object as text, with a final newline.

    programs: made by `program`. inputs: the user's files. parameters: the values with which the chain ran.
    before: the number of lines that are printed before each program.
    """
    shifted = [{**program, "lines": [None] * before + program["lines"]} for program in programs]
    report = {
        "schema": SCHEMA,
        "cseq": __version__,
        "inputs": list(inputs),
        "parameters": {name: value for name, value in parameters.items() if name != "property"},
        "programs": shifted,
    }
    return json.dumps(report, indent=1) + "\n"


def program(
    unit: Unit, property_: str | None, threads: Sequence[Thread] = (), functions: Mapping[str, int] | None = None
) -> dict[str, Any]:
    """The description of the program *unit*, which checks the property *property_*.

    threads: the threads of the program. functions: its functions that are threads → their numbers.
    """
    lines = unit.text.splitlines()
    running = _threads(lines, functions or {})
    return {
        "property": property_,
        "threads": [{"number": thread.number, "function": thread.function} for thread in threads],
        "lines": [
            _line(unit.linemap[number], thread)
            for number, thread in zip(range(1, len(lines) + 1), running, strict=True)
        ],
    }


def _threads(lines: Sequence[str], functions: Mapping[str, int]) -> Iterator[int | None]:
    """For each line the number of the thread whose function contains it."""
    thread: int | None = None
    for number, line in enumerate(lines):
        found = _FUNCTION.match(line) if lines[number + 1 : number + 2] == ["{"] else None
        if found is not None:
            thread = functions.get(found.group(1))
        yield thread
        if line == "}":
            thread = None


def _line(origin: Origin | None, thread: int | None) -> dict[str, Any] | None:
    """The origin of a line; None if it comes from no line of the user's and no thread executes it."""
    from cseq.model.origin import is_ours

    if is_ours(origin):
        if thread is None:
            return None
        origin = None
    return {
        "file": origin.file if origin else None,
        "line": origin.line if origin else None,
        "column": (origin.column or None) if origin else None,
        "function": origin.function if origin else None,
        "thread": thread,
        "calls": [call._asdict() for call in origin.path] if origin else [],
        "iteration": list(origin.iteration) if origin else [],
    }
