"""The functions of the library about locks and condition variables, by what they do to what a thread holds."""

from __future__ import annotations

READING, WRITING = "reading", "writing"

ACQUIRES = {
    "pthread_mutex_lock": WRITING, "mtx_lock": WRITING, "pthread_spin_lock": WRITING, "pthread_rwlock_wrlock": WRITING,
    "pthread_rwlock_rdlock": READING,
}  # fmt: skip
RELEASES = frozenset({"pthread_mutex_unlock", "mtx_unlock", "pthread_spin_unlock", "pthread_rwlock_unlock"})
SIGNALS = frozenset({"pthread_cond_signal", "pthread_cond_broadcast", "cnd_signal", "cnd_broadcast"})
_STEP = "__cs_step_"
SLEEPS = frozenset(f"{_STEP}{name}" for name in (
    "cond_sleep", "cond_sleep__cs5", "cond_timedsleep", "cond_clocksleep", "cnd_sleep", "cnd_sleep__cs5",
    "cnd_timedsleep"))  # fmt: skip
WAKES = frozenset(f"{_STEP}{name}" for name in (
    "cond_wake", "cond_wake__cs5", "cond_timedwake", "cond_clockwake", "cnd_wake", "cnd_wake__cs5",
    "cnd_timedwake"))  # fmt: skip
TRIES = frozenset({
    "pthread_mutex_trylock", "pthread_mutex_timedlock", "pthread_mutex_clocklock", "mtx_trylock", "mtx_timedlock",
    "pthread_spin_trylock", "pthread_rwlock_tryrdlock", "pthread_rwlock_trywrlock", "pthread_rwlock_timedrdlock",
    "pthread_rwlock_timedwrlock", "pthread_rwlock_clockrdlock", "pthread_rwlock_clockwrlock", "pthread_mutex_destroy",
    "mtx_destroy", "pthread_spin_destroy", "pthread_rwlock_destroy", "pthread_mutex_getprioceiling",
})  # fmt: skip
"""Functions that only look whether a lock is free, or take it if it is."""
CONDITION_ENDS = frozenset({"pthread_cond_destroy", "cnd_destroy"})
ATTEMPTS = {
    **dict.fromkeys(("pthread_mutex_trylock", "pthread_mutex_timedlock", "pthread_mutex_clocklock", "mtx_trylock",
                     "mtx_timedlock", "pthread_spin_trylock", "pthread_rwlock_trywrlock"), WRITING),
    "pthread_rwlock_tryrdlock": READING,
}  # fmt: skip
"""Functions that return 0 if the lock is held then."""
LOCKING = frozenset(ACQUIRES) | RELEASES | SLEEPS | WAKES | TRIES
