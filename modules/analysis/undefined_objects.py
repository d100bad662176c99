"""Objects that the program declares and does not define."""

from __future__ import annotations

from collections.abc import Iterable

from pycparser import c_ast

from cseq.c.symbols import Symbols
from cseq.model.errors import UnsupportedError


def refuse_undefined_objects(symbols: Symbols, nodes: Iterable[c_ast.Node]) -> None:
    """Raise UnsupportedError if one of *nodes*, what the program needs at file level, declares such an object."""
    for node in nodes:
        if not isinstance(node, c_ast.Decl) or not node.name or "extern" not in (node.storage or []):
            continue
        if isinstance(symbols.resolve(node.type), c_ast.FuncDecl):
            continue
        if "extern" in symbols.qualified[node.name].storage:
            raise UnsupportedError(f"the object `{node.name}`, which is not defined, is not supported", node.coord)
