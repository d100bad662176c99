"""The interpreter of transition systems, which proofs are compared with, executes what they say."""

import pytest

from cseq.modules.deductive.transitions import BOOL, INT, Assume, Check, Havoc, Read, Scalar, System, Variable
from tests.support import systems
from tests.support.interpreter import explore, walk
from tests.support.systems import UCHAR, UNSIGNED, alone, apply, put, shared, successor


@pytest.mark.parametrize("name", ["counter", "peterson", "ticket", "test_and_set"])
def test_buggy_systems_have_an_error(name: str) -> None:
    assert explore(systems.PAIRS[name](True), limit=5_000).errors
    assert not explore(systems.PAIRS[name](False), limit=2_000).errors


def test_a_finite_system_is_searched_to_its_end() -> None:
    found = explore(systems.peterson())
    assert found.complete and not found.errors and found.states > 20


def test_an_error_has_the_steps_to_it() -> None:
    found = explore(systems.peterson(True))
    (path,) = found.errors.values()
    assert [template for template, _ in path].count("main") == 2
    assert isinstance(path[-1][1].actions[0], Check)


def test_random_walks_of_what_has_no_end() -> None:
    assert walk(systems.test_and_set(True), seed=1).errors
    assert not walk(systems.test_and_set(), seed=1).errors


@pytest.mark.parametrize(("type_", "sign", "holds"), [(INT, ">", False), (UNSIGNED, "!=", True), (UCHAR, ">", False)])
def test_values_that_are_open_are_tried(type_: Scalar, sign: str, holds: bool) -> None:
    assert bool(explore(successor(type_, sign)).errors) != holds


def test_whether_all_values_are_tried_is_known() -> None:
    def asked(variable: Variable) -> System:
        return alone([variable], [Havoc(Read(variable)), Assume(apply(variable, "==", variable))])

    assert explore(asked(shared("b", BOOL))).complete
    assert not explore(asked(shared("i"))).complete
    assert explore(asked(shared("c", UCHAR)), most=256).complete


def test_what_has_no_value_is_noted() -> None:
    x = shared("x")
    system = alone([x], [put(x, 0), put(x, apply(x, "/", x))])
    assert explore(system).evaluated == {"a quotient by zero"}
