"""Compare what two checkouts of CSeq do with the programs of sv-benchmarks/ and tests/programs/: it has to be the same.

    python -m benchmarks.checkouts.compare BASE [OTHER] [--engine NAME]... [-- OPTIONS]

BASE and OTHER are folders with checkouts, each with its `.venv`; OTHER is this one by default, and has the programs.
Without `--engine`, translations are compared: the sequential program with its line map, the step program, and the TLA+
modules. With `--engine`, whole runs are: exit status, what is printed, and the JSON report with the counterexample,
except times and the names of temporary files. An engine is a name for `-b` (`auto`: all of them, whose race may have
another winner each time), or `linearize`. OPTIONS are added to each run.

The exit status is 1 where there are differences. Runs that reach the limit in either checkout are counted apart.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import json
import os
import queue
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from benchmarks import common

BOUNDLESS = ("auto", "native", "spin", "horn", "tlc")
"""The engines without rounds, whose options for loops are their own."""
TIMES = {"times", "seconds", "states_per_second", "runs_per_second", "cpu_seconds"}
"""The members of JSON reports that differ from run to run."""
SEQUENTIAL, STEPS, TLA, LINEARIZE, COMPILED = "sequential", "steps", "tla", "linearize", "compiled"
"""The translations, the command for data structures, and the engine for compiled programs."""

_CLAIMS = {"no-data-race": ("--race",), "no-deadlock": ("--deadlock",)}
"""The options in place of `--spec` for programs that are run as compiled; memory errors are always reported."""
_RUNS = ("--runs", "300", "--jobs", "1")
"""As many runs in each checkout, in the same order."""
_USAGE = "%(prog)s [options] BASE [OTHER] [-- OPTIONS]"
_WORKER = Path(__file__).with_name("worker.py")
_INTERRUPTED = '"reason": "timeout"'
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The one in C, where PyYAML has it: there are some hundred files."""
_TITLE = re.compile(r"/\* [^\n]+\n \* (?P<options>--[^\n]*)\n")
_TEMPORARY = re.compile(r"/tmp/(?:cseq-)?[\w.-]+")
_BOUND = re.compile(r"--(?:rounds|unwind) \d+ ?")


@dataclass(frozen=True)
class Program:
    """A program with what is asked about it. bounds: the options for engines that need bounds."""

    name: str
    words: tuple[str, ...]
    bounds: tuple[str, ...]
    is_compiled: bool = False


@dataclass(frozen=True)
class Run:
    """One run: a program and the words of its command line, which may differ by the names of stages."""

    name: str
    kind: str
    words: tuple[str, ...]


def programs(root: Path) -> list[Program]:
    """The programs of the checkout *root*."""
    suite = [each for path in sorted((root / "sv-benchmarks").rglob("*.yml")) for each in _tasks(root, path)]
    conformance = sorted((root / "tests/programs/conformance").rglob("*.c"))
    tests = [each for path in conformance for each in _pair(root, path)]
    behaviour = sorted((root / "tests/programs/behaviour").glob("*.c"))
    return [*suite, *tests, *(Program(str(p.relative_to(root)), (str(p.relative_to(root)),), ()) for p in behaviour)]


def _tasks(root: Path, path: Path) -> Iterator[Program]:
    """The program of the task *path*, for each of its properties."""
    about = yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)
    inputs = about["input_files"] if isinstance(about["input_files"], list) else [about["input_files"]]
    folder = path.parent.relative_to(root)
    own = about.get("cseq") or {}
    is_compiled = "flags" in own or about["options"]["language"] != "C" or path.parent.name == "compiled"
    words = [str(folder / name) for name in inputs if is_compiled or name.endswith(".c")]
    words += ["--32"] * (about["options"]["data_model"] == "ILP32") + list(own.get("options", ()))
    words += [f"--compile={shlex.join(own['flags'])}"] if own.get("flags") else []
    bounds = [word for name in ("rounds", "unwind") if name in own for word in (f"--{name}", str(own[name]))]
    for each in about["properties"]:
        spec = Path(os.path.normpath(folder / each["property_file"]))
        name = f"{path.relative_to(root).with_suffix('')} {spec.stem}"
        yield Program(name, (*words, "--spec", str(spec)), tuple(bounds), is_compiled)


def _pair(root: Path, path: Path) -> Iterator[Program]:
    """The programs in a file of the conformance tests: the one with the bug, and its repaired version."""
    title = _TITLE.match(path.read_text(encoding="utf-8"))
    options = title["options"].removesuffix("*/") if title is not None else ""
    bounds = tuple(shlex.split(" ".join(_BOUND.findall(options))))
    words = (str(path.relative_to(root)), *shlex.split(_BOUND.sub("", options)))
    name = str(path.relative_to(root).with_suffix(""))
    yield Program(name, words, bounds)
    yield Program(f"{name} BUG", (*words, "-D", "BUG"), bounds)


def translations(found: Sequence[Program], checkout: Path, kinds: Sequence[str]) -> Iterator[Run]:
    """The runs in which *checkout* translates the programs."""
    steps = last_translator(checkout)
    for each in found:
        if each.is_compiled:
            continue
        if SEQUENTIAL in kinds:
            words = (*each.words, *each.bounds, "--seq-only", "--linemap-json", "{out}/linemap.json")
            yield Run(each.name, SEQUENTIAL, words)
        if STEPS in kinds:
            yield Run(each.name, STEPS, (*each.words, "-b", "native", "--dump-after", steps))
        if TLA in kinds:
            yield Run(each.name, TLA, (*each.words, "-b", "tlc", "--tla", "{out}", "--dump-after", "publisher"))


def last_translator(checkout: Path) -> str:
    """The name of the last stage of the explicit family before its engines."""
    chain = next(path for path in checkout.rglob("explicit.chain") if ".venv" not in path.parts)
    stages = [line.split() for line in chain.read_text(encoding="utf-8").splitlines() if line.startswith("stage ")]
    first = next(number for number, words in enumerate(stages) if any(word.startswith("backend=") for word in words))
    return stages[first - 1][1]


def whole_runs(found: Sequence[Program], root: Path, engine: str, options: Sequence[str]) -> Iterator[Run]:
    """The runs in which *engine* checks the programs."""
    if engine == LINEARIZE:
        for path in sorted((root / "sv-benchmarks/library").glob("*.cseq")):
            words = (LINEARIZE, str(path.relative_to(root)), "--threads", "2", "--calls", "2", "--json", "--cex")
            yield Run(str(path.relative_to(root)), engine, (*words, *options))
        return
    for each in found:
        if each.is_compiled == (engine == COMPILED):
            bounds = () if engine in BOUNDLESS else each.bounds
            asked = _as_compiled(each) if each.is_compiled else (*each.words, *bounds)
            yield Run(each.name, engine, (*asked, "-b", engine, "--json", "--cex", *options))


def _as_compiled(program: Program) -> tuple[str, ...]:
    """The options of a run as compiled: the claim's own in place of ``--spec``, and the number of runs."""
    at = program.words.index("--spec")
    claim = _CLAIMS.get(Path(program.words[at + 1]).stem, ())
    return (*program.words[:at], *program.words[at + 2 :], *claim, *_RUNS)


class Side:
    """One of the two checkouts, while its worker does *runs*. number: which one it is, 0 or 1."""

    def __init__(self, number: int, checkout: Path, runs: Sequence[Run], folder: Path, jobs: int, limit: float) -> None:
        self.number, self.checkout, self.runs = number, checkout, runs
        self.folder = folder / str(number)
        self.folder.mkdir()
        self._jobs, self._limit = jobs, limit

    def work(self, root: Path, ended: queue.Queue[tuple[int, int, int | None] | None]) -> None:
        """Do the runs in the folder *root*, and put side, run and status of each that has *ended* there; then None."""
        python = self.checkout / ".venv/bin/python"
        command = [str(python), str(_WORKER), str(self.checkout), str(self.folder), str(self._jobs)]
        left_out = ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH")
        environment = {name: value for name, value in os.environ.items() if name not in left_out}
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root, env={**environment, "PYTHONHASHSEED": "0"}
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            for number, run in enumerate(self.runs):
                line = json.dumps({"number": number, "words": run.words, "limit": self._limit})
                process.stdin.write(line.encode() + b"\n")
            process.stdin.close()
            for answer in process.stdout:
                number, status = json.loads(answer)
                ended.put((self.number, number, status))
        ended.put(None)

    def texts(self, root: Path, number: int, status: int | None) -> dict[str, str]:
        """What run *number* has printed and written, by name, without what differs from run to run."""
        place = self.folder / str(number)
        files = [
            place / "stdout",
            place / "stderr",
            *sorted(path for path in place.rglob("out/**/*") if path.is_file()),
        ]
        found = {str(path.relative_to(place)): path.read_text("utf-8", "replace") for path in files if path.exists()}
        shutil.rmtree(place)
        return {"status": f"{status}\n", **{name: self._normalised(text, place, root) for name, text in found.items()}}

    def _normalised(self, text: str, place: Path, root: Path) -> str:
        for path, name in (place, "OUT"), (self.checkout, "CHECKOUT"), (root, "CHECKOUT"):
            text = text.replace(str(path), name)
        with contextlib.suppress(ValueError):
            text = json.dumps(_without_times(json.loads(text)), indent=1)
        return _TEMPORARY.sub("TEMPORARY", text)


def _without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_times(part) for name, part in value.items() if name not in TIMES}
    return [_without_times(part) for part in value] if isinstance(value, list) else value


def compared(sides: Sequence[Side], root: Path, shown: int) -> Counter[str]:
    """Do the runs of both *sides*, and print the differences; returns how many runs ended how."""
    ended: queue.Queue[tuple[int, int, int | None] | None] = queue.Queue()
    for side in sides:
        threading.Thread(target=side.work, args=(root, ended), daemon=True).start()
    counts: Counter[str] = Counter()
    half: dict[int, tuple[int, int | None]] = {}
    working = len(sides)
    while working:
        answer = ended.get()
        if answer is None:
            working -= 1
            continue
        number, run, status = answer
        if run not in half:
            half[run] = number, status
            continue
        first, before = half.pop(run)
        statuses = {first: before, number: status}
        texts = [side.texts(root, run, statuses[side.number]) for side in sides]
        counts[_told(sides[1].runs[run], statuses, texts, shown)] += 1
        done = sum(counts.values())
        if done % 50 == 0:
            common.progress(f"{done} of {len(sides[1].runs)}")
    counts["without an end"] = len(sides[1].runs) - sum(counts.values())
    return +counts


def _told(run: Run, statuses: dict[int, int | None], texts: Sequence[dict[str, str]], shown: int) -> str:
    """Print how the two outcomes of *run* differ, *shown* lines at most; returns what is counted."""
    if None in statuses.values():
        late = [
            name for name, status in zip(("BASE", "OTHER"), (statuses[0], statuses[1]), strict=True) if status is None
        ]
        print(f"out of time in {' and '.join(late)}: {run.kind}: {run.name}", flush=True)
        return "out of time"
    if any(_INTERRUPTED in text for side in texts for text in side.values()):
        return "out of time"  # what was explored until then differs from run to run
    if texts[0] == texts[1]:
        return "same, refused" if statuses[0] in (2, 70) else "same"
    print(f"different: {run.kind}: {run.name}\n    cseq.py {shlex.join(run.words)}")
    lines = [
        line.rstrip("\n")
        for name in sorted({*texts[0], *texts[1]})
        for line in difflib.unified_diff(
            texts[0].get(name, "").splitlines(),
            texts[1].get(name, "").splitlines(),
            f"BASE {name}",
            f"OTHER {name}",
            n=1,
        )
    ]
    for line in lines[:shown]:
        print(f"    {line}")
    if len(lines) > shown:
        print(f"    … {len(lines) - shown} lines more (--lines N)")
    sys.stdout.flush()
    return "different"


def main() -> None:
    """Compare, and end with 1 where there are differences."""
    words, more = _divided(sys.argv[1:])
    options = _arguments().parse_args(words)
    base, other = options.base.resolve(), options.other.resolve()
    found = programs(other)
    found = [each for each in found if not options.only or any(word in each.name for word in options.only)]
    found = found[options.first :: options.sample]
    kinds = options.translation or [SEQUENTIAL, STEPS, TLA]
    if options.engine:
        both = [[run for name in options.engine for run in whole_runs(found, other, name, more)] for _ in (base, other)]
    else:
        both = [list(translations(found, checkout, kinds)) for checkout in (base, other)]
    common.progress(f"{len(found)} programs, {len(both[0])} runs in each checkout")
    with tempfile.TemporaryDirectory(prefix="compare-") as folder:
        jobs = max(1, options.jobs // 2)
        sides = [
            Side(number, checkout, runs, Path(folder), jobs, options.limit)
            for number, (checkout, runs) in enumerate(zip((base, other), both, strict=True))
        ]
        counts = compared(sides, other, options.lines)
    print(", ".join(f"{name}: {number}" for name, number in sorted(counts.items())) or "no runs")
    if set(counts) - {"same", "same, refused", "out of time"} or not counts["same"]:
        sys.exit(1)


def _divided(words: list[str]) -> tuple[list[str], list[str]]:
    """The words before and after ``--``."""
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1 :]


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0], usage=_USAGE)
    parser.add_argument("base", type=Path, metavar="BASE", help="a checkout")
    parser.add_argument("other", type=Path, nargs="?", default=common.ROOT, metavar="OTHER", help="the other checkout")
    parser.add_argument("--engine", action="append", metavar="NAME", help="compare whole runs with this engine")
    parser.add_argument(
        "--translation",
        action="append",
        choices=(SEQUENTIAL, STEPS, TLA),
        help="compare this translation (default: all)",
    )
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="each N-th program")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="begin with the program of this number")
    parser.add_argument("--only", action="append", metavar="WORD", help="programs whose names contain this word")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes at a time, of both (default: 2)")
    parser.add_argument("--limit", type=float, default=60.0, metavar="SEC", help="seconds for each run (default: 60)")
    parser.add_argument(
        "--lines", type=int, default=20, metavar="N", help="lines of a difference to show (default: 20)"
    )
    return parser


if __name__ == "__main__":
    main()
