"""Drop the marks of steps that are coarser than an access, where no other thread can tell."""

from itertools import pairwise
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.analysis.marks import threads_of
from cseq.modules.analysis.movers import NO_MOVERS, Movers
from cseq.modules.analysis.places import has_call
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.library import lexicon, stubs
from cseq.options.properties import PROPERTY
from cseq.pipeline.translator import Translator, rebuilt


class Undisturbed(Translator):
    """in: the core language, without calls of the user's functions. out: the same, with fewer marks of coarse steps.

    A call such as ``strcpy(buffer, text)`` is several accesses. If no other thread makes an access meanwhile that
    conflicts with one of them, because of a lock or because no other thread exists, the call is as good as one step.
    """

    takes = (PROPERTY, NO_MOVERS)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Ask the analysis of movers about each statement that is marked."""
        threads = threads_of(tree)
        if not any(has_call(node, lexicon.COARSE) for node in threads):
            return tree
        symbols = Symbols(tree, self.context.model)
        visibility = Visibility(symbols, tree)
        property_, off = self.parameter(PROPERTY), self.parameter(NO_MOVERS)
        self._movers = Movers.of(tree, symbols, visibility, property_, off, without_locks=True)
        return c_ast.FileAST([self.visit(n) if n in threads else n for n in tree.ext])

    def visit_Compound(self, node: c_ast.Compound) -> c_ast.Compound:
        """A block without the marks of statements that no thread disturbs."""
        items: list[c_ast.Node] = node.block_items or []
        kept = [
            item
            for item, following in pairwise([*items, None])
            if not (build.is_call(item, lexicon.COARSE) and self._is_exact(following))
        ]
        return rebuilt(node, block_items=self.visit_all(kept))

    def _is_exact(self, node: Any) -> bool:
        call = node.rvalue if isinstance(node, c_ast.Assignment) else node
        if isinstance(call, c_ast.FuncCall):
            name = call.name.name
            if name not in lexicon.MODELLED - _ALLOCATES and not stubs.is_contained(name):
                return False
        elif not isinstance(node, c_ast.Assignment):
            return False
        return self._movers.is_undisturbed(node)


_ALLOCATES = frozenset({"malloc", "calloc", "realloc", "free"})
"""Functions that change what later calls return."""
