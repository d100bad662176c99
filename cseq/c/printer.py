"""Print a tree as C text, one statement per line, with the origin of each line."""

from typing import Any

from pycparser import c_ast
from pycparser.c_generator import CGenerator

from cseq.c import nodes
from cseq.model.origin import LineMap, Origin

_INDENT = "  "
_BRACKETED = frozenset({c_ast.InitList, c_ast.ExprList, c_ast.Compound})
_SIMPLE = frozenset({
    c_ast.Constant, c_ast.ID, c_ast.ArrayRef, c_ast.StructRef, c_ast.FuncCall, c_ast.GenericSelection,
    nodes.StatementExpression,
})  # fmt: skip
_SUFFIXED = (c_ast.TypeDecl, c_ast.PtrDecl, c_ast.ArrayDecl, c_ast.FuncDecl)


class GnuCGenerator(CGenerator):
    """pycparser's generator, extended to declarations and expressions of GNU C.

    Attributes are written after the declarator, where they apply only to what it declares.
    """

    def __init__(self, reduce_parentheses: bool = False) -> None:
        super().__init__(reduce_parentheses)
        self._methods: dict[type, Any] = {}

    def visit(self, node: c_ast.Node) -> str:
        """The text of *node*, from the method for its class."""
        cls = node.__class__
        text: str = (self._methods.get(cls) or self._method(cls))(node)
        return text

    def _method(self, cls: type) -> Any:
        """The method that prints nodes of the class *cls*, which is looked up once."""
        method = self._methods[cls] = getattr(self, f"visit_{cls.__name__}", self.generic_visit)
        return method

    def _visit_expr(self, n: c_ast.Node, *, allow_comma: bool = False) -> str:
        return super()._visit_expr(n, allow_comma=allow_comma) if n.__class__ in _BRACKETED else self.visit(n)

    def _parenthesize_unless_simple(self, n: c_ast.Node) -> str:
        cls = n.__class__
        if cls in _SIMPLE:
            text: str = (self._methods.get(cls) or self._method(cls))(n)
            return text
        return f"({self._visit_expr(n)})"

    def visit_BinaryOp(self, n: c_ast.BinaryOp) -> str:
        if self.reduce_parentheses:
            return super().visit_BinaryOp(n)
        return f"{self._parenthesize_unless_simple(n.left)} {n.op} {self._parenthesize_unless_simple(n.right)}"

    def visit_AttributeSpecifier(self, n: c_ast.AttributeSpecifier) -> str:
        return "__attribute__((" + ", ".join(self.visit(item) for item in n.attributes) + "))"

    def _with_attributes(self, text: str, n: c_ast.Decl | c_ast.Typedef) -> str:
        return f"{text} {self._generate_attributes(n.attributes)}" if n.attributes else text

    def visit_Decl(self, n: c_ast.Decl, no_type: bool = False) -> str:
        text = self._generate_type(n.type, emit_base_type=False) if no_type else self._generate_decl(n)
        if n.bitsize:
            text += f" : {self._parenthesize_if(n.bitsize, lambda size: isinstance(size, c_ast.Assignment))}"
        if isinstance(n.type, _SUFFIXED):
            text = self._with_attributes(text, n)
        return f"{text} = {self._visit_expr(n.init)}" if n.init else text

    def _generate_decl(self, n: c_ast.Decl) -> str:
        attributes = n.attributes
        if isinstance(n.type, _SUFFIXED):
            attributes = []
        plain = c_ast.Decl(
            n.name, n.quals, n.align, n.storage, n.funcspec, n.type, None, None, n.coord, attributes=attributes
        )
        return super()._generate_decl(plain)

    def visit_Typedef(self, n: c_ast.Typedef) -> str:
        plain = c_ast.Typedef(n.name, n.quals, n.storage, n.type, n.coord)
        return self._with_attributes(super().visit_Typedef(plain), n)

    def _visit_decl_group(self, nodes: list[c_ast.Node]) -> str:
        if not isinstance(nodes[0], c_ast.Typedef):
            return super()._visit_decl_group(nodes)
        others: list[Any] = nodes[1:]
        rest = [self._with_attributes(self._generate_type(n.type, emit_base_type=False), n) for n in others]
        return ", ".join([self.visit(nodes[0]), *rest])

    def _generate_struct_union_enum(self, n: c_ast.Struct | c_ast.Union | c_ast.Enum, name: str) -> str:
        text = super()._generate_struct_union_enum(n, name)
        return text if n.name else text.replace(" \n", "\n", 1)

    def visit_InferredType(self, n: c_ast.InferredType) -> str:
        return "__auto_type"

    def visit_UnaryOp(self, n: c_ast.UnaryOp) -> str:
        if n.op == "__alignof__":
            return f"__alignof__({self._visit_expr(n.expr, allow_comma=True)})"
        if n.op in ("__real__", "__imag__"):
            return f"{n.op} {self._parenthesize_unless_simple(n.expr)}"
        return super().visit_UnaryOp(n)

    def _is_simple_node(self, n: c_ast.Node) -> bool:
        return n.__class__ in _SIMPLE

    def visit_CaseRange(self, n: nodes.CaseRange) -> str:
        return f"{self._parenthesize_unless_simple(n.first)} ... {self._parenthesize_unless_simple(n.last)}"

    def visit_OmittedConditional(self, n: nodes.OmittedConditional) -> str:
        return f"({self._visit_expr(n.cond)}) ?: ({self._visit_expr(n.otherwise)})"

    def visit_LabelAddress(self, n: nodes.LabelAddress) -> str:
        return f"&&{n.name}"

    def visit_NestedFunction(self, n: nodes.NestedFunction) -> str:
        return f"/* the body of `{n.name}` */"

    def visit_ComputedGoto(self, n: nodes.ComputedGoto) -> str:
        return f"goto *{self._parenthesize_unless_simple(n.target)}"

    def visit_AsmOperand(self, n: nodes.AsmOperand) -> str:
        name = f"[{n.name}] " if n.name else ""
        return f'{name}"{n.constraint}" ({self._visit_expr(n.expr, allow_comma=True)})'

    def visit_Asm(self, n: nodes.Asm) -> str:
        sections = [
            ", ".join(self.visit(item) for item in n.outputs),
            ", ".join(self.visit(item) for item in n.inputs),
            ", ".join(f'"{item}"' for item in n.clobbers),
            ", ".join(n.labels),
        ]
        extended = n.operands or n.clobbers
        while sections and not sections[-1]:
            sections.pop()
        text = "".join(f" : {section}" for section in sections) or (" :" if extended else "")
        return " ".join(["__asm__", *n.qualifiers]) + f'("{n.template}"{text})'

    def visit_StatementExpression(self, n: nodes.StatementExpression) -> str:
        return self._enclosed(Printer().block(n.block))

    @staticmethod
    def _enclosed(lines: list[str]) -> str:
        directive = any(line.startswith("#") for line in lines)
        text = "".join(f"\n{line}" for line in lines) + "\n" if directive else " ".join(["", *lines, ""])
        return f"({{{text}}})"


class Printer(GnuCGenerator):
    """An unparser for whole units.

    pycparser's generator prints expressions; their text is kept per node, since unrolled and inlined
    copies of a statement share their expressions. Statements are printed here, one per line.
    """

    def __init__(self) -> None:
        super().__init__(reduce_parentheses=False)
        self._lines: list[str] = []
        self._origins: list[Origin | None] = []
        self._texts: dict[int, str] = {}
        self._margin = ""

    def unit(self, tree: c_ast.FileAST) -> tuple[str, LineMap]:
        """Return the text of *tree* and its line map."""
        self._file(tree)
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

    def block(self, node: c_ast.Compound) -> list[str]:
        """The statements of *node*, one per line, without a margin."""
        self._block(node.block_items or [])
        return [line.strip() for line in self._lines]

    def _file(self, tree: c_ast.FileAST) -> None:
        for group in self._coalesce_defined_types(tree.ext):
            if isinstance(group, list):
                self._emit(self._visit_decl_group(group) + ";", group[0].coord)
            elif isinstance(group, c_ast.FuncDef):
                self._function(group)
            else:
                self.statement(group)

    def _function(self, node: c_ast.FuncDef) -> None:
        attributes = [f"{self._generate_attributes(node.decl.attributes)} "] if node.decl.attributes else []
        self._emit("".join([*attributes, self._generate_decl(node.decl)]), node.decl.coord)
        for parameter in node.param_decls or []:
            self._emit(self.visit(parameter) + ";", parameter.coord)
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

    def _hop(self, node: c_ast.If) -> None:
        self._emit(f"if ({self.text(node.cond)}) goto {node.iftrue.name};", node.coord)

    def statement(self, node: c_ast.Node) -> None:
        """Print one statement, with everything inside it, at the current margin."""
        origin = node.coord
        match node:
            case c_ast.Assignment():
                self._emit(f"{self.text(node.lvalue)} {node.op} {self.text(node.rvalue)};", origin)
            case c_ast.If(iftrue=c_ast.Goto(), iffalse=None):
                self._hop(node)
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
