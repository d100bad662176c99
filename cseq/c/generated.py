"""Generated code, written as text."""

from collections.abc import Sequence

from pycparser import c_ast

from cseq.c import parse
from cseq.model.origin import LineMap


def ours(lines: Sequence[str], typedefs: Sequence[str] = ()) -> list[c_ast.Node]:
    """Code of our own, written as text; it does not come from the user's source."""
    nodes: list[c_ast.Node] = parse("\n".join(lines), linemap=LineMap([None] * len(lines)), typedefs=typedefs).ext
    return nodes
