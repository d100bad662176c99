"""What would help where there is no verdict: options with values, the most effective first."""

from collections.abc import Callable, Iterator

from cseq.model.claims import Claim, Cut, Kind, Limit
from cseq.model.verdict import Bound, Outcome, Reason, Verdict

_GROWING = frozenset({"rounds", "unwinding", "recursion", "threads"})
"""The kinds of bounds that grow by themselves where the bounds are deepened."""

_SEARCHES = ("native", "spin")
"""The engines that store states."""

_CHECKER = "tlc"
"""The engine that stores states, too, but not in any of their ways."""

_PROVER = "horn"
"""The engine that looks for proofs only."""

_COMPILED = "compiled"
"""The engine that runs the program as it is."""

_MOST_THREADS = {"native": 127, "spin": 63}
"""Besides main, in these engines."""

_LARGEST = 16
"""The number of rounds or context switches that covers all schedules is worth naming up to here."""


def _larger(option: str) -> Callable[[Cut], str]:
    return lambda cut: f"{option} {max(2 * cut.number, cut.number + 1)}"


def _schedules(option: str) -> Callable[[Cut], str]:
    return lambda cut: f"{option} {cut.runs if cut.number < cut.runs <= _LARGEST else cut.number + 1}"


def _counted(cut: Cut) -> str:
    return f"--unwindset with {cut.runs} for this loop" if cut.is_set else f"--exact-limit {cut.runs}"


_OPTIONS: dict[Limit, Callable[[Cut], str]] = {
    Limit.COUNTED: _counted,
    Limit.HEAP: lambda cut: f"--heap {8 * cut.number}",
    Limit.LOOP: _larger("--unwind"),
    Limit.DESTRUCTORS: _larger("--unwind"),
    Limit.RECURSION: _larger("--recursion"),
    Limit.STARTS: _larger("--recursion"),
    Limit.THREADS: _larger("--threads"),
    Limit.INPUTS: lambda cut: "-b cbmc, which takes inputs of any value",
    Limit.SAMPLED: lambda cut: "-b cbmc, which takes inputs of any value",
    Limit.SAMPLED_RESULT: lambda cut: "-b cbmc, which takes inputs of any value",
    Limit.UNWRITTEN: lambda cut: "-b cbmc, which takes memory that was never written to have any value",
    Limit.DEPTH: _larger("--depth"),
    Limit.PREEMPTIONS: lambda cut: "no --preemptions",
    Limit.MARKED: lambda cut: "no --bitstate or --swarm",
    Limit.HASHED: lambda cut: "no --hash-compact",
    Limit.ABSTRACTION: lambda cut: "no --abstract",
    Limit.MERGED: lambda cut: "no --agglomerate or `#pragma cseq agglomerate`",
    Limit.ONE_RUN: lambda cut: "no --simulate",
    Limit.CHAINS: lambda cut: "-b native, which looks for all deadlocks",
    Limit.ROUNDS: _schedules("--rounds"),
    Limit.CONTEXTS: _schedules("--contexts"),
    Limit.SCHEDULE: lambda cut: "a --schedule of more contexts",
    Limit.UNDEFINED: lambda cut: "the files that define what is missing",
    Limit.UNSUPPORTED: lambda cut: "-b compiled, which runs the program as it is",
    Limit.TILE: lambda cut: "no --tile, or runs with the other parts",
}
"""What relaxes each limit, in the order of effect: first what keeps everything after it from being explored."""

_RUNS = {Limit.RUN_OPERATIONS: "a larger --steps", Limit.RUN_SECONDS: "a larger --run-time"}
"""What lets runs of a compiled program end."""

_ORDER = {limit: number for number, limit in enumerate(_OPTIONS)}


def ways_out(outcome: Outcome) -> list[str]:
    """What would help to get an answer where *outcome* is none, the most effective first; empty if nothing would."""
    return list(dict.fromkeys(_ways(outcome))) if outcome.verdict is Verdict.UNKNOWN else []


def _ways(outcome: Outcome) -> Iterator[str]:
    if outcome.backend == _COMPILED:
        if outcome.reason is Reason.BOUNDED:
            cut = {bound.cut.limit for bound in outcome.bounds}
            yield from (way for limit, way in _RUNS.items() if limit in cut)
            if not any(bound.cut.limit is Limit.RUNS and bound.value == 1 for bound in outcome.bounds):
                yield "a larger --time"  # where one run was enough, there is only one thread
            yield "--exhaustive for a small program"
        elif outcome.reason is Reason.TIMEOUT:
            yield from ("a larger --time", "a larger --run-time")
        return
    is_search = outcome.backend in _SEARCHES
    if outcome.backend == _PROVER:
        if outcome.reason is Reason.TIMEOUT:
            yield "a larger --timeout"
        yield "-b auto, which also looks for a violation"
        return
    if outcome.backend == _CHECKER and outcome.reason in (Reason.TIMEOUT, Reason.MEMORY):
        yield from ("a larger --timeout" if outcome.reason is Reason.TIMEOUT else "a larger --memlimit", "-b native")
        return
    if outcome.reason is Reason.TIMEOUT:
        yield from ("a larger --timeout", "-b cbmc") if is_search else ("a larger --timeout", *_smaller(outcome))
        if outcome.tiles is not None:  # parts of the schedules are left, which others can check, or another run
            yield from ("a --cluster with more processors", "--resume with a file, to continue")
    if outcome.reason is Reason.MEMORY:
        yield from ("--bitstate", "a larger --memlimit", "-b cbmc") if is_search else (*_smaller(outcome), "-b native")
    if outcome.reason is Reason.REPLAY and any(bound.cut.is_of_addresses for bound in outcome.bounds):
        yield "-b native"
    elif outcome.reason is Reason.REPLAY and not _is_about_memory(outcome):
        yield "--memsafety"
    if outcome.reason is Reason.BUFFERING:
        yield "--memory-model sc"
    if outcome.reason not in (Reason.BOUNDED, Reason.UNWINDING):
        return
    reached = [about for about in outcome.about if isinstance(about, Cut)]
    kinds = {bound.kind for bound in outcome.bounds}
    if any(bound.cut.limit is Limit.GRAIN for bound in outcome.bounds):
        return  # no option makes a step finer, and without that there is no proof
    if outcome.levels and kinds & _GROWING:
        yield "a larger --timeout"  # these grow as long as there is time
        if (tiles := outcome.levels[-1].tiles) is not None and tiles.done < tiles.all:
            yield "a --cluster with more processors"
        kinds -= _GROWING
    if "schedule" in kinds:
        kinds -= {"rounds"}  # they follow from the schedule
    relaxed = [bound for bound in outcome.bounds if bound.kind in kinds and bound.cut.limit in _ORDER]
    if is_search:
        most = _MOST_THREADS[outcome.backend]
        threads = [bound for bound in relaxed if bound.cut.limit is Limit.THREADS and bound.cut.number >= most]
        relaxed = [bound for bound in relaxed if bound not in threads]
        if threads:
            yield f"at most {most} threads besides main, for which -b {outcome.backend} has room"
            yield "-b cbmc" if outcome.backend == "native" else "-b native, which has room for more"
    for limit in dict.fromkeys(bound.cut.limit for bound in sorted(relaxed, key=lambda each: _rank(each, reached))):
        # One value has to do for all loops, for example.
        cuts = [bound.cut for bound in relaxed if bound.cut.limit is limit]
        yield _OPTIONS[limit](max(cuts, key=lambda cut: (cut.runs, cut.number)))


def _is_about_memory(outcome: Outcome) -> bool:
    return any(isinstance(about, Claim) and about.kind is Kind.MEMSAFETY for about in outcome.about)


def _smaller(outcome: Outcome) -> tuple[str, ...]:
    """The advice for bounds that the user gave, not for those that CSeq chose."""
    return ("smaller bounds",) if outcome.bounded and not outcome.levels else ()


def _rank(bound: Bound, reached: list[Cut]) -> tuple[bool, bool, int]:
    """Where *bound* stands: first what executions are known to reach, then what all of them reach, then by effect."""
    return bound.cut not in reached, not bound.certain, _ORDER[bound.cut.limit]
