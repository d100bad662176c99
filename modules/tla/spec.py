"""A program as a TLA+ specification: what the specifier makes, the writer writes, and the TLC run has checked.

All texts are TLA+, in ASCII, over the operators of the modules in `tla/`: `CMemory` says what a memory is. In them
``self`` is a thread and ``m`` a memory. A statement, like a function of the thread library, is the set of the memories
that it can lead to: none where the thread has to wait, several where there is a choice.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from cseq.model.origin import Origin
from cseq.pipeline.facts import Fact

RUNS, ENDED, DROPPED = "runs", "ended", "dropped"
"""The status of a memory while the program runs; once the process has ended; once an assumption has not held."""

FAILED, REFUSED, UNDEFINED, CUT = "failed.", "refused.", "undefined.", "cut."
"""How other values of the status begin: a claim (its key follows) does not hold; the program does what the family does
not follow (what that is follows); a value is used that was never stored (the C name follows); a bound (the rest of its
key follows, as in ``cut.threads 3``)."""


@dataclass(frozen=True)
class Statement:
    """A statement of a thread.

    label: the program counter of a thread that stands before it, such as ``x.c:17 in worker``. operator: the name of
    its operator, such as ``worker_17``. start: the start function (or, with frames, the function) that it belongs to.
    node: the statement in the core language. body: the memories that it leads to from ``m``. needed: the locals, by
    their TLA+ names, whose values matter from here on. in_section: whether it is inside of an atomic
    section, where no other thread runs.
    """

    label: str
    operator: str
    start: str
    node: Any
    origin: Origin | None
    body: str
    needed: frozenset[str] = frozenset()
    in_section: bool = False


@dataclass(frozen=True)
class Operator:
    """A definition: ``name(parameters) == body``. comment: a line about it. recursive: whether it mentions itself."""

    name: str
    parameters: tuple[str, ...]
    body: str
    comment: str = ""
    recursive: bool = False


@dataclass(frozen=True)
class Global:
    """An object that is not a thread's own. name: in TLA+. initial: its first value. kinds: those of its cells.

    user_name: in C; "" for an object of ours. origin: of its declaration.
    """

    name: str
    initial: str
    kinds: tuple[str, ...]
    is_scalar: bool
    user_name: str = ""
    origin: Origin | None = None


@dataclass(frozen=True)
class Local:
    """An object in the frames of a function; see `Global`. initial is ``Undef`` for most, or 0 for a static one."""

    name: str
    initial: str
    kinds: tuple[str, ...]
    is_scalar: bool
    user_name: str = ""


@dataclass
class Specification:
    """All that the modules are written from.

    name: of the module, from the first file's. threads: how many there can be, with main. entries: start function →
    label of its first statement; main first. frames: function → its locals. parameters: start function → the local
    that receives the argument, "" if none does. constants: offsets of members and the like. library: operators of the
    thread library and the C library that the program calls, in the order of their dependencies. propositions: the
    words of ``--prop`` → the operator (over ``m``) that says whether it holds. invariants: those of ``--invariant``.
    names: C name → TLA+ name of every object. sources: for comments, the lines of each file. visible: the labels before
    which other threads may run; None where the places of the step program say that.
    """

    name: str
    threads: int
    entries: dict[str, str]
    frames: dict[str, list[Local]]
    parameters: dict[str, str]
    globals: list[Global]
    statements: list[Statement]
    library: list[Operator] = field(default_factory=list)
    constants: list[Operator] = field(default_factory=list)
    propositions: dict[str, Operator] = field(default_factory=dict)
    invariants: dict[str, Operator] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    sources: dict[str, Sequence[str]] = field(default_factory=dict)
    creates: bool = False
    visible: frozenset[str] | None = None

    def statement(self, label: str) -> Statement:
        """The statement before which a thread with this program counter stands."""
        return self._by_label[label]

    @property
    def _by_label(self) -> dict[str, Statement]:
        found = self.__dict__.get("_labels")
        if found is None or len(found) != len(self.statements):
            found = self.__dict__["_labels"] = {one.label: one for one in self.statements}
        return found


@dataclass(frozen=True)
class Property:
    """A temporal property or an invariant to have checked.

    name: of the operator. text: its definition, "" if a module of the user's defines it. is_temporal: whether it is
    about executions rather than states. claim: the key of the claim that a violation of it violates.
    """

    name: str
    text: str
    is_temporal: bool
    claim: str = ""


@dataclass(frozen=True)
class Question:
    """What TLC is asked about a specification.

    visible: the labels before which other threads may run. properties: what is to hold, besides `NoViolation` (no
    status begins with `FAILED`) and `Supported` (none begins with `REFUSED` or `UNDEFINED`). supported: whether the
    latter is asked for; otherwise an execution that ends so has been given up. deadlock: whether a state in which no
    thread can go on, and some has not ended, is a violation. fairness: the fairness condition, a TLA+ formula over the
    operators of the module; "" for none. module: the name of the user's module that extends ours, "" for ours; folder:
    where that is. operators: definitions that all of these use, to come between `Next` and `Spec`. violations: whether
    `NoViolation` is asked for; otherwise an execution that ends with `FAILED` has been given up, as with `DROPPED`.
    specification: the formula to check instead of `Spec`; observer: the text that defines it, after `Spec` and before
    the properties, perhaps with a variable besides ``memory``.

    loops: the labels of loops at which a thread that has run on for long stops. merged: those that the user wants in
    one step with what comes before them; cuts: the keys of what this leaves out.
    """

    visible: frozenset[str]
    properties: tuple[Property, ...] = ()
    supported: bool = True
    deadlock: bool = False
    fairness: str = ""
    module: str = ""
    folder: str = ""
    operators: tuple[Operator, ...] = ()
    violations: bool = True
    specification: str = "Spec"
    observer: str = ""
    loops: frozenset[str] = frozenset()
    merged: frozenset[str] = frozenset()
    cuts: tuple[str, ...] = ()


SPECIFICATION = Fact[Specification]("specification")

FRAMED_SPECIFICATION = Fact[Specification | None]("framed_specification")
"""The specification in which functions that recurse have frames of their own; None where there is no need for one. It
has no bound of recursion, and no counterpart in the step program."""

QUESTION = Fact[Question]("question")

FRAMED_QUESTION = Fact[Question | None]("framed_question")
"""The same question about the specification in which functions have frames; None where there is none."""
