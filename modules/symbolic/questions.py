"""Decide which questions answer what the user asked of a symbolic engine."""

import time
from collections.abc import Callable, Collection, Sequence
from typing import Any, ClassVar

from cseq.model.errors import UsageError
from cseq.model.verdict import Outcome, Spurious, Verdict
from cseq.modules.analysis.spurious import SPURIOUS, WEAK_FAILS
from cseq.modules.questions.questions import Ask, Questions
from cseq.modules.questions.runs import Run
from cseq.modules.symbolic.encode.instrumenter import BACKEND
from cseq.modules.symbolic.encode.sequentializer.contexts import CONTEXTS, ROUNDS, SCHEDULE
from cseq.modules.symbolic.encode.sequentializer.tiles import TILE
from cseq.modules.symbolic.encode.unroller.limits import UNWINDSET
from cseq.modules.symbolic.encode.unroller.unroller import EXACT
from cseq.modules.symbolic.iterative_deepening import INTERRUPTED, MOST_BUGS, deepen
from cseq.modules.symbolic.levels.level import BOUNDS, Levels
from cseq.options.properties import TIMEOUT
from cseq.pipeline.stage import Parameter, Runner

AUTO = Parameter(
    "auto",
    bool,
    False,
    "deepen the rounds and the unwinding until there is a violation or a proof, or the time is up",
    ("--auto",),
    family="symbolic",
)

_BOUNDS: tuple[Parameter[Any], ...] = (*BOUNDS, SCHEDULE, CONTEXTS, UNWINDSET, EXACT)
"""What the user can make smaller."""

_LEAST = 2.0
"""Seconds at least for the search for a violation that needs nothing spurious, where one that does is known."""


class SymbolicQuestions(Questions):
    """in: what the user asked. out: the outcome, from one run of the stages for each property and level of bounds."""

    takes: ClassVar[tuple[Parameter[object], ...]] = (*Questions.takes, AUTO, INTERRUPTED, BACKEND)
    engine = BACKEND

    @classmethod
    def settle(cls, values: dict[str, object], given: Collection[str]) -> None:
        """Without a number of rounds, deepening begins with that of most bugs."""
        for bound in (SCHEDULE, CONTEXTS, TILE):
            if AUTO.of(values) and bound.of(values) is not None:
                raise UsageError(f"--auto and --{bound.name} cannot be combined")
        if AUTO.of(values) and ROUNDS.name not in given:
            values[INTERRUPTED.name] = MOST_BUGS
        super().settle(values, given)

    def _runs(self, session: Runner) -> Run:
        return Levels(session).run

    def _ask_all(self, names: Sequence[str], ask: Ask, add: Callable[[Outcome], None]) -> None:
        asked, begun = self.context.values, time.monotonic()
        given = any(bound.of(asked) != bound.default for bound in _BOUNDS)

        def noted(outcome: Outcome) -> None:
            outcome.bounded = given
            add(outcome)

        if not self.parameter(AUTO):
            super()._ask_all(names, ask, noted)
            return
        for outcome in deepen(self.context, list(names), ask, noted, len(self._properties()) > 1):
            noted(self._usual(outcome, ask, asked, begun))

    def _usual(self, part: Outcome, ask: Ask, asked: dict[str, object], begun: float) -> Outcome:
        """A violation that needs nothing spurious, if larger bounds lead to one in the time that *part* took."""
        if part.spurious is not Spurious.NEEDED:
            return part
        limit, spent, end = TIMEOUT.of(asked), time.monotonic() - begun, self.context.end
        allowed = max(spent, _LEAST) if limit is None else min(max(spent, _LEAST), limit - spent)
        self.context.values = {**asked, TIMEOUT.name: max(allowed, 0.0)}
        usual = {SPURIOUS.name: False, WEAK_FAILS.name: False}

        def again(name: str, changed: dict[str, object]) -> Outcome:
            return ask(name, {**changed, **usual})

        (found,) = deepen(self.context, [part.property], again, is_named=len(self._properties()) > 1)
        self.context.end = end
        found.levels = [*part.levels, *found.levels]
        return found if found.verdict is Verdict.FALSE else part
