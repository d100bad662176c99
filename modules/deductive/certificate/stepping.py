"""What an edge does, as formulas: the state after it, what is assumed and claimed on the way, the threads it begins."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from cseq.model.origin import Origin
from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.certificate.semantics import Evaluation, InapplicableError, in_range, sort
from cseq.modules.deductive.proofs import Arithmetic


@dataclass
class Formulas:
    """Constants with their sorts, and what is known of them."""

    arithmetic: Arithmetic
    constants: dict[str, str] = field(default_factory=dict)
    facts: list[str] = field(default_factory=list)

    def any(self, name: str, type_: ts.Scalar | ts.Array) -> str:
        """A constant called *name* that has any value of a type."""
        if name in self.constants:
            raise InapplicableError(f"there are two variables {name}")
        self.constants[name] = sort(type_, self.arithmetic)
        if isinstance(type_, ts.Scalar) and (fact := in_range(name, type_, self.arithmetic)) is not None:
            self.facts.append(fact)
        return name

    def state(self, variables: Iterable[ts.Variable], prefix: str) -> dict[str, str]:
        """Constants for variables, by the variables' names."""
        return {variable.name: self.any(f"{prefix}/{variable.name}", variable.type) for variable in variables}


@dataclass(frozen=True)
class StepClaim:
    """A condition that must hold if the first *known* facts do. origin: where, if it is a check of the program."""

    condition: str
    known: int
    origin: Origin | None


@dataclass(frozen=True)
class CreatedThread:
    """A thread that a step begins: its template, and the terms of the locals that it is given."""

    template: str
    arguments: dict[str, str]


class Step(Formulas):
    """An edge, executed from any state.

    before, after: the terms of all shared variables and the thread's locals. claims: in the order of execution; each is
    a fact from there on. begun: the threads that it begins.
    """

    def __init__(self, system: ts.System, template: ts.Template, edge: ts.Edge, arithmetic: Arithmetic) -> None:
        super().__init__(arithmetic)
        self.template = template
        self.edge = edge
        self.claims: list[StepClaim] = []
        self.begun: list[CreatedThread] = []
        self.before = self.state(system.shared, "shared") | self.state(template.locals, "actor")
        self.after = dict(self.before)
        self._system = system
        self._visible = {*system.shared, *template.locals}
        self._fresh = 0
        self._origin: Origin | None = edge.origin
        self._conditions: list[str] | None = None  # under which the value that is being evaluated is C's
        self._evaluation = Evaluation(arithmetic, self._lookup, self._named, self.facts.append, self._need)
        for action in edge.actions:
            self._execute(action)

    def _lookup(self, variable: ts.Variable) -> str:
        if variable not in self._visible:
            raise InapplicableError(f"the variable {variable.name} is not visible in {self.template.name}")
        return self.after[variable.name]

    def _name(self, type_: ts.Scalar | ts.Array) -> str:
        self._fresh += 1
        name = f"step/{self._fresh}"
        self.constants[name] = sort(type_, self.arithmetic)
        return name

    def _named(self, term: str, type_: ts.Scalar | ts.Array) -> str:
        name = self._name(type_)
        self.facts.append(f"(= {name} {term})")
        return name

    def _need(self, condition: str) -> None:
        """The value that is being evaluated is C's if *condition* holds."""
        if self._conditions is None:
            self._claim(condition)
        else:
            self._conditions.append(condition)

    def _claim(self, condition: str) -> None:
        self.claims.append(StepClaim(condition, len(self.facts), self._origin))
        self.facts.append(condition)

    def _execute(self, action: ts.Action) -> None:
        self._origin = self.edge.origin
        match action:
            case ts.Assign(target, value):
                if target.type != value.type:
                    raise InapplicableError("a value of another type is stored")
                self._store(target, self._value(value))
            case ts.Havoc(target):
                self._store(target, self._anything(target.type))
            case ts.Assume(condition):
                self.facts.append(self._evaluation.term(condition))
            case ts.Check(condition, _, origin):
                self._origin = origin or self.edge.origin
                self._claim(self._evaluation.term(condition))
            case ts.Create(name, arguments):
                locals_ = {variable.name: variable for variable in self._system.template(name).locals}
                for variable, value in arguments:
                    if locals_.get(variable.name) != variable or variable.type != value.type:
                        raise InapplicableError(f"{variable.name} is no argument of {name}")
                self.begun.append(
                    CreatedThread(name, {variable.name: self._value(value) for variable, value in arguments})
                )

    def _value(self, value: ts.Expression) -> str:
        """A value that is only stored: any value of its type where exact arithmetic does not have C's."""
        self._conditions = []
        term = self._evaluation.term(value)
        conditions, self._conditions = self._conditions, None
        if not conditions:
            return self._named(term, value.type)
        stored = self._anything(value.type)
        self.facts.append(f"(=> (and {' '.join(conditions)} true) (= {stored} {term}))")
        return stored

    def _anything(self, type_: ts.Scalar) -> str:
        """A new constant that has any value of a type."""
        name = self._name(type_)
        if (fact := in_range(name, type_, self.arithmetic)) is not None:
            self.facts.append(fact)
        return name

    def _store(self, target: ts.Read | ts.Element, value: str) -> None:
        if isinstance(target, ts.Read):
            self._lookup(target.variable)
            self.after[target.variable.name] = value
            return
        array = target.array
        index = self._evaluation.index(target.index)
        self.after[array.name] = self._named(f"(store {self._lookup(array)} {index} {value})", array.type)
