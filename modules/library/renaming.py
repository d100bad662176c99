"""Names at file level are replaced in a whole unit."""

from typing import Any

from pycparser import c_ast

from cseq.pipeline.translator import Rewriter, rebuilt


class Renamer(Rewriter):
    """Renames file-scope names in a whole unit. A local name that shadows one is renamed too, which changes nothing."""

    def __init__(self, names: dict[str, str], tags: dict[str, str]) -> None:
        super().__init__()
        self._names = names
        self._tags = tags

    def visit(self, node: c_ast.Node) -> Any:
        return super().visit(node) if self._names or self._tags else node

    def visit_ID(self, node: c_ast.ID) -> c_ast.ID:
        return c_ast.ID(self._names[node.name], node.coord) if node.name in self._names else node

    def visit_IdentifierType(self, node: c_ast.IdentifierType) -> c_ast.IdentifierType:
        if len(node.names) == 1 and node.names[0] in self._names:
            return c_ast.IdentifierType([self._names[node.names[0]]], node.coord)
        return node

    def _declaration(self, node: Any) -> Any:
        node = self.generic_visit(node)
        return rebuilt(node, name=self._names[node.name]) if node.name in self._names else node

    visit_Decl = _declaration
    visit_Typedef = _declaration

    def visit_TypeDecl(self, node: c_ast.TypeDecl) -> c_ast.TypeDecl:
        node = self.generic_visit(node)
        return rebuilt(node, declname=self._names[node.declname]) if node.declname in self._names else node

    def _tagged(self, node: Any) -> Any:
        new = self.generic_visit(node) if not isinstance(node, (c_ast.Struct, c_ast.Union)) else self._record(node)
        tag = f"{type(node).__name__.lower()} {node.name}"
        return rebuilt(new, name=self._tags[tag]) if tag in self._tags else new

    def _record(self, node: Any) -> Any:
        """Members have a name space of their own: only their types are visited."""
        if node.decls is None:
            return node
        members = []
        for member in node.decls:
            if isinstance(member, c_ast.Decl) and member.name in self._names:
                kept, self._names = self._names, {k: v for k, v in self._names.items() if k != member.name}
                members.append(self.visit(member))
                self._names = kept
            else:
                members.append(self.visit(member))
        return rebuilt(node, decls=members)

    def visit_NamedInitializer(self, node: c_ast.NamedInitializer) -> c_ast.NamedInitializer:
        names = [item if isinstance(item, c_ast.ID) else self.visit(item) for item in node.name]
        return c_ast.NamedInitializer(names, self.visit(node.expr), node.coord)

    def visit_Enumerator(self, node: c_ast.Enumerator) -> c_ast.Enumerator:
        new: c_ast.Enumerator = self.generic_visit(node)
        return rebuilt(new, name=self._names[node.name]) if node.name in self._names else new

    visit_Struct = _tagged
    visit_Union = _tagged
    visit_Enum = _tagged
