"""Compile a reproducer and run it, to see that it fails as it has to."""

from __future__ import annotations

import re
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cseq.c.preprocess import compiler
from cseq.reproducer.program import Program

_SECONDS = 30
_RACE = re.compile(r"WARNING: ThreadSanitizer: (?:data race|heap-use-after-free)")
_MISSING = re.compile(r"cannot find|incompatible|No such file")


def compiled(program: Program, folder: Path, *options: str) -> str | Path:
    """The executable; or what the compiler says that is wrong. options: of the compiler, besides."""
    source = folder / "reproducer.c"
    binary = folder / "reproducer"
    source.write_text(program.text, encoding="utf-8", errors="surrogateescape")
    command = [compiler(), *program.flags, *options, "-w", "-g", "-pthread", str(source), "-o", str(binary), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if "error" in line] or done.stderr.splitlines()
        if program.flags and _MISSING.search(done.stderr):
            return "it needs 32 bits, and the C compiler makes no such programs here"
        return f"it does not compile: {lines[0] if lines else done.returncode}"
    return binary


def failure(program: Program, status: int, told: str) -> str:
    """What is wrong with an execution that ended with *status* and printed *told*; empty where it failed as it has to.

    status: as of `subprocess`.
    """
    lines = [line for line in told.splitlines() if line.startswith("cseq: ")]
    if status != -signal.SIGABRT and not (program.crashes and status < 0):
        return lines[-1].removeprefix("cseq: ") if lines else f"it ends with status {status}"
    if program.stuck:
        missing = [place for place in program.stuck if not re.search(rf"(?<!\S){re.escape(place)}(?!\S)", told)]
        return f"no thread is blocked at {missing[0]}" if missing else ""
    return "" if f"{program.place}:" in told else f"it does not fail at {program.place}"


def seen_by_sanitizer(program: Program, folder: Path) -> bool:
    """Whether ThreadSanitizer tells of the race, or is not installed."""
    binary = compiled(program, folder, "-fsanitize=thread")
    if isinstance(binary, str):
        return True
    ended = _ended(binary)
    return ended is not None and _RACE.search(ended[1]) is not None


def run(program: Program, binary: Path) -> str:
    """Run it once: what is wrong, or nothing."""
    ended = _ended(binary)
    return "it does not end" if ended is None else failure(program, *ended)


def _ended(binary: Path) -> tuple[int, str] | None:
    """The status of a run and what it told; None where it took too long.

    It runs in the folder of the binary: what the program does to files by relative names, it does there.
    """
    try:
        done = subprocess.run(
            [str(binary)],
            cwd=binary.parent,
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            check=False,
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return None
    return done.returncode, done.stderr


def runs(program: Program, binary: Path, times: int, at_once: int = 3) -> Iterator[str]:
    """Run it so often: what is wrong with each, or nothing."""
    with ThreadPoolExecutor(at_once) as pool:
        yield from pool.map(lambda _: run(program, binary), range(times))
