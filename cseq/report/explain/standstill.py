"""The sentences for deadlocks, data races and endless executions: how they come about, and what has to change."""

from collections.abc import Iterator
from dataclasses import replace
from enum import Enum

from cseq.model import trace
from cseq.model.actions import ActionKind, Mode
from cseq.model.verdict import Property
from cseq.report import races, waits, words
from cseq.report.explain.history import Event, History
from cseq.report.explain.phrases import Phrases, listed, value


class StandstillKind(Enum):
    """Why threads do not go on, or race."""

    ITSELF = "itself"
    """A thread waits for itself."""
    CIRCLE = "circle"
    """Threads wait for each other's locks."""
    JOINS = "joins"
    """Threads wait for each other to end."""
    LOCKED_JOIN = "locked join"
    """A thread waits for another one to end, which waits for a lock that the first one holds."""
    HOLDER_ENDED = "holder ended"
    """A thread has ended while it held a lock."""
    MISSING = "missing"
    """What a thread waits for, such as a signal, does not come."""
    RACE = "race"
    ENDLESS = "endless"


class Deadlock:
    """The sentences for threads that are blocked for ever. kind: the reason, which selects the sentences."""

    def __init__(self, shown: trace.Counterexample, violated: Property, phrases: Phrases) -> None:
        self._shown = shown
        self._origin = violated.origin
        self._phrases = phrases
        self._history = History(shown)
        self._circle = [stuck for stuck in shown.stuck if stuck.in_circle]
        self._joins = [stuck for stuck in self._circle if isinstance(stuck.wait, trace.ThreadWait)]
        self.kind = self._kind()
        names = [lock.name for stuck in self._circle if (lock := stuck.awaits_lock) is not None]
        places = [str(at) for stuck in self._circle for at in (stuck.origin, *(held.since for held in stuck.holds))]
        phrases.shows_calls = len(set(names)) < len(names) or len(set(places)) < len(places)

    def _kind(self) -> StandstillKind:
        if not self._circle:
            ended = any(stuck.holder is not None and stuck.holder.ended for stuck in self._shown.stuck)
            return StandstillKind.HOLDER_ENDED if ended else StandstillKind.MISSING
        if len(self._circle) == 1:
            return StandstillKind.ITSELF
        if len(self._joins) == len(self._circle):
            return StandstillKind.JOINS
        return StandstillKind.LOCKED_JOIN if self._joins else StandstillKind.CIRCLE

    def sentences(self) -> Iterator[str]:
        """The sentences: who waits for what, why that does not come, and what has to change."""
        causes = self._circle or [s for s in self._shown.stuck if not s.who or (s.holder and s.holder.ended)]
        causes = causes or self._shown.stuck
        yield f"a deadlock{f' at {self._origin}' if self._origin else ''}: {self._together(causes)}"
        for stuck in causes:
            yield f"{self._name(stuck)} {self._holding(stuck)}{self._waits(stuck)}"
        yield from self._others([stuck for stuck in self._shown.stuck if stuck not in causes])
        if self._circle:
            yield from self._in_circle()
            return
        said: dict[str, None] = {}
        for stuck in causes:
            said.update(dict.fromkeys(self._why(stuck)))
        yield from said

    def _name(self, stuck: trace.Stuck) -> str:
        return self._phrases.thread(stuck.thread)

    def _place(self, stuck: trace.Stuck) -> str:
        return self._phrases.place(stuck.origin)

    def _together(self, causes: list[trace.Stuck]) -> str:
        names = listed([self._name(stuck) for stuck in causes])
        if not self._circle or len(causes) == 1:
            return f"{names} can never continue"
        return f"{names} wait for each other{'' if len(causes) == 2 else ' in a circle'}"

    def _holding(self, stuck: trace.Stuck) -> str:
        return f"{self._phrases.locks(stuck.holds)} and " if stuck.holds else ""

    def _waits(self, stuck: trace.Stuck) -> str:
        """Where the thread waits and what for; the holder is left out if another sentence names it."""
        what = waits.awaited(stuck, self._phrases)
        is_said = stuck.in_circle and len(self._circle) > 1 and not stuck.waits_for_itself
        by = "" if is_said else waits.holder(stuck, self._phrases)
        return f"waits at {self._place(stuck)} {what}{by}"

    def _others(self, others: list[trace.Stuck]) -> Iterator[str]:
        if others:
            also = [f"{self._name(stuck)}, which {self._waits(stuck)}" for stuck in others]
            are = "is" if len(also) == 1 else "are"
            yield f"also stuck {are} {'; and '.join(also)}"

    def _in_circle(self) -> Iterator[str]:
        """What has to change if threads wait for each other, or one for itself."""
        if self.kind is StandstillKind.ITSELF:
            yield from self._by_itself(self._circle[0])
        elif self.kind is StandstillKind.CIRCLE:
            locks = [self._waited(stuck) for stuck in self._circle]
            known = [f"`{lock.name}`" for lock in locks if lock is not None]
            names = listed(known) if known and len(set(known)) == len(known) else "these locks"
            yield (
                f"all threads have to take {names} in one and the same order, or give back what they "
                "hold where the next one is not free (trylock)"
            )
        elif self.kind is StandstillKind.JOINS:
            yield "threads must not wait for each other's end: one of these joins has to go, or to another thread"
        else:
            yield from (self._joining(stuck) for stuck in self._joins)

    def _by_itself(self, stuck: trace.Stuck) -> Iterator[str]:
        one, place = self._name(stuck), self._place(stuck)
        lock = stuck.awaits_lock
        if lock is None:
            yield f"a thread cannot wait for its own end: another thread has to join {one}, or it has to be detached"
        elif lock.mode is Mode.WRITING and any(held.reading for held in stuck.holds):
            yield f"{one} has to unlock it before {place}: what it holds for reading it cannot lock for writing as well"
        else:
            yield (
                f"{one} has to unlock it before it comes to {place}, or must not lock it there again (a recursive "
                "mutex lets its owner in)"
            )

    def _joining(self, stuck: trace.Stuck) -> str:
        """What a thread must not hold while it waits for another one to end."""
        needed = [lock for other in self._circle if (lock := self._waited(other)) in stuck.holds and lock]
        names = listed([f"`{lock.name}`" for lock in needed]) if needed else "what the others wait for"
        target = listed([self._phrases.thread(thread) for thread in stuck.who])
        if any(self._phrases.is_routine(lock) for lock in needed):
            return f"the routine of {names} must not wait for the end of {target}, which waits for that routine"
        return f"{self._name(stuck)} must not hold {names} while it waits for {target} to end, which needs that first"

    def _waited(self, stuck: trace.Stuck) -> trace.Hold | None:
        """The lock for which a thread waits, as its holder knows it; None if it is free."""
        if not isinstance(stuck.wait, trace.LockWait):
            return None
        held = [(other.thread, lock) for other in self._shown.stuck for lock in other.holds]
        if (by := stuck.holder) is not None:
            of_it = [lock for thread, lock in held if thread == by.thread and lock.since == by.since]
            if len(of_it) == 1:
                return of_it[0]
        return next((lock for _, lock in held if lock.name == stuck.wait.name), None)

    def _why(self, stuck: trace.Stuck) -> Iterator[str]:
        """Why what a thread waits for does not come, and what has to change."""
        if stuck.holder is not None and stuck.holder.ended:
            owner = self._phrases.thread(stuck.holder.thread)
            cancelled = self._history.cancelled(stuck.holder.thread)
            if cancelled is not None:
                yield f"{owner} still held it when it was cancelled: {self._phrases.cancelled(*cancelled)}"
                yield "a cleanup handler (pthread_cleanup_push) has to unlock it"
            else:
                yield f"{owner} has to unlock it on every way to its end"
        else:
            yield from self._missing(stuck, stuck.wait)
        yield from self._blocking(stuck)

    def _missing(self, stuck: trace.Stuck, wait: trace.Wait) -> Iterator[str]:
        """What other threads have not done, and cannot do any more."""
        match wait:
            case trace.SignalWait() | trace.ChangeWait():
                yield from self._signal(stuck, wait.name)
            case trace.SemaphoreWait():
                yield from self._semaphore(stuck, wait.name)
            case trace.BarrierWait(name, arrived, count):
                yield (
                    f"at `{name}` only {arrived} of {count} have arrived, and no other thread will come: the count "
                    "that it is initialised with has to be the number of threads that wait at it each time"
                )

    def _blocking(self, stuck: trace.Stuck) -> Iterator[str]:
        """Which other threads could go on, and perhaps help, if the thread held nothing while it waits."""
        for held in stuck.holds:
            needing = [s for s in self._shown.stuck if s != stuck and self._waited(s) == held]
            if needing:
                names = listed([self._name(other) for other in needing])
                need = "needs" if len(needing) == 1 else "need"
                yield f"{self._name(stuck)} must not hold `{held.name}` while it waits, for {names} {need} it to get on"

    def _signal(self, stuck: trace.Stuck, name: str) -> Iterator[str]:
        one = self._name(stuck)
        steps = self._history.steps
        asleep, wait = self._asleep(stuck.thread)
        if wait is None:
            return
        sent = [
            (number, action)
            for number, step in enumerate(steps)
            for action in step.actions
            if action.kind in (ActionKind.SIGNAL, ActionKind.BROADCAST) and action.key == wait.key
        ]
        sent = [(number, action) for number, action in sent if steps[number].thread != stuck.thread]
        after = [(number, action) for number, action in sent if number > asleep]
        if after:
            number, action = after[-1]
            woken = self._woken(wait.key, number)
            at = f"{self._phrases.thread(steps[number].thread)} signalled `{name}` at {self._at(number)}"
            if action.kind is ActionKind.SIGNAL and woken is not None and woken != stuck.thread:
                yield f"{at}, but a signal wakes one thread, and that was {self._phrases.thread(woken)}"
                yield "where several threads may wait, all of them have to be woken (broadcast), or each needs a signal"
            return
        read = self._history.condition(stuck.thread, asleep)
        if sent and read is not None and read.step > sent[-1][0]:
            yield from self._tested_again(stuck, read, sent[-1][0], name)
            return
        lost = bool(sent) and not self._waiting(wait.key, sent[-1][0])
        if lost:
            number, _ = sent[-1]
            yield (
                f"{self._phrases.thread(steps[number].thread)} signalled `{name}` at {self._at(number)}, before {one} "
                f"began to wait at {self._at(asleep)}, and a signal is lost if no thread waits for it"
            )
        else:
            since = f"since {one} began to wait" if sent else "in this execution"
            yield f"no other thread has signalled `{name}` {since}"
        yield from self._tested(stuck, asleep, name, lost)

    def _tested_again(self, stuck: trace.Stuck, read: Event, sent: int, name: str) -> Iterator[str]:
        """What is missing where the thread has tested its condition since the last signal, which is in step *sent*."""
        one, history = self._name(stuck), self._history
        signaller = history.steps[sent].thread
        two = self._phrases.thread(signaller)
        by = self._stored(read)
        yield f"{one} waits since it had found {value(read)}{by} {self._phrases.at(read)}, after the last signal"
        decided = history.condition(signaller, len(history.steps))
        if decided is not None and decided.step > sent:
            yield (
                f"{two} signalled `{name}` last at {self._at(sent)}, and not again: later it found "
                f"{value(decided)}{self._stored(decided)} {self._phrases.at(decided)}"
            )
        else:
            yield f"{two} signalled `{name}` last at {self._at(sent)}, before that"
        yield f"to let {one} continue, another thread has to change what it found, and then signal `{name}`"

    def _stored(self, read: Event) -> str:
        """Who stored the value that was read: `` (stored by main at line 7)``; "" if no step did."""
        writer = self._history.writer(read)
        if writer is None:
            return ""
        return f" (stored by {self._phrases.thread(writer.thread)} {self._phrases.at(writer)})"

    def _waiting(self, key: object, before: int) -> bool:
        """Whether any thread waited for a condition variable before a step."""
        asleep: set[trace.Thread] = set()
        for step in self._history.steps[:before]:
            for action in step.actions:
                if action.kind is ActionKind.WAIT and action.key == key:
                    asleep.add(step.thread)
                elif action.kind is ActionKind.WAKE:
                    asleep.discard(step.thread)
        return bool(asleep)

    def _tested(self, stuck: trace.Stuck, asleep: int, name: str, lost: bool) -> Iterator[str]:
        """What the thread had found before it began to wait, and whether another thread changed it."""
        one = self._name(stuck)
        read = self._history.condition(stuck.thread, asleep)
        changed = self._history.strangers(read, self._next(asleep)) if read is not None else []
        changed = [event for event in changed if read is not None and event.value != read.value]
        if read is not None and changed:
            other = changed[0]
            two = self._phrases.thread(other.thread)
            yield (
                f"{one} had found {value(read)} {self._phrases.at(read)}, but {two} stored {value(other)} "
                f"{self._phrases.at(other)} before {one} was asleep"
            )
            yield f"the test and the wait have to be under one mutex, which {two} has to hold for that store as well"
        elif read is not None:
            yield f"{one} waits since it had found {value(read)} {self._phrases.at(read)}"
            if not lost:
                yield f"to let it continue, another thread has to change that and then signal `{name}`"
        if lost and not changed:
            yield f"before it waits, {one} has to test under the mutex whether what it waits for has come already"

    def _semaphore(self, stuck: trace.Stuck, name: str) -> Iterator[str]:
        count: dict[trace.Thread, list[int]] = {}
        for number, step in enumerate(self._history.steps):
            for action in step.actions:
                if action.name == name and action.kind is ActionKind.TAKE:
                    count.setdefault(step.thread, []).append(number)
                elif action.name == name and action.kind is ActionKind.GIVE and count.get(step.thread):
                    count[step.thread].pop()
        takers = [(thread, taken[-1]) for thread, taken in count.items() if taken and thread != stuck.thread]
        blocked = {other.thread: other for other in self._shown.stuck}
        keeping = [(thread, number) for thread, number in takers if thread in blocked]
        for thread, number in keeping:
            yield f"{self._phrases.thread(thread)} took `{name}` at {self._at(number)} and has not given it back"
        crossed = [thread for thread, _ in keeping if isinstance(blocked[thread].wait, trace.SemaphoreWait)]
        if crossed:
            yield "if these semaphores are used like locks, all threads have to take them in one and the same order"
        elif not keeping and not stuck.holds:
            yield f"`{name}` has to be posted before all threads that could do that are blocked or have ended"

    def _asleep(self, thread: trace.Thread) -> tuple[int, trace.Action | None]:
        """The step in which the thread last began to wait for a condition variable, and the action; else (0, None)."""
        for number in reversed(range(len(self._history.steps))):
            step = self._history.steps[number]
            if step.thread == thread:
                for action in step.actions:
                    if action.kind is ActionKind.WAIT:
                        return number, action
        return 0, None

    def _woken(self, key: object, since: int) -> trace.Thread | None:
        """The next thread that was woken from a condition variable."""
        for step in self._history.steps[since:]:
            if any(a.kind is ActionKind.WAKE and a.key == key for a in step.actions):
                return step.thread
        return None

    def _next(self, step: int) -> int:
        """The number of the first access from a step on."""
        later = (
            events[0].number for n in range(step, len(self._history.steps)) if (events := self._history.of_step(n))
        )
        return next(later, self._history.end)

    def _at(self, number: int) -> str:
        return self._phrases.place(self._history.steps[number].origin)


class Race:
    """The sentences for two accesses that nothing orders.

    is_weak: whether accesses have the memory orders of C11: then the two need not be next to each other.
    """

    def __init__(
        self, shown: trace.Counterexample, violated: Property, phrases: Phrases, is_weak: bool = False
    ) -> None:
        self._end = "neither happens before the other" if is_weak else "both can happen at the same time"
        self._shown = shown
        self._violated = violated
        self._phrases = phrases
        self._history = History(shown)

    def sentences(self) -> Iterator[str]:
        """The sentences: the two sides, their locks, and what is missing."""
        one, two = self._shown.racing
        name, where = one.name or two.name, self._violated.origin
        yield (
            f"a data race{f' on `{name}`' if name else ''}{f' at {where}' if where else ''}: {self._side(one)}, and "
            f"{self._side(two)}, and {self._end}"
        )
        yield from self._locks(one, two)
        yield from self._instead(one, two)

    def _side(self, side: trace.Racing) -> str:
        inside = f" in `{side.function}`" if side.function else ""
        thread, place = self._phrases.thread(side.thread), self._phrases.place(side.origin)
        return f"{thread} {races.does(side)} it{inside}{races.how(side)} at {place}"

    def _locks(self, one: trace.Racing, two: trace.Racing) -> Iterator[str]:
        first, second = self._phrases.thread(one.thread), self._phrases.thread(two.thread)
        routines = [held.name for side in (one, two) for held in side.holds if self._phrases.is_routine(held)]
        one, two = self._real(one), self._real(two)
        both = f"{first} {self._phrases.locks(one.holds)}, {second} {self._phrases.locks(two.holds)}"
        if one.how or two.how:
            if not (one.how and two.how):
                plain = second if one.how else first
                yield f"only one of the two accesses is atomic: {plain} has to make its access in the same way"
            return
        if routines:
            once = f"`{routines[0]}`"
            yield f"one of them is in the routine of {once}: the other one has to call pthread_once for it first"
        elif not one.holds and not two.holds:
            yield f"neither {first} nor {second} holds a lock there"
            yield "both accesses have to be under the same mutex, or be atomic, or one has to come first"
        elif shared := {held.name for held in one.holds} & {held.name for held in two.holds}:
            yield both
            yield (
                "a lock for reading keeps no other reader out: the thread that writes has to lock "
                f"{_quoted(shared)} for writing"
            )
        elif one.holds and two.holds:
            yield f"{both}: locks that do not exclude each other"
            yield "both have to hold one and the same lock there"
        else:
            has, lacks = (one, two) if one.holds else (two, one)
            names = _quoted({held.name for held in has.holds[:1]})
            yield both
            yield self._tried(lacks)
            yield f"{self._phrases.thread(lacks.thread)} has to hold {names} there as well"

    def _real(self, side: trace.Racing) -> trace.Racing:
        """The side with real locks only."""
        return replace(side, holds=tuple(held for held in side.holds if not self._phrases.is_routine(held)))

    def _tried(self, side: trace.Racing) -> str:
        """A sentence if the thread had tried to get a lock and goes on without it; "" otherwise."""
        for step in reversed(self._history.steps):
            if step.thread == side.thread and not step.stands:
                for action in reversed(step.actions):
                    if action.kind in (ActionKind.TRY, ActionKind.READ_TRY):
                        at = self._phrases.place(step.origin)
                        one = self._phrases.thread(side.thread)
                        return (
                            f"{one} had tried to lock `{action.name}` at {at}, did not get it, and went on all the same"
                        )
                    if action.kind in (ActionKind.LOCK, ActionKind.READ_LOCK, ActionKind.UNLOCK):
                        return ""
        return ""

    def _instead(self, one: trace.Racing, two: trace.Racing) -> Iterator[str]:
        """How creating or joining a thread could order the two accesses."""
        for parent, child in ((one, two), (two, one)):
            created = self._history.creation(child.thread)
            if created is None or self._history.creator(child.thread) != parent.thread:
                continue
            if parent.function == "pthread_create":
                yield f"{self._phrases.thread(child.thread)} may run before pthread_create has stored its result"
                continue
            at = self._phrases.place(self._history.steps[created].origin)
            mother, name = self._phrases.thread(parent.thread), self._phrases.thread(child.thread)
            ways = [f"wait for the end of {name} (join) first"]
            if child.thread in self._history.detached():
                ways = [f"wait until {name} has signalled that it is done (semaphore, condition variable)"]
            if parent.action is trace.RaceKind.WRITE and not parent.function:
                ways.append(f"write it before it creates {name}")
            yield f"{mother} created {name} at {at} and has not waited for it: it could also {listed(ways, 'or')}"


def endless(shown: trace.Counterexample, violated: Property, phrases: Phrases) -> Iterator[str]:
    """The sentences for an execution that goes on for ever."""
    yield words.violation(violated)
    assert shown.cycle is not None
    repeated = shown.steps[shown.cycle :]
    if not repeated:
        yield from _stopped(shown.steps[-1:], phrases)
        return
    threads = {step.thread: None for step in repeated}
    done = []
    for thread in threads:
        places = list(dict.fromkeys(phrases.place(step.origin) for step in repeated if step.thread == thread))
        shown_places = listed(places[:4]) if len(places) <= 4 else f"{listed(places[:4], '')} and more"
        done.append(f"{phrases.thread(thread)} ({shown_places})")
    after = f"after {shown.cycle} steps" if shown.cycle else "from the beginning"
    yield f"there is an execution in which, {after}, the same steps are repeated for ever: of {listed(done)}"
    still = [thread for thread in shown.threads if thread not in threads and _lives(thread, shown.steps)]
    if still:
        names = listed([phrases.thread(thread) for thread in still])
        yield f"in it {names} {'does' if len(still) == 1 else 'do'} nothing any more"


def _stopped(last: list[trace.Step], phrases: Phrases) -> Iterator[str]:
    for step in last:
        yield f"after the step of {phrases.thread(step.thread)} at {phrases.place(step.origin)}, nothing more happens"


def _lives(thread: trace.Thread, steps: list[trace.Step]) -> bool:
    """Whether a thread has made a step, but has not ended."""
    own = [step for step in steps if step.thread == thread]
    return bool(own) and not any(action.kind is ActionKind.END for step in own for action in step.actions)


def _quoted(names: set[str]) -> str:
    return listed([f"`{name}`" for name in sorted(names)])
