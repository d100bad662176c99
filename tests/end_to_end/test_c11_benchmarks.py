"""The pairs of sv-benchmarks/c11: each bug is found without options in a short time, each repaired program proved."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

import cseq
from cseq.model.verdict import Outcome, Verdict
from cseq.report.words import answer
from tests.support.checkout import ROOT
from tests.support.selection import everything
from tests.support.tasks import about

FOLDER = ROOT / "sv-benchmarks" / "c11"
PAIRS = sorted(path.stem.removesuffix("_bad") for path in FOLDER.glob("*_bad.yml"))
SECONDS = 10
"""Of processor time, within which a bug has to be found."""


def verified(task: Path) -> Outcome:
    """The answer about the property of a *task*."""
    (wanted,) = about(task)["properties"]
    property_ = Path(wanted["property_file"]).stem
    return cseq.verify([task.with_suffix(".c")], race=property_ == "no-data-race").of(property_)


@pytest.mark.parametrize("pair", PAIRS if everything() else PAIRS[::3])
def test_the_bug_is_found_and_its_repair_is_proved(pair: str) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    found = verified(FOLDER / f"{pair}_bad.yml")
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < SECONDS
    assert (found.verdict, found.memory_model) == (Verdict.FALSE, "c11"), answer(found)
    assert found.counterexample is not None and found.violated is not None
    lines = (FOLDER / f"{pair}_bad.c").read_text(encoding="utf-8").splitlines()
    racing = [side.origin for side in found.counterexample.racing]
    for origin in racing or [found.violated.origin]:
        assert origin is not None and lines[origin.line - 1].endswith("// RACE" if racing else "// FAIL")
    proved = verified(FOLDER / f"{pair}_good.yml")
    assert (proved.verdict, proved.memory_model) == (Verdict.TRUE, "c11"), answer(proved)
