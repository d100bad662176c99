"""Execute a counterexample before it is believed, and report it in terms of the user's program."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cseq.backends import native
from cseq.backends.base import Answer, Dialect
from cseq.backends.records import Record, Tag
from cseq.backends.registry import backend
from cseq.c.symbols import Symbols
from cseq.model.activity import ActivityKind, phase
from cseq.model.claims import DEADLOCK, RACE, Claim, Cut, Kind, Memory, MemoryState, crash
from cseq.model.errors import BackendError
from cseq.model.trace import Counterexample
from cseq.model.verdict import ABOUT, Outcome, Property, Reason, Verdict
from cseq.modules.analysis.marks import PREFIXES
from cseq.modules.analysis.probes import PROBES, Probes
from cseq.modules.core.undefined_behaviour.checks import CHECKS, Check, number_of
from cseq.modules.frontend.merger.merger import MOVES, SOURCES
from cseq.modules.library import lexicon
from cseq.modules.symbolic.encode.facts import BOUNDS, INSTANCES, SCHEDULED, SEQUENTIALIZED
from cseq.modules.symbolic.encode.instrumenter import BACKEND, Instrumented, instrumented
from cseq.modules.symbolic.run import ANSWER
from cseq.options.memory_models import MEMORY_MODEL, SC
from cseq.options.properties import PROPERTY
from cseq.pipeline.facts import Needs, Uses
from cseq.pipeline.stage import Unit, Wrapper

# A replay on values that an engine reports by the place of their choice, and perhaps not all of them.

_CHOICE = re.compile(r"\b(__CSEQ_nondet_\w+)\(\)")
_HAVOC = "__CSEQ_havoc"


class Choices:
    """The values in *chosen*, each with its line in the sequentialized program *text*, or its primitive."""

    def __init__(self, chosen: Sequence[tuple[int | str, int]], text: str) -> None:
        self._chosen = chosen
        self._lines = [number for number, line in enumerate(text.splitlines(), 1) if _CHOICE.search(line)]
        self._numbers: dict[int | str, int] = {}
        self._by_kind = {place for place, _ in chosen if isinstance(place, str)}

    def fits(self, program: Instrumented) -> bool:
        """Whether the replay's *program* has the same choices as the text."""
        return len(self._rows(program)) == len(self._lines)

    def text(self, program: Instrumented) -> str:
        """The replay's *program*, in which the place of each choice is set before the choice."""
        lines = program.text.splitlines()
        for row, line in zip(self._rows(program), self._lines, strict=True):
            for call in set(_CHOICE.findall(lines[row])):
                lines[row] = lines[row].replace(f"{call}()", self._led(call, line))
        return "\n".join([*lines, ""])

    @staticmethod
    def _rows(program: Instrumented) -> list[int]:
        lines = program.text.splitlines()
        return [row for row in range(program.before, len(lines)) if _CHOICE.search(lines[row])]

    def given(self) -> str:
        """Definitions for the runtime: the values, and the place of the choices that give objects any value."""
        values = ", ".join(f"{{ {self._number(place)}, 0, {value}ULL }}" for place, value in self._chosen)
        havoc = f"#define __CSEQ_HAVOC_PLACE __CSEQ_place = {self._number(_HAVOC)}\n"
        return f"#define __CSEQ_GIVEN {values or '{ 0, 1, 0 }'}\n{havoc}"

    def _led(self, primitive: str, line: int) -> str:
        place = primitive if primitive in self._by_kind else line
        return f"(__CSEQ_place = {self._number(place)}, {primitive}())"

    def _number(self, place: int | str) -> int:
        return self._numbers.setdefault(place, len(self._numbers) + 1)


def missing(reported: Sequence[Record]) -> int:
    """The number of values that the replay needed but the engine did not report, according to its output."""
    return sum(record.tag is Tag.MISSING for record in reported)


if TYPE_CHECKING:
    from cseq.modules.tracing.tracer import Tracer


class SymbolicReplay(Wrapper):
    """in: the engine's answer. out: for a violation, an outcome; any other answer as it is.

    The sequentialized program is compiled and run on the inputs that the engine found. It has to fail the
    assertion that the engine reports; the counterexample is what the program was seen to do.
    """

    takes = (PROPERTY, BACKEND, MOVES, MEMORY_MODEL)
    answer = Needs(ANSWER)
    sequentialized = Needs(SEQUENTIALIZED)
    threads = Needs(INSTANCES)
    sources = Needs(SOURCES)
    checks = Uses(CHECKS, None)
    probes = Uses(PROBES, Probes())
    bounds = Uses(BOUNDS, ())
    scheduled = Uses(SCHEDULED, None)

    def run(self, value: Answer) -> Answer | Outcome:
        """Replay a violation."""
        if value.status != "violated":
            return value
        outcome = self.replayed(value, native.DIALECT)
        model = self.parameter(MEMORY_MODEL)
        if model == SC or (outcome.reason is not Reason.REPLAY and not outcome.unreplayed):
            return outcome
        claim = outcome.violated.claim if outcome.violated is not None else outcome.about[0]
        message = (
            f"the engine reports a violation ({ABOUT}) under {model}: it needs stores that become visible late, which "
            "a replay does not have, or could not be replayed for another reason"
        )
        return Outcome(Verdict.UNKNOWN, Reason.BUFFERING, message, about=(claim,))

    def replayed(self, value: Answer, dialect: Dialect, of_cuts: bool = False) -> Outcome:
        """The outcome for a violation that the engine reports.

        dialect: the meaning of the primitives in the replay. of_cuts: whether the claim is that nothing is cut off.
        """
        # Most runs find nothing to replay.
        from cseq.modules.tracing import execution
        from cseq.modules.tracing.data_race import Conflict
        from cseq.modules.tracing.deadlock import Deadlock
        from cseq.modules.tracing.objects import noted
        from cseq.modules.tracing.tracer import Tracer

        if value.inputs is None and not value.chosen:
            return self._located(value, "reports no inputs", of_cuts)
        self.context.begin("replay", phase(ActivityKind.REPLAYING))
        unit, threads = self.sequentialized, self.threads
        if value.events is not None and self.scheduled is not None:
            try:
                unit, value = self.scheduled(value)
            except ValueError as error:
                return self._not_replayed(_claim(value, of_cuts), str(error))
        symbols = Symbols(unit.tree, self.context.model)
        moves = self.parameter(MOVES)
        tracer = Tracer(unit.tree, threads, symbols, self.probes, self.parameter(PROPERTY) in PREFIXES, moves)
        number, check = self._check(value.description)
        tree = tracer.traced(unit.tree)
        if check is not None and check.claim.kind is Kind.MEMSAFETY:
            tree = noted(tree, symbols)
        program = instrumented(Unit(tree=tree), dialect)
        text, given = program.text, ""
        if value.inputs is None:
            choices = Choices(value.chosen or (), unit.text)
            if not choices.fits(program):
                return self._located(value, "reports inputs that the replay does not have", of_cuts)
            text, given = choices.text(program), choices.given()
        source = self.context.workdir / "replay.c"
        source.write_text(native.program(text, number, given), encoding="utf-8")
        try:
            reported = native.execute(source, self.context.bits, list(value.inputs or ()))
        except BackendError as error:
            return self._not_replayed(check.claim if check else _claim(value, of_cuts), error.message)
        if value.inputs is None:
            if reported[-1].tag is Tag.FAILED:  # whatever the engine said: what fails in an execution, fails
                value = replace(value, description=reported[-1].text)
                number, check = self._check(value.description)
            elif missing(reported):
                return self._located(value, "does not report all inputs", of_cuts)
        happened = list(execution.happenings(reported, tracer))
        made = execution.moves(happened) if moves else []
        happened = execution.plain(happened)
        steps = execution.steps(happened, threads, self.sources)
        end = reported[-1]
        claim = _claim(value, of_cuts)
        if check is not None:
            claim = check.claim.because(_memory(reported, tracer))
        if end != Record(Tag.FAILED, text=value.description):
            if end.tag is Tag.CRASHED and steps:
                ended = Property(_crash(end.text), steps[-1].origin)
                shown = Counterexample(steps, threads, moves=made)
                return Outcome(Verdict.FALSE, violated=ended, counterexample=shown)
            after = f"after {steps[-1].origin}, " if steps and end.tag is not Tag.ENDED else ""
            if end.tag in _END:
                return self._not_replayed(claim, f"{after}{_END[end.tag]}")
            return self._not_replayed(claim, f"{after}it fails another assertion: {ABOUT}", Claim.of(end.text))
        if claim in (DEADLOCK, RACE):
            seen = execution.evidence(happened, tracer.types, threads, symbols)
            if claim == RACE:
                return execution.raced(Conflict(seen), steps, threads).with_moves(made)
            found = Deadlock(seen, threads)
            return execution.deadlocked(found, steps, threads).with_moves(made)
        last = steps[-1].origin if steps else None
        violated = Property(execution.because_freed(claim, steps), last, check.part if check else "")
        if violated.name == "misuse":
            execution.take_back(steps[-1])  # the failing step's effect
        shown = Counterexample(steps, threads, moves=made)
        return Outcome(Verdict.FALSE, violated=violated, counterexample=shown)

    def _located(self, value: Answer, why: str, of_cuts: bool) -> Outcome:
        """The outcome for a violation of which only the place is known, so that there is nothing to execute.

        why: what is wrong with the engine's report.
        """
        engine = backend(self.parameter(BACKEND)).name
        _, check = self._check(value.description)
        claim = check.claim if check is not None else _claim(value, of_cuts)
        if lexicon.is_ours(value.origin):
            said = f"a violation ({ABOUT})" if value.description else "a violation"
            message = f"{engine} reports {said}, but not where in the program, and {why}: there is nothing to replay"
            return Outcome(Verdict.UNKNOWN, Reason.REPLAY, message, about=(claim,))
        self.context.warn(f"the violation is not replayed: {engine} {why}")
        place = value.origin.plain() if value.origin is not None else None
        violated = Property(claim, place)
        return Outcome(Verdict.FALSE, violated=violated, unreplayed=f"{engine} {why}")

    def _check(self, description: str) -> tuple[int | None, Check | None]:
        """The number of the memory or arithmetic claim that *description* names, and the claim itself."""
        number = number_of(description)
        checks = self.checks
        return number, checks[number] if number is not None and checks is not None else None

    def _not_replayed(self, claim: Claim, why: str, *about: Claim) -> Outcome:
        from cseq.modules.tracing.unreplayed import reason

        tree = self.sequentialized.tree
        place = next((bound.origin for bound in self.bounds if bound.cut.is_of_addresses), None)
        because = reason(tree, Symbols(tree, self.context.model), self.parameter(PROPERTY), place)
        message = f"the engine reports a violation ({ABOUT}) that could not be replayed: {why}; {because}"
        return Outcome(Verdict.UNKNOWN, Reason.REPLAY, message, about=(claim, *about))


_END = {
    Tag.DROPPED: "an assumption does not hold in the replay, or the process ends before",
    Tag.ENDED: "the replay ends without a violation",
    Tag.CRASHED: "the replay crashes",
    Tag.LATE: "the replay does not end",
    Tag.OTHER: "the replay says nothing",
}

_STATES = frozenset(MemoryState)
"""The runtime's words for the state of the memory that a failed claim is about."""


def _crash(signal: str) -> Claim:
    """What is wrong with a replay that the *signal* of this name ends: a trap is how it stops at a division by zero."""
    return crash("SIGFPE" if signal == "SIGILL" else signal)


def _claim(value: Answer, of_cuts: bool) -> Claim:
    """The claim that the engine reports as violated, if it is not one of the checker's."""
    return Claim(Kind.UNWINDING, cut=Cut.of(value.description)) if of_cuts else Claim.of(value.description)


def _memory(reported: list[Record], tracer: Tracer) -> Memory | None:
    """The fate of the memory that the last assertion is about, as far as the runtime knows it."""
    known = reported[-2] if len(reported) > 1 else None
    if known is None or known.tag is not Tag.MEMORY or known.text not in _STATES:
        return None
    state = MemoryState(known.text)
    if state is MemoryState.OUTSIDE:
        return Memory(state, size=known.number)
    return Memory(state, tracer.points[known.number].origin.plain() if known.numbers else None)
