"""What was found out about a data structure, in words."""

from cseq.model.claims import Cut
from cseq.model.scenario_results import FailingScenario, Summary
from cseq.model.verdict import Verdict
from cseq.report.violations import cut
from cseq.report.words import clean

TIMES = "\N{MULTIPLICATION SIGN}"

_MEANS = {
    "linearizable": "linearizable",
    "sequential": "sequentially consistent",
    "quiescent": "quiescently consistent",
}
_KINDS = {
    "assertion": "an assertion or a rule of the library is violated",
    "crash": "a crash",
    "deadlock": "threads that wait for ever",
    "race": "a data race",
}
_GAPS = {
    "time": "took too long",
    "memory": "took too much memory",
    "progress": "lock-freedom is decided for sequentially consistent executions only",
}


def headline(summary: Summary) -> str:
    """What was found, in a line."""
    found = summary.found
    is_weak = found.is_weak if found is not None else summary.weak is not None
    return _said(summary) + (" (memory model: C11)" if is_weak else "")


def _said(summary: Summary) -> str:
    found = summary.found
    if found is None:
        if summary.refused:
            return f"scenarios cannot be explored: {clean(summary.refused)}"
        if summary.verdict is Verdict.TRUE:
            return f"{_MEANS[summary.consistency]} in all {summary.scenarios} scenarios of {_sizes(summary)}"
        return f"no violation in {summary.complete} of {summary.scenarios} scenarios of {_sizes(summary)}"
    what = _what(found, summary)
    return what if found.is_confirmed else f"{what}, which the program made of the scenario does not show"


def gap_words(gap: str) -> str:
    """Why scenarios were not explored to their end: *gap* is a word of ours, the key of a cut, or an engine's text."""
    return _GAPS.get(gap) or clean(cut(Cut.of(gap)))


def _what(found: FailingScenario, summary: Summary) -> str:
    one = ", with a single thread" if found.is_sequential else ""
    if found.kind == "unexplained":
        return f"not {_MEANS[summary.consistency]}"
    if found.kind == "trap":
        return "not lock-free" if found.stopped is not None else "threads that cannot finish"
    if found.question == "memory" and found.kind != "crash":
        return f"memory is used wrongly{one}"
    return f"{_KINDS.get(found.kind, found.kind)}{one}"


def _sizes(summary: Summary) -> str:
    shown = [
        f"{threads} threads {TIMES} {calls} {'call' if calls == 1 else 'calls'}" for threads, calls in summary.sizes
    ]
    return "up to " + " and ".join(shown)
