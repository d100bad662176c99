"""What calls have returned: in sequential orders, and in executions with several threads."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cseq.modules.linearizability.scenario_programs import ReturnedCall, ScenarioFrame
from cseq.modules.linearizability.scenarios import Scenario
from cseq.modules.linearizability.structure import QUIESCENT, SEQUENTIAL

Order = tuple[ReturnedCall, ...]
Orders = Collection[Order]
"""Sequential orders, with what each call returns. One that ends early is the beginning of others, or waits for ever."""

Place = tuple[int, int]
"""A call of a scenario: its thread, and its number among the thread's calls, from 0 on."""

Before = tuple[Place, Place]
"""Two calls of different threads, of which the first one has returned before the second one begins."""


@dataclass(frozen=True)
class History:
    """An execution of a scenario.

    returned: the calls that have returned. waiting: those that have begun and not returned. before: pairs of calls, of
    which the first one comes first in an order that explains the results. is_stuck: those that wait do so for ever.
    """

    returned: tuple[ReturnedCall, ...]
    waiting: frozenset[Place] = frozenset()
    before: tuple[Before, ...] = ()
    is_stuck: bool = False

    @property
    def between(self) -> tuple[Before, ...]:
        """Those of the pairs that are calls of different threads."""
        return tuple(pair for pair in self.before if pair[0][0] != pair[1][0])

    @classmethod
    def of(cls, record: Mapping[str, Any], frame: ScenarioFrame) -> History:
        """The history in a *record* of the explorer of execution graphs, where a call has the number of its place."""

        def place(slot: int) -> Place:
            return divmod(slot, frame.calls)

        returned = {place(int(slot)): result for slot, result in record["returned"].items()}
        pairs = tuple((place(earlier), place(later)) for earlier, later in record["before"])
        begun = frozenset(place(int(slot)) for slot in record["begun"])
        return cls(
            tuple(ReturnedCall(*each, result) for each, result in returned.items()),
            begun - returned.keys(),
            _kept(pairs, begun, frame.structure.consistency),
            record["stuck"],
        )


def _kept(before: tuple[Before, ...], calls: Collection[Place], consistency: str) -> tuple[Before, ...]:
    """Those of the pairs *before*, a partial order of the *calls*, that the consistency asks to be kept.

    Two calls are apart if each call of one part comes before each of the other part, for some division into two parts.
    That is so if no way leads from one to the other by pairs of calls without an order.
    """
    if consistency == SEQUENTIAL:
        return ()
    if consistency != QUIESCENT:
        return tuple(pair for pair in before if pair[0][0] != pair[1][0])
    ordered = {frozenset(pair) for pair in before}
    part = {call: {call} for call in calls}
    for one, other in itertools.combinations(calls, 2):
        if frozenset((one, other)) not in ordered and part[one] is not part[other]:
            part[one] |= part[other]
            for call in part[other]:
                part[call] = part[one]
    return tuple((earlier, later) for earlier, later in before if part[earlier] is not part[later])


@dataclass
class _Node:
    """The sequential orders that begin with the same calls and results. after: by what comes next."""

    after: dict[ReturnedCall, _Node] = field(default_factory=dict)


class OrderTree:
    """Sequential orders as a tree, in which those that explain a history are searched."""

    def __init__(self, known: Orders) -> None:
        self._root = _Node()
        for order in known:
            node = self._root
            for call in order:
                node = node.after.setdefault(call, _Node())

    def explains(self, history: History) -> bool:
        """Whether some order has all calls that have returned, with the same results, and keeps the pairs of the
        history. It may have calls that wait, unless these wait for ever: then each of them would wait after it.
        """
        results = {(one.thread, one.number): one.result for one in history.returned}
        needs: dict[Place, set[Place]] = {}
        for earlier, later in history.before:
            needs.setdefault(later, set()).add(earlier)

        def leads_on(node: _Node, done: frozenset[Place]) -> bool:
            if results.keys() <= done and not (history.is_stuck and self._goes_on(node, history.waiting)):
                return True
            for call, after in node.after.items():
                place = (call.thread, call.number)
                if place in results:
                    fits = results[place] == call.result
                else:
                    fits = place in history.waiting and not history.is_stuck
                if fits and needs.get(place, set()) <= done and leads_on(after, done | {place}):
                    return True
            return False

        return leads_on(self._root, frozenset())

    @staticmethod
    def _goes_on(node: _Node, waiting: Collection[Place]) -> bool:
        return any((call.thread, call.number) in waiting for call in node.after)

    def reduced(self, history: History) -> History:
        """*history*, which no order explains, without pairs that make no difference to that."""
        for pair in history.before:
            fewer = replace(history, before=tuple(other for other in history.before if other != pair))
            if not self.explains(fewer):
                history = fewer
        return history


def orders(collected: Iterable[str], frame: ScenarioFrame) -> Orders:
    """The orders in the records that the program for sequential orders leaves, as hexadecimal numbers."""
    room = frame.threads * frame.calls
    in_order = frame.for_orders is frame
    padding = "4x" if (1 + room) % 2 else ""
    form = struct.Struct(f"<i{room}i{padding}{room}q")
    found = set[Order]()
    for record in collected:
        count, *values = form.unpack(bytes.fromhex(record))
        made = [0] * frame.threads
        order = list[ReturnedCall]()
        for thread, result in zip(values[:count], values[room : room + count], strict=True):
            if in_order:
                order.append(ReturnedCall(thread, made[thread], result))
                made[thread] += 1
            else:
                order.append(ReturnedCall(thread // frame.calls, thread % frame.calls, result))
        found.add(tuple(order))
    return found


def precedences(
    heard: Sequence[Sequence[int]], scenario: Scenario
) -> tuple[tuple[ReturnedCall, ...], tuple[Before, ...]]:
    """The calls that have returned, and which of them were over before others began, also before calls that have not
    returned.

    heard: for each return the thread, the set of threads that were in calls, and the result. A pair is left out if
    it follows from the order in a thread and others.
    """
    made: dict[int, int] = {}
    found: list[ReturnedCall] = []
    pairs: list[tuple[Place, Place]] = []
    waiting: dict[int, list[Place]] = {}  # thread → calls that were over before its next one began
    for thread, active, result in heard:
        place = (thread, made.get(thread, 0))
        found.append(ReturnedCall(*place, result))
        pairs += [(earlier, place) for earlier in waiting.pop(thread, ())]
        made[thread] = place[1] + 1
        for other in set(range(len(scenario.threads))) - {thread}:
            if not active >> other & 1:
                last = [earlier for earlier in waiting.get(other, ()) if earlier[0] != thread]
                waiting[other] = [*last, place]
    for thread, places in waiting.items():  # those that had not returned, or not begun, when it was clear
        if (number := made.get(thread, 0)) < len(scenario.threads[thread]):
            pairs += [(earlier, (thread, number)) for earlier in places]
    return tuple(found), tuple(pairs)


def explained(
    record: str, scenario: Scenario, frame: ScenarioFrame, known: OrderTree
) -> tuple[tuple[ReturnedCall, ...], tuple[Before, ...]] | None:
    """The results in a record of an execution, and what was over before what, if no order explains them.

    None if one does.
    """
    room = frame.threads * frame.calls
    padding = "4x" if room % 2 else ""
    values = struct.unpack(f"<{room}q{room}i2i{padding}", bytes.fromhex(record))
    returned: list[ReturnedCall] = []
    periods: dict[Place, int] = {}
    for thread, calls in enumerate(scenario.threads):
        for number in range(len(calls)):
            slot = thread * frame.calls + number
            returned.append(ReturnedCall(thread, number, values[slot]))
            periods[thread, number] = values[room + slot]
    quiescent = frame.structure.consistency == QUIESCENT
    pairs = [pair for pair in itertools.permutations(periods, 2) if quiescent and periods[pair[0]] < periods[pair[1]]]
    if known.explains(History(tuple(returned), before=tuple(pairs))):
        return None
    return tuple(returned), tuple((earlier, later) for earlier, later in pairs if earlier[0] != later[0])


def place_of(thread: int) -> int:
    """The number of a scenario's thread, from 0 on, given the engine's: 0 is main, and 1 has ended before."""
    return thread - 2
