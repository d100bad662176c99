"""Whether one of two accesses comes first because a thread waits: for posts, for stores to a variable, at a barrier.

A wait needs all of the posts (or stores, or arrivals) that there can ever be if it needs as many as there can be. So a
thread that still has to do its part, as its counts show, is before the wait.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from cseq.modules.ir.expressions import Const
from cseq.modules.ir.instructions import Assign
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.ir.program import Program
from cseq.modules.modular.certificate.form import NOTHING, Event, EventKind, Location, State, Sum, ThreadClaim
from cseq.modules.modular.certificate.logic import Logic
from cseq.modules.modular.certificate.pointers import meet
from cseq.modules.modular.certificate.semantics import Access

Apart = Callable[[Sum, Sum], bool]
"""Whether two sums of different threads are different numbers."""


class Done(NamedTuple):
    """An event of a thread, in the state after it. is_increment: whether a store adds 1; value: what it stores."""

    thread: ThreadClaim
    event: Event
    places: frozenset[Location]
    state: State
    is_increment: bool = False
    value: Sum = NOTHING


class Started(NamedTuple):
    """The initialisation of a semaphore or barrier; value: None if it is not known, or made late."""

    at: Sum
    places: frozenset[Location]
    value: int | None


class Signals:
    """All events. accesses: those of all threads; is_weak: whether an atomic access is weaker than acquire or release.

    are_apart: whether two sums of different threads are different numbers.
    """

    def __init__(
        self, program: Program, logic: Logic, done: Sequence[Done], started: Sequence[Started],
        accesses: Iterable[Access], is_weak: bool, are_apart: Apart,
    ) -> None:  # fmt: skip
        self._program = program
        self._logic = logic
        self._done: dict[Event, list[Done]] = {}
        for each in done:
            self._done.setdefault(each.event, []).append(each)
        self._started = started
        self._accesses = [*accesses]
        self._is_weak = is_weak
        self._are_apart = are_apart

    def are_ordered(self, one: Access, other: Access) -> bool:
        """Whether one of two accesses is certain to come first."""
        return (
            self._comes_first(one, other) or self._comes_first(other, one) or self._are_in_phases(one.state, one, other)
        )

    def _comes_first(self, early: Access, late: Access) -> bool:
        if any(self._is_after_stores(early, late, at, least) for at, least in late.state.observed):
            return True
        return any(
            self._is_after_posts(early, late, event.at, count)
            for event, count in late.state.counts.items() if event.kind is EventKind.WAIT
        )  # fmt: skip

    def _still_does(self, early: Access, event: Event) -> list[Done]:
        """All events that are as *event*, if the thread of *early* does some of them, and has done none."""
        found = self._done.get(event, [])
        is_open = early.state.counts.get(event, NOTHING) == NOTHING
        return found if is_open and any(each.thread is early.thread for each in found) else []

    def _is_after_stores(self, early: Access, late: Access, at: Sum, least: Sum) -> bool:
        """Whether *late* comes after a store to a variable that the thread of *early* does later."""
        event = Event(EventKind.STORE, at)
        stores = self._still_does(early, event)
        begins = [each for each in self._done.get(event, ()) if each.state.is_first]
        stores = [each for each in stores if not each.state.is_first]
        if not any(each.thread is early.thread for each in stores) or any(each.value != NOTHING for each in begins):
            return False
        if self._first(at) != 0 or not self._is_only_stored(at) or not self._logic.is_fixed(at):
            return False
        limits = late.state.limits
        by = {each.thread.number for each in stores}
        if by == {early.thread.number} and early.thread.most == 1 and self._logic.positive(least.add(-1), limits):
            return True
        is_counter = all(each.is_increment for each in stores)
        return is_counter and self._are_once(stores) and self._are_all(stores, least, late)

    def _is_after_posts(self, early: Access, late: Access, at: Sum, count: Sum) -> bool:
        """Whether *late* comes after a wait for a post that the thread of *early* does later."""
        event = Event(EventKind.POST, at)
        posts = self._still_does(early, event)
        value = self._value(at)
        if not posts or value is None or not self._logic.is_fixed(at) or not self._is_alone(event):
            return False
        return self._are_once(posts) and self._are_all(posts, count.add(-value), late)

    def _are_once(self, done: Iterable[Done]) -> bool:
        """Whether each thread does something at most once."""
        return all(
            self._logic.positive(Sum(1).minus(each.state.counts.get(each.event, NOTHING)), each.state.limits)
            for each in done
        )

    def _are_all(self, done: Iterable[Done], least: Sum, late: Access) -> bool:
        """Whether *least* are as many as there can ever be."""
        total = NOTHING
        for thread in {each.thread.number: each.thread for each in done}.values():
            if thread.parent == late.thread.number and thread.number and late.thread.most == 1:
                total = total.plus(late.state.counts.get(Event(EventKind.CREATE, Sum(thread.number)), NOTHING))
            elif thread.most is not None:
                total = total.add(thread.most)
            else:
                return False
        return self._logic.positive(least.minus(total), late.state.limits)

    def _value(self, at: Sum) -> int | None:
        """The number that a semaphore or barrier begins with, if it is initialised once."""
        found = [each.value for each in self._started if each.at == at]
        return found[0] if len(found) == 1 else None

    def _is_alone(self, event: Event) -> bool:
        """Whether nothing else that is posted, waited at or initialised may be the semaphore or barrier of an event."""
        noted = [(each.at, each.places) for each in self._started]
        noted += [(e.at, each.places) for e, done in self._done.items() if e.kind is event.kind for each in done]
        places = {each for at, where in noted if at == event.at for each in where}
        return all(at == event.at or not meet(where, places) for at, where in noted)

    def _first(self, at: Sum) -> int | None:
        """The number that a static variable contains at first."""
        root = self._logic.root(at)
        if not isinstance(root, Object) or root.storage is not Storage.STATIC or root.template is not None:
            return None
        if getattr(root.declaration, "init", None) is None:
            return 0
        values = [value.value if isinstance(value, Const) else None for _, value in self._program.initial(root)]
        return values[0] if len(values) == 1 and isinstance(values[0], int) else None

    def _is_only_stored(self, at: Sum) -> bool:
        """Whether a variable is written by nothing but the stores that were noted; not atomically, with weak orders."""
        places = [Location(self._logic.root(at))]
        for each in self._accesses:
            if not meet(each.places, places):
                continue
            if each.is_atomic and self._is_weak:
                return False
            if each.writes and not each.state.is_first and not (
                each.address == at and isinstance(each.instruction, Assign)
            ):  # fmt: skip
                return False
        return True

    def _are_in_phases(self, state: State, one: Access, other: Access) -> bool:
        """Whether a barrier that all threads wait at separates two accesses."""
        events: Mapping[Event, Sum] = {**state.counts, **other.state.counts}
        for event in events:
            arrivals = self._done.get(event, [])
            value = self._value(event.at)
            if event.kind is not EventKind.ARRIVE or value is None or not self._is_alone(event):
                continue
            by = {each.thread.number: each.thread for each in arrivals}
            numbers = [each.most for each in by.values()]
            if one.thread.number not in by or other.thread.number not in by or not self._logic.is_fixed(event.at):
                continue
            mine, theirs = (each.state.counts.get(event, NOTHING) for each in (one, other))
            if None not in numbers and sum(filter(None, numbers)) <= value and self._are_apart(mine, theirs):
                return True
        return False
