"""The alignment of allocated memory.

Its size is ``(alignment, size)`` where that is more than `malloc` promises: to C and to most engines this is the size.
"""

from pycparser import c_ast

PROMISED = 16
"""How `malloc` aligns blocks, in bytes."""

PAGE = 4096
"""The size of a page, and the greatest alignment of a block that is supported."""


ALIGNABLE = frozenset({"malloc", "__CSEQ_zeroed", "__CSEQ_new"})
"""The functions that get such sizes: those of the core, and the one that replaces `malloc` where leaks are checked."""


def with_alignment(alignment: c_ast.Node, size: c_ast.Node) -> c_ast.Node:
    """The size of a block with that alignment."""
    return c_ast.ExprList([alignment, size], size.coord)


def alignment_of(size: c_ast.Node) -> c_ast.Node | None:
    """The alignment of a block of that size; None where it is the one that `malloc` promises."""
    return size.exprs[0] if isinstance(size, c_ast.ExprList) else None


def without_alignment(size: c_ast.Node) -> c_ast.Node:
    """The size of a block, in bytes."""
    return size.exprs[-1] if isinstance(size, c_ast.ExprList) else size
