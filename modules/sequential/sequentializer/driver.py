"""The driver: the main function of a sequentialized program, which schedules the threads."""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from cseq.c.generated import ours
from cseq.modules.library import lexicon
from cseq.modules.sequential.sequentializer.contexts import Plan
from cseq.modules.sequential.sequentializer.threadfunction import ThreadFunction

_LAST = "__cs_last"  # the number of the thread that ran last
_SWITCHES = "__cs_switches"  # the number of context switches so far


class Driver:
    """Calls the existing threads, in rounds, and guesses before each call where the thread will be switched out.

    plan: which threads it calls when. dynamic: whether atomic sections are determined at run time. with_library:
    whether the program can create threads.
    judge: the prefix of the library functions that judge where the threads stand in the last state; None if the
        property does not depend on that (see `modules/analysis/marks.py`).
    lifetimes: whether there is something to do when the last thread ends, and the process with it.
    """

    def __init__(
        self,
        threads: list[ThreadFunction],
        plan: Plan,
        dynamic: bool,
        with_library: bool,
        judge: str | None = None,
        lifetimes: bool = False,
    ) -> None:
        self.threads = threads
        self._plan = plan
        self.dynamic = dynamic
        self._with_library = with_library
        self.judge = judge
        self._lifetimes = lifetimes

    def nodes(self) -> list[c_ast.Node]:
        """The definition of main."""
        lines = ["int main(void)", "{"]
        if self._with_library:
            lines.append("__cs_active[0] = 1;")
        # After the last round main runs once more: it can join its threads and see their results.
        rounds = [*self._plan.rounds, [0]] if len(self.threads) > 1 else [[0]]
        met: set[int] = set()
        for thread in (self.threads[number] for listed in rounds for number in listed):
            lines.extend(self._context(thread, first=thread.number not in met))
            met.add(thread.number)
        lines.extend(self.after_last_context())
        lines[2:2] = self.declarations()
        return ours([*lines, "return 0;", "}"], [f"__CSEQ_bits_{thread.width}" for thread in self.threads])

    def control(self) -> list[str]:
        """The declarations of the driver's own variables, which are initially 0, like main's number."""
        if self._plan.switches is None:
            return []
        return [
            f"__CSEQ_bits_{(len(self.threads) - 1).bit_length()} {_LAST};",
            f"__CSEQ_bits_{(self._plan.switches + 1).bit_length()} {_SWITCHES};",
        ]

    def declarations(self) -> list[str]:
        """The declarations of main's own variables."""
        return []

    def at_begin(self, thread: ThreadFunction) -> Iterator[str]:
        """Further restrictions on the context of *thread*."""
        yield from ()

    def at_end(self, thread: ThreadFunction) -> Iterator[str]:
        """What is recorded about the context of *thread*, before its end becomes the place where the thread stands."""
        yield from ()

    def after_last_context(self) -> Iterator[str]:
        """What happens after main's last context."""
        if self.judge is not None:
            yield from self._asked(self.judge)
        if self._lifetimes and self._with_library:
            # Main has left ending the process to the other threads.
            others = [f"(!__cs_active[{t.number}] || __cs_finished[{t.number}])" for t in self.threads[1:]]
            yield f"if ({' && '.join(['__cs_finished[0]', *others])}) {lexicon.PROCESS_ENDS}(1);"

    def widths(self) -> set[int]:
        """The widths of all control variables, in bits."""
        return {thread.width for thread in self.threads} | {
            int(line.split()[0].rpartition("_")[2]) for line in self.control() if line.startswith("__CSEQ_bits_")
        }

    def _context(self, thread: ThreadFunction, first: bool) -> Iterator[str]:
        """A context of *thread*, which may be empty. first: whether it is the thread's first."""
        if thread.number:
            yield f"if (__cs_active[{thread.number}]) {{"
        yield f"{lexicon.THREAD} = {thread.number};"
        yield f"{thread.cs} = __CSEQ_nondet_bits_{thread.width}();"
        yield f"{lexicon.ASSUME}({thread.cs} <= {thread.size});"
        if not first:
            yield f"{lexicon.ASSUME}({thread.cs} >= {thread.pc});"
        if self._plan.switches is not None:
            yield f"if ({thread.cs} > {thread.pc}) {{"
            yield f"{_SWITCHES} = {_SWITCHES} + ({_LAST} != {thread.number});"
            yield f"{_LAST} = {thread.number};"
            yield f"{lexicon.ASSUME}({_SWITCHES} <= {self._plan.switches});"
            yield "}"
        if self.dynamic and self.judge is not None:
            # A thread that stands inside an atomic section at the end is the last one that did anything.
            yield f"{lexicon.ASSUME}(__cs_atomic == 0 || {thread.cs} == {thread.pc});"
        yield from self.at_begin(thread)
        yield f"{thread.called}();"
        if self.dynamic and self.judge is None:
            yield f"{lexicon.ASSUME}(__cs_atomic == 0);"
        yield from self.at_end(thread)
        yield f"{thread.pc} = {thread.cs};"
        if thread.number:
            yield "}"

    def _asked(self, prefix: str) -> Iterator[str]:
        """After the last round, the threads that the property asks for report what they are about to execute."""
        yield f"{lexicon.STANDING} = 1;"
        yield f"{prefix}_begin();"
        for thread in self.threads:
            if not thread.is_marked:
                yield f"{lexicon.ASSUME}(!{prefix}_asks({thread.number}));"
                continue
            yield f"if ({prefix}_asks({thread.number})) {{"
            yield f"{lexicon.THREAD} = {thread.number};"
            yield f"{thread.called}();"
            yield "}"
        yield f"{prefix}_end();"
