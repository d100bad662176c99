"""Relations between the steps of a counterexample: which step enabled which, who holds what, who sleeps.

They are read off the actions of the steps (`cseq.model.trace.Action`), which were observed in the execution.
"""

from collections import defaultdict, deque
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import NamedTuple

from cseq.model.actions import ActionKind, Manner
from cseq.model.trace import Action, Counterexample, Step


class Arrow(NamedTuple):
    """One step enabled another one, of another thread. start, end: their numbers, from 0.

    kind: ``create``, ``join``, ``cancel``; ``lock``, from where a lock was released to where it was taken next;
    ``wake``, from a signal or broadcast to the thread that it woke; ``take``, from where a semaphore was raised to
    where it was lowered; ``barrier``, from the last thread that arrived to another one that leaves; ``once``, from
    where the routine of a ``pthread_once`` had run to the call that found it done.
    name: the name of the object; empty for threads.
    """

    kind: str
    start: int
    end: int
    name: str = ""


class Bar(NamedTuple):
    """A lock that a thread holds from one step to another. end: the number of steps if it is never released.

    slot: from 0; overlapping bars of a thread have different slots. reading: the lock is held for reading.
    """

    thread: int
    start: int
    end: int
    name: str
    reading: bool
    slot: int


class Span(NamedTuple):
    """An interval of steps in the life of a thread. end: the number of steps if it does not end."""

    thread: int
    start: int
    end: int


@dataclass
class Relations:
    """The relations. lives: from the creation of threads to their ends. sleeps: waits for condition variables."""

    arrows: list[Arrow] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)
    lives: list[Span] = field(default_factory=list)
    sleeps: list[Span] = field(default_factory=list)


def relations(shown: Counterexample) -> Relations:
    """The relations between the steps of *shown*."""
    return _Reading(shown).found


@dataclass
class _Open:
    """A lock that is held, or a routine of ``pthread_once`` that runs: since when, how many times, in which slot."""

    start: int
    name: str
    reading: bool
    slot: int
    times: int = 1


class _Reading:
    """Reads the relations off the steps, in the order of time."""

    def __init__(self, shown: Counterexample) -> None:
        self.found = Relations()
        self._count = len(shown.steps)
        self._open: dict[int, dict[Hashable, _Open]] = defaultdict(dict)  # by thread and lock
        self._released: dict[Hashable, tuple[int, int]] = {}  # by lock: step, thread
        self._written: dict[Hashable, tuple[int, int]] = {}  # the same, but for releases by readers
        self._asleep: dict[int, tuple[int, Hashable]] = {}
        self._signals: dict[Hashable, list[tuple[int, int, bool]]] = defaultdict(list)  # step, thread, whether for all
        self._given: dict[Hashable, deque[tuple[int, int]]] = defaultdict(deque)
        self._arrived: dict[Hashable, tuple[int, int]] = {}
        self._born: dict[int, int] = {0: 0}
        self._creation: dict[int, int] = {}  # of threads that have done nothing yet
        self._cancelled: dict[int, int] = {}
        self._last: dict[int, int] = {}
        ended: dict[int, int] = {}
        for number, step in enumerate(shown.steps):
            self._begins(step, number)
            for action in step.actions if not step.stands else ():
                self._act(step, action, number)
                if action.kind is ActionKind.END:
                    ended[step.thread.number] = number
            self._last[step.thread.number] = number
        for thread in shown.threads:
            if thread.number in self._born:
                life = Span(thread.number, self._born[thread.number], ended.get(thread.number, self._count))
                self.found.lives.append(life)
        self._end(shown)
        self.found.sleeps.extend(Span(thread, start, self._count) for thread, (start, _) in self._asleep.items())
        self.found.arrows.sort(key=lambda arrow: (arrow.start, arrow.end))
        self.found.bars.sort(key=lambda bar: bar.start)

    def _end(self, shown: Counterexample) -> None:
        """Close what is held in the end. Deadlocks and data races have more precise names for these locks.

        A thread takes a lock under the name that its line uses, such as `forks[first]`; the precise name is `forks[0]`.
        """
        precise: dict[tuple[int, str, int], list[str]] = defaultdict(list)
        known = [(one.thread, one.holds) for one in shown.stuck] + [(one.thread, one.holds) for one in shown.racing]
        for thread, holds in known:
            for held in holds:
                precise[thread.number, held.since.file, held.since.line].append(held.name)
        for holder, locks in self._open.items():
            for thing, lock in list(locks.items()):
                origin = shown.steps[lock.start].origin
                names = precise[holder, origin.file, origin.line]
                if len(names) == 1:
                    lock.name = names[0]
                self._close(holder, thing, self._count)

    def _begins(self, step: Step, number: int) -> None:
        """Add what other threads did to the thread of the step before it: its creation and cancellation."""
        thread = step.thread.number
        self._born.setdefault(thread, number)
        for kind, waiting in (("create", self._creation), ("cancel", self._cancelled)):
            if thread in waiting:
                self.found.arrows.append(Arrow(kind, waiting.pop(thread), number))

    def _act(self, step: Step, action: Action, number: int) -> None:
        thread = step.thread.number
        thing = action.key
        match action.kind:
            case ActionKind.CREATE if action.thread is not None:
                self._born[action.thread.number] = self._creation[action.thread.number] = number
            case ActionKind.CANCEL if action.thread is not None and action.thread.number != thread:
                self._cancelled[action.thread.number] = number
            case ActionKind.JOIN if action.thread is not None and action.thread.number in self._last:
                self.found.arrows.append(Arrow("join", self._last[action.thread.number], number))
            case ActionKind.LOCK | ActionKind.READ_LOCK | ActionKind.BEGIN:
                self._lock(thread, thing, action, number)
            case ActionKind.UNLOCK | ActionKind.FINISH:
                self._unlock(thread, thing, number)
            case ActionKind.PASS if thing in self._released:
                self._arrow("once", self._released[thing], thread, number, action.name)
            case ActionKind.WAIT:
                self._asleep[thread] = (number, thing)
            case ActionKind.WAKE:
                self._wake(thread, thing, action, number)
            case ActionKind.SIGNAL | ActionKind.BROADCAST:
                self._signals[thing].append((number, thread, action.kind is ActionKind.BROADCAST))
            case ActionKind.GIVE:
                self._given[thing].append((number, thread))
            case ActionKind.TAKE:
                if self._given[thing]:
                    self._arrow("take", self._given[thing].popleft(), thread, number, action.name)
            case ActionKind.ARRIVE:
                self._arrived[thing] = (number, thread)
            case ActionKind.LEAVE if thing in self._arrived:
                self._arrow("barrier", self._arrived[thing], thread, number, action.name)
            case ActionKind.INIT | ActionKind.DESTROY:
                self._forget(thing)

    def _arrow(self, kind: str, source: tuple[int, int], thread: int, number: int, name: str) -> None:
        """Add an arrow, unless it would lead from a thread to itself. source: a step and its thread."""
        if source[1] != thread:
            self.found.arrows.append(Arrow(kind, source[0], number, name))

    def _lock(self, thread: int, thing: Hashable, action: Action, number: int) -> None:
        reading = action.kind is ActionKind.READ_LOCK
        released = (self._written if reading else self._released).get(thing)
        if released is not None:
            self._arrow("lock", released, thread, number, action.name)
        held = self._open[thread]
        if thing in held:
            held[thing].times += 1
            return
        taken = {lock.slot for lock in held.values()}
        slot = next(slot for slot in range(len(taken) + 1) if slot not in taken)
        held[thing] = _Open(number, action.name, reading, slot)

    def _unlock(self, thread: int, thing: Hashable, number: int) -> None:
        lock = self._open[thread].get(thing)
        if lock is not None and lock.times > 1:
            lock.times -= 1
            return
        self._released[thing] = (number, thread)
        if lock is None or not lock.reading:
            self._written[thing] = (number, thread)
        if lock is not None:
            self._close(thread, thing, number)

    def _close(self, thread: int, thing: Hashable, end: int) -> None:
        lock = self._open[thread].pop(thing)
        self.found.bars.append(Bar(thread, lock.start, end, lock.name, lock.reading, lock.slot))

    def _wake(self, thread: int, thing: Hashable, action: Action, number: int) -> None:
        """Add an arrow from a signal. It wakes one waiting thread; if several wait, readers need not know which."""
        if thread not in self._asleep:
            return
        start, _ = self._asleep.pop(thread)
        self.found.sleeps.append(Span(thread, start, number))
        if action.manner is Manner.SPURIOUS:
            return
        signals = self._signals[thing]
        after = [signal for signal in signals if signal[0] >= start and signal[1] != thread]
        if not after:
            return
        chosen = next((signal for signal in after if signal[2]), after[0])
        if not chosen[2]:
            signals.remove(chosen)
        self._arrow("wake", (chosen[0], chosen[1]), thread, number, action.name)

    def _forget(self, thing: Hashable) -> None:
        """Forget the object: from now on there is another one in its place."""
        for kept in (self._released, self._written, self._arrived):
            kept.pop(thing, None)
        self._signals.pop(thing, None)
        self._given.pop(thing, None)
