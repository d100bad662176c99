"""Look for further data races when one has been found."""

import time
from collections.abc import Callable

from cseq.model.errors import CSeqError
from cseq.model.trace import Race
from cseq.model.verdict import Listing, Outcome, Reason, Verdict
from cseq.modules.core.known_races import KNOWN, MOST, Pair, pair_of
from cseq.pipeline.stage import Context

_LEAST = 10.0
"""Seconds for the search at least, where the user has set no limit."""
_TIMES = 5.0
"""How many times as long as the first race took it may take to find others, where the user has set no limit."""

Ask = Callable[[dict[str, object]], Outcome]
"""Ask again with these values of parameters."""


def find_others(context: Context, first: Outcome, ask: Ask, begun: float) -> None:
    """Add to *first*, a replayed data race, those at other pairs of lines.

    The question is asked again, within the same bounds, until no race is left that is not known, or the time is up:
    that of the user, or a time in proportion to what the first race took. begun: when the question was asked first, in
    `time.monotonic` seconds.
    """
    known = [pair for pair in [_pair(first)] if pair is not None]
    first.listing = Listing.STOPPED
    unlimited = context.end is None
    if unlimited:
        now = time.monotonic()
        context.end = now + max(_LEAST, _TIMES * (now - begun))
    try:
        while known and len(known) < MOST and (context.left(None) or 0.0) > 0.0:
            again = ask({KNOWN.name: tuple(known)})
            found = _pair(again)
            if found is None or found in known or again.violated is None:
                first.listing = _listing(again)
                return
            known.append(found)
            first.others.append(again.violated)
    except CSeqError as error:  # what is known stays
        context.warn(f"the search for further data races failed: {error}")
    finally:
        if unlimited:
            context.end = None


def _pair(outcome: Outcome) -> Pair | None:
    """The lines of a data race; None for any other outcome."""
    account = outcome.violated.account if outcome.violated is not None else None
    return pair_of(account) if isinstance(account, Race) and not outcome.unreplayed else None


def _listing(last: Outcome) -> Listing:
    """What the answer without another race is worth."""
    if last.verdict is Verdict.TRUE:
        return Listing.ALL
    bounded = last.verdict is Verdict.UNKNOWN and last.reason in (Reason.BOUNDED, Reason.UNWINDING)
    return Listing.WITHIN if bounded else Listing.STOPPED
