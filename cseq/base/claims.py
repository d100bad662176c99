"""What is claimed of programs, and where executions are cut off: as values.

They are made where they are known. Through an engine they travel as a key, which is made of the same parts. Sentences
are made of them in `cseq/report/violations.py`, and nowhere else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from cseq.base.linemap import Origin

_KEY = re.compile(r"(?P<kind>[a-z-]+)(?:\.(?P<reason>\w+))?(?: (?P<function>\w+))?(?:: (?P<subject>.*))?", re.DOTALL)
_CUT_KEY = re.compile(
    r"cut\.(?P<reason>\w+) (?P<number>\d+)(?:/(?P<runs>\d+)(?P<set>=?))?"
    r"(?: (?P<function>\w+))?(?:: (?P<subject>.*))?",
    re.DOTALL,
)


class Kind(StrEnum):
    """What sort of property a claim belongs to; the values are what reports for programs call it."""

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


class Reason(StrEnum):
    """What is wrong where a claim does not hold. The names in capitals are those that `pthread_stubs/` uses."""

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
    NOT_HELD = "not_held"  # by who unlocks it
    WAITS_UNLOCKED = "waits_unlocked"
    OTHER_MUTEX = "other_mutex"  # than that of others who wait
    HELD = "held"  # already, by who locks it
    NOT_TIMED = "not_timed"
    NAMED = "named"
    NOT_NAMED = "not_named"
    NONE_CREATED = "none_created"
    JOINED = "joined"
    JOINED_TWICE = "joined_twice"
    DETACHED = "detached"
    DETACHED_TWICE = "detached_twice"
    ENDED = "ended"  # it is detached, and has ended
    RECURSIVE = "recursive"
    MISSING = "missing"

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
    FAILS = "fails"  # an assertion of which only is known that it does
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

    # What threads are blocked for
    ITSELF = "itself"
    ENDED_HOLDER = "ended_holder"

    # What ends a program
    ACCESS = "access"
    SIGNAL = "signal"

    # Infinite executions
    STAYS = "stays"


class Object(StrEnum):
    """What the thread library is about. The names in capitals are those that `pthread_stubs/` uses."""

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


class State(StrEnum):
    """What became of the memory that a claim is about, as far as its replay knows; the values are those of the runtime
    of replays (`backends/native_runtime.h`)."""

    NULL = "null"
    FREED = "freed"
    ENDED = "ended"
    OUTSIDE = "outside"
    UNALLOCATED = "unallocated"
    ALLOCATED = "allocated"


@dataclass(frozen=True)
class Memory:
    """Why a claim about memory does not hold. place: of the statement that freed, ended or allocated it.

    size: the bytes of the object.
    """

    state: State
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
    HEAP = "heap"
    ROUNDS = "rounds"
    CONTEXTS = "contexts"
    SCHEDULE = "schedule"
    MORE = "more"

    # Of what is translated
    ARGUMENTS = "arguments"
    ARGUMENT = "argument"
    OBJECT_TEXT = "object_text"
    GRAIN = "grain"
    BLOCKING = "blocking"
    CHAINS = "chains"
    LOST = "lost"

    # Of an engine
    ENGINE = "engine"
    ABSTRACTION = "abstraction"
    SEARCH = "search"
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
    RECEIVED = "received"
    CHARACTERS = "characters"
    PUT_OUT = "put_out"
    TEXT_WRITTEN = "text_written"
    PRINTED = "printed"
    NUMBER = "number"
    ROBUST = "robust"
    ASYNCHRONOUS = "asynchronous"
    PRIORITY = "priority"
    CEILINGS = "ceilings"


_KINDS = {
    **dict.fromkeys((Limit.RECURSION, Limit.STARTS), "recursion"),
    Limit.THREADS: "threads",
    Limit.INPUTS: "inputs",
    Limit.HEAP: "heap",
    Limit.ROUNDS: "rounds",
    Limit.CONTEXTS: "contexts",
    Limit.SCHEDULE: "schedule",
    **dict.fromkeys((Limit.GRAIN, Limit.BLOCKING), "grain"),
    Limit.CHAINS: "property",
    Limit.LOST: "leak",
    **dict.fromkeys((Limit.ENGINE, Limit.SEARCH, Limit.SAID), "engine"),
    Limit.ABSTRACTION: "abstraction",
}
"""The kinds of bounds, see `cseq.base.verdict.Bound`; of those that are not here it is ``unwinding``."""

_OF_USERS = frozenset({
    Limit.LOOP, Limit.COUNTED, Limit.DESTRUCTORS, Limit.RECURSION, Limit.STARTS, Limit.THREADS,
})  # fmt: skip


_CLAIMED, _REASONS, _LIMITS = frozenset(Kind), frozenset(Reason), frozenset(Limit)


@dataclass(frozen=True)
class Cut:
    """What cuts executions off. number: the bound, where it is one.

    subject: the user's function that is nested, the range of the inputs, the schedule, or what is one step.
    function: of the library, that follows no more. runs: how often the loop runs, where that is known, or how many
    rounds or contexts would cover all schedules. is_set: the bound is that of ``--unwindset``.
    """

    limit: Limit
    number: int = 0
    subject: str = ""
    function: str = ""
    runs: int = 0
    is_set: bool = False

    @property
    def kind(self) -> str:
        """The kind of the bound, as `Bound` has it."""
        return _KINDS.get(self.limit, "unwinding")

    @property
    def value(self) -> int:
        """The value of the bound, as `Bound` has it; 0 where there is no number to it."""
        return self.number

    @property
    def is_the_users(self) -> bool:
        """Whether the user sets the bound, so that it is not what a model of a function follows."""
        return self.limit in _OF_USERS

    @property
    def key(self) -> str:
        """What stands for it in a program: nothing of what it says is lost."""
        runs = f"/{self.runs}{'=' if self.is_set else ''}" if self.runs else ""
        function = f" {self.function}" if self.function else ""
        subject = f": {self.subject}" if self.subject else ""
        return f"cut.{self.limit} {self.number}{runs}{function}{subject}"

    @classmethod
    def of(cls, key: str) -> Cut:
        """The cut with the *key*; for what is no key, what an engine says by itself."""
        found = _CUT_KEY.fullmatch(key)
        if found is None or found["reason"] not in _LIMITS:
            return cls(Limit.SAID, subject=key)
        return cls(
            Limit(found["reason"]), int(found["number"]), found["subject"] or "", found["function"] or "",
            int(found["runs"] or 0), bool(found["set"]),
        )  # fmt: skip


@dataclass(frozen=True)
class Claim:
    """What is violated. reason: what is wrong; None where the kind says it all.

    subject: what it is about: the user's expression, the formula, the signal, or an `Object`.
    function: of the library, whose call is wrong. within: of the library, in whose own text the claim stands; empty for
    helpers, and None for claims in the user's text.
    is_range: the access is to so many bytes that a pointer leads to. type: that of a result.
    size: the bytes of a range, the elements of an array, or the bits of a type.
    memory: what became of the memory. cut: what cuts executions off, where that is claimed not to.
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
    def is_misuse(self) -> bool:
        """Whether it is about the use of the thread library or of the language, and no call of an error function."""
        return self.kind is Kind.MISUSE or self.reason in (Reason.NO_FUNCTION, Reason.NO_LENGTH)

    @property
    def key(self) -> str:
        """What stands for it in a program. Only kind, reason, function and subject can be said so."""
        reason = f".{self.reason}" if self.reason is not None else ""
        function = f" {self.function}" if self.function else ""
        subject = f": {self.subject}" if self.subject else ""
        return f"{self.kind}{reason}{function}{subject}"

    @classmethod
    def of(cls, key: str) -> Claim:
        """The claim with the *key*; for what is no key, what an engine says by itself."""
        found = _KEY.fullmatch(key)
        if found is None or found["kind"] not in _CLAIMED or (found["reason"] or Reason.SAID) not in _REASONS:
            return cls(Kind.REACHABILITY, Reason.SAID, key)
        reason = Reason(found["reason"]) if found["reason"] else None
        return cls(Kind(found["kind"]), reason, found["subject"] or "", found["function"] or "")

    def because(self, memory: Memory | None) -> Claim:
        """The same, with what became of the memory."""
        return replace(self, memory=memory)


DEADLOCK = Claim(Kind.DEADLOCK)
RACE = Claim(Kind.RACE)
"""The claims of the judges in `pthread_stubs/`: replays say more."""


def misuse(function: str, subject: Object, reason: Reason) -> Claim:
    """The claim of a function of the thread library; of what no function is called for, it is one of the program."""
    return Claim(Kind.MISUSE if function else Kind.REACHABILITY, reason, subject, function)
