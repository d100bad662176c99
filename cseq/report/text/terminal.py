"""The report for the terminal: the verdict in one sentence and, on request, the counterexample."""

from collections.abc import Iterator, Sequence

from cseq.model.trace import Counterexample, Step, Thread
from cseq.model.verdict import Outcome, Property, Reason, Verdict
from cseq.report import job_words, order_words, sharing_words, words
from cseq.report.steps import effects, headings, stopped, ways
from cseq.report.text.style import PLAIN, Style
from cseq.report.ways_out import ways_out
from cseq.report.words import clean

VERDICT_COLOURS = {Verdict.TRUE: "green", Verdict.FALSE: "red", Verdict.UNKNOWN: "yellow"}
_MANY = 20
"""The number of bounds that are listed without --verbose."""

_FEW = 5
"""The number of lines of a program's own output that are shown without --verbose."""

_SOURCE_WIDTH = 36
"""If the other columns leave less room than this, a source line gets a line of its own."""


_FILE_WIDTH = 80
"""The width of paragraphs if there is no terminal."""


def render(
    outcome: Outcome, style: Style = PLAIN, *, steps: bool = False, details: bool = False, explained: bool = False
) -> str:
    """The whole report, with a final newline.

    steps: show the counterexample. details: show all bounds, the backend, and the time that each stage took.
    explained: add a paragraph that explains each violation, and each proof by invariants.
    """
    text = "".join(f"{line}\n" for line in _lines(outcome, style, steps, details, explained))
    return text.rstrip("\n") + "\n"


def _lines(outcome: Outcome, style: Style, steps: bool, details: bool, explained: bool) -> Iterator[str]:
    hints: dict[str, None] = {}  # each is shown once, after the answers
    said: set[str] = set()
    for part in outcome.all():
        yield answer_line(part, style, named=bool(outcome.parts))
        yield from (f"  {clean(words.violation(other))}" for other in part.others)
        if part.verdict is Verdict.UNKNOWN or details:
            yield from _bounds(part, details, said)
            if not details and part.reason in (Reason.TIMEOUT, Reason.MEMORY):
                yield from (f"  {line}" for line in words.searches(part.searches))
            yield from (f"  {clean(line)}" for line in words.tries(part.tries))
            yield from (f"  {clean(line)}" for line in _left_over(part))
            if ways := ways_out(part):
                hints[f"(what helps: {clean(', '.join(ways))})"] = None
        if part.counterexample is not None and (steps or part.verdict is not Verdict.FALSE):
            yield from counterexample(part.counterexample, part.violated, style)
        elif part.counterexample is not None and part.verdict is Verdict.FALSE:
            hints[style.paint("(--cex shows how)", dim=True)] = None
        elif part.unreplayed:
            hints[f"(no counterexample, and not replayed: {clean(part.unreplayed)})"] = None
        if part.listing is not None:
            hints[f"({words.listing(part)})"] = None
        if explained and part.verdict is not Verdict.UNKNOWN:
            yield from _explanation(part, style)
        if part.verdict is Verdict.UNKNOWN or details:
            hints.update(dict.fromkeys(f"({clean(words.attempt(attempt))})" for attempt in part.attempts))
    yield from hints
    if outcome.orders is not None:
        yield from map(clean, order_words.lines(outcome.orders))
        yield from outcome.orders.patch.split("\n")[:-1]
    yield from _program(outcome, style, details)
    if outcome.chosen:
        yield style.paint(f"({words.engines(outcome)})", dim=True)
    if outcome.kept and (details or any(part.reason is Reason.REPLAY for part in outcome.all())):
        yield f"The intermediate files are in {clean(outcome.kept)}"
    if details:
        yield from _statistics(outcome)
        yield from _jobs(outcome)
        yield from _times(outcome)


def _program(outcome: Outcome, style: Style, details: bool) -> Iterator[str]:
    """What was run, and what it printed where that helps."""
    for part in outcome.all():
        printed = words.last_output(part, _MANY if details else _FEW) if part.verdict is Verdict.FALSE else []
        if printed:
            yield style.paint("(the program printed)", dim=True)
            yield from (f"  {clean(line)}" for line in printed)
    ran = words.binary(outcome)
    if ran:
        yield style.paint(f"({clean(ran)})", dim=True)


def answer_line(part: Outcome, style: Style = PLAIN, named: bool = True) -> str:
    """The verdict and the answer for one property, in one line. named: with the name of the property."""
    name = f"{part.property}: " if named else ""
    word = style.paint(part.verdict.value, fg=VERDICT_COLOURS[part.verdict], bold=True)
    return f"{name}{word}: {clean(words.answer(part))}"


def _bounds(outcome: Outcome, details: bool, said: set[str]) -> Iterator[str]:
    """Where executions were cut off, except for what was already *said* for another property."""
    cuts = [cut for cut in words.places_cut(outcome.bounds) if cut not in said]
    said.update(cuts)
    shown = cuts if details else cuts[:_MANY]
    yield from (f"  {clean(cut)}" for cut in shown)
    if len(shown) < len(cuts):
        yield f"  and {len(cuts) - len(shown)} more (--verbose shows them)"


def _left_over(part: Outcome) -> Iterator[str]:
    """The shared data for which no reason was found."""
    if part.verdict is Verdict.UNKNOWN and part.sharing is not None:
        left = part.sharing.left
        yield from map(sharing_words.line, left[:_MANY])
        if len(left) > _MANY:
            yield f"and {len(left) - _MANY} more objects (--json lists them)"


def _explanation(part: Outcome, style: Style) -> Iterator[str]:
    """The paragraph, or the reasons, between empty lines, if there are any."""
    if part.verdict is Verdict.TRUE and part.sharing is not None:
        yield ""
        yield from (f"  {clean(line)}" for line in sharing_words.lines(part.sharing))
        yield ""
        return
    from cseq.report.explain.paragraph import explain
    from cseq.report.explain.phrases import wrapped

    text = explain(part)
    if text:
        yield ""
        yield from wrapped(text, style.width or _FILE_WIDTH)
        yield ""


def _statistics(outcome: Outcome) -> Iterator[str]:
    """The statistics of each search of an explicit-state engine."""
    for part in outcome.all():
        if part.statistics:
            yield ""
            yield f"search ({part.property})" if outcome.parts else "search"
            yield from (f"  {line}" for line in words.statistics(part.statistics))
            yield from (f"  {line}" for line in words.searches(part.searches))


def _jobs(outcome: Outcome) -> Iterator[str]:
    """What was done at the same time for each property."""
    for part in outcome.all():
        if part.jobs:
            yield ""
            yield f"{f'{part.property}: ' if outcome.parts else ''}{job_words.summary(part.jobs)}"
            yield from (f"  {clean(job_words.record(each))}" for each in part.jobs[:_MANY])
            if len(part.jobs) > _MANY:
                yield f"  and {len(part.jobs) - _MANY} more (--json lists them)"


def _times(outcome: Outcome) -> Iterator[str]:
    yield ""
    if outcome.backend and not outcome.chosen:
        solvers = f" with {', '.join(outcome.solvers)}" if outcome.solvers else ""
        yield f"backend {outcome.backend}{solvers}"
    width = max(map(len, outcome.times), default=0)
    for name, seconds in outcome.times.items():
        yield f"  {name:{width}}  {seconds:7.3f} s"
    yield f"  {'in all':{width}}  {sum(outcome.times.values()):7.3f} s"


def counterexample(shown: Counterexample, violated: Property | None, style: Style) -> Iterator[str]:
    """The lines of a counterexample: its steps with headings, and the violation."""
    yield ""
    yield from _lanes(shown, violated, style) or _steps(shown.steps, style, shown.cycle)
    if violated is not None:
        yield ""
        yield style.paint(clean(words.violation(violated)), fg="red", bold=True)
    elif shown.cut is not None:
        yield ""
        yield style.paint(clean(words.stops(shown.cut)), fg="yellow", bold=True)


def _lanes(shown: Counterexample, violated: Property | None, style: Style) -> list[str]:
    """The steps with one column per thread; no lines if the terminal is too narrow."""
    if style.width is None:
        return []
    from cseq.report.text import lanes

    return lanes.lines(shown, style, violates=violated is not None and shown.cycle is None)


def _steps(steps: Sequence[Step], style: Style, cycle: int | None) -> Iterator[str]:
    rows = [(str(step.thread), clean(str(step.origin)), clean(words.function(step.origin))) for step in steps]
    header = ("thread", "place", "function")
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(3)]
    margin = sum(widths) + 2 * len(widths)
    stacked = style.width is not None and margin + _SOURCE_WIDTH > style.width
    indent = "    " if stacked else " " * margin
    if not stacked:
        cells = [f"{cell:{width}}" for cell, width in zip(header, widths, strict=True)]
        yield style.paint("  ".join([*cells, "source"]), underline=True)
    for step, row, called, rules in zip(steps, rows, ways(steps), headings(steps, cycle), strict=True):
        yield from (_rule(text, thread, style) for text, thread in rules)
        cells = [f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)]
        cells[0] = style.thread(step.thread, cells[0])
        source = style.paint(clean(step.source.strip()), bold=True)
        if stacked:
            yield "  ".join(cells).rstrip()
            yield f"{indent}{source}"
        else:
            yield "  ".join([*cells, source]).rstrip()
        yield from (f"{indent}  {clean(line)}" for line in [*called, *effects(step)])
    if cycle == len(steps):
        yield _rule(stopped(), None, style)


def _rule(text: str, thread: Thread | None, style: Style) -> str:
    line = f"---- {text} ----"
    return style.thread(thread, line) if thread is not None else style.paint(line, bold=True)
