"""Random options on small programs: each gets an answer, or one line that says what is wrong with the command.

    python -m tests.differential.options --seed 1 --count 100

Without ``--count``, every option alone, with every value that is tried, on every program; ``--count N`` adds N pairs
of options chosen at random. The options are those that the chains declare, and CSeq's own. Values are made by type,
limits and choices; for those that name something in a program there is a table, and an option that is not in it is
tried with words that name nothing.

What counts as wrong: an exit status other than 0, 1, 2 and 3; a traceback; an engine or the translation that fails;
exit status 2 with more or less than one line, apart from answers about other properties; or no end.
"""

import argparse
import itertools
import random
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from cseq.cli.options import own_options
from cseq.pipeline.stage import Parameter
from cseq.portfolio.families import Families
from tests.support.checkout import ROOT

_OBSERVERS = """\
int x, y, first = 1;
int small(void) { return x < 100; }
int positive(void) { return x >= 0; }
int parity(void) { return x & 1; }
int before(int a, int b) { return a < b; }
"""

PROGRAMS = {
    "assertion": """\
#include <assert.h>
#include <pthread.h>
void *work(void *arg)
{
    for (int i = 0; i < 2; i++)
        x++;
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    x++;
    pthread_join(t, 0);
    assert(x == 3);
    return 0;
}
""",
    "deadlock": """\
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *work(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    x++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    x++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_join(t, 0);
    return 0;
}
""",
    "inputs": """\
#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
void *work(void *arg)
{
    y = x;
    return 0;
}
int main(void)
{
    pthread_t t;
    x = __VERIFIER_nondet_int();
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    if (x > 7)
        assert(y != 9);
    return 0;
}
""",
    "alone": """\
#include <assert.h>
#include <stdio.h>
int square(int n)
{
    return n <= 0 ? 0 : square(n - 1) + 2 * n - 1;
}
int main(int argc, char **argv)
{
    while (y < 3)
        y++;
    x = square(y);
    printf("%d %s\\n", x, argv[0]);
    assert(x == 9);
    return 0;
}
""",
    "heap": """\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct node { int value; struct node *next; } *head;
void *work(void *arg)
{
    struct node *mine = malloc(sizeof *mine);
    if (!mine)
        return 0;
    mine->value = 1;
    mine->next = head;
    head = mine;
    return 0;
}
int main(void)
{
    pthread_t t;
    char *text = strdup("abc");
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    assert(!head || head->value == 1);
    free(text);
    return 0;
}
""",
}
"""The programs, after what observers look at."""

_LINE = 1 + _OBSERVERS.count("\n")

VALUES: dict[str, Sequence[str]] = {
    "include": (".", "/nowhere"),
    "define": ("N=3", "N", "first=2", "1x"),
    "invariant": ("small", "positive", "main", "before", "nothing", "x"),
    "abstract": ("parity", "small", "before", "nothing"),
    "heuristic": ("x", "nothing", "small"),
    "prop": ("p=1", "p=x > 0", "p=1 / x", "p=nothing", "p=small()", "p", "p=", "G=x", "p=x++"),
    "ltl": ("true", "G true", "F false", "terminated", "G p", "(", "X true", "F terminated"),
    "can_preempt": ("before", "small", "nothing"),
    "nondet_range": ("0..9", "-3..3", "5..1", "x", "0..9999999999"),
    "simulate": ("roundrobin", "random", "/nowhere", "program.c"),
    "unwindset": (f"program.c:{_LINE + 4}=3", "program.c:1=2", "x", "program.c:2"),
    "schedule": ("+:+", "0:1:0", "1", "9", "x", ""),
    "backend": ("auto", "native", "spin", "cbmc", "esbmc", "nothing", "program.c"),
    "spec": ("unreach.prp", "/nowhere", "program.c"),
    "timeout": ("0", "0.1", "5", "-1", "x"),
    "memlimit": ("1", "100", "4000", "0", "x"),
    "keep": ("kept",), "html": ("page.html", "program.c"), "reproducer": ("again.c", "program.c"),
    "witness": ("witness.yml", "witness.graphml", "/nowhere/w.yml"), "linemap_json": ("map.json",),
    "dump_after": ("merger", "nothing", "stepper", "sequentializer"), "dump_all": ("dumps",),
    "chain": ("lazy", "explicit", "nothing", "program.c"), "compile": ("-O1", "-DNUMBER=1"),
}  # fmt: skip
"""The values that are tried for options by the names of their parameters, where types do not tell them."""

_SENSELESS = frozenset({"", "x", "1x", "-1", "nothing", "/nowhere", "/nowhere/w.yml", "p=1 / x", "p=x++", "p=nothing"})
"""Values that are wrong for most options."""

_NUMBERS = (0, 1, 2, 3, 7, 100)
_ANSWER = re.compile(r"[a-z-]+: (?:TRUE|FALSE|UNKNOWN)\b")
"""An answer that is printed as soon as it is known, where something else is still asked about."""

_WRONG = re.compile(
    r"Traceback|internal error|please report|does not compile|\bfail(?:s|ed)?\b(?! as)|no known message|\bbug of"
)


@dataclass(frozen=True)
class Option:
    """An option with a value. name: of its parameter."""

    name: str
    words: tuple[str, ...]


def options() -> list[Option]:
    """Every option, with each of the values that are tried."""
    found = [option for parameter in Families().parameters().values() for option in _of(parameter)]
    for names, metavar, _ in own_options():
        name = names[-1].removeprefix("--").replace("-", "_")
        if metavar is None:
            found.append(Option(name, (names[-1],)))
        else:
            found += [Option(name, (f"{names[-1]}={value}",)) for value in VALUES.get(name, ("x",))]
    return found


def _of(parameter: Parameter[object]) -> list[Option]:
    name = parameter.name
    if name == "bits":
        return [Option(name, ("--32",)), Option(name, ("--64",))]
    if not parameter.options:
        return []
    flag = max(parameter.options, key=len)
    if parameter.type is bool:
        return [Option(name, (flag,))]
    tried: Sequence[str] = VALUES.get(name, ())
    if not tried and parameter.choices is not None:
        tried = (*parameter.choices(), "nothing")
    elif not tried and parameter.type in (int, float):
        tried = (*map(str, _NUMBERS), "-1", "x")
    # What begins with two dashes takes its value after `=`, also an empty one.
    join = f"{flag}={{}}" if flag.startswith("--") else f"{flag}{{}}"
    return [Option(name, (join.format(value),)) for value in tried or ("x", "", "1")]


def commands(seed: int, count: int | None) -> Iterator[tuple[str, tuple[Option, ...]]]:
    """The programs and options to try: each option alone, or *count* random pairs."""
    known = options()
    if count is None:
        for option, program in itertools.product(known, PROGRAMS):
            yield program, (option,)
        return
    rng = random.Random(seed)
    by_name: dict[str, list[Option]] = {}
    for option in known:
        by_name.setdefault(option.name, []).append(option)
    by_name = {name: [each for each in tried if _makes_sense(each)] or tried for name, tried in by_name.items()}
    for _ in range(count):
        names = rng.sample(sorted(by_name), 2)
        yield rng.choice(sorted(PROGRAMS)), tuple(rng.choice(by_name[name]) for name in names)


def _makes_sense(option: Option) -> bool:
    """Whether an option is not refused on its own: pairs of options are about what they do to each other."""
    return option.words[-1].partition("=")[2] not in _SENSELESS or "=" not in option.words[-1]


def write(folder: Path, program: str) -> None:
    """Write the files that the options name into *folder*."""
    (folder / "program.c").write_text(_OBSERVERS + PROGRAMS[program], encoding="utf-8")
    (folder / "unreach.prp").write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n", encoding="utf-8")


def words_of(chosen: Sequence[Option]) -> list[str]:
    """The words of the command line."""
    given = {option.name for option in chosen}
    limits = ["--timeout=6"] if "timeout" not in given else []
    return [*limits, *(word for option in chosen for word in option.words), "program.c"]


def judged(status: int, out: str, err: str) -> str:
    """What is wrong with a run; empty if nothing is."""
    if status not in (0, 1, 2, 3):
        return f"exit status {status}"
    said = _WRONG.search(err) or _WRONG.search("\n".join(line for line in out.splitlines() if "UNKNOWN" in line))
    if said:
        return f"says `{said[0]}`"
    complaint = [line for line in err.splitlines() if not _ANSWER.match(line)]
    if status == 2 and (len(complaint) != 1 or not err.strip()):
        return f"exit status 2 with {len(complaint)} lines"
    return ""


def run(program: str, chosen: Sequence[Option], limit: float = 120.0) -> tuple[str, str, int]:
    """What is wrong with the run of *chosen* options on *program*, the last line that it printed, and its status."""
    with tempfile.TemporaryDirectory(prefix="cseq-options-") as name:
        folder = Path(name)
        write(folder, program)
        command = [sys.executable, str(ROOT / "cseq.py"), *words_of(chosen)]
        with subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            errors="replace",
        ) as process:  # fmt: skip
            try:
                out, err = process.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGTERM)
                process.communicate()
                return "does not end", "", -1
        return judged(process.returncode, out, err), (err or out).strip().split("\n")[-1], process.returncode


def main(arguments: Sequence[str] | None = None) -> int:
    """Try options; print what is wrong, and how many commands ended how."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, help="random pairs; without it, each option alone")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", help="a regular expression that the command has to match")
    given = parser.parse_args(arguments)
    chosen = [
        (program, tried)
        for program, tried in commands(given.seed, given.count)
        if not given.only or re.search(given.only, " ".join(words_of(tried)))
    ]
    ended: dict[int, int] = {}
    wrong = 0
    with ThreadPoolExecutor(given.jobs) as pool:
        for (program, tried), (what, said, status) in zip(
            chosen, pool.map(lambda each: run(*each), chosen), strict=True
        ):
            ended[status] = ended.get(status, 0) + 1
            if what:
                wrong += 1
                print(f"{program}: {' '.join(words_of(tried))}: {what}: {said[:300]}", flush=True)
    told = ", ".join(f"{number} with {status}" for status, number in sorted(ended.items()))
    print(f"{len(chosen)} commands, {wrong} wrong; exit status: {told}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
