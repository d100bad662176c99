"""Decide which questions answer what the user asked of the explorer of execution graphs."""

from __future__ import annotations

from collections.abc import Callable, Collection

from cseq.model.errors import UsageError
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.modules.graphs.encode import NotFollowedError
from cseq.modules.graphs.run import ENGINE
from cseq.modules.questions.property_file import properties
from cseq.modules.questions.questions import CHOSEN, SPEC, Questions
from cseq.options.memory_models import BUFFERED, MEMORY_MODEL
from cseq.options.properties import ALSO_RACE, DEADLOCK, PROPERTIES, RACE, UNREACH

SUPPORTED = (UNREACH, RACE, DEADLOCK)
"""The properties that the explorer decides."""


class GraphsQuestions(Questions):
    """in: what the user asked. out: the outcome, from one run of the stages for each property."""

    takes = (*Questions.takes, ENGINE, MEMORY_MODEL)
    engine = ENGINE
    wider = (RACE, DEADLOCK)

    @classmethod
    def settle(cls, values: dict[str, object], given: Collection[str]) -> None:
        """Refuse, by name, the properties and the memory models that the explorer does not have."""
        super().settle(values, given)
        name = ENGINE.of(values)
        refused = [option for option, asked in CHOSEN.items() if asked not in SUPPORTED and option.of(values)]
        if refused:
            raise UsageError(f"the backend `{name}` does not support {refused[0].options[0]}")
        if specification := SPEC.of(values):
            asked = [each for each in PROPERTIES if each in properties(specification) and each not in SUPPORTED]
            if asked:
                raise UsageError(f"--spec: the backend `{name}` does not support the property {asked[0]}")
        if MEMORY_MODEL.of(values) in BUFFERED and (
            ALSO_RACE.of(values) or (specification and RACE in properties(specification))
        ):
            raise UsageError(f"data races are those of C, not of --memory-model {MEMORY_MODEL.of(values)}")

    def _answered(self, ask: Callable[[], Outcome], chosen: list[str]) -> Outcome:
        """What is not followed leaves the question open."""
        try:
            return ask()
        except NotFollowedError as error:
            place = f"{error.origin}: " if error.origin is not None else ""
            message = f"{place}{error.message} is not followed by the backend `{self.parameter(ENGINE)}`"
            return Outcome(
                Verdict.UNKNOWN, Reason.UNPROVED, message, backend=self.parameter(ENGINE),
                memory_model=self.parameter(MEMORY_MODEL),
            )  # fmt: skip

    def _looks_for_others(self, outcome: Outcome) -> bool:
        """The explorer ends at the first data race."""
        return False
