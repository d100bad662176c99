"""The objects and constants of a program that is being lowered."""

from typing import Any, Protocol

from pycparser import c_ast

from cseq.c.literals import character_value, integer_value
from cseq.c.symbols import Symbols
from cseq.model.errors import UnsupportedError
from cseq.model.origin import Origin
from cseq.modules.ir.expressions import Expr, ExprPool
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.ir.program import Program
from cseq.modules.ir.types import Code, Int, Type, TypePool
from cseq.modules.library import lexicon


class Visible(Protocol):
    """What lowering asks about visibility; see `modules/analysis/visibility.py`."""

    def is_visible(self, lvalue: c_ast.Node) -> bool:
        """Whether another thread can notice an access to *lvalue*."""


class Objects:
    """Makes the objects of *program*, which is empty at first, and its constants."""

    def __init__(self, symbols: Symbols, visibility: Visible) -> None:
        self.symbols = symbols
        self.visibility = visibility
        self.types = TypePool(symbols)
        self.pool = ExprPool(self.types)
        self.program = Program(symbols.model, self.types, self.pool)
        self._globals: dict[str, Object] = {}
        self._strings: dict[str, Object] = {}
        self._constants: dict[tuple[str, str], Expr] = {}

    def new_object(self, name: str, type_: Type, storage: Storage, **more: Any) -> Object:
        """An object with the next number."""
        made = Object(len(self.program.objects), name, type_, storage, **more)
        self.program.objects.append(made)
        return made

    def object(self, name: str, origin: Origin | None = None) -> Object:
        """The object or function at file level that is called *name*. Raises UnsupportedError where there is none."""
        known = self._globals.get(name)
        if known is not None:
            return known
        declarator = self.symbols.types.get(name)
        if declarator is None:
            raise UnsupportedError(f"`{name}`, which is not declared,", origin)
        type_ = self.types.of(declarator)
        declaration = self.symbols.qualified.get(name)
        is_code = isinstance(type_, Code)
        is_library = declaration is not None and lexicon.is_ours(declaration.coord)
        storage = Storage.CODE if is_code else Storage.LIBRARY if is_library else Storage.STATIC
        made = self._globals[name] = self.new_object(
            name,
            type_,
            storage,
            is_const=is_code or self.symbols.is_const(declarator),
            is_visible=self.visibility.is_visible(c_ast.ID(name)),
            declaration=declaration,
        )
        return made

    def string(self, literal: c_ast.Constant) -> Object:
        """The object of a string literal; equal texts share one."""
        known = self._strings.get(literal.value)
        if known is None:
            type_ = self.types.of(self.symbols.type_of(literal))
            known = self._strings[literal.value] = self.new_object(
                literal.value, type_, Storage.STRING, is_const=True, is_visible=False, declaration=literal
            )
        return known

    def constant(self, node: c_ast.Constant) -> Expr:
        """A number or a character."""
        key = (node.type, node.value)
        known = self._constants.get(key)
        if known is None:
            type_ = self.types.of(self.symbols.type_of(node))
            value: int | str = node.value
            if isinstance(type_, Int):
                value = character_value(node.value) if node.type == "char" else integer_value(node.value)
            known = self._constants[key] = self.pool.const(value, type_)
        return known

    def number(self, value: int) -> Expr:
        """A number of type int."""
        return self.pool.const(value, self.types.c_int)
