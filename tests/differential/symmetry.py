"""Random programs in which several threads have one start function: the reduction by symmetry against none.

    python -m tests.differential.symmetry --seed 1 --count 100

Each program is searched by the explicit engine with and without ``--no-symmetry``, with supersteps and without. The
verdicts have to be the same, claims have to fail at the ends of schedules, and no search may see more states for it. In
some of the programs threads are told apart in ways that a wrong reduction would not notice.
"""

import argparse
import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from cseq.model.errors import UnsupportedError
from tests.differential.explicit import PLAIN, searched, verdict

WAYS = [PLAIN, (), (*PLAIN, "--search", "dfs"), ("--search", "dfs"), ("--store", "compact"), ("--not-alone",)]
"""The options with which symmetry must make no difference."""

_SHARED = ("x", "y", "z")


class _Writer:
    """Writes one random program."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.knows_argument = rng.random() < 0.15
        self.knows_itself = rng.random() < 0.1

    def _value(self) -> str:
        values = ["0", "1", "2", *_SHARED, "l", "l", "l + 1"]
        values += ["(int)(long)arg"] if self.knows_argument else []
        values += ["(pthread_self() == t[0])"] if self.knows_itself else []
        return self.rng.choice(values)

    def _condition(self) -> str:
        return f"{self._value()} {self.rng.choice(['==', '!=', '<', '<='])} {self._value()}"

    def _simple(self) -> str:
        rng, shared = self.rng, self.rng.choice(_SHARED)
        return rng.choice(
            [
                f"{shared} = {shared} + 1;", f"{shared} = {self._value()};", f"l = {self._value()};",
                f"l = {shared};", f"if ({self._condition()}) {shared} = {self._value()};",
                f"if ({self._condition()}) l = {self._value()};", f"p = p == &x ? &y : &x; *p = {self._value()};",
                f"if ({self._condition()}) return NULL;",
            ]
        )  # fmt: skip

    def _statement(self) -> str:
        rng, mutex = self.rng, self.rng.choice(["&m", "&n[0]", "&n[1]"])
        inside = " ".join(self._simple() for _ in range(rng.randrange(1, 3)))
        while "return" in inside and rng.random() < 0.9:
            inside = self._simple()
        kind = rng.random()
        if kind < 0.25:
            return f"pthread_mutex_lock({mutex}); {inside} pthread_mutex_unlock({mutex});"
        if kind < 0.35:
            return f"if (pthread_mutex_trylock({mutex}) == 0) {{ {inside} pthread_mutex_unlock({mutex}); }}"
        if kind < 0.42 and "return" not in inside:
            return f"__VERIFIER_atomic_begin(); {inside} __VERIFIER_atomic_end();"
        if kind < 0.47:
            return "sem_wait(&s);" if rng.random() < 0.7 else "sem_post(&s);"
        if kind < 0.6:
            return (
                f"assert(!({self._condition()}));"
                if rng.random() < 0.3
                else (f"assert(!({self._condition()} && {self._condition()}));")
            )
        return self._simple()

    def _function(self, name: str) -> str:
        body = "\n    ".join(self._statement() for _ in range(self.rng.randrange(2, 5)))
        return f"void *{name}(void *arg)\n{{\n    int l = 0;\n    int *p = &x;\n    {body}\n    return NULL;\n}}"

    def _main(self, threads: int) -> str:
        rng = self.rng
        argument = "(void *)(long)i" if self.knows_argument or rng.random() < 0.2 else "NULL"
        other = rng.random() < 0.3
        lines = ["int l = 0;", f"sem_init(&s, 0, {rng.randrange(1, threads + 1)});"]
        lines += [f"for (int i = 0; i < {threads}; i++) pthread_create(&t[i], NULL, f, {argument});"]
        lines += ["pthread_t o; pthread_create(&o, NULL, g, NULL);"] if other else []
        if rng.random() < 0.3:
            lines += [rng.choice(["x = 2;", "pthread_mutex_lock(&m); y = 1; pthread_mutex_unlock(&m);", "l = z;"])]
        claim = f"assert(!(x == {rng.randrange(4)} && y {rng.choice(['==', '!='])} {rng.randrange(3)}));"
        kind = rng.random()
        if kind < 0.6:
            lines += [f"for (int i = 0; i < {threads}; i++) pthread_join(t[i], NULL);"]
            lines += ["pthread_join(o, NULL);"] if other else []
        elif kind < 0.75:
            lines += [f"for (int i = {threads - 1}; i >= 0; i--) pthread_join(t[i], NULL);"]
        elif kind < 0.85:
            lines += ["pthread_join(t[0], NULL);", claim, "pthread_join(t[1], NULL);"]
        elif kind < 0.95:
            lines += ["pthread_join(t[1], NULL);"]
        lines += self._again(threads, claim) if rng.random() < 0.4 else []
        lines += [claim, "return 0;"]
        return "int main(void)\n{\n    " + "\n    ".join(lines) + "\n}"

    def _again(self, threads: int, claim: str) -> list[str]:
        """A second phase, in which main creates threads after it has joined some."""
        rng, start = self.rng, self.rng.choice("fg")
        lines = [
            rng.choice(["", claim, "x = 1;", "l = y;", "pthread_mutex_lock(&m); z = 0; pthread_mutex_unlock(&m);"])
        ]
        lines += [f"for (int i = 0; i < 2; i++) pthread_create(&u[i], NULL, {start}, NULL);"]
        lines += [rng.choice(["", "", "pthread_join(u[1], NULL);", claim])]
        lines += [f"pthread_join(t[{threads - 1}], NULL);"] if rng.random() < 0.2 else []
        return [
            *lines,
            rng.choice(["pthread_join(u[0], NULL);", "for (int i = 0; i < 2; i++) pthread_join(u[i], NULL);"]),
        ]

    def program(self) -> str:
        """The text of the program."""
        threads = self.rng.randrange(2, 5)
        head = ["#include <assert.h>", "#include <pthread.h>", "#include <semaphore.h>", "#include <stddef.h>",
                "void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);",
                f"int {', '.join(_SHARED)};", f"pthread_t t[{threads}], u[2];", "sem_t s;",
                "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
                "pthread_mutex_t n[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};"]  # fmt: skip
        return "\n".join([*head, self._function("f"), self._function("g"), self._main(threads), ""])


def compare(text: str, folder: Path, counts: Counter[str], timeout: float = 4) -> str:
    """What is wrong with the answers about a program; empty where nothing is."""
    tool = searched(text, folder)
    for options in WAYS:
        without = tool.search(*options, "--no-symmetry", timeout=timeout)
        found = tool.search(*options, timeout=timeout)
        said, expected = verdict(found), verdict(without)
        counts[f"{said} instead of {expected}" if said != expected else said] += 1
        if "time" in (said, expected) or "memory" in (said, expected):
            continue
        if said != expected:
            return f"{said} instead of {expected}: {' '.join(options)}"
        if said == "violated" and found["kind"] == "assertion" and not tool.fails(found):
            return f"another execution: {' '.join(options)}"
        states, more = (each["statistics"]["states"] for each in (found, without))
        if said == "safe" and states > more and options[:1] == PLAIN:
            return f"{states} states rather than {more}: {' '.join(options)}"
        counts["fewer states"] += said == "safe" and states < more
        counts["states"] += states
        counts["states without"] += more
    return ""


def generated(seed: int) -> str:
    """The text of the program with this number."""
    return _Writer(random.Random(seed)).program()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    arguments = parser.parse_args()
    counts = Counter[str]()
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        text = generated(seed)
        with tempfile.TemporaryDirectory() as folder:
            try:
                wrong = compare(text, Path(folder), counts)
            except UnsupportedError as error:
                counts[f"unsupported: {error}"] += 1
                continue
        if wrong:
            print(f"seed {seed}: {wrong}\n{text}")
            return 1
    print("\n".join(f"{count:8} {what}" for what, count in sorted(counts.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
