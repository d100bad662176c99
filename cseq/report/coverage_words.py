"""The words for what an answer does not cover, since no execution gets there."""

from collections.abc import Iterable, Iterator, Sequence

from cseq.model.claims import Claim
from cseq.model.coverage import Coverage, Kind, Point
from cseq.model.verdict import Caution, Outcome, Verdict
from cseq.report import violations
from cseq.report.catalogue import sentence

_MOST = 5
"""How many places are named."""


def subject(point: Point) -> str:
    """What is at a point: the claim in words, or the name of the function."""
    return violations.claim(Claim.of(point.subject)) if point.kind is Kind.CLAIM else point.subject


def cautions(outcome: Outcome) -> Iterator[Caution]:
    """What the answer for one property says nothing about; no words where it covers all claims and threads."""
    coverage = outcome.coverage
    if coverage is None:
        return
    never = "never" if outcome.verdict is Verdict.TRUE else "not"
    within = "" if outcome.verdict is Verdict.TRUE else " within the bounds"
    said = [*_claims(coverage, f"{never} reached{within}"), *_threads(coverage, f"{never} created{within}")]
    if said:
        text = "; ".join([*said, *_assumptions(coverage.ending)])
        yield Caution(sentence("coverage", text))


def _claims(coverage: Coverage, how: str) -> Iterator[str]:
    """The claims that are not reached; those in a function that never runs by its name only."""
    missed = sorted(coverage.missed(Kind.CLAIM), key=lambda point: point.place[:2])
    all_ = coverage.all(Kind.CLAIM)
    if not missed:
        return
    uncalled = {point.subject: "which is never called" for point in coverage.missed(Kind.FUNCTION)}
    started = {point.subject for point in coverage.reached if point.kind is Kind.THREAD}
    unstarted = {point.subject for point in coverage.missed(Kind.THREAD)} - started
    silent = {**dict.fromkeys(unstarted, "which no thread runs"), **uncalled}
    inside = [point for point in missed if point.place.function in silent]
    named = [str(point.place) for point in missed if point not in inside]
    for function in dict.fromkeys(point.place.function or "" for point in inside):
        named.append(f"those of `{function}`, {silent[function]}")
    if len(all_) == 1:
        yield f"the assertion is {how}: {_listed(named)}"
    else:
        yield f"{len(missed)} of {len(all_)} assertions are {how}: {_listed(named)}"


def _threads(coverage: Coverage, how: str) -> Iterator[str]:
    missed = coverage.missed(Kind.THREAD)
    if missed:
        noun, be = ("thread", "is") if len(missed) == 1 else ("threads", "are")
        yield f"the {noun} {_listed(f'`{point.subject}` at {point.place}' for point in missed)} {be} {how}"


def _assumptions(ending: Sequence[Point]) -> Iterator[str]:
    if ending:
        ends = "ends" if len(ending) == 1 else "end"
        places = _listed([str(point.place) for point in ending])
        yield f"`assume` at {places} {ends} every execution that gets there"


def _listed(names: Iterable[str]) -> str:
    every = list(dict.fromkeys(names))
    more = [f"and {len(every) - _MOST} more"] if len(every) > _MOST else []
    return ", ".join([*every[:_MOST], *more])
