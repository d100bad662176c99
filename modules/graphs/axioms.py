"""Consistency of one execution graph, as the papers write it: a check that shares no code with the explorer.

RC11: Lahav, Vafeiadis, Kang, Hur, Dreyer, Repairing sequential consistency in C/C++11, PLDI 2017, section 3. A relation
is a tuple of sets of successors, one for each event, and a set is an `int` with a bit for each event.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cseq.modules.ir.instructions import Order
from cseq.options.memory_models import BUFFERED, SC, TSO

Relation = tuple[int, ...]

_ACQUIRING = frozenset({Order.CONSUME, Order.ACQUIRE, Order.ACQ_REL, Order.SEQ_CST})
_RELEASING = frozenset({Order.RELEASE, Order.ACQ_REL, Order.SEQ_CST})


@dataclass(frozen=True)
class Event:
    """An event. thread: None for the initial write to each location, which comes first.

    kind: ``load``, ``store``, ``fence``, or another one, which is no access. object: the location, or the other thread
    of ``create`` and ``join``. source: the number of the store that a load reads from. place: of a store, in the
    modification order of its location; the initial write is 0. exclusive: a part of a read-modify-write. locks: an
    access to a mutex.
    """

    kind: str
    thread: int | None
    order: Order = Order.PLAIN
    object: int = 0
    source: int = 0
    place: int = 0
    exclusive: bool = False
    locks: bool = False


class Graph:
    """The relations of a graph. *events*: those of a thread are in program order, and the initial write is the first.

    later_stores: whether a release sequence contains later stores of the same thread, as in the paper.
    """

    def __init__(self, events: Sequence[Event], later_stores: bool = True) -> None:
        self.events = events
        self.later_stores = later_stores
        every = range(len(events))
        self._every = every
        self.po = self._relation(lambda a, b: a < b and self._thread(a) is not None and self._same_thread(a, b))
        self.rf = self._relation(lambda a, b: events[b].kind == "load" and events[b].source == a)
        self.mo = self._relation(
            lambda a, b: self._is_store(a) and self._is_store(b) and self._meets(a, b)
            and events[a].place < events[b].place
        )  # fmt: skip
        self.fr = self._relation(
            lambda a, b: events[a].kind == "load" and events[b].kind == "store" and self._meets(a, b)
            and events[events[a].source].place < events[b].place
        )  # fmt: skip
        self.rmw = self._relation(
            lambda a, b: events[a].kind == "load" and events[a].exclusive and events[b].kind == "store"
            and events[b].exclusive and self._meets(a, b) and bool(self.po[a] >> b & 1) and self._adjacent(a, b)
        )  # fmt: skip
        self.hb = closure(union(self.po, self._forks(), self.synchronises()))

    # Relations and sets

    def _relation(self, holds: Callable[[int, int], bool]) -> Relation:
        return tuple(sum(1 << b for b in self._every if b != a and holds(a, b)) for a in self._every)

    def _where(self, holds: Callable[[Event], bool]) -> Relation:
        """The identity on the events for which *holds*."""
        return tuple(1 << a if holds(self.events[a]) else 0 for a in self._every)

    def _thread(self, event: int) -> int | None:
        return self.events[event].thread

    def _same_thread(self, a: int, b: int) -> bool:
        return self._thread(a) == self._thread(b)

    def _is_store(self, event: int) -> bool:
        return self.events[event].kind in ("store", "initial")

    def _meets(self, a: int, b: int) -> bool:
        """Whether two accesses are to one location."""
        one, other = self.events[a], self.events[b]
        return "initial" in (one.kind, other.kind) or one.object == other.object

    def is_access(self, event: int) -> bool:
        """Whether it loads or stores."""
        return self.events[event].kind in ("load", "store")

    def same_location(self, a: int, b: int) -> bool:
        """Whether both are accesses, other than initial writes, to one location."""
        return self.is_access(a) and self.is_access(b) and self._meets(a, b)

    def _adjacent(self, a: int, b: int) -> bool:
        between = (c for c in range(a + 1, b) if self._same_thread(a, c))
        return next(between, None) is None

    def _forks(self) -> Relation:
        """What comes before a thread: the initial writes, or its creation; and its end before what joins it."""

        def holds(a: int, b: int) -> bool:
            one, other = self.events[a], self.events[b]
            if one.kind == "initial":
                return True
            if one.kind == "create":
                return other.thread == one.object
            return one.kind == "end" and other.kind == "join" and other.object == one.thread

        return self._relation(holds)

    def synchronises(self) -> Relation:
        """sw ≜ [rel];([F];po)?;rs;rf;[R⊒rlx];(po;[F])?;[acq] where rs ≜ [W];(po|loc)?;[W⊒rlx];(rf;rmw)*."""
        fences = self._where(lambda event: event.kind == "fence")
        atomic = self._where(lambda event: event.kind == "store" and event.order is not Order.PLAIN)
        loads = self._where(lambda event: event.kind == "load" and event.order is not Order.PLAIN)
        releasing = self._where(lambda event: event.kind in ("store", "fence") and event.order in _RELEASING)
        acquiring = self._where(lambda event: event.kind in ("load", "fence") and event.order in _ACQUIRING)
        stores = self._where(lambda event: event.kind == "store")
        earlier = self.among(self.po, self.same_location) if self.later_stores else _empty(self.po)
        sequence = compose(stores, optional(earlier), atomic, optional(closure(compose(self.rf, self.rmw))))
        before = compose(releasing, optional(compose(fences, self.po)))
        after = compose(optional(compose(self.po, fences)), acquiring)
        return compose(before, sequence, self.rf, loads, after)

    def among(self, relation: Relation, holds: Callable[[int, int], bool]) -> Relation:
        """The pairs of *relation* for which *holds*."""
        return tuple(sum(1 << b for b in self._every if relation[a] >> b & 1 and holds(a, b)) for a in self._every)

    # Axioms

    def is_caused(self) -> bool:
        """po | rf, with creation and joining, has no cycle."""
        return is_acyclic(union(self.po, self.rf, self._forks()))

    def is_coherent(self) -> bool:
        """hb;eco? is irreflexive."""
        return is_irreflexive(self.hb) and is_irreflexive(compose(self.hb, self.eco()))

    def eco(self) -> Relation:
        """(rf | mo | fr)+."""
        return closure(union(self.rf, self.mo, self.fr))

    def is_atomic(self) -> bool:
        """No store comes between the parts of a read-modify-write."""
        between = compose(self.fr, self.mo)
        return all(not self.rmw[a] & between[a] for a in self._every)

    def is_sequential_where_asked(self) -> bool:
        """psc has no cycle."""
        strong = self._where(lambda event: event.order is Order.SEQ_CST)
        fences = self._where(lambda event: event.kind == "fence" and event.order is Order.SEQ_CST)
        apart = self.among(self.po, lambda a, b: not self.same_location(a, b))
        scb = union(
            self.po, compose(apart, self.hb, apart), self.among(self.hb, self.same_location), self.mo, self.fr
        )  # fmt: skip
        base = compose(
            union(strong, compose(fences, optional(self.hb))), scb, union(strong, compose(optional(self.hb), fences))
        )
        far = compose(fences, union(self.hb, compose(self.hb, self.eco(), self.hb)), fences)
        return is_acyclic(union(base, far))

    def is_consistent(self) -> bool:
        """Whether RC11 has the graph."""
        axioms = (self.is_caused, self.is_atomic, self.is_coherent, self.is_sequential_where_asked)
        return all(axiom() for axiom in axioms)

    def is_sequentially_consistent(self) -> bool:
        """Whether sequential consistency has the graph."""
        return self.is_atomic() and is_acyclic(union(self.po, self._forks(), self.rf, self.mo, self.fr))

    def buffered(self, keeps_order: bool) -> Relation:
        """The order in which loads, and stores that leave buffers, happen on machines that have the graph.

        Sewell, Sarkar, Owens, Zappa Nardelli, Myreen, x86-TSO, CACM 2010, in the form of Alglave, Maranget,
        Tautschnig, Herding cats, TOPLAS 2014, figure 21. keeps_order: whether a buffer keeps the order of stores to
        different locations (TSO, otherwise PSO). Updates, accesses to mutexes and seq_cst stores have fences on both
        sides, as have the ends of threads, and what creates and joins them.
        """
        external = self.among(self.rf, lambda a, b: not self._same_thread(a, b))
        fences = self._where(_is_barrier)
        around = union(compose(fences, self.po), compose(self.po, fences), compose(self.po, fences, self.po))

        def is_kept(a: int, b: int) -> bool:
            if not (self.is_access(a) and self.is_access(b)):
                return False
            if self.events[a].kind == "load":
                return True
            return self.events[b].kind == "store" and (keeps_order or self.same_location(a, b))

        kept = self.among(self.po, is_kept)
        return closure(union(kept, around, self._forks(), external, self.mo, self.fr))

    def is_consistent_with_buffers(self, keeps_order: bool) -> bool:
        """Whether machines whose stores wait in buffers have the graph: of each location the accesses have an order."""
        local = self.among(self.po, self.same_location)
        is_local = is_acyclic(union(local, self.rf, self.mo, self.fr))
        return is_local and self.is_atomic() and is_irreflexive(self.buffered(keeps_order))

    def race(self, a: int, b: int) -> bool:
        """Whether two events are a data race."""
        one, other = self.events[a], self.events[b]
        conflict = self.same_location(a, b) and not self._same_thread(a, b) and "store" in (one.kind, other.kind)
        atomic = Order.PLAIN not in (one.order, other.order)
        return conflict and not atomic and not (self.hb[a] >> b | self.hb[b] >> a) & 1


def is_consistent(graph: Graph, model: str) -> bool:
    """Whether the memory *model* has the graph."""
    if model in BUFFERED:
        return graph.is_consistent_with_buffers(keeps_order=model == TSO)
    return graph.is_sequentially_consistent() if model == SC else graph.is_consistent()


def _is_barrier(event: Event) -> bool:
    """Whether no access of the thread passes the event."""
    if event.kind in ("load", "store"):
        if event.locks:
            return event.order is not Order.PLAIN
        return event.exclusive or (event.kind == "store" and event.order is Order.SEQ_CST)
    return event.order is Order.SEQ_CST if event.kind == "fence" else event.kind in ("start", "end", "create", "join")


def _bits(row: int) -> list[int]:
    found = []
    while row:
        found.append((row & -row).bit_length() - 1)
        row &= row - 1
    return found


def _empty(relation: Relation) -> Relation:
    return (0,) * len(relation)


def union(*relations: Relation) -> Relation:
    """The union of relations on the same events."""
    found = list(relations[0])
    for relation in relations[1:]:
        found = [one | other for one, other in zip(found, relation, strict=True)]
    return tuple(found)


def compose(*relations: Relation) -> Relation:
    """The composition of relations, from left to right."""
    found = relations[0]
    for relation in relations[1:]:
        rows = []
        for row in found:
            reached = 0
            for middle in _bits(row):
                reached |= relation[middle]
            rows.append(reached)
        found = tuple(rows)
    return found


def optional(relation: Relation) -> Relation:
    """The relation and the identity."""
    return tuple(row | 1 << a for a, row in enumerate(relation))


def closure(relation: Relation) -> Relation:
    """The transitive closure."""
    rows = list(relation)
    for middle in range(len(rows)):
        for a, row in enumerate(rows):
            if row >> middle & 1:
                rows[a] |= rows[middle]
    return tuple(rows)


def is_irreflexive(relation: Relation) -> bool:
    """Whether no event is related to itself."""
    return not any(row >> a & 1 for a, row in enumerate(relation))


def is_acyclic(relation: Relation) -> bool:
    """Whether there is no cycle."""
    return is_irreflexive(closure(relation))
