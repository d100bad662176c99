"""Proofs from counting searches: what has been reached, as invariants of one thread or of two.

The search knows of all threads at once. An invariant is about one or two, and the ghost variables that count threads,
where the system has any. Without those it may be too weak to be inductive, which is found out first.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations, combinations_with_replacement
from math import inf

from cseq.modules.deductive.karp_miller.closure import PairViews, SingleViews
from cseq.modules.deductive.karp_miller.formulas import Formulas, Subject, TooWeakError
from cseq.modules.deductive.karp_miller.locals import Local
from cseq.modules.deductive.karp_miller.states import KarpMillerSearch, Node, SearchResult
from cseq.modules.deductive.karp_miller.values import ANY, Identity, Value
from cseq.modules.deductive.proofs import OUTSIDE, Arithmetic, Invariant, InvariantKind, Place, Proof
from cseq.modules.deductive.transitions import Apply, Operator, System, Variable, expressions, parts

METHOD = "counting search"

Known = tuple[int, tuple[int, ...], Node | None]
"""Shared variables, the local states of threads, and the state that limits how many threads there are."""

Limits = tuple[float, ...]
"""For each ghost variable, how many threads it counts at most."""


def modular(system: System, found: SearchResult) -> Proof:
    """A proof about each thread alone. Raises TooWeakError if there is none."""
    return _proof(
        system,
        found.search,
        InvariantKind.MODULAR,
        ((view[0], view[1:], None) for view in SingleViews(found.search).close()),
    )


def pairs(system: System, found: SearchResult) -> Proof:
    """A proof about each two threads. Raises TooWeakError if there is none."""
    return _proof(
        system,
        found.search,
        InvariantKind.PAIRS,
        ((view[0], view[1:], None) for view in PairViews(found.search).close()),
    )


def with_counters(system: System, found: SearchResult, deadline: float) -> Proof:
    """A proof about the ghost variables as well. Raises TooWeakError if there is none, or it would be too long.

    It is about each thread alone if all that stand at a location are in the same local state, since the ghost variables
    say all about others then.
    """
    search = found.search
    states = {(local.template, local.location, tuple(map(_essence, local.values))) for local in search.locals}
    is_told = len(states) == len({(template, location) for template, location, _ in states})
    if not is_told:
        return _proof(system, search, InvariantKind.PAIRS, _views(search))
    if any(isinstance(value, Identity) for values in search.shared for value in values):
        search = KarpMillerSearch(search.stepper, search.precision, deadline, doubtful=True)
        if not search.run().safe:
            raise TooWeakError("what the threads know of each other is not enough")
    return _proof(system, search, InvariantKind.MODULAR, _views(search))


def _views(search: KarpMillerSearch) -> Iterator[Known]:
    for node in search.states():
        for local, number in node.counts.items():
            yield node.shared, (local,), node
            if number > 1 and not search.locals[local].names:
                yield node.shared, (local, local), node
        for one, other in combinations(sorted(node.counts), 2):
            if not search.locals[one].names & search.locals[other].names:
                yield node.shared, (one, other), node


def _proof(system: System, search: KarpMillerSearch, invariant_kind: InvariantKind, views: Iterable[Known]) -> Proof:
    """The proof that threads have these views, and no others."""
    maker = _Maker(system, search, invariant_kind)
    for shared, locals_, node in views:
        maker.add(shared, locals_, node)
    return Proof(invariant_kind, maker.arithmetic, maker.invariants(), METHOD)


class _Maker:
    """Collects rows of formulas for each subject."""

    def __init__(self, system: System, search: KarpMillerSearch, invariant_kind: InvariantKind) -> None:
        self._system = system
        self._search = search
        self._invariant_kind = invariant_kind
        self.arithmetic = Arithmetic.BITS if _has_bit_operations(system) else Arithmetic.WRAPPING
        self._formulas = Formulas(search, self.arithmetic)
        self._rows: dict[tuple[Place, ...], dict[tuple[str, ...], list[Limits]]] = {}
        self._ghosts = list(dict.fromkeys(variable.name for variable in system.population.values()))
        self._ended: set[tuple[int, int]] = {
            (number, location)
            for number, template in enumerate(system.templates)
            for location in template.locations
            if not any(template.leaving(location))
        }
        self._outside = [
            (ANY,) * (len(program.slots.variables) - program.slots.shared) for program in search.stepper.programs
        ]
        self._numbers = {template.name: number for number, template in enumerate(system.templates)}

    def add(self, shared: int, locals_: tuple[int, ...], node: Node | None) -> None:
        """What is known of threads in these local states."""
        counted = self._counted(node)
        subjects = [self._search.locals[local] for local in locals_]
        if self._invariant_kind is InvariantKind.MODULAR:
            if len(subjects) == 1:
                self._note(shared, subjects, counted)
        elif len(subjects) == 2:
            self._note(shared, subjects, counted)
            self._note(shared, subjects[::-1], counted)
        else:
            (subject,) = subjects
            for template in range(1, len(self._system.templates)):
                if self._may_be_beside(subject.template, template):
                    self._note(shared, [subject, Local(template, OUTSIDE, self._outside[template])], counted)
            for template, location in self._ended:
                if self._may_be_beside(subject.template, template):
                    self._note(shared, [subject, Local(template, location, ())], counted)

    def _may_be_beside(self, one: int, other: int) -> bool:
        """Whether there can be threads of these templates, the second of which does nothing."""
        return one != other or self._system.templates[one].is_replicated

    def _place(self, local: Local) -> Place:
        return self._system.templates[local.template].name, local.location

    def _note(self, shared: int, locals_: list[Local], counted: Limits) -> None:
        key = tuple(self._place(local) for local in locals_)
        if len(key) == 2 and key[::-1] in self._rows and key not in self._rows:
            return  # the other order has it
        subjects = [
            Subject(local, self._system.templates[local.template], f"!{position}" if len(key) > 1 else "")
            for position, local in enumerate(locals_, 1)
        ]
        about = [subject for subject in subjects if (subject.local.template, subject.local.location) not in self._ended]
        row = self._formulas.row(self._search.shared[shared], about)
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
        idle = [*self._ended]
        if self._invariant_kind is InvariantKind.PAIRS:
            idle += [(number, OUTSIDE) for number in range(1, len(self._system.templates))]
        for places in combinations_with_replacement(idle, 1 if self._invariant_kind is InvariantKind.MODULAR else 2):
            if len(places) == 1 or self._may_be_beside(places[0][0], places[1][0]):
                key = tuple((self._system.templates[number].name, location) for number, location in places)
                found[key] = Invariant((), "true")
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
            place = self._place(self._search.locals[number])
            standing[place] = standing.get(place, 0) + count
        for place, variable in self._system.population.items():
            most[variable.name] += inf if (self._numbers[place[0]], place[1]) in self._ended else standing.get(place, 0)
        return tuple(most.values())


def _essence(value: Value) -> object:
    """A value, without what is known of an identity by the way."""
    return (value.whose, value.offset) if isinstance(value, Identity) else value


def _within(less: Limits, greater: Limits) -> bool:
    return all(one <= other for one, other in zip(less, greater, strict=True))


def _has_bit_operations(system: System) -> bool:
    """Whether the values of variables are computed bit by bit, which takes long with integers."""
    return any(
        isinstance(part, Apply) and part.operator in _BITWISE
        for template in system.templates
        for edge in template.edges
        for action in edge.actions
        for expression in expressions(action)
        for part in parts(expression)
    )


_BITWISE = frozenset({Operator.BIT_AND, Operator.BIT_OR, Operator.BIT_XOR, Operator.SHL, Operator.SHR})
