"""Proofs of counting searches are accepted by the certificate check, and show what they have to."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cseq.modules.deductive import certificate
from cseq.modules.deductive.counters import counted
from cseq.modules.deductive.karp_miller.search import prove
from cseq.modules.deductive.proofs import Arithmetic, InvariantKind
from cseq.modules.deductive.transitions import INT, UNBOUNDED, Apply, Assume, Convert, Havoc, Operator, Read, System
from tests.support import systems
from tests.support.built import built
from tests.support.permits import semaphore
from tests.support.systems import Number, apply, assume, check, local, many, put, shared, template

pytestmark = pytest.mark.engine

PERMITS = """\
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

sem_t places;
atomic_int inside;

void *visitor(void *arg)
{
    sem_wait(&places);
    atomic_fetch_add(&inside, 1);
    assert(inside <= 2);
    atomic_fetch_sub(&inside, 1);
    sem_post(&places);
    return 0;
}

int main(void)
{
    pthread_t t;
    sem_init(&places, 0, 2);
    while (1)
        pthread_create(&t, 0, visitor, 0);
}
"""


def messages(buggy: bool = False) -> System:
    """Threads store any value of theirs under a lock, and look whether it is there; in the twin there is no lock."""
    owner, message = shared("owner", UNBOUNDED), shared("message")
    mine, copy = local("worker", "mine"), local("worker", "copy")
    nobody = Number(0, UNBOUNDED)
    name = apply(Convert(Read(local("worker", "id")), UNBOUNDED), "+", Number(1, UNBOUNDED))
    lock = [assume(local("worker", "id"), ">=", 0), assume(owner, "==", nobody), put(owner, name)]
    worker = template(
        "worker",
        None,
        [
            (0, 1, [Havoc(Read(mine))] if buggy else [*lock, Havoc(Read(mine))]),
            (1, 2, [put(message, mine)]),
            (2, 3, [put(copy, message)]),
            (3, 4, [check(copy, "==", mine), check(message, "==", copy)]),
            (4, 0, [] if buggy else [check(owner, "==", name), put(owner, nobody)]),
        ],
        [mine, copy],
    )
    return System([owner, message], {"owner": 0, "message": 0}, [many("worker"), worker])


def flipped() -> System:
    """A test-and-set lock with bit operations."""
    system = systems.test_and_set()
    x = shared("x")
    flip = Apply(Operator.BIT_XOR, (Read(x), Number(1)), INT)
    system.shared.append(x)
    system.initial["x"] = 0
    worker = system.templates[1]
    worker.edges = [
        type(edge)(edge.source, edge.target, (*edge.actions, put(x, flip), Assume(apply(x, "<=", 1))))
        if edge.source == 3
        else edge
        for edge in worker.edges
    ]
    return system


@pytest.mark.parametrize(
    ("make", "invariant_kind", "arithmetic"),
    [
        (systems.peterson, InvariantKind.PAIRS, Arithmetic.WRAPPING),
        (systems.test_and_set, InvariantKind.PAIRS, Arithmetic.WRAPPING),
        (flipped, InvariantKind.PAIRS, Arithmetic.BITS),
        (messages, InvariantKind.MODULAR, Arithmetic.WRAPPING),
        (lambda: counted(semaphore(2), fine=True), InvariantKind.MODULAR, Arithmetic.WRAPPING),
    ],
    ids=["peterson", "test and set", "bits", "messages", "semaphore"],
)
def test_proofs_are_accepted(make: Callable[[], System], invariant_kind: InvariantKind, arithmetic: Arithmetic) -> None:
    system = make()
    proof = prove(system, 10).proof
    assert proof is not None and proof.invariant_kind is invariant_kind and proof.arithmetic is arithmetic
    checked = certificate.check(system, proof, 60)
    assert checked.accepted, (checked.cause, checked.message, checked.rejected)


def test_proofs_of_one_system_are_none_of_its_twin() -> None:
    for make in (systems.test_and_set, messages):
        proof = prove(make(), 10).proof
        assert proof is not None and not certificate.check(make(True), proof, 60).accepted  # type: ignore[call-arg]
        assert prove(make(True), 10).proof is None  # type: ignore[call-arg]


def test_a_program_with_permits_is_proved_by_numbers_of_threads(tmp_path: Path) -> None:
    def attempt(permits: int, fine: bool) -> bool:
        path = tmp_path / f"permits{permits}.c"
        path.write_text(PERMITS.replace("&places, 0, 2", f"&places, 0, {permits}"))
        system = counted(built(path), fine=True) if fine else built(path)
        proof = prove(system, 10).proof
        return proof is not None and certificate.check(system, proof, 60).accepted

    assert not attempt(2, fine=False)
    assert attempt(2, fine=True)
    assert not attempt(3, fine=True)
