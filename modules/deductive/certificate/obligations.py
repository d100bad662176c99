"""The conditions under which a proof is one, made from the system and the invariants alone.

The *subject* of an invariant is a set of threads: one thread (modular), two threads (pairs), or all of them (product).
A state is *within the invariants* if the invariant of each subject among its threads holds there. The conditions say
that the initial state is within the invariants, and that no step from a state within them fails a check, or leads out
of them. So all states that can be reached are within them, and no check can fail.

After a step, each subject either has a thread that has taken the step or was begun by it (consecution), or not
(interference). What may be assumed are the invariants, before the step, of all subjects among its threads and the one
that takes the step.

In pairs and products, threads that have not begun are part of a state, too, at `OUTSIDE`: one of each template that is
not replicated, and any number of each that is. To create a thread is to move one from there to its start. A thread has
its identity, which is not that of any other, from the beginning.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations, combinations_with_replacement

from cseq.model.origin import Origin
from cseq.modules.deductive.certificate.formulas import MalformedError, Term, admitted, symbols
from cseq.modules.deductive.certificate.semantics import InapplicableError, constant, numeral, sort
from cseq.modules.deductive.certificate.stepping import Formulas, Step
from cseq.modules.deductive.certificate.systemcheck import initially, validate
from cseq.modules.deductive.proofs import OUTSIDE, Arithmetic, Invariant, InvariantKind, Place, Proof
from cseq.modules.deductive.transitions import Scalar, System, Template, Variable


class Kind(StrEnum):
    """What a condition says."""

    INITIATION = "initiation"  # the invariant holds initially
    CONSECUTION = "consecution"  # after a step of a thread that it is about, or the beginning of one
    INTERFERENCE = "interference"  # after a step of another thread
    CHECK = "check"  # no check fails, and in exact arithmetic no result is outside of its type
    POPULATION = "population"  # the ghost variables are the numbers of threads that they are said to be


@dataclass(frozen=True)
class Obligation:
    """A condition: if *facts* hold, so does *goal*. constants: with their sorts. origin: the place of the step."""

    kind: Kind
    about: tuple[Place, ...]
    edge: tuple[str, int, int] | None
    origin: Origin | None
    constants: dict[str, str]
    facts: tuple[str, ...]
    goal: str

    @property
    def is_plain(self) -> bool:
        """Whether the goal is one of the facts."""
        return self.goal in self.facts


def question(obligations: Sequence[Obligation]) -> str:
    """Commands that ask a solver whether there is a state that breaks one of some conditions.

    What all of them assume is said once; then the answer is no exactly if each of them holds.
    """
    constants: dict[str, str] = {}
    for obligation in obligations:
        constants |= obligation.constants
    common = set(obligations[0].facts).intersection(*(obligation.facts for obligation in obligations))
    lines = [f"(declare-const {name} {sort_})" for name, sort_ in constants.items()]
    lines += [f"(assert {fact})" for fact in dict.fromkeys(obligations[0].facts) if fact in common]
    conditions = []
    for obligation in obligations:
        own = " ".join(fact for fact in obligation.facts if fact not in common)
        conditions.append(f"(=> (and true {own}) {obligation.goal})")
    lines.append(f"(assert (not (and true {' '.join(conditions)})))")
    return "\n".join(["(push 1)", *lines, "(check-sat)", "(pop 1)", ""])


def batches(obligations: Iterable[Obligation], most: int) -> list[list[Obligation]]:
    """Groups of at most *most* conditions about one edge, in order, that can be asked about at once."""
    found: list[list[Obligation]] = []
    for obligation in obligations:
        group = found[-1] if found else []
        fits = group and len(group) < most and group[0].edge == obligation.edge
        if fits and all(
            other.constants.get(name, s) == s for other in group for name, s in obligation.constants.items()
        ):
            group.append(obligation)
        else:
            found.append([obligation])
    return found


@dataclass
class _Thread:
    """A thread in a condition: where it is before a step and after it, and the terms of its locals."""

    template: Template
    place: Place
    later: Place
    before: dict[str, str]
    after: dict[str, str]


class Obligations:
    """The conditions for a proof.

    Raises MalformedError for invariants that are no formulas over what they may be about, and InapplicableError for
    systems that have no meaning in the proof's arithmetic, or that the proof is not about.
    """

    def __init__(self, system: System, proof: Proof) -> None:
        self._system = system
        self._proof = proof
        self._arithmetic = proof.arithmetic
        self._templates = {template.name: template for template in system.templates}
        self._numbers = [template.number for template in system.templates if template.number is not None]
        self._ended = {
            (template.name, number)
            for template in system.templates
            for number in template.locations
            if not any(template.leaving(number))
        }
        self._counted: dict[Variable, list[Place]] = {}
        for place, variable in system.population.items():
            self._counted.setdefault(variable, []).append(place)
        validate(system)
        self._check_shape()
        self._invariants = {
            key: _Definition(f"invariant/{number}", key, invariant, system, proof.arithmetic)
            for number, (key, invariant) in enumerate(proof.invariants.items())
        }

    def definitions(self) -> str:
        """Commands that define the invariants."""
        return "".join(invariant.definition() for invariant in self._invariants.values())

    def all(self) -> Iterator[Obligation]:
        """All conditions."""
        yield from self._initiation()
        for template in self._system.templates:
            for edge in template.edges:
                yield from self._of_edge(Step(self._system, template, edge, self._arithmetic))

    # What holds of threads

    def _invariant(self, threads: Sequence[_Thread], shared: dict[str, str], later: bool = False) -> str:
        """The invariant of a subject."""
        orders = [threads, threads[::-1]] if self._proof.invariant_kind is InvariantKind.PAIRS else [threads]
        found = []
        for order in orders:
            key = tuple(thread.later if later else thread.place for thread in order)
            if key in self._invariants:
                locals_ = [thread.after if later else thread.before for thread in order]
                found.append(self._invariants[key].applied(shared, locals_))
            elif self._proof.invariant_kind is InvariantKind.MODULAR and key[0] in self._ended:
                return "true"  # it takes no step
        return f"(and {' '.join(found)})" if len(found) > 1 else found[0] if found else "false"

    def _distinct(self, threads: Sequence[_Thread]) -> Iterator[str]:
        """Identities of threads differ."""
        own = [
            (thread.before[identity.name], identity.type)
            for thread in threads
            if (identity := thread.template.identity) is not None and thread.template.is_replicated
        ]
        for term, type_ in own:
            assert isinstance(type_, Scalar)
            for number in self._numbers:
                yield f"(not (= {term} {constant(number, type_, self._arithmetic)}))"
        for (one, _), (other, _) in combinations(own, 2):
            yield f"(not (= {one} {other}))"

    def _populated(self, threads: Sequence[_Thread], shared: dict[str, str]) -> Iterator[str]:
        """What the ghost variables for the numbers of threads say about known threads."""
        for variable, places in self._counted.items():
            yield f"(>= {shared[variable.name]} {sum(thread.place in places for thread in threads)})"

    def _known(self, threads: Sequence[_Thread], shared: dict[str, str]) -> list[str]:
        """What holds in a state within the invariants that has these threads."""
        subjects = combinations((thread for thread in threads if self._counts(thread.place)), self._size)
        known = [self._invariant(subject, shared) for subject in subjects]
        return [*self._distinct(threads), *self._populated(threads, shared), *known]

    @property
    def _size(self) -> int:
        """The number of threads of a subject."""
        return {InvariantKind.MODULAR: 1, InvariantKind.PAIRS: 2, InvariantKind.PRODUCT: len(self._templates)}[
            self._proof.invariant_kind
        ]

    def _counts(self, place: Place) -> bool:
        """Whether a thread at this place is part of a state."""
        return place[1] != OUTSIDE or self._proof.invariant_kind is not InvariantKind.MODULAR

    def _check_shape(self) -> None:
        """Refuse a proof that is not about threads of this system. Raises InapplicableError."""
        templates, invariant_kind = self._system.templates, self._proof.invariant_kind
        if invariant_kind is InvariantKind.PRODUCT and any(template.is_replicated for template in templates):
            raise InapplicableError("there is any number of threads")
        if invariant_kind is InvariantKind.PAIRS and len(templates) < 2:
            raise InapplicableError("there is only one thread")
        for key in self._proof.invariants:
            names = [name for name, _ in key]
            fits = {
                InvariantKind.MODULAR: len(key) == 1,
                InvariantKind.PAIRS: len(key) == 2,
                InvariantKind.PRODUCT: names == [template.name for template in templates],
            }[invariant_kind]
            if not fits or not all(self._is_place(place) for place in key):
                raise InapplicableError(f"an invariant is about {key}")

    def _is_place(self, place: Place) -> bool:
        name, number = place
        return name in self._templates and (number == OUTSIDE or number in self._templates[name].locations)

    # The threads of a condition

    def _bystander(self, place: Place, slot: str, formulas: Formulas) -> _Thread:
        """A thread that takes no step."""
        template = self._templates[place[0]]
        locals_ = formulas.state(template.locals, slot)
        return _Thread(template, place, place, locals_, locals_)

    def _at(self, template: Template, location: int) -> Place:
        """The place of a thread that has begun."""
        place = (template.name, location)
        return (
            (template.name, OUTSIDE)
            if self._proof.invariant_kind is InvariantKind.PRODUCT and place in self._ended
            else place
        )

    def _actors(self, step: Step) -> list[_Thread]:
        """The thread that takes a step, and those that it begins."""
        source, target = self._at(step.template, step.edge.source), self._at(step.template, step.edge.target)
        actors = [_Thread(step.template, source, target, step.before, step.after)]
        for number, begun in enumerate(step.begun):
            created = self._templates[begun.template]
            before = step.state(created.locals, f"unborn{number}")
            after = step.state(created.locals, f"born{number}") | begun.arguments
            if created.identity is not None:
                after[created.identity.name] = before[created.identity.name]
            actors.append(_Thread(created, (created.name, OUTSIDE), self._at(created, created.start), before, after))
        return actors

    def _others(self, actors: Sequence[_Thread], number: int) -> Iterator[tuple[Place, ...]]:
        """The places of *number* threads that exist beside *actors*."""
        taken = {actor.template.name for actor in actors if not actor.template.is_replicated}
        if self._proof.invariant_kind is InvariantKind.PRODUCT:
            places = {actor.template.name: actor.place for actor in actors}
            for key in self._proof.invariants:
                rest = tuple(place for place in key if place[0] not in taken)
                if len(rest) == number and all(places.get(place[0], place) == place for place in key):
                    yield rest
            return
        places_here = [
            (template.name, location)
            for template in self._system.templates
            if template.name not in taken
            for location in [*template.locations, *([] if template is self._system.main else [OUTSIDE])]
            if self._counts((template.name, location))
        ]
        for found in combinations_with_replacement(places_here, number):
            single = [name for name, _ in found if not self._templates[name].is_replicated]
            if len(single) == len(set(single)):
                yield found

    def _ordered(self, threads: Sequence[_Thread]) -> list[_Thread]:
        """Threads in the order of their templates."""
        order = [template.name for template in self._system.templates]
        return sorted(threads, key=lambda thread: order.index(thread.template.name))

    # The conditions

    def _initiation(self) -> Iterator[Obligation]:
        main, templates = self._system.main, self._system.templates
        everybody = [self._at(main, main.start), *((template.name, OUTSIDE) for template in templates[1:])]
        everybody += [(template.name, OUTSIDE) for template in templates if template.is_replicated]
        for places in combinations(filter(self._counts, everybody), self._size):
            formulas = Formulas(self._arithmetic)
            shared = formulas.state(self._system.shared, "shared")
            threads = [self._bystander(place, f"other{number}", formulas) for number, place in enumerate(places)]
            facts = (*formulas.facts, *initially(self._system, self._arithmetic), *self._distinct(threads))
            goal = self._invariant(threads, shared)
            yield Obligation(Kind.INITIATION, places, None, None, formulas.constants, facts, goal)
        for variable, places_ in self._counted.items():
            if self._system.initial.get(variable.name) != int((main.name, main.start) in places_):
                yield Obligation(Kind.POPULATION, tuple(places_), None, None, {}, (), "false")

    def _of_edge(self, step: Step) -> Iterator[Obligation]:
        """What an edge has to keep, and its checks."""
        actors = self._actors(step)
        edge = (step.template.name, step.edge.source, step.edge.target)
        starts = [(begun.template, self._templates[begun.template].start) for begun in step.begun]
        arrivals = Counter([(edge[0], edge[2]), *starts])
        for variable, counted in self._counted.items():
            change = numeral(sum(arrivals[place] for place in counted) - int(edge[:2] in counted))
            goal = f"(= {step.after[variable.name]} (+ {step.before[variable.name]} {change}))"
            constants, facts = step.constants, tuple(step.facts)
            yield Obligation(Kind.POPULATION, tuple(counted), edge, step.edge.origin, constants, facts, goal)
        for number in range(self._size + 1):
            for places in self._others(actors, number):
                formulas = Formulas(self._arithmetic, dict(step.constants))
                others = [self._bystander(place, f"other{slot}", formulas) for slot, place in enumerate(places)]
                for chosen in combinations(actors, self._size - number):
                    yield from self._of_subject(step, actors[0], chosen, others, formulas)

    def _of_subject(
        self, step: Step, actor: _Thread, chosen: Sequence[_Thread], others: Sequence[_Thread], formulas: Formulas
    ) -> Iterator[Obligation]:
        """That a step of *actor* keeps the invariant of a subject; if it is one of its threads, also its checks.

        The subject has the *chosen* among the threads that take part in the step, and *others*; formulas: the step's
        constants with theirs, and facts about these.
        """
        subject = self._ordered([*chosen, *others])
        takes_part = any(thread is actor for thread in chosen)
        known = self._known(subject if takes_part else self._ordered([actor, *subject]), step.before)
        if "false" in known:
            return
        about = tuple(thread.place for thread in subject)
        edge = (step.template.name, step.edge.source, step.edge.target)
        for claim in step.claims if takes_part else ():
            facts = (*step.facts[: claim.known], *formulas.facts, *known)
            yield Obligation(Kind.CHECK, about, edge, claim.origin, formulas.constants, facts, claim.condition)
        kind = Kind.CONSECUTION if chosen else Kind.INTERFERENCE
        facts = (*step.facts, *formulas.facts, *known)
        goal = self._invariant(subject, step.after, later=True)
        yield Obligation(kind, about, edge, step.edge.origin, formulas.constants, facts, goal)


class _Definition:
    """An invariant as a function of the parameters that occur in it."""

    def __init__(self, name: str, key: tuple[Place, ...], invariant: Invariant, system: System, arithmetic: Arithmetic):
        self._name = name
        owners: dict[str, int | None] = {}
        for symbol, variable in invariant.parameters:
            owners[symbol] = _owner(symbol, variable, key, system)
        renamed = {symbol: f"parameter/{number}" for number, (symbol, _) in enumerate(invariant.parameters)}
        if len(renamed) < len(invariant.parameters):
            raise MalformedError("a parameter is declared twice")
        self._term: Term = admitted(invariant.term, renamed)
        used = set(symbols(self._term))
        self._parameters = [
            (renamed[symbol], sort(variable.type, arithmetic), variable, owners[symbol])
            for symbol, variable in invariant.parameters
            if renamed[symbol] in used
        ]

    def definition(self) -> str:
        """The command that defines it."""
        parameters = " ".join(f"({name} {sort_})" for name, sort_, _, _ in self._parameters)
        return f"(define-fun {self._name} ({parameters}) Bool {self._term})\n"

    def applied(self, shared: dict[str, str], locals_: Sequence[dict[str, str]]) -> str:
        """It holds of shared variables with these values, and threads with these locals."""
        if str(self._term) in ("true", "false"):
            return str(self._term)
        terms = [
            shared[variable.name] if owner is None else locals_[owner][variable.name]
            for _, _, variable, owner in self._parameters
        ]
        return f"({self._name} {' '.join(terms)})" if terms else self._name


def _owner(symbol: str, variable: Variable, key: tuple[Place, ...], system: System) -> int | None:
    """The position in *key* of the thread whose local a parameter is; None if it is shared."""
    if variable.is_shared:
        if symbol == variable.name and variable in system.shared:
            return None
    else:
        for number, (name, _) in enumerate(key):
            expected = variable.name if len(key) == 1 else f"{variable.name}!{number + 1}"
            if symbol == expected and name == variable.template and variable in system.template(name).locals:
                return number
    raise MalformedError(f"{symbol} is no variable of the threads that the invariant is about")
