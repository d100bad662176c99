"""The text of the thread library, one top-level item at a time.

Of the library a program gets what it uses and no more. Which items mention which others is told from their text, so
that nothing is parsed that is not needed. The rules for that text are in CONTRIBUTING.md: an item begins at the
margin; what ends in ``{`` goes on to the next ``}`` at the margin, anything else is one line.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache

from cseq.c.scanner import identifiers, without_comments
from cseq.pthread_stubs import FOLDER

CREATE = "pthread_create"
EXIT = "pthread_exit"
THRD_CREATE = "thrd_create"
THRD_EXIT = "thrd_exit"

STEP_PREFIX = "__cs_step_"
"""A library function whose name begins so is one step of a library function that has several."""

_ENDING = frozenset({"__cs_step_create", "__cs_step_exit"})
_TURNED_INTO = {
    CREATE: _ENDING,
    EXIT: _ENDING,
    THRD_CREATE: _ENDING,
    THRD_EXIT: _ENDING,
    "sem_open": frozenset({"__cs_sem_open"}),
    "sem_unlink": frozenset({"__cs_sem_unlink"}),
}
"""What the chain turns calls of functions into that are not defined in C."""

_COMES_WITH = {**_TURNED_INTO, "pthread_key_create": frozenset({"__cs_thread_end"})}
"""What a function needs besides what its text mentions."""

CANCEL = "pthread_cancel"

WAIT = "__CSEQ_wait"
WAIT_FOR = "__CSEQ_wait_for"
WAIT_OUTSIDE = "__CSEQ_wait_outside"
WAITS = frozenset({WAIT, WAIT_FOR, WAIT_OUTSIDE})
"""The primitives with which a function blocks its thread until a condition holds, their first argument.

They differ in who can make it hold: any thread; only if each thread in the set that is the second argument does
something; something outside of the program, at any time.
"""
MAY_HANG = "__CSEQ_may_hang"
MAY_WAIT = "__CSEQ_may_wait"
BLOCKS = frozenset({WAIT, WAIT_FOR, MAY_HANG, MAY_WAIT})
"""The primitives that count where deadlocks are looked for.

The last two are for calls that, where the condition holds, may block for ever or fail, as the implementation likes. The
search for deadlocks takes them to block: for good, or until another thread does something. Otherwise they are nothing;
what stands behind them says how the call fails.
"""

_OWN = frozenset({"__cs_errno", "__cs_cancel_disabled"})
"""Objects of the library of which each thread only touches its own part."""

_FUNCTION = re.compile(r"\w[\w *]*?\b(\w+)\([^;{]*\) \{")
_OBJECT = re.compile(r"\w[\w *]*?\b(\w+)(?:\[\w+\])*(?: = [^;]*)?;")


@dataclass(frozen=True)
class Item:
    """A top-level item of a library file.

    line: of the file, where it begins. names: what it declares. words: all identifiers in it.
    """

    file: str
    line: int
    text: str
    names: frozenset[str]
    words: frozenset[str]

    @property
    def is_function(self) -> bool:
        """Whether it defines a function."""
        return _FUNCTION.match(self.text) is not None


@cache
def stub_text(name: str) -> str:
    """The text of the library file *name* without comments; the line numbers stay."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    return without_comments(text)


def declared() -> list[tuple[str, Item]]:
    """Each name that the library declares at file level, with the item that declares it."""
    return [(name, item) for path in sorted(FOLDER.glob("*.c")) for item in _split(path.name) for name in item.names]


@cache
def items() -> dict[str, Item]:
    """Each name that the library declares at file level → the item that declares it."""
    return dict(declared())


def _split(file: str) -> Iterator[Item]:
    lines = stub_text(file).split("\n")
    number = 0
    while number < len(lines):
        start = number
        number += 1
        if not lines[start].strip():
            continue
        if lines[start].endswith("{"):
            while not lines[number].startswith("}"):
                number += 1
            number += 1
        text = "\n".join(lines[start:number])
        words = frozenset(identifiers(text))
        yield Item(file, start + 1, text, _declared(text), words)


def _declared(text: str) -> frozenset[str]:
    if text.startswith("enum {"):
        return frozenset(re.findall(r"(\w+)(?: = [^,}]*)?[,\s]", text[text.index("{") : text.index("}")] + " "))
    match = _FUNCTION.match(text) or _OBJECT.match(text)
    assert match is not None, text
    return frozenset({match.group(1)})


def cancellable(function: str) -> str:
    """What the library calls the variant of *function* in which the thread can be cancelled."""
    return f"{function}__cs1"


SCHEDULED = "__cs2"
"""What the library puts behind the name of a function for its variant where priorities count."""


def needed(names: Collection[str], without: Collection[str] = ()) -> list[Item]:
    """The items that the functions *names* need, each behind those that it needs; none for the names *without*."""
    known = items()
    found: dict[Item, None] = {}

    def add(name: str) -> None:
        for part in sorted(_COMES_WITH.get(name, ())):
            add(part)
        item = known.get(name)
        if item is None or item in found or name in without:
            return
        for word in sorted(item.words - item.names):
            add(word)
        found[item] = None

    if CANCEL in names:
        names = {*names, *map(cancellable, names), "pthread_setcancelstate"}
    for name in sorted(names):
        add(name)
    return list(found)


@cache
def is_library(function: str) -> bool:
    """Whether the thread library defines *function*."""
    item = items().get(function)
    return function in _TURNED_INTO or (item is not None and item.is_function)


@cache
def has_steps(function: str) -> bool:
    """Whether the library function *function* is several steps of its thread; otherwise it is one."""
    itself = {function, function.removesuffix(SCHEDULED)}
    return any(word.startswith(STEP_PREFIX) for word in items()[function].words - itself)


def uses(function: str, word: str) -> bool:
    """Whether the library function *function* mentions *word*."""
    return function in items() and word in items()[function].words


def keeps_a_set_of_threads(function: str) -> bool:
    """Whether the library function *function* uses sets of threads, which are words with a bit per thread."""
    item = items().get(function)
    return item is not None and "1ULL << __CSEQ_thread" in item.text


@cache
def is_contained(function: str) -> bool:
    """Whether the library function *function* touches nothing that others can notice but through its arguments.

    It does not block either, and calls no other function that does more than that.
    """
    item = items().get(function)
    if item is None or not item.is_function or item.words & WAITS:
        return False
    called = [items()[word] for word in item.words - item.names - _OWN if word in items()]
    return all(
        is_contained(next(iter(other.names))) if other.is_function else other.text.startswith("enum ")
        for other in called
    )


@cache
def objects(function: str) -> frozenset[str]:
    """The objects at file level of which the library function *function* may touch what is not the thread's own."""
    found: set[str] = set()
    seen: set[str] = set()
    words = [function]
    while words:
        word = words.pop()
        item = items().get(word)
        if item is None or word in seen:
            continue
        seen.add(word)
        if item.is_function:
            words.extend(item.words)
        elif not item.text.startswith("enum "):
            found.add(word)
    return frozenset(found - _OWN)


@cache
def can_block(function: str) -> bool:
    """Whether the library function *function* can block its thread for ever.

    One that looks at a deadline does not, nor one that something outside of the program can end.
    """
    item = items().get(function)
    if item is None or not item.is_function or "__cs_deadline" in item.words:
        return False
    if item.words & BLOCKS:
        return True
    return any(can_block(word) for word in item.words - item.names)
