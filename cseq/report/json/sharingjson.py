"""The shared data of a program as JSON: the member `shared_data` of docs/json.md."""

from __future__ import annotations

from typing import Any

from cseq.model.origin import Origin
from cseq.model.sharing import SharedAccess, SharedData, SharedObject
from cseq.report import sharing_words


def shared_data(sharing: SharedData) -> dict[str, Any]:
    """The object."""
    return {
        "objects": [_object(each) for each in sharing.objects],
        "lock_order": [
            {"held": edge.held, "wanted": edge.wanted or None, **_place(edge.origin)} for edge in sharing.orders
        ],
        "given_valid": sharing.given_valid,
        "entries": list(sharing.entries),
        "unfollowed": sharing.unfollowed or None,
        "cut_at": _place(sharing.cut) if sharing.cut is not None else None,
    }


def _object(shared: SharedObject) -> dict[str, Any]:
    return {
        "name": shared.name or None,
        **_place(shared.origin),
        "function": shared.function or None,
        "description": sharing_words.line(shared),
        "protections": [
            {"kind": each.kind.value, "by": each.by or None, "description": sharing_words.protection(each, shared.name)}
            for each in shared.protections
        ],
        "accesses": [_access(each) for each in shared.accesses],
        "unprotected": [
            {
                "description": sharing_words.missing(pair),
                "race": pair.race,
                "accesses": [_access(pair.one), _access(pair.other)],
            }
            for pair in sharing_words.pairs(shared)
        ],
    }


def _access(access: SharedAccess) -> dict[str, Any]:
    return {
        **_place(access.origin),
        "action": "writes" if access.writes else "reads",
        "atomic": access.atomic,
        "thread_function": access.thread,
        "locks": list(access.holds),
    }


def _place(origin: Origin | None) -> dict[str, Any]:
    if origin is None:
        return {"file": None, "line": None, "column": None, "function": None}
    return {
        "file": origin.file or None,
        "line": origin.line or None,
        "column": origin.column or None,
        "function": origin.function,
    }
