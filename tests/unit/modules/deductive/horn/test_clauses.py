"""Clauses of modular proofs, as text."""

from textwrap import dedent

import pytest

from cseq.modules.deductive.horn.search import written
from cseq.modules.deductive.proofs import Arithmetic, InvariantKind
from cseq.modules.deductive.transitions import BOOL, INT, Action, Assign, Create, Havoc, Number, Read, System, Variable
from tests.support.systems import UNSIGNED, alone, apply, assume, check, local, put, shared, successor, template

X, Y, UNUSED = shared("x", UNSIGNED), shared("y"), shared("unused")


def clauses(system: System, arithmetic: Arithmetic, invariant_kind: InvariantKind = InvariantKind.MODULAR) -> list[str]:
    """The declarations and the clauses of *system*."""
    lines = written(system, invariant_kind, arithmetic).clauses.text().splitlines()
    assert (lines[0], lines[-2:]) == ("(set-logic HORN)", ["(check-sat)", "(get-model)"])
    return lines[1:-2]


def joined(text: str) -> list[str]:
    return dedent(text).strip().splitlines()


def test_an_overflow_is_an_error_or_wraps_around() -> None:
    start = "(assert (forall ((x Int)) (=> (and (<= 0 x) (<= x 4294967295)) (I.main.0 x))))"
    known = "(I.main.0 x) (and (<= 0 x) (<= x 4294967295))"
    assert clauses(successor(UNSIGNED), Arithmetic.EXACT) == [
        "(declare-fun I.main.0 (Int) Bool)",
        start,
        f"(assert (forall ((x Int)) (=> (and {known} (not (<= (+ x 1) 4294967295))) false)))",
        f"(assert (forall ((x Int)) (=> (and {known} (<= (+ x 1) 4294967295) (not (> (+ x 1) x))) false)))",
    ]
    wrapped = "(ite (> (+ x 1) 4294967295) (- (+ x 1) 4294967296) (+ x 1))"
    assert clauses(successor(UNSIGNED), Arithmetic.WRAPPING) == [
        "(declare-fun I.main.0 (Int) Bool)",
        start,
        f"(assert (forall ((x Int)) (=> (and {known} (not (> {wrapped} x))) false)))",
    ]


def test_bit_vectors_wrap_around_by_themselves() -> None:
    assert clauses(successor(INT), Arithmetic.BITS) == joined(
        """
        (declare-fun I.main.0 ((_ BitVec 32)) Bool)
        (assert (forall ((x (_ BitVec 32))) (I.main.0 x)))
        (assert (forall ((x (_ BitVec 32))) (=> (and (I.main.0 x) (not (bvsgt (bvadd x (_ bv1 32)) x))) false)))
        """
    )


def test_other_threads_interfere_by_what_they_change() -> None:
    """Two threads of one template are different: so are their identities, and none is that of main."""
    mine = local("worker", "id")
    worker = template("worker", None, [(0, 1, [assume(Y, "==", 0), put(Y, mine)]), (1, 2, [check(Y, "==", mine)])])
    main = template("main", 0, [(0, 0, [put(UNUSED, 1), Create("worker")])])
    lines = clauses(System([Y, UNUSED], {"y": 0, "unused": 0}, [main, worker]), Arithmetic.BITS)
    interference = [line for line in lines if "(I.worker.1 y worker_id) (I.worker.0 y worker_id!2)" in line]
    assert len(interference) == 1
    assert "(distinct worker_id worker_id!2)" in interference[0]
    assert "(distinct worker_id!2 (_ bv0 32))" in interference[0]
    assert interference[0].endswith("(I.worker.1 worker_id!2 worker_id))))")
    assert not any("unused" in line for line in lines), "nothing depends on it"


def test_actions_of_one_edge_see_each_other() -> None:
    actions: list[Action] = [put(Y, 1), Havoc(Read(Y)), assume(Y, ">", 3), put(Y, apply(Y, "-", 2)), check(Y, ">", 0)]
    lines = clauses(alone([Y], actions), Arithmetic.EXACT)
    assert lines[-1] == (
        "(assert (forall ((y Int) (y$any1 Int)) (=> (and (I.main.0 y) "
        "(and (<= (- 2147483648) y$any1) (<= y$any1 2147483647)) (> y$any1 3) (not (> (- y$any1 2) 0))) false)))"
    )


def test_what_nothing_writes_is_a_constant() -> None:
    limit = shared("limit")
    main = template("main", 0, [(0, 0, [check(Y, "<=", limit), put(Y, limit)])])
    lines = clauses(System([Y, limit], {"y": 0, "limit": 7}, [main]), Arithmetic.WRAPPING)
    assert lines[0] == "(declare-fun I.main.0 (Int) Bool)"
    assert "(assert (forall ((y Int)) (=> (I.main.0 y) (I.main.0 7))))" in [
        line.replace("(and (I.main.0 y) (and (<= (- 2147483648) y) (<= y 2147483647)) (<= y 7))", "(I.main.0 y)")
        for line in lines
    ]


@pytest.mark.parametrize("arithmetic", list(Arithmetic))
def test_the_number_of_threads_at_a_place_is_known(arithmetic: Arithmetic) -> None:
    inside = Variable("inside", INT)
    worker = template("worker", None, [(0, 1, [put(inside, apply(inside, "+", 1))]), (1, 2, [check(inside, ">", 0)])])
    main = template("main", 0, [(0, 0, [Create("worker")])])
    system = System([inside], {"inside": 0}, [main, worker], {("worker", 1): inside})
    lines = clauses(system, arithmetic)
    both = [line for line in lines if line.count("(I.worker.1 inside)") >= 1 and "false" in line]
    least = {"exact": "(<= 1 inside)", "wrapping": "(<= 1 inside)", "bits": "(bvsle (_ bv1 32) inside)"}
    assert both and all(least[arithmetic] in line for line in both)


def test_arguments_of_new_threads_are_their_locals() -> None:
    number, flag = local("worker", "number"), local("worker", "flag", BOOL)
    worker = template("worker", 1, [(0, 1, [check(number, "==", 5), Assign(Read(flag), Number(1, BOOL))])], [number])
    main = template("main", 0, [(0, 1, [Create("worker", ((number, Number(5)),))])])
    assert "(assert (=> I.main.0 (I.worker.0 5)))" in clauses(System([], {}, [main, worker]), Arithmetic.EXACT)
