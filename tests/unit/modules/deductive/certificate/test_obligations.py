"""Which conditions there are, and which systems and proofs have none."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.certificate.certifier import Cause, check
from cseq.modules.deductive.certificate.obligations import Kind, Obligations
from cseq.modules.deductive.certificate.semantics import InapplicableError
from cseq.modules.deductive.proofs import OUTSIDE, InvariantKind
from tests.support import proofs, systems


def kinds(
    system: ts.System, terms: dict[tuple[tuple[str, int], ...], str], invariant_kind: InvariantKind
) -> Counter[Kind]:
    return Counter(
        obligation.kind for obligation in Obligations(system, proofs.proof(system, invariant_kind, terms)).all()
    )


def test_each_edge_has_its_conditions() -> None:
    """Two edges of main that create, one that checks; three of each of two threads."""
    system = systems.pair()
    places = [(t.name, n) for t in system.templates for n in t.locations]
    found = kinds(system, {(place,): "(>= total 0)" for place in places}, InvariantKind.MODULAR)
    own, created = 3 + 3 + 3, 2
    # A thread is disturbed by the edges of the other two; main has 4 places, and each of the others 3. A thread that is
    # just created is not there before.
    disturbed = 6 * 4 + (3 + 3) * 3 + (3 + 3) * 3 - 2 * 3
    assert found == {Kind.INITIATION: 1, Kind.CONSECUTION: own + created, Kind.CHECK: 1, Kind.INTERFERENCE: disturbed}


def test_a_replicated_template_disturbs_itself() -> None:
    system = systems.counter()
    worker = {(("worker", n),): "(= owner 0)" for n in range(7)}
    with_itself = kinds(system, {(("main", 0),): "true", **worker}, InvariantKind.MODULAR)
    assert with_itself[Kind.INTERFERENCE] == 7 * 7 + 7 * 1 + 7


def test_what_cannot_be_reached_needs_nothing() -> None:
    found = kinds(systems.counter(), {(("main", 0),): "true", (("worker", 0),): "true"}, InvariantKind.MODULAR)
    assert found[Kind.CHECK] == 0


def counted(change: int) -> ts.System:
    """Main's edge from 0 to 1, with a variable that is said to be the number of threads at 1."""
    count = ts.Variable("count", ts.UNBOUNDED)
    x = systems.shared("x")
    system = systems.alone([x], [systems.put(x, 0)])
    grown = ts.Apply(ts.Operator.ADD, (ts.Read(count), ts.Number(change, ts.UNBOUNDED)), ts.UNBOUNDED)
    edge = system.main.edges[0]
    system.main.edges[0] = replace(edge, actions=(*edge.actions, ts.Assign(ts.Read(count), grown)))
    return ts.System([x, count], {"x": 0, "count": 0}, system.templates, {("main", 1): count})


@pytest.mark.engine
@pytest.mark.parametrize(("change", "accepted"), [(1, True), (0, False), (2, False)])
def test_numbers_of_threads_have_to_be_kept_up(change: int, accepted: bool) -> None:
    system = counted(change)
    found = check(system, proofs.proof(system, InvariantKind.MODULAR, {(("main", n),): "true" for n in (0, 1)}), 20)
    assert found.accepted is accepted
    if not accepted:
        assert found.rejected is not None
        assert found.rejected.kind is Kind.POPULATION


@pytest.mark.engine
def test_numbers_of_threads_have_to_be_right_at_first() -> None:
    system = counted(1)
    system.initial["count"] = 1
    found = check(system, proofs.proof(system, InvariantKind.MODULAR, {(("main", n),): "true" for n in (0, 1)}), 20)
    assert (found.accepted, found.cause) == (False, Cause.REFUTED)


def _two_identities(system: ts.System) -> None:
    worker = system.templates[1]
    assert worker.identity is not None
    worker.edges.append(ts.Edge(6, 6, (ts.Assign(ts.Read(worker.identity), ts.Number(1)),)))


def _two_of_one(system: ts.System) -> None:
    system.templates[1].number = 1
    system.templates[1].identity = None


def _main_again(system: ts.System) -> None:
    system.main.edges.append(ts.Edge(0, 0, (ts.Create("main"),)))


def _same_name(system: ts.System) -> None:
    system.templates[1].locals.append(ts.Variable("owner", systems.INT, template="worker"))


def _bad_name(system: ts.System) -> None:
    system.shared.append(systems.shared("x) (check-sat"))


def _nowhere(system: ts.System) -> None:
    system.templates[1].edges.append(ts.Edge(6, 77, ()))


@pytest.mark.parametrize("change", [_two_identities, _two_of_one, _main_again, _same_name, _bad_name, _nowhere])
def test_systems_that_are_none_are_refused(change: Callable[[ts.System], None]) -> None:
    system = systems.counter()
    claimed = proofs.of_counter(system)
    change(system)
    with pytest.raises(InapplicableError):
        Obligations(system, claimed)
    assert check(system, claimed, 5).cause is Cause.INAPPLICABLE


@pytest.mark.parametrize(
    ("invariant_kind", "key"),
    [
        (InvariantKind.MODULAR, (("worker", 0), ("worker", 1))),
        (InvariantKind.MODULAR, (("nobody", 0),)),
        (InvariantKind.MODULAR, (("worker", 99),)),
        (InvariantKind.PAIRS, (("worker", 0),)),
        (InvariantKind.PRODUCT, (("main", 0), ("worker", OUTSIDE))),
    ],
)
def test_proofs_about_something_else_are_refused(
    invariant_kind: InvariantKind, key: tuple[tuple[str, int], ...]
) -> None:
    system = systems.counter()
    right = proofs.of_counter(system)
    with pytest.raises(InapplicableError):
        Obligations(
            system, replace(right, invariant_kind=invariant_kind, invariants={key: right.invariants[("main", 0),]})
        )


def test_pairs_need_two_threads() -> None:
    x = systems.shared("x")
    system = systems.alone([x], [systems.check(x, "==", 0)])
    assert check(system, proofs.proof(system, InvariantKind.PAIRS, {}), 5).cause is Cause.INAPPLICABLE
