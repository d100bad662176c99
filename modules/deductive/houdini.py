"""Invariants of one thread and its environment, as the strongest conjunctions of given forms that are inductive.

Flanagan and Leino's Houdini (FME 2001) drops what a counterexample refutes until the rest is inductive. Here it begins
with what holds of no state at all, and takes in the states that counterexamples show: the least fixed point of the
obligations of the modular kind (see `proofs`) among conjunctions of what `regions` can say, found with models of a
solver (Reps, Sagiv, Yorsh, VMCAI 2004). Every state taken in is one that no inductive conjunction can do without, so a
check that fails meanwhile fails in the end.
"""

import importlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from cseq.model.errors import UnsupportedError
from cseq.modules.deductive.cores import Goal, essential
from cseq.modules.deductive.live_locals import live_locals
from cseq.modules.deductive.proofs import Arithmetic, Attempt, Invariant, InvariantKind, Place, Proof
from cseq.modules.deductive.regions import Region
from cseq.modules.deductive.symbolic import Executor, Store, Term, conjunction
from cseq.modules.deductive.transitions import System, Template
from cseq.modules.deductive.views import Known, Obligation, View, ViewEdge
from cseq.modules.deductive.vocabulary import Vocabulary

ASKING = 5.0
"""Seconds that one question may take."""


class _GivenUpError(Exception):
    """There is no proof of this form, or none in time."""

    def __init__(self, answer: Literal["unknown", "timeout"], reason: str = "") -> None:
        super().__init__(reason)
        self.answer = answer


def prove(system: System, arithmetic: Arithmetic, timeout: float) -> Attempt:
    """Look for a proof of the modular kind within *timeout* seconds of wall-clock time. BITS is not understood.

    *system* usually is one that `counters` counted. The answer is never `refuted`: that there is no proof of this form
    does not mean that anything is wrong.
    """
    deadline, used = time.monotonic() + timeout, time.process_time()
    attempt = Attempt("unknown")
    for wide in (False, True):
        try:
            attempt = Attempt("proved", _Search(system, arithmetic, wide, deadline).run())
        except _GivenUpError as reason:
            attempt = Attempt(reason.answer, reason=str(reason))
        except UnsupportedError as error:
            attempt = Attempt("unknown", reason=str(error))
            break
        if attempt.answer != "unknown":
            break
    return replace(attempt, seconds=time.process_time() - used)


class _Search:
    """The search for one fixed point. Acting threads have the names of their locals, others have `!other` added."""

    def __init__(self, system: System, arithmetic: Arithmetic, wide: bool, deadline: float) -> None:
        self._z3 = importlib.import_module("z3")
        self._system = system
        self._arithmetic = arithmetic
        self._begun, self._deadline = time.monotonic(), deadline
        self._executor = Executor(system, arithmetic)
        self._shared = self._executor.symbols(system.shared)
        self._known: dict[Place, Known] = {}
        self._acting: dict[Place, View] = {}
        self._arrived: dict[Place, View] = {}
        self._steps: list[ViewEdge] = []
        vocabulary = Vocabulary(system, wide)
        for template in system.templates:
            live = live_locals(template)
            store = self._shared | self._executor.symbols(template.locals)
            for location in template.locations:
                frame = vocabulary.frame(template, location, live[location])
                regions = [Region(frame.bounded, vocabulary.thresholds, frame.unequal) for _ in frame.guards]
                self._known[template.name, location] = Known(template, frame, regions)
                self._acting[template.name, location] = View(self._executor, frame, store)
                after = self._executor.symbols(frame.variables, "!after")
                self._arrived[template.name, location] = View(self._executor, frame, after)
            for edge in template.edges:
                step = self._executor.step(template, edge, store)
                self._steps.append(ViewEdge(template, edge, step, self._assumed(template, store, edge.source)))

    def run(self) -> Proof:
        """The proof, or `_GivenUpError`."""
        main = self._system.main
        start = (main.name, main.start)
        store = self._shared | self._executor.symbols(main.locals)
        holds = self._assumed(main, store, main.start) + self._executor.beginning(self._shared)
        arrived = self._arrived[start]
        first = Obligation((), holds + arrived.have(store), start, arrived)
        self._establish(first)
        moves = [move for taken in self._steps for move in self._moves(taken)]
        disturbances = list(self._disturbances())
        while True:
            self._check()
            if not self._sweep(moves) and not self._sweep(disturbances):
                return self._proof([first, *moves, *disturbances])

    def _assumed(self, template: Template, store: Store, *locations: int) -> list[Term]:
        """What is true of every state in which a thread of a template stands at *locations*."""
        ranges = self._executor.within([*self._system.shared, *template.locals], store)
        return ranges + self._alone(template, store) + self._counted([(template.name, at) for at in locations])

    def _alone(self, template: Template, own: Store) -> list[Term]:
        """That the identity of a thread is none of those that are known to be others'."""
        numbers = [other.number for other in self._system.templates if other.number is not None]
        identity = template.identity
        if identity is None or not template.is_replicated:
            return []
        return [own[identity.name] != number for number in numbers]

    def _counted(self, known: list[Place]) -> list[Term]:
        """What counters mean: none is negative, and each is at least the number of threads that are *known* there."""
        counters = [self._system.population.get(place) for place in known]
        return [
            self._shared[counter.name] >= counters.count(counter)
            for counter in dict.fromkeys(self._system.population.values())
        ]

    def _moves(self, taken: ViewEdge) -> Iterator[Obligation]:
        """Where an edge leads its thread, and the threads that it creates."""
        source = (taken.place, self._acting[taken.place])
        holds = taken.assumed + taken.step.holds
        arrivals = [((taken.template.name, taken.edge.target), taken.step.after, holds)]
        for name, created in taken.step.created:
            begun = self._system.template(name)
            shared = {variable.name: taken.step.after[variable.name] for variable in self._system.shared}
            differs = self._different(taken.template, begun, created)
            arrivals.append(((name, begun.start), shared | created, holds + differs))
        for target, after, holds_ in arrivals:
            arrived = self._arrived[target]
            yield Obligation((source,), holds_ + arrived.have(after), target, arrived)

    def _disturbances(self) -> Iterator[Obligation]:
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
            view, arrived = View(self._executor, known.frame, before), self._arrived[place]
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
                    yield Obligation(sources, holds + arrived.have(after), place, arrived, changed)

    def _different(self, actor: Template, other: Template, own: Store) -> list[Term]:
        """That the identity of a thread is not that of an acting one."""
        terms = self._alone(other, own)
        if terms and actor.is_replicated and actor.identity is not None and other.identity is not None:
            acting = self._executor.symbols([actor.identity])[actor.identity.name]
            terms.append(acting != own[other.identity.name])
        return terms

    def _goals(self) -> Iterator[tuple[ViewEdge, Goal]]:
        """That nothing goes wrong on an edge."""
        z3 = self._z3
        for taken in self._steps:
            step = taken.step
            if step.owed:
                wrong = (conjunction([*step.holds[:number], z3.Not(owed)]) for number, owed in step.owed)
                source = (taken.place, self._acting[taken.place])
                yield taken, Goal((source,), taken.assumed, z3.Not(z3.Or(*wrong)))

    def _check(self) -> None:
        """Give up if something can go wrong on an edge."""
        for taken, goal in self._goals():
            known = self._known[taken.place]
            if taken.checked == known.version:
                continue
            solver = self._z3.Solver()
            view = self._acting[taken.place]
            solver.add(conjunction([*goal.holds, *view.terms(known.keys()), self._z3.Not(goal.goal)]))
            if self._ask(solver):
                raise _GivenUpError("unknown", "a check does not follow from an invariant of the forms that are tried")
            taken.checked = known.version

    def _sweep(self, obligations: list[Obligation]) -> bool:
        """Establish those whose sources have changed; whether any changed its target."""
        changed = False
        for obligation in obligations:
            versions = self._versions(obligation)
            if versions != obligation.done and all(versions):
                changed |= self._establish(obligation)
                obligation.done = self._versions(obligation)
        return changed

    def _versions(self, obligation: Obligation) -> tuple[int, ...]:
        return tuple(self._known[place].version for place, _ in obligation.sources)

    def _establish(self, obligation: Obligation) -> bool:
        """Weaken the invariant of the target until the obligation holds; whether that took anything."""
        target = self._known[obligation.target]
        before = target.version
        is_source = any(place == obligation.target for place, _ in obligation.sources)
        solver = None
        while wanted := obligation.after.terms(target.keys(obligation.changed)):
            if solver is None or is_source:
                solver = self._z3.Solver()
                known = [term for place, view in obligation.sources for term in view.terms(self._known[place].keys())]
                solver.add(conjunction(obligation.holds + known))
            solver.push()
            solver.add(self._z3.Not(conjunction(wanted)))
            if not self._ask(solver):
                break
            target.take_in(obligation.after.point(solver.model()))
            solver.pop()
        return target.version > before

    def _ask(self, solver: Term, assumed: Sequence[Term] = ()) -> bool:
        """Whether there is a model; no answer in time is a reason to give up."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise _GivenUpError("timeout")
        solver.set("timeout", int(1000 * min(left, ASKING)) + 1)
        result = solver.check(*assumed)
        if result == self._z3.unknown:
            if time.monotonic() >= self._deadline:
                raise _GivenUpError("timeout")
            raise _GivenUpError("unknown", f"the solver has no answer: {solver.reason_unknown()}")
        return bool(result == self._z3.sat)

    def _proof(self, obligations: list[Obligation]) -> Proof:
        now = time.monotonic()
        self._deadline = min(self._deadline, 2 * now - self._begun + 1)
        try:
            keys = essential(self._known, obligations, [goal for _, goal in self._goals()], self._ask)
        except _GivenUpError:  # what is not needed does no harm
            keys = {place: known.keys() for place, known in self._known.items() if known.version}
        invariants: dict[tuple[Place, ...], Invariant] = {}
        for place, needed in keys.items():
            term = self._z3.simplify(conjunction(self._acting[place].terms(needed)))
            parameters = tuple((variable.name, variable) for variable in self._known[place].frame.variables)
            invariants[place,] = Invariant(parameters, term.sexpr())
        return Proof(InvariantKind.MODULAR, self._arithmetic, invariants, "houdini")
