"""The search for other memory orders, where a program is proved if some orders are at least so strong."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from cseq.modules.graphs.order_search import Answer, Choice, Orders, OrderSearch, at_least
from cseq.modules.graphs.order_sites import Site, SiteKind
from cseq.modules.ir.instructions import Order

RLX, ACQ, REL, ACQ_REL, SC = Order.RELAXED, Order.ACQUIRE, Order.RELEASE, Order.ACQ_REL, Order.SEQ_CST
LEVELS = {
    SiteKind.LOAD: (RLX, ACQ, SC), SiteKind.STORE: (RLX, REL, SC), SiteKind.UPDATE: (RLX, ACQ, REL, ACQ_REL, SC),
    SiteKind.FENCE: (RLX, ACQ, REL, ACQ_REL, SC),
}  # fmt: skip


class Program:
    """Proved if for one of *enough* each order is at least that. A graph shows the places of the first that fails."""

    def __init__(self, sites: Sequence[Site], enough: Sequence[Orders]) -> None:
        self.sites = sites
        self.enough = enough
        self.choices = [Choice((site,)) for site in sites]

    def ask(self, orders: Orders, needs_answer: bool) -> Answer:
        missing = [{n for n, low in enumerate(least) if not at_least(orders[n], low)} for least in self.enough]
        return Answer(not all(missing), frozenset().union(*missing))

    def is_proved(self, orders: Orders) -> bool:
        return self.ask(orders, True).is_proved

    @property
    def search(self) -> OrderSearch:
        return OrderSearch(self.sites, self.choices, self.ask)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    kinds = draw(st.lists(st.sampled_from(list(LEVELS)), min_size=1, max_size=5))
    sites = [Site(n, kind, draw(st.sampled_from(LEVELS[kind]))) for n, kind in enumerate(kinds)]
    levels = st.tuples(*(st.sampled_from(LEVELS[kind]) for kind in kinds))
    return Program(sites, draw(st.lists(levels, min_size=1, max_size=3)))


def _weaker(program: Program, orders: Orders, floor: Orders | None) -> list[Orders]:
    """The *orders* with a single weaker one, which is not weaker than that of *floor*."""
    return [
        (*orders[:n], level, *orders[n + 1 :])
        for n, site in enumerate(program.sites)
        for level in LEVELS[site.kind]
        if level is not orders[n] and at_least(orders[n], level) and (floor is None or at_least(level, floor[n]))
    ]


@settings(max_examples=50)
@given(programs())
def test_no_single_order_of_a_repair_can_be_weaker(program: Program) -> None:
    written = program.search.written
    found = program.search.repaired()
    assert found is not None and program.is_proved(found)
    assert all(at_least(new, old) for new, old in zip(found, written, strict=True))
    if not program.is_proved(written):
        assert not any(program.is_proved(weaker) for weaker in _weaker(program, found, written))


@settings(max_examples=50)
@given(programs())
def test_no_single_one_of_the_weakest_orders_can_be_weaker(program: Program) -> None:
    if program.is_proved(program.search.written):
        found = program.search.relaxed()
        assert program.is_proved(found)
        assert not any(program.is_proved(weaker) for weaker in _weaker(program, found, None))


def _found(kinds: Sequence[SiteKind], written: Orders, *enough: Orders) -> Orders | None:
    sites = [Site(n, kind, order) for n, (kind, order) in enumerate(zip(kinds, written, strict=True))]
    return Program(sites, enough).search.repaired()


def test_acquire_and_release_are_tried_before_seq_cst() -> None:
    kinds = (SiteKind.STORE, SiteKind.LOAD, SiteKind.STORE)
    assert _found(kinds, (RLX, RLX, RLX), (REL, ACQ, RLX), (RLX, RLX, SC)) == (REL, ACQ, RLX)


def test_the_cheapest_of_two_repairs_is_taken() -> None:
    kinds = (SiteKind.FENCE, SiteKind.FENCE, *[SiteKind.STORE] * 4)
    two = (SC, SC, RLX, RLX, RLX, RLX)
    assert _found(kinds, (ACQ_REL, ACQ_REL, RLX, RLX, RLX, RLX), two, (RLX, RLX, SC, SC, SC, SC)) == two
    kinds = (SiteKind.FENCE, SiteKind.STORE)
    assert _found(kinds, (ACQ_REL, RLX), (SC, RLX), (RLX, SC)) == (ACQ_REL, SC)


def test_there_may_be_no_repair() -> None:
    program = Program([Site(0, SiteKind.LOAD, RLX), Site(1, SiteKind.STORE, RLX)], [(ACQ, REL)])
    program.choices = program.choices[:1]  # no word in the text decides the other one
    assert program.search.repaired() is None


def test_the_order_for_failure_is_not_stronger_than_that_for_success() -> None:
    sites = [Site(0, SiteKind.UPDATE, RLX), Site(1, SiteKind.FAILURE, RLX, 0)]
    assert Program(sites, [(RLX, ACQ)]).search.repaired() == (ACQ, ACQ)
    sites = [Site(0, SiteKind.UPDATE, SC), Site(1, SiteKind.FAILURE, SC, 0)]
    assert Program(sites, [(RLX, ACQ)]).search.relaxed() == (ACQ, ACQ)
    assert Program(sites, [(REL, RLX)]).search.relaxed() == (REL, RLX)


def test_places_that_one_word_decides_have_one_order() -> None:
    sites = [Site(0, SiteKind.LOAD, RLX), Site(1, SiteKind.LOAD, RLX), Site(2, SiteKind.STORE, RLX)]
    program = Program(sites, [(ACQ, RLX, RLX)])
    program.choices = [Choice((sites[0], sites[1])), Choice((sites[2],))]
    assert program.search.repaired() == (ACQ, ACQ, RLX)
    assert Choice((sites[0], sites[2])).levels == [RLX, SC]


def test_one_argument_is_the_order_for_success_and_for_failure() -> None:
    sites = [Site(0, SiteKind.UPDATE, SC), Site(1, SiteKind.FAILURE, SC, 0)]
    for least, weakest in (((RLX, ACQ), (ACQ, ACQ)), ((REL, ACQ), (ACQ_REL, ACQ)), ((REL, RLX), (REL, RLX))):
        program = Program(sites, [least])
        program.choices = [Choice((sites[0], sites[1]))]
        assert program.search.relaxed() == weakest


def test_consume_is_as_good_as_acquire() -> None:
    sites = [Site(0, SiteKind.LOAD, Order.CONSUME), Site(1, SiteKind.STORE, RLX)]
    assert Program(sites, [(ACQ, REL)]).search.repaired() == (Order.CONSUME, REL)
