"""What `cseq linearize` is asked to check: a data structure with its operations."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from cseq.c.scanner import is_name
from cseq.model.errors import InputError, UsageError
from cseq.model.origin import Origin

LINEARIZABLE, SEQUENTIAL, QUIESCENT = "linearizable", "sequential", "quiescent"
CONSISTENCIES = (LINEARIZABLE, SEQUENTIAL, QUIESCENT)
"""What results are right: those of a sequential order of the calls that keeps what finished before what began; that
keeps the order in each thread; that keeps what was apart, with a moment at which no call was going on between them."""

_RANGE = re.compile(r"\{([^{}]*)\}")
_MOST_VALUES = 64


@dataclass(frozen=True)
class Text:
    """A piece of C, and where the user wrote it."""

    text: str
    origin: Origin | None = None


@dataclass(frozen=True)
class StateObject:
    """An object at file level. declaration: without initializer. value: what main assigns to it; empty for none."""

    declaration: str
    value: str = ""
    origin: Origin | None = None


@dataclass(frozen=True)
class Call:
    """An operation with one value for each of its arguments. number: from 1 on, among the calls of a structure.

    label: the call as the user reads it. code: an expression, or the block of a function (`has_body`).
    role: at most one thread of a scenario makes calls of the same role; empty for no role.
    """

    number: int
    label: str
    code: str
    has_body: bool = False
    role: str = ""
    origin: Origin | None = None


def divided(text: str) -> tuple[str, str]:
    """An operation as what comes before its body, and the body with its braces; empty where there is none."""
    depth = 0
    for position, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "{" and depth == 0:
            return text[:position], text[position:]
    return text, ""


@dataclass(frozen=True)
class Operation:
    """A call, with ranges for arguments, or a function with a body.

    Examples: ``queue_push(q, {1..2})``; ``add(int x = {1..2}) { return set_add(s, x); }``.
    """

    text: str
    role: str = ""
    origin: Origin | None = None

    def calls(self, first: int) -> list[Call]:
        """The calls, with one value of each range; they are numbered from *first* on. Raises InputError."""
        head, body = divided(self.text)
        if body:
            return self._with_body(head, body, first)
        pieces = _RANGE.split(self.text.strip())
        values = [self._values(text) for text in pieces[1::2]]
        found = []
        for number, chosen in enumerate(itertools.product(*values), first):
            parts = [pieces[0]]
            for value, piece in zip(chosen, pieces[2::2], strict=True):
                parts += [value, piece]
            text = "".join(parts)
            found.append(Call(number, " ".join(text.split()), text, role=self.role, origin=self.origin))
        return found

    def _with_body(self, head: str, body: str, first: int) -> list[Call]:
        name, parenthesis, rest = head.strip().partition("(")
        if not is_name(name.strip()):
            raise InputError(f"`{name.strip()}` is not the name of an operation", self.origin)
        parameters = [] if not parenthesis else list(self._parameters(rest.rstrip().removesuffix(")")))
        found = []
        for number, chosen in enumerate(itertools.product(*(values for _, values in parameters)), first):
            given = "".join(f"{declared} = {value}; " for (declared, _), value in zip(parameters, chosen, strict=True))
            label = f"{name.strip()}({', '.join(chosen)})"
            found.append(Call(number, label, f"{{ {given}{body} }}", True, self.role, self.origin))
        return found

    def _parameters(self, text: str) -> Iterator[tuple[str, list[str]]]:
        """The parameters ``TYPE NAME = {RANGE}``, with the values of each."""
        while text.strip():
            declared, equals, rest = text.partition("=")
            found = _RANGE.match(rest.strip())
            if not equals or found is None:
                raise InputError(
                    f"a parameter of an operation is `TYPE NAME = {{RANGE}}`, not `{text.strip()}`", self.origin
                )
            yield declared.strip(" ,\n\t"), self._values(found.group(1))
            text = rest.strip()[found.end() :]

    def _values(self, text: str) -> list[str]:
        """The values of ``1..3``, of ``1, 5`` or of both. Raises InputError for too many, or none."""
        values: list[str] = []
        for part in text.split(","):
            low, dots, high = part.partition("..")
            if not dots:
                values.append(part.strip())
                continue
            try:
                values += [str(value) for value in range(int(low, 0), int(high, 0) + 1)]
            except ValueError:
                raise InputError(f"`{{{text}}}` is not a range of integers, such as {{1..2}}", self.origin) from None
        if not all(values) or not 0 < len(values) <= _MOST_VALUES:
            raise InputError(f"`{{{text}}}` has no value, or more than {_MOST_VALUES}", self.origin)
        return values


@dataclass(frozen=True)
class Structure:
    """A data structure and how to check it.

    files: C files with its code. headers: those that the scenarios include. model: C files that implement the same
    functions for the sequential runs; without them, the code itself is run.
    threads, calls: of the largest scenarios, by threads and by calls of each.
    """

    files: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    model: tuple[str, ...] = ()
    states: tuple[StateObject, ...] = ()
    setup: tuple[Text, ...] = ()
    teardown: tuple[Text, ...] = ()
    invariants: tuple[Text, ...] = ()
    operations: tuple[Operation, ...] = ()
    sizes: tuple[tuple[int, int], ...] = ()
    consistency: str = LINEARIZABLE

    @cached_property
    def all_calls(self) -> tuple[Call, ...]:
        """The calls of all operations. Raises InputError."""
        calls: list[Call] = []
        for operation in self.operations:
            calls += operation.calls(len(calls) + 1)
        return tuple(calls)

    @property
    def beside(self) -> tuple[str, ...]:
        """The files that belong to the program of a scenario besides its own; without headers it includes them."""
        return self.files if self.headers else ()

    @property
    def specifying(self) -> tuple[str, ...]:
        """Those that belong to the program for sequential orders."""
        return self.model if self.model and self.headers else self.beside

    def adding(self, **more: Iterable[Any]) -> Structure:
        """The same structure with *more* of what there may be several of, such as `operations`."""
        joined: dict[str, Any] = {name: (*getattr(self, name), *values) for name, values in more.items()}
        return replace(self, **joined)

    def call(self, number: int) -> Call:
        """The call with this number."""
        return self.all_calls[number - 1]


MOST_CALLS = 200
MOST_THREADS, MOST_IN_THREAD = 4, 6


def check(structure: Structure) -> None:
    """Raise UsageError if there is nothing to check, or too much of it for a scenario to be written."""
    if not structure.files and not structure.headers:
        raise UsageError("no C file with the code of the data structure")
    if not structure.operations:
        raise UsageError("no operation: --op 'queue_push(q, {1..2})', or --header with --type to find them")
    if len(structure.all_calls) > MOST_CALLS:
        raise UsageError(
            f"{len(structure.all_calls)} different calls are more than {MOST_CALLS}: shorten the ranges of arguments"
        )
    for threads, calls in structure.sizes:
        if not 1 <= threads <= MOST_THREADS or not 1 <= calls <= MOST_IN_THREAD:
            raise UsageError(
                f"{threads} threads of {calls} calls: there may be 1 to {MOST_THREADS} threads of 1 to {MOST_IN_THREAD}"
            )
        if (len(structure.all_calls) + 1) ** calls >= 1 << 28:
            raise UsageError(
                f"{calls} calls out of {len(structure.all_calls)} different ones are too many: use fewer of either"
            )
