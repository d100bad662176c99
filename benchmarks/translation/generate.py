"""Write a threaded C program of a given size; the same arguments always give the same program.

Each thread has its own start function, so that no two threads can share any work of the translation. It does what
hand-written programs do: it reads and writes shared variables, arrays and structures, branches, runs short loops and
takes locks. The program is safe: main joins all threads and asserts that each has finished.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Callable
from typing import NamedTuple

LEAST_STATEMENTS = 10
MOST_ITERATIONS = 4
"""The most iterations of any loop, so that this unwinding bound cuts nothing off."""

_SCALARS = ("level", "demand", "supply", "ticket", "credit", "backlog")
_LOCKS = ("store_lock", "queue_lock", "account_lock")
_LOCALS = (
    ("mine", "unsigned mine = 1"),
    ("seen", "unsigned seen = 0"),
    ("step", "int step = 1"),
    ("i", "int i"),
    ("left", "int left"),
)
_SLOTS = 8
_ACCOUNTS = 4
_CLOSING = 4  # statements at the end of each thread

_RECORD = """\
struct account {
    int balance;
    int moves;
};
"""


class _Place(NamedTuple):
    """The surroundings of a statement.

    loops, locks: whether there may be any in it. index: an int variable that can choose an element of an array.
    """

    depth: int = 1
    loops: bool = True
    locks: bool = True
    index: str = "step"


class _Thread:
    """The start function of one thread."""

    def __init__(self, number: int, statements: int, rng: random.Random) -> None:
        self._rng = rng
        self._lines: list[str] = []
        self._block(statements - _CLOSING, _Place())
        used = set(re.findall(r"\w+", self.text))
        self._lines = [
            f"void *worker_{number}(void *arg)",
            "{",
            *(f"    {declaration};" for name, declaration in _LOCALS if name in used),
            "",
            "    (void)arg;",
            *self._lines,
            "    pthread_mutex_lock(&finished_lock);",
            "    finished++;",
            "    pthread_mutex_unlock(&finished_lock);",
            "    return NULL;",
            "}",
        ]

    @property
    def text(self) -> str:
        return "\n".join(self._lines) + "\n"

    def _put(self, depth: int, text: str) -> None:
        self._lines.append("    " * depth + text)

    def _block(self, statements: int, place: _Place) -> None:
        """Write exactly *statements* statements."""
        while statements > 0:
            write, cost = self._choose(statements, place)
            write(cost, place)
            statements -= cost

    def _choose(self, most: int, place: _Place) -> tuple[Callable[[int, _Place], None], int]:
        """The next construct to write, and its number of statements."""
        dice = self._rng.randrange(100)
        if dice < 18 and most >= 2:
            return self._if, self._rng.randrange(2, min(most, 5) + 1)
        if 18 <= dice < 25 and most >= 2 and place.loops:
            return self._for, self._rng.randrange(2, min(most, 4) + 1)
        if 25 <= dice < 28 and most >= 4 and place.loops:
            return self._while, self._rng.randrange(4, min(most, 5) + 1)
        if 28 <= dice < 38 and most >= 3 and place.locks:
            return self._section, self._rng.randrange(3, min(most, 6) + 1)
        return self._assignment, 1

    def _if(self, cost: int, place: _Place) -> None:
        then = cost - 1
        otherwise = self._rng.randrange(1, then) if then > 1 and self._rng.randrange(2) else 0
        inside = place._replace(depth=place.depth + 1, loops=False)
        self._put(place.depth, f"if ({self._condition()}) {{")
        self._block(then - otherwise, inside)
        if otherwise:
            self._put(place.depth, "} else {")
            self._block(otherwise, inside)
        self._put(place.depth, "}")

    def _for(self, cost: int, place: _Place) -> None:
        self._put(place.depth, f"for (i = 0; i < {self._iterations()}; i++) {{")
        self._block(cost - 1, place._replace(depth=place.depth + 1, loops=False, index="i"))
        self._put(place.depth, "}")

    def _while(self, cost: int, place: _Place) -> None:
        self._put(place.depth, f"left = {self._iterations()};")
        self._put(place.depth, f"while (left > 0 && {self._shared()} < {self._rng.randrange(20, 90)}) {{")
        self._block(cost - 3, place._replace(depth=place.depth + 1, loops=False))
        self._put(place.depth + 1, "left--;")
        self._put(place.depth, "}")

    def _section(self, cost: int, place: _Place) -> None:
        lock = self._rng.choice(_LOCKS)
        self._put(place.depth, f"pthread_mutex_lock(&{lock});")
        self._block(cost - 2, place._replace(loops=False, locks=False))
        self._put(place.depth, f"pthread_mutex_unlock(&{lock});")

    def _assignment(self, cost: int, place: _Place) -> None:
        shared, other = self._rng.sample(_SCALARS, 2)
        element = f"slot[({place.index} + {self._rng.randrange(_SLOTS)}) % SLOTS]"
        account = f"account[{self._rng.randrange(_ACCOUNTS)}]"
        small = self._rng.randrange(1, 10)
        forms = (
            f"{shared} = mine + {small};",
            f"{shared} = {other};",
            f"{shared} = {other} + {small};",
            f"{shared}++;",
            f"{shared} += mine;",
            f"{shared} -= {other};",
            f"mine = {shared};",
            f"mine = {shared} + {other};",
            f"mine = {shared} > {other} ? {shared} : seen + {small};",
            f"seen = mine * {small} + {shared};",
            f"seen ^= mine << {small};",
            f"step = (int)({shared} % SLOTS);",
            f"{element} = mine;",
            f"{element} += seen;",
            f"mine = {element};",
            f"{shared} = {element} - {small};",
            f"{account}.balance += {small};",
            f"{account}.balance -= step;",
            f"{account}.moves++;",
            f"mine = (unsigned){account}.balance;",
        )
        self._put(place.depth, self._rng.choice(forms))

    def _condition(self) -> str:
        shared, other = self._rng.sample(_SCALARS, 2)
        small = self._rng.randrange(1, 50)
        forms = (
            f"{shared} > {small}",
            f"{shared} == {other}",
            f"mine < {shared}",
            f"mine % {small + 1} == 0",
            f"seen > {small} && {shared} != 0",
            f"{shared} == 0 || mine > {other}",
            f"account[{self._rng.randrange(_ACCOUNTS)}].balance > step",
            f"!(seen & {small})",
        )
        return self._rng.choice(forms)

    def _iterations(self) -> int:
        return self._rng.randrange(2, MOST_ITERATIONS + 1)

    def _shared(self) -> str:
        return self._rng.choice(_SCALARS)


def program(threads: int, statements: int, seed: int = 1) -> str:
    """The text of a program with *threads* threads beside main, of *statements* statements each.

    A statement is an assignment, a call, a `return`, or the head of an `if` or a loop; declarations do not count.
    Raises ValueError where there is no such program.
    """
    if threads < 1 or statements < LEAST_STATEMENTS:
        raise ValueError(f"at least one thread, and {LEAST_STATEMENTS} statements each")
    rng = random.Random(seed)
    head = [
        f"/* Generated: {threads} threads of {statements} statements each, seed {seed}. */",
        *(f"#include <{header}.h>" for header in ("assert", "pthread", "stddef")),
        "",
        f"#define SLOTS {_SLOTS}",
        "",
        _RECORD,
        *(f"unsigned {name} = {rng.randrange(10)};" for name in _SCALARS),
        "unsigned slot[SLOTS];",
        f"struct account account[{_ACCOUNTS}];",
        *(f"pthread_mutex_t {name} = PTHREAD_MUTEX_INITIALIZER;" for name in (*_LOCKS, "finished_lock")),
        "int finished = 0;",
        "",
    ]
    workers = [_Thread(number, statements, rng).text for number in range(threads)]
    names = ", ".join(f"t{number}" for number in range(threads))
    main = [
        "int main(void)",
        "{",
        f"    pthread_t {names};",
        "",
        *(f"    pthread_create(&t{number}, NULL, worker_{number}, NULL);" for number in range(threads)),
        *(f"    pthread_join(t{number}, NULL);" for number in range(threads)),
        f"    assert(finished == {threads});",
        "    return 0;",
        "}",
    ]
    return "\n".join([*head, *workers, *main]) + "\n"


def main() -> None:
    """Print a program."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=10, metavar="T", help="threads beside main (default: 10)")
    parser.add_argument("--statements", type=int, default=100, metavar="S", help="statements of each (default: 100)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="choose another program (default: 1)")
    arguments = parser.parse_args()
    try:
        text = program(arguments.threads, arguments.statements, arguments.seed)
    except ValueError as error:
        parser.error(str(error))
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
