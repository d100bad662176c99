"""Edges, executed from any state."""

import pytest

from cseq.model.claims import Claim, Kind
from cseq.model.origin import Origin
from cseq.modules.deductive.certificate.semantics import InapplicableError
from cseq.modules.deductive.certificate.stepping import Step
from cseq.modules.deductive.proofs import Arithmetic
from cseq.modules.deductive.transitions import Action, Assume, Check, Create, Havoc, Read, System
from tests.support import systems
from tests.support.systems import UCHAR, apply, assume, check, local, put, shared, template

X = shared("x", UCHAR)
MINE = local("worker", "n", UCHAR)


def step(*actions: Action, arithmetic: Arithmetic = Arithmetic.WRAPPING) -> Step:
    worker = template("worker", None, [], [MINE])
    main = template("main", 0, [(0, 1, actions)])
    system = System([X], {}, [main, worker])
    return Step(system, main, main.edges[0], arithmetic)


def test_a_store_names_the_value() -> None:
    found = step(put(X, apply(X, "+", 1)))
    assert found.before["x"] == "shared/x"
    assert found.after["x"] == "step/1"
    assert found.constants == {"shared/x": "Int", "step/1": "Int"}
    assert found.facts == ["(and (<= 0 shared/x) (<= shared/x 255))", "(= step/1 (mod (+ shared/x 1) 256))"]


def test_actions_follow_each_other() -> None:
    found = step(put(X, 1), assume(X, "==", 1), put(X, 2))
    assert found.facts[1:] == ["(= step/1 1)", "(= step/1 1)", "(= step/2 2)"]
    assert found.after["x"] == "step/2"


def test_a_value_that_does_not_fit_is_any_value_if_it_is_only_stored() -> None:
    found = step(put(X, apply(X, "+", 1)), arithmetic=Arithmetic.EXACT)
    assert found.claims == []
    assert found.facts[-2:] == [
        "(and (<= 0 step/2) (<= step/2 255))",
        "(=> (and (and (<= 0 step/1) (<= step/1 255)) true) (= step/2 step/1))",
    ]


def test_a_condition_needs_values_that_fit() -> None:
    found = step(Assume(apply(apply(X, "+", 1), ">", 0)), arithmetic=Arithmetic.EXACT)
    (claim,) = found.claims
    assert claim.condition == "(and (<= 0 step/1) (<= step/1 255))"
    assert found.facts[claim.known :] == [claim.condition, "(> step/1 0)"]


def test_a_check_is_a_claim_and_then_a_fact() -> None:
    found = step(check(X, ">", 0), Havoc(Read(X)), Check(apply(X, "<", 9), Claim(Kind.ASSERTION), Origin("a.c", 4)))
    assert [(claim.condition, claim.known, claim.origin) for claim in found.claims] == [
        ("(> shared/x 0)", 1, None),
        ("(< step/1 9)", 3, Origin("a.c", 4)),
    ]
    assert found.facts[1] == "(> shared/x 0)"


def test_an_argument_is_evaluated_where_the_thread_is_created() -> None:
    found = step(Create("worker", ((MINE, Read(X)),)), put(X, 0))
    (begun,) = found.begun
    assert begun.template == "worker"
    assert f"(= {begun.arguments['worker_n']} shared/x)" in found.facts


@pytest.mark.parametrize(
    "action",
    [put(MINE, 1), put(X, Read(shared("other", UCHAR))), put(X, Read(shared("x"))), Create("worker", ((X, Read(X)),))],
)
def test_what_has_no_meaning_is_refused(action: Action) -> None:
    with pytest.raises(InapplicableError):
        step(action)


def test_the_counter_of_the_examples_takes_its_lock() -> None:
    system = systems.counter()
    worker = system.templates[1]
    found = Step(system, worker, worker.edges[0], Arithmetic.EXACT)
    assert "(not (= actor/worker_id 0))" in found.facts
    assert "(= shared/owner 0)" in found.facts
    assert f"(= {found.after['owner']} actor/worker_id)" in found.facts
