"""What threads know of the state in a counting search: one alone, or two together, closed under the steps of all.

The search knows of all threads at once. The invariants of a proof are about one thread or two, so they must be closed
under the steps of all threads that they allow, which may be more than there are (thread-modular verification: Flanagan
and Qadeer, SPIN 2003; for two threads: Hoenicke, Majumdar, Podelski, POPL 2017).
"""

from itertools import combinations

from cseq.modules.deductive.karp_miller.formulas import TooWeakError
from cseq.modules.deductive.karp_miller.states import ForgetError, KarpMillerSearch, Move

MOST_VIEWS = 20_000

View = tuple[int, ...]
"""Shared variables and the local states of one thread, or of two, by their numbers in the search."""


class _Views:
    """A set of views that grows until it is closed.

    doubtful: whether a thread that begins may be named already, since nothing is known of threads that have not begun.
    """

    doubtful = False

    def __init__(self, search: KarpMillerSearch) -> None:
        self.known: set[View] = set()
        self._search = search
        self._work: list[View] = []
        self._single = [not template.is_replicated for template in search.stepper.system.templates]
        self._beside: dict[View, set[int]] = {}

    def _add(self, shared: int, *locals_: int) -> None:
        view = (shared, *sorted(locals_))
        if view in self.known:
            return
        if len(self.known) >= MOST_VIEWS:
            raise TooWeakError("too many states")
        self.known.add(view)
        self._work.append(view)
        for position in range(1, len(view)):
            self._beside.setdefault((*view[:position], *view[position + 1 :]), set()).add(view[position])

    def moves(self, shared: int, local: int) -> list[Move]:
        """The steps of a thread. Raises TooWeakError if a check may fail."""
        try:
            moves = self._search.step(shared, local)
        except ForgetError as error:
            raise TooWeakError(f"too many values of {error.name}") from error
        if moves is None:
            raise TooWeakError("what the threads know of each other is not enough")
        return moves

    def together(self, *locals_: int) -> bool:
        """Whether there can be threads in these local states at once."""
        states = [self._search.locals[local] for local in locals_]
        return not any(
            one.names & other.names or (one.template == other.template and self._single[one.template])
            for one, other in combinations(states, 2)
        )

    def _step(self, view: View, actor: int) -> None:
        """The step of a thread, in the view of those that it is about, and of those that begin."""
        shared, others = view[0], [local for local in view[1:] if local != actor]
        if len(view) == 3 and view[1] == view[2] == actor:
            others = [actor]
        for move in self.moves(shared, actor):
            after = [self._search.renamed(other, move.changed) for other in others]
            self._notice(move.shared, [*after, *move.thread])
            for position, begun in enumerate(move.created):
                for variant in self._search.newborn(move.shared, begun) if self.doubtful else (begun,):
                    around = [*after, *move.thread, *move.created[:position]]
                    if all(self.together(variant, other) for other in around):
                        self._begin(move.shared, variant, around)

    def _notice(self, shared: int, locals_: list[int]) -> None:
        raise NotImplementedError

    def _begin(self, shared: int, begun: int, others: list[int]) -> None:
        raise NotImplementedError


class SingleViews(_Views):
    """The views of one thread."""

    doubtful = True

    def close(self) -> set[View]:
        """All views. Raises TooWeakError."""
        for node in self._search.states():
            for local in node.counts:
                self._add(node.shared, local)
        while self._work:
            view = self._work.pop()
            shared, local = view
            self._step(view, local)
            for other in list(self._beside[shared,]):
                if self.together(local, other):
                    self._step((shared, local, other), local)
                    self._step((shared, local, other), other)
        return self.known

    def _notice(self, shared: int, locals_: list[int]) -> None:
        for local in locals_:
            self._add(shared, local)

    def _begin(self, shared: int, begun: int, others: list[int]) -> None:
        self._add(shared, begun)


class PairViews(_Views):
    """The views of two threads; and those of one, beside which threads have not begun, or have ended."""

    def close(self) -> set[View]:
        """All views. Raises TooWeakError."""
        for node in self._search.states():
            for local, number in node.counts.items():
                self._add(node.shared, local)
                if number > 1:
                    self._add(node.shared, local, local)
            for one, other in combinations(node.counts, 2):
                self._add(node.shared, one, other)
        while self._work:
            view = self._work.pop()
            if len(view) == 2:
                self._step(view, view[1])
                continue
            shared, one, other = view
            self._step(view, one)
            self._step(view, other)
            for third in self._beside.get((shared, one), set()) & self._beside.get((shared, other), set()):
                if self.together(one, other, third):
                    self._disturb(shared, third, one, other)
                    self._disturb(shared, one, third, other)
                    self._disturb(shared, other, one, third)
        return self.known

    def _disturb(self, shared: int, actor: int, one: int, other: int) -> None:
        for move in self.moves(shared, actor):
            self._notice(move.shared, [self._search.renamed(local, move.changed) for local in (one, other)])

    def _notice(self, shared: int, locals_: list[int]) -> None:
        for local in locals_:
            self._add(shared, local)
        if len(locals_) == 2:
            self._add(shared, *locals_)

    def _begin(self, shared: int, begun: int, others: list[int]) -> None:
        self._add(shared, begun)
        for other in others:
            self._add(shared, begun, other)
