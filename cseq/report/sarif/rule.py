"""The parts of a rule of a SARIF log, and the weaknesses that rules refer to."""

from __future__ import annotations

from dataclasses import dataclass

CWE = {
    119: "Improper Restriction of Operations within the Bounds of a Memory Buffer",
    120: "Buffer Copy without Checking Size of Input ('Classic Buffer Overflow')",
    125: "Out-of-bounds Read",
    129: "Improper Validation of Array Index",
    131: "Incorrect Calculation of Buffer Size",
    190: "Integer Overflow or Wraparound",
    191: "Integer Underflow (Wrap or Wraparound)",
    248: "Uncaught Exception",
    362: "Concurrent Execution using Shared Resource with Improper Synchronization ('Race Condition')",
    366: "Race Condition within a Thread",
    369: "Divide By Zero",
    401: "Missing Release of Memory after Effective Lifetime",
    404: "Improper Resource Shutdown or Release",
    415: "Double Free",
    416: "Use After Free",
    457: "Use of Uninitialized Variable",
    459: "Incomplete Cleanup",
    476: "NULL Pointer Dereference",
    562: "Return of Stack Variable Address",
    590: "Free of Memory not on the Heap",
    617: "Reachable Assertion",
    628: "Function Call with Incorrectly Specified Arguments",
    665: "Improper Initialization",
    667: "Improper Locking",
    672: "Operation on a Resource after Expiration or Release",
    674: "Uncontrolled Recursion",
    685: "Function Call With Incorrect Number of Arguments",
    686: "Function Call With Incorrect Argument Type",
    703: "Improper Check or Handling of Exceptional Conditions",
    758: "Reliance on Undefined, Unspecified, or Implementation-Defined Behavior",
    761: "Free of Pointer not at Start of Buffer",
    763: "Release of Invalid Pointer or Reference",
    764: "Multiple Locks of a Critical Resource",
    765: "Multiple Unlocks of a Critical Resource",
    770: "Allocation of Resources Without Limits or Throttling",
    772: "Missing Release of Resource after Effective Lifetime",
    787: "Out-of-bounds Write",
    821: "Incorrect Synchronization",
    824: "Access of Uninitialized Pointer",
    825: "Expired Pointer Dereference",
    826: "Premature Release of Resource During Expected Lifetime",
    832: "Unlock of a Resource that is not Locked",
    833: "Deadlock",
    834: "Excessive Iteration",
    835: "Loop with Unreachable Exit Condition ('Infinite Loop')",
    843: "Access of Resource Using Incompatible Type ('Type Confusion')",
    908: "Use of Uninitialized Resource",
    1335: "Incorrect Bitwise Shift of Integer",
    1341: "Multiple Releases of Same Resource or Handle",
}
"""The weaknesses that rules refer to: CWE number → name."""


@dataclass(frozen=True)
class Rule:
    """A kind of violation.

    id, name: stable; the name is in Pascal case. short: one sentence. full: what is wrong, and why that matters.
    help: what to look for, and how to repair it.
    cwes: the weaknesses of which it is a case, the most specific first. related: others that it may be or lead to.
    severity: the rank of a security problem by its possible effects, from 0 (none) to 10; None for other problems.
    tags: the subjects. level: ``error``, ``warning`` or ``note``.
    """

    id: str
    name: str
    short: str
    full: str
    help: str
    cwes: tuple[int, ...] = ()
    related: tuple[int, ...] = ()
    severity: float | None = None
    tags: tuple[str, ...] = ("reliability",)
    level: str = "error"


THREADS = ("concurrency", "reliability")
MEMORY = ("memory", "reliability")
ARITHMETIC = ("arithmetic", "reliability")
CORRECT = ("correctness",)

ORDER = (
    "Follow the steps of the code flow in the order of their execution numbers, across the threads. "
    "The last one violates the claim. "
)
