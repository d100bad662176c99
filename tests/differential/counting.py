"""Random finite systems of threads: the search that counts them against the interpreter, which tells them apart.

Main creates one to four threads, and then the two have to agree; in its endless loop it creates any number, and then
what the search finds safe must have no error with four. Its proofs are checked where that is asked for.

    python -m tests.differential.counting 1000
"""

import random
import sys
import time
from collections import Counter
from dataclasses import dataclass
from math import inf

from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.karp_miller.search import search
from cseq.modules.deductive.karp_miller.states import Precision
from tests.support.interpreter import explore
from tests.support.systems import apply, check, local, put, shared, template

EXACT = Precision(inf, 10_000, 20_000)
COARSE = (Precision(1, 3, 20_000), Precision(2, 300, 20_000))
WIDE = ts.Scalar(64, False)


@dataclass
class Disagreement(Exception):
    """What the search says of a system is not so."""

    seed: int
    what: str


class Maker:
    """A random system: shared numbers, a flag, an array, and two owners that are recorded by their identity.

    Every third has inputs of any value. The interpreter tries some of them, so it may miss errors, but not invent any.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.has_inputs = seed % 3 == 0
        self.numbers = [shared(name) for name in ("x", "y")[: self.random.randint(1, 2)]]
        self.flag = shared("flag", ts.BOOL)
        self.cells = shared("cells", ts.Array(ts.INT, 2))
        self.owners = [shared("owner"), shared("holder", WIDE)]
        self.names = ["one", "two"][: self.random.randint(1, 2)]

    def system(self, main: ts.Template) -> ts.System:
        """The system with its threads, which the same seed makes again."""
        variables = [*self.numbers, self.flag, self.cells, *self.owners]
        return ts.System(variables, {variable.name: 0 for variable in variables}, [main, *self.threads])

    def make(self) -> None:
        self.threads = [self._thread(name) for name in self.names]

    def _thread(self, name: str) -> ts.Template:
        own = local(name, "own")
        other = local(name, "other")
        mine = ts.Read(local(name, "id"))
        places = self.random.randint(2, 4)
        edges: list[tuple[int, int, list[ts.Action]]] = [(0, 1, [put(other, mine)])]
        for source in range(1, places + 1):
            for _ in range(self.random.randint(1, 2)):
                target = self.random.choice([source + 1, source + 1, self.random.randint(1, places)])
                edges.append((source, target, self._actions(name, own, other, mine)))
        return template(name, None, edges, [own, other])

    def _actions(self, name: str, own: ts.Variable, other: ts.Variable, mine: ts.Expression) -> list[ts.Action]:
        """First conditions, then changes."""
        conditions: list[ts.Action] = [
            self._condition(own, other, mine) for _ in range(self.random.choice([0, 0, 1, 1, 2]))
        ]
        changes = [self._change(name, own, other, mine) for _ in range(self.random.choice([0, 1, 1, 2]))]
        return [*conditions, *changes]

    def _condition(self, own: ts.Variable, other: ts.Variable, mine: ts.Expression) -> ts.Action:
        owner, holder = self.owners
        number, constant = self.random.choice([*self.numbers, own]), self.random.randint(0, 2)
        sign = self.random.choice(["==", "!=", "<", ">="])
        ways: list[ts.Expression] = [
            apply(number, sign, constant),
            apply(number, sign, self.random.choice([*self.numbers, own])),
            apply(owner, "==", 0),
            apply(holder, "==", 0),
            apply(owner, "==", mine),
            apply(ts.Read(holder), "==", ts.Convert(mine, WIDE)),
            apply(owner, "==", other),
            apply(other, "!=", mine),
            apply(owner, "!=", mine),
            apply(owner, "==", apply(mine, "+", 1)),
            ts.Convert(ts.Read(owner), ts.BOOL),
            ts.Read(self.flag),
            apply(ts.Element(self.cells, ts.Read(self.numbers[0])), sign, constant),
        ]
        way = self.random.choice(ways)
        if self.random.random() < 0.2:
            way = ts.Apply(ts.Operator.NOT, (way,), ts.BOOL)
        if self.random.random() < 0.2:
            way = apply(way, self.random.choice(["&&", "||"]), self.random.choice(ways))
        if self.random.random() < 0.2:
            return check(way, "!=", ts.Number(0, ts.BOOL))
        return ts.Assume(way)

    def _change(self, name: str, own: ts.Variable, other: ts.Variable, mine: ts.Expression) -> ts.Action:
        owner, holder = self.owners
        number, constant = self.random.choice(self.numbers), self.random.randint(0, 1)
        sum_ = apply(self.random.choice([number, own]), self.random.choice("+-^"), self.random.choice([own, number]))
        rest = ts.Apply(ts.Operator.REM, (apply(number, "+", 1), ts.Number(2)), ts.INT)
        ways: list[ts.Action] = [
            put(number, constant),
            put(number, rest),
            put(own, number),
            put(number, own),
            put(owner, mine),
            put(owner, 0),
            put(ts.Read(holder).variable, ts.Convert(mine, WIDE)),
            put(holder, 0),
            put(other, owner),
            put(owner, other),
            put(owner, apply(mine, "+", 1)),
            ts.Havoc(ts.Read(self.flag)),
            *(
                [ts.Havoc(ts.Read(own)), ts.Havoc(ts.Read(number)), put(own, sum_), put(number, sum_)]
                if self.has_inputs
                else []
            ),
            put(self.flag, ts.Number(constant, ts.BOOL)),
            put(ts.Element(self.cells, ts.Read(self.numbers[0])), constant),
        ]
        if name != self.names[-1] and self.random.random() < 0.1:
            return ts.Create(self.names[-1], ((local(self.names[-1], "own"), ts.Read(number)),))
        return self.random.choice(ways)


def bounded(names: list[str], threads: int) -> ts.Template:
    """A main that creates some threads of each template, and ends."""
    return template("main", 0, [(number, number + 1, [begin(names[number % len(names)])]) for number in range(threads)])


def begin(name: str) -> ts.Create:
    """Begin a thread, whose `own` is 0."""
    return ts.Create(name, ((local(name, "own"), ts.Number(0)),))


def compare(seed: int, limit: int = 4_000) -> Counter[str]:
    """Compare on the system of a seed. Returns what was said; raises Disagreement."""
    said = Counter[str]()
    maker = Maker(seed)
    maker.make()
    errors = False
    for threads in range(1, 5):
        system = maker.system(bounded(maker.names, threads))
        reference = explore(system, limit)
        errors = errors or bool(reference.errors)
        if not reference.errors and not reference.complete and not maker.has_inputs:
            break
        found = search(system, EXACT, time.monotonic() + 20)
        if found.safe and reference.errors:
            raise Disagreement(seed, f"{threads} threads have an error that the search does not see")
        if found.safe is False and found.exact and not reference.errors and reference.complete:
            raise Disagreement(seed, f"{threads} threads have no error, but the search has")
        said[f"{threads} threads: {word(found.safe, found.exact)}"] += 1
        for precision in COARSE:
            if reference.errors and search(system, precision, time.monotonic() + 20).safe:
                raise Disagreement(seed, f"{threads} threads have an error that a coarse search does not see")
    endless = template("main", 0, [(0, 0, [begin(name)]) for name in maker.names])
    for precision in (EXACT, *COARSE):
        found = search(maker.system(endless), precision, time.monotonic() + 20)
        if found.safe and errors:
            raise Disagreement(seed, "some threads have an error that the search of any number does not see")
        said[f"any number: {word(found.safe, found.exact)}" + (", error in four" if errors else "")] += 1
    return said


def word(safe: bool | None, exact: bool) -> str:
    """What a search has said."""
    return "given up" if safe is None else "safe" if safe else "violated" if exact else "perhaps violated"


def main() -> None:
    first, count = (int(sys.argv[2]) if len(sys.argv) > 2 else 0), int(sys.argv[1]) if len(sys.argv) > 1 else 200
    said = Counter[str]()
    for seed in range(first, first + count):
        said += compare(seed)
    for what, number in sorted(said.items()):
        print(f"{number:6} {what}")
    print(f"{count} systems, 0 disagreements")


if __name__ == "__main__":
    main()
