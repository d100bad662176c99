"""Decide which questions answer what the user asked."""

import time
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, ClassVar

from cseq.model.claims import Limit
from cseq.model.errors import UsageError
from cseq.model.verdict import Outcome, Reason, Spurious, Verdict
from cseq.modules.analysis.spurious import HAS_SPURIOUS, NO_SPURIOUS, SPURIOUS, WEAK_FAILS
from cseq.modules.analysis.vacuity import vacuous
from cseq.modules.frontend.observers.observers import CAN_PREEMPT, INVARIANT
from cseq.modules.questions.answers import Answers, vacuously
from cseq.modules.questions.distinct_races import find_others
from cseq.modules.questions.property_file import properties, read
from cseq.modules.questions.runs import Run, Runs
from cseq.options.cluster_options import CLUSTER, CLUSTER_OPTIONS, check_security
from cseq.options.properties import (
    ACCEPTANCE,
    ALSO_DEADLOCK,
    ALSO_RACE,
    CHECKED,
    CHECKING,
    CLAIMS,
    CLOSED_WORLD,
    DEADLOCK,
    ERRORS,
    EXCLUSION,
    EXCUSED,
    JOBS,
    LTL,
    MEMSAFETY,
    NAMED,
    OVERFLOW,
    PROGRESS,
    PROPERTIES,
    PROPERTY,
    RACE,
    READS,
    RESUME,
    TERMINATION,
    TIMEOUT,
    TLA,
    UNREACH,
)
from cseq.pipeline.facts import Fact
from cseq.pipeline.stage import Context, Parameter, Runner
from cseq.pipeline.stage import Planner as Base
from cseq.pipeline.status import PropertyBegan
from cseq.process.deadline import TimeUpError

CHOSEN = {
    ALSO_DEADLOCK: DEADLOCK,
    ALSO_RACE: RACE,
    Parameter(
        "memsafety", bool, False, "also look for invalid memory accesses, invalid frees and leaks", ("--memsafety",)
    ): MEMSAFETY,
    Parameter(
        "overflow",
        bool,
        False,
        "also look for signed overflow, division by zero and undefined shifts",
        ("--overflow",),
    ): OVERFLOW,
}
"""The parameters that ask for properties, besides the one that is always checked."""

SPEC: Parameter[str | None] = Parameter(
    "spec", str, None, "check the properties of an SV-COMP property file, and no other", ("--spec",), "FILE"
)
EXCUSE = Parameter("excuse", bool, False, "look for another violation of unreach-call after misuse")
FIRST = Parameter("first", bool, False, "stop after the first data race", ("--first",))
MERGER = "merger"
"""The stage after which it is known what a program uses."""

ONLY = Parameter(
    "only", str, "", "check this property and no other", ("--only",), "PROPERTY",
    choices=lambda: [*PROPERTIES, LTL, PROGRESS, ACCEPTANCE, TERMINATION, EXCLUSION, TLA],
)  # fmt: skip


Ask = Callable[[str, dict[str, object]], Outcome]
"""One run of the stages, for a property and with values of the parameters that differ from the user's."""


def _is_misuse(outcome: Outcome) -> bool:
    violated = outcome.violated
    return outcome.verdict is Verdict.FALSE and violated is not None and violated.claim.is_beyond_svcomp


class _Questions:
    """Asks whether a property holds of all executions, also of those in which something happens spuriously.

    A counterexample in which that happens may not need it. So then the executions without are asked about as well, and
    a violation that they have is the answer. The same is done where memory is too small to search all executions.
    """

    def __init__(self, run: Run, context: Context) -> None:
        self._run = run
        self._context = context

    def ask(self, values: dict[str, object], folder: Path, only: bool) -> Outcome:
        """The outcome with *values* of the parameters. folder: for intermediate files.

        only: whether the executions without are of no interest.
        """
        found = self._run(values, folder)
        if only or not self._context.facts.get(HAS_SPURIOUS, False):
            return found
        if not SPURIOUS.of(values):
            found.spurious = Spurious.EXCLUDED if _is_proof(found) else None
            return found
        violated = found.verdict is Verdict.FALSE
        if not (violated and _is_spurious(found)) and found.reason is not Reason.MEMORY:
            return found
        try:
            without = self._run({**values, SPURIOUS.name: False, WEAK_FAILS.name: False}, folder / "usual")
        except TimeUpError:
            without = Outcome(Verdict.UNKNOWN, Reason.TIMEOUT)
        if without.verdict is Verdict.FALSE:
            return without
        if violated:
            found.spurious = Spurious.NEEDED
        elif without.verdict is Verdict.TRUE:
            found.spurious = Spurious.UNDECIDED
        return found


def _is_proof(outcome: Outcome) -> bool:
    """Whether there is no violation at all, or none in the part of the schedules that was explored."""
    return outcome.verdict is Verdict.TRUE or (
        outcome.reason is Reason.BOUNDED and {bound.kind for bound in outcome.bounds} == {Limit.TILE}
    )


def _is_spurious(outcome: Outcome) -> bool:
    """Whether in the counterexample, if there is one, something happens without a reason."""
    shown = outcome.counterexample
    return shown is None or any(True for _ in shown.spurious())


class Questions(Base):
    """in: what the user asked. out: the outcome, from one run of the stages for each property.

    Each property is a separate question, about a separate program. The common part of their translations is made once.
    """

    takes: ClassVar[tuple[Parameter[object], ...]] = (
        *CHOSEN,
        SPEC,
        EXCUSE,
        ONLY,
        FIRST,
        SPURIOUS,
        NO_SPURIOUS,
        JOBS,
        RESUME,
        *CLUSTER_OPTIONS,
    )
    engine: ClassVar[Parameter[str]]
    """The parameter of the family's engine."""
    wider: ClassVar[tuple[str, ...]] = (RACE, DEADLOCK, MEMSAFETY)
    """The properties that are worth asking about where a program claims nothing."""
    wanted: ClassVar[tuple[Fact[Any], ...]] = (HAS_SPURIOUS, CLAIMS)
    """The facts that are read after a run."""

    @classmethod
    def settle(cls, values: dict[str, object], given: Collection[str]) -> None:
        """A property file determines everything that is checked, and which functions must not be called."""
        check_security(values)
        if CLUSTER.of(values) is not None and JOBS.of(values) is not None:
            raise UsageError("--cluster and --jobs cannot be combined: each worker says how many jobs it does")
        if SPURIOUS.of(values) and NO_SPURIOUS.of(values):
            raise UsageError("--spurious-wakeups and --no-spurious-wakeups cannot be combined")
        if (only := ONLY.of(values)) and only not in cls.available(values):
            raise UsageError(f"--only {only}: nothing else on the command line says what that is about")
        specification = SPEC.of(values)
        if specification is None:
            return
        for option in CHOSEN:
            if option.of(values):
                raise UsageError(f"--spec and --{option.name} cannot be combined")
        values[ERRORS.name] = (*ERRORS.of(values), *read(specification).errors)

    @classmethod
    def available(cls, values: dict[str, object]) -> list[str]:
        """The properties that can be chosen by `ONLY`: those of the property file, if there is one."""
        specification = SPEC.of(values)
        asked = PROPERTIES if specification is None else properties(specification)
        return [name for name in PROPERTIES if name in asked]

    def plan(self, session: Runner) -> Outcome:
        """Check one property after another."""
        folder = self.context.workdir
        chosen = self._properties()

        def ask(name: str, changed: dict[str, object]) -> Outcome:
            # If there are several questions, the files of each are kept separately.
            values = {**self._values(asked, name), **changed, EXCUSED.name: name in misused}
            self.context.report(PropertyBegan(name, chosen.index(name) + 1, len(chosen)))
            kept = folder / name if len(chosen) > 1 else folder
            outcome = self._answered(lambda: questions.ask(values, kept, SPURIOUS.of(asked)), chosen)
            outcome.property = name
            if name == UNREACH and not self._claims(values):
                outcome.unclaimed = True
                chosen_too = {name for option, name in CHOSEN.items() if option.of(values)}
                outcome.unasked = tuple(wider for wider in self.wider if wider not in chosen_too)
            return outcome

        def run(name: str, changed: dict[str, object]) -> Outcome:
            begun = time.monotonic()
            outcome = ask(name, changed)
            if name == RACE and outcome.verdict is Verdict.FALSE and self._looks_for_others(outcome):
                answers.announce(outcome)
                find_others(self.context, outcome, lambda known: ask(name, {**changed, **known}), begun)
            if self.parameter(EXCUSE) and name == UNREACH and name not in misused and _is_misuse(outcome):
                misused[name] = outcome
                return run(name, changed)
            return outcome

        asked = self.context.values
        questions = _Questions(self._runs(session), self.context)
        misused: dict[str, Outcome] = {}
        answers = Answers(self.context, chosen, self.parameter(self.engine))

        def add(outcome: Outcome) -> None:
            answers.add(self._with_misuse(outcome, misused.get(outcome.property)))

        with answers.as_far_as_known():
            self._ask_all(self._asking(chosen, session, answers), run, add)
        self.context.workdir = folder
        found = answers.summed()
        for part in found.all():
            part.jobs = tuple(record for record in self.context.jobs if record.name.property == part.property)
        return found

    def _runs(self, session: Runner) -> Run:
        """What runs the stages of *session* with some values of the parameters."""
        return Runs(session, self.engine, self.wanted).run

    def _ask_all(self, names: Sequence[str], ask: Ask, add: Callable[[Outcome], None]) -> None:
        """Ask about the properties *names*, one after another, each in an equal share of the time that is left."""
        asked = self.context.values
        begun, limit = time.monotonic(), TIMEOUT.of(asked)
        for position, name in enumerate(names):
            if limit is not None:
                now = time.monotonic()
                self.context.end = now + (begun + limit - now) / (len(names) - position)
            add(ask(name, {}))

    def _answered(self, ask: Callable[[], Outcome], chosen: list[str]) -> Outcome:
        """The outcome of one of the *chosen* questions."""
        return ask()

    def _asking(self, chosen: list[str], session: Runner, answers: Answers) -> list[str]:
        """The *chosen* properties that an engine has to be asked about; the others have their answers."""
        known = {} if self.parameter(ONLY) else self.vacuous(session)
        for name in chosen:
            if name in known:
                answers.add(vacuously(name, known[name], self.parameter(self.engine)))
        return [name for name in chosen if name not in known]

    def vacuous(self, session: Runner) -> dict[str, str]:
        """The properties that nothing in the program can violate, and why, as far as the chain's stages are ours."""
        names = self._properties()
        if names == [UNREACH] or not session.is_ours:
            return {}
        values = self.questions()[names[0]]
        known = vacuous(session.run(values, until=MERGER).tree, ERRORS.of(values), CLOSED_WORLD.of(values))
        if CAN_PREEMPT.of(values) is not None:  # a scheduler may let no thread run
            known.pop(DEADLOCK, None)
        if INVARIANT.of(values):  # that the program does not claim
            known.pop(UNREACH, None)
        return known

    def _looks_for_others(self, outcome: Outcome) -> bool:
        """Whether further data races are looked for after *outcome*."""
        return not self.parameter(FIRST) and not outcome.unreplayed

    def _claims(self, values: dict[str, object]) -> bool:
        """Whether the program, its property file or an option claims anything that belongs to unreach-call."""
        named = SPEC.of(values) is not None or bool(INVARIANT.of(values))
        return named or self.context.facts.get(CLAIMS, True)

    @staticmethod
    def _with_misuse(outcome: Outcome, misused: Outcome | None) -> Outcome:
        """What was found; if nothing was, the misuse that was found, if any."""
        if misused is None or outcome.verdict is Verdict.FALSE:
            return outcome
        misused.levels = outcome.levels
        return misused

    def first(self) -> dict[str, object]:
        """The parameter values for the property asked for besides the one that is always checked, if any."""
        return self._values(self.context.values, self._properties()[-1])

    def questions(self) -> dict[str, dict[str, object]]:
        """The properties to check, and the parameter values for each."""
        return {name: self._values(self.context.values, name) for name in self._properties()}

    def _is_about_all(self, name: str) -> bool:
        """Whether the property *name* is about executions in which something happens without a reason, too."""
        return not self.parameter(NO_SPURIOUS) and name in PROPERTIES

    def _values(self, asked: dict[str, object], name: str) -> dict[str, object]:
        """The parameter values for the question about the property *name*."""
        spurious = SPURIOUS.of(asked) or self._is_about_all(name)
        depending = {
            CHECKED: name in CHECKING,
            READS: name == RACE,
            NAMED: name == UNREACH,
            SPURIOUS: spurious,
            WEAK_FAILS: spurious,
        }
        return {**asked, PROPERTY.name: name, **{parameter.name: value for parameter, value in depending.items()}}

    def _properties(self) -> list[str]:
        if only := self.parameter(ONLY):
            return [only]
        specification = self.parameter(SPEC)
        if specification is not None:
            asked = properties(specification)
            return [name for name in PROPERTIES if name in asked]
        chosen = {UNREACH, *(name for option, name in CHOSEN.items() if self.parameter(option))}
        return [name for name in PROPERTIES if name in chosen]
