"""The history of a counterexample: who stored what a thread reads, which locks are held, what a value depends on.

Dependence is read off the steps: from the accesses of a statement, and from the names of locals in its text. If a line
holds several statements, that is too much; and it may miss what is computed on lines without a step. So it serves to
choose what an explanation mentions, and proves nothing.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, takewhile

from cseq.c.scanner import code, identifiers, tokens
from cseq.model.actions import ActionKind, Manner
from cseq.model.origin import Origin
from cseq.model.trace import Counterexample, Step, Thread

DATA, CONTROL = 1, 2
"""How a failure depends on an access: through a value, or through a branch. 0: the failing step itself saw it."""

_BRANCH = re.compile(r"(\}?\s*else\s+)?\}?\s*(if|while|for|switch)\b|__VERIFIER_assume\b|assume_abort_if_not\b")
_LOCKS = frozenset({
    ActionKind.LOCK, ActionKind.READ_LOCK, ActionKind.UNLOCK, ActionKind.TRY, ActionKind.READ_TRY,
})  # fmt: skip
"""The actions on locks."""

_PARTS = 8
"""The most parts of one statement; with more, it is taken for a loop."""

_NEAR = 3
"""The number of last conditions that are assumed to decide what comes next."""


@dataclass(frozen=True, eq=False)
class Event:
    """One access. number: its place among all, in time. step: the number of its step. key: identifies the memory."""

    number: int
    step: int
    thread: Thread
    origin: Origin
    kind: str
    name: str
    value: str
    key: Hashable
    shared: bool

    @property
    def writes(self) -> bool:
        """Whether it sets the value, be it to an indeterminate one."""
        return self.kind != "read"


@dataclass(frozen=True)
class Lock:
    """A lock that a thread holds. since: the place where it was taken."""

    name: str
    key: Hashable
    since: Origin
    reading: bool = False


def shared(some: Iterable[Lock], others: Sequence[Lock]) -> list[Lock]:
    """The locks of *some* that are also among *others*, whatever their names are there."""
    return [lock for lock in some if any(lock.key == other.key for other in others)]


def _number(event: Event) -> int:
    return event.number


class History:
    """The accesses of a counterexample in order, and what led to each. end: the number of accesses."""

    def __init__(self, shown: Counterexample) -> None:
        self.steps = shown.steps
        self.is_partial = shown.partial
        self.threads = shown.threads
        self.events: list[Event] = []
        self._of_step: list[list[Event]] = []
        self._starts: list[int] = []  # for each step the number of the first access since it began
        self._by_key: dict[Hashable, list[Event]] = defaultdict(list)
        self._locals: dict[tuple[int, str], list[Event]] = defaultdict(list)
        self._parts: dict[tuple[int, str], dict[str, None]] = defaultdict(dict)  # names by their first words
        self._turns: dict[int, list[int]] = defaultdict(list)  # the steps of each thread
        self._place: list[int] = []  # of each step among those of its thread
        for number, step in enumerate(self.steps):
            self._place.append(len(self._turns[step.thread.number]))
            self._turns[step.thread.number].append(number)
            self._starts.append(len(self.events))
            self._of_step.append(list(self._seen(number, step)))
        self.end = len(self.events)

    def _seen(self, number: int, step: Step) -> Iterator[Event]:
        for access in step.accesses:
            key: Hashable = (step.thread.number, access.name)
            if access.shared:
                key = access.address or access.name
            event = Event(
                len(self.events), number, step.thread, step.origin, access.kind, access.name, access.value, key,
                access.shared,
            )  # fmt: skip
            self.events.append(event)
            self._by_key[key].append(event)
            if not access.shared and event.writes:
                self._locals[step.thread.number, access.name].append(event)
                self._parts[step.thread.number, _root(access.name)][access.name] = None
            yield event

    def does(self, number: int, kind: ActionKind) -> bool:
        """Whether an action of a step is of this kind."""
        return any(action.kind is kind for action in self.steps[number].actions)

    def cancelled(self, thread: Thread) -> tuple[Step, Step] | None:
        """The step that cancelled *thread*, and the step at which it ended therefore; None if that did not happen."""
        asked = None
        for step in self.steps:
            for action in step.actions:
                if action.kind is ActionKind.CANCEL and action.thread == thread:
                    asked = step
                elif step.thread == thread and action.kind is ActionKind.END and action.manner is Manner.CANCELLED:
                    return (asked, step) if asked is not None else None
        return None

    def of_step(self, number: int) -> list[Event]:
        """The accesses of a step."""
        return self._of_step[number]

    def of(self, key: Hashable) -> list[Event]:
        """All accesses to a piece of memory, in order."""
        return self._by_key[key]

    def writer(self, read: Event) -> Event | None:
        """The store of the value that is read; None if the program has not stored to that memory."""
        return next((e for e in self._earlier(read) if e.writes), None)

    def before(self, event: Event) -> Event | None:
        """The previous access of the same thread to the same memory."""
        return next((e for e in self._earlier(event) if e.thread == event.thread), None)

    def after(self, event: Event) -> Event | None:
        """The next access of the same thread to the same memory."""
        return next((e for e in self._later(event) if e.thread == event.thread), None)

    def strangers(self, event: Event, end: int) -> list[Event]:
        """The stores of other threads to the same memory between *event* and the access with the number *end*."""
        between = takewhile(lambda e: e.number < end, self._later(event))
        return [e for e in between if e.kind == "write" and e.thread != event.thread]

    def _earlier(self, event: Event) -> Iterator[Event]:
        """The accesses to the same memory before *event*, the last one first."""
        same = self._by_key[event.key]
        return (same[place] for place in range(bisect_left(same, event.number, key=_number) - 1, -1, -1))

    def _later(self, event: Event) -> Iterator[Event]:
        """The accesses to the same memory after *event*."""
        same = self._by_key[event.key]
        return (same[place] for place in range(bisect_left(same, event.number, key=_number) + 1, len(same)))

    def has_ended(self, thread: Thread) -> bool:
        """Whether the thread has ended."""
        return thread.number in self._ended

    def last_step(self, thread: Thread) -> Step | None:
        """The last step of a thread."""
        turns = self._turns.get(thread.number)
        return self.steps[turns[-1]] if turns else None

    def creator(self, thread: Thread) -> Thread | None:
        """The thread that created *thread*; None for main."""
        number = self.creation(thread)
        return self.steps[number].thread if number is not None else None

    def creation(self, thread: Thread) -> int | None:
        """The number of the step that creates *thread*; None for main."""
        return self._created.get(thread.number)

    def joined(self, thread: Thread, by: Thread | None = None) -> bool:
        """Whether any thread, or the thread *by*, has joined *thread*."""
        return any(
            action.kind is ActionKind.JOIN and action.thread == thread and by in (None, step.thread)
            for step in self.steps
            for action in step.actions
        )

    def detached(self) -> set[Thread]:
        """The threads that have been detached."""
        return {
            action.thread
            for step in self.steps
            for action in step.actions
            if action.kind is ActionKind.DETACH and action.thread is not None
        }

    def condition(self, thread: Thread, step: int) -> Event | None:
        """The last read of shared memory at one of the last conditions of *thread* before a step."""
        for number in reversed(self.branches(thread, step)[-_NEAR:]):
            reads = [e for e in self._of_step[number] if e.kind == "read" and e.shared]
            if reads:
                return reads[-1]
        return None

    @cached_property
    def _ended(self) -> set[int]:
        return {step.thread.number for n, step in enumerate(self.steps) if self.does(n, ActionKind.END)}

    @cached_property
    def _created(self) -> dict[int, int]:
        return {t.number: number for number, step in enumerate(self.steps) for t in step.created}

    # Locks

    @cached_property
    def _held(self) -> list[tuple[Lock, ...]]:
        """For each step the locks that its thread holds after it."""
        found: list[tuple[Lock, ...]] = []
        held: dict[int, dict[Hashable, list[Lock]]] = defaultdict(lambda: defaultdict(list))
        for step in self.steps:
            own = held[step.thread.number]
            for action in step.actions:
                if action.kind in (ActionKind.LOCK, ActionKind.READ_LOCK):
                    reading = action.kind is ActionKind.READ_LOCK
                    own[action.key].append(Lock(action.name, action.key, step.origin, reading))
                elif action.kind is ActionKind.UNLOCK and own[action.key]:
                    own[action.key].pop()
                elif action.kind is ActionKind.INIT:
                    for each in held.values():
                        each.pop(action.key, None)
            found.append(tuple(locks[0] for locks in own.values() if locks))
        return found

    def held(self, event: Event) -> tuple[Lock, ...] | None:
        """The locks that the thread holds at an access; None if its step acts on locks itself."""
        if any(action.kind in _LOCKS for action in self.steps[event.step].actions):
            return None
        return self._held[event.step]

    def held_after(self, thread: Thread, step: int) -> tuple[Lock, ...]:
        """The locks that *thread* holds after the step with this number, which may be a step of another thread."""
        own = self._turns.get(thread.number, [])
        place = bisect_left(own, step + 1)
        return self._held[own[place - 1]] if place else ()

    def keeps(self, lock: Lock, first: Event, last: Event) -> bool:
        """Whether the thread of *first* holds the lock from there to *last* without releasing it."""
        steps = [n for n in self._turns[first.thread.number] if first.step <= n <= last.step]
        return all(any(held.key == lock.key and held.since == lock.since for held in self._held[n]) for n in steps)

    # Dependence

    def names(self, step: int, text: str | None = None) -> Iterator[Event]:
        """The accesses that set the locals and results of functions that a step (or *text* in it) mentions."""
        at = self.steps[step]
        said = at.source if text is None else text
        first = self._starts[step]
        for word in dict.fromkeys(identifiers(said)):
            for name in self._mentioned(at.thread, word, "".join(code(said).split())):
                found = self._local(at.thread, name, at.origin.function, first, step)
                if found is not None and found.kind == "undefined":
                    results = list(self._results(word, found.step, step))
                    yield from results or [found]
                elif found is not None:
                    yield found

    def _mentioned(self, thread: Thread, word: str, text: str) -> list[str]:
        """The names of locals that begin with *word* and occur in *text*; all parts if none occurs literally."""
        names = [name for name in self._parts.get((thread.number, word), ()) if name not in (word, f"{word}()")]
        exact = [name for name in names if "".join(name.split()) in text]
        return [word, f"{word}()", *(exact or names)]

    def _local(self, thread: Thread, name: str, function: str | None, before: int, step: int) -> Event | None:
        """The access that last set a local of *function*: in the function itself, or at the call of it."""
        known = self._locals[thread.number, name]
        for place in range(bisect_left(known, before, key=_number) - 1, -1, -1):
            event = known[place]
            if event.step >= step:
                continue
            if name.endswith("()") or event.origin.function == function or self._goes_into(event.step) == function:
                return event
        return None

    def _goes_into(self, step: int) -> str | None:
        """The function in which the thread is after a step."""
        turns = self._turns[self.steps[step].thread.number]
        after = self._place[step] + 1
        return self.steps[turns[after]].origin.function if after < len(turns) else None

    def statement(self, step: int) -> list[int]:
        """The steps, up to this one, of a statement that other threads have interrupted.

        A previous step that stores to the same memory as a later one belongs to an earlier execution of the statement.
        """
        turns = self._turns[self.steps[step].thread.number]
        stored = {event.key for event in self._of_step[step] if event.writes}
        found = [step]
        while (place := self._place[found[0]]) and len(found) < _PARTS:
            before = turns[place - 1]
            written = {event.key for event in self._of_step[before] if event.writes}
            if self.steps[before].origin != self.steps[step].origin or stored & written:
                break
            stored |= written
            found.insert(0, before)
        return found

    def sources(self, event: Event) -> Iterator[Event]:
        """The accesses from which the value of *event*, or the choice of its memory, comes."""
        if event.kind == "read":
            writer = self.writer(event)
            if writer is not None:
                yield writer
            yield from self.names(event.step, event.name)
            return
        if event.kind == "undefined":
            return
        for step in self.statement(event.step):
            yield from (e for e in self._of_step[step] if e.kind == "read" and e.number < event.number)
            yield from (e for e in self.names(step) if e.number < event.number and not self._replaced(e, event, step))

    def _replaced(self, before: Event, event: Event, step: int) -> bool:
        """Whether *before* is only the old value of a variable that the statement overwrites without reading it."""
        text = code(self.steps[step].source)
        name = re.escape(event.name)
        return (
            before.name == event.name
            and len(re.findall(rf"(?<![\w.])(?<!->){name}(?!\w)", text)) == 1
            and bool(re.search(rf"\b{name}\s*(=(?!=)|[,;])", text))
        )

    def _results(self, name: str, first: int, end: int) -> Iterator[Event]:
        """What the threads returned whose joins store their results in a local that has no other value."""
        for number in self._handed(self.steps[first], name):
            for action in self.steps[number].actions if first <= number < end else ():
                last = self._turns.get(action.thread.number, []) if action.thread is not None else []
                if action.kind is ActionKind.JOIN and last:
                    yield from self.seen_at(last[-1])

    def is_certain(self, local: Event) -> bool:
        """Whether a local still has the value that it got there: its address is taken nowhere else."""
        handed = self._handed(self.steps[local.step], _root(local.name))
        return all(number == local.step for number in handed)

    def _handed(self, step: Step, name: str) -> list[int]:
        """The steps of the same function and thread that take the address of *name*."""
        return self._pointed.get((step.thread.number, step.origin.function, name), [])

    @cached_property
    def _pointed(self) -> dict[tuple[int, str | None, str], list[int]]:
        found: dict[tuple[int, str | None, str], list[int]] = defaultdict(list)
        for number, step in enumerate(self.steps):
            for word in {word for before, word in pairwise(tokens(step.source)) if before == "&"}:
                found[step.thread.number, step.origin.function, word].append(number)
        return found

    def branches(self, thread: Thread, step: int, first: int = 0) -> list[int]:
        """The steps from *first* up to, but not including, *step* in which the thread evaluated a condition."""
        own = self._branches.get(thread.number, [])
        return own[bisect_left(own, first) : bisect_left(own, step)]

    @cached_property
    def _branches(self) -> dict[int, list[int]]:
        return {
            thread: [number for number in own if _BRANCH.match(self.steps[number].source.strip())]
            for thread, own in self._turns.items()
        }

    def seen_at(self, step: int, text: str | None = None) -> list[Event]:
        """What a step reads, or finds in locals (with *text*, in the locals that it mentions)."""
        return [*(e for e in self._of_step[step] if e.kind == "read"), *self.names(step, text)]

    def levels(self, seeds: list[Event]) -> dict[Event, int]:
        """The accesses on which the *seeds*, which the last step sees, depend; and how, as `DATA`, `CONTROL` or 0."""
        found = dict.fromkeys(seeds, 0)
        fresh = [*seeds, *self._follow(list(seeds), found, DATA)]
        reached: dict[int, int] = {}  # by thread: the step up to which its conditions count
        last = len(self.steps) - 1
        todo = [(self.steps[last].thread, last), *((e.thread, e.step) for e in fresh)]
        while todo:
            thread, step = todo.pop()
            start = reached.get(thread.number, -1)
            if start >= step:
                continue
            reached[thread.number] = step
            fresh = [e for n in self.branches(thread, step, start + 1) for e in self.seen_at(n) if e not in found]
            found.update(dict.fromkeys(fresh, CONTROL))
            fresh += self._follow(list(fresh), found, CONTROL)
            todo += [(e.thread, e.step) for e in fresh]
        return found

    def _follow(self, todo: list[Event], found: dict[Event, int], level: int) -> list[Event]:
        """Add to *found* the accesses from which the values of *todo* come, and return the new ones."""
        fresh = []
        while todo:
            for source in self.sources(todo.pop()):
                if source not in found:
                    found[source] = level
                    todo.append(source)
                    fresh.append(source)
        return fresh

    def feeds(self, read: Event, written: Event) -> bool:
        """Whether the value that is *written* comes from what the same thread has *read*."""
        todo, seen = [written], {written}
        while todo:
            for source in self.sources(todo.pop()):
                if source == read:
                    return True
                if source.thread == read.thread and source.number >= read.number and source not in seen:
                    seen.add(source)
                    todo.append(source)
        return False

    def name(self, event: Event) -> str:
        """A name for the memory: that of a variable if any access uses one."""
        names = [e.name for e in self._by_key[event.key] if e.shared and e.name.isidentifier()]
        return event.name if event.name.isidentifier() or not names else names[0]

    def leads_to(self, read: Event, use: Event | None, since: int) -> bool:
        """Whether the value that a thread read decides what it does later: *use*, or its last step if that is None.

        since: stores before the access with this number are over, and are not followed.
        """
        step = len(self.steps) - 1 if use is None else use.step
        todo = [e for n in self._decisive(read, step) for e in self.seen_at(n)]
        todo += [e for n in self.statement(step) for e in self.seen_at(n)] if use is None else list(self.sources(use))
        seen = set(todo)
        while todo:
            event = todo.pop()
            if event == read:
                return True
            if event.shared and event.writes and event.number < since:
                continue
            for source in self.sources(event):
                if source.thread == read.thread and source.number >= read.number and source not in seen:
                    seen.add(source)
                    todo.append(source)
        return False

    def _decisive(self, read: Event, step: int) -> list[int]:
        """The conditions between *read* and *step* that still matter at *step*, judged by their functions."""
        origin = self.steps[step].origin
        around = {origin.function, *(call.function for call in origin.path)}
        last = [n for n in self.branches(read.thread, step) if n >= read.step][-_NEAR:]
        return [n for n in last if self.steps[n].origin.function in around]


def _root(name: str) -> str:
    """The name of the object of which *name* denotes a part: its first identifier."""
    return next(iter(identifiers(name)), "")
