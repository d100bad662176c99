"""Random programs whose threads may go on for ever, in finitely many states, and what explicit-state search says.

    python -m tests.differential.endless --seed 1 --count 100

The reference is a machine: each thread is a list of steps, of which each makes one access to shared memory at most, and
all states are enumerated. Values are 0, 1 and 2.
"""

import argparse
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tests.differential.explicit import WAYS, compare, report, searched, some

Step = tuple[Any, ...]
Memory = tuple[int, ...]

_PLACES = ("x", "y", "z[0]", "z[1]")
_LOCALS = ("a", "b", "c")
_STATES = 30_000
_BLOCKED: tuple[()] = ()

_HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
"""


class TooBig(Exception):
    """More states than are enumerated."""


_NEVER = 4
"""A value that no variable has: sums are taken modulo 3, and an exclusive or with 1 makes 3 of 2."""


@dataclass
class Thread:
    """The lines of a thread in C, and its steps. A step that jumps has its target for its last item."""

    lines: list[str] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)


@dataclass
class Program:
    """main and the other threads; the value of the semaphore; the place that p points to.

    against: for each assertion, by number, the value that it rules out. `_NEVER` is none that anything has.
    """

    threads: list[Thread]
    count: int
    pointer: int
    against: list[int]

    def to_c(self) -> str:
        """The program in C."""
        lines = [
            "int x, y, z[2];",
            f"int *p = &{_PLACES[self.pointer]};",
            "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;",
            "sem_t s;",
        ]
        lines += ["pthread_cond_t k = PTHREAD_COND_INITIALIZER;"]
        for number, thread in enumerate(self.threads):
            head = "int main(void)" if number == 0 else f"void *thread{number}(void *arg)"
            lines += ["", head, "{", f"    int {', '.join(f'{name} = 0' for name in _LOCALS)};"]
            if number == 0:
                lines += [f"    pthread_t t[{len(self.threads)}];", f"    sem_init(&s, 0, {self.count});"]
            lines += [*thread.lines, "    return 0;", "}"]
        first = lines.index("int main(void)")
        body = lines[first:] if first else lines
        end = body.index("}") + 1
        text = "\n".join([_HEAD, *lines[:first], *body[end:], *body[:end], ""])
        return re.sub(r"@(\d+)", lambda found: str(self.against[int(found.group(1))]), text)


class Generator:
    """Makes one program from a random number generator."""

    def __init__(self, rng: random.Random, size: int) -> None:
        self._rng = rng
        self._size = size
        self._out = Thread()
        self._depth = 1
        self._held: list[str] = []
        self._in_section = False
        self._assertions = 0
        self._kinds = rng.sample(
            ["atomic", "lock", "try", "nondet", "array", "pointer", "section", "cond", "semaphore", "spin"], k=4
        )

    def program(self) -> Program:
        """Two or three threads with main."""
        rng = self._rng
        count = rng.choice((1, 1, 2))
        others = [self._thread() for _ in range(count)]
        self._start()
        if rng.random() < 0.3:
            self._statement()
        for number in range(1, count + 1):
            self._emit(f"pthread_create(&t[{number}], 0, thread{number}, 0);", ("create", number))
            if rng.random() < 0.3:
                self._statement()
        if rng.random() < 0.5:
            self._loop()
        for number in range(1, count + 1):
            if rng.random() < 0.6:
                self._emit(f"pthread_join(t[{number}], 0);", ("join", number))
        if rng.random() < 0.7:
            self._assertion()
        self._out.steps.append(("exit",))
        return Program([self._out, *others], rng.choice((0, 1, 1, 2)), rng.randrange(2), [_NEVER] * self._assertions)

    def _start(self) -> None:
        self._out, self._depth, self._held = Thread(), 1, []

    def _thread(self) -> Thread:
        self._start()
        for _ in range(self._rng.choice((0, 0, 1))):
            self._statement()
        self._loop()
        if self._rng.random() < 0.3:
            self._assertion()
        self._out.steps.append(("end",))
        return self._out

    # Emitting

    def _line(self, text: str) -> None:
        self._out.lines.append("    " * self._depth + text)

    def _emit(self, text: str, *steps: Step) -> None:
        self._line(text)
        self._out.steps.extend(steps)

    def _jump(self, *step: Any) -> int:
        """A step that jumps to where nobody knows yet."""
        self._out.steps.append((*step, -1))
        return len(self._out.steps) - 1

    def _land(self, jump: int, target: int | None = None) -> None:
        where = len(self._out.steps) if target is None else target
        self._out.steps[jump] = (*self._out.steps[jump][:-1], where)

    # Statements

    def _local(self) -> str:
        return self._rng.choice(_LOCALS)

    def _loop(self) -> None:
        """A loop that ends with some values, or never; in C with while, or with a jump back."""
        rng = self._rng
        ends = rng.random() < 0.7
        name, value = self._local(), rng.randrange(3)
        start = len(self._out.steps)
        back = rng.random() < 0.3
        label = f"l{len(self._out.lines)}"
        self._line(f"{label}: ;" if back else f"while ({f'{name} != {value}' if ends else '1'}) {{")
        leave = self._jump("if", name, value, True) if ends and not back else None
        self._depth += 1
        for _ in range(rng.randint(1, self._size)):
            self._statement()
        if rng.random() < 0.3:
            other, against = self._local(), rng.randrange(3)
            self._line(f"if ({other} == {against}) {'goto e' + label if back else 'break'};")
            out = self._jump("if", other, against, True)
        else:
            out = None
        self._depth -= 1
        self._line((f"if ({name} != {value}) goto {label};" if ends else f"goto {label};") if back else "}")
        again = self._jump("if", name, value, False) if back and ends else self._jump("jump")
        self._land(again, start)
        if back:
            self._line(f"e{label}: ;")
        for jump in (leave, out):
            if jump is not None:
                self._land(jump)

    def _value(self) -> tuple[str, tuple[Any, ...]]:
        """An expression of locals: in C, and as (name, what is added)."""
        rng = self._rng
        if rng.random() < 0.3:
            constant = rng.randrange(3)
            return str(constant), (None, constant)
        name, more = self._local(), rng.choice((0, 1, 1, 2))
        return (f"({name} + {more}) % 3" if more else name), (name, more)

    def _statement(self) -> None:
        rng = self._rng
        kind = rng.choice(["load", "store", "store", "set", "if", "assert", "update", *self._kinds])
        place = rng.randrange(2)
        match kind:
            case "load":
                name = self._local()
                self._emit(f"{name} = {_PLACES[place]};", ("load", name, place))
            case "store":
                text, value = self._value()
                self._emit(f"{_PLACES[place]} = {text};", ("store", place, value))
            case "update":
                self._emit(
                    f"{_PLACES[place]} = ({_PLACES[place]} + 1) % 3;", ("load", "t", place), ("store", place, ("t", 1))
                )
            case "set":
                name, (text, value) = self._local(), self._value()
                self._emit(f"{name} = {text};", ("set", name, value))
            case "if":
                self._if()
            case "assert":
                self._assertion()
            case "nondet":
                name = self._local()
                self._emit(f"{name} = __VERIFIER_nondet_bool();", ("nondet", name))
            case "array" | "pointer":
                self._indirect(kind)
            case "atomic":
                self._atomic(place)
            case "section":
                self._section()
            case _:
                self._blocking(kind, place)

    def _if(self) -> None:
        name, value = self._local(), self._rng.randrange(3)
        self._line(f"if ({name} == {value}) {{")
        jump = self._jump("if", name, value, False)
        self._inner()
        if self._rng.random() < 0.4:
            self._line("} else {")
            end = self._jump("jump")
            self._land(jump)
            self._inner()
            jump = end
        self._line("}")
        self._land(jump)

    def _inner(self) -> None:
        self._depth += 1
        if self._depth < 4:
            self._statement()
        self._depth -= 1

    def _assertion(self) -> None:
        rng = self._rng
        number = self._assertions
        self._assertions += 1
        if rng.random() < 0.5:
            place = rng.randrange(2)
            self._emit(f"assert({_PLACES[place]} != @{number});", ("load", "t", place), ("assert", "t", number))
        else:
            name = self._local()
            self._emit(f"assert({name} != @{number});", ("assert", name, number))

    def _indirect(self, kind: str) -> None:
        """An element of the array, or what the shared pointer points to."""
        rng = self._rng
        name = self._local()
        if kind == "array":
            index = self._local()
            if rng.random() < 0.5:
                self._emit(f"{name} = z[{index} & 1];", ("load at", name, index))
            else:
                text, value = self._value()
                self._emit(f"z[{index} & 1] = {text};", ("store at", index, value))
            return
        match rng.randrange(3):
            case 0:
                place = rng.randrange(4)
                self._emit(f"p = &{_PLACES[place]};", ("store", 4, (None, place)))
            case 1:
                self._emit(f"{name} = *p;", ("load", "t", 4), ("load through", name))
            case 2:
                text, value = self._value()
                self._emit(f"*p = {text};", ("load", "t", 4), ("store through", value))

    def _atomic(self, place: int) -> None:
        name, (text, value) = self._local(), self._value()
        match self._rng.randrange(3):
            case 0:
                call = f"__atomic_exchange_n(&{_PLACES[place]}, {text}, 5)"
                self._emit(f"{name} = {call};", ("exchange", name, place, value))
            case 1:
                expected = self._rng.randrange(3)
                call = f"__sync_bool_compare_and_swap(&{_PLACES[place]}, {expected}, {text})"
                self._emit(f"{name} = {call};", ("swap", name, place, expected, value))
            case 2:
                call = f"__atomic_fetch_xor(&{_PLACES[place]}, 1, 5) % 3"
                self._emit(f"{name} = {call};", ("xor", name, place))

    def _section(self) -> None:
        """A section with straight code in it."""
        if self._in_section or self._held:
            return
        self._in_section = True
        self._emit("__VERIFIER_atomic_begin();", ("begin",))
        for _ in range(self._rng.choice((1, 2, 2))):
            place = self._rng.randrange(2)
            if self._rng.random() < 0.5:
                name = self._local()
                self._emit(f"{name} = {_PLACES[place]};", ("load", name, place))
            else:
                text, value = self._value()
                self._emit(f"{_PLACES[place]} = {text};", ("store", place, value))
        self._emit("__VERIFIER_atomic_end();", ("end section",))
        self._in_section = False

    def _blocking(self, kind: str, place: int) -> None:
        rng = self._rng
        mutex = rng.choice("mn")
        value = rng.randrange(3)
        test = f"{_PLACES[place]} {{}} {value}"
        if kind == "spin":
            start = len(self._out.steps)
            self._emit(f"while ({test.format('!=')});", ("load", "t", place), ("if", "t", value, False, start))
        elif kind == "semaphore":
            if "s" not in self._held:
                self._emit("sem_wait(&s);", ("wait",))
                self._within("s")
                self._emit("sem_post(&s);", ("post",))
            elif rng.random() < 0.3:
                return
        elif mutex in self._held:
            return
        elif kind == "cond":
            if self._held or mutex == "n":
                call = rng.choice(("signal", "broadcast"))
                self._emit(f"pthread_cond_{call}(&k);", (call,))
                return
            self._emit("pthread_mutex_lock(&m);", ("lock", 0))
            start = len(self._out.steps)
            self._line(f"while ({test.format('==')}) pthread_cond_wait(&k, &m);")
            self._out.steps.append(("load", "t", place))
            out = self._jump("if", "t", value, False)
            self._out.steps += [("sleep",), ("wake",), ("jump", start)]
            self._land(out)
            self._emit("pthread_mutex_unlock(&m);", ("unlock", 0))
        elif kind == "lock":
            self._emit(f"pthread_mutex_lock(&{mutex});", ("lock", "mn".index(mutex)))
            self._within(mutex)
            self._emit(f"pthread_mutex_unlock(&{mutex});", ("unlock", "mn".index(mutex)))
        else:
            self._line(f"if (pthread_mutex_trylock(&{mutex}) == 0) {{")
            jump = self._jump("try", "mn".index(mutex))
            self._within(mutex)
            self._emit(f"pthread_mutex_unlock(&{mutex});", ("unlock", "mn".index(mutex)))
            self._line("}")
            self._land(jump)

    def _within(self, held: str) -> None:
        self._held.append(held)
        for _ in range(self._rng.choice((1, 1, 2))):
            self._inner()
        self._held.pop()


# The machine

_AT = {name: index for index, name in enumerate((*_LOCALS, "t"))}
_POINTER = 4


@dataclass(frozen=True)
class State:
    """memory: x, y, z, and the place that p points to. owners: of m and n; -1 for none. places: -1 before the creation,
    -2 behind the end. asleep: who waits for the signal. inside: who is in an atomic section."""

    places: tuple[int, ...]
    locals: tuple[Memory, ...]
    memory: Memory
    owners: tuple[int, ...] = (-1, -1)
    count: int = 0
    asleep: frozenset[int] = frozenset()
    inside: int = -1


class Machine:
    """All states of a program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.seen: dict[int, Counter[int]] = {}  # by the numbers of assertions, the values and their states

    def violated(self) -> bool:
        """Whether an assertion can fail. Raises TooBig."""
        others = len(self._program.threads) - 1
        first = State(
            (0, *(-1,) * others),
            ((0,) * len(_AT),) * (others + 1),
            (0, 0, 0, 0, self._program.pointer),
            count=self._program.count,
        )
        known, work = {first}, [first]
        while work:
            state = work.pop()
            for thread, place in enumerate(state.places):
                if place < 0 or state.inside not in (-1, thread):
                    continue
                for after in self._steps(state, thread, self._program.threads[thread].steps[place]):
                    if after is None:
                        return True
                    if after not in known:
                        known.add(after)
                        work.append(after)
            if len(known) > _STATES:
                raise TooBig
        return False

    def _steps(self, state: State, thread: int, step: Step) -> Iterator[State | None]:
        """The states behind a step of a thread; None for a violation; none at all where it blocks."""
        mine = state.locals[thread]

        def value(of: tuple[Any, ...]) -> int:
            return int(of[1] if of[0] is None else (mine[_AT[of[0]]] + of[1]) % 3)

        def after(place: int | None = None, *sets: tuple[str, int], **changes: Any) -> State:
            now = list(mine)
            for name, new in sets:
                now[_AT[name]] = new
            changes.setdefault("locals", _with(state.locals, thread, tuple(now)))
            target = state.places[thread] + 1 if place is None else place
            places = _with(changes.pop("places", state.places), thread, target)
            return State(**{**state.__dict__, **changes, "places": places})

        def stored(place: int, new: int) -> dict[str, Any]:
            return {"memory": _with(state.memory, place, new)}

        match step:
            case ("load", name, place):
                yield after(None, (name, state.memory[place]))
            case ("store", place, of):
                yield after(**stored(place, value(of)))
            case ("load at", name, index):
                yield after(None, (name, state.memory[2 + (mine[_AT[index]] & 1)]))
            case ("store at", index, of):
                yield after(**stored(2 + (mine[_AT[index]] & 1), value(of)))
            case ("load through", name):
                yield after(None, (name, state.memory[mine[_AT["t"]]]))
            case ("store through", of):
                yield after(**stored(mine[_AT["t"]], value(of)))
            case ("exchange", name, place, of):
                yield after(None, (name, state.memory[place]), **stored(place, value(of)))
            case ("swap", name, place, expected, of):
                equal = state.memory[place] == expected
                yield after(None, (name, int(equal)), **(stored(place, value(of)) if equal else {}))
            case ("xor", name, place):
                old = state.memory[place]
                yield after(None, (name, old % 3), **stored(place, old ^ 1))
            case ("set", name, of):
                yield after(None, (name, value(of)))
            case ("nondet", name):
                yield after(None, (name, 0))
                yield after(None, (name, 1))
            case ("if", name, against, when, target):
                yield after(target if (mine[_AT[name]] == against) == when else None)
            case ("jump", target):
                yield after(target)
            case ("assert", name, number):
                found = mine[_AT[name]]
                self.seen.setdefault(number, Counter())[found] += 1
                yield after() if found != self._program.against[number] else None
            case ("begin",):
                yield after(inside=thread)
            case ("end section",):
                yield after(inside=-1)
            case ("create", number):
                yield after(places=_with(state.places, number, 0))
            case ("join", number):
                if state.places[number] == -2:
                    yield after()
            case ("end",):
                yield after(-2)
            case ("exit",):
                pass
            case _:
                yield from self._synchronised(state, thread, step, after)

    def _synchronised(self, state: State, thread: int, step: Step, after: Any) -> Iterator[State]:
        match step:
            case ("lock", n) | ("try", n, _) if state.owners[n] == -1:
                yield after(owners=_with(state.owners, n, thread))
            case ("try", _, target):
                yield after(target)
            case ("unlock", n):
                yield after(owners=_with(state.owners, n, -1))
            case ("wait",) if state.count > 0:
                yield after(count=state.count - 1)
            case ("post",):
                yield after(count=state.count + 1)
            case ("sleep",):
                yield after(owners=_with(state.owners, 0, -1), asleep=state.asleep | {thread})
            case ("wake",) if thread not in state.asleep and state.owners[0] == -1:
                yield after(owners=_with(state.owners, 0, thread))
            case ("broadcast",):
                yield after(asleep=frozenset())
            case ("signal",):
                for woken in state.asleep or {-1}:
                    yield after(asleep=state.asleep - {woken})


def _with(values: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    return (*values[:index], value, *values[index + 1 :])


def programs(seed: int, count: int, start: int = 0, size: int = 3) -> Iterator[tuple[int, Program]]:
    """The programs of a seed, by number."""
    for number in range(start, start + count):
        yield number, Generator(random.Random(f"{seed}/{number}"), size).program()


def tests_of(program: Program, rng: random.Random) -> Iterator[tuple[Program, bool]]:
    """*program* with assertions that hold, and with one that does not; and whether one fails. Raises TooBig."""
    machine = Machine(program)
    machine.violated()
    never = [sorted({0, 1, 2} - set(machine.seen.get(n, ()))) or [_NEVER] for n in range(len(program.against))]
    yield replace(program, against=[rng.choice(values) for values in never]), False
    if machine.seen:
        counted = [(times, number, value) for number in machine.seen for value, times in machine.seen[number].items()]
        _, number, wrong = min(counted) if rng.random() < 0.7 else rng.choice(counted)
        yield replace(program, against=[wrong if n == number else _NEVER for n in range(len(program.against))]), True


def disagreement(
    program: Program, violated: bool, folder: Path, counts: Counter[str], ways: list[tuple[str, ...]] = WAYS
) -> str:
    """What is wrong with what the engine says of *program*, in which an assertion fails or does not."""
    return compare(searched(program.to_c(), folder, **{"property": "unreach-call"}), violated, counts, ways)


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the number of the first program")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--size", type=int, default=3, help="statements in a loop, at most")
    parser.add_argument("--all", action="store_true", help="search in all ways, not only in some by chance")
    options = parser.parse_args(arguments)
    counts: Counter[str] = Counter()
    wrong = 0
    try:
        for number, program in programs(options.seed, options.count, options.start, options.size):
            message, test, rng = "", program, random.Random(number)
            try:
                for test, violated in tests_of(program, rng):
                    counts["violated" if violated else "safe"] += 1
                    with tempfile.TemporaryDirectory(prefix="cseq-endless-") as folder:
                        ways = WAYS if options.all else some(rng)
                        message = message or disagreement(test, violated, Path(folder), counts, ways)
            except TooBig:
                counts["dropped: TooBig"] += 1
            except Exception as error:  # whatever it is, it is a bug
                message = f"{type(error).__name__}: {error}"
            if message:
                wrong += 1
                print(f"=== seed {options.seed}, program {number}: {message}\n{test.to_c()}", flush=True)
    except KeyboardInterrupt:
        print("interrupted")
    return report(counts, wrong)


if __name__ == "__main__":
    sys.exit(main())
