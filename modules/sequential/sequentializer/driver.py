"""The driver: the main function of a sequentialized program, which schedules the threads."""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from cseq.c.generated import ours
from cseq.modules.library import lexicon
from cseq.modules.sequential.sequentializer.contexts import Plan
from cseq.modules.sequential.sequentializer.threadfunction import ThreadFunction

_LAST = "__cs_last"  # the number of the thread that has run last
_SWITCHES = "__cs_switches"  # how many context switches there were


class Driver:
    """Calls the threads that exist, in rounds, and guesses before each call where the thread will be switched out.

    plan: which threads it calls when. dynamic: whether atomic sections are told at run time. with_library: whether
    the program can create threads.
    standing: what the names of the library's functions begin with that judge where the threads stand in the end; None
        where the property is no matter of that (see `modules/analysis/marks.py`).
    lifetimes: whether something is to be done where the last thread ends, and the process with it.
    """

    def __init__(
        self,
        threads: list[ThreadFunction],
        plan: Plan,
        dynamic: bool,
        with_library: bool,
        standing: str | None = None,
        lifetimes: bool = False,
    ) -> None:
        self.threads = threads
        self._plan = plan
        self.dynamic = dynamic
        self._with_library = with_library
        self.standing = standing
        self._lifetimes = lifetimes

    def nodes(self) -> list[c_ast.Node]:
        """The definition of main."""
        lines = ["int main(void)", "{"]
        if self._with_library:
            lines.append("__cs_active[0] = 1;")
        # Behind the last round main goes on once more: it can join its threads and look at what they did.
        rounds = [*self._plan.rounds, [0]] if len(self.threads) > 1 else [[0]]
        met: set[int] = set()
        for thread in (self.threads[number] for listed in rounds for number in listed):
            lines.extend(self._context(thread, first=thread.number not in met))
            met.add(thread.number)
        lines.extend(self.behind())
        lines[2:2] = self.declarations()
        return ours([*lines, "return 0;", "}"], [f"__CSEQ_bits_{thread.width}" for thread in self.threads])

    def control(self) -> list[str]:
        """The declarations of the driver's own variables, which are 0 in the beginning, as main's number is."""
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
        """What else restricts the context of *thread*."""
        yield from ()

    def at_end(self, thread: ThreadFunction) -> Iterator[str]:
        """What is remembered of the context of *thread*, before its end becomes the place where the thread stands."""
        yield from ()

    def behind(self) -> Iterator[str]:
        """What happens behind main's last context."""
        if self.standing is not None:
            yield from self._asked(self.standing)
        if self._lifetimes and self._with_library:
            # Main has left it to the others to end the process.
            others = [f"(!__cs_active[{t.number}] || __cs_finished[{t.number}])" for t in self.threads[1:]]
            yield f"if ({' && '.join(['__cs_finished[0]', *others])}) {lexicon.PROCESS_ENDS}(1);"

    def widths(self) -> set[int]:
        """The bits of all control variables."""
        return {thread.width for thread in self.threads} | {
            int(line.split()[0].rpartition("_")[2]) for line in self.control() if line.startswith("__CSEQ_bits_")
        }

    def _context(self, thread: ThreadFunction, first: bool) -> Iterator[str]:
        """A context of *thread*, which may be empty. first: it has had none before."""
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
        if self.dynamic and self.standing is not None:
            # Who stands inside of an atomic section in the end is the last who did anything.
            yield f"{lexicon.ASSUME}(__cs_atomic == 0 || {thread.cs} == {thread.pc});"
        yield from self.at_begin(thread)
        yield f"{thread.called}();"
        if self.dynamic and self.standing is None:
            yield f"{lexicon.ASSUME}(__cs_atomic == 0);"
        yield from self.at_end(thread)
        yield f"{thread.pc} = {thread.cs};"
        if thread.number:
            yield "}"

    def _asked(self, prefix: str) -> Iterator[str]:
        """Behind the last round: those threads that the property asks for say what they stand in front of."""
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
