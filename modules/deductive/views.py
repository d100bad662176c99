"""Invariants in the making, and what they have to satisfy, as terms of Z3."""

import importlib
from collections.abc import Iterator
from dataclasses import dataclass

from cseq.modules.deductive.proofs import Place
from cseq.modules.deductive.regions import Point, Region, Sum
from cseq.modules.deductive.symbolic import EdgeEffect, Executor, Store, Term
from cseq.modules.deductive.transitions import Edge, Template
from cseq.modules.deductive.vocabulary import Frame, Guard

Key = tuple[Guard, str, Sum, int]
"""A constraint: under this guard a sum is equal to (`=`), at most (`<`), or different from (`!`) a number."""


class View:
    """Constraints on the variables of a frame, as terms on symbols of theirs; each term is made once."""

    def __init__(self, executor: Executor, frame: Frame, store: Store) -> None:
        self._z3 = importlib.import_module("z3")
        self._store = store
        self._values = [executor.integer(store[variable.name]) for variable in frame.variables]
        self._frame = frame
        self._made: dict[Key, Term] = {}
        self._labelled: dict[Key, tuple[Term, Term]] = {}

    def point(self, model: Term) -> Point:
        """The values that variables have in a model."""
        return tuple(model.eval(value, model_completion=True).as_long() for value in self._values)

    def have(self, values: Store) -> list[Term]:
        """That the variables have these values."""
        return [self._store[variable.name] == values[variable.name] for variable in self._frame.variables]

    def terms(self, keys: list[Key]) -> list[Term]:
        """Constraints as terms."""
        return [self.term(key) for key in keys]

    def term(self, key: Key) -> Term:
        """A constraint as a term."""
        if key not in self._made:
            self._made[key] = self._new(*key)
        return self._made[key]

    def labelled(self, key: Key) -> tuple[Term, Term]:
        """A truth value of its own, and that it implies the constraint."""
        if key not in self._labelled:
            label = self._z3.FreshBool("needed")
            self._labelled[key] = (label, self._z3.Implies(label, self.term(key)))
        return self._labelled[key]

    def _new(self, guard: Guard, sign: str, terms: Sum, value: int) -> Term:
        if guard.terms:
            holds = self.term((Guard(), guard.sign, guard.terms, guard.value))
            return self._z3.Implies(holds, self.term((Guard(), sign, terms, value)))
        if not terms:
            return self._z3.BoolVal(value == 0)
        parts = [self._values[index] if factor == 1 else factor * self._values[index] for factor, index in terms]
        whole = self._z3.Sum(parts)
        return whole == value if sign == "=" else whole <= value if sign == "<" else whole != value


@dataclass
class Known:
    """What is known of a place. version: how often it has changed."""

    template: Template
    frame: Frame
    regions: list[Region]
    version: int = 0

    def keys(self, changed: frozenset[int] | None = None) -> list[Key]:
        """The constraints; with *changed*, those on a variable with one of these indices."""
        found: list[Key] = []
        always: set[tuple[str, Sum, int]] = set()
        for guard, region in zip(self.frame.guards, self.regions, strict=True):
            for constraint in _constraints(region):
                key = (guard, *constraint)
                if constraint not in always and is_about(changed, key):
                    found.append(key)
                if not guard.terms:
                    always.add(constraint)
        return found

    def take_in(self, point: Point) -> None:
        """Weaken the invariant so that it holds of a state, of which it does not hold yet."""
        changed = False
        for guard, region in zip(self.frame.guards, self.regions, strict=True):
            if guard.holds(point):
                changed |= region.join(point)
        assert changed, "a counterexample has to refute something"
        self.version += 1


def _constraints(region: Region) -> Iterator[tuple[str, Sum, int]]:
    if region.is_empty:
        yield "=", (), 1
        return
    for sign, constraints in (("=", region.equations()), ("<", region.bounds()), ("!", region.nonzero())):
        for terms, value in constraints:
            yield sign, terms, value


def is_about(changed: frozenset[int] | None, key: Key) -> bool:
    """Whether a constraint is on a variable with one of these indices; None stands for all."""
    guard, _, terms, _ = key
    return changed is None or any(index in changed for _, index in (*guard.terms, *terms))


@dataclass
class ViewEdge:
    """An edge, what it does, and what is assumed of states in which it begins. checked: for this version of these."""

    template: Template
    edge: Edge
    step: EdgeEffect
    assumed: list[Term]
    checked: int = 0

    @property
    def place(self) -> Place:
        """Where it begins."""
        return self.template.name, self.edge.source


@dataclass
class Obligation:
    """From states at *sources*, an edge for which *holds* leads to one at *target*, as *after* sees it.

    changed: the indices of variables that it changes, if the target is one of the sources. done: for these versions.
    """

    sources: tuple[tuple[Place, View], ...]
    holds: list[Term]
    target: Place
    after: View
    changed: frozenset[int] | None = None
    done: tuple[int, ...] = ()
