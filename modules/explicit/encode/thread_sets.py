"""Sets of threads in the thread library, which have a bit for each thread."""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import basic
from cseq.model.errors import UnsupportedError
from cseq.pipeline.stage import Parameter
from cseq.pipeline.translator import Rewriter, Translator, rebuilt

WIDE: Parameter[bool | None] = Parameter(
    "wide", bool, None, "whether sets of threads have 128 bits; without a value, they cannot"
)
"""For the stages that make a step program."""

MOST_WIDE = 127
"""The threads besides main for which a wide set has bits."""

SET = "__cs_threads_t"
"""The type of such a set, see `pthread_stubs/include/pthread.h`."""

_WIDE = "unsigned __int128"


class NarrowError(UnsupportedError):
    """The program creates more threads than a set has bits for, and sets could be wide."""


class ThreadSets(Translator):
    """in: the merged program. out: the same, in which the type of sets of threads has 128 bits if they are wide.

    Most programs have fewer than 64 threads, and pay nothing for the others. The engine's part is `__CSEQ_set` in
    `backends/explorer/interface.h`.
    """

    takes = (WIDE,)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Replace the type."""
        return c_ast.FileAST([_wide_type(node) for node in tree.ext]) if self.parameter(WIDE) else tree


def _wide_type(node: Any) -> Any:
    if not isinstance(node, c_ast.Typedef) or node.name != SET:
        return node
    return rebuilt(node, type=rebuilt(node.type, type=c_ast.IdentifierType(_WIDE.split())))


class WideMembers(Rewriter):
    """Gives the set with one thread, ``1ULL << k``, the bits of a wide one. For functions of the library."""

    def visit_BinaryOp(self, node: c_ast.BinaryOp) -> Any:
        node = self.generic_visit(node)
        is_member = node.op == "<<" and isinstance(node.left, c_ast.Constant) and node.left.value == "1ULL"
        return rebuilt(node, left=c_ast.Cast(build.typename(basic(_WIDE)), node.left)) if is_member else node
