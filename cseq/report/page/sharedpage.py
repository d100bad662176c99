"""The shared data of programs as a page for the browser."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cseq.model.sharing import SharedData, SharedObject
from cseq.report import sharing_words
from cseq.report.words import clean
from cseq.version import __version__

_ASSETS = Path(__file__).resolve().parent / "assets"


def render(programs: Sequence[tuple[str, SharedData | None, str]], command: Sequence[str]) -> str:
    """The page as text. programs: each a name, the shared data, and the answer in words. command: its words."""
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_ASSETS), autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    return environment.get_template("shared.html").render(
        title=clean(f"Shared data of {', '.join(name for name, _, _ in programs)}"),
        programs=[_program(*each) for each in programs],
        command=shlex.join(command),
        version=__version__,
    )


def _program(name: str, sharing: SharedData | None, answer: str) -> dict[str, Any]:
    if sharing is None:
        return {"name": clean(name), "summary": clean(answer), "objects": [], "rests_on": ""}
    return {
        "name": clean(name),
        "summary": clean(sharing_words.summary(sharing)),
        "objects": list(map(_object, sharing.objects)),
        "rests_on": clean(sharing_words.rests_on(sharing)),
    }


def _object(shared: SharedObject) -> dict[str, Any]:
    return {
        "heading": clean(sharing_words.heading(shared)),
        "left": bool(shared.open),
        "reasons": list(map(clean, sharing_words.reasons(shared))),
        "accesses": [clean(" ".join(row).strip()) for row in sharing_words.accesses(shared.accesses)],
    }
