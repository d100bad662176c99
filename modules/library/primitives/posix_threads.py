"""The functions of ``<pthread.h>`` about threads, and those of other headers that let a thread wait or yield."""

from cseq.model.actions import ActionKind, Manner
from cseq.model.trace import Effect
from cseq.modules.library.acts import Act
from cseq.modules.library.primitives.schema import NoText, Primitive, Refusal, Scheduled, Silence

CREATED = frozenset({"__cs_step_create", "__cs_step_exit"})
"""The steps that the creation and the end of a thread are turned into."""

_KEY_NEEDS = frozenset({"__cs_thread_end"})

THREADS = (
    Primitive(
        "pthread_create", Silence.STEPS, no_text=NoText.CHAIN, becomes=CREATED, hands_on=3, starts=2,
        effect=Effect.CREATES,
    ),
    Primitive("pthread_exit", Silence.STEPS, no_text=NoText.CHAIN, becomes=CREATED),
    Primitive("pthread_join", (Act(ActionKind.JOIN),), shows=(1,)),
    Primitive("pthread_tryjoin_np", (Act(ActionKind.TRY_JOIN, manner=Manner.TRIED),), shows=(1,)),
    Primitive(
        "pthread_timedjoin_np", (Act(ActionKind.TRY_JOIN, manner=Manner.TIMED),), shows=(1,),
        scheduled=Scheduled.TIME,
    ),
    Primitive("pthread_detach", (Act(ActionKind.DETACH),)),
    Primitive("pthread_self", Silence.OWN, effect=Effect.LOOKS),
    Primitive("pthread_equal", Silence.LOOKS, effect=Effect.LOOKS),
    Primitive("pthread_kill", Silence.LOOKS, refusal=Refusal("a signal (pthread_kill) is", 1, unknown=True)),
    Primitive("pthread_yield", Silence.TIME),
    Primitive("pthread_getattr_np", Silence.LOOKS, scheduled=Scheduled.ASKS),
    Primitive("pthread_setname_np", Silence.ATTRIBUTES, no_text=NoText.NOTHING),
    Primitive("pthread_setaffinity_np", Silence.PRIORITY, no_text=NoText.NOTHING),
    Primitive("pthread_setconcurrency", Silence.PRIORITY, no_text=NoText.NOTHING),
    Primitive("pthread_getconcurrency", Silence.LOOKS),
    Primitive("pthread_getschedparam", Silence.LOOKS, shows=(1, 2), scheduled=Scheduled.ASKS),
    Primitive(
        "pthread_setschedparam", Silence.PRIORITY, no_text=NoText.NOTHING, scheduled=Scheduled.PRIORITY
    ),
    Primitive("pthread_setschedprio", Silence.PRIORITY, no_text=NoText.NOTHING, scheduled=Scheduled.PRIORITY),
    Primitive("pthread_sigmask", Silence.OWN, no_text=NoText.NOTHING),
    Primitive("pthread_atfork", Silence.REFUSED, no_text=NoText.REFUSED, refusal=Refusal("processes are")),
    Primitive("sched_yield", Silence.TIME, effect=Effect.LOOKS),
    Primitive("sched_get_priority_max", Silence.LOOKS),
    Primitive("sched_get_priority_min", Silence.LOOKS),
)  # fmt: skip

CANCELLATION = (
    Primitive("pthread_cancel", (Act(ActionKind.CANCEL),), effect=Effect.CANCELS),
    Primitive("pthread_setcancelstate", Silence.OWN, shows=(1,)),
    Primitive("pthread_setcanceltype", Silence.OWN, shows=(1,), refusal=Refusal("asynchronous cancellation is", 0)),
    Primitive("pthread_testcancel", Silence.OWN),
    Primitive("__cs_cleanup_push", Silence.OWN, no_text=NoText.CHAIN),
    Primitive("__cs_cleanup_pop", Silence.OWN, no_text=NoText.CHAIN),
)

KEYS = (
    Primitive("pthread_key_create", (Act(ActionKind.CREATE_KEY),), needs=_KEY_NEEDS, destructor=1),
    Primitive("pthread_key_delete", (Act(ActionKind.DELETE_KEY),)),
    Primitive("pthread_getspecific", Silence.OWN),
    Primitive("pthread_setspecific", Silence.OWN, hands_on=1),
)

_SETS = (
    "detachstate", "inheritsched", "schedpolicy", "schedparam", "scope", "guardsize", "stacksize", "stackaddr", "stack",
)  # fmt: skip

_STACK = "the size of a stack is no limit, and where it is makes no difference"
_HARMLESS = {
    "scope": "Linux knows one scope, and the call fails for the other",
    **dict.fromkeys(("guardsize", "stacksize", "stackaddr", "stack"), _STACK),
}
"""The attributes that change nothing, with the reason."""

ATTRIBUTES = (
    Primitive("pthread_attr_init", Silence.ATTRIBUTES),
    Primitive("pthread_attr_destroy", Silence.ATTRIBUTES),
    *(Primitive(f"pthread_attr_set{what}", Silence.ATTRIBUTES, harmless=_HARMLESS.get(what, "")) for what in _SETS),
    *(Primitive(f"pthread_attr_get{what}", Silence.ATTRIBUTES, shows=(1,)) for what in _SETS if what != "stack"),
    Primitive("pthread_attr_getstack", Silence.ATTRIBUTES, shows=(1, 2)),
    Primitive(
        "pthread_attr_setaffinity_np",
        Silence.ATTRIBUTES,
        no_text=NoText.NOTHING,
        harmless="threads that share a processor run in one of the orders that are explored",
    ),
)

TIME = (
    Primitive("sleep", Silence.TIME, scheduled=Scheduled.TIME),
    Primitive("usleep", Silence.TIME, scheduled=Scheduled.TIME),
    Primitive("nanosleep", Silence.TIME, scheduled=Scheduled.TIME),
    Primitive("clock_nanosleep", Silence.TIME, scheduled=Scheduled.TIME),
    Primitive("pause", Silence.TIME),
    Primitive("clock_gettime", Silence.TIME, shows=(1,)),
    Primitive("clock_getres", Silence.TIME, shows=(1,)),
    Primitive("timespec_get", Silence.TIME, shows=(0,)),
    Primitive("__errno_location", Silence.OWN),
    Primitive(
        "syscall",
        Silence.STEPS,
        no_text=NoText.CHAIN,
        becomes=frozenset({"__cs_futex_wait", "__cs_step_futex_wake"}),
        needs=frozenset({"pthread_self"}),
    ),
)
