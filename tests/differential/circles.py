"""Random programs whose threads do nothing but lock, try and unlock mutexes, and who of them can wait in a circle.

    python -m tests.differential.circles --seed 1 --count 100

compares the verdicts of both searches for deadlocks with a reference, which explores all interleavings. All locks that
a thread takes it also releases, so each deadlock is a circle of threads that wait for each other's mutexes.
"""

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cseq.api import run
from cseq.pipeline.chain import load
from cseq.portfolio.families import Configuration
from cseq.report.words import message

SEARCHES = ("lazy", "guessed-chain")
_MOST_ROUNDS = 6


class Op(NamedTuple):
    """One step: lock, unlock, or try a mutex. skip: how many operations a failed try leaves out."""

    kind: str
    mutex: int
    skip: int = 0


class Program(NamedTuple):
    """The operations of each thread, main first. recursive: the mutexes that can be locked again."""

    threads: tuple[tuple[Op, ...], ...]
    recursive: frozenset[int]


def program(rng: random.Random) -> Program:
    """Two threads or three, main among them or not, and two mutexes or three."""
    mutexes = rng.choice((2, 2, 3))
    recursive = frozenset(number for number in range(mutexes) if rng.random() < 0.15)
    count = rng.choice((2, 2, 3))
    budget = 3 if count == 2 else 2
    main = tuple(_section(rng, mutexes, recursive, rng.choice((1, 2)), [])) if rng.random() < 0.3 else ()
    started = [tuple(_body(rng, mutexes, recursive, budget)) for _ in range(count if not main else count - 1)]
    return Program((main, *started), recursive)


def _body(rng: random.Random, mutexes: int, recursive: frozenset[int], budget: int) -> Iterator[Op]:
    while budget > 0:
        size = rng.randint(1, budget)
        yield from _section(rng, mutexes, recursive, size, [])
        budget -= size


def _section(rng: random.Random, mutexes: int, recursive: frozenset[int], size: int, held: list[int]) -> Iterator[Op]:
    """*size* locks inside of each other, with the mutexes *held* around them."""
    free = [number for number in range(mutexes) if number not in held or number in recursive]
    mutex = rng.choice(free) if free and rng.random() < 0.93 else rng.randrange(mutexes)
    inner = list(_section(rng, mutexes, recursive, size - 1, [*held, mutex])) if size > 1 else []
    if rng.random() < 0.2 and (mutex not in held or mutex in recursive):
        yield Op("try", mutex, len(inner) + 1)
        yield from inner
        yield Op("unlock", mutex)
        return
    yield Op("lock", mutex)
    if inner and inner[0].kind == "lock" and rng.random() < 0.3:
        # Hand over hand: the outer one is released first.
        yield inner[0]
        yield Op("unlock", mutex)
        yield from inner[1:]
        return
    yield from inner
    yield Op("unlock", mutex)


def to_c(program: Program) -> str:
    """The program in C."""
    mutexes = 1 + max(op.mutex for thread in program.threads for op in thread)
    lines = ["#include <pthread.h>"]
    lines += [f"pthread_mutex_t m{number} = PTHREAD_MUTEX_INITIALIZER;" for number in range(mutexes)]
    for number, thread in enumerate(program.threads[1:], 1):
        lines += [f"void *t{number}(void *arg)", "{", *_c(thread), "    return 0;", "}"]
    lines += ["int main(void)", "{", "    pthread_mutexattr_t kind;"]
    lines += [f"    pthread_t h{number};" for number in range(1, len(program.threads))]
    lines += ["    pthread_mutexattr_init(&kind);", "    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);"]
    lines += [f"    pthread_mutex_init(&m{number}, &kind);" for number in sorted(program.recursive) if number < mutexes]
    lines += [f"    pthread_create(&h{number}, 0, t{number}, 0);" for number in range(1, len(program.threads))]
    lines += _c(program.threads[0])
    lines += [f"    pthread_join(h{number}, 0);" for number in range(1, len(program.threads))]
    return "\n".join([*lines, "    return 0;", "}", ""])


def _c(ops: tuple[Op, ...]) -> Iterator[str]:
    ends: list[int] = []
    for position, op in enumerate(ops):
        if op.kind == "try":
            yield f"    if (pthread_mutex_trylock(&m{op.mutex}) == 0) {{"
            ends.append(position + op.skip)
        else:
            yield f"    pthread_mutex_{op.kind}(&m{op.mutex});"
        while position in ends:
            ends.remove(position)
            yield "    }"


def has_circle(program: Program) -> bool:
    """Whether in some interleaving threads wait for each other's mutexes in a circle."""
    first = (tuple(0 for _ in program.threads), ())
    seen, todo = {first}, [first]
    while todo:
        at, owned = todo.pop()
        owners = dict(owned)
        waits: dict[int, int] = {}
        for thread, ops in enumerate(program.threads):
            if at[thread] == len(ops):
                continue
            op = ops[at[thread]]
            owner, depth = owners.get(op.mutex, (None, 0))
            again = owner == thread and op.mutex in program.recursive
            following, changed = at[thread] + 1, dict(owners)
            if op.kind == "unlock":
                changed[op.mutex] = (thread, depth - 1)
                if depth == 1:
                    del changed[op.mutex]
            elif owner is None or again:
                changed[op.mutex] = (thread, depth + 1)
            elif op.kind == "try":
                following += op.skip
            else:
                waits[thread] = owner
                continue
            state = ((*at[:thread], following, *at[thread + 1 :]), tuple(sorted(changed.items())))
            if state not in seen:
                seen.add(state)
                todo.append(state)
        for start in waits:
            met = start
            for _ in program.threads:
                met = waits.get(met, -1)
                if met == start:
                    return True
    return False


def found(text: str, search: str, rounds: int, folder: Path) -> bool:
    """Whether a search finds a deadlock in the program *text*."""
    path = folder / "program.c"
    path.write_text(text, encoding="utf-8")
    chain = load(search)
    chain.planner = None  # no other property is asked for
    outcome = run(Configuration(chain, chain.values({"property": "no-deadlock", "rounds": rounds})), [path])
    if outcome.exit_status == 3:
        raise AssertionError(f"{message(outcome)}, in:\n{text}")
    return outcome.exit_status == 1


def disagreement(program: Program, folder: Path) -> str:
    """What is wrong with the verdicts on a program; "" where nothing is."""
    expected, text = has_circle(program), to_c(program)
    for search in SEARCHES:
        rounds = 3
        while not (said := found(text, search, rounds, folder)) and expected and rounds < _MOST_ROUNDS:
            rounds += 1
        if said != expected:
            return f"{search} {'finds' if said else 'misses'} a deadlock, with {rounds} rounds, in:\n{text}"
    return ""


def programs(seed: int, count: int, start: int = 0) -> Iterator[Program]:
    """The programs of a seed."""
    for number in range(start, start + count):
        yield program(random.Random(f"circles {seed}/{number}"))


def main(arguments: list[str] | None = None) -> int:
    """Look for disagreements."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--start", type=int, default=0)
    options = parser.parse_args(arguments)
    circles = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for one in programs(options.seed, options.count, options.start):
            circles += has_circle(one)
            text = disagreement(one, Path(folder))
            if text:
                wrong += 1
                print(text, flush=True)
    print(f"{options.count} programs, {circles} with a circle, {wrong} disagreements")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
