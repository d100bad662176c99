"""The command `cseq run`: explore the runs of a program that was compiled by cseq-cc or cseq-c++."""

from __future__ import annotations

import os
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from cseq.model.errors import UsageError

if TYPE_CHECKING:
    from cseq.cli.options import Command
    from cseq.cli.request import Request
    from cseq.pipeline.stage import Parameter

_ABOUT = """Search for concurrency bugs in a program that was compiled by cseq-cc or cseq-c++.

CSeq runs PROGRAM with its arguments many times, under different schedules. If PROGRAM was not compiled by cseq-cc or
cseq-c++ (ctest, make, a script), CSeq explores each program that it starts and that was.

Exit status: 0 no violation found, 1 violation, 2 the program or the command line is at fault, 3 no verdict."""

REPORTS = frozenset({"--cex", "--explain", "--json", "--sarif", "--quiet", "--verbose", "--html", "--keep", "--help"})
"""Those of our own options that are about reports of a run."""

_FROM_WORDS = frozenset({"backend", "args", "built", "deadlock", "race"})
"""Parameters that are no options here."""

_MEANING = {
    "env": "run the program in an environment of only these variables (without it, in the environment of this command)",
    "stdin": "let the program read the contents of FILE from its standard input (without it, nothing)",
    "seed": "the seed of the first run; with --jobs 1, the same seed makes the same runs",
}
"""What parameters of all families mean for a program that is run."""


def parameters() -> list[Parameter[object]]:
    """The parameters of the stages that run a program which is there already."""
    from cseq.pipeline.chain import load

    chain = load("compiled")
    taken = {parameter.name for _, stage in chain.chosen({"built": True}) for parameter in stage.takes}
    return [
        replace(one, help=_MEANING.get(one.name, one.help))
        for one in chain.parameters().values()
        if one.name in taken - _FROM_WORDS
    ]


def command() -> Command:
    """The command with its options."""
    from cseq.cli.options import command_to_run

    return command_to_run("cseq run", _ABOUT, parameters(), REPORTS)


def run_command(words: list[str]) -> int:
    """Do what `cseq run` is asked for in *words*; returns the exit status. Raises CSeqError."""
    from cseq.cli.console import write
    from cseq.cli.options import parsed

    given = tuple(words)
    found = parsed(command(), words)
    if isinstance(found, str):
        return write(found)
    own, values = found
    program = list(own.pop("program", ()))
    if not program:
        raise UsageError("no program to run (`cseq run --help` lists the options)")
    from cseq.modules.compiled.programs import EXPLORE, is_instrumented, located

    path = located(program[0])
    if not is_instrumented(path):
        from cseq.cli.launching import launch

        return launch([path, *program[1:]], own, values, given[: len(given) - len(program)])
    request = request_for(path, program[1:], own, values, given)
    if EXPLORE in os.environ:
        from cseq.cli.launching import explored

        return explored(request)
    from cseq.cli.perform import perform

    return perform(request)


def request_for(
    path: str, arguments: list[str], own: dict[str, Any], values: dict[str, Any], words: tuple[str, ...]
) -> Request:
    """The request to explore the program *path*. Raises UsageError for options that cannot be combined."""
    from cseq.cli.options import printed, written
    from cseq.cli.request import Request
    from cseq.cli.validation import check
    from cseq.pipeline.chain import load
    from cseq.portfolio.families import OneChain

    way, _ = OneChain(load("compiled")).ways({**values, "built": True, "args": shlex.join(arguments)})
    request = Request(
        files=(path,),
        way=way,
        given=frozenset(values),
        printed=printed(own),
        written=written(own),
        words=("run", *words),
    )
    check(request)
    return request
