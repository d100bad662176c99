"""Explore the execution graphs of a program."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cseq.backends.native import GRAPHS_SOURCES
from cseq.c.preprocess import compiler
from cseq.model.activity import ActivityKind, phase
from cseq.model.errors import BackendError
from cseq.modules.graphs.order_sites import TRIED
from cseq.options.memory_models import MEMORY_MODEL
from cseq.options.properties import DEADLOCK, JOBS, MEMLIMIT, PROPERTY, RACE, TIMEOUT, UNREACH
from cseq.pipeline.stage import Parameter, Unit, Wrapper
from cseq.process.run import run

ENGINE = Parameter(
    "backend", str, "graphs", "the engine that explores execution graphs", ("--backend", "-b"), "NAME",
    choices=lambda: ["graphs"],
)  # fmt: skip

ITERATIONS: Parameter[int | None] = Parameter(
    "iterations", int, None, "follow a thread through each loop at most N times (graphs)", ("--iterations",), "N",
    minimum=1,
)  # fmt: skip
LATER_STORES = Parameter(
    "cxx20_sequences", bool, False,
    "leave later stores of the same thread out of release sequences, as C++20 does (graphs)", ("--cxx20-sequences",),
)  # fmt: skip

HISTORY = "history"
"""The word of the explorer for the question what calls return, besides assertions and data races."""

_CHECKS = {UNREACH: "assertion", RACE: "race", DEADLOCK: "deadlock"}
_FLAGS = ["-std=gnu11", "-O1", "-w", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off", "-fno-builtin"]


@dataclass(frozen=True)
class Explored:
    """The answer of the explorer.

    status: ``safe``, ``violated``, ``racy`` (nothing else, but a data race), ``cut``, ``refused``, ``time``, ``memory``
    or ``error``. kind: of a violation. text: what is refused, or the claim of a misuse. where: the number of an
    instruction. cuts: those at which executions were cut off. about: the numbers of the events that violate the
    property. who: of a deadlock, the set of threads that each of them waits for. graph: its events. objects: where the
    user's objects are. executions, blocked: how many graphs were complete, and how many were not. histories: what calls
    return in each of them, where that is asked for (`HISTORY`).
    """

    status: str
    kind: str = ""
    text: str = ""
    where: int = 0
    executions: int = 0
    blocked: int = 0
    cuts: list[int] = field(default_factory=list)
    about: list[int] = field(default_factory=list)
    who: list[int] = field(default_factory=list)
    graph: list[dict[str, Any]] = field(default_factory=list)
    objects: dict[str, int] = field(default_factory=dict)
    histories: list[dict[str, Any]] = field(default_factory=list)


def build(text: str, folder: Path, seconds: float | None = None) -> Path | None:
    """The explorer with the program *text*, compiled in *folder*; None if the *seconds* are not enough.

    Raises BackendError with the compiler's first diagnostic.
    """
    source, binary = folder / "graphs.c", folder / "graphs"
    binary.unlink(missing_ok=True)
    source.write_text(text, encoding="utf-8")
    sources = [*map(str, GRAPHS_SOURCES), str(source)]
    command = [compiler(), *_FLAGS, f"-I{GRAPHS_SOURCES[0].parent}", *sources, "-o", str(binary)]
    done = run(command, timeout=seconds)
    if done.timed_out:
        return None
    if done.status != 0:
        lines = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines()
        raise BackendError(f"the program for the backend `graphs` does not compile: {(lines or [''])[0]}")
    return binary


def search(binary: Path, options: Sequence[str], seconds: float | None, memory: int | None) -> Explored:
    """What the explorer finds. memory: megabytes. Raises BackendError if it fails."""
    done = run([str(binary), *options], timeout=seconds, memory=memory, folder=binary.parent)
    if done.timed_out:
        return Explored("time")
    if done.exceeded == "memory":
        return Explored("memory")
    try:
        found = Explored(**json.loads(done.stdout))
    except (ValueError, TypeError):
        raise BackendError(f"the backend `graphs` failed (exit status {done.status})") from None
    if found.status == "error":
        raise BackendError(f"the backend `graphs` failed: {found.text}")
    return found


class GraphsRun(Wrapper):
    """in: a program for the explorer of execution graphs. out: what it found."""

    takes = (ENGINE, PROPERTY, TIMEOUT, MEMLIMIT, MEMORY_MODEL, ITERATIONS, LATER_STORES, TRIED, JOBS)

    def run(self, value: Unit) -> Explored:
        """Compile and run. Raises BackendError if the explorer fails."""
        folder = self.context.workdir
        source, binary = folder / "graphs.c", folder / "graphs"
        is_same = self.parameter(TRIED) and binary.exists() and source.read_text(encoding="utf-8") == value.text
        if not is_same:
            self.context.begin("compile", phase(ActivityKind.COMPILING))
            if build(value.text, folder, self.context.left(self.parameter(TIMEOUT))) is None:
                return Explored("time")
        self.context.begin("graphs", phase(ActivityKind.SEARCHING, "graphs"))
        return search(binary, self._options(), self.context.left(self.parameter(TIMEOUT)), self.parameter(MEMLIMIT))

    def _options(self) -> list[str]:
        """The command line of the explorer."""
        options = ["--check", _CHECKS[self.parameter(PROPERTY)], "--model", self.parameter(MEMORY_MODEL)]
        options += ["--unwind", str(self.parameter(ITERATIONS) or 0)]
        options += ["--cxx20", str(int(self.parameter(LATER_STORES)))]
        options += ["--jobs", str(self.parameter(JOBS) or len(os.sched_getaffinity(0)))]
        return [*options, "--orders", self.parameter(TRIED)] if self.parameter(TRIED) else options
