"""The tools that are compared: how each is asked, and what its answer means."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks import common

FOUND, PROVED, OPEN, INVALID = "FALSE", "TRUE", "UNKNOWN", "invalid"
"""The answers. INVALID: the tool did not accept the program, or broke down."""

ASSERTION, DEADLOCK, RACE, MEMSAFETY, OVERFLOW = "assertion", "deadlock", "race", "memsafety", "overflow"
PROPERTIES = (ASSERTION, DEADLOCK, RACE, MEMSAFETY, OVERFLOW)

_NAMES = {
    ASSERTION: "unreach-call", DEADLOCK: "no-deadlock", RACE: "no-data-race", MEMSAFETY: "valid-memsafety",
    OVERFLOW: "no-overflow",
}  # fmt: skip
"""The properties in CSeq's reports."""

_MOST = 512  # unwindings
_RESULT = re.compile(r"^VERIFICATION (SUCCESSFUL|FAILED)$", re.MULTILINE)


@dataclass(frozen=True)
class Task:
    """A program with what is asked of it.

    file: its path. expected: ``TRUE``, ``FALSE``, or nothing where nobody knows. bits: of the data model, 32 or 64.
    """

    category: str
    name: str
    file: Path
    property: str
    expected: str
    bits: int

    @property
    def key(self) -> str:
        """What tells this task from all others."""
        return f"{self.category}/{self.name}/{self.property}/{self.bits}"


@dataclass(frozen=True)
class Answer:
    """What a tool said. cause: why it has no answer. cpu, wall: seconds of the whole run."""

    verdict: str
    cause: str
    cpu: float
    wall: float


Tool = Callable[[Task, float], Answer]
"""Asks a tool about a task, with a limit in seconds."""


def installed() -> Mapping[str, Tool]:
    """The tools that can run here, by name; CSeq is the first."""
    tools: dict[str, Tool] = {"cseq": _cseq}
    engines = common.engines()
    if engines:
        path = next(iter(engines.values()))
        tools["cbmc"] = lambda task, limit: _deepened(_cbmc(path, task), limit)
    esbmc = shutil.which("esbmc") or _ours("esbmc")
    if esbmc:
        tools["esbmc"] = lambda task, limit: _esbmc(esbmc, task, limit)
    return tools


def _ours(name: str) -> str | None:
    """The engine of this name that CSeq would use."""
    code = f"from cseq.backends.registry import backend; print(backend({name!r}).find() or '')"
    return common.run([str(common.CSEQ[0]), "-c", code], folder=common.ROOT).stdout.strip() or None


def _cseq(task: Task, limit: float) -> Answer:
    asked = [] if task.property == ASSERTION else [f"--{task.property}"]
    words = [*asked, f"--{task.bits}", "--timeout", f"{limit:g}", "--json", str(task.file)]
    run = common.run([*common.CSEQ, *words], limit=limit + 10)
    if run.status not in (0, 1, 3) or not run.stdout:
        said = [line for line in run.stderr.splitlines() if line.strip()]
        if run.timed_out:
            return Answer(OPEN, "out of time", run.cpu, run.seconds)
        return Answer(INVALID, (said or ["nothing"])[-1], run.cpu, run.seconds)
    report = json.loads(run.stdout)
    answer = next((each for each in report["properties"] if each["name"] == _NAMES[task.property]), report)
    cause = answer["message"] if answer["verdict"] == OPEN else ""
    return Answer(answer["verdict"], cause, run.cpu, run.seconds)


def _cbmc(path: str, task: Task) -> Callable[[int], list[str]]:
    """CBMC's command for an unwinding; with it, each loop has to end within that or there is no proof."""
    checks = {MEMSAFETY: ["--bounds-check", "--pointer-check"], OVERFLOW: ["--signed-overflow-check"]}
    if task.property in (DEADLOCK, RACE):
        return lambda unwind: []
    standard = ["--no-standard-checks"] if "6." in common.run([path, "--version"]).stdout[:3] else []
    fixed = [f"--{task.bits}", *standard, *checks.get(task.property, []), "--unwinding-assertions"]
    return lambda unwind: [path, str(task.file), *fixed, "--unwind", str(unwind)]


def _unwindings() -> Iterator[int]:
    unwind = 1
    while unwind <= _MOST:
        yield unwind
        unwind += max(unwind // 2, 1)


def _deepened(command: Callable[[int], list[str]], limit: float) -> Answer:
    """The answer of a bounded model checker with larger and larger unwindings."""
    if not command(1):
        return Answer(OPEN, "no such property", 0.0, 0.0)
    start, cpu = time.monotonic(), 0.0

    def answer(verdict: str, cause: str = "") -> Answer:
        return Answer(verdict, cause, cpu, time.monotonic() - start)

    for unwind in _unwindings():
        left = limit - (time.monotonic() - start)
        if left <= 0:
            break
        run = common.run(command(unwind), limit=left)
        cpu += run.cpu
        if run.timed_out:
            break
        said = _RESULT.search(run.stdout)
        if said is None:
            lines = [line for line in (run.stderr + run.stdout).splitlines() if line.strip()]
            return answer(INVALID, (lines or ["nothing"])[-1].strip())
        if said[1] == "SUCCESSFUL":
            return answer(PROVED)
        failed = [line for line in run.stdout.splitlines() if line.endswith(": FAILURE")]
        if any(not re.search(r"unwinding assertion|recursion unwinding", line) for line in failed):
            return answer(FOUND)
    return answer(OPEN, "out of time")


def _esbmc(path: str, task: Task, limit: float) -> Answer:
    checks = {
        DEADLOCK: ["--deadlock-check"], RACE: ["--data-races-check"],
        MEMSAFETY: ["--memory-leak-check"], OVERFLOW: ["--overflow-check"],
    }  # fmt: skip
    fixed = [] if task.property == MEMSAFETY else ["--no-bounds-check", "--no-pointer-check", "--no-div-by-zero-check"]
    words = [*fixed, *checks.get(task.property, []), f"--{task.bits}", "--incremental-bmc"]
    run = common.run([path, str(task.file), *words], limit=limit)
    if run.timed_out:
        return Answer(OPEN, "out of time", run.cpu, run.seconds)
    said = _RESULT.search(run.stdout + run.stderr)
    if said is None:
        lines = [line for line in (run.stdout + run.stderr).splitlines() if line.strip()]
        is_open = any("VERIFICATION UNKNOWN" in line for line in lines)
        return Answer(OPEN if is_open else INVALID, (lines or ["nothing"])[-1].strip(), run.cpu, run.seconds)
    return Answer(FOUND if said[1] == "FAILED" else PROVED, "", run.cpu, run.seconds)
