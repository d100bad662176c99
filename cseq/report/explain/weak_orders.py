"""The sentence on memory orders that are too weak."""

from __future__ import annotations

from collections.abc import Iterator

from cseq.model.trace import Counterexample
from cseq.report.explain.phrases import Phrases, listed


def weak_orders(shown: Counterexample, phrases: Phrases, what: str) -> Iterator[str]:
    """Which orders are too weak, and which would be enough; nothing if no order is. what: that these would do."""
    if shown.needed:
        weak = [f"the {each.what} at {phrases.place(each.origin)} is {each.before}" for each in shown.needed]
        strong = [f"{each.after} at {phrases.place(each.origin)}" for each in shown.needed]
        yield f"{listed(list(dict.fromkeys(weak)))}: {listed(list(dict.fromkeys(strong)))} would {what}"
