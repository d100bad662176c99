"""Invariants of one thread and its environment, as the strongest conjunctions of given forms that are inductive.

Flanagan and Leino's Houdini (FME 2001) drops what a counterexample refutes until the rest is inductive. Here it begins
with what holds of no state at all, and takes in the states that counterexamples show: the least fixed point of the
obligations of the modular rung (see `proofs`) among conjunctions of what `regions` can say, found with models of a
solver (Reps, Sagiv, Yorsh, VMCAI 2004). Every state taken in is one that no inductive conjunction can do without, so a
check that fails meanwhile fails in the end.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from cseq.base.errors import UnsupportedError
from cseq.modules.deductive.proofs import Arithmetic, Attempt, Invariant, Place, Proof, Rung
from cseq.modules.deductive.regions import Point, Region, Sum
from cseq.modules.deductive.symbolic import Executor, Step, Store, Term, conjunction
from cseq.modules.deductive.transitions import Edge, System, Template
from cseq.modules.deductive.vocabulary import Frame, Guard, Vocabulary, liveness

ASKING = 5.0
"""Seconds that one question may take."""


class _GivenUpError(Exception):
    """There is no proof of this form, or none in time."""

    def __init__(self, answer: Literal["unknown", "timeout"], reason: str = "") -> None:
        super().__init__(reason)
        self.answer = answer


class _View:
    """Constraints on the variables of a frame, as terms on symbols of theirs; each term is made once."""

    def __init__(self, executor: Executor, frame: Frame, store: Store) -> None:
        self._z3 = importlib.import_module("z3")
        self._store = store
        self._values = [executor.integer(store[variable.name]) for variable in frame.variables]
        self._frame = frame
        self._made: dict[tuple[Guard, str, Sum, int], Term] = {}

    def point(self, model: Term) -> Point:
        """The values that variables have in a model."""
        return tuple(model.eval(value, model_completion=True).as_long() for value in self._values)

    def have(self, values: Store) -> list[Term]:
        """That the variables have these values."""
        return [self._store[variable.name] == values[variable.name] for variable in self._frame.variables]

    def terms(self, regions: list[Region], changed: frozenset[int] | None = None) -> list[Term]:
        """What regions say, one for each guard of the frame; with *changed*, of the variables with these indices."""
        return [
            term
            for guard, region in zip(self._frame.guards, regions, strict=True)
            for term in self._guarded(guard, region, changed)
        ]

    def _guarded(self, guard: Guard, region: Region, changed: frozenset[int] | None) -> Iterator[Term]:
        is_moved = _is_about(changed, guard.terms)
        if region.is_empty:
            if is_moved:
                yield self._term(guard, "=", (), 1)
            return
        for sign, constraints in (("=", region.equations()), ("<", region.bounds()), ("!", region.nonzero())):
            for terms, value in constraints:
                if is_moved or _is_about(changed, terms):
                    yield self._term(guard, sign, terms, value)

    def _term(self, guard: Guard, sign: str, terms: Sum, value: int) -> Term:
        key = (guard, sign, terms, value)
        if key not in self._made:
            self._made[key] = self._new(*key)
        return self._made[key]

    def _new(self, guard: Guard, sign: str, terms: Sum, value: int) -> Term:
        if guard.terms:
            holds = self._term(Guard(), "=", guard.terms, guard.value)
            return self._z3.Implies(holds, self._term(Guard(), sign, terms, value))
        if not terms:
            return self._z3.BoolVal(value == 0)
        parts = [self._values[index] if factor == 1 else factor * self._values[index] for factor, index in terms]
        whole = self._z3.Sum(parts)
        return whole == value if sign == "=" else whole <= value if sign == "<" else whole != value


def _is_about(changed: frozenset[int] | None, terms: Sum) -> bool:
    return changed is None or any(index in changed for _, index in terms)


@dataclass
class _Known:
    """What is known of a place. version: how often it has changed."""

    template: Template
    frame: Frame
    regions: list[Region]
    version: int = 0


@dataclass
class _Taken:
    """An edge, what it does, and what is assumed of states in which it begins. checked: for this version of these."""

    template: Template
    edge: Edge
    step: Step
    assumed: list[Term]
    checked: int = 0

    @property
    def place(self) -> Place:
        """Where it begins."""
        return self.template.name, self.edge.source


@dataclass
class _Obligation:
    """From states at *sources*, an edge for which *holds* leads to one at *target*, as *after* sees it.

    changed: the indices of variables that it changes, if the target is one of the sources. done: for these versions.
    """

    sources: tuple[tuple[Place, _View], ...]
    holds: list[Term]
    target: Place
    after: _View
    changed: frozenset[int] | None = None
    done: tuple[int, ...] = ()


def prove(system: System, arithmetic: Arithmetic, timeout: float) -> Attempt:
    """Look for a proof of the modular rung within *timeout* seconds of wall-clock time. BITS is not understood.

    *system* usually is one that `counters` counted. The answer is never `refuted`: that there is no proof of this form
    does not mean that anything is wrong.
    """
    deadline, used = time.monotonic() + timeout, time.process_time()
    try:
        attempt = Attempt("proved", _Search(system, arithmetic, deadline).run())
    except _GivenUpError as reason:
        attempt = Attempt(reason.answer, reason=str(reason))
    except UnsupportedError as error:
        attempt = Attempt("unknown", reason=str(error))
    return replace(attempt, seconds=time.process_time() - used)


class _Search:
    """The search for one fixed point. Acting threads have the names of their locals, others have `!other` added."""

    def __init__(self, system: System, arithmetic: Arithmetic, deadline: float) -> None:
        self._z3 = importlib.import_module("z3")
        self._system = system
        self._arithmetic = arithmetic
        self._deadline = deadline
        self._executor = Executor(system, arithmetic)
        self._shared = self._executor.symbols(system.shared)
        self._known: dict[Place, _Known] = {}
        self._acting: dict[Place, _View] = {}
        self._arrived: dict[Place, _View] = {}
        self._steps: list[_Taken] = []
        vocabulary = Vocabulary(system)
        for template in system.templates:
            live = liveness(template)
            store = self._shared | self._executor.symbols(template.locals)
            for location in template.locations:
                frame = vocabulary.frame(template, location, live[location])
                regions = [Region(frame.bounded, vocabulary.thresholds, frame.unequal) for _ in frame.guards]
                self._known[template.name, location] = _Known(template, frame, regions)
                self._acting[template.name, location] = _View(self._executor, frame, store)
                after = self._executor.symbols(frame.variables, "!after")
                self._arrived[template.name, location] = _View(self._executor, frame, after)
            for edge in template.edges:
                step = self._executor.step(template, edge, store)
                self._steps.append(_Taken(template, edge, step, self._assumed(template, store, edge.source)))

    def run(self) -> Proof:
        """The proof, or `_GivenUpError`."""
        main = self._system.main
        start = (main.name, main.start)
        store = self._shared | self._executor.symbols(main.locals)
        holds = self._assumed(main, store, main.start) + self._executor.beginning(self._shared)
        self._establish(_Obligation((), holds, start, self._acting[start]))
        moves = [move for taken in self._steps for move in self._moves(taken)]
        disturbances = list(self._disturbances())
        while True:
            self._check()
            if not self._sweep(moves) and not self._sweep(disturbances):
                return self._proof()

    def _assumed(self, template: Template, store: Store, *locations: int) -> list[Term]:
        """What is true of every state in which a thread of a template stands at *locations*."""
        ranges = self._executor.within([*self._system.shared, *template.locals], store)
        return ranges + self._counted([(template.name, location) for location in locations])

    def _counted(self, known: list[Place]) -> list[Term]:
        """What counters mean: none is negative, and each is at least the number of threads that are *known* there."""
        counters = [self._system.population.get(place) for place in known]
        return [
            self._shared[counter.name] >= counters.count(counter)
            for counter in dict.fromkeys(self._system.population.values())
        ]

    def _moves(self, taken: _Taken) -> Iterator[_Obligation]:
        """Where an edge leads its thread, and the threads that it creates."""
        source = (taken.place, self._acting[taken.place])
        holds = taken.assumed + taken.step.holds
        arrivals = [((taken.template.name, taken.edge.target), taken.step.after)]
        for name, created in taken.step.created:
            shared = {variable.name: taken.step.after[variable.name] for variable in self._system.shared}
            arrivals.append(((name, self._system.template(name).start), shared | created))
        for target, after in arrivals:
            arrived = self._arrived[target]
            yield _Obligation((source,), holds + arrived.have(after), target, arrived)

    def _disturbances(self) -> Iterator[_Obligation]:
        """What edges do to a thread that stands elsewhere."""
        acting = [
            taken
            for taken in self._steps
            if any(
                taken.step.after[variable.name] is not self._shared[variable.name] for variable in self._system.shared
            )
        ]
        for place, known in self._known.items():
            template = known.template
            own = self._executor.symbols(template.locals, "!other")
            before = self._shared | own
            ranges = self._executor.within(template.locals, own)
            view, arrived = _View(self._executor, known.frame, before), self._arrived[place]
            for taken in acting:
                if taken.template is template and not template.is_replicated:
                    continue
                holds = [*taken.assumed, *ranges, *taken.step.holds, *self._counted([place, taken.place])]
                holds += self._different(taken.template, template, own)
                after = taken.step.after | own
                variables = enumerate(known.frame.variables)
                changed = frozenset(index for index, v in variables if after[v.name] is not before[v.name])
                if changed:
                    sources = ((place, view), (taken.place, self._acting[taken.place]))
                    yield _Obligation(sources, holds + arrived.have(after), place, arrived, changed)

    def _different(self, actor: Template, other: Template, own: Store) -> list[Term]:
        """That two threads have different identities."""
        one = actor.number if actor.identity is None else self._executor.symbols([actor.identity])[actor.identity.name]
        two = other.number if other.identity is None else own[other.identity.name]
        if one is None or two is None or (isinstance(one, int) and isinstance(two, int)):
            return []
        return [one != two]

    def _check(self) -> None:
        """Give up if something can go wrong on an edge."""
        z3 = self._z3
        for taken in self._steps:
            known = self._known[taken.place]
            if not taken.step.owed or taken.checked == known.version:
                continue
            step = taken.step
            solver = z3.Solver()
            solver.add(conjunction(taken.assumed + self._acting[taken.place].terms(known.regions)))
            solver.add(z3.Or(*(conjunction([*step.holds[:number], z3.Not(owed)]) for number, owed in step.owed)))
            if self._ask(solver):
                raise _GivenUpError("unknown", "a check does not follow from an invariant of the forms that are tried")
            taken.checked = known.version

    def _sweep(self, obligations: list[_Obligation]) -> bool:
        """Establish those whose sources have changed; whether any changed its target."""
        changed = False
        for obligation in obligations:
            versions = self._versions(obligation)
            if versions != obligation.done and all(versions):
                changed |= self._establish(obligation)
                obligation.done = self._versions(obligation)
        return changed

    def _versions(self, obligation: _Obligation) -> tuple[int, ...]:
        return tuple(self._known[place].version for place, _ in obligation.sources)

    def _establish(self, obligation: _Obligation) -> bool:
        """Weaken the invariant of the target until the obligation holds; whether that took anything."""
        target = self._known[obligation.target]
        before = target.version
        is_source = any(place == obligation.target for place, _ in obligation.sources)
        solver = None
        while wanted := obligation.after.terms(target.regions, obligation.changed):
            if solver is None or is_source:
                solver = self._z3.Solver()
                known = [term for place, view in obligation.sources for term in view.terms(self._known[place].regions)]
                solver.add(conjunction(obligation.holds + known))
            solver.push()
            solver.add(self._z3.Not(conjunction(wanted)))
            if not self._ask(solver):
                break
            self._take_in(target, obligation.after.point(solver.model()))
            solver.pop()
        return target.version > before

    def _take_in(self, target: _Known, point: Point) -> None:
        """Weaken an invariant so that it holds of a state."""
        changed = False
        for guard, region in zip(target.frame.guards, target.regions, strict=True):
            if guard.holds(point):
                changed |= region.join(point)
        assert changed, "a counterexample has to refute something"
        target.version += 1

    def _ask(self, solver: Term) -> bool:
        """Whether there is a model; no answer in time is a reason to give up."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise _GivenUpError("timeout")
        solver.set("timeout", int(1000 * min(left, ASKING)) + 1)
        result = solver.check()
        if result == self._z3.unknown:
            if time.monotonic() >= self._deadline:
                raise _GivenUpError("timeout")
            raise _GivenUpError("unknown", f"the solver has no answer: {solver.reason_unknown()}")
        return bool(result == self._z3.sat)

    def _proof(self) -> Proof:
        invariants: dict[tuple[Place, ...], Invariant] = {}
        for place, known in self._known.items():
            if known.version:
                parameters = tuple((variable.name, variable) for variable in known.frame.variables)
                term = self._z3.simplify(conjunction(self._acting[place].terms(known.regions)))
                invariants[place,] = Invariant(parameters, term.sexpr())
        return Proof(Rung.MODULAR, self._arithmetic, invariants, "houdini")
