"""The functions of ``<pthread.h>`` and ``<semaphore.h>`` about objects that threads wait for."""

from cseq.model.actions import ActionKind, Manner, Mode
from cseq.modules.library.acts import Act
from cseq.modules.library.primitives.schema import NoText, Primitive, Scheduled, Silence


def _does(kind: ActionKind, manner: Manner = Manner.PLAIN, mode: Mode = Mode.EXCLUSIVE) -> tuple[Act, ...]:
    """A single action on the first argument."""
    return (Act(kind, 0, manner, mode),)


_INIT, _DESTROY = _does(ActionKind.INIT), _does(ActionKind.DESTROY)
_LOCK, _UNLOCK = _does(ActionKind.LOCK), _does(ActionKind.UNLOCK)
_TRY, _TIMED = _does(ActionKind.TRY, Manner.TRIED), _does(ActionKind.TRY, Manner.TIMED)
_READ = _does(ActionKind.READ_LOCK, mode=Mode.READING)
_TRY_READ = _does(ActionKind.READ_TRY, Manner.TRIED, Mode.READING)
_TIMED_READ = _does(ActionKind.READ_TRY, Manner.TIMED, Mode.READING)
_WRITE = _does(ActionKind.LOCK, mode=Mode.WRITING)
_TRY_WRITE = _does(ActionKind.TRY, Manner.TRIED, Mode.WRITING)
_TIMED_WRITE = _does(ActionKind.TRY, Manner.TIMED, Mode.WRITING)
_TAKE = _does(ActionKind.TAKE)
_TRY_TAKE, _TIMED_TAKE = _does(ActionKind.TRY_TAKE, Manner.TRIED), _does(ActionKind.TRY_TAKE, Manner.TIMED)


_HARMLESS = {
    "pshared": "programs that start other processes are refused",
    "clock": "a deadline may pass at any moment, whatever its clock",
}
"""The attributes that change nothing, with the reason."""


def _attributes(prefix: str, *what: str) -> tuple[Primitive, ...]:
    """The functions about the attributes of a kind of object: for each attribute, one sets it and one gets it."""
    return (
        Primitive(f"{prefix}_init", Silence.ATTRIBUTES),
        Primitive(f"{prefix}_destroy", Silence.ATTRIBUTES),
        *(Primitive(f"{prefix}_set{one}", Silence.ATTRIBUTES, harmless=_HARMLESS.get(one, "")) for one in what),
        *(Primitive(f"{prefix}_get{one}", Silence.ATTRIBUTES, shows=(1,)) for one in what),
    )


MUTEXES = (
    *_attributes("pthread_mutexattr", "type", "pshared", "protocol", "prioceiling", "robust"),
    Primitive("pthread_mutex_init", _INIT, scheduled=Scheduled.PROTOCOL),
    Primitive("pthread_mutex_destroy", _DESTROY),
    Primitive("pthread_mutex_lock", _LOCK, scheduled=Scheduled.PROTOCOL),
    Primitive("pthread_mutex_trylock", _TRY, scheduled=Scheduled.PROTOCOL),
    Primitive("pthread_mutex_timedlock", _TIMED),
    Primitive("pthread_mutex_clocklock", _TIMED),
    Primitive("pthread_mutex_unlock", _UNLOCK),
    Primitive("pthread_mutex_consistent", _does(ActionKind.REPAIR)),
    Primitive("pthread_mutex_setprioceiling", Silence.PRIORITY, shows=(2,)),
    Primitive("pthread_mutex_getprioceiling", Silence.LOOKS, shows=(1,)),
)

CONDITIONS = (
    *_attributes("pthread_condattr", "pshared", "clock"),
    Primitive("pthread_cond_init", _INIT),
    Primitive("pthread_cond_destroy", _DESTROY),
    Primitive("pthread_cond_wait", Silence.STEPS),
    Primitive("pthread_cond_timedwait", Silence.STEPS),
    Primitive("pthread_cond_clockwait", Silence.STEPS),
    Primitive("pthread_cond_signal", (Act(ActionKind.SIGNAL),)),
    Primitive("pthread_cond_broadcast", (Act(ActionKind.BROADCAST),)),
)

RWLOCKS = (
    *_attributes("pthread_rwlockattr", "pshared", "kind_np"),
    Primitive("pthread_rwlock_init", _INIT),
    Primitive("pthread_rwlock_destroy", _DESTROY),
    Primitive("pthread_rwlock_rdlock", _READ),
    Primitive("pthread_rwlock_tryrdlock", _TRY_READ),
    Primitive("pthread_rwlock_timedrdlock", _TIMED_READ),
    Primitive("pthread_rwlock_clockrdlock", _TIMED_READ),
    Primitive("pthread_rwlock_wrlock", _WRITE),
    Primitive("pthread_rwlock_trywrlock", _TRY_WRITE),
    Primitive("pthread_rwlock_timedwrlock", _TIMED_WRITE),
    Primitive("pthread_rwlock_clockwrlock", _TIMED_WRITE),
    Primitive("pthread_rwlock_unlock", _UNLOCK),
)

SPIN_LOCKS = (
    Primitive("pthread_spin_init", _INIT),
    Primitive("pthread_spin_destroy", _DESTROY),
    Primitive("pthread_spin_lock", _LOCK),
    Primitive("pthread_spin_trylock", _TRY),
    Primitive("pthread_spin_unlock", _UNLOCK),
)

BARRIERS = (
    *_attributes("pthread_barrierattr", "pshared"),
    Primitive("pthread_barrier_init", _INIT),
    Primitive("pthread_barrier_destroy", _DESTROY),
    Primitive("pthread_barrier_wait", Silence.STEPS),
)

ONCE = (Primitive("pthread_once", Silence.STEPS),)

SEMAPHORES = (
    Primitive("sem_init", _INIT),
    Primitive("sem_destroy", _DESTROY),
    Primitive("sem_wait", _TAKE),
    Primitive("sem_trywait", _TRY_TAKE),
    Primitive("sem_timedwait", _TIMED_TAKE),
    Primitive("sem_clockwait", _TIMED_TAKE),
    Primitive("sem_post", (Act(ActionKind.GIVE),)),
    Primitive("sem_getvalue", Silence.LOOKS, shows=(1,)),
    Primitive("sem_open", Silence.STEPS, no_text=NoText.CHAIN, becomes=frozenset({"__cs_sem_open"})),
    Primitive("sem_close", (Act(ActionKind.CLOSE),)),
    Primitive("sem_unlink", Silence.STEPS, no_text=NoText.CHAIN, becomes=frozenset({"__cs_sem_unlink"})),
)
