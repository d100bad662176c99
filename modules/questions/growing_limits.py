"""Search again with more threads, or with more memory for the program, where it needs more than its text suggests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cseq.model.claims import Limit
from cseq.model.errors import CSeqError
from cseq.model.verdict import Caution, Outcome, Reason, Verdict
from cseq.options.bounds import THREADS
from cseq.pipeline.stage import Parameter

HEAP_NAME = "heap"
"""The name of the parameter `cseq.modules.explicit.encode.allocator.HEAP`, which symbolic engines do without."""

STOPS: Parameter[tuple[str, ...]] = Parameter(
    "stops", tuple, (), "the limits at which the search ends at once, as it will begin again with larger ones"
)
"""Names of `Limit`; for the stage that runs the engine."""


@dataclass(frozen=True)
class _Growing:
    """A limit that grows. name: of its parameter. steps: the values that are tried, from the least to the greatest."""

    name: str
    steps: tuple[int, ...]

    def after(self, value: int) -> int:
        """The value to try after *value*; 0 where there is none."""
        return next((step for step in self.steps if 0 < value < step), 0)


_GROWING = {
    Limit.THREADS: _Growing(THREADS.name, (16, 32, 63)),
    Limit.HEAP: _Growing(HEAP_NAME, (1 << 14, 1 << 22)),
}
"""Threads besides main; bytes for each thread. Pages that no execution writes cost nothing (`explorer/extent.c`)."""


def with_enough(
    run: Callable[[dict[str, object]], Outcome], values: Mapping[str, object], is_endless: Callable[[], bool]
) -> Outcome:
    """The outcome of *run* with *values*; with more threads and heap where needed, unless the user sets how many.

    is_endless: whether the program that was run last creates threads for ever. A search ends as soon as it gets to a
    limit that can grow. If a larger one is out of time or memory, the outcome names the limit of the last one.
    """
    if HEAP_NAME not in values:
        return run(dict(values))
    tried: dict[str, object] = dict(values)
    growing = {limit: how for limit, how in _GROWING.items() if values.get(how.name) is None}
    outcome = run({**tried, STOPS.name: tuple(growing)})
    while outcome.verdict is Verdict.UNKNOWN and outcome.reason is Reason.BOUNDED:
        more = {
            growing[bound.cut.limit].name: value
            for bound in outcome.bounds
            if bound.cut.limit in growing and (value := growing[bound.cut.limit].after(bound.value))
            if bound.cut.limit is not Limit.THREADS or not is_endless()
        }
        if not more:
            break
        tried |= more
        stops = tuple(limit for limit, how in growing.items() if tried.get(how.name) != how.steps[-1])
        try:
            larger = run({**tried, STOPS.name: stops})
        except CSeqError as error:
            said = " ".join(f"--{name} {number}" for name, number in more.items())
            outcome.warnings.append(Caution(f"with {said} there is no answer: {error.message}", error.origin))
            break
        if larger.reason in (Reason.TIMEOUT, Reason.MEMORY):
            larger.bounds = larger.bounds or outcome.bounds
        outcome = larger
    return outcome
