"""Compile a reproducer and run it, to check that it fails as it has to."""

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cseq.c.preprocess import compiler
from cseq.reproducer.program import Environment, ReproducerProgram

_SECONDS = 30
_SANITIZED = "-fsanitize=thread"
_RACE = re.compile(r"WARNING: ThreadSanitizer: (?:data race|heap-use-after-free)")
_MISSING = re.compile(r"cannot find|incompatible|No such file")


def compiled(program: ReproducerProgram, folder: Path, *options: str) -> str | Path:
    """The executable; or, as text, why it does not compile. options: further options of the compiler."""
    source = folder / "reproducer.c"
    binary = folder / "reproducer"
    source.write_text(program.text, encoding="utf-8", errors="surrogateescape")
    command = [compiler(), *program.flags, *options, "-w", "-g", "-pthread", str(source), "-o", str(binary), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines()
        if _SANITIZED in program.flags and _MISSING.search(done.stderr):
            return "it needs ThreadSanitizer, and the C compiler does not have that here"
        if program.flags and _MISSING.search(done.stderr):
            return "it needs 32 bits, and the C compiler makes no such programs here"
        return f"it does not compile: {lines[0] if lines else done.returncode}"
    return binary


def failure(program: ReproducerProgram, status: int, output: str) -> str:
    """What is wrong with an execution that ended with *status* and printed *output*; "" if it failed as it has to.

    status: as of `subprocess`.
    """
    lines = [line for line in output.splitlines() if line.startswith("cseq: ")]
    if _SANITIZED in program.flags:
        return "" if status > 0 and _RACE.search(output) else "ThreadSanitizer does not report the race"
    if status != -signal.SIGABRT and not (program.crashes and status < 0):
        return lines[-1].removeprefix("cseq: ") if lines else f"it ends with status {status}"
    if program.stuck:
        missing = [place for place in program.stuck if not re.search(rf"(?<!\S){re.escape(place)}(?!\S)", output)]
        return f"no thread is blocked at {missing[0]}" if missing else ""
    return "" if f"{program.place}:" in output else f"it does not fail at {program.place}"


def seen_by_sanitizer(program: ReproducerProgram, folder: Path) -> bool:
    """Whether ThreadSanitizer reports the race, or is not installed."""
    binary = compiled(program, folder, _SANITIZED)
    if isinstance(binary, str):
        return True
    ended = _ended(binary, program.surroundings)
    return ended is not None and _RACE.search(ended[1]) is not None


def run(program: ReproducerProgram, binary: Path) -> str:
    """Run it once, and say what is wrong; "" if it fails as it has to."""
    ended = _ended(binary, program.surroundings)
    return "it does not end" if ended is None else failure(program, *ended)


def _ended(binary: Path, surroundings: Environment) -> tuple[int, str] | None:
    """The status and the error output of a run; None if it took too long.

    The program runs in the folder of the binary, so that relative names of files lead there.
    """
    try:
        with Path(surroundings.stdin or os.devnull).open("rb") as stdin:
            done = subprocess.run(
                [str(binary), *surroundings.arguments],
                cwd=binary.parent,
                env=surroundings.variables,
                capture_output=True,
                stdin=stdin,
                text=True,
                errors="replace",
                check=False,
                timeout=_SECONDS,
            )
    except subprocess.TimeoutExpired:
        return None
    return done.returncode, done.stderr


def runs(program: ReproducerProgram, binary: Path, times: int, at_once: int = 3) -> Iterator[str]:
    """Run it *times* times, and say for each run what is wrong; "" if nothing is."""
    with ThreadPoolExecutor(at_once) as pool:
        yield from pool.map(lambda _: run(program, binary), range(times))
