"""Other memory orders for a program: what a search for them has found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from cseq.model.claims import Cut
from cseq.model.origin import Origin


class OrdersKind(Enum):
    """What a search has found.

    REPAIRED: stronger orders with which no property is violated. RELAXED: weaker ones. UNCHANGED: there is nothing to
    repair, or no order can be weaker. SEQUENTIAL: a violation is there under sequential consistency, too. PLAIN: a data
    race is, because of an access that is not atomic. UNWRITTEN: the orders that would help are not written in the
    user's files. UNPROVED: the properties are not proved with the orders of the program, so none can be weaker.
    UNDECIDED: the explorer has no answer for some orders.
    """

    REPAIRED = "repaired"
    RELAXED = "relaxed"
    UNCHANGED = "unchanged"
    SEQUENTIAL = "sequentially consistent"
    PLAIN = "plain access"
    UNWRITTEN = "unwritten"
    UNPROVED = "unproved"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class OrderChange:
    """A word of the user's text for a memory order, and another one for it."""

    origin: Origin
    before: str
    after: str


@dataclass(frozen=True)
class OrdersFound:
    """What a search for other memory orders has found.

    relaxes: whether weaker ones were looked for. patch: the changes as a unified diff. plain: the places and the names
    of the accesses that are not atomic of PLAIN. reason: of UNDECIDED, in the words of the engine. tried: how many
    combinations of orders were checked. cuts: the bounds within which the properties are proved, and their places.
    """

    kind: OrdersKind
    relaxes: bool = False
    changes: tuple[OrderChange, ...] = ()
    patch: str = ""
    plain: tuple[tuple[Origin, str], ...] = ()
    reason: str = ""
    tried: int = 0
    cuts: tuple[tuple[Cut, Origin | None], ...] = ()
