"""The sentences for an order of accesses that made a claim fail, and for what has to be ordered or protected."""

import re
from collections.abc import Iterator, Sequence
from enum import Enum

from cseq.model.actions import ActionKind
from cseq.model.claims import Claim, Kind, MemoryState, Reason
from cseq.model.origin import Origin
from cseq.model.trace import Action, Thread
from cseq.model.verdict import Property
from cseq.report import words
from cseq.report.explain import misuse
from cseq.report.explain.causes import Cause, CauseKind, CauseSearch
from cseq.report.explain.history import DATA, Event, shared
from cseq.report.explain.phrases import Phrases, listed, value

_MOVES = re.compile(r"\b(realloc|reallocarray|free)\b")
"""Calls that free memory, also where the step does not show that."""

_SHOWN = 4
"""The number of values that are shown of what the claim has found, and the number of inputs."""


class AccountKind(Enum):
    """What an account is about if it is not about an order of accesses."""

    MISUSE = "misuse"
    FREED = "freed"
    ENDED = "ended"
    LEAKED = "leaked"
    ALONE = "alone"
    UNKNOWN = "unknown"


class Account:
    """The account of a violation at one place.

    kind: what is at fault, which selects the sentences.
    """

    def __init__(self, search: CauseSearch, violated: Property, phrases: Phrases) -> None:
        self._search = search
        self._history = search.history
        self._violated = violated
        self._phrases = phrases
        self._thread = search.thread
        self._cause: Cause | None = None
        self.kind = self._kind()
        phrases.shows_calls = self._shares_a_line()

    def _kind(self) -> AccountKind | CauseKind:
        claim = self._violated.claim
        if claim.kind is Kind.MISUSE:
            return AccountKind.MISUSE
        freed = _place(claim, MemoryState.FREED)
        if freed is not None and self._freed(freed):
            return AccountKind.FREED
        if _place(claim, MemoryState.ENDED) is not None:
            return AccountKind.ENDED
        if claim.reason is Reason.LEAK:
            return AccountKind.LEAKED
        self._cause = self._search.cause()
        if self._cause is not None and not (self._cause.kind is CauseKind.PLAIN and self._search.is_alone()):
            return self._cause.kind
        return AccountKind.ALONE if self._search.is_alone() else AccountKind.UNKNOWN

    def sentences(self) -> Iterator[str]:
        """The sentences."""
        if self.kind is AccountKind.MISUSE:
            yield from misuse.sentences(self._history, self._violated, self._phrases)
            yield from self._inputs()
            return
        yield f"{words.violation(self._violated)}{self._found()}"
        claim = self._violated.claim
        match self.kind:
            case AccountKind.FREED:
                yield from self._freeing(_place(claim, MemoryState.FREED))
                return
            case AccountKind.ENDED:
                yield from self._ended(_place(claim, MemoryState.ENDED))
                return
            case AccountKind.LEAKED:
                yield "it has to be freed while something still leads to it"
                return
            case AccountKind.ALONE:
                yield from self._alone()
            case AccountKind.UNKNOWN:
                yield "this execution does not show which of the earlier steps should have come in another order"
            case _:
                yield from getattr(self, f"_{self.kind.value}")(self._cause)
        yield from self._inputs()

    def _shares_a_line(self) -> bool:
        """Whether two accesses of the cause are on one line of a function that was called at two places."""
        events = [] if self._cause is None else [self._cause.first, self._cause.other, self._cause.second]
        places = {event.origin for event in events if event is not None}
        return len({str(place) for place in places}) < len({(str(place), place.path) for place in places})

    def _freed(self, place: Origin) -> Thread | None:
        """The thread that has freed the memory at *place*, by a call that shows it or by `realloc`; or None."""
        there = [n for n, step in enumerate(self._history.steps[:-1]) if step.origin[:2] == place[:2]]
        frees = [n for n in there if self._history.does(n, ActionKind.FREE)]
        moves = [n for n in there if _MOVES.search(self._history.steps[n].source)]
        return self._history.steps[(frees or moves)[-1]].thread if frees or moves else None

    def _freeing(self, place: Origin | None) -> Iterator[str]:
        assert place is not None
        thread = self._freed(place)
        assert thread is not None
        where = self._phrases.place(place)
        one = self._phrases.thread(self._thread)
        if thread == self._thread:
            yield f"{one} itself had freed it at {where}"
            yield f"{one} must not use it after that"
            return
        two = self._phrases.thread(thread)
        yield f"{two} had freed it at {where}, while {one} was still to use it"
        yield "it must not be freed before all threads are done with it (join them first, or let the last user free it)"

    def _ended(self, place: Origin | None) -> Iterator[str]:
        """The sentence for an access to an object after the end of its life."""
        assert place is not None
        there = (step.thread for step in reversed(self._history.steps) if step.origin[:2] == place[:2])
        owner = next(there, self._thread)
        where = self._phrases.place(place)
        yield (
            f"the object was a local of {self._phrases.thread(owner)}, whose life ended at {where}: its address must "
            "not be used longer than that, or it has to live longer (on the heap, or static)"
        )

    def _found(self) -> str:
        """What was seen at the place of the violation."""
        seen: dict[tuple[Thread, str], str] = {}
        for event in self._search.seeds:
            if "…" in event.name:
                continue
            if event.kind == "read" or (event.kind == "write" and self._history.is_certain(event)):
                whose = ""
                if event.thread != self._thread:
                    whose = f" as what {self._phrases.thread(event.thread)} has returned"
                seen.setdefault((event.thread, event.name), f"{value(event)}{whose}{self._from(event)}")
        parts = list(seen.values())[:_SHOWN]
        thread = self._phrases.thread(self._thread)
        return f": {thread} finds {listed(parts)}" if parts else f", by {thread}"

    def _from(self, event: Event) -> str:
        """Where a value that was found comes from."""
        writer = self._history.writer(event) if event.kind == "read" else None
        if writer is not None:
            who = "itself" if writer.thread == event.thread else self._phrases.thread(writer.thread)
            return f" (stored by {who} {self._phrases.at(writer)})"
        if event.kind == "read":
            return " (not stored before)" if event.shared else ""
        before = [e for e in self._history.of_step(event.step) if e.writes and e.number < event.number]
        since = before[-1].number if before else -1
        reads = {e.name: value(e) for e in self._history.sources(event) if e.kind == "read" and e.number > since}
        reads.pop(event.name, None)
        return f" (from {listed(list(reads.values())[:_SHOWN])})" if reads else ""

    def _inputs(self) -> Iterator[str]:
        """The inputs on which the violation depends."""
        found = {}
        for event, level in self._search.levels.items():
            step = self._history.steps[event.step]
            if level <= DATA and event.kind == "write" and event.value in step.inputs:
                found[event.step] = f"{value(event)} {self._phrases.at(event)}"
        if found:
            yield f"it takes certain inputs, here {listed([found[step] for step in sorted(found)][:_SHOWN])}"

    def _alone(self) -> Iterator[str]:
        thread = self._phrases.thread(self._thread)
        yield (
            f"{thread} has not seen anything that another thread did since it began, so it takes no special order of "
            "threads: the fault lies in what this one does by itself"
        )

    # One method for each kind of cause

    def _undefined(self, cause: Cause) -> Iterator[str]:
        first = cause.first
        yield (
            f"`{first.name}` has no value where it is declared {self._phrases.at(first)}, so it can have any, and has "
            f"{first.value} here"
        )
        yield "it has to be given a value before it is used"

    def _lost(self, cause: Cause) -> Iterator[str]:
        first, other, second = cause.first, _of(cause.other), _of(cause.second)
        one, two = self._two(first, other)
        updated = self._history.feeds(first, second)
        end = f"so the update of {two} is lost" if updated else f"so what {two} had stored is overwritten unseen"
        yield (
            f"{one} had read {value(first)} {self._phrases.at(first)}, then {two} stored {self._stored(other, first)}, "
            f"and then {one} stored {value(second)} {self._phrases.at(second)} without "
            f"having seen that, {end}"
        )
        yield from self._protect(first, other, second, "the load and the store must not be parted", atomic=updated)

    def _reread(self, cause: Cause) -> Iterator[str]:
        first, other, second = cause.first, _of(cause.other), _of(cause.second)
        one, two = self._two(first, other)
        yield (
            f"{one} had read {value(first)} {self._phrases.at(first)}, but when it reads the same memory again "
            f"{self._phrases.at(second)} it finds {second.value}: in between {two} stored {self._stored(other, first)}"
        )
        yield from self._protect(first, other, second, "what was found first must still hold when it is relied on")

    def _stale(self, cause: Cause) -> Iterator[str]:
        first, other = cause.first, _of(cause.other)
        one, two = self._two(first, other)
        use = cause.second
        what = f"came to {self._phrases.place(self._history.steps[-1].origin)}"
        if use is not None:
            what = f"{_done(use)} {self._phrases.at(use)}"
        yield (
            f"{one} had read {value(first)} {self._phrases.at(first)}, then {two} stored {self._stored(other, first)}, "
            f"but {one} went on with what it had read, and {what}"
        )
        yield from self._protect(
            first, other, use, "what was found must still hold when it is acted on, or be tested again"
        )

    def _overwritten(self, cause: Cause) -> Iterator[str]:
        first, other, second = cause.first, _of(cause.other), _of(cause.second)
        one, two = self._two(first, other)
        yield (
            f"{one} had stored {value(first)} {self._phrases.at(first)}, but before it reads that "
            f"{self._phrases.at(second)}, {two} stored {self._stored(other, first)} over it"
        )
        yield from self._protect(first, other, second, f"{two} has to be kept out in between", own=True)

    def _woken(self, cause: Cause) -> Iterator[str]:
        first, second = cause.first, _of(cause.second)
        one = self._phrases.thread(first.thread)
        asleep, wait = next(
            (number, action)
            for number, step in enumerate(self._history.steps)
            for action in step.actions
            if number > first.step and step.thread == first.thread and action.kind is ActionKind.WAIT
        )
        place = self._phrases.place(self._history.steps[asleep].origin)
        yield f"{one} had found {value(first)} {self._phrases.at(first)} and waited for `{wait.name}` at {place}"
        woken = self._woken_by(wait, asleep, second.step)
        if cause.other is not None:
            two = self._phrases.thread(cause.other.thread)
            yield (
                f"{woken}but by the time it goes on {self._phrases.at(second)} {two} has stored {value(cause.other)} "
                f"{self._phrases.at(cause.other)}, and {one} did not test again what it had waited for"
            )
        else:
            yield f"{woken}but nothing has changed, and {one} did not test again what it had waited for"
        tested = self._history.steps[first.step].source.strip().startswith("if")
        loop = f": `while` instead of `if` {self._phrases.at(first)}" if tested else ""
        yield f"the wait has to stand in a loop, so that the condition is tested again after each wake-up{loop}"

    def _woken_by(self, wait: Action, asleep: int, end: int) -> str:
        """Which thread has signalled the condition variable since."""
        for number in reversed(range(asleep, end)):
            step = self._history.steps[number]
            for action in step.actions:
                if action.kind in (ActionKind.SIGNAL, ActionKind.BROADCAST) and action.key == wait.key:
                    return f"{self._phrases.thread(step.thread)} woke it at {self._phrases.place(step.origin)}, "
        return "it woke up without a signal, "

    def _argument(self, cause: Cause) -> Iterator[str]:
        first, other, second = cause.first, _of(cause.other), _of(cause.second)
        number = self._history.creation(first.thread)
        assert number is not None
        one, two = self._two(first, other)
        place = self._phrases.place(self._history.steps[number].origin)
        yield (
            f"when {two} created {one} at {place}, {value(second)} held, but {two} stored {value(other)} "
            f"{self._phrases.at(other)} before {one} read it {self._phrases.at(first)} and found {first.value}"
        )
        yield (
            f"nothing makes {two} wait for that read: each thread needs memory of its own for it, or {two} must not "
            f"change it before {one} has read it (join it, or wait for a semaphore or a condition variable)"
        )

    def _flag(self, cause: Cause) -> Iterator[str]:
        first, other, second = cause.first, _of(cause.other), _of(cause.second)
        one, two = self._two(second, other)
        sign = f"{value(second)} {self._phrases.at(second)}"
        if second.value != other.value:
            sign += f", after {two} had stored {value(other)} {self._phrases.at(other)}"
        else:
            sign += f", which {two} had stored {self._phrases.at(other)}"
        yield f"{one} went on since it had found {sign}, but no step before had stored `{first.name}`"
        yield (
            f"if {two} is the one to store `{first.name}`, it has to do so before it stores `{other.name}` "
            f"{self._phrases.at(other)}"
        )
        held = self._history.held(other)
        own = self._history.held(second)
        missing = [lock for lock in held or () if own is not None and not shared([lock], own)]
        if missing:
            lock = missing[0]
            yield (
                f"{two} holds `{lock.name}` there (since {self._phrases.place(lock.since)}), while {one} reads "
                f"`{second.name}` without that lock, so it can see what is not finished"
            )

    def _inside(self, cause: Cause) -> Iterator[str]:
        first, other = cause.first, _of(cause.other)
        assert cause.lock is not None
        one, two = self._two(first, other)
        since = self._phrases.place(cause.lock.since)
        yield (
            f"{two} holds `{cause.lock.name}` since {since}, stored {value(other)} {self._phrases.at(other)} and has "
            f"not unlocked it yet, but {one} reads `{first.name}` {self._phrases.at(first)} without that lock, so it "
            f"sees what {two} has only begun"
        )
        yield f"{one} has to hold `{cause.lock.name}` as well while it reads"

    def _half(self, cause: Cause) -> Iterator[str]:
        first, other, second = cause.first, _of(cause.other), _of(cause.second)
        one, two = self._two(first, other)
        last = self._history.writer(second)
        before = "not stored before"
        if last is not None:
            before = f"stored by {self._phrases.thread(last.thread)} {self._phrases.at(last)}"
        yield (
            f"{one} found {value(first)}, which {two} had stored {self._phrases.at(other)}, together with "
            f"{value(second)} ({before}), while {two} had not come to its end: {self._progress(other.thread)}"
        )
        yield (
            f"if the two values belong together, {two} has to change them, and {one} to read them, as a whole under "
            "one lock"
        )
        yield self._parted(first, other)

    def _parted(self, first: Event, other: Event) -> str:
        """Which locks were held where one thread read what the other one had only begun."""
        held, own = self._history.held(other), self._history.held(first)
        if held is None or own is None:
            return ""
        two = self._phrases.thread(other.thread)
        if both := shared(held, own):
            return f"{two} had `{both[0].name}` {self._phrases.at(other)}, but let it go before it was done"
        return self._facts(first, other)

    def _early(self, cause: Cause) -> Iterator[str]:
        first = cause.first
        one = self._phrases.thread(first.thread)
        if cause.second is None:
            yield f"no step stores `{first.name}` before {one} reads it {self._phrases.at(first)}"
        else:
            since = self._phrases.at(cause.second)
            yield f"no step stores `{first.name}` since {one} itself did {since}"
        others = self._search.unfinished()[:3]
        for other in others:
            yield self._progress(other)
        yield from self._waiting(first, others)

    def _never(self, cause: Cause) -> Iterator[str]:
        first = cause.first
        one = self._phrases.thread(first.thread)
        yield f"no step stores `{first.name}` before {one} reads it, and no thread is left to"
        steps = self._history.steps
        ends = [n for n, s in enumerate(steps) if s.thread != first.thread and self._history.does(n, ActionKind.END)]
        for number in ends[:_SHOWN]:
            step = steps[number]
            found = self._history.condition(step.thread, number)
            text = f"{self._phrases.thread(step.thread)} came to its end at {self._phrases.place(step.origin)}"
            cancelled = self._history.cancelled(step.thread)
            if cancelled is not None:
                text = f"{self._phrases.thread(step.thread)} did not: {self._phrases.cancelled(*cancelled)}"
            elif found is not None:
                text += f", after it had found {value(found)} {self._phrases.at(found)}"
                writer = self._history.writer(found)
                if writer is not None and writer.value in steps[writer.step].inputs:
                    text += f", an input of {self._phrases.thread(writer.thread)} {self._phrases.at(writer)}"
            yield text

    def _waiting(self, first: Event, others: Sequence[Thread]) -> Iterator[str]:
        """What a thread has to wait for so that a missing store comes first."""
        one, place = self._phrases.thread(first.thread), self._phrases.place(first.origin)
        created = self._history.creation(first.thread)
        detached = self._history.detached()
        ways = []
        for other in others:
            two = self._phrases.thread(other)
            if created is not None and other == self._history.creator(first.thread):
                where = self._phrases.place(self._history.steps[created].origin)
                ways.append(f"if {two} is to store it first, that has to come before it creates {one} at {where}")
            elif self._history.creator(other) == first.thread and not detached:
                ways.append(f"if {two} is to store it first, {one} has to wait for its end (join) before {place}")
        semaphore = "at a semaphore or a condition variable"
        if ways:
            yield f"{'; '.join(ways)}; or {one} has to wait for it {semaphore}"
        else:
            yield f"if another thread is to store it first, {one} has to wait for that, such as {semaphore}"

    def _plain(self, cause: Cause) -> Iterator[str]:
        first, other = cause.first, _of(cause.other)
        one, two = self._two(first, other)
        if first not in self._search.seeds:
            yield f"{one} had read {value(first)} {self._phrases.at(first)}, stored by {two} {self._phrases.at(other)}"
        if self._history.creator(first.thread) == other.thread and not self._history.joined(first.thread):
            yield f"{two} stored it while {one} was still running, which nothing in these steps prevents"
            yield f"if {one} still needs what was there before, {two} has to wait for its end (join) before the store"
            return
        if self._history.joined(other.thread, by=self._thread) and first.thread == self._thread:
            yield (
                f"{one} had waited for the end of {two} (join), so the order of these two is not at fault, but how "
                f"{two} came to that value, or {self._last_word()}"
            )
            return
        yield (
            f"the execution shows that this order is possible, but not whether it is meant to be: if the store "
            f"{self._phrases.at(other)} must not come before the read {self._phrases.at(first)}, something has to make "
            f"{two} wait; else the fault lies in how {two} came to that value, or in {self._last_word()}"
        )

    def _last_word(self) -> str:
        """What else may be at fault besides what others did."""
        if self._violated.claim.kind is Kind.ASSERTION:
            return "the claim"
        return f"what {self._phrases.thread(self._thread)} does with it"

    # Parts of sentences

    def _stored(self, other: Event, first: Event) -> str:
        """What another thread has stored to the memory of *first*, which may have another name there."""
        same = "" if other.name == first.name else " (the same memory)"
        return f"{value(other)}{same} {self._phrases.at(other)}"

    def _two(self, first: Event, other: Event) -> tuple[str, str]:
        """The names of the two threads."""
        one, two = self._phrases.thread(first.thread), self._phrases.thread(other.thread)
        return one, two

    def _progress(self, thread: Thread) -> str:
        """How far *thread* has come."""
        name = self._phrases.thread(thread)
        last = self._history.last_step(thread)
        if last is not None:
            return f"{name} has not come further than {self._phrases.place(last.origin)}"
        created = self._history.creation(thread)
        if created is None:
            return f"{name} has not made a step yet"
        return f"{name}, created at {self._phrases.place(self._history.steps[created].origin)}, has not made a step yet"

    def _protect(
        self, first: Event, other: Event, last: Event | None, rule: str, *, atomic: bool = False, own: bool = False
    ) -> Iterator[str]:
        """Which locks were held, and which have to be held. rule: what the locks have to ensure."""
        one, two = self._phrases.thread(first.thread), self._phrases.thread(other.thread)
        begin = self._phrases.place(first.origin)
        end = self._phrases.place(last.origin if last is not None else self._history.steps[-1].origin)
        span = f"at {begin}" if begin == end else f"from {begin} to {end}"
        called = self._history.name(first)
        name = f"`{called}`" if called.isidentifier() or first.name == other.name else "that memory"
        facts = self._facts(first, other)
        if facts:
            yield facts
        at_first, at_other = self._history.held(first), self._history.held(other)
        fixed = ""
        if at_first is not None and at_other is not None:
            both = shared(at_first, at_other)
            if both and both[0].reading:
                fixed = f"the thread that stores has to hold `{both[0].name}` for writing, {span}"
            elif both:
                fixed = f"{one} has to hold `{both[0].name}` {span} without letting it go"
            elif at_other and not at_first:
                fixed = f"{one} has to hold `{at_other[0].name}`, too, {span}"
            elif at_first and not at_other and last is not None and self._history.keeps(at_first[0], first, last):
                fixed = f"{two} has to hold `{at_first[0].name}`, too, {self._phrases.at(other)}"
        if not fixed:
            who = f"{one} {span} and {two} {self._phrases.at(other)}"
            if span == self._phrases.at(other):
                who = f"{one} and {two}, both {span},"
            fixed = f"{who} have to hold the same mutex for {name}"
            if atomic:
                fixed += ", or the update has to be one atomic operation"
            if own:
                fixed += ", or each thread needs a variable of its own"
        yield f"{rule}: {fixed}"

    def _facts(self, first: Event, other: Event) -> str:
        """Which locks the two threads held at these accesses; "" if that is not known."""
        at_first, at_other = self._history.held(first), self._history.held(other)
        if at_first is None or at_other is None:
            return ""
        one, two = self._phrases.thread(first.thread), self._phrases.thread(other.thread)
        if not at_first and not at_other:
            return f"neither {one} nor {two} holds a lock there"
        if both := shared(at_first, at_other):
            if all(lock.reading for lock in [both[0], *shared(at_other, both[:1])]):
                return f"both hold `{both[0].name}` there, but only for reading"
            return f"both hold `{both[0].name}` there, but {one} lets it go in between"
        at = self._phrases.place(first.origin)
        return (
            f"{one} {self._phrases.locks(at_first)} at {at}, "
            f"{two} {self._phrases.locks(at_other)} {self._phrases.at(other)}"
            f"{', which do not exclude each other' if at_first and at_other else ''}"
        )


def _place(claim: Claim, state: MemoryState) -> Origin | None:
    """Where the memory got into the *state* in which the claim finds it; None if it is in another state."""
    return claim.memory.place if claim.memory is not None and claim.memory.state is state else None


def _of(event: Event | None) -> Event:
    """The access *event*, which causes of this kind have."""
    assert event is not None
    return event


def _done(use: Event) -> str:
    """What the thread did there."""
    return f"stored {value(use)}" if use.writes else f"read {value(use)}"
