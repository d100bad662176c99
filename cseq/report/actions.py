"""The words for what steps of a counterexample do besides reading and writing."""

from collections.abc import Sequence

from cseq.model.actions import ActionKind, Manner, Mode
from cseq.model.trace import Action, Step, Stuck, by_call
from cseq.report import races, waits
from cseq.report.catalogue import Catalogue

_K, _M = ActionKind, Manner

_SAME = {
    _K.TRY: _K.LOCK, _K.READ_LOCK: _K.LOCK, _K.READ_TRY: _K.LOCK, _K.TRY_TAKE: _K.TAKE, _K.TRY_JOIN: _K.JOIN,
    _K.PASS: _K.BEGIN,
}  # fmt: skip
"""Kinds of actions that differ only in the result of the call → the kind that shares their words."""

_ACTIONS = Catalogue(
    "action",
    {
        (_K.CREATE, _M.PLAIN): "creates {thread}",
        (_K.JOIN, _M.PLAIN): "joins {thread}",
        (_K.JOIN, _M.WAITED): "waits for the end of {thread}",
        (_K.JOIN, _M.TRIED): "tries to join {thread}",
        (_K.JOIN, _M.TIMED): "joins {thread}, or waits too long",
        (_K.CANCEL, _M.PLAIN): "cancels {thread}",
        (_K.DETACH, _M.PLAIN): "detaches {thread}",
        (_K.END, _M.PLAIN): "ends",
        (_K.END, _M.CANCELLED): "is cancelled",
        (_K.LOCK, _M.PLAIN): "locks {name}{mode}",
        (_K.LOCK, _M.TRIED): "tries to lock {name}{mode}",
        (_K.LOCK, _M.SPURIOUS): "fails to lock {name} although it is free",
        (_K.LOCK, _M.EXPIRED): "waits too long for {name}{mode}",
        (_K.LOCK, _M.TIMED): "locks {name}{mode}, or waits too long",
        (_K.UNLOCK, _M.PLAIN): "unlocks {name}",
        (_K.BEGIN, _M.PLAIN): "reaches {name}",
        (_K.FINISH, _M.PLAIN): "is done with {name}",
        (_K.WAIT, _M.PLAIN): "waits for {name}",
        (_K.WAKE, _M.PLAIN): "has been woken",
        (_K.WAKE, _M.SPURIOUS): "wakes up without a signal",
        (_K.WAKE, _M.TIMED): "is woken or has waited too long",
        (_K.WAKE, _M.EXPIRED): "has waited too long",
        (_K.WAKE, _M.CANCELLABLE): "goes on",
        (_K.SIGNAL, _M.PLAIN): "signals {name}",
        (_K.BROADCAST, _M.PLAIN): "wakes all that wait for {name}",
        (_K.TAKE, _M.PLAIN): "takes one from {name}",
        (_K.TAKE, _M.TRIED): "tries to take one from {name}",
        (_K.TAKE, _M.TIMED): "takes one from {name}, or waits too long",
        (_K.TAKE, _M.EXPIRED): "waits too long for {name}",
        (_K.TAKE, _M.CANCELLABLE): "goes on with {name}",
        (_K.GIVE, _M.PLAIN): "adds one to {name}",
        (_K.OPEN, _M.PLAIN): "opens a semaphore by its name",
        (_K.CLOSE, _M.PLAIN): "closes {name}",
        (_K.UNLINK, _M.PLAIN): "removes the name of a semaphore",
        (_K.ARRIVE, _M.PLAIN): "arrives at {name}",
        (_K.LEAVE, _M.PLAIN): "leaves {name}",
        (_K.INIT, _M.PLAIN): "initialises {name}",
        (_K.DESTROY, _M.PLAIN): "destroys {name}",
        (_K.REPAIR, _M.PLAIN): "makes {name} consistent",
        (_K.CREATE_KEY, _M.PLAIN): "creates the key {name}",
        (_K.DELETE_KEY, _M.PLAIN): "deletes the key {name}",
        (_K.COMPARE_EXCHANGE, _M.PLAIN): "fails to exchange although the values are equal",
        (_K.ALLOCATE, _M.PLAIN): "allocates {name}",
        (_K.SLEEP, _M.PLAIN): "sleeps",
        (_K.YIELD, _M.PLAIN): "yields",
        (_K.SEND, _M.PLAIN): "sends {name}",
        (_K.HANDLE, _M.PLAIN): "handles {name}",
        (_K.TRANSFER, _M.PLAIN): "reads or writes {name}",
        (_K.FREE, _M.PLAIN): "frees {name}",
        (_K.ORDER, _M.PLAIN): "the objects lie in memory so that {name}",
        (_K.LOAD_BIT_FIELDS, _M.PLAIN): "loads the bit-fields next to it",
    },
)

_MODES = Catalogue("mode", {Mode.EXCLUSIVE: "", Mode.READING: " for reading", Mode.WRITING: " for writing"})
_THREADS = Catalogue("thread", {"unknown": "{name}, which is no thread"})


def events(step: Step) -> list[str]:
    """What the thread did, or why it stopped there: a few words each, without the name of the thread."""
    if not step.stands:
        return [_call(call) for call in by_call(step.actions)]
    if isinstance(step.why, Stuck):
        return [waits.plain(step.why)]
    return races.about(step.why) if step.why is not None else []


def _call(call: Sequence[Action]) -> str:
    """One call. Its actions on the mutex come last: a wait unlocks it, and waking up locks it again."""
    return ", ".join(action(one) for one in sorted(call, key=_is_of_mutex))


def _is_of_mutex(one: Action) -> bool:
    return one.kind in (ActionKind.UNLOCK, ActionKind.LOCK)


def action(one: Action) -> str:
    """One action in words: "locks m"."""
    kind = _SAME.get(one.kind, one.kind)
    manner = one.manner if (kind, one.manner) in _ACTIONS else Manner.PLAIN
    thread = one.thread if one.thread is not None else _THREADS.say("unknown", name=one.name)
    return _ACTIONS.say((kind, manner), name=one.name, thread=thread, mode=_MODES.say(one.mode))
