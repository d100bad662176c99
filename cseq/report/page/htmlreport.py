"""The report for the browser: one self-contained page that shows the execution.

The template, the style and the scripts are in `assets/`; rendering puts them into one text.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cseq.model.verdict import Outcome, Verdict
from cseq.report import words
from cseq.report.page.pagedata import PageData, read_sources
from cseq.version import __version__

_PAGE = Path(__file__).resolve().parent / "assets"
_SCRIPTS = ("model.js", "timeline.js", "source.js", "values.js", "finding.js", "page.js")
"""In the order in which they run."""

_MARKS = {Verdict.TRUE: "✓", Verdict.FALSE: "✗", Verdict.UNKNOWN: "?"}


def refusal(outcome: Outcome) -> str | None:
    """Why there is no page for *outcome*, in words; None if there is one."""
    if any(part.counterexample is not None and part.counterexample.steps for part in outcome.all()):
        return None
    if outcome.verdict is Verdict.FALSE:
        return "there is none for a violation that is not replayed"
    return f"there is none for {outcome.verdict.value}"


def render(outcome: Outcome, files: Sequence[str] = (), command: Sequence[str] = ()) -> str:
    """The page as text. files: the user's files, which are read. command: the words of the command line.

    There has to be a page (`refusal`).
    """
    import shlex

    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_PAGE), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    return environment.get_template("page.html").render(
        title=words.clean(words.answer(outcome)),
        parts=[_part(part) for part in outcome.all()],
        facts=_facts(outcome, shlex.join(command)),
        warnings=[words.clean(str(caution)) for caution in outcome.warnings],
        version=__version__,
        style=_file("page.css"),
        scripts="\n".join(_file(name) for name in _SCRIPTS),
        data=_embedded(PageData(outcome, read_sources(files, outcome)).json()),
    )


def _file(name: str) -> str:
    return (_PAGE / name).read_text(encoding="utf-8")


def _embedded(data: dict[str, Any]) -> str:
    """*data* as JSON for a script element: nothing in it can end the element or begin a comment."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _part(part: Outcome) -> dict[str, str]:
    return {
        "name": part.property,
        "verdict": part.verdict.value,
        "mark": _MARKS[part.verdict],
        "message": words.clean(words.answer(part)),
    }


def _facts(outcome: Outcome, command: str) -> list[tuple[str, str]]:
    """The facts about the run: names and texts."""
    engines = words.engine_names(outcome) if outcome.backend else ""
    solvers = f" with {', '.join(outcome.solvers)}" if outcome.solvers else ""
    cuts = words.places_cut(outcome.bounds)
    shown = cuts[:_MANY] + ([f"and {len(cuts) - _MANY} more"] if len(cuts) > _MANY else [])
    limits = words.limits(outcome.bounds) if outcome.bounds else ""
    facts = [
        ("engine", engines + solvers),
        ("bounds", "; ".join([*([limits] if limits and limits != "the bounds" else []), *shown])),
        ("version", f"CSeq {__version__}"),
        ("command", command),
    ]
    return [(name, words.clean(text)) for name, text in facts if text]


_MANY = 20
"""The number of places where executions were cut off that are listed."""
