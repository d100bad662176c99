"""Assign the moves of a counterexample to executions of the user's statements."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cseq.model.trace import Move


@dataclass(eq=False)
class Instance:
    """One execution of a slot (`cseq.c.numbering.Slot`) by a thread.

    chain: the slots that lead there, see `cseq.model.origin.Origin`; the last number is that of the slot itself.
    iteration: the iterations of the enclosing loops; None as long as only moves in its calls have been seen.
    moves: its own moves, as indices in the list of all moves. first: the index of the first move, be it in a call.
    times: how many times the thread has come to the slot, including this time.
    over: it has ended; later moves belong to another execution.
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
    """The executions of statements in *moves*.

    of: for each move, the execution to which it belongs; None for moves in no statement of the user's.
    all: the executions in the order of their first moves.
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
            instance.over = True  # the test of a loop is the last part of its condition
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
        """Whether a move with this *chain* still belongs to *last*, or to a call that it makes."""
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
    """The chains of loop conditions that are evaluated before the loop, and again at the end of its body."""
    depths: dict[tuple[int, ...], set[int]] = {}
    for move in moves:
        depths.setdefault(move.origin.statement, set()).add(len(move.origin.iteration))
    return (chain for chain, found in depths.items() if len(found) > 1)


def _next(before: tuple[int, ...], now: tuple[int, ...]) -> tuple[int, ...]:
    """The iteration after *before*, at the loop depth of *now*."""
    if len(before) < len(now):
        return (*before, 1)
    return (*before[:-1], before[-1] + 1) if before else ()
