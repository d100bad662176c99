"""Compare what the explorer says of arithmetic and memory with what gcc's sanitizers see in the compiled program.

    python -m tests.differential.checked --seed 1 --count 50

prints each program in which one of them sees an error and the other one does not, and exits with status 1. A program
has one execution: a thread makes a few random statements, and main some more when it has ended. For arithmetic these
compute with integers of several types. For memory they access arrays, blocks and locals, near their ends and after
their lives, through pointers that are kept in between. ``UNKNOWN`` contradicts nobody. Leaks are left out.
"""

import argparse
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from cseq.api import run
from cseq.cli.options import read
from cseq.cli.request import Request
from cseq.model.claims import Reason
from cseq.model.verdict import Outcome, Verdict
from cseq.pipeline.chain import load
from cseq.report.words import message
from tests.support.checkout import ROOT

PROPERTIES = ("no-overflow", "valid-memsafety")
_SANITIZERS = {
    "no-overflow": "signed-integer-overflow,integer-divide-by-zero,shift",
    "valid-memsafety": "address,bounds",
}
_MAIN = """\
void *work(void *argument)
{{
{first}  return 0;
}}
int main(void)
{{
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
{second}  return 0;
}}
"""
_NUMBERS = {
    "int": "i", "long": "l", "short": "s", "unsigned": "u", "signed char": "c", "unsigned char": "b", "long long": "q"
}  # fmt: skip
_CONSTANTS = ("0", "1", "-1", "2", "31", "100", "0x7fffffff", "-0x7fffffff", "65536", "0x7fffffffffffffffL", "5u")
_MEMORY = """\
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
int a[4], t[2][3];
char text[5];
struct pair { int one; short more[2]; int two; } pair;
int *p[3], n;
char *c;
static void keep(int *at, int value) { int local = value; p[value % 3] = at ? at : &local; n += *p[value % 3]; }
"""


def arithmetic(rng: random.Random) -> str:
    """A program that computes."""

    def leaf() -> str:
        return rng.choice(_CONSTANTS) if rng.random() < 0.3 else rng.choice(list(_NUMBERS.values()))

    def expression(depth: int) -> str:
        kind = rng.random()
        if depth == 0 or kind < 0.2:
            return leaf()
        if kind < 0.3:
            return f"({rng.choice(['-', '~'])}{expression(depth - 1)})"
        if kind < 0.4:
            return f"({expression(depth - 1)} > {leaf()} ? {expression(depth - 1)} : {expression(depth - 1)})"
        if kind < 0.5:
            return f"({leaf()} {rng.choice(['&&', '||'])} {expression(depth - 1)})"
        operator = rng.choice(["+", "-", "*", "+", "-", "/", "%", "<<", ">>", "&"])
        right = f"({expression(depth - 1)} & 31)" if operator in ("<<", ">>") else expression(depth - 1)
        return f"({expression(depth - 1)} {operator} {right})"

    def statement() -> str:
        name = rng.choice(list(_NUMBERS.values()))
        kind = rng.random()
        if kind < 0.2:
            return f"  {name}{rng.choice(['++', '--'])};\n"
        if kind < 0.4:
            return f"  {name} {rng.choice(['+=', '-=', '*='])} {leaf()};\n"
        return f"  {name} = {expression(2)};\n"

    head = "#include <pthread.h>\n" + "".join(f"{type_} {name} = 3;\n" for type_, name in _NUMBERS.items())
    parts = ["".join(statement() for _ in range(rng.randint(1, 4))) for _ in range(2)]
    return head + _MAIN.format(first=parts[0], second=parts[1])


def memory(rng: random.Random) -> str:
    """A program that accesses memory."""
    near = rng.choice([0, 1])  # how far statements may go beyond an end

    def index(length: int) -> int:
        return rng.randint(-near, length - 1 + near)

    def statement() -> str:
        k = rng.randrange(3)
        return rng.choice([
            lambda: f"a[n % 2 + {index(3)}] = {rng.randint(0, 9)};",
            lambda: f"n = {rng.randint(0, 1)}; t[n][{index(3)}] = 1;",
            lambda: f"if (!p[{k}]) p[{k}] = malloc({rng.randint(1, 3)} * sizeof(int));",
            lambda: f"if (p[{k}]) memset(p[{k}], 0, {4 * rng.randint(1, 2)});",
            lambda: f"if (p[{k}]) p[{k}][{index(2)}] = 3;",
            lambda: f"if (p[{k}] && p[{k}] != a + 1) free(p[{k}]);" + (f" p[{k}] = 0;" if rng.random() < 0.7 else ""),
            lambda: f"if (!p[{k}]) {{ p[{k}] = a + 1; p[{k}][{index(3)}] = 1; p[{k}] = 0; }}",
            lambda: f"memcpy(text + {abs(index(5))}, \"abc\", {rng.randint(0, 2)});",
            lambda: f"c = \"abc\"; n = c[{index(4)}] & 1;",
            lambda: f"{{ int *at = a; at += {rng.randint(1, 4 + near)}; at -= {rng.randint(0, 1)}; n = *at & 1; }}",
            lambda: f"{{ struct pair *at = &pair; at->more[{index(2)}] = 1; at = at + {index(1)}; at->two = 2; }}",
            lambda: f"keep({rng.choice(['a', '&n', '0'])}, {k}); if (p[{k}] == a || p[{k}] == &n) p[{k}] = 0;",
            lambda: f"c = realloc(0, {rng.randint(2, 4)}); c[{rng.randint(0, 1)}] = 'x'; n = strlen(text); free(c);",
        ])()  # fmt: skip

    parts = ["".join(f"  {statement()}\n" for _ in range(rng.randint(1, 4))) for _ in range(2)]
    return _MEMORY + _MAIN.format(first=parts[0], second=parts[1])


def fails(text: str, property_: str, folder: Path) -> bool:
    """Whether a sanitizer sees an error."""
    source, binary = folder / "program.c", folder / "program"
    source.write_text(text, encoding="utf-8")
    command = ["gcc", "-w", "-O0", "-g0", f"-fsanitize={_SANITIZERS[property_]}", "-fno-sanitize-recover=all"]
    subprocess.run([*command, str(source), "-o", str(binary), "-pthread"], check=True, capture_output=True)
    options = {"ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1:detect_odr_violation=0"}
    done = subprocess.run([str(binary)], env=options, capture_output=True, timeout=60, check=False)
    return done.returncode != 0


def explored(text: str, property_: str, folder: Path) -> Outcome:
    """What the explorer says."""
    source = folder / "program.c"
    source.write_text(text, encoding="utf-8")
    file = str(ROOT / "sv-benchmarks" / "properties" / f"{property_}.prp")
    task = read(load("explicit"), ["--spec", file, "--timeout", "60", str(source)])
    assert isinstance(task, Request)
    outcome = run(task.way, task.files)
    assert isinstance(outcome, Outcome)
    return outcome


def disagreement(text: str, property_: str, folder: Path) -> str:
    """How the two answers contradict each other; "" if they do not."""
    outcome = explored(text, property_, folder)
    if outcome.verdict is Verdict.UNKNOWN:
        return ""
    violated = outcome.violated
    found = violated is not None and violated.claim.reason is not Reason.LEAK
    expected = fails(text, property_, folder)
    return "" if found == expected else f"a sanitizer sees {'an' if expected else 'no'} error; {message(outcome)}"


def program(seed: str, property_: str) -> str:
    """The program of a *seed*."""
    rng = random.Random(seed)
    return arithmetic(rng) if property_ == PROPERTIES[0] else memory(rng)


def main(arguments: list[str] | None = None) -> int:
    """Compare many programs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--property", action="append", choices=PROPERTIES)
    options = parser.parse_args(arguments)
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for property_ in options.property or PROPERTIES:
            for number in range(options.count):
                text = program(f"{options.seed}.{number}", property_)
                how = disagreement(text, property_, Path(folder))
                if how:
                    wrong += 1
                    print(f"{property_} {options.seed}.{number}: {how}\n{text}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
