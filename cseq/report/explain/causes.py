"""Find the order of accesses that made a claim fail, as far as a counterexample shows it.

The patterns come from studies of concurrency bugs: S. Lu, S. Park, E. Seo, Y. Zhou, "Learning from mistakes",
ASPLOS 2008 (atomicity and order violations), and S. Lu, J. Tucek, F. Qin, Y. Zhou, "AVIO", ASPLOS 2006 (accesses of one
thread that accesses of another thread must not separate).
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from cseq.c.scanner import identifiers
from cseq.model.actions import ActionKind
from cseq.model.trace import Thread
from cseq.report.explain.history import CONTROL, DATA, Event, History, Lock, shared

_ADDRESS_OF = r"&\s*{}\b"
_MOST = 500
"""The number of reads that are considered, of those on which the failure depends: the closest to it come first."""

_FEW = 40
"""The number of reads that are considered where they are compared in pairs."""

_NEAR = 2000
"""The number of accesses after a read that are searched."""

_UNSET = ("0", "0.0", "NULL", "nullptr", "false")
_LOCKING = frozenset({
    ActionKind.LOCK, ActionKind.READ_LOCK, ActionKind.UNLOCK, ActionKind.TRY, ActionKind.READ_TRY,
    ActionKind.WAIT, ActionKind.WAKE, ActionKind.TAKE, ActionKind.GIVE,
    ActionKind.BEGIN, ActionKind.FINISH, ActionKind.PASS,
})  # fmt: skip


class CauseKind(Enum):
    """The pattern of an order of accesses. *first*, *second* and *other* are the events of the `Cause`."""

    UNDEFINED = "undefined"
    """The value of *first* is indeterminate."""
    WOKEN = "woken"
    """The thread tests *first*, waits for a condition variable, and then reads *second*, which *other* has stored."""
    LOST = "lost"
    """The thread reads *first* and stores *second*; *other* comes in between."""
    REREAD = "reread"
    """The thread reads *first* and *second*; *other* is stored in between."""
    STALE = "stale"
    """The thread does what depends on *first* after *other* has been stored."""
    ARGUMENT = "argument"
    """A thread reads *first* at an address that it was given, and its creator has stored *other* there since."""
    FLAG = "flag"
    """The thread reads *first* because it has read *second*, which *other* stored, but no thread has stored *first*."""
    INSIDE = "inside"
    """*first* reads what *other* has stored under a lock that is still held."""
    OVERWRITTEN = "overwritten"
    """The thread stores *first*, another thread stores *other*, and the first thread reads *second*."""
    HALF = "half"
    """*first* reads what *other* has stored, *second* does not, and the storing thread has not ended."""
    EARLY = "early"
    """No thread has stored *first*; or only the thread itself has (*second*), before it created others."""
    NEVER = "never"
    """No thread has stored *first*, and all other threads have ended."""
    PLAIN = "plain"
    """*first* reads what *other* has stored."""


@dataclass(frozen=True)
class Cause:
    """An order of accesses that the failure depends on.

    lock: the lock of ``INSIDE``. level: how the failure depends on it (`history.DATA`, `history.CONTROL`, or 0).
    """

    kind: CauseKind
    first: Event
    other: Event | None = None
    second: Event | None = None
    lock: Lock | None = None
    level: int = 0


class CauseSearch:
    """A search for the order of accesses that made the last step fail.

    seeds: what that step saw. may_be_early: whether it can fail because something has not been stored yet.
    """

    def __init__(self, history: History, seeds: list[Event], *, may_be_early: bool = True) -> None:
        self.history = history
        self._may_be_early = may_be_early
        self.seeds = seeds
        self.thread = history.steps[-1].thread
        self.levels = history.levels(seeds)
        order = sorted(self.levels, key=lambda event: (self.levels[event], -event.number))
        self._relevant = order
        self._reads = [event for event in order if event.kind == "read" and event.shared][:_MOST]
        self._data = [event for event in self._reads if self.levels[event] <= DATA]

    def cause(self) -> Cause | None:
        """The first pattern that fits; the most informative patterns are tried first."""
        return next(self._found(), None)

    def _found(self) -> Iterator[Cause]:
        yield from self._undefined()
        yield from self._woken()
        yield from self._lost()
        yield from self._argument()
        yield from self._reread()
        yield from self._flag()
        yield from self._stale()
        yield from self._overwritten()
        yield from self._inside()
        yield from self._half()
        if self._may_be_early:
            yield from self._early()
        yield from self._plain()

    def _undefined(self) -> Iterator[Cause]:
        for event in self._relevant:
            if event.kind != "undefined" or self.levels[event] > DATA:
                continue
            taken = re.compile(_ADDRESS_OF.format(re.escape(re.split(r"\W", event.name)[0])))
            if not any(taken.search(step.source) for step in self.history.steps if step.thread == event.thread):
                yield Cause(CauseKind.UNDEFINED, event, level=self.levels[event])

    def _woken(self) -> Iterator[Cause]:
        """A thread waits for a condition variable, is woken, and does not test its condition again."""
        history = self.history
        own = [number for number, step in enumerate(history.steps) if step.thread == self.thread]
        woken = next((n for n in reversed(own) if history.does(n, ActionKind.WAKE)), None)
        if woken is None:
            return
        waits = [n for n in own if n < woken and history.does(n, ActionKind.WAIT)]
        if not waits:
            return
        for read in self._data:
            if read.thread != self.thread or read.step <= woken:
                continue
            tested = history.before(read)
            if tested is not None and tested.kind == "read" and tested.step < waits[-1]:
                others = history.strangers(tested, read.number)
                yield Cause(CauseKind.WOKEN, tested, others[-1] if others else None, read, level=self.levels[read])

    def _lost(self) -> Iterator[Cause]:
        """A load, a store of another thread, and a store that overwrites it without having seen it."""
        for read in self._reads:
            written = self.history.after(read)
            if written is None or written.kind != "write":
                continue
            others = [e for e in self.history.strangers(read, written.number) if e.value != read.value]
            if others:
                yield Cause(CauseKind.LOST, read, others[-1], written, level=self.levels[read])

    def _argument(self) -> Iterator[Cause]:
        """Memory whose address a new thread is given, while its creator continues to use it."""
        for read in self._data:
            created = self.history.creation(read.thread)
            writer = self.history.writer(read)
            if created is None or writer is None or writer.step <= created:
                continue
            creator = self.history.steps[created].thread
            earlier = [e for e in self.history.of(read.key) if e.writes and e.step <= created and e.thread == creator]
            touched = any(e.thread == read.thread for e in self.history.of(read.key) if e.number < read.number)
            if writer.thread == creator and earlier and not touched and earlier[-1].value != writer.value:
                yield Cause(CauseKind.ARGUMENT, read, writer, earlier[-1], level=self.levels[read])

    def _reread(self) -> Iterator[Cause]:
        for read in self._data:
            before = self.history.before(read)
            if before is None or before.kind != "read" or before.value == read.value:
                continue
            if _is_in_later_iteration(before, read):
                continue  # a loop that reads it again
            others = self.history.strangers(before, read.number)
            if others and before in self.levels:
                yield Cause(CauseKind.REREAD, before, others[-1], read, level=self.levels[read])

    def _flag(self) -> Iterator[Cause]:
        for event in self._unset():
            for read in self._reads:
                writer = self.history.writer(read)
                if self.levels[read] == CONTROL and writer is not None and read.thread == self.thread:
                    came_from = self._stranger(read, writer)
                    if came_from is not None and not self.history.has_ended(came_from.thread):
                        yield Cause(CauseKind.FLAG, event, came_from, read, level=CONTROL)

    def _stranger(self, read: Event, writer: Event) -> Event | None:
        """The store of another thread from which a value comes, directly or through a store of the reader itself."""
        if writer.thread != read.thread:
            return writer if self.history.creation(read.thread) is None or self._since_creation(writer, read) else None
        for source in self.history.sources(writer):
            if source.kind == "read" and source.key == read.key:
                last = self.history.writer(source)
                return last if last is not None and last.thread != read.thread else None
        return None

    def _since_creation(self, writer: Event, read: Event) -> bool:
        """Whether *writer* stored its value after the reading thread was created."""
        created = self.history.creation(read.thread)
        return created is None or writer.step > created

    def _inside(self) -> Iterator[Cause]:
        """A value that another thread has stored under a lock that it still holds, read without that lock."""
        for read in self._reads:
            writer = self.history.writer(read)
            if writer is None or writer.thread == read.thread:
                continue
            own = self.history.held(read)
            held = self.history.held(writer)
            if own is None or held is None or self.levels[read] > DATA:
                continue
            still = self.history.held_after(writer.thread, read.step)
            for lock in held:
                if lock in still and not shared([lock], own):
                    yield Cause(CauseKind.INSIDE, read, writer, lock=lock, level=self.levels[read])

    def _stale(self) -> Iterator[Cause]:
        for read in self._reads:
            after = self.history.after(read)
            end = after.number if after is not None else self.history.end
            changes = [e for e in self.history.strangers(read, end) if e.value != read.value]
            if not changes:
                continue
            use = self._use(read, changes[0].number, end)
            if use is not read and not self._looks_elsewhere(read, use):
                yield Cause(CauseKind.STALE, read, changes[0], use, level=self.levels[read])

    def _use(self, read: Event, since: int, end: int) -> Event | None:
        """What the thread used the value for: a store; None if it led to the failure; *read* itself if nothing."""
        for use in self.history.events[since + 1 : end][:_NEAR]:
            stores = use.thread == read.thread and use.shared and use.kind == "write" and use in self.levels
            if stores and self.history.leads_to(read, use, since):
                return use
        fails = read.thread == self.thread and self.history.after(read) is None
        if fails and self.history.leads_to(read, None, since):
            return None
        return read

    def _looks_elsewhere(self, read: Event, use: Event | None) -> bool:
        """Whether the same line has accessed other memory since, as in a later iteration of a loop."""
        end = self.history.end if use is None else use.number
        return any(
            e.thread == read.thread and e.origin.line == read.origin.line and e.name == read.name and e.key != read.key
            for e in self.history.events[read.number + 1 : end][:_NEAR]
        )

    def _overwritten(self) -> Iterator[Cause]:
        for read in self._data:
            before = self.history.before(read)
            if before is None or before.kind != "write" or before.value == read.value:
                continue
            if _is_in_later_iteration(before, read):
                continue  # one iteration of a loop does not rely on what the previous one left
            others = self.history.strangers(before, read.number)
            if others:
                yield Cause(CauseKind.OVERWRITTEN, before, others[-1], read, level=self.levels[read])

    def _half(self) -> Iterator[Cause]:
        fresh = [(read, self.history.writer(read)) for read in self._data if read.thread == self.thread][:_FEW]
        for read, writer in fresh:
            if writer is None or self._is_settled(writer, read):
                continue
            if any(thread.number and thread != writer.thread for thread in self.unfinished()):
                continue  # that thread may be the one that stores the other value
            for old, last in fresh:
                other = last is None or last.thread not in (writer.thread, self.thread)
                if old.name != read.name and other and self._still_holds(old):
                    yield Cause(CauseKind.HALF, read, writer, old, level=self.levels[read])

    def _still_holds(self, read: Event) -> bool:
        """Whether no thread has stored to the memory since *read*."""
        last = next((e for e in reversed(self.history.of(read.key)) if e.writes), None)
        return last is None or last.number < read.number

    def _is_settled(self, writer: Event, read: Event) -> bool:
        """Whether the writer has ended, is the reader itself, or wrote before the reader was created."""
        return (
            writer.thread == read.thread
            or self.history.has_ended(writer.thread)
            or not self._since_creation(writer, read)
        )

    def _early(self) -> Iterator[Cause]:
        for read in self._unset():
            kind = CauseKind.EARLY if self.unfinished() else CauseKind.NEVER
            yield Cause(kind, read, level=self.levels[read])
        for read in self.seeds:
            writer = self.history.writer(read) if read.kind == "read" and read.shared else None
            if writer is not None and writer.thread == self.thread and any(
                (self.history.creation(thread) or 0) > writer.step for thread in self.unfinished()
            ):  # fmt: skip
                yield Cause(CauseKind.EARLY, read, second=writer)

    def _unset(self) -> Iterator[Event]:
        """The reads of memory that was never stored to, among what the failing step saw or had copied to locals."""
        for seed in self.seeds:
            for event in [seed] if seed.kind == "read" else self.history.sources(seed):
                unset = event.kind == "read" and event.shared and event.value in _UNSET
                if unset and event.thread == self.thread and self.history.writer(event) is None:
                    yield event

    def _plain(self) -> Iterator[Cause]:
        for read in self._reads:
            writer = self.history.writer(read)
            if writer is not None and writer.thread != read.thread and self._since_creation(writer, read):
                yield Cause(CauseKind.PLAIN, read, writer, level=self.levels[read])

    def unfinished(self) -> list[Thread]:
        """The other threads that have been created and have not ended."""
        return [
            thread
            for thread in self.history.threads
            if thread != self.thread
            and not self.history.has_ended(thread)
            and (thread.number == 0 or self.history.creation(thread) is not None)
        ]

    def is_alone(self) -> bool:
        """Whether nothing that other threads did after this one was created has affected the thread that fails.

        It has read no value of theirs, and has not synchronised with them at a lock or the like.
        """
        if self.history.is_partial:
            return False
        for event in self.history.events:
            writer = self.history.writer(event) if event.kind == "read" and event.thread == self.thread else None
            stranger = writer is not None and event.shared and writer.thread != self.thread
            if stranger and writer is not None and self._since_creation(writer, event):
                return False
        return not self._meets()

    def _meets(self) -> bool:
        """Whether the thread has joined another one, or has used a synchronisation object that others have used."""
        steps = enumerate(self.history.steps)
        if any(step.thread == self.thread and self.history.does(n, ActionKind.JOIN) for n, step in steps):
            return True
        users: dict[object, set[int]] = {}
        for step in self.history.steps:
            for action in step.actions:
                if action.kind in _LOCKING:
                    users.setdefault(action.key, set()).add(step.thread.number)
        return any(self.thread.number in numbers and len(numbers) > 1 for numbers in users.values())


def _is_in_later_iteration(before: Event, after: Event) -> bool:
    """Whether *after* is in a later iteration of a loop than *before*."""
    first, last = before.origin, after.origin
    if first == last or (first.file, first.function, first.path) != (last.file, last.function, last.path):
        return False
    return last.line <= first.line or last.iteration != first.iteration


def seeds(history: History, claim: str) -> list[Event]:
    """What the last step saw: what it read, or found in locals. claim: the text of an assertion, or "".

    Without a claim, what was found at the last condition before the step is added. If locals are not known, it is what
    the thread has read last.
    """
    found = _seeds(history, claim)
    if found or not claim or not history.is_partial:
        return found
    thread = history.steps[-1].thread
    own = (n for n in reversed(range(len(history.steps))) if history.steps[n].thread == thread)
    reads = ([event for event in history.of_step(n) if event.kind == "read"] for n in own)
    return next(filter(None, reads), [])


def _seeds(history: History, claim: str) -> list[Event]:
    last = len(history.steps) - 1
    if claim:
        parts = [e for number in history.statement(last) for e in history.of_step(number) if e.kind == "read"]
        fresh = _set_before(history, last, claim)
        named = [fresh.get(event.name, event) for event in history.names(last, claim)]
        return list(_once([*parts, *named, *fresh.values()]))
    found = history.seen_at(last)
    for branch in reversed(history.branches(history.steps[last].thread, last)):
        parts = [e for number in history.statement(branch) for e in history.seen_at(number)]
        if parts:
            return list(_once([*found, *parts]))
    return list(_once(found))


def _set_before(history: History, step: int, claim: str) -> dict[str, Event]:
    """The last stores to locals that *claim* mentions in its own step, made by earlier statements."""
    found = {event.name: event for event in history.of_step(step) if event.writes and not event.shared}
    mentioned = set(identifiers(claim))
    return {name: event for name, event in found.items() if name in mentioned and not _sets(claim, name)}


def _sets(claim: str, name: str) -> bool:
    """Whether evaluating *claim* itself changes the local *name*."""
    this = rf"(?<![\w.>]){re.escape(name)}\b"
    return bool(re.search(rf"(?:\+\+|--)\s*{this}|{this}\s*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)?=(?!=))", claim))


def _once(events: Iterable[Event]) -> Iterable[Event]:
    return dict.fromkeys(events)
