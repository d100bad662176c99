"""The values of expressions, and the addresses of places."""

from typing import Protocol

from cseq.c.constants import COMPARISONS, FLOATING_BINARY
from cseq.c.integer_operators import computed, inverted
from cseq.c.literals import floating_value
from cseq.modules.ir import expressions as ex
from cseq.modules.ir.memory import Memory, UndefinedBehaviourError, Value, converted
from cseq.modules.ir.objects import Object
from cseq.modules.ir.types import Float, Int, Type
from cseq.modules.library import lexicon


class Executing(Protocol):
    """A step: whose memory it is in, which thread executes it, and where that thread's objects are."""

    memory: Memory
    thread: int

    def block_of(self, object_: Object) -> int:
        """The number of the block of an object."""


class Evaluation:
    """Evaluates in *step*. Raises OpenError where an undefined value is used."""

    def __init__(self, step: Executing) -> None:
        self._step = step

    def address(self, place: ex.Place) -> int:
        """The address of *place*; of a bit-field, that of the byte in which it begins."""
        memory = self._step.memory
        if isinstance(place.base, ex.Expr):
            address = self._integer(place.base)
            type_: Type = place.base.type.to  # type: ignore[attr-defined]
        else:
            address = memory.address(self._step.block_of(place.base))
            type_ = place.base.type
        for part in place.path:
            if isinstance(part, ex.Index):
                type_ = type_.element  # type: ignore[attr-defined]
                address += self._integer(part.value) * type_.size
            else:
                address += part.offset
                type_ = part.type
        return address

    def _integer(self, node: ex.Expr) -> int:
        value = self.value(node)
        assert isinstance(value, int)
        return value

    def value(self, node: ex.Expr) -> Value:
        """The value of an expression."""
        match node:
            case ex.Const(value):
                return converted(floating_value(value), node.type) if isinstance(value, str) else value
            case ex.Read(place):
                return self._step.memory.load(self.address(place), place.type, place.bits)
            case ex.AddressOf(place):
                return self.address(place)
            case ex.Convert(operand):
                return converted(self.value(operand), node.type)
            case ex.Unary(op, operand):
                return _unary(op, self.value(operand), node.type)
            case ex.Binary(op, left, right):
                return _binary(op, self.value(left), self.value(right), node.type)
            case ex.Compare(op, left, right):
                return _compare(op, self.value(left), self.value(right))
            case ex.Logical(op, left, right):
                decided = bool(self.value(left)) is (op == "||")
                return int(decided if op == "||" else False) if decided else int(bool(self.value(right)))
            case ex.PointerAdd(pointer, index, stride):
                return ex.wrapped(self._integer(pointer) + self._integer(index) * stride, node.type)
            case ex.PointerDiff(left, right, stride):
                return (self._integer(left) - self._integer(right)) // stride
            case ex.Select(condition, then, other):
                return self.value(then if self.value(condition) else other)
            case ex.Setting(lexicon.THREAD):
                return self._step.thread
        raise UndefinedBehaviourError(f"the value of {getattr(node, 'name', type(node).__name__)}")


def _unary(op: str, value: Value, type_: Type) -> Value:
    assert not isinstance(value, tuple)
    if op == "!":
        return int(not value)
    if isinstance(value, float):
        return -value
    assert isinstance(type_, Int)
    found = inverted(op, value, type_.width, type_.signed)
    assert found is not None  # signed results wrap around
    return found


def _compare(op: str, left: Value, right: Value) -> int:
    assert not isinstance(left, tuple) and not isinstance(right, tuple)
    return int(COMPARISONS[op](left, right))


def _binary(op: str, left: Value, right: Value, type_: Type) -> Value:
    assert not isinstance(left, tuple) and not isinstance(right, tuple)
    if isinstance(type_, Float):
        return converted(_floating(op, float(left), float(right)), type_)
    assert isinstance(left, int) and isinstance(right, int) and isinstance(type_, Int)
    found = computed(op, left, right, type_.width, type_.signed)
    if found is None:
        raise UndefinedBehaviourError("a division by zero" if op in ("/", "%") else "a shift by more than the width")
    return found


def _floating(op: str, left: float, right: float) -> float:
    if op == "/" and right == 0:
        raise UndefinedBehaviourError("a division by zero")
    return FLOATING_BINARY[op](left, right)
