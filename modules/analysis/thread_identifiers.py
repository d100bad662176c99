"""Which variables hold identifiers of threads that only main knows, and whether a join waits for its thread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.analysis.places import calls
from cseq.modules.analysis.points_to import IGNORED
from cseq.modules.library import lexicon

JOINS = frozenset({"pthread_join", "thrd_join"})


def only_main_joins(threads: Sequence[c_ast.FuncDef]) -> bool:
    """Whether nothing is left of a thread once main has joined it.

    No thread is detached, no thread but main joins others, and none but main creates any: what a thread creates may
    still be there when it has ended itself.
    """
    for node in threads:
        for call in calls(node.body):
            name = call.name.name if isinstance(call.name, c_ast.ID) else ""
            if "detach" in name or ("join" in name and (node.decl.name != "main" or name not in JOINS)):
                return False
            if name == lexicon.CREATE and node.decl.name != "main":
                return False
            if name == lexicon.CREATE and not build.is_constant(build.uncast(call.args.exprs[1]), 0):
                return False  # it may be detached from the beginning
    return True


def own_identifiers(threads: Sequence[c_ast.FuncDef], symbols: Symbols) -> frozenset[str]:
    """The variables that nobody but main assigns to, and whose address is given to nothing but pthread_create."""
    assigned: dict[str, set[str]] = {}
    lost: set[str] = set()

    def visit(node: Any, thread: str) -> None:
        if build.is_call(node, *IGNORED):
            return
        if isinstance(node, c_ast.Assignment) or build.is_call(node, *lexicon.WHOLE):
            root = node.lvalue if isinstance(node, c_ast.Assignment) else node.args.exprs[0]
            root = build.addressed(root) or root
            while isinstance(root, (c_ast.ArrayRef, c_ast.StructRef)):
                root = root.name
            if isinstance(root, c_ast.ID):
                assigned.setdefault(root.name, set()).add(thread)
            if not isinstance(node, c_ast.Assignment):
                return
        if isinstance(node, c_ast.UnaryOp) and node.op == "&":
            lost.update(build.names(node.expr))
        created = build.is_call(node, lexicon.CREATE)
        for position, (_, child) in enumerate(node.args.children() if created else node.children()):
            if created and position == 0:
                name = build.addressed(child) or build.uncast(child)
                base = name.name if isinstance(name, c_ast.ArrayRef) else name
                if isinstance(base, c_ast.ID):
                    assigned.setdefault(base.name, set()).add(thread)
                    continue
            if isinstance(child, c_ast.ID) and not isinstance(node, (c_ast.ArrayRef, c_ast.Assignment)):
                type_ = symbols.types.get(child.name)
                if type_ is not None and symbols.is_array(type_):
                    lost.add(child.name)
            visit(child, thread)

    for node in threads:
        visit(node.body, node.decl.name)
    return frozenset(name for name, where in assigned.items() if where == {"main"} and name not in lost)
