"""What calls have returned: in sequential orders, and in executions with several threads."""

import itertools
import struct
from collections.abc import Collection, Iterable, Sequence

from cseq.modules.linearizability.scenario_programs import ReturnedCall, ScenarioFrame
from cseq.modules.linearizability.scenarios import Scenario
from cseq.modules.linearizability.structure import QUIESCENT

Order = tuple[ReturnedCall, ...]
Orders = Collection[Order]
"""Sequential orders, with what each call returns. One that ends early is the beginning of others, or waits for ever."""

Place = tuple[int, int]
"""A call of a scenario: its thread, and its number among the thread's calls, from 0 on."""

Before = tuple[Place, Place]
"""Two calls of different threads, of which the first one has returned before the second one begins."""


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
    record: str, scenario: Scenario, frame: ScenarioFrame, known: Orders
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
    wanted = {(one.thread, one.number): one.result for one in returned}
    quiescent = frame.structure.consistency == QUIESCENT
    for order in known:
        if len(order) != len(wanted) or any(wanted[one.thread, one.number] != one.result for one in order):
            continue
        passed = [periods[one.thread, one.number] for one in order]
        if not quiescent or passed == sorted(passed):
            return None
    before = [
        (earlier, later)
        for earlier, later in itertools.permutations(periods, 2)
        if quiescent and earlier[0] != later[0] and periods[earlier] < periods[later]
    ]
    return tuple(returned), tuple(before)


def place_of(thread: int) -> int:
    """The number of a scenario's thread, from 0 on, given the engine's: 0 is main, and 1 has ended before."""
    return thread - 2
