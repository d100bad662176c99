"""Clauses about pairs of threads, and about all of them."""

import re

import pytest

from cseq.model.errors import UnsupportedError
from cseq.modules.deductive.horn import combinations
from cseq.modules.deductive.horn.search import written
from cseq.modules.deductive.proofs import Arithmetic, InvariantKind
from cseq.modules.deductive.transitions import Create, System, Template
from tests.support.systems import apply, check, local, many, one_each, put, shared, template

X = shared("x")


def worker(name: str, number: int | None) -> Template:
    """A thread that adds one and checks."""
    return template(name, number, [(0, 1, [put(X, apply(X, "+", 1))]), (1, 2, [check(X, ">", 0)])])


def clauses(system: System, invariant_kind: InvariantKind) -> list[str]:
    """The clauses, without what binds variables."""
    lines = written(system, invariant_kind, Arithmetic.BITS).clauses.rules
    return [re.sub(r"^\(assert (\(forall \(.*?\)\)\) )?", "", line).replace("(_ BitVec 32)", "") for line in lines]


def reached(lines: list[str]) -> set[str]:
    """The places that some clause leads to."""
    return {found[-1] for line in lines if (found := re.findall(r"I\.[\w.]+", line.split("=>")[-1]))}


def test_the_product_has_all_combinations_that_control_can_reach() -> None:
    system = System([X], {"x": 0}, [one_each("one", "two"), worker("one", 1), worker("two", 2)])
    lines = clauses(system, InvariantKind.PRODUCT)
    # What has ended is outside, as is what has not begun: so is main after it has created the second.
    assert reached(lines) == {
        "I.main.0.one.out.two.out",
        "I.main.1.one.0.two.out",
        "I.main.1.one.1.two.out",
        "I.main.1.one.out.two.out",
        *(f"I.main.out.one.{one}.two.{two}" for one in (0, 1, "out") for two in (0, 1, "out")),
    }


def test_what_is_created_a_second_time_is_an_error() -> None:
    main = template("main", 0, [(0, 0, [Create("one")])])
    lines = clauses(System([X], {"x": 0}, [main, worker("one", 1)]), InvariantKind.PRODUCT)
    assert "(=> (I.main.0.one.0 x) false))" in " ".join(lines).replace(")))", "))")


def test_pairs_begin_with_threads_that_have_not_begun() -> None:
    lines = clauses(System([X], {"x": 0}, [many("worker"), worker("worker", None)]), InvariantKind.PAIRS)
    assert reached(lines) == {
        *(f"I.main.0.worker.{place}" for place in ("out", 0, 1, "end")),
        *(f"I.worker.{one}.worker.{two}" for one, two in [("out", 0), ("out", 1), ("end", "out"), (0, 0), (0, 1)]),
        *(f"I.worker.{one}.worker.{two}" for one, two in [("end", 0), ("end", 1), ("end", "end"), (1, 1)]),
    }


def test_a_third_thread_is_in_the_invariants_with_both() -> None:
    lines = clauses(System([X], {"x": 0}, [many("worker"), worker("worker", None)]), InvariantKind.PAIRS)
    later = "(I.main.0.worker.1 (bvadd x (_ bv1 32)))"
    premises = [set(re.findall(r"I[\w.]+", line[: line.index(later)])) for line in lines if later in line]
    own = {"I.main.0.worker.0"}  # the thread itself goes from 0 to 1
    assert sorted(premises, key=len) == [own, {"I.main.0.worker.0", "I.main.0.worker.1", "I.worker.0.worker.1"}]


def test_pairs_of_one_place_are_symmetric() -> None:
    mine = local("worker", "mine")
    twin = template("worker", None, [(0, 1, [put(X, mine)]), (1, 2, [check(X, "==", mine)])], [mine])
    lines = clauses(System([X], {"x": 0}, [many("worker"), twin]), InvariantKind.PAIRS)
    symmetry = (
        "(=> (I.worker.1.worker.1 x worker_mine!1 worker_mine!2) (I.worker.1.worker.1 x worker_mine!2 worker_mine!1))"
    )
    assert any(line.startswith(symmetry) for line in lines)


@pytest.mark.parametrize(
    ("invariant_kind", "message"),
    [(InvariantKind.PAIRS, "pairs of places"), (InvariantKind.PRODUCT, "combinations of places")],
)
def test_too_many_are_refused(invariant_kind: InvariantKind, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combinations, "MOST", 3)
    system = System([X], {"x": 0}, [one_each("one", "two"), worker("one", 1), worker("two", 2)])
    with pytest.raises(UnsupportedError, match=message):
        written(system, invariant_kind, Arithmetic.EXACT)
