"""Freedom from deadlocks: no circle of threads can wait for each other.

Threads wait for locks and for the ends of others. In a deadlock there is a circle of waits, each of another thread,
that are made at the same time, and each thread has what the one before waits for: a lock, or its own end. A lock that
two of them certainly hold excludes that (the lock order of Engler, Ashcraft, RacerX, SOSP 2003, with the gate locks of
Havelund, SPIN 2000). A thread that ends with a lock, or that may wait for itself, is left over as well. Other waits are
not followed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cseq.modules.analysis.dataflow import reachable
from cseq.modules.ir import instructions as ir
from cseq.modules.modular.accesses import Thread, may_be_parallel, meet
from cseq.modules.modular.environment import Environment
from cseq.modules.modular.state import Held, MayHold, Range
from cseq.modules.modular.terms import OBJECTS, Bounds, Symbol, Term


@dataclass(eq=False)
class Wait:
    """A wait of a thread. what: the lock, the creation of the thread that has to end, or None for any thread.

    may_hold: the locks that it may hold, and held: those that it certainly holds.
    """

    thread: Thread
    instruction: ir.Instruction
    may_hold: frozenset[MayHold]
    held: Mapping[Term, Held]
    what: MayHold | int | None
    alive: Mapping[int, Range | None]
    bounds: Mapping[Symbol, Bounds]


class LockOrder:
    """The waits of all threads, in one round. refused: those that are not followed."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._waits: list[Wait] = []
        self._ends: list[ir.Instruction] = []
        self.refused: list[ir.Call] = []

    def note(
        self, thread: Thread, call: ir.Call, may_hold: frozenset[MayHold], held: Mapping[Term, Held],
        what: MayHold | int | None, alive: Mapping[int, Range | None], bounds: Mapping[Symbol, Bounds],
    ) -> None:  # fmt: skip
        """Note a wait."""
        self._waits.append(Wait(thread, call, may_hold, held, what, alive, bounds))

    def refuse(self, call: ir.Call) -> None:
        """Note a wait that is not followed."""
        self.refused.append(call)

    def end(self, thread: Thread, instruction: ir.Instruction, may_hold: frozenset[MayHold]) -> None:
        """Note the end of a thread."""
        if may_hold:
            self._ends.append(instruction)

    def open(self) -> list[ir.Instruction]:
        """What is left over: a wait that is not followed, an end with a lock, or waits that may be in a circle."""
        if self.refused:
            return list(self.refused[:1])
        alone = [each.instruction for each in self._waits if self._waits_for_itself(each)]
        found = [*self._ends, *alone]
        if found:
            return found[:1]
        after = {one: [other for other in self._waits if self._blocks(other, one)] for one in self._waits}
        for wait in self._waits:
            if wait in reachable(after.__getitem__, after[wait]):
                return [wait.instruction]
        return []

    def _waits_for_itself(self, wait: Wait) -> bool:
        if not isinstance(wait.what, MayHold):
            return wait.what in (None, wait.thread.number)
        return any(_may_be_one(each, wait.what) for each in wait.may_hold)

    def _blocks(self, other: Wait, one: Wait) -> bool:
        """Whether the thread of *other*, which waits there, may have what *one* waits for."""
        if isinstance(one.what, MayHold):
            if not any(_may_be_one(each, one.what) for each in other.may_hold):
                return False
        elif one.what not in (None, other.thread.number):
            return False
        if not may_be_parallel(one, other):
            return False
        gates = {lock for lock, how in one.held.items() if how.writes and lock.is_fixed}
        return not any(
            lock in gates and how.writes and self._environment.excludes(how) for lock, how in other.held.items()
        )


def _may_be_one(one: MayHold, other: MayHold) -> bool:
    """Whether two locks may be the same."""
    if one.lock is not None and other.lock is not None and one.lock.is_fixed and other.lock.is_fixed:
        difference = one.lock.minus(other.lock)
        objects = {symbol for symbol, _ in difference.parts}
        if difference.is_constant:
            return difference.constant == 0
        if len(objects) == 2 and all(symbol.kind in OBJECTS for symbol in objects):
            return False
    return meet(one.places, other.places)
