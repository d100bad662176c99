"""The sentences for claims and cuts: one for each kind and reason."""

from cseq.model.claims import Claim, Cut, Kind, Limit, Memory, MemoryState, Object, Reason
from cseq.report.catalogue import Catalogue
from cseq.report.violation_kinds import CLAIMS, Key, about, keys

_NOUNS = {
    Object.MUTEX: "mutex",
    Object.LOCK: "lock",
    Object.COND: "condition variable",
    Object.BARRIER: "barrier",
    Object.SEMAPHORE: "semaphore",
    Object.ATTRIBUTES: "attributes",
    Object.THREAD_ATTRIBUTES: "attributes of threads",
    Object.KEY: "key",
    Object.THREAD: "thread",
    Object.ONCE: "object",
}
_MANY = frozenset({Object.ATTRIBUTES, Object.THREAD_ATTRIBUTES})

_CLAIMS: Catalogue[Key] = Catalogue("claim", CLAIMS)

_STATES: Catalogue[MemoryState] = Catalogue(
    "memory",
    {
        MemoryState.NULL: "the pointer is NULL",
        MemoryState.FREED: "the memory has been freed{at}",
        MemoryState.ENDED: "the life of the object has ended{at}",
        MemoryState.OUTSIDE: "outside of the object, which has {bytes}",
        MemoryState.UNALLOCATED: "no pointer to a block from malloc",
        MemoryState.ALLOCATED: "allocated{at}",
    },
)

_CUTS: Catalogue[Limit] = Catalogue(
    "cut",
    {
        Limit.LOOP: "the loop{at} may run more than {times}",
        Limit.COUNTED: "the loop{at} runs {runs}, and {option} {number}",
        Limit.DESTRUCTORS: "a thread may call destructors more than {times}",
        Limit.RECURSION: "`{subject}` may call itself more than {number} deep",
        Limit.STARTS: "`{subject}` may start itself more than {number} deep",
        Limit.THREADS: "more than {threads} may be created",
        Limit.INPUTS: "inputs outside of {subject}",
        Limit.SAMPLED: "the values of the input at {subject} were sampled: {number} of them were tried",
        Limit.SAMPLED_RESULT: "what `{function}` gives at {subject} was sampled: a few values were tried",
        Limit.UNWRITTEN: "{subject}: the values of memory that was never written were sampled",
        Limit.FREED_BLOCKS: "more freed blocks wait to be allocated again than are followed",
        Limit.OTHER_SIZE: "a block may get the address of a freed block of another size",
        Limit.GROWN: "a block that grows may stay where it is",
        Limit.HEAP: "more than {number} bytes are allocated by a thread (--heap)",
        Limit.ROUNDS: "{rounds}; {needed} cover all schedules",
        Limit.CONTEXTS: "{switches}; {needed} cover all schedules",
        Limit.SCHEDULE: "the schedule `{subject}`",
        Limit.TILE: "part {number}/{needed} of the schedules (--tile)",
        Limit.MORE: "one more round can begin",
        Limit.NO_ARGUMENTS: "`argc` is 1: other arguments were not explored (--args, --args-any)",
        Limit.ARGUMENTS: "the program may get more than {number} arguments",
        Limit.ARGUMENT: "the program may get an argument of more than {number} characters",
        Limit.OBJECT_TEXT: "{function}: the text may be longer than its object",
        Limit.GRAIN: "{subject} counts as one access to memory",
        Limit.PROVENANCE: "pointers whose objects are not known: without a value, made from integers, or moved from "
        "one object to another",
        Limit.ADDRESSES: "numbers that are made from addresses: other addresses than those that the engine chose",
        Limit.ORDER: "addresses of different objects are compared: other orders of the objects in memory than those "
        "that were explored",
        Limit.LITERALS: "string literals of which one is the end of another may overlap in memory",
        Limit.IDENTIFIERS: "numbers that are thread identifiers: other identifiers than those that the engine chose",
        Limit.BLOCKING: "a call that may block inside of an atomic section; deadlocks there are not looked for",
        Limit.CHAINS: "of the deadlocks, only circles of threads that hold each other's mutexes or spin locks are "
        "looked for",
        Limit.LOST: "memory that is not freed may be lost: threads still run, `exit` is called, or only other blocks "
        "lead to it",
        Limit.UNSUPPORTED: "{subject}",
        Limit.UNDEFINED: "{subject}",
        Limit.ENGINE: "{subject} does not look at all executions",
        Limit.ABSTRACTION: "of the states that `{subject}` makes the same, with the threads at the same places, only "
        "one was looked at",
        Limit.MERGED: "the statements at {subject} count as one step",
        Limit.SEARCH: "the search left something out",
        Limit.DEPTH: "executions of more than {transitions} (--depth)",
        Limit.PREEMPTIONS: "schedules with more than {switches} that preempt a thread (--preemptions)",
        Limit.HASHED: "states are told apart by their hashes only (--hash-compact)",
        Limit.MARKED: "states are only marked in a table, and may have been taken for others (--bitstate, --swarm)",
        Limit.RUNS: "{executions} ({subject})",
        Limit.RUN_OPERATIONS: "runs of more than {number} operations (--steps)",
        Limit.RUN_SECONDS: "runs of more than {seconds} (--run-time)",
        Limit.RUN_THREADS: "runs with more than {threads}",
        Limit.UNHANDLED: "runs with what is not followed: {subject}",
        Limit.RUN_ROOM: "runs that are too long to be recorded",
        Limit.RUN_UNREPEATED: "violations in {tries} that did not happen again with the same schedule",
        Limit.WORLD_CLOCK: "the program reads the time, which other values might change",
        Limit.WORLD_INPUT: "the program reads what other processes write",
        Limit.WORLD_RANDOM: "the program reads random numbers",
        Limit.WORLD_AWAITED: "loops that wait for a change were not repeated until there was one",
        Limit.WORLD_REUSED: "freed memory was not used again at once",
        Limit.WORLD_PROCESS: "the program starts other processes",
        Limit.WORLD_THREADS: "only schedules of {threads} are explored",
        Limit.WORLD_MEMORY: "loads read the last value that was stored (--weak reads older ones)",
        Limit.ONE_RUN: "only one execution was looked at (--simulate)",
        Limit.STRING: "{function}: the string may be longer than {number} characters",
        Limit.A_STRING: "{function}: a string may be longer than {number} characters",
        Limit.STRINGS: "{function}: the strings may be equal for more than {number} characters",
        Limit.SET: "{function}: the set may be longer than {number} characters",
        Limit.PART: "{function}: the part may be longer than {number} characters",
        Limit.VALUE: "{function}: the value may be longer than {number} characters",
        Limit.EQUAL: "{function}: more than {number} bytes may be equal",
        Limit.SEARCHED: "{function}: more than {number} bytes may be searched",
        Limit.WRITTEN: "{function}: more than {number} bytes may be written",
        Limit.READ_BYTES: "{function}: more than {number} bytes may be read",
        Limit.CHARACTERS: "{function}: more than {number} characters may be read",
        Limit.PUT_OUT: "a string that is put out may be longer than {number} characters",
        Limit.TEXT_WRITTEN: "a text that is written may have more than {number} characters",
        Limit.PRINTED: "a string that is printed may have more than {number} characters",
        Limit.NUMBER: "a number in a text may have more than {number} characters",
        Limit.ELEMENT: "an element that is sorted may have more than {number} bytes",
        Limit.INPUT_TEXT: "a text that is read may have more than {number} characters",
        Limit.VARIABLES: "the environment may have more than {number} variables",
        Limit.HANDLERS: "{function}: more than {number} functions may be registered",
        Limit.RANDOM_NUMBERS: "more than {number} random numbers may be asked for, and some again with the same seed",
        Limit.NARROW_RESULT: "`{function}` starts a thread and returns a negative number that is narrower than a "
        "pointer, so the rest of the thread's result may be anything",
        Limit.ASYNCHRONOUS: "{function}: asynchronous cancellation is not followed",
        Limit.PRIORITY: "a thread is created with a priority that its policy does not have",
        Limit.WRITERS_FIRST: "{function}: read-write locks that prefer writers are not supported",
        Limit.CEILINGS: "there are more than {number} mutexes with a priority ceiling",
        Limit.DESCRIPTORS: "more than {number} descriptors of pipes, sockets and event counters may be opened",
        Limit.DESCRIPTOR_FLAGS: "{function}: an argument that is not modelled, or a descriptor of another kind",
        Limit.CHANNEL_ROOM: "more than {number} bytes may wait in a pipe or socket",
        Limit.CLOSED_IN_USE: "a descriptor is closed while another thread uses it",
        Limit.CLOSED_UNREAD: "a socket is closed before everything is read",
        Limit.STANDARD_CLOSED: "{function}: a standard descriptor may be closed, and its number used again",
        Limit.BROKEN_PIPE: "a write finds no reader in a program that handles or blocks signals",
        Limit.CANCELLED_WAIT: "{function}: a thread that can be cancelled waits without a time limit",
        Limit.POLLED: "more than {number} descriptors may be waited for in one call",
    },
)


def claim(claimed: Claim) -> str:
    """What is wrong if the claim is violated, without the place: "assertion `x == 2`"."""
    if claimed.cut is not None:
        return cut(claimed.cut)
    if claimed.reason is Reason.SAID:
        return claimed.subject
    said = demand(claimed)
    prefixed = claimed.kind is Kind.MISUSE or claimed.is_range
    said = f"{claimed.function}: {said}" if prefixed and claimed.function else said
    if claimed.within is not None:
        said += f" in `{claimed.within}`" if claimed.within else " in a call"
    return f"{said} ({memory(claimed.memory)})" if claimed.memory is not None else said


def demand(claimed: Claim) -> str:
    """The same, without the name of the misused function: "the mutex was never initialised"."""
    key = next((key for key in keys(claimed) if CLAIMS[key]), None)
    return claimed.subject or claimed.kind.value if key is None else _CLAIMS.say(key, **_parts(claimed))


def _parts(claimed: Claim) -> dict[str, object]:
    """The values for the placeholders in the templates for claims."""
    noun, inside = about(claimed), claimed.within is not None
    many = noun in _MANY
    return {
        "subject": claimed.subject,
        "lines": " and ".join(dict.fromkeys(claimed.subject.split(","))),
        "function": claimed.function,
        "type": claimed.type,
        "size": claimed.size,
        "noun": _NOUNS[noun] if noun is not None else claimed.subject,
        "was": "were" if many else "was",
        "is_": "are" if many else "is",
        "has": "have" if many else "has",
        "hold": "own" if noun is Object.MUTEX and claimed.function.startswith("pthread_") else "hold",
        "what": _accessed(claimed),
        "where": "" if inside else f" in `{claimed.subject}`",
        "result": "the result" if inside else f"the value of `{claimed.subject}`",
        "elements": _counted(claimed.size or 0, "element"),
    }


def _accessed(claimed: Claim) -> str:
    """What is accessed: the words after "invalid read"."""
    if not claimed.is_range:
        return "" if claimed.within is not None or not claimed.subject else f" of `{claimed.subject}`"
    size = "" if claimed.size is None else f" of {_counted(claimed.size, 'byte')}"
    return size if claimed.within is not None else f"{size} through `{claimed.subject}`"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 'es' if noun.endswith('ch') else 's'}"


def memory(known: Memory) -> str:
    """The state of the memory: "the memory has been freed at x.c:3"."""
    at = f" at {known.place}" if known.place is not None else ""
    return _STATES.say(known.state, at=at, bytes=_counted(known.size, "byte"))


def cut(made: Cut) -> str:
    """Why executions are cut off, without the place: "the loop may run more than 2 times"."""
    return made.subject if made.limit is Limit.SAID else loop(made, "")


def loop(made: Cut, at: str) -> str:
    """The same for a loop at the place *at*: "the loop at x.c:7 in f may run more than 2 times"."""
    return _CUTS.say(
        made.limit,
        at=at,
        subject=made.subject,
        function=made.function,
        number=made.number,
        needed=made.runs,
        times=_times(made.number),
        runs=_times(made.runs),
        option="--unwindset says" if made.is_set else "--unwind is",
        threads=_counted(made.number, "thread"),
        seconds=_counted(made.number, "second"),
        tries=_counted(made.number, "run"),
        rounds=_counted(made.number, "round"),
        switches=_counted(made.number, "context switch"),
        executions=_counted(made.number, "run"),
        transitions=_counted(made.number, "transition"),
    )


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
