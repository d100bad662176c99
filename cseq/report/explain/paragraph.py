"""The paragraph on a violation: what went wrong, in which order of which threads, and what a fix has to do.

That on a proof: the invariant that matters most, what kind of proof it is, and who has checked it; or, for each shared
object, why accesses to it are in no data race.
"""

from collections.abc import Iterable, Iterator, Sequence

from cseq.model.claims import Claim, Kind, MemoryState, Reason
from cseq.model.proof import CertificateCheck, ProofKind, ProofSummary, SharedInvariant
from cseq.model.sharing import SharedData
from cseq.model.trace import Counterexample
from cseq.model.verdict import Outcome, Property, Verdict
from cseq.report import sharing_words, words
from cseq.report.catalogue import sentence
from cseq.report.explain.causes import CauseKind, CauseSearch, seeds
from cseq.report.explain.history import History
from cseq.report.explain.interleaving import Account, AccountKind
from cseq.report.explain.phrases import Phrases, listed
from cseq.report.explain.standstill import Deadlock, Race, StandstillKind, endless
from cseq.report.explain.weak_orders import weak_orders


def explain(outcome: Outcome) -> str:
    """The paragraph, without line breaks; "" if there is no counterexample, and no proof that says what it rests on.

    If there are answers for several properties, it is about the first one that is violated, or else proved.
    """
    for part in outcome.all():
        if part.verdict is Verdict.FALSE and part.violated is not None and part.counterexample is not None:
            phrases = Phrases(part.counterexample)
            _, sentences = _account(part.counterexample, part.violated, phrases, part.memory_model == "c11")
            happened = words.spurious_event(part)
            sentences = [*sentences, *([happened] if happened else [])]
            return words.clean(" ".join(phrases.text(sentences).split()))
    proofs = [part.proof for part in outcome.all() if part.verdict is Verdict.TRUE and part.proof is not None]
    if proofs:
        return words.clean(_proved(proofs[0]))
    shared = [part.sharing for part in outcome.all() if part.verdict is Verdict.TRUE and part.sharing is not None]
    checked = [part.certificate for part in outcome.all() if part.verdict is Verdict.TRUE and part.certificate]
    found = [words.clean(_reasons(shared[0]))] if shared else []
    found += [sentence("explanation", f"{_of_certificate(checked[0])}.")] if checked else []
    return " ".join(found)


def _account(
    shown: Counterexample, violated: Property, phrases: Phrases, is_weak: bool = False
) -> tuple[CauseKind | AccountKind | StandstillKind | None, Iterable[str]]:
    """The kind of fault, or None if there is no more to say than what is violated; and the sentences.

    is_weak: whether accesses have the memory orders of C11, so that the order of the steps is not that of all threads.
    """
    if shown.stuck:
        deadlock = Deadlock(shown, violated, phrases)
        return deadlock.kind, deadlock.sentences()
    if shown.racing:
        return StandstillKind.RACE, Race(shown, violated, phrases, is_weak).sentences()
    if shown.cycle is not None:
        return StandstillKind.ENDLESS, endless(shown, violated, phrases)
    if not shown.steps:
        return None, [words.violation(violated)]
    if violated.claim.kind is Kind.UNWINDING:
        return None, [f"{words.violation(violated)}, here for {phrases.thread(shown.steps[-1].thread)}", *_UNWINDING]
    if any(access.unseen for step in shown.steps for access in step.accesses):
        return None, _unseen(shown, violated, phrases)
    history = History(shown)
    claim = violated.claim
    asserted = claim.subject if claim.kind is Kind.ASSERTION else ""
    search = CauseSearch(history, seeds(history, asserted), may_be_early=_may_be_early(claim))
    account = Account(search, violated, phrases)
    return account.kind, account.sentences()


def _unseen(shown: Counterexample, violated: Property, phrases: Phrases) -> Iterator[str]:
    """The sentences for reads that miss a store which came before them: the last ones."""
    yield words.violation(violated)
    missed = [(step, access.name, access.value, access.unseen) for step in shown.steps for access in step.accesses]
    reads = [(step, f"`{name} = {value}`", store) for step, name, value, store in missed if store is not None]
    for step, value, store in reads[-_MISSED:]:
        order = f" ({store.order})" if store.order else ""
        why = f"nothing orders that store before this load{order}"
        if store.is_buffered:
            why = "that store may still be in a buffer"
        yield (
            f"{phrases.thread(step.thread)} reads {value} at {phrases.place(step.origin)}, although "
            f"{phrases.thread(store.thread)} has stored {store.value} at {phrases.place(store.origin)}: {why}"
        )
    yield from weak_orders(shown, phrases, "rule this execution out")


_MISSED = 3
"""The number of reads that are shown that miss a store."""


def _may_be_early(claim: Claim) -> bool:
    """Whether a value that no thread has stored may be at fault; for accesses and arithmetic, only NULL and 0 may."""
    if claim.kind not in (Kind.MEMSAFETY, Kind.OVERFLOW):
        return True
    is_null = claim.memory is not None and claim.memory.state is MemoryState.NULL
    return is_null or claim.reason is Reason.DIVISION


_UNWINDING = (
    "this is a bound of the search and no fault of the program by itself",
    "A larger --unwind, or --unwindset for this line, goes further",
)


# Proofs

_PROOFS = {
    ProofKind.MODULAR: "The proof is thread-modular: it has an invariant for each place of one thread, which the steps "
    "of the other threads keep",
    ProofKind.PAIRS: "The proof has an invariant for each two places of two threads, which the steps of the other "
    "threads keep",
    ProofKind.PRODUCT: "The proof has an invariant for each combination of places of all threads",
}
_SOLVERS = {"z3": "Z3"}


def _reasons(shared: SharedData) -> str:
    """Why there is no data race, or no deadlock."""
    found = (sentence("explanation", line) for line in sharing_words.lines(shared))
    return " ".join(f"{line[:1].upper()}{line[1:]}." for line in found)


def _of_certificate(found: CertificateCheck) -> str:
    """What was checked of an answer of the analysis thread by thread."""
    if found.accepted:
        return "A checker of its own has confirmed the certificate of the analysis thread by thread"
    return f"The certificate of the analysis thread by thread was not checked, because of {found.why}"


def _proved(proof: ProofSummary) -> str:
    """The paragraph on a proof, without line breaks."""
    return " ".join(sentence("explanation", f"{part}.") for part in _of_proof(proof))


def _of_proof(proof: ProofSummary) -> Iterator[str]:
    yield from _invariants(proof.shared)
    unlimited = [f"`{name}`" for name in dict.fromkeys(proof.unlimited)]
    yield _PROOFS[proof.kind] + (f"; any number of threads may execute {listed(unlimited)}" if unlimited else "")
    solvers = listed([_SOLVERS.get(name, name) for name in proof.solvers])
    yield f"{solvers} have each confirmed the {proof.conditions} conditions for that"


def _invariants(shared: Sequence[SharedInvariant]) -> Iterator[str]:
    """A sentence for what holds throughout, and one for each lock."""
    for lock in dict.fromkeys(invariant.lock for invariant in shared):
        values = listed([f"`{invariant.value}`" for invariant in shared if invariant.lock == lock])
        yield f"Whenever no thread holds `{lock}`, {values}" if lock else f"At any time, {values}"
