"""Constant propagation: which numbers the locals of a thread hold at each place, and what follows from them.

At each place, a number is known for some of the locals: the local holds it on every path to that place. Only its own
thread can change a local that no pointer leads to, so the other threads need not be considered. Unknown means any
value; a value that only undefined behaviour could produce is unknown.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from pycparser import c_ast

from cseq.c import build
from cseq.c.constants import FLOATING, bits_and_sign
from cseq.c.integer_operators import computed, converted, inverted
from cseq.c.symbols import Symbols
from cseq.modules.analysis.visibility import Visibility
from cseq.pipeline.translator import Rewriter, rebuilt

Known = dict[str, int]
"""The known values of locals, by name."""

_SUFFIXES = {
    "unsigned int": "u", "long": "L", "unsigned long": "UL", "long long": "LL", "unsigned long long": "ULL",
}  # fmt: skip


def joined(one: Known | None, other: Known | None) -> Known | None:
    """What is known where two paths meet; None stands for a place that no path leads to."""
    if one is None or other is None:
        return other if one is None else one
    return {name: value for name, value in one.items() if other.get(name) == value}


class Counting:
    """Evaluates the expressions of one unit."""

    def __init__(self, symbols: Symbols, visibility: Visibility) -> None:
        self._symbols = symbols
        self._visibility = visibility
        self._followed: dict[str, str | None] = {}
        self._constants: dict[str, int | None] = {}
        self._kinds: dict[int, tuple[c_ast.Node, str | None]] = {}  # with the nodes, so that no id is reused
        self._commons: dict[int, tuple[c_ast.Node, str | None]] = {}

    def kind(self, name: str) -> str | None:
        """The type of the local *name*, if its value can be followed: an integer that only its own thread can reach."""
        if name not in self._followed:
            kind = None
            if name in self._symbols.locals and not self._visibility.is_visible(build.ident(name)):
                kind = self._integer(self._symbols.types[name])
            self._followed[name] = kind
        return self._followed[name]

    def value(self, node: c_ast.Node | None, known: Known) -> int | None:
        """The value of an integer expression where *known* holds; None if it is unknown."""
        match node:
            case c_ast.ID():
                return known[node.name] if node.name in known else self._constant(node.name)
            case c_ast.Constant() | c_ast.UnaryOp(op="sizeof" | "_Alignof" | "__alignof__"):
                return self._symbols.constant_or_none(node)
            case c_ast.Cast():
                return self._converted(self.value(node.expr, known), self._integer(node.to_type))
            case c_ast.UnaryOp(op="!" | "-" | "+" | "~"):
                value = self.value(node.expr, known)
                kind = None if value is None else self._kind(node)
                if value is None or kind is None:
                    return None
                return inverted(node.op, value, *bits_and_sign(kind, self._symbols.model), wraps=False)
            case c_ast.BinaryOp(op="&&" | "||"):
                return self._logical(node, known)
            case c_ast.BinaryOp():
                return self._binary(node, known)
            case c_ast.TernaryOp():
                cond = self.value(node.cond, known)
                chosen = None if cond is None else self.value(node.iftrue if cond else node.iffalse, known)
                return self._converted(chosen, self._kind(node)) if chosen is not None else None
        return None

    def fails(self, cond: c_ast.Node, known: Known) -> bool:
        """Whether *cond* is false, whatever the unknown values are.

        It may still have to be evaluated, because the evaluation reads what others write.
        """
        if self.value(cond, known) == 0:
            return True
        match cond:
            case c_ast.BinaryOp(op="&&"):
                return self.fails(cond.left, known) or self.fails(cond.right, known)
            case c_ast.BinaryOp(op="||"):
                return self.fails(cond.left, known) and self.fails(cond.right, known)
        return False

    def assign(self, node: c_ast.Assignment, known: Known) -> None:
        """Update *known* to what holds after the assignment *node*."""
        value = None
        if isinstance(node.rvalue, c_ast.FuncCall):
            self.call(node.rvalue, known)
        elif node.op == "=" and isinstance(node.lvalue, c_ast.ID) and self.kind(node.lvalue.name) is not None:
            value = self._converted(self.value(node.rvalue, known), self.kind(node.lvalue.name))
        if isinstance(node.lvalue, c_ast.ID):
            if value is None:
                known.pop(node.lvalue.name, None)
            else:
                known[node.lvalue.name] = value

    def call(self, node: c_ast.FuncCall, known: Known) -> None:
        """Update *known* to what holds after the call *node*, which can change the locals whose address it is given."""
        for part in build.inside(node, c_ast.UnaryOp):
            if part.op == "&" and isinstance(part.expr, c_ast.ID):
                known.pop(part.expr.name, None)

    def folded(self, node: Any, known: Known) -> Any:
        """The expression or statement *node* with the known locals that it reads replaced by numbers."""
        return _Folding(self, known).visit(node) if known and node is not None else node

    def literal(self, name: str, value: int) -> c_ast.Node | None:
        """The constant for *value* in the type that the local *name* has when it is read; None if there is none."""
        suffix = _SUFFIXES.get(self.kind(name) or "", "")
        if value >= 0:
            return c_ast.Constant("int", f"{value}{suffix}")
        # The least value of a type is not a negated constant of that type.
        least = -1 << (8 * self._symbols.model.size(self.kind(name) or "int") - 1)
        return None if value == least else c_ast.UnaryOp("-", c_ast.Constant("int", f"{-value}{suffix}"))

    def _constant(self, name: str) -> int | None:
        """The value of an enumerator, or of an object that cannot change."""
        if name not in self._constants:
            self._constants[name] = self._symbols.enumerators.get(name)
            declared = self._symbols.qualified.get(name)
            if self._constants[name] is None and declared is not None and name not in self._symbols.locals:
                type_ = self._symbols.types[name]
                if self._symbols.is_const(type_) and "volatile" not in (getattr(type_, "quals", None) or []):
                    self._constants[name] = self._converted(self.value(declared.init, {}), self._integer(type_))
        return self._constants[name]

    def _integer(self, type_: c_ast.Node) -> str | None:
        kind = self._symbols.arithmetic(type_)
        return None if kind is None or kind in ("void", *FLOATING) or "int128" in kind else kind

    def _kind(self, node: c_ast.Node) -> str | None:
        found = self._kinds.get(id(node))
        if found is None:
            found = self._kinds[id(node)] = (node, self._integer(self._symbols.value_type(node)))
        return found[1]

    def _common(self, node: c_ast.BinaryOp) -> str | None:
        """The type that both operands are converted to."""
        found = self._commons.get(id(node))
        if found is None:
            symbols = self._symbols
            type_ = symbols.usual(symbols.value_type(node.left), symbols.value_type(node.right))
            found = self._commons[id(node)] = (node, self._integer(type_))
        return found[1]

    def _converted(self, value: int | None, kind: str | None) -> int | None:
        """*value* converted to the integer type *kind*, as gcc does it."""
        return None if value is None or kind is None else converted(value, *bits_and_sign(kind, self._symbols.model))

    def _logical(self, node: c_ast.BinaryOp, known: Known) -> int | None:
        left = self.value(node.left, known)
        if left is None or bool(left) == (node.op == "||"):
            return None if left is None else int(bool(left))
        right = self.value(node.right, known)
        return None if right is None else int(bool(right))

    def _binary(self, node: c_ast.BinaryOp, known: Known) -> int | None:
        left, right = self.value(node.left, known), self.value(node.right, known)
        if left is None or right is None:
            return None
        is_shift = node.op in ("<<", ">>")
        kind = self._kind(node) if is_shift else self._common(node)
        left, right = self._converted(left, kind), right if is_shift else self._converted(right, kind)
        if left is None or right is None or kind is None:
            return None
        return computed(node.op, left, right, *bits_and_sign(kind, self._symbols.model), wraps=False)


class _Folding(Rewriter):
    """Replaces locals that are read by numbers."""

    def __init__(self, counting: Counting, known: Known) -> None:
        super().__init__()
        self._counting = counting
        self._known = known

    def visit_ID(self, node: c_ast.ID) -> c_ast.Node:
        if node.name not in self._known:
            return node
        return self._counting.literal(node.name, self._known[node.name]) or node

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> c_ast.Node:
        if node.op in ("sizeof", "_Alignof", "__alignof__") or (node.op == "&" and isinstance(node.expr, c_ast.ID)):
            return node
        result: c_ast.Node = self.generic_visit(node)
        return result

    def visit_Cast(self, node: c_ast.Cast) -> c_ast.Node:
        expr = self.visit(node.expr)
        return node if expr is node.expr else rebuilt(node, expr=expr)

    def visit_Assignment(self, node: c_ast.Assignment) -> c_ast.Node:
        left = node.lvalue if isinstance(node.lvalue, c_ast.ID) else self.visit(node.lvalue)
        right = self.visit(node.rvalue)
        return node if left is node.lvalue and right is node.rvalue else rebuilt(node, lvalue=left, rvalue=right)


# What a loop depends on


class _Change(NamedTuple):
    """An assignment in a loop, and the conditions around it."""

    name: str
    value: c_ast.Node
    conditions: tuple[c_ast.Node, ...]


class Exits:
    """The exits of a loop.

    decisive: the locals that decide whether an exit is taken. may_be_known: whether known values may be enough to see
    that the loop ends, so that it is worth going through it. It proves neither that the loop ends nor that it does not.
    """

    def __init__(self, node: c_ast.While, counting: Counting) -> None:
        self._counting = counting
        self._changes: list[_Change] = []
        conditions = [node.cond]
        self._collect(node.stmt, (), conditions)
        named = {name for cond in conditions for name in build.names(cond)}
        size = -1
        while size < len(named):
            size = len(named)
            for change in self._changes:
                if change.name in named:
                    named.update(name for part in (change.value, *change.conditions) for name in build.names(part))
        self.decisive = frozenset(name for name in named if counting.kind(name) is not None)
        changed = {change.name for change in self._changes} & self.decisive
        self._hopeless: set[str] = set()
        size = -1
        while size < len(self._hopeless):
            size = len(self._hopeless)
            for name in changed - self._hopeless:
                if not any(self._is_tellable(one.value) for one in self._changes if one.name == name):
                    self._hopeless.add(name)
        self.may_be_known = bool(changed - self._hopeless) and any(map(self._is_tellable, conditions))

    def _collect(self, node: c_ast.Node | None, around: tuple[c_ast.Node, ...], conditions: list[c_ast.Node]) -> None:
        match node:
            case c_ast.Compound():
                for item in node.block_items or []:
                    self._collect(item, around, conditions)
            case c_ast.If():
                if _has_jump(node.iftrue) or _has_jump(node.iffalse):
                    conditions.append(node.cond)
                for branch in (node.iftrue, node.iffalse):
                    self._collect(branch, (*around, node.cond), conditions)
            case c_ast.While():
                self._collect(node.stmt, (*around, node.cond), conditions)
            case c_ast.Assignment(lvalue=c_ast.ID()):
                self._changes.append(_Change(node.lvalue.name, node.rvalue, around))

    def _is_tellable(self, node: c_ast.Node | None) -> bool:
        """Whether known values could be enough to evaluate *node*."""
        match node:
            case c_ast.ID():
                followed = self._counting.kind(node.name) is not None and node.name not in self._hopeless
                return followed or self._counting.value(node, {}) is not None
            case c_ast.Constant() | c_ast.UnaryOp(op="sizeof" | "_Alignof" | "__alignof__"):
                return True
            case c_ast.Cast() | c_ast.UnaryOp(op="!" | "-" | "+" | "~"):
                return self._is_tellable(node.expr)
            case c_ast.BinaryOp(op="&&" | "||"):
                return self._is_tellable(node.left) or self._is_tellable(node.right)
            case c_ast.BinaryOp():
                return self._is_tellable(node.left) and self._is_tellable(node.right)
            case c_ast.TernaryOp():
                return self._is_tellable(node.cond)
        return False


def _has_jump(node: c_ast.Node | None) -> bool:
    """Whether control can leave through *node* instead of continuing after it."""
    match node:
        case c_ast.Goto() | c_ast.Return() | c_ast.FuncCall():
            return True  # a call may end the thread
        case c_ast.Compound():
            return any(map(_has_jump, node.block_items or []))
        case c_ast.If():
            return _has_jump(node.iftrue) or _has_jump(node.iffalse)
        case c_ast.While():
            return _has_jump(node.stmt)
    return False


def kept(known: Known, names: Iterable[str]) -> Known:
    """What is *known* about *names*."""
    return {name: known[name] for name in names if name in known}
