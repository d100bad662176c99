"""Leave out of an infinite execution what it repeats: once is enough to see it."""

from collections.abc import Hashable, Sequence

from cseq.model.trace import Step


def shortened(before: Sequence[Step], again: Sequence[Step]) -> tuple[list[Step], list[Step]]:
    """The steps *before* and those that are repeated for ever, *again*, with as few steps as show the same.

    One transition may go round a loop many times, and what is repeated for ever may have happened before.
    """
    first, repeated = [_shown(step) for step in before], [_shown(step) for step in again]
    length = _period(repeated)
    end = len(first)
    while length and end >= length and first[end - length : end] == repeated[:length]:
        end -= length
    return list(before[:end]), [*before[end:], *again][:length]


def _period(shown: Sequence[Hashable]) -> int:
    """The number of elements at the beginning whose repetition gives all of them."""
    total = len(shown)
    lengths = (length for length in range(1, total) if total % length == 0 and shown[length:] == shown[:-length])
    return next(lengths, total)


def _shown(step: Step) -> Hashable:
    """What a reader sees of *step*, but for the number of the iteration."""
    origin = step.origin
    place = (origin.file, origin.line, origin.function)
    seen = [repr(part) for part in (step.accesses, step.actions, step.inputs)]
    return (step.thread.number, place, step.source, *seen, step.stands, len(step.created))
