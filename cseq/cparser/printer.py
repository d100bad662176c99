"""Print a tree as C text, one statement per line, and say where each line came from."""

from __future__ import annotations

from pycparser import c_ast
from pycparser.c_generator import CGenerator

from cseq.linemap import LineMap, Origin

_INDENT = "  "


class Printer(CGenerator):
    """An un-parser for whole units.

    Expressions are left to pycparser's generator; their text is kept per node, since unrolled and
    inlined copies of a statement share their expressions. Statements are printed here, one per line.
    """

    def __init__(self) -> None:
        super().__init__(reduce_parentheses=False)
        self._lines: list[str] = []
        self._origins: list[Origin | None] = []
        self._texts: dict[int, str] = {}
        self._margin = ""

    def unit(self, tree: c_ast.FileAST) -> tuple[str, LineMap]:
        """Return the text of *tree* and its line map."""
        for group in self._coalesce_defined_types(tree.ext):
            if isinstance(group, list):
                self._emit(self._visit_decl_group(group) + ";", group[0].coord)
            elif isinstance(group, c_ast.FuncDef):
                self._function(group)
            elif isinstance(group, c_ast.Pragma):
                self._emit(self.visit(group), group.coord)
            else:
                self._emit(self.visit(group) + ";", group.coord)
        self._lines.append("")
        return "\n".join(self._lines), LineMap(self._origins)

    def text(self, node: c_ast.Node) -> str:
        """The text of one expression; kept, so that a shared expression is printed once."""
        text = self._texts.get(id(node))
        if text is None:
            text = self._texts[id(node)] = self._visit_expr(node)
        return text

    def _emit(self, text: str, origin: Origin | None) -> None:
        for line in text.split("\n"):
            self._lines.append(self._margin + line)
            self._origins.append(origin)

    def _function(self, node: c_ast.FuncDef) -> None:
        if node.param_decls:
            self._emit(self.visit(node).rstrip("\n"), node.coord)
            return
        self._emit(self.visit(node.decl), node.decl.coord)
        self._emit("{", node.decl.coord)
        self._block(node.body.block_items or [])
        self._emit("}", node.decl.coord)

    def _block(self, statements: list[c_ast.Node]) -> None:
        margin, self._margin = self._margin, self._margin + _INDENT
        for group in self._coalesce_defined_types(statements):
            if isinstance(group, list):
                self._emit(self._visit_decl_group(group) + ";", group[0].coord)
            else:
                self.statement(group)
        self._margin = margin

    def _body(self, node: c_ast.Node) -> None:
        self._block((node.block_items or []) if isinstance(node, c_ast.Compound) else [node])

    def statement(self, node: c_ast.Node) -> None:
        """Print one statement, with everything in it, at the current margin."""
        origin = node.coord
        match node:
            case c_ast.Assignment():
                self._emit(f"{self.text(node.lvalue)} {node.op} {self.text(node.rvalue)};", origin)
            case c_ast.If(iftrue=c_ast.Goto(), iffalse=None):
                self._emit(f"if ({self.text(node.cond)}) goto {node.iftrue.name};", origin)
            case c_ast.If():
                self._emit(f"if ({self.text(node.cond)}) {{", origin)
                self._body(node.iftrue)
                if node.iffalse is not None:
                    self._emit("} else {", origin)
                    self._body(node.iffalse)
                self._emit("}", origin)
            case c_ast.While():
                self._emit(f"while ({self.text(node.cond)}) {{", origin)
                self._body(node.stmt)
                self._emit("}", origin)
            case c_ast.DoWhile():
                self._emit("do {", origin)
                self._body(node.stmt)
                self._emit(f"}} while ({self.text(node.cond)});", origin)
            case c_ast.For():
                parts = [self.text(part) if part else "" for part in (node.init, node.cond, node.next)]
                self._emit("for ({}; {}; {}) {{".format(*parts), origin)
                self._body(node.stmt)
                self._emit("}", origin)
            case c_ast.Switch():
                self._emit(f"switch ({self.text(node.cond)}) {{", origin)
                self._body(node.stmt)
                self._emit("}", origin)
            case c_ast.Case() | c_ast.Default():
                self._emit("default:" if isinstance(node, c_ast.Default) else f"case {self.text(node.expr)}:", origin)
                self._block(node.stmts or [])
            case c_ast.Compound():
                self._emit("{", origin)
                self._block(node.block_items or [])
                self._emit("}", origin)
            case c_ast.Label():
                if isinstance(node.stmt, c_ast.EmptyStatement):
                    self._emit(f"{node.name}: ;", origin)
                else:
                    self._emit(f"{node.name}:", origin)
                    self.statement(node.stmt)
            case c_ast.EmptyStatement():
                self._emit(";", origin)
            case c_ast.Pragma() | c_ast.Return() | c_ast.Goto() | c_ast.Break() | c_ast.Continue():
                self._emit(self.visit(node), origin)
            case c_ast.FuncCall():
                self._emit(self.text(node) + ";", origin)
            case _:
                self._emit(self.visit(node) + ";", origin)


def print_unit(tree: c_ast.FileAST) -> tuple[str, LineMap]:
    """Return the C text of *tree*, one statement per line, and the origin of each line."""
    return Printer().unit(tree)
