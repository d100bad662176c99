"""Measure the translation by several checkouts of CSeq side by side: processor time of whole processes.

    python -m benchmarks.translation.history NAME=CHECKOUT... [--runs N]

writes HISTORY.md. The checkouts take turns, so that whatever else the machine does is the same for all of them. Each
has its own `.venv`, and its first run of each program is not measured.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from benchmarks import common
from benchmarks.translation.generate import program
from benchmarks.translation.run import ROUNDS, STATEMENTS, THREADS, UNWIND

_TINY = "sv-benchmarks/lost_update_bad.c"
_WHOLE = ["--rounds", "2", "-b", "cbmc"]
"""A whole run, with its engine and the replay of its counterexample."""


def cases(folder: Path) -> list[tuple[str, list[str]]]:
    """What is run: its name in the table, and the words of its command line."""
    found = [("`--version`", ["--version"])]
    for statements in STATEMENTS:
        file = folder / f"{statements}.c"
        file.write_text(program(THREADS, statements), encoding="utf-8")
        words = ["-i", str(file), "--unwind", str(UNWIND), "--rounds", str(ROUNDS), "--seq-only"]
        found.append((f"{THREADS} x {statements}, `--seq-only`", words))
    found.append((f"`{_TINY} {' '.join(_WHOLE)}`", [str(common.ROOT / _TINY), *_WHOLE]))
    return found


def measure(checkouts: dict[str, Path], words: list[str], runs: int) -> dict[str, list[float]]:
    """The seconds of processor time that each of *checkouts* takes for *words*, run by run."""
    seconds: dict[str, list[float]] = {name: [] for name in checkouts}
    for number in range(runs + 1):
        for name, checkout in checkouts.items():
            run = common.run([str(checkout / ".venv/bin/python"), str(checkout / "cseq.py"), *words])
            if run.status not in (0, 1):
                raise SystemExit(f"{name}: {' '.join(words)}: {run.stderr}")
            if number:
                seconds[name].append(run.cpu)
    return seconds


def _commit(checkout: Path) -> str:
    command = ["git", "-C", str(checkout), "log", "-1", "--format=%h of %as"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def main() -> None:
    """Measure, and write the results."""
    parser = common.arguments(__doc__ or "", __file__, runs=9)
    parser.set_defaults(output=Path(__file__).with_name("HISTORY.md"))
    parser.add_argument("checkouts", nargs="+", metavar="NAME=CHECKOUT", help="a checkout, and its name in the table")
    options = parser.parse_args()
    checkouts = {name: Path(path).resolve() for name, _, path in (each.partition("=") for each in options.checkouts)}
    rows = []
    with tempfile.TemporaryDirectory(prefix="cseq-bench-") as folder:
        for what, words in cases(Path(folder)):
            common.progress(what)
            found = measure(checkouts, words, options.runs)
            medians = {name: common.median(seconds) for name, seconds in found.items()}
            first = next(iter(medians.values()))
            cells = [f"{common.number(s, 3)} ({common.number(s / first)})" for s in medians.values()]
            rows.append([what, *cells])
    about = (
        f"Medians of {options.runs} runs of whole processes, start-up, compiler and engine included, in seconds of "
        "processor time; in brackets, times the first column. The checkouts take turns.\n"
    )
    table = common.table(("s of CPU", *checkouts), rows, "l")
    tools = {name: _commit(checkout) for name, checkout in checkouts.items()}
    common.report("Translation: several states of CSeq side by side", __file__, [about, table], options.output, tools)


if __name__ == "__main__":
    main()
