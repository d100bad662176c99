"""When a call of the thread library does something without a reason, as its replay can see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pycparser import c_ast

from cseq.c import build
from cseq.model.trace import ActionKind
from cseq.modules.library import lexicon, primitives

_WAKES = frozenset({"__cs_step_cond_wake", "__cs_step_cnd_wake"})

_TIMED = frozenset({"__cs_step_cond_timedwake", "__cs_step_cond_clockwake", "__cs_step_cnd_timedwake"})


def conditions(function: str, arguments: Sequence[c_ast.Node]) -> Iterator[tuple[ActionKind, c_ast.Node]]:
    """The condition, before the call, on which the action of this kind happens without a reason.

    For an attempt, it is the condition on which a failure has none.
    """
    name = primitives.without_variant(function)
    if name in _WAKES:
        yield ActionKind.WAKE, is_asleep(arguments)
    elif name == "mtx_trylock":
        mutex = arguments[0]
        own = c_ast.BinaryOp("+", build.ident(lexicon.THREAD), build.number(1))
        held = c_ast.BinaryOp("==", _member(mutex, "owner"), own)
        again = c_ast.BinaryOp("&&", c_ast.BinaryOp("==", _member(mutex, "type"), build.number(1)), held)
        is_free = c_ast.BinaryOp("==", _member(mutex, "owner"), build.number(0))
        yield ActionKind.TRY, c_ast.BinaryOp("||", is_free, again)


def has_deadline(function: str) -> bool:
    """Whether *function* ends a wait with a deadline: if it returns 0, that has the reason of one without."""
    return function in _TIMED


def is_asleep(arguments: Sequence[c_ast.Node]) -> c_ast.Node:
    """The condition, before a wait ends, on which no signal has reached the thread. *arguments*: of the call."""
    bit = c_ast.BinaryOp(">>", _member(arguments[0], "waiting"), build.ident(lexicon.THREAD))
    return c_ast.BinaryOp("&", bit, build.number(1))


def _member(pointer: c_ast.Node, name: str) -> c_ast.StructRef:
    return c_ast.StructRef(pointer, "->", build.ident(f"__cs_{name}"))
