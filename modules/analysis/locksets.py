"""Lockset analysis: which locks a thread holds for certain.

Sets of pairs of a lock and a mode under intersection; forward, must, on the nodes of each thread. A lock is one object:
a location of that type, with constant subscripts. Under-approximates: what may release a lock, or may store in it,
releases it; of a lock that is not certain, nothing is held (Savage et al., TOCS 1997, as a static analysis).
"""

from collections.abc import Iterable, Iterator, Sequence

from cseq.modules.analysis.dataflow import Analysis, Direction, solve
from cseq.modules.analysis.local_values import WRITING, Lock, Outcome
from cseq.modules.analysis.points_to import Location, overlap
from cseq.modules.analysis.thread_steps import Step, ThreadSteps
from cseq.modules.ir.peeling import Node

Lockset = int
"""Of m locks, bit n: lock n is held; bit m + n: for writing, so no other thread holds it."""


class Locksets(Analysis[Node, Outcome | None, Lockset]):
    """The locks that are held in *threads*."""

    direction = Direction.FORWARD

    def __init__(self, threads: Sequence[ThreadSteps]) -> None:
        steps = [step for thread in threads for part in thread.steps.values() for step in part]
        self._locks = {lock: n for n, lock in enumerate(dict.fromkeys(each.lock for each in steps if each.lock))}
        self._size = len(self._locks)
        self._at: dict[Location, Lockset] = {}
        self._before: dict[ThreadSteps, dict[Node, Lockset]] = {}
        for thread in threads:
            self._steps = thread.steps
            self._before[thread] = solve(thread.graph, self).before if self._locks else dict.fromkeys(thread.steps, 0)

    def locks(self, held: Lockset) -> list[Lock]:
        """The locks of a set, whatever the mode."""
        return [lock for lock, number in self._locks.items() if held >> number & 1]

    def against(self, held: Lockset, writes: bool) -> Lockset:
        """The locks of a set that exclude what conflicts with an access."""
        return held >> self._size if writes else held & ~(-1 << self._size)

    def steps(self, thread: ThreadSteps) -> Iterator[tuple[Step, Lockset]]:
        """The steps of a thread, with the locks that are held before each."""
        for node, before in self._before[thread].items():
            held = before
            for step in thread.steps[node]:
                yield step, held
                held = self.after(step, held)

    def after(self, step: Step, held: Lockset) -> Lockset:
        """The locks that are held after *step*."""
        if held:
            for location in step.writes:
                held &= ~self._overlapping(location)
            if step.loses:
                for location in step.targets:
                    held &= ~self._overlapping(location, step.lock)
        return held | self._gained(step.lock, step.gains)

    def _gained(self, lock: Lock | None, mode: str | None) -> Lockset:
        if lock is None or mode is None:
            return 0
        return self._both(lock) if mode == WRITING else 1 << self._locks[lock]

    def _both(self, lock: Lock) -> Lockset:
        return (1 | 1 << self._size) << self._locks[lock]

    def _overlapping(self, location: Location, lock: Lock | None = None) -> Lockset:
        """The locks that may be at a location; *lock*, if it is given, is the one of its array that is meant."""
        found = self._at.get(location)
        if found is None:
            found = sum(self._both(other) for other in self._locks if overlap(location, other.location))
            self._at[location] = found
        if lock is not None and lock.subscripts:
            for other in self._locks:
                if other.location is lock.location and other != lock:
                    found &= ~self._both(other)
        return found

    # The framework

    def boundary(self) -> Lockset:
        """A thread begins without locks."""
        return 0

    def bottom(self) -> Lockset:
        """All locks."""
        return -1

    def join(self, one: Lockset, other: Lockset) -> Lockset:
        """The locks that are held on both paths."""
        return one & other

    def transfer(self, node: Node, state: Lockset) -> Lockset:
        """The locks that are held behind a node."""
        for step in self._steps[node]:
            state = self.after(step, state)
        return state

    def along(self, edge: Outcome | None, state: Lockset) -> Lockset:
        """The result of an attempt says whether the lock is held."""
        return state if edge is None else state | self._gained(edge.lock, edge.mode)


def common(locksets: Iterable[Lockset]) -> Lockset:
    """The locks that are in all sets."""
    found = -1
    for each in locksets:
        found &= each
    return found
