"""Library functions that report which memory of the user they access, and do nothing else.

For each library function that accesses memory through its pointer arguments, a twin is made from its own text:
``__cs_tells_f`` takes the path that ``f`` would take now, and calls `ACCESSES` for each load and store on it. It stores
only to its own locals, and where ``f`` would block, the execution ends. So what a call is about to access is known as
exactly as in the library itself: the characters of a string, the result of a join that would not wait.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.modules.library import lexicon, primitives, stubs
from cseq.modules.library.primitives.object_types import SCALARS
from cseq.pipeline.facts import Fact
from cseq.pipeline.translator import Rewriter, rebuilt

ACCESSES = "__cs_race_accesses"
"""``ACCESSES(address, size, is_write, is_atomic)``: the function to which accesses are reported."""

SAID = ("__cs_race_address", "__cs_race_size", "__cs_race_writes", "__cs_race_is_atomic")
"""What the functions that judge races remember of the two threads: four arrays with an element for each thread."""

HAS_TOLD = "__cs_race_told"
"""Whether the thread that is being asked has reported the access that counts."""

_ADDRESS = "__CSEQ_address"
"""The number of a byte in memory. In some engines, C's cast may give two bytes the same number."""

_PREFIX = "__cs_tells_"
_UPDATES = frozenset({"++", "--", "p++", "p--"})

# What the primitives access: the position of the pointer, the position of the size, whether they write.
_COPY = ((0, 2, True), (1, 2, False))
_PRIMITIVES = {
    "memcpy": _COPY, "memmove": _COPY, "__CSEQ_copy": _COPY, "__CSEQ_move": _COPY,
    "memset": ((0, 2, True),), "__CSEQ_fill": ((0, 2, True),),
    **dict.fromkeys(lexicon.WHOLE, ((0, 1, True),)),
    "free": ((0, None, True),), "__CSEQ_release": ((0, None, True),),
}  # fmt: skip


@dataclass(frozen=True)
class MarkMeaning:
    """The meaning of a call in a mark, for reports.

    place: an lvalue; None if it is unknown. function: the library function that makes the access, if one does.
    """

    place: c_ast.Node | None = None
    function: str = ""


class Probes:
    """The meanings of the calls in marks. A call is identified by its arguments, which stages leave as they are."""

    def __init__(self) -> None:
        self._meanings: dict[c_ast.Node, MarkMeaning] = {}

    def meaning(self, call: c_ast.Node) -> MarkMeaning | None:
        """The meaning of *call*, a call in a mark; None for other calls."""
        return self._meanings.get(call.args) if isinstance(call, c_ast.FuncCall) and call.args is not None else None

    def noted(self, call: c_ast.FuncCall, what: MarkMeaning) -> c_ast.FuncCall:
        """Remember *what* the call means, for `meaning`, and return the call."""
        self._meanings[call.args] = what
        return call


PROBES = Fact[Probes]("probes")


def access(address: c_ast.Node, size: c_ast.Node, writes: bool, atomic: bool = False) -> c_ast.FuncCall:
    """The call that says that *size* bytes at *address* are accessed."""
    return build.call(
        ACCESSES, build.call(_ADDRESS, address), size, build.number(int(writes)), build.number(int(atomic))
    )


def of_primitive(call: c_ast.FuncCall, probes: Probes) -> list[c_ast.Node]:
    """What a call of a function that engines model themselves accesses, noted in *probes*; nothing for other calls."""
    found: list[c_ast.Node] = []
    arguments = call.args.exprs if call.args else []
    for pointer, size, writes in _PRIMITIVES.get(call.name.name, ()):
        # To free a block is to write all of it; to free a null pointer, nothing.
        block = build.call("__CSEQ_size", arguments[pointer])
        whole = c_ast.TernaryOp(c_ast.BinaryOp("!=", arguments[pointer], build.number(0)), block, build.number(0))
        accessed = access(arguments[pointer], whole if size is None else arguments[size], writes)
        found.append(probes.noted(accessed, MarkMeaning(c_ast.UnaryOp("*", arguments[pointer]), call.name.name)))
    return found


class ReportingCopies:
    """The twins of the library functions that a program has.

    functions: the twins that are used, each after the twins that it calls. probes: what calls of them mean.
    """

    def __init__(self, tree: c_ast.FileAST) -> None:
        self.probes = Probes()
        self._definitions = {
            node.decl.name: node
            for node in tree.ext
            if isinstance(node, c_ast.FuncDef) and lexicon.is_library(node.decl.name) and lexicon.is_ours(node.coord)
        }
        self._twins: dict[str, tuple[c_ast.FuncDef, bool]] = {}  # and whether they report anything
        self._called: dict[str, set[str]] = {}
        self._used: dict[str, None] = {}

    @property
    def functions(self) -> list[c_ast.FuncDef]:
        """The twins that are called, each after the twins that it calls."""
        return [self._twins[name][0] for name in self._twins if name in self._used]

    def call(self, call: c_ast.FuncCall) -> list[c_ast.Node]:
        """The calls that report what *call* accesses; none if it accesses no memory of the user."""
        name = call.name.name
        if name not in self._definitions:
            return of_primitive(call, self.probes)
        if not self.tells(name):
            return []
        self._use(name)
        return [
            self.probes.noted(
                build.call(_PREFIX + name, *call.args.exprs), MarkMeaning(function=primitives.called(name))
            )
        ]

    def _use(self, name: str) -> None:
        self._used[name] = None
        for other in self._called[name]:
            self._use(other)

    def twin(self, name: str) -> str | None:
        """The name of the twin of the library function *name*; None for other functions."""
        definition = self._definitions.get(name)
        if definition is None:
            return None
        if name not in self._twins:
            writer = _ReportingCopy(self, definition)
            body = writer.visit(definition.body)
            decl = build.renamed(definition.decl.type, _PREFIX + name)
            head = rebuilt(definition.decl, name=_PREFIX + name, type=decl, storage=["static"])
            self._called[name] = writer.called
            self._twins[name] = rebuilt(definition, decl=head, body=body), writer.tells
        return _PREFIX + name

    def tells(self, name: str) -> bool:
        """Whether the library function *name* accesses memory of the user."""
        return self.twin(name) is not None and self._twins[name][1]


class _ReportingCopy(Rewriter):
    """Rewrites the body of one function. called: the functions whose twins it calls."""

    def __init__(self, telling: ReportingCopies, definition: c_ast.FuncDef) -> None:
        super().__init__()
        self._telling = telling
        self._reports = 0
        self.called: set[str] = set()
        parameters = definition.decl.type.args.params if definition.decl.type.args else []
        self._types: dict[str, c_ast.Node] = {p.name: p.type for p in parameters if getattr(p, "name", None)}
        for item in _declarations(definition.body):
            self._types[item.name] = item.type

    @property
    def tells(self) -> bool:
        """Whether there is anything to report."""
        return self._reports > 0

    def _is_own(self, place: c_ast.Node) -> bool:
        """Whether *place* is one of the function's locals, or a part of one."""
        match place:
            case c_ast.ID():
                return place.name in self._types
            case c_ast.ArrayRef():
                array = isinstance(place.name, c_ast.ID) and isinstance(
                    self._types.get(place.name.name), c_ast.ArrayDecl
                )
                return array and self._is_own(place.name)
            case c_ast.StructRef(type="."):
                return self._is_own(place.name)
        return False

    def _is_users(self, place: c_ast.Node) -> bool:
        """Whether *place* is memory that the function was given, and not part of an object of the library."""
        match place:
            case c_ast.UnaryOp(op="*"):
                return not (isinstance(place.expr, c_ast.ID) and self._leads_to_library(place.expr.name))
            case c_ast.ArrayRef():
                return not self._is_own(place) and not _is_global(place.name, self._types)
            case c_ast.StructRef():
                if place.field.name.startswith("__cs_"):
                    return False
                return place.type == "->" or self._is_users(place.name)
        return False

    def _leads_to_library(self, pointer: str) -> bool:
        """Whether a variable points to an object of the library that is a scalar."""
        type_: Any = self._types.get(pointer)
        names = getattr(getattr(getattr(type_, "type", None), "type", None), "names", [])
        return not SCALARS.isdisjoint(names)

    def _report(self, place: c_ast.Node, writes: bool) -> c_ast.Node:
        self._reports += 1
        if isinstance(place, c_ast.StructRef) and place.type == "->":
            place = c_ast.UnaryOp("*", place.name)  # the library may look at all of a struct, such as a timespec
        return access(c_ast.UnaryOp("&", place), c_ast.UnaryOp("sizeof", place), writes)

    def _load(self, place: c_ast.Node) -> c_ast.Node:
        inside = self._inside(place)
        return c_ast.ExprList([self._report(inside, False), inside]) if self._is_users(place) else inside

    def _inside(self, place: Any) -> Any:
        """*place*, with reports of the loads that computing its address takes."""
        match place:
            case c_ast.ArrayRef():
                return rebuilt(place, name=self.visit(place.name), subscript=self.visit(place.subscript))
            case c_ast.StructRef():
                base = self.visit(place.name) if place.type == "->" else self._inside(place.name)
                return rebuilt(place, name=base)
            case c_ast.UnaryOp(op="*"):
                return rebuilt(place, expr=self.visit(place.expr))
        return place

    def visit_ArrayRef(self, node: c_ast.ArrayRef) -> c_ast.Node:
        return self._load(node)

    def visit_StructRef(self, node: c_ast.StructRef) -> c_ast.Node:
        return self._load(node)

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> c_ast.Node:
        if node.op == "sizeof":
            return node
        if node.op == "&":
            return rebuilt(node, expr=self._inside(node.expr))
        if node.op in _UPDATES and not self._is_own(node.expr):
            return self._stored(node.expr, node.expr)
        if node.op == "*":
            return self._load(node)
        result: c_ast.Node = self.generic_visit(node)
        return result

    def visit_Assignment(self, node: c_ast.Assignment) -> c_ast.Node:
        if self._is_own(node.lvalue):
            return rebuilt(node, lvalue=self._inside(node.lvalue), rvalue=self.visit(node.rvalue))
        return self._stored(node.lvalue, self.visit(node.rvalue))

    def _stored(self, place: c_ast.Node, value: c_ast.Node) -> c_ast.Node:
        """The replacement of a store: a report of what the value loads, and of the store."""
        inside = self._inside(place)
        return c_ast.ExprList([value, self._report(inside, True)]) if self._is_users(place) else value

    def visit_FuncCall(self, node: c_ast.FuncCall) -> Any:
        name, before = node.name.name, self._reports
        arguments = self.visit_all(node.args.exprs) if node.args else []
        if name in stubs.BLOCKS - stubs.WAITS:
            return []
        if name in (*stubs.WAITS, lexicon.MISUSE_STUB, lexicon.ASSUME, "__CSEQ_unwound"):
            # The twin has not written to the user's memory, so a condition on what was just written means nothing here.
            known = self._reports == before
            return build.call(lexicon.ASSUME, arguments[0], origin=node.coord) if known else arguments[0]
        primitive = of_primitive(rebuilt(node, args=c_ast.ExprList(arguments)), self._telling.probes)
        if primitive:
            self._reports += 1
            return c_ast.ExprList([*primitive, build.number(0)])
        twin = self._telling.twin(name)
        if twin is not None:
            self._reports += self._telling.tells(name)
            self.called.add(name)
            return build.call(twin, *arguments, origin=node.coord)
        return rebuilt(node, args=c_ast.ExprList(arguments)) if node.args else node


def _declarations(node: c_ast.Node) -> Iterable[c_ast.Decl]:
    """The declarations in a body, at any depth."""
    for _, child in node.children():
        if isinstance(child, c_ast.Decl):
            yield child
        elif isinstance(child, (c_ast.Compound, c_ast.If, c_ast.While)):
            yield from _declarations(child)


def _is_global(node: c_ast.Node, local: dict[str, c_ast.Node]) -> bool:
    """Whether *node* is an object of the library at file level, or a part of one."""
    while isinstance(node, (c_ast.ArrayRef, c_ast.StructRef)):
        node = node.name
    return isinstance(node, c_ast.ID) and node.name not in local
