"""What the variables of a thread hold: constant propagation over numbers, targets of pointers, and handles.

Forward, must: a variable is known if it holds the same number, thread or outcome on every path, or if all paths know
where it may lead (Kildall, POPL 1973; flow-sensitive points-to for pointers that only their thread reaches). Only its
own thread can change such a local, so other threads need not be considered. Loops of main with calls are peeled as long
as it is known that they go on.
"""

from collections.abc import Mapping
from typing import NamedTuple

from cseq.c.constants import COMPARISONS
from cseq.c.integer_operators import computed, inverted
from cseq.modules.analysis.dataflow import Analysis, Direction
from cseq.modules.analysis.points_to import Location, Locations, PointsTo, uncast
from cseq.modules.ir import expressions as ex
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.ir.peeling import Node, PeeledGraph
from cseq.modules.ir.program import Edge, Program
from cseq.modules.ir.types import Int, Pointer

READING, WRITING = "reading", "writing"
ATTEMPTS = {
    **dict.fromkeys(("pthread_mutex_trylock", "pthread_mutex_timedlock", "pthread_mutex_clocklock", "mtx_trylock",
                     "mtx_timedlock", "pthread_spin_trylock", "pthread_rwlock_trywrlock"), WRITING),
    "pthread_rwlock_tryrdlock": READING,
}  # fmt: skip
"""Functions that return 0 if the lock is held then."""
TRIES = frozenset({
    *ATTEMPTS, "pthread_rwlock_timedrdlock", "pthread_rwlock_timedwrlock", "pthread_rwlock_clockrdlock",
    "pthread_rwlock_clockwrlock", "pthread_mutex_destroy", "mtx_destroy", "pthread_spin_destroy",
    "pthread_rwlock_destroy", "pthread_mutex_getprioceiling",
})  # fmt: skip
"""Functions that only look whether a lock is free, or take it if it is."""
_CALLS = (ir.Call, ir.Create)
_MOST_PEELED = 2_000
"""How many blocks of main are visited before no loop is peeled any more."""


class Lock(NamedTuple):
    """One lock: its location, and the subscripts on the way to it."""

    location: Location
    subscripts: tuple[int, ...] = ()


class Outcome(NamedTuple):
    """A value that is not 0 if a lock is held (or if it is not, unless *if_true*), and how it is held."""

    lock: Lock
    mode: str
    if_true: bool


class Handle(NamedTuple):
    """The identifier of the thread that an instruction creates at a node."""

    node: Node
    number: int


Key = int | tuple[int, int]
"""A variable, or an element of an array: the number of its place, and the subscript."""

Values = Mapping[Key, "int | Locations | Outcome | Handle"]


class LocalValues(Analysis[Node, Edge, Values]):
    """The values of the variables of the template of *graph*, before each block.

    handles: the variables that hold identifiers of threads, which nothing else can change.
    """

    direction = Direction.FORWARD

    def __init__(
        self, program: Program, points_to: PointsTo, graph: PeeledGraph, handles: frozenset[Object] = frozenset()
    ) -> None:
        self._pool = program.expressions
        self._program = program
        self._points_to = points_to
        self._graph = graph
        self._handles = handles
        self._open: dict[int, bool] = {}  # by the number of an expression: whether it is never known
        self._followed: dict[Object | ex.Expr, int | None] = {}
        self._fixed: dict[Object, int | None] = {}
        self._visits = 0
        self._before: dict[Node, Values] = {}
        template = graph.template
        self.changing = [[each for each in block.body if self._may_change(each)] for block in template.blocks]
        known = {self._gets_known(each) for block in self.changing for each in block}
        known |= {self._pool.variable(each).number for each in handles}
        for block in self.changing:
            block[:] = [each for each in block if isinstance(each, _CALLS) or self._whole(each.place) in known]  # type: ignore[attr-defined]

    # The framework

    def boundary(self) -> Values:
        """Nothing is known."""
        return {}

    def bottom(self) -> Values:
        """Never asked: the nodes are found on demand."""
        return {}

    def join(self, one: Values, other: Values) -> Values:
        """What both know; a pointer may lead where it may in either."""
        found: dict[Key, int | Locations | Outcome | Handle] = {}
        for key, value in one.items():
            rival = other.get(key)
            if isinstance(value, frozenset):
                if isinstance(rival, frozenset):
                    found[key] = value | rival
            elif value == rival:
                found[key] = value
        return found

    def transfer(self, node: Node, state: Values) -> Values:
        """The values behind a block."""
        self._visits += 1
        changing = self.changing[node[-1]]
        if changing:
            values = dict(state)
            for instruction in changing:
                self.apply(instruction, values, node)
        else:
            values = state  # type: ignore[assignment]
        if self._graph.is_head(node) and not self._graph.is_repeated(node) and not self._is_peeled(node, state, values):
            self._graph.keep(node)
        return values

    def along(self, edge: Edge, state: Values) -> Values | None:
        """No execution takes a branch whose condition is known to be different."""
        terminator = edge.terminator
        if isinstance(terminator, ir.Branch):
            value = self.number(terminator.condition, state)
            if value is not None and bool(value) is not edge.holds:
                return None
        return state

    def _is_peeled(self, head: Node, before: Values, after: Values) -> bool:
        """Whether it is known that the loop goes on or ends here, and worth following."""
        end = self._graph.block(head).end
        if self._visits > _MOST_PEELED or (isinstance(end, ir.Branch) and self.number(end.condition, after) is None):
            return False
        last = (*head[:-2], head[-2] - 1, head[-1])
        is_new = self._before.get(last) != before
        self._before[head] = before
        return is_new and any(
            isinstance(each, _CALLS) for number in self._graph.loop(head) for each in self.changing[number]
        )

    # What instructions change

    def _whole(self, place: ex.Place) -> int | None:
        """The number of the object that *place* is in, if its values are followed."""
        found = self._followed.get(place.base, -1)
        if found == -1:
            found, base = None, place.base
            if isinstance(base, Object):
                is_own = base.is_local and not base.is_visible and isinstance(base.type, (Int, Pointer))
                found = self._pool.variable(base).number if is_own or base in self._handles else None
            self._followed[base] = found
        return found

    def _may_change(self, instruction: ir.Instruction) -> bool:
        if isinstance(instruction, ir.Assign):
            return self._whole(instruction.place) is not None
        if isinstance(instruction, _CALLS):
            return True
        target = instruction.target()
        return target is not None and self._whole(target) is not None

    def _gets_known(self, instruction: ir.Instruction) -> int | None:
        if isinstance(instruction, ir.Assign):
            whole = self._whole(instruction.place)
            return whole if isinstance(instruction.place.type, Pointer) or not self.is_open(instruction.value) else None
        result = instruction.target() if isinstance(instruction, ir.Call) else None
        if result is None or not (isinstance(result.type, Pointer) or instruction.function in ATTEMPTS):  # type: ignore[attr-defined]
            return None
        return self._whole(result)

    def apply(
        self, instruction: ir.Instruction, values: dict[Key, int | Locations | Outcome | Handle], node: Node
    ) -> None:
        """Change *values* to what holds behind an instruction."""
        found: int | Locations | Outcome | Handle | None = None
        key: Key | None
        target = instruction.target()
        if isinstance(instruction, ir.Assign):
            found = self._value(instruction.value, values)
        elif isinstance(instruction, _CALLS):
            for key in [key for key, value in values.items() if isinstance(value, Outcome)]:
                del values[key]  # it may change a lock
            given = instruction.operands()[1:] if isinstance(instruction, ir.Create) else instruction.arguments
            for argument in map(uncast, given):
                if isinstance(argument, ex.AddressOf) and isinstance(argument.place.base, Object):
                    self._forget(argument.place, values)
            if isinstance(instruction, ir.Create):
                handle = uncast(instruction.handle)
                if isinstance(handle, ex.AddressOf):
                    key = self._key(handle.place, values)
                    self._forget(handle.place, values, key)
                    if key is not None and not self._graph.is_repeated(node):
                        values[key] = Handle(node, instruction.number)
            elif target is not None and instruction.function in ATTEMPTS:
                lock, _ = self.lock(instruction.arguments[0], values)
                found = None if lock is None else Outcome(lock, ATTEMPTS[instruction.function], False)
            elif target is not None and isinstance(target.type, Pointer):
                found = self._points_to.result(instruction)
        if target is None or self._whole(target) is None:
            return
        key = self._key(target, values)
        if key is None or found is None:
            self._forget(target, values, key)
        if key is not None and found is not None:
            values[key] = found

    def _key(self, place: ex.Place, values: Values) -> Key | None:
        whole = self._whole(place)
        if whole is None or not place.path:
            return whole
        part = place.path[0]
        if len(place.path) > 1 or not isinstance(part, ex.Index):
            return None
        index = self.number(part.value, values)
        return None if index is None else (whole, index)

    def _forget(
        self, place: ex.Place, values: dict[Key, int | Locations | Outcome | Handle], key: Key | None = None
    ) -> None:
        """Forget what *key* holds; without one, all that *place* is a part of."""
        whole = self._whole(place)
        for each in [each for each in values if (each[0] if isinstance(each, tuple) else each) == whole]:
            if key in (None, each):
                del values[each]

    # Values of expressions

    def _value(self, value: ex.Expr, values: Values) -> int | Locations | Outcome | Handle | None:
        if isinstance(value.type, Pointer):
            return self._points_to.targets(value, values)
        number = self.number(value, values)
        return number if number is not None else self.handle(value, values) or self.outcome(value, values)

    def handle(self, value: ex.Expr, values: Values) -> Handle | None:
        """The thread whose identifier *value* is."""
        inner = uncast(value)
        key = self._key(inner.place, values) if isinstance(inner, ex.Read) and values else None
        found = None if key is None else values.get(key)
        return found if isinstance(found, Handle) else None

    def outcome(self, value: ex.Expr, values: Values) -> Outcome | None:
        """The lock that is held, or not, if *value* is not 0."""
        inner: Outcome | None
        match value:
            case ex.Read(place):
                found = values.get(place.number)
                return found if isinstance(found, Outcome) else None
            case ex.Convert(operand):
                return self.outcome(operand, values)
            case ex.Unary("!", operand):
                inner = self.outcome(operand, values)
                return inner and inner._replace(if_true=not inner.if_true)
            case ex.Compare("==" | "!=" as op, left, ex.Const(0)):
                inner = self.outcome(left, values)
                return inner and inner._replace(if_true=inner.if_true is (op == "!="))
        return None

    def lock(self, argument: ex.Expr, values: Values) -> tuple[Lock | None, Locations]:
        """The lock that a pointer leads to, if that is certain; and where it may lead."""
        locations = self._points_to.targets(argument, values)
        if len(locations) != 1:
            return None, locations
        (location,) = locations
        inner = uncast(argument)
        if isinstance(inner, ex.AddressOf) and isinstance(inner.place.base, Object) and inner.type is argument.type:
            indices = [part.value for part in inner.place.path if isinstance(part, ex.Index)]
            numbers = [number for index in indices if (number := self.number(index, values)) is not None]
            return (Lock(location, tuple(numbers)) if len(numbers) == len(indices) else None), locations
        assert isinstance(argument.type, Pointer)
        return (Lock(location) if self._points_to.is_one(location, argument.type.to) else None), locations

    def number(self, node: ex.Expr, values: Values) -> int | None:
        """The value of an integer expression; None if it is unknown, or undefined behaviour."""
        if self.is_open(node):
            return None
        match node:
            case ex.Const(constant):
                return constant if isinstance(constant, int) else None
            case ex.Read(place):
                found = values.get(place.number)
                return found if isinstance(found, int) else self._constant(place)
            case ex.Convert(operand):
                value = self.number(operand, values)
                return None if value is None else ex.wrapped(value, node.type)
            case ex.Select(condition, then, other):
                value = self.number(condition, values)
                return None if value is None else self.number(then if value else other, values)
            case ex.Logical(op, left, right):
                value = self.number(left, values)
                if value is None or bool(value) is (op == "||"):
                    return None if value is None else int(bool(value))
                value = self.number(right, values)
                return None if value is None else int(bool(value))
            case ex.Unary(op, operand):
                value = self.number(operand, values)
                if value is None or op == "!":
                    return None if value is None else int(not value)
                return inverted(op, value, node.type.width, node.type.signed, wraps=False)  # type: ignore[attr-defined]
            case ex.Compare(op, left, right) | ex.Binary(op, left, right):
                value, other_value = self.number(left, values), self.number(right, values)
                if value is None or other_value is None:
                    return None
                if isinstance(node, ex.Compare):
                    return int(COMPARISONS[op](value, other_value))
                return computed(op, value, other_value, node.type.width, node.type.signed, wraps=False)  # type: ignore[attr-defined]
        return None

    def is_open(self, node: ex.Expr) -> bool:
        """Whether the value of an expression is never known."""
        found = self._open.get(node.number)
        if found is None:
            found = self._open[node.number] = self._is_open(node)
        return found

    def _is_open(self, node: ex.Expr) -> bool:
        match node:
            case ex.Const(value):
                return not isinstance(value, int)
            case ex.Read(place):
                return self._whole(place) is None and self._constant(place) is None
            case ex.Convert(operand):
                return not isinstance(node.type, Int) or self.is_open(operand)
            case ex.Logical(_, left, _) | ex.Select(left, _, _):
                return self.is_open(left)
            case ex.Unary() | ex.Compare() | ex.Binary():
                return any(map(self.is_open, node.operands())) or not isinstance(node.type, Int)
        return True

    def _constant(self, place: ex.Place) -> int | None:
        """The value of a static object that cannot change."""
        base = place.base
        if place.path or not isinstance(base, Object) or not base.is_const or base.storage is not Storage.STATIC:
            return None
        if base not in self._fixed:
            self._fixed[base] = None
            is_volatile = "volatile" in (getattr(base.declaration.type, "quals", None) or ())
            for _, value in () if is_volatile or base.declaration.init is None else self._program.initial(base):
                if isinstance(base.type, Int) and isinstance(value, ex.Const) and isinstance(value.value, int):
                    self._fixed[base] = value.value
        return self._fixed[base]
