"""The sentences for misuse of the thread library: what was done before with the object or the thread."""

import re
from collections.abc import Iterator

from cseq.c.scanner import arguments
from cseq.model.actions import ActionKind
from cseq.model.claims import Claim, Object, Reason
from cseq.model.trace import Action, Step
from cseq.model.verdict import Property
from cseq.report.explain.history import History
from cseq.report.explain.phrases import Phrases, listed
from cseq.report.violations import demand


def sentences(history: History, violated: Property, phrases: Phrases) -> Iterator[str]:
    """The sentences: what is wrong and where, and how it came about."""
    claim, function = violated.claim, violated.claim.function
    last = history.steps[-1]
    inside = f" in {last.origin.function}" if last.origin.function else ""
    place = f"{violated.origin or last.origin}{inside}"
    yield f"{phrases.thread(last.thread)} calls {function} at {place}, but {demand(claim)}"
    name = _argument(function, last.source, 1 if "wait" in function and claim.subject == Object.MUTEX else 0)
    if claim.subject == Object.THREAD:
        yield from _of_threads(history, claim, phrases)
    elif name:
        yield from _of_object(history, name, claim, phrases)


def _argument(function: str, source: str, number: int) -> str:
    """The object of a call: ``m`` for ``pthread_mutex_lock(&m)``; "" if the source does not show it.

    number: the place of the argument, from 0.
    """
    found = re.search(rf"\b{re.escape(function)}\s*\(", source)
    if found is None:
        return ""
    given = [source[begin:end] for begin, end in arguments(source, found.end())]
    return given[number].strip().removeprefix("&").strip() if number < len(given) else ""


def _of_threads(history: History, claim: Claim, phrases: Phrases) -> Iterator[str]:
    """What happened to the threads that may be meant."""
    done = [
        (step, action.thread) for step in history.steps for action in step.actions if action.kind is ActionKind.JOIN
    ]
    joined = [
        f"{phrases.thread(thread)} at {phrases.place(step.origin)}" for step, thread in done if thread is not None
    ]
    if claim.reason in (Reason.JOINED, Reason.JOINED_TWICE) and joined:
        yield f"joined so far: {listed(joined)}"
        yield "each thread can be joined once, and then its identifier means nothing any more"
    elif claim.reason is Reason.NONE_CREATED:
        created = [
            f"{phrases.thread(t)} at {phrases.place(step.origin)}" for step in history.steps for t in step.created
        ]
        yield f"created so far: {listed(created)}" if created else "no thread has been created so far"
        yield "the identifier has to come from a call of pthread_create that this execution has made"
    elif claim.reason in (Reason.DETACHED, Reason.DETACHED_TWICE, Reason.ENDED):
        yield "a detached thread cannot be waited for: either it is detached, or it is joined"


def _of_object(history: History, name: str, claim: Claim, phrases: Phrases) -> Iterator[str]:
    """What was done with the object that a thread calls *name*, or with what seems to be the same object."""
    thread = history.steps[-1].thread
    one = phrases.thread(thread)
    place = phrases.place(history.steps[-1].origin)
    of_it = list(_actions(history, name))
    if claim.reason in (Reason.DESTROYED, Reason.DESTROYED_TWICE):
        for step, action in reversed(of_it):
            if action.kind is ActionKind.DESTROY:
                yield f"{phrases.thread(step.thread)} had destroyed `{name}` at {phrases.place(step.origin)}"
                if step.thread == thread:
                    yield "after that, it must not be used or destroyed again until it is initialised anew"
                    return
                yield (
                    f"it must not be destroyed before all threads are done with it, and {one} still comes to {place}: "
                    "wait for the threads that use it (join) first"
                )
                return
    if claim.reason is Reason.FREED:
        yield from _freed(history, name, claim, phrases)
    if claim.reason is Reason.INITIALISED:
        done = [step for step, action in of_it if action.kind is ActionKind.INIT]
        if done:
            yield f"{phrases.thread(done[-1].thread)} had initialised `{name}` at {phrases.place(done[-1].origin)}"
        yield "it has to be initialised once, and destroyed before it is initialised again"
    if claim.reason is Reason.UNINITIALISED:
        yield f"no thread has initialised `{name}` when {one} comes to {place}"
        created = history.creation(thread)
        creator = history.creator(thread)
        if created is not None and creator is not None:
            where = phrases.place(history.steps[created].origin)
            yield f"it has to be initialised before {phrases.thread(creator)} creates {one} at {where}, or statically"
        else:
            yield f"it has to be initialised before {place}"
    if claim.reason in (Reason.NOT_HELD, Reason.WAITS_UNLOCKED):
        yield from _not_held(history, name, of_it, claim.reason is Reason.WAITS_UNLOCKED, phrases)
    if claim.reason is Reason.IN_USE and claim.subject in (Object.MUTEX, Object.LOCK):
        holders = _holders(history, name, of_it, phrases)
        if holders:
            yield f"it is held by {holders}, and has to be unlocked first"


def _freed(history: History, name: str, claim: Claim, phrases: Phrases) -> Iterator[str]:
    """Who has freed the memory of the object."""
    place = claim.memory.place if claim.memory is not None else None
    step = next((s for s in reversed(history.steps) if place is not None and s.origin[:2] == place[:2]), None)
    if step is None:
        return
    thread = history.steps[-1].thread
    one, two = phrases.thread(thread), phrases.thread(step.thread)
    where = phrases.place(step.origin)
    if step.thread == thread:
        yield f"{one} itself had freed the memory of `{name}` at {where}"
        yield f"{one} must not use it after that"
        return
    yield f"{two} had freed the memory of `{name}` at {where}, while {one} was still to use it"
    yield "it must not be freed before all threads are done with it (join them first, or let the last user free it)"


def _not_held(
    history: History, name: str, of_it: list[tuple[Step, Action]], waits: bool, phrases: Phrases
) -> Iterator[str]:
    thread = history.steps[-1].thread
    one = phrases.thread(thread)
    holders = _holders(history, name, of_it, phrases)
    yield f"at this time `{name}` is held by {holders}" if holders else f"at this time no thread holds `{name}`"
    own = [(step, action) for step, action in of_it if step.thread == thread]
    step, action = own[-1] if own else (None, None)
    made = [other for other, does in of_it if does.kind is ActionKind.INIT]
    if action is not None and action.kind in (ActionKind.LOCK, ActionKind.READ_LOCK) and made:
        place = phrases.place(made[-1].origin)
        yield f"{phrases.thread(made[-1].thread)} has initialised it at {place} in the meantime"
        yield "it has to be initialised once, before any thread uses it"
        return
    if step is None or action is None:
        yield f"{one} has not locked it"
    elif action.kind in (ActionKind.TRY, ActionKind.READ_TRY):
        at = phrases.place(step.origin)
        yield f"{one} had tried to lock it at {at} and did not get it, but unlocks it all the same"
        yield "what needs the lock, and the unlocking, must only be done where the call has returned 0"
        return
    elif action.kind is ActionKind.UNLOCK:
        yield f"{one} has already unlocked it at {phrases.place(step.origin)}"
    if waits:
        yield "a thread that waits for a condition variable has to hold the mutex, which is unlocked while it sleeps"
    else:
        yield "only the thread that has locked it may unlock it, once for each time"


def _holders(history: History, name: str, of_it: list[tuple[Step, Action]], phrases: Phrases) -> str:
    """Who holds the object in the end, and since when."""
    keys = {action.key for _, action in of_it} or {name}
    found = []
    for thread in history.threads:
        for lock in history.held_after(thread, len(history.steps) - 1):
            if lock.key in keys:
                found.append(f"{phrases.thread(thread)} (since {phrases.place(lock.since)})")
    return listed(found) if found else ""


def _actions(history: History, name: str) -> Iterator[tuple[Step, Action]]:
    """The actions on the object that the failing thread calls *name*, identified by its address where that is known."""
    thread = history.steps[-1].thread
    all_of = [(step, action) for step in history.steps for action in step.actions]
    own = {action.object for step, action in all_of if action.name == name and step.thread == thread and action.object}
    for step, action in all_of:
        if action.object in own if own else action.name == name:
            yield step, action
