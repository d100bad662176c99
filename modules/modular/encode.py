"""Hand the program, with its procedures, to the thread-modular analysis."""

from __future__ import annotations

from pycparser import c_ast

from cseq.c.symbols import Symbols
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.ir.lower import lower
from cseq.modules.ir.program import Program
from cseq.pipeline.facts import Fact, Gives
from cseq.pipeline.stage import Unit
from cseq.pipeline.translator import Translator

PROGRAM = Fact[Program]("modular_program")
"""The program before the inliner."""


class ModularEncoder(Translator):
    """in: the core language with calls. out: the same, whose intermediate representation is a fact."""

    program = Gives(PROGRAM)

    def translate(self, tree: c_ast.FileAST) -> Unit:
        """Lower the program."""
        symbols = Symbols(tree, self.context.model)
        self.program = lower(tree, symbols, Visibility(symbols, tree))
        return Unit(tree=tree)
