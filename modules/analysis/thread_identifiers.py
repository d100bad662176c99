"""Which variables hold identifiers of threads that only main knows, and whether a join waits for its thread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.analysis.points_to import IGNORED
from cseq.modules.library import lexicon

JOINS = frozenset({"pthread_join", "thrd_join"})


def only_main_joins(called: Mapping[str, Iterable[c_ast.FuncCall]]) -> bool:
    """Whether nothing is left of a thread once main has joined it. called: the calls of each thread, by its name.

    No thread is detached, no thread but main joins others, and none but main creates any: what a thread creates may
    still be there when it has ended itself.
    """
    for thread, calls in called.items():
        for call in calls:
            name = build.callee(call)
            if "detach" in name or ("join" in name and (thread != "main" or name not in JOINS)):
                return False
            if name == lexicon.CREATE and thread != "main":
                return False
            if name == lexicon.CREATE and not build.is_constant(build.uncast(call.args.exprs[1]), 0):
                return False  # it may be detached from the beginning
    return True


def own_identifiers(threads: Sequence[c_ast.FuncDef], symbols: Symbols) -> frozenset[str]:
    """The variables to which only main assigns, and whose address is given to nothing but pthread_create."""
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
    for node in sorted(threads, key=lambda thread: thread.decl.name != "main"):
        if node.decl.name != "main" and all(symbols.locals.get(name) == "main" for name in assigned):
            break  # other threads have no name for any of these
        todo.append(node.body)
        seen: set[int] = set()  # unrolled copies of a statement share its expressions
        while todo:
            part = todo.pop()
            if id(part) not in seen and not isinstance(part, c_ast.Constant):
                seen.add(id(part))
                look(part, node.decl.name)
    return frozenset(name for name, where in assigned.items() if where == {"main"} and name not in lost)
