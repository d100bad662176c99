"""`#pragma pack`, as an attribute of the structs and unions that it is about."""

import re
from collections.abc import Iterable
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.layout import PACK
from cseq.model.errors import UnsupportedError
from cseq.pipeline.translator import Rewriter, rebuilt

_PACK = re.compile(
    r"pack\s*\(\s*(?:(?P<action>push|pop)\s*(?:,\s*(?!\d)\w+\s*)?)?(?:(?(action),)\s*(?P<value>\d+)\s*)?\)$"
)


def with_packing(nodes: Iterable[c_ast.Node]) -> list[c_ast.Node]:
    """*nodes* of one unit, where structs and unions have the attribute `PACK` that the pragmas before their ends mean.

    Raises UnsupportedError, with the place, for a pragma that is not understood.
    """
    nodes = list(nodes)
    if not any(_mentions_pack(node) for node in nodes):
        return nodes
    packing = _Packing()
    found: list[c_ast.Node] = packing.visit_all(nodes)
    return found


def _mentions_pack(node: c_ast.Node) -> bool:
    if isinstance(node, c_ast.Pragma):
        return str(node.string).startswith("pack")
    if not isinstance(node, c_ast.FuncDef):
        return False
    pragmas = (item for item in build.walk(node.body) if isinstance(item, c_ast.Pragma))
    return any(str(item.string).startswith("pack") for item in pragmas)


class _Packing(Rewriter):
    def __init__(self) -> None:
        super().__init__()
        self._most: int | None = None
        self._stack: list[int | None] = []
        self._known: dict[int, tuple[Any, Any]] = {}  # declarators share the struct that is before them

    def visit_Pragma(self, node: c_ast.Pragma) -> list[c_ast.Node] | c_ast.Node:
        text = str(node.string).strip()
        if not text.startswith("pack"):
            return node
        found = _PACK.match(text)
        if found is None:
            raise UnsupportedError(f"`#pragma {text}` is not supported", node.coord)
        value = int(found["value"]) if found["value"] else None
        if value not in (None, 1, 2, 4, 8, 16):
            raise UnsupportedError(f"`#pragma {text}` is not supported", node.coord)
        if found["action"] == "push":
            self._stack.append(self._most)
            self._most = value if value is not None else self._most
        elif found["action"] == "pop":
            self._most = self._stack.pop() if self._stack else self._most
        else:
            self._most = value
        return []

    def _record(self, node: Any) -> Any:
        if node.decls is None:
            return node
        if id(node) not in self._known:
            new = self.generic_visit(node)
            if self._most is not None:
                attribute = c_ast.AttributeSpecifier([c_ast.Attribute(PACK, None, str(self._most))])
                new = rebuilt(new, attributes=[*(new.attributes or []), attribute])
            self._known[id(node)] = (node, new)
        return self._known[id(node)][1]

    visit_Struct = _record
    visit_Union = _record
