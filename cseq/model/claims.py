"""Claims about programs, and the cuts of their executions, as values.

They are made where they are known. Through an engine they travel as a key, which is made of the same parts. Only
`cseq/report/violations.py` turns them into sentences.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from cseq.model.origin import Origin

_KEY = re.compile(r"(?P<kind>[a-z-]+)(?:\.(?P<reason>\w+))?(?: (?P<function>\w+))?(?:: (?P<subject>.*))?", re.DOTALL)
_CUT_KEY = re.compile(
    r"cut\.(?P<reason>\w+) (?P<number>\d+)(?:/(?P<runs>\d+)(?P<set>=?))?"
    r"(?: @(?P<file>[^\0]*?):(?P<line>\d+))?(?: (?P<function>\w+))?(?:: (?P<subject>.*))?",
    re.DOTALL,
)


class Kind(StrEnum):
    """The kind of property that a claim belongs to. The values are the names in machine-readable reports."""

    ASSERTION = "assertion"
    REACHABILITY = "reachability"
    MISUSE = "misuse"
    DEADLOCK = "deadlock"
    RACE = "race"
    MEMSAFETY = "memsafety"
    OVERFLOW = "overflow"
    UNWINDING = "unwinding"
    CRASH = "crash"
    INVARIANT = "invariant"
    LTL = "ltl"
    ACCEPTANCE = "acceptance"
    NON_PROGRESS = "non-progress"
    TERMINATION = "termination"
    EXCLUSION = "mutual-exclusion"
    TLA = "tla"
    UNDEFINED = "undefined-behavior"
    EXIT = "exit-status"


class Reason(StrEnum):
    """What is wrong where a claim does not hold. `pthread_stubs/` uses the names in capitals."""

    # Misuse of an object, or of a thread
    UNINITIALISED = "uninitialised"  # never initialised
    NOT_INITIALISED = "not_initialised"  # not initialised now
    INITIALISED = "initialised"  # already
    DESTROYED = "destroyed"
    CLOSED = "closed"
    DELETED = "deleted"
    DESTROYED_TWICE = "destroyed_twice"
    CLOSED_TWICE = "closed_twice"
    IN_USE = "in_use"  # while it is destroyed
    NOT_HELD = "not_held"  # by the thread that unlocks it
    WAITS_UNLOCKED = "waits_unlocked"
    OTHER_MUTEX = "other_mutex"  # than the one that other waiting threads use
    HELD = "held"  # already, by the thread that locks it
    NOT_TIMED = "not_timed"
    NAMED = "named"
    NOT_NAMED = "not_named"
    NONE_CREATED = "none_created"
    JOINED = "joined"
    JOINED_TWICE = "joined_twice"
    DETACHED = "detached"
    DETACHED_TWICE = "detached_twice"
    ENDED = "ended"  # the thread is detached, and has ended
    RECURSIVE = "recursive"
    MISSING = "missing"
    LEFT_JOINABLE = "left_joinable"  # neither joined nor detached
    FREED = "freed"  # the memory of the object

    # Misuse of the language
    LEFT_BY_RETURN = "left_by_return"
    LEFT_BY_JUMP = "left_by_jump"
    ENDS_ALREADY = "ends_already"
    NO_FUNCTION = "no_function"
    NO_LENGTH = "no_length"
    NO_ARGUMENT = "no_argument"
    NO_BLOCK = "no_block"
    NO_BLOCK_OF_SIZE = "no_block_of_size"

    # Places that must not be reached
    CALLED = "called"
    LABEL = "label"
    UNREACHABLE = "unreachable"
    FAILS = "fails"  # an assertion about which nothing else is known
    SAID = "said"  # by an engine, in its own words

    # Memory
    READ = "read"
    WRITE = "write"
    FREE = "free"
    INDEX = "index"
    TEXT = "text"
    LEAK = "leak"

    # Arithmetic
    RESULT = "result"
    DIVISION = "division"
    SHIFT = "shift"

    # Why threads are blocked
    ITSELF = "itself"
    ENDED_HOLDER = "ended_holder"

    # What ends a program
    ACCESS = "access"
    SIGNAL = "signal"
    ABORTED = "aborted"
    LIBRARY = "library"  # aborted by the C library
    TERMINATED = "terminated"
    EXCEPTION = "exception"
    STACK = "stack"

    # Infinite executions
    STAYS = "stays"
    SPINS = "spins"


class Object(StrEnum):
    """The kinds of objects of the thread library. `pthread_stubs/` uses the names in capitals."""

    MUTEX = "mutex"
    LOCK = "lock"
    COND = "cond"
    BARRIER = "barrier"
    SEMAPHORE = "semaphore"
    ATTRIBUTES = "attributes"
    THREAD_ATTRIBUTES = "thread_attributes"
    KEY = "key"
    THREAD = "thread"
    ONCE = "once"


class MemoryState(StrEnum):
    """What became of the memory that a claim is about, as far as its replay knows. The values are those of the runtime
    of replays (`backends/native_runtime.h`)."""

    NULL = "null"
    FREED = "freed"
    ENDED = "ended"
    OUTSIDE = "outside"
    UNALLOCATED = "unallocated"
    ALLOCATED = "allocated"


@dataclass(frozen=True)
class Memory:
    """Why a claim about memory does not hold. place: the place of the statement that freed, ended or allocated it.

    size: the size of the object, in bytes.
    """

    state: MemoryState
    place: Origin | None = None
    size: int = 0


class Limit(StrEnum):
    """What cuts executions off. The names in capitals are those that `pthread_stubs/` uses."""

    # Of the search
    LOOP = "loop"
    COUNTED = "counted"
    DESTRUCTORS = "destructors"
    RECURSION = "recursion"
    STARTS = "starts"
    THREADS = "threads"
    INPUTS = "inputs"
    SAMPLED = "sampled"
    SAMPLED_RESULT = "sampled_result"
    UNWRITTEN = "unwritten"
    HEAP = "heap"
    FREED_BLOCKS = "freed_blocks"
    GROWN = "grown"
    OTHER_SIZE = "other_size"
    ROUNDS = "rounds"
    CONTEXTS = "contexts"
    SCHEDULE = "schedule"
    TILE = "tile"
    MORE = "more"

    # Of what is translated
    NO_ARGUMENTS = "no_arguments"
    ARGUMENTS = "arguments"
    ARGUMENT = "argument"
    OBJECT_TEXT = "object_text"
    GRAIN = "grain"
    PROVENANCE = "provenance"
    ADDRESSES = "addresses"
    ORDER = "order"
    IDENTIFIERS = "identifiers"
    LITERALS = "literals"
    BLOCKING = "blocking"
    CHAINS = "chains"
    LOST = "lost"
    UNSUPPORTED = "unsupported"
    UNDEFINED = "undefined"

    # Of an engine
    ENGINE = "engine"
    ABSTRACTION = "abstraction"
    MERGED = "merged"
    SEARCH = "search"
    DEPTH = "depth"
    PREEMPTIONS = "preemptions"
    HASHED = "hashed"
    MARKED = "marked"
    ONE_RUN = "one_run"
    RUNS = "runs"
    RUN_OPERATIONS = "run_operations"
    RUN_SECONDS = "run_seconds"
    RUN_THREADS = "run_threads"
    RUN_ROOM = "run_room"
    RUN_UNREPEATED = "run_unrepeated"
    UNHANDLED = "unhandled"
    WORLD_CLOCK = "world_clock"
    WORLD_INPUT = "world_input"
    WORLD_RANDOM = "world_random"
    WORLD_AWAITED = "world_awaited"
    WORLD_REUSED = "world_reused"
    WORLD_PROCESS = "world_process"
    WORLD_THREADS = "world_threads"
    WORLD_MEMORY = "world_memory"
    SAID = "said"

    # Of models of the library
    STRING = "string"
    A_STRING = "a_string"
    STRINGS = "strings"
    SET = "set"
    PART = "part"
    VALUE = "value"
    EQUAL = "equal"
    SEARCHED = "searched"
    WRITTEN = "written"
    READ_BYTES = "read_bytes"
    CHARACTERS = "characters"
    PUT_OUT = "put_out"
    TEXT_WRITTEN = "text_written"
    PRINTED = "printed"
    NUMBER = "number"
    ELEMENT = "element"
    INPUT_TEXT = "input_text"
    VARIABLES = "variables"
    HANDLERS = "handlers"
    RANDOM_NUMBERS = "random_numbers"
    NARROW_RESULT = "narrow_result"
    ASYNCHRONOUS = "asynchronous"
    PRIORITY = "priority"
    CEILINGS = "ceilings"
    WRITERS_FIRST = "writers_first"
    DESCRIPTORS = "descriptors"
    DESCRIPTOR_FLAGS = "descriptor_flags"
    CHANNEL_ROOM = "channel_room"
    CLOSED_IN_USE = "closed_in_use"
    CLOSED_UNREAD = "closed_unread"
    STANDARD_CLOSED = "standard_closed"
    BROKEN_PIPE = "broken_pipe"
    POLLED = "polled"
    CANCELLED_WAIT = "cancelled_wait"


_KINDS = {
    **dict.fromkeys((Limit.RECURSION, Limit.STARTS), "recursion"),
    Limit.THREADS: "threads",
    **dict.fromkeys((Limit.INPUTS, Limit.NO_ARGUMENTS, Limit.NARROW_RESULT), "inputs"),
    **dict.fromkeys((Limit.SAMPLED, Limit.SAMPLED_RESULT, Limit.UNWRITTEN), "inputs"),
    Limit.WRITERS_FIRST: "unsupported",
    **dict.fromkeys((Limit.HEAP, Limit.FREED_BLOCKS, Limit.GROWN, Limit.OTHER_SIZE), "heap"),
    Limit.ROUNDS: "rounds",
    Limit.CONTEXTS: "contexts",
    Limit.SCHEDULE: "schedule",
    Limit.TILE: "tile",
    **dict.fromkeys((Limit.GRAIN, Limit.BLOCKING), "grain"),
    **dict.fromkeys((Limit.PROVENANCE, Limit.ADDRESSES, Limit.ORDER, Limit.IDENTIFIERS, Limit.LITERALS), "engine"),
    Limit.RUNS: "runs",
    **dict.fromkeys((limit for limit in Limit if limit.startswith("world_")), "engine"),
    **dict.fromkeys(
        (
            Limit.RUN_OPERATIONS,
            Limit.RUN_SECONDS,
            Limit.RUN_THREADS,
            Limit.RUN_ROOM,
            Limit.RUN_UNREPEATED,
            Limit.UNHANDLED,
        ),
        "engine",
    ),
    Limit.CHAINS: "property",
    Limit.LOST: "leak",
    **dict.fromkeys((Limit.UNSUPPORTED, Limit.UNDEFINED), "unsupported"),
    **dict.fromkeys((Limit.ENGINE, Limit.SEARCH, Limit.SAID), "engine"),
    **dict.fromkeys((Limit.DEPTH, Limit.PREEMPTIONS, Limit.HASHED, Limit.MARKED, Limit.ONE_RUN), "engine"),
    **dict.fromkeys((Limit.ABSTRACTION, Limit.MERGED), "abstraction"),
}
"""The kind of bound (see `cseq.model.verdict.Bound`) of each limit; ``unwinding`` for limits that are missing here."""

_OF_USERS = frozenset({
    Limit.LOOP, Limit.COUNTED, Limit.DESTRUCTORS, Limit.RECURSION, Limit.STARTS, Limit.THREADS,
})  # fmt: skip


_CLAIMED, _REASONS, _LIMITS = frozenset(Kind), frozenset(Reason), frozenset(Limit)


@dataclass(frozen=True)
class Cut:
    """What cuts executions off. number: the value of the bound, if it has one.

    subject: the user's recursive function, the range of the inputs, the schedule, or what counts as one step.
    function: the library function whose model goes no further. runs: how often the loop runs, where that is known, or
    how many rounds or contexts would cover all schedules. is_set: the bound comes from ``--unwindset``.
    place: where the unsupported construct is at which a thread stops.
    """

    limit: Limit
    number: int = 0
    subject: str = ""
    function: str = ""
    runs: int = 0
    is_set: bool = False
    place: Origin | None = None

    @property
    def kind(self) -> str:
        """The kind of the bound, as in `Bound`."""
        return _KINDS.get(self.limit, "unwinding")

    @property
    def value(self) -> int:
        """The value of the bound, as in `Bound`; 0 where it has no number."""
        return self.number

    @property
    def is_of_addresses(self) -> bool:
        """Whether it leaves out where objects may lie in memory."""
        return self.limit in (Limit.ADDRESSES, Limit.ORDER, Limit.LITERALS)

    @property
    def is_the_users(self) -> bool:
        """Whether the user sets the bound; otherwise it belongs to the model of a function."""
        return self.limit in _OF_USERS

    @property
    def key(self) -> str:
        """The text that represents the cut in a program. No information is lost."""
        runs = f"/{self.runs}{'=' if self.is_set else ''}" if self.runs else ""
        function = f" {self.function}" if self.function else ""
        subject = f": {self.subject}" if self.subject else ""
        place = f" @{self.place}" if self.place is not None else ""
        return f"cut.{self.limit} {self.number}{runs}{place}{function}{subject}"

    @classmethod
    def of(cls, key: str) -> Cut:
        """The cut with this *key*; a text that is not a key is taken for an engine's own words."""
        found = _CUT_KEY.fullmatch(key)
        if found is None or found["reason"] not in _LIMITS:
            return cls(Limit.SAID, subject=key)
        return cls(
            Limit(found["reason"]), int(found["number"]), found["subject"] or "", found["function"] or "",
            int(found["runs"] or 0), bool(found["set"]),
            Origin(found["file"], int(found["line"])) if found["file"] is not None else None,
        )  # fmt: skip


@dataclass(frozen=True)
class Claim:
    """A property that is violated. reason: what is wrong; None where the kind says it all.

    subject: what the claim is about: the user's expression, the formula, the signal, or an `Object`.
    function: the library function whose call is wrong. within: the library function whose text contains the claim;
    empty for helpers, None for claims in the user's text.
    is_range: the access is to *size* bytes at a pointer. type: the type of a result.
    size: the bytes of a range, the elements of an array, or the bits of a type.
    memory: what became of the memory. cut: the cut that is claimed not to be reached.
    """

    kind: Kind
    reason: Reason | None = None
    subject: str = ""
    function: str = ""
    within: str | None = None
    is_range: bool = False
    type: str = ""
    size: int | None = None
    memory: Memory | None = None
    cut: Cut | None = None

    @property
    def is_beyond_svcomp(self) -> bool:
        """Whether no property of SV-COMP is about it: misuse of the thread library or the language, or a crash."""
        return self.kind in (Kind.MISUSE, Kind.CRASH) or self.reason in (Reason.NO_FUNCTION, Reason.NO_LENGTH)

    @property
    def key(self) -> str:
        """The text that represents the claim in a program. It has only the kind, reason, function and subject."""
        reason = f".{self.reason}" if self.reason is not None else ""
        function = f" {self.function}" if self.function else ""
        subject = f": {self.subject}" if self.subject else ""
        return f"{self.kind}{reason}{function}{subject}"

    @classmethod
    def of(cls, key: str) -> Claim:
        """The claim with this *key*; a text that is not a key is taken for an engine's own words."""
        found = _KEY.fullmatch(key)
        if found is None or found["kind"] not in _CLAIMED or (found["reason"] or Reason.SAID) not in _REASONS:
            return cls(Kind.REACHABILITY, Reason.SAID, key)
        reason = Reason(found["reason"]) if found["reason"] else None
        return cls(Kind(found["kind"]), reason, found["subject"] or "", found["function"] or "")

    def because(self, memory: Memory | None) -> Claim:
        """The same claim, with what became of the memory."""
        return replace(self, memory=memory)


DEADLOCK = Claim(Kind.DEADLOCK)
RACE = Claim(Kind.RACE)
"""Deadlocks and data races, as the checks in `pthread_stubs/` claim them; a replay has more detail."""


CRASHES = {
    **dict.fromkeys(("SIGSEGV", "SIGBUS"), Claim(Kind.CRASH, Reason.ACCESS)),
    "SIGFPE": Claim(Kind.CRASH, Reason.DIVISION),
    "bounds": Claim(Kind.CRASH, Reason.INDEX),
}
"""What is wrong where these end a program: signals, by name, and what the engine `native` watches itself."""


def crash(signal: str) -> Claim:
    """What is wrong with a program that the *signal* of this name ends."""
    return CRASHES.get(signal) or Claim(Kind.CRASH, Reason.SIGNAL, signal)


def misuse(function: str, subject: Object, reason: Reason) -> Claim:
    """The claim that a function of the thread library makes; without a function, it is a claim of the program."""
    return Claim(Kind.MISUSE if function else Kind.REACHABILITY, reason, subject, function)
