"""A search of all states of a system of threads, any number of them, that counts threads instead of telling them apart.

A state is the values of the shared variables, and for each local state (`counting_steps`) how many threads are in it:
at most so many, or any number. Nothing that a thread does depends on another one's not being there, so what fewer
threads can do is covered. A state that repeats an earlier one on its way with more threads stands for any number of
those (Karp and Miller, J. Comput. Syst. Sci. 1969; Finkel and Schnoebelen, Theor. Comput. Sci. 2001). That decides
whether a check can fail, where the variables have finitely many values.

A search may be coarser: numbers above a limit stand for any number, and a variable that has many values is forgotten.
What it finds is not believed then; if it finds nothing, there is nothing.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product
from math import inf

from cseq.modules.deductive.karp_miller.locals import Local
from cseq.modules.deductive.karp_miller.steps import Outcome, Shared, Stepper
from cseq.modules.deductive.karp_miller.values import Identity
from cseq.modules.deductive.relevance import irrelevant


@dataclass(frozen=True)
class Precision:
    """threads: greater numbers of threads in one local state stand for any. values: a variable that has more is
    forgotten. states: when the search gives up."""

    threads: float
    values: float
    states: int


Counts = dict[int, float]
"""How many threads there are at most in each local state, by its number."""


@dataclass
class Node:
    """A state that the search has reached. earlier: the one before it. covered: there is a state with more threads."""

    shared: int
    counts: Counts
    earlier: Node | None
    covered: bool = False


@dataclass(frozen=True)
class Move:
    """An outcome, in numbers. thread: the local state of the thread itself, unless it has nothing left to do."""

    shared: int
    created: tuple[int, ...]
    thread: tuple[int, ...]
    changed: frozenset[int]


class ForgetError(Exception):
    """A variable, *name*, has had too many values."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class KarpMillerSearch:
    """One search at one precision, to its end.

    is_coarse: whether a higher precision may tell more. doubtful: a thread that begins may have the identity that any
    shared variable has; that cannot be, but proofs about few threads cannot say so.
    """

    def __init__(self, stepper: Stepper, precision: Precision, deadline: float, doubtful: bool = False) -> None:
        self.stepper = stepper
        self.precision = precision
        self.deadline = deadline
        self.doubtful = doubtful
        self.exact = True
        self.is_coarse = bool(stepper.forgotten - irrelevant(stepper.system))
        self.shared: list[Shared] = []
        self.locals: list[Local] = []
        self._shared_numbers: dict[Shared, int] = {}
        self._local_numbers: dict[Local, int] = {}
        self._greatest: dict[int, list[Node]] = {}
        self._moves: dict[tuple[int, int], list[Move]] = {}
        self._values: dict[tuple[int, int], set[object]] = {}
        self._renamed: dict[tuple[int, frozenset[int]], int] = {}

    def run(self) -> SearchResult:
        """Raises ForgetError."""
        shared, main = self.stepper.first()
        work: deque[Node] = deque()
        self._reach(self._shared(shared), {self.number(main): 1}, None, work)
        number = 0
        while work:
            node = work.popleft()
            if node.covered:
                continue
            number += 1
            if number > self.precision.states or time.monotonic() > self.deadline:
                return self._found(None)
            for local in list(node.counts):
                moves = self.step(node.shared, local)
                if moves is None:
                    return self._found(False)
                for move in moves:
                    self._reach(move.shared, self._after(node.counts, local, move), node, work)
        return self._found(True)

    def _found(self, safe: bool | None) -> SearchResult:
        return SearchResult(safe, self.exact and not self.is_coarse, self)

    def states(self) -> list[Node]:
        """The states that have been reached, without those that others cover."""
        return [node for nodes in self._greatest.values() for node in nodes]

    # Numbers of states

    def _shared(self, shared: Shared) -> int:
        number = self._shared_numbers.get(shared)
        if number is None:
            number = self._shared_numbers[shared] = len(self.shared)
            self.shared.append(shared)
            for slot, value in enumerate(shared):
                self._note(-1, slot, value)
        return number

    def number(self, local: Local) -> int:
        """The number of a local state."""
        number = self._local_numbers.get(local)
        if number is None:
            number = self._local_numbers[local] = len(self.locals)
            self.locals.append(local)
            for slot, value in enumerate(local.values):
                self._note(local.template, slot, value)
        return number

    def _note(self, template: int, slot: int, value: object) -> None:
        values = self._values.setdefault((template, slot), set())
        values.add(value)
        if len(values) > self.precision.values:
            slots = self.stepper.programs[max(template, 0)].slots
            raise ForgetError(slots.variables[slot if template < 0 else slots.shared + slot][0].name)

    # Steps

    def step(self, shared: int, local: int) -> list[Move] | None:
        """What a thread can do; None if a check may fail."""
        key = (shared, local)
        moves = self._moves.get(key)
        if moves is None:
            steps = self.stepper.steps(self.shared[shared], self.locals[local])
            self.exact = self.exact and steps.certain
            if steps.failing:
                return None
            distinct = dict.fromkeys(steps.outcomes)
            moves = self._moves[key] = [move for outcome in distinct for move in self._variants(self._move(outcome))]
        return moves

    def _move(self, outcome: Outcome) -> Move:
        created = tuple(self.number(thread) for thread in outcome.created)
        thread = () if outcome.thread is None else (self.number(outcome.thread),)
        return Move(self._shared(outcome.shared), created, thread, outcome.changed)

    def _variants(self, move: Move) -> Iterator[Move]:
        """The move; if it is doubted, also with each other identity of a thread that begins."""
        if not self.doubtful:
            yield move
            return
        own = frozenset[int]().union(*(self.locals[local].names for local in move.thread))
        for created in product(*(list(self.newborn(move.shared, begun, own)) for begun in move.created)):
            yield replace(move, created=created)

    def newborn(self, shared: int, begun: int, others: frozenset[int] = frozenset()) -> Iterator[int]:
        """A thread that begins, named by nothing, and by what may name it as far as can be said: not by *others*."""
        local = self.locals[begun]
        yield begun
        if not self.stepper.system.templates[local.template].is_replicated:
            return
        named = [slot for slot, value in enumerate(self.shared[shared]) if isinstance(value, Identity)]
        free = [slot for slot in named if slot not in others]
        for size in range(1, len(free) + 1):
            for names in combinations(free, size):
                yield self.number(replace(local, names=frozenset(names)))

    def renamed(self, local: int, slots: frozenset[int]) -> int:
        """The local state of another thread after *slots* have changed."""
        key = (local, slots)
        if slots and key not in self._renamed:
            self._renamed[key] = self.number(self.locals[local].without(slots))
        return self._renamed[key] if slots else local

    def _after(self, counts: Counts, local: int, move: Move) -> Counts:
        after = dict(counts)
        if after[local] == 1:
            del after[local]
        else:
            after[local] -= 1
        if move.changed:
            moved: Counts = {}
            for other, number in after.items():
                new = self.renamed(other, move.changed)
                self.exact = self.exact and new == other
                moved[new] = moved.get(new, 0) + number
            after = moved
        for arrived in (*move.created, *move.thread):
            after[arrived] = after.get(arrived, 0) + 1
        for place, number in after.items():
            if number > self.precision.threads and number != inf:
                after[place] = inf
                self.is_coarse = True
        return after

    # States

    def _reach(self, shared: int, counts: Counts, earlier: Node | None, work: deque[Node]) -> None:
        greatest = self._greatest.setdefault(shared, [])
        if any(covers(node.counts, counts) for node in greatest):
            return
        node = earlier
        while node is not None:
            if node.shared == shared and covers(counts, node.counts):
                for place, number in counts.items():
                    if number > node.counts.get(place, 0):
                        counts[place] = inf
            node = node.earlier
        new = Node(shared, counts, earlier)
        for node in greatest:
            node.covered = covers(counts, node.counts)
        self._greatest[shared] = [*(node for node in greatest if not node.covered), new]
        work.append(new)


@dataclass
class SearchResult:
    """What a search has found.

    safe: no check fails; None if the search was given up. exact: a check fails in an execution, too; never said for
    certain where anything stands for any value, or for any number without being reached.
    """

    safe: bool | None
    exact: bool
    search: KarpMillerSearch

    @property
    def states(self) -> list[Node]:
        """The states that have been reached, without those that others cover."""
        return self.search.states()


def covers(greater: Counts, less: Counts) -> bool:
    """Whether there are at least as many threads everywhere."""
    return len(less) <= len(greater) and all(greater.get(place, 0) >= number for place, number in less.items())
