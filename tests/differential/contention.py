"""Random programs whose threads do little but access the same few objects, in every way there is.

    python -m tests.differential.contention --seed 1 --count 100

as `fuzz`, with which it shares the rest.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator

from tests.differential.reference import (
    AddressOf,
    Assign,
    Atomic,
    AtomicBegin,
    AtomicEnd,
    Binary,
    Const,
    CopyRecord,
    Create,
    Declare,
    Deref,
    Do,
    Expr,
    Function,
    If,
    Increment,
    Index,
    Join,
    Observe,
    Program,
    Return,
    Shared,
    Stmt,
    Swap,
    Var,
    is_well_formed,
)

_TYPES = ("int", "int", "uchar", "bool", "short", "uint", "schar", "long", "llong", "ushort")
_OPERATORS = ("add", "add", "sub", "xor", "or", "and")


class Contention:
    """Makes one program from a random number generator."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._counter = 0
        self._locals: list[str] = []
        self._records: list[str] = []
        self._members: list[str] = []
        self._shared: list[Shared] = []
        self._hot: list[Shared] = []

    def program(self) -> Program:
        """Two threads, or three, main among them; main looks at everything in the end."""
        rng = self._rng
        self._objects()
        bodies = [self._body(rng.choice((1, 1, 2, 2, 3))) for _ in range(rng.choice((1, 2, 2)))]
        threads = [Function(f"t{n}", "thread", "void", (), body) for n, body in enumerate(bodies, 1)]
        started = threads * 2 if len(threads) == 1 and rng.random() < 0.7 else threads
        names = [f"h{n}" for n in range(1, len(started) + 1)]
        main: list[Stmt] = []
        for name, thread in zip(names, started, strict=True):
            main += [Declare("thread", name), Create(name, thread.name)]
        self._locals, self._records = [], []
        if len(started) == 1 or rng.random() < 0.3:
            main += self._body(rng.choice((1, 2)))
        main += [Join(name) for name in names]
        places = self._places()
        main += [Observe(self._fresh("o"), place) for place in places if rng.random() < 0.2]
        total = places[0]
        for place in places[1:]:
            total = Binary("+", Binary("*", total, Const(7)), place)
        main.append(Observe(self._fresh("o"), total))
        main.append(Return(Const(0)))
        return Program(tuple(self._shared), (), (), (*threads, Function("main", "main", "int", (), tuple(main))))

    def _objects(self) -> None:
        rng = self._rng
        for name in ("x", "y")[: rng.choice((1, 2))]:
            atomic = rng.random() < 0.5
            self._hot.append(Shared(rng.choice(_TYPES), name, rng.choice((0, 0, 1)), atomic=atomic))
        self._shared += self._hot
        if rng.random() < 0.3:
            self._shared.append(Shared(rng.choice(_TYPES), "a", (0, 1), 2))
        if rng.random() < 0.5:
            kinds = [rng.choice(("u3", "s2", "u3", rng.choice(_TYPES))) for _ in range(rng.choice((2, 2, 3)))]
            self._members = [f"m{n}" for n in range(len(kinds))]
            for number, record in enumerate(("r", "q")):
                for member, kind in zip(self._members, kinds, strict=True):
                    self._shared.append(Shared(kind, f"{record}.{member}", number))

    def _fresh(self, stem: str) -> str:
        self._counter += 1
        return f"{stem}{self._counter}"

    def _places(self) -> list[Expr]:
        plain: list[Expr] = [Var(v.name) for v in self._shared if v.size is None]
        return plain + [Index(v.name, Const(i)) for v in self._shared if v.size for i in range(v.size)]

    def _body(self, size: int) -> tuple[Stmt, ...]:
        self._locals, self._records = [], []
        return tuple(statement for _ in range(size) for statement in self._statement())

    def _value(self) -> Expr:
        rng = self._rng
        roll = rng.random()
        if roll < 0.2 and self._locals:
            return Var(rng.choice(self._locals))
        if roll < 0.35:
            return rng.choice(self._places())
        if roll < 0.45:
            return Binary("+", rng.choice(self._places()), Const(1))
        return Const(rng.choice((0, 1, 1, 2, 3, 5)))

    def _statement(self) -> list[Stmt]:
        rng = self._rng
        makes = [self._update, self._update, self._builtin, self._builtin, self._swap, self._plain]
        if self._members:
            makes = [self._copy] * 4 + [self._members_in_turn] * 3 + [self._member] * 2 + [self._update, self._builtin]
        made = rng.choice(makes)()
        if rng.random() < 0.07:
            return [AtomicBegin(), *made, AtomicEnd()]
        return made

    def _update(self) -> list[Stmt]:
        rng = self._rng
        target = Var(rng.choice(self._hot).name)
        if rng.random() < 0.5:
            change: Expr = Increment(rng.choice(("++", "--")), rng.random() < 0.5, target)
        else:
            change = Assign(rng.choice(("+=", "-=", "^=", "|=", "*=")), target, self._value())
        return self._kept(change) if rng.random() < 0.5 else [Do(change)]

    def _kept(self, value: Expr) -> list[Stmt]:
        """The value in a local, which goes to something shared: main will see it."""
        name = self._fresh("l")
        self._locals.append(name)
        declared = Declare("int", name, value)
        store = Do(Assign(self._rng.choice(("=", "+=")), self._rng.choice(self._places()), Var(name)))
        return [declared, store] if self._rng.random() < 0.7 else [declared]

    def _plain(self) -> list[Stmt]:
        rng = self._rng
        place = rng.choice(self._places())
        if rng.random() < 0.5:
            return [Do(Assign("=", place, Binary("+", place, Const(rng.choice((1, 2))))))]
        return [Do(Assign("=", place, self._value()))]

    def _target(self) -> tuple[Expr, str, bool]:
        """Something with an address, its type, and whether it is atomic."""
        arrays = [v for v in self._shared if v.size]
        if arrays and self._rng.random() < 0.3:
            return Index("a", self._rng.choice((Const(0), Const(1)))), arrays[0].type, False
        hot = self._rng.choice(self._hot)
        if not hot.atomic and self._rng.random() < 0.2:
            return Deref(AddressOf(Var(hot.name))), hot.type, False
        return Var(hot.name), hot.type, hot.atomic

    def _builtin(self) -> list[Stmt]:
        rng = self._rng
        target, type_, atomic = self._target()
        style = rng.choice(("c11", "gnu")) if atomic else rng.choice(("gnu", "sync"))
        actions = ["exchange"] + (["load"] if style != "sync" else [])
        actions += ["fetch", "fetch", *(["new"] if style != "c11" else [])] if type_ != "bool" else []
        actions += ["set"] if type_ == "bool" and style == "gnu" else []
        action = rng.choice(actions)
        op = rng.choice((*_OPERATORS, "nand") if style != "c11" else _OPERATORS) if action in ("fetch", "new") else ""
        value = None if action in ("load", "set") else self._value()
        call = Atomic(style, action, op, target, value)
        if rng.random() < 0.1:
            return [Do(Atomic(style, "store", "", target, self._value()))]
        return self._kept(call) if rng.random() < 0.7 or action == "load" else [Do(call)]

    def _swap(self) -> list[Stmt]:
        rng = self._rng
        target, type_, atomic = self._target()
        wanted = Const(rng.choice((0, 0, 1, 2)))
        if rng.random() < 0.5:
            swap = Swap(rng.choice(("bool", "val")), False, target, wanted, self._value())
            return self._kept(swap)
        name = self._fresh("l")
        form = rng.choice(("strong", "strong", "weak"))
        swap = Swap(form, atomic and rng.random() < 0.7, target, Var(name), self._value())
        self._locals.append(name)
        other = Do(Assign("=", rng.choice(self._places()), Var(name)))
        return [Declare(type_, name, wanted), If(swap, tuple(self._plain()), (other,))]

    def _member(self) -> list[Stmt]:
        rng = self._rng
        place = Var(f"{rng.choice(('r', 'r', 'q', *self._records))}.{rng.choice(self._members)}")
        roll = rng.random()
        if roll < 0.4:
            return [Do(Increment(rng.choice(("++", "--")), rng.random() < 0.5, place))]
        if roll < 0.6:
            return [Do(Assign(rng.choice(("+=", "^=")), place, self._value()))]
        return [Do(Assign("=", place, self._value()))]

    def _members_in_turn(self) -> list[Stmt]:
        """All members of a struct, one after the other: what a copy in between makes of it is torn."""
        record, value = self._rng.choice(("r", "r", "q")), Const(self._rng.choice((2, 3)))
        return [Do(Assign("=", Var(f"{record}.{member}"), value)) for member in self._members]

    def _copy(self) -> list[Stmt]:
        rng = self._rng
        roll = rng.random()
        if roll < 0.35:
            return [CopyRecord(*rng.choice((("r", "q"), ("q", "r"))))]
        if roll < 0.7 or not self._records:
            name = self._fresh("l")
            copied = CopyRecord(name, rng.choice(("r", "q")), declares=True)
            self._records.append(name)
            self._locals.extend(f"{name}.{member}" for member in self._members)
            back = CopyRecord(rng.choice(("r", "q")), name)
            return [copied, back] if rng.random() < 0.4 else [copied]
        return [CopyRecord(rng.choice(("r", "q")), rng.choice(self._records))]


def programs(seed: int, count: int, start: int = 0, size: int = 0) -> Iterator[tuple[int, Program]]:
    """The programs of a seed, by number."""
    for number in range(start, start + count):
        program = Contention(random.Random(f"contention {seed}/{number}")).program()
        if is_well_formed(program):
            yield number, program


if __name__ == "__main__":
    from tests.differential import fuzz

    fuzz.programs = programs
    sys.exit(fuzz.main())
