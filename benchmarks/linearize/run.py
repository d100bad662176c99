"""How long `cseq linearize` takes on the data structures of `sv-benchmarks/library/`.

    python -m benchmarks.linearize.run [--time SEC] [WORD...]

writes RESULTS.md: for each structure the time to the violation, and how many scenarios of the twin are explored within
the seconds. Words choose structures whose names contain one of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks import common

LIBRARY = common.ROOT / "sv-benchmarks" / "library"
HERE = Path(__file__).resolve().parent


def asked(name: str, seconds: float) -> tuple[dict[str, Any], common.Run]:
    """The report about the specification *name*, and the run."""
    command = [*common.CSEQ, "linearize", str(LIBRARY / f"{name}.cseq"), "--json", "--time", f"{seconds:g}"]
    run = common.run(command)
    return json.loads(run.stdout), run


def rows(names: Sequence[str], seconds: float, runs: int) -> Iterator[list[str]]:
    """A row for each structure."""
    for name in names:
        bad = sorted((asked(f"{name}_bad", seconds) for _ in range(runs)), key=lambda one: one[1].cpu)
        found, run = bad[len(bad) // 2]
        good, whole = asked(f"{name}_good", seconds)
        violation = found["violation"] or {"kind": "-", "scenario": 0}
        yield [
            f"`{name}`",
            f"{found['verdict']}: {violation['kind']} in scenario {violation['scenario']}",
            f"{common.number(run.seconds, 1)} ({common.number(run.cpu, 1)})",
            good["verdict"],
            f"{good['complete']} of {good['scenarios']}",
            common.number(good["states"], 0),
            f"{common.number(whole.seconds, 1)} ({common.number(whole.cpu, 1)})",
        ]
        common.progress(f"{name}: {found['verdict']} {run.seconds:.1f} s, {good['verdict']} {whole.seconds:.1f} s")


def main() -> None:
    """Measure, and write the results."""
    parser = common.arguments(__doc__ or "", __file__, runs=1)
    parser.add_argument("--time", type=float, default=60.0, metavar="SEC", help="seconds for scenarios (default: 60)")
    parser.add_argument("words", nargs="*", help="only structures whose names contain one of these")
    options = parser.parse_args()
    names = sorted(path.stem.removesuffix("_bad") for path in LIBRARY.glob("*_bad.cseq"))
    chosen = [name for name in names if not options.words or any(word in name for word in options.words)]
    header = ("structure", "bug", "s (CPU s)", "twin", "scenarios", "states", "s (CPU s)")
    table = common.table(header, list(rows(chosen, options.time, options.runs)), "l")
    common.report("Data structures", __file__, [_ABOUT.format(time=options.time), table], options.output, {})


_ABOUT = """\
`cseq linearize NAME.cseq --time {time:g}` with all processors: the structures with a bug, with the time until the
violation is reported, and their twins, with the scenarios that were explored to their end. Seconds are on the clock
and, in parentheses, of all processors.
"""

if __name__ == "__main__":
    main()
