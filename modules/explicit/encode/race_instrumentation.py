"""Mark the accesses to shared memory in the core language, for the detection of data races."""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.modules.analysis import marks
from cseq.modules.analysis.movers import NO_MOVERS
from cseq.modules.core.known_races import KNOWN, OF_COARSE, TELLS, FineSteps, KnownRaces
from cseq.modules.core.race_instrumentation import RaceInstrumenter
from cseq.modules.library import lexicon, stubs
from cseq.pipeline.translator import Rewriter, rebuilt


class RaceInstrumentation(RaceInstrumenter):
    """in: the core language, without calls of the user's functions. out: the same, with marks before accesses.

    The marks are those of the `RaceInstrumentation`. A step program makes the calls in them when it reaches the
    statement, before it does anything else. They tell the engine which of the user's memory the transition accesses,
    and how.
    """

    takes = (KNOWN, OF_COARSE, NO_MOVERS)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Mark the accesses in the functions that threads start with."""
        ext = self.marked(tree)
        if known := self.parameter(KNOWN):
            ext = [KnownRaces(known).visit(node) for node in ext]
        elif self.parameter(OF_COARSE):
            ext = [FineSteps().visit(node) for node in ext]
        return c_ast.FileAST([*ext, *(_Blocking().visit(twin) for twin in self.telling.functions)])

    def _coarse(self, mark: c_ast.Node, node: c_ast.Node, out: list[c_ast.Node]) -> None:
        if not self.parameter(OF_COARSE) or node in self.movers:
            super()._coarse(mark, node, out)
            return
        made: list[Any] = []
        self._statement(node, False, made)
        if build.is_call(made[0], lexicon.STANDS):
            stands = made[0]
            actions = [*stands.args.exprs[:3], build.call(TELLS, build.number(0)), *stands.args.exprs[3:]]
            made[0] = rebuilt(stands, args=c_ast.ExprList(actions))
            out += made
        else:  # it is not known what it accesses
            out += [mark, *made]

    def _statement(self, node: Any, atomic: bool, out: list[c_ast.Node]) -> None:
        match node:
            case c_ast.While():
                loads = self.loads(node.cond, atomic) if node not in self.movers else []
                cond = c_ast.ExprList([marks.mark(loads, node.coord), node.cond]) if loads else node.cond
                out.append(rebuilt(node, cond=cond, stmt=self._block(node.stmt)))
            case c_ast.Label() if not isinstance(node.stmt, c_ast.EmptyStatement):
                out.append(rebuilt(node, stmt=c_ast.EmptyStatement()))
                self._statement(node.stmt, atomic, out)
            case _:
                super()._statement(node, atomic, out)


class _Blocking(Rewriter):
    """Makes a function that reports another one's accesses block where that one would: then none of them counts."""

    def visit_FuncCall(self, node: c_ast.FuncCall) -> c_ast.Node:
        call: c_ast.FuncCall = self.generic_visit(node)
        return rebuilt(call, name=build.ident(stubs.WAIT)) if call.name.name == lexicon.ASSUME else call
