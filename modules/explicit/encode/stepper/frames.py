"""The frames of threads: their locals, as members of structs in the state."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import basic
from cseq.pipeline.translator import Rewriter

FRAME = "__cs_f"
"""The pointer to the frame of the thread that runs."""

GAP = 8
"""The bytes after an object that belong to nothing, where memory accesses are checked."""


class InFrame(Rewriter):
    """Turns locals into members of the frame."""

    def __init__(self, names: Collection[str]) -> None:
        super().__init__()
        self._names = names

    def visit_ID(self, node: c_ast.ID) -> c_ast.Node:
        if node.name not in self._names:
            return node
        return c_ast.StructRef(build.ident(FRAME), "->", c_ast.ID(node.name), node.coord)


def apart(members: Iterable[c_ast.Decl], reachable: Collection[str], ended: Mapping[str, str]) -> Iterator[c_ast.Decl]:
    """The *members* of a frame, with memory that belongs to nothing after each that pointers can lead to.

    ended: the names of the members that say whether a life has ended, by those of the objects.
    """
    byte = basic("unsigned char")
    for member in members:
        yield member
        if member.name in reachable:
            yield build.declare(f"__cs_after_{member.name}", c_ast.ArrayDecl(byte, build.number(GAP), []))
        if member.name in ended:
            yield build.declare(ended[member.name], byte)
