"""Proof strategies: which are tried, in which order, and for how long. Attempts are made up here."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cseq.model.errors import MissingError, UnsupportedError
from cseq.model.proof import ProofKind
from cseq.model.tries import Try, TryEnd
from cseq.modules.deductive.proof_strategies import (
    STRATEGIES,
    AcceptedProof,
    Attempted,
    Method,
    ProofAttempt,
    ProofStrategy,
    cannot_do_better,
    search_proof,
    strategies,
)
from cseq.modules.deductive.proofs import Arithmetic, InvariantKind
from cseq.modules.deductive.transitions import System
from tests.support import systems

pytestmark = pytest.mark.engine

ACCEPTED = AcceptedProof(systems.peterson(), None, None)  # type: ignore[arg-type]

Doing = Callable[[System, ProofStrategy, float], Attempted]


def ended(strategy: ProofStrategy, end: TryEnd, accepted: AcceptedProof | None = None) -> Attempted:
    return Try(
        ProofKind(strategy.invariant_kind.value), strategy.arithmetic.value, strategy.method.value, end, 0.1
    ), accepted


def gone(
    system: System, folder: Path, doing: Doing, seconds: float = 20.0
) -> tuple[ProofAttempt, list[tuple[ProofStrategy, float]]]:
    """The result of the search, and the strategies that were tried, each with its seconds."""
    heard: list[tuple[ProofStrategy, float]] = []
    end = time.monotonic() + seconds
    found = search_proof(system, folder, end, doing=doing, hear=lambda strategy, given: heard.append((strategy, given)))
    return found, heard


def test_small_systems_have_products_and_large_ones_pairs() -> None:
    small = {strategy.invariant_kind for strategy in strategies(systems.peterson()) if strategy.method is Method.HORN}
    many = {(strategy.invariant_kind, strategy.method) for strategy in strategies(systems.ticket())}
    assert small == {InvariantKind.MODULAR, InvariantKind.PRODUCT}
    assert (InvariantKind.PAIRS, Method.HORN) in many and (InvariantKind.MODULAR, Method.HOUDINI) in many
    assert not any(invariant_kind is InvariantKind.PRODUCT for invariant_kind, _ in many)
    alone = strategies(systems.successor(systems.UNSIGNED))
    assert {strategy.invariant_kind for strategy in alone} == {InvariantKind.MODULAR}


def test_the_cheapest_way_is_gone_first() -> None:
    for system in (systems.peterson(), systems.ticket()):
        assert (
            strategies(system)[0] == STRATEGIES[0] == ProofStrategy(InvariantKind.MODULAR, Arithmetic.EXACT, share=2.0)
        )


def test_a_proof_ends_the_climb(tmp_path: Path) -> None:
    def doing(_: System, strategy: ProofStrategy, __: float) -> Attempted:
        is_good = strategy.invariant_kind is InvariantKind.PRODUCT
        return ended(strategy, TryEnd.PROVED, ACCEPTED) if is_good else ended(strategy, TryEnd.UNKNOWN)

    found, heard = gone(systems.peterson(), tmp_path, doing)
    assert found.accepted == ACCEPTED and not found.timed_out
    assert [(strategy.invariant_kind, strategy.method) for strategy, _ in heard] == [
        (InvariantKind.MODULAR, Method.HORN), (InvariantKind.PAIRS, Method.COUNTING),
        (InvariantKind.PRODUCT, Method.HORN),
    ]  # fmt: skip
    assert [each.end for each in found.tries] == [TryEnd.UNKNOWN, TryEnd.UNKNOWN, TryEnd.PROVED]


def test_what_was_refuted_leaves_out_weaker_ways(tmp_path: Path) -> None:
    found, heard = gone(systems.peterson(), tmp_path, lambda _, strategy, __: ended(strategy, TryEnd.REFUTED))
    assert found.accepted is None and not found.timed_out
    by_horn = [strategy for strategy, _ in heard if strategy.method is Method.HORN]
    assert [(strategy.invariant_kind, strategy.arithmetic) for strategy in by_horn] == [
        (InvariantKind.MODULAR, Arithmetic.EXACT), (InvariantKind.PRODUCT, Arithmetic.EXACT),
        (InvariantKind.MODULAR, Arithmetic.WRAPPING),
        (InvariantKind.PRODUCT, Arithmetic.WRAPPING),
    ]  # fmt: skip


def test_bit_vectors_are_not_tried_where_wrapping_numbers_were_refuted() -> None:
    wrapping = ProofStrategy(InvariantKind.PAIRS, Arithmetic.WRAPPING)
    assert cannot_do_better(ProofStrategy(InvariantKind.MODULAR, Arithmetic.BITS), wrapping)
    assert cannot_do_better(ProofStrategy(InvariantKind.MODULAR, Arithmetic.EXACT), wrapping)
    assert not cannot_do_better(ProofStrategy(InvariantKind.PRODUCT, Arithmetic.BITS), wrapping)
    assert not cannot_do_better(ProofStrategy(InvariantKind.MODULAR, Arithmetic.EXACT, Method.COUNTED), wrapping)
    assert not cannot_do_better(wrapping, ProofStrategy(InvariantKind.PAIRS, Arithmetic.EXACT))


def test_ways_that_run_out_of_time_get_more(tmp_path: Path) -> None:
    def doing(_: System, strategy: ProofStrategy, seconds: float) -> Attempted:
        if strategy.invariant_kind is InvariantKind.MODULAR and seconds > 4:
            return ended(strategy, TryEnd.PROVED, ACCEPTED)
        return ended(strategy, TryEnd.TIMEOUT)

    found, heard = gone(systems.peterson(), tmp_path, doing)
    assert found.accepted is not None
    assert [seconds for strategy, seconds in heard if strategy == STRATEGIES[0]] == [2.0, 8.0]


def test_no_attempt_gets_more_time_than_there_is(tmp_path: Path) -> None:
    def doing(_: System, strategy: ProofStrategy, seconds: float) -> Attempted:
        time.sleep(seconds)
        return ended(strategy, TryEnd.TIMEOUT)

    found, heard = gone(systems.peterson(), tmp_path, doing, 0.2)
    assert found.timed_out and found.accepted is None
    assert len(heard) == 1 and heard[0][1] <= 0.2


def test_an_attempt_that_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cseq.modules.deductive.proof_strategies._GRACE", 0.0)

    def doing(_: System, strategy: ProofStrategy, __: float) -> Attempted:
        if strategy.invariant_kind is InvariantKind.MODULAR:
            time.sleep(60)
        return ended(strategy, TryEnd.PROVED, ACCEPTED)

    begun = time.monotonic()
    found, _ = gone(systems.peterson(), tmp_path, doing, 0.3)
    assert found.tries[0].end is TryEnd.TIMEOUT
    assert time.monotonic() - begun < 10


def test_failures_are_told_and_do_not_end_the_climb(tmp_path: Path) -> None:
    def doing(_: System, strategy: ProofStrategy, __: float) -> Attempted:
        if strategy.arithmetic is Arithmetic.EXACT:
            raise UnsupportedError("exact `&` is not supported")
        if strategy.invariant_kind is InvariantKind.PRODUCT:
            raise RuntimeError("a bug")
        return ended(strategy, TryEnd.UNKNOWN)

    found, _ = gone(systems.peterson(), tmp_path, doing)
    ends = {(each.kind.value, each.arithmetic): (each.end, each.why) for each in found.tries}
    assert ends["modular", "exact"] == (TryEnd.UNSUPPORTED, "exact `&` is not supported")
    assert ends["product", "bits"] == (TryEnd.FAILED, "RuntimeError: a bug")
    assert not found.timed_out


def test_a_missing_solver_is_an_error(tmp_path: Path) -> None:
    def doing(_: System, __: ProofStrategy, ___: float) -> Attempted:
        raise MissingError("there is no solver")

    with pytest.raises(MissingError):
        gone(systems.peterson(), tmp_path, doing)
