"""One edge as a formula: what has to hold on it, what goes wrong, and the values of variables after it."""

from dataclasses import dataclass, field

from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.horn.bitvectors import BitVectors
from cseq.modules.deductive.horn.integers import Bounds, Integers, learnt, negation
from cseq.modules.deductive.horn.slices import Slice

LONG = 120
"""A term with more letters than this gets a name instead of being repeated."""


@dataclass
class EdgeFormula:
    """An edge as a formula.

    path: what has to hold, in order. failures: what is an error, with the number of elements of the path that lead
    there. after: the values of the variables that it changes. created: the templates of new threads, and the values of
    their locals that are given. reads: variables whose values at the beginning matter.
    """

    edge: ts.Edge
    path: list[str] = field(default_factory=list)
    failures: list[tuple[int, str]] = field(default_factory=list)
    after: dict[ts.Variable, str] = field(default_factory=dict)
    created: list[tuple[str, dict[ts.Variable, str]]] = field(default_factory=list)
    reads: set[ts.Variable] = field(default_factory=set)


@dataclass
class EdgeFormulas:
    """Edges as formulas. sorts: the symbols that have been used, with their sorts; new ones are added."""

    slice: Slice
    arithmetic: Integers | BitVectors
    sorts: dict[str, str] = field(default_factory=dict)
    _known: dict[tuple[int, str], EdgeFormula] = field(default_factory=dict)

    def symbol(self, variable: ts.Variable, tag: str = "") -> str:
        """What stands for the value of a variable before an edge; *tag* tells threads apart."""
        if variable in self.slice.constants:
            assert isinstance(variable.type, ts.Scalar)
            return self.arithmetic.number(self.slice.constants[variable], variable.type)
        text = variable.name if variable.is_shared else variable.name + tag
        self.sorts[text] = self.arithmetic.sort(variable.type)
        return text

    def named(self, text: str, type: ts.Scalar | ts.Array) -> str:
        """The symbol *text*, for a value of *type*."""
        self.sorts[text] = self.arithmetic.sort(type)
        return text

    def step(self, edge: ts.Edge, tag: str) -> EdgeFormula:
        """The *edge* of a thread whose locals have the suffix *tag*."""
        key = (id(edge), tag)
        if key not in self._known:
            self._known[key] = _Execution(self, tag).executed(edge)
        return self._known[key]


class _Execution:
    """The execution of one edge."""

    def __init__(self, steps: EdgeFormulas, tag: str) -> None:
        self.steps = steps
        self.tag = tag
        self.values: dict[ts.Variable, str] = {}
        self.bounds: Bounds = {}
        self.number = 0

    def executed(self, edge: ts.Edge) -> EdgeFormula:
        step = EdgeFormula(edge)
        relevant = self.steps.slice.relevant
        for action in edge.actions:
            match action:
                case ts.Assign(target, value):
                    variable = target.variable if isinstance(target, ts.Read) else target.array
                    if variable in relevant:
                        self._store(step, target, self._value(step, value))
                case ts.Havoc(target):
                    variable = target.variable if isinstance(target, ts.Read) else target.array
                    if variable in relevant:
                        new = self.steps.named(f"{variable.name}$any{self._count()}", target.type)
                        step.path.append(self.steps.arithmetic.range(new, target.type))
                        self._store(step, target, new)
                case ts.Assume(condition):
                    step.path.append(self._value(step, condition))
                    self._learn(step, condition)
                case ts.Check(condition):
                    self._must(step, self._value(step, condition))
                    self._learn(step, condition)
                case ts.Create(template, arguments):
                    given = {
                        it: self._named(step, it, self._value(step, value)) for it, value in arguments if it in relevant
                    }
                    step.created.append((template, given))
        step.after = {variable: text for variable, text in self.values.items() if text != self._before(variable)}
        step.path = [text for text in step.path if text != "true"] if not step.failures else step.path
        return step

    def _count(self) -> str:
        self.number += 1
        return f"{self.number}{self.tag}"

    def _before(self, variable: ts.Variable) -> str:
        return self.steps.symbol(variable, self.tag)

    def _value(self, step: EdgeFormula, expression: ts.Expression) -> str:
        """The value of *expression* now. Adds what has to hold for that to the step."""
        variables = set(ts.read(expression))
        step.reads |= variables - self.values.keys()
        values = {variable: self.values.get(variable) or self._before(variable) for variable in variables}
        evaluated = self.steps.arithmetic.evaluate(expression, values, self.bounds)
        step.path += evaluated.given
        for need in evaluated.needs:
            self._must(step, need)
        return evaluated.term.text

    def _learn(self, step: EdgeFormula, condition: ts.Expression) -> None:
        """*condition* holds from here on; if it cannot, there is no way on."""
        learnt(condition, {it: self.values.get(it) or self._before(it) for it in ts.read(condition)}, self.bounds)
        for least, greatest in self.bounds.values():
            if least is not None and greatest is not None and least > greatest:
                step.path.append("false")
                break

    @staticmethod
    def _must(step: EdgeFormula, condition: str) -> None:
        if condition != "true":
            step.failures.append((len(step.path), negation(condition)))
        step.path.append(condition)

    def _store(self, step: EdgeFormula, target: ts.Read | ts.Element, value: str) -> None:
        if isinstance(target, ts.Element):
            array = self.values.get(target.array) or self._before(target.array)
            index = self.steps.arithmetic.index(self._value(step, target.index), target.index.type)
            value, variable = f"(store {array} {index} {value})", target.array
        else:
            variable = target.variable
        self.values[variable] = self._named(step, variable, value)

    def _named(self, step: EdgeFormula, variable: ts.Variable, text: str) -> str:
        """*text*, or a symbol for it if it is long."""
        if len(text) <= LONG:
            return text
        name = self.steps.named(f"{variable.name}${self._count()}", variable.type)
        step.path.append(f"(= {name} {text})")
        return name
