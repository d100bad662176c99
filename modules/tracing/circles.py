"""Circles of threads that wait for each other."""

from collections.abc import Iterable, Mapping, Sequence

from cseq.model.claims import Reason
from cseq.model.trace import Stuck


def circle(waits: Mapping[int, Iterable[int]]) -> list[int]:
    """Threads that wait for each other in a cycle, from the smallest number on; empty where there is no cycle.

    waits: for each blocked thread those that have to act before it can go on.
    """

    def search(number: int, way: list[int]) -> list[int]:
        if number in way:
            return way[way.index(number) :]
        if number in dead or number not in waits:
            return []
        for other in sorted(waits[number]):
            found = search(other, [*way, number])
            if found:
                return found
        dead.add(number)
        return []

    dead: set[int] = set()
    for start in sorted(waits):
        found = search(start, [])
        if found:
            first = found.index(min(found))
            return found[first:] + found[:first]
    return []


def special_reason(threads: Sequence[Stuck]) -> Reason | None:
    """Why the threads are stuck, if the reason is special: one waits for itself, or for one that has ended.

    threads: those that are stuck, the circle first.
    """
    around = [stuck for stuck in threads if stuck.in_circle]
    alone = threads[len(around) :] if len(around) > 1 else threads
    if any(stuck.waits_for_itself for stuck in alone):
        return Reason.ITSELF
    if any(stuck.holder is not None and stuck.holder.ended for stuck in alone):
        return Reason.ENDED_HOLDER
    return None
