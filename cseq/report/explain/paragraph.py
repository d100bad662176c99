"""One paragraph in words on a violation: what went wrong, in which order of which threads, what a fix has to do."""

from __future__ import annotations

import re

from cseq.base.trace import Counterexample
from cseq.base.verdict import Outcome, Property, Verdict
from cseq.report import words
from cseq.report.explain.causes import Search, seeds
from cseq.report.explain.history import History
from cseq.report.explain.interleaving import Account
from cseq.report.explain.phrases import Phrases
from cseq.report.explain.standstill import Deadlock, Race, endless

_CLAIM = re.compile(r"assertion `(.*)`$", re.DOTALL)

_UNSET = re.compile(r"is NULL|by zero")
"""What accesses of memory and arithmetic say where a value that nobody has stored may be at fault."""


def explain(outcome: Outcome) -> str:
    """The paragraph, without line breaks; "" where there is no violation, or no counterexample of it.

    Where there are answers for several properties, it is about the first one that is violated.
    """
    for part in outcome.all():
        if part.verdict is Verdict.FALSE and part.violated is not None and part.counterexample is not None:
            return words.clean(" ".join(_told(part.counterexample, part.violated).split()))
    return ""


def _told(shown: Counterexample, violated: Property) -> str:
    phrases = Phrases(shown)
    if shown.stuck:
        return phrases.text(Deadlock(shown, violated, phrases).told())
    if shown.racing:
        return phrases.text(Race(shown, violated, phrases).told())
    if shown.cycle is not None:
        return phrases.text(endless(shown, violated, phrases))
    if not shown.steps:
        return phrases.text([words.violation(violated)])
    if violated.name == "unwinding":
        return phrases.text(
            [f"{words.violation(violated)}, here for {phrases.thread(shown.steps[-1].thread)}", *_UNWINDING]
        )
    history = History(shown)
    claim = _CLAIM.match(violated.description)
    early = violated.name not in ("memsafety", "overflow") or bool(_UNSET.search(violated.description))
    search = Search(history, seeds(history, claim[1] if claim else ""), may_be_early=early)
    return phrases.text(Account(search, violated, phrases).told())


_UNWINDING = (
    "this is a bound of the search and no fault of the program by itself",
    "A larger --unwind, or --unwindset for this line, goes further",
)
