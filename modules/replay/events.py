"""What calls of the thread library do, for the reader of a counterexample: in words, and as actions."""

from __future__ import annotations

EVENTS = {
    "pthread_mutex_lock": "locks {0}",
    "pthread_mutex_trylock": "tries to lock {0}",
    "pthread_mutex_timedlock": "locks {0}, or waits too long",
    "pthread_mutex_clocklock": "locks {0}, or waits too long",
    "pthread_mutex_unlock": "unlocks {0}",
    "pthread_mutex_init": "initialises {0}",
    "pthread_mutex_destroy": "destroys {0}",
    "pthread_cond_init": "initialises {0}",
    "pthread_cond_destroy": "destroys {0}",
    "pthread_cond_signal": "signals {0}",
    "pthread_cond_broadcast": "wakes all that wait for {0}",
    "__cs_step_cond_sleep": "waits for {0}, unlocks {1}",
    "__cs_step_cond_wake": "has been woken, locks {1}",
    "__cs_step_cond_timedsleep": "waits for {0}, unlocks {1}",
    "__cs_step_cond_timedwake": "is woken or has waited too long, locks {1}",
    "__cs_step_cond_clocksleep": "waits for {0}, unlocks {1}",
    "__cs_step_cond_clockwake": "is woken or has waited too long, locks {1}",
    "cnd_init": "initialises {0}",
    "cnd_destroy": "destroys {0}",
    "cnd_signal": "signals {0}",
    "cnd_broadcast": "wakes all that wait for {0}",
    "__cs_step_cnd_sleep": "waits for {0}, unlocks {1}",
    "__cs_step_cnd_wake": "is woken, locks {1}",
    "__cs_step_cnd_timedsleep": "waits for {0}, unlocks {1}",
    "__cs_step_cnd_timedwake": "is woken or has waited too long, locks {1}",
    "mtx_init": "initialises {0}",
    "mtx_destroy": "destroys {0}",
    "mtx_lock": "locks {0}",
    "mtx_trylock": "tries to lock {0}",
    "mtx_timedlock": "locks {0}, or waits too long",
    "mtx_unlock": "unlocks {0}",
    "__cs_step_once_begin": "reaches {0}",
    "__cs_step_once_end": "is done with {0}",
    "pthread_cancel": "cancels",
    "__cs_step_await_end": "waits for the end of",
    "__cs_step_cond_wake_or_cancel": "goes on, locks {1}",
    "__cs_step_sem_take_or_cancel": "goes on with {0}",
    "pthread_key_create": "creates the key {0}",
    "pthread_key_delete": "deletes the key {0}",
    "tss_create": "creates the key {0}",
    "tss_delete": "deletes the key {0}",
    "pthread_rwlock_init": "initialises {0}",
    "pthread_rwlock_destroy": "destroys {0}",
    "pthread_rwlock_rdlock": "locks {0} for reading",
    "pthread_rwlock_tryrdlock": "tries to lock {0} for reading",
    "pthread_rwlock_timedrdlock": "locks {0} for reading, or waits too long",
    "pthread_rwlock_clockrdlock": "locks {0} for reading, or waits too long",
    "pthread_rwlock_wrlock": "locks {0} for writing",
    "pthread_rwlock_trywrlock": "tries to lock {0} for writing",
    "pthread_rwlock_timedwrlock": "locks {0} for writing, or waits too long",
    "pthread_rwlock_clockwrlock": "locks {0} for writing, or waits too long",
    "pthread_rwlock_unlock": "unlocks {0}",
    "pthread_spin_init": "initialises {0}",
    "pthread_spin_destroy": "destroys {0}",
    "pthread_spin_lock": "locks {0}",
    "pthread_spin_trylock": "tries to lock {0}",
    "pthread_spin_unlock": "unlocks {0}",
    "pthread_barrier_init": "initialises {0}",
    "pthread_barrier_destroy": "destroys {0}",
    "__cs_step_barrier_arrive": "arrives at {0}",
    "__cs_step_barrier_leave": "leaves {0}",
    "sem_init": "initialises {0}",
    "sem_destroy": "destroys {0}",
    "sem_wait": "takes one from {0}",
    "sem_trywait": "tries to take one from {0}",
    "sem_timedwait": "takes one from {0}, or waits too long",
    "sem_clockwait": "takes one from {0}, or waits too long",
    "sem_post": "adds one to {0}",
    "sem_close": "closes {0}",
    "__cs_sem_open": "opens a semaphore by its name",
    "__cs_sem_unlink": "removes the name of a semaphore",
    "pthread_join": "joins",
    "thrd_join": "joins",
    "pthread_detach": "detaches",
    "thrd_detach": "detaches",
    "free": "frees {0}",
    "__CSEQ_delete": "frees {0}",
}

NAME_A_THREAD = frozenset({
    "pthread_join", "thrd_join", "__cs_step_await_end", "pthread_detach", "thrd_detach", "pthread_cancel",
})  # fmt: skip
"""Functions whose event ends in the name of the thread that their first argument is."""

_KINDS = {
    "lock": (
        "pthread_mutex_lock", "pthread_spin_lock", "pthread_rwlock_wrlock", "mtx_lock",
        "__cs_step_cond_wake", "__cs_step_cond_timedwake", "__cs_step_cond_clockwake", "__cs_step_cnd_wake",
        "__cs_step_cnd_timedwake", "__cs_step_cond_wake_or_cancel",
    ),
    "try": (
        "pthread_mutex_trylock", "pthread_mutex_timedlock", "pthread_mutex_clocklock", "pthread_spin_trylock",
        "pthread_rwlock_trywrlock", "pthread_rwlock_timedwrlock", "pthread_rwlock_clockwrlock", "mtx_trylock",
        "mtx_timedlock",
    ),
    "read_lock": ("pthread_rwlock_rdlock",),
    "read_try": ("pthread_rwlock_tryrdlock", "pthread_rwlock_timedrdlock", "pthread_rwlock_clockrdlock"),
    "unlock": (
        "pthread_mutex_unlock", "pthread_spin_unlock", "pthread_rwlock_unlock", "mtx_unlock",
    ),
    "begin": ("__cs_step_once_begin",),
    "finish": ("__cs_step_once_end",),
    "signal": ("pthread_cond_signal", "cnd_signal"),
    "broadcast": ("pthread_cond_broadcast", "cnd_broadcast"),
    "wait": (
        "__cs_step_cond_sleep", "__cs_step_cond_timedsleep", "__cs_step_cond_clocksleep", "__cs_step_cnd_sleep",
        "__cs_step_cnd_timedsleep",
    ),
    "take": ("sem_wait", "__cs_step_sem_take_or_cancel"),
    "try_take": ("sem_trywait", "sem_timedwait", "sem_clockwait"),
    "give": ("sem_post",),
    "arrive": ("__cs_step_barrier_arrive",),
    "leave": ("__cs_step_barrier_leave",),
    "init": (
        "pthread_mutex_init", "pthread_cond_init", "cnd_init", "mtx_init", "pthread_rwlock_init", "pthread_spin_init",
        "pthread_barrier_init", "sem_init",
    ),
    "destroy": (
        "pthread_mutex_destroy", "pthread_cond_destroy", "cnd_destroy", "mtx_destroy", "pthread_rwlock_destroy",
        "pthread_spin_destroy", "pthread_barrier_destroy", "sem_destroy",
    ),
}  # fmt: skip
"""Kinds of actions (`cseq.base.trace.Action`) → the functions that are such ones, on their first argument."""

_OF = {function: kind for kind, functions in _KINDS.items() for function in functions}

_MAY_FAIL = {
    "try": ("lock", "try"), "read_try": ("read_lock", "read_try"), "try_take": ("take", "try_take"),
    "lock": ("lock", "try"), "read_lock": ("read_lock", "read_try"), "begin": ("pass", "begin"),
}  # fmt: skip
"""Kinds of actions whose result says what they did → what they are where it is 0, and where not."""

OF_THREADS = {
    "pthread_join": "join", "thrd_join": "join", "__cs_step_await_end": "join", "pthread_cancel": "cancel",
}  # fmt: skip
"""Functions about the thread that their first argument is → the kind of the action."""


STORE = {"pthread_join": 1, "thrd_join": 1, "sem_getvalue": 1}
"""Functions that store something for the caller → which argument leads there."""

FILL = frozenset({"memset", "memcpy", "memmove"})
"""Functions that store to so many bytes behind their first argument as the third says."""


def outcomes(function: str) -> tuple[str, str] | None:
    """The kinds of what a call of *function* does where it returns 0, and where not; None where that does not tell."""
    found = actions(function)
    return _MAY_FAIL.get(found[0][0]) if len(found) == 1 else None


def actions(function: str) -> tuple[tuple[str, int], ...]:
    """What a call of the library's *function* does with which of its arguments, in order."""
    kind = _OF.get(function)
    if kind is None:
        return ()
    if kind == "wait":  # waiting is also to unlock the mutex, and waking up is to lock it again
        return (("unlock", 1), ("wait", 0))
    if kind == "lock" and "wake" in function:
        return (("wake", 0), ("lock", 1))
    return ((kind, 0),)
