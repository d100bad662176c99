"""The steps of functions that have several, and what calls of functions without a C text are turned into."""

from cseq.model.actions import ActionKind, Manner, Mode
from cseq.model.trace import Effect
from cseq.modules.library.acts import Act
from cseq.modules.library.primitives.schema import Primitive, Scheduled, Silence


def _sleeps(manner: Manner) -> tuple[Act, Act]:
    return (Act(ActionKind.UNLOCK, 1), Act(ActionKind.WAIT, manner=manner))


def _wakes(manner: Manner) -> tuple[Act, Act]:
    return (Act(ActionKind.WAKE, manner=manner), Act(ActionKind.LOCK, 1))


def _waits(stem: str, how: str, of: str) -> tuple[Primitive, Primitive]:
    """The two steps of a wait on a condition variable: to unlock the mutex and sleep, and to wake and lock it again."""
    manner = Manner.TIMED if how else Manner.PLAIN
    return (
        Primitive(f"__cs_step_{stem}_{how}sleep", _sleeps(manner), of=of, effect=Effect.PAUSES),
        Primitive(f"__cs_step_{stem}_{how}wake", _wakes(manner), of=of, scheduled=Scheduled.TIME),
    )


STEPS = (
    Primitive(
        "__cs_step_create", (Act(ActionKind.CREATE, None),), of="pthread_create", hands_on=3,
        scheduled=Scheduled.PRIORITY, effect=Effect.CREATES,
    ),
    Primitive("__cs_step_exit", (Act(ActionKind.END, None),), of="pthread_exit"),
    Primitive("__cs_step_testcancel", Silence.NEXT, of="pthread_testcancel", effect=Effect.TESTS),
    Primitive(
        "__cs_step_await_end", (Act(ActionKind.JOIN, manner=Manner.WAITED),), of="pthread_join", effect=Effect.LOOKS
    ),
    Primitive("__cs_step_join", Silence.NEXT, of="pthread_join", shows=(1,)),
    Primitive("__cs_step_once_begin", (Act(ActionKind.BEGIN),), of="pthread_once", effect=Effect.BEGINS),
    Primitive("__cs_step_once_end", (Act(ActionKind.FINISH),), of="pthread_once", effect=Effect.FINISHES),
    Primitive("__cs_step_once_undo", Silence.END, of="pthread_once"),
    *_waits("cond", "", "pthread_cond_wait"),
    *_waits("cond", "timed", "pthread_cond_timedwait"),
    *_waits("cond", "clock", "pthread_cond_clockwait"),
    *_waits("cnd", "", "cnd_wait"),
    *_waits("cnd", "timed", "cnd_timedwait"),
    Primitive(
        "__cs_step_cond_wake_or_cancel", _wakes(Manner.CANCELLABLE), of="pthread_cond_wait", scheduled=Scheduled.TIME
    ),
    Primitive(
        "__cs_step_cond_cancelled", _wakes(Manner.CANCELLABLE), may_do_nothing=True, of="pthread_cond_timedwait",
        scheduled=Scheduled.TIME,
    ),
    Primitive("__cs_step_sem_take_or_cancel", (Act(ActionKind.TAKE, manner=Manner.CANCELLABLE),), of="sem_wait"),
    Primitive("__cs_step_pause", Silence.TIME, of="pause"),
    Primitive("__cs_step_barrier_arrive", (Act(ActionKind.ARRIVE),), of="pthread_barrier_wait", effect=Effect.PAUSES),
    Primitive("__cs_step_barrier_leave", (Act(ActionKind.LEAVE),), of="pthread_barrier_wait"),
    Primitive("__cs_step_rwlock_arrive", Silence.NEXT, of="pthread_rwlock_wrlock"),
    Primitive("__cs_step_rwlock_write", (Act(ActionKind.LOCK, mode=Mode.WRITING),), of="pthread_rwlock_wrlock"),
    Primitive("__cs_step_next_key", Silence.END, of="pthread_key_create"),
    Primitive("__cs_step_take_value", Silence.END, of="pthread_key_create"),
    Primitive("__cs_mutex_timedlock", Silence.INNER, of="pthread_mutex_timedlock", scheduled=Scheduled.PROTOCOL),
    Primitive("__cs_deadline", Silence.INNER, of="pthread_mutex_timedlock", scheduled=Scheduled.TIME),
    Primitive("__cs_step_futex_sleep", Silence.RESULT, of="syscall"),
    Primitive("__cs_step_futex_return", Silence.RESULT, of="syscall"),
    Primitive("__cs_step_futex_timedreturn", Silence.RESULT, of="syscall"),
    Primitive("__cs_step_futex_wake", Silence.RESULT, of="syscall"),
    Primitive("__cs_futex_wait", Silence.STEPS, of="syscall"),
    Primitive("__cs_sem_open", (Act(ActionKind.OPEN, None),), of="sem_open"),
    Primitive("__cs_sem_unlink", (Act(ActionKind.UNLINK, None),), of="sem_unlink"),
)  # fmt: skip

OF = {
    **dict.fromkeys(("__cs_step_read", "__cs_step_read_or_cancel"), "read"),
    **dict.fromkeys(
        ("__cs_step_write_bytes", "__cs_step_write_count", "__cs_step_add", "__cs_step_add_or_cancel"), "write"
    ),
    **dict.fromkeys(("__cs_step_poll", "__cs_step_poll_or_cancel"), "poll"),
    "__cs_step_select": "select",
    "__cs_open_wait": "read",
    "__cs_open_wait__cs1": "read",
}
"""The steps of functions of the C library that wait → the functions."""
