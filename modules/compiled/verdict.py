"""What is wrong with a recorded run, as an outcome."""

import re
import signal
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from cseq.model.actions import ObjectKind
from cseq.model.claims import Claim, Cut, Kind, Limit, Memory, MemoryState, Object, Reason
from cseq.model.origin import Origin
from cseq.model.trace import Counterexample, Race, Step
from cseq.model.verdict import ABOUT, Binary, Bound, Listing, Outcome, Property, Verdict
from cseq.model.verdict import Reason as Why
from cseq.modules.compiled.cc.buildrecord import builds
from cseq.modules.compiled.client.record import AccessKind, End, Misuse, Op, Strategy
from cseq.modules.compiled.client.recorded import Block, Operation, RecordedRun, signal_name
from cseq.modules.compiled.sameness import is_wrong_exit
from cseq.modules.compiled.tracing.compiledsteps import OBJECTS
from cseq.modules.compiled.tracing.execution import RunTrace
from cseq.modules.compiled.tracing.memorynames import demangled

NAME = "compiled"
"""The name of the engine."""

_BY_ABORT, _BY_ASSERTION, _BY_TERMINATE, _BY_LIBRARY = range(4)
"""The details of an aborted run, see `backends/compiled/runtime/system/crash.c`."""

_SMALL = 4096  # an address below is that of a member of nothing

_SIGNALS = {signal.SIGSEGV: Reason.ACCESS, signal.SIGBUS: Reason.ACCESS, signal.SIGFPE: Reason.DIVISION}

_REASONS = {AccessKind.READ: Reason.READ, AccessKind.WRITE: Reason.WRITE, AccessKind.FREE: Reason.FREE}

_OBJECTS = {
    ObjectKind.MUTEX: Object.MUTEX, ObjectKind.RWLOCK: Object.LOCK, ObjectKind.SPIN_LOCK: Object.LOCK,
    ObjectKind.CONDITION: Object.COND, ObjectKind.SEMAPHORE: Object.SEMAPHORE, ObjectKind.BARRIER: Object.BARRIER,
    ObjectKind.ONCE: Object.ONCE,
}  # fmt: skip

_CALL = re.compile(r"\b((?:pthread|sem|mtx|cnd|thrd)_\w+|[\w>\])](?:\.|->)(?:lock|unlock|join|detach|wait\w*))\s*\(")

LIMITS = {
    End.STEPS: Limit.RUN_OPERATIONS, End.TIME: Limit.RUN_SECONDS, End.THREADS: Limit.RUN_THREADS,
    End.LOG: Limit.RUN_ROOM, End.UNHANDLED: Limit.UNHANDLED,
}  # fmt: skip
"""How runs end that were cut off."""

_ANY = "a call of the system"  # where it is not known which

SEARCHES = {strategy: strategy.name.lower() for strategy in Strategy}
"""The names of strategies in reports."""


def judged(
    recorded: RecordedRun,
    binary: Binary,
    expected: int | None = 0,
    folder: Path | None = None,
    *,
    hangs: bool = False,
    further: Iterable[RecordedRun] = (),
) -> Outcome:
    """The outcome of a run that violates something and was repeated, or UNKNOWN if it was cut off.

    recorded: with details. expected: the exit status that the program should have; None for any. folder: the one that
    the names of files are relative to. hangs: whether a run that was cut off would not end with any fair continuation.
    further: other runs with data races. A run that violates nothing has no counterexample.
    """
    run_trace = RunTrace(recorded, folder)
    outcome = Outcome(Verdict.FALSE, backend=NAME, output=recorded.output, binary=binary)
    races = list(run_trace.races)
    if recorded.end is End.UNHANDLED:
        cut = Cut(Limit.UNHANDLED, subject=recorded.text)
        return replace(outcome, verdict=Verdict.UNKNOWN, reason=Why.BACKEND, message=ABOUT, about=(cut,))
    if recorded.end is End.DEADLOCK and run_trace.blocked.violated is not None:
        outcome.violated, outcome.counterexample = run_trace.blocked.violated, run_trace.of_deadlock()
    elif hangs or recorded.failed or is_wrong_exit(recorded.end, recorded.detail, expected):
        origin = run_trace.end() or _last_place(run_trace)
        claim = Claim(Kind.TERMINATION, Reason.SPINS if recorded.spinning else None)
        outcome.violated = Property(claim if hangs else _claim(recorded, run_trace, expected), origin)
        outcome.counterexample = _ended(run_trace, origin)
    elif races:
        outcome.violated, outcome.counterexample = races[0], run_trace.of_race(races[0])
    elif recorded.end in LIMITS:
        return replace(outcome, verdict=Verdict.UNKNOWN, reason=Why.BOUNDED, bounds=[_cut_off(recorded)])
    else:
        return replace(outcome, verdict=Verdict.UNKNOWN, reason=Why.BOUNDED)
    runs = {id(run): run for run in further if run is not recorded}
    others = [race for run in runs.values() for race in RunTrace(run, folder, run_trace).races]
    outcome.others = _distinct([*races, *others], outcome.violated)
    outcome.listing = Listing.STOPPED if races or others else None
    return outcome


def _distinct(races: Iterable[Property], violated: Property) -> list[Property]:
    """The *races* without those at the lines of an earlier one, or of what is reported as violated."""
    found: dict[object, Property] = {_lines(violated): violated}
    for race in races:
        found.setdefault(_lines(race), race)
    return list(found.values())[1:]


def _lines(race: Property) -> object:
    account = race.account
    return frozenset((s.origin[:2], s.action) for s in account.sides) if isinstance(account, Race) else None


def binary_at(path: str, is_temporary: bool = False) -> Binary:
    """The program at *path*, with what is known of how it was built. is_temporary: it was made for this run only."""
    shown = "" if is_temporary else path
    try:
        return Binary(shown, tuple(str(build) for build in builds(Path(path))))
    except OSError:
        return Binary(shown)


def unviolated(
    runs: int,
    strategies: Iterable[Strategy],
    binary: Binary,
    complete: bool = False,
    cut: Mapping[End, int] | None = None,
    ended: bool = True,
    unrepeated: int = 0,
) -> Outcome:
    """The outcome of a search without a violation. complete: whether all schedules have been run.

    cut: how runs ended that were cut off, with the limits: in operations, seconds, threads; 0 for none. ended: whether
    any run was made that was not out of time, without which nothing is known. unrepeated: how many runs had a violation
    that they did not have again.
    """
    if complete:
        return Outcome(Verdict.TRUE, backend=NAME, binary=binary, statistics={"runs": float(runs)})
    names = ", ".join(SEARCHES[strategy] for strategy in dict.fromkeys(strategies))
    limits = [Bound.of(Cut(LIMITS[end], number, _ANY)) for end, number in (cut or {}).items() if end in LIMITS]
    bounds = [Bound.of(Cut(Limit.RUNS, runs, names)), *limits]
    bounds += [Bound.of(Cut(Limit.RUN_UNREPEATED, unrepeated))] if unrepeated else []
    reason = Why.TIMEOUT if not ended else Why.REPLAY if unrepeated else Why.BOUNDED
    return Outcome(Verdict.UNKNOWN, reason, bounds=bounds, backend=NAME, binary=binary)


def _cut_off(recorded: RecordedRun) -> Bound:
    """What cut a run off."""
    number = {End.STEPS: recorded.steps, End.THREADS: len(recorded.threads)}.get(recorded.end, 0)
    return Bound.of(Cut(LIMITS[recorded.end], number))


# What is wrong


def _claim(recorded: RecordedRun, run_trace: RunTrace, expected: int | None) -> Claim:
    match recorded.end:
        case End.ABORTED:
            return _aborted(recorded.detail, recorded.text)
        case End.EXCEPTION:
            return Claim(Kind.CRASH, Reason.EXCEPTION, _type(recorded.text))
        case End.CRASHED:
            return _crashed(recorded)
        case End.KILLED:
            return Claim(Kind.CRASH, Reason.SIGNAL, signal_name(recorded.detail))
        case End.USE_AFTER_FREE | End.OVERFLOW | End.DOUBLE_FREE | End.INVALID_FREE:
            return _memory(recorded, run_trace)
        case End.UNDEFINED:
            return Claim(Kind.UNDEFINED, None, recorded.text.replace("-", " "))
        case End.MISUSE:
            return _misuse(recorded, run_trace)
        case End.EXITED:
            return Claim(Kind.EXIT, None, str(recorded.detail), size=expected)
    return Claim(Kind.DEADLOCK)


def _aborted(detail: int, text: str) -> Claim:
    if detail == _BY_ASSERTION:
        return Claim(Kind.ASSERTION, None, text)
    if detail == _BY_TERMINATE:
        return Claim(Kind.CRASH, Reason.TERMINATED)
    if detail == _BY_LIBRARY and text.strip():
        return Claim(Kind.CRASH, Reason.LIBRARY, text.strip())
    return Claim(Kind.CRASH, Reason.ABORTED)


def _type(mangled: str) -> str:
    """The name of a type of C++ from its mangled name."""
    return demangled([f"_ZTI{mangled}"])[0].removeprefix("typeinfo for ").removeprefix("_ZTI")


def _crashed(recorded: RecordedRun) -> Claim:
    if recorded.text == "stack_overflow":
        return Claim(Kind.CRASH, Reason.STACK)
    is_fault = recorded.detail in set(signal.Signals) and recorded.text != "sent"
    reason = _SIGNALS.get(signal.Signals(recorded.detail)) if is_fault else None
    if reason is None:
        return Claim(Kind.CRASH, Reason.SIGNAL, signal_name(recorded.detail))
    is_null = reason is Reason.ACCESS and recorded.object < _SMALL
    return Claim(Kind.CRASH, reason, memory=Memory(MemoryState.NULL) if is_null else None)


def _memory(recorded: RecordedRun, run_trace: RunTrace) -> Claim:
    """A claim about a block of the heap, with where it was freed or allocated."""
    frees = recorded.end in (End.DOUBLE_FREE, End.INVALID_FREE)
    kind = recorded.detail if recorded.detail in set(AccessKind) else 0
    reason = Reason.FREE if frees else _REASONS[AccessKind(kind)]
    block = _block(recorded, run_trace)
    whole = block is not None and (frees or recorded.end is End.OVERFLOW)
    name = (
        run_trace.names.block_name(block.address) if whole and block else run_trace.names.name(recorded.object, 1).name
    )
    memory = Memory(MemoryState.UNALLOCATED)
    if recorded.end in (End.USE_AFTER_FREE, End.DOUBLE_FREE):
        memory = Memory(MemoryState.FREED, run_trace.paths.origin(recorded.other))
    elif recorded.end is End.OVERFLOW:
        place = run_trace.paths.origin(block.allocated) if block is not None else None
        memory = Memory(MemoryState.OUTSIDE, place, block.size if block is not None else 0)
    return Claim(Kind.MEMSAFETY, reason, name, memory=memory)


def _block(recorded: RecordedRun, run_trace: RunTrace) -> Block | None:
    known = next((block for block in recorded.blocks if block.address == recorded.other), None)
    return known or run_trace.names.block_at(recorded.object)


def _misuse(recorded: RecordedRun, run_trace: RunTrace) -> Claim:
    reason = Reason(Misuse(recorded.detail).name.lower())
    done = next((each for each in reversed(recorded.operations) if each.thread == recorded.thread), None)
    kind = _OBJECTS[OBJECTS[done.op]] if done is not None and done.op in OBJECTS else Object.THREAD
    return Claim(Kind.MISUSE, reason, kind, _function(recorded, run_trace, done))


def _function(recorded: RecordedRun, run_trace: RunTrace, done: Operation | None) -> str:
    """The function that is misused, as the user's line calls it."""
    origin = run_trace.end()
    called = _CALL.findall(run_trace.paths.line(origin)) if origin is not None else []
    names = [name for name in called if "_" in name and "." not in name and ">" not in name]
    if len(set(names)) == 1:
        return str(names[0])
    library = run_trace.paths.library_function(recorded.stack)
    if library and not library.startswith("__"):
        return library
    return {Op.UNLOCK: "pthread_mutex_unlock", Op.JOIN: "pthread_join"}.get(done.op, "") if done is not None else ""


# Where it is


def _last_place(run_trace: RunTrace) -> Origin | None:
    """Where the thread that the run ended in made its last step, or any thread."""
    steps = run_trace.steps.steps
    own = [step for step in steps if step.thread.number == run_trace.recorded.thread]
    return (own or steps)[-1].origin if steps else None


def _ended(run_trace: RunTrace, origin: Origin | None) -> Counterexample:
    """The whole run, the last step at the place of the violation."""
    shown = run_trace.counterexample()
    thread = run_trace.steps.thread(run_trace.recorded.thread)
    last = shown.steps[-1] if shown.steps else None
    if origin is not None and (last is None or (last.thread, last.origin[:2]) != (thread, origin[:2])):
        shown.steps.append(Step(thread, origin, run_trace.paths.line(origin)))
    return shown
