"""Why two accesses are in no data race."""

from typing import Any

import pytest

from cseq.modules.ir import instructions as ir
from cseq.modules.modular.accesses import (
    Access,
    Thread,
    Why,
    are_disjoint,
    common_lock,
    lock_keys,
    may_be_parallel,
    never_equal,
    why_not,
)
from cseq.modules.modular.state import Held, Range
from cseq.modules.modular.terms import ZERO, Bounds, SymbolKind, Symbols, Term

symbols = Symbols()
base = symbols.term(SymbolKind.ADDRESS, "array", True)
other_base = symbols.term(SymbolKind.ADDRESS, "other", True)
own = symbols.term(SymbolKind.OWN, 1)
OWN = own.parts[0][0]
index = symbols.term(SymbolKind.VALUE, "index")
INDEX = index.parts[0][0]
given = symbols.term(SymbolKind.GIVEN, (1, "block"))

main = Thread(0, None, is_numbered=False)  # type: ignore[arg-type]
worker = Thread(1, None, main, own=OWN, is_many=True)  # type: ignore[arg-type]
single = Thread(2, None, main)  # type: ignore[arg-type]


def access(thread: Thread, address: Term | None, writes: bool = True, **more: Any) -> Access:
    made: dict[str, Any] = {"held": {}, "alive": {}, "bounds": {}, **more}
    return Access(thread, ir.Skip(), address, 4, frozenset(), writes, False, **made)


def within(low: Term, high: Term) -> dict:
    return {INDEX: Bounds(frozenset({low}), frozenset({frozenset({high})}))}


DISJOINT = [
    ("the same cell", access(worker, base.plus(own, 4)), access(worker, base.plus(own, 4)), True),
    ("cells that are too small", access(worker, base.plus(own, 2)), access(worker, base.plus(own, 2)), False),
    ("one cell", access(worker, base), access(worker, base), False),
    ("the next cell", access(worker, base.plus(own, 4)), access(worker, base.plus(own, 4).shifted(4)), False),
    ("any cell", access(worker, base.plus(index, 4)), access(worker, base.plus(index, 4)), False),
    ("other members", access(worker, base.plus(index, 8)), access(worker, base.plus(index, 8).shifted(4)), True),
    ("other objects", access(worker, base), access(worker, other_base.plus(index, 4)), True),
    ("a range of its own",
     *2 * (access(worker, base.plus(index, 4), bounds=within(own.times(2), own.times(2).shifted(1))),), True),
    ("a range that is too long",
     *2 * (access(worker, base.plus(index, 4), bounds=within(own.times(2), own.times(2).shifted(2))),), False),
    ("another cell than those of the threads that exist",
     access(main, base.plus(index, 4), alive={1: Range(ZERO, index)}), access(worker, base.plus(own, 4)), True),
    ("perhaps the cell of one of them",
     access(main, base.plus(index, 4), alive={1: Range(ZERO, index.shifted(1))}), access(worker, base.plus(own, 4)),
     False),
    ("nothing known", access(worker, None), access(worker, base), False),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "apart"), [case[1:] for case in DISJOINT], ids=[case[0] for case in DISJOINT])
def test_memory_that_two_threads_never_share(one: Access, other: Access, apart: bool) -> None:
    assert are_disjoint(one, other) is apart
    assert are_disjoint(other, one) is apart


def test_a_block_that_was_handed_over() -> None:
    owner = Thread(1, None, main, is_many=True, owned=frozenset(given.symbols))  # type: ignore[arg-type]
    assert are_disjoint(access(owner, given), access(owner, given))
    assert not are_disjoint(access(worker, given), access(worker, given))
    block = symbols.term(SymbolKind.BLOCK, "in a loop")
    assert not are_disjoint(access(owner, given), access(main, block))


def test_who_exists_together() -> None:
    assert may_be_parallel(access(worker, base), access(worker, base))
    assert not may_be_parallel(access(single, base), access(single, base))
    assert not may_be_parallel(access(main, base), access(single, base))
    assert may_be_parallel(access(main, base, alive={2: None}), access(single, base))
    assert not may_be_parallel(access(single, base), access(worker, base))
    beside = Thread(3, None, main, beside={2})  # type: ignore[arg-type]
    assert may_be_parallel(access(beside, base), access(single, base))


def test_only_one_thread_has_a_number() -> None:
    zero = {OWN: Bounds(frozenset({ZERO}), frozenset({frozenset({ZERO})}))}
    assert not may_be_parallel(access(worker, base, bounds=zero), access(worker, base, bounds=zero))
    assert may_be_parallel(access(worker, base, bounds=zero), access(worker, base))


def test_locks_of_cells() -> None:
    def keyed(lock: Term, address: Term) -> Access:
        found = access(worker, address)
        found.keys = {key: Held(True) for key in lock_keys(found, lock, (), symbols)}
        return found

    cell = keyed(other_base.plus(index, 40), base.plus(index, 4))
    assert common_lock(cell, cell) is not None
    assert common_lock(cell, keyed(other_base.plus(index, 40).shifted(40), base.plus(index, 4))) is None
    assert common_lock(keyed(other_base, base), keyed(other_base, base)) is not None


def test_readers_exclude_writers_only() -> None:
    one, other = access(worker, base), access(worker, base)
    one.keys = dict.fromkeys(lock_keys(one, other_base, (), symbols), Held(False))
    other.keys = dict.fromkeys(one.keys, Held(False))
    assert common_lock(one, other) is None
    other.keys = dict.fromkeys(one.keys, Held(True))
    assert common_lock(one, other) is not None


def test_reasons() -> None:
    plain = access(worker, base)
    assert why_not(plain, plain) is None
    assert why_not(access(worker, base, False), access(worker, base, False)) is Why.READS
    assert why_not(access(worker, base, sections=True), access(worker, base, sections=True)) is Why.SECTIONS
    assert why_not(access(worker, base, is_private=True), plain) is Why.PRIVATE
    assert why_not(access(single, base), access(single, base)) is Why.ORDERED
    assert why_not(access(worker, base.plus(own, 4)), access(worker, base.plus(own, 4))) is Why.ELSEWHERE


def test_terms_that_are_never_equal() -> None:
    assert never_equal(Term(1), Term(2)) and not never_equal(Term(1), Term(1))
    assert never_equal(index.times(2), index.times(2).shifted(1))
    assert not never_equal(index.times(2), index.times(2).shifted(2))
