"""Make, compile and run programs with a schedule and calls of the scheduler."""

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from cseq.reproducer import runtime

_ENDS = {"end": "CSEQ_END", "pause": "CSEQ_PAUSE", "last": "CSEQ_LAST"}
TIMES = 20
ABORTED, LEFT = -6, 70


class Ended(NamedTuple):
    """How a run ended."""

    status: int
    output: str
    errors: str


def thread_name(thread: int) -> str:
    return f"worker (thread {thread})" if thread else "main"


def program(
    source: str,
    turns: str,
    kind: str = "assertion",
    *,
    inputs: str = "",
    sets: str = "",
    stuck: Sequence[tuple[int, int, str, int]] = (),
) -> str:
    """The C text of a reproducer.

    turns: ``thread@until``, optionally with ``:times`` (default 1) and ``/piece``. inputs, sets: rows of the tables.
    stuck: thread, line, what it waits for, whether nobody has woken it.
    """
    words = set(re.findall(r"\w+", source))
    rows = []
    for turn in turns.split():
        match = re.fullmatch(r"(\d)@(\w+)(?::(\d+))?(?:/(\d))?", turn)
        assert match
        thread, until, times, piece = match.groups()
        times = times or ("1" if until.isdigit() or until == "pause" else "0")
        rows.append(f'{{{thread}, {_ENDS.get(until, until)}, {times}, {piece or 0}, "x.c", {len(rows) + 100}}}')
    threads = 1 + max(int(turn[0]) for turn in turns.split())
    names = [thread_name(n) for n in range(threads)]
    waiting = [f'{{{thread}, "x.c", {line}, "{what}", {asleep}}}' for thread, line, what, asleep in stuck]

    def table(type_: str, name: str, given: str) -> tuple[str, str]:
        if not given:
            return "", ""
        size = f"sizeof cseq_{name}s / sizeof *cseq_{name}s"
        plural = "stuck" if name == "stuck" else f"{name}s"
        return (
            f"static const {type_} cseq_{name}s[] = {{{given}}};\n",
            f", .{plural} = cseq_{name}s, .{name}_count = {size}",
        )

    tables = [
        table("struct cseq_turn", "turn", ", ".join(rows)),
        table("struct cseq_value", "input", inputs),
        table("struct cseq_set", "set", sets),
        table("struct cseq_stuck", "stuck", ", ".join(waiting)),
    ]
    called = words & runtime.supported()
    called -= set(re.findall(r"\b(?:int|,) (pause)", source))
    used = {word for word in words if word.startswith(("cseq_", "CSEQ_"))}
    return (
        f"#define CSEQ_THREADS {threads}\n#define CSEQ_CALLS 10\n"
        + runtime.text(called, used, kind == "deadlock")
        + "".join(text for text, _ in tables)
        + "static const char *const cseq_names[] = {" + ", ".join(f'"{name}"' for name in names) + "};\n"
        + f'static const struct cseq_plan cseq_plan = {{.kind = "{kind}", .message = "the message", .file = "x.c", '
        + f".line = 99, .threads = {threads}, .names = cseq_names" + "".join(text for _, text in tables) + "};\n"
        + f'#line 1 "x.c"\n{source}'
    )  # fmt: skip


def compiled(folder: Path, text: str, *options: str, compiler: str = "gcc") -> Path:
    """Compile *text*, which must not cause a warning."""
    source, binary = folder / "out.c", folder / "out"
    source.write_text(text, encoding="utf-8")
    command = [compiler, "-pthread", "-Wall", "-Wextra", *options, str(source), "-o", str(binary)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return binary


def run(binary: Path, environment: dict[str, str] | None = None) -> Ended:
    done = subprocess.run([str(binary)], check=False, capture_output=True, text=True, timeout=30, env=environment)
    return Ended(done.returncode, done.stdout, done.stderr)


def ended(folder: Path, source: str, turns: str, kind: str = "assertion", *, times: int = 1, **tables: object) -> Ended:
    """Check that the program ends in the same way each time; returns how."""
    binary = compiled(folder, program(source, turns, kind, **tables))  # type: ignore[arg-type]
    found = {run(binary) for _ in range(times)}
    assert len(found) == 1
    return found.pop()
