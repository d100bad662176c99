"""Reduce the control statements of C to `if`, `while` and forward jumps."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pycparser import c_ast

from cseq.cparser import build
from cseq.errors import InputError
from cseq.modules import library
from cseq.symbols import Symbols
from cseq.translator import Names, Translator, rebuilt


class Restructurer(Translator):
    """in: C in one scope. out: the same without `for`, `do`, `switch`, `break` and `continue`.

    What remains is `if`, `while`, and `goto` to labels further down in the same or an enclosing block.
    A jump backwards, or into a loop, is refused.
    """

    def __init__(self, context: Any) -> None:
        super().__init__(context)
        self._names = Names()
        self._break: list[str] = []
        self._continue: list[str] = []
        self._jumped_to: set[str] = set()
        self._declarations: list[c_ast.Node] = []

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Rewrite the functions; the rest of the tree stays as it is."""
        self.symbols = Symbols(tree, self.context.model)
        return c_ast.FileAST([self.visit(n) if isinstance(n, c_ast.FuncDef) else n for n in tree.ext])

    def visit_FuncDef(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        if library.is_ours(node.coord):
            return node
        self._declarations = []
        statements = self.visit_all(node.body.block_items or [])
        _JumpCheck().check(statements)
        return rebuilt(node, body=c_ast.Compound(self._declarations + statements, node.body.coord))

    @contextmanager
    def _targets(self, breaking: str | None, continuing: str | None) -> Iterator[None]:
        """Let `break` and `continue` inside of the block lead to these labels; None leaves them as they are."""
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
        step = [] if node.next is None else [rebuilt(node.next, coord=node.coord)]
        return self._loop(node, node.cond or build.number(1), node.stmt, step)

    def _loop(self, node: c_ast.Node, cond: c_ast.Node, stmt: c_ast.Node, step: list[c_ast.Node]) -> list[c_ast.Node]:
        leave, again = self._names.temporary("break"), self._names.temporary("continue")
        with self._targets(leave, again):
            body = self._body(stmt)
        body = [*body, *self._label(again, node), *step]
        return [c_ast.While(cond, build.block(body, node.coord), node.coord), *self._label(leave, node)]

    def visit_DoWhile(self, node: c_ast.DoWhile) -> list[c_ast.Node]:
        leave, again = self._names.temporary("break"), self._names.temporary("continue")
        with self._targets(leave, again):
            body = self._body(node.stmt)
        if self.symbols.constant_or_none(node.cond) == 0:
            return [*body, *self._label(again, node), *self._label(leave, node)]
        self._jumped_to.add(leave)
        origin = node.cond.coord or node.coord
        body = [*body, *self._label(again, node), build.jump_if(build.negation(node.cond), leave, origin)]
        return [c_ast.While(build.number(1), build.block(body, node.coord), node.coord), *self._label(leave, node)]

    def visit_Switch(self, node: c_ast.Switch) -> list[c_ast.Node]:
        value = self._names.temporary("switch")
        type_ = self.symbols.type_of(c_ast.UnaryOp("+", node.cond))  # promoted, as the standard says
        decl = build.declare(value, type_)
        self._declarations.append(decl)
        self.symbols.declare(decl)
        leave = self._names.temporary("break")
        items = (node.stmt.block_items or []) if isinstance(node.stmt, c_ast.Compound) else [node.stmt]
        dispatch: list[c_ast.Node] = [build.assign(build.ident(value), node.cond, node.coord)]
        body: list[c_ast.Node] = []
        default = leave
        with self._targets(leave, None):
            for item in items:
                if isinstance(item, (c_ast.Case, c_ast.Default)):
                    target = self._names.temporary("case")
                    if isinstance(item, c_ast.Case):
                        equal = c_ast.BinaryOp("==", build.ident(value), item.expr)
                        dispatch.append(build.jump_if(equal, target, node.coord))
                    else:
                        default = target
                    body.append(build.label(target, item.coord))
                    body.extend(self.visit_all(item.stmts or []))
                else:
                    body.extend(self.visit_all([item]))
        if default == leave:
            self._jumped_to.add(leave)
        return [*dispatch, build.goto(default, node.coord), *body, *self._label(leave, node)]

    def visit_Case(self, node: c_ast.Case) -> c_ast.Node:
        raise self.unsupported("a case label inside of another statement of the switch", node)

    visit_Default = visit_Case

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


class _JumpCheck:
    """Refuse jumps that a bounded program cannot have: backwards, or into a loop."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._loops_of_labels: dict[str, tuple[int, ...]] = {}
        self._jumps: list[tuple[c_ast.Goto, tuple[int, ...]]] = []
        self._loop_count = 0

    def check(self, statements: list[c_ast.Node]) -> None:
        """Raise UnsupportedError or InputError for the first such jump."""
        self._walk(statements, ())
        for jump, loops in self._jumps:
            if jump.name not in self._loops_of_labels:
                raise InputError(f"there is no label `{jump.name}`", jump.coord)
            inner = self._loops_of_labels[jump.name]
            if loops[: len(inner)] != inner:
                raise Translator.unsupported(None, "a jump into a loop", jump)  # type: ignore[arg-type]

    def _walk(self, statements: list[c_ast.Node], loops: tuple[int, ...]) -> None:
        for node in statements:
            match node:
                case c_ast.Label():
                    self._seen.add(node.name)
                    self._loops_of_labels[node.name] = loops
                    self._walk([node.stmt], loops)
                case c_ast.Goto():
                    if node.name in self._seen:
                        raise Translator.unsupported(None, "a jump backwards (goto)", node)  # type: ignore[arg-type]
                    self._jumps.append((node, loops))
                case c_ast.If():
                    self._walk([node.iftrue], loops)
                    if node.iffalse is not None:
                        self._walk([node.iffalse], loops)
                case c_ast.While():
                    self._loop_count += 1
                    self._walk([node.stmt], (*loops, self._loop_count))
                case c_ast.Compound():
                    self._walk(node.block_items or [], loops)
