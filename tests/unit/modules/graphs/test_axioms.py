"""Litmus tests: what the axioms allow, as the literature has it, and that the explorer finds the same graphs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tests.differential.graphs import MODELS
from tests.support.litmus import ACQ, REL, RLX, SC, F, Op, R, Thread, W, build, explored, graphs, outcomes

X, Y, Z = 0, 1, 2


def _add(location: int, order: object = RLX) -> Op:
    return Op("add", location, order, 1)  # type: ignore[arg-type]


def _sb(order: object, *between: Op) -> list[Thread]:
    store, load = (REL, ACQ) if order is ACQ else (order, order)
    return [[W(X, 1, store), *between, R(Y, load)], [W(Y, 1, store), *between, R(X, load)]]  # type: ignore[arg-type]


def _mp(store: object, load: object, *later: Op) -> list[Thread]:
    return [[W(X, 1), W(Y, 1, store), *later], [R(Y, load), R(X)]]  # type: ignore[arg-type]


def _iriw(store: object, load: object, *between: Op) -> list[Thread]:
    reads = [[R(one, load), *between, R(other, load)] for one, other in ((X, Y), (Y, X))]  # type: ignore[arg-type]
    return [[W(X, 1, store)], *reads, [W(Y, 1, store)]]  # type: ignore[arg-type]


LITMUS: dict[str, tuple[list[Thread], tuple[int, ...], bool]] = {
    "SB": (_sb(RLX), (0, 0), True),
    "SB, release and acquire": (_sb(ACQ), (0, 0), True),
    "SB, seq_cst": (_sb(SC), (0, 0), False),
    "SB, seq_cst fences": (_sb(RLX, F(SC)), (0, 0), False),
    "SB, fences that are only acq_rel": (_sb(RLX, F(ACQ), F(REL)), (0, 0), True),
    "MP": (_mp(RLX, RLX), (1, 0), True),
    "MP, only the store is release": (_mp(REL, RLX), (1, 0), True),
    "MP, release and acquire": (_mp(REL, ACQ), (1, 0), False),
    "MP, fences": ([[W(X, 1), F(REL), W(Y, 1)], [R(Y), F(ACQ), R(X)]], (1, 0), False),
    "MP, only the release fence": ([[W(X, 1), F(REL), W(Y, 1)], [R(Y), R(X)]], (1, 0), True),
    "MP, a later store of the thread": (_mp(REL, ACQ, W(Y, 2)), (2, 0), False),
    "MP, a read-modify-write of another thread": (
        [[W(X, 1), W(Y, 1, REL)], [_add(Y)], [R(Y, ACQ), R(X)]], (1, 2, 0), False
    ),
    "LB": ([[R(X), W(Y, 1)], [R(Y), W(X, 1)]], (1, 1), False),
    "CoRR": ([[W(X, 1), W(X, 2)], [R(X), R(X)]], (2, 1), False),
    "CoRR, two writers": ([[W(X, 1)], [W(X, 2)], [R(X), R(X)], [R(X), R(X)]], (1, 2, 2, 1), False),
    "CoWR": ([[W(X, 1), R(X)], [W(X, 2)]], (0,), False),
    "IRIW": (_iriw(RLX, ACQ), (1, 0, 1, 0), True),
    "IRIW, seq_cst": (_iriw(SC, SC), (1, 0, 1, 0), False),
    "IRIW, seq_cst fences": (_iriw(RLX, RLX, F(SC)), (1, 0, 1, 0), False),
    "2+2W": ([[W(X, 1), W(Y, 2), R(Y)], [W(Y, 1), W(X, 2), R(X)]], (1, 1), True),
    "2+2W, seq_cst": ([[W(X, 1, SC), W(Y, 2, SC), R(Y)], [W(Y, 1, SC), W(X, 2, SC), R(X)]], (1, 1), False),
    "WRC, release and acquire": ([[W(X, 1, REL)], [R(X, ACQ), W(Y, 1, REL)], [R(Y, ACQ), R(X)]], (1, 1, 0), False),
    "WRC, relaxed": ([[W(X, 1)], [R(X), W(Y, 1)], [R(Y), R(X)]], (1, 1, 0), True),
    "ISA2, seq_cst fences at the ends": (
        [[W(X, 1), F(SC), W(Y, 1)], [R(Y), W(Z, 1)], [R(Z), F(SC), R(X)]], (1, 1, 0), True
    ),
    "ISA2, release and acquire": (
        [[W(X, 1), W(Y, 1, REL)], [R(Y, ACQ), W(Z, 1, REL)], [R(Z, ACQ), R(X)]], (1, 1, 0), False
    ),
    "Z6.U": ([[W(X, 1, SC), W(Y, 1, REL)], [_add(Y, SC), R(Y)], [W(Y, 3, SC), R(X, SC)]], (1, 3, 0), True),
    "two increments": ([[_add(X)], [_add(X)]], (0, 0), False),
    "RWC, seq_cst fences": ([[W(X, 1)], [R(X), F(SC), R(Y)], [W(Y, 1), F(SC), R(X)]], (1, 0, 0), False),
}  # fmt: skip


@pytest.mark.parametrize("name", LITMUS)
def test_an_outcome_is_allowed_or_not(name: str) -> None:
    threads, outcome, allowed = LITMUS[name]
    assert (outcome in outcomes(threads)) is allowed


def test_later_stores_are_in_no_release_sequence_of_cxx20() -> None:
    threads, outcome, _ = LITMUS["MP, a later store of the thread"]
    assert outcome in outcomes(threads, later_stores=False)


def test_seq_cst_everywhere_is_sequential_consistency() -> None:
    threads = [[replace(op, order=SC) for op in thread] for thread in LITMUS["IRIW"][0]]
    assert outcomes(threads) == outcomes(threads, "sc")


@pytest.mark.engine
def test_the_explorer_finds_the_same_graphs_each_once(tmp_path: Path) -> None:
    programs = [threads for threads, _, _ in LITMUS.values()]
    binary = build(programs, tmp_path)
    for number, (name, threads) in enumerate(zip(LITMUS, programs, strict=True)):
        for options, model, later in MODELS:
            assert Counter(explored(binary, number, *options)) == Counter(graphs(threads, model, later)), name
