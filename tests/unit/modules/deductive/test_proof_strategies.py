"""The ladder of proofs: which ways are gone, in which order, and for how long. Attempts are made up here."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cseq.model.errors import MissingError, UnsupportedError
from cseq.model.proof import ProofKind
from cseq.model.tries import Try, TryEnd
from cseq.modules.deductive.proof_strategies import (
    LADDER,
    Accepted,
    Attempted,
    Method,
    ProofAttempt,
    Way,
    cannot_do_better,
    climb,
    ways,
)
from cseq.modules.deductive.proofs import Arithmetic, Rung
from cseq.modules.deductive.transitions import System
from tests.support import systems

pytestmark = pytest.mark.engine

ACCEPTED = Accepted(systems.peterson(), None, None)  # type: ignore[arg-type]

Doing = Callable[[System, Way, float], Attempted]


def ended(way: Way, end: TryEnd, accepted: Accepted | None = None) -> Attempted:
    return Try(ProofKind(way.rung.value), way.arithmetic.value, way.method.value, end, 0.1), accepted


def gone(
    system: System, folder: Path, doing: Doing, seconds: float = 20.0
) -> tuple[ProofAttempt, list[tuple[Way, float]]]:
    """The result of a climb, and the ways that were gone, each with its seconds."""
    heard: list[tuple[Way, float]] = []
    end = time.monotonic() + seconds
    found = climb(system, folder, end, doing=doing, hear=lambda way, given: heard.append((way, given)))
    return found, heard


def test_small_systems_have_products_and_large_ones_pairs() -> None:
    small = {way.rung for way in ways(systems.peterson()) if way.method is Method.HORN}
    many = {(way.rung, way.method) for way in ways(systems.ticket())}
    assert small == {Rung.MODULAR, Rung.PRODUCT}
    assert (Rung.PAIRS, Method.HORN) in many and (Rung.MODULAR, Method.HOUDINI) in many
    assert not any(rung is Rung.PRODUCT for rung, _ in many)
    alone = ways(systems.successor(systems.UNSIGNED))
    assert {way.rung for way in alone} == {Rung.MODULAR}


def test_the_cheapest_way_is_gone_first() -> None:
    for system in (systems.peterson(), systems.ticket()):
        assert ways(system)[0] == LADDER[0] == Way(Rung.MODULAR, Arithmetic.EXACT, share=2.0)


def test_a_proof_ends_the_climb(tmp_path: Path) -> None:
    def doing(_: System, way: Way, __: float) -> Attempted:
        is_good = way.rung is Rung.PRODUCT
        return ended(way, TryEnd.PROVED, ACCEPTED) if is_good else ended(way, TryEnd.UNKNOWN)

    found, heard = gone(systems.peterson(), tmp_path, doing)
    assert found.accepted == ACCEPTED and not found.timed_out
    assert [(way.rung, way.method) for way, _ in heard] == [
        (Rung.MODULAR, Method.HORN), (Rung.PAIRS, Method.COUNTING), (Rung.PRODUCT, Method.HORN),
    ]  # fmt: skip
    assert [each.end for each in found.tries] == [TryEnd.UNKNOWN, TryEnd.UNKNOWN, TryEnd.PROVED]


def test_what_was_refuted_leaves_out_weaker_ways(tmp_path: Path) -> None:
    found, heard = gone(systems.peterson(), tmp_path, lambda _, way, __: ended(way, TryEnd.REFUTED))
    assert found.accepted is None and not found.timed_out
    assert [(way.rung, way.arithmetic) for way, _ in heard if way.method is Method.HORN] == [
        (Rung.MODULAR, Arithmetic.EXACT), (Rung.PRODUCT, Arithmetic.EXACT), (Rung.MODULAR, Arithmetic.WRAPPING),
        (Rung.PRODUCT, Arithmetic.WRAPPING),
    ]  # fmt: skip


def test_bit_vectors_are_not_tried_where_wrapping_numbers_were_refuted() -> None:
    wrapping = Way(Rung.PAIRS, Arithmetic.WRAPPING)
    assert cannot_do_better(Way(Rung.MODULAR, Arithmetic.BITS), wrapping)
    assert cannot_do_better(Way(Rung.MODULAR, Arithmetic.EXACT), wrapping)
    assert not cannot_do_better(Way(Rung.PRODUCT, Arithmetic.BITS), wrapping)
    assert not cannot_do_better(Way(Rung.MODULAR, Arithmetic.EXACT, Method.COUNTED), wrapping)
    assert not cannot_do_better(wrapping, Way(Rung.PAIRS, Arithmetic.EXACT))


def test_ways_that_run_out_of_time_get_more(tmp_path: Path) -> None:
    def doing(_: System, way: Way, seconds: float) -> Attempted:
        if way.rung is Rung.MODULAR and seconds > 4:
            return ended(way, TryEnd.PROVED, ACCEPTED)
        return ended(way, TryEnd.TIMEOUT)

    found, heard = gone(systems.peterson(), tmp_path, doing)
    assert found.accepted is not None
    assert [seconds for way, seconds in heard if way == LADDER[0]] == [2.0, 8.0]


def test_no_attempt_gets_more_time_than_there_is(tmp_path: Path) -> None:
    def doing(_: System, way: Way, seconds: float) -> Attempted:
        time.sleep(seconds)
        return ended(way, TryEnd.TIMEOUT)

    found, heard = gone(systems.peterson(), tmp_path, doing, 0.2)
    assert found.timed_out and found.accepted is None
    assert len(heard) == 1 and heard[0][1] <= 0.2


def test_an_attempt_that_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cseq.modules.deductive.proof_strategies._GRACE", 0.0)

    def doing(_: System, way: Way, __: float) -> Attempted:
        if way.rung is Rung.MODULAR:
            time.sleep(60)
        return ended(way, TryEnd.PROVED, ACCEPTED)

    begun = time.monotonic()
    found, _ = gone(systems.peterson(), tmp_path, doing, 0.3)
    assert found.tries[0].end is TryEnd.TIMEOUT
    assert time.monotonic() - begun < 10


def test_failures_are_told_and_do_not_end_the_climb(tmp_path: Path) -> None:
    def doing(_: System, way: Way, __: float) -> Attempted:
        if way.arithmetic is Arithmetic.EXACT:
            raise UnsupportedError("exact `&` is not supported")
        if way.rung is Rung.PRODUCT:
            raise RuntimeError("a bug")
        return ended(way, TryEnd.UNKNOWN)

    found, _ = gone(systems.peterson(), tmp_path, doing)
    ends = {(each.kind.value, each.arithmetic): (each.end, each.why) for each in found.tries}
    assert ends["modular", "exact"] == (TryEnd.UNSUPPORTED, "exact `&` is not supported")
    assert ends["product", "bits"] == (TryEnd.FAILED, "RuntimeError: a bug")
    assert not found.timed_out


def test_a_missing_solver_is_an_error(tmp_path: Path) -> None:
    def doing(_: System, __: Way, ___: float) -> Attempted:
        raise MissingError("there is no solver")

    with pytest.raises(MissingError):
        gone(systems.peterson(), tmp_path, doing)
