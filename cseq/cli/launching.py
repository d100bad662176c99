"""Explore the programs that another one starts: ctest, make, a script.

The variable CSEQ_EXPLORE has the command that explores a program. The runtime in each program that we have compiled
becomes that command where it finds the variable (`backends/compiled/runtime/server/alone.c`). Each writes what it has
found into a folder that all share, and ends as a test does: with 1 where there is a violation.
"""

import contextlib
import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cseq.cli.console import say, warn
from cseq.cli.request import Request
from cseq.model.errors import CSeqError, UsageError
from cseq.model.verdict import Outcome
from cseq.modules.compiled.programs import EXPLORE
from cseq.options.environment import words
from cseq.process.tree import Family

_FOLDER = "CSEQ_EXPLORE_FOLDER"
"""The variable with the folder that all share."""

_SEPARATOR = "\x1f"
_ALONE = ("json", "sarif")
_NOTHING, _VIOLATED, _NONE = 0, 1, 3


def launch(command: Sequence[str], own: Mapping[str, Any], values: Mapping[str, Any], options: Sequence[str]) -> int:
    """Run *command*, explore what it starts, and say what was found; returns the exit status.

    own, values: the options, ours and those of stages. options: their words.
    Raises UsageError where *command* starts no program that can be explored.
    """
    for name in _ALONE:
        if own.get(name):
            raise UsageError(f"--{name} is about one program, and {command[0]} was not compiled by cseq-c++")
    words = [word for word in options if word != "--"]
    with tempfile.TemporaryDirectory(prefix="cseq-") as folder:
        explore = _SEPARATOR.join([*_ourselves(), "run", *_absolute(words)])
        family = Family()
        environment = family.environment(**{EXPLORE: explore, _FOLDER: folder})
        try:
            with subprocess.Popen(list(command), env=environment) as process:
                try:
                    status = process.wait()
                except BaseException:
                    family.kill()  # with all that it has started
                    raise
        except OSError as error:
            raise UsageError(f"cannot run {command[0]}: {error.strerror}") from None
        found = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(Path(folder).glob("*.found"))]
    if not found:
        advice = "build it with cseq-cc or cseq-c++ (CC=cseq-cc CXX=cseq-c++)"
        raise UsageError(f"neither {command[0]} nor a program that it started was compiled for this: {advice}")
    from cseq.report.text.launched import summary

    for line in summary(found, status):
        say(line)
    statuses = {each["status"] for each in found}
    if _VIOLATED in statuses:
        return _VIOLATED
    return max(statuses - {_NOTHING}, default=_NOTHING if status == 0 else _NONE)


def _ourselves() -> list[str]:
    """The command that is this program."""
    import cseq

    root = Path(cseq.__file__).resolve().parents[1]
    start = f"import sys; sys.path.insert(0, {str(root)!r}); from cseq.cli.main import main; sys.exit(main())"
    return [sys.executable, "-c", start]


_FILES = ("--html", "--save", "--keep", "--stdin")


def _absolute(words: Sequence[str]) -> list[str]:
    """The options *words*, with the files that they name as paths that mean the same in any folder."""
    result: list[str] = []
    for word in words:
        name, equals, value = word.partition("=")
        if name in _FILES and equals:
            result.append(f"{name}={os.path.abspath(value)}")  # noqa: PTH100  # links stay as they are
        elif result and result[-1] in _FILES:
            result.append(os.path.abspath(word))  # noqa: PTH100
        else:
            result.append(word)
    return result


def explored(request: Request) -> int:
    """Explore a program in place of one run of it, and end as it would; 1 where there is a violation.

    Its output is that of one run; the report is on standard error. Each program has files of its own name.
    """
    folder = Path(os.environ.pop(_FOLDER, "."))
    os.environ.pop(EXPLORE, None)
    name, number = _claimed(folder, Path(request.files[0]).name)
    own = replace(request, written=replace(request.written, html=_own_file(request.written.html, name),
                                           keep=_own_file(request.written.keep, name)))  # fmt: skip
    if saved := request.values.get("save"):
        own = own.having(save=_own_file(saved, name))
    try:
        status, message = _explored(own)
    except CSeqError as error:
        _note(folder, number, request, error.exit_status, error.message)
        raise
    _note(folder, number, request, status, message)
    return status


def _explored(request: Request) -> tuple[int, str]:
    from cseq.cli.files import write_all
    from cseq.cli.perform import executed
    from cseq.report.text import terminal
    from cseq.report.text.style import PLAIN
    from cseq.report.words import answer, clean

    _, outcome = executed(request)
    if not isinstance(outcome, Outcome):
        raise UsageError(f"the chain {request.way.chain.path} ends without a verdict")
    with contextlib.suppress(OSError):
        sys.stdout.buffer.write(outcome.output)
        sys.stdout.buffer.flush()
    warn(str(caution) for caution in outcome.warnings)
    text = terminal.render(
        outcome, PLAIN, steps=request.printed.cex, details=request.printed.verbose, explained=request.printed.explain
    )
    if not request.printed.quiet:
        say(f"cseq: {request.files[0]}: {text.rstrip()}")
    write_all(request, outcome)
    return outcome.exit_status, f"{outcome.verdict.value}: {clean(answer(outcome))}"


def _claimed(folder: Path, name: str) -> tuple[str, int]:
    """A name for this program that no other one has in this session, and its number."""
    number = 1
    while True:
        try:
            (folder / f"{name}-{number}.name").touch(exist_ok=False)
        except FileExistsError:
            number += 1
            continue
        except OSError:
            pass
        return (name if number == 1 else f"{name}-{number}"), number


def _own_file(name: str | None, program: str) -> str | None:
    """The file *name*, with that of the *program* in it."""
    if name is None:
        return None
    path = Path(name)
    return str(path.with_name(f"{path.stem}-{program}{path.suffix}"))


def _note(folder: Path, number: int, request: Request, status: int, message: str) -> None:
    """Leave the result for the summary."""
    program = shlex.join([request.files[0], *words(request.values.get("args") or "")])
    found = {"program": program, "status": status, "message": message}
    name = f"{Path(request.files[0]).name}-{number}.found"
    with contextlib.suppress(OSError):
        (folder / name).write_text(json.dumps(found), encoding="utf-8")
