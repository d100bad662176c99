"""Programs for tests of the compiled family, built by its own compilers."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from cseq.modules.compiled.cc.wrapper import invocation
from cseq.modules.compiled.client.record import End
from cseq.modules.compiled.client.server import RunBatch, Server


def compiled(source: Path | str, folder: Path, *flags: str, cxx: bool = False) -> Path:
    """The program of *source*, a file or C text, with hooks and the runtime, in *folder*."""
    if isinstance(source, str):
        path = folder / ("program.cpp" if cxx else "program.c")
        path.write_text(source)
    else:
        path = source
    program = folder / path.stem
    words = [*invocation(cxx), "-g", *(flags or ("-O1",)), str(path), "-o", str(program)]
    made = subprocess.run(words, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    return program


def ending(command: Sequence[str], order: RunBatch) -> tuple[End, int, int]:
    """How the last run of *order* ended, which is the first that is remarkable: end, detail, number of races."""
    cpus = sorted(os.sched_getaffinity(0))
    with Server(command, cpu=cpus[os.getpid() % len(cpus)]) as server:
        result = server.run(order)
        return End(result.end), result.detail, result.races
