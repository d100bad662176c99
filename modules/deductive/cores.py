"""The part of an inductive invariant that checks need: what people want to read, and solvers have to check."""

import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cseq.modules.deductive.proofs import Place
from cseq.modules.deductive.symbolic import Term, conjunction
from cseq.modules.deductive.views import Key, Known, Obligation, View, is_about
from cseq.modules.deductive.vocabulary import Guard

NEVER: Key = (Guard(), "=", (), 1)
"""The constraint of a place that is never reached."""


@dataclass(frozen=True)
class Goal:
    """What has to follow, from constraints at *sources* and from *holds*, besides obligations: that no check fails."""

    sources: tuple[tuple[Place, View], ...]
    holds: list[Term]
    goal: Term


def essential(
    known: dict[Place, Known],
    obligations: Iterable[Obligation],
    goals: Iterable[Goal],
    ask: Callable[..., bool],
) -> dict[Place, list[Key]]:
    """Constraints that are inductive, imply the goals, and keep unreached places so; for each place that is reached.

    They are found backwards by unsatisfiable cores. ask: whether a solver has a model under some
    assumptions; whatever it raises is passed on.
    """
    return _Essential(known, list(obligations), ask).found(goals)


class _Essential:
    def __init__(self, known: dict[Place, Known], obligations: list[Obligation], ask: Callable[..., bool]) -> None:
        self._z3 = importlib.import_module("z3")
        self._ask = ask
        self._all = {place: invariant.keys() for place, invariant in known.items()}
        self._is_reached = {place: invariant.version > 0 for place, invariant in known.items()}
        self._into: dict[Place, list[Obligation]] = {place: [] for place in known}
        for obligation in obligations:
            if all(self._is_reached[place] for place, _ in obligation.sources):
                self._into[obligation.target].append(obligation)
        self._needed: dict[Place, dict[Key, None]] = {place: {} for place in known}
        self._new: dict[Place, dict[Key, None]] = {
            place: {} if self._is_reached[place] else {NEVER: None} for place in known
        }

    def found(self, goals: Iterable[Goal]) -> dict[Place, list[Key]]:
        """The constraints that are needed."""
        for goal in goals:
            if all(self._is_reached[place] for place, _ in goal.sources):
                self._need(goal.sources, goal.holds, goal.goal)
        while any(self._new.values()):
            for place in self._new:
                keys = list(self._new[place])
                self._needed[place] |= self._new[place]
                self._new[place] = {}
                for obligation in self._into[place] if keys else ():
                    wanted = [key for key in keys if is_about(obligation.changed, key)]
                    if wanted:
                        goal = conjunction(obligation.after.terms(wanted))
                        self._need(obligation.sources, obligation.holds, goal)
        return {place: list(keys) for place, keys in self._needed.items() if self._is_reached[place]}

    def _need(self, sources: tuple[tuple[Place, View], ...], holds: list[Term], goal: Term) -> None:
        """Need what *goal* takes of the constraints at its sources."""
        solver = self._z3.Solver()
        facts = [*holds, self._z3.Not(goal)]
        labels: dict[int, tuple[Place, Key]] = {}
        assumed = []
        for place, view in sources:
            for key in self._all[place]:
                if key in self._needed[place] or key in self._new[place]:
                    facts.append(view.term(key))
                    continue
                label, implication = view.labelled(key)
                facts.append(implication)
                assumed.append(label)
                labels[label.get_id()] = (place, key)
        solver.add(conjunction(facts))
        follows = not self._ask(solver, assumed)
        assert follows, "what is inductive has a core that is"
        for label in solver.unsat_core():
            place, key = labels[label.get_id()]
            self._new[place][key] = None
