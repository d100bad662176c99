"""The memory orders of the steps of the thread library: what takes acquires, and what gives something back releases."""

from cseq.modules.ir.instructions import Order

PLAIN, LOOKS = (Order.PLAIN, Order.PLAIN), (Order.RELAXED, Order.RELAXED)
TAKES, GIVES = (Order.ACQUIRE, Order.RELAXED), (Order.RELEASE, Order.RELAXED)
SEES, MEETS = (Order.ACQUIRE, Order.ACQUIRE), (Order.ACQ_REL, Order.ACQ_REL)

STEP_ORDERS: dict[str, tuple[Order, Order]] = {
    **{f"pthread_{kind}_{what}": PLAIN for kind in ("mutex", "cond", "rwlock", "barrier", "spin")
       for what in ("init", "destroy")},
    **{f"pthread_{kind}attr_{what}": PLAIN for kind in ("mutex", "cond", "rwlock", "barrier")
       for what in ("init", "destroy", "setpshared", "settype", "setclock")},
    **dict.fromkeys(("sem_init", "sem_destroy", "mtx_init", "mtx_destroy", "cnd_init", "cnd_destroy"), PLAIN),
    **{f"pthread_{each}": TAKES for each in (
        "mutex_lock", "mutex_trylock", "spin_lock", "spin_trylock", "rwlock_rdlock", "rwlock_tryrdlock",
        "rwlock_wrlock", "rwlock_trywrlock",
    )},
    **dict.fromkeys(("mtx_lock", "mtx_trylock", "mtx_timedlock"), TAKES),
    **{f"sem_{each}": TAKES for each in ("wait", "trywait", "timedwait", "clockwait")},
    **{f"pthread_{kind}_{how}{what}": TAKES for how in ("timed", "clock")
       for kind, what in (("mutex", "lock"), ("rwlock", "rdlock"), ("rwlock", "wrlock"))},
    **{f"pthread_{kind}_unlock": GIVES for kind in ("mutex", "spin", "rwlock")},
    **dict.fromkeys(("mtx_unlock", "sem_post", "__cs_step_once_end"), GIVES),
    "__cs_step_once_begin": SEES,
    "__cs_step_barrier_arrive": MEETS,
    "__cs_step_barrier_leave": SEES,
    **{f"{kind}_{what}": LOOKS for kind in ("pthread_cond", "cnd") for what in ("signal", "broadcast")},
}  # fmt: skip
"""Steps of the thread library on one object → the memory orders if they change it, and if not."""
