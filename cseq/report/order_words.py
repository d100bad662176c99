"""Other memory orders for a program, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cseq.model.orders import OrdersFound, OrdersKind
from cseq.model.verdict import Bound
from cseq.report import words
from cseq.report.catalogue import Catalogue

_FOUND = Catalogue(
    "memory_orders",
    {
        OrdersKind.REPAIRED: "stronger memory orders are enough: with these, no property is violated{bounds}",
        OrdersKind.RELAXED: "weaker memory orders are enough: with these, no property is violated{bounds}",
        OrdersKind.SEQUENTIAL: "no memory order repairs this: it also happens under sequential consistency",
        OrdersKind.PLAIN: "no memory order repairs the data race: {plain}, and nothing orders the two accesses even "
        "under sequential consistency; if both are atomic, or under one lock, there is no race",
        OrdersKind.UNWRITTEN: "stronger memory orders repair this, but the program's files do not name all of these",
        OrdersKind.UNPROVED: "no weaker memory orders were looked for: there is no proof with those of the program",
    },
)
_OTHERS = Catalogue(
    "memory_orders",
    {
        (OrdersKind.UNCHANGED, False): "no memory order has to be stronger: no property is violated{bounds}",
        (OrdersKind.UNCHANGED, True): "no memory order can be weaker: with any weaker one, there is no proof{bounds}",
        (OrdersKind.UNDECIDED, False): "no stronger memory orders were found: {reason}",
        (OrdersKind.UNDECIDED, True): "no weaker memory orders were found: {reason}",
    },
)
_PARTS = Catalogue(
    "memory_orders",
    {
        "plain": "the access to `{name}` at {origin} is not atomic",
        "plains": "the accesses to `{name}` at {origin} and {other} are not atomic",
        "bounds": ", up to the bounds of the search ({cuts})",
        "change": "{origin}: {before} → {after}",
        "insertion": "{origin}: {after} before the statement",
    },
)


def found(orders: OrdersFound) -> str:
    """What the search for other orders has found, in a sentence."""
    cuts = words.places_cut(Bound.of(cut, origin) for cut, origin in orders.cuts)
    parts: dict[str, Any] = {
        "bounds": _PARTS.say("bounds", cuts=", ".join(cuts)) if cuts else "",
        "reason": orders.reason,
        "plain": _plain(orders),
    }
    if orders.kind in _FOUND:
        return _FOUND.say(orders.kind, **parts)
    return _OTHERS.say((orders.kind, orders.relaxes), **parts)


def _plain(orders: OrdersFound) -> str:
    if not orders.plain:
        return ""
    (origin, name), *others = dict.fromkeys((str(origin), name) for origin, name in orders.plain)
    if others:
        return _PARTS.say("plains", name=name, origin=origin, other=others[0][0])
    return _PARTS.say("plain", name=name, origin=origin)


def lines(orders: OrdersFound) -> Iterator[str]:
    """The answer with its changes; the patch follows."""
    yield found(orders)
    for change in orders.changes:
        kind = "change" if change.before else "insertion"
        yield "  " + _PARTS.say(kind, origin=change.origin, before=change.before, after=change.after)
