"""Search again with more room, other values of the inputs, or arguments, where that may lead to an answer."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cseq.model.claims import Limit
from cseq.model.errors import CSeqError
from cseq.model.verdict import Caution, Outcome, Reason, Verdict
from cseq.modules.analysis.creations import MOST
from cseq.modules.explicit.encode.thread_sets import MOST_WIDE, WIDE, NarrowError
from cseq.modules.frontend.observers.observers import CAN_PREEMPT, INVARIANT
from cseq.options.bounds import THREADS
from cseq.options.environment import ANY_ARGUMENTS, ARGUMENTS
from cseq.options.properties import DEADLOCK, MEMSAFETY, OVERFLOW, PROPERTY, UNREACH
from cseq.pipeline.stage import Parameter
from cseq.process.deadline import TimeUpError

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
    Limit.THREADS: _Growing(THREADS.name, (16, 32, MOST, MOST_WIDE)),
    Limit.HEAP: _Growing(HEAP_NAME, (1 << 14, 1 << 22)),
}
"""Threads besides main; bytes for each thread. Pages that no execution writes cost nothing (`explorer/extent.c`)."""


def with_enough(
    run: Callable[[dict[str, object]], Outcome],
    values: Mapping[str, object],
    is_endless: Callable[[], bool],
    may_be_wide: bool = True,
) -> Outcome:
    """The outcome of *run* with *values*; with more threads and heap where needed, unless the user sets how many.

    is_endless: whether the program that was run last creates threads for ever. may_be_wide: whether the engine
    takes wide sets of threads. A search ends as soon as it gets to a limit that can grow. If a larger one is out of
    time or memory, the outcome names the limit of the last one.
    """
    if HEAP_NAME not in values:
        return run(dict(values))
    tried: dict[str, object] = dict(values)
    growing = {limit: how for limit, how in _GROWING.items() if values.get(how.name) is None}
    tried[WIDE.name] = (THREADS.of(values) or 0) > MOST if may_be_wide else None
    try:
        outcome = run({**tried, STOPS.name: tuple(growing)})
    except NarrowError:
        tried[WIDE.name] = True
        outcome = run({**tried, STOPS.name: tuple(growing)})
    while outcome.verdict is Verdict.UNKNOWN and outcome.reason is Reason.BOUNDED:
        more = {
            growing[bound.cut.limit].name: value
            for bound in outcome.bounds
            if bound.cut.limit in growing and (value := growing[bound.cut.limit].after(bound.value))
            if bound.cut.limit is not Limit.THREADS or (not is_endless() and (may_be_wide or value <= MOST))
        }
        if not more:
            break
        tried |= more
        if more.get(THREADS.name, 0) > MOST:
            tried[WIDE.name] = True
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


def with_fine_steps(
    run: Callable[[dict[str, object]], Outcome],
    values: Mapping[str, object],
    races: Callable[[], Outcome],
) -> Outcome:
    """The outcome of *run* with *values*; TRUE where nothing but the grain of some steps is in the way of a proof, and
    no other thread can notice it.

    races: asks whether such a step is in a data race. It is as good as its accesses if no other thread is ever about to
    make one that conflicts with one of them: what happens between two of them could as well happen before or after all
    of them. An invariant or a scheduler distinguishes states that only differ in that order.
    """
    outcome = run(dict(values))
    bounded = outcome.verdict is Verdict.UNKNOWN and outcome.reason is Reason.BOUNDED and bool(outcome.bounds)
    if not bounded or any(bound.cut.limit is not Limit.GRAIN for bound in outcome.bounds):
        return outcome
    if PROPERTY.of(values) not in _IN_ANY_ORDER or INVARIANT.of(values) or CAN_PREEMPT.of(values) is not None:
        return outcome
    try:
        found = races()
    except (CSeqError, TimeUpError):
        return outcome
    if found.verdict is Verdict.TRUE and not found.message:
        outcome.verdict, outcome.reason, outcome.bounds = Verdict.TRUE, None, []
    return outcome


_IN_ANY_ORDER = frozenset({UNREACH, DEADLOCK, OVERFLOW, MEMSAFETY})
"""The properties that no state between two accesses of one thread can violate, unless one before or after does."""

SAMPLING_NAME = "sampling"
"""The name of the parameter `cseq.modules.core.input_choices.samples.SAMPLING`, which symbolic engines do without."""

_MOST_SAMPLINGS = 2
"""How often the inputs are sampled again."""
_SOON = 5.0
_FACTOR = 8
"""About how much longer a search takes each time; there has to be time for that."""


def with_more_samples(
    run: Callable[[dict[str, object]], Outcome], values: Mapping[str, object], left: Callable[[], float | None]
) -> Outcome:
    """The outcome of *run* with *values*; with more samples of the inputs, a few times, as long as nothing is found.

    left: the seconds that are left, or None. If a search does not come to an end, the outcome is that of the last one.
    """
    begun = time.monotonic()
    outcome = run(dict(values))
    for number in range(1, _MOST_SAMPLINGS + 1):
        took, remaining = time.monotonic() - begun, left()
        if not _is_sampled(outcome) or took > _SOON or (remaining is not None and remaining < _FACTOR * took):
            break
        begun = time.monotonic()
        more = run({**values, SAMPLING_NAME: number})
        if more.reason in (Reason.TIMEOUT, Reason.MEMORY):
            break
        outcome = more
    return outcome


def _is_sampled(outcome: Outcome) -> bool:
    """Whether nothing was found, and it is inputs that limit what was explored."""
    limits = {bound.cut.limit for bound in outcome.bounds}
    sampled = limits & {Limit.SAMPLED, Limit.SAMPLED_RESULT}
    return outcome.verdict is Verdict.UNKNOWN and outcome.reason is Reason.BOUNDED and bool(sampled)


def with_any_arguments(run: Callable[[dict[str, object]], Outcome], values: Mapping[str, object]) -> Outcome:
    """The outcome of *run* with *values*, or a violation that the program has only if it is given arguments.

    Of the arguments some are tried, so there is nothing else to learn from that search.
    """
    outcome = run(dict(values))
    is_given = ARGUMENTS.of(values) is not None or ANY_ARGUMENTS.of(values)
    is_left_out = any(bound.cut.limit is Limit.NO_ARGUMENTS for bound in outcome.bounds)
    if is_given or not is_left_out or outcome.verdict is not Verdict.UNKNOWN or outcome.reason is not Reason.BOUNDED:
        return outcome
    try:
        tried = run({**values, ANY_ARGUMENTS.name: True})
    except CSeqError as error:
        text = f"with {ANY_ARGUMENTS.options[0]} there is no answer: {error.message}"
        outcome.warnings.append(Caution(text, error.origin))
        return outcome
    outcome.coverage = tried.coverage or outcome.coverage  # which is part of it
    return tried if tried.verdict is Verdict.FALSE else outcome
