"""The answer of a run: the verdict, the property, the bounds, the counterexample."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum
from typing import TYPE_CHECKING

from cseq.model.claims import Claim, Cut
from cseq.model.coverage import Coverage
from cseq.model.orders import OrdersFound
from cseq.model.origin import Origin

if TYPE_CHECKING:
    from cseq.model.jobrecords import JobRecord
    from cseq.model.proof import CertificateCheck, ProofSummary
    from cseq.model.sharing import SharedData
    from cseq.model.trace import Counterexample, Move, Race, Stuck
    from cseq.model.tries import Try


class Verdict(Enum):
    """TRUE: proved. FALSE: violated; it was replayed, or the answer says why not. UNKNOWN: everything else."""

    TRUE = "TRUE"
    FALSE = "FALSE"
    UNKNOWN = "UNKNOWN"


class Reason(Enum):
    """Why a verdict is UNKNOWN."""

    BOUNDED = "no violation within the bounds"
    UNWINDING = "an unwinding bound is too small"
    TIMEOUT = "out of time"
    MEMORY = "out of memory"
    BACKEND = "backend failure"
    REPLAY = "the counterexample could not be replayed"
    BUFFERING = "the violation may need store buffers, which no replay has"
    INTERRUPTED = "interrupted"
    UNPROVED = "no proof was found"
    DIVERGED = "the program does not follow the saved run"


class Listing(Enum):
    """Whether the violations of a property that are listed are all that there are.

    ALL: there are no others. WITHIN: there are no others within the bounds. STOPPED: the search for others was stopped.
    """

    ALL = "all"
    WITHIN = "within the bounds"
    STOPPED = "stopped"


class Spurious(StrEnum):
    """How an answer depends on what POSIX and C allow without a reason: waits that end without a signal, and attempts
    that fail although they could succeed. The values are those of the JSON report.

    NEEDED: the violation has some, and none without was found. EXCLUDED: the answer is about executions without it.
    UNDECIDED: without it there is no violation; with it, that is not known.
    """

    NEEDED = "needed"
    EXCLUDED = "excluded"
    UNDECIDED = "undecided"


ABOUT = "{about}"
"""A placeholder in a message for the words that reports make of a claim or a cut."""


@dataclass(frozen=True)
class Property:
    """The violated property: what was claimed, and where.

    part: for valid-memsafety, the part that is violated: ``valid-deref``, ``valid-free`` or ``valid-memtrack``.
    account: for a deadlock the threads in it, for a data race its sides.
    description: the property in words, once `cseq.report.words.worded` has made them for users of the Python interface.
    """

    claim: Claim
    origin: Origin | None = None
    part: str = ""
    account: tuple[Stuck, ...] | Race | None = None
    description: str = ""

    @builtins.property
    def name(self) -> str:
        """The kind of the claim, such as ``assertion``, ``misuse``, ``deadlock`` or ``memsafety``."""
        return self.claim.kind.value


@dataclass(frozen=True)
class Bound:
    """A bound that cut, or may have cut, executions off.

    kind: ``rounds``, ``contexts``, ``schedule``, ``tile`` (a part of the schedules), ``unwinding``, ``recursion``,
    ``threads``; ``grain``: a step that is coarser than an access;
    ``library``: what the model of a function of the C library leaves out;
    ``property``: a part of the property that is not checked;
    ``leak``: memory that is never freed, where it is not known whether it is lost;
    ``runs``: a number of runs, which need not show all schedules;
    ``unsupported``: a construct at which a thread stops;
    ``engine``: what the engine does not check; ``inputs``: values of inputs that are left out;
    ``abstraction``: states that are not distinguished from others; ``heap``: the memory that a thread may allocate.
    cut: what cuts the executions off. certain: True when the cut lies on every execution that gets there.
    description: as for a property.
    """

    kind: str
    value: int
    cut: Cut
    origin: Origin | None = None
    certain: bool = False
    description: str = ""

    @classmethod
    def of(cls, cut: Cut, origin: Origin | None = None, certain: bool = False) -> Bound:
        """The bound that *cut* belongs to."""
        return cls(cut.kind, cut.number, cut, origin, certain)


@dataclass(frozen=True)
class Caution:
    """Something that the user should know about the answer, such as where the analysis departs from the program.

    strengthens: whether the analysis gives accesses a stronger memory order than the program, so that the answer says
    which memory model it assumes.
    of: the property whose answers it is about; empty for all.
    """

    message: str
    origin: Origin | None = None
    strengthens: bool = False
    of: str = ""

    def __str__(self) -> str:
        return f"{self.origin}: {self.message}" if self.origin else self.message


@dataclass(frozen=True)
class Tiles:
    """How far a run is that was divided into parts of the schedules. done: the parts without a violation, of *all*."""

    done: int
    all: int


@dataclass(frozen=True)
class Level:
    """What was found with one of several sets of bounds that were tried one after the other.

    property: the name of what was checked. bounds: the values of the parameters that grow from level to level.
    reached: what some execution was seen to be cut off by; None where that is not known.
    seconds: how long it took. tiles: where it was divided, its parts; not all are done where the time was up.
    """

    property: str
    bounds: dict[str, int]
    verdict: Verdict
    reason: Reason | None
    reached: Cut | None
    seconds: float
    tiles: Tiles | None = None


@dataclass(frozen=True)
class Attempt:
    """The result, in words, of another engine that was asked as well and has no answer."""

    backend: str
    message: str


def limits(bounds: Mapping[str, int]) -> str:
    """The values of the *bounds* in words: "2 rounds, unwind 1"."""
    return ", ".join(_limit(name, value) for name, value in bounds.items())


def _limit(name: str, value: int) -> str:
    if name in ("rounds", "threads"):
        return f"{value} {name if value != 1 else name.removesuffix('s')}"
    if name == "room":
        return f"loops of {value} steps"
    return f"{name.replace('_', '-')} {value}"


@dataclass(frozen=True)
class Share:
    """What one of several searches that took turns has done.

    name: bfs, dfs, icb, directed (beams towards the claims), walks (random ones) or swarm (searches that remember a few
        bits of each state). found: whether it found the violation.
    states: those that it remembers. walks: executions or, of a swarm, searches. depth: transitions, of the longest
        execution. seed: of its random choices.
    """

    name: str
    found: bool = False
    states: int = 0
    walks: int = 0
    transitions: int = 0
    depth: int = 0
    seed: int = 0


@dataclass(frozen=True)
class Binary:
    """A program that was run: the answer is about what its compiler made of the sources.

    path: where it is; empty if it was made for this run only. builds: the compilers with their versions and options,
    such as ``g++ 12.2.0 -O2``; several if its files differ.
    """

    path: str
    builds: tuple[str, ...] = ()


@dataclass
class Outcome:
    """The answer to one verification task.

    property: the name of the property that was checked, such as ``unreach-call``; empty where there are several.
    parts: where several properties were checked, the answer for each; this outcome sums them up.
    warnings: what the stages reported about the program, in the order in which they reported it.
    times: seconds per stage, in the order in which they ran.
    kept:  the folder with the intermediate files, if they were kept.
    solvers: where the engine was given solvers to use, those that gave this answer.
    levels: where the bounds were deepened, the levels that were completed, in order.
    spurious: how the answer depends on spurious wake-ups and failures; None where it does not, or says nothing of them.
    about: the claims and cuts whose words replace each `ABOUT` in the message, in order.
    unreplayed: why a violation has no counterexample, if it could not be replayed.
    chosen: whether CSeq chose the engine. attempts: the results of the other engines that it chose as well.
    bounded: whether the user gave bounds of a symbolic search.
    unclaimed: whether the program contains no claim, such as an assertion, that could have been violated.
    unasked: the properties that are worth asking about if so, and were not asked about.
    statistics: numbers about the search of an explicit-state engine, by name. searches: where several took turns, what
    each has done.
    others: further violations, at other lines; only of data races. listing: whether these are all; None if there was no
    search for others.
    memory_model: ``sc`` (sequential consistency), ``tso``, ``pso`` or ``c11``: what was assumed of the order of
    accesses. A violation that was replayed happens under each but c11. robust: whether all executions under c11 are
    sequentially consistent.
    output: what the program itself printed in the run with the violation or, where there is none, in one of the runs;
    only of programs that are run.
    binary: the program that was run, if one was.
    jobs: where several did parts of the work at a time, who did what. tiles: the parts of a run that was divided.
    program: a hash of what the user's files say; empty where they were not read. asked: the names of the properties
    that the user asks for, of which ``--only`` may choose one.
    coverage: what was reached, where no violation was found and the engine says it.
    orders: other memory orders for the program, if they were asked for.
    sharing: the shared data, and what protects it, if the engine says it.
    proof: the invariants that prove the property, where the engine gives any. certificate: what was checked of an
    answer of the analysis thread by thread. tries: what was tried to find some.
    """

    verdict: Verdict
    reason: Reason | None = None
    message: str = ""
    violated: Property | None = None
    counterexample: Counterexample | None = None
    bounds: list[Bound] = field(default_factory=list)
    backend: str = ""
    solvers: list[str] = field(default_factory=list)
    times: dict[str, float] = field(default_factory=dict)
    kept: str | None = None
    warnings: list[Caution] = field(default_factory=list)
    property: str = ""
    parts: list[Outcome] = field(default_factory=list)
    levels: list[Level] = field(default_factory=list)
    unreplayed: str = ""
    chosen: bool = False
    bounded: bool = False
    attempts: list[Attempt] = field(default_factory=list)
    statistics: dict[str, float] = field(default_factory=dict)
    searches: tuple[Share, ...] = ()
    spurious: Spurious | None = None
    unclaimed: bool = False
    unasked: tuple[str, ...] = ()
    about: tuple[Claim | Cut, ...] = ()
    others: list[Property] = field(default_factory=list)
    listing: Listing | None = None
    proof: ProofSummary | None = None
    certificate: CertificateCheck | None = None
    tries: tuple[Try, ...] = ()
    memory_model: str = "sc"
    robust: bool = False
    output: bytes = b""
    binary: Binary | None = None
    jobs: tuple[JobRecord, ...] = ()
    tiles: Tiles | None = None
    program: str = ""
    asked: tuple[str, ...] = ()
    coverage: Coverage | None = None
    orders: OrdersFound | None = None
    sharing: SharedData | None = None

    def all(self) -> list[Outcome]:
        """The answers for the individual properties: the parts, or this one."""
        return self.parts or [self]

    def with_moves(self, moves: list[Move]) -> Outcome:
        """The same outcome, with *moves* in its counterexample."""
        if self.counterexample is not None:
            self.counterexample.moves = moves
        return self

    def of(self, name: str) -> Outcome:
        """The answer for the property called *name*. Raises KeyError if it was not checked."""
        for part in self.all():
            if part.property == name:
                return part
        raise KeyError(name)

    @builtins.property
    def exit_status(self) -> int:
        """0 no violation found, 1 violation, 3 no verdict (2 is for faults of the input)."""
        if self.parts:
            statuses = {part.exit_status for part in self.parts}
            return 1 if 1 in statuses else max(statuses)
        if self.verdict is Verdict.FALSE:
            return 1
        if self.verdict is Verdict.TRUE or self.reason in (Reason.BOUNDED, Reason.UNWINDING):
            return 0
        return 3


def summed(parts: list[Outcome]) -> Outcome:
    """One outcome for the *parts*: the first violation, or the first without a proof, or the proof of all.

    That holds in the model of memory for which all parts were proved.
    """
    if len(parts) == 1:
        return parts[0]
    ranked = sorted(
        parts,
        key=lambda part: (
            part.verdict is not Verdict.FALSE,
            part.verdict is Verdict.TRUE,
            part.verdict is Verdict.TRUE and part.memory_model == "c11",
        ),
    )
    worst = ranked[0]
    bounds = list(dict.fromkeys(bound for part in parts for bound in part.bounds))
    warnings = list(dict.fromkeys(caution for part in parts for caution in part.warnings))
    levels = [level for part in parts for level in part.levels]
    solvers = list(dict.fromkeys(solver for part in parts for solver in part.solvers))
    return replace(worst, property="", parts=parts, bounds=bounds, warnings=warnings, levels=levels, solvers=solvers)
