"""Measure --auto on the programs of sv-benchmarks: the bugs that it finds, the twins that it proves, and the time."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from benchmarks import common

_PROGRAMS = common.ROOT / "sv-benchmarks"


@dataclass
class Result:
    """The answer of --auto for one program. levels: the bounds of the completed levels, in order."""

    name: str
    verdict: str
    seconds: float
    levels: list[dict[str, int]]

    @property
    def row(self) -> list[str]:
        """The row of the table."""
        last = self.levels[-1] if self.levels else {}
        bounds = ", ".join(f"{name} {value}" for name, value in last.items()) or "none"
        return [f"`{self.name}`", self.verdict, bounds, str(len(self.levels)), common.number(self.seconds, 1)]


def measured(path: Path, limit: float) -> Result:
    """Run --auto on the program that the task *path* describes."""
    task = yaml.safe_load(path.read_text(encoding="utf-8"))
    inputs = task["input_files"] if isinstance(task["input_files"], list) else [task["input_files"]]
    files = [name for name in inputs if name.endswith(".c")]
    bits = "--32" if task["options"]["data_model"] == "ILP32" else "--64"
    run = common.run(
        [*common.CSEQ, *files, bits, "--auto", "--timeout", f"{limit:g}", "--json"],
        limit=2 * limit + 30,
        folder=_PROGRAMS,
    )
    if run.status not in (0, 1, 3) or not run.stdout:
        return Result(path.stem, "failed", run.seconds, [])
    report: dict[str, Any] = json.loads(run.stdout)
    expected = "TRUE" if task["properties"][0]["expected_verdict"] else "FALSE"
    verdict = report["verdict"]
    if verdict not in (expected, "UNKNOWN"):
        verdict = f"**{verdict}, which is wrong**"
    return Result(path.stem, verdict, run.seconds, [level["bounds"] for level in report["levels"]])


def summary(found: list[Result], limit: float) -> str:
    """How many of each kind got which answer."""
    rows = []
    for kind, wanted in (("bad", "FALSE"), ("good", "TRUE")):
        of_kind = [one for one in found if one.name.endswith(f"_{kind}")]
        if not of_kind:
            continue
        right = [one for one in of_kind if one.verdict == wanted]
        wrong = [one for one in of_kind if one.verdict not in (wanted, "UNKNOWN")]
        times = sorted(one.seconds for one in right)
        middle = common.number(statistics.median(times), 1) if times else "-"
        slowest = common.number(times[-1], 1) if times else "-"
        what = f"{'buggy' if kind == 'bad' else 'safe'} programs"
        counts = [str(len(of_kind)), str(len(right)), str(len(of_kind) - len(right) - len(wrong)), str(len(wrong))]
        rows.append([what, *counts, middle, slowest])
    header = ("", "in all", "violation, or proof", f"neither within {limit:g} s", "wrong or failed")
    return common.table((*header, "median of those found, s", "slowest, s"), rows, "l")


def programs(words: list[str]) -> Iterator[Path]:
    """The tasks whose names contain one of the *words*, or all."""
    for path in sorted(_PROGRAMS.glob("*.yml")):
        if not words or any(word in path.stem for word in words):
            yield path


def measurements(paths: Iterable[Path], limit: float) -> Iterator[Result]:
    """Measure the tasks one after the other."""
    for path in paths:
        result = measured(path, limit)
        common.progress("  ".join(result.row))
        yield result


def main() -> None:
    """Measure, and write the results."""
    parser = common.arguments(__doc__ or "", __file__, runs=1)
    parser.add_argument("--limit", type=float, default=60.0, metavar="SEC", help="the timeout (default: 60)")
    parser.add_argument("words", nargs="*", help="only programs whose names contain one of these")
    options = parser.parse_args()
    found = list(measurements(programs(options.words), options.limit))
    sections = (
        f"`cseq.py PROGRAM --auto --timeout {options.limit:g}` on each program of `sv-benchmarks/`, beginning with 1 "
        "round and unwinding 1, one run of each. Times are from the start of the process to its end.\n",
        summary(found, options.limit),
        "## Program by program\n",
        "The bounds are those of the last level that was completed.\n",
        common.table(("program", "answer", "bounds", "levels", "seconds"), (one.row for one in found), "lllrr"),
    )
    version = next(iter(common.engines()), "none")
    common.report("Deepening", __file__, sections, options.output, {"CBMC": version, "compiler": common.compiler()})


if __name__ == "__main__":
    main()
