"""The base of stages that unparse: each ``visit_X`` method returns the C text of its node, over pycparser's generator.

The text carries the line map: each line of a statement's text begins with a mark that names the statement's origin.
Methods combine texts as they like. When a text becomes lines of the program, the marks become the line map. A mark has
a NUL at both ends, which no C text has.
"""

import re
from collections.abc import Callable
from typing import Any, ClassVar

from pycparser import c_ast

from cseq.c import Printer, nodes
from cseq.model.origin import Origin
from cseq.pipeline.stage import Stage, Unit

_MARK = re.compile(r"\0(\d+)\0")
_MARKED = re.compile(r"\s*\0(\d+)\0")

_COMPLETE = frozenset({
    "Compound", "If", "While", "DoWhile", "For", "Switch", "Case", "Default", "Label", "Return", "Goto", "Break",
    "Continue", "EmptyStatement", "Pragma", "FuncDef",
})  # fmt: skip
"""The nodes whose text needs no semicolon after it."""


class Unparser(Printer, Stage):
    """A stage from C to C that makes text. The first line of a subclass's docstring states its input and its output.

    A subclass has a ``visit_X`` method for each class of nodes that it prints in its own way. It returns the text of
    the node: of a statement, with its semicolon or braces, on any number of lines; of an expression or a declaration,
    without the semicolon, as in pycparser's generator. ``super().visit_X(node)`` is the default text of the node, and
    ``self.visit(child)`` is the text of a child. An empty text (``""``) for a declaration or a statement leaves an
    empty line.

    Each line of the output has the origin of the innermost statement that it was made from, without further effort.
    """

    repeatable: ClassVar[bool] = False
    """Whether the text of an expression depends on the expression alone. If so, it is made once for all copies of a
    statement that share the expression; otherwise each copy is visited."""

    _own: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        methods = (name for name in dir(cls) if name.startswith("visit_"))
        own = (name for name in methods if getattr(cls, name) is not getattr(Unparser, name, None))
        cls._own = frozenset(name.removeprefix("visit_") for name in own)

    def __init__(self, context: Any) -> None:
        Stage.__init__(self, context)
        Printer.__init__(self)
        self._places: list[Origin | None] = []

    def run(self, value: Unit) -> Unit:
        """Translate a unit."""
        return self.unparse(value.tree)

    def unparse(self, tree: c_ast.FileAST) -> Unit:
        """Translate a whole tree; the default prints it. The result has no tree until it is parsed."""
        text, linemap = self.unit(tree)
        return Unit(text=text, linemap=linemap)

    # For visit methods

    def stated(self, node: c_ast.Node) -> str:
        """The text of *node* as a statement, with its semicolon even where it is an expression or a declaration."""
        return self._captured(lambda: self.statement(node))

    def body(self, node: c_ast.Node) -> str:
        """The indented text of the statements in the block *node*, or of *node* where it is a single statement."""
        return self._captured(lambda: self._body(node))

    # The text of nodes that the printer lays out itself

    def _laid_out(self, n: Any) -> str:
        return self._captured(lambda: Printer.statement(self, n))

    visit_Compound = visit_If = visit_While = visit_DoWhile = visit_For = _laid_out
    visit_Switch = visit_Case = visit_Default = visit_Label = _laid_out

    def visit_FuncDef(self, n: c_ast.FuncDef) -> str:
        return self._captured(lambda: Printer._function(self, n))

    def visit_FileAST(self, n: c_ast.FileAST) -> str:
        return self._captured(lambda: Printer._file(self, n))

    def visit_StatementExpression(self, n: nodes.StatementExpression) -> str:
        return self._enclosed([line.strip() for line in _MARK.sub("", self.body(n.block)).split("\n")])

    # From texts to lines

    def text(self, node: c_ast.Node) -> str:
        """The text of one expression."""
        return super().text(node) if self.repeatable else self._visit_expr(node)

    def statement(self, node: c_ast.Node) -> None:
        """Print one statement, with the stage's visit method if it has one."""
        kind = node.__class__.__name__
        if kind not in self._own:
            super().statement(node)
            return
        text = self.visit(node).removesuffix("\n")
        self._emit(f"{text};" if text and kind not in _COMPLETE else text, node.coord)

    def _file(self, tree: c_ast.FileAST) -> None:
        if "FileAST" in self._own:
            self._emit(self.visit(tree).removesuffix("\n"), None)
        else:
            super()._file(tree)

    def _function(self, node: c_ast.FuncDef) -> None:
        if "FuncDef" in self._own:
            self.statement(node)
        else:
            super()._function(node)

    def _hop(self, node: c_ast.If) -> None:
        if "Goto" not in self._own:
            super()._hop(node)
            return
        jump = self.visit(node.iftrue) or ";"
        jump = f"{{\n{jump}\n}}" if "\n" in jump else jump
        self._emit(f"if ({self.text(node.cond)}) {jump}", node.coord)

    def _emit(self, text: str, origin: Origin | None) -> None:
        if "\0" not in text:
            super()._emit(text, origin)
            return
        for line in text.split("\n"):
            mark = _MARKED.match(line)
            super()._emit(_MARK.sub("", line), self._places[int(mark[1])] if mark else origin)

    def _captured(self, emit: Callable[[], None]) -> str:
        """The text that *emit* emits, with a mark on each line and without the surrounding margin."""
        lines, origins, margin = self._lines, self._origins, self._margin
        self._lines, self._origins, self._margin = [], [], ""
        emit()
        made = [f"\0{self._place(origin)}\0{line}" for line, origin in zip(self._lines, self._origins, strict=True)]
        self._lines, self._origins, self._margin = lines, origins, margin
        return "\n".join(made)

    def _place(self, origin: Origin | None) -> int:
        if not self._places or self._places[-1] is not origin:
            self._places.append(origin)
        return len(self._places) - 1
