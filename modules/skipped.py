"""Which declarations the jumps of a function pass over. Not a stage."""

from __future__ import annotations

from pycparser import c_ast


class SkippedDeclarations(c_ast.NodeVisitor):
    """Find, for each jump of a function, the declarations that it passes over.

    found: by the id of a `goto` or `switch`. Jumps lead forwards; what stands between one and its label is either
    passed over or, in a block of its own, harmless to make undefined.
    """

    def __init__(self, body: c_ast.Compound) -> None:
        self.found: dict[int, list[c_ast.Decl]] = {}
        self._seen: list[c_ast.Decl] = []
        self._open: dict[str, list[tuple[c_ast.Goto, int]]] = {}
        self.visit(body)

    def visit_Decl(self, node: c_ast.Decl) -> None:
        if node.name and "static" not in node.storage and "extern" not in node.storage:
            self._seen.append(node)
        self.generic_visit(node)

    def visit_Goto(self, node: c_ast.Goto) -> None:
        self._open.setdefault(node.name, []).append((node, len(self._seen)))

    def visit_Label(self, node: c_ast.Label) -> None:
        for jump, seen in self._open.pop(node.name, []):
            self.found[id(jump)] = self._seen[seen:]
        self.visit(node.stmt)

    def visit_Switch(self, node: c_ast.Switch) -> None:
        before = len(self._seen)
        self.visit(node.cond)
        last = before
        for item in (node.stmt.block_items or []) if isinstance(node.stmt, c_ast.Compound) else [node.stmt]:
            if isinstance(item, (c_ast.Case, c_ast.Default)):
                last = len(self._seen)
            self.visit(item)
        self.found[id(node)] = self._seen[before:last]
