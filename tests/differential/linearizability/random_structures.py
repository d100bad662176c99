"""Random data structures, and what `cseq linearize` says of their scenarios.

    python -m tests.differential.linearizability.random_structures --seed 1 --count 20

prints each scenario of which it says something else than a search through all interleavings, each of whose results is
compared with all sequential orders, and exits with status 1.
"""

import argparse
import itertools
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cseq.modules.linearizability.exploring import RESULTS, Explorer
from cseq.modules.linearizability.grammar import parsed
from cseq.modules.linearizability.results import kinds
from cseq.modules.linearizability.scenario_programs import ScenarioFrame, declarations
from cseq.modules.linearizability.scenarios import Scenario, scenarios
from cseq.modules.linearizability.structure import CONSISTENCIES, LINEARIZABLE, QUIESCENT
from cseq.portfolio.families import EXPLICIT, Families

Step = tuple[str, int, int]
"""``("load", v, 0)``: the accumulator becomes variable v. ``("store", v, c)``: v becomes the accumulator plus c."""

Operation = tuple[Step, ...]
"""Its steps; the accumulator is 0 before, and is returned."""

VARIABLES = 2
SIZES = ((2, 2), (3, 1))


@dataclass(frozen=True)
class Call:
    """A call that was made: its thread and number, its result, when it began and ended, and its period: how often
    there had been no call before one began."""

    thread: int
    number: int
    result: int
    begin: int
    end: int
    period: int


def operations(seed: int) -> tuple[Operation, ...]:
    """Two operations, which differ."""
    rng = random.Random(seed)
    made: set[Operation] = set()
    while len(made) < 2:
        steps = []
        for _ in range(rng.randint(1, 3)):
            kind = rng.choice(["load", "load", "store"])
            steps.append((kind, rng.randrange(VARIABLES), rng.randint(0, 2) if kind == "store" else 0))
        made.add(tuple(steps))
    return tuple(sorted(made))


def code(made: Sequence[Operation]) -> str:
    """The operations as C."""
    lines = [f"static int {', '.join(f'v{number}' for number in range(VARIABLES))};"]
    for number, steps in enumerate(made):
        lines += [f"int op{number}(void)", "{", "    int a = 0;"]
        for kind, variable, constant in steps:
            lines.append(f"    a = v{variable};" if kind == "load" else f"    v{variable} = a + {constant};")
        lines += ["    return a;", "}"]
    return "\n".join([*lines, ""])


def histories(made: Sequence[Operation], scenario: Scenario) -> Iterator[tuple[Call, ...]]:
    """All executions of *scenario*, in which calls begin with their first step and end with their last one."""
    work = [
        [(number, step) for number, call in enumerate(calls) for step in made[call - 1]] for calls in scenario.threads
    ]
    lengths = [[len(made[call - 1]) for call in calls] for calls in scenario.threads]
    for order in orders(tuple(map(len, work))):
        yield _executed(order, work, lengths)


@cache
def orders(left: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """All orders of the steps of threads, as the threads whose turn it is. left: how many each has."""
    if not any(left):
        return ((),)
    found: list[tuple[int, ...]] = []
    for thread, count in enumerate(left):
        if count:
            rest = (*left[:thread], count - 1, *left[thread + 1 :])
            found += [(thread, *order) for order in orders(rest)]
    return tuple(found)


def _executed(
    order: Sequence[int], work: Sequence[Sequence[tuple[int, Step]]], lengths: Sequence[Sequence[int]]
) -> tuple[Call, ...]:
    values = [0] * VARIABLES
    at, made, accumulators = [0] * len(work), [0] * len(work), [0] * len(work)
    begun: dict[tuple[int, int], tuple[int, int]] = {}
    active, periods = 0, 0
    calls = []
    for time, thread in enumerate(order):
        number, (kind, variable, constant) = work[thread][at[thread]]
        if made[thread] == 0:
            periods += active == 0
            active += 1
            begun[thread, number] = (time, periods)
            accumulators[thread] = 0
        if kind == "load":
            accumulators[thread] = values[variable]
        else:
            values[variable] = accumulators[thread] + constant
        at[thread] += 1
        made[thread] += 1
        if made[thread] == lengths[thread][number]:
            made[thread] = 0
            active -= 1
            begin, period = begun[thread, number]
            calls.append(Call(thread, number, accumulators[thread], begin, time, period))
    return tuple(calls)


def is_explained(made: Sequence[Operation], scenario: Scenario, history: Sequence[Call], consistency: str) -> bool:
    """Whether some sequential order returns the same."""
    for order in itertools.permutations(history):
        if not all(_may_follow(one, other, consistency) for one, other in itertools.combinations(order, 2)):
            continue
        values = [0] * VARIABLES
        for call in order:
            accumulator = 0
            for kind, variable, constant in made[scenario.threads[call.thread][call.number] - 1]:
                if kind == "load":
                    accumulator = values[variable]
                else:
                    values[variable] = accumulator + constant
            if accumulator != call.result:
                break
        else:
            return True
    return False


def _may_follow(first: Call, second: Call, consistency: str) -> bool:
    """Whether *first* may come before *second* in an order."""
    if consistency == QUIESCENT:
        return first.period <= second.period
    if first.thread == second.thread:
        return first.number < second.number
    return consistency != LINEARIZABLE or second.end > first.begin


def difference(seed: int, consistency: str, folder: Path) -> str | None:
    """The first scenario about which the two disagree, in words; None if there is none."""
    made = operations(seed)
    (folder / "code.c").write_text(code(made), encoding="utf-8")
    text = f'files "code.c"; consistency {consistency}; operation op0(); operation op1();'
    structure = parsed(text, str(folder / "random.cseq"))
    size = (max(threads for threads, _ in SIZES), max(calls for _, calls in SIZES))
    frame = ScenarioFrame(structure, kinds(declarations(structure), structure.all_calls, folder), *size)
    chain = Families().chains[EXPLICIT]
    explorer = Explorer(frame, chain, chain.values({"backend": "native"}), [RESULTS], folder, 1000)
    explorer.build()
    for scenario in scenarios(structure, SIZES):
        answer = explorer.explore(scenario, 100)
        if answer.gap:
            return f"{scenario.threads}: {answer.gap}"
        right = all(is_explained(made, scenario, one, consistency) for one in histories(made, scenario))
        if (answer.violation is None) != right:
            return f"{scenario.threads}: {'right' if right else 'wrong'}, and it says {answer.violation}\n{code(made)}"
    return None


def main() -> int:
    """Compare, and return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    given = parser.parse_args()
    sys.setrecursionlimit(20_000)
    wrong = 0
    for seed in range(given.seed, given.seed + given.count):
        for consistency in CONSISTENCIES:
            with tempfile.TemporaryDirectory() as folder:
                found = difference(seed, consistency, Path(folder))
            if found is not None:
                wrong += 1
                print(f"seed {seed}, {consistency}: {found}")
    print(f"{given.count} structures, {wrong} differences")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
