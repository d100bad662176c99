"""The driver: the main function of a sequentialized program, which schedules the threads."""

from collections.abc import Iterator

from pycparser import c_ast

from cseq.c.generated import ours
from cseq.modules.library import lexicon
from cseq.modules.symbolic.encode.sequentializer.contexts import Plan
from cseq.modules.symbolic.encode.sequentializer.resume import LIMITS
from cseq.modules.symbolic.encode.sequentializer.threadfunction import ThreadFunction
from cseq.modules.symbolic.encode.sequentializer.tiles import WHOLE, Context, Range, Tile, ranges

_LAST = "__cs_last"  # the number of the thread that ran last
_SWITCHES = "__cs_switches"  # the number of context switches so far


class Driver:
    """Calls the existing threads, in rounds, and guesses before each call where the thread will be switched out.

    plan: which threads it calls when. dynamic: whether atomic sections are determined at run time. with_library:
    whether the program can create threads.
    judge: the prefix of the library functions that judge where the threads stand in the last state; None if the
        property does not depend on that (see `modules/analysis/marks.py`).
    lifetimes: whether there is something to do when the last thread ends, and the process with it.
    tile: the part of the schedules; None for all of them.
    """

    def __init__(
        self,
        threads: list[ThreadFunction],
        plan: Plan,
        dynamic: bool,
        with_library: bool,
        judge: str | None = None,
        lifetimes: bool = False,
        tile: Tile | None = None,
    ) -> None:
        self.threads = threads
        self._plan = plan
        self.dynamic = dynamic
        self._with_library = with_library
        self.judge = judge
        self._lifetimes = lifetimes
        # After the last round main runs once more: it can join its threads and see their results.
        rounds = [*plan.rounds, [0]] if len(threads) > 1 else [[0]]
        self._order = [threads[number] for listed in rounds for number in listed]
        self._tile = tile
        self._ranges = ranges(tile or WHOLE, [Context(thread.number, thread.size) for thread in self._order])
        self._stands = {thread.number: Range(0, 0) for thread in threads}  # where each may stand; kept up in a tile

    def nodes(self) -> list[c_ast.Node]:
        """The definition of main."""
        lines = ["int main(void)", "{"]
        if self._with_library:
            lines.append("__cs_active[0] = 1;")
        if self._ranges is None:  # There are fewer schedules than tiles.
            lines.append(f"{lexicon.ASSUME}(0);")
        else:
            lines.extend(self._contexts(self._ranges))
            lines.extend(self.after_last_context())
        lines[2:2] = self.declarations()
        return ours([*lines, "return 0;", "}"], [f"__CSEQ_bits_{width}" for width in self.widths()])

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

    def without_steps(self, thread: ThreadFunction) -> None:
        """Called instead of making a context of *thread* that has no steps in any execution of the tile."""

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
        guessed = {within.bits for within in self._ranges or [] if self._tile is not None and within.bits}
        return (
            guessed
            | {thread.width for thread in self.threads}
            | {int(line.split()[0].rpartition("_")[2]) for line in self.control() if line.startswith("__CSEQ_bits_")}
        )

    def _contexts(self, found: list[Range]) -> Iterator[str]:
        """All contexts, which end within the ranges *found*."""
        met: set[int] = set()
        for thread, within in zip(self._order, found, strict=True):
            if self._tile is None:
                yield from self._context(thread, first=thread.number not in met)
            elif within.places == 1 and within == self.stands(thread):
                self.without_steps(thread)
            else:
                yield from self._context(thread, self.stands(thread).most == 0, within)
            met.add(thread.number)
            self._stands[thread.number] = within

    @property
    def is_part(self) -> bool:
        """Whether it makes only a part of the schedules."""
        return self._tile is not None

    def stands(self, thread: ThreadFunction) -> Range:
        """Where *thread* may stand now."""
        return self._stands[thread.number] if self._tile is not None else Range(0, thread.size)

    def limits(self, thread: ThreadFunction, within: Range) -> Iterator[str]:
        """What the thread function has to know of a context that ends *within* a range."""
        for name, value in zip(LIMITS, (*self.stands(thread), *within), strict=True):
            yield f"{name} = {value};"

    def _context(self, thread: ThreadFunction, first: bool, within: Range | None = None) -> Iterator[str]:
        """A context of *thread*, which may be empty. first: whether it is the thread's first.

        within: where it may be switched out; None for anywhere. A thread that does not exist stands at 0.
        """
        conditional = thread.number > 0 and (within is None or within.least == 0)
        if conditional:
            yield f"if (__cs_active[{thread.number}]) {{"
        elif thread.number:
            yield f"{lexicon.ASSUME}(__cs_active[{thread.number}]);"
        yield f"{lexicon.THREAD} = {thread.number};"
        if within is not None:
            yield from self.limits(thread, within)
        yield from self._guess(thread, within)
        if not first and (within is None or self.stands(thread).most > within.least):
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
        if conditional:
            yield "}"

    def _guess(self, thread: ThreadFunction, within: Range | None) -> Iterator[str]:
        """The guess where *thread* will be switched out."""
        if within is None:
            yield f"{thread.cs} = __CSEQ_nondet_bits_{thread.width}();"
            yield f"{lexicon.ASSUME}({thread.cs} <= {thread.size});"
            return
        if within.places == 1:
            yield f"{thread.cs} = {within.least};"
            return
        # The high-order bits are constants, so that comparisons with labels outside of the range are, too.
        block = within.least >> within.bits << within.bits
        fixed = f"{block} | " if block else ""
        yield f"{thread.cs} = {fixed}__CSEQ_nondet_bits_{within.bits}();"
        yield f"{lexicon.ASSUME}({thread.cs} <= {within.most});"
        if within.least > block:
            yield f"{lexicon.ASSUME}({thread.cs} >= {within.least});"

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
