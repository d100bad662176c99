"""The functions of ``<threads.h>``."""

from cseq.model.actions import ActionKind, Manner
from cseq.model.trace import Effect
from cseq.modules.library.acts import Act
from cseq.modules.library.primitives.posix_threads import CREATED
from cseq.modules.library.primitives.schema import NoText, Primitive, Scheduled, Silence

C11 = (
    Primitive("mtx_init", (Act(ActionKind.INIT),)),
    Primitive("mtx_destroy", (Act(ActionKind.DESTROY),)),
    Primitive("mtx_lock", (Act(ActionKind.LOCK),)),
    Primitive("mtx_trylock", (Act(ActionKind.TRY, manner=Manner.TRIED),)),
    Primitive("mtx_timedlock", (Act(ActionKind.TRY, manner=Manner.TIMED),)),
    Primitive("mtx_unlock", (Act(ActionKind.UNLOCK),)),
    Primitive("cnd_init", (Act(ActionKind.INIT),)),
    Primitive("cnd_destroy", (Act(ActionKind.DESTROY),)),
    Primitive("cnd_wait", Silence.STEPS),
    Primitive("cnd_timedwait", Silence.STEPS),
    Primitive("cnd_signal", (Act(ActionKind.SIGNAL),)),
    Primitive("cnd_broadcast", (Act(ActionKind.BROADCAST),)),
    Primitive(
        "thrd_create", Silence.STEPS, no_text=NoText.CHAIN, becomes=CREATED, hands_on=2, starts=1,
        effect=Effect.CREATES,
    ),
    Primitive("thrd_exit", Silence.STEPS, no_text=NoText.CHAIN, becomes=CREATED),
    Primitive("thrd_join", (Act(ActionKind.JOIN),), shows=(1,)),
    Primitive("thrd_detach", (Act(ActionKind.DETACH),)),
    Primitive("thrd_current", Silence.OWN, effect=Effect.LOOKS),
    Primitive("thrd_equal", Silence.LOOKS, effect=Effect.LOOKS),
    Primitive("thrd_yield", Silence.TIME, effect=Effect.LOOKS),
    Primitive("thrd_sleep", Silence.TIME, scheduled=Scheduled.TIME),
    Primitive("call_once", Silence.STEPS),
    Primitive("tss_create", (Act(ActionKind.CREATE_KEY),), destructor=1),
    Primitive("tss_delete", (Act(ActionKind.DELETE_KEY),)),
    Primitive("tss_get", Silence.OWN),
    Primitive("tss_set", Silence.OWN, hands_on=1),
)  # fmt: skip
