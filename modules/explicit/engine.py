"""The answers of the explicit-state engines, and the parameters that they share."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from cseq.backends.base import engines_folder
from cseq.backends.native import EXPLORER
from cseq.c.preprocess import compiler
from cseq.model.claims import Claim, Kind, Limit, crash
from cseq.model.errors import BackendError, UnsupportedError, UsageError
from cseq.model.trace import Counterexample
from cseq.model.verdict import Share
from cseq.options import bounds
from cseq.options.properties import ACCEPTANCE, LTL, PROGRESS, TERMINATION
from cseq.pipeline.facts import Fact
from cseq.pipeline.stage import Parameter
from cseq.process.run import run

ENGINES = ("native", "spin")
"""The explicit-state engines."""

SPECIFYING = "tlc"
"""The engine for specifications, whose chain has the explicit-state engines' stages for violations."""

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

SEED = bounds.SEED
BITSTATE = Parameter("bitstate", bool, False, "remember states by bits in a table only", ("--bitstate",))
SHOW_CUT = Parameter("show_cut", bool, False, "show an execution in which a thread stops at what is not supported")
NO_POR = Parameter("no_por", bool, False, "explore each interleaving, without reduction", ("--no-por",))
FAIR = Parameter(
    "fair",
    bool,
    False,
    "look only for weakly fair infinite executions: a thread that can always run does run (SPIN, TLC)",
    ("--fair",),
)
STRONG_FAIR = Parameter(
    "strong_fair",
    bool,
    False,
    "look only for strongly fair infinite executions: a thread that can run again and again does run (TLC)",
    ("--strong-fair",),
    family="specification",
)
FORMULA: Parameter[str | None] = Parameter(
    "ltl",
    str,
    None,
    "also claim a formula of linear temporal logic, made of ! && || -> <-> G F U R W and the words of --prop (SPIN, "
    "TLC)",
    ("--ltl",),
    "FORMULA",
)
LIVELY: dict[str, Parameter[object]] = {
    LTL: FORMULA,
    PROGRESS: Parameter(
        "non_progress", bool, False, "look for cycles without a label `progress…`, too (SPIN)", ("--progress",)
    ),
    ACCEPTANCE: Parameter(
        "acceptance", bool, False, "look for cycles through a label `accept…`, too (SPIN)", ("--acceptance",)
    ),
    TERMINATION: Parameter(
        "termination", bool, False, "also claim that all threads end (SPIN, TLC)", ("--termination",)
    ),
}
"""The properties of infinite executions, and the parameters that ask for them."""

DEPTH: Parameter[int | None] = Parameter(
    "depth", int, None, "explore executions of at most N transitions", ("--depth",), "N", minimum=1
)


PREEMPTIONS: Parameter[int | None] = Parameter(
    "preemptions", int, None, "explore schedules with at most N preemptive context switches", ("--preemptions",), "N",
    minimum=0,
)  # fmt: skip

SIMULATE: Parameter[str | None] = Parameter(
    "simulate",
    str,
    None,
    "make one execution, and show it: roundrobin, random (see --seed), or that in a FILE which --json or --keep left",
    ("--simulate",),
    "HOW",
)  # fmt: skip
"""Shared by the stages that make the execution and those that report it."""

SCHEDULERS = {"roundrobin": "round robin", "random": "at random"}
"""The kinds of simulation, and their names in a sentence."""

RECORDED = ("kind", "text", "schedule", "threads", "cycle")
"""The parts of an exploration that are kept so that its execution can be repeated."""


LIMITS = {
    "depth": Limit.DEPTH, "preemptions": Limit.PREEMPTIONS, "hash compaction": Limit.HASHED,
    "bitstate hashing": Limit.MARKED, "one run": Limit.ONE_RUN,
}  # fmt: skip
"""What leaves executions out of a search, by the names that the engine `native` has for it."""


@dataclass(frozen=True)
class Exploration:
    """The answer of an engine that explores a step program.

    status: ``safe``, ``violated``, ``unknown``, ``refused`` (the program does something that the family cannot follow),
        ``memory``, ``time`` or ``error``.
    kind: of a violation: ``assertion``, ``deadlock``, ``race``, ``crash`` or ``invariant``.
    text: the key of the claim, or the signal that ends the program; for other answers, the engine's message.
    schedule: for a violation, the transitions that lead to it: each a thread and its choice.
    threads: those that are stuck, or that race. cycle: where in the schedule the part begins that is repeated for ever.
    cuts, coarse: the keys of the cuts that some execution reached, and of steps coarser than accesses.
    limits: what kept the search from being complete, by the names in `LIMITS`.
    complete: whether every reachable state was reached.
    statistics: numbers about the search, by name. searches: where several took turns, what each has done.
    check: the claim, where the text is only its number.
    collected: the values of `COLLECT`, as hexadecimal numbers. returned: for calls that are monitored, those that have
    returned, each the thread, the set of threads that were in calls, and the result. stopped: of a violation, the
    thread that makes no more transition, if there is one. reached: the numbers of the marks (`Steps`) that executions
    have reached; None where the engine does not say. shown: an execution that reaches one of the cuts.
    """

    status: str
    kind: str = ""
    text: str = ""
    schedule: list[tuple[int, list[int]]] = field(default_factory=list)
    threads: list[int] = field(default_factory=list)
    cycle: int | None = None
    cuts: list[str] = field(default_factory=list)
    coarse: list[str] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    complete: bool = False
    statistics: dict[str, Any] = field(default_factory=dict)
    searches: list[Share] = field(default_factory=list)
    check: Claim | None = None
    collected: list[str] = field(default_factory=list)
    returned: list[list[int]] = field(default_factory=list)
    reached: list[int] | None = None
    stopped: int | None = None
    shown: Counterexample | None = None

    @property
    def claim(self) -> Claim:
        """The claim that is violated."""
        if self.check is not None:
            return self.check
        if self.kind == Kind.CRASH:
            return crash(self.text)
        return Claim.of(self.text or self.kind)


EXPLORATION = Fact[Exploration]("exploration")


def recorded(name: str) -> Exploration:
    """The execution in the file *name*: a schedule by itself, or a report that contains one.

    UsageError if there is none.
    """
    try:
        found = _with_schedule(json.loads(Path(name).read_text(encoding="utf-8")))
    except OSError as error:
        raise UsageError(f"--simulate: {name}: {error.strerror}") from None
    except ValueError:
        found = None
    if found is None:
        raise UsageError(f"--simulate: {name} has no schedule in it")
    status = "violated" if found.get("kind") else "unknown"
    # The execution itself shows what is violated; the file only has the words that were shown to a reader.
    return Exploration(status, **{key: found[key] for key in RECORDED if key in found and key != "text"})


def _with_schedule(value: Any) -> dict[str, Any] | None:
    """The first object within *value* that has a schedule."""
    if isinstance(value, dict):
        if value.get("schedule"):
            return value
        value = list(value.values())
    if not isinstance(value, list):
        return None
    if value and all(isinstance(item, list) and len(item) == 2 and isinstance(item[1], list) for item in value):
        return {"schedule": value}
    return next((found for item in value if (found := _with_schedule(item)) is not None), None)


def read(text: str) -> Exploration:
    """Parse the output of an engine. Raises ValueError if it is not the output of one."""
    said = json.loads(text)
    known = {item.name for item in fields(Exploration)}
    if not isinstance(said, dict) or "status" not in said:
        raise ValueError("no object with a status")
    said["searches"] = [Share(**share) for share in said.get("searches", [])]
    return Exploration(**{name: value for name, value in said.items() if name in known})


def compiled(text: str, target: Path, bits: int, left: float | None = None, wide: bool = False) -> Path:
    """Compile the step program *text* to the object file *target*. left: as for `build`. wide: as in `Steps`.

    With 32 bits it is compiled for x32, see `cseq.modules.explicit.encode.ilp32_layout`, and turned into an object file
    for the machine's own data model. UnsupportedError if the compiler cannot do that.
    """
    source = target.with_suffix(".c")
    source.write_text(text, encoding="utf-8")
    # The engine takes much longer over a transition than the transition itself, unless that contains a loop.
    speed = "-O1" if "__CSEQ_tired" in text else "-O0"
    # Arithmetic wraps around, and pointers may alias, as in the symbolic family and in replays.
    command = [compiler(), "-std=gnu11", speed, "-w", "-fwrapv", "-fno-strict-aliasing", "-ffp-contract=off"]
    # The compiler may assume that undefined accesses and divisions do not happen, so they are trapped. An index outside
    # its array is trapped because memory past its end belongs to another object. The engine handles that, see step.c.
    command += ["-fsanitize=bounds,integer-divide-by-zero", "-fno-sanitize-recover=all"]
    command += ["-fno-delete-null-pointer-checks", "-fno-isolate-erroneous-paths-dereference"]
    # A load whose value nothing uses may crash all the same.
    command += ["-fnon-call-exceptions", "-fno-delete-dead-exceptions"]
    command += word_flags(wide)
    command += ["-fno-pic", "-fno-stack-protector", "-fno-builtin", "-include", str(EXPLORER / "program" / "program.h")]
    if bits == 64:
        build([*command, "-c", str(source), "-o", str(target)], "the step program", left)
        return target
    from cseq.modules.explicit import x32

    made = target.with_suffix(".x32.o")
    convert = x32.conversion(made, target)
    try:
        build([*command, x32.OPTION, "-c", str(source), "-o", str(made)], "the step program", left)
    except NoTimeToBuildError:
        raise
    except BackendError:
        x32.check_compiler()
        raise
    build(convert, "the step program", left)
    return target


def word_flags(wide: bool) -> list[str]:
    """The flags of the compiler for a step program and its engine, by whether sets of threads are wide."""
    return ["-D__CSEQ_WIDE"] if wide else []


class NotFollowedError(UnsupportedError):
    """An execution does what this family does not follow."""


class NoTimeToBuildError(BackendError):
    """The compiler did not end within the time."""


def build(command: list[str], what: str, left: float | None = None) -> None:
    """Run a command of the compiler. left: the seconds that are left for it; None for no limit.

    Raises NoTimeToBuildError, or BackendError with the compiler's first diagnostic.
    """
    done = run(command, timeout=left)
    if done.timed_out:
        raise NoTimeToBuildError(f"out of time: {what} was still being compiled")
    if done.status != 0:
        lines = [line for line in done.stderr.splitlines() if "error" in line or "undefined reference" in line]
        said = (lines or done.stderr.splitlines() or [f"exit status {done.status}"])[0]
        raise BackendError(f"{what} does not compile: {said}")


def kept(
    name: str, suffix: str, recipe: list[str], sources: list[Path], folder: Path, make: Callable[[Path], None]
) -> Path:
    """A file built from the C of the family for the engine *name*: built once per machine, and kept with the engines.

    recipe: what else it depends on. make: builds the file that it is given, with auxiliary files in *folder*.
    """
    texts = [path.read_bytes() for path in [*sources, *sorted(EXPLORER.glob("**/*.h"))]]
    digest = hashlib.sha256(b"\0".join([*texts, " ".join(recipe).encode()])).hexdigest()[:16]
    target = engines_folder() / name / f"{digest}{suffix}"
    if target.is_file():
        return target
    made = folder / f"{name}{suffix}"
    make(made)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        fresh = target.with_name(f"{target.name}.{os.getpid()}")
        shutil.copy(made, fresh)
        fresh.replace(target)  # atomically, since other processes may need it at the same time
    except OSError:
        return made
    return target
