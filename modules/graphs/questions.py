"""Decide which questions answer what the user asked of the explorer of execution graphs."""

from __future__ import annotations

from collections.abc import Callable, Collection

from cseq.model.errors import UsageError
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.modules.graphs.encode import NotFollowedError, not_followed
from cseq.modules.graphs.orders.repair import OrderRepair
from cseq.modules.graphs.run import ENGINE
from cseq.modules.questions.property_file import properties
from cseq.modules.questions.questions import CHOSEN, ONLY, SPEC, Questions
from cseq.options.memory_models import BUFFERED, C11, MEMORY_MODEL
from cseq.options.properties import ALSO_RACE, DEADLOCK, PROPERTIES, RACE, UNREACH
from cseq.pipeline.stage import Parameter, Runner

REPAIR = Parameter(
    "repair_orders", bool, False,
    "look for stronger memory orders with which no property is violated, data races included, and print them as a "
    "patch (implies -b graphs --race)", ("--repair-orders",),
)  # fmt: skip
RELAX = Parameter(
    "relax_orders", bool, False,
    "look for the weakest memory orders with which the properties are still proved, data races included, and print "
    "them as a patch (implies -b graphs --race)", ("--relax-orders",),
)  # fmt: skip

SUPPORTED = (UNREACH, RACE, DEADLOCK)
"""The properties that the explorer decides."""


class GraphsQuestions(Questions):
    """in: what the user asked. out: the outcome, from one run of the stages for each property."""

    takes = (*Questions.takes, ENGINE, MEMORY_MODEL, REPAIR, RELAX)
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
        if chosen := [option.options[0] for option in (REPAIR, RELAX) if option.of(values)]:
            _check_orders(chosen, values)
        if MEMORY_MODEL.of(values) in BUFFERED and (
            ALSO_RACE.of(values) or (specification and RACE in properties(specification))
        ):
            raise UsageError(f"data races are those of C, not of --memory-model {MEMORY_MODEL.of(values)}")

    def plan(self, session: Runner) -> Outcome:
        """Check one property after another; then look for other memory orders, if they are asked for."""
        outcome = super().plan(session)
        if self.parameter(REPAIR) or self.parameter(RELAX):
            search = OrderRepair(session, self.questions(), self.context.workdir / "orders")
            outcome.orders = search.found(relaxes=self.parameter(RELAX))
        return outcome

    def _answered(self, ask: Callable[[], Outcome], chosen: list[str]) -> Outcome:
        """What is not followed leaves the question open."""
        try:
            return ask()
        except NotFollowedError as error:
            return Outcome(
                Verdict.UNKNOWN, Reason.UNPROVED, not_followed(error), backend=self.parameter(ENGINE),
                memory_model=self.parameter(MEMORY_MODEL),
            )  # fmt: skip

    def _looks_for_others(self, outcome: Outcome) -> bool:
        """The explorer ends at the first data race."""
        return False


def _check_orders(chosen: list[str], values: dict[str, object]) -> None:
    """Data races of C are always asked about. Raises UsageError for what the *chosen* options cannot be combined with.

    With buffers of stores, fences repair a program. They have no weaker orders that count.
    """
    other = [option.options[0] for option in (SPEC, ONLY) if option.of(values)]
    is_buffered = MEMORY_MODEL.of(values) in BUFFERED
    if MEMORY_MODEL.of(values) != C11 and not (is_buffered and REPAIR.of(values)):
        other.append(f"--memory-model {MEMORY_MODEL.of(values)}")
    if others := [*chosen[1:], *other]:
        raise UsageError(f"{chosen[0]} and {others[0]} cannot be combined")
    if not is_buffered:
        values[ALSO_RACE.name] = True
