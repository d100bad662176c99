"""Further searches for the answer to a question, for processors that the families leave free.

They differ from the first searches, and from each other: in the order of the search, in random choices (as a swarm of
searches does; Holzmann, Joshi and Groce, "Swarm verification techniques", TSE 2011), in the bounds, in the solver. Each
ends after a while, and the next one begins: so processors are free again and again for the parts of a level.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from cseq.model.jobrecords import JobName
from cseq.modules.explicit.engine import BITSTATE
from cseq.modules.explicit.run import SEARCH, SHUFFLE
from cseq.modules.questions.runs import bounds_of
from cseq.modules.symbolic.encode.sequentializer.contexts import ROUNDS
from cseq.modules.symbolic.iterative_deepening import MOST_BUGS
from cseq.modules.symbolic.levels.level import BOUNDS
from cseq.modules.symbolic.questions import AUTO
from cseq.modules.symbolic.run import SOLVER
from cseq.modules.symbolic.verdict import PROVE
from cseq.options.bounds import SEED, UNWIND
from cseq.options.properties import JOBS
from cseq.portfolio.families import Configuration

_SECONDS = 15.0
"""That each of the first ones may take."""

_GROWTH = 1.5
"""How many times as long those may take that come after all kinds had their turn."""

_LONGER = 3
"""By how much the unwinding grows in each level that has few rounds: many bugs need these, and long executions."""


@dataclass(frozen=True)
class Entrant:
    """A search that takes part in the race for an answer.

    way: what is done. name: as a job. label: for people. seconds: after which it is given up; None for never.
    is_further: whether it begins only where a processor is free.
    """

    way: Configuration
    name: JobName
    label: str = field(compare=False)
    seconds: float | None = None
    is_further: bool = False

    @classmethod
    def of(cls, way: Configuration, question: str) -> Entrant:
        """One of the families, for the property *question*."""
        engine = str(way.values["backend"])
        return cls(way, JobName(engine, question), engine)


def further(
    question: str, explicit: Configuration | None, symbolic: Configuration | None, solvers: Sequence[str] = ()
) -> Iterator[Entrant]:
    """Further searches for the property *question*, without an end, the most promising first.

    explicit, symbolic: the ways of these families; None where a family does not take part. solvers: those that the
    symbolic engine may use, if there is a choice.
    """
    if explicit is None and symbolic is None:
        return
    seconds, levels = _SECONDS, _levels(question, symbolic, solvers)
    for turn in count():
        searches = [] if explicit is None else list(_searches(question, explicit, turn))
        for entrant in _alternating(searches, levels if symbolic is not None else None):
            yield replace(entrant, seconds=seconds, is_further=True)
        seconds *= _GROWTH


def _alternating(searches: Sequence[Entrant], levels: Iterator[Entrant] | None) -> Iterator[Entrant]:
    """A level after every second search, and one at first."""
    for number, search in enumerate(searches):
        if levels is not None and number % 2 == 0:
            yield next(levels)
        yield search
    if levels is not None:
        yield next(levels)


def _searches(question: str, way: Configuration, turn: int) -> Iterator[Entrant]:
    """Searches of the explicit family. turn: how often there were such searches before."""
    seed = SEED.of(way.values) + 2 * turn + 1
    bits: dict[str, Any] = {SEARCH.name: "dfs", BITSTATE.name: True, SHUFFLE.name: True}
    yield _search(question, way, "swarm", seed, bits)
    if turn == 0:
        yield _search(question, way, "icb", None, {SEARCH.name: "icb"})
    yield _search(question, way, "random", seed, {SEARCH.name: "random"})
    yield _search(question, way, "auto", seed, {})
    yield _search(question, way, "swarm", seed + 1, bits)
    if turn == 0:
        yield _search(question, way, "dfs", None, {SEARCH.name: "dfs"})


def _search(question: str, way: Configuration, search: str, seed: int | None, changed: dict[str, Any]) -> Entrant:
    engine = str(way.values["backend"])
    values = {**way.values, **changed, JOBS.name: 1, **({} if seed is None else {SEED.name: seed})}
    label = f"{engine}, {search}" if seed is None else f"{engine}, {search} {seed}"
    return Entrant(Configuration(way.chain, values), JobName(engine, question, search=search, seed=seed), label)


def _levels(question: str, way: Configuration | None, solvers: Sequence[str]) -> Iterator[Entrant]:
    """Single levels ahead of the deepening, which are asked for a violation only."""
    if way is None:
        return
    for number in count():
        turn = number // 2 + 1
        rounds, unwind = (turn, turn) if number % 2 == 0 else (0, _LONGER * turn)
        rounds, unwind = max(ROUNDS.of(way.values), MOST_BUGS) + rounds, UNWIND.of(way.values) + unwind
        solver = solvers[number % len(solvers)] if solvers and SOLVER.of(way.values) is None else SOLVER.of(way.values)
        changed = {ROUNDS.name: rounds, UNWIND.name: unwind, AUTO.name: False, PROVE.name: False, SOLVER.name: solver}
        values = {**way.values, **changed, JOBS.name: 1}
        bounds = bounds_of(values, BOUNDS)
        engine = str(way.values["backend"])
        said = ", ".join(f"{name} {value}" for name, value in bounds)
        label = f"{engine}, {said}{f', {solver}' if solver else ''}"
        yield Entrant(Configuration(way.chain, values), JobName(engine, question, bounds), label)
