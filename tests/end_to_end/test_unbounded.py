"""What no bound covers is proved by invariants that two solvers have checked, and the bug of its twin is found."""

from pathlib import Path

import pytest

import cseq
from cseq.model.tries import TryEnd
from cseq.model.verdict import Verdict
from cseq.modules.deductive.proof_strategies import ProofStrategy, attempt
from cseq.modules.deductive.proofs import Arithmetic, InvariantKind
from tests.support.built import built
from tests.support.checkout import ROOT

FOLDER = ROOT / "sv-benchmarks" / "unbounded"

WAYS = {
    "limit_by_compare_and_swap": ProofStrategy(InvariantKind.MODULAR, Arithmetic.EXACT),
    "quota": ProofStrategy(InvariantKind.MODULAR, Arithmetic.EXACT),
    "share_of_the_thread": ProofStrategy(InvariantKind.MODULAR, Arithmetic.WRAPPING),
    "indices_run_over": ProofStrategy(InvariantKind.PRODUCT, Arithmetic.WRAPPING),
    "lift": ProofStrategy(InvariantKind.PRODUCT, Arithmetic.EXACT),
}
"""A few pairs that take little time, with a way to the proof; `benchmarks/proofs` asks about all."""


def marked(path: Path) -> list[int]:
    return [number for number, line in enumerate(path.read_text().splitlines(), 1) if line.endswith("// FAIL")]


@pytest.mark.parametrize("pair", WAYS)
def test_the_safe_one_is_proved_and_two_solvers_agree(pair: str) -> None:
    tried, accepted = attempt(built(FOLDER / f"{pair}_good.c"), WAYS[pair], 60.0)
    assert tried.end is TryEnd.PROVED, tried
    assert accepted is not None
    assert accepted.checked.accepted and len(accepted.checked.solvers) == 2


@pytest.mark.parametrize("pair", WAYS)
def test_its_twin_is_not_proved_in_this_way(pair: str) -> None:
    tried, accepted = attempt(built(FOLDER / f"{pair}_bad.c"), WAYS[pair], 20.0)
    assert (tried.end, accepted) == (TryEnd.REFUTED, None), tried


@pytest.mark.parametrize("pair", ["limit_by_compare_and_swap", "indices_run_over"])
def test_the_bug_of_its_twin_is_found_without_options(pair: str) -> None:
    path = FOLDER / f"{pair}_bad.c"
    outcome = cseq.verify(path, timeout=60)
    assert outcome.verdict is Verdict.FALSE
    assert outcome.violated is not None and outcome.violated.origin is not None
    assert [outcome.violated.origin.line] == marked(path)
