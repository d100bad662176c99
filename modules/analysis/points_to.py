"""Points-to analysis: where pointers may lead, for the whole program (Andersen, 1994).

Subsets of locations under union; flow-insensitive, and sensitive to members, but not to elements of arrays. Memory that
is allocated is named by the operation that allocates it. Over-approximates: what is not known leads to `ANYWHERE`,
which may be any object whose address is taken.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import prod
from types import MappingProxyType
from typing import Any

from cseq.modules.ir import instructions as ir
from cseq.modules.ir.expressions import (
    AddressOf,
    Const,
    Convert,
    Expr,
    Place,
    PointerAdd,
    Read,
    Select,
)
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.ir.program import Program, Template
from cseq.modules.ir.slotted import Slotted
from cseq.modules.ir.types import Array, Field, Int, Pointer, Record, Type, Void, without_arrays

Root = Object | ir.Operation | None
"""An object, or the operation that allocates it; None if it is any."""


class Location(metaclass=Slotted):
    """A part of an object: the members that lead to it. Equal locations of one analysis are one."""

    root: Root
    path: tuple[Field, ...]


Locations = frozenset[Location]

ANYWHERE = Location(None, ())
NOWHERE: Locations = frozenset()
_ANY = frozenset({ANYWHERE})

Known = Mapping[Any, Any]
"""Where local pointers lead at some point, by the number of their place, if that is known better than in general."""

ALLOCATES = frozenset({"malloc", "calloc", "__CSEQ_allocate", "__CSEQ_zeroed"})
"""Functions that return a new object. Their variants for memory that comes back are not among them."""
KEEP_NOTHING = ("pthread_", "sem_", "mtx_", "cnd_", "thrd_", "__cs_step_", "__CSEQ_", "__cs_deadlock", "__cs_chain")
"""How the names of functions begin that store no pointer in the program's objects, except as is said here."""
GETS_SPECIFIC = frozenset({"pthread_getspecific", "tss_get"})
SETS_SPECIFIC = frozenset({"pthread_setspecific", "tss_set"})
COPIES = frozenset({"memcpy", "memmove", "__CSEQ_copy", "__CSEQ_move"})
"""Functions that copy bytes, and with them pointers, from their second argument to their first."""
_WHOLE = (ir.Input, ir.Undefine, ir.Zero)
_LITERAL = frozenset({Storage.STRING, Storage.CODE})


def overlap(one: Location, other: Location) -> bool:
    """Whether two locations have memory in common; `ANYWHERE` does with each."""
    if one.root is None or other.root is None:
        return True
    if one.root is not other.root:
        return False
    for left, right in zip(one.path, other.path, strict=False):
        if left is not right:
            return left.offset < right.offset + right.type.size and right.offset < left.offset + left.type.size
    return True


def uncast(node: Expr) -> Expr:
    """What *node* converts, if it is a conversion."""
    while isinstance(node, Convert):
        node = node.operand
    return node


def pointer_within(node: Convert) -> Expr:
    """What a conversion to a pointer converts: without a number between two pointers that loses nothing."""
    inner = node.operand
    if isinstance(inner, Convert) and isinstance(inner.operand.type, Pointer) and inner.type.size >= node.type.size:
        return inner.operand
    return inner


def _is_same(one: Type | None, other: Type) -> bool:
    return one is other or (isinstance(one, Pointer) and isinstance(other, Pointer))


def _has_pointer(type_: Type) -> bool:
    type_ = without_arrays(type_)
    if isinstance(type_, Record):
        return any(_has_pointer(field.type) for field in type_.fields.values())
    return isinstance(type_, Pointer)


class PointsTo:
    """Where the pointers of *program* may lead, as far as *templates* are executed.

    flows: template → its instructions that may store a pointer; all its calls are among them, main is the first one.
    exposed: the objects whose address is taken. handles: those whose address is given to the creation of a thread, for
    its identifier; that does not expose them, but nothing else is known of an object that is among both. copies: what
    may be executed in place of a template, by its name. follows_literals: whether strings and functions are locations.
    """

    def __init__(
        self,
        program: Program,
        templates: Sequence[Template],
        copies: Mapping[str, Template] = MappingProxyType({}),
        follows_literals: bool = False,
    ) -> None:
        self._program = program
        self._copies = copies
        self._ignored = frozenset[Storage]() if follows_literals else _LITERAL
        templates = sorted(templates, key=lambda template: template.name != "main")
        self._templates = templates
        self._made: dict[tuple[Root, tuple[Field, ...]], Location] = {(None, ()): ANYWHERE}
        self._content: dict[Root, set[Location]] = {}
        self._used: dict[Root, Type] = {}  # allocated object → the type as which it is first used
        self._allocations: set[Root] = set()
        self._returned: set[Location] = set()
        self._specific: set[Location] = set()  # what the values of keys, of all threads, lead to
        self._returns: dict[Template, set[Location]] = {}
        self._named: dict[int, Locations] = {}
        self._seen: set[int] = set()
        self.exposed: set[Root] = set()
        self.handles: set[Root] = set()
        self.flows = {template: [*self._flows(template)] for template in templates}
        self._initial()
        self._changed = True
        while self._changed:
            self._changed = False
            for template, flows in self.flows.items():
                for flow in flows:
                    self._flow(flow, template)

    @cached_property
    def with_literals(self) -> "PointsTo":
        """The same, where strings and functions are locations."""
        return PointsTo(self._program, self._templates, self._copies, follows_literals=True)

    # Where places and values lead

    def location(self, root: Root) -> Location:
        """An object as a whole."""
        return self._location(root)

    def _location(self, root: Root, path: tuple[Field, ...] = ()) -> Location:
        found = self._made.get((root, path))
        if found is None:
            found = self._made[root, path] = Location(root, path)
        return found

    def locations(self, place: Place, known: Known | None = None) -> Locations:
        """The locations that *place* may be."""
        found = self._named.get(place.number)
        if found is not None:
            return found
        base = place.base
        if isinstance(base, Expr):
            parts: Iterable[Location] = self.pointed(base, known)
        else:
            parts = () if base.storage in self._ignored else (self._location(base),)
        for part in place.path:
            if isinstance(part, Field):
                parts = [self._member(each, part) for each in parts]
        found = frozenset(parts)
        if not isinstance(base, Expr):
            self._named[place.number] = found
        return found

    def pointed(self, pointer: Expr, known: Known | None = None) -> Locations:
        """The locations that *pointer* may lead to, as objects of its type."""
        assert isinstance(pointer.type, Pointer)
        type_ = pointer.type.to
        return frozenset(self._as(each, type_) for each in self.targets(pointer, known))

    def targets(self, value: Expr, known: Known | None = None) -> Locations:
        """Where the pointer *value* may lead."""
        if not isinstance(value.type, Pointer):
            return NOWHERE
        match value:
            case Read(place):
                found = None if known is None else known.get(place.number)
                if isinstance(found, frozenset):
                    return found
                return self._contents(self.locations(place, known))
            case AddressOf(place):
                return self.locations(place, known)
            case Convert(operand):
                if isinstance(operand, Const):
                    return NOWHERE
                source = pointer_within(value)
                return self.targets(source, known) if isinstance(source.type, Pointer) else _ANY
            case PointerAdd(pointer, _, _):
                type_ = without_arrays(value.type.to)
                moved = self.targets(pointer, known)
                return frozenset(each if self._is_element(each, type_) else self.whole(each) for each in moved)
            case Select(_, then, other):
                return self.targets(then, known) | self.targets(other, known)
        return NOWHERE

    @property
    def contents(self) -> Mapping[Root, set[Location]]:
        """Where the pointers in each object may lead."""
        return self._content

    @property
    def returned(self) -> Mapping[Template, set[Location]]:
        """Where the pointers that functions return may lead."""
        return self._returns

    @property
    def used(self) -> Mapping[Root, Type]:
        """The types as which allocated objects are used."""
        return self._used

    def holders(self) -> Iterator[tuple[Root, Root]]:
        """What may hold pointers, each with what one leads to; None also holds what threads return."""
        for holder, locations in [*self._content.items(), (None, self._returned)]:
            yield from ((holder, each.root) for each in locations)

    def has_pointers(self, location: Location) -> bool:
        """Whether a pointer to a known object may lie somewhere in the object that a location is in."""
        roots = self._content if location.root is None else [location.root]
        return any(each.root for root in roots for each in self._content.get(root, ()))

    def holds_in(self, location: Location, type_: Int) -> bool:
        """Whether a pointer to a known object may lie in a location that is read as a number."""
        root = location.root
        if root is None or (isinstance(root, Object) and root.storage is Storage.LIBRARY):
            return False
        if not any(each.root for each in self._content.get(root, ())):
            return False
        around = root.type if isinstance(root, Object) else self._used.get(root)
        plain = None if around is None else without_arrays(around)
        return not isinstance(plain, Record) or plain.is_union  # of a record, it is not known which member holds it

    def whole(self, location: Location) -> Location:
        """The object that a location is in."""
        return self._location(location.root) if location.path else location

    def _contents(self, locations: Iterable[Location]) -> Locations:
        found: set[Location] = set()
        for each in locations:
            root = each.root
            if root is None or (isinstance(root, Object) and root.storage is Storage.LIBRARY):
                return _ANY  # the library's objects keep what they are given
            found.update(self._content.get(root, ()))
        return frozenset(found)

    def result(self, call: ir.Call) -> Locations:
        """Where the pointer that a call returns may lead."""
        if isinstance(call, ir.Operation) and call.function in ALLOCATES:
            self._allocations.add(call)
            return frozenset({self._location(call)})
        called = self._called(call)
        if called is not None:
            return frozenset(self._returns.get(called, ()))
        if call.function in GETS_SPECIFIC:
            return frozenset(self._specific)
        if call.function == "__errno_location":
            return frozenset(self._location(each) for each in self._program.objects if each.name == "__cs_errno")
        # In contrast to a number that is made a pointer, it is likely to lead to an object.
        return _ANY | {self._location(call)} if isinstance(call, ir.Operation) else _ANY

    def _called(self, call: ir.Call) -> Template | None:
        """The function of the program that a call enters, before the inliner."""
        called = None if isinstance(call, ir.Operation) else self._program.by_name.get(call.function)
        return called if called in self.flows else None

    # Types

    def _type_at(self, location: Location) -> Type | None:
        """The type of a location, without the arrays around it; None if it is not known."""
        if location.path:
            return without_arrays(location.path[-1].type)
        root = location.root
        return without_arrays(root.type) if isinstance(root, Object) else self._used.get(root)

    def is_one(self, location: Location, type_: Type) -> bool:
        """Whether a location is one object of *type_*, rather than an array, a part of one, or an object around it."""
        root = location.root
        if not _is_same(self._type_at(location), type_) or any(isinstance(f.type, Array) for f in location.path):
            return False
        return not isinstance(root.type, Array) if isinstance(root, Object) else self._is_allocated_alone(root)

    def _is_allocated_alone(self, root: ir.Operation | None) -> bool:
        """Whether an allocated object is known to have room for one record."""
        sizes = [each.value for each in root.arguments if isinstance(each, Const)] if root is not None else []
        if root is None or root.function not in ALLOCATES or len(sizes) < len(root.arguments):
            return False
        return prod(size for size in sizes if isinstance(size, int)) < 2 * self._used[root].size

    def _member(self, location: Location, field: Field) -> Location:
        """A member of the record at a location; all of it where the member may share its bytes with others."""
        if field.bits is not None or field.record.is_union or self._type_at(location) is not field.record:
            return location
        return self._location(location.root, (*location.path, field))

    def _as(self, location: Location, type_: Type) -> Location:
        """A location, accessed as *type_*: the whole object where its own type is another one."""
        root = location.root
        if root is None or isinstance(type_, Void):
            return location
        if not location.path and not isinstance(root, Object):
            self._used.setdefault(root, without_arrays(type_))
            return location
        return location if _is_same(self._type_at(location), without_arrays(type_)) else self.whole(location)

    def _is_element(self, location: Location, type_: Type) -> bool:
        """Whether a location is the elements, which are of *type_*, of an array in a record."""
        return bool(location.path) and isinstance(location.path[-1].type, Array) and _is_same(
            self._type_at(location), type_
        )  # fmt: skip

    # What stores pointers

    def _add(self, locations: Iterable[Location], pointees: Iterable[Location]) -> None:
        pointees = set(pointees)
        for location in locations if pointees else ():
            for root in [location.root] if location.root is not None else [*self.exposed, *self._allocations]:
                content = self._content.setdefault(root, set())
                if not pointees <= content:
                    content |= pointees
                    self._changed = True

    def _flows(self, template: Template) -> Iterator[ir.Instruction]:
        """The instructions that may store a pointer; what they expose is noted."""
        for instruction in template.instructions():
            operands = instruction.operands()
            target = instruction.target()
            if isinstance(instruction, ir.Create):
                inner = uncast(instruction.handle)
                if isinstance(inner, AddressOf) and isinstance(inner.place.base, Object):
                    self.handles.add(inner.place.base)
                    operands = operands[1:]
            if target is not None and isinstance(target.base, Expr) and not isinstance(instruction, _WHOLE):
                operands += (target.base,)
            for operand in operands:
                if operand.number not in self._seen:
                    self._expose(operand)
            if isinstance(instruction, ir.Assign):
                if _has_pointer(instruction.place.type):
                    yield instruction
            elif isinstance(instruction, (ir.Call, ir.Create, ir.Return)):
                yield instruction

    def _expose(self, node: Expr) -> None:
        """Note the objects of which an expression takes the address."""
        self._seen.add(node.number)
        if isinstance(node, AddressOf) and isinstance(node.place.base, Object):
            self.exposed.add(node.place.base)
        for operand in node.operands():
            if operand.number not in self._seen:
                self._expose(operand)

    def _initial(self) -> None:
        """Store the addresses that static objects contain at first."""
        static = (Storage.STATIC, Storage.THREAD_LOCAL)
        for each in tuple(self._program.objects):
            if each.storage in static and getattr(each.declaration, "init", None) is not None:
                for place, value in self._program.initial(each) if _has_pointer(each.type) else ():
                    self._expose(value)
                    self._add(self.locations(place), self.targets(value))

    def _flow(self, instruction: ir.Instruction, template: Template) -> None:
        match instruction:
            case ir.Assign(place, value):
                self._add(self.locations(place), self._held(value))
            case ir.Call():
                self._call(instruction)
                if instruction.result is not None and _has_pointer(instruction.result.type):
                    self._add(self.locations(instruction.result), self.result(instruction))
            case ir.Create(start, argument):
                started = [self._program.by_name.get(start.name), self._copies.get(start.name)]
                for each in filter(None, started) if started[0] is not None else self._templates:
                    for parameter in each.parameters[:1]:
                        self._add([self._location(parameter)], self.targets(argument))
            case ir.Return(value) if value is not None:
                found = self._held(value)
                for returned in (self._returned, self._returns.setdefault(template, set())):
                    if not returned.issuperset(found):
                        returned.update(found)
                        self._changed = True

    def _held(self, value: Expr) -> Locations:
        """Where the pointers in *value* may lead, which may be a record."""
        match value:
            case Read(place) if isinstance(value.type, Record):
                return self._contents(self.locations(place))
            case Select(_, then, other):
                return self._held(then) | self._held(other)
        return self.targets(value)

    def _call(self, call: ir.Call) -> None:
        name, arguments = call.function, [uncast(each) for each in call.arguments]
        called = self._called(call)
        if called is not None:
            for parameter, argument in zip(called.parameters, call.arguments, strict=False):
                self._add([self._location(parameter)], self._held(argument))
        elif name in COPIES:
            self._add(self.targets(arguments[0]), self._contents(self.targets(arguments[1])))
        elif name in SETS_SPECIFIC:
            found = self.targets(arguments[1])
            if not self._specific.issuperset(found):
                self._specific.update(found)
                self._changed = True
        elif "join" in name:
            self._add(self.targets(arguments[1]) if len(arguments) > 1 else (), self._returned)
        elif not name.startswith(KEEP_NOTHING) and name not in ALLOCATES:
            for argument in arguments:
                self._add(self.targets(argument), _ANY)
