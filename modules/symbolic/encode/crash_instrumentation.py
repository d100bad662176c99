"""Claim, before each statement, that it does not crash in the ways that cost engines little to look for."""

from collections.abc import Iterable, Iterator
from typing import Any

from pycparser import c_ast

from cseq.c import Printer, build
from cseq.c.symbols import Symbols, basic
from cseq.model.claims import Claim, Kind, Reason
from cseq.model.origin import Origin
from cseq.modules.analysis import marks
from cseq.modules.core.undefined_behaviour.accesses import Accesses
from cseq.modules.core.undefined_behaviour.evaluation import Demand
from cseq.modules.library import lexicon
from cseq.modules.library.assertions import Claims, claim
from cseq.options.properties import EXCUSED
from cseq.pipeline.translator import Translator, rebuilt

_ACCESS = Claim(Kind.CRASH, Reason.ACCESS)
_DIVISION = Claim(Kind.CRASH, Reason.DIVISION)
_INDEX = Claim(Kind.CRASH, Reason.INDEX)


class CrashInstrumentation(Translator):
    """in: a sequentialized program. out: the same, where a statement that crashes violates a claim and goes no further.

    Claimed is that no null pointer is followed, that no divisor is zero, that no quotient overflows, and that
    subscripts of arrays of known length are inside: what the explorer notices, too, when it executes the statement.
    What else crashes (other pointers that lead nowhere) is for valid-memsafety.
    """

    takes = (EXCUSED,)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Write the claims into the functions of threads."""
        writer = _Writer(_Crashes(Symbols(tree, self.context.model)), Claims(excused=self.parameter(EXCUSED)))
        return c_ast.FileAST([writer.function(node) if marks.is_thread(node) else node for node in tree.ext])


class _Crashes(Accesses):
    """What an expression demands so that its evaluation does not crash. A condition 1 always holds."""

    def operation(self, node: c_ast.Node) -> Iterator[Demand]:
        """The demands of a division."""
        if not isinstance(node, c_ast.BinaryOp) or node.op not in ("/", "%"):
            return
        kind = self.symbols.arithmetic(self.symbols.type_of(node))
        if kind is None or kind in ("float", "double", "long double"):
            return
        divisor = self.symbols.constant_or_none(node.right)
        if divisor is None or divisor == 0:
            cond = build.number(0) if divisor == 0 else c_ast.BinaryOp("!=", node.right, build.number(0))
            yield Demand(_DIVISION, node, cond)
        if divisor in (None, -1) and not kind.startswith("unsigned"):
            cast = build.typename(basic(kind))
            ones = c_ast.UnaryOp("~", c_ast.Cast(build.typename(basic(f"unsigned {kind}")), build.number(0)))
            most = c_ast.Cast(cast, c_ast.BinaryOp(">>", ones, build.number(1)))
            least = c_ast.BinaryOp("-", c_ast.UnaryOp("-", most), build.number(1))
            fits = c_ast.BinaryOp("!=", c_ast.Cast(cast, node.left), least)
            other = c_ast.BinaryOp("!=", c_ast.Cast(cast, node.right), build.number(-1))
            yield Demand(_DIVISION, node, c_ast.BinaryOp("||", fits, other))

    def _there(self, node: c_ast.Node, followed: c_ast.Node, kind: str) -> Demand:
        pointer = self._base(followed)
        if pointer is None:
            return Demand(_ACCESS, node, build.number(1))
        return Demand(_ACCESS, node, c_ast.BinaryOp("!=", pointer, build.number(0)))

    def _base(self, pointer: Any) -> c_ast.Node | None:
        """The pointer whose object *pointer* leads into; None if that is one that exists, or is not known."""
        match pointer:
            case c_ast.Cast():
                inner = self.symbols.value_type(pointer.expr)
                return self._base(pointer.expr) if self.symbols.is_pointer(inner) else pointer
            case c_ast.BinaryOp(op="+" | "-"):
                sides = [pointer.left, pointer.right]
                found = [side for side in sides if self.symbols.is_pointer(self.symbols.value_type(side))]
                return self._base(found[0]) if found else None
            case c_ast.UnaryOp(op="&") | c_ast.Constant():
                return None  # finding the address of an object follows no pointer
        if self.symbols.is_array(self.symbols.type_of(pointer)):
            return None
        return pointer if self.symbols.is_pointer(self.symbols.type_of(pointer)) else None

    def _length(self, array: c_ast.Node) -> int | None:
        if isinstance(array, c_ast.StructRef):
            base = self.symbols.type_of(array.name)
            record = self.symbols.record(self.symbols.element(base) if array.type == "->" else base)
            if record is not None and self.symbols.members(record)[-1].name == array.field.name:
                return None  # possibly with extra memory after it, as compilers assume
        return super()._length(array)

    def _subscript(self, node: c_ast.ArrayRef) -> Demand | None:
        found = super()._subscript(node)
        return None if found is None else Demand(_INDEX, node, found.cond)


class _Writer:
    """Writes claims into functions whose statements are those of the core language."""

    def __init__(self, evaluation: _Crashes, claims: Claims) -> None:
        self._evaluation = evaluation
        self._claims = claims
        self._printer = Printer()

    def function(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        """The function with claims inserted."""
        return rebuilt(node, body=self._block(node.body))

    def _block(self, node: c_ast.Node) -> c_ast.Compound:
        return build.rewritten(node, self._statement)

    def _statement(self, node: Any, out: list[c_ast.Node]) -> None:
        evaluation = self._evaluation
        match node:
            case c_ast.FuncCall() if node.coord is not None:
                self._demand(evaluation.value(node), node.coord, out)
            case c_ast.Assignment() if node.coord is not None:
                self._demand([*evaluation.value(node.rvalue), *evaluation.store(node.lvalue)], node.coord, out)
            case c_ast.If() if node.coord is not None:
                self._demand(evaluation.value(node.cond), node.coord, out)
                then = node.iftrue if isinstance(node.iftrue, c_ast.Goto) else self._block(node.iftrue)
                otherwise = self._block(node.iffalse) if node.iffalse is not None else None
                node = rebuilt(node, iftrue=then, iffalse=otherwise)
        out.append(node)

    def _demand(self, demands: Iterable[Demand], origin: Origin | None, out: list[c_ast.Node]) -> None:
        """Claim each of *demands* once, and assume it."""
        known: set[str] = set()
        for demand in demands:
            if build.is_constant(demand.cond, 1) or (key := self._printer.visit(demand.cond)) in known:
                continue
            known.add(key)
            written = claim(demand.cond, demand.claim, origin)
            if self._claims.has(written.args.exprs[1]):
                out.append(written)
            out.append(build.call(lexicon.ASSUME, demand.cond))
