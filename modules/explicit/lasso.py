"""Decide whether an infinite execution, which repeats its last part for ever, violates a temporal property.

SPIN and TLC find such executions. The built-in engine follows them (`backends/explorer/lasso.c`). What it sees is
judged here, by the definition of the property: the word of the engine is not taken for it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from cseq.backends.records import Record, Tag
from cseq.modules.explicit.encode.step_program import Label
from cseq.modules.questions.ltl import TERMINATED, Formula


@dataclass(frozen=True)
class LassoState:
    """The parts of a state that matter for temporal properties.

    propositions: those that hold. labels: the kinds of labels at which threads stand, as a bit set. alive: the threads
    that exist. enabled: those that can go on.
    """

    propositions: frozenset[int]
    labels: int
    alive: frozenset[int]
    enabled: frozenset[int]


@dataclass(frozen=True)
class Lasso:
    """An infinite execution. movers: the thread that makes the transition after each state except the last.

    cycle: the number of transitions before the repeated part; if it is all of them, the last state is repeated.
    """

    states: Sequence[LassoState]
    movers: Sequence[int]
    cycle: int

    @property
    def repeated(self) -> Sequence[LassoState]:
        """The states that are repeated for ever."""
        return self.states[self.cycle :]

    def is_fair(self) -> bool:
        """Whether each thread that can always go on from some time on does so again and again (weak fairness)."""
        always = frozenset.intersection(*(state.enabled for state in self.repeated))
        return always <= set(self.movers[self.cycle :])

    def is_strongly_fair(self) -> bool:
        """Whether each thread that can go on again and again does so again and again."""
        sometimes = frozenset[int]().union(*(state.enabled for state in self.repeated))
        return sometimes <= set(self.movers[self.cycle :])

    def progresses(self) -> bool:
        """Whether the repeated part passes a progress label, or is empty."""
        return self.cycle == len(self.movers) or any(state.labels & Label.PROGRESS for state in self.repeated)

    def accepts(self) -> bool:
        """Whether it passes an acceptance label again and again."""
        return any(state.labels & Label.ACCEPT for state in self.repeated)

    def satisfies(self, formula: Formula, words: Sequence[str]) -> bool:
        """Whether *formula* holds. words: the propositions, by number."""
        return self._where(formula, words)[0]

    def _where(self, formula: Formula, words: Sequence[str]) -> list[bool]:
        """For each state, whether the formula holds of the execution from there on."""
        parts = [self._where(part, words) for part in formula.parts]
        states = range(len(self.states))
        if not parts:
            return [self._holds(formula.operator, state, words) for state in self.states]
        one, other = parts[0], parts[-1]
        match formula.operator:
            case "!":
                return [not holds for holds in one]
            case "&&":
                return [one[at] and other[at] for at in states]
            case "||":
                return [one[at] or other[at] for at in states]
            case "->":
                return [not one[at] or other[at] for at in states]
            case "<->":
                return [one[at] == other[at] for at in states]
            case "F":
                return self._stable(False, lambda at, then: one[at] or then)
            case "G":
                return self._stable(True, lambda at, then: one[at] and then)
            case "U":
                return self._stable(False, lambda at, then: other[at] or (one[at] and then))
            case "W":
                return self._stable(True, lambda at, then: other[at] or (one[at] and then))
            case "R":
                return self._stable(True, lambda at, then: other[at] and (one[at] or then))
        raise ValueError(formula.operator)

    @staticmethod
    def _holds(word: str, state: LassoState, words: Sequence[str]) -> bool:
        if word in ("true", "false"):
            return word == "true"
        return not state.alive if word == TERMINATED else words.index(word) in state.propositions

    def _stable(self, begin: bool, rule: Callable[[int, bool], bool]) -> list[bool]:
        """The solution of ``found[at] == rule(at, found[next])`` reached by starting from *begin* everywhere."""
        last = len(self.states) - 1
        # The state after the last transition is the one at the beginning of the repeated part.
        back = self.cycle if self.cycle < last else last
        found = [begin] * len(self.states)
        for _ in range(2):  # what holds at the end is known after one turn
            for at in range(last, -1, -1):
                found[at] = rule(at, found[at + 1] if at < last else found[back])
        return found


def read(reported: Iterable[Record], movers: Sequence[int], cycle: int) -> Lasso:
    """The execution that the engine *reported*. ValueError, with the reason, if that is not a lasso."""
    states = []
    for record in reported:
        if record.tag is Tag.STATE:
            propositions, labels, alive, enabled = record.numbers
            states.append(LassoState(_members(propositions), labels, _members(alive), _members(enabled)))
        elif record.tag is Tag.REFUSED:
            raise ValueError(record.text)
        elif record.tag is Tag.REPEATS and len(states) == len(movers) + 1:
            if not record.number:
                raise ValueError("what should be repeated does not end where it begins")
            return Lasso(states, movers, cycle)
    raise ValueError("its end is missing")


def _members(bits: int) -> frozenset[int]:
    return frozenset(number for number in range(bits.bit_length()) if bits >> number & 1)
