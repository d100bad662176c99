"""The module of the thread library: what the program calls, and the constants that this needs."""

import re
from collections.abc import Iterable

from cseq.modules.tla.spec import Operator, Specification
from cseq.modules.tla.writer.pretty import boxed, definition, remark

_WORD = re.compile(r'"(?:\\.|[^"\\])*"|[A-Za-z_]\w*')

THREADS = "Threads"
"""The set of the numbers of threads."""


def library_name(specification: Specification) -> str:
    """The name of the module."""
    return f"{specification.name}_library"


def words_of(text: str) -> set[str]:
    """The names in a TLA+ text."""
    return {word for word in _WORD.findall(text) if word[0] != '"'}


def constants_of_library(specification: Specification) -> list[Operator]:
    """The constants that its operators mention, with those that these mention, in their order."""
    needed = {word for operator in specification.library for word in words_of(operator.body)}
    found: list[Operator] = []
    for constant in reversed(specification.constants):
        if constant.name in needed:
            found.insert(0, constant)
            needed |= words_of(constant.body)
    return found


def library_module(specification: Specification, header: str) -> str:
    """The text of the module. header: how its first lines say where it comes from."""
    name, constants = library_name(specification), constants_of_library(specification)
    lines = [
        f" MODULE {name} ".center(78, "-"),
        *boxed([header, "What the program calls of the thread library and the C library."]),
        "EXTENDS CMemory",
        "",
        *definition(THREADS, f"0 .. {specification.threads - 1}"),
        *(["", remark("Members, by the numbers of their cells, and other constants")] if constants else []),
        *operators(constants, spaced=False),
        *operators(specification.library),
        "=" * 78,
    ]
    return "\n".join(lines) + "\n"


def operators(definitions: Iterable[Operator], spaced: bool = True) -> list[str]:
    """The lines of *definitions*. spaced: with an empty line before each."""
    lines: list[str] = []
    for operator in definitions:
        lines += [""] if spaced else []
        lines += [remark(line) for line in operator.comment.split("\n") if line]
        if operator.recursive:
            places = f"({', '.join('_' for _ in operator.parameters)})" if operator.parameters else ""
            lines.append(f"RECURSIVE {operator.name}{places}")
        parameters = f"({', '.join(operator.parameters)})" if operator.parameters else ""
        lines += definition(operator.name + parameters, operator.body)
    return lines
