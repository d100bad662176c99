"""Decide which questions answer what the user asked of a specification."""

from collections.abc import Collection
from typing import Any

from cseq.model.errors import UsageError
from cseq.modules.explicit.encode.scheduling_model import ANY, QUANTUM, SCHEDULER
from cseq.modules.explicit.engine import DEPTH, FAIR, LIVELY, PREEMPTIONS, SIMULATE, SPECIFYING, STRONG_FAIR
from cseq.modules.explicit.questions import ExplicitQuestions
from cseq.modules.frontend.observers.observers import ABSTRACT, CAN_PREEMPT, HEURISTIC
from cseq.modules.questions.property_file import properties
from cseq.modules.questions.questions import CHOSEN, ONLY, SPEC
from cseq.modules.tla.properties import TLA_INVARIANT, TLA_MODULE, TLA_PROPERTY
from cseq.options.mutual_exclusion import MUTEX
from cseq.options.properties import DEADLOCK, EXCLUSION, LTL, PROPERTIES, TERMINATION, TLA, UNREACH
from cseq.pipeline.stage import Parameter

_SUPPORTED = (UNREACH, DEADLOCK)
"""Those of all planners that a specification can be asked about."""

_LIVELY = (LTL, TERMINATION)
"""Those of infinite executions."""

_NOT_FOLLOWED: tuple[Parameter[Any], ...] = (
    SIMULATE, ABSTRACT, HEURISTIC, CAN_PREEMPT, QUANTUM, DEPTH, PREEMPTIONS,
)  # fmt: skip
"""What stages that specifications share with step programs take, but mean for the search of step programs."""


class TlaQuestions(ExplicitQuestions):
    """in: what the user asked. out: the outcome, from one run of the stages for each property.

    There are properties that only specifications have: mutual exclusion of lines, and formulas in TLA+.
    """

    takes = (*ExplicitQuestions.takes, STRONG_FAIR, MUTEX, TLA_INVARIANT, TLA_PROPERTY, TLA_MODULE)
    wider = (DEADLOCK,)

    @classmethod
    def settle(cls, values: dict[str, object], given: Collection[str]) -> None:
        """Refuse, by name, the properties that specifications do not have."""
        super(ExplicitQuestions, cls).settle(values, given)
        refused: list[Parameter[Any]] = [option for option, name in CHOSEN.items() if name not in _SUPPORTED]
        refused += [option for name, option in LIVELY.items() if name not in _LIVELY]
        refused = [option for option in (*refused, *_NOT_FOLLOWED) if option.of(values)]
        refused += [SCHEDULER] if SCHEDULER.of(values) != ANY else []
        if refused:
            raise UsageError(f"the backend `{SPECIFYING}` does not support {refused[0].options[0]}")
        if specification := SPEC.of(values):
            asked = [name for name in PROPERTIES if name in properties(specification) and name not in _SUPPORTED]
            if asked:
                raise UsageError(f"--spec: the backend `{SPECIFYING}` does not support the property {asked[0]}")
        cls.settle_formula(values)
        if FAIR.of(values) and STRONG_FAIR.of(values):
            raise UsageError("--fair and --strong-fair cannot be combined")
        if TLA_MODULE.of(values) is not None and not (TLA_INVARIANT.of(values) or TLA_PROPERTY.of(values)):
            raise UsageError("--tla-module: no formula names what it defines (--tla-invariant, --tla-property)")
        lively = [*(option for name, option in LIVELY.items() if name in _LIVELY), TLA_PROPERTY]
        if (FAIR.of(values) or STRONG_FAIR.of(values)) and not any(option.of(values) for option in lively):
            option = FAIR if FAIR.of(values) else STRONG_FAIR
            raise UsageError(f"{option.options[0]} is about infinite executions: --ltl, --termination, --tla-property")

    @classmethod
    def available(cls, values: dict[str, object]) -> list[str]:
        """The properties that specifications have, and are asked for where they are not about all programs."""
        found = [name for name in super().available(values) if name in (*_SUPPORTED, *_LIVELY)]
        found += [EXCLUSION] if MUTEX.of(values) else []
        return [*found, TLA] if TLA_INVARIANT.of(values) or TLA_PROPERTY.of(values) else found

    def _properties(self) -> list[str]:
        found = super()._properties()
        if self.parameter(ONLY):
            return found
        found += [EXCLUSION] if self.parameter(MUTEX) else []
        return [*found, TLA] if self.parameter(TLA_INVARIANT) or self.parameter(TLA_PROPERTY) else found
