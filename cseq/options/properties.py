"""The properties that can be checked, by the names that SV-COMP gives them."""

from collections.abc import Sequence

from cseq.pipeline.facts import Fact
from cseq.pipeline.stage import Parameter

UNREACH = "unreach-call"
DEADLOCK = "no-deadlock"
RACE = "no-data-race"
MEMSAFETY = "valid-memsafety"
OVERFLOW = "no-overflow"

DEREF = "valid-deref"
FREE = "valid-free"
MEMTRACK = "valid-memtrack"
"""The parts of valid-memsafety: accesses, calls of free, and leaks."""

LTL = "ltl"
PROGRESS = "progress"
ACCEPTANCE = "acceptance"
TERMINATION = "termination"
"""Properties of infinite executions."""

EXCLUSION = "mutual-exclusion"
TLA = "tla"
"""Properties of specifications: two lines at which no two threads are together, and formulas of the user's."""

PROPERTIES = (UNREACH, DEADLOCK, RACE, MEMSAFETY, OVERFLOW)
"""In the order of checking. The first covers assertions, `reach_error` and misuse of the thread library."""

ERRORS: Parameter[Sequence[str]] = Parameter(
    "errors", str, (), "functions that the program must not call, besides `reach_error`", multiple=True
)
"""They come from a property file."""

CLAIMS = Fact[bool]("claims")
"""Whether the program claims anything itself: an assertion, or a place that must not be reached."""

PROPERTY = Parameter("property", str, UNREACH, "the property that is checked", choices=lambda: list(PROPERTIES))
"""Shared by the stages that depend on it; the planner sets it to one property after the other."""

NAMED = Parameter(
    "named", bool, True, "the function `reach_error` and the label ERROR violate the property by their names"
)
"""A parameter of the linearizer. If false, a function of that name that the user defines does what its body says."""

CHECKED = Parameter("checked", bool, False, "each expression is checked, whether or not its value is used")
"""Shared by the stages that keep more of the program if it is set; the planner sets it with the property."""

READS = Parameter("reads", bool, False, "what is read counts, whether or not its value is used")
"""A parameter of the three-address stage; the planner sets it with the property."""

ALSO_DEADLOCK = Parameter("deadlock", bool, False, "also look for deadlocks", ("--deadlock",))
ALSO_RACE = Parameter("race", bool, False, "also look for data races", ("--race",))

TIMEOUT: Parameter[float | None] = Parameter(
    "timeout", float, None, "give up after SEC seconds", ("--timeout",), "SEC", minimum=0
)
MEMLIMIT: Parameter[int | None] = Parameter(
    "memlimit", int, None, "limit the memory of the engine to MB megabytes", ("--memlimit",), "MB", minimum=1
)
JOBS: Parameter[int | None] = Parameter(
    "jobs", int, None, "use N processors at the same time (without it, all)", ("--jobs",), "N", minimum=1
)
"""How many jobs are done at a time on this machine."""

RESUME: Parameter[str | None] = Parameter(
    "resume", str, None, "write the results so far to FILE, and resume from FILE if it exists",
    ("--resume",), "FILE",
)  # fmt: skip
"""The journal of the symbolic family's run (`modules/symbolic/levels/journal.py`)."""

REFUSE = Parameter(
    "strict",
    bool,
    False,
    "refuse a program with anything that is not supported, instead of stopping the threads that reach it",
    ("--strict",),
)
"""Shared by the stages that find what is not supported."""

STRICT = Parameter(
    "strict_posix",
    bool,
    False,
    "report what POSIX and C leave undefined as a violation, even where it works on Linux: a mutex, condition "
    "variable, read-write lock or semaphore that is only zeroed; a function that is called as one of another type, "
    "where only pointers are of other types",
    ("--strict-posix",),
)
"""Shared by the stages that decide what such programs do."""

CLOSED_WORLD = Parameter(
    "closed_world",
    bool,
    False,
    "assume that nothing outside of the program ends a wait: a thread that waits for input or a signal is stuck",
    ("--closed-world",),
)

EXCUSED = Parameter("excused", bool, False, "misuse ends an execution, and is not a violation")
"""A parameter of the sequentializer; the planner sets it, see `modules/library/assertions.py`."""

CHECKING = frozenset({MEMSAFETY, OVERFLOW})
"""The properties that any expression may violate."""
