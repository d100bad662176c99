"""Write the index of a public suite of multi-threaded programs, for `benchmarks/field/run.py`.

    python -m benchmarks.field.index sctbench FOLDER > sctbench.csv
    python -m benchmarks.field.index esbmc FOLDER > esbmc.csv
    python -m benchmarks.field.index goblint FOLDER > goblint.csv
    python -m benchmarks.field.index genmc FOLDER > genmc.csv
    python -m benchmarks.field.index svcomp FOLDER > svcomp.csv

FOLDER is a checkout of the suite. What is right comes from the suite: from the names of files (SCTBench), from
descriptions beside them (ESBMC, SV-COMP), from comments (Goblint), from folders (GenMC).
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.suites.suite import expected as expected_assertions
from benchmarks.suites.suite import programs

Row = tuple[str, str, Path, str, str, int]
"""Category, name, file, property, expected verdict, and the bits of the data model."""

_OTHER = re.compile(r"--(?:memory-leak|overflow|unsigned-overflow|atomicity|lock-order|ub-shift|nan|context-bound 0)")


def sctbench(folder: Path) -> Iterator[Row]:
    """SCTBench: ``…_bad.c`` fails an assertion, or has a deadlock where it has none or its name says so."""
    for path in programs(folder):
        bad = path.stem.endswith(("_bad", "_unsat")) or "inspect" in str(path.parent)
        claims = re.search(r"\b(?:assert|__assert_fail)\s*\(|\bERROR\b", path.read_text(errors="replace"))
        deadlocks = not claims or re.search("dead|din_phil|Dining|philosopher", path.stem)
        if bad or path.stem.endswith(("_ok", "_sat")):
            known = not path.parent.name.startswith("inspect")
            verdict = ("FALSE" if path.stem.endswith(("_bad", "_unsat")) else "TRUE") if known else ""
            if "din_phil" in path.stem:
                verdict = ""  # its name speaks of the solver's formula
            yield path.parent.name, path.stem, path, "deadlock" if deadlocks else "assertion", verdict, 64


def esbmc(folder: Path) -> Iterator[Row]:
    """ESBMC's regression tests, where the answer does not depend on a bound of contexts."""
    for path in programs(folder):
        description = path.parent / "test.desc"
        if not description.is_file():
            continue
        lines = description.read_text(errors="replace").splitlines()
        if len(lines) < 4 or lines[1].strip() != path.name or _OTHER.search(lines[2]):
            continue
        said = re.search(r"VERIFICATION (FAILED|SUCCESSFUL)", "\n".join(lines[3:]))
        if not said or "KNOWNBUG" in lines[0]:
            continue
        property_ = "assertion"
        if "--deadlock-check" in lines[2]:
            property_ = "deadlock"
        elif "--data-races-check" in lines[2]:
            property_ = "race"
        # What holds within a bound is no promise, and a failed unwinding assertion is no violation.
        verdict = "FALSE" if said[1] == "FAILED" else "TRUE" if "--context-bound" not in lines[2] else ""
        if any("unwinding assertion" in line for line in lines[3:]):
            verdict = ""
        yield path.parent.parent.name, path.parent.name, path, property_, verdict, 32 if "--32" in lines[2] else 64


def goblint(folder: Path) -> Iterator[Row]:
    """Goblint's regression tests: comments say where there are races, deadlocks and failing assertions."""
    for path in programs(folder):
        text = path.read_text(errors="replace")
        if re.search(r"//\s*RACE\b", text) or re.search(r"//\s*NORACE", text):
            yield "goblint", f"{path.parent.name}/{path.stem}", path, "race", _raced(text), 64
        elif verdict := expected_assertions(path):
            yield "goblint", f"{path.parent.name}/{path.stem}", path, "assertion", verdict, 64


def _raced(text: str) -> str:
    """``TRUE`` where all accesses are marked as free of races; what is marked as one may be a false alarm."""
    return "" if re.search(r"//\s*RACE\b|TODO", text) else "TRUE"


def genmc(folder: Path) -> Iterator[Row]:
    """GenMC's tests: ``correct`` under weak memory is correct under sequential consistency; ``wrong`` may be."""
    for path in programs(folder):
        verdict = "TRUE" if "correct" in path.parts else ""
        yield "genmc", "/".join((*path.parts[-4:-1], path.stem)), path, "assertion", verdict, 64


def svcomp(folder: Path) -> Iterator[Row]:
    """SV-COMP's tasks that create threads."""
    for task in sorted(folder.rglob("*.yml")):
        text = task.read_text(errors="replace")
        files = re.findall(r"input_files:\s*['\"]?([^'\"\s\[]+)", text)
        path = task.parent / files[0] if files else task
        if path == task or not path.is_file() or b"pthread_create" not in path.read_bytes():
            continue
        bits = 32 if "ILP32" in text else 64
        for property_, name in (("unreach-call", "assertion"), ("no-data-race", "race"), ("no-overflow", "overflow")):
            found = re.search(rf"{property_}\.prp\s*\n\s*expected_verdict:\s*(true|false)", text)
            if found:
                yield task.parent.name, task.stem, path, name, found[1].upper(), bits


SUITES: dict[str, Callable[[Path], Iterator[Row]]] = {
    "sctbench": sctbench, "esbmc": esbmc, "goblint": goblint, "genmc": genmc, "svcomp": svcomp
}  # fmt: skip


def main() -> int:
    """Print the index of a suite."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", choices=sorted(SUITES))
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    if not options.folder.is_dir():
        parser.error(f"no such folder: {options.folder}")
    out = csv.writer(sys.stdout)
    out.writerow(("category", "name", "file", "property", "expected", "model"))
    out.writerows((*row[:2], row[2].resolve(), *row[3:]) for row in SUITES[options.suite](options.folder))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
