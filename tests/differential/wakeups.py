"""Random programs whose threads wait for signals, and what can go wrong in them, with and without spurious wake-ups.

    python -m tests.differential.wakeups --seed 1 --count 100

compares the verdicts of both families with a reference, which explores all interleavings.
"""

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import cseq
from cseq.model.verdict import Spurious, Verdict

_VARIABLES = ("x", "y")
_MOST = 3
"""A local counter does not grow beyond this."""


class Op(NamedTuple):
    """One step of a thread.

    kind: ``lock``, ``unlock``, ``try`` (jumps to *target* where the mutex is locked), ``signal``, ``broadcast``,
    ``sleep``, ``wake``, ``set``, ``check`` (an assertion), ``unless`` (jumps to *target* unless the variable has the
    value), ``jump``, ``count``, ``many`` (jumps to *target* where the counter is the value), ``few`` (asserts that the
    counter is less). name, value: of the variable.
    """

    kind: str
    name: str = ""
    value: int = 0
    target: int = 0


class Thread(NamedTuple):
    """The steps of a thread, and its text in C."""

    ops: tuple[Op, ...]
    text: tuple[str, ...]


class _Writer:
    """Writes a thread, as steps and as text."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self.ops: list[Op] = []
        self.text: list[str] = []

    def thread(self, sections: int) -> Thread:
        """A thread of so many *sections*."""
        for _ in range(sections):
            self._section()
        return Thread(tuple(self.ops), tuple(self.text))

    def _add(self, text: str, *ops: Op) -> None:
        self.ops += ops
        self.text.append(text)

    def _section(self) -> None:
        rng = self._rng
        if rng.random() < 0.15:
            self._signal()
            return
        tries = rng.random() < 0.1
        begin = len(self.ops)
        if tries:
            self._add("if (pthread_mutex_trylock(&m) == 0) {", Op("try"))
        else:
            self._add("pthread_mutex_lock(&m);", Op("lock"))
        for _ in range(rng.choice((1, 2, 2, 3))):
            rng.choice((self._store, self._store, self._wait, self._wait, self._signal, self._check))()
        self._add("pthread_mutex_unlock(&m);", Op("unlock"))
        if tries:
            self.text.append("}")
            self.ops[begin] = Op("try", target=len(self.ops))

    def _signal(self) -> None:
        kind = self._rng.choice(("signal", "signal", "broadcast"))
        self._add(f"pthread_cond_{kind}(&c);", Op(kind))

    def _store(self) -> None:
        name, value = self._rng.choice(_VARIABLES), self._rng.choice((0, 1, 1, 2))
        self._add(f"{name} = {value};", Op("set", name, value))

    def _check(self) -> None:
        name, value = self._rng.choice(_VARIABLES), self._rng.choice((0, 1, 2))
        self._add(f"assert({name} == {value});", Op("check", name, value))

    def _wait(self) -> None:
        """A wait: once, in a loop, or in a loop that counts."""
        name, value = self._rng.choice(_VARIABLES), self._rng.choice((0, 0, 1))
        kind = self._rng.choice(("if", "while", "while", "while", "counts", "stores"))
        start = len(self.ops)
        steps = [Op("sleep"), Op("wake")]
        before = {"counts": "n++; if (n == 2) break; ", "stores": f"{name} = {value + 2}; "}.get(kind, "")
        if kind == "counts":
            steps = [Op("count"), Op("many", value=2, target=start + 6), *steps]
        if kind == "stores":
            steps = [*steps, Op("set", "y", 2)]
        after = " y = 2;" if kind == "stores" else ""
        before = before if kind == "counts" else ""
        loop = "if" if kind == "if" else "while"
        back = [] if kind == "if" else [Op("jump", target=start)]
        end = start + 1 + len(steps) + len(back)
        self._add(
            f"{loop} ({name} == {value}) {{ {before}pthread_cond_wait(&c, &m);{after} }}",
            Op("unless", name, value, end), *steps, *back,
        )  # fmt: skip
        if kind == "counts" and self._rng.random() < 0.5:
            self._add("assert(n < 2);", Op("few", value=2))


def program(rng: random.Random) -> tuple[Thread, ...]:
    """Two threads or three, besides main, which joins them."""
    count = rng.choice((2, 2, 3))
    return tuple(_Writer(rng).thread(rng.choice((1, 2)) if count == 2 else 1) for _ in range(count))


def programs(seed: int, count: int, start: int = 0) -> Iterator[tuple[Thread, ...]]:
    """The programs of *seed*, from number *start* on."""
    return (program(random.Random(f"{seed}/{number}")) for number in range(start, start + count))


def to_c(threads: tuple[Thread, ...]) -> str:
    """The program in C."""
    lines = ["#include <assert.h>", "#include <pthread.h>", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"]
    lines += ["pthread_cond_t c = PTHREAD_COND_INITIALIZER;", "int x, y;"]
    for number, thread in enumerate(threads):
        lines += [f"void *t{number}(void *arg)", "{", "int n = 0;", *thread.text, "return 0;", "}"]
    lines += ["int main(void)", "{", *(f"pthread_t h{number};" for number in range(len(threads)))]
    lines += [f"pthread_create(&h{number}, 0, t{number}, 0);" for number in range(len(threads))]
    lines += [f"pthread_join(h{number}, 0);" for number in range(len(threads))]
    return "\n".join([*lines, "return 0;", "}", ""])


class State(NamedTuple):
    """at, counts: of each thread. owner: of the mutex; -1 for nobody. waiting: the threads that wait for a signal."""

    at: tuple[int, ...]
    counts: tuple[int, ...]
    values: tuple[int, ...]
    owner: int
    waiting: frozenset[int]


class Found(NamedTuple):
    """Whether an assertion can fail, and whether there is a deadlock."""

    fails: bool
    stuck: bool


def explored(threads: tuple[Thread, ...], spurious: bool) -> Found:
    """What can go wrong. spurious: whether waits may end without a signal."""
    zeros = tuple(0 for _ in threads)
    first = State(zeros, zeros, (0, 0), -1, frozenset())
    seen, todo = {first}, [first]
    fails = stuck = False
    while todo:
        state = todo.pop()
        moving = False
        for number, thread in enumerate(threads):
            if state.at[number] == len(thread.ops):
                continue
            op = thread.ops[state.at[number]]
            asleep = op.kind == "wake" and number in state.waiting
            if asleep and state.owner == -1 and not spurious:
                continue
            new = _after(state, number, op)
            moving = moving or (bool(new) and not asleep)
            fails = fails or new is None
            for successor in new or ():
                if successor not in seen:
                    seen.add(successor)
                    todo.append(successor)
            moving = moving or new is None
        alive = any(at < len(thread.ops) for at, thread in zip(state.at, threads, strict=True))
        stuck = stuck or (alive and not moving)
        # A thread that holds the mutex for ever would be another deadlock; each section releases it.
    return Found(fails, stuck)


def _after(state: State, number: int, op: Op) -> list[State] | None:
    """The states after a step; None where its assertion fails, and none where it has to wait."""
    following, count = state.at[number] + 1, state.counts[number]
    values = dict(zip(_VARIABLES, state.values, strict=True))
    owner, waiting = state.owner, [state.waiting]
    match op.kind:
        case "lock" | "wake":
            if owner != -1:
                return []
            owner, waiting = number, [state.waiting - {number}]
        case "try":
            owner, following = (number, following) if owner == -1 else (owner, op.target)
        case "unlock":
            owner = -1
        case "sleep":
            owner, waiting = -1, [state.waiting | {number}]
        case "signal":
            waiting = [state.waiting - {one} for one in state.waiting] or waiting
        case "broadcast":
            waiting = [frozenset()]
        case "set":
            values[op.name] = op.value
        case "check":
            if values[op.name] != op.value:
                return None
        case "few":
            if count >= op.value:
                return None
        case "unless":
            following = following if values[op.name] == op.value else op.target
        case "many":
            following = op.target if count == op.value else following
        case "jump":
            following = op.target
        case "count":
            count = min(count + 1, _MOST)
    at = (*state.at[:number], following, *state.at[number + 1 :])
    counts = (*state.counts[:number], count, *state.counts[number + 1 :])
    return [State(at, counts, tuple(values.values()), owner, left) for left in waiting]


def disagreement(threads: tuple[Thread, ...], folder: Path, engine: str, timeout: float = 60.0) -> str:
    """What an *engine* answers and the reference does not; empty if they agree, ``?`` where it has no answer."""
    path = folder / "program.c"
    path.write_text(to_c(threads), encoding="utf-8")
    without, both = explored(threads, False), explored(threads, True)
    auto = {"native": {}, "graphs": {"memory_model": "sc"}}.get(engine, {"auto": True})
    outcome = cseq.verify([str(path)], backend=engine, deadlock=True, timeout=timeout, **auto)
    unknown = ""
    for part, fails, needed in (
        (outcome.of("unreach-call"), both.fails, not without.fails),
        (outcome.of("no-deadlock"), both.stuck, not without.stuck),
    ):
        if part.verdict is Verdict.UNKNOWN:
            unknown = "?"
            continue
        expected = (Verdict.FALSE if fails else Verdict.TRUE, Spurious.NEEDED if fails and needed else None)
        if (part.verdict, part.spurious) != expected:
            return f"{engine}: {part.property}: {part.verdict.value}, {part.spurious}; the reference: {expected}"
    return unknown


def main(arguments: list[str] | None = None) -> int:
    """Compare; returns how many programs there are about which an engine and the reference disagree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--engines", nargs="+", default=["native", "cbmc"])
    options = parser.parse_args(arguments)
    wrong = 0
    open_: dict[str, int] = dict.fromkeys(options.engines, 0)
    for number, threads in enumerate(programs(options.seed, options.count, options.start), options.start):
        for engine in options.engines:
            with tempfile.TemporaryDirectory() as folder:
                found = disagreement(threads, Path(folder), engine)
            open_[engine] += found == "?"
            if found and found != "?":
                wrong += 1
                print(f"program {number} of seed {options.seed}: {found}", flush=True)
    print(f"{options.count} programs, {wrong} disagreements; without an answer: {open_}")
    return wrong


if __name__ == "__main__":
    sys.exit(min(main(), 1))
