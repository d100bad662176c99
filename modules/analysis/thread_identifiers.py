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

    def look(node: Any, thread: str) -> None:
        name = build.callee(node)
        if name in IGNORED:
            return
        if isinstance(node, c_ast.Assignment) or name in lexicon.WHOLE:
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
        created = name == lexicon.CREATE
        decays = not isinstance(node, (c_ast.ArrayRef, c_ast.Assignment))
        for position, child in enumerate(node.args if created else node):
            if created and position == 0:
                target = build.addressed(child) or build.uncast(child)
                base = target.name if isinstance(target, c_ast.ArrayRef) else target
                if isinstance(base, c_ast.ID):
                    assigned.setdefault(base.name, set()).add(thread)
                    continue
            if not isinstance(child, c_ast.ID):
                todo.append(child)
            elif decays and (type_ := symbols.types.get(child.name)) is not None and symbols.is_array(type_):
                lost.add(child.name)

    todo: list[Any] = []
    for node in threads:
        todo.append(node.body)
        seen: set[int] = set()  # unrolled copies of a statement share its expressions
        while todo:
            part = todo.pop()
            if id(part) not in seen and not isinstance(part, c_ast.Constant):
                seen.add(id(part))
                look(part, node.decl.name)
    return frozenset(name for name, where in assigned.items() if where == {"main"} and name not in lost)
