"""The stronger memory orders with which an execution graph would not be there, or would have no data race.

The search is that for the repair of a program (`order_search`), on this one graph: what it leaves is the edge that is
missing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from cseq.modules.graphs.axioms import Event, Graph
from cseq.modules.graphs.order_search import Answer, Choice, Orders, OrderSearch, at_least
from cseq.modules.graphs.order_sites import Site, SiteKind
from cseq.modules.ir.instructions import Order

_MOST_EVENTS = 120
"""Graphs with more events are not looked at: the axioms, as they are written, take cubic time."""

_SITE_KINDS = {"load": SiteKind.LOAD, "store": SiteKind.STORE, "fence": SiteKind.FENCE}

Missing = tuple[int, SiteKind, Order, Order]
"""The number of an event, what it is, its order, and the one that is needed."""


def missing(
    events: Sequence[Event], places: Sequence[Any], later_stores: bool, is_bad: Callable[[Graph], bool]
) -> list[Missing]:
    """The orders that have to be stronger, so that a graph of the *events* is not consistent, or not bad.

    places: for each event, what tells its instruction; the events of one have one order, and that of None stays.
    later_stores: as for `Graph`. Empty if there are none.
    """
    if len(events) > _MOST_EVENTS:
        return []
    groups: dict[Any, list[int]] = {}
    for number, event in enumerate(events):
        if event.kind in _SITE_KINDS and event.order is not Order.PLAIN and places[number] is not None:
            groups.setdefault(_key(events, places, number), []).append(number)
    members = list(groups.values())
    sites = [Site(n, _kind(events, group), _order(events, group)) for n, group in enumerate(members)]

    def ask(orders: Orders, _: bool) -> Answer:
        changed = list(events)
        for group, order in zip(members, orders, strict=True):
            for number in group:
                changed[number] = replace(events[number], order=_of_part(events[number].kind, order))
        graph = Graph(changed, later_stores)
        is_harmless = not (graph.is_consistent() and is_bad(graph))
        return Answer(is_harmless, frozenset(range(len(sites))))

    found = OrderSearch(sites, [Choice((site,)) for site in sites], ask).repaired() if sites else None
    if found is None:
        return []
    return [
        (members[site.number][0], site.kind, site.order, found[site.number])
        for site in sites
        if found[site.number] is not site.order
    ]


def _key(events: Sequence[Event], places: Sequence[Any], number: int) -> Any:
    """What tells the instruction of an event; the store of a read-modify-write is one with its load."""
    load = _load_of(events, number)
    is_update = events[number].exclusive and (load is not None or _store_of(events, number) is not None)
    return places[number if load is None else load], is_update


def _load_of(events: Sequence[Event], number: int) -> int | None:
    store = events[number]
    if store.kind != "store" or not store.exclusive:
        return None
    earlier = (n for n in range(number - 1, 0, -1) if events[n].thread == store.thread)
    return next(earlier, None)


def _store_of(events: Sequence[Event], number: int) -> int | None:
    later = (n for n in range(number + 1, len(events)) if events[n].thread == events[number].thread)
    found = next(later, None)
    return found if found is not None and events[found].kind == "store" and events[found].exclusive else None


def _kind(events: Sequence[Event], group: Sequence[int]) -> SiteKind:
    kinds = {events[number].kind for number in group}
    return SiteKind.UPDATE if len(kinds) > 1 else _SITE_KINDS[kinds.pop()]


def _order(events: Sequence[Event], group: Sequence[int]) -> Order:
    """The order of an instruction, from those of its parts."""
    orders = {events[number].order for number in group}
    if orders >= {Order.ACQUIRE, Order.RELEASE}:
        return Order.ACQ_REL
    return max(orders, key=lambda order: sum(at_least(order, other) for other in Order))


def _of_part(kind: str, order: Order) -> Order:
    """The order of a load or a store of an instruction with this *order*."""
    if kind == "load":
        return {Order.ACQ_REL: Order.ACQUIRE, Order.RELEASE: Order.RELAXED}.get(order, order)
    if kind == "store":
        return {Order.ACQ_REL: Order.RELEASE, Order.ACQUIRE: Order.RELAXED}.get(order, order)
    return order
