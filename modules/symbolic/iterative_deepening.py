"""Deepening: try larger and larger bounds until there is an answer.

The policy. The first level has the bounds that the user gave, or 2 rounds and unwinding 1: most bugs need a thread to
be interrupted once. For deadlocks and data races it has 1 round, since a thread need not come back. After a level
without a violation, the engine reports which bound some execution runs into (`modules/symbolic/verdict.py`); that one
is increased. If the engine did not report one, or if the same bound has been increased twice in a row while others may
also cut something off, it is the next one's turn. Rounds and threads grow by one; unwinding (of loops and recursion)
grows by a half, but by at least one. A bound that leaves nothing out does not grow. If a loop is known to run slightly
more often than ``--exact-limit`` allows, that limit is raised far enough at once: until then nothing after the loop is
explored.

That is the way to a proof. A bug may need other bounds, so there is a second series of levels, the *hunt*, which asks
the engine for violations only. There unwinding grows twice before the rounds grow once, whatever is reached; and loops
of many steps that others can notice are cut off like other loops even if the number of their iterations is known, which
keeps the levels cheap. The hunt begins when there is such a loop, or when there is no answer after a while and both
rounds and unwinding cut something off. The next level belongs to the series on which less time will have been spent
after it, if a level takes twice as long as the one before; where no loop is long, the hunt gets a quarter of the time,
since a proof is as likely. A level that takes far longer than expected is given up while there are two series, and
tried again with twice the time when it is its turn: neither keeps the other one from an answer.

Deepening ends when each property has an answer (a violation, a proof, or no bound that could grow), or when the time
is up. Several properties take turns, level by level, and share the time that is left.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from cseq.model.claims import Cut, Limit
from cseq.model.verdict import Bound, Level, Outcome, Reason, Verdict
from cseq.modules.questions.questions import Ask
from cseq.modules.symbolic.encode.instrumenter import BACKEND
from cseq.modules.symbolic.encode.sequentializer.canonical import MORE
from cseq.modules.symbolic.encode.sequentializer.contexts import ROUNDS
from cseq.modules.symbolic.encode.unroller.room import ROOM, THINNED
from cseq.modules.symbolic.encode.unroller.unroller import EXACT
from cseq.modules.symbolic.verdict import PROVE, REACHED
from cseq.options.bounds import RECURSION, THREADS, UNWIND
from cseq.options.properties import DEADLOCK, RACE, TIMEOUT
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

_TURNS = 3
"""In the hunt, how often a bound grows until it is the turn of the rounds."""

_MOST_ITERATIONS = 256
"""The most iterations for which a loop is unrolled exactly."""

_ROOM = 60
"""The most steps that others can notice for which the hunt unrolls a loop exactly."""

_GROWTH = 2.0
"""How many times as long as a level the next one is expected to take."""

_EXACT_COSTS = 4.0
"""How many times as long as a level that cuts loops off the same one with exact loops is expected to take."""

_A_WHILE = 3.0
"""Seconds without an answer after which the hunt begins where no loop is long."""

_WEIGHT = 3.0
"""For how many seconds on the way to a proof such a hunt may take one."""

_PATIENCE = 4.0
"""How many times as long as expected a level may take at first, while there is another series."""

_LEAST = 5.0
"""Seconds that such a level may take at least."""

_FINAL = frozenset({Reason.REPLAY, Reason.BUFFERING, Reason.BACKEND})

INTERRUPTED = Parameter("first_rounds", int, 1, "the rounds of the first level, unless a bound of the user's is larger")
"""Set to `MOST_BUGS` where the user leaves the rounds open."""

MOST_BUGS = 2
"""The rounds of the first level, except for properties of states."""

_OF_STATES = (DEADLOCK, RACE)


@dataclass
class _Series:
    """A series of levels with growing bounds.

    bounds: the values of the parameters of the next level. hunts: whether the engine is asked for violations only.
    weight: what a second counts in comparison with other series. expected: the seconds that the next level will take,
    as far as is known. spent: the seconds that the levels so far took. box: the seconds that the next one may take
    while there is another series. last, times: the bound that grew last, and how many times in a row. grown: how often
    any has grown. is_over: whether nothing can grow. outcome: of the last level that was completed.
    """

    bounds: dict[str, int]
    hunts: bool = False
    weight: float = 1.0
    expected: float = 0.0
    spent: float = 0.0
    box: float = _LEAST
    last: str = ""
    times: int = 0
    grown: int = 0
    is_over: bool = False
    outcome: Outcome | None = field(default=None, repr=False)

    def took(self, seconds: float) -> None:
        """Note how long a level took."""
        self.spent += seconds
        self.expected = _GROWTH * seconds
        self.box = max(_PATIENCE * self.expected, _LEAST)

    def shown(self, is_thinned: bool) -> dict[str, int]:
        """The bounds for the user. is_thinned: whether the room for loops matters."""
        return {name: value for name, value in self.bounds.items() if is_thinned or name != ROOM.name}

    def parameter(self, bound: Bound) -> str | None:
        """The parameter that raises *bound*; None if none does."""
        growing = _GROWING.get(bound.kind)
        if growing is RECURSION and RECURSION.name not in self.bounds:
            growing = UNWIND
        if growing is None or growing.name not in self.bounds:
            return None
        name = growing.name
        # A bound smaller than the general one was set by the user for this place.
        return name if bound.value == 0 or bound.value >= self.bounds[name] else None

    def possible(self, outcome: Outcome) -> list[str]:
        """The parameters that can grow after *outcome*."""
        known = {self.parameter(bound) for bound in outcome.bounds}
        return [name for name in _ORDER if name in known]

    def grow(self, outcome: Outcome, reached: Cut | None) -> None:
        """Make one bound larger after *outcome*; *reached*: the cut that some execution reaches."""
        possible = self.possible(outcome)
        if not possible:
            self.is_over = True
            return
        name = self._in_turn(possible) if self.hunts else self._growing(possible, outcome, reached)
        self.times = self.times + 1 if name == self.last else 1
        self.last = name
        self.grown += 1
        value = self.bounds[name]
        self.bounds[name] = value + (max(value // 2, 1) if name in _BY_HALVES else 1)

    def _in_turn(self, possible: list[str]) -> str:
        others = [name for name in possible if name != ROUNDS.name]
        if not others or (len(others) < len(possible) and self.grown % _TURNS == _TURNS - 1):
            return ROUNDS.name
        return others[self.grown % len(others)]

    def _growing(self, possible: list[str], outcome: Outcome, reached: Cut | None) -> str:
        said = [self.parameter(bound) for bound in outcome.bounds if bound.cut == reached]
        chosen = ROUNDS.name if reached == MORE else said[0] if said else None
        if chosen in possible and not (chosen == self.last and self.times >= _IN_A_ROW):
            return str(chosen)
        start = _ORDER.index(self.last) + 1 if self.last else 0
        return next(name for name in [*_ORDER[start:], *_ORDER] if name in possible)


class Deepening:
    """The levels of one property.

    property: its name. levels: the completed ones; also the last one, if only a part of it was completed.
    """

    def __init__(self, property_: str, values: dict[str, object]) -> None:
        self.property = property_
        given = {parameter.name: parameter.of(values) for parameter in _GROWING.values()}
        bounds: dict[str, int] = {name: value for name, value in given.items() if value is not None}
        if property_ not in _OF_STATES:
            bounds[ROUNDS.name] = max(bounds[ROUNDS.name], INTERRUPTED.of(values))
        self.levels: list[Level] = []
        self.is_over = False
        self._failed: Outcome | None = None  # what the first level ended with, if not with an answer
        self._exact = EXACT.of(values) or _MOST_ITERATIONS
        self._begin = bounds
        self._room = {ROOM.name: _ROOM} if EXACT.of(values) else {}
        self._series = [_Series({**bounds, **self._room})]

    @property
    def changed(self) -> dict[str, object]:
        """The values of the parameters for the next level that differ from the user's."""
        series = self._next()
        return {**series.bounds, PROVE.name: not series.hunts}

    @property
    def shown(self) -> dict[str, int]:
        """The bounds of the next level for the user, who need not know of room that may not matter."""
        return self._next().shown(is_thinned=len(self._series) > 1)

    @property
    def box(self) -> float | None:
        """The seconds that the next level may take; None if as long as there is time."""
        series = self._next()
        return series.box if self._others(series) else None

    @property
    def outcome(self) -> Outcome | None:
        """The best that is known: an answer, or what the last level on the way to a proof left open."""
        ordered = sorted(self._series, key=lambda series: series.hunts)
        found = [series.outcome for series in ordered if series.outcome is not None]
        return next((each for each in found if each.verdict is not Verdict.UNKNOWN), [*found, self._failed][0])

    def _next(self) -> _Series:
        """The series of the next level."""
        open_ = [series for series in self._series if not series.is_over] or self._series
        return min(open_, key=lambda series: series.weight * (series.spent + series.expected))

    def _others(self, series: _Series) -> list[_Series]:
        return [other for other in self._series if other is not series and not other.is_over]

    def add(self, outcome: Outcome, reached: Cut | None, seconds: float, is_thinned: bool = False) -> Level | None:
        """Record the *outcome* of the next level. Returns the level if it was completed, or is the last, and a part is.

        reached: the cut that some execution reaches; None if unknown. is_thinned: whether a loop was cut off that would
        be unrolled exactly with more room.
        """
        series = self._next()
        if outcome.reason in (Reason.TIMEOUT, Reason.MEMORY):
            self._give_up(series, outcome, seconds)
            if not self.is_over or outcome.tiles is None:
                return None
            shown, verdict = series.shown(is_thinned), outcome.verdict
            self.levels.append(Level(self.property, shown, verdict, outcome.reason, None, seconds, outcome.tiles))
            return self.levels[-1]
        series.outcome = outcome
        reached = reached if outcome.verdict is Verdict.UNKNOWN else None
        shown = series.shown(is_thinned)
        level = Level(self.property, shown, outcome.verdict, outcome.reason, reached, seconds, outcome.tiles)
        self.levels.append(level)
        series.took(seconds)
        if outcome.verdict is not Verdict.UNKNOWN or outcome.reason in _FINAL:
            self.is_over = True
            return level
        if is_thinned and not series.hunts:
            self._divide(series, seconds)
        if not is_thinned and (runs := self._counted(outcome)):
            self._exact = series.bounds[EXACT.name] = runs
            return level
        if not is_thinned and self._is_time_to_hunt(series, outcome):
            bounds = {**series.bounds, ROUNDS.name: self._begin[ROUNDS.name], **self._room}
            hunt = _Series(bounds, hunts=True, expected=seconds, weight=_WEIGHT)
            hunt.grow(outcome, None)  # that far the way to a proof has been
            self._series.append(hunt)
        series.grow(outcome, reached)
        self.is_over = all(each.is_over for each in self._series)
        return level

    def _give_up(self, series: _Series, outcome: Outcome, seconds: float) -> None:
        """The next level of *series* ran out of time or memory after these *seconds*."""
        self._failed = self._failed or outcome
        box = self.box
        if outcome.reason is Reason.MEMORY and self._others(series):
            series.is_over = True
        elif outcome.reason is Reason.TIMEOUT and box is not None and seconds >= box:
            series.spent += seconds
            series.box = 2 * box
        else:
            self.is_over = True

    def _divide(self, series: _Series, seconds: float) -> None:
        """A level of *series* cut off loops for want of room: it is the hunt, and another series has exact loops."""
        self._series = [series, _Series(dict(self._begin), expected=_EXACT_COSTS * seconds)]
        series.hunts = True

    def _is_time_to_hunt(self, series: _Series, outcome: Outcome) -> bool:
        possible = series.possible(outcome)
        alone = len(self._series) == 1 and not series.hunts
        return alone and series.spent >= _A_WHILE and ROUNDS.name in possible and len(possible) > 1

    def _counted(self, outcome: Outcome) -> int:
        """The known number of iterations of a loop that was cut off; 0 if there is none, or the number is too large."""
        # For a loop in --unwindset, the user's value stays.
        cuts = (bound.cut for bound in outcome.bounds if bound.cut.limit is Limit.COUNTED and not bound.cut.is_set)
        counts = (cut.runs for cut in cuts)
        return min((runs for runs in counts if self._exact < runs <= _MOST_ITERATIONS), default=0)


def deepen(
    context: Context,
    properties: list[str],
    run: Ask,
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
    run: Ask,
    start: float,
    over: Callable[[Outcome], None],
    engine: str,
    limit: float | None,
    is_named: bool,
) -> None:
    """Try one level of each of the *deepenings* after the other, until all are over."""
    while open_ := [deepening for deepening in deepenings if not deepening.is_over]:
        for position, deepening in enumerate(open_):
            changed = deepening.changed
            began = time.monotonic()
            if limit is not None:
                left = limit - (began - start)
                if left <= 0:
                    deepening.is_over = True
                    over(_answer(deepening, engine))
                    continue
                context.end = began + left / (len(open_) - position)
            box = deepening.box
            shared = context.end
            if box is not None:
                context.end = began + box if shared is None else min(shared, began + box)
            context.report(LevelBegan(deepening.shown, tuple(deepening.levels)))
            outcome = run(deepening.property, changed)
            facts, context.end = context.facts, shared
            took = time.monotonic() - began
            level = deepening.add(outcome, facts.get(REACHED, None), took, facts.get(THINNED, False))
            if level is not None:
                context.tell(level, is_named)
            if deepening.is_over:
                over(_answer(deepening, engine))
            elif level is not None:
                context.interim(_answer(deepening, engine))


def _answer(deepening: Deepening, engine: str) -> Outcome:
    outcome = deepening.outcome
    if outcome is None:
        outcome = Outcome(Verdict.UNKNOWN, Reason.TIMEOUT, "out of time", backend=engine)
    outcome.property = deepening.property
    outcome.levels = deepening.levels
    return outcome
