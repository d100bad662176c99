"""Where pointers may lead: a flow-insensitive analysis of the inlined core language (Andersen, 1994).

A *place* is a part of an object: the object's name, or that of the call that allocates it, and the members that lead to
the part, separated by dots. Subscripts are left out, so all elements of an array are one place. What is not known leads
to `ANYWHERE`, which may be any object whose address is ever taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols, tag_key
from cseq.modules.analysis.places import variable
from cseq.modules.library import lexicon

Place = tuple[str, str]
"""An object, and the members that lead to a part of it."""

Places = frozenset[Place]

ANYWHERE: Place = ("", "")
NOWHERE: Places = frozenset()
_ANY: Places = frozenset({ANYWHERE})

Env = Mapping[str, Places]
"""Local pointers, and where they lead at some place, if that is known better than for the whole program."""

HEAP = "call "
"""How the names of allocated objects begin."""

_RESULT: Places = frozenset({ANYWHERE, (f"{HEAP}of another function", "")})
"""What other functions return: in contrast to numbers that are made pointers, it is likely to be an address."""

ALLOCATES = frozenset({"malloc", "calloc", "__CSEQ_allocate", "__CSEQ_zeroed"})
"""Functions that return a new object. Their variants for memory that comes back are not among them."""

_COPIES = frozenset({"memcpy", "memmove"})
KEEP_NOTHING = ("pthread_", "sem_", "mtx_", "cnd_", "thrd_", "__cs_step_", "__CSEQ_", "__cs_deadlock", "__cs_chain")
"""How the names of functions begin that store no pointer in the program's objects, except as is said here."""

IGNORED = frozenset({
    "__CSEQ_at", lexicon.SHOW, lexicon.STANDS, lexicon.AHEAD, lexicon.ACCESS, lexicon.BEGINS, lexicon.ENDS,
    lexicon.COARSE, lexicon.DEMAND,
})  # fmt: skip
"""Calls that say something of the program, and are no statements of it."""

_NO_POINTERS = IGNORED | lexicon.WHOLE
"""Calls that are given no pointers, but objects."""


def overlap(one: Place, other: Place) -> bool:
    """Whether two places of known objects have memory in common."""
    return one[0] == other[0] and (_within(one[1], other[1]) or _within(other[1], one[1]))


def _within(path: str, part: str) -> bool:
    return path in ("", part) or part.startswith(f"{path}.")


def pointer_within(symbols: Symbols, node: c_ast.Cast) -> c_ast.Node:
    """What *node*, a cast to a pointer, converts: without a number between two pointers that loses nothing."""
    source: Any = node.expr
    if isinstance(source, c_ast.Cast) and symbols.is_pointer(symbols.value_type(source.expr)):
        kind = symbols.arithmetic(source.to_type)
        if kind not in (None, "void") and symbols.model.size(kind) >= symbols.model.pointer:
            return source.expr  # type: ignore[no-any-return]
    return source  # type: ignore[no-any-return]


class Pointees:
    """Where the pointers of a program may lead.

    threads: the functions of threads, main among them. exposed: the objects whose address is taken. called: thread →
    the calls in its function, except those that are given no pointers.
    """

    def __init__(self, symbols: Symbols, tree: c_ast.FileAST, threads: Sequence[c_ast.FuncDef]) -> None:
        self._symbols = symbols
        self._content: dict[str, set[Place]] = {}  # object → where the pointers in it may lead
        self._sites: dict[int, tuple[c_ast.Node, str]] = {}
        self._heap: dict[str, c_ast.Node] = {}  # allocated object → the record that it is used as
        self._returned: set[Place] = set()
        self._decays: dict[str, bool] = {}
        self._named: dict[int, tuple[c_ast.Node, Places]] = {}  # parts of named objects, which depend on no pointer
        self.exposed: set[str] = set()
        self.called: dict[str, list[c_ast.FuncCall]] = {}
        flows: list[c_ast.Node] = []
        for node in threads:
            _statements(node.body, flows)
        self._starts = {node.decl.name: node for node in threads}
        for node in threads:
            self.called[node.decl.name] = self._expose(node.body)
            self._declared(node.body.block_items or [])
        self._declared(tree.ext)
        self._changed = True
        while self._changed:
            self._changed = False
            for flow in flows:
                self._flow(flow)

    def site(self, call: c_ast.Node) -> str:
        """The name of the object that *call* allocates."""
        return self._sites.setdefault(id(call), (call, f"{HEAP}{len(self._sites)}"))[1]

    def holders(self) -> Iterator[tuple[str, str]]:
        """The objects that may hold pointers, each with an object that one leads to; "" for what a thread returns."""
        for holder, places in [*self._content.items(), ("", self._returned)]:
            yield from ((holder, root) for root, _ in places)

    # Where lvalues and values lead

    def places(self, lvalue: Any, env: Env | None = None) -> Places:
        """The places that *lvalue* may be."""
        known = self._named.get(id(lvalue))
        if known is not None:
            return known[1]
        found = self._places(lvalue, env)
        if variable(self._symbols, lvalue) is not None:
            self._named[id(lvalue)] = lvalue, found
        return found

    def _places(self, lvalue: Any, env: Env | None) -> Places:
        match lvalue:
            case c_ast.ID():
                return frozenset({(lvalue.name, "")})
            case c_ast.ArrayRef():
                array = self._symbols.is_array(self._symbols.type_of(lvalue.name))
                if array:
                    return self.places(lvalue.name, env)
                places = self.pointed(lvalue.name, env)
                return places if build.is_constant(lvalue.subscript, 0) else self._moved(places, lvalue.name)
            case c_ast.StructRef(type="."):
                base, record = self.places(lvalue.name, env), self._symbols.type_of(lvalue.name)
                return self._members(base, record, lvalue.field.name)
            case c_ast.StructRef():
                record = self._symbols.element(self._symbols.type_of(lvalue.name))
                return self._members(self.targets(lvalue.name, env), record, lvalue.field.name)
            case c_ast.UnaryOp(op="*"):
                return self.pointed(lvalue.expr, env)
            case c_ast.Cast():
                return self.places(lvalue.expr, env)
            case c_ast.Constant():
                return NOWHERE  # a string
        return _ANY

    def pointed(self, pointer: c_ast.Node, env: Env | None = None) -> Places:
        """The places that an object of the type that *pointer* points to may be, where the pointer leads."""
        type_ = self._symbols.resolve(self._symbols.element(self._symbols.type_of(pointer)))
        return frozenset(self._as(place, type_) for place in self.targets(pointer, env))

    def targets(self, value: Any, env: Env | None = None) -> Places:
        """Where the pointer *value* may lead."""
        match value:
            case c_ast.ID():
                if env is not None and value.name in env:
                    return env[value.name]
                type_ = self._symbols.types.get(value.name)
                if type_ is None or isinstance(type_, c_ast.FuncDecl):
                    return NOWHERE
                if self._symbols.is_array(type_):
                    return frozenset({(value.name, "")})
                return self._contents({(value.name, "")}) if self._symbols.is_pointer(type_) else NOWHERE
            case c_ast.UnaryOp(op="&"):
                return self.places(value.expr, env)
            case c_ast.UnaryOp(op="*") | c_ast.ArrayRef() | c_ast.StructRef():
                type_ = self._symbols.type_of(value)
                if self._symbols.is_array(type_):
                    return self.places(value, env)
                return self._contents(self.places(value, env)) if self._symbols.is_pointer(type_) else NOWHERE
            case c_ast.Cast():
                if not self._symbols.is_pointer(value.to_type):
                    return NOWHERE
                if self._symbols.constant_or_none(value.expr) is not None:
                    return NOWHERE
                source = pointer_within(self._symbols, value)
                return self.targets(source, env) if self._is_pointer(source) else _ANY
            case c_ast.BinaryOp(op="+" | "-"):
                sides = [side for side in (value.left, value.right) if self._is_pointer(side)]
                found: Places = frozenset().union(*(self.targets(side, env) for side in sides))
                return self._moved(found, sides[0]) if len(sides) == 1 else NOWHERE
            case c_ast.TernaryOp():
                return self.targets(value.iftrue, env) | self.targets(value.iffalse, env)
            case c_ast.FuncCall():
                return self._result(value)
            case c_ast.ExprList():
                return self.targets(value.exprs[-1], env)
        return NOWHERE

    def _is_pointer(self, node: c_ast.Node) -> bool:
        return self._symbols.is_pointer(self._symbols.type_of(node))

    def _contents(self, places: Iterable[Place]) -> Places:
        found: set[Place] = set()
        for root, _ in places:
            if not root or (root.startswith("__cs_") and root not in self._symbols.locals):
                return _ANY  # the library's objects keep what they are given
            found.update(self._content.get(root, ()))
        return frozenset(found)

    def _result(self, call: c_ast.FuncCall) -> Places:
        name = call.name.name if isinstance(call.name, c_ast.ID) else ""
        if name in ALLOCATES:
            return frozenset({(self.site(call), "")})
        if name == "__errno_location":
            return frozenset({("__cs_errno", "")})
        if name.startswith(lexicon.NONDET):
            return NOWHERE  # an uninitialised pointer leads nowhere
        function: Any = self._symbols.types.get(name)
        known = isinstance(function, c_ast.FuncDecl)
        return _RESULT if not known or self._symbols.is_pointer(function.type) else NOWHERE

    # Types

    def type_at(self, place: Place) -> c_ast.Node | None:
        """The type of a place, without the arrays around it; None if it is not known."""
        root, path = place
        type_: c_ast.Node | None = self._heap.get(root) if root.startswith(HEAP) else self._symbols.types.get(root)
        for name in path.split(".") if path else ():
            if type_ is not None:
                type_ = self._symbols.member(self._element(type_), name).type
        return None if type_ is None else self._element(type_)

    def is_one(self, place: Place, type_: c_ast.Node) -> bool:
        """Whether *place* is one object of *type_*, rather than an array, a part of one, or an object around it."""
        known = self.type_at(place)
        return known is not None and self._name(known) == self._name(type_) and not self._has_elements(place)

    def _has_elements(self, place: Place) -> bool:
        root, path = place
        type_ = self._heap.get(root) if root.startswith(HEAP) else self._symbols.types.get(root)
        for name in [*(path.split(".") if path else ()), ""]:
            if type_ is None or self._symbols.is_array(type_):
                return True
            if name:
                type_ = self._symbols.member(type_, name).type
        return root.startswith(HEAP) and not self._is_allocated_alone(root)

    def _is_allocated_alone(self, root: str) -> bool:
        """Whether an allocated object is known to have room for one record."""
        call: Any = next((call for call, name in self._sites.values() if name == root), None)
        if call is None:
            return False
        sizes = [self._symbols.constant_or_none(argument) for argument in call.args.exprs]
        return None not in sizes and prod(size or 0 for size in sizes) < 2 * self._symbols.sizeof(self._heap[root])

    def _element(self, type_: c_ast.Node) -> c_ast.Node:
        type_ = self._symbols.resolve(type_)
        while isinstance(type_, c_ast.ArrayDecl):
            type_ = self._symbols.resolve(type_.type)
        return type_

    def _record(self, type_: c_ast.Node) -> str | None:
        record: Any = self._symbols.record(self._element(type_))
        if record is None:
            return None
        return tag_key(record) if record.name else f"the record {id(record)}"

    def _members(self, places: Iterable[Place], record: c_ast.Node, member: str) -> Places:
        return frozenset(self._member(place, record, member) for place in places)

    def _member(self, place: Place, record: c_ast.Node, member: str) -> Place:
        place = self._as(place, self._element(record))
        root, path = place
        known = self.type_at(place) if root else None
        definition: Any = self._symbols.record(record)
        if self._symbols.member(record, member).bitsize is not None:
            return place  # which may share its bytes with others
        if not any(name == member for name, _, _ in self._symbols.parts(definition)):
            return place  # so may a member of an anonymous member
        if known is None or self._record(known) is None or self._record(known) != self._record(record):
            return place
        return (root, f"{path}.{member}" if path else member) if isinstance(definition, c_ast.Struct) else place

    def _as(self, place: Place, type_: c_ast.Node) -> Place:
        """*place*, accessed as an object of *type_*: the whole object where its own type is another one."""
        root, path = place
        if not root or self._symbols.is_void(type_):
            return place
        if root.startswith(HEAP) and not path:
            type_ = self._element(type_)
            self._heap.setdefault(root, type_)
            return place
        at = self.type_at(place)
        return place if at is not None and self._name(at) == self._name(type_) else (root, "")

    def _moved(self, places: Iterable[Place], pointer: c_ast.Node) -> Places:
        """Where arithmetic with a *pointer* to *places* may lead: to elements of an array, or anywhere in an object."""
        type_ = self._element(self._symbols.element(self._symbols.type_of(pointer)))
        return frozenset(place if self._is_element(place, type_) else (place[0], "") for place in places)

    def _is_element(self, place: Place, type_: c_ast.Node) -> bool:
        root, path = place
        outer, _, name = path.rpartition(".")
        around, at = (self.type_at((root, outer)), self.type_at(place)) if name else (None, None)
        if around is None or at is None or self._name(at) != self._name(type_):
            return False
        return self._symbols.is_array(self._symbols.member(around, name).type)

    def _name(self, type_: c_ast.Node) -> str:
        return self._record(type_) or self._symbols.arithmetic(self._element(type_)) or type(type_).__name__

    # What stores pointers

    def _add(self, places: Iterable[Place], pointees: Iterable[Place]) -> None:
        pointees = set(pointees)
        for root, _ in places if pointees else ():
            for name in [root] if root else [*self.exposed, *(name for _, name in self._sites.values())]:
                content = self._content.setdefault(name, set())
                if not pointees <= content:
                    content |= pointees
                    self._changed = True

    def _flow(self, node: Any) -> None:
        match node:
            case c_ast.Assignment():
                if isinstance(node.rvalue, c_ast.FuncCall):
                    self._call(node.rvalue)
                if self._is_pointer(node.lvalue):
                    moved = node.op != "="
                    targets = frozenset((root, "") for root, _ in self.targets(node.lvalue)) if moved else NOWHERE
                    self._add(self.places(node.lvalue), targets | self.targets(node.rvalue))
            case c_ast.FuncCall():
                self._call(node)
            case c_ast.Return():
                self._return(node.expr)

    def _return(self, value: c_ast.Node | None) -> None:
        found = self.targets(value)
        self._changed |= not found <= self._returned
        self._returned |= found

    def _call(self, call: c_ast.FuncCall) -> None:
        name = call.name.name if isinstance(call.name, c_ast.ID) else ""
        arguments = call.args.exprs if call.args else []
        if name == lexicon.CREATE:
            start = self._starts.get(arguments[2].name if isinstance(arguments[2], c_ast.ID) else "")
            for function in self._starts.values() if start is None else [start]:
                for parameter in function.decl.type.args.params[:1] if function.decl.type.args else ():
                    if isinstance(parameter, c_ast.Decl) and parameter.name:
                        self._add({(parameter.name, "")}, self.targets(arguments[3]))
        elif name == lexicon.EXIT:
            self._return(arguments[0])
        elif name in _COPIES:
            self._add(self.targets(arguments[0]), self._contents(self.targets(arguments[1])))
        elif "join" in name:
            self._add(self.targets(arguments[1]) if len(arguments) > 1 else (), self._returned)
        elif not name.startswith(KEEP_NOTHING) and name not in ALLOCATES:
            for argument in arguments:
                if self._is_pointer(argument):
                    self._add(self.targets(argument), _ANY)

    def _declared(self, nodes: Iterable[c_ast.Node]) -> None:
        for node in nodes:
            if isinstance(node, c_ast.Decl) and node.init is not None:
                self._expose(node.init)
                self._add({(node.name, "")}, self._initial(node.init))

    def _initial(self, init: Any) -> Places:
        parts = init.exprs if isinstance(init, c_ast.InitList) else None
        if isinstance(init, c_ast.NamedInitializer):
            parts = [init.expr]
        return self.targets(init) if parts is None else frozenset().union(*map(self._initial, parts))

    def _expose(self, node: c_ast.Node) -> list[c_ast.FuncCall]:
        """Find what *node* exposes; returns the calls in it."""
        found: list[c_ast.FuncCall] = []
        seen: set[int] = set()  # copies of a statement share its expressions
        todo: list[Any] = [node]
        while todo:
            part = todo.pop()
            if isinstance(part, c_ast.ID):
                if part.name not in self.exposed and self._may_decay(part.name):
                    self.exposed.add(part.name)
            elif id(part) not in seen:
                seen.add(id(part))
                if isinstance(part, c_ast.UnaryOp) and part.op == "&":
                    root = part.expr
                    while isinstance(root, (c_ast.ArrayRef, c_ast.StructRef)):
                        root = root.name
                    if isinstance(root, c_ast.ID):
                        self.exposed.add(root.name)
                elif isinstance(part, c_ast.FuncCall):
                    found.append(part)
                todo += [child for child in part if build.callee(child) not in _NO_POINTERS]
        return found

    def _may_decay(self, name: str) -> bool:
        """Whether the object *name* is an array, or may contain one."""
        if (known := self._decays.get(name)) is None:
            type_ = self._symbols.types.get(name)
            array = type_ is not None and (self._symbols.is_array(type_) or self._symbols.record(type_) is not None)
            known = self._decays[name] = array
        return known


def _statements(node: Any, found: list[c_ast.Node]) -> None:
    """Append to *found* the statements in *node* that may store a pointer."""
    if isinstance(node, (c_ast.Assignment, c_ast.Return)):
        found.append(node)
    elif isinstance(node, c_ast.FuncCall):
        if build.callee(node) not in IGNORED:
            found.append(node)
    elif not isinstance(node, (c_ast.ID, c_ast.Constant)):
        for child in node:
            _statements(child, found)
