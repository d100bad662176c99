"""Compare what two threads see of addresses that come back with what a search by hand says they can see.

    python -m tests.differential.reuse --seed 1 --count 100

prints each program about which a family of engines is wrong, and exits with status 1. Each of two threads makes a few
steps at random: it allocates, frees one of its own blocks, resizes one, publishes or takes a pointer, or compares two
of its pointers. The search tries all interleavings. A block from `malloc` is a new one, or any that was freed and has
the same size; one from `realloc` may also stay where it is. What the threads have seen is two numbers, and each program
claims that they are not two certain ones: once two that can be seen, once two that cannot.
"""

import argparse
import random
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import cseq
from cseq.model.verdict import Verdict

SIZES = (8, 24)  # bytes, in different classes
VARIABLES = 3  # of each thread
SHARED = 2
STEPS = (3, 6)  # of a thread
ROUNDS = 3

HEAD = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n"


class Op(NamedTuple):
    """One step. a, b: variables of the thread, or shared ones; bit: what a comparison sets."""

    kind: str
    a: int
    b: int = 0
    bit: int = 0


@dataclass(frozen=True)
class Case:
    """A program. threads: the steps of each."""

    threads: tuple[tuple[Op, ...], tuple[Op, ...]]

    def text(self, wrong: tuple[int, int]) -> str:
        """The program, with the claim that the threads do not see *wrong*."""
        shared = "".join(f"void *g{number};\n" for number in range(SHARED))
        functions = "".join(self._function(number) for number in (0, 1))
        return (
            f"{HEAD}{shared}int seen0, seen1;\n{functions}"
            "int main(void)\n{\n    pthread_t t;\n    pthread_create(&t, 0, run1, 0);\n    run0(0);\n"
            "    pthread_join(t, 0);\n"
            f"    assert(!(seen0 == {wrong[0]} && seen1 == {wrong[1]}));\n    return 0;\n}}\n"
        )

    def _function(self, thread: int) -> str:
        lines = [f"void *l{number} = 0;" for number in range(VARIABLES)]
        lines += ["int seen = 0;", *map(_line, self.threads[thread]), f"seen{thread} = seen;", "return 0;"]
        return f"void *run{thread}(void *arg)\n{{\n" + "".join(f"    {line}\n" for line in lines) + "}\n"

    def seen(self) -> set[tuple[int, int]]:
        """What the threads can see: all pairs of numbers."""
        return _Search(self.threads).found


def _line(op: Op) -> str:
    match op.kind:
        case "malloc":
            return f"l{op.a} = malloc({op.b});"
        case "free":
            return f"free(l{op.a});"
        case "realloc":
            return f"l{op.a} = realloc(l{op.a}, {op.b});"
        case "publish":
            return f"g{op.b} = l{op.a};"
        case "take":
            return f"l{op.a} = g{op.b};"
    return f"if (l{op.a} == l{op.b}) seen |= {op.bit};"


def case(rng: random.Random) -> Case:
    """A program at random, in which each thread frees only blocks of its own, once."""
    return Case((_thread(rng), _thread(rng)))


def _thread(rng: random.Random) -> tuple[Op, ...]:
    owned: dict[int, int] = {}  # variables that lead to blocks of the thread → their sizes
    made: list[Op] = []
    bit = 1
    for _ in range(rng.randint(*STEPS)):
        kind = rng.choice(["malloc", "malloc", "free", "free", "publish", "take", "compare", "compare", "realloc"])
        a, b = rng.sample(range(VARIABLES), 2)
        if kind == "malloc":
            owned[a] = rng.choice(SIZES)
            made.append(Op(kind, a, owned[a]))
        elif kind in ("free", "realloc") and owned:
            a = rng.choice(sorted(owned))
            made.append(Op(kind, a, owned[a]))
            if kind == "free":
                del owned[a]
        elif kind in ("publish", "take"):
            made.append(Op(kind, a, rng.randrange(SHARED)))
            if kind == "take":
                owned.pop(a, None)
        elif kind == "compare":
            made.append(Op(kind, a, b, bit))
            bit *= 2
    return (*made, Op("compare", *rng.sample(range(VARIABLES), 2), bit))


class State(NamedTuple):
    """places: of the threads. pointers: the variables of each, then the shared ones; 0 is null, and N is address N.

    sizes: of the block at each address, from 1; free: which of them are free.
    """

    places: tuple[int, int]
    pointers: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
    seen: tuple[int, int]
    sizes: tuple[int, ...]
    free: frozenset[int]


class _Search:
    """All executions."""

    def __init__(self, threads: tuple[tuple[Op, ...], tuple[Op, ...]]) -> None:
        self.found: set[tuple[int, int]] = set()
        null = ((0,) * VARIABLES, (0,) * VARIABLES, (0,) * SHARED)
        todo = [State((0, 0), null, (0, 0), (), frozenset())]
        known = set(todo)
        while todo:
            state = todo.pop()
            if all(place == len(steps) for place, steps in zip(state.places, threads, strict=True)):
                self.found.add(state.seen)
            for thread in (0, 1):
                if state.places[thread] < len(threads[thread]):
                    for new in _after(state, thread, threads[thread][state.places[thread]]):
                        if new not in known:
                            known.add(new)
                            todo.append(new)


def _after(state: State, thread: int, op: Op) -> list[State]:
    places = (state.places[0] + (thread == 0), state.places[1] + (thread == 1))
    state = state._replace(places=places)
    own = state.pointers[thread]
    match op.kind:
        case "malloc":
            return [_stored(new, thread, op.a, block) for block, new in _allocated(state, op.b)]
        case "free":
            return [state._replace(free=state.free | {own[op.a]})]
        case "realloc":
            moved = [(block, new._replace(free=new.free | {own[op.a]})) for block, new in _allocated(state, op.b)]
            return [_stored(new, thread, op.a, block) for block, new in [(own[op.a], state), *moved]]
        case "publish":
            return [_stored(state, 2, op.b, own[op.a])]
        case "take":
            return [_stored(state, thread, op.a, state.pointers[2][op.b])]
    if own[op.a] != own[op.b]:
        return [state]
    seen = (state.seen[0] | op.bit * (thread == 0), state.seen[1] | op.bit * (thread == 1))
    return [state._replace(seen=seen)]


def _allocated(state: State, size: int) -> list[tuple[int, State]]:
    """The blocks that an allocation may return, each with the state after it."""
    again = [block for block in sorted(state.free) if state.sizes[block - 1] == size]
    new = (len(state.sizes) + 1, state._replace(sizes=(*state.sizes, size)))
    return [new, *((block, state._replace(free=state.free - {block})) for block in again)]


def _stored(state: State, where: int, variable: int, value: int) -> State:
    row = state.pointers[where]
    row = (*row[:variable], value, *row[variable + 1 :])
    return state._replace(pointers=(*state.pointers[:where], row, *state.pointers[where + 1 :]))


def wrong(number: int, made: Case, rng: random.Random, folder: Path) -> list[str]:
    """What the families say wrongly about a program: a line each, with the file."""
    possible = sorted(made.seen())
    most = [1 << sum(op.kind == "compare" for op in steps) for steps in made.threads]
    others = sorted({(a, b) for a in range(most[0]) for b in range(most[1])} - set(possible))
    found = []
    for is_possible, claims in ((True, possible), (False, others)):
        if not claims:
            continue
        path = folder / f"reuse-{number}-{'bug' if is_possible else 'twin'}.c"
        path.write_text(made.text(rng.choice(claims)), encoding="utf-8")
        native = cseq.verify(path, backend="native", heap=512).verdict
        coarse = native is Verdict.UNKNOWN and "realloc" in path.read_text()  # which is several accesses
        if not coarse and native is not (Verdict.FALSE if is_possible else Verdict.TRUE):
            found.append(f"{path}: native says {native}, it is {not is_possible}\n")
        cbmc = cseq.verify(path, backend="cbmc", rounds=ROUNDS).verdict
        if cbmc is (Verdict.TRUE if is_possible else Verdict.FALSE):
            found.append(f"{path}: cbmc says {cbmc}, it is {not is_possible}\n")
    return found


def check(seed: int, count: int, folder: Path) -> list[str]:
    """What is said wrongly about the programs of a seed."""
    rng = random.Random(seed)
    return [line for number in range(count) for line in wrong(number, case(rng), rng, folder)]


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--keep", type=Path, help="the folder for the programs")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="reuse-") as folder:
        found = check(options.seed, options.count, options.keep or Path(folder))
    print("".join(found), f"{len(found)} wrong answers about {options.count} programs", sep="")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
