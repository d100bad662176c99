"""The words of reports: verdicts, properties, bounds and places. No layout here."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from cseq.model.actions import ActionKind
from cseq.model.claims import Cut, Kind, Limit
from cseq.model.errors import stage_of
from cseq.model.origin import CallSite, Origin
from cseq.model.trace import Race
from cseq.model.tries import Try, TryEnd
from cseq.model.verdict import (
    ABOUT,
    Attempt,
    Bound,
    Level,
    Listing,
    Outcome,
    Property,
    Reason,
    Share,
    Spurious,
    Verdict,
)
from cseq.model.verdict import limits as of_parameters
from cseq.options.properties import DEADLOCK
from cseq.report import actions, job_words, races, violations, waits
from cseq.report.catalogue import Catalogue, sentence

_NUMERIC = ("rounds", "contexts", "unwinding", "recursion", "threads")
"""The kinds of bounds that numbers alone describe."""

_PARTS = ("schedule", "tile")
"""The kinds of bounds that name the schedules that they leave."""

_NOUNS = {"rounds": "round", "contexts": "context switch", "threads": "thread"}


_STATISTICS = {
    "states": "states stored", "matched": "states matched", "transitions": "transitions", "depth": "depth reached",
    "queue": "states in the queue, at most", "seconds": "seconds", "states_per_second": "states per second",
    "memory": "bytes of memory", "state_bytes": "bytes of a state", "bytes_per_state": "bytes per state stored",
    "coverage": "bits of the table per state",
    "runs": "runs", "schedules": "distinct schedules", "runs_per_second": "runs per second", "races": "data races",
    "unrepeated": "violations that did not happen again, and are not believed",
    "redundant": "runs given up, since equivalent ones had been made", "operations": "operations of the longest run",
}  # fmt: skip
"""The statistics of a search: name → words."""

_SPURIOUS = Catalogue(
    "spurious",
    {
        Spurious.NEEDED: "; found only with spurious wake-ups or failures, which POSIX and C allow",
        Spurious.EXCLUDED: ", assuming no spurious wake-ups or failures",
        Spurious.UNDECIDED: "; without spurious wake-ups and failures (--no-spurious-wakeups) there is no violation",
    },
)
_ALLOWED = Catalogue(
    "allowed",
    {
        ActionKind.WAKE: "as POSIX allows",
        ActionKind.TRY: "as C allows",
        ActionKind.COMPARE_EXCHANGE: "as C allows for a weak compare-exchange",
    },
)
NOTHING_CLAIMED = "no assertion in the program was violated (there is none)"
_WIDER = {"no-data-race": "--race", "no-deadlock": "--deadlock", "valid-memsafety": "--memsafety"}
"""The properties that are worth asking about where the program claims nothing, and the options that ask."""

_OF_LOOPS = frozenset({Limit.LOOP, Limit.COUNTED})

_WITH_PLACES = frozenset({"deadlock", "race"})
"""The kinds of violations that have more than one place, and name all of them in their sentence."""


def clean(text: str) -> str:
    """*text*, fit for one line: tabs become spaces, and other unprintable characters become escape sequences."""
    if text.isprintable():
        return text
    shown = [c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text.replace("\t", " ")]
    return "".join(shown)


def cells(text: str) -> int:
    """The width of *text*, which has no control characters, in columns of a terminal."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def description(violated: Property) -> str:
    """The claim, or what is wrong: "assertion `x == 2`"."""
    account = violated.account
    if violated.description:
        return sentence(f"description.{violated.name}", violated.description)
    if isinstance(account, Race):
        return races.race(account)
    return waits.deadlock(account) if account else violations.claim(violated.claim)


def claim(violated: Property) -> str:
    """What is wrong, without the place: "assertion `x == 2` is violated"."""
    text = description(violated)
    return f"{text} is violated" if violated.claim.kind is Kind.ASSERTION else text


def violation(violated: Property) -> str:
    """What is wrong and where: "assertion `x == 2` is violated at file.c:12 in main"."""
    origin = violated.origin
    if origin is None or violated.name in _WITH_PLACES:
        return claim(violated)
    function = f" in {origin.function}" if origin.function else ""
    cut = violated.claim.cut
    if cut is not None and cut.limit in _OF_LOOPS:
        return violations.loop(cut, f" at {origin}{function}")
    return f"{claim(violated)} at {origin}{function}"


def answer(outcome: Outcome) -> str:
    """The one line that follows the word of the verdict."""
    assumed = f"{memory_model(outcome)}{open_waits(outcome)}"
    return f"{_answer(outcome)}{parts(outcome)}{assumed}{spurious(outcome)}{elsewhere(outcome)}"


def parts(outcome: Outcome) -> str:
    """How far a run is that was divided, where it is not done: what follows the answer; else empty."""
    if outcome.tiles is None or outcome.reason not in (Reason.TIMEOUT, Reason.MEMORY):
        return ""
    return f"; {job_words.progress(outcome.tiles)}"


_ROBUST = ": every execution is sequentially consistent"


def memory_model(outcome: Outcome) -> str:
    """What the answer assumes of the order of accesses to memory; empty for violations, which happen under each model.

    It is also empty for sequential consistency, unless the program asks for weaker orders. A violation under the orders
    of C11 need not happen under stronger ones.
    """
    model = outcome.memory_model
    if model == "c11":
        return f" (memory model: {model.upper()}{_ROBUST if outcome.robust else ''})"
    assumed = model != "sc" or any(caution.strengthens for caution in outcome.warnings)
    return f" (memory model: {model.upper()})" if assumed and outcome.verdict is not Verdict.FALSE else ""


def open_waits(outcome: Outcome) -> str:
    """That something outside of the program may end a wait, which is then part of no deadlock; else empty."""
    is_open = outcome.property and any(caution.of == DEADLOCK for caution in outcome.warnings)
    return " (the environment may end waits)" if is_open and outcome.verdict is not Verdict.FALSE else ""


def spurious(outcome: Outcome) -> str:
    """How the answer depends on what may happen without a reason; empty, or what follows the answer."""
    if outcome.spurious is None:
        return ""
    if outcome.spurious is not Spurious.NEEDED or outcome.counterexample is None:
        return _SPURIOUS.say(outcome.spurious)
    happened = spurious_event(outcome)
    return f"; {happened}" if happened else ""


def spurious_event(outcome: Outcome) -> str:
    """The first thing in the counterexample that happens without a reason, and who allows that; empty if none does."""
    found = outcome.counterexample.spurious() if outcome.counterexample is not None else ()
    for step, done in found:
        by = _ALLOWED.say(done.kind if done.kind in _ALLOWED else ActionKind.WAKE)
        return f"{step.thread} {actions.action(done)} at {step.origin}, {by}"
    return ""


def _answer(outcome: Outcome) -> str:
    if outcome.verdict is Verdict.FALSE:
        return violation(outcome.violated) if outcome.violated else message(outcome) or "a violation was found"
    if outcome.verdict is Verdict.TRUE:
        if outcome.binary is not None and not outcome.message:
            return "no violation in any schedule of this program"
        return message(outcome) or (NOTHING_CLAIMED if outcome.unclaimed else "no violation in any execution")
    if outcome.message:
        return message(outcome)
    if outcome.reason is Reason.BOUNDED and outcome.bounds:
        kinds = {cut.kind for cut in outcome.bounds}
        if "runs" in kinds:
            return f"no violation in {_runs(outcome.bounds)}"
        if kinds == {"property"}:
            return "no violation, but not all of the property was checked"
        if kinds <= {"grain", "property"}:
            return "no violation, but some steps are too coarse for a proof"
        if "abstraction" in kinds and kinds <= {"abstraction", "grain", "property", "engine", "unsupported"}:
            return "no violation within the abstraction"
        if "unsupported" in kinds and kinds <= {"grain", "property", "engine", "unsupported"}:
            return "no violation, but threads stop at what is not supported"
        if kinds <= {"grain", "property", "engine"}:
            return "no violation was found"
    if outcome.reason is Reason.BOUNDED:
        return f"no violation within {limits(outcome.bounds)}"
    return outcome.reason.value if outcome.reason else "no answer"


def _runs(bounds: Iterable[Bound]) -> str:
    """The runs that were made: "3 000 runs (random walk, round robin)"."""
    made = next(bound.cut for bound in bounds if bound.kind == "runs")
    names = [_SEARCHES.get(name, name) for name in made.subject.split(", ") if name]
    strategies = f" ({', '.join(names)})" if names else ""
    return f"{_grouped(made.number)} {'run' if made.number == 1 else 'runs'}{strategies}"


def elsewhere(outcome: Outcome) -> str:
    """Where to look if the program claims nothing: what follows the answer; empty if that is no question."""
    if not outcome.unclaimed or outcome.verdict is Verdict.FALSE or not outcome.unasked:
        return ""
    said = "" if outcome.verdict is Verdict.TRUE and not outcome.message else "the program has no assertion: "
    return sentence("elsewhere", f"; {said}see {', '.join(_WIDER[name] for name in outcome.unasked)}")


def message(outcome: Outcome) -> str:
    """The message of *outcome*, with its placeholders replaced by words."""
    text = outcome.message
    for about in outcome.about:
        text = text.replace(ABOUT, violations.cut(about) if isinstance(about, Cut) else violations.claim(about), 1)
    return sentence("message", text)


def level(tried: Level, named: bool = False) -> str:
    """The result of a level, in one line. named: with the name of the property."""
    found = {Verdict.TRUE: "proved", Verdict.FALSE: "violated"}.get(tried.verdict, "no violation")
    more = f"; {violations.cut(tried.reached)}" if tried.reached is not None else ""
    name = f"{tried.property}: " if named else ""
    took, tiles = f"{tried.seconds:.1f} s", tried.tiles
    if tiles is not None and tried.reason in (Reason.TIMEOUT, Reason.MEMORY):
        found = f"{tried.reason.value}; {job_words.progress(tiles)}"
    elif tiles is not None and tried.verdict is not Verdict.FALSE:
        took = f"{tiles.all} parts, {took}"
    return f"{name}{of_parameters(tried.bounds)}: {found}{more} ({took})"


def listing(outcome: Outcome) -> str:
    """Whether the data races of *outcome* are all that there are."""
    match outcome.listing:
        case Listing.ALL:
            return "no other data race is possible"
        case Listing.WITHIN:
            return "no other data race was found within the bounds"
    return "there may be other data races: the search for them was stopped"


def worded(outcome: Outcome) -> Outcome:
    """A copy of *outcome* with its sentences filled in: the violation, the bounds, and the message."""
    violated = outcome.violated
    return replace(
        outcome,
        message=message(outcome),
        about=(),
        violated=replace(violated, description=description(violated)) if violated is not None else None,
        bounds=[replace(cut, description=bound_text(cut)) for cut in outcome.bounds],
        parts=[worded(part) for part in outcome.parts],
        others=[replace(other, description=description(other)) for other in outcome.others],
    )


def binary(outcome: Outcome) -> str:
    """The program that was run, and how it was made: "./x, compiled by g++ 12.2.0 -O2"; empty if none was."""
    ran = outcome.binary
    if ran is None:
        return ""
    how = f"compiled by {' and '.join(ran.builds)}" if ran.builds else ""
    return ", ".join(part for part in (ran.path, how) if part)


def last_output(outcome: Outcome, most: int) -> list[str]:
    """The last lines, *most* at most, of what the program itself printed."""
    lines = outcome.output.decode("utf-8", "replace").splitlines()
    return lines[-most:] if len(lines) <= most else ["...", *lines[-most:]]


def engines(outcome: Outcome) -> str:
    """Which engines answered: "by native", or "unreach-call by native, valid-memsafety by cbmc"."""
    return f"by {outcome.backend}" if _is_one_engine(outcome) else engine_names(outcome)


def _is_one_engine(outcome: Outcome) -> bool:
    return len({part.backend for part in outcome.all()}) == 1


def engine_names(outcome: Outcome) -> str:
    """The same for a place that already says that these are engines: "native"."""
    if _is_one_engine(outcome):
        return outcome.backend
    return ", ".join(f"{part.property} by {part.backend}" for part in outcome.all())


def attempt(made: Attempt) -> str:
    """Why an engine has no answer: "native: out of memory"."""
    return f"{made.backend}: {made.message}"


def limits(bounds: Iterable[Bound]) -> str:
    """The bounds of a run, in short: "2 rounds and unwinding 3"."""
    values: dict[str, set[int]] = {}
    schedules = []
    for bound in bounds:
        if bound.kind in _PARTS:
            schedules.append(violations.cut(bound.cut))
        if bound.kind in _NUMERIC:
            values.setdefault(bound.kind, set()).add(bound.value)
    if values.get("recursion") == values.get("unwinding"):
        values.pop("recursion", None)
    return _joined([*(_limit(kind, found) for kind, found in values.items()), *schedules]) or "the bounds"


def _joined(parts: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


def _limit(kind: str, values: set[int]) -> str:
    if kind in _NOUNS:
        return _counted(max(values), _NOUNS[kind])
    least, most = min(values), max(values)
    return f"{kind} {least}" if least == most else f"{kind} {least} to {most}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun if number == 1 else noun + ('es' if noun.endswith('ch') else 's')}"


def bound(cut: Bound) -> str:
    """One bound, with its place: "file.c:7: the loop may run more than 2 times"."""
    return f"{f'{cut.origin}: ' if cut.origin else ''}{bound_alone(cut)}"


def bound_text(cut: Bound) -> str:
    """The bound itself, without its place."""
    return violations.cut(cut.cut)


def bound_alone(cut: Bound) -> str:
    """The bound without its place, and whether anything was explored beyond it."""
    return f"{bound_text(cut)}{'; nothing beyond it was explored' if cut.certain else ''}"


def stops(cut: Cut) -> str:
    """The end of an execution that ends at *cut*, and in no violation."""
    place = f" at {cut.place}" if cut.place else ""
    return f"the thread stops{place}: {violations.cut(cut)}; this is not a violation"


def places_cut(bounds: Iterable[Bound]) -> list[str]:
    """The bounds that say more than a number, each once."""
    numeric = {*_NUMERIC, *_PARTS, "runs"}
    return list(dict.fromkeys(bound(cut) for cut in bounds if cut.origin or cut.kind not in numeric))


def statistics(numbers: Mapping[str, float]) -> list[str]:
    """The statistics of the search of an explicit-state engine, one line each."""
    found = [(what, numbers[name]) for name, what in _STATISTICS.items() if name in numbers]
    return [f"{_grouped(value)} {what}" for what, value in found]


_SEARCHES = {
    "bfs": "breadth-first", "dfs": "depth-first", "icb": "by the number of preemptions",
    "directed": "towards the claims", "walks": "random walks", "swarm": "bitstate swarm",
    "run": "without preemptions", "walk": "random walk", "pct": "random priorities (PCT)",
    "pos": "partial order sampling", "surw": "random walk weighted by remaining operations", "round": "round robin",
    "preempt": "few preemptions", "pctwm": "random priorities and few communications (PCTWM)",
}  # fmt: skip
"""The searches that take turns: name → words."""


def searches(shares: Iterable[Share]) -> list[str]:
    """What each of the searches has done, one line each."""
    return [_search(share) for share in shares]


def _search(share: Share) -> str:
    done = [f"{_grouped(share.states)} states"] if share.states else []
    if share.walks:
        what = "searches" if share.states else "executions"
        done.insert(0, f"{_grouped(share.walks)} {what}, seed {share.seed}")
    done.append(f"depth {_grouped(share.depth)}")
    found = "; it found this" if share.found else ""
    return f"{_SEARCHES.get(share.name, share.name)}: {', '.join(done)}{found}"


_TRIED = Catalogue(
    "tried",
    {
        TryEnd.PROVED: "proved",
        TryEnd.REFUTED: "not provable in this way",
        TryEnd.UNKNOWN: "the solver gave up",
        TryEnd.TIMEOUT: "out of time",
        TryEnd.REJECTED: "a proof that the check rejected",
        TryEnd.UNSUPPORTED: "not expressible",
        TryEnd.FAILED: "failed",
    },
)
_ABOUT = {"modular": "each thread by itself", "pairs": "pairs of threads", "product": "all threads together"}
_NUMBERS = {"exact": "", "wrapping": ", numbers that wrap around", "bits": ", bit-vectors"}
_METHODS = {
    "horn": "",
    "counted": ", with counters of threads",
    "houdini": ", with counters of threads, by candidates",
    "counting": ", by a search that counts threads",
}


def tries(made: Iterable[Try]) -> list[str]:
    """How far each attempt at a proof got, one line each: "pairs of threads: out of time (2.0 s)"."""
    return [
        f"{_ABOUT[each.kind]}{_NUMBERS[each.arithmetic]}{_METHODS[each.method]}: {_TRIED.say(each.end)}"
        f"{f': {each.why}' if each.why else ''} ({each.seconds:.1f} s)"
        for each in made
    ]


def _grouped(number: float) -> str:
    return f"{number:,.{2 if number % 1 else 0}f}".replace(",", " ")


def function(origin: Origin) -> str:
    """The function of a step and, inside loops, the iteration, outermost loop first."""
    name = origin.function or ""
    if not origin.iteration:
        return name
    return f"{name} (iteration {'.'.join(str(number) for number in origin.iteration)})".strip()


def callers(path: Iterable[CallSite]) -> str:
    """The calls to an inlined function, innermost first: "called by f at x.c:3, by main at x.c:9"; "" for none."""
    calls = [f"by {call.function} at {call.file}:{call.line}" for call in reversed(list(path))]
    return f"called {', '.join(calls)}" if calls else ""


def internal_error(error: BaseException) -> str:
    """An error that is not the user's fault, with the stage in which it occurred."""
    stage = stage_of(error)
    where = f" in the stage `{stage}`" if stage else ""
    return f"internal error{where}: {type(error).__name__}: {error}".rstrip(": ")
