"""Search again with other values of the inputs, where a search with some of them was over soon."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from cseq.model.claims import Limit
from cseq.model.verdict import Outcome, Reason, Verdict

SAMPLING_NAME = "sampling"
"""The name of the parameter `cseq.modules.core.input_choices.samples.SAMPLING`, which symbolic engines do without."""

_MOST = 2
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
    for number in range(1, _MOST + 1):
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
