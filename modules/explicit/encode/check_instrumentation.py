"""Claim in the core language, before each statement, what its expressions demand."""

from collections.abc import Iterable
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.model.claims import Claim, Kind, Reason
from cseq.model.origin import Origin
from cseq.modules.analysis import marks
from cseq.modules.core.undefined_behaviour.accesses import Accesses
from cseq.modules.core.undefined_behaviour.arithmetic import Arithmetic
from cseq.modules.core.undefined_behaviour.checks import CHECKS, NAME, Check
from cseq.modules.core.undefined_behaviour.evaluation import Demand, Evaluation
from cseq.modules.core.undefined_behaviour.librarywriter import COMPUTE, LibraryWriter
from cseq.modules.core.undefined_behaviour.threadwriter import ThreadWriter
from cseq.modules.core.undefined_behaviour.widestrings import named
from cseq.modules.explicit.encode.provenance import NOTE, BasePointers, Provenance
from cseq.modules.library import lexicon
from cseq.options.properties import DEREF, MEMSAFETY, MEMTRACK, PROPERTY
from cseq.pipeline.facts import Gives
from cseq.pipeline.translator import Rewriter, Translator, rebuilt

LEAK = f"{NAME}0"
"""The claim about leaks, which the stepper makes where the process ends."""

_OURS = frozenset({lexicon.ACCESS, lexicon.COARSE, lexicon.BEGINS, lexicon.ENDS, lexicon.STANDS})
"""Calls that are not statements of the user's."""


class CheckInstrumentation(Translator):
    """in: the core language, without calls of the user's functions. out: the same, with claims: what C demands.

    The claims are those of the `Checker` of the symbolic family. Those about a statement of a thread are in a call
    before it, ``__CSEQ_checks``. A step program evaluates them when it reaches the statement, in the same transition.
    """

    takes = (PROPERTY,)
    checks = Gives(CHECKS)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Write the claims into the functions of threads and of the library; leaves their meanings as a fact."""
        of_memory = self.parameter(PROPERTY) == MEMSAFETY
        symbols = Symbols(tree, self.context.model)
        self.checks = checks = list[Check]()
        if of_memory:
            tree = named(tree, symbols, all_strings=True)
            checks.append(Check(Claim(Kind.MEMSAFETY, Reason.LEAK), MEMTRACK))
        writer = _ThreadWriter(Provenance(symbols) if of_memory else Arithmetic(symbols), checks, symbols, of_memory)
        of_library = _LibraryWriter(
            symbols, Accesses(symbols, in_library=True) if of_memory else Arithmetic(symbols), checks
        )
        nodes: list[c_ast.Node] = []
        for node in tree.ext:
            if marks.is_thread(node):
                nodes.append(writer.function(node))
            elif isinstance(node, c_ast.FuncDef) and lexicon.is_library(node.decl.name):
                plain = _WithoutLives().visit(node)
                is_checked = of_memory or node.decl.name in COMPUTE
                nodes.append(of_library.function(plain) if is_checked else plain)
            else:
                nodes.append(node)
        return c_ast.FileAST(nodes)


class _WithoutLives(Rewriter):
    """Drops the marks of lives in the library: its locals are on the stack, and their addresses do not escape."""

    def visit_Compound(self, node: c_ast.Compound) -> c_ast.Compound:
        items = [item for item in node.block_items or [] if not build.is_call(item, lexicon.BEGINS, lexicon.ENDS)]
        return rebuilt(node, block_items=self.visit_all(items))


class _ThreadWriter(ThreadWriter):
    """Checks thread functions, in which loops are loops."""

    def __init__(self, evaluation: Evaluation, checks: list[Check], symbols: Symbols, of_memory: bool) -> None:
        super().__init__(evaluation, checks)
        self._of_memory = of_memory
        self._based = BasePointers(symbols)

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
        claims: list[c_ast.Node] = []
        for demand, claim in self._distinct(demands):
            cond = self._based.visit(demand.cond)
            claims.append(cond if demand.claim is NOTE else self.asserted(cond, claim, origin, demand.part))
        if claims:
            out.append(build.call(lexicon.CHECKS, *claims, origin=origin))

    def _call(self, node: c_ast.FuncCall, out: list[c_ast.Node]) -> None:
        if node.name.name == lexicon.DEMAND:
            if self._of_memory:
                cond, message = node.args.exprs
                claim = self.asserted(cond, Claim.of(message.value[1:-1]), node.coord, DEREF)
                out.append(build.call(lexicon.CHECKS, claim, origin=node.coord))
        elif node.coord is None or node.name.name in _OURS:
            out.append(node)
        else:
            super()._call(node, out)


class _LibraryWriter(LibraryWriter):
    """Checks a library function. What is claimed there need not be assumed: a violation ends the execution."""

    def claim(self, cond: c_ast.Node, claim: Any, origin: Origin | None, part: str) -> list[c_ast.Node]:
        """The statement that claims *cond*."""
        return [self.asserted(cond, claim, origin, part)]
