"""Random programs of threads that block each other in every way there is, and what CSeq says of them.

    python -m tests.differential.deadlocks --seed 1 --count 100 --rounds 2

prints each program of which CSeq says something else than a search through all states that it can get into within the
rounds, and exits with status 1. In each state where threads are stuck, it is also seen that they never go on, whatever
the others do; and where nothing can go on any more, threads are stuck.
"""

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cseq
from cseq.model.verdict import Reason, Verdict

Op = tuple[str, int]
"""A step of a thread: what it does, and the number of the object. ``("try", m)`` goes on with the next step if it gets
the mutex, and otherwise behind the ``("endtry", m)`` that belongs to it."""

ANY = -1
_MORE = 4
START = 0  # the mutex that main holds until all threads are there


@dataclass(frozen=True)
class Program:
    """The steps of each thread, main first, and the objects.

    recursive: for each mutex whether it is. semaphores, barriers: their values and counts. conds: their mutexes.
    returns: main returns, so that the process ends; otherwise only main ends.
    """

    threads: tuple[tuple[Op, ...], ...]
    recursive: tuple[bool, ...]
    semaphores: tuple[int, ...]
    conds: tuple[int, ...]
    barriers: tuple[int, ...]
    returns: bool


@dataclass(frozen=True)
class State:
    """mutexes: owner (or -1) and depth. conds, barriers: who waits. rwlocks: the writer (or -1), and the readers."""

    pcs: tuple[int, ...]
    active: frozenset[int]
    finished: frozenset[int]
    mutexes: tuple[tuple[int, int], ...]
    semaphores: tuple[int, ...]
    conds: tuple[frozenset[int], ...]
    barriers: tuple[frozenset[int], ...]
    rwlock: tuple[int, tuple[int, ...]]
    ended: bool = False


def first_state(program: Program) -> State:
    count = len(program.threads)
    return State(
        (0,) * count,
        frozenset({0}),
        frozenset(),
        ((-1, 0),) * len(program.recursive),
        program.semaphores,
        (frozenset(),) * len(program.conds),
        (frozenset(),) * len(program.barriers),
        (-1, (0,) * count),
    )


def waits(program: Program, state: State, t: int) -> frozenset[int] | None:
    """None where thread *t* does not block; else the threads one of which has to do something first, or ANY."""
    kind, n = program.threads[t][state.pcs[t]]
    who: set[int] = set()
    if kind in ("lock", "wake"):
        owner = state.mutexes[n if kind == "lock" else program.conds[n]][0]
        if owner >= 0 and not (kind == "lock" and owner == t and program.recursive[n]):
            who = {owner}
        elif kind == "wake" and t in state.conds[n]:
            who = {ANY}
    elif (kind == "wait" and state.semaphores[n] == 0) or (kind == "leave" and t in state.barriers[n]):
        who = {ANY}
    elif kind == "join" and n not in state.finished:
        who = {n}
    elif kind in ("rdlock", "wrlock"):
        writer, readers = state.rwlock
        who = {writer} if writer >= 0 else {r for r, reads in enumerate(readers) if reads and kind == "wrlock"}
    return frozenset(who) or None


def can_step(program: Program, state: State, t: int) -> bool:
    if state.ended or t not in state.active or t in state.finished:
        return False
    return state.pcs[t] == len(program.threads[t]) or waits(program, state, t) is None


def steps(program: Program, state: State, t: int) -> Iterator[State]:
    """The states into which a step of thread *t* leads, which can make one."""
    if state.pcs[t] == len(program.threads[t]):
        yield replace(state, ended=True)
        return
    kind, n = program.threads[t][state.pcs[t]]
    target = state.pcs[t] + 1
    changes: list[dict[str, object]] = [{}]
    if kind == "try":
        owner = state.mutexes[n][0]
        if owner == -1 or (owner == t and program.recursive[n]):
            kind = "lock"
        else:
            target = _behind(program.threads[t], state.pcs[t])
    if kind in ("lock", "unlock", "sleep", "wake"):
        mutex = n if kind in ("lock", "unlock") else program.conds[n]
        depth = state.mutexes[mutex][1] + (1 if kind in ("lock", "wake") else -1)
        changes[0]["mutexes"] = _with(state.mutexes, mutex, (t if depth else -1, depth))
    if kind == "sleep":
        changes[0]["conds"] = _with(state.conds, n, state.conds[n] | {t})
    elif kind == "broadcast":
        changes[0]["conds"] = _with(state.conds, n, frozenset())
    elif kind == "signal" and state.conds[n]:
        changes = [{"conds": _with(state.conds, n, state.conds[n] - {woken})} for woken in state.conds[n]]
    elif kind in ("wait", "post"):
        changes[0]["semaphores"] = _with(state.semaphores, n, state.semaphores[n] + (1 if kind == "post" else -1))
    elif kind == "arrive":
        arrived = state.barriers[n] | {t}
        full = len(arrived) == program.barriers[n]
        changes[0]["barriers"] = _with(state.barriers, n, frozenset() if full else arrived)
    elif kind == "create":
        changes[0]["active"] = state.active | {n}
    elif kind in ("rdlock", "wrlock", "rwunlock"):
        writer, readers = state.rwlock
        if kind == "wrlock" or (kind == "rwunlock" and writer == t):
            changes[0]["rwlock"] = (t if kind == "wrlock" else -1, readers)
        else:
            changes[0]["rwlock"] = (writer, _with(readers, t, readers[t] + (1 if kind == "rdlock" else -1)))
    if target == len(program.threads[t]) and (t or not program.returns):
        for change in changes:
            change["finished"] = state.finished | {t}
    for change in changes:
        yield replace(state, pcs=_with(state.pcs, t, target), **change)


def _with(values: tuple, index: int, value: object) -> tuple:
    return (*values[:index], value, *values[index + 1 :])


def _behind(ops: tuple[Op, ...], pc: int) -> int:
    """Where to go on when the mutex that is tried at *pc* is not free."""
    depth = 0
    for place in range(pc, len(ops)):
        depth += {"try": 1, "endtry": -1}.get(ops[place][0], 0)
        if depth == 0:
            return place + 1
    raise AssertionError("a try has an end")


def stuck(program: Program, state: State) -> set[int]:
    """The largest set of threads that wait for each other, or for such that can do nothing any more."""
    if state.ended:
        return set()
    everybody = set(range(len(program.threads)))
    alive = state.active - state.finished
    standing = {t for t in alive if state.pcs[t] < len(program.threads[t])}
    waiting = {t: who for t in standing if (who := waits(program, state, t)) is not None}
    found = set(waiting)
    while True:
        lost = found | (everybody - alive)
        out = {t for t in found if not (lost == everybody if ANY in waiting[t] else waiting[t] & lost)}
        if not out:
            return found
        found -= out


def search(program: Program, rounds: int) -> bool:
    """Whether threads are stuck in a state that is reached within *rounds* rounds. Raises TooBig."""
    first = (0, 0, first_state(program))
    seen, todo, bad = {first}, [first], False
    judged: set[State] = set()
    while todo:
        turn, t, state = todo.pop()
        if state not in judged:
            judged.add(state)
            found = stuck(program, state)
            bad = bad or bool(found)
            _check(program, state, found)
        following = [(turn, t, s) for s in steps(program, state, t)] if can_step(program, state, t) else []
        later = (turn, t + 1) if t + 1 < len(program.threads) else (turn + 1, 0)
        if later <= (rounds, 0):
            following.append((*later, state))
        for one in following:
            if one not in seen:
                seen.add(one)
                todo.append(one)
        if len(seen) > 60_000:
            raise TooBig
    return bad


class TooBig(Exception):
    """A program with more states than are searched."""


class OutOfTime(Exception):
    """The engine ran out of the time that it was given."""


def _check(program: Program, state: State, found: set[int]) -> None:
    """Those that are stuck never make a step; and where nobody can make one, somebody is stuck or all have ended."""
    threads = range(len(program.threads))
    if not state.ended and not any(can_step(program, state, t) for t in threads):
        assert found or len(state.finished) == len(state.active), state
    if not found:
        return
    seen, todo = {state}, [state]
    while todo:
        one = todo.pop()
        for t in threads:
            if can_step(program, one, t):
                assert t not in found, (state, t)
                for following in steps(program, one, t):
                    if following not in seen:
                        seen.add(following)
                        todo.append(following)


class Generator:
    """Makes one program from a random number generator. In some, locks are taken in order and given back."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._mutexes = rng.choice((2, 2, 3))
        self._orderly = rng.random() < 0.7
        others = ["try", "semaphore", "post", "cond", "barrier", "rwlock"]
        self._kinds = ["lock"] * 4 + rng.sample(others, k=rng.choice((0, 1, 1, 2)))

    def program(self) -> Program:
        rng = self._rng
        count = rng.choice((2, 2, 3))
        bodies = [self._block(rng.choice((1, 2)), ()) for _ in range(count)]
        joined = self._joins(bodies)
        main: list[Op] = [("lock", START), *(("create", t) for t in range(1, count + 1)), ("unlock", START)]
        if rng.random() < 0.4:
            main += self._block(1, ())
        main += [("join", t) for t in range(1, count + 1) if t not in joined]
        recursive = (False, False, *(rng.random() < 0.3 for _ in range(1, self._mutexes)))
        semaphores = tuple(rng.choice((0, 1, 1, 2)) for _ in range(2))
        threads = (tuple(main), *map(tuple, bodies))
        return Program(threads, recursive, semaphores, (1,), (rng.choice((2, 2, 3)),), rng.random() < 0.5)

    def _joins(self, bodies: list[list[Op]]) -> set[int]:
        """Let some threads join others, but none itself or one that is joined already."""
        joined: set[int] = set()
        for t, body in enumerate(bodies, 1):
            other = self._rng.randint(1, len(bodies))
            if self._rng.random() < 0.15 and other != t and other not in joined:
                joined.add(other)
                place = self._rng.choice((0, len(body)))
                body[place:place] = [("join", other)]
                body[0:0] = [("lock", START), ("unlock", START)]
        return joined

    def _block(self, size: int, held: tuple[Op, ...]) -> list[Op]:
        ops: list[Op] = []
        for _ in range(size):
            ops += self._piece(held)
        return ops

    def _inner(self, held: tuple[Op, ...], taken: Op) -> list[Op]:
        return self._block(1, (*held, taken)) if len(held) < 2 and self._rng.random() < 0.6 else []

    def _piece(self, held: tuple[Op, ...]) -> list[Op]:
        rng = self._rng
        kind = rng.choice(self._kinds)
        match kind:
            case "lock" | "try":
                m = rng.randint(1, self._mutexes)
                below = max((n for name, n in held if name == "lock"), default=0)
                if self._orderly and m <= below and kind == "lock":
                    return [("post", 0)]
                end: list[Op] = [("unlock", m)] if self._orderly or rng.random() < 0.8 else []
                return [(kind, m), *self._inner(held, ("lock", m)), *end, *([("endtry", m)] if kind == "try" else [])]
            case "semaphore":
                s = rng.randrange(2)
                return [("wait", s), *self._inner(held, ("wait", s)), ("post", s)]
            case "post":
                s = rng.randrange(2)
                return rng.choice(([("post", s)], [("post", s)], [("wait", s)]))
            case "cond":
                wait: list[Op] = [("lock", 1), ("sleep", 0), ("wake", 0), ("unlock", 1)]
                told = rng.choice(("signal", "broadcast"))
                return rng.choice((wait, [(told, 0)], [("lock", 1), (told, 0), ("unlock", 1)]))
            case "barrier":
                return [*self._inner(held, ("arrive", 0)), ("arrive", 0), ("leave", 0)]
        if any(name == "rwlock" for name, _ in held):
            return [("rdlock", 0), ("rwunlock", 0)] if ("rwlock", 0) in held else [("post", 1)]
        how = rng.choice(("rdlock", "wrlock"))
        inner = self._inner(held, ("rwlock", 0 if how == "rdlock" else 1))
        upgrade: list[Op] = [("wrlock", 0)] if how == "rdlock" and rng.random() < 0.1 else []
        return [(how, 0), *inner, *upgrade, ("rwunlock", 0)]


_C = {
    "lock": "pthread_mutex_lock(&m{});",
    "unlock": "pthread_mutex_unlock(&m{});",
    "try": "if (pthread_mutex_trylock(&m{}) == 0) {{",
    "endtry": "}}",
    "wait": "sem_wait(&s{});",
    "post": "sem_post(&s{});",
    "sleep": "pthread_cond_wait(&c{}, &m1);",
    "wake": "",
    "signal": "pthread_cond_signal(&c{});",
    "broadcast": "pthread_cond_broadcast(&c{});",
    "arrive": "pthread_barrier_wait(&b{});",
    "leave": "",
    "create": "pthread_create(&t{0}, NULL, thread{0}, NULL);",
    "join": "pthread_join(t{}, NULL);",
    "rdlock": "pthread_rwlock_rdlock(&w);",
    "wrlock": "pthread_rwlock_wrlock(&w);",
    "rwunlock": "pthread_rwlock_unlock(&w);",
}


def to_c(program: Program) -> str:
    count = len(program.threads)
    lines = ["#include <pthread.h>", "#include <semaphore.h>", ""]
    lines += [f"pthread_mutex_t m{n};" for n in range(len(program.recursive))]
    lines += [f"sem_t s{n};" for n in range(len(program.semaphores))]
    lines += ["pthread_cond_t c0 = PTHREAD_COND_INITIALIZER;", "pthread_barrier_t b0;"]
    lines += ["pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;", *(f"pthread_t t{n};" for n in range(1, count))]
    for t in range(1, count):
        lines += ["", f"void *thread{t}(void *arg)", "{", "    (void)arg;", *_body(program.threads[t])]
        lines += ["    return NULL;", "}"]
    lines += [
        "",
        "int main(void)",
        "{",
        "    pthread_mutexattr_t recursive;",
        "    pthread_mutexattr_init(&recursive);",
    ]
    lines += ["    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);"]
    for n, kind in enumerate(program.recursive):
        lines.append(f"    pthread_mutex_init(&m{n}, {'&recursive' if kind else 'NULL'});")
    lines += [f"    sem_init(&s{n}, 0, {value});" for n, value in enumerate(program.semaphores)]
    lines += [f"    pthread_barrier_init(&b0, NULL, {program.barriers[0]});", *_body(program.threads[0])]
    lines += ["    return 0;" if program.returns else "    pthread_exit(NULL);", "}"]
    return "\n".join(lines) + "\n"


def _body(ops: tuple[Op, ...]) -> list[str]:
    lines, depth = [], 1
    for kind, n in ops:
        depth -= kind == "endtry"
        if text := _C[kind].format(n):
            lines.append("    " * depth + text)
        depth += kind == "try"
    return lines


def programs(seed: int, count: int) -> Iterator[tuple[int, Program]]:
    for number in range(seed, seed + count):
        yield number, Generator(random.Random(number)).program()


def compare(
    program: Program,
    rounds: int,
    folder: Path,
    prove: bool = False,
    backend: str = "cbmc",
    timeout: float | None = None,
) -> tuple[bool, bool]:
    """Whether the search finds a deadlock, and whether CSeq does.

    prove: whether CSeq is to look for proofs. Where it has one, the search goes on for a few rounds.
    timeout: of the engine, in seconds, if not the usual; raises OutOfTime.
    """
    path = folder / "program.c"
    path.write_text(to_c(program))
    expected = search(program, rounds)
    engine = {"backend": backend, "timeout": timeout or 300}
    bounds = {"memory_model": "sc"} if backend == "graphs" else {"rounds": rounds, "prove": prove}
    answer = cseq.verify(path, deadlock=True, **bounds, **engine).of("no-deadlock")
    if answer.reason is Reason.TIMEOUT and timeout:
        raise OutOfTime
    assert answer.exit_status in (0, 1), (answer.reason, answer.message)
    if answer.verdict is Verdict.TRUE:
        assert not search(program, rounds + _MORE), f"no proof:\n{path.read_text(encoding='utf-8')}"
    return expected, answer.verdict is Verdict.FALSE


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--backend", default="cbmc", metavar="NAME")
    parser.add_argument("--timeout", type=float, metavar="SEC", help="for the engine, per program")
    options = parser.parse_args()
    engine = {"backend": options.backend, "timeout": options.timeout}
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="cseq-deadlocks-") as folder:
        for number, program in programs(options.seed, options.count):
            try:
                expected, found = compare(program, options.rounds, Path(folder), prove=True, **engine)
            except (TooBig, OutOfTime) as error:
                counts[type(error).__name__] += 1
                continue
            counts["deadlock" if expected else "none"] += 1
            if expected != found:
                counts["wrong"] += 1
                print(f"program {number}: expected {expected}, CSeq says {found}\n{to_c(program)}", flush=True)
    print(dict(counts))
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
