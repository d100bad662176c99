"""The demands of evaluating an expression, part by part."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.model.claims import Claim

_UNEVALUATED = ("sizeof", "_Alignof", "__alignof__")


@dataclass(frozen=True)
class Demand:
    """A condition that has to hold where an expression is evaluated.

    claim: what is wrong otherwise; its subject is the expression *node*, as the user wrote it.
    part: the part of the property that it belongs to; empty if the property has no parts.
    """

    claim: Claim
    node: c_ast.Node
    cond: c_ast.Node
    part: str = ""


class Evaluation:
    """Walks expressions without side effects in the order of evaluation, and collects the demands of each part.

    The demands of a part that is evaluated only under a condition apply only under that condition.
    """

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols

    def operation(self, node: c_ast.Node) -> Iterator[Demand]:
        """The demands of the operation *node*, without those of its operands."""
        return iter(())

    def access(self, node: c_ast.Node, kind: str) -> Iterator[Demand]:
        """The demands of an access to the lvalue *node*, without finding its address. kind: ``read`` or ``write``."""
        return iter(())

    def value(self, node: c_ast.Node | None) -> Iterator[Demand]:
        """The demands of evaluating *node*."""
        match node:
            case None | c_ast.Constant() | c_ast.Typename() | c_ast.ID():
                return
            case c_ast.BinaryOp() if node.op not in ("&&", "||"):
                yield from self.value(node.left)
                yield from self.value(node.right)
                yield from self.operation(node)
            case c_ast.UnaryOp() if node.op in _UNEVALUATED:
                return
            case c_ast.UnaryOp(op="&"):
                yield from self.address(node.expr)
            case c_ast.ArrayRef() | c_ast.StructRef() | c_ast.UnaryOp(op="*"):
                yield from self.address(node)
                if not self._decays(node):
                    yield from self.access(node, "read")
            case c_ast.BinaryOp():
                yield from self.value(node.left)
                taken = node.left if node.op == "&&" else build.negation(node.left)
                yield from _where(taken, self.value(node.right))
            case c_ast.TernaryOp():
                yield from self.value(node.cond)
                yield from _where(node.cond, self.value(node.iftrue))
                yield from _where(build.negation(node.cond), self.value(node.iffalse))
            case c_ast.FuncCall():
                for argument in node.args.exprs if node.args else []:
                    yield from self.value(argument)
                yield from self.operation(node)
            case c_ast.Cast():
                yield from self.value(node.expr)
            case _:
                for child in build.parts(node):
                    yield from self.value(child)
                yield from self.operation(node)

    def address(self, node: c_ast.Node) -> Iterator[Demand]:
        """The demands of finding the address of the lvalue *node*."""
        match node:
            case c_ast.ArrayRef():
                array = self.symbols.is_array(self.symbols.type_of(node.name))
                yield from self.address(node.name) if array else self.value(node.name)
                yield from self.value(node.subscript)
            case c_ast.StructRef():
                yield from self.value(node.name) if node.type == "->" else self.address(node.name)
            case c_ast.UnaryOp(op="*"):
                yield from self.value(node.expr)
            case c_ast.ID() | c_ast.Constant():
                return
            case _:
                yield from self.value(node)

    def store(self, node: c_ast.Node) -> Iterator[Demand]:
        """The demands of storing to the lvalue *node*."""
        yield from self.address(node)
        yield from self.access(node, "write")

    def _decays(self, node: c_ast.Node) -> bool:
        type_ = self.symbols.resolve(self.symbols.type_of(node))
        return isinstance(type_, (c_ast.ArrayDecl, c_ast.FuncDecl))


def _where(cond: c_ast.Node, demands: Iterator[Demand]) -> Iterator[Demand]:
    """*demands*, restricted to executions in which *cond* holds."""
    for demand in demands:
        yield replace(demand, cond=c_ast.BinaryOp("||", build.negation(cond), demand.cond))
