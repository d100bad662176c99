"""One program, put to an engine of each family, and to each version of CBMC."""

import os
from collections.abc import Iterable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import cseq
from cseq.backends.cbmc import engines_folder
from cseq.model.verdict import Outcome
from tests.support.selection import everything

ENGINES = ("native", "cbmc 6.6", "cbmc 5.12")


def each_by_one(cases: Iterable[Any]) -> list[tuple[Any, str]]:
    """Each of *cases* with one of the engines, in turn; with each engine with ``--all``."""
    if everything():
        return [(case, engine) for case in cases for engine in ENGINES]
    pairs = [(case, ENGINES[number % len(ENGINES)]) for number, case in enumerate(cases)]
    return [*pairs, *((case, "native") for case, engine in pairs if engine != "native")]


def ask(engine: str, folder: Path, monkeypatch: pytest.MonkeyPatch, text: str, **options: Any) -> Outcome:
    """The outcome for the program *text*, by one of `ENGINES`. rounds: for CBMC alone."""
    source = folder / "program.c"
    source.write_text(dedent(text), encoding="utf-8")
    name, _, version = engine.partition(" ")
    if name == "native":
        options.pop("rounds", None)
    else:
        binary = engines_folder() / f"cbmc-{version}" / "bin" / "cbmc"
        if not os.access(binary, os.X_OK):
            pytest.skip(f"cbmc {version} is not provided (setup/provide-cbmc)")
        monkeypatch.setenv("CSEQ_CBMC", str(binary))
    return cseq.verify(source, backend=name, **options)
