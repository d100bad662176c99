"""Measure what a schedule saves: programs with all threads in each round, and with only those that it lists."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from benchmarks import common

PROGRAMS = (
    ("lost_update", 2, 1), ("bounded_buffer", 2, 2), ("cond_broadcast", 2, 1), ("dining_table", 2, 1),
    ("third_round", 3, 1),
)  # fmt: skip
"""Pairs of sv-benchmarks with their bounds: rounds and unwinding."""

RUNNERS = (2, 4, 6, 8)
LIMIT = 300.0
"""Seconds."""

_SIZES = re.compile(r"^(\d+) variables, (\d+) clauses", re.MULTILINE)


def relay(runners: int, is_buggy: bool) -> str:
    """A program whose threads pass on a baton, the last thread first, so that each needs a round.

    With the bug, the last thread to get the baton must not have it.
    """
    start = "".join(f"void *run{n}(void *arg) {{ run({n}); return NULL; }}\n" for n in range(1, runners + 1))
    create = "".join(f"    pthread_create(&t[{n - 1}], NULL, run{n}, NULL);\n" for n in range(1, runners + 1))
    wrong = 0 if is_buggy else -1
    return f"""\
#include <assert.h>
#include <pthread.h>

int baton = {runners}, seen;

void run(int me)
{{
    for (int i = 0; i < 8; i++)
        seen += me;
    if (baton == me)
        baton = me - 1;
}}
{start}
int main(void)
{{
    pthread_t t[{runners}];
{create}    assert(baton != {wrong});
    return 0;
}}
"""


@dataclass
class Measurement:
    """A program under one schedule.

    schedule: as for ``--schedule``. lines: of the sequential program. variables, clauses: of its formula.
    """

    file: Path
    unwind: int
    schedule: str
    verdict: str = ""
    lines: int = 0
    variables: int = 0
    clauses: int = 0
    seconds: list[float] = field(default_factory=list)

    @property
    def words(self) -> list[str]:
        """The command."""
        return [*common.CSEQ, str(self.file), "--schedule", self.schedule, "--unwind", str(self.unwind)]

    def measure(self) -> None:
        """Run once, as a user does."""
        run = common.run([*self.words, "--cex"], limit=LIMIT)
        self.seconds.append(run.seconds)
        self.verdict = "out of time" if run.timed_out else run.stdout.partition(":")[0]
        if not (run.timed_out or self.verdict):
            raise SystemExit(f"{self.file} with {self.schedule}: {run.stderr}")

    def size(self, engine: str) -> None:
        """Have *engine* print the size of the formula."""
        self.lines = len(common.run([*self.words, "--seq-only"]).stdout.splitlines())
        with tempfile.TemporaryDirectory() as folder:
            common.run([*self.words, "--quiet", "--keep", folder], limit=LIMIT)
            program = next(Path(folder).rglob("sequentialized.i"))
            command = [engine, str(program), "--no-standard-checks", "--verbosity", "8"]
            sizes = _SIZES.search(common.run(command, limit=LIMIT).stdout)
        if sizes:
            self.variables, self.clauses = int(sizes[1]), int(sizes[2])

    @property
    def time(self) -> float:
        """Seconds, the median."""
        return common.median(self.seconds)


def scheduled(file: Path, rounds: int, unwind: int) -> str:
    """The schedule that lists only the contexts of the counterexample of *file*."""
    words = [*common.CSEQ, str(file), "--rounds", str(rounds), "--unwind", str(unwind), "--json"]
    steps = json.loads(common.run(words).stdout)["counterexample"]["steps"]
    threads = [step["thread"] for step in steps]
    contexts = [threads[0], *(later for earlier, later in pairwise(threads) if earlier != later)]
    if len(contexts) > 1 and contexts[-1] == 0:
        contexts.pop()  # main has this context anyway, after the last round
    made: list[list[int]] = [[]]
    for thread in contexts:
        if made[-1] and thread < made[-1][-1]:
            made.append([])
        made[-1].append(thread)
    return ":".join(",".join(map(str, listed)) for listed in made)


def _rows(name: str, pair: Sequence[Measurement]) -> list[list[str]]:
    every, listed = pair
    what = (name, f"`{every.schedule}`", f"`{listed.schedule}`", listed.verdict)
    if every.verdict != listed.verdict:
        what = (*what[:3], f"{every.verdict} / {listed.verdict}")
    numbers = (
        (every.lines, listed.lines, 0),
        (every.variables, listed.variables, 0),
        (every.clauses, listed.clauses, 0),
        (every.time, listed.time, 2),
    )
    cells = [
        f"{common.number(a, digits)} / {common.number(b, digits)} = {common.number(a / b, 1) if b else '-'}"
        for a, b, digits in numbers
    ]
    return [[*what, *cells]]


def _programs(folder: Path) -> list[tuple[str, Path, Path, int, int]]:
    """Name, buggy program, twin, rounds and unwinding of each pair."""
    found = []
    for runners in RUNNERS:
        bad, good = (folder / f"relay_{runners}_{word}.c" for word in ("bad", "good"))
        bad.write_text(relay(runners, True), encoding="utf-8")
        good.write_text(relay(runners, False), encoding="utf-8")
        found.append((f"relay, {runners} threads", bad, good, runners, 1))
    pairs = common.ROOT / "sv-benchmarks"
    for name, rounds, unwind in PROGRAMS:
        found.append((f"`{name}`", pairs / f"{name}_bad.c", pairs / f"{name}_good.c", rounds, unwind))
    return found


def main() -> None:
    """Measure, and write the results."""
    options = common.arguments(__doc__ or "", __file__, runs=5).parse_args()
    version, engine = next(iter(common.engines().items()))
    tables = []
    with tempfile.TemporaryDirectory() as folder:
        for title, chosen in (("Programs with a bug", 1), ("Their twins", 2)):
            rows = []
            ratios: list[float] = []
            for program in _programs(Path(folder)):
                name, rounds, unwind = program[0], program[3], program[4]
                schedule = scheduled(program[1], rounds, unwind)
                pair = [
                    Measurement(program[chosen], unwind, one)
                    for one in (":".join("+" * rounds), schedule)
                ]  # fmt: skip
                for number in range(options.runs):
                    common.progress(f"{name}, {title.lower()}: run {number + 1} of {options.runs}")
                    for measurement in pair:
                        measurement.measure()
                for measurement in pair:
                    measurement.size(engine)
                rows.extend(_rows(name, pair))
                ratios.append(pair[0].time / pair[1].time)
            header = ("program", "all threads", "schedule", "verdict", "lines", "variables", "clauses", "seconds")
            tables += [f"## {title}\n", common.table(header, rows, "llllrrrr")]
            mean = common.number(common.geometric_mean(ratios), 2)
            tables.append(f"Geometric mean of the ratios of times: {mean}.\n")
    sections = (
        "Each program with all threads in each round, and with a `--schedule` of just the contexts that a "
        "counterexample of the buggy program has; its twin under the same two. *lines* are those of the sequential "
        "program, *variables* and *clauses* those of the formula that the engine makes of it (0: it needs none), "
        "*seconds* a whole run with `--cex`, from the start of the process to its end. Each cell is: all threads / "
        f"schedule = ratio. Medians; runs of each: {options.runs}, in turn. In *relay* N threads hand a baton on, the "
        "last one first, so that it takes N rounds.\n",
        *tables,
    )
    common.report("Schedules", __file__, sections, options.output, {"CBMC": version, "compiler": common.compiler()})


if __name__ == "__main__":
    main()
