"""Waypoints of witnesses, which tools use to check a verdict. docs/witnesses.md describes witnesses.

This module turns the counterexample into a sequence of waypoints, each at a place in the user's files; `yamlwitness`
and `graphmlwitness` write it.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from cseq.c.positions import Call, SourceText, Statement
from cseq.c.scanner import includes
from cseq.model.claims import Claim, Kind, Reason
from cseq.model.origin import Origin
from cseq.model.trace import Counterexample, Step, Thread
from cseq.model.verdict import Outcome, Verdict
from cseq.report import words

FORMULAS = {
    "unreach-call": ("G ! call(reach_error())",),
    "no-data-race": ("G ! data-race",),
    "valid-memsafety": ("G valid-free", "G valid-deref", "G valid-memtrack"),
    "no-overflow": ("G ! overflow",),
}
"""The formulas of SV-COMP for the properties that witnesses can be about."""

_CREATING = frozenset({"pthread_create", "thrd_create"})
_NONDET = re.compile(r"(?:__\w+_)?nondet_\w+$")
_NUMBER = re.compile(r"-?(?:\d+(?:\.\d+)?(?:e[-+]?\d+)?)$")
_ASSERTING = frozenset({"assert", "__VERIFIER_assert", "__CPROVER_assert", "__ESBMC_assert", "__assert_fail"})


@dataclass(frozen=True)
class WitnessTask:
    """The task. files: their names as the user gave them. specification: the text of the property file; "" for none.

    bits: the data model. command: the words of the command line. include: the folders of ``-I``.
    """

    files: tuple[str, ...]
    specification: str = ""
    bits: int = 64
    command: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    created: datetime = field(default_factory=lambda: datetime.now(UTC))

    def hash(self, file: str) -> str:
        """The SHA-256 hash of one of the files, in hexadecimal."""
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()


class SourcePlace(NamedTuple):
    """A place in the text of a file. column: 0 if it is not known."""

    file: str
    line: int
    column: int
    function: str | None


@dataclass
class Waypoint:
    """A point that an execution passes.

    kind: ``begin``, a thread is about to execute the statement at the place; ``create``, the call at the place creates
        another thread; ``input``, the call at the place returns a value; ``target``, the violation.
    thread: the thread that passes it, with its number in the counterexample.
    values: for ``begin``, the values of variables at file level, by name. loaded: which of these the statement loads.
    value: for ``input``, the value. other: for ``create``, the created thread.
    call: for ``create`` and ``input``, the name of the called function. step: the number of the step.
    """

    kind: str
    thread: Thread
    place: SourcePlace
    step: int
    values: dict[str, str] = field(default_factory=dict)
    loaded: frozenset[str] = frozenset()
    value: str = ""
    other: Thread | None = None
    call: str = ""


def refusal(outcome: Outcome) -> str | None:
    """Why there is no witness for *outcome*, in words; None if there is one."""
    if outcome.memory_model == "c11" and outcome.verdict is not Verdict.UNKNOWN:
        return "the format is about sequentially consistent executions"
    if outcome.verdict is Verdict.TRUE:
        return f"it is about less than all executions ({words.message(outcome)})" if outcome.message else None
    if outcome.verdict is Verdict.UNKNOWN:
        return "there is none for UNKNOWN"
    if outcome.violated is not None and outcome.violated.name in _UNKNOWN:
        what = _UNKNOWN[outcome.violated.name]
        return f"{what} is none of the properties that the format knows"
    if outcome.counterexample is None or not outcome.counterexample.steps:
        return "there is none for a violation that is not replayed"
    return None


_ENDLESS = "an infinite execution"
_UNKNOWN = {
    "deadlock": "a deadlock",
    "unwinding": "a violated --unwinding-assertions",
    "invariant": "a violated --invariant",
    "crash": "a crash",
    "mutual-exclusion": "a violated --mutex",
    "tla": "a formula in TLA+",
    **dict.fromkeys(("ltl", "non-progress", "acceptance", "termination"), _ENDLESS),
}
"""The kinds of violations for which the format has no witnesses, in words."""


def specification(outcome: Outcome, run: WitnessTask) -> str:
    """The text of the specification of the witness."""
    if run.specification:
        return run.specification
    violated = [part for part in outcome.all() if part.verdict is Verdict.FALSE]
    names = [part.property for part in violated[:1] or outcome.all()]
    formulas = [formula for name in names for formula in FORMULAS.get(name, FORMULAS["unreach-call"])]
    return "\n".join(f"CHECK( init(main()), LTL({formula}) )" for formula in formulas)


def waypoints(shown: Counterexample, outcome: Outcome, run: WitnessTask) -> list[Waypoint]:
    """The waypoints of the execution *shown*, in time order. The last one is the target; of a race, the last two."""
    return list(_Passing(shown, outcome, run).waypoints())


class Texts:
    """The texts of the user's files, and of other files with steps."""

    def __init__(self, run: WitnessTask) -> None:
        self._given = [SourceText(str(Path(file)), _read(Path(file))) for file in run.files]
        self._name = {str(Path(file)): file for file in run.files}
        self._more: dict[str, SourceText | None] = {}
        self._include = run.include

    def find(self, origin: Origin) -> tuple[SourceText, list[int]] | None:
        """The text that contains *origin*, and the lines of it that come from there; None if it is not found."""
        for text in self._given:
            if lines := text.lines(origin.file, origin.line):
                return text, lines
        if origin.file not in self._more:
            path = Path(origin.file)
            self._more[origin.file] = SourceText(origin.file, _read(path)) if path.is_file() else None
        text_or_none = self._more[origin.file]
        if text_or_none is None or not (lines := text_or_none.lines(origin.file, origin.line)):
            return None
        return text_or_none, lines

    def place(self, text: SourceText, line: int, column: int, function: str | None) -> SourcePlace:
        """The place, with the user's name for the file."""
        return SourcePlace(self._name.get(text.path, text.path), line, column, function)

    def functions(self) -> set[str]:
        """The names of the functions that the user's files define."""
        return {function.name for text in self._given for function in text.functions}

    def shared(self) -> set[str]:
        """The variables at file level that only statements that name them can change."""
        names = {name for text in self._given for name in text.variables()}
        for text in self._given:
            names -= text.others(alone=len(self._given) == 1)
        pending = [Path(text.path) for text in self._given]
        seen = set(pending)
        while pending:
            path = pending.pop()
            for name in (name for quote, name in includes(_read(path)) if quote == '"'):
                folders = [path.parent, *(Path(folder) for folder in self._include)]
                found = next((folder / name for folder in folders if (folder / name).is_file()), None)
                if found is None:
                    return set()
                if found not in seen:
                    seen.add(found)
                    pending.append(found)
                    text = SourceText(str(found), _read(found))
                    names -= text.others(alone=False)
        return names


def is_number(value: str) -> bool:
    """Whether the value of an access is a number that C can write as a constant."""
    return _NUMBER.match(value) is not None


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


class _Passing:
    """Derives waypoints from the steps of a counterexample."""

    def __init__(self, shown: Counterexample, outcome: Outcome, run: WitnessTask) -> None:
        self._shown = shown
        self._outcome = outcome
        self._texts = Texts(run)
        self._shared = self._texts.shared()
        self._known: dict[str, str] = {}
        self._passed: set[tuple[Thread, Origin]] = set()
        self._before: dict[Thread, Origin] = {}
        self._inputs: dict[tuple[Thread, Origin], int] = {}  # how many inputs a line gets
        self._taken: dict[tuple[Thread, Origin], int] = {}
        self._created: dict[tuple[Thread, Origin], int] = {}
        for step in shown.steps:
            key = step.thread, step.origin
            self._inputs[key] = self._inputs.get(key, 0) + len(step.inputs)

    def waypoints(self) -> Iterator[Waypoint]:
        for number, step in enumerate(self._shown.steps):
            if not step.stands:
                yield from self._step(step, number)
                self._before[step.thread] = step.origin
        last = len(self._shown.steps) - 1
        if self._shown.racing:
            for side in self._shown.racing:
                yield Waypoint("target", side.thread, self._target(side.origin, frozenset(), (side.name,)), last)
        else:
            step = self._shown.steps[-1]
            violated = self._outcome.violated
            origin = violated.origin if violated is not None and violated.origin is not None else step.origin
            claim = violated.claim if violated is not None else None
            yield Waypoint("target", step.thread, self._target(origin, *_guilty(claim)), last)

    def _step(self, step: Step, number: int) -> Iterator[Waypoint]:
        found = self._texts.find(step.origin)
        key = step.thread, step.origin
        if found is not None and key not in self._passed:
            self._passed.add(key)
            place = self._begin(step, *found)
            if place is not None:
                loaded = self._loaded(step)
                here = found[0].variables()
                shown = {name: value for name, value in {**self._known, **loaded}.items() if name in here}
                yield Waypoint("begin", step.thread, place, number, shown, frozenset(loaded))
        if found is not None:
            yield from self._returned(step, number, *found)
            for created in step.created:
                place, name = self._creation(key, created, *found)
                yield Waypoint("create", step.thread, place, number, other=created, call=name)
        for access in step.accesses:
            if access.name in self._shared:
                if is_number(access.value):
                    self._known[access.name] = access.value
                else:
                    self._known.pop(access.name, None)

    def _loaded(self, step: Step) -> dict[str, str]:
        """The shared variables that *step* reads before it writes to them, with the values they had when it began."""
        first: dict[str, str] = {}
        written = set()
        for access in step.accesses:
            if access.kind == "write":
                written.add(access.name)
            elif access.name not in written and access.name in self._shared and is_number(access.value):
                first.setdefault(access.name, access.value)
        return first

    def _begin(self, step: Step, text: SourceText, lines: list[int]) -> SourcePlace | None:
        """The beginning of the statement that *step* is about to execute; None if it may be in the middle of it."""
        statement = text.statement(lines, step.origin.function)
        if statement is None or statement.keyword == "tail":
            return None
        if statement.is_loop and self._is_inside(statement, text, step):
            return None
        token = text.begin(statement)
        return self._texts.place(text, token.line, token.column, step.origin.function)

    def _is_inside(self, loop: Statement, text: SourceText, step: Step) -> bool:
        """Whether the previous step of the thread was inside *loop*."""
        before, path = self._before.get(step.thread), step.origin.path
        if before is None or before.path[: len(path)] != path:
            return False
        call = before.path[len(path)] if len(before.path) > len(path) else before
        if call.function != step.origin.function:
            return False
        found = self._texts.find(Origin(call.file, call.line))
        first, last = text.tokens[loop.first].line, text.tokens[loop.end].line
        return found is not None and found[0] is text and any(first <= line <= last for line in found[1])

    def _returned(self, step: Step, number: int, text: SourceText, lines: list[int]) -> Iterator[Waypoint]:
        """The values that nondeterministic functions return, where it is clear which call returns them."""
        key = step.thread, step.origin
        calls = [call for call in text.calls(lines, step.origin.function) if _NONDET.match(call.name)]
        for value in step.inputs:
            taken = self._taken[key] = self._taken.get(key, 0) + 1
            if not value or not is_number(value):
                continue
            if len(calls) == 1:
                call = calls[0]
            elif len(calls) == self._inputs[key]:
                call = calls[taken - 1]
            else:
                continue
            place = self._closing(text, call, step.origin.function)
            yield Waypoint("input", step.thread, place, number, value=value, call=call.name)

    def _creation(
        self, key: tuple[Thread, Origin], created: Thread, text: SourceText, lines: list[int]
    ) -> tuple[SourcePlace, str]:
        """The place of the call that creates a thread, and the name of the called function; "" if it is not known."""
        count = self._created[key] = self._created.get(key, 0) + 1
        function = key[1].function
        calls = text.calls(lines, function)
        creating = [call for call in calls if call.name in _CREATING]
        of_it = [call for call in creating if created.function in text.words(call)]
        for chosen in (of_it, creating, calls[-1:]):
            if chosen:
                call = chosen[min(count, len(chosen)) - 1] if chosen is not of_it else _turn(of_it, creating, count)
                return self._closing(text, call, function), call.name
        return self._texts.place(text, lines[0], 0, function), ""

    def _closing(self, text: SourceText, call: Call, function: str | None) -> SourcePlace:
        token = text.tokens[call.closing]
        return self._texts.place(text, token.line, token.column, function)

    def _target(self, origin: Origin, called: frozenset[str], parts: tuple[str, ...]) -> SourcePlace:
        """The beginning of the statement that violates the property, or else of the call that leads there.

        called: names of functions; the statement calls one of them. parts: texts; the statement contains one of them.
        """
        ways = [origin, *(Origin(c.file, c.line, function=c.function) for c in reversed(origin.path))]
        for way in ways:
            found = self._texts.find(way)
            if found is None:
                continue
            text, lines = found
            statement = self._guilty(text, lines, way, called, parts) or text.statement(lines, way.function)
            if statement is not None:
                token = text.begin(statement)
                return self._texts.place(text, token.line, token.column, way.function)
            return self._texts.place(text, lines[0], 0, way.function)
        return SourcePlace(origin.file, origin.line, origin.column, origin.function)

    def _guilty(
        self, text: SourceText, lines: list[int], origin: Origin, called: frozenset[str], parts: tuple[str, ...]
    ) -> Statement | None:
        """The statement with the violation, if there are several on the line."""
        for call in text.calls(lines, origin.function):
            if call.name in called and text.tokens[call.first].line in lines:
                return text.around(call, origin.function)
        for part in filter(None, parts):
            for statement in text.beginning(lines, origin.function):
                if part.replace(" ", "") in text.written(statement):
                    return statement
        return None


def _guilty(claim: Claim | None) -> tuple[frozenset[str], tuple[str, ...]]:
    """The functions, one of which the statement that violates the *claim* calls; and the texts it may contain."""
    if claim is None:
        return frozenset(), ()
    asserts = claim.kind is Kind.ASSERTION or claim.reason is Reason.FAILS
    names = frozenset({claim.function} if claim.function else ()) | (_ASSERTING if asserts else frozenset())
    subject = claim.subject if claim.kind in (Kind.ASSERTION, Kind.MEMSAFETY, Kind.OVERFLOW) else ""
    return names, (subject, claim.type, claim.within or "")


def _turn(of_it: Sequence[Call], creating: Sequence[Call], count: int) -> Call:
    """The call, one of *of_it*, for the *count*-th thread that a line creates."""
    nth = creating[min(count, len(creating)) - 1]
    return nth if nth in of_it else of_it[0]
