"""Exhaustive search: all executions of a program, up to the order of operations that commute.

Source sets and sleep sets, after P. Abdulla, S. Aronis, B. Jonsson and K. Sagonas, "Optimal Dynamic Partial Order
Reduction" (POPL 2014), section 5; without states: each execution begins anew, with prescribed choices.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from cseq.modules.compiled.client.record import ChoiceKind, End, RequestFlag, ResultRecord, Strategy, World
from cseq.modules.compiled.client.server import RunBatch as Runs
from cseq.modules.compiled.client.server import Server
from cseq.modules.compiled.happens_before import Event, Order, dependent, enables, events

MOST_THREADS = 64
_LIMITS = frozenset({End.STEPS, End.TIME, End.THREADS, End.LOG, End.KILLED, End.UNHANDLED, End.DIVERGED})
"""How a run ends that was cut off."""


@dataclass(frozen=True)
class ReductionResult:
    """The result of an exhaustive search.

    complete: whether all executions have been run. found: the order for the first that is a violation. runs: how many
    executions were run; redundant: those that were given up, since equivalent ones had been run. cut: how the first run
    ended that was cut off. operations: of the longest run.
    """

    complete: bool
    found: Runs | None
    runs: int
    redundant: int
    cut: End | None = None
    operations: int = 0


@dataclass
class _Node:
    """A state of the present execution, with what has been and what is to be explored from it.

    choices: how many choices had been made. asleep: the threads that need not be explored, with their next operations.
    explored: those that have been, with the operations. todo: the threads to be explored.
    """

    choices: int
    enabled: int
    asleep: dict[int, Event]
    explored: dict[int, Event] = field(default_factory=dict)
    todo: set[int] = field(default_factory=set)


@dataclass
class _Value:
    """A choice of the present execution that is not about threads. position: among the choices. value: as recorded."""

    position: int
    kind: ChoiceKind
    value: int
    alternatives: int
    node: int


class Reduction:
    """One exhaustive search. reduced: off to run all interleavings, which is for tests only."""

    def __init__(
        self,
        server: Server,
        order: Runs,
        bad: Callable[[ResultRecord], bool],
        *,
        reduced: bool = True,
        progress: Callable[[int], None] = lambda runs: None,
    ) -> None:
        flags = order.flags | RequestFlag.SLEEP_SETS | RequestFlag.EARLY
        self._order = replace(order, runs=1, strategy=Strategy.RUN, flags=flags)
        self._server = server
        self._bad = bad
        self._reduced = reduced
        self._progress = progress
        self._nodes: list[_Node] = []
        self._values: list[_Value] = []
        self._choices: list[tuple[int, int]] = []
        self.runs = self.redundant = self.operations = 0
        self.schedules: set[int] = set()

    def go(self, end: float | None = None, most: int | None = None) -> ReductionResult:
        """Search until there is a violation, all executions have been run, or the time *end* (`time.monotonic`)."""
        prefix: list[tuple[int, int]] | None = []
        asleep: dict[int, Event] = {}
        cut: End | None = None
        while prefix is not None:
            if (end is not None and time.monotonic() > end) or (most is not None and self.runs >= most):
                return self._result(False, None, cut)
            mask = sum(1 << thread for thread in asleep)
            result = self._server.run(replace(self._order, choices=prefix, asleep=mask))
            self.runs += 1
            if result.world & World.MODEL:
                self._reduced = False
            self.redundant += result.end == End.REDUNDANT
            self.operations = max(self.operations, result.operations)
            self._progress(self.runs)
            made = [(choice.kind, choice.value, choice.alternatives) for choice in self._server.array("choices")]
            self._choices = [(kind, value) for kind, value, _ in made]
            if result.end != End.REDUNDANT:
                self.schedules.add(result.schedule)
                if self._bad(result):
                    return self._result(False, replace(self._order, choices=self._choices, asleep=0), cut)
            if End(result.end) in _LIMITS or result.threads > MOST_THREADS:
                cut = cut or (End.THREADS if result.threads > MOST_THREADS else End(result.end))
                if result.end == End.DIVERGED:
                    return self._result(False, None, cut)
            self._follow(made, len(prefix))
            prefix, asleep = self._next()
        return self._result(cut is None, None, cut)

    def _result(self, complete: bool, found: Runs | None, cut: End | None) -> ReductionResult:
        return ReductionResult(complete, found, self.runs, self.redundant, cut, self.operations)

    def _follow(self, made: list[tuple[int, int, int]], kept: int) -> None:
        """Take the run that was just made as the present execution. kept: how many of its choices were prescribed."""
        run, announced = events(bytes(self._server.array("entries")))
        begin = len(self._nodes)
        for number in range(max(begin - 1, 0), len(run)):
            event = run[number]
            if number >= begin:
                self._nodes.append(_Node(event.choice - _counted(event), event.enabled, self._inherited(run, number)))
            node = self._nodes[number]
            node.explored[event.thread] = event
            node.todo.add(event.thread)
        at = {value.position for value in self._values}
        for position, (kind, value, alternatives) in enumerate(made):
            if kind != ChoiceKind.THREAD and position >= kept and position not in at:
                self._values.append(_Value(position, ChoiceKind(kind), value, alternatives, _node_at(run, position)))
        if not self._reduced:
            for node in self._nodes:
                node.todo |= {n for n in range(MOST_THREADS) if node.enabled >> n & 1}
            return
        order = Order(run)
        for number in range(max(begin - 1, 0), len(run)):
            self._reverse(order, number, run[number])
        for event in announced:
            self._reverse(order, len(run), event)

    def _inherited(self, run: list[Event], number: int) -> dict[int, Event]:
        """The threads that sleep in the state before the operation with this *number*."""
        if number == 0:
            return {}
        node, last = self._nodes[number - 1], run[number - 1]
        asleep = {**node.asleep, **{t: e for t, e in node.explored.items() if t != last.thread}}
        if any(value.node == number - 1 and value.value > 0 for value in self._values):
            return {}
        return {thread: event for thread, event in asleep.items() if not dependent(event, last)}

    def _reverse(self, order: Order, number: int, event: Event) -> None:
        """Have executions explored in which *event* comes before each operation that it might precede."""
        for other in order.reversible(number, event):
            node = self._nodes[other]
            first = order.initials(other, number, event)
            if not node.todo.isdisjoint(first):
                continue
            able = [thread for thread in first if node.enabled >> thread & 1]
            if able:
                node.todo.add(event.thread if event.thread in able else able[0])
            elif not enables(order.run[other]):
                node.todo |= {n for n in range(MOST_THREADS) if node.enabled >> n & 1}

    def _next(self) -> tuple[list[tuple[int, int]] | None, dict[int, Event]]:
        """The choices that the next run begins with, and the threads that sleep then; None when all is done."""
        while self._nodes:
            number = len(self._nodes) - 1
            if self._values and self._values[-1].node >= number:
                value = self._values[-1]
                if value.value + 1 < value.alternatives:
                    value.value += 1
                    return [*self._choices[: value.position], (value.kind, value.value)], {}
                self._values.pop()
                continue
            node = self._nodes[-1]
            for thread in sorted(node.todo - set(node.explored)):
                if self._reduced and thread in node.asleep:
                    continue
                asleep = {**node.asleep, **node.explored} if self._reduced else {}
                return [*self._choices[: node.choices], (ChoiceKind.THREAD, thread)], asleep
            self._nodes.pop()
        return None, {}


def _counted(event: Event) -> int:
    """Whether the choice of the thread of *event* is counted in its choices: 1 where there was one."""
    return int(event.enabled & (event.enabled - 1) != 0)


def _node_at(run: list[Event], position: int) -> int:
    """The number of the operation in whose execution the choice at *position* was made."""
    found = 0
    for number, event in enumerate(run):
        if event.choice > position:
            break
        found = number
    return found
