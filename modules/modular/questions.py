"""Decide which questions answer what the user asked of the thread-modular analysis."""

from __future__ import annotations

from collections.abc import Callable, Collection

from cseq.model.errors import UsageError
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.modules.modular.environment import NotFollowedError
from cseq.modules.modular.run import ENGINE
from cseq.modules.questions.property_file import properties
from cseq.modules.questions.questions import CHOSEN, ONLY, SPEC, Questions
from cseq.options.memory_models import BUFFERED, MEMORY_MODEL
from cseq.options.properties import ALSO_DEADLOCK, ALSO_RACE, DEADLOCK, RACE

SUPPORTED = (RACE, DEADLOCK)
"""The properties that the analysis decides."""


class ModularQuestions(Questions):
    """in: what the user asked. out: the outcome; the question is whether there is a data race, or a deadlock."""

    takes = (*Questions.takes, ENGINE, MEMORY_MODEL)
    engine = ENGINE
    wider = ()

    @classmethod
    def settle(cls, values: dict[str, object], given: Collection[str]) -> None:
        """Refuse, by name, the properties that the analysis does not decide."""
        name = ENGINE.of(values)
        refused = [option for option, asked in CHOSEN.items() if asked not in SUPPORTED and option.of(values)]
        if refused:
            raise UsageError(f"the backend `{name}` does not support {refused[0].options[0]}")
        if MEMORY_MODEL.of(values) in BUFFERED:
            raise UsageError(f"the backend `{name}` does not support --memory-model {MEMORY_MODEL.of(values)}")
        if (only := ONLY.of(values)) and only not in SUPPORTED:
            raise UsageError(f"the backend `{name}` does not support --only {only}")
        if (specification := SPEC.of(values)) and RACE not in properties(specification):
            raise UsageError(f"--spec: the backend `{name}` supports the property {RACE} only")
        super().settle(values, given)
        asked = DEADLOCK if ALSO_DEADLOCK.of(values) and not ALSO_RACE.of(values) else RACE
        values[ONLY.name] = only or asked

    def _answered(self, ask: Callable[[], Outcome], chosen: list[str]) -> Outcome:
        """What is not followed leaves the question open."""
        try:
            return ask()
        except NotFollowedError as error:
            place = f"{error.origin}: " if error.origin is not None else ""
            message = f"{place}{error} is not followed by the backend `{self.parameter(ENGINE)}`"
            return Outcome(Verdict.UNKNOWN, Reason.UNPROVED, message, backend=self.parameter(ENGINE))

    def _looks_for_others(self, outcome: Outcome) -> bool:
        """There is nothing to list: the analysis finds no races."""
        return False
