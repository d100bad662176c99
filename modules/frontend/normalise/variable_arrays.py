"""Variable-length arrays and pointers to them, as pointers to their elements (C11 §6.7.6.2)."""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.layout import alignments
from cseq.c.symbols import basic, pointer_to
from cseq.model.claims import Claim, Kind, Reason
from cseq.modules.frontend.normalise.scoping import Scoping
from cseq.modules.library import lexicon
from cseq.modules.library.alignment import PROMISED
from cseq.pipeline.translator import rebuilt

_STEPS = {"++": "+=", "p++": "+=", "--": "-=", "p--": "-="}
_UNSCALED = {"+=": "-", "-=": "+"}


class VariableArrays:
    """Tracks which expressions have variably modified types, and rewrites the operations on them.

    An array whose elements have a constant size becomes a pointer to them. An array whose elements are such arrays
    becomes a pointer to the innermost elements, and subscripts are scaled accordingly. The memory is new each time the
    declaration is reached.

    pending: statements that save the lengths in the visited type; the caller that had it visited takes them.
    """

    def __init__(self, to: Scoping) -> None:
        self._to = to
        self._names: dict[str, c_ast.Node] = {}
        self._types: dict[int, tuple[c_ast.Node, c_ast.Node]] = {}
        self._constants: dict[str, int] = {}
        self.pending: list[c_ast.Node] = []

    # Types

    def is_variable(self, type_: c_ast.Node) -> bool:
        """Whether *type_* is variably modified."""
        type_ = self._to.symbols.resolve(type_)
        if isinstance(type_, c_ast.ArrayDecl):
            return self.is_variable_array(type_)
        return isinstance(type_, c_ast.PtrDecl) and self.is_variable(type_.type)

    def is_variable_array(self, type_: c_ast.Node) -> bool:
        """Whether *type_* is an array type whose size is not constant."""
        type_ = self._to.symbols.resolve(type_)
        if not isinstance(type_, c_ast.ArrayDecl):
            return False
        unknown = type_.dim is not None and self._to.symbols.constant_or_none(type_.dim) is None
        return unknown or self.is_variable_array(type_.type)

    def flat(self, type_: c_ast.Node) -> c_ast.Node:
        """The type that replaces *type_* in the output."""
        resolved = self._to.symbols.resolve(type_)
        if not self.is_variable(resolved):
            return type_
        if isinstance(resolved, c_ast.ArrayDecl):
            inner = self.flat(resolved.type)
            return inner if self.is_variable_array(resolved.type) else pointer_to(inner)
        target: c_ast.Node = resolved.type  # type: ignore[attr-defined]
        return self.flat(target) if self.is_variable_array(target) else pointer_to(self.flat(target))

    def _count(self, array: Any) -> c_ast.Node:
        """How many elements of its flat type a variable array has."""
        array = self._to.symbols.resolve(array)
        length = _long(array.dim)
        if not self.is_variable_array(array.type):
            return length
        return c_ast.BinaryOp("*", length, self._count(array.type))

    def size(self, array: c_ast.Node) -> c_ast.Node:
        """The size of a variable array in bytes."""
        size = c_ast.UnaryOp("sizeof", build.typename(self.flat(self._innermost(array))))
        return c_ast.BinaryOp("*", c_ast.Cast(build.typename(basic("unsigned long")), self._count(array)), size)

    def _innermost(self, array: c_ast.Node) -> c_ast.Node:
        """The type of the elements, none of which is a variable array."""
        element: Any = self._to.symbols.resolve(array)
        while self.is_variable_array(element.type):
            element = self._to.symbols.resolve(element.type)
        return element.type  # type: ignore[no-any-return]

    # Lengths

    def note_constant(self, name: str, type_: c_ast.Node, init: c_ast.Node | None) -> None:
        """Remember the value of a constant integer object: an array of that length need not be variable."""
        symbols = self._to.symbols
        value = self.constant(init) if init is not None and symbols.is_const(type_) else None
        changes = "volatile" in (getattr(type_, "quals", None) or [])
        if (
            value is not None
            and not changes
            and symbols.arithmetic(type_) in ("int", "unsigned int", "long", "unsigned long")
        ):
            self._constants[name] = value

    def constant(self, dim: c_ast.Node) -> int | None:
        """The value of a length that consists of constants and constant objects; None for other lengths."""
        return self._to.symbols.constant_or_none(self._with_values(dim))

    def _with_values(self, node: Any) -> Any:
        match node:
            case c_ast.ID() if node.name in self._constants:
                return build.number(self._constants[node.name])
            case c_ast.BinaryOp():
                return rebuilt(node, left=self._with_values(node.left), right=self._with_values(node.right))
            case c_ast.Cast():
                return rebuilt(node, expr=self._with_values(node.expr))
        return node

    def saved_length(self, dim: c_ast.Node) -> c_ast.Node:
        """A variable with the length of an array, which is evaluated where its declaration is reached."""
        length = self._to.temporary(basic("long"), lexicon.LENGTH)
        origin = dim.coord
        positive = c_ast.BinaryOp(">", length, build.number(0))
        message = build.string(Claim(Kind.REACHABILITY, Reason.NO_LENGTH).key)
        self.pending += [
            build.assign(length, _long(dim), origin),
            build.call("__CSEQ_check", positive, message, origin=origin),
        ]
        return length

    def taken(self) -> list[c_ast.Node]:
        """Take the pending statements, which are no longer pending then."""
        taken, self.pending = self.pending, []
        return taken

    # Declarations

    def declare(self, name: str, type_: c_ast.Node) -> None:
        """Let *name* have a variably modified type."""
        self._names[name] = type_

    def allocated(self, target: c_ast.ID, type_: c_ast.Node, node: c_ast.Decl) -> c_ast.Node:
        """The statement that gives an array its memory, which is aligned as that of `malloc`."""
        symbols = self._to.symbols
        wanted = max([symbols.alignof(self.flat(self._innermost(type_))), *alignments(node, symbols)])
        if wanted > PROMISED:
            raise self._to.unsupported(f"a variable-length array that is aligned to {wanted} bytes", node)
        self._to.declare_function(_allocate())
        memory = build.call(lexicon.ALLOCATE, self.size(type_), origin=node.coord)
        return build.assign(target, c_ast.Cast(build.typename(self.flat(type_)), memory), node.coord)

    # Expressions

    def type_of(self, node: c_ast.Node) -> c_ast.Node | None:
        """The type of a visited expression, if it is variably modified."""
        known = self._types.get(id(node))
        if known is not None and known[0] is node:
            return known[1]
        if isinstance(node, c_ast.ID):
            return self._names.get(node.name)
        if isinstance(node, c_ast.ExprList):
            return self.type_of(node.exprs[-1])
        return None

    def marked(self, node: Any, type_: c_ast.Node | None) -> Any:
        """*node*, marked with the type *type_* if that is variably modified."""
        if type_ is not None and self.is_variable(type_):
            if self.type_of(node) is not None:
                node = c_ast.ID(node.name, node.coord) if isinstance(node, c_ast.ID) else rebuilt(node)
            self._types[id(node)] = (node, type_)
        return node

    def _element(self, node: c_ast.Node) -> c_ast.Node | None:
        type_: Any = self.type_of(node)
        return None if type_ is None else self._to.symbols.element(type_)

    def subscript(self, node: c_ast.ArrayRef) -> c_ast.Node:
        """``base[index]``; both have been visited."""
        base, index = node.name, node.subscript
        if self.type_of(base) is None and self.type_of(index) is not None:
            base, index = index, base
        element = self._element(base)
        if element is None:
            return node
        if self.is_variable_array(element):
            return self.marked(self._moved("+", base, index, element), element)  # type: ignore[no-any-return]
        return self.marked(c_ast.ArrayRef(base, index, node.coord), element)  # type: ignore[no-any-return]

    def _moved(self, operator: str, base: c_ast.Node, index: c_ast.Node, element: c_ast.Node) -> c_ast.Node:
        if self.is_variable_array(element):
            index = c_ast.BinaryOp("*", _long(index), self._count(element))
        return c_ast.BinaryOp(operator, base, index, base.coord)

    def unary(self, node: c_ast.UnaryOp) -> c_ast.Node:
        """An operator whose operand has been visited."""
        type_ = self.type_of(node.expr)
        if type_ is None:
            return node
        result: c_ast.Node = node
        if node.op == "sizeof":
            if self.is_variable_array(type_):
                return self.size(type_)
            flat = c_ast.UnaryOp("sizeof", build.typename(self.flat(type_)), node.coord)
            return flat if isinstance(node.expr, c_ast.Typename) else node
        element = self._to.symbols.element(type_)
        if node.op == "*":
            result = self.marked(node.expr if self.is_variable_array(element) else node, element)
        elif node.op == "&":
            result = self.marked(node.expr if self.is_variable_array(type_) else node, pointer_to(type_))
        elif node.op in _STEPS and self.is_variable_array(element):
            operator = _STEPS[node.op]
            moved = c_ast.Assignment(operator, node.expr, self._count(element), node.coord)
            if node.op.startswith("p"):
                result = self.marked(c_ast.BinaryOp(_UNSCALED[operator], moved, self._count(element)), type_)
            else:
                result = self.marked(moved, type_)
        return result

    def binary(self, node: c_ast.BinaryOp) -> c_ast.Node:
        """An operator whose operands have been visited."""
        left, right = self.type_of(node.left), self.type_of(node.right)
        if node.op not in "+-" or (left is None and right is None):
            return node
        if left is not None and right is not None:
            element = self._to.symbols.element(left)
            if not self.is_variable_array(element):
                return node
            return c_ast.BinaryOp("/", node, self._count(element), node.coord)
        base, index = (node.left, node.right) if left is not None else (node.right, node.left)
        element = self._to.symbols.element(left or right)  # type: ignore[arg-type]
        return self.marked(self._moved(node.op, base, index, element), pointer_to(element))  # type: ignore[no-any-return]

    def assignment(self, node: c_ast.Assignment) -> c_ast.Node:
        """An assignment whose sides have been visited."""
        type_ = self.type_of(node.lvalue)
        if type_ is None:
            return node
        element = self._to.symbols.element(type_)
        if node.op in _UNSCALED and self.is_variable_array(element):
            node = rebuilt(node, rvalue=c_ast.BinaryOp("*", _long(node.rvalue), self._count(element)))
        elif node.op == "=" and not self.is_variable_array(type_):
            flat = c_ast.Cast(build.typename(self.flat(type_)), node.rvalue, node.coord)
            node = rebuilt(node, rvalue=flat)  # the value may point to rows of a constant length
        return self.marked(node, type_)  # type: ignore[no-any-return]

    def arguments(self, call: c_ast.FuncCall) -> c_ast.FuncCall:
        """A call whose arguments point to rows of a constant length, and whose parameters point to their elements."""
        symbols = self._to.symbols
        type_: Any = symbols.types.get(call.name.name) if isinstance(call.name, c_ast.ID) else None
        if call.args is None or not isinstance(type_, c_ast.FuncDecl) or type_.args is None:
            return call
        values = list(call.args.exprs)
        for at, (value, parameter) in enumerate(zip(values, type_.args.params, strict=False)):
            wanted = symbols.resolve(parameter.type) if not isinstance(parameter, c_ast.EllipsisParam) else None
            if not isinstance(wanted, c_ast.PtrDecl) or symbols.is_array(wanted.type) or symbols.is_void(wanted.type):
                continue
            if isinstance(value, c_ast.Constant) or self.type_of(value) is not None:
                continue
            given = symbols.resolve(symbols.value_type(value))
            if isinstance(given, c_ast.PtrDecl) and symbols.is_array(given.type):
                values[at] = c_ast.Cast(build.typename(parameter.type), value, value.coord)
        same = all(a is b for a, b in zip(values, call.args.exprs, strict=True))
        return call if same else rebuilt(call, args=c_ast.ExprList(values, call.args.coord))


def _long(value: c_ast.Node) -> c_ast.Node:
    if isinstance(value, (c_ast.Constant, c_ast.ID)):
        return value
    return c_ast.Cast(build.typename(basic("long")), value, value.coord)


def _allocate() -> c_ast.Decl:
    size = c_ast.Typename(None, [], None, basic("unsigned long"))
    pointer = c_ast.PtrDecl([], c_ast.TypeDecl(lexicon.ALLOCATE, [], None, c_ast.IdentifierType(["void"])))
    type_ = c_ast.FuncDecl(c_ast.ParamList([size]), pointer)
    return c_ast.Decl(lexicon.ALLOCATE, [], [], [], [], type_, None, None)
