"""What library calls do, for the reader of a counterexample."""

from __future__ import annotations

from cseq.model.trace import ActionKind
from cseq.modules.library import primitives
from cseq.modules.library.acts import Act

_FREES = primitives.with_reusing("free") | {"__CSEQ_delete"}

FILL = frozenset({"memset", "memcpy", "memmove"})
"""Functions that store to the number of bytes given by their third argument, from where their first one points."""


def acts(function: str) -> tuple[Act, ...]:
    """The actions of a call of the library's *function*, in order."""
    return (Act(ActionKind.FREE),) if function in _FREES else primitives.acts(function)
