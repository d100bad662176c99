"""What is ordered by waiting: for a semaphore, for a variable that other threads set or count up, at a barrier.

A wait needs all of the posts (or stores, or arrivals) that there can ever be, if it needs as many as there can be. Then
what a thread does before it signals happens before what follows the wait. A condition variable orders nothing; the
variable that is tested under its lock does.
"""

from __future__ import annotations

from collections.abc import Mapping

from cseq.modules.analysis.points_to import Location
from cseq.modules.ir.expressions import Const
from cseq.modules.ir.instructions import Assign
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.modular.accesses import Access, Thread, Why, meet, never_equal
from cseq.modules.modular.environment import Environment
from cseq.modules.modular.state import Event, EventKind
from cseq.modules.modular.terms import ZERO, Bounds, Symbol, Term, is_positive


class _Signal:
    """What is known of a semaphore, a variable or a barrier.

    by: the threads that post, store or arrive. several: those of them of which one may do so more than once. is_open:
    whether something else may do so, too. is_counter: whether each store adds one. releases: whether all stores happen
    before what acquires the value. value: what it is at first; None if that is not known.
    """

    def __init__(self, value: int | None = None) -> None:
        self.by: dict[int, Thread] = {}
        self.several: set[int] = set()
        self.is_open = False
        self.is_counter = True
        self.releases = True
        self.value = value


class SignalOrder:
    """The signals of all threads, in one round."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._signals: dict[Event, _Signal] = {}
        self._noted: dict[EventKind, list[tuple[Term, frozenset[Location]]]] = {}

    # What is noted

    def _signal(self, event: Event) -> _Signal:
        first = self._first(event.at) if event.kind is EventKind.STORE else None
        return self._signals.setdefault(event, _Signal(first))

    def _first(self, at: Term) -> int | None:
        """The number that a static variable contains first."""
        root = self._environment.root_of(at)
        if not isinstance(root, Object) or root.storage is not Storage.STATIC or root.template is not None:
            return None
        if getattr(root.declaration, "init", None) is None:
            return 0
        found = 0
        for _, value in self._environment.program.initial(root):
            if not isinstance(value, Const) or not isinstance(value.value, int):
                return None
            found = value.value
        return found

    def _done(
        self, signal: _Signal, event: Event, thread: Thread, counts: Mapping[Event, Term],
        bounds: Mapping[Symbol, Bounds],
    ) -> None:  # fmt: skip
        signal.by[thread.number] = thread
        if not is_positive(Term(1).minus(counts.get(event, ZERO)), bounds):
            signal.several.add(thread.number)

    def store(
        self, thread: Thread, at: Term, is_increment: bool, value: Term, is_first: bool, releases: bool,
        counts: Mapping[Event, Term], bounds: Mapping[Symbol, Bounds],
    ) -> None:  # fmt: skip
        """Note a store to a variable.

        is_increment: whether it stores one more than was read, in one step, or after it acquired that. releases:
        whether it happens before what acquires the value.
        """
        event = Event(EventKind.STORE, at)
        signal = self._signal(event)
        if is_first:
            if not value.is_constant or value.constant:
                signal.value = None
            return
        signal.is_counter &= is_increment
        signal.releases &= releases
        self._done(signal, event, thread, counts, bounds)

    def post(
        self, thread: Thread, at: Term, where: frozenset[Location], counts: Mapping[Event, Term],
        bounds: Mapping[Symbol, Bounds],
    ) -> None:  # fmt: skip
        """Note a post of a semaphore."""
        event = Event(EventKind.POST, at)
        self._noted.setdefault(event.kind, []).append((at, where))
        self._done(self._signal(event), event, thread, counts, bounds)

    def arrive(self, thread: Thread, at: Term, where: frozenset[Location]) -> None:
        """Note that threads wait at a barrier."""
        event = Event(EventKind.ARRIVE, at)
        self._noted.setdefault(event.kind, []).append((at, where))
        signal = self._signal(event)
        signal.by[thread.number] = thread
        signal.is_open |= not at.is_fixed

    def initialise(self, at: Term, where: frozenset[Location], value: int | None) -> None:
        """Note the number that a semaphore or a barrier begins with."""
        for kind in (EventKind.POST, EventKind.ARRIVE):
            self._noted.setdefault(kind, []).append((at, where))
            signal = self._signal(Event(kind, at))
            signal.is_open |= signal.value is not None or value is None
            signal.value = value

    # What is asked

    def why(self, one: Access, other: Access) -> Why | None:
        """Why one of two accesses is certain to come first; None if neither is."""
        if self._is_awaited(one, other) or self._is_awaited(other, one) or self._are_in_phases(one, other):
            return Why.AWAITED
        return None

    def _is_awaited(self, early: Access, late: Access) -> bool:
        """Whether *late* comes after a wait for something that the thread of *early* does later."""
        for at, least in late.observed:
            event = Event(EventKind.STORE, at)
            signal = self._signals.get(event)
            if signal is None or signal.value != 0 or not self._is_before(early, event, signal):
                continue
            if not signal.releases or not self._is_only_stored(at):
                continue
            single = len(signal.by) == 1 and early.thread.most == 1
            if single and is_positive(least.shifted(-1), late.bounds):
                return True
            if signal.is_counter and not signal.several and self._are_all(signal, least, late):
                return True
        for event, count in late.counts.items():
            if event.kind is not EventKind.WAIT:
                continue
            posts = Event(EventKind.POST, event.at)
            signal = self._signals.get(posts)
            if signal is None or signal.value is None or signal.is_open or signal.several:
                continue
            if self._is_before(early, posts, signal) and self._is_alone(posts) and (
                self._are_all(signal, count.shifted(-signal.value), late)
            ):  # fmt: skip
                return True
        return False

    def _is_before(self, early: Access, event: Event, signal: _Signal) -> bool:
        """Whether a thread has not done something yet that it may do."""
        known = signal.by.get(early.thread.number)
        return known is not None and early.counts.get(event, ZERO) == ZERO

    def _are_all(self, signal: _Signal, least: Term, late: Access) -> bool:
        """Whether *least* signals are as many as there can ever be."""
        total = ZERO
        for thread in signal.by.values():
            if thread.parent is not None and thread.parent.number == late.thread.number and late.thread.most == 1:
                total = total.plus(late.counts.get(Event(EventKind.CREATE, Term(thread.number)), ZERO))
            elif thread.most is not None:
                total = total.shifted(thread.most)
            else:
                return False
        return is_positive(least.minus(total), late.bounds)

    def _is_alone(self, event: Event) -> bool:
        """Whether nothing else that is posted, waited at or initialised may be the semaphore or barrier of an event."""
        noted = self._noted.get(event.kind, [])
        places = {each for term, where in noted if term == event.at for each in where}
        return all(term == event.at or not meet(where, places) for term, where in noted)

    def _is_only_stored(self, at: Term) -> bool:
        """Whether a variable is written by nothing but the stores that were noted."""
        root, event = self._environment.root_of(at), Event(EventKind.STORE, at)
        return all(
            each.is_first or (each.address == at and event in self._signals and _is_assignment(each))
            for each in self._environment.stores_to(root)
        )

    def _are_in_phases(self, one: Access, other: Access) -> bool:
        """Whether a barrier that all threads wait at separates two accesses."""
        for event in {*one.counts, *other.counts}:
            if event.kind is not EventKind.ARRIVE:
                continue
            signal = self._signals.get(event)
            if (
                signal is None
                or signal.is_open
                or signal.value is None
                or not event.at.is_fixed
                or not self._is_alone(event)
            ):
                continue
            if one.thread.number not in signal.by or other.thread.number not in signal.by:
                continue
            total = 0
            for thread in signal.by.values():
                total += signal.value + 1 if thread.most is None else thread.most
            if total <= signal.value and never_equal(one.counts.get(event, ZERO), other.counts.get(event, ZERO)):
                return True
        return False


def _is_assignment(access: Access) -> bool:
    """Whether an access is a store that is counted."""
    return isinstance(access.instruction, Assign)
