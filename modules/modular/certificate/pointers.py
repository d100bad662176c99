"""Whether what a certificate says of pointers is closed under the instructions, and where places are by it.

Subsets, without regard to the order of instructions (Andersen, 1994): an object has one set for all pointers in it.
What is not known leads to `ANY`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

from cseq.modules.ir import expressions as ex
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.ir.program import Program, Template
from cseq.modules.ir.types import Array, Field, Pointer, Record, Type, Void, without_arrays
from cseq.modules.modular.certificate.failure import RejectedError
from cseq.modules.modular.certificate.form import ANY, Location, Pointers, Root

ALLOCATIONS = frozenset({"malloc", "calloc", "__CSEQ_allocate", "__CSEQ_zeroed"})
"""Calls that return a new block."""
_COPIES = frozenset({"memcpy", "memmove", "__CSEQ_copy", "__CSEQ_move"})
_STORE_NOTHING = ("pthread_", "sem_", "mtx_", "cnd_", "thrd_", "__cs_step_", "__CSEQ_", "__cs_deadlock", "__cs_chain")
_ANYWHERE = frozenset({ANY})
_NOWHERE: frozenset[Location] = frozenset()


def plain(node: ex.Expr) -> ex.Expr:
    """What an expression is before conversions."""
    while isinstance(node, ex.Convert):
        node = node.operand
    return node


def overlap(one: Location, other: Location) -> bool:
    """Whether two parts of objects may have bytes in common."""
    if one.root is None or other.root is None:
        return True
    if one.root is not other.root:
        return False
    for mine, theirs in zip(one.path, other.path, strict=False):
        if mine is not theirs:
            return mine.offset < theirs.offset + theirs.type.size and theirs.offset < mine.offset + mine.type.size
    return True


def meet(one: Iterable[Location], other: Iterable[Location]) -> bool:
    """Whether two sets of locations may have memory in common."""
    return any(overlap(a, b) for a in one for b in other)


class PointerCheck:
    """The claims of a certificate about pointers, for the templates that threads execute.

    exposed: the objects whose address is taken, other than for the identifier of a thread.
    """

    def __init__(self, program: Program, templates: Sequence[Template], claims: Pointers) -> None:
        self._program = program
        self._templates = templates
        self._claims = claims
        self._by_name = {each.name: each for each in templates}
        self.exposed: set[Object] = set()
        self.assigned: set[Object] = set()
        self._blocks: set[ir.Operation] = set()
        self._static = [each for each in program.objects if each.storage in (Storage.STATIC, Storage.THREAD_LOCAL)]
        self._expose()

    def check(self) -> None:
        """Raise RejectedError unless the claims are closed."""
        for object_ in self._static:
            if getattr(object_.declaration, "init", None) is not None and _holds_pointers(object_.type):
                for place, value in self._program.initial(object_):
                    self._stored(self.places(place), self.led(value), f"`{object_.name}`")
        for template in self._templates:
            for instruction in template.instructions():
                self._check(template, instruction)

    # Which objects pointers may lead to at all

    def _expose(self) -> None:
        todo: list[ex.Expr] = []
        for object_ in self._static:
            if getattr(object_.declaration, "init", None) is not None and _holds_pointers(object_.type):
                todo += [value for _, value in self._program.initial(object_)]
        for template in self._templates:
            for instruction in template.instructions():
                operands = instruction.operands()
                if isinstance(instruction, ir.Create):
                    handle = plain(instruction.handle)
                    if isinstance(handle, ex.AddressOf) and isinstance(handle.place.base, Object):
                        operands = operands[1:]
                        todo += handle.place.operands()
                todo += operands
                target = instruction.target()
                if target is not None:
                    todo += target.operands()
                    if isinstance(target.base, Object) and not isinstance(instruction, ir.Undefine):
                        self.assigned.add(target.base)
                if isinstance(instruction, ir.Operation) and instruction.function in ALLOCATIONS:
                    self._blocks.add(instruction)
        seen: set[int] = set()
        while todo:
            node = todo.pop()
            if node.number in seen:
                continue
            seen.add(node.number)
            if isinstance(node, ex.AddressOf) and isinstance(node.place.base, Object):
                self.exposed.add(node.place.base)
            todo += node.operands()

    def may_share(self, one: Iterable[Location], other: Iterable[Location]) -> bool:
        """Whether two sets of locations may have memory in common: `ANY` is no object whose address is not taken."""
        return any(
            overlap(a, b) and not (self._is_hidden(a, b) or self._is_hidden(b, a)) for a in one for b in other
        )  # fmt: skip

    def _is_hidden(self, one: Location, other: Location) -> bool:
        return other.root is None and isinstance(one.root, Object) and one.root not in self.exposed

    # Where places are

    def places(self, place: ex.Place) -> frozenset[Location]:
        """The locations that a place may be."""
        base = place.base
        if isinstance(base, Object):
            if base.storage in (Storage.STRING, Storage.CODE):
                return _NOWHERE
            found = {Location(base)}
        else:
            assert isinstance(base.type, Pointer)
            found = {self._typed(each, base.type.to) for each in self.led(base)}
        for part in place.path:
            if isinstance(part, Field):
                found = {self._member(each, part) for each in found}
        return frozenset(found)

    def led(self, value: ex.Expr) -> frozenset[Location]:
        """Where a pointer, or the pointers in a record, may lead."""
        if isinstance(value.type, Record):
            match value:
                case ex.Read(place):
                    return self._content(self.places(place))
                case ex.Select(_, then, other):
                    return self.led(then) | self.led(other)
            return _ANYWHERE
        if not isinstance(value.type, Pointer):
            return _NOWHERE
        match value:
            case ex.Read(place):
                return self._content(self.places(place))
            case ex.AddressOf(place):
                return self.places(place)
            case ex.Const():
                return _NOWHERE
            case ex.Convert(operand):
                return self._converted(value, operand)
            case ex.PointerAdd(pointer):
                return frozenset(self._moved(each, value.type.to) for each in self.led(pointer))
            case ex.Select(_, then, other):
                return self.led(then) | self.led(other)
        return _ANYWHERE

    def _converted(self, node: ex.Convert, operand: ex.Expr) -> frozenset[Location]:
        if isinstance(operand, ex.Const):
            return _NOWHERE
        if isinstance(operand.type, Pointer):
            return self.led(operand)
        if isinstance(operand, ex.Convert) and isinstance(operand.operand.type, Pointer) and (
            operand.type.size >= node.type.size
        ):  # fmt: skip
            return self.led(operand.operand)
        return _ANYWHERE

    def _content(self, places: Iterable[Location]) -> frozenset[Location]:
        found: set[Location] = set()
        for each in places:
            if each.root is None or (isinstance(each.root, Object) and each.root.storage is Storage.LIBRARY):
                return _ANYWHERE
            found |= self._claims.content.get(each.root, _NOWHERE)
        return frozenset(found)

    def _type_at(self, location: Location) -> Type | None:
        if location.path:
            return without_arrays(location.path[-1].type)
        root = location.root
        if isinstance(root, Object):
            return without_arrays(root.type)
        return None if root is None else self._claims.used.get(root)

    def _typed(self, location: Location, type_: Type) -> Location:
        if location.root is None or isinstance(type_, Void):
            return location
        return location if _is_like(self._type_at(location), without_arrays(type_)) else Location(location.root)

    def _member(self, location: Location, field: Field) -> Location:
        if field.bits is not None or field.record.is_union or self._type_at(location) is not field.record:
            return location
        return Location(location.root, (*location.path, field))

    def _moved(self, location: Location, type_: Type) -> Location:
        if location.path and isinstance(location.path[-1].type, Array) and (
            _is_like(self._type_at(location), without_arrays(type_))
        ):  # fmt: skip
            return location
        return Location(location.root)

    # The instructions

    def _check(self, template: Template, instruction: ir.Instruction) -> None:
        match instruction:
            case ir.Assign(place, value) if _holds_pointers(place.type):
                self._stored(self.places(place), self.led(value), str(instruction.origin))
            case ir.Call():
                self._check_call(instruction)
            case ir.Create(start, argument):
                started = self._by_name.get(start.name)
                for each in [started] if started is not None else self._templates:
                    for parameter in each.parameters[:1]:
                        self._stored([Location(parameter)], self.led(argument), str(instruction.origin))
            case ir.Return(value) if value is not None and _holds_pointers(value.type):
                if not self.led(value) <= self._claims.returned.get(template.name, _NOWHERE):
                    raise RejectedError(f"{instruction.origin}: a returned pointer leads to what is not claimed")

    def _check_call(self, call: ir.Call) -> None:
        where = str(call.origin)
        called = None if isinstance(call, ir.Operation) else self._by_name.get(call.function)
        arguments = [plain(each) for each in call.arguments]
        if called is not None:
            for parameter, argument in zip(called.parameters, call.arguments, strict=False):
                if _holds_pointers(parameter.type):
                    self._stored([Location(parameter)], self.led(argument), where)
        elif call.function in _COPIES:
            self._stored(self.led(arguments[0]), self._content(self.led(arguments[1])), where)
        elif "join" in call.function:
            if len(arguments) > 1:
                self._stored(self.led(arguments[1]), frozenset().union(*self._claims.returned.values()), where)
        elif not call.function.startswith(_STORE_NOTHING) and call.function not in ALLOCATIONS:
            for argument in arguments:
                self._stored(self.led(argument), _ANYWHERE, where)
        if call.result is not None and _holds_pointers(call.result.type):
            self._stored(self.places(call.result), self._result(call, called), where)

    def _result(self, call: ir.Call, called: Template | None) -> frozenset[Location]:
        if isinstance(call, ir.Operation) and call.function in ALLOCATIONS:
            return frozenset({Location(call)})
        if called is not None:
            return self._claims.returned.get(called.name, _NOWHERE)
        if call.function == "__errno_location":
            return frozenset(Location(each) for each in self._program.objects if each.name == "__cs_errno")
        return _ANYWHERE

    def _stored(self, places: Iterable[Location], pointers: frozenset[Location], where: str) -> None:
        if not pointers:
            return
        for each in places:
            roots: Iterable[Root] = [each.root] if each.root is not None else [*self.exposed, *self._blocks]
            for root in roots:
                if not pointers <= self._claims.content.get(root, _NOWHERE):
                    raise RejectedError(f"{where}: a pointer is stored that leads to what is not claimed")

    def is_one_record(self, location: Location, record: Record) -> bool:
        """Whether a location is one record, not one of an array, nor a part of something else."""
        root = location.root
        if any(isinstance(field.type, Array) for field in location.path) or self._type_at(location) is not record:
            return False
        if isinstance(root, Object):
            return not isinstance(root.type, Array)
        sizes = [each.value for each in root.arguments if isinstance(each, ex.Const)] if root is not None else []
        return root is not None and len(sizes) == len(root.arguments) and (
            prod(each for each in sizes if isinstance(each, int)) < 2 * record.size
        )  # fmt: skip


def _is_like(one: Type | None, other: Type) -> bool:
    return one is other or (isinstance(one, Pointer) and isinstance(other, Pointer))


def _holds_pointers(type_: Type) -> bool:
    type_ = without_arrays(type_)
    if isinstance(type_, Record):
        return any(_holds_pointers(field.type) for field in type_.fields.values())
    return isinstance(type_, Pointer)
