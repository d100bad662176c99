"""Have an independent validator follow the violation witnesses of CSeq: ConcurrentWitness2Test.

    benchmarks/suites/witnesses.py VALIDATOR sv-benchmarks --timeout 30

VALIDATOR is a checkout of ConcurrentWitness2Test with its ``venv``. Each task of the folder with a false
``unreach-call`` is preprocessed, CSeq writes a GraphML witness for it, and the validator runs the program 100 times as
the witness says: ALWAYS and SOMETIMES mean that the error was reached, NEVER that it was not; ``hangs`` is a run
without an end.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

_ROOT = Path(__file__).resolve().parents[2]
_ASSERT = """extern void abort(void);
void reach_error(void) {}
void __VERIFIER_assert(int condition) { if (!condition) { reach_error(); abort(); } }
#undef assert
#define assert __VERIFIER_assert
"""
"""What `assert` is in the tasks of SV-COMP; the validator waits for `reach_error`."""


def main() -> int:
    """Validate, and print the summary."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("validator", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--timeout", type=float, default=30.0, help="seconds per program, for each of both tools")
    parser.add_argument("--only", default="", help="programs whose name contains this")
    parser.add_argument("--mode", default="permissive", choices=["strict", "normal", "permissive"])
    parser.add_argument("--every", type=int, default=1, help="each N-th program only")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for programs, witnesses and the validator's output")
    options = parser.parse_args()
    tasks = [path for path in sorted(options.folder.glob("*.yml")) if options.only in path.name and _is_false(path)]
    with ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda path: validated(path, options), tasks[:: options.every]))
    for path, result in zip(tasks[:: options.every], results, strict=True):
        print(f"{path.stem}: {result}")
    print(", ".join(f"{count} {result}" for result, count in Counter(results).most_common()))
    return 0


def _is_false(path: Path) -> bool:
    return re.search(r"unreach-call\.prp\s*\n\s*expected_verdict:\s*false", path.read_text()) is not None


def validated(task: Path, options: argparse.Namespace) -> str:
    """What the validator says about CSeq's witness for *task*."""
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
        return _validated(task, options, options.keep)
    with tempfile.TemporaryDirectory() as folder:
        return _validated(task, options, Path(folder))


def _validated(task: Path, options: argparse.Namespace, folder: Path) -> str:
    text = task.read_text()
    source = task.parent / re.findall(r"input_files:[\s\-]*'?([^'\n]*)", text)[0]
    bits = "-m32" if "ILP32" in text else "-m64"
    program, witness = folder / f"{task.stem}.i", folder / f"{task.stem}.graphml"
    headers = folder / "headers"
    headers.mkdir(exist_ok=True)
    (headers / "assert.h").write_text(_ASSERT)
    subprocess.run(["gcc", "-E", "-P", bits, f"-I{headers}", str(source), "-o", str(program)], check=True)
    words = ["--quiet", f"--{bits[2:]}", "--timeout", str(options.timeout), "--witness", str(witness)]
    subprocess.run([sys.executable, "-m", "cseq", *words, str(program)], cwd=_ROOT, capture_output=True, check=False)
    if not witness.exists():
        return "no witness"
    tool = [str(options.validator / "venv/bin/python"), str(options.validator / "main.py")]
    said = _output([*tool, str(program), "--witness", str(witness), "--mode", options.mode], options.timeout, folder)
    (folder / f"{task.stem}.log").write_text(said or "")
    if said is None:
        return "hangs"
    verdicts = re.findall(r"^Verdict: (.*)", said, re.MULTILINE)
    return verdicts[-1] if verdicts else "no verdict"


def _output(command: list[str], timeout: float, folder: Path) -> str | None:
    """The output of *command*; None where it does not end in time: then it is killed, with the program that it runs."""
    environment = {**os.environ, "TMPDIR": str(folder)}
    with tempfile.TemporaryFile("w+", errors="replace") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file, start_new_session=True, env=environment)
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return None
        file.seek(0)
        return file.read()


if __name__ == "__main__":
    sys.exit(main())
