"""The data of the page of a violation, as compact JSON in which nothing is written twice.

`assets/model.js` reads it. A step is a list, without trailing zeros:

    thread, place, path, iteration, events, accesses, inputs, stands

thread is the number of its lane; threads that take no part in the execution have none. place and path are numbers in
the tables of these names; events and inputs are numbers of strings. accesses has four numbers for each access: its kind
(`KINDS`), the variable (-1 for the result of a call), and the strings for its name on that line and for the value.
"""

from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path
from typing import Any

from cseq.model.origin import CallSite, Origin
from cseq.model.trace import Counterexample, Hold, Step, Thread
from cseq.model.verdict import Outcome, Verdict
from cseq.report import actions, races, waits, words
from cseq.report.explain.paragraph import explain
from cseq.report.page.relations import relations
from cseq.report.page.variables import Variables

KINDS = ("read", "write", "undefined")
"""The kinds of accesses, by their numbers."""

_WHOLE = 20_000
"""The number of lines up to which a file is shown whole. Of longer files, _AROUND lines around each step are shown."""

_AROUND = 200

_SHARED = -1
"""The owner of shared variables."""


class _Table:
    """Numbers items from 0, in the order in which they come."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self._numbers: dict[Hashable, int] = {}

    def number(self, key: Hashable, item: Any = None) -> int:
        """The number of *key*. item: what the page gets for it; the key itself if None."""
        if key not in self._numbers:
            self._numbers[key] = len(self.items)
            self.items.append(key if item is None else item)
        return self._numbers[key]


class PageData:
    """Collects what the page shows of *outcome*. sources: the lines of the files that could be read."""

    def __init__(self, outcome: Outcome, sources: dict[str, list[str]]) -> None:
        self._strings = _Table()
        self._strings.number("")
        self._files = _Table()
        self._places = _Table()
        self._paths = _Table()
        self._paths.number((), 0)
        self._sources = sources
        self._lines: dict[str, dict[int, str]] = {}  # the known lines of each file that is shown
        self._answers = [self._answer(part) for part in outcome.all() if part.counterexample is not None]

    def json(self) -> dict[str, Any]:
        """The data, as a JSON object."""
        return {
            "answers": self._answers,
            "places": self._places.items,
            "paths": self._paths.items,
            "strings": self._strings.items,
            "files": [{"name": words.clean(name), "lines": self._text(name)} for name in self._files.items],
        }

    def _answer(self, part: Outcome) -> dict[str, Any]:
        shown = part.counterexample
        assert shown is not None
        related = relations(shown)
        variables = Variables(shown)
        threads = _lanes(shown)
        lanes = {thread.number: lane for lane, thread in enumerate(threads)}
        steps = [self._step(step, variables, lanes) for step in shown.steps]
        return {
            "name": part.property,
            "violated": part.verdict is Verdict.FALSE,
            "message": words.clean(words.answer(part)),
            "explained": explain(part),
            "threads": [words.clean(str(thread)) for thread in threads],
            "functions": [words.clean(thread.function) for thread in threads],
            "numbers": list(lanes),
            "steps": steps,
            "variables": [
                [
                    self._string(v.name),
                    [self._string(name) for name in v.names if name != v.name],
                    _SHARED if v.owner is None else lanes[v.owner],
                    words.clean(v.function),
                ]
                for v in variables.all
            ],
            "arrows": [[a.kind, a.start, a.end, self._string(a.name)] for a in related.arrows],
            "bars": [
                [lanes[b.thread], b.start, b.end, self._string(b.name), int(b.reading), b.slot] for b in related.bars
            ],
            "lives": [[lanes[s.thread], s.start, s.end] for s in related.lives if s.thread in lanes],
            "sleeps": [[lanes[s.thread], s.start, s.end] for s in related.sleeps],
            "cycle": shown.cycle,
            "stuck": self._stuck(shown, lanes),
            "racing": self._racing(shown, lanes),
        }

    def _step(self, step: Step, variables: Variables, lanes: dict[int, int]) -> list[Any]:
        accesses: list[int] = []
        for access in step.accesses:
            number = -1 if access.name.endswith("()") else variables.number(step, access)
            accesses += KINDS.index(access.kind), number, self._string(access.name), self._string(access.value)
        inputs = [self._string(value) for value in step.inputs]
        row: list[Any] = [
            lanes[step.thread.number],
            self._place(step.origin, step.source),
            self._path(step.origin.path),
            list(step.origin.iteration) or 0,
            [self._string(event) for event in actions.events(step)] or 0,
            accesses or 0,
            inputs or 0,
            int(step.stands),
        ]
        while row[-1] == 0 and len(row) > 2:
            row.pop()
        return row

    def _string(self, text: str) -> int:
        return self._strings.number(words.clean(text))

    def _place(self, origin: Origin, source: str = "") -> int:
        """The number of a place in the table: file, line, function, and the line's text."""
        key = (origin.file, origin.line, origin.function)
        lines = self._lines.setdefault(origin.file, {})
        if source or origin.line not in lines:
            known = self._sources.get(origin.file, [])
            text = known[origin.line - 1] if 0 < origin.line <= len(known) else source
            lines[origin.line] = text
        text = words.clean(source.strip() or lines[origin.line].strip())
        file = self._files.number(origin.file)
        return self._places.number(key, [file, origin.line, words.clean(origin.function or ""), text])

    def _path(self, path: Sequence[CallSite]) -> int:
        """The number of a call path in the table. An item has the path in words, and the places of its calls."""
        places = [self._place(Origin(call.file, call.line, function=call.function)) for call in path]
        return self._paths.number(tuple(path), [words.clean(words.callers(path)), places] if path else None)

    def _holds(self, holds: Iterable[Hold]) -> list[dict[str, Any]]:
        return [
            {"name": words.clean(held.name), "reading": held.reading, "since": self._place(held.since)}
            for held in holds
        ]

    def _stuck(self, shown: Counterexample, lanes: dict[int, int]) -> list[dict[str, Any]]:
        return [
            {
                "thread": lanes[stuck.thread.number],
                "place": self._place(stuck.origin),
                "waits": words.clean(waits.plain(stuck)),
                "who": [lanes[thread.number] for thread in stuck.who],
                "circle": stuck.in_circle,
                "holds": self._holds(stuck.holds),
            }
            for stuck in shown.stuck
        ]

    def _racing(self, shown: Counterexample, lanes: dict[int, int]) -> list[dict[str, Any]]:
        return [
            {
                "thread": lanes[side.thread.number],
                "place": self._place(side.origin),
                "path": self._path(side.origin.path),
                "action": races.does(side),
                "name": words.clean(side.name),
                "how": races.how(side).strip(),
                "function": side.function,
                "holds": self._holds(side.holds),
            }
            for side in shown.racing
        ]

    def _text(self, name: str) -> list[Any]:
        """The lines of a file, in pieces: the number of the first line, and the lines.

        Of a huge file, the lines around the places that matter are shown; of a missing file, only these places.
        """
        whole = self._sources.get(name)
        wanted = self._lines[name]
        if whole is None:
            return [[number, [_line(wanted[number])]] for number in sorted(wanted)]
        last = max(len(whole), 1)
        if len(whole) <= _WHOLE:
            beyond = [[number, [_line(wanted[number])]] for number in sorted(wanted) if number > len(whole)]
            return [[1, [_line(text) for text in whole]], *beyond]
        pieces: list[tuple[int, int]] = []
        for number in sorted(wanted):
            first, end = max(1, number - _AROUND), min(last, number + _AROUND)
            if pieces and first <= pieces[-1][1] + 1:
                pieces[-1] = pieces[-1][0], end
            else:
                pieces.append((first, end))
        return [[first, [_line(text) for text in whole[first - 1 : end]]] for first, end in pieces]


def _line(text: str) -> str:
    """A line, fit to be shown: tabs become spaces, with tab stops every 8 columns."""
    return words.clean(text.expandtabs(8))


def _lanes(shown: Counterexample) -> list[Thread]:
    """The threads that take part in the execution, in order. Threads that were never created do not."""
    found = {step.thread for step in shown.steps}
    found |= {action.thread for step in shown.steps for action in step.actions if action.thread is not None}
    found |= {thread for stuck in shown.stuck for thread in (stuck.thread, *stuck.who)}
    found |= {side.thread for side in shown.racing}
    return sorted(found, key=lambda thread: thread.number)


def read_sources(files: Sequence[str], outcome: Outcome) -> dict[str, list[str]]:
    """The lines of the readable files with steps of *outcome*. files: the user's files."""
    from cseq.c.sources import note_sources

    sources: dict[str, list[str]] = {}
    for name in files:
        try:
            text = Path(name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        sources[str(Path(name))] = text.splitlines()
        note_sources(Path(name), text, sources)
    for name in {origin.file for origin in _origins(outcome)} - set(sources):
        try:
            sources[name] = Path(name).read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            continue
    return sources


def _origins(outcome: Outcome) -> Iterable[Origin]:
    for part in outcome.all():
        shown = part.counterexample
        if shown is not None:
            known = [one.origin for found in (shown.steps, shown.stuck, shown.racing) for one in found]
            yield from known
            yield from (Origin(call.file, call.line) for origin in known for call in origin.path)
