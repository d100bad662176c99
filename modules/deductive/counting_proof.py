"""Proofs from counting searches: what has been reached, as invariants of one thread or of two.

The search knows of all threads at once. An invariant is about one or two, and the ghost variables that count threads,
where the system has any. Without those it may be too weak to be inductive, which is found out first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import inf

from cseq.modules.deductive.counting_closure import Alone, Together
from cseq.modules.deductive.counting_formulas import Formulas, Subject, TooWeakError
from cseq.modules.deductive.counting_states import Found, Node, Search
from cseq.modules.deductive.counting_values import Identity
from cseq.modules.deductive.proofs import Arithmetic, Invariant, Place, Proof, Rung
from cseq.modules.deductive.transitions import System, Variable

METHOD = "counting search"

Known = tuple[int, tuple[int, ...], Node | None]
"""Shared variables, the local states of threads, and the state that limits how many threads there are."""

Limits = tuple[float, ...]
"""For each ghost variable, how many threads it counts at most."""


def modular(system: System, found: Found) -> Proof:
    """A proof about each thread alone. Raises TooWeakError if there is none."""
    return _proof(
        system, found.search, Rung.MODULAR, ((view[0], view[1:], None) for view in Alone(found.search).close())
    )


def pairs(system: System, found: Found) -> Proof:
    """A proof about each two threads. Raises TooWeakError if there is none."""
    return _proof(
        system, found.search, Rung.PAIRS, ((view[0], view[1:], None) for view in Together(found.search).close())
    )


def with_counters(system: System, found: Found, deadline: float) -> Proof:
    """A proof about the ghost variables as well. Raises TooWeakError if there is none, or it would be too long.

    It is about each thread alone if all that stand at a location are in the same local state, since the ghost variables
    say all about others then.
    """
    search = found.search
    if any(isinstance(value, Identity) for values in search.shared for value in values):
        search = Search(search.stepper, search.precision, deadline, doubtful=True)
        if not search.run().safe:
            raise TooWeakError("what the threads know of each other is not enough")
    states = {(local.template, local.location, local.values) for local in search.locals}
    is_told = len(states) == len({(template, location) for template, location, _ in states})
    return _proof(system, search, Rung.MODULAR if is_told else Rung.PAIRS, _views(search))


def _views(search: Search) -> Iterator[Known]:
    for node in search.states():
        for local, number in node.counts.items():
            yield node.shared, (local,), node
            if number > 1 and not search.locals[local].names:
                yield node.shared, (local, local), node
        for one, other in combinations(sorted(node.counts), 2):
            if not search.locals[one].names & search.locals[other].names:
                yield node.shared, (one, other), node


def _proof(system: System, search: Search, rung: Rung, views: Iterable[Known]) -> Proof:
    """The proof that threads have these views, and no others."""
    maker = _Maker(system, search, rung)
    for shared, locals_, node in views:
        maker.add(shared, locals_, node)
    return Proof(rung, Arithmetic.WRAPPING, maker.invariants(), METHOD)


class _Maker:
    """Collects rows of formulas for each subject."""

    def __init__(self, system: System, search: Search, rung: Rung) -> None:
        self._system = system
        self._search = search
        self._rung = rung
        self._formulas = Formulas(search, Arithmetic.WRAPPING)
        self._rows: dict[tuple[Place, ...], dict[tuple[str, ...], list[Limits]]] = {}
        self._ghosts = list(dict.fromkeys(variable.name for variable in system.population.values()))
        self._ended = [
            (template.name, location)
            for template in system.templates
            for location in template.locations
            if not any(template.leaving(location))
        ]

    def add(self, shared: int, locals_: tuple[int, ...], node: Node | None) -> None:
        """What is known of threads in these local states."""
        counted = self._counted(node)
        if len(locals_) == 2:
            if self._rung is Rung.MODULAR:
                return
            for one, other in {locals_, locals_[::-1]}:
                if self._place(one) <= self._place(other):
                    self._note((self._place(one), self._place(other)), shared, (one, other), counted)
            return
        place = self._place(locals_[0])
        if self._rung is Rung.MODULAR or place[0] == self._system.main.name:
            self._note((place,), shared, locals_, counted)
        if self._rung is Rung.PAIRS:
            for ended in self._ended:
                if ended[0] != place[0] or self._system.template(place[0]).is_replicated:
                    self._note((place, ended), shared, locals_, counted)

    def _place(self, local: int) -> Place:
        state = self._search.locals[local]
        return self._system.templates[state.template].name, state.location

    def _note(self, key: tuple[Place, ...], shared: int, locals_: tuple[int, ...], counted: Limits) -> None:
        subjects = []
        for position, local in enumerate(locals_, 1):
            state = self._search.locals[local]
            suffix = f"!{position}" if len(key) > 1 else ""
            subjects.append(Subject(state, self._system.templates[state.template], suffix))
        row = self._formulas.row(self._search.shared[shared], subjects)
        limits = self._rows.setdefault(key, {}).setdefault(row, [])
        if not any(_within(counted, other) for other in limits):
            limits[:] = [*(other for other in limits if not _within(other, counted)), counted]

    def invariants(self) -> dict[tuple[Place, ...], Invariant]:
        """The invariants; of threads that have nothing left to do nothing is known."""
        found: dict[tuple[Place, ...], Invariant] = {}
        for key, rows in self._rows.items():
            every = frozenset(
                (
                    *row,
                    *(
                        "" if most == inf else f"(<= {name} {int(most)})"
                        for name, most in zip(self._ghosts, limit, strict=True)
                    ),
                )
                for row, limits in rows.items()
                for limit in limits
            )
            found[key] = Invariant(tuple(self._symbols(key)), self._formulas.disjunction(every))
        for ended in self._ended:
            if self._rung is Rung.MODULAR or ended[0] == self._system.main.name:
                found[ended,] = Invariant((), "true")
        if self._rung is Rung.PAIRS:
            for key in combinations(self._ended, 2):
                if key[0][0] != key[1][0] or self._system.template(key[0][0]).is_replicated:
                    found[key] = Invariant((), "true")
            for ended in self._ended:
                if self._system.template(ended[0]).is_replicated:
                    found[ended, ended] = Invariant((), "true")
        return found

    def _symbols(self, key: tuple[Place, ...]) -> Iterator[tuple[str, Variable]]:
        for variable in self._system.shared:
            yield variable.name, variable
        for position, place in enumerate(key, 1):
            for variable in self._system.template(place[0]).locals:
                yield variable.name + (f"!{position}" if len(key) > 1 else ""), variable

    def _counted(self, node: Node | None) -> Limits:
        """How many threads each ghost variable counts at most: any number of those that have nothing left to do."""
        if node is None:
            return (inf,) * len(self._ghosts)
        most: dict[str, float] = {variable.name: 0 for variable in self._system.population.values()}
        standing: dict[Place, float] = {}
        for number, count in node.counts.items():
            place = self._place(number)
            standing[place] = standing.get(place, 0) + count
        for place, variable in self._system.population.items():
            most[variable.name] += inf if place in self._ended else standing.get(place, 0)
        return tuple(most.values())


def _within(less: Limits, greater: Limits) -> bool:
    return all(one <= other for one, other in zip(less, greater, strict=True))
