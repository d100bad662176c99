"""The words for the steps of a counterexample, shared by all reports."""

import re
from collections.abc import Iterable, Iterator, Sequence

from cseq.model.trace import Access, Step, Thread, Unseen
from cseq.report import actions, words
from cseq.report.catalogue import Catalogue

_INDEX = re.compile(r"(?<=\[)(\d+)(?=\])")
_FEW_ELEMENTS = 4

_EFFECTS = Catalogue(
    "access",
    {
        "read": "reads {name} = {value}",
        "write": "{name} = {value}",
        "undefined": "{name} is undefined, here {value}",
        "unseen": "although {thread} has stored {value} at line {line}: nothing orders that store before this load "
        "({order})",
        "unseen buffered": "although {thread} has stored {value} at line {line}: that store may still be in a buffer",
        "unseen plain": "although {thread} has stored {value} at line {line}: nothing orders that store before this "
        "load",
    },
)
_HEADINGS = Catalogue(
    "heading",
    {
        "stopped": "from here on, nothing happens",
        "for ever": "from here on, for ever",
        "end": "in the end: {thread}",
        "starts": "context switch: {thread} starts",
        "goes on": "context switch: {thread} goes on",
    },
)


def stopped() -> str:
    """The heading after the steps of an infinite execution in which nothing more happens."""
    return _HEADINGS.say("stopped")


def headings(steps: Sequence[Step], cycle: int | None) -> Iterator[list[tuple[str, Thread | None]]]:
    """For each step the headings before it, each with the thread that it is about, or None.

    cycle: the number of the first step that is repeated for ever, if any is.
    """
    seen: set[int] = set()
    before: Thread | None = None
    for number, step in enumerate(steps):
        thread = step.thread
        found: list[tuple[str, Thread | None]] = [(_HEADINGS.say("for ever"), None)] if number == cycle else []
        if step.stands:
            found.append((_HEADINGS.say("end", thread=thread), thread))
        elif before not in (None, thread):
            key = "goes on" if thread.number in seen else "starts"
            found.append((_HEADINGS.say(key, thread=thread), thread))
        seen.add(thread.number)
        before = thread
        yield found


def ways(steps: Iterable[Step]) -> Iterator[list[str]]:
    """For each step the calls that lead to it, in words; only if they changed, or the thread stops there."""
    said: dict[int, str] = {}
    for step in steps:
        called = words.callers(step.origin.path)
        yield [called] if called and (step.stands or called != said.get(step.thread.number)) else []
        said[step.thread.number] = called


def effects(step: Step) -> Iterator[str]:
    """What the thread did at the line, and the values that it read and wrote."""
    yield from actions.events(step)
    for first, last in _runs(step.accesses):
        name = first.name if first is last else f"{first.name} … {last.name}"
        text = _EFFECTS.say(first.kind, name=name, value=first.value)
        yield f"{text}, {unseen(first.unseen)}" if first.unseen is not None else text


def unseen(store: Unseen) -> str:
    """Why a read may miss a store that came before it."""
    key = "unseen buffered" if store.is_buffered else "unseen" if store.order else "unseen plain"
    return _EFFECTS.say(key, thread=store.thread, value=store.value, line=store.origin.line, order=store.order)


def _runs(accesses: Sequence[Access]) -> Iterator[tuple[Access, Access]]:
    """The first and the last access of each run over consecutive elements with one value; short runs are not joined."""
    start = 0
    while start < len(accesses):
        end, at = start + 1, None
        while end < len(accesses) and (found := _next_element(accesses[end - 1], accesses[end])) is not None:
            if at not in (None, found):
                break
            end, at = end + 1, found
        if end - start < _FEW_ELEMENTS:
            end = start + 1
        yield accesses[start], accesses[end - 1]
        start = end


def _next_element(one: Access, other: Access) -> int | None:
    """The position of the index that is one larger in *other* than in *one*; None if anything else differs."""
    if (one.kind, one.value, one.unseen) != (other.kind, other.value, None):
        return None
    parts, others = _INDEX.split(one.name), _INDEX.split(other.name)
    differ = [n for n, (part, another) in enumerate(zip(parts, others, strict=False)) if part != another]
    if len(parts) != len(others) or len(differ) != 1 or differ[0] % 2 == 0:
        return None
    return differ[0] if int(others[differ[0]]) == int(parts[differ[0]]) + 1 else None
