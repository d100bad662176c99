"""Random data structures with weak memory orders, and what `cseq linearize` says of their execution graphs.

    python -m tests.differential.linearizability.weak_structures --seed 1 --count 20

prints each scenario of which it says something else than an enumeration of all execution graphs, the results of each of
which are compared with all sequential orders that happens-before allows, and exits with status 1.
"""

import argparse
import itertools
import random
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from cseq.modules.graphs.axioms import Graph
from cseq.modules.ir.instructions import Order
from cseq.modules.linearizability.grammar import parsed
from cseq.modules.linearizability.histories import Order as SequentialOrder
from cseq.modules.linearizability.histories import OrderTree
from cseq.modules.linearizability.results import kinds
from cseq.modules.linearizability.scenario_graphs import ScenarioGraphs
from cseq.modules.linearizability.scenario_programs import ReturnedCall, ScenarioFrame, declarations
from cseq.modules.linearizability.scenarios import Scenario, scenarios
from cseq.modules.linearizability.structure import LINEARIZABLE, SEQUENTIAL
from cseq.portfolio.families import GRAPHS, Families
from tests.support.litmus import ACQ, ACQ_REL, REL, RLX, SC, Op, executions

VARIABLES = 2
SIZES = ((2, 2), (3, 1))
MOST_EVENTS = 6
"""Scenarios with more accesses and fences are left out: there would be too many graphs to enumerate."""

_ORDERS = {
    "load": (RLX, ACQ, ACQ, SC),
    "store": (RLX, REL, REL, SC),
    "swap": (RLX, ACQ, REL, ACQ_REL, SC),
    "compare": (RLX, ACQ, REL, ACQ_REL, SC),
    "fence": (ACQ, REL, ACQ_REL, SC),
}

Operation = tuple[Op, ...]
"""Its steps. It returns what the last one has loaded, or 0."""

Place = tuple[int, int]
History = tuple[tuple[tuple[Place, int], ...], frozenset[tuple[Place, Place]]]


def operations(seed: int) -> tuple[Operation, ...]:
    """Two operations, which differ."""
    rng = random.Random(seed)
    made: set[Operation] = set()
    while len(made) < 2:
        steps = []
        for _ in range(rng.randint(1, 3)):
            kind = rng.choice(("load", "load", "load", "store", "store", "store", "swap", "compare", "fence"))
            order = rng.choice(_ORDERS[kind])
            steps.append(Op(kind, rng.randrange(VARIABLES), order, rng.randint(1, 2), rng.randint(0, 1)))
        if any(step.kind != "fence" for step in steps):
            made.add(tuple(steps))
    return tuple(sorted(made, key=repr))


def code(made: Sequence[Operation]) -> str:
    """The operations as C."""
    names = ", ".join(f"v{number}" for number in range(VARIABLES))
    lines = ["#include <stdatomic.h>", f"static atomic_int {names};"]
    for number, steps in enumerate(made):
        lines += [f"int op{number}(void)", "{", "    int a = 0;"]
        lines += [f"    {_statement(step)}" for step in steps]
        lines += ["    return a;", "}"]
    return "\n".join([*lines, ""])


def _statement(step: Op) -> str:
    at, order = f"&v{step.location}", _name(step.order)
    match step.kind:
        case "load":
            return f"a = atomic_load_explicit({at}, {order});"
        case "store":
            return f"atomic_store_explicit({at}, {step.value}, {order});"
        case "swap":
            return f"a = atomic_exchange_explicit({at}, {step.value}, {order});"
        case "fence":
            return f"atomic_thread_fence({order});"
    called = f"atomic_compare_exchange_strong_explicit({at}, &a, {step.value}, {order}, {_name(step.failure)})"
    return f"a = {step.expected}; {called};"


def _name(order: Order) -> str:
    return f"memory_order_{order.name.lower()}"


def result(steps: Operation, values: list[int]) -> int:
    """What an operation returns that is executed alone on the *values* of the variables, which it changes."""
    last = 0
    for step in steps:
        old = values[step.location]
        if step.kind in ("load", "swap", "compare"):
            last = old
        if step.kind in ("store", "swap") or (step.kind == "compare" and old == step.expected):
            values[step.location] = step.value
    return last


def sequential_orders(made: Sequence[Operation], scenario: Scenario) -> Iterator[tuple[ReturnedCall, ...]]:
    """All of them, with what the calls return."""
    places = [(thread, number) for thread, calls in enumerate(scenario.threads) for number in range(len(calls))]
    for order in itertools.permutations(places):
        if any(one[0] == other[0] and one[1] > other[1] for one, other in itertools.combinations(order, 2)):
            continue
        values = [0] * VARIABLES
        yield tuple(ReturnedCall(t, n, result(made[scenario.threads[t][n] - 1], values)) for t, n in order)


def histories(made: Sequence[Operation], scenario: Scenario) -> Iterator[History]:
    """The results of each execution, and which call's end happens before the beginning of which other one.

    That is so if an event after the one call happens before an event in front of the other one.
    """
    threads = [[op for call in calls for op in made[call - 1]] for calls in scenario.threads]
    for graph, held in executions(threads):
        events = iter(range(1, len(graph.events)))
        of_call: dict[Place, list[int]] = {}
        results = []
        for thread, calls in enumerate(scenario.threads):
            for number, call in enumerate(calls):
                place = (thread, number)
                of_call[place], last = _taken(made[call - 1], events, held)
                results.append((place, last))
        yield tuple(results), frozenset(_before(graph, of_call))


def _taken(steps: Operation, events: Iterator[int], held: Sequence[int]) -> tuple[list[int], int]:
    """The events of an operation, which come next, and what the last one has loaded."""
    found, last = [], 0
    for step in steps:
        found.append(next(events))
        if step.kind in ("load", "swap", "compare"):
            last = held[found[-1]]
        if step.kind == "swap" or (step.kind == "compare" and last == step.expected):
            found.append(next(events))
    return found, last


def _before(graph: Graph, of_call: dict[Place, list[int]]) -> Iterator[tuple[Place, Place]]:
    for one, other in itertools.permutations(of_call, 2):
        after = [e for place, found in of_call.items() if place[0] == one[0] and place[1] > one[1] for e in found]
        front = [e for place, found in of_call.items() if place[0] == other[0] and place[1] < other[1] for e in found]
        if one[0] != other[0] and any(graph.hb[a] >> b & 1 for a in after for b in front):
            yield one, other


def is_right(known: Collection[SequentialOrder], found: Collection[History], consistency: str) -> bool:
    """Whether some sequential order explains each execution."""
    for results, before in found:
        kept = before if consistency == LINEARIZABLE else frozenset()
        for order in known:
            at = {(one.thread, one.number): k for k, one in enumerate(order)}
            same = all(dict(results)[one.thread, one.number] == one.result for one in order)
            if same and all(at[one] < at[other] for one, other in kept):
                break
        else:
            return False
    return True


def differences(seed: int, folder: Path) -> Iterator[str]:
    """The scenarios about which the two disagree, in words."""
    made = operations(seed)
    (folder / "code.c").write_text(code(made), encoding="utf-8")
    built = {each: _built(each, folder) for each in (LINEARIZABLE, SEQUENTIAL)}
    for scenario in scenarios(built[LINEARIZABLE].frame.structure, SIZES):
        steps = [step for calls in scenario.threads for call in calls for step in made[call - 1]]
        if sum(1 + (step.kind in ("swap", "compare")) for step in steps) > MOST_EVENTS:
            continue
        orders = set(sequential_orders(made, scenario))
        found = set(histories(made, scenario))
        for consistency, graphs in built.items():
            answer = graphs.explore(scenario, OrderTree(orders), 100, 1000)
            right = is_right(orders, found, consistency)
            if answer.gap or answer.kind != ("" if right else "unexplained"):
                yield f"{consistency}, {scenario.threads}: {right}, and it says {answer}\n{code(made)}"


def _built(consistency: str, folder: Path) -> ScenarioGraphs:
    text = f'files "code.c"; consistency {consistency}; operation op0(); operation op1();'
    structure = parsed(text, str(folder / "random.cseq"))
    size = (max(threads for threads, _ in SIZES), max(calls for _, calls in SIZES))
    frame = ScenarioFrame(structure, kinds(declarations(structure), structure.all_calls, folder), *size)
    made = ScenarioGraphs.built(frame, Families().chains[GRAPHS], {}, folder / consistency, False, True)
    assert made is not None
    return made


def main() -> int:
    """Compare, and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    given = parser.parse_args()
    sys.setrecursionlimit(20_000)
    wrong = 0
    for seed in range(given.seed, given.seed + given.count):
        with tempfile.TemporaryDirectory() as folder:
            for found in differences(seed, Path(folder)):
                wrong += 1
                print(f"seed {seed}, {found}")
    print(f"{given.count} structures, {wrong} differences")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
