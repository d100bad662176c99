"""Whether threads can wait for each other in a circle, as far as they wait for locks and for the ends of threads.

In a deadlock each thread of a circle has what the one before waits for: a lock that it may hold, or its own end. The
check finds an order of the waits in which each comes before those that it may block.
"""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter

from cseq.modules.ir import instructions as ir
from cseq.modules.modular.certificate.failure import RejectedError, UncoveredError
from cseq.modules.modular.certificate.form import Lock
from cseq.modules.modular.certificate.logic import Logic
from cseq.modules.modular.certificate.pairs import Locks, Moment, Reasons
from cseq.modules.modular.certificate.pointers import meet
from cseq.modules.modular.certificate.semantics import Wait


class WaitCheck:
    """The check of the waits of all threads."""

    def __init__(self, reasons: Reasons, logic: Logic, locks: Locks) -> None:
        self._reasons = reasons
        self._logic = logic
        self._locks = locks

    def check(self, waits: Sequence[Wait | ir.Instruction]) -> int:
        """How many pairs of waits were looked at. Raises RejectedError where threads may wait in a circle."""
        known: list[Wait] = []
        for each in waits:
            if not isinstance(each, Wait):
                raise UncoveredError(f"the wait at {each.origin}")
            known.append(each)
            if self._waits_for_itself(each):
                raise RejectedError(f"a thread may wait for itself at {each.instruction.origin}")
        order: TopologicalSorter[int] = TopologicalSorter()
        for number, one in enumerate(known):
            order.add(number, *(at for at, other in enumerate(known) if self._may_block(other, one)))
        try:
            order.prepare()
        except CycleError as error:
            raise RejectedError(
                f"the wait at {known[error.args[1][0]].instruction.origin} may be in a circle"
            ) from None
        return len(known) ** 2

    def _waits_for_itself(self, wait: Wait) -> bool:
        if isinstance(wait.what, Lock):
            return any(self._may_be_one(each, wait.what) for each in wait.state.may_hold)
        return wait.what in (None, wait.thread.number)

    def _may_block(self, other: Wait, one: Wait) -> bool:
        """Whether the thread that waits at *other* may have what *one* waits for."""
        if isinstance(one.what, Lock):
            if not any(self._may_be_one(each, one.what) for each in other.state.may_hold):
                return False
        elif one.what not in (None, other.thread.number):
            return False
        mine, theirs = (Moment(each.thread, each.state.alive, each.state.limits) for each in (one, other))
        if not self._reasons.may_be_parallel(mine, theirs):
            return False
        for lock, held in one.state.held.items():
            rival = other.state.held.get(lock)
            if held.writes and rival is not None and rival.writes and self._logic.is_fixed(lock) and (
                self._locks.excludes(rival) and self._locks.excludes(held)
            ):  # fmt: skip
                return False
        return True

    def _may_be_one(self, one: Lock, other: Lock) -> bool:
        """Whether two locks, perhaps of different threads, may be the same."""
        if one.address is not None and other.address is not None:
            is_fixed = self._logic.is_fixed
            if is_fixed(one.address) and is_fixed(other.address):
                difference = one.address.minus(other.address)
                if not difference.parts:
                    return not difference.constant
                if len(difference.parts) == 2 and all(a.is_object for a, _ in difference.parts):
                    return False
        return meet(one.places, other.places)
