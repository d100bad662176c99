"""What may happen without a reason: waits that end without a signal, and attempts that fail but could succeed.

POSIX lets waits on condition variables end like that (pthread_cond_wait), and C11 those of ``cnd_wait`` (7.26.3.6),
``mtx_trylock`` (7.26.4.5) and weak compare-exchanges (7.17.7.4). It is of no use in a counterexample that does
not need it. So where one has it, planners ask a second question, about the executions without.
"""

from collections.abc import Iterable

from cseq.modules.library import lexicon, stubs
from cseq.pipeline.facts import Fact
from cseq.pipeline.stage import Parameter

SPURIOUS = Parameter(
    "spurious_wakeups",
    bool,
    False,
    "explore spurious wake-ups and spurious failures, and report the first violation",
    ("--spurious-wakeups",),
)
"""Shared by the families of engines. The planner sets it for most questions."""

NO_SPURIOUS = Parameter(
    "no_spurious_wakeups",
    bool,
    False,
    "assume that no wait ends without a signal, and that mtx_trylock and weak compare-exchanges do not fail spuriously",
    ("--no-spurious-wakeups",),
)

WEAK_FAILS = Parameter("weak_fails", bool, False, "a weak compare-exchange may fail although the values are equal")
"""A parameter of the three-address stage; the planner sets it together with `SPURIOUS`."""

HAS_WEAK = Fact[bool]("has_weak")
"""Whether the program has a weak compare-exchange."""

HAS_SPURIOUS = Fact[bool]("has_spurious")
"""Whether anything in the program may happen without a reason."""


def mentions(functions: Iterable[str]) -> bool:
    """Whether one of these *functions* of the library does something without a reason, where that is allowed."""
    return any(stubs.uses(name, lexicon.SPURIOUS) or stubs.uses(name, stubs.WAIT_OR_WAKE) for name in functions)
