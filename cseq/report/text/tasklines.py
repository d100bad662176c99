"""The lines about several programs that a run checks, each for itself."""

from collections.abc import Iterator, Sequence

from cseq.model.findings import SuppressionKind
from cseq.model.taskresults import Expected, TaskCounts, TaskEnd, TaskResult, counted
from cseq.model.verdict import Outcome, Verdict
from cseq.report import words
from cseq.report.text import terminal
from cseq.report.text.style import PLAIN, Style
from cseq.report.words import cells, clean

_VERDICT = 7
"""The columns of the longest verdict."""

_WIDEST = 60
"""The columns of paths; the words on longer ones are not aligned."""

_ERROR = "error"


def name(result: TaskResult) -> str:
    """The name of a task: its path and, where it is about one of several properties, that."""
    return clean(f"{result.path} {result.only}".rstrip())


def width(names: Sequence[str]) -> int:
    """The columns for these *names* of tasks."""
    return max((columns for each in names if (columns := cells(each)) <= _WIDEST), default=0)


def lines(result: TaskResult, columns: int = 0, style: Style = PLAIN, seconds: bool = False) -> Iterator[str]:
    """What became of a task: a line, and one for each other property that is violated.

    columns: of the names of tasks. seconds: whether to say how long it took.
    """
    shown = name(result)
    space = " " * max(columns - cells(shown), 0)
    notes = [f"expected: {_expected(result)}"] if result.as_expected is False else []
    notes += _excuses(result)
    notes += ["unchanged"] if result.cached else []
    notes += [f"{result.seconds:.1f} s"] if seconds else []
    noted = f" ({', '.join(notes)})" if notes else ""
    yield f"{_head(result, style)}  {shown}{space}  {_words(result)}{noted}"
    violated = [part for part in result.outcome.parts if part.verdict is Verdict.FALSE] if result.outcome else []
    margin = " " * (_VERDICT + max(columns, cells(shown)) + 4)
    yield from (f"{margin}{_answer(part)}" for part in violated[1:])


def brief(result: TaskResult) -> str:
    """The word of the verdict, and the name of the task."""
    return f"{_head(result, PLAIN)}  {name(result)}"


def report(
    result: TaskResult, style: Style = PLAIN, *, steps: bool = False, details: bool = False, explained: bool = False
) -> Iterator[str]:
    """The whole report about one task, to be shown below its line. The arguments are those of `terminal.render`."""
    if result.outcome is not None:
        text = terminal.render(result.outcome, style, steps=steps, details=details, explained=explained)
        yield from (f"    {each}".rstrip() for each in text.splitlines())


def summary(results: Sequence[TaskResult], seconds: float) -> str:
    """How many tasks ended how."""
    counts = counted(results)
    what = "program" if not any(result.only for result in results) else "task"
    parts = [f"{number} {text}" for number, text in _parts(counts) if number]
    said = f"{_number(counts.tasks, what)}: {', '.join(parts) or 'nothing was done'} ({seconds:.1f} s)"
    if not counts.expected and not counts.unexpected:
        return said
    wrong = f", {counts.unexpected} not as expected" if counts.unexpected else ""
    return f"{said}; {_number(counts.expected, 'answer')} as expected{wrong}"


def _parts(counts: TaskCounts) -> list[tuple[int, str]]:
    return [
        (counts.violated, "violated"),
        (counts.excused, "with nothing but excused violations"),
        (counts.correct, "correct"),
        (counts.bounded, "without a violation within bounds"),
        (counts.undecided, "unknown"),
        (counts.failed, "failed"),
        (counts.stopped, "stopped"),
    ]


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' if count != 1 else ''}"


def _head(result: TaskResult, style: Style) -> str:
    """The verdict or what there is in its place, in as many columns as the longest one."""
    if result.outcome is not None:
        word, colour = result.outcome.verdict.value, terminal.VERDICT_COLOURS[result.outcome.verdict]
    else:
        word, colour = (_ERROR, "red") if result.end is TaskEnd.FAILED else (result.end.value, "yellow")
    return style.paint(word, fg=colour, bold=True) + " " * (_VERDICT - len(word))


def _words(result: TaskResult) -> str:
    if result.failure is not None:
        return clean(" ".join(str(result.failure).removeprefix(f"{result.path}: ").split()))
    if result.outcome is None:
        return "another program was first"
    outcome = result.outcome
    return _answer(_telling(outcome)) if outcome.parts else clean(words.answer(outcome))


_EXCUSES = {
    SuppressionKind.EXPECTED: "expected",
    SuppressionKind.IGNORED: "ignored",
    SuppressionKind.KNOWN: "in the baseline",
}


def _excuses(result: TaskResult) -> list[str]:
    """Why violations do not count."""
    said = {f"{_EXCUSES[one.why]}: {one.reason}" if one.reason else _EXCUSES[one.why]: None for one in result.excuses}
    return [clean(each) for each in said]


def unmet(wanted: str) -> str:
    """An expectation in a comment that no program has met: a violation of the kind *wanted*."""
    return clean(f"expected: {wanted}, which was not found")


def _answer(part: Outcome) -> str:
    """The answer for one of several properties."""
    return clean(f"{part.property}: {words.answer(part)}")


def _telling(outcome: Outcome) -> Outcome:
    """The part of *outcome* that its verdict is about."""
    return next((part for part in outcome.all() if part.verdict is outcome.verdict), outcome)


def _expected(result: TaskResult) -> str:
    """What was expected of the properties that were checked."""
    parts = result.outcome.all() if result.outcome is not None else []
    wanted = {part.property: result.expected[part.property] for part in parts if part.property in result.expected}
    said = [f"{name} {_verdict(one)}" if len(wanted) > 1 else _verdict(one) for name, one in wanted.items()]
    return ", ".join(said)


def _verdict(expected: Expected) -> str:
    word = (Verdict.TRUE if expected.holds else Verdict.FALSE).value
    return f"{word} ({expected.part})" if expected.part else word
