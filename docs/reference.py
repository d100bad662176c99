"""Write `docs/options.md`, the reference of all options, from what the commands and the stages declare."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from cseq.bench.command import command as bench_command

# All that is needed of the project: the commands, and how their options are declared.
from cseq.cli import main as cli
from cseq.cli import svcomp
from cseq.cli.options import STAGE, command_for
from cseq.portfolio.families import Families

PATH = Path(__file__).resolve().parent / "options.md"

_HEAD = """\
# Options

Made from the declarations of the commands by `make reference`; do not edit.

## cseq

    cseq [OPTIONS] [FILES]...

FILES are C or C++ files, which together make one program, or [folders of programs](many-programs.md). An option that
only one family of engines takes [chooses that family](engines.md#which-engine-answers). The second column has the
keyword of [`cseq.verify`](python.md) for options that have one. The last column says where to read more.
"""

_SVCOMP = """\
## lazy-cseq.py

The command for [SV-COMP](sv-comp.md).

"""

_BENCH = """\
## cseq-bench

The command for [benchmarking](benchmarking.md).

    cseq-bench [OPTIONS] [DEFINITION]

"""

_RUN = """\
## cseq run

The command for [compiled programs](compiled.md).

"""

_CHECK = """\
## cseq check

The command for [projects](projects.md).

"""

_REPLAY = """\
## cseq replay

"""

_MERGE = """\
## cseq merge

The command for the reports of a [list of jobs](job-lists.md).

"""

_LINEARIZE = """\
## cseq linearize

The command for [data structures](linearize.md).

"""

_DOCTOR = """\
## cseq doctor

"""

_FIND, _STATES = "find-a-bug.md", "explicit.md"
_RUNNING = "compiled.md#run-it"
_PROGRAM, _PRINTED = f"{_FIND}#the-program", f"{_FIND}#what-is-printed-and-kept"
_OUTSIDE = f"{_FIND}#what-the-program-gets-from-outside"
_SEARCH = f"{_STATES}#how-native-searches"
_LOOKING, _SPIN = f"{_STATES}#looking-at-states", f"{_STATES}#spin"

# Where an option of `cseq` is explained.
MORE = {
    "--input": _PROGRAM,
    "-I": _PROGRAM,
    "-D": _PROGRAM,
    "--32": _PROGRAM,
    "--64": _PROGRAM,
    "--cluster": "cluster.md",
    "--insecure": "cluster.md#security",
    "--tls-ca-file": "cluster.md#security",
    "--tls-cert": "cluster.md#security",
    "--tls-key": "cluster.md#security",
    "--encoding": "partial-orders.md",
    "--memory-model": "memory-models.md",
    "--iterations": "memory-models.md#how-it-works",
    "--cxx20-sequences": "memory-models.md#where-the-model-differs",
    "--repair-orders": "memory-models.md#stronger-and-weaker-orders",
    "--relax-orders": "memory-models.md#stronger-and-weaker-orders",
    "--first": "deadlocks-and-races.md#data-races",
    "--args": _OUTSIDE,
    "--args-any": _OUTSIDE,
    "--env": _OUTSIDE,
    "--stdin": _OUTSIDE,
    "--unwind": f"{_FIND}#unwinding",
    "--recursion": f"{_FIND}#unwinding",
    "--unwindset": f"{_FIND}#unwinding",
    "--exact-limit": f"{_FIND}#unwinding",
    "--unwinding-assertions": f"{_FIND}#unwinding",
    "--threads": f"{_FIND}#threads",
    "--spurious-wakeups": "guarantees.md#spurious-wake-ups-and-failures",
    "--no-spurious-wakeups": "guarantees.md#spurious-wake-ups-and-failures",
    "--strict": "guarantees.md",
    "--closed-world": "deadlocks-and-races.md#closed-and-open-waits",
    "--strict-posix": "guarantees.md#what-works-in-practice",
    "--backend": "engines.md",
    "--timeout": f"{_FIND}#time-and-memory",
    "--memlimit": f"{_FIND}#time-and-memory",
    "--solver": "engines.md#solvers",
    "--deadlock": "deadlocks-and-races.md#deadlocks",
    "--race": "deadlocks-and-races.md#data-races",
    "--memsafety": "memory-and-arithmetic.md",
    "--overflow": "memory-and-arithmetic.md",
    "--spec": f"{_FIND}#what-is-checked",
    "--only": f"{_FIND}#what-is-checked",
    "--cex": "counterexamples.md#step-by-step",
    "--explain": "counterexamples.md#in-words",
    "--html": "counterexamples.md#the-page",
    "--coverage": "guarantees.md#what-an-answer-covers",
    "--json": "json.md",
    "--sarif": "sarif.md",
    "--quiet": _PRINTED,
    "--verbose": _PRINTED,
    "--keep": _PRINTED,
    "--stop-on-violation": "many-programs.md#at-the-same-time",
    "--reproducer": "reproduce.md",
    "--save-test": "reproduce.md#a-regression-test",
    "--witness": "witnesses.md",
    "--job-list": "job-lists.md",
    "--tiles": "job-lists.md",
    "--resume": "job-lists.md#a-run-that-was-interrupted",
    "--seq-only": "backends.md#by-hand",
    "--linemap": "linemap.md",
    "--linemap-json": "linemap.md",
    "--dump-after": "extending.md#a-stage-of-your-own",
    "--ir": "ir.md#a-listing",
    "--dump-all": "extending.md#a-stage-of-your-own",
    "--chain": "extending.md#a-stage-of-your-own",
    "--rounds": f"{_FIND}#rounds",
    "--schedule": f"{_FIND}#schedules",
    "--contexts": f"{_FIND}#context-switches",
    "--tile": f"{_FIND}#parts-of-the-schedules",
    "--prove": "prove.md",
    "--auto": f"{_FIND}#finding-the-bounds",
    "--invariant": _LOOKING,
    "--abstract": _LOOKING,
    "--heuristic": _LOOKING,
    "--prop": _LOOKING,
    "--scheduler": f"{_STATES}#schedulers",
    "--quantum": f"{_STATES}#schedulers",
    "--can-preempt": f"{_STATES}#your-own-scheduler",
    "--nondet-range": f"{_STATES}#inputs",
    "--heap": f"{_STATES}#memory",
    "--search": _SEARCH,
    "--seed": _SEARCH,
    "--preemptions": _SEARCH,
    "--depth": _SEARCH,
    "--hash-compact": _SEARCH,
    "--bitstate": _SEARCH,
    "--no-por": _SEARCH,
    "--no-movers": "movers.md",
    "--simulate": f"{_STATES}#one-execution",
    "--ltl": _SPIN,
    "--progress": _SPIN,
    "--acceptance": _SPIN,
    "--termination": _SPIN,
    "--fair": _SPIN,
    "--swarm": _SPIN,
    "--cores": _SPIN,
    "--tla": "tla.md#writing-the-modules",
    "--agglomerate": "tla.md#agglomeration",
    "--strong-fair": "tla.md#fairness",
    "--mutex": "tla.md#properties",
    "--tla-invariant": "tla.md#properties",
    "--tla-property": "tla.md#properties",
    "--tla-module": "tla.md#refinement",
    "--strategy": _RUNNING,
    "--runs": _RUNNING,
    "--time": _RUNNING,
    "--jobs": _RUNNING,
    "--exhaustive": _RUNNING,
    "--weak": _RUNNING,
    "--exit-status": _RUNNING,
    "--no-race": _RUNNING,
    "--early-timeouts": _RUNNING,
    "--steps": _RUNNING,
    "--run-time": _RUNNING,
    "--compile": "compiled.md#build-your-project",
    "--save": "compiled.md#repeat-a-violation",
    "--model": "compiled.md#your-own-scheduler",
}

_PLAIN = frozenset({"--version", "--help"})
"""Options that need no more words."""


def page() -> str:
    """The text of `docs/options.md`. Raises KeyError for an option of `cseq` that `MORE` does not know."""
    parts = [_HEAD]
    for heading, options in command_for(Families()).sections.items():
        table = _table(("option", "keyword", "", ""), (_row(option) for option in options))
        parts.append(f"### {heading}\n\n{table}")
    parts.append(_CHECK + _block(_output(cli.main, "check", "--help")))
    parts.append(_RUN + _block(_output(cli.main, "run", "--help")))
    parts.append(_REPLAY + _block(_output(cli.main, "replay", "--help")))
    parts.append(_MERGE + _block(_output(cli.main, "merge", "--help")))
    parts.append(_LINEARIZE + _block(_output(cli.main, "linearize", "--help")))
    parts.append(_DOCTOR + _block(_output(cli.main, "doctor", "--help")))
    parts.append(_SVCOMP + _block(_output(svcomp.main, "--help")))
    bench = (option for option in bench_command.params if isinstance(option, click.Option))
    parts.append(_BENCH + _table(("option", ""), (_record(bench_command, option) for option in bench)))
    return "\n".join(parts)


def _row(option: click.Parameter) -> tuple[str, ...]:
    name = max(option.opts, key=len)
    assert option.name is not None
    keyword = f"`{option.name.removeprefix(STAGE)}`" if option.name.startswith(STAGE) else ""
    more = "" if name in _PLAIN else f"[{_title(MORE[name])}]({MORE[name]})"
    names, text = _record(click.Command("cseq"), option)
    return names, keyword, text, more


def _title(link: str) -> str:
    """The title of the page that *link* leads to."""
    first = (PATH.parent / link.partition("#")[0]).read_text(encoding="utf-8").partition("\n")[0]
    return first.removeprefix("# ")


def _record(of: click.Command, option: click.Parameter) -> tuple[str, str]:
    """How *option* is written, and what it does, as the help says both."""
    record = option.get_help_record(click.Context(of))
    assert record is not None
    names, text = record
    text = re.sub(r"\s*\[([^]]*)\]$", r" (\1)", text)
    # In the code of a table's cell, no way to write a bar is read alike by everybody, but this one.
    code = f"<code>{names.replace('|', '&#124;')}</code>" if "|" in names else f"`{names}`"
    return code, _escaped(text)


def _escaped(text: str) -> str:
    """*text* as a cell of a Markdown table: what Markdown would read as something else is code already, or escaped."""
    return re.sub(r"(`[^`]*`)|([|*_<>])", lambda found: found[1] or f"\\{found[2]}", text)


def _table(heads: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n".replace("|  |", "| |").replace("|  |", "| |") for line in lines)


def _block(text: str) -> str:
    """*text* as it is."""
    return "".join(f"    {line}".rstrip() + "\n" for line in text.rstrip().splitlines())


def _output(main: Callable[[list[str]], int], *words: str) -> str:
    """What a command prints."""
    with contextlib.redirect_stdout(io.StringIO()) as output:
        status = main(list(words))
    assert status == 0, words
    return output.getvalue()


if __name__ == "__main__":
    PATH.write_text(page(), encoding="utf-8")
