"""Compare CSeq with CBMC's own support for concurrency: time and verdict on our programs, and on their safe twins."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks import common

PROGRAMS = common.ROOT / "sv-benchmarks"
LIMIT = 60.0
SLOW = 20.0
"""Runs that take longer than this, in seconds, are measured once."""

FOUND, SAFE, TIMEOUT, REFUSED, ELSEWHERE = "FALSE", "safe", "out of time", "refused", "FALSE elsewhere"
"""The answers. ELSEWHERE: a violation, but of something that the program does not do wrong."""

_REACH_ERROR = "reach_error.c"
_CALL = re.compile(r"\b(\w+)\s*\(")
_VIOLATED = re.compile(r"^Violated property:\n\s*file (\S+) function (\S+) line (\d+).*\n\s*(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Task:
    """A program of sv-benchmarks with the bounds of its task.

    marked: the places, as FILE:LINE, where it fails. culprits: the functions that are called there.
    """

    name: str
    files: tuple[str, ...]
    bits: int
    rounds: int
    unwind: int
    text: str
    marked: frozenset[str]
    culprits: frozenset[str]

    @property
    def is_buggy(self) -> bool:
        return bool(self.marked)


@dataclass
class Answer:
    """The answer of one of the two tools for a program, and how long it took, in seconds per run.

    engine: for CSeq, the engine's part of that time.
    """

    verdict: str = ""
    note: str = ""
    seconds: list[float] = field(default_factory=list)
    engine: list[float] = field(default_factory=list)

    @property
    def time(self) -> float:
        return common.median(self.seconds)

    def wants_more(self, runs: int) -> bool:
        """Whether there are runs left to do."""
        return len(self.seconds) < runs and (not self.seconds or max(self.seconds) < SLOW)


@dataclass
class Row:
    """The answers of both tools for one program."""

    task: Task
    cseq: Answer = field(default_factory=Answer)
    native: Answer = field(default_factory=Answer)
    notes: list[str] = field(default_factory=list)

    @property
    def both_right(self) -> bool:
        wanted = FOUND if self.task.is_buggy else SAFE
        return self.cseq.verdict == wanted == self.native.verdict

    @property
    def ratio(self) -> float:
        return self.native.time / self.cseq.time


def read_task(path: Path) -> Task:
    """The task in a file of sv-benchmarks, which are all of one form."""
    text = path.read_text(encoding="utf-8")
    files = re.findall(r"'(\S+\.c)'", text)
    sources = {file: (path.parent / file).read_text(encoding="utf-8") for file in files}
    marked = {
        f"{file}:{number}": line
        for file, source in sources.items()
        for number, line in enumerate(source.splitlines(), 1)
        if line.rstrip().endswith("// FAIL")
    }
    return Task(
        path.stem,
        tuple(files),
        32 if "ILP32" in text else 64,
        int(re.findall(r"rounds: (\d+)", text)[0]),
        int(re.findall(r"unwind: (\d+)", text)[0]),
        "".join(sources.values()),
        frozenset(marked),
        frozenset(name for line in marked.values() for name in _CALL.findall(line)),
    )


def run_cseq(task: Task, engine: str, answer: Answer) -> None:
    """Run CSeq on *task* once more."""
    words = [*task.files, f"--{task.bits}", "--rounds", str(task.rounds), "--unwind", str(task.unwind), "--json"]
    run = common.run([*common.CSEQ, *words], limit=LIMIT, folder=PROGRAMS, environment={"CSEQ_CBMC": engine})
    answer.seconds.append(run.seconds)
    if run.timed_out:
        answer.verdict = TIMEOUT
        return
    if run.status not in (0, 1):
        answer.verdict, answer.note = REFUSED, run.stderr.strip()
        return
    report = json.loads(run.stdout)
    answer.engine.append(report["times"]["symbolic/run"])
    answer.verdict = SAFE
    if report["verdict"] == "FALSE":
        place = f"{report['property']['file']}:{report['property']['line']}"
        answer.verdict = FOUND if place in task.marked else ELSEWHERE
        answer.note = "" if place in task.marked else f"{report['message']}"


class Native:
    """One CBMC, on the program as it is.

    shims: a folder for files that some programs need in addition.
    """

    def __init__(self, version: str, path: str, shims: Path) -> None:
        self.version = version
        self.path = path
        self._shims = shims
        self._options = ["--no-unwinding-assertions", "--stop-on-fail"]
        if int(version.split(".", 1)[0]) >= 6:
            self._options.append("--no-standard-checks")
        self._headers32 = self._find_headers32()

    def _find_headers32(self) -> list[str]:
        """The options with which CBMC reads the system's headers for ILP32.

        A system for 64 bits has these headers, but for two that say what its 32-bit library lacks.
        """
        probe = self._shims / "probe.c"
        probe.write_text("#include <pthread.h>\nint main(void) { return 0; }\n", encoding="utf-8")
        if common.run([self.path, "--32", str(probe)]).status == 0:
            return []
        folder = self._shims / "include" / "gnu"
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("stubs-32.h", "stubs-x32.h"):
            (folder / name).touch()
        triple = common.run(["gcc", "-print-multiarch"]).stdout.strip()
        return ["-I", str(folder.parent), "-I", f"/usr/include/{triple}"]

    def run(self, task: Task, answer: Answer, extra_unwind: int = 0) -> None:
        """Run CBMC on *task* once more."""
        files, options = list(task.files), [f"--{task.bits}", "--unwind", str(task.unwind + extra_unwind)]
        if task.bits == 32:
            options += self._headers32
        if "reach_error();" in task.text:
            shim = self._shims / _REACH_ERROR
            shim.write_text('void reach_error(void) { __CPROVER_assert(0, "reach_error() is reached"); }\n')
            files.append(str(shim))
        if "ERROR:" in task.text:
            options += ["--error-label", "ERROR"]
        run = common.run([self.path, *files, *options, *self._options], limit=LIMIT, folder=PROGRAMS)
        answer.seconds.append(run.seconds)
        answer.verdict, answer.note = self._judge(task, run)

    def _judge(self, task: Task, run: common.Run) -> tuple[str, str]:
        if run.timed_out:
            return TIMEOUT, f"stopped after {LIMIT:g} s"
        if run.status == 0 and "VERIFICATION SUCCESSFUL" in run.stdout:
            return SAFE, ""
        match = _VIOLATED.search(run.stdout)
        if run.status == 10 and match:
            file, function, line, what = match.groups()
            if f"{file}:{line}" in task.marked or function in task.culprits:
                return FOUND, ""
            if _is_misuse(function) and any(map(_is_misuse, task.culprits)):
                return FOUND, f"as `{what}` in {function}"
            return ELSEWHERE, f"`{what}` in {function}"
        lines = [line for text in (run.stdout, run.stderr) for line in text.splitlines() if line.strip()]
        errors = [line for line in lines if "error: " in line.lower()]
        said = (errors[:1] or lines[-1:] or ["nothing"])[0].strip()
        return REFUSED, f"CBMC says: {said}" + (f" (signal {-run.status})" if run.status < 0 else "")


def _is_misuse(function: str) -> bool:
    """Whether a violation in *function* is one of how the thread library is used."""
    return function.startswith("pthread_")


def compare(tasks: Sequence[Task], native: Native, runs: int) -> list[Row]:
    """Run both on all *tasks*, one after the other, *runs* times over."""
    rows = [Row(task) for task in tasks]
    for number in range(runs):
        for row in rows:
            common.progress(f"CBMC {native.version}, run {number + 1} of {runs}: {row.task.name}")
            if row.cseq.wants_more(runs):
                run_cseq(row.task, native.path, row.cseq)
            if row.native.wants_more(runs):
                native.run(row.task, row.native)
    for row in rows:
        row.notes = [note for note in (row.cseq.note, row.native.note) if note]
        if row.task.is_buggy and row.native.verdict == SAFE:
            row.notes.append(_with_more_unwinding(row.task, native))
        if len(row.native.seconds) < runs and row.native.verdict != TIMEOUT:
            row.notes.append("one run of CBMC")
    return rows


def _with_more_unwinding(task: Task, native: Native) -> str:
    """CBMC's answer, with one more unwinding of loops, for a program whose bug it missed."""
    again = Answer()
    native.run(task, again, extra_unwind=1)
    option = f"--unwind {task.unwind + 1}"
    if again.verdict == SAFE:
        return f"missed with {option}, too"
    what = "found" if again.verdict == FOUND else again.verdict
    return f"{what} with {option}, in {common.number(again.time)} s"


def _shown(verdict: str, task: Task) -> str:
    """A verdict, in bold where it is wrong."""
    if task.is_buggy:
        return {FOUND: FOUND, SAFE: "**missed**", ELSEWHERE: "**another failure**"}.get(verdict, verdict)
    return {SAFE: SAFE, FOUND: "**false alarm**", ELSEWHERE: "**false alarm**"}.get(verdict, verdict)


def _table(rows: Iterable[Row]) -> str:
    header = (
        "program",
        "rounds",
        "unwind",
        "cseq, s",
        "of it engine, s",
        "cbmc, s",
        "cbmc / cseq",
        "cseq",
        "cbmc",
        "notes",
    )
    lines = []
    for row in rows:
        task = row.task
        lines.append(
            (
                f"`{task.name}`",
                str(task.rounds),
                str(task.unwind),
                common.number(row.cseq.time),
                common.number(common.median(row.cseq.engine)) if row.cseq.engine else "",
                common.number(row.native.time),
                common.number(row.ratio) if row.both_right else "",
                _shown(row.cseq.verdict, task),
                _shown(row.native.verdict, task),
                "; ".join(row.notes).replace("|", r"\|"),
            )
        )
    return common.table(header, lines, "lrrrrrrlll")


def _summary(rows: Sequence[Row]) -> str:
    """How often each tool is right, and the times where both are."""
    lines = []
    for who in ("cseq", "cbmc"):
        verdicts = [_shown((row.cseq if who == "cseq" else row.native).verdict, row.task) for row in rows]
        counts = ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in sorted(set(verdicts)))
        lines.append(f"- {who}, of {len(rows)} programs: {counts}.")
    right = [row for row in rows if row.both_right]
    if right:
        ratios = [row.ratio for row in right]
        sums = [
            common.number(sum(one.time for one in side))
            for side in zip(*((r.cseq, r.native) for r in right), strict=True)
        ]
        mean, least, most = (
            common.number(value) for value in (common.geometric_mean(ratios), min(ratios), max(ratios))
        )
        faster = sum(ratio > 1 for ratio in ratios)
        lines.append(
            f"- Where both are right ({len(right)} programs): cseq {sums[0]} s, cbmc {sums[1]} s in all; cbmc / cseq "
            f"is {mean} in the geometric mean, from {least} to {most}; cseq is the faster one in {faster}, cbmc in "
            f"{len(right) - faster}."
        )
    return "\n".join(lines) + "\n"


def sections(native: Native, buggy: list[Row], safe: list[Row]) -> list[str]:
    """The part of the results that is about one CBMC."""
    alarms = {row.task.name.removesuffix("_good") for row in safe if row.native.verdict in (FOUND, ELSEWHERE)}
    doubted = [row for row in buggy if row.native.verdict == FOUND and row.task.name.removesuffix("_bad") in alarms]
    for row in doubted:
        row.notes.append("cbmc reports a violation in the safe twin, too")
    summary = _summary(buggy)
    if doubted:
        summary += (
            f"- cbmc reports a violation in the safe twins of {len(doubted)} of those that it is right on, too.\n"
        )
    title = f"CBMC {native.version}"
    found = [f"## Programs with a bug, {title}\n", summary, _table(buggy)]
    if safe:
        found += [f"## Their safe twins, {title}\n", _summary(safe), _table(safe)]
    return found


_ABOUT = """\
`cseq` is the whole of `cseq.py FILES --rounds R --unwind N --32|--64 --json`: translation, engine, replay of the
counterexample. `cbmc` is the whole of `cbmc FILES --unwind N --32|--64 --no-unwinding-assertions --stop-on-fail` (and
`--no-standard-checks` from version 6 on) on the program as it is, with the system's headers, CBMC's own model of the
thread library, and the same CBMC that is the engine of `cseq`.

Both run in turn on one machine; medians; runs of each: {runs}, but one where the first took more than {slow:g} s. Both
are stopped after {limit:g} s. A ratio above 1 means that `cseq` is the faster one; it is given where both are right. A
violation counts as found when it is where the program marks it.

What to bear in mind:

- CSeq looks at schedules of R rounds, and the R of a buggy program is the smallest that shows the bug. CBMC has no
  such bound: it looks at all interleavings.
- The same N does not mean quite the same: after N iterations CSeq leaves a loop whose condition does not hold any
  more; CBMC cuts it off before it looks at the condition, so that it misses what follows a loop that runs exactly N
  times. Where it misses a bug, the notes tell what it says with N + 1.
- CSeq believes a counterexample only when it could be executed. CBMC prints what it found.
- CBMC knows `__VERIFIER_assume`, `__VERIFIER_nondet_*` and `__VERIFIER_atomic_*` by itself. To make the comparison
  fair it gets a `reach_error` that fails (in a file of its own, where a program calls one), `--error-label ERROR`
  (where there is such a label) and, on a system without headers for 32 bits, the include path of those for 64 bits
  with two empty headers, `gnu/stubs-32.h` and `gnu/stubs-x32.h`.
- Misuse of the thread library is an error to CSeq. CBMC's model of the library knows only some of it, such as the
  unlock of a mutex that the thread does not hold.
"""


def main() -> None:
    """Compare, and write the results."""
    parser = common.arguments(__doc__ or "", __file__, runs=3)
    parser.add_argument("--programs", nargs="+", metavar="NAME", help="only these, such as lost_update")
    parser.add_argument("--engine", action="append", metavar="VERSION", help="only this CBMC, such as 6.6")
    parser.add_argument("--no-twins", action="store_true", help="leave out the safe twins, which take longest")
    options = parser.parse_args()
    wanted = tuple(options.engine or [""])
    engines = {version: path for version, path in common.engines().items() if version.startswith(wanted)}
    if not engines:
        raise SystemExit("no CBMC found; `cseq doctor` says how to get one")
    tasks = {kind: [read_task(path) for path in sorted(PROGRAMS.glob(f"*_{kind}.yml"))] for kind in ("bad", "good")}
    for kind, all_tasks in tasks.items():
        names = {f"{name}_{kind}" for name in options.programs or []}
        tasks[kind] = [task for task in all_tasks if not names or task.name in names]
    found = [_ABOUT.format(runs=options.runs, slow=SLOW, limit=LIMIT)]
    with tempfile.TemporaryDirectory(prefix="cseq-bench-") as folder:
        for version, path in engines.items():
            native = Native(version, path, Path(folder))
            for task in (tasks["bad"] + tasks["good"])[:1]:  # the first time does not count
                run_cseq(task, path, Answer())
                native.run(task, Answer())
            buggy = compare(tasks["bad"], native, options.runs)
            safe = [] if options.no_twins else compare(tasks["good"], native, options.runs)
            found += sections(native, buggy, safe)
    tools = {"CBMC": ", ".join(engines), "compiler": common.compiler()}
    common.report("CSeq and CBMC's own concurrency support", __file__, found, options.output, tools)


if __name__ == "__main__":
    main()
