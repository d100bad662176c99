"""The initial values of the objects of a program."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from cseq.c.symbols import Symbols
from cseq.modules.analysis.threadlocals import is_thread_local
from cseq.modules.deductive.encode.algebra import convert
from cseq.modules.deductive.encode.cells import Cells, Path
from cseq.modules.deductive.encode.inexpressible import refused
from cseq.modules.deductive.encode.values import Values
from cseq.modules.deductive.transitions import Array, Number


def initial_values(
    tree: c_ast.FileAST, symbols: Symbols, cells: Cells, values: Values
) -> dict[str, int | tuple[int, ...]]:
    """The initial values of the shared variables that *cells* has, by name, as in `System`."""
    found: dict[str, int | tuple[int, ...]] = {ghost.name: 0 for ghost in cells.ghosts}
    declared = {name: decl for name, decl in symbols.qualified.items() if name not in symbols.locals}
    for variable, (root, path) in list(cells.origins.items()):
        decl = declared.get(root)
        if not variable.is_shared or decl is None or is_thread_local(decl):
            continue
        if "extern" in decl.storage:
            raise refused(f"the object `{root}`, which is not defined,", decl.coord)
        given = _given(decl, path, symbols, cells, values)
        if isinstance(variable.type, Array):
            elements = tuple(given.get(index, 0) for index in range(variable.type.length))
            found[variable.name] = 0 if not any(elements) else elements
        else:
            found[variable.name] = given.get(0, 0)
    return found


def _given(decl: c_ast.Decl, path: Path, symbols: Symbols, cells: Cells, values: Values) -> dict[int, int]:
    """The values that the initialiser of *decl* gives the part *path*, by index; the others are 0."""
    found: dict[int, int] = {}

    def at(init: Any, type_: c_ast.Node, rest: Path, index: int) -> None:
        resolved = symbols.resolve(type_)
        if isinstance(resolved, c_ast.ArrayDecl):
            length = symbols.length(resolved)
            if isinstance(init, c_ast.Constant) and init.type == "string":
                raise refused("an array that is initialised with a string", decl.coord)
            if not isinstance(init, c_ast.InitList):
                raise refused("an initialiser without braces", decl.coord)
            number = 0
            for part in init.exprs or []:
                inner = part
                if isinstance(part, c_ast.NamedInitializer):
                    number, inner = symbols.constant(part.name[0]), part.expr
                at(inner, resolved.type, rest, index * length + number)
                number += 1
            return
        record = symbols.record(type_)
        if record is not None:
            members = symbols.parts(record)
            number = 0
            if not isinstance(init, c_ast.InitList):
                raise refused("an initialiser without braces", decl.coord)
            for part in init.exprs or []:
                inner = part
                if isinstance(part, c_ast.NamedInitializer):
                    names = [member[0] for member in members]
                    number, inner = names.index(part.name[0].name), part.expr
                if members[number][0] == rest[0]:
                    at(inner, members[number][1], rest[1:], index)
                number += 1
            return
        if isinstance(init, c_ast.InitList):
            init = init.exprs[0]
        scalar = cells.scalar(type_)
        value = convert(values.value(init), scalar)
        if values.before or not isinstance(value, Number):
            values.before.clear()
            raise refused(f"the initialiser of `{decl.name}`", decl.coord)
        found[index] = value.value

    if decl.init is not None:
        at(decl.init, decl.type, path, 0)
    return found
