"""Random programs with locks, most of whose accesses are protected: the reduction must not change any verdict.

    python -m tests.differential.movers --seed 1 --count 100 [--backend cbmc]

compares, for assertions, deadlocks and data races, the verdict with critical sections as one step with that without.
"""

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import cseq
from cseq.model.verdict import Verdict

_HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct box { pthread_mutex_t lock; int a, b; int many[2]; };
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t each[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_spinlock_t spin;
struct box box = { PTHREAD_MUTEX_INITIALIZER }, other = { PTHREAD_MUTEX_INITIALIZER };
struct box *heap, *alias = &other;
int x, y, z, two[2];
static void add(int *to, int what) { *to += what; }
static void put(struct box *to, int what) { to->a = what; to->b = to->a + 1; }
static void locked_put(struct box *to, int what)
{
    pthread_mutex_lock(&to->lock);
    put(to, what);
    pthread_mutex_unlock(&to->lock);
}
"""

_LOCKS = {
    "m": ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);", ("x", "two[0]", "two[1]")),
    "n": ("pthread_mutex_lock(&n);", "pthread_mutex_unlock(&n);", ("y", "heap->a")),
    "rw": ("pthread_rwlock_wrlock(&rw);", "pthread_rwlock_unlock(&rw);", ("z",)),
    "rd": ("pthread_rwlock_rdlock(&rw);", "pthread_rwlock_unlock(&rw);", ()),
    "spin": ("pthread_spin_lock(&spin);", "pthread_spin_unlock(&spin);", ("heap->b",)),
    "box": ("pthread_mutex_lock(&box.lock);", "pthread_mutex_unlock(&box.lock);", ("box.a", "box.b", "box.many[1]")),
    "alias": ("pthread_mutex_lock(&alias->lock);", "pthread_mutex_unlock(&alias->lock);", ("alias->a", "other.b")),
    "each": ("pthread_mutex_lock(&each[1]);", "pthread_mutex_unlock(&each[1]);", ("box.many[0]",)),
}
"""How to acquire and release each lock, and the lvalues that it protects, mostly."""
_READ_UNDER = {"rd": ("z",)}
_ALL = tuple(sorted({lvalue for _, _, lvalues in _LOCKS.values() for lvalue in lvalues}))

PROPERTIES = ("assertion", "deadlock", "race")


class Case(NamedTuple):
    """A program, and what is asked about it."""

    text: str
    property: str


class _Writer:
    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._careless = rng.choice((0.0, 0.0, 0.06, 0.2))
        self._locals = 0
        # Few locks and lvalues, so that threads meet.
        self._names = rng.sample(sorted(_LOCKS), 2)
        if "rd" in self._names:
            self._names.append("rw")

    def _lvalue(self, held: list[str], writes: bool) -> str:
        rng = self._rng
        if rng.random() < self._careless:
            return rng.choice([lvalue for name in self._names for lvalue in _LOCKS[name][2]] or _ALL)
        good = [lvalue for name in held for lvalue in _LOCKS[name][2]]
        if not writes:
            good += [lvalue for name in held for lvalue in _READ_UNDER.get(name, ())]
        return rng.choice(good) if good else ""

    def _access(self, held: list[str]) -> list[str]:
        rng = self._rng
        kind = rng.choice(("store", "store", "increment", "branch", "check", "check", "copy", "call", "loop"))
        if kind in ("check", "copy"):
            lvalue = self._lvalue(held, writes=False)
            if not lvalue:
                return []
            if kind == "copy":
                return [f"seen = {lvalue};"]
            return [
                f"assert({rng.choice((lvalue, lvalue, 'seen'))} {rng.choice(('!=', '<', '>='))} {rng.randrange(4)});"
            ]
        lvalue = self._lvalue(held, writes=True)
        if not lvalue:
            return []
        match kind:
            case "store":
                return [f"{lvalue} = {rng.choice(('seen', '1', '2', '3'))};"]
            case "increment":
                return [f"{lvalue}++;"]
            case "branch":
                return [f"if ({lvalue} == {rng.randrange(3)}) {lvalue} = {rng.randrange(3)}; else seen = 1;"]
            case "call":
                return [f"add(&{lvalue}, {rng.randrange(1, 3)});"]
        return [f"while ({lvalue} == 1) {lvalue} = {rng.choice((0, 2))};"]

    def _section(self, held: list[str]) -> list[str]:
        rng = self._rng
        free = [name for name in self._names if name not in held and not {name, *held} >= {"rd", "rw"}]
        if not free:
            return []
        name = rng.choice(free)
        acquire, release, _ = _LOCKS[name]
        inner: list[str] = []
        for _ in range(rng.choice((1, 1, 2, 3))):
            inner += self._access([*held, name])
        if rng.random() < 0.25:
            inner += self._section([*held, name])
            inner += self._access([*held, name])
        if name == "m" and rng.random() < 0.3:
            inner += rng.choice((["pthread_cond_signal(&c);"], ["if (x == 0) pthread_cond_wait(&c, &m);"]))
            inner += self._access([*held, name])
        if rng.random() < 0.12:
            inner += [release, acquire]
            inner += self._access([*held, name])
        if name in ("m", "n") and rng.random() < 0.08:
            if rng.random() < 0.5:
                return [f"seen = pthread_mutex_trylock(&{name}); if (seen) return 0;", *inner, release]
            return [f"if (pthread_mutex_trylock(&{name}) == 0) {{", *inner, release, "} else seen = 2;"]
        if rng.random() < 0.05:
            inner.append("if (seen == 2) return 0;")
        return [acquire, *inner, release]

    def statements(self, sections: int) -> list[str]:
        """So many sections, and careless accesses."""
        found: list[str] = []
        for _ in range(sections):
            found += self._section([])
            if self._rng.random() < self._careless * 2:
                found += self._access([])
            if self._rng.random() < 0.1:
                found.append(f"locked_put({self._rng.choice(('&box', 'alias'))}, {self._rng.randrange(3)});")
            if self._rng.random() < 0.1:
                found.append(f"assert(seen != {self._rng.randrange(4)});")
        return found


def program(rng: random.Random) -> str:
    """Two threads or three, and main, which may take part, and joins all of them or some."""
    writer = _Writer(rng)
    count = rng.choice((2, 2, 3))
    lines = [_HEAD]
    same = rng.random() < 0.3
    starts = ["t0" if same else f"t{number}" for number in range(count)]
    for name in sorted(set(starts)):
        sections = writer.statements(2 if count == 2 and rng.random() < 0.5 else 1)
        lines += [f"void *{name}(void *arg)", "{", "int seen = 0;", *sections, "return 0;", "}"]
    lines += ["int main(void)", "{", f"pthread_t h[{count}];", "int seen = 0;", "heap = malloc(sizeof *heap);"]
    lines += ["heap->a = 0; heap->b = 0;", "pthread_spin_init(&spin, 0);", f"x = {rng.randrange(2)};"]
    if rng.random() < 0.5:
        lines += ["for (int i = 0; i < 2; i++)", "two[i] = i;"]
    lines += [f"pthread_create(&h[{number}], 0, {start}, 0);" for number, start in enumerate(starts)]
    lines += writer.statements(1) if rng.random() < 0.3 else []
    joined = count if rng.random() < 0.8 else count - 1
    if joined == count and rng.random() < 0.5:
        lines += [f"for (int i = 0; i < {count}; i++)", "pthread_join(h[i], 0);"]
    else:
        lines += [f"pthread_join(h[{number}], 0);" for number in range(joined)]
    for _ in range(2):
        lvalue = rng.choice([lvalue for name in writer._names for lvalue in _LOCKS[name][2]] or _ALL)
        lines.append(f"assert({lvalue} {rng.choice(('!=', '<'))} {rng.randrange(1, 5)});")
    return "\n".join([*lines, "return 0;", "}", ""])


def cases(seed: int, count: int, start: int = 0) -> Iterator[Case]:
    """The programs of *seed*, from number *start* on, each with one property."""
    for number in range(start, start + count):
        rng = random.Random(f"{seed}/{number}")
        yield Case(program(rng), PROPERTIES[number % 3])


def verdict(case: Case, folder: Path, backend: str = "native", **more: object) -> Verdict:
    """What CSeq says of *case*."""
    source = folder / "movers.c"
    source.write_text(case.text, encoding="utf-8")
    asked = {} if case.property == "assertion" else {case.property: True}
    bounds = {"rounds": 2, "unwind": 2} if backend == "cbmc" else {}
    return cseq.verify(source, backend=backend, timeout=60, **asked, **bounds, **more).verdict


def disagreement(case: Case, folder: Path, backend: str = "native", counts: Counter[str] | None = None) -> str:
    """How the verdicts differ, with the program; empty if they do not."""
    without = {"no_movers": True} | ({"no_por": True} if backend == "native" else {})
    expected = verdict(case, folder, backend, **without)
    found = verdict(case, folder, backend)
    if counts is not None:
        counts[f"{case.property} {expected.value}"] += 1
    return "" if found is expected else f"{found} instead of {expected} for {case.property}:\n{case.text}"


def main(arguments: list[str] | None = None) -> int:
    """Compare; the exit status says whether there was a difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--backend", default="native")
    options = parser.parse_args(arguments)
    wrong = 0
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number, case in enumerate(cases(options.seed, options.count, options.start), options.start):
            problem = disagreement(case, Path(folder), options.backend, counts)
            if problem:
                wrong += 1
                print(f"number {number}: {problem}", flush=True)
    print(f"{options.count} programs, {wrong} disagreements, {dict(sorted(counts.items()))}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
