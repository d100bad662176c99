"""Decide which questions answer what the user asked of an explicit-state engine."""

from __future__ import annotations

from collections.abc import Callable, Collection

from cseq.base.errors import UsageError
from cseq.base.verdict import Outcome, Reason, Verdict
from cseq.modules.analysis import ltl
from cseq.modules.analysis.exclusion import MUTEX
from cseq.modules.analysis.properties import ACCEPTANCE, EXCLUSION, MEMSAFETY, PROGRESS, TLA
from cseq.modules.front.observers.observers import PROP
from cseq.modules.runs.explicit_engine import (
    ENGINE,
    FAIR,
    FORMULA,
    LIVELY,
    SIMULATE,
    STRONG_FAIR,
    NotFollowedError,
)
from cseq.modules.runs.planner import ONLY, Planner
from cseq.modules.specification.questions import TLA_INVARIANT, TLA_MODULE, TLA_PROPERTY
from cseq.pipeline.stage import Parameter

_ENGINES = ("spin", "tlc")
"""The engines that look for infinite executions, the usual one first."""

_FOR_SPIN = (LIVELY[PROGRESS], LIVELY[ACCEPTANCE])
_FOR_TLC: dict[str, tuple[Parameter[object], ...]] = {EXCLUSION: (MUTEX,), TLA: (TLA_INVARIANT, TLA_PROPERTY)}
"""What only one engine is asked; for TLC, by the name of the property."""


class Examiner(Planner):
    """in: what the user asked. out: the outcome, from one run of the stages for each property.

    In addition to the properties of every planner there are properties of infinite executions, for which SPIN and TLC
    look for cycles, and what only TLC is asked: lines at which two threads must not be, and formulas in TLA+.
    """

    takes = (
        *Planner.takes,
        ENGINE,
        PROP,
        FAIR,
        STRONG_FAIR,
        SIMULATE,
        *LIVELY.values(),
        *(parameter for asked in _FOR_TLC.values() for parameter in asked),
        TLA_MODULE,
    )

    @classmethod
    def settle(cls, values: dict[str, object], given: Collection[str]) -> None:
        """Some properties need SPIN or TLC, and the words of a formula have to be given."""
        super().settle(values, given)
        asked = [parameter for parameter in LIVELY.values() if parameter.of(values)]
        words = [text.partition("=")[0].strip() for text in PROP.of(values)]
        formula = FORMULA.of(values)
        if words and formula is None:
            raise UsageError(f"--prop: there is no formula that `{words[0]}` is for (--ltl)")
        if formula is not None:
            try:
                ltl.read(formula, words)
            except ltl.FormulaError as error:
                raise UsageError(f"--ltl: {error}") from None
        cls._settle_tlc(values)
        if FAIR.of(values) and not (asked or TLA_PROPERTY.of(values)):
            raise UsageError("--fair is about infinite executions: --ltl, --progress, --acceptance, --termination")
        engines = _ENGINES if all(parameter not in _FOR_SPIN for parameter in asked) else _ENGINES[:1]
        if asked and ENGINE.of(values) not in engines:
            if ENGINE.name in given or ENGINE.of(values) == "tlc":
                option = next(one for one in asked if len(engines) > 1 or one in _FOR_SPIN).options[0]
                raise UsageError(f"{option} is for SPIN (--backend spin), not for `{ENGINE.of(values)}`")
            values[ENGINE.name] = "spin"

    @staticmethod
    def _settle_tlc(values: dict[str, object]) -> None:
        """What TLC alone is asked."""
        of_tlc = [one for asked in _FOR_TLC.values() for one in (*asked, TLA_MODULE, STRONG_FAIR) if one.of(values)]
        if of_tlc and ENGINE.of(values) != "tlc":
            option = of_tlc[0].options[0]
            raise UsageError(f"{option} is for TLC (--backend tlc), not for `{ENGINE.of(values)}`")
        if TLA_MODULE.of(values) and not any(one.of(values) for one in _FOR_TLC[TLA]):
            raise UsageError("--tla-module: nothing is asked about it (--tla-invariant, --tla-property)")
        if STRONG_FAIR.of(values) and not any(one.of(values) for one in (*LIVELY.values(), TLA_PROPERTY)):
            raise UsageError("--strong-fair is about infinite executions: --ltl, --termination, --tla-property")

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
        lively = [name for name, asked in LIVELY.items() if self.parameter(asked)]
        of_tlc = [name for name, asked in _FOR_TLC.items() if any(self.parameter(one) for one in asked)]
        return [*super()._properties(), *lively, *of_tlc]
