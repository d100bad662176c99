"""The kinds of violations, as dashboards for analysis results list them: with ids, advice, and CWE numbers.

The kind of a violation follows from the kind of its claim and from its reason. Each reason of the chains and of the
thread library has an entry here; `tests/unit/report/sarif/test_weaknesses.py` checks all of them.
"""

from __future__ import annotations

from cseq.model.claims import Claim, Kind, Limit, Reason, State
from cseq.model.verdict import Property
from cseq.report.sarif import programrules, threadrules
from cseq.report.sarif.rule import CWE, Rule

__all__ = ["BY_ID", "CWE", "RULES", "Rule", "rule_of"]

RULES = (*threadrules.RULES, *programrules.RULES)
"""All kinds. Their ids and names never change; new kinds may be added."""

BY_ID = {rule.id: rule for rule in RULES}

_MISUSE: dict[Reason | None, str] = {
    **dict.fromkeys((Reason.UNINITIALISED, Reason.NOT_INITIALISED), "uninitialised-object"),
    Reason.INITIALISED: "initialised-twice",
    **dict.fromkeys((Reason.DESTROYED_TWICE, Reason.CLOSED_TWICE), "destroyed-twice"),
    **dict.fromkeys((Reason.DESTROYED, Reason.CLOSED, Reason.DELETED), "use-after-destroy"),
    Reason.FREED: "use-after-free",
    Reason.IN_USE: "destroyed-in-use",
    Reason.WAITS_UNLOCKED: "wait-without-lock",
    Reason.OTHER_MUTEX: "wait-with-two-mutexes",
    Reason.NOT_HELD: "unlock-not-held",
    Reason.HELD: "double-lock",
    Reason.NOT_TIMED: "wrong-kind-of-object",
    **dict.fromkeys((Reason.NAMED, Reason.NOT_NAMED), "mismatched-release"),
    Reason.NONE_CREATED: "no-such-thread",
    **dict.fromkeys((Reason.JOINED_TWICE, Reason.DETACHED_TWICE), "joined-twice"),
    **dict.fromkeys((Reason.JOINED, Reason.DETACHED, Reason.ENDED), "use-of-ended-thread"),
    Reason.ITSELF: "self-deadlock",
    Reason.LEFT_JOINABLE: "thread-left",
    Reason.RECURSIVE: "recursive-once",
    Reason.MISSING: "missing-object",
    **dict.fromkeys((Reason.LEFT_BY_RETURN, Reason.LEFT_BY_JUMP), "cleanup-unbalanced"),
    Reason.ENDS_ALREADY: "exit-while-ending",
    Reason.NO_ARGUMENT: "missing-argument",
    Reason.NO_BLOCK: "invalid-free",
    Reason.NO_FUNCTION: "call-of-no-function",
    Reason.NO_LENGTH: "array-length-not-positive",
}

_KINDS: dict[Kind, tuple[dict[Reason | None, str], str]] = {
    Kind.ASSERTION: ({}, "assertion-violation"),
    Kind.REACHABILITY: ({**_MISUSE, Reason.FAILS: "assertion-violation"}, "error-reached"),
    Kind.MISUSE: ({**_MISUSE}, "misuse-of-thread-library"),
    Kind.DEADLOCK: ({Reason.ITSELF: "self-deadlock", Reason.ENDED_HOLDER: "lock-never-released"}, "deadlock"),
    Kind.RACE: ({}, "data-race"),
    Kind.MEMSAFETY: (
        {
            Reason.FREE: "invalid-free",
            Reason.LEAK: "memory-leak",
            Reason.TEXT: "out-of-bounds-write",
            Reason.INDEX: "index-out-of-bounds",
        },
        "invalid-access",
    ),
    Kind.OVERFLOW: ({Reason.DIVISION: "division-by-zero", Reason.SHIFT: "invalid-shift"}, "integer-overflow"),
    Kind.CRASH: (
        {
            Reason.ACCESS: "invalid-access",
            Reason.DIVISION: "division-by-zero",
            Reason.INDEX: "index-out-of-bounds",
            **dict.fromkeys((Reason.ABORTED, Reason.LIBRARY, Reason.TERMINATED), "aborted"),
            Reason.EXCEPTION: "uncaught-exception",
            Reason.STACK: "stack-overflow",
        },
        "crash",
    ),
    Kind.INVARIANT: ({}, "invariant-violation"),
    Kind.LTL: ({}, "temporal-violation"),
    Kind.ACCEPTANCE: ({}, "temporal-violation"),
    Kind.NON_PROGRESS: ({}, "no-progress"),
    Kind.TERMINATION: ({}, "no-progress"),
    Kind.EXCLUSION: ({}, "invariant-violation"),
    Kind.TLA: ({}, "temporal-violation"),
    Kind.UNDEFINED: ({}, "undefined-behavior"),
    Kind.EXIT: ({}, "wrong-exit-status"),
}
"""The kind of a claim → the ids of rules by its reason, and the id for any other reason."""

_MEMORY_STATES = {
    (Reason.FREE, State.FREED): "double-free",
    (Reason.FREE, None): "invalid-free",
    (Reason.LEAK, None): "memory-leak",
    (None, State.NULL): "null-dereference",
    (None, State.FREED): "use-after-free",
    (None, State.ENDED): "use-after-lifetime",
    (Reason.READ, State.OUTSIDE): "out-of-bounds-read",
    (Reason.WRITE, State.OUTSIDE): "out-of-bounds-write",
}
"""The ids of rules by the reason and the state of the memory; None matches any. The first match counts."""

_CUTS = {
    **dict.fromkeys((Limit.RECURSION, Limit.STARTS), "recursion-exceeds-bound"),
    Limit.THREADS: "threads-exceed-bound",
}


def rule_of(violated: Property | None) -> Rule:
    """The rule for the violation of a property; the general one if the property is not known."""
    return BY_ID[_rule_of(violated.claim) if violated is not None else "violation"]


def _rule_of(claim: Claim) -> str:
    if claim.kind is Kind.UNWINDING:
        return _CUTS.get(claim.cut.limit, "bound-exceeded") if claim.cut is not None else "bound-exceeded"
    if claim.memory is not None:
        for (reason, state), id_ in _MEMORY_STATES.items():
            if reason in (None, claim.reason) and state in (None, claim.memory.state):
                return id_
    reasons, other = _KINDS[claim.kind]
    return reasons.get(claim.reason, other)
