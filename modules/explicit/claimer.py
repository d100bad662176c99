"""Claim in the core language, before each statement, what its expressions demand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pycparser import c_ast

from cseq.base.errors import UnsupportedError
from cseq.base.linemap import Origin
from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.analysis import marks
from cseq.modules.analysis.demands.arithmetic import Arithmetic
from cseq.modules.analysis.demands.checks import CHECKS, Check
from cseq.modules.analysis.demands.evaluation import Demand
from cseq.modules.analysis.demands.librarywriter import COMPUTE, LibraryWriter
from cseq.modules.analysis.demands.threadwriter import ThreadWriter
from cseq.modules.analysis.properties import OVERFLOW, PROPERTY
from cseq.modules.library import lexicon
from cseq.pipeline.facts import Gives
from cseq.pipeline.translator import Translator, rebuilt

_OURS = frozenset({lexicon.ACCESS, lexicon.COARSE, lexicon.BEGINS, lexicon.ENDS, lexicon.DEMAND, lexicon.STANDS})
"""Calls that are not statements of the user's."""


class Claimer(Translator):
    """in: the core language, without calls of the user's functions. out: the same, with claims: what C demands.

    The claims are those of the `Checker` of the symbolic family. Those about a statement of a thread are in a call
    before it, ``__CSEQ_checks``. A step program evaluates them when it reaches the statement, in the same transition.
    """

    takes = (PROPERTY,)
    checks = Gives(CHECKS)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Write the claims into the functions of threads and of the library; leaves their meanings as a fact."""
        if self.parameter(PROPERTY) != OVERFLOW:
            raise UnsupportedError(f"{self.parameter(PROPERTY)} is not checked by explicit-state search")
        symbols = Symbols(tree, self.context.model)
        self.checks = checks = list[Check]()
        writer = _ThreadWriter(Arithmetic(symbols), checks)
        nodes: list[c_ast.Node] = []
        for node in tree.ext:
            if marks.is_thread(node):
                node = writer.function(node)
            elif isinstance(node, c_ast.FuncDef) and node.decl.name in COMPUTE:
                node = _LibraryWriter(symbols, Arithmetic(symbols), checks).function(node)
            nodes.append(node)
        return c_ast.FileAST(nodes)


class _ThreadWriter(ThreadWriter):
    """Checks thread functions, in which loops are loops."""

    def _statement(self, node: Any, out: list[c_ast.Node]) -> None:
        match node:
            case c_ast.Label() if not isinstance(node.stmt, c_ast.EmptyStatement):
                out.append(rebuilt(node, stmt=c_ast.EmptyStatement()))
                self._statement(node.stmt, out)
            case c_ast.Compound():
                out.append(self._block(node))
            case c_ast.If() if node.coord is None:
                out.append(self._branch(node))
            case c_ast.While():
                claims: list[c_ast.Node] = []
                if node.coord is not None:
                    self._demand(self.evaluation.value(node.cond), node.coord, claims)
                cond = c_ast.ExprList([*claims, node.cond]) if claims else node.cond
                out.append(rebuilt(node, cond=cond, stmt=self._block(node.stmt)))
            case c_ast.Return() if node.coord is not None:
                self._demand(self.evaluation.value(node.expr), node.coord, out)
                out.append(node)
            case _:
                super()._statement(node, out)

    def _demand(self, demands: Iterable[Demand], origin: Origin | None, out: list[c_ast.Node]) -> None:
        """Claim each of *demands* once, in one call."""
        claims = [self.asserted(d.cond, claim, origin, d.part) for d, claim in self._distinct(demands)]
        if claims:
            out.append(build.call(lexicon.CHECKS, *claims, origin=origin))

    def _call(self, node: c_ast.FuncCall, out: list[c_ast.Node]) -> None:
        if node.coord is None or node.name.name in _OURS:
            out.append(node)
        else:
            super()._call(node, out)


class _LibraryWriter(LibraryWriter):
    """Checks a library function. What is claimed there need not be assumed: a violation ends the execution."""

    def claim(self, cond: c_ast.Node, claim: Any, origin: Origin | None, part: str) -> list[c_ast.Node]:
        """The statement that claims *cond*."""
        return [self.asserted(cond, claim, origin, part)]
