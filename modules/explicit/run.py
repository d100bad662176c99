"""Explore a step program with the engine `native`."""

import os
import re
from collections.abc import Callable
from pathlib import Path

from cseq.backends.native import EXPLORER_SOURCES
from cseq.c.preprocess import compiler
from cseq.model.activity import Activity, ActivityKind, Amount, Phase, phase
from cseq.model.claims import Limit
from cseq.model.errors import BackendError
from cseq.modules.explicit.encode.step_program import STEPS
from cseq.modules.explicit.engine import (
    BITSTATE,
    DEPTH,
    ENGINE,
    EXPLORATION,
    NO_POR,
    PREEMPTIONS,
    SCHEDULERS,
    SEED,
    SIMULATE,
    Exploration,
    NoTimeToBuildError,
    build,
    compiled,
    kept,
    read,
    recorded,
    word_flags,
)
from cseq.modules.explicit.repeated_searches import STOPS
from cseq.options import properties
from cseq.pipeline.facts import Gives, Needs
from cseq.pipeline.stage import Context, Parameter, Unit, Wrapper
from cseq.pipeline.status import PhaseBegan
from cseq.process.run import Completed, available_memory, run

SEARCH = Parameter(
    "search", str, "auto", "the order of the search; auto: several take turns", ("--search",), "NAME",
    choices=lambda: ["auto", "bfs", "dfs", "random", "heuristic", "icb"],
)  # fmt: skip
COMPACT = Parameter("hash_compact", bool, False, "remember states by their hash only", ("--hash-compact",))
SHUFFLE = Parameter("shuffle", bool, False, "take the successors of a state in random order, by the seed")

_CHECKS = {
    properties.UNREACH: "assertion",
    properties.DEADLOCK: "deadlock",
    properties.RACE: "race",
    properties.MEMSAFETY: "claim",
    properties.OVERFLOW: "claim",
}
_LEAST = 0.05  # seconds that are worth a search
_GRACE = 0.5  # seconds for the engine to say what it has explored until its time was up
_PERIOD = 0.5  # seconds between two progress lines of the engine
_PROGRESS = re.compile(r"^progress (\S+) (\d+) (\d+) (\d+)$", re.MULTILINE)
_FLAGS = ["-std=gnu11", "-O2", "-w", "-fno-pic", "-fno-stack-protector"]


class ExplicitRun(Wrapper):
    """in: a step program. out: what the engine `native` found.

    The engine is written in C (`backends/explorer/`) and compiled together with the program: it needs only a compiler.
    """

    takes = (
        ENGINE,
        properties.PROPERTY,
        properties.TIMEOUT,
        properties.MEMLIMIT,
        properties.JOBS,
        SEARCH,
        SEED,
        SHUFFLE,
        PREEMPTIONS,
        COMPACT,
        BITSTATE,
        NO_POR,
        DEPTH,
        SIMULATE,
        STOPS,
    )
    steps = Needs(STEPS)
    exploration = Gives(EXPLORATION)

    def run(self, value: Unit) -> Exploration:
        """Compile and run. Raises BackendError if the engine fails."""
        folder = self.context.workdir
        simulate = self.parameter(SIMULATE)
        if simulate is not None and simulate not in SCHEDULERS:
            return self._found(recorded(simulate))
        self.context.begin("compile", phase(ActivityKind.COMPILING))
        binary = folder / "explore"
        try:
            left = self.context.left(self.parameter(properties.TIMEOUT))
            program = compiled(value.text, folder / "steps.o", self.context.bits, left, self.steps.wide)
            left = self.context.left(self.parameter(properties.TIMEOUT))
            link(program, binary, folder, "the explorer", left, self.steps.wide)
        except NoTimeToBuildError as error:
            return self._found(Exploration("time", text=error.message))
        self.context.begin("native", phase(ActivityKind.SEARCHING, "native"))
        memory = self.parameter(properties.MEMLIMIT) or available_memory() * 3 // 4
        left = self.context.left(self.parameter(properties.TIMEOUT))
        if left is not None and left < _LEAST:
            return self._found(Exploration("time"))
        command = [
            str(binary),
            *self._options(),
            "--memory",
            str(memory),
            *(["--time", f"{left:.1f}"] if left is not None else []),
        ]
        hear = None
        if self.context.watcher is not None:
            command += ["--tell", str(_PERIOD)]
            hear = _Listener(self.context)
        timeout = None if left is None else left + _GRACE
        return self._found(search(command, timeout, memory, folder, hear))

    def _found(self, found: Exploration) -> Exploration:
        self.exploration = found
        return found

    def _options(self) -> list[str]:
        stores = [name for name, option in (("compact", COMPACT), ("bits", BITSTATE)) if self.parameter(option)]
        options = ["--check", _CHECKS[self.parameter(properties.PROPERTY)], "--search", self.parameter(SEARCH)]
        options += ["--store", stores[0] if stores else "exact", "--seed", str(self.parameter(SEED))]
        options += ["--shuffle"] if self.parameter(SHUFFLE) else []
        options += ["--jobs", str(self.parameter(properties.JOBS) or len(os.sched_getaffinity(0)))]
        for limit in (PREEMPTIONS, DEPTH):
            if (most := self.parameter(limit)) is not None:
                options += [f"--{limit.name}", str(most)]
        if (how := self.parameter(SIMULATE)) is not None:
            options += ["--simulate", how]
        growing = set(self.parameter(STOPS)) - ({Limit.THREADS} if self.steps.creates_for_ever else set())
        stops = [cut.key for cut in self.steps.bounds if cut.limit in growing]
        options += [word for key in stops for word in ("--stop", key)]
        return [*options, "--no-por"] if self.parameter(NO_POR) else options


def search(
    command: list[str],
    timeout: float | None,
    memory: int,
    folder: Path,
    hear: Callable[[str], None] | None = None,
) -> Exploration:
    """What the engine finds that *command* starts. Raises BackendError if it fails.

    timeout: seconds. memory: megabytes. folder: for its files. hear: called with what it prints on standard error.
    """
    done = run(command, timeout=timeout, memory=memory, folder=folder, reserves=True, hear=hear)
    if done.timed_out:
        return Exploration("time")
    if done.exceeded == "memory":
        return Exploration("memory")
    try:
        found = read(done.stdout)
    except ValueError:
        said = _complaint(done)
        raise BackendError(f"the backend `native` failed (exit status {done.status}){': ' if said else ''}"
                           f"{said[0] if said else ''}") from None  # fmt: skip
    if found.status == "error":
        raise BackendError(f"the backend `native` failed: {found.text}")
    return found


class _Listener:
    """Reports the progress of the search, from the engine's output."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._last = (0.0, 0)

    def __call__(self, printed: str) -> None:
        found = _PROGRESS.findall(printed)
        if not found:
            return
        seconds, states, depth, waiting = float(found[-1][0]), *(int(number) for number in found[-1][1:])
        before, known = self._last
        if seconds <= before:  # another search
            before, known = 0.0, 0
        self._last = seconds, states
        rate = (states - known) / (seconds - before) if seconds > before else 0.0
        amounts = (
            (Amount.STATES, states), (Amount.STATES_PER_SECOND, rate), (Amount.DEPTH, depth), (Amount.WAITING, waiting)
        )  # fmt: skip
        self._context.report(PhaseBegan(Phase((("", Activity(ActivityKind.SEARCHING, amounts)),), "native")))


def _complaint(done: Completed) -> list[str]:
    """The first line that says what is wrong, if any."""
    said = [line for line in done.stderr.splitlines() if not _PROGRESS.match(line)]
    return ("\n".join(said).strip() or done.stdout.strip()).splitlines()[:1]


def link(program: Path, target: Path, folder: Path, what: str, left: float | None = None, wide: bool = False) -> None:
    """Link the object file *program* with the engine. what: the executable, in words. left: as for `build`.
    wide: as in `Steps`.

    Raises NoTimeToBuildError, or BackendError with the linker's first diagnostic.
    """
    from cseq.modules.explicit.linked_engine import whole

    parts = engine(folder, wide)
    together = whole(parts, folder)
    if together is not None:
        try:
            build(["ld", "-static", "-o", str(target), str(together), str(program)], what, left)
            return
        except NoTimeToBuildError:
            raise
        except BackendError:  # for example, the program needs more of the libraries than the engine does
            pass
    build([compiler(), "-no-pie", str(program), str(parts), "-lm", "-o", str(target)], what, left)


def engine(folder: Path, wide: bool = False) -> Path:
    """The engine as an object file. wide: as in `Steps`."""
    sources = list(EXPLORER_SOURCES)
    command = [compiler(), *_FLAGS, *word_flags(wide)]

    def make(target: Path) -> None:
        objects = []
        for source in sources:
            objects.append(str(folder / f"{source.stem}.engine.o"))
            build([*command, "-c", str(source), "-o", objects[-1]], "the engine `native`")
        build([compiler(), "-r", "-nostdlib", *objects, "-o", str(target)], "the engine `native`")

    return kept("native", ".o", command, sources, folder, make)
