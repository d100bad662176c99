"""The calls in a program that mark where executions are cut off."""

from pycparser import c_ast

from cseq.c import build
from cseq.model.claims import Cut, Limit
from cseq.model.errors import UndefinedError, UnsupportedError
from cseq.model.origin import Origin

UNWOUND = "__CSEQ_unwound"


def unwound(holds: c_ast.Node, cut: Cut, origin: Origin | None = None) -> c_ast.FuncCall:
    """The statement that cuts executions off, because of *cut*, where the condition *holds* is false."""
    return build.call(UNWOUND, holds, build.string(cut.key), origin=origin)


def stop(error: UnsupportedError, origin: Origin | None) -> c_ast.FuncCall:
    """The statement at which a thread stops in place of that of *origin*, which *error* says is not supported.

    The thread is from then on neither runnable, nor blocked, nor ended: executions that leave it before this statement
    are explored, and no execution goes on after it.
    """
    place = error.origin or origin
    limit = Limit.UNDEFINED if isinstance(error, UndefinedError) else Limit.UNSUPPORTED
    cut = Cut(limit, subject=error.message, place=place and Origin(place.file, place.line))
    return unwound(build.number(0), cut, origin)


def of(call: c_ast.FuncCall) -> Cut:
    """The cut that the *call* of `UNWOUND` makes."""
    return Cut.of(build.text(call.args.exprs[1]))
