"""What calls do, for the reader of a counterexample."""

from __future__ import annotations

from cseq.base.trace import ActionKind
from cseq.modules.library import primitives
from cseq.modules.library.acts import Act

_FREES = frozenset({"free", "__CSEQ_delete"})

FILL = frozenset({"memset", "memcpy", "memmove"})
"""Functions that store to so many bytes, from where their first argument points, as the third says."""


def acts(function: str) -> tuple[Act, ...]:
    """What a call of the library's *function* does, in order."""
    return (Act(ActionKind.FREE),) if function in _FREES else primitives.acts(function)
