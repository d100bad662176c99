"""Compare the backends, verdicts and times, on every program of sv-benchmarks, deadlocks and races included.

Measurements are kept in build/backends.jsonl and not repeated: an interrupted run continues where it stopped.
``--again`` discards them. The exit status is 1 where a verdict is wrong.
"""

from __future__ import annotations

import json
import math
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import yaml

from benchmarks import common

PROGRAMS = common.ROOT / "sv-benchmarks"
FOLDERS = {"unreach-call": "", "no-deadlock": "deadlock", "no-data-race": "race"}
"""Property → the folder of its programs. The first stands for everything that is checked by default."""
MARKS = {"unreach-call": "// FAIL", "no-deadlock": "// DEADLOCK", "no-data-race": "// RACE"}
CHOSEN = ("cbmc", "esbmc", "klee")
"""The backends that are compared by default."""

FALSE, TRUE, NONE = "FALSE", "TRUE", "none found"
MISSED, ALARM, ELSEWHERE = "missed", "false alarm", "another failure"
TIMEOUT, MEMORY, NOT_REPLAYED, FAILED, REFUSED = "out of time", "out of memory", "not replayed", "failed", "refused"
RIGHT = (FALSE, TRUE, NONE)
WRONG = (MISSED, ALARM, ELSEWHERE)
TIMES = ("cpu", "wall", "engine")
REASONS = {"timeout": TIMEOUT, "memory": MEMORY, "replay": NOT_REPLAYED}
"""The answers; NONE: no violation within the bounds. Those that are neither right nor wrong are no verdicts."""


@dataclass(frozen=True)
class Task:
    """A program with the bounds of its task. marked: the places that violate the property, as ``file:line``."""

    name: str
    property: str
    files: tuple[str, ...]
    bits: int
    rounds: int
    unwind: int
    is_safe: bool
    marked: frozenset[str]

    @property
    def folder(self) -> Path:
        return PROGRAMS / FOLDERS[self.property]


@dataclass(frozen=True)
class Engine:
    """A backend, and the program that it starts. path: that of a cbmc other than the one CSeq would take."""

    name: str
    backend: str
    version: str
    path: str = ""


@dataclass(frozen=True)
class Result:
    """The answer of one run, and its seconds: of processor time, on the clock, and of the engine on the clock."""

    answer: str
    note: str
    cpu: float
    wall: float
    engine: float = 0.0


@dataclass
class Row:
    """The answers of all engines for one program, by engine, one result per run."""

    task: Task
    results: dict[str, list[Result]] = field(default_factory=dict)

    def answer(self, engine: str) -> str:
        """The answer of *engine* in the worst of its runs; empty where it was not run."""
        answers = [result.answer for result in self.results.get(engine, [])]
        return max(answers, key=lambda one: (one in WRONG, one not in RIGHT), default="")

    def time(self, kind: str, engine: str) -> float:
        """The median of one of TIMES."""
        return common.median(getattr(result, kind) for result in self.results[engine])

    def cpu(self, engine: str) -> float:
        return self.time("cpu", engine)

    def is_right(self, engine: str) -> bool:
        return self.answer(engine) in RIGHT


def read_task(path: Path, property_: str) -> Task:
    """The task in the file *path*."""
    about = yaml.safe_load(path.read_text(encoding="utf-8"))
    inputs = about["input_files"] if isinstance(about["input_files"], list) else [about["input_files"]]
    files = tuple(name for name in inputs if name.endswith(".c"))
    marked = {
        f"{name}:{number}"
        for name in files
        for number, line in enumerate((path.parent / name).read_text(encoding="utf-8").splitlines(), 1)
        if line.rstrip().endswith(MARKS[property_])
    }
    bounds = about["cseq"]
    return Task(
        path.stem,
        property_,
        files,
        32 if about["options"]["data_model"] == "ILP32" else 64,
        bounds["rounds"],
        bounds["unwind"],
        about["properties"][0]["expected_verdict"],
        frozenset(marked),
    )


def tasks(names: Iterable[str], properties: Iterable[str]) -> Iterator[Task]:
    """The tasks of some properties, of which *names* are the pairs wanted, or all."""
    wanted = {f"{name}_{kind}" for name in names for kind in ("bad", "good")}
    for property_ in properties:
        for path in sorted((PROGRAMS / FOLDERS[property_]).glob("*.yml")):
            if not wanted or path.stem in wanted:
                yield read_task(path, property_)


def installed() -> list[Engine]:
    """Every backend that is installed, and every CBMC. A process of its own finds out, which keeps this one small."""
    code = (
        "from cseq.backends.registry import BACKENDS, backend\n"
        "for name in BACKENDS:\n"
        "    path = backend(name).find()\n"
        "    version = backend(name).version(path) if path else None\n"
        "    if version is not None: print(name, '.'.join(map(str, version)) or '?')\n"
    )
    found = []
    for line in common.run([sys.executable, "-c", code], folder=common.ROOT).stdout.splitlines():
        name, version = line.split()
        found.append(Engine(name, name, version))
    known = {engine.version for engine in found if engine.backend == "cbmc"}
    others = [Engine(f"cbmc-{v}", "cbmc", v, path) for v, path in common.engines().items() if v not in known]
    return found + others


@dataclass(frozen=True)
class Limits:
    """cpu: processor time of each process, in seconds. wall: of the engine, on the clock. memory: in megabytes."""

    cpu: float
    wall: float
    memory: int


def measured(task: Task, engine: Engine, limits: Limits) -> Result:
    """Run *engine* on *task*."""
    words = [*task.files, f"--{task.bits}", "--rounds", str(task.rounds), "--unwind", str(task.unwind), "--json"]
    words += ["--backend", engine.backend, "--timeout", f"{limits.wall:g}", "--memlimit", str(limits.memory)]
    if FOLDERS[task.property]:
        words += ["--spec", f"../properties/{task.property}.prp"]
    limited = ["sh", "-c", f'ulimit -t {math.ceil(limits.cpu)}; exec "$@"', "sh", *common.CSEQ, *words]
    environment = {"CSEQ_CBMC": engine.path} if engine.path else {}
    run = common.run(limited, limit=limits.wall + 60, folder=task.folder, environment=environment)
    answer, note, seconds = judged(task, run, limits)
    return Result(answer, note, run.cpu, run.seconds, seconds)


def judged(task: Task, run: common.Run, limits: Limits) -> tuple[str, str, float]:
    """The result of a run on *task*: the answer, a note, and the engine's time."""
    try:
        report = json.loads(run.stdout)
    except ValueError:
        report = None
    if report is None:
        if run.timed_out or run.status == -signal.SIGXCPU or run.cpu >= 0.9 * limits.cpu:
            return TIMEOUT, "", 0.0
        said = run.stderr.strip().splitlines() or ["it says nothing"]
        return (REFUSED if run.status == 2 else FAILED), said[-1], 0.0
    seconds = sum(report["times"].get(stage, 0.0) for stage in ("symbolic/run", "symbolic/verdict"))
    answer, note = _judged(task, report)
    if answer in (FAILED, MEMORY) and run.cpu >= 0.9 * limits.cpu:  # a backend may take who killed it for another
        answer, note = TIMEOUT, ""
    return answer, note, seconds


def _judged(task: Task, report: dict) -> tuple[str, str]:
    verdict, message = report["verdict"], report["message"]
    if verdict == "FALSE":
        place = f"{report['property']['file']}:{report['property']['line']}"
        if task.is_safe:
            return ALARM, message
        return (FALSE, "") if place in task.marked else (ELSEWHERE, message)
    if report["exit_status"] == 0:
        if not task.is_safe:
            return MISSED, message
        return (TRUE if verdict == "TRUE" else NONE), ""
    reason = REASONS.get(report["reason"], FAILED)
    return reason, message if reason in (FAILED, NOT_REPLAYED) else ""


class Store:
    """The results so far, in a file, one per line: by program, engine and version, and number of the run.

    A result counts under other limits too, where it would be the same: with a larger limit, only runs that were out of
    time are measured again.
    """

    def __init__(self, path: Path, limits: Limits, *, again: bool) -> None:
        self._path = path
        self._limits = limits
        self._lock = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        if again:
            path.unlink(missing_ok=True)
        self._known: dict[str, tuple[float, Result]] = {}
        for line in path.read_text(encoding="utf-8").splitlines() if path.is_file() else ():
            one = json.loads(line)
            self._known[one["key"]] = one["limit"], Result(**one["result"])

    def _key(self, task: Task, engine: Engine, number: int) -> str:
        return json.dumps((task.property, task.name, engine.name, engine.version, number))

    def get(self, task: Task, engine: Engine, number: int) -> Result | None:
        """The known result of a run under the current limits; None where it must be measured."""
        limit, result = self._known.get(self._key(task, engine, number), (0.0, None))
        if result is None or (result.answer == TIMEOUT and limit < self._limits.cpu):
            return None
        if result.answer != TIMEOUT and limit > self._limits.cpu < result.cpu:
            return replace(result, answer=TIMEOUT, note="", cpu=self._limits.cpu)
        return result

    def put(self, task: Task, engine: Engine, number: int, result: Result) -> None:
        """Keep a result, which is on the disk when this returns."""
        key = self._key(task, engine, number)
        with self._lock:
            self._known[key] = self._limits.cpu, result
            with self._path.open("a", encoding="utf-8") as file:
                line = {"key": key, "limit": self._limits.cpu, "result": asdict(result)}
                file.write(json.dumps(line) + "\n")


def compare(
    chosen: Sequence[Task], engines: Sequence[Engine], limits: Limits, store: Store, runs: int, jobs: int, end: float
) -> list[Row]:
    """Run all *engines* on each of the tasks, *jobs* at a time. No run begins after the time *end*."""
    rows = [Row(task) for task in chosen]
    lock = threading.Lock()

    def ask(row: Row, engine: Engine, number: int) -> None:
        result = store.get(row.task, engine, number)
        if result is None:
            if time.monotonic() > end:
                return
            result = measured(row.task, engine, limits)
            store.put(row.task, engine, number, result)
            common.progress(f"{engine.name}, {row.task.name}: {result.answer}, {result.cpu:.1f} s {result.note}")
        with lock:
            row.results.setdefault(engine.name, []).append(result)

    with ThreadPoolExecutor(jobs) as pool:
        all_runs = [(row, engine, number) for number in range(runs) for row in rows for engine in engines]
        for future in [pool.submit(ask, *one) for one in all_runs]:
            future.result()
    return [row for row in rows if row.results]


# The tables


def _shown(answer: str) -> str:
    """An answer, in bold where it is wrong."""
    return f"**{answer}**" if answer in WRONG else answer


def _fastest(row: Row, engines: Sequence[Engine]) -> str:
    """The engine that is right in the shortest time; empty where only one was run."""
    right = [engine.name for engine in engines if row.is_right(engine.name)]
    asked = [engine.name for engine in engines if row.answer(engine.name)]
    return min(right, key=row.cpu) if right and len(asked) > 1 else ""


def _ratios(rows: Iterable[Row], engine: str, base: str) -> list[float]:
    """The ratios of the times of *engine* to those of *base*, where both are right."""
    return [row.cpu(engine) / row.cpu(base) for row in rows if row.is_right(engine) and row.is_right(base)]


def summary(rows: Sequence[Row], engines: Sequence[Engine]) -> str:
    """A row for each property, kind of program, and engine."""
    lines = []
    for property_ in FOLDERS:
        for is_safe in (False, True):
            part = [row for row in rows if row.task.property == property_ and row.task.is_safe == is_safe]
            what = f"{property_}, {'safe' if is_safe else 'buggy'}"
            lines += [line for engine in engines if (line := _summed(what, part, engine, engines))]
    lines += [line for engine in engines if (line := _summed("all", rows, engine, engines))]
    base = engines[0].name
    header = ("programs", "backend", "asked", "right", "wrong", TIMEOUT, "other", "CPU, s", "wall, s")
    return common.table((*header, "engine, s", "fastest", f"/ {base}", "least", "most"), lines, "ll")


def _summed(what: str, rows: Sequence[Row], engine: Engine, engines: Sequence[Engine]) -> list[str]:
    asked = [row for row in rows if row.answer(engine.name)]
    if not asked:
        return []
    answers = [row.answer(engine.name) for row in asked]
    right = [row for row in asked if row.is_right(engine.name)]
    wrong, late = sum(answer in WRONG for answer in answers), answers.count(TIMEOUT)
    counts = [len(asked), len(right), wrong, late, len(asked) - len(right) - wrong - late]
    times = [
        common.number(common.median(row.time(kind, engine.name) for row in right)) if right else "" for kind in TIMES
    ]
    fastest = sum(_fastest(row, engines) == engine.name for row in rows)
    ratios = _ratios(rows, engine.name, engines[0].name) if engine is not engines[0] else []
    shown = [common.number(f(ratios)) for f in (common.geometric_mean, min, max)] if ratios else ["", "", ""]
    return [what, engine.name, *map(str, counts), *times, str(fastest), *shown]


def same(rows: Sequence[Row], engines: Sequence[Engine]) -> str:
    """For how many programs all engines agree, and for which they do not."""
    answers = {row.task: [row.answer(engine.name) for engine in engines] for row in rows}
    asked = [row for row in rows if all(answers[row.task])]
    taken = [row for row in asked if REFUSED not in answers[row.task]]
    agreed = [row for row in taken if len(set(answers[row.task])) == 1]
    late = [row for row in taken if TIMEOUT in answers[row.task]]
    lines = [
        f"Of {len(rows)} programs, {len(asked)} were given to all backends, and {len(taken)} are refused by none.",
        f"On {len(agreed)} of these all say the same; on {len(late)} a backend is out of time.",
    ]
    judged_ = [row for row in taken if all(row.is_right(engine.name) for engine in engines)]
    proofs = [row for row in judged_ if row not in agreed]
    if proofs:
        names = ", ".join(f"`{row.task.name}`" for row in proofs)
        lines.append(f"On {len(proofs)} more, none finds a violation, but not all have a proof: {names}.")
    wrong = [(row, engine.name) for row in rows for engine in engines if row.answer(engine.name) in WRONG]
    listed = "; ".join(f"{name} on `{row.task.name}` ({row.answer(name)})" for row, name in wrong)
    lines.append(f"Wrong verdicts: {listed or 'none'}.")
    return "\n".join(lines) + "\n"


def busy(rows: Sequence[Row]) -> str:
    """How busy the machine was otherwise."""
    results = [result for row in rows for results in row.results.values() for result in results]
    ratio = common.number(common.median(result.wall / result.cpu for result in results if result.cpu), 1)
    return (
        f"On the clock a run took {ratio} times its processor time, in the median; 1 is a quiet machine.\nThe "
        "command goes on where an earlier one was stopped: not all runs need be of one hour, or of one state of CSeq.\n"
    )


def table(rows: Iterable[Row], engines: Sequence[Engine]) -> str:
    """A row for each program."""
    base = engines[0].name
    ratios = [f"{engine.name} / {base}" for engine in engines[1:]]
    header = ["program", "rounds", "unwind", *(f"{engine.name}, s" for engine in engines), *ratios]
    lines = []
    for row in rows:
        names = [engine.name for engine in engines]
        answers = {name: _shown(row.answer(name)) for name in names if row.answer(name)}
        times = [common.number(row.cpu(name)) if name in answers else "" for name in names]
        shown = [common.number(ratio) for name in names[1:] for ratio in _ratios([row], name, base) or [math.nan]]
        verdict = next(iter(answers.values()))
        if len(set(answers.values())) > 1:
            verdict = ", ".join(f"{name} {answer}" for name, answer in answers.items())
        notes = {
            f"{name}: {result.note}": None for name in names for result in row.results.get(name, ()) if result.note
        }
        fixed = [f"`{row.task.name}`", str(row.task.rounds), str(row.task.unwind)]
        told = "; ".join(notes).replace("|", r"\|")
        lines.append([*fixed, *times, *("" if text == "nan" else text for text in shown), verdict, told])
    align = "l" + "r" * (1 + 2 * len(engines)) + "rll"
    return common.table([*header, "verdict", "notes"], lines, align[: len(header)] + "ll")


_ABOUT = """\
Each is the whole of `cseq.py FILES --backend NAME --rounds R --unwind N --32|--64 --json`, with the bounds of the task
and `--spec no-deadlock.prp` or `--spec no-data-race.prp` for the programs of these: translation, engine, replay of the
counterexample, and the second question to the engine where the rounds cover all schedules. Times are processor time of
all processes in seconds, unless it says wall. Medians; runs of each: {runs}. {jobs} at a time. Each process gets
{cpu:g} s of processor time, the engine {wall:g} s on the clock and {memory} MB.

FALSE counts as right when the place is marked in the program; it has been replayed. For a safe program TRUE is a proof,
and *{none}* is no violation within the bounds; both are right. *Wrong* is a violation missed, a false alarm, or a
violation at another place. *Other* is no verdict for other reasons, which the notes tell. *Fastest* counts the
programs on which the backend is right, and takes the least time of those that are. *CPU*, *wall* and *engine* are
medians where it is right, the last one on the clock and without the translation. The last columns are the processor
time to that of {base}, where both are right: the geometric mean, the least and the most.
"""

_BEAR = """\
What to bear in mind:

- All backends get the same sequentialized program, but for the primitives (how to choose, to assume, to assert).
- A run begins with the translation, which takes the same time for all: for small programs it is most of the time.
- CBMC and ESBMC unroll all of the program into one formula, also what no execution comes to. KLEE follows one execution
  after the other.
- The limit on the processor time is per process, so that a busy machine does not change who gets a verdict. It does
  change the times, if less than those on the clock.
- KLEE executes programs for 64 bits alone, so it refuses those for ILP32.
"""


def main() -> int:
    """Compare, and write the results."""
    parser = common.arguments(__doc__ or "", __file__, runs=1)
    parser.add_argument("--programs", nargs="+", default=[], metavar="NAME", help="only these pairs, as lost_update")
    parser.add_argument("--properties", nargs="+", default=list(FOLDERS), choices=list(FOLDERS), help="only these")
    parser.add_argument("--backends", nargs="+", metavar="NAME", help=f"default: {', '.join(CHOSEN)}")
    parser.add_argument("--limit", type=float, default=60.0, metavar="SEC", help="processor time each (default: 60)")
    parser.add_argument(
        "--patience", type=float, default=3.0, metavar="N", help="limits on the clock, for the engine (default: 3)"
    )
    parser.add_argument("--memory", type=int, default=4000, metavar="MB", help="for the engine (default: 4000)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="so many at a time (default: 1)")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no run after so many minutes")
    parser.add_argument(
        "--results",
        type=Path,
        default=common.ROOT / "build" / "backends.jsonl",
        metavar="FILE",
        help="where what was measured is kept (default: build/backends.jsonl)",
    )
    parser.add_argument("--again", action="store_true", help="measure again what was measured before")
    options = parser.parse_args()
    found = {engine.name: engine for engine in installed()}
    wanted = options.backends or [name for name in CHOSEN if name in found]
    if missing := [name for name in wanted if name not in found]:
        parser.error(f"not installed: {', '.join(missing)} (here are: {', '.join(found) or 'none'})")
    if not wanted:
        parser.error("no backend is installed; `cseq doctor` says how to get one")
    engines = [found[name] for name in wanted]
    limits = Limits(options.limit, options.limit * options.patience, options.memory)
    chosen = list(tasks(options.programs, options.properties))
    if not chosen:
        parser.error("there is no such program")
    store = Store(options.results, limits, again=options.again)
    measured(chosen[0], engines[0], limits)  # the first time does not count
    end = time.monotonic() + 60 * options.minutes
    rows = compare(chosen, engines, limits, store, options.runs, options.jobs, end)
    facts = {**asdict(limits), "none": NONE, "base": wanted[0], "runs": options.runs, "jobs": options.jobs}
    sections = [_ABOUT.format(**facts), busy(rows), same(rows, engines), summary(rows, engines), _BEAR]
    for property_ in FOLDERS:
        for is_safe, kind in ((False, "programs with a bug"), (True, "safe twins")):
            part = [row for row in rows if row.task.property == property_ and row.task.is_safe == is_safe]
            if part:
                sections += [f"## {property_}, {kind}\n", table(part, engines)]
    versions = {engine.name: engine.version for engine in engines}
    common.report("One program, several engines", __file__, sections, options.output, versions)
    return 1 if any(row.answer(name) in WRONG for row in rows for name in wanted) else 0


if __name__ == "__main__":
    sys.exit(main())
