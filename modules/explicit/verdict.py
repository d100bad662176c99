"""Derive a verdict from an exploration."""

import re
from collections.abc import Iterator

from cseq.backends import spin
from cseq.model.claims import Cut, Limit
from cseq.model.coverage import Coverage
from cseq.model.origin import Origin
from cseq.model.verdict import Bound, Outcome, Property, Reason, Verdict
from cseq.modules.explicit.encode.scheduling_model import SCHEDULING
from cseq.modules.explicit.encode.step_program import STEPS
from cseq.modules.explicit.engine import (
    DEPTH,
    ENGINE,
    EXPLORATION,
    LIMITS,
    PREEMPTIONS,
    SIMULATE,
    SPECIFYING,
    Exploration,
    NotFollowedError,
)
from cseq.modules.frontend.observers.observers import ABSTRACT
from cseq.pipeline.facts import Needs
from cseq.pipeline.stage import Wrapper

_PLACE = re.compile(r"(?P<file>[^`\n]+?):(?P<line>\d+): (?P<what>.*)", re.DOTALL)
"""A place, followed by the message about it."""


class ExplicitVerdict(Wrapper):
    """in: what an engine found, or an outcome. out: the outcome.

    The verdict is TRUE if the search was complete, nothing was cut off, and no step is coarser than an access. Under a
    scheduler it covers the executions that the scheduler allows. It is never TRUE if states are matched by an
    abstraction.
    """

    takes = (ENGINE, ABSTRACT, DEPTH, PREEMPTIONS, SIMULATE)
    scheduling = Needs(SCHEDULING)
    steps = Needs(STEPS)
    exploration = Needs(EXPLORATION)

    def run(self, value: Exploration | Outcome) -> Outcome:
        """Judge an exploration; an outcome only receives the engine's name and the numbers about its search."""
        outcome = value if isinstance(value, Outcome) else self._judged(value)
        if isinstance(value, Exploration) and outcome.counterexample is None:
            outcome.counterexample = value.shown
        outcome.backend = self.parameter(ENGINE)
        if outcome.exit_status == 0 and self.parameter(SIMULATE) is None:
            outcome.coverage = self._coverage()
        found = self.exploration.statistics
        for what, origin in self._unwritten():
            self.context.warn(what, origin)
        outcome.statistics = {name: value for name, value in found.items() if value is not None}
        outcome.searches = tuple(self.exploration.searches)
        return outcome

    def _coverage(self) -> Coverage | None:
        """What the executions have reached, if the engine says it."""
        if self.exploration.reached is None:
            return None
        known = list(self.steps.marks)
        marks = [known[number] for number in self.exploration.reached]
        reached = [point for point, passed in marks if not passed]
        return Coverage.of(self.steps.points, reached, [point for point, passed in marks if passed])

    def _unwritten(self) -> Iterator[tuple[str, Origin | None]]:
        """What was read before it was written, in some execution, and where."""
        for key in self.exploration.coarse:
            cut = Cut.of(key)
            if cut.limit is Limit.UNWRITTEN:
                place = _PLACE.match(cut.subject)
                yield (place["what"], Origin(place["file"], int(place["line"]))) if place else (cut.subject, None)

    def _judged(self, found: Exploration) -> Outcome:
        if found.status == "refused":
            raise _refused(found.text, self.parameter(ENGINE))
        states = found.statistics.get("states")
        explored = f" ({states} states were explored)" if states else ""
        if found.status == "violated":  # and no stage of the chain has replayed it
            violated = Property(found.claim)
            return Outcome(Verdict.FALSE, violated=violated, unreplayed="this chain follows no counterexample")
        if found.status == "time":
            return Outcome(Verdict.UNKNOWN, Reason.TIMEOUT, found.text or "the engine ran out of time")
        if found.status == "memory":
            return Outcome(Verdict.UNKNOWN, Reason.MEMORY, f"the engine ran out of memory{explored}")
        bounds = self._bounds(found)
        if found.status == "unknown" and found.text:
            return Outcome(Verdict.UNKNOWN, Reason.BACKEND, f"no verdict: {found.text}", bounds=bounds)
        if found.complete and not bounds:
            words = self.scheduling.words
            return Outcome(Verdict.TRUE, message=f"no violation under {words}" if words else "")
        return Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=bounds)

    def _bounds(self, found: Exploration) -> list[Bound]:
        cuts = [Cut.of(key) for key in dict.fromkeys([*found.cuts, *found.coarse])]
        # A cut outside of the program's own text is a limit of the library, which is a part of the engine here.
        bounds = [
            self.steps.bounds.get(cut, Bound(cut.kind if cut.limit is Limit.UNWRITTEN else "engine", 0, cut))
            for cut in cuts
        ]
        abstract = self.parameter(ABSTRACT)
        if abstract:
            bounds.append(Bound.of(Cut(Limit.ABSTRACTION, subject=abstract)))
        known = [LIMITS[name] for name in found.limits if name in LIMITS]
        bounds += [Bound.of(Cut(limit, self._number(limit))) for limit in known]
        if not found.complete and not bounds and not found.text:
            bounds.append(Bound.of(Cut(Limit.SEARCH)))
        return bounds

    def _number(self, limit: Limit) -> int:
        """The number that is the *limit*; 0 if it is none."""
        if limit is Limit.DEPTH:
            return self.parameter(DEPTH) or spin.DEPTH
        return (self.parameter(PREEMPTIONS) or 0) if limit is Limit.PREEMPTIONS else 0


def _refused(text: str, engine: str) -> NotFollowedError:
    """The exception for what the engine refuses. *text* begins with the place, if there is one."""
    place = _PLACE.match(text)
    origin = Origin(place["file"], int(place["line"])) if place else None
    what = place["what"] if place else text
    search = "a specification in TLA+" if engine == SPECIFYING else "explicit-state search"
    return NotFollowedError(f"{what}; {search} does not follow that", origin)
