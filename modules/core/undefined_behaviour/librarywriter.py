"""Write claims into the functions of the library, which access what the user hands to them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pycparser import c_ast

from cseq.c import Printer, build
from cseq.c.symbols import Symbols
from cseq.modules.core.undefined_behaviour.accesses import VALID_INSIDE
from cseq.modules.core.undefined_behaviour.checks import Check
from cseq.modules.core.undefined_behaviour.evaluation import Demand, Evaluation
from cseq.modules.core.undefined_behaviour.threadwriter import Writer
from cseq.modules.library import lexicon
from cseq.pipeline.translator import rebuilt

COMPUTE = frozenset({"abs", "labs", "llabs", "div", "ldiv", "lldiv"})
"""Library functions that compute something the user could have computed."""

FREEABLE_BLOCK = "__CSEQ_allocate_freeable"
"""The library's function for allocating a block that the user is to free."""


class LibraryWriter(Writer):
    """Checks a library function, because its arguments are the user's."""

    def __init__(self, symbols: Symbols, evaluation: Evaluation, checks: list[Check]) -> None:
        super().__init__(evaluation, checks)
        self._symbols = symbols
        self._name = ""
        self._fresh: set[str] = set()

    def function(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        """The function with claims inserted; its names are in a scope of its own."""
        types, self._symbols.types = self._symbols.types, dict(self._symbols.types)
        declarations = _Declarations(self._symbols)
        declarations.visit(node)
        self._fresh = declarations.fresh
        name = node.decl.name
        self._name = "" if name.startswith("__cs_") else name
        body = self._block(node.body, set())
        self._symbols.types = types
        return rebuilt(node, body=body)

    def _block(self, node: c_ast.Node, known: set[str]) -> c_ast.Compound:
        """known: what already holds. The library never assigns to its parameters, and a call is one step."""
        known = set(known)
        return build.rewritten(node, lambda item, out: self._statement(item, known, out))

    def _statement(self, node: Any, known: set[str], out: list[c_ast.Node]) -> None:
        match node:
            case c_ast.If():
                self._demand(self.evaluation.value(node.cond), known, out)
                otherwise = self._block(node.iffalse, known) if node.iffalse is not None else None
                out.append(rebuilt(node, iftrue=self._block(node.iftrue, known), iffalse=otherwise))
            case c_ast.While():
                claims: list[c_ast.Node] = []
                self._demand(self.evaluation.value(node.cond), known, claims)
                cond = c_ast.ExprList([*claims, node.cond]) if claims else node.cond
                out.append(rebuilt(node, cond=cond, stmt=self._block(node.stmt, known)))
            case c_ast.Compound():
                out.append(self._block(node, known))
            case c_ast.Assignment():
                store = self.evaluation.store(node.lvalue)
                self._demand([*self.evaluation.value(node.rvalue), *store], known, out)
                out.append(self.renamed(node))
            case c_ast.Decl():
                self._demand(self.evaluation.value(node.init), known, out)
                out.append(self.renamed(node))
            case c_ast.Return():
                self._demand(self.evaluation.value(node.expr), known, out)
                out.append(self.renamed(node))
            case c_ast.FuncCall() if node.name.name == lexicon.ASSERT:
                return  # which is followed by an assumption of the same condition
            case c_ast.FuncCall() | c_ast.UnaryOp():
                self._demand(self.evaluation.value(node), known, out)
                out.append(self.renamed(node))
            case _:
                out.append(node)

    def renamed(self, node: c_ast.Node) -> Any:
        """A statement of the library, with the names that functions have in the checked program."""
        return node

    def _demand(self, demands: Iterator[Demand] | list[Demand], known: set[str], out: list[c_ast.Node]) -> None:
        for demand in demands:
            key = Printer().visit(demand.cond)
            if key not in known and not self._is_fresh(demand.cond):
                if _is_of_a_parameter(demand.cond):
                    known.add(key)
                out.extend(self.claim(demand.cond, replace(demand.claim, within=self._name), None, demand.part))

    def _is_fresh(self, cond: c_ast.Node) -> bool:
        """Whether *cond* is about memory that the function has allocated and is filling."""
        while isinstance(cond, c_ast.BinaryOp):
            cond = cond.right
        if not isinstance(cond, c_ast.FuncCall) or cond.name.name != VALID_INSIDE:
            return False
        return isinstance(cond.args.exprs[0], c_ast.ID) and cond.args.exprs[0].name in self._fresh


def _is_of_a_parameter(cond: c_ast.Node) -> bool:
    """Whether *cond* says that a whole object is there, which nothing in a library function changes."""
    if not isinstance(cond, c_ast.FuncCall) or cond.name.name != VALID_INSIDE:
        return False
    target: Any = cond.args.exprs[1].expr
    return isinstance(target, c_ast.UnaryOp) and target.op == "*" and isinstance(target.expr, c_ast.ID)


class _Declarations(c_ast.NodeVisitor):
    """Collects the declarations in a function, at any depth.

    fresh: the names of pointers to memory that the function allocates.
    """

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self.fresh: set[str] = set()

    def visit_Decl(self, node: c_ast.Decl) -> None:
        if node.name:
            self._symbols.declare(node)
        if isinstance(node.init, c_ast.FuncCall) and node.init.name.name in (lexicon.ALLOCATE, FREEABLE_BLOCK):
            self.fresh.add(node.name)
        self.generic_visit(node)
