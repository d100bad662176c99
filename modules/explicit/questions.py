"""Decide which questions answer what the user asked of an explicit-state engine."""

from collections.abc import Callable, Collection
from pathlib import Path

from cseq.model.errors import UsageError
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.modules.core.known_races import OF_COARSE
from cseq.modules.explicit.encode.step_program import STEPS
from cseq.modules.explicit.engine import ENGINE, FAIR, FORMULA, LIVELY, SIMULATE, NotFollowedError
from cseq.modules.explicit.repeated_searches import with_any_arguments, with_enough, with_fine_steps, with_more_samples
from cseq.modules.frontend.observers.observers import PROP
from cseq.modules.questions import ltl
from cseq.modules.questions.questions import ONLY, Questions
from cseq.modules.questions.runs import Run
from cseq.options.properties import MEMSAFETY, RACE, TIMEOUT
from cseq.pipeline.stage import Runner


class ExplicitQuestions(Questions):
    """in: what the user asked. out: the outcome, from one run of the stages for each property.

    In addition to the properties of every planner there are properties of infinite executions, for which SPIN looks for
    cycles.
    """

    takes = (
        *Questions.takes,
        ENGINE,
        PROP,
        FAIR,
        SIMULATE,
        *LIVELY.values(),
    )
    engine = ENGINE
    wanted = (*Questions.wanted, STEPS)

    @classmethod
    def settle(cls, values: dict[str, object], given: Collection[str]) -> None:
        """Properties of infinite executions need SPIN, and the words of a formula have to be given."""
        super().settle(values, given)
        asked = [parameter for parameter in LIVELY.values() if parameter.of(values)]
        cls.settle_formula(values)
        if FAIR.of(values) and not asked:
            raise UsageError("--fair is about infinite executions: --ltl, --progress, --acceptance, --termination")
        if asked and ENGINE.of(values) != "spin":
            if ENGINE.name in given:
                raise UsageError(f"{asked[0].options[0]} is for SPIN (--backend spin), not for `{ENGINE.of(values)}`")
            values[ENGINE.name] = "spin"

    @classmethod
    def available(cls, values: dict[str, object]) -> list[str]:
        """The properties of every planner, and those of infinite executions that are asked for."""
        return [*super().available(values), *(name for name, asked in LIVELY.items() if asked.of(values))]

    @staticmethod
    def settle_formula(values: dict[str, object]) -> None:
        """Read the formula, if there is one. UsageError if it is none, or if words are missing or too many."""
        words = [text.partition("=")[0].strip() for text in PROP.of(values)]
        formula = FORMULA.of(values)
        if words and formula is None:
            raise UsageError(f"--prop: there is no formula that `{words[0]}` is for (--ltl)")
        if formula is not None:
            try:
                ltl.read(formula, words)
            except ltl.FormulaError as error:
                raise UsageError(f"--ltl: {error}") from None

    def _runs(self, session: Runner) -> Run:
        """Each run is repeated with more room, other inputs or arguments where that may lead to an answer."""
        run = super()._runs(session)

        def repeated(values: dict[str, object], folder: Path) -> Outcome:
            def with_room(sampled: dict[str, object]) -> Outcome:
                is_native = ENGINE.of(sampled) == "native"
                return with_enough(lambda tried: run(tried, folder), sampled, self._creates_for_ever, is_native)

            def with_grain(sampled: dict[str, object]) -> Outcome:
                if ENGINE.of(sampled) != "native":
                    return with_room(sampled)
                return with_fine_steps(with_room, sampled, lambda: self._races_of_coarse(run, sampled, folder))

            def with_samples(given: dict[str, object]) -> Outcome:
                return with_more_samples(with_grain, given, lambda: self.context.left(TIMEOUT.of(given)))

            return with_any_arguments(with_samples, values)

        return repeated

    def _races_of_coarse(self, run: Run, values: dict[str, object], folder: Path) -> Outcome:
        """Whether a step that is several accesses is in a data race. Facts and warnings stay those of the property."""
        asked = {**self._values(values, RACE), OF_COARSE.name: True}
        context = self.context
        before = context.facts, context.warnings, context.values, context.workdir
        try:
            return with_enough(lambda tried: run(tried, folder / "grain"), asked, self._creates_for_ever)
        finally:
            context.facts, context.warnings, context.values, context.workdir = before

    def _creates_for_ever(self) -> bool:
        steps = self.context.facts.get(STEPS, None)
        return steps is not None and steps.creates_for_ever

    def _is_about_all(self, name: str) -> bool:
        return super()._is_about_all(name) and self.parameter(SIMULATE) is None

    def _answered(self, ask: Callable[[], Outcome], chosen: list[str]) -> Outcome:
        """What cannot be followed may be what another question is about: an access to memory that is not there."""
        try:
            return ask()
        except NotFollowedError as error:
            if len(chosen) == 1 or MEMSAFETY not in chosen:
                raise
            place = f"{error.origin.file}:{error.origin.line}: " if error.origin is not None else ""
            return Outcome(Verdict.UNKNOWN, Reason.BACKEND, f"{place}{error.message}")

    def _looks_for_others(self, outcome: Outcome) -> bool:
        """A simulation is one execution."""
        return self.parameter(SIMULATE) is None and super()._looks_for_others(outcome)

    def _properties(self) -> list[str]:
        if self.parameter(ONLY):
            return super()._properties()
        if self.parameter(SIMULATE) is not None:
            return super()._properties()[-1:]  # there is one execution, and it is run once
        return [*super()._properties(), *(name for name, asked in LIVELY.items() if self.parameter(asked))]
