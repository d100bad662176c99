"""Strategies in rotation: none finds all kinds of bugs soonest."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cseq.modules.compiled.client.record import Strategy


@dataclass(frozen=True)
class Slice:
    """A number of runs with one strategy.

    depth: the priority changes of PCT plus 1, the preemptions, or the loads of PCTWM that read from other threads.
    """

    strategy: Strategy
    depth: int
    runs: int

    @property
    def name(self) -> str:
        """The strategy, with its depth where it has one."""
        return f"{self.strategy.name.lower()}{self.depth or ''}"


_FIRST = 5
_MOST = 320
"""The runs of a strategy's first turn, and the most in a later one. Each round has twice as many as the one before."""

_TURNS = (
    (Strategy.SURW, 0), (Strategy.POS, 0), (Strategy.PCT, 3), (Strategy.PREEMPT, 2), (Strategy.WALK, 0),
    (Strategy.PCT, 2), (Strategy.PREEMPT, 1), (Strategy.ROUND, 0),
)  # fmt: skip
"""First what needs few runs for many kinds of bugs; benchmarks/compiled/STRATEGIES.md has the numbers."""

_OF_WEAK = ((Strategy.PCTWM, 2), (Strategy.PCTWM, 1))
"""Those that choose which stores loads read from."""

_DEPTHS = {strategy: sorted(d for each, d in (*_TURNS, *_OF_WEAK) if each is strategy) for strategy in Strategy}
_REPEATABLE = frozenset({Strategy.RUN, Strategy.ROUND})
"""Strategies without chance, except for choices other than of threads: a few runs say it all."""


def slices(chosen: Sequence[Strategy] = (), is_weak: bool = False) -> Iterator[Slice]:
    """The runs to be made, without end: by the *chosen* strategies, or by all in turns, first without preemptions.

    is_weak: whether loads may read older values.
    """
    all_turns = [*_TURNS, *(_OF_WEAK if is_weak else ())]
    turns = [(one, depth) for one in chosen for depth in _DEPTHS[one] or [0]] if chosen else all_turns
    if not chosen:
        yield Slice(Strategy.RUN, 0, 1)
    runs = _FIRST
    while True:
        for strategy, depth in turns:
            yield Slice(strategy, depth, min(runs, 2) if strategy in _REPEATABLE else runs)
        runs = min(2 * runs, _MOST)
