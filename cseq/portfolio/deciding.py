"""The answer where several engines were asked, and what each says."""

from collections.abc import Mapping

from cseq.model.errors import BackendError, CSeqError, MissingError
from cseq.model.verdict import Attempt, Caution, Listing, Outcome, Reason, Verdict
from cseq.options.memory_models import C11
from cseq.report.ways_out import ways_out
from cseq.report.words import answer as in_words
from cseq.report.words import internal_error, places_cut
from cseq.report.words import searches as searched

_LISTINGS = (None, Listing.STOPPED, Listing.WITHIN, Listing.ALL)
"""How much is known of further violations, from the least to the most."""


def decided(results: Mapping[str, Outcome | Exception], symbolic: str) -> Outcome:
    """The answer from the *results* of the engines, in order of time: outcomes or exceptions.

    symbolic: the engine of the symbolic family. Raises its exception where there is no outcome.
    """
    outcomes = [result for result in results.values() if isinstance(result, Outcome)]
    if not outcomes:
        failures = {engine: result for engine, result in results.items() if isinstance(result, Exception)}
        raise failures.get(symbolic) or next(iter(failures.values()))
    sound = [outcome for outcome in outcomes if is_sound(outcome)]
    # A replayed execution exists, even if the other engine claims a proof. Longer lists of races come first.
    answer = max(
        sound or outcomes,
        key=lambda o: (
            o.verdict is Verdict.FALSE,
            o.exit_status == 0,
            o.verdict is Verdict.TRUE and o.memory_model == C11,
            _LISTINGS.index(o.listing),
            is_final(o),
            o.backend == symbolic,
        ),
    )
    for outcome in outcomes:
        outcome.chosen = True
    others = {engine: result for engine, result in results.items() if not _agrees(result, answer)}
    answer.attempts = [Attempt(engine, in_short(result)) for engine, result in others.items()]
    is_weak = answer.memory_model == C11  # then it may be that no sequentially consistent execution violates it
    for outcome in sound:
        if outcome.verdict is not answer.verdict and (outcome.memory_model == C11 or not is_weak):
            what = f"{outcome.backend} says {outcome.verdict.value}, and {answer.backend} {answer.verdict.value}"
            answer.warnings.append(Caution(f"{what}: one of them is wrong; please report it"))
    for engine, result in results.items():
        if failed(result):
            answer.warnings.append(Caution(f"{engine}: {in_short(result)}; please report it"))
        elif result is not answer and isinstance(result, Outcome) and result.reason is Reason.REPLAY:
            answer.warnings.append(Caution(f"{engine}: {in_short(result)}"))
    return answer


def _agrees(result: Outcome | Exception, answer: Outcome) -> bool:
    """Whether *result* is the *answer*, or a proof of the same for fewer executions."""
    if answer.memory_model != C11 or not isinstance(result, Outcome):
        return result is answer
    return result is answer or (is_sound(result) and result.verdict is answer.verdict)


def failed(result: Outcome | Exception) -> bool:
    """Whether an engine has no answer for a reason of ours or its own, which says nothing of the program.

    Refusals and missing programs are not failures, nor is an engine that ran out of time or memory.
    """
    if isinstance(result, Outcome):
        return result.reason is Reason.BACKEND
    return not isinstance(result, CSeqError) or (
        isinstance(result, BackendError) and not isinstance(result, MissingError)
    )


def is_sound(outcome: Outcome) -> bool:
    """Whether *outcome* is a proof, or a violation that was replayed."""
    return outcome.verdict is not Verdict.UNKNOWN and not outcome.unreplayed


def is_final(outcome: Outcome) -> bool:
    """Whether no engine can tell more: a proof, a replayed violation, or all of what can be explored was.

    Then threads stop at what is not supported, and nothing else is cut off.
    """
    return is_sound(outcome) or (bool(outcome.bounds) and {bound.kind for bound in outcome.bounds} == {"unsupported"})


def _helping(result: Outcome) -> list[str]:
    ways = [way for way in ways_out(result) if not way.startswith("-b ")]  # the other one was asked as well
    return [f"what helps: {', '.join(ways)}"] if ways else []


def in_short(result: Outcome | Exception) -> str:
    """The result of an engine that has no answer, in words."""
    if isinstance(result, Outcome):
        words, states = in_words(result), int(result.statistics.get("states", 0))
        if result.searches and result.reason in (Reason.MEMORY, Reason.TIMEOUT):
            words = f"{words} ({'; '.join(searched(result.searches))})"
        elif states and result.reason is not Reason.MEMORY:
            words = f"{words}; {states} states were explored" if states > 1 else f"{words}; 1 state was explored"
        return "; ".join([words, *places_cut(result.bounds)[:1], *_helping(result)])
    if isinstance(result, CSeqError):
        return str(result)
    return internal_error(result)
