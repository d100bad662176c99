"""The statements of a counterexample at which a validator can switch threads.

A validator that executes the program holds a thread before the first statement of each context, until the thread of the
context before has executed the first statement of that one (ConcurrentWitness2Test puts calls around these statements).
So a context must not begin with a statement that does not end, such as a `return` or a wait; nor with a branch or loop,
whose end is where its body begins, which may not be executed; nor with a statement that some thread executes earlier,
too, since that thread would be held. It is best if it begins with the first statement that
depends on another thread, or, without one, with the last statement that another thread depends on. A witness may leave
out statements. So it leaves out those before the one that is best; what is left is still a part of the same execution.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from cseq.c.positions import SourceText, Statement
from cseq.model.origin import Origin
from cseq.model.trace import Step
from cseq.report.witness.waypoints import SourcePlace, Texts, Waypoint

_LEAVING = frozenset({"return", "goto", "break", "continue"})
_WAITING = frozenset({
    "pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait", "cnd_wait", "cnd_timedwait",
    "pthread_barrier_wait", "pthread_exit", "thrd_exit", "exit", "abort",
})  # fmt: skip


def followable(points: Sequence[Waypoint], steps: Sequence[Step], texts: Texts) -> list[Waypoint]:
    """Those of *points* that remain where each context begins with a statement at which threads can be switched.

    All points remain that are not the begin of a statement. In time order, as *points*, which are those of the *steps*.
    """
    return list(_Contexts(points, steps, texts).remaining())


class _Contexts:
    """The contexts of a counterexample: the points between two switches."""

    def __init__(self, points: Sequence[Waypoint], steps: Sequence[Step], texts: Texts) -> None:
        self._points = points
        self._steps = steps
        self._texts = texts
        self._functions = texts.functions()
        self._passed: set[tuple[str, int]] = set()  # lines that some thread has executed

    def remaining(self) -> Iterator[Waypoint]:
        before = None
        position = 0
        for thread, group in groupby(self._points, key=lambda point: point.thread):
            context = list(group)
            # Without the contexts that were left out, this may go on with the one before. The first needs no switch.
            first = (
                0
                if not position or thread == before
                else self._anchor(range(position, position + len(context))) - position
            )
            for offset, point in enumerate(context):
                if offset >= first or point.kind != "begin":
                    before = thread
                    yield point
            self._passed |= {(point.place.file, point.place.line) for point in context}
            position += len(context)

    def _anchor(self, context: range) -> int:
        """The position of the point at which the *context*, a range of positions, best begins; its end for none."""
        able = [position for position in context if self._is_anchor(position, context.stop == len(self._points))]
        depending = [position for position in context if self._conflicts(position, 0, self._points[position].step)]
        if depending:
            best = depending[0]
        else:
            others = [position for position in context if self._conflicts(position, self._points[position].step + 1)]
            best = max(others, default=context.start)
        early = [position for position in able if position <= best]
        return max(early) if early else min(able, default=context.stop)

    def _conflicts(self, position: int, begin: int, end: int | None = None) -> bool:
        """Whether the step at the point conflicts with one of another thread among the steps from *begin* to *end*."""
        here = self._points[position]
        touched = {access.address for access in self._steps[here.step].accesses if access.address}
        stored = {a.address for a in self._steps[here.step].accesses if a.kind == "write"}
        return any(
            access.address in touched and (access.kind == "write" or access.address in stored)
            for step in self._steps[begin:end]
            if step.thread != here.thread
            for access in step.accesses
        )

    def _is_anchor(self, position: int, is_last: bool) -> bool:
        """Whether a context can begin with the statement at the point. is_last: it has the violation."""
        point = self._points[position]
        if (point.place.file, point.place.line) in self._passed:
            return False
        found = self._statement(point.place)
        if found is None:
            return False
        text, statement = found
        if is_last:  # nothing waits for its end
            return True
        if statement.keyword or text.tokens[statement.first].text in _LEAVING:
            return False
        called = {call.name for call in text.calls([point.place.line], point.place.function)}
        return called.isdisjoint(_WAITING | self._functions)

    def _statement(self, place: SourcePlace) -> tuple[SourceText, Statement] | None:
        """The statement that begins on the line of *place*, if there is exactly one."""
        found = self._texts.find(Origin(place.file, place.line, function=place.function))
        if found is None:
            return None
        beginning = found[0].beginning([place.line], place.function)
        return (found[0], beginning[0]) if len(beginning) == 1 else None
