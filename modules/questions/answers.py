"""The answers for several properties, as they become known."""

import contextlib
from collections.abc import Callable, Iterator, Sequence

from cseq.model.errors import stage_of
from cseq.model.verdict import Outcome, Reason, Verdict, summed
from cseq.options.properties import UNREACH
from cseq.pipeline.stage import Context
from cseq.process.deadline import TimeUpError


def vacuously(name: str, why: str, engine: str) -> Outcome:
    """The answer for a property that nothing in the program can violate. *engine* was not asked."""
    message = f"no violation is possible: {why}"
    return Outcome(Verdict.TRUE, message=message, property=name, backend=engine, unclaimed=name == UNREACH)


class Answers:
    """The answers for the properties *names*. engine: the name of the engine that has none where time is up."""

    def __init__(self, context: Context, names: Sequence[str], engine: str) -> None:
        self._context = context
        self._names = names
        self._engine = engine
        self._known: dict[str, Outcome] = {}

    def add(self, outcome: Outcome) -> None:
        """The answer for its property. It is passed on at once, unless the report follows anyway."""
        is_news = outcome.property not in self._known
        self._known[outcome.property] = outcome
        if is_news and len(self._known) < len(self._names):
            self._context.answered(outcome)

    def announce(self, outcome: Outcome) -> None:
        """Take the answer for its property, to which something may be added: it is passed on at once in any case."""
        if outcome.property not in self._known:
            self._known[outcome.property] = outcome
            self._context.answered(outcome)

    def summed(self) -> Outcome:
        """All answers, in the order of the properties."""
        return summed([self._known[name] for name in self._names])

    @contextlib.contextmanager
    def as_far_as_known(self, so_far: Callable[[str], Outcome | None] = lambda name: None) -> Iterator[None]:
        """End the block early where time is up, or where the user ends it and a violation is known.

        What has no answer then is what *so_far* returns for the name of the property, or unknown.
        """
        try:
            yield
        except TimeUpError as error:
            stage = stage_of(error)
            self._give_up(Reason.TIMEOUT, f"out of time in the stage `{stage}`" if stage else "out of time", so_far)
        except KeyboardInterrupt:
            if all(outcome.verdict is not Verdict.FALSE for outcome in self._known.values()):
                raise
            self._give_up(Reason.INTERRUPTED, "interrupted", so_far)

    def _give_up(self, reason: Reason, message: str, so_far: Callable[[str], Outcome | None]) -> None:
        for name in self._names:
            if name not in self._known:
                outcome = so_far(name)
                if outcome is None:
                    outcome = Outcome(Verdict.UNKNOWN, reason, message, backend=self._engine, property=name)
                    outcome.warnings = list(self._context.warnings)
                self._known[name] = outcome
