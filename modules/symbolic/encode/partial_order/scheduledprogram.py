"""The sequential program that makes the steps of one known schedule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pycparser import c_ast

from cseq.c import build
from cseq.modules.library import lexicon
from cseq.modules.symbolic.encode.partial_order.trace_order import Run
from cseq.modules.symbolic.encode.sequentializer.driver import Driver
from cseq.modules.symbolic.encode.sequentializer.threadfunction import ThreadFunction

_LEFT = "__cs_left_"
"""A thread that never goes on: the label that it stands at need not be known."""


class ScheduledThread(ThreadFunction):
    """A thread instance with control code; in its last context it may stop at any label from the given one on."""

    def _guard(self, labels: int | None = None) -> c_ast.Node:
        guard = super()._guard(labels)
        assert isinstance(guard, c_ast.FuncCall)
        cond = c_ast.BinaryOp("||", guard.args.exprs[0], build.ident(f"{_LEFT}{self.number}"))
        return build.call(lexicon.ASSUME, cond)


class ScheduledDriver(Driver):
    """Calls the threads in the order of a schedule. runs: the schedule; empty where the program is never executed."""

    runs: Sequence[Run] = ()
    _called = 0

    def control(self) -> list[str]:
        """Also whether a thread is in its last context."""
        return [*super().control(), *(f"unsigned char {_LEFT}{thread.number};" for thread in self.threads)]

    def at_begin(self, thread: ThreadFunction) -> Iterator[str]:
        """Notes that the context is the last one of a thread of which no more is known."""
        here = self._called
        self._called += 1
        if here < len(self.runs) and self.runs[here].is_left:
            yield f"{_LEFT}{thread.number} = 1;"


def scheduled_by(schedule: Sequence[Run]) -> type[ScheduledDriver]:
    """The drivers of *schedule*."""

    class _Scheduled(ScheduledDriver):
        runs = schedule

    return _Scheduled
