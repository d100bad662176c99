"""The pairs of sv-benchmarks/race-freedom: the racy one is not proved, and its twin by what its table says."""

from __future__ import annotations

import pytest

import cseq
from cseq.model.verdict import Verdict
from tests.support.checkout import ROOT
from tests.support.selection import everything

FOLDER = ROOT / "sv-benchmarks" / "race-freedom"
PAIRS = sorted(path.stem.removesuffix("_bad") for path in FOLDER.glob("*_bad.yml"))
_ROWS = [
    line.split("`")[1] for line in (FOLDER / "README.md").read_text().splitlines() if line.endswith("| analysis |")
]
SOME = PAIRS if everything() else PAIRS[::4]


def verdict(name: str, backend: str) -> Verdict:
    """What *backend* says of data races."""
    return cseq.verify(FOLDER / f"{name}.c", backend=backend, only="no-data-race", timeout=60).verdict


@pytest.mark.parametrize("pair", PAIRS)
def test_the_analysis_proves_what_the_table_says(pair: str) -> None:
    assert verdict(f"{pair}_bad", "modular") is Verdict.UNKNOWN
    assert verdict(f"{pair}_good", "modular") is (Verdict.TRUE if pair in _ROWS else Verdict.UNKNOWN)


@pytest.mark.parametrize("pair", SOME)
def test_the_search_finds_the_race(pair: str) -> None:
    assert verdict(f"{pair}_bad", "native") is Verdict.FALSE


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair not in _ROWS])
def test_the_search_proves_the_others(pair: str) -> None:
    assert verdict(f"{pair}_good", "native") is Verdict.TRUE
