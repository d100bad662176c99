"""Which executions of the user's statements the moves of a counterexample belong to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cseq.base.trace import Move


@dataclass(eq=False)
class Instance:
    """One execution of a slot (`text.Slot`) by a thread.

    chain: the numbers that lead there, see `cseq.base.linemap.Origin`; its own is the last one.
    iteration: of the loops around; None as long as nothing but calls that it makes has been seen.
    moves: what it does itself, by the places in the list of all moves. first: of the first move, be it in a call.
    times: how often the thread has come to the slot, this one counted.
    """

    thread: int
    chain: tuple[int, ...]
    iteration: tuple[int, ...] | None
    first: int
    moves: list[int] = field(default_factory=list)
    times: int = 0
    over: bool = False

    @property
    def slot(self) -> int:
        """The number of the slot."""
        return self.chain[-1]


class Instances:
    """Finds the executions of statements in *moves*.

    of: for each move, the execution that it belongs to, or None for moves that are in no statement of the user's.
    all: the executions in order of their first moves.
    """

    def __init__(self, moves: Sequence[Move]) -> None:
        self.of: list[Instance | None] = []
        self.all: list[Instance] = []
        self._moves = moves
        self._tested = set(_tested(moves))
        self._open: dict[int, list[Instance]] = {}
        self._counts: Counter[tuple[int, int]] = Counter()
        for number, move in enumerate(moves):
            self.of.append(self._placed(number, move) if len(move.origin.statement) % 2 else None)

    def _placed(self, number: int, move: Move) -> Instance:
        chain, iteration = move.origin.statement, move.origin.iteration
        stack = self._open.setdefault(move.thread.number, [])
        while stack and not self._goes_on(stack[-1], chain, iteration, move.point):
            stack.pop()
        while not stack or len(stack[-1].chain) < len(chain):
            length = len(stack[-1].chain) + 2 if stack else 1
            self._begin(stack, move.thread.number, chain[:length], number)
        instance = stack[-1]
        if instance.iteration is not None and instance.iteration != iteration:
            instance.over = True  # the test of a loop is the last that is done of its condition
        instance.iteration = iteration
        instance.moves.append(number)
        return instance

    def _begin(self, stack: list[Instance], thread: int, chain: tuple[int, ...], number: int) -> None:
        instance = Instance(thread, chain, None, number)
        self._counts[thread, instance.slot] += 1
        instance.times = self._counts[thread, instance.slot]
        stack.append(instance)
        self.all.append(instance)

    def _goes_on(self, last: Instance, chain: tuple[int, ...], iteration: tuple[int, ...], point: int) -> bool:
        """Whether a move of *chain* is still part of *last*, or of a call that it makes."""
        if chain[: len(last.chain)] != last.chain:
            return False
        if len(chain) > len(last.chain):
            return not last.over and (last.iteration is None or iteration[: len(last.iteration)] == last.iteration)
        if last.over or any(self._moves[done].point == point for done in last.moves):
            return False
        if last.iteration is None or last.iteration == iteration:
            return True
        return last.chain in self._tested and iteration == _next(last.iteration, iteration)


def _tested(moves: Sequence[Move]) -> Iterator[tuple[int, ...]]:
    """The chains of conditions of loops that are evaluated in front of the loop, and again at the end of its body."""
    depths: dict[tuple[int, ...], set[int]] = {}
    for move in moves:
        depths.setdefault(move.origin.statement, set()).add(len(move.origin.iteration))
    return (chain for chain, found in depths.items() if len(found) > 1)


def _next(before: tuple[int, ...], now: tuple[int, ...]) -> tuple[int, ...]:
    """The iteration behind *before* of a loop that is as deep as that of *now*."""
    if len(before) < len(now):
        return (*before, 1)
    return (*before[:-1], before[-1] + 1) if before else ()
