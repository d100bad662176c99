"""The files with which a violation happens again: the reproducer, and the regression test."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from cseq.cli.console import warn
from cseq.cli.request import Request
from cseq.model.errors import UsageError
from cseq.model.verdict import Outcome
from cseq.process.deadline import undisturbed

if TYPE_CHECKING:
    from cseq.reproducer.program import Source

_T = TypeVar("_T")


def check_test(request: Request, folder: Path) -> None:
    """Raise UsageError if the files of a test cannot be written into *folder*, or one of them is there already."""
    from cseq.reproducer.regression import MEMBERS

    if request.printed.program:
        raise UsageError(f"{request.printed.program[0]} and --save-test cannot be combined")
    there = next((folder / name for name in MEMBERS if os.path.lexists(folder / name)), None)
    if there is not None:
        raise UsageError(f"--save-test: {there}: already exists, and is not overwritten")
    parent = folder if folder.is_dir() else folder.absolute().parent
    if os.path.lexists(folder) is not folder.is_dir() or not parent.is_dir() or not os.access(parent, os.W_OK):
        raise UsageError(f"--save-test: {folder} cannot be written")


def write_reproducer(request: Request, outcome: Outcome) -> None:
    """Write the program for `--reproducer`. Raises UsageError if it cannot be written."""
    if request.written.reproducer is None:
        return
    from cseq.reproducer.making import reproducer

    made = _made(request, "--reproducer", lambda source: reproducer(outcome, source).text)
    if made is not None:
        write_file("--reproducer", request.written.reproducer, made, errors="surrogateescape")


def write_test(request: Request, outcome: Outcome) -> None:
    """Write the test for `--save-test`. Raises UsageError if it cannot be written."""
    if request.written.save_test is None:
        return
    from cseq.reproducer.regression import regression

    folder = Path(request.written.save_test)
    members = _made(request, "--save-test", lambda source: regression(outcome, source, folder))
    if members is None:
        return
    try:
        with undisturbed():
            folder.mkdir(exist_ok=True)
            for name, text in members.items():
                with (folder / name).open("x", encoding="utf-8", errors="surrogateescape") as file:
                    file.write(text)
    except OSError as error:
        raise UsageError(f"--save-test: {error.filename or folder}: cannot be written: {error.strerror}") from None


def _made(request: Request, option: str, make: Callable[[Source], _T]) -> _T | None:
    """What *make* makes for *option* of the program; None, after saying why, where it cannot."""
    from cseq.cli.progress import working
    from cseq.model.activity import ActivityKind
    from cseq.reproducer.turns import CannotReproduceError

    try:
        with working(
            not request.printed.for_programs and not request.named, "reproducer", ActivityKind.TRYING_REPRODUCER
        ):
            return make(_source(request))
    except CannotReproduceError as error:
        say_none(request, option, error)
        return None


def _source(request: Request) -> Source:
    """What a program that fails is made from."""
    from cseq.options.environment import ARGUMENTS, INPUT, VARIABLES, variables, words
    from cseq.reproducer.program import Environment, Source

    values = request.values
    outside = Environment(
        tuple(words(ARGUMENTS.of(values) or "")),
        variables(VARIABLES.of(values)) if VARIABLES.of(values) else None,
        INPUT.of(values),
    )
    include, define = tuple(values.get("include", ())), tuple(values.get("define", ()))
    return Source(request.files, include, define, values.get("bits", 64), outside)


def say_none(request: Request, option: str, why: object) -> None:
    """Warn that *option* writes nothing, and why, unless the output is for programs."""
    if not request.printed.for_programs:
        whose = f"{request.named}: " if request.named else ""
        warn([f"{option}: {whose}nothing is written: {why}"])


def write_file(option: str, name: str, text: str, errors: str = "backslashreplace") -> None:
    """Write the *text* for *option* to the file *name*. Raises UsageError if that is not possible."""
    try:
        with undisturbed():
            Path(name).write_text(text, encoding="utf-8", errors=errors)
    except OSError as error:
        raise UsageError(f"{option}: {name}: cannot be written: {error.strerror}") from None
