"""What the user asks about a program, as properties, fairness and further definitions in TLA+."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from cseq.model.claims import Claim, Kind
from cseq.model.errors import UnsupportedError, UsageError
from cseq.modules.questions.ltl import TERMINATED, Formula
from cseq.modules.tla import temporal
from cseq.modules.tla.spec import ENDED, RUNS, Operator, Property, Question, Specification, Statement
from cseq.options import mutual_exclusion as exclusion
from cseq.options.mutual_exclusion import Line
from cseq.options.properties import DEADLOCK, EXCLUSION, LTL, TERMINATION, TLA, UNREACH
from cseq.pipeline.stage import Parameter

THREADS = "threads"
"""The word with which TLC prints the threads that violate a property: ``<<"cseq", "threads", {0, 1}>>``."""

RESERVED = frozenset({
    "After", "Alive", "Idles", "CanGo", "SomeCanGo", "Terminated", "Counts", "GivenUp", "StartsWith", "Admitted",
    "Blocked", "Asked", "Reasons", "Hopeless", "Stuck", "NoDeadlock", "Standing", "Exclusive", "Termination", "Formula",
    "Fits", "Keeps", "Foreseen", temporal.UNTIL,
})  # fmt: skip
"""The names that are defined here, apart from numbered ones such as ``Exclusive_1``, and from ``Always_x``."""


class Fairness(Enum):
    """Which infinite executions count.

    NONE: all; only, where a thread can go on, some thread does. WEAK: those in which each thread that can go on all the
    time, from some state on, does so again and again. STRONG: those in which each that can go on again and again does.
    """

    NONE = "none"
    WEAK = "weak"
    STRONG = "strong"


def _formula(text: str) -> None:
    if not text.strip():
        raise ValueError("the formula is empty")
    if "\n" in text or re.search(r"-{4,}|={4,}|\\\*|\(\*", text):
        raise ValueError(f"`{text}` has to be one formula on one line, without comments")


_NAME = re.compile(r"[A-Za-z_]\w*")


def names_in(formulas: Iterable[str], module: str | None) -> list[str]:
    """The names in *formulas* and in the file *module*, as far as it can be read: perhaps those of objects."""
    texts = list(formulas)
    if module is not None:
        with suppress(OSError, UnicodeDecodeError):  # `question` says so
            texts.append(Path(module).read_text(encoding="utf-8"))
    return sorted({name for text in texts for name in _NAME.findall(text)})


TLA_INVARIANT: Parameter[Sequence[str]] = Parameter(
    "tla_invariant", str, (), "also claim that a TLA+ formula over C names holds in every state", ("--tla-invariant",),
    "FORMULA", multiple=True, check=_formula,
)  # fmt: skip
TLA_PROPERTY: Parameter[Sequence[str]] = Parameter(
    "tla_property", str, (), "also claim that a temporal formula of TLA+ over C names holds", ("--tla-property",),
    "FORMULA", multiple=True, check=_formula,
)  # fmt: skip
TLA_MODULE: Parameter[str | None] = Parameter(
    "tla_module", str, None,
    "a TLA+ module that extends the program's; --tla-invariant and --tla-property may name what it defines",
    ("--tla-module",), "FILE",
)  # fmt: skip


@dataclass(frozen=True)
class PropertyQuestion:
    """What the user asks. property: the name of the property. fairness: what counts, if it is about executions.

    formula: for `LTL`, the formula, and its text. exclusions: pairs of lines (`cseq.options.mutual_exclusion`).
    invariants, temporal: formulas in TLA+. module: the file of the user's module, if there is one.
    """

    property: str = UNREACH
    fairness: Fairness = Fairness.NONE
    formula: Formula | None = None
    text: str = ""
    exclusions: Sequence[str] = ()
    invariants: Sequence[str] = ()
    temporal: Sequence[str] = ()
    module: str | None = None


def question(specification: Specification, visible: frozenset[str], asked: PropertyQuestion) -> Question:
    """What TLC is to be asked about *specification*. visible: the labels before which other threads may run.

    UsageError if what the user names is not there. UnsupportedError if threads cannot stand there.
    """
    if asked.property not in (UNREACH, EXCLUSION):
        visible |= _waiting(specification)
    match asked.property:
        case _ if asked.property == DEADLOCK:
            return Question(visible, _NO_DEADLOCK, operators=_WAITING, violations=False)
        case _ if asked.property == EXCLUSION:
            return _exclusive(specification, visible, asked.exclusions)
        case _ if asked.property == TLA:
            return _users(specification, visible, asked)
        case _ if asked.property in (LTL, TERMINATION):
            return _lively(specification, visible, asked)
        case _:
            return Question(visible, tuple(_invariants(specification)))


def _waiting(specification: Specification) -> frozenset[str]:
    """The labels of the statements before which a thread may have to wait.

    Where a step makes a choice and only then has to wait, there is no next memory after that choice, as if it had not
    been made. So that it counts as an execution, the step has to end before.
    """
    waits = set(_NOWHERE)
    for operator in specification.library:  # each comes after those that it needs, or mentions itself
        if _mentions(operator.body, waits):
            waits.add(operator.name)
    return frozenset(one.label for one in specification.statements if _mentions(one.body, waits) and not one.in_section)


_NOWHERE = frozenset({"WaitsFor", "{}"})
"""How a statement says that there is no next memory."""
_MENTIONED = re.compile(r"\w+|\{\}")


def _mentions(text: str, names: Set[str]) -> bool:
    return not names.isdisjoint(_MENTIONED.findall(text))


def _invariants(specification: Specification) -> Iterator[Property]:
    for name, operator in specification.invariants.items():
        text = f"Always_{name} == Runs(memory) => {operator.name}(memory)"
        yield Property(f"Always_{name}", text, False, Claim(Kind.INVARIANT, subject=name).key)


# Infinite executions.
#
# A step may leave the memory as it is: a thread that spins goes from its test to its test. TLA+ does not distinguish
# that from a state in which no thread acts, so "a step that changes something" says too little about such a
# thread: WF_memory(Step(self)) would make a spinning thread wait for ever where it is. `CanGo` is about a memory that
# the thread cannot keep by a step of its own. Where it can, it may as well go round there, which is as fair.
#
# With Goes == Step(self) /\ CanGo(self), the formulas below are WF_memory(Goes) and SF_memory(Goes). They are written
# out because TLC finds ENABLED of an action without remembering any value of a parameter: it computes the memory before
# a statement again wherever the statement mentions it, and so the one before that, which takes for ever where a step
# is of ten statements. A state predicate is computed like any other expression.

_AFTER = Operator("After", ("self", "m"), "UNION {Run(self, n) : n \\in Statement(self, m)}", "one step later")
_ALIVE = Operator("Alive", ("self", "m"), "Runs(m) /\\ m.register[self] # <<>>")
_IDLES = Operator(  # the registers first: TLC cannot compare an integer with a wide one
    "Idles",
    ("self",),
    "Alive(self, memory) /\\ \\E n \\in After(self, memory) : n.register = memory.register /\\ Settled(n) = memory",
    "a step may change nothing",
)
_CAN_GO = Operator(
    "CanGo",
    ("self",),
    """
  /\\ Alive(self, memory)
  /\\ LET after == After(self, memory)
     IN after # {} /\\ \\A n \\in after : ~(n.register = memory.register /\\ Settled(n) = memory)""",
    "there are steps, and each changes something",
)
_SOME_CAN_GO = Operator(
    "SomeCanGo", (), "(\\E self \\in Threads : CanGo(self)) /\\ \\A self \\in Threads : ~Idles(self)"
)
_PROGRESS = {
    Fairness.NONE: (_AFTER, _ALIVE, _IDLES, _CAN_GO, _SOME_CAN_GO),
    Fairness.WEAK: (_AFTER, _ALIVE, _CAN_GO),
    Fairness.STRONG: (_AFTER, _ALIVE, _IDLES, _CAN_GO),
}
_FAIRNESS = {
    Fairness.NONE: "([]<>~SomeCanGo \\/ []<><<TRUE>>_memory)",
    Fairness.WEAK: "\\A self \\in Threads : []<>~CanGo(self) \\/ []<><<Step(self)>>_memory",
    Fairness.STRONG: "\\A self \\in Threads : <>[]~CanGo(self) \\/ []<>Idles(self) \\/ []<><<Step(self)>>_memory",
}
_TERMINATED = Operator(
    "Terminated", ("m",), f'm.status = "{ENDED}" \\/ (Runs(m) /\\ \\A self \\in Threads : m.register[self] = <<>>)'
)
_COUNTS = Operator(
    "Counts", (), f'[](memory.status \\in {{"{RUNS}", "{ENDED}"}})', "the execution is not given up anywhere"
)
_GIVEN_UP = (
    Operator(
        "StartsWith", ("text", "first"), "Len(text) >= Len(first) /\\ SubSeq(text, 1, Len(first)) = first"
    ),
    Operator(
        "GivenUp", ("m",),
        'm.status = "dropped" \\/ StartsWith(m.status, "cut.") \\/ StartsWith(m.status, "failed.")',
    ),
)  # fmt: skip


def _lively(specification: Specification, visible: frozenset[str], asked: PropertyQuestion) -> Question:
    """A formula, about the executions that are not given up.

    It is a conclusion, never the whole property: TLC takes `[]p` alone for an invariant and a state predicate for one
    of initial states, and would not ask whether such an execution can go on, is fair, or has guessed right.
    """
    fairness = _FAIRNESS[asked.fairness]
    operators = (*_PROGRESS[asked.fairness], _TERMINATED, _COUNTS)
    if asked.property == TERMINATION or asked.formula is None:
        text = "Termination == Counts => <>Terminated(memory)"
        ends = Property("Termination", text, True, Claim(Kind.TERMINATION).key)
        return Question(visible, (ends,), fairness=fairness, operators=operators, violations=False)
    words = {word: f"{operator.name}(memory)" for word, operator in specification.propositions.items()}
    formula = temporal.Temporal(asked.formula, {**words, TERMINATED: "Terminated(memory)"})
    holds = Property("Formula", f"Formula == Counts => ({formula.text})", True, Claim(Kind.LTL, subject=asked.text).key)
    if not formula.testers:
        return Question(visible, (holds,), fairness=fairness, operators=operators, violations=False)
    return Question(
        visible, (holds,), fairness=fairness, operators=operators, violations=False, specification="Foreseen",
        observer=temporal.observer(formula.testers, "Foreseen", fairness),
    )  # fmt: skip


# Deadlocks, as `backends/explorer/stuck.c` judges them; `pthread_stubs/deadlock.c` explains the theory.

_NO_DEADLOCK = (
    Property(
        "NoDeadlock",
        "NoDeadlock ==\n"
        "  LET stuck == Stuck({self \\in Threads : Blocked(self, memory)}, memory)\n"
        f'  IN stuck = {{}} \\/ ~PrintT(<<"cseq", "{THREADS}", stuck>>)',
        False,
        Claim(Kind.DEADLOCK).key,
    ),
)


_WAITING = (
    _ALIVE,
    Operator(
        "Asked",
        ("self", "m"),
        """
  UNION {IF n.status = "waits" THEN {<<TRUE, n.ret[self]>>}
         ELSE IF Stops(self, n) \\/ ~InSection(self, n) THEN {<<FALSE, {}>>}
         ELSE Asked(self, n) : n \\in Statement(self, m)}""",
        "the ways to go on, or not: whether the thread waits, and who it takes to end that",
        recursive=True,
    ),
    Operator("Reasons", ("self", "m"), "Asked(self, Asking(m))"),
    Operator(
        "Blocked",
        ("self", "m"),
        "Alive(self, m) /\\ Reasons(self, m) # {} /\\ \\A one \\in Reasons(self, m) : one[1]",
    ),
    Operator(
        "Hopeless",
        ("self", "m", "lost"),
        "\\A one \\in Reasons(self, m) : IF one[2] = {} THEN lost = Threads ELSE one[2] \\cap lost # {}",
        "those that are lost do nothing any more",
    ),
    Operator(
        "Stuck",
        ("threads", "m"),
        "\n  LET lost == threads \\cup {self \\in Threads : m.register[self] = <<>>}\n"
        "      left == {self \\in threads : Hopeless(self, m, lost)}\n"
        "  IN IF left = threads THEN threads ELSE Stuck(left, m)",
        "the threads of a set of blocked ones that no other thread can wake",
        recursive=True,
    ),
)
"""The operators for who waits for whom.

What a thread waits for takes all threads of a set: {} stands for any thread, {-1} for the world outside, which is never
lost. A step may fail to be possible in several ways, which differ in what the thread waits for.
"""


# Lines at which two threads must not stand together.


def _exclusive(specification: Specification, visible: frozenset[str], exclusions: Sequence[str]) -> Question:
    found, labels = [], set(visible)
    for number, text in enumerate(exclusions, 1):
        pair = exclusion.read(text)
        one, other = (_at(specification.statements, line) for line in pair)
        labels.update(one, other)
        body = (
            f"Exclusive_{number} ==\n"
            f"  LET one == Standing({_set(one)})\n      other == Standing({_set(other)})\n"
            "  IN \\A self \\in one : \\A another \\in other \\ {self} : "
            f'~PrintT(<<"cseq", "{THREADS}", {{self, another}}>>)'
        )
        found.append(Property(f"Exclusive_{number}", body, False, Claim(Kind.EXCLUSION, subject=str(pair)).key))
    standing = Operator(
        "Standing", ("labels",), "{self \\in Threads : Alive(self, memory) /\\ Pc(self, memory) \\in labels}"
    )
    return Question(frozenset(labels), tuple(found), operators=(_ALIVE, standing), violations=False)


def _at(statements: Sequence[Statement], line: Line) -> list[str]:
    """The labels of the statements on *line*."""
    found = [statement for statement in statements if line.has(statement.origin)]
    if not found:
        origins = [one.origin for one in statements if one.origin]
        numbers = {origin.line for origin in origins if line._replace(number=origin.line).has(origin)}
        near = sorted(numbers, key=lambda number: (abs(number - line.number), number))[:2]
        hint = f"; the nearest lines with one are {', '.join(map(str, sorted(near)))}" if near else ""
        raise UsageError(f"--mutex: no thread executes a statement at {line}{hint}")
    files = sorted({one.origin.file for one in found if one.origin})
    if len(files) > 1:
        raise UsageError(f"--mutex: {line} may be in {' or '.join(files)}")
    outside = [statement.label for statement in found if not statement.in_section]  # a section may begin on the line
    if not outside:
        raise UnsupportedError("--mutex for a line inside of an atomic section is not supported", found[0].origin)
    return outside


def _set(labels: list[str]) -> str:
    return "{" + ", ".join(f'"{label}"' for label in labels) + "}"


# The user's TLA+.

_HEADER = re.compile(r"-{4,}\s*MODULE\s+(\w+)\s*-{4,}")
_EXTENDS = re.compile(r"^\s*EXTENDS\s+(\w+(?:\s*,\s*\w+)*)", re.MULTILINE)


def _users(specification: Specification, visible: frozenset[str], asked: PropertyQuestion) -> Question:
    """The user's formulas. A name alone is what the user's module, if there is one, defines.

    They are checked as they are written, since TLC follows the steps of a specification in no other formula. Executions
    that are given up are left out by leaving out their last steps: then they stop where they could go on, which is
    unfair.
    """
    module = folder = ""
    if asked.module is not None:
        path = Path(asked.module)
        module, folder = _module(path, specification.name), str(path.parent)
    found = [
        *_formulas("Invariant", asked.invariants, False, module),
        *_formulas("Property", asked.temporal, True, module),
    ]
    if not asked.temporal:
        return Question(visible, tuple(found), violations=False, module=module, folder=folder)
    fairness = _FAIRNESS[asked.fairness]
    admitted = f"Admitted ==\n  /\\ Init\n  /\\ [][Next /\\ ~GivenUp(memory')]_memory\n  /\\ {fairness}"
    return Question(
        visible, tuple(found), fairness=fairness, module=module, folder=folder, violations=False,
        operators=(*_PROGRESS[asked.fairness], *_GIVEN_UP), specification="Admitted", observer=admitted,
    )  # fmt: skip


def _formulas(name: str, formulas: Sequence[str], is_temporal: bool, module: str) -> Iterator[Property]:
    for number, formula in enumerate(formulas, 1):
        claim = Claim(Kind.TLA, subject=formula).key
        if module and re.fullmatch(r"[A-Za-z_]\w*", formula.strip()):
            yield Property(formula.strip(), "", is_temporal, claim)
        else:
            yield Property(f"{name}_{number}", f"{name}_{number} == {formula.strip()}", is_temporal, claim)


def _module(path: Path, program: str) -> str:
    """The name of the module in the file *path*, which extends the module *program*. UsageError if it is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise UsageError(f"--tla-module: {path}: {reason}") from None
    header, extends = _HEADER.search(text), _EXTENDS.search(text)
    if header is None or header[1] != path.stem or path.suffix != ".tla":
        raise UsageError(f"--tla-module: {path}: the file has to end in .tla, and its module to be called {path.stem}")
    if extends is None or program not in re.split(r"\s*,\s*", extends[1]):
        raise UsageError(f"--tla-module: {path}: the module has to extend the program's, which is called {program}")
    return header[1]
