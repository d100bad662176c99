"""What an explicit-state engine found, and what both of them are told. Not a stage."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from cseq.cparser.preprocess import compiler
from cseq.errors import BackendError, UnsupportedError
from cseq.process import run
from cseq.stage import Parameter

ENGINES = ("native", "spin")
"""The engines of the family."""

ENGINE = Parameter(
    "backend",
    str,
    "native",
    "the engine that explores the program",
    ("--backend", "-b"),
    "NAME",
    choices=lambda: list(ENGINES),
)
"""Shared by the stages that deal with the engine."""

TIMEOUT = Parameter(
    "timeout", float, None, "give up after SEC seconds of the engine's time", ("--timeout",), "SEC", minimum=0
)
MEMLIMIT = Parameter("memlimit", int, None, "let the engine use MB megabytes at most", ("--memlimit",), "MB", minimum=1)


@dataclass(frozen=True)
class Exploration:
    """The answer of an engine that explores a step program.

    status: ``safe``, ``violated``, ``unknown``, ``refused`` (the program does what the family cannot follow),
        ``memory``, ``time`` or ``error``.
    kind: of a violation: ``assertion``, ``deadlock``, ``race``, ``crash`` or ``invariant``.
    text: that of the claim, or what is wrong.
    schedule: for a violation, the transitions that lead there: the thread, and what it chose.
    threads: those that are stuck, or race. cycle: where in the schedule a part begins that is repeated for ever.
    cuts, coarse: the texts of the bounds that some execution ran into, and of steps that are coarser than accesses.
    complete: whether every state was reached that can be.
    statistics: numbers about the search, by name.
    """

    status: str
    kind: str = ""
    text: str = ""
    schedule: list[tuple[int, list[int]]] = field(default_factory=list)
    threads: list[int] = field(default_factory=list)
    cycle: int | None = None
    cuts: list[str] = field(default_factory=list)
    coarse: list[str] = field(default_factory=list)
    complete: bool = False
    statistics: dict[str, Any] = field(default_factory=dict)


def read(text: str) -> Exploration:
    """What an engine printed. Raises ValueError where that is nothing that one prints."""
    said = json.loads(text)
    known = {item.name for item in fields(Exploration)}
    if not isinstance(said, dict) or "status" not in said:
        raise ValueError("no object with a status")
    return Exploration(**{name: value for name, value in said.items() if name in known})


def compiled(text: str, target: Path, bits: int) -> Path:
    """Compile the step program *text* to the object file *target*.

    UnsupportedError for a data model that is not the machine's: what it explores is the program as it runs here.
    """
    if bits != 64:
        raise UnsupportedError(f"explicit-state search with the data model of {bits} bits")
    source = target.with_suffix(".c")
    source.write_text(text, encoding="utf-8")
    # Arithmetic wraps round, and pointers may alias, as in the other family and in replays.
    command = [compiler(), "-std=gnu11", "-O2", "-w", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off"]
    command += ["-fno-pic", "-fno-stack-protector", "-fno-builtin", "-include", str(explorer_folder() / "program.h")]
    build([*command, "-c", str(source), "-o", str(target)], "the step program")
    return target


def build(command: list[str], what: str) -> None:
    """Run a command of the compiler. Raises BackendError with its first complaint."""
    done = run(command, timeout=300)
    if done.status != 0:
        lines = [line for line in done.stderr.splitlines() if "error" in line or "undefined reference" in line]
        said = (lines or done.stderr.splitlines() or [f"exit status {done.status}"])[0]
        raise BackendError(f"{what} does not compile: {said}")


def explorer_folder() -> Path:
    """Where the C of the family is."""
    import cseq.backends

    return Path(next(iter(cseq.backends.__path__))) / "explorer"
