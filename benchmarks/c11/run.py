"""Compare the exploration of execution graphs with that of GenMC under RC11: executions and processor time."""

from __future__ import annotations

import json
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks import common

PROGRAMS = Path(__file__).resolve().parent / "programs"
SIZES = {
    "updates": 8, "writers": 8, "readers": 7, "buffering": 7, "fences": 12, "hash": 13, "collisions": 9,
    "fibonacci": 5, "fibonacci_sc": 5, "mutex": 7, "two_mutexes": 5, "spin": 7, "ttas": 5, "ticket": 7, "mcs": 5,
    "seqlock": 5, "references": 8, "treiber": 5, "publication": 14, "ring": 8,
}  # fmt: skip
"""How many threads a program has, or elements, or steps."""

_ABOUT = """\
- `GenMC`: `genmc --rc11 --disable-estimation -- -DN=SIZE PROGRAM`, built from its snapshot outside of the checkout.
- `cseq`: `cseq.py -b graphs --memory-model c11 --jobs 1` on the same program.
- `explorer`: what of that is the explorer: the program that was compiled, run once more.

Executions are complete ones, and in parentheses the blocked ones. Times are processor time in seconds, medians of
{runs} runs. Each is stopped after {limit:g} s.
"""


@dataclass
class Row:
    """What a tool found for a program: complete and blocked executions, or None; and the seconds of each run."""

    executions: int | None
    blocked: int
    seconds: list[float]

    @property
    def shown(self) -> str:
        """The executions as a cell of a table."""
        if self.executions is None:
            return "-"
        return f"{self.executions:,}" + (f" ({self.blocked:,})" if self.blocked else "")

    @property
    def time(self) -> str:
        """The median time as a cell."""
        return common.number(common.median(self.seconds))


def _genmc(tool: str, name: str, limit: float, runs: int) -> Row:
    command = [tool, "--rc11", "--disable-estimation", "--", f"-DN={SIZES[name]}", str(PROGRAMS / f"{name}.c")]
    done = [common.run(command, limit=limit) for _ in range(runs)]
    complete = re.search(r"complete executions explored: (\d+)", done[0].stdout + done[0].stderr)
    blocked = re.search(r"blocked executions seen: (\d+)", done[0].stdout + done[0].stderr)
    executions = None if complete is None or done[0].status else int(complete[1])
    return Row(executions, int(blocked[1]) if blocked else 0, [each.cpu for each in done])


def _cseq(name: str, limit: float, runs: int) -> tuple[Row, Row]:
    """What CSeq finds, and its explorer alone."""
    with tempfile.TemporaryDirectory() as folder:
        command = [*common.CSEQ, "-b", "graphs", "--memory-model", "c11", "--jobs", "1", "--keep", folder]
        command += ["--timeout", f"{limit:g}", "-q", f"-DN={SIZES[name]}", str(PROGRAMS / f"{name}.c")]
        done = [common.run(command, limit=2 * limit) for _ in range(runs)]
        binary = next(each for each in Path(folder).rglob("graphs") if each.is_file())
        alone = [common.run([str(binary), "--jobs", "1"], limit=limit) for _ in range(runs)]
    answer = json.loads(alone[0].stdout) if alone[0].stdout else {}
    is_safe = answer.get("status") == "safe" and done[0].status == 0
    found = answer.get("executions") if is_safe else None, answer.get("blocked", 0)
    return Row(*found, [each.cpu for each in done]), Row(*found, [each.cpu for each in alone])


def main() -> None:
    """Compare, and write the results."""
    parser = common.arguments(__doc__ or "", __file__, runs=3)
    parser.add_argument("--genmc", required=True, metavar="PATH", help="the genmc to compare with")
    parser.add_argument("--limit", type=float, default=120.0, metavar="SEC", help="seconds for each run (default: 120)")
    parser.add_argument("--programs", nargs="+", choices=SIZES, default=list(SIZES), metavar="NAME", help="only these")
    options = parser.parse_args()
    version = re.search(r"GenMC v?([\d.]+)", common.run([options.genmc, "--version"]).stdout)
    rows, ratios = [], []
    for name in options.programs:
        theirs = _genmc(options.genmc, name, options.limit, options.runs)
        whole, alone = _cseq(name, options.limit, options.runs)
        ratio = common.median(alone.seconds) / max(common.median(theirs.seconds), 0.001)
        ratios.append(max(ratio, 0.001))
        cells = [name, str(SIZES[name]), theirs.shown, whole.shown, theirs.time, alone.time, whole.time]
        rows.append([*cells, common.number(ratio)])
        common.progress(" ".join(rows[-1]))
    header = ["program", "N", "GenMC: executions", "cseq: executions", "GenMC: s", "explorer: s", "cseq: s", "ratio"]
    mean = f"Geometric mean of the explorer's time by GenMC's: {common.number(common.geometric_mean(ratios))}.\n"
    about = _ABOUT.format(runs=options.runs, limit=options.limit)
    tools = {"GenMC": version[1] if version else "unknown", "C compiler": common.compiler()}
    common.report("Execution graphs: CSeq and GenMC", __file__, [about, common.table(header, rows, "l"), mean],
                  options.output, tools)  # fmt: skip


if __name__ == "__main__":
    main()
