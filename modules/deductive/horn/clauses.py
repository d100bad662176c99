"""A system as constrained Horn clauses, whose models are its inductive invariants."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.horn.bitvectors import BitVectors
from cseq.modules.deductive.horn.edge_formulas import EdgeFormula, EdgeFormulas
from cseq.modules.deductive.horn.integers import Integers, conjunction
from cseq.modules.deductive.horn.slices import IDLE, Slice
from cseq.modules.deductive.proofs import OUTSIDE, Place

_NAMES = {OUTSIDE: "out", IDLE: "end"}
_SYMBOL = re.compile(r"[^\s()]+")
INDEX = ts.Scalar(64, False)
"""The type of the indices of arrays that begin with several values."""


@dataclass(frozen=True)
class Predicate:
    """An unknown invariant. parameters: their symbols, as in `Invariant`, and their variables."""

    name: str
    parameters: tuple[tuple[str, ts.Variable], ...]


@dataclass
class Clauses:
    """Horn clauses. predicates: by the (canonical) places that they are about."""

    predicates: dict[tuple[Place, ...], Predicate] = field(default_factory=dict)
    rules: dict[str, None] = field(default_factory=dict)
    declarations: list[str] = field(default_factory=list)

    def text(self) -> str:
        """The clauses as a script of SMT-LIB."""
        return "\n".join(["(set-logic HORN)", *self.declarations, *self.rules, "(check-sat)", "(get-model)", ""])


@dataclass(frozen=True)
class Thread:
    """A thread in a clause. tag: the suffix of its locals. values: those of its locals that are not their symbols."""

    place: Place
    tag: str
    values: Mapping[ts.Variable, str] = field(default_factory=dict)

    def moved(self, place: Place, step: EdgeFormula) -> Thread:
        """The thread after *step*, which is its own."""
        return Thread(place, self.tag, {it: text for it, text in step.after.items() if not it.is_shared})


class Writer:
    """What writing clauses of all kinds needs."""

    resting = IDLE
    """The location that stands for all where a thread does nothing that matters any more."""

    def __init__(self, slice: Slice, arithmetic: Integers | BitVectors) -> None:
        self.slice = slice
        self.arithmetic = arithmetic
        self.clauses = Clauses()
        self.steps = EdgeFormulas(slice, arithmetic)
        self.templates = {template.name: template for template in slice.system.templates}
        self.order = {template.name: number for number, template in enumerate(slice.system.templates)}

    @property
    def system(self) -> ts.System:
        return self.slice.system

    def canonical(self, place: Place) -> Place:
        """A place as the predicates have it."""
        return self.slice.canonical(place, self.resting)

    @property
    def beginning(self) -> Place:
        """Where main begins."""
        return self.canonical((self.system.main.name, self.system.main.start))

    def target(self, thread: Thread, edge: ts.Edge) -> Place:
        """Where *edge* leads a thread."""
        return self.canonical((thread.place[0], edge.target))

    def predicate(self, places: tuple[Place, ...], is_tagged: bool) -> Predicate:
        """The invariant of *places*, which is declared when it is first asked for."""
        if places not in self.clauses.predicates:
            parameters = [(variable.name, variable) for variable in self.slice.shared]
            for number, place in enumerate(places, 1):
                tag = f"!{number}" if is_tagged else ""
                parameters += [(variable.name + tag, variable) for variable in self.slice.live_at(place)]
            name = "I." + ".".join(f"{template}.{_NAMES.get(location, location)}" for template, location in places)
            sorts = " ".join(self.arithmetic.sort(variable.type) for _, variable in parameters)
            self.clauses.declarations.append(f"(declare-fun {name} ({sorts}) Bool)")
            self.clauses.predicates[places] = Predicate(name, tuple(parameters))
        return self.clauses.predicates[places]

    def applied(self, predicate: Predicate, threads: Iterable[Thread], after: Mapping[ts.Variable, str]) -> str:
        """A predicate of the shared variables, with their values *after* a step, and of the locals of *threads*."""
        texts = [after.get(it) or self.steps.symbol(it) for it in self.slice.shared]
        for thread in threads:
            for variable in self.slice.live_at(thread.place):
                texts.append(thread.values.get(variable) or self.steps.symbol(variable, thread.tag))
        return f"({predicate.name} {' '.join(texts)})" if texts else predicate.name

    def rule(self, body: list[str], head: str) -> None:
        """Add a clause."""
        condition = conjunction(body)
        if condition == "false" or head == "true" or head in body:
            return
        text = f"(=> {condition} {head})" if condition != "true" else head
        used = sorted({it for it in _SYMBOL.findall(text) if it in self.steps.sorts})
        bound = " ".join(f"({symbol} {self.steps.sorts[symbol]})" for symbol in used)
        self.clauses.rules[f"(assert (forall ({bound}) {text}))" if used else f"(assert {text})"] = None

    def errors(self, body: list[str], step: EdgeFormula) -> None:
        """Nothing goes wrong on *step*."""
        for length, failure in step.failures:
            self.rule([*body, *step.path[:length], failure], "false")

    def ranges(self, step: EdgeFormula, tag: str) -> list[str]:
        """What is certain of the variables that a step reads, due to their types."""
        read = sorted(step.reads, key=lambda variable: variable.name)
        return [
            self.arithmetic.range(self.steps.symbol(it, tag), it.type) for it in read if it not in self.slice.constants
        ]

    def initial(self) -> tuple[list[str], dict[ts.Variable, str]]:
        """What is certain of the shared variables initially, and their values."""
        certain: list[str] = []
        values: dict[ts.Variable, str] = {}
        for variable in self.slice.shared:
            value = self.system.initial.get(variable.name)
            if value is None:
                certain.append(self.arithmetic.range(self.steps.symbol(variable), variable.type))
            elif isinstance(variable.type, ts.Array):
                values[variable] = self._array(variable.type, value)
            else:
                assert isinstance(value, int)
                values[variable] = self.arithmetic.number(value, variable.type)
        return certain, values

    def _array(self, type: ts.Array, value: int | tuple[int, ...]) -> str:
        """An array with these elements; those outside do not matter."""
        elements = value if isinstance(value, tuple) else (value,)
        common = Counter(elements).most_common(1)[0][0]
        text = f"((as const {self.arithmetic.sort(type)}) {self.arithmetic.number(common, type.element)})"
        for place, element in enumerate(elements if isinstance(value, tuple) else ()):
            if element != common:
                index = self.arithmetic.index(self.arithmetic.number(place, INDEX), INDEX)
                text = f"(store {text} {index} {self.arithmetic.number(element, type.element)})"
        return text

    def begun(self, thread: Thread) -> list[str]:
        """What is certain of the locals of a thread that begins, due to their types."""
        return [
            self.arithmetic.range(self.steps.symbol(it, thread.tag), it.type)
            for it in self.slice.live_at(thread.place)
            if it not in thread.values
        ]

    def created(self, step: EdgeFormula, creator: Thread, tag: str) -> list[tuple[Thread, list[str]]]:
        """The threads that *step* creates, and what is certain of them. Their tags begin with *tag*."""
        found: list[tuple[Thread, list[str]]] = []
        for number, (name, values) in enumerate(step.created):
            place = self.canonical((name, self.templates[name].start))
            thread = Thread(place, tag * (number + 1), values)
            found.append((thread, [*self.begun(thread), *self.different([creator, thread])]))
        return found

    def _type_of_identity(self, thread: Thread) -> ts.Scalar | None:
        identity = self.templates[thread.place[0]].identity
        return identity.type if identity is not None and isinstance(identity.type, ts.Scalar) else None

    def identity(self, thread: Thread) -> str | None:
        """The identity of a thread of a replicated template, if it matters where the thread is."""
        variable = self.templates[thread.place[0]].identity
        if variable is None or variable not in self.slice.live_at(thread.place):
            return None
        return self.steps.symbol(variable, thread.tag)

    def different(self, threads: list[Thread]) -> list[str]:
        """That the identities of different threads differ, also from those that others have for certain."""
        texts: list[str] = []
        for position, thread in enumerate(threads):
            identity, type = self.identity(thread), self._type_of_identity(thread)
            if identity is None or type is None:
                continue
            for template in self.system.templates:
                if template.number is not None:
                    texts.append(f"(distinct {identity} {self.arithmetic.number(template.number, type)})")
            for other in threads[:position]:
                if self.identity(other) is not None and self._type_of_identity(other) == type:
                    texts.append(f"(distinct {self.identity(other)} {identity})")
        return texts

    def population(self, threads: Iterable[Thread]) -> list[str]:
        """That there are as many threads at each place as are known to be, and that there are never less than none."""
        places = [thread.place for thread in threads]
        least: dict[ts.Variable, int] = {}
        for place, variable in self.system.population.items():
            if variable in self.slice.relevant and variable not in self.slice.constants:
                least[variable] = max(least.get(variable, 0), places.count(place))
        texts = []
        for variable, number in least.items():
            read = ts.Read(variable)
            known = ts.Apply(ts.Operator.LE, (ts.Number(number, read.type), read), ts.BOOL)
            texts.append(self.arithmetic.evaluate(known, {variable: self.steps.symbol(variable)}).term.text)
        return texts

    def others(self, thread: Thread) -> Iterable[ts.Template]:
        """The templates of which there may be a thread besides *thread*."""
        return (it for it in self.system.templates if it.is_replicated or it.name != thread.place[0])


class Modular(Writer):
    """One invariant per place: one thread and its environment (Owicki and Gries)."""

    def write(self) -> Clauses:
        """All clauses."""
        start = Thread(self.beginning, "")
        certain, values = self.initial()
        self.rule([*certain, *self.begun(start)], self._invariant(start, values))
        for place in sorted(self.slice.reachable - self.slice.idle):
            self._own(Thread(place, ""))
            self._interference(Thread(place, ""))
        return self.clauses

    def _invariant(self, thread: Thread, after: Mapping[ts.Variable, str]) -> str:
        if thread.place[1] == self.resting:
            return "true"
        return self.applied(self.predicate((thread.place,), is_tagged=False), [thread], after)

    def _own(self, thread: Thread) -> None:
        for edge in self.slice.leaving(thread.place):
            step = self.steps.step(edge, thread.tag)
            body = [self._invariant(thread, {}), *self.ranges(step, thread.tag), *self.population([thread])]
            self.errors(body, step)
            body += step.path
            self.rule(body, self._invariant(thread.moved(self.target(thread, edge), step), step.after))
            for other, certain in self.created(step, thread, "!2"):
                self.rule([*body, *certain], self._invariant(other, step.after))

    def _interference(self, thread: Thread) -> None:
        for template in self.others(thread):
            for edge in template.edges:
                other = Thread(self.canonical((template.name, edge.source)), "!2")
                if not self.slice.interferes(edge) or (template.name, edge.source) not in self.slice.reachable:
                    continue
                step = self.steps.step(edge, other.tag)
                self.rule(
                    [
                        self._invariant(thread, {}),
                        self._invariant(other, {}),
                        *self.different([thread, other]),
                        *self.population([thread, other]),
                        *self.ranges(step, other.tag),
                        *step.path,
                    ],
                    self._invariant(thread, step.after),
                )
