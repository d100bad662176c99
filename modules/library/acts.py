"""What a call of a library function does, as shown to the reader of a counterexample."""

from dataclasses import dataclass

from cseq.model.actions import ActionKind, Manner, Mode


@dataclass(frozen=True)
class Act:
    """One of the things that a call does, which are kept in order.

    argument: the number of the argument that is the object, the block or the thread; None if that is not an argument.
    manner, mode: as in `cseq.model.trace.Action`.
    """

    kind: ActionKind
    argument: int | None = 0
    manner: Manner = Manner.PLAIN
    mode: Mode = Mode.EXCLUSIVE
