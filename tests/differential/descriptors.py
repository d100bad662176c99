"""Random programs with pipes, event counters, polls and futexes: the verdicts against runs of the compiled program.

    python -m tests.differential.descriptors --seed 1 --count 100

A run that fails, or that does not end, contradicts a proof.
"""

import argparse
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from cseq.model.verdict import Verdict
from tests.programs.test_checks_natively import explored

_HEADERS = """\
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>
int p[2][2], e, x;
atomic_int w;
"""
_RUNS = 60
_SECONDS = 0.4
"""After so long a run counts as stuck; a second one has to be, too."""

PROPERTIES = ("unreach-call", "no-deadlock")


def _operation(rng: random.Random, pipes: int) -> str:
    pipe, value = rng.randrange(pipes), rng.randrange(1, 4)
    write = f"{{ char b = {value}; write(p[{pipe}][1], &b, 1); }}"
    polled = f"struct pollfd f = {{p[{pipe}][0], POLLIN, 0}}"
    return rng.choice((
        write,
        write,
        f"{{ char b = 0; if (read(p[{pipe}][0], &b, 1) == 1) x += b; }}",
        f"{{ char b[2] = {{0}}; if (read(p[{pipe}][0], b, 2) == 2) x += 10; }}",
        f"{{ {polled}; if (poll(&f, 1, {rng.choice((-1, 0, 1))}) == 1) x += f.revents & POLLIN; }}",
        f"close(p[{pipe}][1]);",
        "{ uint64_t c = 1; write(e, &c, 8); }",
        "{ uint64_t c = 0; read(e, &c, 8); x += c; }",
        "if (w == 0) syscall(SYS_futex, &w, FUTEX_WAIT, 0, 0, 0, 0);",
        "w = 1; syscall(SYS_futex, &w, FUTEX_WAKE, 1, 0, 0, 0);",
        "x = x + 1;",
    ))  # fmt: skip


def program(rng: random.Random) -> str:
    """Two threads or three, besides main, which joins them."""
    pipes, threads = rng.choice((1, 2)), rng.choice((2, 2, 3))
    lines = []
    for number in range(threads):
        operations = [_operation(rng, pipes) for _ in range(rng.choice((1, 2, 3)))]
        lines += [f"void *t{number}(void *u)", "{", *operations, "return 0;", "}"]
    lines += ["int main(void)", "{", "pthread_t t[3];"]
    lines += [f"pipe2(p[{number}], {rng.choice(('0', '0', 'O_NONBLOCK'))});" for number in range(pipes)]
    lines.append(f"e = eventfd({rng.randrange(3)}, {rng.choice(('0', 'EFD_SEMAPHORE'))});")
    lines += [f"pthread_create(&t[{number}], 0, t{number}, 0);" for number in range(threads)]
    lines += [f"pthread_join(t[{number}], 0);" for number in range(threads)]
    lines += [f"assert(x != {rng.choice((0, 1, 2, 3, 4, 10, 11))});", "return 0;", "}"]
    return _HEADERS + "\n".join(lines) + "\n"


def seen(path: Path) -> set[str]:
    """The properties that some run of the program at *path* violates."""
    binary = path.with_suffix("")
    subprocess.run(["gcc", "-O1", "-w", "-pthread", str(path), "-o", str(binary)], check=True)
    found, stuck = set(), 0
    for _ in range(_RUNS):
        try:
            if subprocess.run([binary], timeout=_SECONDS, capture_output=True, check=False).returncode:
                found.add("unreach-call")
        except subprocess.TimeoutExpired:
            stuck += 1
        if stuck > 1:
            return {*found, "no-deadlock"}
    return found


def compared(text: str, folder: Path) -> tuple[dict[str, Verdict], set[str]]:
    """The verdicts on a program, by property, and the proofs among them that a run contradicts."""
    path = folder / "program.c"
    path.write_text(text, encoding="utf-8")
    verdicts = {name: explored(path, name).verdict for name in PROPERTIES}
    return verdicts, {name for name in seen(path) if verdicts[name] is Verdict.TRUE}


def main() -> int:
    """Compare *count* programs of *seed*; print each contradiction, and how many are decided."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    given = parser.parse_args()
    verdicts: Counter[tuple[str, str]] = Counter()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(given.count):
            text = program(random.Random(f"{given.seed}/{number}"))
            found, contradicted = compared(text, Path(folder))
            verdicts.update((name, verdict.value) for name, verdict in found.items())
            if contradicted:
                wrong += 1
                print(f"{given.seed}/{number}: {sorted(contradicted)}\n{text}")
    print(f"{given.count} programs, {wrong} contradicted by a run; {dict(verdicts)}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
