"""Random transition systems: no proof of one that has an error is accepted, of whatever kind the proof is.

    python -m tests.differential.proofs --seed 1 --count 100

The reference is an interpreter (`tests/support/interpreter.py`), which executes the system.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator

from cseq.model.claims import Claim, Kind, Reason
from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.proof_strategies import STRATEGIES, Method, ProofStrategy, attempt, strategies
from cseq.modules.deductive.proofs import Arithmetic, InvariantKind
from tests.support.interpreter import Found, explore, walk
from tests.support.systems import template

_TYPES = (ts.INT, ts.INT, ts.BOOL, ts.Scalar(8, False), ts.Scalar(8, True), ts.Scalar(32, False), ts.Scalar(64, True))
_ARITHMETIC = (ts.Operator.ADD, ts.Operator.ADD, ts.Operator.SUB, ts.Operator.MUL)
_BITWISE = (ts.Operator.BIT_AND, ts.Operator.BIT_OR, ts.Operator.BIT_XOR)
_COMPARISONS = (ts.Operator.EQ, ts.Operator.NE, ts.Operator.LT, ts.Operator.LE, ts.Operator.GT, ts.Operator.GE)
_STATES = 6_000


class Generator:
    """Makes one system from a random number generator."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._shared = [ts.Variable(f"x{number}", self._type(), f"x{number}") for number in range(rng.randint(1, 3))]
        if rng.random() < 0.25:
            self._shared.append(ts.Variable("cells", ts.Array(self._type(), rng.randint(2, 3)), "cells"))
        self._bits = rng.random() < 0.2

    def _type(self) -> ts.Scalar:
        return self._rng.choice(_TYPES)

    def system(self) -> ts.System:
        """A main, and up to three templates; or one whose threads are created in an endless loop."""
        rng = self._rng
        is_replicated = rng.random() < 0.4
        names = ["many"] if is_replicated else [f"t{number}" for number in range(rng.choice((0, 1, 1, 2, 2, 3)))]
        others = [self._template(name, None if is_replicated else number) for number, name in enumerate(names, 1)]
        if is_replicated:
            edges: list[tuple[int, int, list[ts.Action]]] = [(0, 0, [self._creation(others[0])])]
            if rng.random() < 0.5:
                edges = [(0, 1, [self._creation(others[0])]), (1, 2, [self._creation(others[0])])]
        else:
            edges = [(number, number + 1, [self._creation(each)]) for number, each in enumerate(others)]
        end = max((target for _, target, _ in edges), default=0)
        main = self._template("main", 0, edges, end)
        initial: dict[str, int | tuple[int, ...]] = {
            variable.name: rng.choice((0, 0, 1)) for variable in self._shared if rng.random() < 0.9
        }
        return ts.System(list(self._shared), initial, [main, *others])

    def _creation(self, created: ts.Template) -> ts.Create:
        arguments = [(variable, self._number(variable.type)) for variable in created.locals
                     if isinstance(variable.type, ts.Scalar) and variable is not created.identity
                     and self._rng.random() < 0.6]  # fmt: skip
        return ts.Create(created.name, tuple(arguments))

    def _template(
        self, name: str, number: int | None, begin: list[tuple[int, int, list[ts.Action]]] | None = None, end: int = 0
    ) -> ts.Template:
        rng = self._rng
        local = [ts.Variable(f"{name}_l{each}", self._type(), f"l{each}", name) for each in range(rng.randint(0, 2))]
        variables = [*self._shared, *local]
        edges = list(begin or [])
        last = end + rng.randint(1, 3)
        for source in range(end, last):
            edges.append((source, source + 1, self._actions(variables)))
        for _ in range(rng.randint(0, 2)):
            edges.append((rng.randint(end, last), rng.randint(end, last), self._actions(variables)))
        return template(name, number, edges, local)

    def _actions(self, variables: list[ts.Variable]) -> list[ts.Action]:
        rng = self._rng
        found: list[ts.Action] = []
        if rng.random() < 0.5:
            found.append(ts.Assume(self._condition(variables)))
        for _ in range(rng.randint(0, 2)):
            variable = rng.choice(variables)
            target, type_ = self._place(variable)
            if rng.random() < 0.15:
                found.append(ts.Havoc(target))
            else:
                found.append(ts.Assign(target, self._value(variables, type_)))
        if rng.random() < 0.2:
            found.append(
                ts.Check(
                    self._condition(variables, 2, ts.Operator.OR),
                    Claim(Kind.ASSERTION, Reason.FAILS, f"{rng.random()}"),
                )
            )
        return found

    def _place(self, variable: ts.Variable) -> tuple[ts.Read | ts.Element, ts.Scalar]:
        if isinstance(variable.type, ts.Array):
            index = ts.Number(self._rng.randrange(variable.type.length))
            return ts.Element(variable, index), variable.type.element
        return ts.Read(variable), variable.type

    def _number(self, type_: ts.Scalar | ts.Array) -> ts.Number:
        assert isinstance(type_, ts.Scalar)
        near = [0, 0, 1, 1, 2, 3, type_.greatest, type_.least, -1]
        return ts.Number(self._rng.choice([each for each in near if type_.least <= each <= type_.greatest]), type_)

    def _read(self, variables: list[ts.Variable], type_: ts.Scalar) -> ts.Expression:
        """A variable of some type, converted where that is another one."""
        place, found = self._place(self._rng.choice(variables))
        return place if found == type_ else ts.Convert(place, type_)

    def _value(self, variables: list[ts.Variable], type_: ts.Scalar, depth: int = 2) -> ts.Expression:
        rng, roll = self._rng, self._rng.random()
        if depth == 0 or roll < 0.3:
            return self._number(type_) if rng.random() < 0.4 else self._read(variables, type_)
        if type_ == ts.BOOL:
            return self._condition(variables, depth - 1)
        if roll < 0.4:
            condition = self._condition(variables, depth - 1)
            return ts.Choose(
                condition, self._value(variables, type_, depth - 1), self._value(variables, type_, depth - 1)
            )
        if roll < 0.5:
            divisor = ts.Number(rng.choice((2, 3)), type_)
            operator = rng.choice((ts.Operator.DIV, ts.Operator.REM))
            return ts.Apply(operator, (self._value(variables, type_, depth - 1), divisor), type_)
        if self._bits and roll < 0.7:
            operands = (self._value(variables, type_, depth - 1), self._value(variables, type_, depth - 1))
            if rng.random() < 0.2:
                return ts.Apply(
                    rng.choice((ts.Operator.SHL, ts.Operator.SHR)), (operands[0], ts.Number(1, type_)), type_
                )
            return ts.Apply(rng.choice(_BITWISE), operands, type_)
        operands = (self._value(variables, type_, depth - 1), self._number(type_))
        return ts.Apply(rng.choice(_ARITHMETIC), operands, type_)

    def _condition(
        self, variables: list[ts.Variable], depth: int = 1, outer: ts.Operator | None = None
    ) -> ts.Expression:
        rng, roll = self._rng, self._rng.random()
        if depth > 0 and (roll < 0.2 or outer is not None):
            operands = (self._condition(variables, depth - 1), self._condition(variables, depth - 1))
            return ts.Apply(outer or rng.choice((ts.Operator.AND, ts.Operator.OR)), operands, ts.BOOL)
        if depth > 0 and roll < 0.3:
            return ts.Apply(ts.Operator.NOT, (self._condition(variables, depth - 1),), ts.BOOL)
        place, type_ = self._place(rng.choice(variables))
        if type_ == ts.BOOL and roll < 0.6:
            return place
        right = self._number(type_) if rng.random() < 0.6 else self._value(variables, type_, 1)
        return ts.Apply(rng.choice(_COMPARISONS), (place, right), ts.BOOL)


def systems(seed: int, count: int, start: int = 0) -> Iterator[tuple[int, ts.System]]:
    """Random systems with their numbers."""
    for number in range(start, start + count):
        yield number, Generator(random.Random(f"{seed}/{number}")).system()


def executed(system: ts.System, seed: int) -> Found:
    """What can go wrong in *system*: an exploration, and random walks where that is not complete."""
    found = explore(system, _STATES, most=5)
    if not found.errors and not found.complete:
        found.errors |= walk(system, seed, walks=20, steps=60).errors
    return found


def some(system: ts.System, rng: random.Random) -> list[ProofStrategy]:
    """A few of the strategies that are possible for *system*, whether or not they make sense."""
    able = [strategy for strategy in STRATEGIES if strategy in strategies(system) or _is_possible(strategy)]
    return rng.sample(able, min(2, len(able)))


def _is_possible(strategy: ProofStrategy) -> bool:
    return strategy.method is Method.HORN and strategy.invariant_kind is not InvariantKind.PRODUCT


def compare(system: ts.System, chosen: list[ProofStrategy], found: Found, counts: Counter[str], seconds: float) -> str:
    """What is wrong with the proofs of *system*; empty where nothing is."""
    for strategy in chosen:
        name = f"{strategy.method.value} {strategy.invariant_kind.value} {strategy.arithmetic.value}"
        tried, accepted = attempt(system, strategy, seconds)
        what = "error" if found.errors else "safe" if found.complete else "unknown"
        counts[f"{what}: {name}: {tried.end.value}"] += 1
        if accepted is not None and found.errors:
            return f"{name}: a proof of a system with an error was accepted"
        if tried.end.value == "rejected":
            counts[f"rejected: {tried.why}"] += 1
        is_exact = strategy.invariant_kind is InvariantKind.PRODUCT and strategy.arithmetic is not Arithmetic.EXACT
        if is_exact and tried.end.value == "refuted" and what == "safe":
            return f"{name}: refuted, but there is no error"
    return ""


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the number of the first system")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=1.0, help="for each attempt at a proof")
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    wrong, begun = 0, time.process_time()
    try:
        for number, system in systems(options.seed, options.count, options.start):
            rng = random.Random(f"{options.seed}/{number}/strategies")
            found = executed(system, number)
            message = ", ".join(found.evaluated) or compare(system, some(system, rng), found, counts, options.seconds)
            if message:
                wrong += 1
                print(f"=== seed {options.seed}, system {number}: {message}", flush=True)
    except KeyboardInterrupt:
        print("interrupted")
    for what, times in sorted(counts.items()):
        print(f"{times:6} {what}")
    print(f"{wrong} disagreements, {time.process_time() - begun:.0f} s of CPU time in this process")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
