"""What CSeq requires of an engine. A backend is one file in this folder, with one subclass of `Backend`."""

import os
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from cseq.model.activity import Activity, ActivityKind
from cseq.model.origin import Origin
from cseq.process.run import Completed


@dataclass(frozen=True)
class Dialect:
    """How an engine writes what the sequentialized program leaves open.

    names: our primitives (``__CSEQ_assume``, …) → the engine's functions.
    definitions: C text for each primitive that the engine does not have. It is put before the program if used, after
        the primitives that it uses itself. ``{name}``, ``{kind}`` and ``{type}`` are the name, the X and the type of a
        ``__CSEQ_nondet_X``, for which ``__CSEQ_nondet_`` is the definition unless it has one of its own;
        ``__CSEQ_nondet_bits_`` is that for numbers of some bits, with ``{mask}`` for the largest of them.
    bits: the type of unsigned numbers of ``{width}`` bits.
    prologue: lines of C before all of that.
    rewritten: patterns in the sequentialized program, after the engine's names are in place, and what the engine gets
        instead. The number of lines stays the same. A program in which they do not occur means the same.
    made_pointer: the function for numbers that become pointers, where a cast would lose their signs (see
        modules/symbolic/encode/conversions.py).
    as_unsigned: the operators that the engine gets wrong for signed numbers where they are repeated (the same module).
    claim: where a call of ``__CSEQ_claim`` has to be written out: the statement, with ``{condition}`` and ``{text}``,
        a C string, for its arguments. A comment with the text is put after it.
    alignment: the variable that gets the alignment of a block before it is allocated, where that is more than usual.
    """

    names: dict[str, str]
    definitions: dict[str, str]
    bits: str = "unsigned int"
    prologue: tuple[str, ...] = ()
    rewritten: tuple[tuple[str, str], ...] = ()
    made_pointer: str = ""
    as_unsigned: tuple[str, ...] = ()
    claim: str = ""
    alignment: str = ""


@dataclass(frozen=True)
class Options:
    """Options that every engine accepts: the data model, limits in seconds and megabytes, and one of its solvers.

    memory_model: ``sc``, ``tso`` or ``pso``; other than ``sc`` only for an engine that has threads of its own.
    """

    bits: int = 64
    timeout: float | None = None
    memory: int | None = None
    solver: str | None = None
    memory_model: str = "sc"


@dataclass(frozen=True)
class Answer:
    """An engine's answer.

    status: ``safe``, ``violated``, ``unknown`` (the engine gives up), ``timeout``, ``memory`` or ``error``.
    message: for an error, what is wrong, in one line; if the engine gives up, what it says.
    description: the text of the violated assertion; empty if the engine does not report it.
    inputs: for a violation, the values that the calls of nondeterministic functions returned, in order, as the bits
        of a non-negative integer; None if the engine does not report them.
    chosen: if the engine reports values and where they were chosen, but perhaps not all of them: each value with the
        line of its call in the program that the engine was given, in order. The symbolic run turns the lines into
        places.
    line: the line of the violated assertion in the program that the engine was given, if it reports no description.
    origin: the place in the user's program that this comes from; the symbolic run fills it in, and the description with
    it. solver: the solver that the engine used, if one was chosen; the symbolic run fills it in. events: for a
    violation of a program with threads of its own, in order: the engine's number of the thread, the
        variable (where the thread arrives, or an input), and its value; the violation is last, without a name.
    """

    status: str
    message: str = ""
    description: str = ""
    inputs: Sequence[int] | None = field(default_factory=tuple)
    line: int | None = None
    origin: Origin | None = None
    solver: str = ""
    chosen: Sequence[tuple[int | str, int]] | None = None
    events: Sequence[tuple[int, str, int]] | None = None


class Backend:
    """An engine: where it is, its language, how it is called, and how to read its answer."""

    name: str
    dialect: Dialect
    properties: frozenset[str] = frozenset({"unreach-call", "no-deadlock", "no-data-race"})
    """The properties that can be checked: those that need only assertions, and those that it has primitives for."""
    reserves: ClassVar[bool] = False
    """Whether it reserves far more address space than it uses: memory cannot be limited by limiting address space."""
    solvers: ClassVar[tuple[str, ...]] = ()
    """The solvers that the user may choose from, if the engine has others do part of the work; in the order in which a
    portfolio takes them."""
    complete: bool = True
    """Whether its answer ``safe`` is about all executions of the program."""

    advice: str = "`cseq doctor` says how to get it"
    """Advice to the user if it is not installed."""

    def find(self) -> Path | None:
        """The program; None if it is not installed."""
        raise NotImplementedError

    def located(self, oldest: tuple[int, ...], private: Iterable[Path]) -> Path | None:
        """The program named by $CSEQ_NAME, or NAME on PATH if it is not older than *oldest*, or one of *private*."""
        given = os.environ.get(f"CSEQ_{self.name.upper()}")
        if given:
            program = shutil.which(given)
            return Path(program).absolute() if program else None
        program = shutil.which(self.name)
        if program and (self.version(Path(program).absolute()) or (0,)) >= oldest:
            return Path(program).absolute()
        return next((path for path in private if os.access(path, os.X_OK)), None)

    def version(self, path: Path) -> tuple[int, ...] | None:
        """The version of the program *path*; None for a program that is not this engine."""
        raise NotImplementedError

    def usable(self, path: Path) -> list[str]:
        """The solvers that the program *path* supports and that are installed."""
        return list(self.solvers)

    def prepare(self, path: Path, program: Path, options: Options) -> list[list[str]]:
        """The commands that make the engine's input from the C file *program*. Each has to succeed."""
        return []

    def command(self, path: Path, program: Path, options: Options) -> list[str]:
        """The command line that checks the C file *program*.

        UsageError for a solver that this version does not know, BackendError for one that is not installed.
        """
        raise NotImplementedError

    def parse(self, completed: Completed, program: Path) -> Answer:
        """Read the engine's output, and the files that it wrote next to *program*."""
        raise NotImplementedError

    def covering(self, path: Path, program: Path, bits: int) -> list[str] | None:
        """The command that checks each claim of *program* by itself; None where the engine cannot."""
        return None

    def covered(self, completed: Completed) -> frozenset[str] | None:
        """The texts of the claims that fail, from the output of that command; None where it does not say."""
        return None

    def phase(self, printed: str) -> Activity | None:
        """The current activity of the engine that has *printed* this so far, or last; None if unknown."""
        return None


def engines_folder() -> Path:
    """The folder of engines that were provided for CSeq alone."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cseq" / "engines"


def last_phase(printed: str, phases: Sequence[tuple[str, ActivityKind]]) -> ActivityKind | None:
    """The activity of the phase that is mentioned last; None if none is mentioned.

    phases: what an engine prints in each phase, and what it does then.
    """
    said, doing = max(phases, key=lambda phase: printed.rfind(phase[0]))
    return doing if said in printed else None


def excerpt(text: str) -> str:
    """The beginning of an engine's output, as one line."""
    text = " ".join(text.split())
    return text if len(text) <= 200 else text[:200] + "…"
