"""What calls of the thread library do, for the reader of a counterexample."""

from __future__ import annotations

from cseq.base.trace import ActionKind, Manner, Mode
from cseq.modules.library.acts import Act

_K, _M = ActionKind, Manner


def _each(functions: str, *acts: Act) -> dict[str, tuple[Act, ...]]:
    return dict.fromkeys(functions.split(), acts)


def _sleep(manner: Manner = _M.PLAIN) -> tuple[Act, ...]:
    return (Act(_K.UNLOCK, 1), Act(_K.WAIT, 0, manner))


def _wake(manner: Manner = _M.PLAIN) -> tuple[Act, ...]:
    return (Act(_K.WAKE, 0, manner), Act(_K.LOCK, 1))


ACTS: dict[str, tuple[Act, ...]] = {
    **_each("pthread_mutex_lock pthread_spin_lock mtx_lock", Act(_K.LOCK)),
    **_each("pthread_mutex_trylock pthread_spin_trylock mtx_trylock", Act(_K.TRY, 0, _M.TRIED)),
    **_each("pthread_mutex_timedlock pthread_mutex_clocklock mtx_timedlock", Act(_K.TRY, 0, _M.TIMED)),
    **_each("pthread_rwlock_wrlock", Act(_K.LOCK, mode=Mode.WRITING)),
    **_each("pthread_rwlock_trywrlock", Act(_K.TRY, 0, _M.TRIED, Mode.WRITING)),
    **_each("pthread_rwlock_timedwrlock pthread_rwlock_clockwrlock", Act(_K.TRY, 0, _M.TIMED, Mode.WRITING)),
    **_each("pthread_rwlock_rdlock", Act(_K.READ_LOCK, mode=Mode.READING)),
    **_each("pthread_rwlock_tryrdlock", Act(_K.READ_TRY, 0, _M.TRIED, Mode.READING)),
    **_each("pthread_rwlock_timedrdlock pthread_rwlock_clockrdlock", Act(_K.READ_TRY, 0, _M.TIMED, Mode.READING)),
    **_each("pthread_mutex_unlock pthread_spin_unlock pthread_rwlock_unlock mtx_unlock", Act(_K.UNLOCK)),
    **_each("__cs_step_once_begin", Act(_K.BEGIN)),
    **_each("__cs_step_once_end", Act(_K.FINISH)),
    **_each("pthread_cond_signal cnd_signal", Act(_K.SIGNAL)),
    **_each("pthread_cond_broadcast cnd_broadcast", Act(_K.BROADCAST)),
    **_each("__cs_step_cond_sleep __cs_step_cnd_sleep", *_sleep()),
    **_each("__cs_step_cond_timedsleep __cs_step_cond_clocksleep __cs_step_cnd_timedsleep", *_sleep(_M.TIMED)),
    **_each("__cs_step_cond_wake __cs_step_cnd_wake", *_wake()),
    **_each("__cs_step_cond_timedwake __cs_step_cond_clockwake __cs_step_cnd_timedwake", *_wake(_M.TIMED)),
    **_each("__cs_step_cond_wake_or_cancel", *_wake(_M.CANCELLABLE)),
    **_each("sem_wait", Act(_K.TAKE)),
    **_each("__cs_step_sem_take_or_cancel", Act(_K.TAKE, 0, _M.CANCELLABLE)),
    **_each("sem_trywait", Act(_K.TRY_TAKE, 0, _M.TRIED)),
    **_each("sem_timedwait sem_clockwait", Act(_K.TRY_TAKE, 0, _M.TIMED)),
    **_each("sem_post", Act(_K.GIVE)),
    **_each("__cs_sem_open", Act(_K.OPEN, None)),
    **_each("sem_close", Act(_K.CLOSE)),
    **_each("__cs_sem_unlink", Act(_K.UNLINK, None)),
    **_each("__cs_step_barrier_arrive", Act(_K.ARRIVE)),
    **_each("__cs_step_barrier_leave", Act(_K.LEAVE)),
    **_each(
        "pthread_mutex_init pthread_cond_init cnd_init mtx_init pthread_rwlock_init pthread_spin_init"
        " pthread_barrier_init sem_init",
        Act(_K.INIT),
    ),
    **_each(
        "pthread_mutex_destroy pthread_cond_destroy cnd_destroy mtx_destroy pthread_rwlock_destroy"
        " pthread_spin_destroy pthread_barrier_destroy sem_destroy",
        Act(_K.DESTROY),
    ),
    **_each("pthread_key_create tss_create", Act(_K.CREATE_KEY)),
    **_each("pthread_key_delete tss_delete", Act(_K.DELETE_KEY)),
    **_each("pthread_join thrd_join", Act(_K.JOIN)),
    **_each("__cs_step_await_end", Act(_K.JOIN, 0, _M.WAITED)),
    **_each("pthread_cancel", Act(_K.CANCEL)),
    **_each("pthread_detach thrd_detach", Act(_K.DETACH)),
    **_each("free __CSEQ_delete", Act(_K.FREE)),
}
"""Functions, and steps of functions → what a call does, in order."""

_MAY_FAIL = {
    _K.TRY: (_K.LOCK, _K.TRY),
    _K.READ_TRY: (_K.READ_LOCK, _K.READ_TRY),
    _K.TRY_TAKE: (_K.TAKE, _K.TRY_TAKE),
    _K.LOCK: (_K.LOCK, _K.TRY),
    _K.READ_LOCK: (_K.READ_LOCK, _K.READ_TRY),
    _K.BEGIN: (_K.PASS, _K.BEGIN),
    _K.TRY_JOIN: (_K.JOIN, _K.TRY_JOIN),
}
"""Kinds of actions whose result says what they did → what they are where it is 0, and where not."""

STORE = {"pthread_join": 1, "thrd_join": 1, "sem_getvalue": 1}
"""Functions that store something for the caller → which argument leads there."""

FILL = frozenset({"memset", "memcpy", "memmove"})
"""Functions that store to so many bytes, from where their first argument points, as the third says."""


def acts(function: str) -> tuple[Act, ...]:
    """What a call of the library's *function* does, in order."""
    return ACTS.get(function, ())


def outcomes(function: str) -> tuple[ActionKind, ActionKind] | None:
    """The kinds of what a call of *function* does where it returns 0, and where not; None where that does not tell."""
    found = acts(function)
    return _MAY_FAIL.get(found[0].kind) if len(found) == 1 else None
