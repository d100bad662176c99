"""Transition systems of threads: what the deductive family proves things about.

A `System` has shared variables and thread templates. A template is a graph of locations; an edge is one atomic step,
a sequence of actions that no other thread interrupts. At every location any other thread may run. All values are
scalars or arrays of scalars: structs are flattened, and pointers are numbers (see `Address`).

Expressions have C's types after C's conversions, so no arithmetic conversion is implicit: the operands of an
arithmetic operator have the type of its result, those of a comparison have one type, and its result is a `BOOL`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from cseq.model.claims import Claim
from cseq.model.origin import Origin


@dataclass(frozen=True)
class Scalar:
    """An integer type: *width* in bits (1, 8, 16, 32, 64); 0 for `UNBOUNDED`, which has no least and greatest value."""

    width: int
    signed: bool

    @property
    def least(self) -> int:
        return -(1 << (self.width - 1)) if self.signed else 0

    @property
    def greatest(self) -> int:
        return (1 << (self.width - int(self.signed))) - 1

    def contains(self, other: Scalar) -> bool:
        """Whether every value of the type *other* is one of this type."""
        if 0 in (self.width, other.width):
            return self.width == 0
        return self.least <= other.least and other.greatest <= self.greatest


BOOL = Scalar(1, False)
"""The type of conditions, and of `_Bool`."""
INT = Scalar(32, True)
UNBOUNDED = Scalar(0, True)
"""The mathematical integers: the type of ghost variables, which no program has. Nothing overflows in it."""


@dataclass(frozen=True)
class Array:
    """An array of *length* scalars, of one dimension."""

    element: Scalar
    length: int


@dataclass(frozen=True)
class Variable:
    """A variable of the system.

    name: unique in the system, and a simple symbol of SMT-LIB. shown: what the user calls it, such as `st.a`; None if
    it is ours. template: the template to whose threads it is local; None if it is shared.
    """

    name: str
    type: Scalar | Array
    shown: str | None = None
    template: str | None = None

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def is_shared(self) -> bool:
        return self.template is None


# Expressions: frozen, compared by value; every one has a `type`.


@dataclass(frozen=True)
class Number:
    """A constant, within its type."""

    value: int
    type: Scalar = INT


@dataclass(frozen=True)
class Read:
    """The value of a scalar variable."""

    variable: Variable

    @property
    def type(self) -> Scalar:
        assert isinstance(self.variable.type, Scalar)
        return self.variable.type


@dataclass(frozen=True)
class Element:
    """The value of an element of an array. The index may have any type; a claim before it says that it is in range."""

    array: Variable
    index: Expression

    @property
    def type(self) -> Scalar:
        assert isinstance(self.array.type, Array)
        return self.array.type.element


class Operator(Enum):
    """What `Apply` applies."""

    ADD = "+"
    SUB = "-"
    MUL = "*"
    DIV = "/"  # truncates toward zero; a claim before it says that the divisor is not zero
    REM = "%"  # has the sign of the dividend
    NEG = "neg"
    BIT_AND = "&"
    BIT_OR = "|"
    BIT_XOR = "^"
    BIT_NOT = "~"
    SHL = "<<"  # the right operand has the type of the left one, and is within its width
    SHR = ">>"
    EQ = "=="  # comparisons, and the connectives: their result is a BOOL
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    NOT = "!"
    AND = "&&"
    OR = "||"

    @property
    def compares(self) -> bool:
        return self in _COMPARISONS

    @property
    def connects(self) -> bool:
        """Whether the operands are BOOLs, too."""
        return self in (Operator.NOT, Operator.AND, Operator.OR)


_COMPARISONS = frozenset({Operator.EQ, Operator.NE, Operator.LT, Operator.LE, Operator.GT, Operator.GE})


@dataclass(frozen=True)
class Apply:
    """An operator and its operands. Arithmetic of signed types wraps around, as that of unsigned ones does."""

    operator: Operator
    operands: tuple[Expression, ...]
    type: Scalar


@dataclass(frozen=True)
class Convert:
    """The operand, converted to another type: modulo 2^width; to BOOL: whether it differs from zero."""

    operand: Expression
    type: Scalar


@dataclass(frozen=True)
class Choose:
    """`condition ? then : otherwise`; all three are evaluated."""

    condition: Expression
    then: Expression
    otherwise: Expression

    @property
    def type(self) -> Scalar:
        return self.then.type


Expression = Number | Read | Element | Apply | Convert | Choose


# Actions: what an edge does, in this order.


@dataclass(frozen=True)
class Assign:
    """Store *value* in a scalar variable or an element of an array; both have the same type."""

    target: Read | Element
    value: Expression


@dataclass(frozen=True)
class Havoc:
    """Store any value of its type in *target*."""

    target: Read | Element


@dataclass(frozen=True)
class Assume:
    """The edge can only be taken if *condition* holds here.

    After an action that others can notice there is no `Assume` that can fail, unless another edge with the same
    beginning goes on where it does: what has been done would be undone.
    """

    condition: Expression


@dataclass(frozen=True)
class Check:
    """It is an error if *condition* does not hold here."""

    condition: Expression
    claim: Claim
    origin: Origin | None = None


@dataclass(frozen=True)
class Create:
    """Begin a thread of *template*, with *arguments* as the initial values of locals; the others have any value."""

    template: str
    arguments: tuple[tuple[Variable, Expression], ...] = ()
    origin: Origin | None = None


Action = Assign | Havoc | Assume | Check | Create


@dataclass(frozen=True)
class Edge:
    """One atomic step of a thread, from *source* to *target*, which are numbers of locations."""

    source: int
    target: int
    actions: tuple[Action, ...]
    origin: Origin | None = None

    @property
    def creations(self) -> list[Create]:
        """The actions that begin threads."""
        return [action for action in self.actions if isinstance(action, Create)]


@dataclass(frozen=True)
class Location:
    """A place at which a thread can stand while others run.

    locks: the variables of locks that it holds here for certain; used to drop clauses, never needed.
    """

    number: int
    origin: Origin | None = None
    locks: frozenset[str] = frozenset()


@dataclass
class Template:
    """The threads that one function makes: from one place of creation, or from any number of them.

    number: the identity of the only thread that there is (main is 0), or None where there may be several. Then
    `identity` is the local variable that has it, which is different from that of every other thread; no `Create` gives
    it a value, since the encoding does. locals: `identity` is one of them.
    """

    name: str
    start: int
    number: int | None
    locals: list[Variable] = field(default_factory=list)
    locations: dict[int, Location] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    identity: Variable | None = None
    shown: str = ""  # the user's name of the function

    @property
    def is_replicated(self) -> bool:
        return self.number is None

    def leaving(self, location: int) -> Iterator[Edge]:
        return (edge for edge in self.edges if edge.source == location)


@dataclass
class System:
    """A program of threads. The first template is main's, which alone exists at first.

    initial: the values of shared variables at the beginning; one that is missing has any. An array has a tuple, or one
    number for all elements. population: for locations, as (template, number), the shared ghost variable that is the
    number of threads there. Its edges keep it up, so a proof may assume what it means: it is never negative, and at
    least the number of threads that are known to be at the location.
    """

    shared: list[Variable]
    initial: dict[str, int | tuple[int, ...]]
    templates: list[Template]
    population: dict[tuple[str, int], Variable] = field(default_factory=dict)

    @property
    def main(self) -> Template:
        return self.templates[0]

    def template(self, name: str) -> Template:
        return next(template for template in self.templates if template.name == name)


class Address:
    """Pointers are numbers: null is 0, each object that is pointed to has a range of numbers of its own.

    A pointer has the type `POINTER`. Element k of an array whose range begins at b is at b + k: addresses count
    scalars.
    """

    POINTER = Scalar(64, False)


def parts(expression: Expression) -> Iterator[Expression]:
    """The expression and all expressions in it."""
    yield expression
    match expression:
        case Element(index=index):
            yield from parts(index)
        case Apply(operands=operands):
            for operand in operands:
                yield from parts(operand)
        case Convert(operand=operand):
            yield from parts(operand)
        case Choose(condition, then, otherwise):
            for part in (condition, then, otherwise):
                yield from parts(part)


def read(expression: Expression) -> Iterator[Variable]:
    """The variables whose value an expression depends on."""
    for part in parts(expression):
        if isinstance(part, Read):
            yield part.variable
        elif isinstance(part, Element):
            yield part.array


def expressions(action: Action) -> Iterator[Expression]:
    """The expressions that an action evaluates."""
    match action:
        case Assign(target, value):
            if isinstance(target, Element):
                yield target.index
            yield value
        case Havoc(Element(index=index)):
            yield index
        case Assume(condition) | Check(condition):
            yield condition
        case Create(arguments=arguments):
            for _, value in arguments:
                yield value


def with_expressions(action: Action, change: Callable[[Expression], Expression]) -> Action:
    """The same action with each expression that it evaluates changed."""

    def place(target: Read | Element) -> Read | Element:
        return Element(target.array, change(target.index)) if isinstance(target, Element) else target

    match action:
        case Assign(target, value):
            return Assign(place(target), change(value))
        case Havoc(target):
            return Havoc(place(target))
        case Assume(condition):
            return Assume(change(condition))
        case Check(condition, claim, origin):
            return Check(change(condition), claim, origin)
        case Create(template, arguments, origin):
            return Create(template, tuple((variable, change(value)) for variable, value in arguments), origin)


def written(action: Action) -> Variable | None:
    """The variable that an action changes."""
    if isinstance(action, Assign | Havoc):
        return action.target.variable if isinstance(action.target, Read) else action.target.array
    return None
