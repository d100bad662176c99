"""The search for a proof: clauses are made, a solver is asked, and its model becomes invariants."""

import time
from collections.abc import Iterator
from itertools import product

from cseq.model.errors import UnsupportedError
from cseq.modules.deductive.horn import solvers
from cseq.modules.deductive.horn.bitvectors import BitVectors
from cseq.modules.deductive.horn.clauses import Modular, Writer
from cseq.modules.deductive.horn.combinations import Pairs, Product, is_outside
from cseq.modules.deductive.horn.integers import Integers
from cseq.modules.deductive.horn.models import Model, UnreadableError
from cseq.modules.deductive.horn.slices import IDLE, Slice, sliced
from cseq.modules.deductive.proofs import OUTSIDE, Arithmetic, Attempt, Invariant, InvariantKind, Place, Proof
from cseq.modules.deductive.transitions import Scalar, System, Variable

KINDS: dict[InvariantKind, type[Modular] | type[Pairs] | type[Product]] = {
    InvariantKind.MODULAR: Modular,
    InvariantKind.PAIRS: Pairs,
    InvariantKind.PRODUCT: Product,
}


def prove(
    system: System, invariant_kind: InvariantKind, arithmetic: Arithmetic, solver: str = "z3", timeout: float = 10.0
) -> Attempt:
    """Look for a proof of all checks of *system* within *timeout* seconds.

    What comes of it is not to be believed before it is certified: models of solvers are not always inductive.
    solver: as for `solvers.load`. UsageError if there is none of that name, or if it is not installed.
    """
    begun, used = time.monotonic(), time.process_time()
    try:
        writer = written(system, invariant_kind, arithmetic)
    except UnsupportedError as error:
        return Attempt("unknown", seconds=time.process_time() - used, reason=str(error))
    text = writer.clauses.text()
    asked = solvers.load(solver)
    seconds = time.process_time() - used
    reason, answer = "", "timeout"
    for number, share in enumerate(asked.shares):
        left = timeout - (time.monotonic() - begun)
        if left <= 0:
            break
        said = asked.solve(text, number, left * share)
        seconds += said.seconds
        if said.status == "unsat":
            return Attempt("refuted", seconds=seconds)
        if said.status == "sat":
            try:
                proof = Proof(invariant_kind, arithmetic, dict(_invariants(writer, Model.read(said.text))), asked.name)
                return Attempt("proved", proof, seconds)
            except UnreadableError as error:
                reason, answer = str(error), "unknown"
        elif said.status == "unknown":
            reason, answer = said.reason, "unknown"
    return Attempt("unknown" if answer == "unknown" else "timeout", seconds=seconds, reason=reason)


def written(system: System, invariant_kind: InvariantKind, arithmetic: Arithmetic) -> Modular | Pairs | Product:
    """The clauses of a kind. UnsupportedError if the system has none of this kind, or too many."""
    exact = arithmetic is Arithmetic.EXACT
    slice = sliced(system, exact)
    writer = KINDS[invariant_kind](slice, BitVectors() if arithmetic is Arithmetic.BITS else Integers(exact))
    writer.write()
    return writer


def _invariants(writer: Writer, model: Model) -> Iterator[tuple[tuple[Place, ...], Invariant]]:
    """The invariants of a model, for all places that each is about."""
    slice = writer.slice
    idle: dict[str, list[Place]] = {}
    for place in sorted(slice.idle):
        idle.setdefault(place[0], []).append(place)
    for places, predicate in writer.clauses.predicates.items():
        term = model.applied(predicate.name, [symbol for symbol, _ in predicate.parameters])
        invariant = _with_constants(Invariant(predicate.parameters, term), slice, writer)
        for key in product(*(_standing(place, idle, writer) for place in places)):
            yield key, invariant
    if isinstance(writer, Modular):
        yield from (((place,), Invariant((), "true")) for place in sorted(slice.idle))
    elif isinstance(writer, Pairs):
        yield from ((places, Invariant((), "true")) for places in writer.known if is_outside(places))


def _standing(place: Place, idle: dict[str, list[Place]], writer: Writer) -> list[Place]:
    """The places that a canonical one stands for."""
    if place[1] == IDLE:
        return idle[place[0]]
    if place[1] == OUTSIDE and isinstance(writer, Product):
        return [place, *idle.get(place[0], [])]
    return [place]


def _with_constants(invariant: Invariant, slice: Slice, writer: Writer) -> Invariant:
    """The same, and that those variables that nothing writes have their initial values."""
    if not slice.constants or invariant.term == "false":
        return invariant
    known: list[tuple[str, Variable]] = []
    terms = [invariant.term]
    for variable, value in slice.constants.items():
        if variable in slice.relevant:
            assert isinstance(variable.type, Scalar)
            known.append((variable.name, variable))
            terms.append(f"(= {variable.name} {writer.arithmetic.number(value, variable.type)})")
    return Invariant((*invariant.parameters, *known), f"(and {' '.join(terms)})") if known else invariant
