"""What a search has done, as reports have it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from cseq.model.verdict import Outcome, Share
from cseq.modules.compiled.schedule_search import Statistics


def with_statistics(outcome: Outcome, statistics: Statistics, seed: int, seconds: float) -> Outcome:
    """The *outcome* of a search, with its numbers. seed: of its first run. seconds: how long it took."""
    numbers = {
        "runs": statistics.runs,
        "schedules": statistics.distinct,
        "runs_per_second": round(statistics.runs / max(seconds, 1e-3), 1),
        "races": statistics.races,
        "operations": statistics.operations,
        "unrepeated": statistics.unrepeated,
    }
    runs, found = Counter[str](), Counter[str]()
    for name, tally in statistics.tallies.items():
        strategy = name.rstrip("0123456789")
        runs[strategy] += tally.runs
        found[strategy] += tally.found
    shares = tuple(
        Share(name, bool(found[name]), walks=count, depth=statistics.operations, seed=seed)
        for name, count in runs.items()
    )
    return replace(outcome, statistics={name: float(number) for name, number in numbers.items()}, searches=shares)
