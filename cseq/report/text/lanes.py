"""A counterexample with one column per thread, for terminals that are wide enough."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest

from cseq.model.trace import Counterexample, Step, Thread
from cseq.report import words
from cseq.report.steps import effects, headings, stopped, ways
from cseq.report.text.style import Style
from cseq.report.words import cells, clean

MINIMUM = 28
"""The least width of a lane in which wrapped lines are still readable."""

_PLACE, _FUNCTION = 32, 24
"""The greatest widths of the columns for places and functions."""

_MARK = "=> "
"""The mark before the steps that violate the property."""

_SEPARATOR = " | "
_BREAK = re.compile(r"(?<=[ /,;(])")


@dataclass(frozen=True)
class _Row:
    """What is shown of one step. text: the lines of its lane, the source first, each with its indentation."""

    step: Step
    place: str
    function: str
    text: list[tuple[int, str]]
    marked: bool


def lines(shown: Counterexample, style: Style, *, violates: bool) -> list[str]:
    """The steps in lanes; no lines if they do not fit into the width, or the width is unlimited.

    violates: whether the end of the steps is a violation.
    """
    threads = sorted({step.thread for step in shown.steps}, key=lambda thread: thread.number)
    if style.width is None or not threads:
        return []
    table = _Table(shown, threads, style, violates)
    return list(table.lines()) if table.fits else []


class _Table:
    """The layout: the columns and their widths."""

    def __init__(self, shown: Counterexample, threads: list[Thread], style: Style, violates: bool) -> None:
        assert style.width is not None
        self._shown = shown
        self._threads = threads
        self._style = style
        files = list(dict.fromkeys(step.origin.file for step in shown.steps))
        self._file = files[0] if len(files) == 1 else ""
        self._rows = list(self._made(violates))
        self._titles = ("line" if self._file else "place", "function")
        self._place = min(_PLACE, max(cells(text) for text in [self._titles[0], *(row.place for row in self._rows)]))
        functions = [self._titles[1], *(row.function for row in self._rows)]
        self._function = min(_FUNCTION, max(cells(text) for text in functions))
        self._margin = len(_MARK) + self._place + 2 + self._function + 2
        room = style.width - self._margin - len(_SEPARATOR) * (len(threads) - 1)
        wanted = [self._wanted(thread) for thread in threads]
        self.fits = room >= sum(min(width, MINIMUM) for width in wanted)
        self._lanes = _shares(wanted, room)

    def lines(self) -> Iterator[str]:
        """The table, with a header."""
        if self._file:
            yield from _wrapped(clean(self._file), self._style.width or 0)
        yield from self._header()
        before: Step | None = None
        for row, rules in zip(self._rows, headings(self._shown.steps, self._shown.cycle), strict=True):
            yield from (self._rule(text, thread) for text, thread in rules)
            yield from self._row(row, before)
            before = row.step
        if self._shown.cycle == len(self._rows):
            yield self._rule(stopped())

    def _made(self, violates: bool) -> Iterator[_Row]:
        steps = self._shown.steps
        for number, (step, called) in enumerate(zip(steps, ways(steps), strict=True)):
            text = [(0, clean(step.source.strip())), *((2, clean(line)) for line in [*called, *effects(step)])]
            place = str(step.origin.line) if self._file else clean(str(step.origin))
            marked = violates and (number == len(steps) - 1 or step.stands)
            yield _Row(step, place, clean(words.function(step.origin)), text, marked)

    def _wanted(self, thread: Thread) -> int:
        """The width at which no line of a thread's lane is wrapped."""
        own = [indent + cells(line) for row in self._rows if row.step.thread == thread for indent, line in row.text]
        return max([cells(clean(str(thread))), *own])

    def _header(self) -> Iterator[str]:
        style = self._style
        names = [_wrapped(clean(str(t)), width) for t, width in zip(self._threads, self._lanes, strict=True)]
        for number, parts in enumerate(zip_longest(*names, fillvalue="")):
            titles = self._titles if number == 0 else ("", "")
            place, function = _padded(titles[0], self._place), _padded(titles[1], self._function)
            left = f"{' ' * len(_MARK)}{place}  {function}  "
            pieces: list[_Piece] = [(left, str)]
            for thread, part, width in zip(self._threads, parts, self._lanes, strict=True):
                pieces += [(_padded(part, width), partial(style.thread, thread)), (_SEPARATOR, str)]
            yield _painted(pieces[:-1])
        yield "-" * self._total()

    def _total(self) -> int:
        return self._margin + sum(self._lanes) + len(_SEPARATOR) * (len(self._lanes) - 1)

    def _rule(self, text: str, thread: Thread | None = None) -> str:
        """A line across all lanes that says what comes next."""
        line = f"---- {_cut(clean(text), self._total() - 10)} ----"
        line += "-" * (self._total() - cells(line))
        return self._style.thread(thread, line) if thread is not None else self._style.paint(line, bold=True)

    def _row(self, row: _Row, before: Step | None) -> Iterator[str]:
        style = self._style
        lane = self._threads.index(row.step.thread)
        width = self._lanes[lane]
        same = before is not None and not row.step.stands and before.thread == row.step.thread
        same = same and before is not None and words.function(before.origin) == words.function(row.step.origin)
        source = _wrapped(row.text[0][1], width, hanging=4)
        rest = [part for indent, text in row.text[1:] for part in _wrapped(text, width, indent, 4)]
        columns = zip_longest(
            _wrapped(row.place, self._place),
            [] if same else _wrapped(row.function, self._function),
            [*source, *rest],
            fillvalue="",
        )
        for number, (place, function, text) in enumerate(columns):
            red = partial(style.paint, fg="red", bold=True)
            left = f"{_padded(place, self._place)}  {_padded(function, self._function)}  "
            pieces: list[_Piece] = [
                (_MARK if row.marked and number == 0 else " " * len(_MARK), red),
                (left, partial(style.thread, row.step.thread)),
            ]
            for other, room in enumerate(self._lanes):
                how: Callable[[str], str] = str
                if other == lane and number < len(source):
                    how = red if row.marked else partial(style.paint, bold=True)
                pieces += [(_padded(text if other == lane else "", room), how), (_SEPARATOR, str)]
            yield _painted(pieces[:-1])


_Piece = tuple[str, Callable[[str], str]]
"""A part of a line, and the function that colours it."""


def _painted(pieces: Sequence[_Piece]) -> str:
    """The *pieces* as one line, without trailing blanks."""
    kept = list(pieces)
    while not kept[-1][0].strip():
        kept.pop()
    text, paint = kept[-1]
    kept[-1] = text.rstrip(), paint
    return "".join(paint(text) if text.strip() else text for text, paint in kept)


def _shares(wanted: Sequence[int], room: int) -> list[int]:
    """The *room*, divided: each gets what is *wanted*, up to an equal share of what narrower ones leave."""
    shares = [0] * len(wanted)
    left = len(wanted)
    for number in sorted(range(len(wanted)), key=lambda n: wanted[n]):
        shares[number] = min(wanted[number], room // left)
        room -= shares[number]
        left -= 1
    return shares


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cells(text))


def _cut(text: str, width: int) -> str:
    """As much of *text* as fits."""
    if cells(text) <= width:
        return text
    taken = 0
    for number, character in enumerate(text):
        taken += cells(character)
        if taken > width:
            return text[:number]
    return text


def _wrapped(text: str, width: int, indent: int = 0, hanging: int = 0) -> list[str]:
    """*text* in lines of at most *width* columns, indented by *indent*, all but the first by *hanging* more."""
    found: list[str] = []
    line, blank = " " * indent, True
    for piece in _BREAK.split(text):
        rest = piece
        while cells(line) + cells(rest.rstrip()) > width:
            if blank:  # no line can hold it
                head = _cut(rest, width - cells(line)) or rest[:1]
                line, rest = line + head, rest[len(head) :]
            found.append(line.rstrip())
            line, blank = " " * (indent + hanging), True
        line += rest
        blank = blank and not rest.strip()
    return [*found, line.rstrip()] if not blank or not found else found
