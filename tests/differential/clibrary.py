"""Compare the models of the C library with the library itself, on random arguments, options and input.

    python -m tests.differential.clibrary --seed 1 --count 100 --backend native

A program calls functions and prints numbers. Compiled, it says what they are; then each of them is an assertion, which
has to hold, and the same program with one number changed has to be violated. Programs of which either is not so are
printed, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import random
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from cseq import verify
from cseq.c.preprocess import compiler
from cseq.model.verdict import Verdict

_HEAD = """\
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
char *dirname(char *path);
char *__xpg_basename(char *path);
int number;
#ifdef SHOW
#define CHECK(value) printf("%ld\\n", (long)(value))
#else
long known[];
#define CHECK(value) \\
    do { long is = (value); assert(is == known[number]); number++; } while (0)
#endif
static long hash(const char *text)
{
    long sum = 7;
    if (!text) return -1;
    for (int i = 0; text[i]; i++) sum = (sum * 31 + text[i]) & 65535;
    return sum;
}
static int up(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static int tens(const void *a, const void *b) { return *(const int *)a / 10 - *(const int *)b / 10; }
"""


class _Program:
    """The statements of one random program, its arguments and its input."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)
        self.body: list[str] = []
        self.arguments = ""
        self.input = ""
        self.unwind = 14

    def text(self, letters: str, most: int) -> str:
        """A random text of at most *most* of the *letters*."""
        return "".join(self.random.choices(letters, k=self.random.randint(0, most)))

    def tokens(self) -> None:
        """Strings that are taken apart."""
        text, sets = self.text("ab,;c", 9), self.text(",;a", 2)
        function = self.random.choice(["strtok", "strtok_r", "strsep"])
        self.body.append(f'{{ char text[] = "{text}", *rest = text, *part;')
        first, later = {
            "strtok": (f'strtok(text, "{sets}")', f'strtok(0, "{sets}")'),
            "strtok_r": (f'strtok_r(text, "{sets}", &rest)', f'strtok_r(0, "{sets}", &rest)'),
            "strsep": (f'strsep(&rest, "{sets}")',) * 2,
        }[function]
        self.body.append(f"  part = {first}; CHECK(hash(part));")
        for _ in range(3):
            self.body.append(f"  if (part) {{ part = {later}; CHECK(hash(part)); }}")
        self.body.append(f"  for (int i = 0; i < {len(text)}; i++) CHECK(text[i]); }}")

    def parts(self) -> None:
        """Functions that look for something in a string."""
        text, part, byte = self.text("abcAB/", 8), self.text("abA", 2), self.random.choice("abcz/")
        call = self.random.choice([
            f'strchrnul(text, \'{byte}\') - text', f'hash(strcasestr(text, "{part}"))',
            f"hash(memrchr(text, '{byte}', {len(text)}))", f'strspn(text, "{part}")', f'strcspn(text, "{part}")',
            f'hash(strpbrk(text, "{part}"))', f'strcasecmp(text, "{part}") > 0', f'strncasecmp(text, "{part}", 2) < 0',
            'hash(basename(text))',
        ])  # fmt: skip
        self.body.append(f'{{ char text[] = "{text}"; CHECK({call}); }}')

    def paths(self) -> None:
        """Parts of paths."""
        text, function = self.text("a/b/.", 7), self.random.choice(["dirname", "__xpg_basename"])
        self.body.append(f'{{ char text[] = "{text}"; CHECK(hash({function}(text))); }}')

    def copies(self) -> None:
        """Copies that end at a character."""
        text, size = self.text("abc", 5), self.random.randint(0, 6)
        self.body.append(f'{{ char to[8] = "zzzzzzz", from[8] = "{text}";')
        if self.random.random() < 0.5:
            self.body.append(f"  void *after = memccpy(to, from, 'b', {size}); CHECK(after ? (char *)after - to : -1);")
        else:
            self.body.append(f"  CHECK(stpncpy(to, from, {size}) - to);")
        self.body.append("  for (int i = 0; i < 8; i++) CHECK(to[i]); }")

    def numbers(self) -> None:
        """Bits and bytes of numbers."""
        value = self.random.choice([0, 1, self.random.getrandbits(63), 1 << self.random.randrange(63)])
        call = self.random.choice(["ffs", "ffsl", "ffsll", "htons", "ntohs", "htonl", "ntohl"])
        self.body.append(f"CHECK({call}({value}L));")

    def sorting(self) -> None:
        """Arrays, sorted and searched."""
        values = [self.random.randint(-20, 40) for _ in range(self.random.randint(1, 5))]
        text, count = ", ".join(map(str, values)), len(values)
        order = self.random.choice(["up", "tens"])
        self.body.append(f"{{ int v[] = {{{text}}}, key = {self.random.choice(values)}, *f;")
        self.body.append(f"  qsort(v, {count}, sizeof *v, {order}); for (int i = 0; i < {count}; i++) CHECK(v[i]);")
        self.body.append(f"  f = bsearch(&key, v, {count}, sizeof *v, {order}); CHECK(f ? f - v : -1); }}")

    def options(self) -> None:
        """Options, in any order."""
        if self.arguments:
            return
        words = self.random.choices(
            ["-a", "-b", "-ab", "-cx", "-c", "x", "-", "--", "y", "-ac", "-d", "-oz", "-o"], k=4
        )
        known = self.random.choice(["", "+", "-", ":", "+:"]) + "abc:o::"
        self.arguments = shlex.join(words)
        self.body.append(f'{{ int option; while ((option = getopt(argc, argv, "{known}")) != -1) {{')
        self.body.append("    CHECK(option); CHECK(optind); CHECK(hash(optarg)); if (option == '?') CHECK(optopt); }")
        self.body.append("  CHECK(optind); for (int i = 1; i < argc; i++) CHECK(hash(argv[i])); }")

    def reading(self) -> None:
        """Standard input."""
        piece = self.text("ab 12\n-x,", 10)
        self.input += piece
        size = self.random.randint(2, 6)
        self.body.append('{ char text[20] = "", *line = 0; size_t room = 0; int a = -7, b = -8; unsigned u = 9;')
        self.body.append(
            "  "
            + self.random.choice([
                "CHECK(getchar());", f"CHECK(hash(fgets(text, {size}, stdin)));",
                "CHECK(getline(&line, &room, stdin));",
                "CHECK(scanf(\"%d\", &a)); CHECK(a);", "CHECK(scanf(\"%d,%d\", &a, &b)); CHECK(a); CHECK(b);",
                "CHECK(scanf(\" %3s\", text)); CHECK(hash(text));", "CHECK(scanf(\"%x\", &u)); CHECK(u);",
                "CHECK(scanf(\"%i%c\", &a, text)); CHECK(a); CHECK(text[0]);", "CHECK(fread(text, 2, 2, stdin));",
                "CHECK(scanf(\"%5[ab ]\", text)); CHECK(hash(text));", "CHECK(getdelim(&line, &room, 'b', stdin));",
                "CHECK(ungetc(getchar(), stdin));", "CHECK(feof(stdin) != 0);",
            ])
            + " if (line) { CHECK(hash(line)); free(line); } }"
        )  # fmt: skip

    KINDS: tuple[Callable[[_Program], None], ...] = (
        tokens, parts, parts, paths, copies, numbers, sorting, options, reading, reading,
    )  # fmt: skip

    def source(self, known: list[str] | None) -> str:
        """The program; with the numbers that are *known*, if it is to check them."""
        table = "" if known is None else f"long known[] = {{{', '.join([*known, '0'])}}};\n"
        body = "\n".join(f"    {line}" for line in self.body)
        return f"{_HEAD}{table}int main(int argc, char **argv)\n{{\n{body}\n    return 0;\n}}\n"


def program(seed: str, size: int) -> _Program:
    """A random program."""
    made = _Program(seed)
    for _ in range(size):
        made.random.choice(made.KINDS)(made)
    return made


def numbers(made: _Program, folder: Path) -> list[str]:
    """What the compiled program prints."""
    source, binary = folder / "shown.c", folder / "shown"
    source.write_text(made.source(None), encoding="utf-8")
    subprocess.run([compiler(), "-w", "-O0", "-DSHOW", str(source), "-o", str(binary)], check=True)
    done = subprocess.run(
        [str(binary), *shlex.split(made.arguments)],
        input=made.input, capture_output=True, text=True, check=True, timeout=10, env={},
    )  # fmt: skip
    return done.stdout.split()


def wrong(made: _Program, folder: Path, backend: str) -> Iterator[str]:
    """What is wrong with the answers for the program."""
    known = numbers(made, folder)
    stdin = folder / "stdin.txt"
    stdin.write_text(made.input, encoding="utf-8")
    changed = made.random.randrange(len(known)) if known else None
    for right in (True, False):
        if changed is None:
            return
        values = list(known)
        if not right:
            values[changed] = str(int(values[changed]) + 1)
        path = folder / f"{'right' if right else 'wrong'}.c"
        path.write_text(made.source(values), encoding="utf-8")
        bounds = {} if backend == "native" else {"unwind": made.unwind, "rounds": 1}
        outcome = verify([str(path)], backend=backend, args=made.arguments, stdin=str(stdin), **bounds)
        wanted = Verdict.TRUE if right else Verdict.FALSE
        if outcome.verdict is not wanted and not (right and outcome.exit_status == 0):
            yield f"{outcome.verdict} instead of {wanted}: {outcome.message} {outcome.violated}\n{made.source(values)}"


def differences(seed: int, first: int, count: int, size: int, backend: str) -> list[str]:
    """What is wrong with the answers for random programs."""
    found = []
    for number in range(first, first + count):
        with tempfile.TemporaryDirectory() as folder:
            found += wrong(program(f"{seed}.{number}", size), Path(folder), backend)
    return found


def main(arguments: list[str] | None = None) -> int:
    """Compare as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--size", type=int, default=6)
    parser.add_argument("--backend", default="native")
    given = parser.parse_args(arguments)
    found = differences(given.seed, given.first, given.count, given.size, given.backend)
    print("\n".join(found) if found else f"{given.count} programs: no difference")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
