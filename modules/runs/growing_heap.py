"""Search again with more memory for the program, where it allocates more than its text suggests."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cseq.base.claims import Limit
from cseq.base.errors import CSeqError
from cseq.base.verdict import Caution, Outcome, Reason, Verdict

HEAP_NAME = "heap"
"""The name of the parameter `cseq.modules.explicit.allocator.HEAP`, which symbolic engines do without."""

_FACTOR = 8
_MOST = 1 << 16
"""Bytes per thread. States with more memory are too large for most searches: the user may ask for them."""


def with_enough_heap(run: Callable[[dict[str, object]], Outcome], values: Mapping[str, object]) -> Outcome:
    """The outcome of *run* with *values*; with more heap as long as some thread needs more, unless the user sets it.

    If the search with more heap does not come to an end, the outcome is that of the last one that did.
    """
    outcome = run(dict(values))
    if values.get(HEAP_NAME) is not None:
        return outcome
    while outcome.verdict is Verdict.UNKNOWN and outcome.reason is Reason.BOUNDED:
        size = max((bound.value for bound in outcome.bounds if bound.cut.limit is Limit.HEAP), default=0)
        if not 0 < size < _MOST:
            break
        more = min(_FACTOR * size, _MOST)
        try:
            larger = run({**values, HEAP_NAME: more})
        except CSeqError as error:
            outcome.warnings.append(Caution(f"with --heap {more} there is no answer: {error.message}", error.origin))
            break
        if larger.reason in (Reason.TIMEOUT, Reason.MEMORY):
            break
        outcome = larger
    return outcome
