"""The C compiler as an engine, which runs the one execution that a counterexample describes."""

import os
import signal
from pathlib import Path

from cseq.backends.base import Dialect
from cseq.backends.records import Record, Tag, records
from cseq.c.preprocess import compiler
from cseq.model.errors import BackendError
from cseq.process.run import run

_INPUT = "__CSEQ_take()"

EXPLORER = Path(__file__).resolve().parent / "explorer"
"""The folder with the C of the explicit family."""

_RUNTIME = (EXPLORER / "records.h", Path(__file__).resolve().parent / "native_runtime.h")

EXPLORER_SOURCES = tuple(
    sorted(path for part in (".", "endings", "guide", "parallel") for path in (EXPLORER / part).glob("*.c"))
)
"""The engine of the explicit family."""

GRAPHS_SOURCES = tuple(sorted((EXPLORER.parent / "graphs").glob("*.c")))
"""The explorer of execution graphs."""

DIALECT = Dialect(
    names={"__CSEQ_address": "(unsigned long)"},
    alignment="__CSEQ_alignment",
    definitions={
        "__CSEQ_nondet_": f"static {{type}} {{name}}(void) {{ return ({{type}}){_INPUT}; }}",
        # An engine may report more bits than it used.
        "__CSEQ_nondet_bits_": f"static {{type}} {{name}}(void) {{ return {_INPUT} & {{mask}}; }}",
        "__CSEQ_nondet_bool": f"static _Bool {{name}}(void) {{ return {_INPUT} & 1; }}",
        "__CSEQ_nondet_pointer": f"static void *{{name}}(void) {{ return (void *)(unsigned long){_INPUT}; }}",
        "__CSEQ_nondet_float": (
            f"static float {{name}}(void) "
            f"{{ union {{ unsigned int bits; float value; }} u = {{ {_INPUT} }}; return u.value; }}"
        ),
        "__CSEQ_nondet_double": (
            f"static double {{name}}(void) "
            f"{{ union {{ unsigned long long bits; double value; }} u = {{ {_INPUT} }}; return u.value; }}"
        ),
    },
)


def program(text: str, claim: int | None = None, given: str = "") -> str:
    """The C program that runs the instrumented *text*, which follows the runtime that it needs.

    claim: the number of the violated memory claim, as the engine reports it. given: definitions for the runtime.
    """
    wanted = given if claim is None else f"{given}#define __CSEQ_WANTED {claim}\n"
    return "".join([wanted, *(path.read_text(encoding="utf-8") for path in _RUNTIME), text])


def execute(source: Path, bits: int, inputs: list[int], timeout: float = 60.0) -> list[Record]:
    """Compile *source* and run it on *inputs*. Returns what it reported; the last record says how it ended.

    timeout: seconds. Raises BackendError if the program cannot be compiled.
    """
    binary = source.with_suffix("")
    command = [compiler(), "-std=gnu11", "-O0", "-w", "-fno-stack-protector", f"-m{bits}"]
    # A division by zero has to stop the replay, even where the compiler could optimise the division away.
    command += ["-fsanitize=integer-divide-by-zero", "-fsanitize-undefined-trap-on-error"]
    if os.uname().machine in ("x86_64", "i686"):
        # Without the C library, 32-bit programs run where only 64-bit libraries are installed, no name of the
        # user's clashes with one of the library's, and linking takes half the time.
        command += ["-ffreestanding", "-nostdlib", "-static", "-no-pie", "-fno-pic", "-fno-asynchronous-unwind-tables"]
    compiled = run([*command, "-x", "c", str(source), "-o", str(binary)], timeout=timeout)
    if compiled.status != 0:
        lines = [line for line in compiled.stderr.splitlines() if "error" in line] or compiled.stderr.splitlines()
        raise BackendError(f"the replay does not compile: {lines[0] if lines else compiled.status}")
    data = b"".join((value & 0xFFFFFFFFFFFFFFFF).to_bytes(8, "little") for value in inputs)
    completed = run([str(binary)], stdin=data, timeout=timeout)
    reported = records(completed.stdout)
    if completed.timed_out:
        reported.append(Record(Tag.LATE))
    elif completed.status < 0:
        reported.append(Record(Tag.CRASHED, text=signal.Signals(-completed.status).name))
    return reported
