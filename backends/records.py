"""What a program that is replayed reports, decoded: one record for each line that it prints.

The same records come from the sequentialized program (`native_runtime.h`) and from the step program that follows a
schedule (`explorer/follow.c`, `explorer/lasso.c`). Both write the words in `explorer/records.h`.
"""

from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple


class Tag(StrEnum):
    """The first word of a line, with what follows it: numbers in hexadecimal digits, or a TEXT."""

    AT = "at"  # N: statement N begins
    VALUE = "value"  # N BITS: value N is seen
    MEMORY = "memory"  # STATE [N]: what became of the memory that a failing claim is about (`claims.State`), and where
    MISSING = "missing"  # PLACE: the engine gave no input for this place

    # Of step programs only
    THREAD = "thread"  # K P: thread K exists, and begins at place P
    TURN = "turn"  # K: thread K makes the next transition
    ASKED = "asked"  # K: what follows is what thread K is about to do
    PLACE = "place"  # P: where it is
    ACCESS = "access"  # ADDRESS SIZE KIND: an access that counts for data races
    CHANGED = "changed"  # ADDRESS: the object there was allocated, freed or ended just now
    UNWRITTEN = "unwritten"  # BITS: the value of memory that was never written
    ORDER = "order"  # TEXT: a comparison of addresses that holds, as two objects lie so in memory
    INVARIANT = "invariant"  # TEXT: an invariant that does not hold in the last state
    STATE = "state"  # PROPOSITIONS LABELS ALIVE ENABLED, as bits: the state after each transition (`--lasso`)
    REPEATS = "repeats"  # 1 or 0: whether the repeated part ends where it begins

    # How the execution ends
    BLOCKED = "blocked"  # K: thread K cannot make its transition; after ASKED, no end
    FAILED = "failed"  # TEXT: the key of the claim that does not hold
    DROPPED = "dropped"  # an assumption does not hold
    CRASHED = "crashed"  # TEXT: the name of the signal
    CUT = "cut"  # TEXT: the key of the cut
    REFUSED = "refused"  # TEXT: why it cannot be followed
    ENDED = "ended"
    LATE = "late"  # there is no time left
    OTHER = ""  # TEXT: a line of another kind


_WITH_TEXT = frozenset({Tag.ORDER, Tag.INVARIANT, Tag.FAILED, Tag.CRASHED, Tag.CUT, Tag.REFUSED, Tag.OTHER})
_TAGS = {tag.value: tag for tag in Tag if tag not in (Tag.LATE, Tag.OTHER)}

ENDS = frozenset({
    Tag.BLOCKED, Tag.FAILED, Tag.DROPPED, Tag.CRASHED, Tag.CUT, Tag.REFUSED, Tag.ENDED, Tag.LATE,
})  # fmt: skip
"""The tags of records that say how an execution ends."""


class Record(NamedTuple):
    """A line: its tag, and the numbers or the text behind it."""

    tag: Tag
    numbers: tuple[int, ...] = ()
    text: str = ""

    @property
    def number(self) -> int:
        """The first number."""
        return self.numbers[0]

    @property
    def value(self) -> int:
        """The second number."""
        return self.numbers[1]


@lru_cache(1 << 12)  # an execution may report millions of lines, most of them again and again
def decoded(line: str) -> Record:
    """The record that *line* is."""
    word, _, rest = line.partition(" ")
    tag = _TAGS.get(word)
    if tag is None:
        return Record(Tag.OTHER, text=line)
    if tag in _WITH_TEXT:
        return Record(tag, text=rest)
    if tag is Tag.MEMORY:
        word, _, rest = rest.partition(" ")
    else:
        word = ""
    return Record(tag, tuple(int(number, 16) for number in rest.split()), word)


def records(output: str) -> list[Record]:
    """The records in the *output* of a program."""
    return [decoded(line) for line in output.removesuffix("\n").split("\n")]  # texts may have other line breaks
