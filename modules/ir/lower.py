"""Lowering: from the core language, as a tree, to the intermediate representation.

The tree is not changed, and the program is kept with it, so that all who ask about one tree share one program. Before
the inliner, the user's functions are templates, and calls name them; behind it, only threads are left.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any
from weakref import WeakKeyDictionary

from pycparser import c_ast

from cseq.c.symbols import Symbols
from cseq.modules.ir.expressions import Expr, Place
from cseq.modules.ir.lower_function import FunctionLowering
from cseq.modules.ir.lower_objects import Objects, Visible
from cseq.modules.ir.lower_values import ValueLowering
from cseq.modules.ir.objects import Object
from cseq.modules.ir.program import Kind, Program, Template
from cseq.modules.ir.types import Code
from cseq.modules.library import lexicon, primitives, stubs

VERIFIES = "CSEQ_VERIFY_IR"
"""The environment variable that makes lowering verify each program."""

_programs: WeakKeyDictionary[c_ast.FileAST, Program] = WeakKeyDictionary()


def lower(tree: c_ast.FileAST, symbols: Symbols, visibility: Visible) -> Program:
    """The program that *tree* is; the same object for the same tree.

    Raises UnsupportedError, with its place, for what the core language does not have.
    """
    known = _programs.get(tree)
    if known is None:
        known = _programs[tree] = _Lowering(tree.ext, symbols, visibility).program
        if os.environ.get(VERIFIES):
            from cseq.modules.ir.verify import verify

            verify(known)
    return known


class _Steps(Mapping[str, Template]):
    """The library functions of a program, each lowered when it is first asked for."""

    def __init__(self, lowering: _Lowering, functions: dict[str, c_ast.FuncDef]) -> None:
        self._lowering = lowering
        self._functions = functions
        self._made: dict[str, Template] = {}

    def __getitem__(self, name: str) -> Template:
        if name not in self._made:
            self._made[name] = self._lowering.step(self._functions[name])
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)

    def __len__(self) -> int:
        return len(self._functions)


class _Lowering:
    """Lowers one tree."""

    def __init__(self, nodes: list[c_ast.Node], symbols: Symbols, visibility: Visible) -> None:
        self._objects = Objects(symbols, visibility)
        self.program = self._objects.program
        self.program.initial = self._initial
        self._definitions(nodes)
        for template in tuple(self.program.templates):
            FunctionLowering(self._objects, template).lower()

    def _definitions(self, nodes: list[c_ast.Node]) -> None:
        """Enter the templates, in the order of the text."""
        program = self.program
        steps: dict[str, c_ast.FuncDef] = {}
        started = {"main"}
        for node in nodes:
            if not isinstance(node, c_ast.FuncDef) or is_address(node):
                program.ordered.append(node)
                if isinstance(node, c_ast.Decl) and node.name and not isinstance(node.type, c_ast.FuncDecl):
                    self._objects.object(node.name)
            elif _is_step(node):
                steps[node.decl.name] = node
                program.ordered.append(node)
            else:
                started.update(_started(node.body))
                program.ordered.append(self._template(node))
        program.steps = _Steps(self, steps)
        for template in program.templates:
            program.by_name[template.name] = template
            template.kind = Kind.THREAD if template.name in started else Kind.FRAMED

    def _template(self, node: c_ast.FuncDef) -> Template:
        """A template, which is still empty."""
        object_ = self._objects.object(node.decl.name)
        assert isinstance(object_.type, Code)
        made = Template(len(self.program.templates), node.decl.name, Kind.STEP, object_, object_.type.result)
        made.source = node
        self.program.templates.append(made)
        return made

    def step(self, node: c_ast.FuncDef) -> Template:
        """The template of a library function."""
        return FunctionLowering(self._objects, self._template(node)).lower()

    def _initial(self, object_: Object) -> list[tuple[Place, Expr]]:
        """What a static object contains first, but for zeros: places in it, and constant values."""
        from cseq.modules.ir.initial_values import initial

        values = ValueLowering(self._objects, is_step=True)
        return initial(object_, values)


def _is_step(node: c_ast.FuncDef) -> bool:
    """Whether a function is one step: one of the library, or a copy of one under a name that the library has not."""
    name = node.decl.name
    if not lexicon.is_ours(node.coord):
        return False
    is_copy = node.coord is not None and node.coord.file.startswith(lexicon.FILE_PREFIX) and name not in stubs.items()
    return is_copy or lexicon.is_step(name)


def is_address(node: c_ast.FuncDef) -> bool:
    """Whether only the address of a function is left: what is called still has its body."""
    return not node.body.block_items and node.body.coord is None and node.coord is None


def _started(node: c_ast.Node) -> Iterator[str]:
    """The start functions that the statements in *node* name."""
    todo: list[Any] = [node]
    while todo:
        item = todo.pop()
        match item:
            case c_ast.Compound():
                todo.extend(item.block_items or ())
            case c_ast.If():
                todo.extend(filter(None, (item.iftrue, item.iffalse)))
            case c_ast.While():
                todo.append(item.stmt)
            case c_ast.Assignment():
                todo.append(item.rvalue)
            case c_ast.FuncCall() if item.name.name == lexicon.CREATE:
                start = item.args.exprs[primitives.STARTS[lexicon.CREATE]]
                if isinstance(start, c_ast.ID):
                    yield start.name
