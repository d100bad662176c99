"""Checks of counterexamples in lanes and in words that hold for every program."""

import re
from itertools import pairwise

from cseq.model.trace import Counterexample
from cseq.model.verdict import Outcome, Property, Verdict
from cseq.report.explain import paragraph
from cseq.report.explain.paragraph import explain
from cseq.report.explain.phrases import Phrases
from cseq.report.text import lanes, terminal
from cseq.report.text.terminal import Style
from cseq.report.words import cells, clean, description

_PLACES = re.compile(r"([^\s`(]+):(\d+)\b")
_LINES = re.compile(r"\bline (\d+)\b")
_SEEN = re.compile(r"`([^`]+) = ([^`= ]+)`(?: \(the same memory\))? at (?:line (\d+)|(\S+:\d+))")


def kind(shown: Counterexample, violated: Property) -> str:
    """The kind of fault that the paragraph reports; the name of the property if it says no more than the claim."""
    found, _ = paragraph._account(shown, violated, Phrases(shown))
    return found.value if found is not None else violated.name


def check_explanation(outcome: Outcome) -> None:
    """Check that each violation has one paragraph, which names its place and its threads, and only existing places."""
    for part in outcome.all():
        text = explain(part)
        shown, violated = part.counterexample, part.violated
        if part.verdict is not Verdict.FALSE or shown is None or violated is None:
            assert text == ""
            continue
        assert text == " ".join(text.split()) and text.isprintable() and text.endswith(".")
        assert not re.search(r"``|\bNone\b|\(\)[^`]*\(\)|\( |[ ,;:]\.|\.\.|, ,|: :|``", text), text
        assert text.count("`") % 2 == 0
        if violated.origin is not None:
            assert str(violated.origin) in text
        threads = [stuck.thread for stuck in shown.stuck] or [side.thread for side in shown.racing]
        if not threads and shown.cycle is None:
            threads = [step.thread for step in shown.steps[-1:]]
        for thread in threads:
            assert str(thread) in text
        _check_places(text, shown, description(violated))
        _check_values(text, shown)
        _check_locks(text, shown)


def _check_values(text: str, shown: Counterexample) -> None:
    """Check that each value reported with a line was read or stored there."""
    seen = {(a.name, a.value, str(step.origin)) for step in shown.steps for a in step.accesses}
    for found in _SEEN.finditer(text):
        places = [found[4]] if found[4] else [f"{step.origin.file}:{found[3]}" for step in shown.steps[:1]]
        assert any((found[1], found[2], place.rstrip(",.:;)")) in seen for place in places), found[0]


def _check_locks(text: str, shown: Counterexample) -> None:
    """Check that a lock was taken wherever the text says so."""
    taken = {held.since for one in [*shown.stuck, *shown.racing] for held in one.holds}
    taken |= {s.origin for s in shown.steps if any(a.kind in ("lock", "read_lock") for a in s.actions)}
    for found in re.finditer(r"\bsince (?:line (\d+)|(\S+:\d+))", text):
        assert any(found[1] == str(origin.line) or (found[2] or "").startswith(str(origin)) for origin in taken), found[
            0
        ]


def _check_places(text: str, shown: Counterexample, said: str) -> None:
    """Check that something happened at each line that is named."""
    origins = [step.origin for step in shown.steps]
    origins += [stuck.origin for stuck in shown.stuck] + [side.origin for side in shown.racing]
    origins += [held.since for one in [*shown.stuck, *shown.racing] for held in one.holds]
    files = {origin.file for origin in origins}
    calls = {f"{call.file}:{call.line}" for origin in origins for call in origin.path}
    places = (
        {str(origin) for origin in origins} | calls | {f"{place[1]}:{place[2]}" for place in _PLACES.finditer(said)}
    )
    for place in _PLACES.finditer(text):
        assert place[0] in places or not any(place[1].endswith(file) for file in files)
    assert len(files) <= 1 or not _LINES.search(text)
    assert {int(line[1]) for line in _LINES.finditer(text)} <= {int(place.rpartition(":")[2]) for place in places}


def check_lanes(outcome: Outcome, widths: tuple[int, ...] = (160, 60)) -> None:
    """Check that all steps are shown, in order, at each width: in the lane of their thread, or else in a list."""
    for part in outcome.all():
        shown = part.counterexample
        if shown is None:
            continue
        violates = part.verdict is Verdict.FALSE and shown.cycle is None
        for width in widths:
            found = lanes.lines(shown, Style(width=width), violates=violates)
            if not found:
                _check_list(part, width)
                continue
            assert all(cells(line) <= width for line in found)
            marked = [line for line in found if line.startswith("=> ")]
            assert len(marked) == (max(1, sum(step.stands for step in shown.steps)) if violates else 0)
            bodies = _columns(found)
            for thread, body in bodies.items():
                at = 0
                for step in shown.steps:
                    if _squeezed(str(step.thread)) == thread:
                        for text in [step.source, *terminal.effects(step)]:
                            at = body.index(_squeezed(text), at) + len(_squeezed(text))
            assert set(bodies) == {_squeezed(str(step.thread)) for step in shown.steps}


def _check_list(part: Outcome, width: int) -> None:
    report = _squeezed(terminal.render(part, Style(width=width), steps=True))
    assert part.counterexample is not None
    at = 0
    for step in part.counterexample.steps:
        at = report.index(_squeezed(step.source), at)


def _columns(found: list[str]) -> dict[str, str]:
    """The text in the lane of each thread, without blanks. While one lane has text, the others have none."""
    end = next(number for number, line in enumerate(found) if line.startswith("----"))
    start = next(number for number, line in enumerate(found) if line.split()[:1] in (["line"], ["place"]))
    first = found[start].index("function")
    first += re.search(r" (?=\S)", found[start][first:]).start()  # type: ignore[union-attr]
    edges = [first, *(number for number, c in enumerate(found[start]) if c == "|"), 10**6]
    bodies = [""] * (len(edges) - 1)
    names = [""] * (len(edges) - 1)
    for number, line in enumerate(found[start:]):
        if line.startswith("----"):
            continue
        parts = [_cells(line, left + 1, right) for left, right in pairwise(edges)]
        if number < end - start:
            names = [name + _squeezed(part) for name, part in zip(names, parts, strict=True)]
            continue
        filled = [bool(part.strip()) for part in parts]
        assert sum(filled) <= 1
        bodies = [body + _squeezed(part) for body, part in zip(bodies, parts, strict=True)]
    return dict(zip(names, bodies, strict=True))


def _cells(line: str, left: int, right: int) -> str:
    """The part of *line* in the columns from *left* up to, but not including, *right*."""
    taken, found = 0, ""
    for character in line:
        if left <= taken < right:
            found += character
        taken += cells(character)
    return found


def _squeezed(text: str) -> str:
    return "".join(clean(text).split())
