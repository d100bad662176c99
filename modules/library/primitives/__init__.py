"""The table of primitives: what the stages and reports know about each function of the thread library.

CONTRIBUTING.md describes how to add an entry. What can be read from the C text is in `modules/library/stubs.py`.
"""

from collections.abc import Callable
from functools import cache
from itertools import chain

from cseq.model.actions import ActionKind
from cseq.model.trace import Effect
from cseq.modules.library.acts import Act
from cseq.modules.library.primitives import c11_threads, posix_objects, posix_threads
from cseq.modules.library.primitives.schema import NoText, Primitive
from cseq.modules.library.primitives.step_primitives import OF, STEPS

ALL = tuple(
    chain(
        posix_threads.THREADS, posix_threads.CANCELLATION, posix_threads.KEYS, posix_threads.ATTRIBUTES,
        posix_threads.TIME, posix_objects.MUTEXES, posix_objects.CONDITIONS, posix_objects.RWLOCKS,
        posix_objects.SPIN_LOCKS, posix_objects.BARRIERS, posix_objects.ONCE, posix_objects.SEMAPHORES,
        c11_threads.C11, STEPS,
    )
)  # fmt: skip

PRIMITIVES = {primitive.name: primitive for primitive in ALL}

CANCELLABLE, SCHEDULED, ROBUST, GIVEN, IDLE, REUSING, FOLLOWED, WRITERS = (f"__cs{number}" for number in range(1, 9))
REPEATED = "__cs10"  # 9 is that of `linking`
"""The suffixes of a function's variants: in which the thread can be cancelled, in which priorities matter, in which
mutexes may be robust, in which what is read is given, those of the steps of a wait after which the thread goes back to
waiting, in which freed memory comes back, in which descriptors may be those of pipes, sockets and event counters of the
program, in which read-write locks may prefer writers, and in which random numbers come again for the same seed."""
_SUFFIXES = (IDLE, SCHEDULED, CANCELLABLE, ROBUST, GIVEN, REUSING, FOLLOWED, WRITERS, REPEATED)
"""The suffixes, the last one of a name first."""

OUTCOMES = {
    ActionKind.TRY: (ActionKind.LOCK, ActionKind.TRY),
    ActionKind.LOCK: (ActionKind.LOCK, ActionKind.TRY),
    ActionKind.READ_TRY: (ActionKind.READ_LOCK, ActionKind.READ_TRY),
    ActionKind.READ_LOCK: (ActionKind.READ_LOCK, ActionKind.READ_TRY),
    ActionKind.TRY_TAKE: (ActionKind.TAKE, ActionKind.TRY_TAKE),
    ActionKind.TRY_JOIN: (ActionKind.JOIN, ActionKind.TRY_JOIN),
    ActionKind.BEGIN: (ActionKind.PASS, ActionKind.BEGIN),
}
"""Kinds of actions whose result says what they did → what they are if it is 0, and if not."""


def with_reusing(*functions: str) -> frozenset[str]:
    """The *functions*, and those variants of them in which freed memory comes back."""
    return frozenset(functions) | {function + REUSING for function in functions}


def without_variant(function: str) -> str:
    """The function of which *function* is a variant; otherwise *function* itself."""
    for suffix in _SUFFIXES:
        function = function.removesuffix(suffix)
    return function


@cache
def primitive(function: str) -> Primitive | None:
    """The entry of *function*, or of the function of which it is a variant; None for other functions."""
    return PRIMITIVES.get(without_variant(function))


def acts(function: str) -> tuple[Act, ...]:
    """What a call of *function* does with its arguments, in order."""
    found = primitive(function)
    return found.acts if found is not None else ()


def outcomes(function: str) -> tuple[ActionKind, ActionKind] | None:
    """What a call of *function* does if it returns 0, and if not; None if the result does not tell."""
    done = acts(function)
    return OUTCOMES.get(done[0].kind) if len(done) == 1 else None


def may_do_nothing(function: str) -> bool:
    """Whether a call of *function* has done something only if its result is not 0."""
    found = primitive(function)
    return found is not None and found.may_do_nothing


def shows(function: str) -> tuple[int, ...]:
    """The arguments that point to what *function* stores for its caller."""
    found = primitive(function)
    return found.shows if found is not None else ()


def effect(function: str) -> Effect:
    """What *function* is for a reproducer."""
    found = primitive(function)
    return found.effect if found is not None else Effect.ACTS


def called(function: str) -> str:
    """The user's name for the library's *function*, or for the function of which it is a step; "" if there is none."""
    found = primitive(function)
    if found is not None:
        return found.of or found.name
    if function in OF:
        return OF[function]
    return "" if function.startswith("__cs_") else function.partition("__cs")[0]


def _names(wanted: Callable[[Primitive], bool]) -> frozenset[str]:
    return frozenset(each.name for each in ALL if wanted(each))


BECOMES = {each.name: each.becomes for each in ALL if each.becomes}
"""Functions that are not defined in C → what the chain turns their calls into."""

NEEDS = {each.name: each.becomes | each.needs for each in ALL if each.becomes or each.needs}
"""Functions → what they need besides what their text mentions."""

HANDED_ON = {each.name: each.hands_on for each in ALL if each.hands_on is not None}
"""Functions → which of their arguments they pass on, to another thread or in another call."""

STARTS = {each.name: each.starts for each in ALL if each.starts is not None}
"""Functions that create threads → which of their arguments is the start function."""

DESTRUCTORS = {each.name: each.destructor for each in ALL if each.destructor is not None}
"""Functions that create keys → which of their arguments is called when a thread ends."""

SUCCEEDS = _names(lambda each: each.no_text is NoText.NOTHING)
"""Calls that change nothing a property can see, and return 0."""

REFUSALS = {each.name: each.refusal for each in ALL if each.refusal is not None}
"""Functions of which some or all calls are refused."""

SCHEDULING = {each.name: each.scheduled for each in ALL if each.scheduled is not None}
"""Functions with a variant in which priorities matter → what that variant is for."""
