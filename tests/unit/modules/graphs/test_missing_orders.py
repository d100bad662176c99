"""The orders with which an execution graph would not be there."""

from __future__ import annotations

from dataclasses import replace

from cseq.modules.graphs.axioms import Event, Graph
from cseq.modules.graphs.missing_orders import missing
from cseq.modules.graphs.order_sites import SiteKind
from cseq.modules.ir.instructions import Order

RLX, ACQ, REL, ACQ_REL, SC = Order.RELAXED, Order.ACQUIRE, Order.RELEASE, Order.ACQ_REL, Order.SEQ_CST
START = Event("initial", None)


def _load(thread: int, where: int, source: int = 0, order: Order = RLX, exclusive: bool = False) -> Event:
    return Event("load", thread, order, where, source, exclusive=exclusive)


def _store(thread: int, where: int, order: Order = RLX, place: int = 1, exclusive: bool = False) -> Event:
    return Event("store", thread, order, where, place=place, exclusive=exclusive)


def _missing(*events: Event, places: list[object] | None = None) -> list[tuple[int, Order]]:
    found = missing([START, *events], [None, *(places or range(len(events)))], True, lambda graph: True)
    for number, kind, before, after in found:
        assert (START, *events)[number].order is before or kind is SiteKind.UPDATE
        assert after > before
    return [(number, after) for number, _, _, after in found]


def test_store_buffering_needs_seq_cst_everywhere() -> None:
    events = [_store(1, 0), _load(1, 1), _store(2, 1), _load(2, 0)]
    assert _missing(*events) == [(1, SC), (2, SC), (3, SC), (4, SC)]
    fences = [_store(1, 0), Event("fence", 1, ACQ_REL), _load(1, 1), _store(2, 1), Event("fence", 2, ACQ), _load(2, 0)]
    assert _missing(*fences) == [(2, SC), (5, SC)]


def test_message_passing_needs_release_and_acquire() -> None:
    events = [_store(1, 0, Order.PLAIN), _store(1, 1), _load(2, 1, 2), _load(2, 0, order=Order.PLAIN)]
    assert _missing(*events) == [(2, REL), (3, ACQ)]
    events[1] = replace(events[1], order=REL)
    assert _missing(*events) == [(3, ACQ)]


def test_both_parts_of_an_update_have_one_order() -> None:
    """A chain: what a thread has stored is passed on by an update of another one."""
    update = [_load(2, 1, 2, exclusive=True), _store(2, 1, place=2, exclusive=True)]
    events = [_store(1, 0), _store(1, 1, REL), *update, _load(2, 0), _load(3, 1, 4, ACQ)]
    assert _missing(*events, places=[0, 1, 2, 3, 4, 5]) == [(3, ACQ)]
    found = missing([START, *events], [None, *range(6)], True, Graph.is_consistent)
    assert [kind for _, kind, _, _ in found] == [SiteKind.UPDATE]


def test_events_of_one_instruction_have_one_order() -> None:
    events = [_store(1, 0), _load(1, 1), _store(2, 1), _load(2, 0)]
    assert _missing(*events, places=["store", "load", "store", "load"]) == [(1, SC), (2, SC)]


def test_accesses_of_the_library_keep_their_orders() -> None:
    events = [_store(1, 0), _load(1, 1), _store(2, 1), _load(2, 0)]
    assert _missing(*events, places=[1, 2, None, 4]) == []


def test_a_sequentially_consistent_graph_needs_no_order() -> None:
    assert _missing(_store(1, 0), _load(2, 0, 1), _load(1, 0, 1)) == []
