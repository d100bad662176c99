"""A search of all states of a system with any number of threads, coarse at first and then more and more precise.

It decides systems whose variables have few values; for others it may be that what matters is found with the others
forgotten.
"""

import time
from collections.abc import Callable, Iterator
from math import inf
from typing import Literal

from cseq.modules.deductive.karp_miller.formulas import TooWeakError
from cseq.modules.deductive.karp_miller.proof import modular, pairs, with_counters
from cseq.modules.deductive.karp_miller.states import ForgetError, KarpMillerSearch, Precision, SearchResult
from cseq.modules.deductive.karp_miller.steps import Stepper
from cseq.modules.deductive.proofs import Attempt, Proof
from cseq.modules.deductive.relevance import irrelevant
from cseq.modules.deductive.transitions import System

Answer = Literal["proved", "refuted", "unknown", "timeout"]

PRECISIONS = (
    Precision(1, 20, 20_000),
    Precision(2, 300, 50_000),
    Precision(4, 300, 200_000),
    Precision(inf, 100_000, 1_000_000),
)


def search(system: System, precision: Precision, deadline: float) -> SearchResult:
    """Search at one precision; begin again without a variable that has too many values."""
    forgotten = frozenset[str]()
    while True:
        try:
            return KarpMillerSearch(Stepper(system, forgotten), precision, deadline).run()
        except ForgetError as error:
            forgotten |= {error.name}


def searches(system: System, timeout: float) -> Iterator[SearchResult]:
    """Searches that are more and more precise, until one proves that no check fails, or finds an execution in which one
    does. A search has half of the time that is left."""
    end = time.monotonic() + timeout
    for precision in PRECISIONS:
        now = time.monotonic()
        if now >= end:
            return
        last = precision is PRECISIONS[-1]
        found = search(system, precision, end if last else now + (end - now) / 2)
        yield found
        if found.safe or (found.safe is False and not found.search.is_coarse):
            return


def prove(system: System, timeout: float) -> Attempt:
    """Search for at most *timeout* seconds, and make a proof of what has been reached.

    Where the system has ghost variables that count threads, the proof is about those if it has to be.
    """
    begun, end = time.process_time(), time.monotonic() + timeout
    answer: Answer = "timeout"
    reason = "there are too many states"
    for found in searches(system, timeout):
        answer, reason = _refusal(found)
        if found.safe:
            proof, reason = _proved(system, found, end)
            answer = "unknown" if proof is None else "proved"
            return Attempt(answer, proof, time.process_time() - begun, reason)
    return Attempt(answer, None, time.process_time() - begun, reason)


def _refusal(found: SearchResult) -> tuple[Answer, str]:
    """What to say of a search that has not proved anything."""
    if found.safe is None:
        return "timeout", "there are too many states"
    if found.exact:
        return "refuted", "a check fails"
    forgotten = sorted(found.search.stepper.forgotten - irrelevant(found.search.stepper.system))
    return "unknown", f"too many values of {', '.join(forgotten)}" if forgotten else "a check may fail for some values"


def _proved(system: System, found: SearchResult, end: float) -> tuple[Proof | None, str]:
    """The proof, or why there is none."""
    reason = ""
    makers: list[Callable[[], Proof]] = [lambda: modular(system, found), lambda: pairs(system, found)]
    if system.population:
        makers.append(lambda: with_counters(system, found, end))
    for make in makers:
        try:
            return make(), ""
        except TooWeakError as error:
            reason = str(error)
    return None, reason
