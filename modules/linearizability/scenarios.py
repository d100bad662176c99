"""The scenarios: which thread makes which calls, one after the other."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cseq.modules.linearizability.structure import Call, Structure

SIZES = ((2, 3), (3, 2))
"""Threads, and calls of each, of the largest scenarios, unless the user says otherwise."""


@dataclass(frozen=True)
class Scenario:
    """threads: the numbers of the calls that each thread makes, in order. Threads that come later are no smaller."""

    threads: tuple[tuple[int, ...], ...]

    @property
    def size(self) -> int:
        """How many calls there are."""
        return sum(len(calls) for calls in self.threads)


def scenarios(structure: Structure, sizes: Sequence[tuple[int, int]] = SIZES) -> list[Scenario]:
    """All scenarios of two threads and more, smallest first; up to exchanging threads, if the calls do not tell them.

    sizes: threads and calls of each; a thread may make fewer calls. Of several with the same number of calls, those
    with fewer threads come first.
    """
    alike = not any("CSEQ_THREAD" in call.code for call in structure.all_calls)
    found = {
        scenario
        for most, calls in sizes
        for threads in range(min(most, 2), most + 1)
        for lengths in _lengths(threads, calls, alike)
        for scenario in _of_lengths(structure.all_calls, lengths, alike)
    }
    return sorted(found, key=lambda scenario: (scenario.size, len(scenario.threads), scenario.threads))


def _lengths(threads: int, calls: int, alike: bool) -> Iterator[tuple[int, ...]]:
    """How many calls each thread makes. alike: threads can be exchanged."""
    numbers = range(1, calls + 1)
    return (
        itertools.combinations_with_replacement(numbers, threads)
        if alike
        else itertools.product(numbers, repeat=threads)
    )


def _of_lengths(calls: Sequence[Call], lengths: Sequence[int], alike: bool) -> Iterator[Scenario]:
    """Those whose threads make so many calls; each set of threads once, if they are *alike*."""
    numbers = [call.number for call in calls]
    roles = {call.number: call.role for call in calls}
    for chosen in itertools.product(*(itertools.product(numbers, repeat=length) for length in lengths)):
        in_order = not alike or list(chosen) == sorted(chosen, key=lambda one: (len(one), one))
        if in_order and _roles_fit(chosen, roles):
            yield Scenario(chosen)


def _roles_fit(threads: Sequence[Sequence[int]], roles: dict[int, str]) -> bool:
    """Whether each role is played by one thread at most."""
    played = [{roles[number] for number in calls} - {""} for calls in threads]
    return all(one.isdisjoint(other) for one, other in itertools.combinations(played, 2))
