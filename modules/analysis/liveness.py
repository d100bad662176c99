"""Live-variable analysis of a function in the core language.

A local is *live* before a statement if its value there may still be read: on some path from there, it is read before it
is written. (Aho, Lam, Sethi, Ullman: Compilers, §9.2.5.) Each scalar in it is considered separately.

Objects that pointers may lead to are left out: any function with the pointer may read their value.
"""

from collections.abc import Iterable
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.analysis.dataflow import BitSets, UseDef, live_before, live_variables
from cseq.modules.analysis.tree_flow import Position, TreeFlow
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.library import lexicon

_NOT_READING = frozenset({lexicon.BEGINS, lexicon.ENDS, lexicon.ACCESS})
_STEPS = {lexicon.CREATE: lexicon.CREATE_STEP}
"""Functions that have another name in the library."""
_MANY = 32
"""The maximum number of scalars in a local that are considered one by one."""
_Names = frozenset[str]
_NOTHING: _Names = frozenset()


class Liveness:
    """The live locals at each statement of *function*, which is in the core language after the inliner.

    locals: the names of the locals that the analysis covers.
    """

    def __init__(self, function: c_ast.FuncDef, symbols: Symbols, visibility: Visibility) -> None:
        self._symbols = symbols
        self.locals = frozenset(name for name in declared(function) if not visibility.is_visible(build.ident(name)))
        self._parts = {name: self._parts_of(name) for name in self.locals}
        self._roots = {part: name for name, parts in self._parts.items() for part in parts}
        self._flow = TreeFlow([function.body], self._ends, symbols.constant_or_none)
        self._bits = BitSets[str]()
        self._blocks = [[self._use_def(node) for node in block] for block in self._flow.blocks]
        self._live = live_variables(self._flow, self._blocks.__getitem__).after

    def before(self, node: c_ast.Node) -> _Names:
        """The locals whose value may be read when control is before the statement *node*.

        For a loop, this includes the point where it is about to evaluate its condition again. For a statement that
        occurs at several places, as copies may, the result is what is live at any of them. KeyError if *node* is not a
        statement of the function.
        """
        return self._at(self._flow.before[id(node)])

    def after(self, node: c_ast.Node) -> _Names:
        """The locals whose value may be read when control is after the statement *node*."""
        return self._at(self._flow.after[id(node)])

    def _at(self, places: list[Position]) -> _Names:
        live = 0
        for block, done in places:
            live |= live_before(self._blocks[block][done:], self._live[block])
        return frozenset(self._roots[part] for part in self._bits.elements(live))

    def _parts_of(self, name: str) -> _Names:
        """The parts of a local that are live separately: its scalars, or all of it if these are many or in unions."""
        found: list[str] = []
        return frozenset(found if self._collect_parts(self._symbols.types[name], name, found) else [name])

    def _collect_parts(self, type_: c_ast.Node, path: str, found: list[str]) -> bool:
        resolved = self._symbols.resolve(type_)
        record = self._symbols.record(resolved)
        if isinstance(resolved, c_ast.ArrayDecl):
            length = self._symbols.length(resolved) if resolved.dim is not None else _MANY + 1
            return length <= _MANY and all(
                self._collect_parts(resolved.type, f"{path}[{index}]", found) for index in range(length)
            )
        if isinstance(record, c_ast.Union):
            return False
        if record is not None:
            return all(
                self._collect_parts(part, path if name is None else f"{path}.{name}", found)
                for name, part, _ in self._symbols.parts(record)
            )
        found.append(path)
        return len(found) <= _MANY

    def _place(self, node: c_ast.Node) -> tuple[str, str, bool] | None:
        """The local that the lvalue *node* is a part of, the name of the part, and whether *node* is all of it."""
        match node:
            case c_ast.ID():
                return (node.name, node.name, True) if node.name in self.locals else None
            case c_ast.StructRef(type="."):
                place = self._place(node.name)
                if place is None or not place[2]:
                    return place
                return place[0], f"{place[1]}.{node.field.name}", True
            case c_ast.ArrayRef() if self._symbols.is_array(self._symbols.type_of(node.name)):
                place = self._place(node.name)
                index = self._symbols.constant_or_none(node.subscript)
                if place is None or not place[2]:
                    return place
                return (place[0], place[1], False) if index is None else (place[0], f"{place[1]}[{index}]", True)
        return None

    def _parts_in(self, root: str, path: str) -> _Names:
        """The parts of *root* that *path* names; none if it names only a piece of a part."""
        return frozenset(p for p in self._parts[root] if p == path or p.startswith((f"{path}.", f"{path}[")))

    @staticmethod
    def _ends(node: Any) -> bool:
        """Whether control does not pass a statement."""
        match node:
            case c_ast.Return() | c_ast.FuncCall(name=c_ast.ID(name=lexicon.STOP | lexicon.EXIT)):
                return True
            case c_ast.FuncCall(name=c_ast.ID(name=lexicon.ASSUME | lexicon.ASSERT)):
                # A violated claim ends an execution for every property, like a violated assumption.
                return build.is_constant(node.args.exprs[0], 0)
        return False

    def _use_def(self, node: Any) -> UseDef:
        read, written = self._accesses(node)
        return UseDef(self._bits.of(read), self._bits.of(written))

    def _accesses(self, node: Any) -> tuple[_Names, _Names]:
        """The parts of locals that *node*, a statement or the condition of a branch, reads, and then overwrites."""
        match node:
            case c_ast.If() | c_ast.While():
                return self._read(node.cond), _NOTHING
            case c_ast.Return():
                return self._read(node.expr), _NOTHING
            case c_ast.Assignment():
                return self._read(node.rvalue) | self._address(node.lvalue), self._overwritten(node)
            case c_ast.FuncCall(name=c_ast.ID(name=name)) if name in lexicon.WHOLE:
                whole = whole_object(node)
                return (self._read(node), _NOTHING) if whole is None else (_NOTHING, self._parts.get(whole, _NOTHING))
            case c_ast.FuncCall():
                return self._read(node), self._written(node)
        return self._read(node), _NOTHING

    def _overwritten(self, node: c_ast.Assignment) -> _Names:
        """The parts of locals that an assignment writes."""
        written = self._written(node.rvalue) if isinstance(node.rvalue, c_ast.FuncCall) else _NOTHING
        place = self._place(node.lvalue)
        return written | self._parts_in(*place[:2]) if place is not None and place[2] else written

    def _written(self, call: c_ast.FuncCall, always: bool = True) -> _Names:
        """The locals that a library function writes, on every path or (not *always*) on some, and does not read."""
        arguments = call.args.exprs if call.args else []
        addressed = {
            position: argument.expr.name
            for position, argument in enumerate(arguments)
            if isinstance(argument, c_ast.UnaryOp) and argument.op == "&" and isinstance(argument.expr, c_ast.ID)
        }
        if not addressed:
            return _NOTHING
        name = _STEPS.get(call.name.name, call.name.name)
        definition = self._symbols.functions.get(name)
        if definition is None or not lexicon.is_ours(definition.coord):
            return _NOTHING
        parameters = definition.decl.type.args.params if definition.decl.type.args else []
        return frozenset(
            local
            for position, local in addressed.items()
            if local in self.locals
            and position < len(parameters)
            and self._points_to(parameters[position].type, self._symbols.types[local])
            and (_is_written if always else _is_not_read)(definition.body, parameters[position].name)
        )

    def _points_to(self, pointer: c_ast.Node, type_: c_ast.Node) -> bool:
        """Whether *type_* is a scalar type, and *pointer* points to it."""
        symbols = self._symbols
        if symbols.record(type_) is not None or symbols.is_array(type_):
            return False
        return symbols.spelled(symbols.element(pointer)) == symbols.spelled(type_)

    def _address(self, place: c_ast.Node) -> _Names:
        """The locals that are read to compute the address of a store."""
        match place:
            case c_ast.ID():
                return _NOTHING
            case c_ast.ArrayRef() if self._symbols.is_array(self._symbols.type_of(place.name)):
                return self._address(place.name) | self._read(place.subscript)
            case c_ast.StructRef(type="."):
                return self._address(place.name)
        return self._read(place)

    def _read(self, node: c_ast.Node | None) -> _Names:
        """The locals that evaluating an expression may read, including those whose address it takes."""
        if node is None:
            return _NOTHING
        written = self._written(node, always=False) if isinstance(node, c_ast.FuncCall) else _NOTHING
        return frozenset(self._mentioned(node)) - written

    def _mentioned(self, node: Any) -> Iterable[str]:
        """The parts of locals that an expression mentions; all parts of a local whose address it takes."""
        match node:
            case c_ast.UnaryOp(op="sizeof" | "_Alignof") | c_ast.Typename():
                return
            case c_ast.ID() | c_ast.StructRef(type=".") | c_ast.ArrayRef() if (place := self._place(node)) is not None:
                root, path, _ = place
                yield from self._parts_in(root, path) or self._parts[root]
                yield from self._address(node)
            case c_ast.ID():
                return
            case c_ast.UnaryOp(op="&") if (place := self._place(node.expr)) is not None:
                yield from self._parts[place[0]]
                yield from self._address(node.expr)
            case c_ast.StructRef():
                yield from self._mentioned(node.name)
            case c_ast.FuncCall():
                if not (isinstance(node.name, c_ast.ID) and node.name.name in _NOT_READING) and node.args is not None:
                    yield from self._mentioned(node.args)
            case _:
                for _, child in node.children():
                    yield from self._mentioned(child)


def declared(function: c_ast.FuncDef) -> Iterable[str]:
    """The names of the locals of *function*. Others can have them, too, for a function may be inlined in several."""
    parameters = function.decl.type.args
    inside = [*(parameters.params if parameters else []), *(function.body.block_items or [])]
    return (item.name for item in inside if isinstance(item, c_ast.Decl) and item.name)


def _is_written(body: c_ast.Compound, parameter: str) -> bool:
    """Whether a function writes ``*parameter`` on every path through its *body*."""
    for item in body.block_items or []:
        match item:
            case c_ast.Assignment(op="=", lvalue=c_ast.UnaryOp(op="*", expr=c_ast.ID(name=name))) if name == parameter:
                return _is_not_read(body, parameter)
            case _ if any(build.inside(item, c_ast.Return)):
                return False
    return False


def _is_not_read(node: c_ast.Node, parameter: str) -> bool:
    """Whether *node* only writes ``*parameter``, or tests the pointer for null."""
    match node:
        case c_ast.Assignment(op="=", lvalue=c_ast.UnaryOp(op="*", expr=c_ast.ID(name=name))) if name == parameter:
            return _is_not_read(node.rvalue, parameter)
        case c_ast.BinaryOp(op="==" | "!=", left=c_ast.ID(name=name)) if build.is_constant(node.right, 0):
            return True
        case c_ast.ID():
            return bool(node.name != parameter)
    return all(_is_not_read(child, parameter) for _, child in node.children())


def whole_object(call: c_ast.FuncCall) -> str | None:
    """The object that a call such as ``__CSEQ_havoc(&x, sizeof(x))`` gives a value as a whole; None for other calls."""
    target, size = call.args.exprs[:2]
    if isinstance(target, c_ast.UnaryOp) and target.op == "&":
        target = target.expr
    same = (
        isinstance(target, c_ast.ID)
        and isinstance(size, c_ast.UnaryOp)
        and size.op == "sizeof"
        and isinstance(size.expr, c_ast.ID)
        and size.expr.name == target.name
    )
    return str(target.name) if same else None
