"""Compare the two searches for deadlocks: the rounds that they need, and the time that they take."""

from __future__ import annotations

import json
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import common

PROGRAMS = common.ROOT / "sv-benchmarks" / "deadlock"
SEARCH = "benchmarks.deadlock-search.search"
LAST_STATE, CHAIN = "lazy", "guessed-chain"
CIRCLES = (
    "gate_lock", "lock_order_array", "lock_order_functions", "lock_order_pointers", "philosophers_two",
    "philosophers_n", "recursive_relock", "spinlock_order", "three_way_cycle", "trylock_backoff",
)  # fmt: skip
"""The programs whose deadlock is a circle of threads that hold each other's mutexes or spin locks."""

MOST_ROUNDS = 6
LIMIT = 300.0
TABLES = (2, 3, 4)
"""How many philosophers sit at a table."""


@dataclass(frozen=True)
class Task:
    """A program with a deadlock and its twin, and the bounds that are enough for both."""

    name: str
    bad: Path
    good: Path
    bits: int
    unwind: int


@dataclass
class Search:
    """The cost of one search: rounds, and seconds per run, of the whole process and of the engine in it."""

    rounds: int = 0
    seconds: list[float] = field(default_factory=list)
    engine: list[float] = field(default_factory=list)

    @property
    def time(self) -> str:
        return common.number(common.median(self.seconds)) if self.seconds else f"more than {LIMIT:g}"


def tasks(folder: Path) -> Iterator[Task]:
    """The programs of sv-benchmarks, and tables of philosophers, which go into *folder*."""
    for name in CIRCLES:
        text = (PROGRAMS / f"{name}_bad.yml").read_text(encoding="utf-8")
        bits, unwind = 32 if "ILP32" in text else 64, int(re.findall(r"unwind: (\d+)", text)[0])
        yield Task(f"`{name}`", PROGRAMS / f"{name}_bad.c", PROGRAMS / f"{name}_good.c", bits, unwind)
    for size in TABLES:
        for turn, side in ((1, "left"), (-1, "right")):
            bad, good = folder / f"{size}_{side}_bad.c", folder / f"{size}_{side}_good.c"
            bad.write_text(table(size, turn, size), encoding="utf-8")
            good.write_text(table(size, turn, size - 1), encoding="utf-8")
            yield Task(f"{size} philosophers, {side} fork first", bad, good, 64, 1)


def table(size: int, turn: int, alike: int) -> str:
    """Philosophers with their forks; from number *alike* on, they begin with the other fork."""
    lines = ["#include <pthread.h>", f"pthread_mutex_t fork[{size}];"]
    for number in range(size):
        forks = [number, (number + turn) % size]
        one, two = forks if number < alike else reversed(forks)
        lines += [f"void *philosopher{number}(void *arg)", "{"]
        lines += [f"    pthread_mutex_lock(&fork[{one}]);", f"    pthread_mutex_lock(&fork[{two}]);"]
        lines += [f"    pthread_mutex_unlock(&fork[{two}]);", f"    pthread_mutex_unlock(&fork[{one}]);"]
        lines += ["    return 0;", "}"]
    lines += ["int main(void)", "{", f"    pthread_t t[{size}];"]
    lines += [f"    pthread_mutex_init(&fork[{number}], 0);" for number in range(size)]
    lines += [f"    pthread_create(&t[{number}], 0, philosopher{number}, 0);" for number in range(size)]
    lines += [f"    pthread_join(t[{number}], 0);" for number in range(size)]
    return "\n".join([*lines, "    return 0;", "}", ""])


def search(file: Path, chain: str, task: Task, found: Search) -> str:
    """Run once with ``found.rounds`` rounds; returns the verdict, and adds the cost to *found*."""
    words = ["-m", SEARCH, str(file), chain, str(task.bits), str(found.rounds), str(task.unwind)]
    done = common.run([sys.executable, *words], limit=LIMIT, folder=common.ROOT)
    if done.timed_out:
        return "out of time"
    if done.status != 0:
        raise SystemExit(f"{' '.join(words)}:\n{done.stderr}")
    answer = json.loads(done.stdout)
    found.seconds.append(done.seconds)
    found.engine.append(answer["engine"])
    return str(answer["verdict"])


def least(task: Task, chain: str) -> Search:
    """The fewest rounds with which a search finds the deadlock; the runs do not count."""
    for rounds in range(1, MOST_ROUNDS + 1):
        if search(task.bad, chain, task, Search(rounds)) == "FALSE":
            return Search(rounds)
    raise SystemExit(f"{chain} does not find the deadlock of {task.name} within {MOST_ROUNDS} rounds")


def measured(task: Task, runs: int) -> tuple[list[Search], list[Search]]:
    """Both searches in the program with the rounds that each needs, and in its twin with the most that one needs."""
    bad = [least(task, chain) for chain in (LAST_STATE, CHAIN)]
    good = [Search(max(one.rounds for one in bad)) for _ in bad]
    for number in range(runs):
        common.progress(f"run {number + 1} of {runs}: {task.name}")
        for chain, one, other in zip((LAST_STATE, CHAIN), bad, good, strict=True):
            for file, found, wrong in ((task.bad, one, "UNKNOWN"), (task.good, other, "FALSE")):
                said = search(file, chain, task, found)
                if said == wrong:
                    raise SystemExit(f"{chain} says {said} of {file}")
    return bad, good


def _engine(found: Search) -> str:
    return common.number(common.median(found.engine)) if found.engine else ""


def _summary(rows: Sequence[tuple[Task, list[Search], list[Search]]]) -> str:
    lines = []
    for what, which in (("deadlocks, each with the rounds that it needs", 1), ("twins, with the same rounds", 2)):
        pairs = [row[which] for row in rows if all(one.seconds for one in row[which])]
        ratios = [common.median(one[1].engine) / common.median(one[0].engine) for one in pairs]
        sums = [common.number(sum(common.median(one[side].engine) for one in pairs)) for side in (0, 1)]
        mean, low, high = (common.number(v) for v in (common.geometric_mean(ratios), min(ratios), max(ratios)))
        lines.append(
            f"- {len(pairs)} {what}: the engine takes {sums[0]} s in all for the last state, {sums[1]} s for the "
            f"chain; chain / last state is {mean} in the geometric mean, from {low} to {high}."
        )
    return "\n".join(lines) + "\n"


_ABOUT = """\
*last state* is the search of the lazy chain (`--deadlock`): the driver asks the threads behind the last round where
they stand. *chain* is that of Lazy-CSeq (ASE 2015), `--chain guessed-chain --deadlock`: a chain of waiting threads is
guessed while they run. Here only this property is checked. *Rounds*: the fewest that show the deadlock. The twins have
none; there both searches get the rounds with which both find the deadlock. Seconds are those of the whole process, from
the source to the verdict (with the replay, where there is a deadlock), and those of the engine in it. Both run in turn;
medians of {runs}.

A chain grows in the order of its circle, and each thread joins it in a context of its own, so how many rounds it takes
depends on whether that is the order in which the threads run in a round: of philosophers that begin with the right
fork the next one joins in the same round, of those that begin with the left fork in the next. Then N of them need N
rounds.
"""


def main() -> None:
    """Compare, and write the results."""
    parser = common.arguments(__doc__ or "", __file__, runs=3)
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory(prefix="cseq-bench-") as folder:
        for task in tasks(Path(folder)):
            rows.append((task, *measured(task, options.runs)))
    header = (
        "program",
        *(f"{what}, {how}" for what in ("rounds", "s", "engine") for how in ("last state", "chain")),
        "twin: rounds",
        *(f"{what}, {how}" for what in ("s", "engine") for how in ("last state", "chain")),
    )
    lines = [
        (
            task.name,
            *(str(one.rounds) for one in bad),
            *(one.time for one in bad),
            *(_engine(one) for one in bad),
            str(good[0].rounds),
            *(one.time for one in good),
            *(_engine(one) for one in good),
        )
        for task, bad, good in rows
    ]
    found = [_ABOUT.format(runs=options.runs), _summary(rows), common.table(header, lines, "l")]
    tools = {"CBMC": next(iter(common.engines()), "none"), "compiler": common.compiler()}
    common.report("Two searches for deadlocks", __file__, found, options.output, tools)


if __name__ == "__main__":
    main()
