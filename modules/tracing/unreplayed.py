"""What may be the reason if the replay of a counterexample does not do what the engine reports."""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.model.origin import Origin
from cseq.modules.analysis.address_numbers import has_numbers_of_pointers
from cseq.modules.analysis.marks import threads_of
from cseq.options.properties import MEMSAFETY

_PARTIAL = frozenset({"/", "%", "<<", ">>"})
"""Operations that are undefined for some operands."""


def reason(tree: c_ast.FileAST, symbols: Symbols, property_: str, place: Origin | None = None) -> str:
    """The part of the message that says why a violation of the property may not have been replayed.

    It is a bug only if the threads of *tree* neither do what may be undefined nor look at addresses. place: where they
    do the latter, if that is known.
    """
    threads = threads_of(tree)
    causes = []
    if property_ != MEMSAFETY and any(_may_be_undefined(node.body) for node in threads):
        causes.append("something undefined comes before it, such as an invalid access to memory (see --memsafety)")
    if place is not None:
        causes.append(f"the objects have to lie elsewhere in memory than in the replay, see {place}")
    elif any(has_numbers_of_pointers(symbols, node) for node in threads):
        causes.append("it depends on addresses, which differ in the replay")
    if causes:
        return f"perhaps {', or '.join(causes)}"
    return "this is a bug of CSeq or of the engine: please report it with the files that were kept"


def _may_be_undefined(node: Any) -> bool:
    match node:
        case c_ast.ArrayRef():
            found = not any(name.startswith("__cs_") for name in build.names(node.name))
        case c_ast.StructRef(type="->") | c_ast.UnaryOp(op="*"):
            found = True
        case c_ast.BinaryOp(op=op):
            found = op in _PARTIAL
        case _:
            found = False
    return found or any(map(_may_be_undefined, build.parts(node)))
