"""The answer about a data structure, for the terminal."""

from collections.abc import Iterator

from cseq.model.claims import Cut, Limit
from cseq.model.scenario_results import FailingScenario, Summary
from cseq.model.verdict import Verdict
from cseq.report.scenario_words import gap_words, headline
from cseq.report.text.style import PLAIN, Style
from cseq.report.text.terminal import VERDICT_COLOURS
from cseq.report.words import cells, clean

_EXPLAINS = {
    "linearizable": "no sequential order of the calls that respects real time",
    "sequential": "no sequential order of the calls that respects the order in each thread",
    "quiescent": "no sequential order of the calls that respects the moments without a running call",
}
_EXPLAINS_WEAKLY = {"linearizable": "no sequential order of the calls that respects happens-before"}
_OF_MEMORY = frozenset({Limit.PROVENANCE, Limit.LOST})
"""What only stops the question about memory; the results are known all the same."""


def lines(summary: Summary, style: Style = PLAIN) -> Iterator[str]:
    """The verdict, the table of the scenario with a violation, and how much was explored."""
    word = summary.verdict.value
    shown = style.paint(word, fg=VERDICT_COLOURS[summary.verdict], bold=True)
    yield f"{shown}: {headline(summary)}"
    if summary.found is not None:
        yield ""
        yield from table(summary.found)
        yield ""
        yield from _said(summary.found, summary)
    yield from _explored(summary)


def table(found: FailingScenario) -> list[str]:
    """A column for each thread, with what its calls return."""
    columns = []
    for thread, calls in enumerate(found.calls):
        column = [f"thread {thread + 1}"]
        for number, call in enumerate(calls):
            result = found.results[thread][number]
            column.append(clean(call) + ("" if result is None or found.silent[thread][number] else f" → {result}"))
        columns.append(column)
    widths = [max(map(cells, column)) for column in columns]
    rows = []
    for number in range(max(map(len, columns))):
        texts = [column[number] if number < len(column) else "" for column in columns]
        padded = [text + " " * (width - cells(text)) for text, width in zip(texts, widths, strict=True)]
        rows.append("    " + "    ".join(padded).rstrip())
    return [rows[0], "    " + "    ".join("-" * width for width in widths), *rows[1:]]


def _said(found: FailingScenario, summary: Summary) -> Iterator[str]:
    if found.kind == "unexplained":
        for earlier, later in found.before:
            if found.is_weak:
                yield f"The end of {_call(found, earlier)} happens before the beginning of {_call(found, later)}."
            else:
                yield f"{_call(found, earlier)} returns before {_call(found, later)} begins."
        explains = _EXPLAINS[summary.consistency]
        if found.is_weak:
            explains = _EXPLAINS_WEAKLY.get(summary.consistency, explains)
        yield f"There is {explains} and explains these results."
    elif found.kind == "trap" and found.stopped is not None:
        yield f"If thread {found.stopped + 1} stops in the middle of a call, the other threads cannot finish."
    elif found.kind == "trap":
        yield "There are steps after which the threads cannot finish, whatever they do."


def _call(found: FailingScenario, place: tuple[int, int]) -> str:
    thread, number = place
    return f"{clean(found.calls[thread][number])} of thread {thread + 1}"


def _explored(summary: Summary) -> Iterator[str]:
    number = f", in scenario {summary.found.number} of {summary.scenarios}" if summary.found is not None else ""
    done = f"{summary.complete} {'scenario' if summary.complete == 1 else 'scenarios'} explored under all schedules"
    if summary.weak is not None:
        done += " and memory orders"
    weak = summary.weak
    graphs = ""
    if weak is not None:
        graphs = f" {weak.executions} execution {'graph' if weak.executions == 1 else 'graphs'},"
    yield f"({done}{number}; {summary.states} states,{graphs} {summary.seconds:.1f} s)"
    for gap, count in summary.gaps:
        if gap != summary.refused:
            yield f"({count} not completely: {gap_words(gap)})"
    if summary.verdict is Verdict.UNKNOWN and weak is not None and summary.found is None:
        yield f"({weak.sequential} of {summary.scenarios} scenarios have no violation under sequential consistency)"
    if any(Cut.of(gap).limit in _OF_MEMORY for gap, _ in summary.gaps):
        yield "(--no-memsafety does not ask about memory, where that cannot be followed)"
    if summary.found is None and summary.verdict is Verdict.UNKNOWN and not summary.refused:
        yield "(--time gives more seconds; fewer --threads, --calls or arguments make fewer and smaller scenarios)"
