"""Measure the C compiler on step programs: two threads of N statements each, straight or with branches and loops."""

from __future__ import annotations

import random
import resource
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks import common
from cseq.modules.explicit.engine import compiled

SIZES = (200, 500, 1000)
_RUNS = 3
_GLOBALS = [f"g{number}" for number in range(10)]
_LOCALS = [f"l{number}" for number in range(4)]


def straight(count: int, chosen: random.Random) -> Iterator[str]:
    """Assignments of shared variables."""
    for _ in range(count):
        yield f"{chosen.choice(_GLOBALS)} = {chosen.choice(_GLOBALS)} + {chosen.randint(1, 5)};"


def nested(count: int, chosen: random.Random, depth: int = 1) -> Iterator[str]:
    """The same with local variables, `if` and `for`, nested up to three times."""
    while count > 0:
        kind, size = chosen.randint(0, 5), min(count - 1, chosen.randint(2, 8))
        if depth < 4 and kind < 2 and size >= 2:
            yield from _compound(kind == 0, size, chosen, depth)
            count -= size + 1
        else:
            value = f"{chosen.choice(_GLOBALS)} + {chosen.choice(_LOCALS)} * {chosen.randint(1, 5)}"
            yield f"{chosen.choice(_GLOBALS)} = {value}; {chosen.choice(_LOCALS)} += {chosen.choice(_GLOBALS)};"
            count -= 1


def _compound(branches: bool, size: int, chosen: random.Random, depth: int) -> Iterator[str]:
    bound = chosen.choice(_GLOBALS)
    yield f"if ({bound} > 0) {{" if branches else f"for (i{depth} = 0; i{depth} < {bound}; i{depth}++) {{"
    yield from nested(size // 2 if branches else size, chosen, depth + 1)
    if branches:
        yield "} else {"
        yield from nested(size - size // 2, chosen, depth + 1)
    yield "}"


def program(body: list[str]) -> str:
    """Two threads that execute the statements."""
    threads = "".join(
        f"void *{name}(void *arg)\n{{\nint i1, i2, i3, l0 = 0, l1 = 0, l2 = 0, l3 = 0;\n" + "\n".join(body)
        + "\nreturn 0;\n}\n" for name in "ab"
    )  # fmt: skip
    creates = "pthread_t s, t; pthread_create(&s, 0, a, 0); pthread_create(&t, 0, b, 0);"
    return (
        f"#include <assert.h>\n#include <pthread.h>\nint {', '.join(_GLOBALS)};\n{threads}"
        f"int main(void) {{ {creates} pthread_join(s, 0); pthread_join(t, 0); assert(g0 != 7); return 0; }}\n"
    )


def seconds(text: str, folder: Path) -> float:
    """The processor time to compile the step program *text*: the median of several runs."""
    taken = []
    for _ in range(_RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        compiled(text, folder / "steps.o", 64)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(taken)


def main() -> int:
    """Print the table."""
    print("| statements per thread | straight, s of CPU | branches and loops, s of CPU |\n| ---: | ---: | ---: |")
    for size in SIZES:
        row = []
        for shape in (straight, nested):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "program.c"
                path.write_text(program(list(shape(size, random.Random(1)))), encoding="utf-8")
                words = [*common.CSEQ, str(path), "-b", "native", "--dump-after", "hooks"]
                row.append(f"{seconds(common.run(words).stdout, Path(folder)):.2f}")
        print(f"| {size} | {' | '.join(row)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
