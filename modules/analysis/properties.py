"""The properties that can be checked, by the names that SV-COMP gives them."""

from __future__ import annotations

from collections.abc import Sequence

from cseq.pipeline.stage import Parameter

UNREACH = "unreach-call"
DEADLOCK = "no-deadlock"
RACE = "no-data-race"
MEMSAFETY = "valid-memsafety"
OVERFLOW = "no-overflow"

DEREF = "valid-deref"
FREE = "valid-free"
MEMTRACK = "valid-memtrack"
"""The parts of valid-memsafety: accesses, what is freed, and leaks."""

LTL = "ltl"
PROGRESS = "progress"
ACCEPTANCE = "acceptance"
TERMINATION = "termination"
"""Properties of infinite executions."""

PROPERTIES = (UNREACH, DEADLOCK, RACE, MEMSAFETY, OVERFLOW)
"""In the order in which they are checked. The first: assertions, `reach_error`, misuse of the thread library."""

ERRORS: Parameter[Sequence[str]] = Parameter(
    "errors", str, (), "functions that the program is not to call, beside `reach_error`", multiple=True
)
"""What a property file says of them."""

PROPERTY = Parameter("property", str, UNREACH, "the property that is checked", choices=lambda: list(PROPERTIES))
"""Shared by the stages whose work depends on it; the planner sets it, one after the other."""

NAMED = Parameter(
    "named", bool, True, "the function `reach_error` and the label ERROR violate the property by their names"
)
"""Of the linearizer: where that is not so, and the user defines the function, it does what its body says."""

CHECKED = Parameter("checked", bool, False, "each expression is checked, whether or not its value is used")
"""Shared by the stages that leave more in the program where that is so; the planner sets it with the property."""

READS = Parameter("reads", bool, False, "what is read counts, whether or not its value is used")
"""Of the linearizer; the planner sets it with the property."""

TIMEOUT: Parameter[float | None] = Parameter(
    "timeout", float, None, "give up after SEC seconds of the engine's time", ("--timeout",), "SEC", minimum=0
)
MEMLIMIT: Parameter[int | None] = Parameter(
    "memlimit", int, None, "let the engine use MB megabytes at most", ("--memlimit",), "MB", minimum=1
)
SPURIOUS = Parameter(
    "spurious_wakeups",
    bool,
    False,
    "let waits on condition variables also end without a signal",
    ("--spurious-wakeups",),
)
"""Shared by the families of engines."""

EXCUSED = Parameter("excused", bool, False, "misuse ends an execution, and is no violation")
"""Of the sequentializer; the planner sets it, see `modules/library/assertions.py`."""

CHECKING = frozenset({MEMSAFETY, OVERFLOW})
"""The properties that are about what any expression may do."""
