"""The C text of the scheduler: the parts of it that a program needs.

The text is in the `.h` files next to this one, in blocks: a block begins at the margin, perhaps with a comment, and
ends before an empty line. A reproducer gets the blocks that it uses, in the order of the files.
"""

import re
from collections.abc import Iterable, Iterator, Set
from functools import cache
from pathlib import Path
from typing import NamedTuple

_FILES = ("schedule.h", "values.h", "split.h", "library.h")
_FIRST = "schedule.h"
_REGRESSION = "regression.h"
_TAG = re.compile(r"\bstruct cseq_\w+")
_WORD = re.compile(r"\b(?:cseq|CSEQ)_\w+")
_ENUMERATION = re.compile(r"^enum \{([^}]*)\}", re.MULTILINE)
_DEFINED = re.compile(
    r"^(?:#define (\w+)|(?!CSEQ_INSTEAD)[A-Za-z].*?\b(cseq_\w+)(?:\[\w*\])*(?=\(| CSEQ_REAL|;| \{))", re.MULTILINE
)
_REPLACED = re.compile(r"CSEQ_FOR\((\w+)\)|^CSEQ_INSTEAD\(\w+, (\w+)", re.MULTILINE)
# These are replaced only in programs that cancel threads, where a thread may end in them.
_CANCELLED = frozenset({"pthread_join", "sem_wait", "pthread_testcancel", "pthread_setcancelstate", "pause"})
# A test counts signals where it waits for them; a changed program may signal in other ways.
_WAITS = frozenset({
    "pthread_cond_wait", "pthread_cond_timedwait", "pthread_cond_clockwait", "cnd_wait", "cnd_timedwait",
})  # fmt: skip
_SIGNALS = frozenset({"pthread_cond_signal", "pthread_cond_broadcast", "cnd_signal", "cnd_broadcast"})
# These are replaced only if the schedule ends in a deadlock.
_STUCK = frozenset({"pthread_join", "thrd_join"})


class _Block(NamedTuple):
    """A part of the text.

    defines: the names by which others use it. words: the names in it. replaces: the library function that it replaces.
    always: every reproducer gets it.
    """

    text: str
    defines: frozenset[str]
    words: frozenset[str]
    replaces: str | None
    always: bool


@cache
def words() -> frozenset[str]:
    """The names of the scheduler, which a program that it is put into cannot have."""
    files = (*_FILES, _REGRESSION)
    texts = ((Path(__file__).parent / name).read_text(encoding="utf-8") for name in files)
    return frozenset(word for text in texts for word in _WORD.findall(text)) | _OF_TABLES


_OF_TABLES = frozenset({"cseq_turns", "cseq_names", "cseq_inputs", "cseq_sets", "cseq_stuck", "cseq_plan"})


@cache
def _blocks(regression: bool = False) -> tuple[_Block, ...]:
    blocks = [block for name in _FILES for block in _read(name)]
    return tuple(_replaced(blocks, _read(_REGRESSION))) if regression else tuple(blocks)


def _read(name: str) -> Iterator[_Block]:
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    for part in re.split(r"\n\n(?=\S)", text.strip("\n")):
        replaced = _REPLACED.search(part) if "#define" not in part else None
        untagged = _TAG.sub("", part)
        names = {found for match in _DEFINED.finditer(untagged) for found in match.groups() if found}
        names.update(word for match in _ENUMERATION.finditer(untagged) for word in _WORD.findall(match[1]))
        function = (replaced[1] or replaced[2]) if replaced else None
        yield _Block(part, frozenset(names), frozenset(_WORD.findall(untagged)), function, name == _FIRST)


def _replaced(blocks: list[_Block], others: Iterable[_Block]) -> Iterator[_Block]:
    """The *blocks*, in which some of the *others* take the place of those that define the same names.

    The rest of the *others* come before the next one that does, or else at the end.
    """
    instead: dict[int, list[_Block]] = {}
    waiting: list[_Block] = []
    for other in others:
        waiting.append(other)
        place = next((i for i, block in enumerate(blocks) if block.defines & other.defines), None)
        if place is not None:
            always = blocks[place].always
            instead.setdefault(place, []).extend(each._replace(always=always) for each in waiting)
            waiting = []
    for i, block in enumerate(blocks):
        yield from instead.get(i, [block])
    yield from waiting


def supported(regression: bool = False) -> frozenset[str]:
    """The library functions that a reproducer may have to replace; regression: that a test may have to."""
    return frozenset(block.replaces for block in _blocks(regression) if block.replaces)


def text(called: Set[str], used: Set[str], deadlock: bool = False, regression: bool = False) -> str:
    """The text before the schedule and the program.

    called: the functions of the C library that the program mentions and does not define. used: the names of the
    scheduler that the text after this one mentions (other words do no harm). deadlock: the schedule ends in a deadlock.
    regression: for a program that may leave the schedule.
    """
    cancels = "pthread_cancel" in called
    if regression and called & _WAITS:
        called |= _SIGNALS

    def replaced(name: str) -> bool:
        if name not in called:
            return False
        return name not in _CANCELLED | _STUCK or (name in _CANCELLED and cancels) or (name in _STUCK and deadlock)

    blocks = _blocks(regression)
    chosen = {i for i, block in enumerate(blocks) if block.always or (block.replaces and replaced(block.replaces))}
    new: Set[int] = chosen
    wanted = set(used)
    while new:
        wanted |= {word for i in new for word in blocks[i].words}
        new = {i for i, block in enumerate(blocks) if block.defines & wanted} - chosen
        chosen |= new
    parts = [blocks[i].text for i in sorted(chosen)]
    names = sorted(name for i in chosen if (name := blocks[i].replaces))
    return "\n\n".join([*parts, "\n".join(f"#define {name} cseq_for_{name}" for name in names)]) + "\n"
