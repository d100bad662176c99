"""How many freed blocks wait to be allocated again, in a program without loops."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pycparser import c_ast

from cseq.modules.analysis import cuts
from cseq.modules.analysis.places import called
from cseq.modules.library.primitives import REUSING
from cseq.modules.symbolic.encode.sequentializer.threadfunction import ThreadFunction
from cseq.pipeline.translator import rebuilt

MOST_WAITING = 4
"""Each block that waits makes every pointer to a new one ambiguous, which engines pay for."""

GIVEN_BACK = "__cs_given_back"
"""The library's function for freed blocks."""

_ALLOCATES = frozenset(f"{name}{REUSING}" for name in ("malloc", "calloc", "realloc", "reallocarray"))
_FREES = frozenset(f"{name}{REUSING}" for name in ("free", "realloc", "reallocarray"))


def waiting_blocks(threads: Sequence[ThreadFunction]) -> int:
    """The number of blocks that can wait and will be taken: no more than are freed, and than are allocated."""
    names = [name for thread in threads for name in called(thread.function)]
    return max(min(sum(name in _FREES for name in names), sum(name in _ALLOCATES for name in names)), 1)


def all_waiting(node: Any) -> Any:
    """The library's function for freed blocks without its bound, if *node* is that; otherwise *node*."""
    if not isinstance(node, c_ast.FuncDef) or node.decl.name != GIVEN_BACK:
        return node
    items = [item for item in node.body.block_items if not _is_cut(item)]
    return rebuilt(node, body=rebuilt(node.body, block_items=items))


def _is_cut(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.FuncCall) and node.name.name == cuts.UNWOUND
