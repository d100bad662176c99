"""What main does before it creates threads is not disturbed by any."""

import pytest

from cseq.modules.deductive.certificate.certifier import check as certified
from cseq.modules.deductive.horn import prove
from cseq.modules.deductive.phases import BEGUN, phased
from cseq.modules.deductive.proofs import Arithmetic, InvariantKind
from cseq.modules.deductive.transitions import BOOL, Assign, Create, Number, Read, System
from tests.support.systems import apply, assume, check, counter, put, shared, template

LEFT = shared("left")


def prepared(buggy: bool = False) -> System:
    """Main puts 5 into `left`, checks that, and creates threads that take one each; the twin creates one first."""
    main = template(
        "main",
        0,
        [
            (0, 1, [Create("worker")] if buggy else []),
            (1, 2, [put(LEFT, 5)]),
            (2, 3, [check(LEFT, "==", 5)]),
            (3, 3, [Create("worker")]),
        ],
    )
    worker = template("worker", None, [(0, 1, [assume(LEFT, ">", 0), put(LEFT, apply(LEFT, "-", 1))])])
    return System([LEFT], {"left": 0}, [main, worker])


def test_edges_that_create_threads_say_so() -> None:
    system = phased(prepared())
    assert (system.shared[-1], system.initial[BEGUN.name]) == (BEGUN, 0)
    noted = [Assign(Read(BEGUN), Number(1, BOOL)) in edge.actions for edge in system.main.edges]
    assert noted == [False, False, False, True]
    assert system.templates[1:] == prepared().templates[1:]


def test_where_main_prepares_nothing_the_system_stays() -> None:
    system = counter()
    assert phased(system) is system


@pytest.mark.engine
@pytest.mark.parametrize("buggy", [False, True])
def test_what_main_prepares_is_proved_with_it_alone(buggy: bool) -> None:
    system = prepared(buggy)
    assert prove(system, InvariantKind.MODULAR, Arithmetic.EXACT, timeout=60).answer == "refuted"
    attempt = prove(phased(system), InvariantKind.MODULAR, Arithmetic.EXACT, timeout=60)
    assert attempt.answer == ("refuted" if buggy else "proved")
    assert buggy or (attempt.proof is not None and certified(phased(system), attempt.proof, 60).accepted)
