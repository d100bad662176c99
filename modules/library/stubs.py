"""The text of the thread library, one top-level item at a time.

A program gets only what it uses of the library. Which items mention which others is read from their text, so that
nothing is parsed that is not needed. The rules for that text are in CONTRIBUTING.md: an item begins at the margin; if
it ends in ``{``, it extends to the next ``}`` at the margin, otherwise it is one line.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from cseq.c.scanner import identifiers, without_comments
from cseq.model.actions import ObjectKind
from cseq.model.claims import Cut, Limit, Object, Reason, misuse
from cseq.modules.library.primitives import BECOMES, CANCELLABLE, IDLE, NEEDS, REUSING, SCHEDULED, without_variant
from cseq.modules.library.primitives.object_types import KINDS, TYPES
from cseq.pthread_stubs import FOLDER, INCLUDE

CREATE = "pthread_create"
EXIT = "pthread_exit"
THRD_CREATE = "thrd_create"
THRD_EXIT = "thrd_exit"
CREATE_STEP = "__cs_step_create"
END_STEP = "__cs_step_exit"

THREAD_HEADERS = ("pthread.h", "semaphore.h", "threads.h")

STEP_PREFIX = "__cs_step_"
"""A library function whose name begins like this is one step of a library function that has several."""

CANCEL = "pthread_cancel"

WAIT = "__CSEQ_wait"
WAIT_FOR = "__CSEQ_wait_for"
WAIT_OUTSIDE = "__CSEQ_wait_outside"
WAIT_OR_WAKE = "__CSEQ_wait_or_wake"
WAITS = frozenset({WAIT, WAIT_FOR, WAIT_OUTSIDE, WAIT_OR_WAKE})
"""The primitives with which a function blocks its thread until a condition, their first argument, holds.

They differ in who can make it hold: any thread; only all threads in the set that is the second argument, together;
something outside the program, at any time; any thread, but the wait may also end spuriously, where that is allowed.
"""
MAY_HANG = "__CSEQ_may_hang"
MAY_WAIT = "__CSEQ_may_wait"
BLOCKS = frozenset({WAIT, WAIT_FOR, WAIT_OR_WAKE, MAY_HANG, MAY_WAIT})
"""The primitives that matter to the search for deadlocks.

The last two are for calls that may block for ever or fail, as the implementation chooses, if the condition holds. The
search for deadlocks takes them to block: for good, or until another thread does something. Elsewhere they have no
effect; the code after them says how the call fails.
"""

_OWN = frozenset({"__cs_errno", "__cs_cancel_disabled"})
"""Library objects of which each thread touches only its own part."""

_FUNCTION = re.compile(r"\w[\w *]*?\b(\w+)\([^;{]*\) \{")
_PARAMETER = re.compile(r"(\w+) \*?\w+")  # and not a pointer to a constant
_PROTOTYPE = re.compile(r"^\w[\w *]*?\b(\w+)\(.*\);$", re.MULTILINE)
_NO_EFFECT = re.compile(r"\) \{\n(?:    return -?\d+;\n)?\}$")
_MISUSE = re.compile(r'(?<=\b__CSEQ_fail_unless\()(.*), ([A-Z_]+), ([A-Z_]+)(?:, "(\w+)")?\);')
_CUT = re.compile(r"(?<=\b__CSEQ_unwound\()(.*), ([A-Z_]+)(?:, (\d+))?\);")
_OBJECT = re.compile(r"\w[\w *]*?\b(\w+)(?:\[\w+\])*(?: = [^;]*)?;")


@dataclass(frozen=True)
class Item:
    """A top-level item of a library file.

    line: the line of the file where it begins. names: what it declares.
    """

    file: str
    line: int
    text: str
    names: frozenset[str]

    @cached_property
    def words(self) -> frozenset[str]:
        """All identifiers in it."""
        return frozenset(identifiers(self.text))

    @property
    def is_function(self) -> bool:
        """Whether it defines a function."""
        return _FUNCTION.match(self.text) is not None


@cache
def stub_text(name: str) -> str:
    """The text of the library file *name* without comments; the line numbers stay."""
    text = (FOLDER / name).read_text(encoding="utf-8")
    return without_comments(text)


@cache
def prototypes(*headers: str) -> dict[str, str]:
    """The functions that the given *headers* about threads, by default all, declare → the name of the header."""
    texts = {name: (INCLUDE / name).read_text(encoding="utf-8") for name in headers or THREAD_HEADERS}
    return {match[1]: name for name, text in texts.items() for match in _PROTOTYPE.finditer(text)}


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
        text = _with_keys("\n".join(lines[start:number]))
        yield Item(file, start + 1, text, _declared(text))


def _with_keys(text: str) -> str:
    """The *text* of an item with the arguments that make up claims and cuts replaced by their keys."""
    if "__CSEQ_fail_unless(" not in text and "__CSEQ_unwound(" not in text:
        return text
    found = _FUNCTION.match(text)
    name = "" if found is None or found[1].startswith("__cs_") else without_variant(found[1])
    text = _MISUSE.sub(lambda m: f'{m[1]}, "{_misuse(m[2], m[3], m[4] or name)}");', text)
    return _CUT.sub(lambda m: f'{m[1]}, "{_cut(m[2], m[3], name)}");', text)


def _misuse(subject: str, reason: str, function: str) -> str:
    return misuse(function, Object[subject], Reason[reason]).key


def _cut(limit: str, number: str | None, function: str) -> str:
    return Cut(Limit[limit], int(number or 0), function=function).key


def _declared(text: str) -> frozenset[str]:
    if text.startswith("enum {"):
        return frozenset(re.findall(r"(\w+)(?: = [^,}]*)?[,\s]", text[text.index("{") : text.index("}")] + " "))
    match = _FUNCTION.match(text) or _OBJECT.match(text)
    assert match is not None, text
    return frozenset({match.group(1)})


def cancellable(function: str) -> str:
    """The library's name for the variant of *function* in which the thread can be cancelled."""
    return function + CANCELLABLE


def needed(names: Collection[str], without: Collection[str] = ()) -> list[Item]:
    """The items that the functions *names* need, each after the items that it needs; none for the names *without*."""
    known = items()
    found: dict[Item, None] = {}

    def add(name: str) -> None:
        for part in sorted(NEEDS.get(name, ())):
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


def parameters(function: str) -> list[str]:
    """The declarations of the parameters of the library function *function*, as in its text."""
    item = items()[function]
    inside = item.text[item.text.index("(") + 1 : item.text.index(") {")]
    return [] if inside == "void" else re.split(r", (?![^()]*\))", inside)


@cache
def objects_of(function: str) -> dict[int, tuple[str, ObjectKind]]:
    """The objects that a call of the library function *function* may change: argument → type and kind."""
    item = items().get(function)
    if item is None or not item.is_function:
        return {}
    found = {number: _PARAMETER.fullmatch(text) for number, text in enumerate(parameters(function))}
    return {number: (match[1], KINDS[match[1]]) for number, match in found.items() if match and match[1] in KINDS}


def object_kind(function: str, argument: int | None) -> ObjectKind | None:
    """The kind of object that *argument* of the library function *function* points to; None if it is none."""
    _, kind = objects_of(function).get(argument, ("", None)) if argument is not None else ("", None)
    return kind


@cache
def is_library(function: str) -> bool:
    """Whether the thread library defines *function*."""
    item = items().get(function)
    return function in BECOMES or (item is not None and item.is_function)


@cache
def has_steps(function: str) -> bool:
    """Whether a call of the library function *function* takes several steps of its thread; otherwise it is one."""
    itself = {function, function.removesuffix(SCHEDULED), function.removesuffix(IDLE)}
    return any(word.startswith(STEP_PREFIX) for word in items()[function].words - itself)


def is_type(word: str) -> bool:
    """Whether *word* is the name of a type wherever it is in the library."""
    return word in TYPES or word.endswith("_t")


def uses(function: str, word: str) -> bool:
    """Whether the library function *function* mentions *word*."""
    return function in items() and word in items()[function].words


def keeps_a_set_of_threads(function: str) -> bool:
    """Whether the library function *function* uses sets of threads, which are words with one bit per thread."""
    item = items().get(function)
    return item is not None and "1ULL << __CSEQ_thread" in item.text


@cache
def is_contained(function: str) -> bool:
    """Whether the library function *function* touches what others can notice only through its arguments.

    It does not block either, and calls no function that does more than that.
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
def has_no_effect(function: str) -> bool:
    """Whether the text of the library function *function* says that a call changes nothing, and does not wait."""
    item = items().get(function)
    return item is not None and item.is_function and _NO_EFFECT.search(item.text) is not None


@cache
def objects(function: str) -> frozenset[str]:
    """The objects at file level of which the library function *function* may touch parts that other threads use."""
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

    A function that looks at a deadline does not, nor does one that something outside the program can end.
    """
    item = items().get(function)
    if item is None or not item.is_function or "__cs_deadline" in item.words:
        return False
    if item.words & BLOCKS:
        return True
    return any(can_block(word) for word in item.words - item.names)


@cache
def _reached(function: str) -> frozenset[str]:
    """The identifiers, other than of functions, that the library function *function* reaches; itself if it is none."""
    item = items().get(function)
    if item is None or not item.is_function:
        return frozenset({function})
    return frozenset[str]().union(*map(_reached, item.words - item.names))


def may_wait(function: str) -> bool:
    """Whether there are states in which the library function *function* cannot go on, if only for a time."""
    return not _reached(function).isdisjoint(WAITS | BLOCKS)


_CHOICES = ("__CSEQ_nondet", "__CSEQ_choose", "__CSEQ_sample", "__CSEQ_one_of", "__CSEQ_member", "__CSEQ_havoc")
"""How the names of primitives begin whose outcome is a choice."""


def may_choose(function: str) -> bool:
    """Whether *function*, a primitive or a library function, makes a choice."""
    return any(word.startswith(_CHOICES) or REUSING in word for word in _reached(function))
