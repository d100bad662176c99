"""Let freed memory come back."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from cseq.c.symbols import Symbols
from cseq.c.unused import names_of
from cseq.modules.analysis.same_address import looks_at_addresses
from cseq.modules.library import lexicon, stubs
from cseq.modules.library.linking import behind_scoper
from cseq.modules.library.primitives import REUSING
from cseq.pipeline.translator import Rewriter, Translator, rebuilt

_ALLOCATING = frozenset({
    "malloc", "calloc", "realloc", "reallocarray", "aligned_alloc", "memalign", "posix_memalign", "strdup", "strndup",
})  # fmt: skip
_FREEING = frozenset({"free", "realloc", "reallocarray"})
_VARIANTS = frozenset({"malloc", "calloc", "free", "realloc", "reallocarray"})
_INSIDE = {"__CSEQ_allocate_freeable": "malloc", "__CSEQ_release": "free"}


class Recycler(Translator):
    """in: C in one scope. out: the same; if it can tell, `malloc` may return a block that was freed.

    The functions that allocate and free are replaced by variants (`pthread_stubs/stdlib.c`). Their calls are visible
    to other threads, since what one thread frees another one may get.
    """

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Replace the functions where addresses that come back matter."""
        functions = [node for node in tree.ext if isinstance(node, c_ast.FuncDef)]
        of_user = [node for node in functions if not lexicon.is_ours(node.coord or node.decl.coord)]
        defined = {node.decl.name for node in of_user}
        used = {name for node in tree.ext if node not in functions or node in of_user for name in _mentioned(node)}
        used -= defined
        if used.isdisjoint(_FREEING) or used.isdisjoint(_ALLOCATING):
            return tree
        if not looks_at_addresses(Symbols(tree, self.context.model), of_user):
            return tree
        wanted = {name + REUSING for name in ("malloc", "free", *(_VARIANTS & used))}
        added = behind_scoper(stubs.needed(wanted))
        variants = {name: name + REUSING for name in _VARIANTS if name + REUSING in wanted}
        of_users = _Renaming({name: new for name, new in variants.items() if name not in defined})
        inside = _Renaming({name: variants[base] for name, base in _INSIDE.items()})
        rest = []
        for node in tree.ext:
            if isinstance(node, c_ast.FuncDef):
                node = (of_users if node in of_user else inside).visit(node)
            rest.append(node)
        first = next(number for number, node in enumerate(rest) if isinstance(node, c_ast.FuncDef))
        return c_ast.FileAST([*rest[:first], *added, *rest[first:]])


def _mentioned(node: c_ast.Node) -> frozenset[str] | set[str]:
    return names_of(node).mentioned if not isinstance(node, c_ast.Typedef) else frozenset()


class _Renaming(Rewriter):
    """Replaces the names of functions."""

    def __init__(self, names: dict[str, str]) -> None:
        super().__init__()
        self._names = names

    def visit_ID(self, node: c_ast.ID) -> Any:
        return rebuilt(node, name=self._names[node.name]) if node.name in self._names else node

    def visit_StructRef(self, node: c_ast.StructRef) -> Any:
        return rebuilt(node, name=self.visit(node.name))


