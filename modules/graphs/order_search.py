"""Search for memory orders with which a program is proved: the least change, and the weakest ones.

Stronger orders only take execution graphs away. So orders that do not suffice do not after others are weakened, either,
and one pass that weakens one order after the other ends where none can be weaker on its own. The weakest orders are
those of vsyncer (Oberhauser et al., ASPLOS 2021).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cseq.modules.graphs.order_sites import Site, SiteKind
from cseq.modules.ir.instructions import Order

_LEVELS = {
    SiteKind.LOAD: (Order.RELAXED, Order.ACQUIRE, Order.SEQ_CST),
    SiteKind.STORE: (Order.RELAXED, Order.RELEASE, Order.SEQ_CST),
    SiteKind.UPDATE: (Order.RELAXED, Order.ACQUIRE, Order.RELEASE, Order.ACQ_REL, Order.SEQ_CST),
    SiteKind.FAILURE: (Order.RELAXED, Order.ACQUIRE, Order.SEQ_CST),
    SiteKind.FENCE: (Order.RELAXED, Order.ACQUIRE, Order.RELEASE, Order.ACQ_REL, Order.SEQ_CST),
}
"""The orders that C allows, from weaker to stronger ones."""

_COSTS = {Order.RELAXED: 0, Order.ACQUIRE: 1, Order.RELEASE: 1, Order.ACQ_REL: 2, Order.SEQ_CST: 4}
_OF_A_FENCE = 1

Orders = tuple[Order, ...]
"""The memory orders of a program, by the numbers of the places where it has them."""


def at_least(one: Order, other: Order) -> bool:
    """Whether the order *one* is the *other* or a stronger one."""
    one, other = (Order.ACQUIRE if order is Order.CONSUME else order for order in (one, other))
    return one >= other and (one, other) != (Order.RELEASE, Order.ACQUIRE)


def for_failure(order: Order) -> Order:
    """The order of a compare-exchange that fails, if one argument is the *order* for both cases (C11 §7.17.7.4)."""
    return {Order.ACQ_REL: Order.ACQUIRE, Order.RELEASE: Order.RELAXED}.get(order, order)


@dataclass(frozen=True)
class Choice:
    """Places whose order one place in the text decides. Orders for failure follow from that for success among them."""

    sites: tuple[Site, ...]

    def order_of(self, site: Site, order: Order) -> Order:
        """The order of one of the sites where the text has *order*."""
        follows = any(site.success == other.number for other in self.sites)
        return for_failure(order) if follows else order

    @property
    def _leading(self) -> list[Site]:
        numbers = {site.number for site in self.sites}
        return [site for site in self.sites if site.success not in numbers]

    @property
    def order(self) -> Order:
        """The order in the text."""
        return self.sites[0].order

    @property
    def levels(self) -> list[Order]:
        """The orders that it may be, from weaker to stronger ones; none where C does not allow the one in the text."""
        kinds = {site.kind for site in self._leading}
        allowed = [level for level in _LEVELS[SiteKind.UPDATE] if all(level in _LEVELS[kind] for kind in kinds)]
        levels = [self.order if level is Order.ACQUIRE and self.order is Order.CONSUME else level for level in allowed]
        return levels if self.order in levels else []

    @property
    def is_fence(self) -> bool:
        """Whether it is the order of a fence."""
        return any(site.kind is SiteKind.FENCE for site in self.sites)

    @property
    def is_failure(self) -> bool:
        """Whether it is the order of a compare-exchange that fails."""
        return any(site.kind is SiteKind.FAILURE for site in self._leading)

    def raised(self, most: Order) -> Order:
        """The strongest order up to *most*, if that is stronger than the one in the text."""
        found = [level for level in self.levels if at_least(most, level) and at_least(level, self.order)]
        return found[-1] if found else self.order


class Answer(NamedTuple):
    """Whether a program is proved with some orders. sites: else, those of the offending graph."""

    is_proved: bool
    sites: frozenset[int] = frozenset()


Ask = Callable[[Orders, bool], Answer]
"""Asks the explorer about orders; whether nothing but an answer is good enough, or the lack of one counts as no proof.
"""


class OrderSearch:
    """A search among the *choices* for the orders of *sites*. ask: asks the explorer."""

    def __init__(self, sites: Sequence[Site], choices: Sequence[Choice], ask: Ask) -> None:
        self._sites = sites
        self._choices = choices
        self._ask = ask
        self.written: Orders = tuple(site.order for site in sites)

    def repaired(self) -> Orders | None:
        """Orders with which the program is proved, none of which can be as weak as before; None if there are none."""
        strong = self._strengthened()
        if strong is None:
            return None
        changed = [choice for choice in self._choices if self._of(strong, choice) is not choice.order]
        fences = sorted(
            (choice for choice in changed if choice.is_fence), key=lambda choice: choice.order is not Order.RELAXED
        )  # those without an effect are the first that can go
        others = [choice for choice in changed if not choice.is_fence]
        tried = [self._weakened(strong, sequence, True) for sequence in ([*fences, *others], [*others, *fences])]
        return min(tried, key=self._cost)

    def relaxed(self) -> Orders:
        """The weakest orders with which the program is still proved, if it is with those in the text."""
        start = self.written
        without = self._having(start, {c: _without_total(c) for c in self._choices if c.order is Order.SEQ_CST})
        if without != start and self._ask(without, False).is_proved:
            start = without
        most = sorted(self._choices, key=lambda choice: -self._cost_of(choice, choice.order))
        return self._weakened(start, most, False)

    def _strengthened(self) -> Orders | None:
        """Orders with which the program is proved: stronger ones at all accesses and fences of offending graphs."""
        for most in (Order.ACQ_REL, Order.SEQ_CST):
            chosen: set[int] = set()
            while True:
                raised = {
                    choice: choice.raised(most) for number, choice in enumerate(self._choices) if number in chosen
                }
                orders = self._having(self.written, raised)
                answer = self._ask(orders, True)
                if answer.is_proved:
                    return orders
                more = self._taking_part(answer.sites) - chosen
                if not more:
                    break
                chosen |= more
        return None

    def _taking_part(self, sites: Iterable[int]) -> set[int]:
        """The numbers of the choices for *sites*, with those for success of a compare-exchange."""
        found = set(sites)
        found |= {success for number in found if (success := self._sites[number].success) is not None}
        return {n for n, choice in enumerate(self._choices) if any(site.number in found for site in choice.sites)}

    def _weakened(self, orders: Orders, sequence: Iterable[Choice], only_back: bool) -> Orders:
        """*orders*, each of which is as weak as it can be for those in the *sequence*, one after the other.

        only_back: not weaker than in the text.
        """
        for choice in sorted(
            sequence, key=lambda choice: not choice.is_failure
        ):  # which cannot be stronger than success
            for level in choice.levels:
                now = self._of(orders, choice)
                if not at_least(now, level) or level is now or (only_back and not at_least(level, choice.order)):
                    continue
                weaker = self._having(orders, {choice: level})
                if self._is_allowed(weaker) and self._ask(weaker, False).is_proved:
                    orders = weaker
                    break
        return orders

    def _having(self, orders: Orders, changes: dict[Choice, Order]) -> Orders:
        found = list(orders)
        for choice, order in changes.items():
            for site in choice.sites:
                found[site.number] = choice.order_of(site, order)
        return tuple(found)

    def _of(self, orders: Orders, choice: Choice) -> Order:
        return orders[choice.sites[0].number]

    def _is_allowed(self, orders: Orders) -> bool:
        """Whether no compare-exchange has a stronger order where it fails, unless the text has that."""
        return all(
            at_least(orders[site.success], orders[site.number])
            for site in self._sites
            if site.success is not None and at_least(self.written[site.success], site.order)
        )

    def _cost(self, orders: Orders) -> int:
        changed = (choice for choice in self._choices if self._of(orders, choice) is not choice.order)
        return sum(self._cost_of(choice, self._of(orders, choice)) for choice in changed)

    @staticmethod
    def _cost_of(choice: Choice, order: Order) -> int:
        return _COSTS.get(order, 1) + (_OF_A_FENCE if choice.is_fence else 0)


def _without_total(choice: Choice) -> Order:
    """The strongest order that *choice* may have without being seq_cst."""
    return next((level for level in reversed(choice.levels) if level is not Order.SEQ_CST), choice.order)
