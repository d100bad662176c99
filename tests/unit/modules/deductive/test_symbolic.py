"""What edges do as terms of Z3, compared with an interpreter."""

from random import Random

import pytest
import z3

from cseq.model.errors import UnsupportedError
from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.proofs import Arithmetic
from cseq.modules.deductive.symbolic import EdgeEffect, Executor, conjunction
from tests.support import systems
from tests.support.interpreter import wrapped

BYTE, SBYTE = ts.Scalar(8, False), ts.Scalar(8, True)
EXACT, WRAPPING = Arithmetic.EXACT, Arithmetic.WRAPPING


def executed(expression: ts.Expression, arithmetic: Arithmetic) -> tuple[object, EdgeEffect]:
    """The value that main stores when it stores *expression*, simplified, and the step."""
    result = systems.shared("result", expression.type)
    system = systems.alone([result, *dict.fromkeys(ts.read(expression))], [systems.put(result, expression)])
    executor = Executor(system, arithmetic)
    step = executor.step(system.main, system.main.edges[0], executor.symbols(system.shared))
    return z3.simplify(step.after["result"]), step


def truth(operator: ts.Operator, left: int, right: int) -> int:
    """C's result, before it is reduced to its type."""
    quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1) if right else 0
    return {
        ts.Operator.ADD: left + right,
        ts.Operator.SUB: left - right,
        ts.Operator.MUL: left * right,
        ts.Operator.DIV: quotient,
        ts.Operator.REM: left - right * quotient,
        ts.Operator.BIT_AND: left & right,
        ts.Operator.SHL: left << max(right, 0),
        ts.Operator.SHR: left >> max(right, 0),
    }[operator]


@pytest.mark.parametrize("type_", [BYTE, SBYTE])
def test_operators_compute_what_c_does(type_: ts.Scalar) -> None:
    random = Random(1)
    arithmetic = [ts.Operator.ADD, ts.Operator.SUB, ts.Operator.MUL, ts.Operator.DIV, ts.Operator.REM]
    for _ in range(200):
        operator = random.choice([*arithmetic, ts.Operator.BIT_AND, ts.Operator.SHL, ts.Operator.SHR])
        left, right = (random.randint(type_.least, type_.greatest) for _ in range(2))
        if operator in (ts.Operator.SHL, ts.Operator.SHR):
            right = random.randint(0, 7)
        elif operator is ts.Operator.BIT_AND:
            right = random.choice([1, 3, 7, 15])
        elif right == 0:
            right = 1
        result = truth(operator, left, right)
        expression = ts.Apply(operator, (ts.Number(left, type_), ts.Number(right, type_)), type_)
        assert executed(expression, WRAPPING)[0].as_long() == wrapped(result, type_), expression  # type: ignore[attr-defined]
        exact, _ = executed(expression, EXACT)
        if wrapped(result, type_) == result:
            assert exact.as_long() == result, expression  # type: ignore[attr-defined]
        else:
            assert not z3.is_int_value(exact), expression


def test_what_overflows_and_is_only_stored_may_be_anything() -> None:
    x = systems.shared("x")
    value, step = executed(systems.apply(x, "+", 1), EXACT)
    assert not step.owed
    solver = z3.Solver()
    solver.add(*step.holds, z3.Int("x") == ts.INT.greatest, value != 0)
    assert solver.check() == z3.sat


def test_what_overflows_and_matters_is_owed() -> None:
    x = systems.shared("x")
    system = systems.alone([x], [systems.assume(systems.apply(x, "+", 1), ">", 0)])
    executor = Executor(system, EXACT)
    step = executor.step(system.main, system.main.edges[0], executor.symbols([x]))
    ((position, owed),) = step.owed
    assert position == 0
    assert z3.is_true(z3.simplify(z3.substitute(owed, (z3.Int("x"), z3.IntVal(ts.INT.greatest - 1)))))
    assert z3.is_false(z3.simplify(z3.substitute(owed, (z3.Int("x"), z3.IntVal(ts.INT.greatest)))))


@pytest.mark.parametrize("operator", [ts.Operator.BIT_OR, ts.Operator.BIT_XOR, ts.Operator.BIT_AND])
def test_other_bits_are_any_value_of_the_type(operator: ts.Operator) -> None:
    x = systems.shared("x", BYTE)
    value, step = executed(ts.Apply(operator, (ts.Read(x), ts.Number(10, BYTE)), BYTE), EXACT)
    for wanted, possible in ((0, z3.sat), (255, z3.sat), (256, z3.unsat)):
        solver = z3.Solver()
        solver.add(conjunction(step.holds), value == wanted)
        assert solver.check() == possible


def test_conversions_reduce_and_truth_values_do_not() -> None:
    assert executed(ts.Convert(ts.Number(300), BYTE), WRAPPING)[0].as_long() == 44  # type: ignore[attr-defined]
    assert executed(ts.Convert(ts.Number(-1), BYTE), WRAPPING)[0].as_long() == 255  # type: ignore[attr-defined]
    assert z3.is_true(executed(ts.Convert(ts.Number(256), ts.BOOL), WRAPPING)[0])
    assert executed(ts.Convert(ts.Number(1, ts.BOOL), ts.INT), EXACT)[0].as_long() == 1  # type: ignore[attr-defined]


def test_elements_are_read_where_they_were_stored() -> None:
    cells, x = systems.shared("cells", ts.Array(ts.INT, 4)), systems.shared("x")
    actions = [systems.put(ts.Element(cells, ts.Number(2)), 7), systems.put(x, ts.Element(cells, ts.Number(2)))]
    system = systems.alone([cells, x], actions)
    executor = Executor(system, EXACT)
    step = executor.step(system.main, system.main.edges[0], executor.symbols(system.shared))
    assert z3.simplify(step.after["x"]).as_long() == 7


def test_initial_values_are_those_of_the_system() -> None:
    one, many = systems.shared("one", ts.Array(ts.INT, 2)), systems.shared("many", ts.Array(ts.INT, 2))
    system = systems.alone([one, many, systems.shared("free")], [])
    system.initial.update({"one": 5, "many": (1, 2)})
    executor = Executor(system, EXACT)
    store = executor.symbols(system.shared)
    for wrong in (store["one"][1] != 5, store["many"][0] != 1, store["many"][1] != 2):
        solver = z3.Solver()
        solver.add(*executor.beginning(store), wrong)
        assert solver.check() == z3.unsat
    solver = z3.Solver()
    solver.add(*executor.beginning(store), store["free"] == 77)
    assert solver.check() == z3.sat


def test_arithmetic_of_truth_values_is_refused() -> None:
    with pytest.raises(UnsupportedError, match="arithmetic of truth values"):
        executed(ts.Apply(ts.Operator.ADD, (ts.Number(1, ts.BOOL), ts.Number(1, ts.BOOL)), ts.BOOL), EXACT)
