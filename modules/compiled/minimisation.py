"""Make the schedule of a violation small: few preemptions and switches first, then few operations."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from cseq.modules.compiled.client.record import ChoiceKind, RequestFlag, ResultRecord, Strategy
from cseq.modules.compiled.client.server import RunBatch, Server

_Choices = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class MinimisedRun:
    """The result. order: repeats the violation strictly. before, after: preemptions, switches and operations."""

    order: RunBatch
    before: tuple[int, int, int]
    after: tuple[int, int, int]
    runs: int


def shrunk(
    server: Server, order: RunBatch, same: Callable[[ResultRecord], bool], seconds: float = 2.0, most: int = 2000
) -> MinimisedRun | None:
    """The smallest order that was found for the violation of *order*, within the *seconds* and the *most* runs.

    order: repeats the violation strictly. same: whether a run ends with the same violation.
    Returns None if *order* does not repeat it.
    """
    return _Minimisation(server, order, same, time.monotonic() + seconds, most).go()


class _Minimisation:
    def __init__(
        self, server: Server, order: RunBatch, same: Callable[[ResultRecord], bool], end: float, most: int
    ) -> None:
        self._server, self._same, self._end, self._most = server, same, end, most
        self._strict = replace(order, runs=1, strategy=Strategy.RUN)
        # Where a choice does not fit any more, it is left out; after the last one, threads run on while they can.
        self._order = replace(self._strict, flags=order.flags & ~(RequestFlag.STRICT | RequestFlag.DETAIL))
        self._runs = 0
        self._tried: set[_Choices] = set()

    def go(self) -> MinimisedRun | None:
        """Shrink until nothing smaller is found."""
        choices = tuple((int(kind), int(value)) for kind, value in self._strict.choices)
        best = self._attempt(choices)
        if best is None:
            return None
        before = best[0]
        improved = True
        while improved and not self._is_over():
            improved = False
            for candidate in self._candidates(best[1]):
                if self._is_over():
                    break
                if candidate in self._tried:
                    continue
                found = self._attempt(candidate)
                if found is not None and found[0] < best[0]:
                    best, improved = found, True
                    break
        order = replace(self._strict, choices=best[1], flags=self._strict.flags | RequestFlag.STRICT)
        return MinimisedRun(order, before, best[0], self._runs)

    def _is_over(self) -> bool:
        return time.monotonic() > self._end or self._runs >= self._most

    def _attempt(self, choices: _Choices) -> tuple[tuple[int, int, int], _Choices] | None:
        """The size and the choices of a run with these *choices*, if it ends with the same violation."""
        self._tried.add(choices)
        self._runs += 1
        result = self._server.run(replace(self._order, choices=choices))
        if not self._same(result):
            return None
        made = tuple((int(one.kind), int(one.value)) for one in self._server.array("choices"))
        self._tried.add(made)
        return (result.preemptions, result.switches, result.operations), made

    def _candidates(self, choices: _Choices) -> Iterator[_Choices]:
        """Smaller or simpler choices, those that leave out most first."""
        count = len(choices)
        length = count // 2
        while length > 0:  # only the beginning, then without a part
            yield choices[: count - length]
            for start in range(0, count - length, length):
                yield choices[:start] + choices[start + length :]
            length //= 2
        blocks = _blocks(choices)
        for number in range(len(blocks) - 2):
            one, other, third = blocks[number : number + 3]
            if one[0][1] == third[0][1]:  # A B A: once A A B, once B A A
                rest = blocks[:number], blocks[number + 3 :]
                yield _joined(*rest[0], one, third, other, *rest[1])
                yield _joined(*rest[0], other, one, third, *rest[1])
        for number, block in enumerate(blocks[:-1]):  # the switch a little later or earlier
            after = blocks[number + 1]
            yield _joined(*blocks[:number], block, block[-1:], after, *blocks[number + 2 :])
            yield _joined(*blocks[:number], after, block, *blocks[number + 2 :])


def _blocks(choices: _Choices) -> list[_Choices]:
    """The choices in blocks of the same thread; choices of other kinds belong to the block before."""
    blocks: list[list[tuple[int, int]]] = []
    for kind, value in choices:
        starts = kind == ChoiceKind.THREAD and (not blocks or blocks[-1][0] != (kind, value))
        if starts or not blocks:
            blocks.append([])
        blocks[-1].append((kind, value))
    return [tuple(block) for block in blocks]


def _joined(*blocks: _Choices) -> _Choices:
    return tuple(choice for block in blocks for choice in block)
