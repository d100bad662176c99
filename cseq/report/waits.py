"""The words for what threads that are blocked for ever wait for."""

from collections.abc import Sequence
from typing import Protocol

from cseq.model import trace
from cseq.model.actions import Mode, ObjectKind
from cseq.model.origin import Origin
from cseq.report.catalogue import Catalogue


class Names(Protocol):
    """The names that a report uses for threads, places and C text."""

    def thread(self, thread: trace.Thread) -> str:
        """The name of a thread."""

    def place(self, origin: Origin) -> str:
        """The name of a place."""

    def code(self, name: str) -> str:
        """C text, marked as such."""


class _Plain:
    """Names as they are."""

    def thread(self, thread: trace.Thread) -> str:
        return str(thread)

    def place(self, origin: Origin) -> str:
        return str(origin)

    def code(self, name: str) -> str:
        return name


class _Quoted(_Plain):
    """C text in backquotes."""

    def code(self, name: str) -> str:
        return f"`{name}`"


_WAITS = Catalogue(
    "wait",
    {
        "signal": "for a signal on {name}, and no thread is left to send one",
        "signal and mutex": "for a signal on {name} and {lock}",
        "semaphore": "for semaphore {name}, whose value is 0, and no thread is left to post it",
        "barrier": "for the others at barrier {name}, where {arrived} of {count} {have} arrived",
        "change": "for a change of {name}, and no thread is left to announce one",
        "call": "in {name}, and no thread is left to end that",
        "transfer": "for input or output at file descriptor {number}",
        "outside": "for something outside of the program",
        "end": "for {thread} to end",
        "own end": "for itself to end",
        ObjectKind.MUTEX: "for {name}",
        ObjectKind.SPIN_LOCK: "for {name}",
        ObjectKind.ONCE: "for the routine of {name}",
        Mode.READING: "to lock {name} for reading",
        Mode.WRITING: "to lock {name} for writing",
    },
)

_HOLDERS = Catalogue(
    "holder",
    {
        ("itself", ObjectKind.ONCE): ", which it runs itself{since}",
        ("itself", None): ", which it holds itself{since}",
        ("other", ObjectKind.ONCE): ", run by {thread}{since}{ended}",
        ("other", None): ", held by {thread}{since}{ended}",
        "next": ", behind {thread}, which waits to lock it for writing",
        "since": " since {place}",
        "ended": ", which has ended",
    },
)

_SENTENCES = Catalogue(
    "deadlock",
    {
        "deadlock": "deadlock: {parts}",
        "waits": "waits {what}{holder}",
        "stands": "{thread} waits at {place} {what}{holder}",
        "circle": "{thread} {holds}waits {what} at {place}",
        ObjectKind.ONCE: "runs {name}{since} and ",
        "holds": "holds {name}{since} and ",
    },
)

PLAIN, QUOTED = _Plain(), _Quoted()


def plain(stuck: trace.Stuck) -> str:
    """``waits for m, held by main since a.c:3``."""
    return _SENTENCES.say("waits", what=awaited(stuck, PLAIN), holder=holder(stuck, PLAIN))


def deadlock(threads: Sequence[trace.Stuck]) -> str:
    """The whole deadlock in one sentence; the threads in a circle come first."""
    circle = [stuck for stuck in threads if stuck.in_circle]
    parts = [_in_circle(stuck) if len(circle) > 1 and stuck.in_circle else _outside_circle(stuck) for stuck in threads]
    return _SENTENCES.say("deadlock", parts="; ".join(parts))


def awaited(stuck: trace.Stuck, names: Names) -> str:
    """What the thread waits for, with its preposition: ``for m``, ``to lock l for reading``, ``for main to end``."""
    match stuck.wait:
        case trace.LockWait():
            return _lock(stuck.wait, names)
        case trace.SignalWait(name, trace.LockWait() as mutex):
            return _WAITS.say("signal and mutex", name=names.code(name), lock=_lock(mutex, names))
        case trace.SignalWait(name):
            return _WAITS.say("signal", name=names.code(name))
        case trace.SemaphoreWait(name):
            return _WAITS.say("semaphore", name=names.code(name))
        case trace.BarrierWait(name, arrived, count):
            have = "has" if arrived == 1 else "have"
            return _WAITS.say("barrier", name=names.code(name), arrived=arrived, count=count, have=have)
        case trace.ChangeWait(name):
            return _WAITS.say("change", name=names.code(name))
        case trace.CallWait(function):
            return _WAITS.say("call", name=names.code(function))
        case trace.TransferWait(descriptor):
            return _WAITS.say("transfer" if descriptor >= 0 else "outside", number=descriptor)
        case trace.ThreadWait(thread):
            return _WAITS.say("own end" if thread == stuck.thread else "end", thread=names.thread(thread))


def holder(stuck: trace.Stuck, names: Names) -> str:
    """Who holds the lock that the thread waits for, or gets it first; "" if it waits for something else."""
    lock, by = stuck.awaits_lock, stuck.holder
    if lock is None or by is None:
        return ""
    if by.is_next:
        return _HOLDERS.say("next", thread=names.thread(by.thread))
    who = "itself" if by.thread == stuck.thread else "other"
    return _HOLDERS.say(
        (who, lock.kind if lock.kind is ObjectKind.ONCE else None),
        thread=names.thread(by.thread),
        since=_HOLDERS.say("since", place=names.place(by.since)) if by.since is not None else "",
        ended=_HOLDERS.say("ended") if by.ended else "",
    )


def _lock(wait: trace.LockWait, names: Names) -> str:
    return _WAITS.say(wait.kind if wait.mode is Mode.EXCLUSIVE else wait.mode, name=names.code(wait.name))


def _outside_circle(stuck: trace.Stuck) -> str:
    return _SENTENCES.say(
        "stands",
        thread=stuck.thread,
        place=stuck.origin,
        what=awaited(stuck, QUOTED),
        holder=holder(stuck, QUOTED),
    )


def _in_circle(stuck: trace.Stuck) -> str:
    """One thread of a circle. The next part of the sentence says who holds what it waits for."""
    what = awaited(stuck, QUOTED)
    return _SENTENCES.say("circle", thread=stuck.thread, holds=_blocks(stuck.blocks), what=what, place=stuck.origin)


def _blocks(held: trace.Hold | None) -> str:
    if held is None:
        return ""
    since = _HOLDERS.say("since", place=held.since)
    key = held.kind if held.kind is ObjectKind.ONCE else "holds"
    return _SENTENCES.say(key, name=QUOTED.code(held.name), since=since)
