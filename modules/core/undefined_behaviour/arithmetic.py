"""The demands of integer arithmetic (C11 §6.5p5, §6.5.5, §6.5.7): the property no-overflow."""

from collections.abc import Iterator

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import basic
from cseq.model.claims import Claim, Kind, Reason
from cseq.modules.core.undefined_behaviour.evaluation import Demand, Evaluation

OVERFLOW = "__CSEQ_overflow_"
"""The prefixes of the primitives that report whether ``plus``, ``minus`` or ``mult`` overflows."""

_PRIMITIVES = {"+": "plus", "-": "minus", "*": "mult"}
_SIGNED = frozenset({"int", "long", "long long", "__int128"})


class Arithmetic(Evaluation):
    """Signed results that fit their type, divisors that are not zero, shifts that C defines.

    Operands have the type of the result, except in shifts (C11 §6.3.1.8). Arithmetic never happens in types narrower
    than int. Conversions are implementation-defined, and not checked.
    """

    def operation(self, node: c_ast.Node) -> Iterator[Demand]:
        """The demands of an operator; none for operators on pointers and floating types."""
        kind = self.symbols.arithmetic(self.symbols.type_of(node)) if _computes(node) else None
        if kind is None or self._is_distance(node):
            return
        match node:
            case c_ast.UnaryOp(op="-") if kind in _SIGNED:
                exact = self.symbols.constant_or_none(node.expr)
                if exact is None:
                    cond = c_ast.BinaryOp("!=", self._as(kind, node.expr), self._least(kind))
                    yield self._overflow(cond, node, kind)
                elif not self._fits(-exact, kind):
                    yield self._overflow(build.number(0), node, kind)
            case c_ast.BinaryOp(op="+" | "-" | "*") if kind in _SIGNED:
                exact = self._exact(node)
                if exact is None:
                    call = build.call(
                        OVERFLOW + _PRIMITIVES[node.op], self._as(kind, node.left), self._as(kind, node.right)
                    )
                    yield self._overflow(c_ast.UnaryOp("!", call), node, kind)
                elif not self._fits(exact, kind):
                    yield self._overflow(build.number(0), node, kind)
            case c_ast.BinaryOp(op="/" | "%") if kind.removeprefix("unsigned ") in _SIGNED:
                yield from self._division(node, kind)
            case c_ast.BinaryOp(op="<<" | ">>"):
                yield from self._shift(node, kind)

    def _is_distance(self, node: c_ast.Node) -> bool:
        """Whether *node* is the difference of two pointers."""
        left = node.left if isinstance(node, c_ast.BinaryOp) else None
        return left is not None and self.symbols.is_pointer(self.symbols.type_of(left))

    def _overflow(self, cond: c_ast.Node, node: c_ast.Node, kind: str) -> Demand:
        return Demand(Claim(Kind.OVERFLOW, Reason.RESULT, type=kind), node, cond)

    def _division(self, node: c_ast.BinaryOp, kind: str) -> Iterator[Demand]:
        divisor = self.symbols.constant_or_none(node.right)
        if divisor is None or divisor == 0:
            cond = build.number(0) if divisor == 0 else c_ast.BinaryOp("!=", node.right, build.number(0))
            yield Demand(Claim(Kind.OVERFLOW, Reason.DIVISION), node, cond)
        if kind in _SIGNED and divisor in (None, -1):
            least = c_ast.BinaryOp("!=", self._as(kind, node.left), self._least(kind))
            other = c_ast.BinaryOp("!=", self._as(kind, node.right), build.number(-1))
            yield self._overflow(c_ast.BinaryOp("||", least, other), node, kind)

    def _shift(self, node: c_ast.BinaryOp, kind: str) -> Iterator[Demand]:
        bits = self._bits(kind)
        distance = self.symbols.constant_or_none(node.right)
        if distance is None or not 0 <= distance < bits:
            word = build.typename(basic("unsigned long long"))
            within = c_ast.BinaryOp("<", c_ast.Cast(word, node.right), build.number(bits))
            cond = within if distance is None else build.number(0)
            yield Demand(Claim(Kind.OVERFLOW, Reason.SHIFT, size=bits), node, cond)
        if node.op == "<<" and kind in _SIGNED:
            value = self.symbols.constant_or_none(node.left)
            if value is not None and distance is not None:
                if value < 0 or not self._fits(value << distance, kind):
                    yield self._overflow(build.number(0), node, kind)
                return
            left = self._as(kind, node.left)
            most = c_ast.BinaryOp(">>", self._most(kind), node.right)
            yield self._overflow(
                c_ast.BinaryOp("&&", c_ast.BinaryOp(">=", left, build.number(0)), c_ast.BinaryOp("<=", left, most)),
                node,
                kind,
            )

    # Numbers

    def _exact(self, node: c_ast.BinaryOp) -> int | None:
        """The mathematical result, if the operands are constants."""
        left, right = self.symbols.constant_or_none(node.left), self.symbols.constant_or_none(node.right)
        if left is None or right is None:
            return None
        return {"+": left + right, "-": left - right, "*": left * right}[node.op]

    def _bits(self, kind: str) -> int:
        return 8 * self.symbols.model.size(kind)

    def _fits(self, value: int, kind: str) -> bool:
        return -(1 << self._bits(kind) - 1) <= value < 1 << self._bits(kind) - 1

    def _as(self, kind: str, node: c_ast.Node) -> c_ast.Node:
        """*node* converted to the type *kind*, as the operator converts it."""
        return c_ast.Cast(build.typename(basic(kind)), node)

    def _most(self, kind: str) -> c_ast.Node:
        """The largest value of a signed type: half the largest value of its unsigned counterpart."""
        ones = c_ast.UnaryOp("~", c_ast.Cast(build.typename(basic(f"unsigned {kind}")), build.number(0)))
        return self._as(kind, c_ast.BinaryOp(">>", ones, build.number(1)))

    def _least(self, kind: str) -> c_ast.Node:
        return c_ast.BinaryOp("-", c_ast.UnaryOp("-", self._most(kind)), build.number(1))


def _computes(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.BinaryOp) or (isinstance(node, c_ast.UnaryOp) and node.op == "-")
