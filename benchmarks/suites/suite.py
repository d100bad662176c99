"""Run CSeq on the multi-threaded programs of a public suite in a folder: what is accepted, and are the verdicts right?

    benchmarks/suites/suite.py FOLDER --translate          how many programs are translated, and what is refused
    benchmarks/suites/suite.py FOLDER --rounds 2 --unwind 2 --timeout 20    verdicts, where the suite says what is right

    benchmarks/suites/suite.py GOBLINT/tests/regression --include DIR    DIR/goblint.h: __goblint_check asserts

The expected verdict comes from what is beside a program: an SV-COMP task (``.yml``, property unreach-call) or the
name that SV-COMP's programs had before (``…_false-unreach-call.c``), or a ``test.desc`` as CBMC and ESBMC have them.
A file that names a property of another kind (races, deadlocks, memory, overflow) has no expected verdict here.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_THREADS = re.compile(rb"\b(?:pthread_create|thrd_create)\b")
_OTHER_PROPERTIES = re.compile(
    r"--(?:deadlock|data-race|memory-leak|overflow|unsigned-overflow|atomicity|lock-order|bounds|pointer|div-by-zero)"
)
_ERROR = re.compile(r"^(?P<file>.*?):(?P<line>\d+): error: (?P<message>.*)$")


@dataclass
class Result:
    """The result for one program.

    kind: translated, refused, invalid (not C, or incomplete), failed, right, wrong or open.
    """

    program: str
    kind: str
    message: str = ""
    expected: str = ""
    verdict: str = ""


def main() -> int:
    """Run, print the summary; the exit status is 1 where a verdict is wrong or CSeq failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--translate", action="store_true", help="translate only")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--unwind", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=30.0, help="seconds per program")
    parser.add_argument("--limit", type=int, default=0, help="a random sample of N programs (the same each time)")
    parser.add_argument("--only", default="", help="programs whose path contains this")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--include", action="append", default=[], help="as -I")
    parser.add_argument("--define", action="append", default=[], help="as -D")
    parser.add_argument("--results", type=Path, help="write one JSON object per program to this file")
    options = parser.parse_args()
    found = [path for path in programs(options.folder) if options.only in str(path)]
    if options.limit and len(found) > options.limit:
        found = sorted(random.Random(0).sample(found, options.limit))
    with ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda path: check(path, options), found))
    if options.results:
        options.results.write_text("".join(json.dumps(asdict(result)) + "\n" for result in results))
    return summary(results)


def programs(folder: Path) -> list[Path]:
    """The C files below *folder* that create threads and have a main function."""
    paths = sorted([*folder.rglob("*.c"), *folder.rglob("*.i")])
    texts = ((path, path.read_bytes()) for path in paths if path.is_file())
    return [path for path, text in texts if _THREADS.search(text) and re.search(rb"\bmain\s*\(", text)]


def expected(path: Path) -> str:
    """``TRUE`` or ``FALSE`` by what the suite says of assertions and error calls; nothing where it does not say."""
    named = re.search(r"_(true|false)-unreach-(?:call|label)", path.name)
    if named:
        return named.group(1).upper()
    task = path.with_suffix(".yml")
    if task.is_file():
        text = task.read_text(errors="replace")
        found = re.search(r"unreach-call\.prp\s*\n\s*expected_verdict:\s*(true|false)", text)
        return found.group(1).upper() if found else ""
    checks = [line for line in path.read_text(errors="replace").splitlines() if "__goblint_check(" in line]
    if checks:  # what Goblint proves holds in every execution; what it leaves open is marked
        return "" if any(re.search("UNKNOWN|FAIL|TODO", line) for line in checks) else "TRUE"
    description = path.parent / "test.desc"
    if description.is_file():
        lines = description.read_text(errors="replace").splitlines()
        if len(lines) > 3 and lines[1].strip() == path.name and not _OTHER_PROPERTIES.search(lines[2]):
            said = re.search(r"^\^?VERIFICATION (FAILED|SUCCESSFUL)", "\n".join(lines[3:]), re.MULTILINE)
            if said and not any("unwinding assertion" in line for line in lines):
                bounded = "--context-bound" in lines[2]  # finding nothing within a bound is no promise
                return "FALSE" if said.group(1) == "FAILED" else "" if bounded else "TRUE"
    return ""


def check(path: Path, options: argparse.Namespace) -> Result:
    """Run CSeq on one program."""
    words = ["--rounds", str(options.rounds), "--unwind", str(options.unwind)]
    words += [word for folder in options.include for word in ("-I", folder)]
    words += [word for define in options.define for word in ("-D", define)]
    words += ["--seq-only"] if options.translate else ["--quiet", "--timeout", str(options.timeout)]
    command = [sys.executable, "-m", "cseq", *words, str(path)]
    try:
        done = subprocess.run(
            command,
            cwd=_ROOT,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=options.timeout + 60,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Result(str(path), "failed", "the translation does not end")
    last = (done.stderr.strip().splitlines() or [""])[-1]
    if done.returncode == 2:
        return Result(str(path), "refused" if "not supported" in last or "refused" in last else "invalid", last)
    if done.returncode not in (0, 1, 3) or "internal error" in last or "Traceback" in done.stderr:
        return Result(str(path), "failed", last)
    if options.translate:
        return Result(str(path), "translated" if done.returncode == 0 else "failed", last)
    verdict, right = done.stdout.strip(), expected(path)
    wrong = {("TRUE", "FALSE"), ("FALSE", "TRUE")}
    kind = "wrong" if (verdict, right) in wrong else "right" if verdict and verdict == right else "open"
    return Result(str(path), kind, last, right, verdict)


def summary(results: list[Result]) -> int:
    """Print how many there are of each kind, and why programs were refused."""
    kinds = Counter(result.kind for result in results)
    print(f"{len(results)} programs: " + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common()))
    for kind in ("refused", "invalid", "failed"):
        reasons = Counter(_reason(result.message) for result in results if result.kind == kind)
        for reason, count in reasons.most_common(30):
            print(f"  {kind} {count:4}  {reason}")
    for result in results:
        if result.kind in ("wrong", "failed"):
            print(f"  {result.kind}: {result.program}: {result.verdict} (expected {result.expected}) {result.message}")
    return 1 if kinds["wrong"] or kinds["failed"] else 0


def _reason(message: str) -> str:
    match = _ERROR.match(message)
    return match["message"] if match else message


if __name__ == "__main__":
    sys.exit(main())
