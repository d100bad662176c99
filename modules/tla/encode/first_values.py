"""The objects of a program with their first values, as TLA+."""

from collections.abc import Mapping
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import DataModel, Symbols, basic
from cseq.model.errors import UnsupportedError
from cseq.modules.analysis.initializers import Filler, length_of
from cseq.modules.library import lexicon
from cseq.modules.tla.encode.cell_kinds import POINTER, Cells, function_of
from cseq.modules.tla.encode.rvalues import Expressions
from cseq.modules.tla.encode.terms import Scope
from cseq.modules.tla.encode.tla_names import Identifiers
from cseq.modules.tla.spec import Global, Local
from cseq.pipeline.translator import user_name

_ACTIVE = "__cs_active"


def symbols_of(tree: c_ast.FileAST, model: DataModel, enumerators: Mapping[str, int]) -> Symbols:
    """The symbols of a program with the thread library, which leaves *enumerators* to the engines."""
    symbols = Symbols(tree, model)
    symbols.enumerators.update(enumerators)
    symbols.declare(build.declare(lexicon.THREAD, basic("unsigned int")))
    for node in tree.ext:
        if isinstance(node, c_ast.Decl) and node.name:
            _give_length(symbols, node)
    return symbols


def _give_length(symbols: Symbols, decl: c_ast.Decl) -> None:
    """Give an array that is declared without a length that of its initialiser, or 1 (C11 §6.9.2)."""
    type_: Any = symbols.resolve(symbols.types[decl.name])
    if not isinstance(type_, c_ast.ArrayDecl) or type_.dim is not None:
        return
    last = symbols.qualified[decl.name]
    if decl.init is not None or (decl is last and "extern" not in decl.storage):
        length = 1 if decl.init is None else length_of(symbols, type_, decl.init)
        symbols.types[decl.name] = c_ast.ArrayDecl(type_.type, build.number(length), [])


class FirstValues:
    """The objects that a program declares, and what is in them before it begins."""

    def __init__(self, symbols: Symbols, identifiers: Identifiers, cells: Cells, expressions: Expressions) -> None:
        self._symbols = symbols
        self._identifiers = identifiers
        self._cells = cells
        self._expressions = expressions

    def globals(self, tree: c_ast.FileAST) -> list[Global]:
        """The objects that are not a thread's own, also those of the string literals that have occurred so far.

        Raises UnsupportedError for an object that is not defined.
        """
        found = []
        for name, decl in self._definitions(tree).items():
            if "extern" in decl.storage:
                raise UnsupportedError(f"the object `{name}`, which is not defined,", decl.coord)
            type_ = self._symbols.types[name]
            kinds = self._cells.kinds(type_, decl.coord)
            values = self._given(decl, type_, kinds)
            scalar = self._cells.is_scalar(type_)
            found.append(
                Global(
                    self._identifiers.tla(name), self._text(values, scalar), kinds, scalar, user_name(name) or "",
                    decl.coord,
                )
            )  # fmt: skip
        return [*found, *self._expressions.strings.values()]

    def locals(self, function: c_ast.FuncDef) -> list[Local]:
        """The objects in the frames of a function: its parameters, its locals, and its thread-local objects."""
        found = []
        params = function.decl.type.args.params if function.decl.type.args else []
        for decl in (*params, *(function.body.block_items or [])):
            if not isinstance(decl, c_ast.Decl) or not decl.name:
                continue
            kinds = self._cells.kinds(decl.type, decl.coord)
            scalar = self._cells.is_scalar(decl.type)
            if "static" in (decl.storage or []):
                values = self._given(decl, decl.type, kinds)
            elif decl.init is not None:
                raise UnsupportedError(f"the initialiser of `{decl.name}`", decl.coord)
            else:
                values = ["Undef"] * len(kinds)
            name = self._identifiers.tla(decl.name)
            found.append(Local(name, self._text(values, scalar), kinds, scalar, user_name(decl.name) or ""))
        return found

    def _definitions(self, tree: c_ast.FileAST) -> dict[str, c_ast.Decl]:
        """The declaration of each object that counts most: the one with an initialiser, or else not an extern one."""
        found: dict[str, c_ast.Decl] = {}
        for decl in tree.ext:
            if isinstance(decl, c_ast.Decl) and decl.name and not self._is_function(decl):
                known = found.get(decl.name)
                if known is None or (known.init is None and (decl.init is not None or "extern" in known.storage)):
                    found[decl.name] = decl
        return found

    def _is_function(self, decl: c_ast.Decl) -> bool:
        return isinstance(self._symbols.resolve(decl.type), c_ast.FuncDecl)

    def _given(self, decl: c_ast.Decl, type_: c_ast.Node, kinds: tuple[str, ...]) -> list[str]:
        """The first value of each cell of an object with static storage duration."""
        values = [_zero(kind) for kind in kinds]
        if decl.name == _ACTIVE:
            values[0] = "1"  # main
        if decl.init is None:
            return values
        filler = Filler(self._symbols)
        filler.fill(c_ast.ID(decl.name), type_, decl.init)
        scope = Scope()
        for target, init in filler.values.values():
            place = self._expressions.place(target, scope)
            value = self._expressions.converted(init, place.type, scope)
            if value.guards or not self._cells.is_scalar(place.type):
                raise UnsupportedError(f"the initialiser of `{decl.name}`", decl.coord)
            text = self._expressions.kept(place, value).text
            values[self._position(target)] = text
        return values

    def _position(self, target: Any) -> int:
        """The number of the cell that a part of an object is, from the whole object."""
        match target:
            case c_ast.ArrayRef():
                array: Any = self._symbols.resolve(self._symbols.type_of(target.name))
                step = self._symbols.constant(target.subscript) * self._cells.count(array.type)
                return self._position(target.name) + step
            case c_ast.StructRef():
                return self._position(target.name) + self._cells.member(
                    self._symbols.type_of(target.name), target.field.name, target.coord
                )
        return 0

    def _text(self, values: list[str], is_scalar: bool) -> str:
        if is_scalar:
            return values[0]
        return function_of(values)


def _zero(kind: str) -> str:
    return "Null" if kind == POINTER else "0"
