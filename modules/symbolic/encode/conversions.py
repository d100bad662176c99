"""Write expressions so that no engine gets their values wrong.

CBMC (5.12 to 6.6) gets two of them wrong.

- It leaves out a cast to a wide integer that is cast to a pointer, ``(void *)(long)i`` becomes ``(void *)i``, and an
  integer that is narrower than a pointer gets zeros in front of it, whatever its sign. Terms that turn out to be zero
  are left out before that, so ``(void *)(l + i)`` may become the same. In the 32-bit model a pointer that is made from
  a wider integer is null only if all of that is zero.
- It leaves out the cast to a signed integer when the address that it is made from is compared with zero, or with a
  number beside it, and then says that addresses are less than zero (6.6) or never are (5.12). Values are followed
  through assignments before that, so the cast may stand somewhere else.

So a number that becomes a pointer is handed over as an argument, a variable of its own, when a part of it could lose
its sign. And wide signed numbers are compared as unsigned ones, with their sign bits inverted, in programs where any of
them may have been an address.

ESBMC (8.4) makes one of two constants in ``3 ^ (i ^ -7)`` and ``3 | (i | -7)``, also where a variable is known to have
such a value, and gets it wrong if one is negative. So these are computed as unsigned numbers.

tests/differential/casts.py and arithmetic.py look for more of this.
"""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.datamodel import DataModel
from cseq.c.symbols import Symbols, basic, pointer_to
from cseq.modules.library import lexicon

RELATIONS = frozenset(("<", "<=", ">", ">="))
_TRUTHS = RELATIONS | {"==", "!=", "&&", "||", "!"}


class _Types(Symbols):
    """The types of expressions in which primitives are called, which are not declared."""

    def type_of(self, node: c_ast.Node) -> c_ast.Node:
        """As for other expressions. What a primitive returns is no number here, unless it is an input."""
        if not isinstance(node, c_ast.FuncCall) or not isinstance(node.name, c_ast.ID) or node.name.name in self.types:
            return super().type_of(node)
        kind = node.name.name.removeprefix(lexicon.NONDET)
        if kind == "pointer":
            return pointer_to(basic("void"))
        return basic(lexicon.NONDET_TYPES.get(kind, "void"))

    def usual(self, left: c_ast.Node, right: c_ast.Node) -> c_ast.Node:
        """As for other expressions; the type of the other operand where one comes from a primitive."""
        if self.is_void(left):
            return right
        return left if self.is_void(right) else super().usual(left, right)


class Conversions:
    """The conversions in the unit *tree*. model: the sizes of types."""

    def __init__(self, tree: c_ast.FileAST, model: DataModel) -> None:
        self._tree = tree
        self._symbols = _Types(tree, model)
        self._outside = self._symbols.types
        self._seen: dict[int, bool] = {}
        self._any: bool | None = None
        self._kinds: dict[str, str | None] = {}  # name → type, in the function that was entered last

    def enter(self, function: c_ast.FuncDef) -> None:
        """Go on in *function*: its names hide those of other functions."""
        self._symbols.types = dict(self._outside)
        self._kinds.clear()
        _declare(self._symbols, function)

    def loses(self, to: c_ast.Node, value: c_ast.Node) -> bool:
        """Whether CBMC may lose the sign of a part of *value*, or keep too much of it, as the pointer type *to*."""
        symbols = self._symbols
        if not symbols.is_pointer(to) or (name := symbols.arithmetic(symbols.value_type(value))) is None:
            return False
        pointer = symbols.model.pointer
        number = symbols.constant_or_none(value)
        if number is not None:
            return not 0 <= number < 1 << 8 * pointer
        return symbols.model.size(name) > pointer or self._narrow(value)

    def widened(self, to: c_ast.Node, value: c_ast.Node) -> bool:
        """Whether *value* is a pointer that is converted to *to*, a wider integer: what gcc does is not all that C
        leaves open, and engines fill up with zeros."""
        symbols = self._symbols
        if symbols.model.pointer == 8 or not symbols.is_pointer(symbols.value_type(value)):
            return False
        name = symbols.arithmetic(to)
        return name is not None and symbols.model.size(name) > symbols.model.pointer

    def literal(self, number: int) -> str:
        """The constant *number* as an unsigned one of the size of a pointer."""
        size = self._symbols.model.pointer
        return f"{hex(number % (1 << 8 * size))}{'ul' if size == 8 else 'u'}"

    def stored(self, node: c_ast.Assignment) -> bool:
        """Whether that holds for what the assignment *node* converts without a cast."""
        return node.op == "=" and self.loses(self._symbols.type_of(node.lvalue), node.rvalue)

    def stored_wider(self, node: c_ast.Assignment) -> bool:
        """The same for a pointer that becomes a wider integer."""
        narrow = self._symbols.model.pointer != 8
        return narrow and node.op == "=" and self.widened(self._symbols.type_of(node.lvalue), node.rvalue)

    def width(self, node: c_ast.BinaryOp) -> int | None:
        """The size in bytes of the signed numbers that *node* compares, where one may have been an address."""
        if node.op not in RELATIONS:
            return None
        symbols = self._symbols
        left, right = self._kind(node.left), self._kind(node.right)
        if left in (None, "void") or right in (None, "void"):
            return None
        name = symbols.common(left, right)
        if not name.removeprefix("long ").startswith(("int", "long")):
            return None
        size = symbols.model.size(name)
        return size if size >= symbols.model.pointer and self._numbered() else None

    def _kind(self, node: c_ast.Node) -> str | None:
        """The name of the arithmetic type of *node*, or ``void``; None for other types."""
        if not isinstance(node, c_ast.ID):
            return self._symbols.arithmetic(self._symbols.value_type(node))
        if node.name not in self._kinds:
            self._kinds[node.name] = self._symbols.arithmetic(self._symbols.value_type(node))
        return self._kinds[node.name]

    def repeated(self, node: c_ast.BinaryOp) -> str | None:
        """The type of *node* if it is signed, and an operand has the same operator."""
        sides = map(build.uncast, (node.left, node.right))
        if not any(isinstance(side, c_ast.BinaryOp) and side.op == node.op for side in sides):
            return None
        name = self._symbols.arithmetic(self._symbols.type_of(node))
        return None if name is None or name.startswith("unsigned") else name

    def constant(self, node: c_ast.Node) -> int | None:
        """The value of *node* if it is an integer constant."""
        return self._symbols.constant_or_none(node)

    def _narrow(self, node: Any) -> bool:
        """Whether *node*, an integer, is or contains a signed number that is narrower than a pointer."""
        symbols = self._symbols
        if symbols.constant_or_none(node) is not None:
            return False
        name = symbols.arithmetic(symbols.value_type(node))
        if name is None:
            return False
        if symbols.model.size(name) < symbols.model.pointer or symbols.bit_field(node) is not None:
            truth = isinstance(node, (c_ast.BinaryOp, c_ast.UnaryOp)) and node.op in _TRUTHS
            return not truth and not name.startswith("unsigned") and name != "_Bool"
        match node:
            case c_ast.Cast():
                return self._narrow(node.expr)
            case c_ast.BinaryOp():
                return self._narrow(node.left) or (node.op not in ("<<", ">>") and self._narrow(node.right))
            case c_ast.UnaryOp() if node.op in ("-", "~", "+"):
                return self._narrow(node.expr)
            case c_ast.TernaryOp():
                return self._narrow(node.iftrue) or self._narrow(node.iffalse)
            case c_ast.ExprList():
                return self._narrow(node.exprs[-1])
        return False

    def _numbered(self) -> bool:
        """Whether any address may become an integer in the program."""
        if self._any is None:
            types = self._symbols.types
            self._any = any(self._numbers(node) for node in self._tree.ext)
            self._symbols.types = types
            self._kinds.clear()
        return self._any

    def _numbers(self, node: Any) -> bool:
        if isinstance(node, c_ast.FuncDef):
            self.enter(node)
        known = self._seen.get(id(node))
        if known is None:
            known = self._seen[id(node)] = self._numbers_here(node) or any(self._numbers(child) for child in node)
        return known

    def _numbers_here(self, node: c_ast.Node) -> bool:
        match node:
            case c_ast.Union():
                return True
            case c_ast.Cast():
                return self._from_pointer(node.to_type, node.expr)
            case c_ast.Assignment() if node.op == "=":
                return self._from_pointer(self._symbols.type_of(node.lvalue), node.rvalue)
            case c_ast.FuncCall(name=c_ast.ID()):
                return node.name.name in _COPIES
        return False

    def _from_pointer(self, to: c_ast.Node, value: c_ast.Node) -> bool:
        symbols = self._symbols
        return symbols.arithmetic(to) not in (None, "_Bool") and symbols.is_pointer(symbols.value_type(value))


_COPIES = frozenset(("memcpy", "memmove", "__CSEQ_copy", "__CSEQ_move"))
"""What copies the bytes of a pointer into an integer."""


def _declare(symbols: Symbols, node: c_ast.Node) -> None:
    """Enter the declarations in the statement or function *node*, at any depth."""
    match node:
        case c_ast.Decl():
            symbols.declare(node)
        case c_ast.FuncDef():
            parameters = node.decl.type.args
            for item in [*(parameters.params if parameters else []), node.body]:
                _declare(symbols, item)
        case c_ast.Compound():
            for item in node.block_items or []:
                _declare(symbols, item)
        case c_ast.If():
            for item in (node.iftrue, node.iffalse):
                _declare(symbols, item)
        case c_ast.DeclList():
            for item in node.decls:
                _declare(symbols, item)
        case c_ast.For():
            for item in (node.init, node.stmt):
                _declare(symbols, item)
        case c_ast.While() | c_ast.DoWhile() | c_ast.Label():
            _declare(symbols, node.stmt)
