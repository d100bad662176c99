"""Objects of the thread library in memory that is freed: the claim that the object of a call still exists."""

import re
from collections.abc import Collection, Iterable
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.model.actions import ObjectKind
from cseq.model.claims import Object, Reason, misuse
from cseq.modules.analysis.visibility import object_of
from cseq.modules.library import lexicon, primitives, stubs
from cseq.pipeline.translator import beginning_with, rebuilt

EXISTS = "__cs_exists"
FREED, TAKEN = "__cs_freed_now", "__cs_taken_now"
NOTES = frozenset({FREED, TAKEN})
"""The calls by which the library notes which blocks are freed and come back; only this claim needs them."""

_OBJECTS = {
    ObjectKind.MUTEX: Object.MUTEX,
    ObjectKind.CONDITION: Object.COND,
    ObjectKind.RWLOCK: Object.LOCK,
    ObjectKind.SPIN_LOCK: Object.LOCK,
    ObjectKind.BARRIER: Object.BARRIER,
    ObjectKind.SEMAPHORE: Object.SEMAPHORE,
    ObjectKind.ONCE: Object.ONCE,
}


def may_be_freed(symbols: Symbols, functions: Iterable[c_ast.FuncDef]) -> bool:
    """Whether one of the user's *functions* passes the library an object that may be part of a block."""
    calls = (call for function in functions for call in build.inside(function.body, c_ast.FuncCall))
    places = (build.addressed(argument) for call in calls for argument in _objects_of(call))
    return any(place is None or object_of(symbols, place) is None for place in places)


def _objects_of(call: c_ast.FuncCall) -> list[c_ast.Node]:
    """The arguments of a call that lead to objects of the library."""
    arguments = call.args.exprs if call.args else []
    kinds = stubs.objects_of(build.callee(call))
    return [each for number, each in enumerate(arguments) if kinds.get(number, ("", None))[1] in _OBJECTS]


def claimed(node: Any) -> Any:
    """A function of the library, with the claim that its objects exist; other nodes stay."""
    if not isinstance(node, c_ast.FuncDef) or not lexicon.is_ours(node.coord or node.decl.coord):
        return node
    name = node.decl.name
    if not lexicon.is_library(name) or not lexicon.is_step(name) or not primitives.called(name):
        return node
    parameters = node.decl.type.args.params if node.decl.type.args else []
    claims = []
    for number, (_, kind) in stubs.objects_of(name).items():
        if kind in _OBJECTS and _has_to_exist(name, _OBJECTS[kind]):
            pointer = build.ident(parameters[number].name)
            text = build.string(misuse(primitives.called(name), _OBJECTS[kind], Reason.FREED).key)
            claims.append(build.call(lexicon.MISUSE_STUB, build.call(EXISTS, pointer), text, origin=node.coord))
    return beginning_with(claims, node)


def _has_to_exist(function: str, kind: Object) -> bool:
    """Whether *function* is the first step of a call: a thread that wakes up may do so after the object is gone."""
    looks = re.search(rf"\buninitialised \w+: {kind.value}\"", stubs.items()[function].text)
    return kind is Object.ONCE or function.endswith("_init") or looks is not None


def without_notes(node: Any, notes: Collection[str] = NOTES) -> Any:
    """A function of the library without these *notes*, by default those about freed blocks; other nodes stay."""
    if not isinstance(node, c_ast.FuncDef):
        return node
    items = [item for item in node.body.block_items or [] if not build.is_call(item, *notes)]
    return rebuilt(node, body=rebuilt(node.body, block_items=items))
