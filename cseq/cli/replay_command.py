"""The command `cseq replay`: repeat a run that `--save` has written, also in a debugger."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cseq.cli.console import say, warn, write
from cseq.model.errors import BackendError, UsageError

if TYPE_CHECKING:
    from cseq.cli.options import Command
    from cseq.modules.compiled.saved import SavedRun

_ABOUT = """Repeat the run in FILE, which --save has written, with the same program or with another one.

Without PROGRAM, the saved command is run again, in its folder. Exit status: 1 the run fails as before, or in another
way, 0 it no longer fails, 3 the program does not follow the run."""


def command() -> Command:
    """The command with its options."""
    import click

    from cseq.cli.options import command_to_run
    from cseq.cli.run_command import REPORTS
    from cseq.modules.compiled.run_options import TIMES

    times = replace(TIMES, options=("--times",))
    gdb = click.Option(["--gdb", "own_gdb"], is_flag=True, help="Repeat it in gdb, with the program's own threads.")
    file = click.Argument(["own_file"], metavar="FILE", required=False)
    return command_to_run("cseq replay", _ABOUT, [times], REPORTS, [file, gdb])


def replay_command(words: list[str]) -> int:
    """Do what `cseq replay` is asked for in *words*; returns the exit status. Raises CSeqError."""
    from cseq.cli.options import parsed
    from cseq.modules.compiled import saved as runs
    from cseq.modules.compiled.programs import located

    given = tuple(words)
    end = words.index("--") if "--" in words else len(words)
    found = parsed(command(), words[:end])
    if isinstance(found, str):
        return write(found)
    own, values = found
    program = [*own.pop("program", ()), *words[end + 1 :]]
    if not own.get("file"):
        raise UsageError("no file with a run (`cseq replay --help` lists the options)")
    file = os.path.abspath(own.pop("file"))  # noqa: PTH100  # links stay as they are
    saved = runs.read(file)
    for name in ("html", "keep"):
        if own.get(name):
            own[name] = os.path.abspath(own[name])  # noqa: PTH100
    again = not program
    if again:
        _restore(saved)
        program = [saved.program, *saved.arguments]
    if own.pop("gdb", False):
        return _with_program(saved, program, again)
    if again and saved.sources:
        return _perform(saved.sources, saved.arguments, own, {**values, "repeat": file, **_build(saved)}, given, saved)
    path = located(program[0])
    _check_instrumented(path)
    _compare(path, saved)
    return _perform((path,), program[1:], own, {**values, "repeat": file, "built": True}, given, saved)


def _perform(
    files: Sequence[str],
    arguments: Sequence[str],
    own: dict[str, Any],
    values: dict[str, Any],
    words: tuple[str, ...],
    saved: SavedRun,
) -> int:
    from cseq.cli.options import printed, written
    from cseq.cli.perform import executed, reported
    from cseq.cli.request import Request
    from cseq.cli.validation import check
    from cseq.pipeline.chain import load
    from cseq.portfolio.families import OneChain
    from cseq.report.text.launched import repeated

    outside: dict[str, Any] = {
        "args": shlex.join(saved.arguments if saved.sources else arguments),
        "stdin": saved.stdin,
    }
    if saved.whole_environment:
        outside["env"] = tuple(f"{name}={value}" for name, value in saved.environment.items())
    way, _ = OneChain(load("compiled")).ways({**values, **outside})
    request = Request(
        files=tuple(files),
        way=way,
        given=frozenset(values),
        printed=printed(own),
        written=written(own),
        words=("replay", *words),
    )
    check(request)
    _, outcome = executed(request)
    if not request.printed.for_programs:
        say(repeated(outcome.statistics))
    outcome.statistics = {}
    return reported(request, outcome)


def _restore(saved: SavedRun) -> None:
    """Go to the folder of the saved run, and take over the variables that matter."""
    try:
        os.chdir(saved.folder)
    except OSError as error:
        raise UsageError(f"{saved.folder}, where the run was made: {error.strerror}") from None
    if not saved.whole_environment:
        os.environ.update(saved.environment)


def _build(saved: SavedRun) -> dict[str, Any]:
    """The values of the parameters with which the program was compiled."""
    return {"compile": shlex.join(saved.options), **({} if saved.model is None else {"model": saved.model})}


def _check_instrumented(path: str) -> None:
    from cseq.modules.compiled.programs import is_instrumented

    if not is_instrumented(path):
        raise UsageError(f"{path} was not compiled by cseq-cc or cseq-c++ (CC=cseq-cc CXX=cseq-c++)")


def _compare(path: str, saved: SavedRun) -> None:
    """Warn if the program is not the one of the saved run."""
    from cseq.modules.compiled.saved import digest

    if digest(path) != saved.digest:
        warn([f"{path} is not the program of the saved run: it was built again, or is another one"])


# In a debugger


def _with_program(saved: SavedRun, program: Sequence[str], again: bool) -> int:
    """Repeat the run in gdb; what has to be built is built first."""
    from cseq.modules.compiled.build import build
    from cseq.modules.compiled.programs import located

    with tempfile.TemporaryDirectory(prefix="cseq-") as name:
        folder = Path(name)
        if again and saved.sources:
            build(saved.sources, saved.options, folder / "program", model=saved.model)
            path = str(folder / "program")
        else:
            path = located(program[0])
            _check_instrumented(path)
            _compare(path, saved)
        return _debug(saved, [path, *program[1:]], folder)


def _debug(saved: SavedRun, program: Sequence[str], folder: Path) -> int:
    """Have gdb run *program* as the saved run, and say how that ended."""
    from cseq.modules.compiled.client import record
    from cseq.report.text.launched import ended

    gdb = shutil.which("gdb")
    if gdb is None:
        raise BackendError("--gdb: gdb is not installed")
    path, outside = folder / "run", _environment(saved)
    _write_request(saved, program, outside, folder, path)
    commands = [
        "set disable-randomization on",
        "handle SIGSYS nostop noprint pass",
        "skip -gfi */backends/compiled/runtime/*/*",
        f"set environment CSEQ_RUN {path}",
    ]
    if saved.stdin is not None:
        commands.append(f"set args {shlex.join(program[1:])} < {shlex.quote(saved.stdin)}")
    say("cseq: type `run`; gdb stops at the violation, and the threads are the program's own")
    words = [word for text in commands for word in ("-ex", text)]
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is gdb's
    try:
        subprocess.run([gdb, "-q", *words, "--args", *program], env=outside, check=False)
    finally:
        signal.signal(signal.SIGINT, before)
    shared = record.Shared.from_buffer_copy(path.read_bytes())
    status, line = ended(record.End(shared.result.end), shared.result.races, saved.end)
    say(line)
    return status


def _environment(saved: SavedRun) -> dict[str, str]:
    from cseq.modules.compiled.programs import environment

    return environment(saved.environment if saved.whole_environment else None)


def _write_request(
    saved: SavedRun, program: Sequence[str], outside: Mapping[str, str], folder: Path, path: Path
) -> None:
    """Write into *path* what the program is to repeat."""
    from cseq.modules.compiled.client.record import End, RequestFlag
    from cseq.modules.compiled.client.server import Server, ServerError
    from cseq.modules.compiled.programs import failure
    from cseq.modules.compiled.replay import end_of, order_for

    try:
        with Server(program, outside, folder, stdin=saved.stdin) as server:
            order = order_for(saved, server.modules)
            flags = order.flags | RequestFlag.REAL_TIME
            if end_of(saved) == End.EXITED and saved.races:
                flags |= RequestFlag.FIRST_RACE
            server.request_file(replace(order, flags=flags), path)
    except ServerError as error:
        raise failure(program[0], error) from None
