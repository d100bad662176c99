"""What a call of a function of the library does, as far as the reader of a counterexample is shown it."""

from __future__ import annotations

from dataclasses import dataclass

from cseq.base.trace import ActionKind, Manner, Mode


@dataclass(frozen=True)
class Act:
    """One thing that a call does; of those that it does, in order.

    argument: the number of the argument that is the object, the block or the thread; None where that is no argument.
    manner, mode: as in `cseq.base.trace.Action`.
    """

    kind: ActionKind
    argument: int | None = 0
    manner: Manner = Manner.PLAIN
    mode: Mode = Mode.EXCLUSIVE
