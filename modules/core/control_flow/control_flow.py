"""Reduce the control statements of C to `if`, `while` and forward jumps."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.nodes import CaseRange
from cseq.c.symbols import Symbols
from cseq.model.errors import InputError
from cseq.model.origin import Origin
from cseq.modules.core.control_flow.gotos import GotoElimination, statement_expressions
from cseq.modules.library import lexicon
from cseq.pipeline.translator import Names, Translator, rebuilt


@dataclass
class _Switch:
    """A switch that is being rewritten: the variable with its value, the type of that, and the jumps to its labels."""

    value: str
    type: c_ast.Node
    origin: Origin | None
    jumps: list[c_ast.Node] = field(default_factory=list)
    default: str | None = None


class ControlFlow(Translator):
    """in: C in one scope. out: the same without `for`, `do`, `switch`, `break` and `continue`.

    What remains is `if`, `while`, and `goto` to labels further down that are in no loop except those around the jump.
    This also holds inside statement expressions; the conditions of loops contain none.
    """

    def __init__(self, context: Any) -> None:
        super().__init__(context)
        self._names = Names()
        self._switches: list[_Switch] = []
        self._break: list[str] = []
        self._continue: list[str] = []
        self._jumped_to: set[str] = set()
        self._declarations: list[c_ast.Node] = []

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Rewrite the functions; the rest of the tree stays as it is."""
        self.symbols = Symbols(tree, self.context.model)
        return c_ast.FileAST([self.visit(n) if isinstance(n, c_ast.FuncDef) else n for n in tree.ext])

    def visit_FuncDef(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        if lexicon.is_ours(node.coord):
            return node
        self._declarations = []
        statements = self.visit_all(node.body.block_items or [])
        statements = GotoElimination(self._names).eliminated(self._declarations + statements)
        return rebuilt(node, body=c_ast.Compound(statements, node.body.coord))

    @contextmanager
    def _targets(self, breaking: str | None, continuing: str | None) -> Iterator[None]:
        """Let `break` and `continue` inside the block jump to these labels; None leaves them as they are."""
        if breaking:
            self._break.append(breaking)
        if continuing:
            self._continue.append(continuing)
        yield
        if breaking:
            self._break.pop()
        if continuing:
            self._continue.pop()

    def _body(self, node: c_ast.Node) -> list[Any]:
        result = self.visit(node)
        if isinstance(result, c_ast.Compound):
            return result.block_items or []
        return result if isinstance(result, list) else [result]

    def _label(self, name: str, node: c_ast.Node) -> list[c_ast.Node]:
        """The label, if anything jumps to it."""
        return [build.label(name, node.coord)] if name in self._jumped_to else []

    def _jump(self, targets: list[str], node: c_ast.Node, word: str) -> c_ast.Goto:
        if not targets:
            raise InputError(f"`{word}` outside of a loop or switch", node.coord)
        self._jumped_to.add(targets[-1])
        return build.goto(targets[-1], node.coord)

    def visit_Break(self, node: c_ast.Break) -> c_ast.Goto:
        return self._jump(self._break, node, "break")

    def visit_Continue(self, node: c_ast.Continue) -> c_ast.Goto:
        return self._jump(self._continue, node, "continue")

    def visit_While(self, node: c_ast.While) -> list[c_ast.Node]:
        return self._loop(node, node.cond, node.stmt, [])

    def visit_For(self, node: c_ast.For) -> list[c_ast.Node]:
        step = [] if node.next is None else [rebuilt(node.next, coord=_of_next(node))]
        return self._loop(node, node.cond or build.number(1), node.stmt, step)

    def _loop(self, node: c_ast.Node, cond: c_ast.Node, stmt: c_ast.Node, step: list[c_ast.Node]) -> list[c_ast.Node]:
        leave, again = self._names.temporary("break"), self._names.temporary("continue")
        with self._targets(leave, again):
            body = self._body(stmt)
        # A break or continue in the condition or the step belongs to an outer loop.
        body = [*body, *self._label(again, node), *self.visit_all(step)]
        cond = self.visit(cond)
        if next(statement_expressions(cond), None) is not None:
            self._jumped_to.add(leave)
            body = [build.jump_if(build.negation(cond), leave, node.coord), *body]
            cond = build.number(1)
        return [c_ast.While(cond, build.block(body, node.coord), node.coord), *self._label(leave, node)]

    def visit_DoWhile(self, node: c_ast.DoWhile) -> list[c_ast.Node]:
        leave, again = self._names.temporary("break"), self._names.temporary("continue")
        with self._targets(leave, again):
            body = self._body(node.stmt)
        cond = self.visit(node.cond)
        if self.symbols.constant_or_none(cond) == 0:
            return [*body, *self._label(again, node), *self._label(leave, node)]
        self._jumped_to.add(leave)
        origin = node.cond.coord or node.coord
        body = [*body, *self._label(again, node), build.jump_if(build.negation(cond), leave, origin)]
        return [c_ast.While(build.number(1), build.block(body, node.coord), node.coord), *self._label(leave, node)]

    def visit_Switch(self, node: c_ast.Switch) -> list[c_ast.Node]:
        value = self._names.temporary("switch")
        cond = self.visit(node.cond)
        type_ = self.symbols.type_of(c_ast.UnaryOp("+", cond))  # promoted, as the standard requires
        decl = build.declare(value, type_)
        self._declarations.append(decl)
        self.symbols.declare(decl)
        leave = self._names.temporary("break")
        self._switches.append(_Switch(value, type_, node.coord))
        with self._targets(leave, None):
            body = self._body(node.stmt)
        switch = self._switches.pop()
        if switch.default is None:
            self._jumped_to.add(leave)
        dispatch = [build.assign(build.ident(value), cond, node.coord), *switch.jumps]
        return [*dispatch, build.goto(switch.default or leave, node.coord), *body, *self._label(leave, node)]

    def visit_Case(self, node: c_ast.Case) -> list[c_ast.Node]:
        """Write a case as a label, even inside other statements of the switch."""
        switch, target = self._case(node)
        value = build.ident(switch.value)
        if isinstance(node.expr, CaseRange):
            first, last = (self._converted(end, switch.type) for end in (node.expr.first, node.expr.last))
            above, below = c_ast.BinaryOp(">=", value, first), c_ast.BinaryOp("<=", value, last)
            test = c_ast.BinaryOp("&&", above, below)
        else:
            test = c_ast.BinaryOp("==", value, self._converted(node.expr, switch.type))
        switch.jumps.append(build.jump_if(test, target, switch.origin))
        return [build.label(target, node.coord), *self.visit_all(node.stmts or [])]

    def visit_Default(self, node: c_ast.Default) -> list[c_ast.Node]:
        switch, target = self._case(node)
        switch.default = target
        return [build.label(target, node.coord), *self.visit_all(node.stmts or [])]

    def _case(self, node: c_ast.Node) -> tuple[_Switch, str]:
        if not self._switches:
            raise InputError("a case label outside of a switch", node.coord)
        return self._switches[-1], self._names.temporary("case")

    def _converted(self, node: c_ast.Node, type_: c_ast.Node) -> c_ast.Node:
        """The constant of a case label in the type of the switch (C11 §6.8.4.2)."""
        cast = c_ast.Cast(build.typename(type_), node)
        value = self.symbols.constant_or_none(cast)
        if value is None:
            return cast
        return node if value == self.symbols.constant_or_none(node) else build.number(value)

    def visit_If(self, node: c_ast.If) -> c_ast.If:
        result: c_ast.If = self.generic_visit(node)
        then = result.iftrue
        only = (then.block_items or [None])[0] if isinstance(then, c_ast.Compound) else None
        if result.iffalse is None and isinstance(only, c_ast.Goto) and len(then.block_items) == 1:
            return rebuilt(result, iftrue=only)
        return result

    def visit_Label(self, node: c_ast.Label) -> list[c_ast.Node]:
        rest = self._body(node.stmt)
        if len(rest) == 1 and isinstance(rest[0], c_ast.EmptyStatement):
            rest = []
        return [build.label(node.name, node.coord), *rest]


def _of_next(node: c_ast.For) -> Origin | None:
    """The origin of the step of a `for`: the line is that of the `for`, the statement number its own."""
    origin: Origin | None = node.coord
    if origin is None or not origin.statement or node.next.coord is None:
        return origin
    return origin._replace(statement=node.next.coord.statement)
