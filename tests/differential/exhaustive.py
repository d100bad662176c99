"""All executions of a small program, without bounds on rounds: what explicit-state search is compared with.

As `reference`, of which it is a part, but any thread goes on at any time. Loops are bounded all the same, since a
thread's state is all that it has seen.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.differential.reference import MAIN, Key, Program, State, TooBig, Undefined, _Node, _Violated, _World


@dataclass
class Everything:
    """violated: whether an assertion fails or the thread library is misused. cut: whether a loop or a recursion was
    cut off. seen: as in `reference.Result`. preemptions: how many the first violation takes, at least."""

    violated: bool
    cut: bool
    seen: dict[str, dict[int, int]] = field(default_factory=dict)
    preemptions: int = 0


class _Anytime(_World):
    """The exploration of one program, in the order of preemptions, as far as these are counted."""

    def __init__(self, program: Program, unwind: int, bits: int, limit: int, counts: bool) -> None:
        super().__init__(program, 0, unwind, bits, limit, frozenset())
        self._most, self._counts = limit, counts
        self.cut = False
        self.spent = 0

    def explore(self) -> None:
        """Raises _Violated, TooBig, Undefined."""
        first = (((MAIN, self._root(MAIN, "main", 0)),), tuple(self._initial), 0)
        known: set[tuple[State, Key]] = set()
        work = [(first, MAIN)]
        later: list[tuple[State, Key]] = []  # steps that take one preemption more
        while work:
            while work:
                state, last = work.pop()
                alone = self._counts and self._can_go_on(state, last)
                for key, _ in state[0]:
                    if alone and key != last:
                        later.append((state, key))
                    else:
                        self._add_steps(state, key, known, work)
            if later:
                self.spent += 1
                for state, key in later:
                    self._add_steps(state, key, known, work)
                later = []

    def _add_steps(self, state: State, key: Key, known: set[tuple[State, Key]], work: list[tuple[State, Key]]) -> None:
        for after in self._to_the_end(state, key):
            item = (after, key if self._counts else MAIN)
            if item not in known:
                known.add(item)
                work.append(item)
        if len(known) > self._most:
            raise TooBig

    def _to_the_end(self, state: State, key: Key) -> list[State]:
        """What a step of a thread leads to, or all of an atomic section."""
        known: set[State] = set()
        work = [state]
        done = []
        while work:
            for after in self._step(work.pop(), key):
                if after[2] == 0:
                    done.append(after)
                elif after not in known:
                    if dict(after[0])[key].action[0] == "done":
                        raise Undefined("a thread ends in an atomic section")
                    known.add(after)
                    work.append(after)
        return done

    def _can_go_on(self, state: State, key: Key) -> bool:
        """Whether *key*, which ran last, can make a step. The end of the process is one."""
        if dict(state[0])[key].action[0] == "exit":
            return True
        return bool(self._to_the_end(state, key))

    def _settled(self, node: _Node) -> Iterator[_Node]:
        self.cut = self.cut or node.action == ("stuck", "cut")
        return super()._settled(node)


def everything(program: Program, unwind: int, bits: int = 64, limit: int = 60_000, counts: bool = False) -> Everything:
    """Whether an assertion can fail in any execution in which loops run *unwind* times at most.

    counts: whether to tell how many preemptions that takes.
    Raises Undefined for programs that are no tests, and TooBig.
    """
    world = _Anytime(program, unwind, bits, limit, counts)
    try:
        world.explore()
        violated = False
    except _Violated:
        violated = True
    return Everything(violated, world.cut, world.seen, world.spent)
