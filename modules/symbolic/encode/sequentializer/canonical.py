"""Canonical schedules, and the question whether the rounds cover all schedules.

A context in round 2 or later, including main's after the last round, is canonical if its first step conflicts with
something that other threads did after the thread's turn in the previous round. Each execution is equivalent to one
whose contexts are all canonical: a first step that commutes with all of that can be made at the end of the thread's
previous turn. So if no canonical execution of K rounds can be continued by a canonical context, K rounds cover all
schedules. docs/completeness.md has the argument.
"""

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, TypeVar

from pycparser import c_ast

from cseq.c import build
from cseq.model.claims import Cut, Limit
from cseq.modules.library import lexicon
from cseq.modules.symbolic.encode.sequentializer.contexts import Plan
from cseq.modules.symbolic.encode.sequentializer.driver import Driver
from cseq.modules.symbolic.encode.sequentializer.footprints import Footprint
from cseq.modules.symbolic.encode.sequentializer.threadfunction import ThreadFunction
from cseq.modules.symbolic.encode.sequentializer.tiles import Range, Tile
from cseq.pipeline.translator import Rewriter

BEYOND = "__cs_beyond"
"""The variable that records that the last round is over."""

MORE = Cut(Limit.MORE)
"""The cut that is reached if the rounds do not cover all schedules."""

_ANY_STEP = 1 << 63  # in a footprint: any access
_Key = TypeVar("_Key", bound=Hashable)
_NEXT = "__cs_next"  # the thread whose context begins the additional round


class CanonicalDriver(Driver):
    """A driver whose executions are canonical, and reach a cut if they can be continued after the last round.

    footprints: per thread and label, from `modules/symbolic/encode/sequentializer/footprints.py`.
    """

    def __init__(
        self,
        threads: list[ThreadFunction],
        plan: Plan,
        dynamic: bool,
        with_library: bool,
        footprints: Sequence[Sequence[Footprint]],
        judge: str | None = None,
        tile: Tile | None = None,
    ) -> None:
        super().__init__(threads, plan, dynamic, with_library, judge, tile=tile)
        self._steps = footprints
        self._turns: list[int] = []  # the threads whose turn it has been, in order

    def control(self) -> list[str]:
        """The variables of any driver, and the one that distinguishes the last round from the one after it."""
        return [*super().control(), f"unsigned char {BEYOND};", f"unsigned int {_NEXT};"]

    def declarations(self) -> list[str]:
        """Two variables for each turn: what the thread accessed in it, and what it wrote."""
        turns = len(self._turns)
        return [f"unsigned long long {name(turn)} = 0;" for turn in range(turns) for name in (_touched, _wrote)]

    def at_begin(self, thread: ThreadFunction) -> Iterator[str]:
        """A context that is not the thread's first is empty or canonical."""
        if thread.number in self._turns:
            causes = " || ".join([f"{thread.cs} == {thread.pc}", *self._causes(thread)])
            yield f"{lexicon.ASSUME}({causes});"

    def at_end(self, thread: ThreadFunction) -> Iterator[str]:
        """Record the accesses of the steps from where the thread stood to where it was switched out."""
        turn = len(self._turns)
        self._turns.append(thread.number)
        steps = self._steps[thread.number]
        for name, part in ((_touched, _touches), (_wrote, _writes)):
            for mask, labels in _grouped([part(step) for step in steps]).items():
                made = " || ".join(f"!({thread.pc} > {label} || {label} >= {thread.cs})" for label in labels)
                yield f"if ({made}) {name(turn)} |= {mask}ULL;"
        if self.dynamic:
            yield f"if ({thread.cs} > {thread.pc}) {_touched(turn)} |= {_ANY_STEP}ULL;"

    def without_steps(self, thread: ThreadFunction) -> None:
        """A turn all the same, in which nothing is accessed."""
        self._turns.append(thread.number)

    def after_last_context(self) -> Iterator[str]:
        """After main's last context any other thread may begin one more."""
        yield f"{BEYOND} = 1;"
        yield f"{_NEXT} = __CSEQ_nondet_uint();"
        for thread in self.threads[1:]:
            causes = list(self._causes(thread))
            stands = self.stands(thread)
            if not causes or stands.least == thread.size:
                continue
            yield f"if (__cs_active[{thread.number}] && {_NEXT} == {thread.number}) {{"
            yield f"{lexicon.THREAD} = {thread.number};"
            if self.is_part:  # Where the additional context ends is not limited.
                yield from self.limits(thread, Range(stands.least + 1, thread.size))
            yield f"{thread.cs} = __CSEQ_nondet_bits_{thread.width}();"
            yield f"{lexicon.ASSUME}({thread.cs} <= {thread.size});"
            yield f"{lexicon.ASSUME}({thread.cs} > {thread.pc});"
            yield f"{lexicon.ASSUME}({' || '.join(causes)});"
            if self.dynamic:
                yield f"{lexicon.ASSUME}(__cs_atomic == 0);"
            yield f"{thread.called}();"
            if self.dynamic and self.judge is None:
                yield f"{lexicon.ASSUME}(__cs_atomic == 0);"
            yield f'__CSEQ_unwound(0, "{MORE.key}");'
            yield "}"

    def _causes(self, thread: ThreadFunction) -> Iterator[str]:
        """Conditions, one of which has to hold for the thread's next step to conflict with what others have done.

        That is, with what they have done since its last turn. A step that may begin an atomic section conflicts with
        every step, because it could only be moved together with others.
        """
        last = len(self._turns) - 1 - self._turns[::-1].index(thread.number)
        since = range(last + 1, len(self._turns))
        touched = " | ".join(_touched(turn) for turn in since)
        wrote = " | ".join(_wrote(turn) for turn in since)
        if not touched:
            return
        for (reads, writes), labels in _grouped([_needs(step) for step in self._steps[thread.number]]).items():
            here = " || ".join(f"{thread.pc} == {label}" for label in labels)
            conflicts = [f"(({wrote}) & {reads}ULL) != 0"] if reads else []
            conflicts += [f"(({touched}) & {writes}ULL) != 0"] if writes else []
            if conflicts:
                yield f"(({here}) && ({' || '.join(conflicts)}))"


class WithoutLifetimes(Rewriter):
    """Takes marks of lifetimes out of thread functions. That the process may end in one more round counts as such."""

    def visit_FuncCall(self, node: c_ast.FuncCall) -> Any:
        match node.name:
            case c_ast.ID(name=lexicon.BEGINS | lexicon.ENDS):
                return []
            case c_ast.ID(name=lexicon.PROCESS_ENDS):
                over = c_ast.UnaryOp("!", build.ident(BEYOND))
                return build.call(lexicon.ASSERT, over, build.string(MORE.key), origin=node.coord)
        return node


def _touched(turn: int) -> str:
    return f"__cs_touched_{turn}"


def _wrote(turn: int) -> str:
    return f"__cs_wrote_{turn}"


def _touches(step: Footprint) -> int:
    return step.touches


def _writes(step: Footprint) -> int:
    return step.writes


def _needs(step: Footprint) -> tuple[int, int]:
    return (0, _ANY_STEP) if step.section else (step.reads & ~step.writes, step.writes)


def _grouped(keys: Sequence[_Key]) -> dict[_Key, list[int]]:
    """The labels with each key, without those that have none."""
    groups: dict[_Key, list[int]] = {}
    for label, key in enumerate(keys):
        if key:
            groups.setdefault(key, []).append(label)
    return groups
