"""Deepening: try larger and larger bounds until there is an answer.

The policy. The first level has the bounds that the user gave, or 1 round and unwinding 1. After a level without a
violation, the engine reports which bound some execution runs into (`modules/runs/judge.py`); that one is increased.
If the engine did not report one, or if the same bound has been increased twice in a row while others may also cut
something off, it is the next one's turn. Rounds and threads grow by one; unwinding (of loops and recursion) grows by a
half, but by at least one. A bound that leaves nothing out does not grow. If a loop is known to run slightly more often
than ``--exact-limit`` allows, that limit is raised far enough at once: until then nothing after the loop is explored.

Deepening ends when each property has an answer (a violation, a proof, or no bound that could grow), or when the time
is up. Several properties take turns, level by level, and share the time that is left.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from cseq.base.claims import Cut, Limit
from cseq.base.verdict import Bound, Level, Outcome, Reason, Verdict
from cseq.modules.analysis.bounds import RECURSION, THREADS, UNWIND
from cseq.modules.analysis.properties import TIMEOUT
from cseq.modules.runs.judge import PROVE, REACHED
from cseq.modules.sequential.instrumenter import BACKEND
from cseq.modules.sequential.sequentializer.canonical import MORE
from cseq.modules.sequential.sequentializer.contexts import ROUNDS
from cseq.modules.sequential.unroller.unroller import EXACT
from cseq.pipeline.stage import Context, Parameter
from cseq.pipeline.status import LevelBegan
from cseq.process.deadline import TimeUpError

_GROWING: dict[str, Parameter[int | None]] = {
    "rounds": ROUNDS, "unwinding": UNWIND, "recursion": RECURSION, "threads": THREADS
}  # fmt: skip
"""Kinds of bounds → the parameters that raise them, in the order of their turns."""

_ORDER = [parameter.name for parameter in _GROWING.values()]
_BY_HALVES = frozenset({UNWIND.name, RECURSION.name})

_IN_A_ROW = 2
"""How many times in a row a bound grows while others wait."""

_MOST_ITERATIONS = 256
"""The most iterations for which a loop is unrolled exactly."""

_FINAL = frozenset({Reason.REPLAY, Reason.BACKEND})

Run = Callable[[str, dict[str, object]], Outcome]
"""One run of the stages, for a property and with values of the parameters that differ from the user's."""


class Deepening:
    """The levels of one property.

    property: its name. bounds: the values of the parameters that grow. levels: the completed ones.
    """

    def __init__(self, property_: str, values: dict[str, object]) -> None:
        self.property = property_
        given = {parameter.name: parameter.of(values) for parameter in _GROWING.values()}
        self.bounds: dict[str, int] = {name: value for name, value in given.items() if value is not None}
        self.levels: list[Level] = []
        self.outcome: Outcome | None = None
        self.is_over = False
        self._exact = EXACT.of(values) or _MOST_ITERATIONS
        self._last = ""
        self._times = 0

    def add(self, outcome: Outcome, reached: Cut | None, seconds: float) -> Level | None:
        """Record the *outcome* of the next level. Returns the level if it was completed.

        reached: the cut that some execution reaches; None if unknown.
        """
        if outcome.reason in (Reason.TIMEOUT, Reason.MEMORY):
            self.is_over = True
            self.outcome = self.outcome or outcome
            return None
        self.outcome = outcome
        reached = reached if outcome.verdict is Verdict.UNKNOWN else None
        level = Level(self.property, dict(self.bounds), outcome.verdict, outcome.reason, reached, seconds)
        self.levels.append(level)
        grown = None
        if outcome.verdict is Verdict.UNKNOWN and outcome.reason not in _FINAL:
            if runs := self._counted(outcome):
                self._exact = self.bounds[EXACT.name] = runs
                return level
            grown = self._growing(outcome, reached)
        if grown is None:
            self.is_over = True
        else:
            self._times = self._times + 1 if grown == self._last else 1
            self._last = grown
            value = self.bounds[grown]
            self.bounds[grown] = value + (max(value // 2, 1) if grown in _BY_HALVES else 1)
        return level

    def _growing(self, outcome: Outcome, reached: Cut | None) -> str | None:
        """The parameter that is to grow."""
        known = {self._parameter(bound) for bound in outcome.bounds}
        possible = [name for name in _ORDER if name in known]
        if not possible:
            return None
        said = [self._parameter(bound) for bound in outcome.bounds if bound.cut == reached]
        chosen = ROUNDS.name if reached == MORE else said[0] if said else None
        if chosen not in possible or (chosen == self._last and self._times >= _IN_A_ROW):
            chosen = self._next(possible)
        return chosen

    def _counted(self, outcome: Outcome) -> int:
        """The known number of iterations of a loop that was cut off; 0 if there is none, or the number is too large."""
        # For a loop in --unwindset, the user's value stays.
        cuts = (bound.cut for bound in outcome.bounds if bound.cut.limit is Limit.COUNTED and not bound.cut.is_set)
        counts = (cut.runs for cut in cuts)
        return min((runs for runs in counts if self._exact < runs <= _MOST_ITERATIONS), default=0)

    def _parameter(self, bound: Bound) -> str | None:
        """The parameter that raises *bound*; None if none does."""
        growing = _GROWING.get(bound.kind)
        if growing is RECURSION and RECURSION.name not in self.bounds:
            growing = UNWIND
        if growing is None or growing.name not in self.bounds:
            return None
        name = growing.name
        # A bound smaller than the general one was set by the user for this place.
        return name if bound.value == 0 or bound.value >= self.bounds[name] else None

    def _next(self, possible: list[str]) -> str:
        """The parameter after the last one that grew."""
        start = _ORDER.index(self._last) + 1 if self._last else 0
        return next(name for name in [*_ORDER[start:], *_ORDER] if name in possible)


def deepen(
    context: Context,
    properties: list[str],
    run: Run,
    over: Callable[[Outcome], None] = lambda outcome: None,
    is_named: bool = False,
) -> list[Outcome]:
    """The outcome for each of the *properties*, in order; *over* is called with each when it is known.

    Each level is reported when it is completed. The timeout covers everything together, including translation.
    is_named: whether the level of a single property is reported with its name, as those of several are.
    """
    asked = context.values
    start = time.monotonic()
    engine = BACKEND.of(asked)
    deepenings = [Deepening(name, asked) for name in properties]
    try:
        _take_turns(context, deepenings, run, start, over, engine, TIMEOUT.of(asked), is_named or len(properties) > 1)
    except TimeUpError:
        for deepening in deepenings:
            if not deepening.is_over:
                deepening.is_over = True
                over(_answer(deepening, engine))
    return [_answer(deepening, engine) for deepening in deepenings]


def _take_turns(
    context: Context,
    deepenings: list[Deepening],
    run: Run,
    start: float,
    over: Callable[[Outcome], None],
    engine: str,
    limit: float | None,
    is_named: bool,
) -> None:
    """Try one level of each of the *deepenings* after the other, until all are over."""
    while open_ := [deepening for deepening in deepenings if not deepening.is_over]:
        for position, deepening in enumerate(open_):
            changed: dict[str, object] = {**deepening.bounds, PROVE.name: True}
            began = time.monotonic()
            if limit is not None:
                left = limit - (began - start)
                if left <= 0:
                    deepening.is_over = True
                    over(_answer(deepening, engine))
                    continue
                context.end = began + left / (len(open_) - position)
            context.report(LevelBegan(dict(deepening.bounds), tuple(deepening.levels)))
            outcome = run(deepening.property, changed)
            level = deepening.add(outcome, context.facts.get(REACHED, None), time.monotonic() - began)
            if level is not None:
                context.tell(level, is_named)
            if deepening.is_over:
                over(_answer(deepening, engine))


def _answer(deepening: Deepening, engine: str) -> Outcome:
    outcome = deepening.outcome
    if outcome is None:
        outcome = Outcome(Verdict.UNKNOWN, Reason.TIMEOUT, "out of time", backend=engine)
    outcome.property = deepening.property
    outcome.levels = deepening.levels
    return outcome
