"""Recursion that goes deeper than the bound is followed in a specification, where functions have frames."""

from pathlib import Path

import pytest

import cseq
from cseq.backends import tlc
from cseq.model.verdict import Verdict
from tests.support.checkout import ROOT

FOLDER = ROOT / "sv-benchmarks" / "specification"

pytestmark = pytest.mark.skipif(tlc.find() is None or tlc.java() is None, reason="TLC or Java is not installed")


@pytest.mark.parametrize(
    ("name", "macro", "verdict"),
    [
        ("nested_locks_good", "DEPTH=6", Verdict.TRUE),
        ("nested_locks_bad", "DEPTH=6", Verdict.UNKNOWN),  # a violation beyond the bound cannot be executed
        ("sum_by_halves_good", "LENGTH=33", Verdict.TRUE),
    ],
)
def test_a_proof_needs_no_bound_of_recursion(name: str, macro: str, verdict: Verdict, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    outcome = cseq.verify(FOLDER / f"{name}.c", backend="tlc", define=[macro], timeout=120, tla=str(folder))
    assert outcome.verdict is verdict, outcome
    text = (folder / f"{name}.tla").read_text()  # the modules for the user have frames, too
    assert "cut.recursion" not in text
    if name == "nested_locks_good":
        assert 'Frame("add", Undef) EXCEPT !.depth = 6' in text
