"""Random programs whose threads do little but access the same few objects, in every way there is.

    python -m tests.differential.contention --seed 1 --count 100

as `fuzz`, with which it shares the rest.
"""

import random
import sys
from collections.abc import Iterator

from tests.differential import reference as ref

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
        self._shared: list[ref.Shared] = []
        self._hot: list[ref.Shared] = []

    def program(self) -> ref.Program:
        """Two threads, or three, main among them; main looks at everything in the end."""
        rng = self._rng
        self._objects()
        bodies = [self._body(rng.choice((1, 1, 2, 2, 3))) for _ in range(rng.choice((1, 2, 2)))]
        threads = [ref.Function(f"t{n}", "thread", "void", (), body) for n, body in enumerate(bodies, 1)]
        started = threads * 2 if len(threads) == 1 and rng.random() < 0.7 else threads
        names = [f"h{n}" for n in range(1, len(started) + 1)]
        main: list[ref.Stmt] = []
        for name, thread in zip(names, started, strict=True):
            main += [ref.Declare("thread", name), ref.Create(name, thread.name)]
        self._locals, self._records = [], []
        if len(started) == 1 or rng.random() < 0.3:
            main += self._body(rng.choice((1, 2)))
        main += [ref.Join(name) for name in names]
        places = self._places()
        main += [ref.Observe(self._fresh("o"), place) for place in places if rng.random() < 0.2]
        total = places[0]
        for place in places[1:]:
            total = ref.Binary("+", ref.Binary("*", total, ref.Const(7)), place)
        main.append(ref.Observe(self._fresh("o"), total))
        main.append(ref.Return(ref.Const(0)))
        return ref.Program(
            tuple(self._shared), (), (), (*threads, ref.Function("main", "main", "int", (), tuple(main)))
        )

    def _objects(self) -> None:
        rng = self._rng
        for name in ("x", "y")[: rng.choice((1, 2))]:
            atomic = rng.random() < 0.5
            self._hot.append(ref.Shared(rng.choice(_TYPES), name, rng.choice((0, 0, 1)), atomic=atomic))
        self._shared += self._hot
        if rng.random() < 0.3:
            self._shared.append(ref.Shared(rng.choice(_TYPES), "a", (0, 1), 2))
        if rng.random() < 0.5:
            kinds = [rng.choice(("u3", "s2", "u3", rng.choice(_TYPES))) for _ in range(rng.choice((2, 2, 3)))]
            self._members = [f"m{n}" for n in range(len(kinds))]
            for number, record in enumerate(("r", "q")):
                for member, kind in zip(self._members, kinds, strict=True):
                    self._shared.append(ref.Shared(kind, f"{record}.{member}", number))

    def _fresh(self, stem: str) -> str:
        self._counter += 1
        return f"{stem}{self._counter}"

    def _places(self) -> list[ref.Expr]:
        plain: list[ref.Expr] = [ref.Var(v.name) for v in self._shared if v.size is None]
        return plain + [ref.Index(v.name, ref.Const(i)) for v in self._shared if v.size for i in range(v.size)]

    def _body(self, size: int) -> tuple[ref.Stmt, ...]:
        self._locals, self._records = [], []
        return tuple(statement for _ in range(size) for statement in self._statement())

    def _value(self) -> ref.Expr:
        rng = self._rng
        roll = rng.random()
        if roll < 0.2 and self._locals:
            return ref.Var(rng.choice(self._locals))
        if roll < 0.35:
            return rng.choice(self._places())
        if roll < 0.45:
            return ref.Binary("+", rng.choice(self._places()), ref.Const(1))
        return ref.Const(rng.choice((0, 1, 1, 2, 3, 5)))

    def _statement(self) -> list[ref.Stmt]:
        rng = self._rng
        makes = [self._update, self._update, self._builtin, self._builtin, self._swap, self._plain]
        if self._members:
            makes = [self._copy] * 4 + [self._members_in_turn] * 3 + [self._member] * 2 + [self._update, self._builtin]
        made = rng.choice(makes)()
        if rng.random() < 0.07:
            return [ref.AtomicBegin(), *made, ref.AtomicEnd()]
        return made

    def _update(self) -> list[ref.Stmt]:
        rng = self._rng
        target = ref.Var(rng.choice(self._hot).name)
        if rng.random() < 0.5:
            change: ref.Expr = ref.Increment(rng.choice(("++", "--")), rng.random() < 0.5, target)
        else:
            change = ref.Assign(rng.choice(("+=", "-=", "^=", "|=", "*=")), target, self._value())
        return self._kept(change) if rng.random() < 0.5 else [ref.Do(change)]

    def _kept(self, value: ref.Expr) -> list[ref.Stmt]:
        """The value in a local, which goes to something shared: main will see it."""
        name = self._fresh("l")
        self._locals.append(name)
        declared = ref.Declare("int", name, value)
        store = ref.Do(ref.Assign(self._rng.choice(("=", "+=")), self._rng.choice(self._places()), ref.Var(name)))
        return [declared, store] if self._rng.random() < 0.7 else [declared]

    def _plain(self) -> list[ref.Stmt]:
        rng = self._rng
        place = rng.choice(self._places())
        if rng.random() < 0.5:
            return [ref.Do(ref.Assign("=", place, ref.Binary("+", place, ref.Const(rng.choice((1, 2))))))]
        return [ref.Do(ref.Assign("=", place, self._value()))]

    def _target(self) -> tuple[ref.Expr, str, bool]:
        """Something with an address, its type, and whether it is atomic."""
        arrays = [v for v in self._shared if v.size]
        if arrays and self._rng.random() < 0.3:
            return ref.Index("a", self._rng.choice((ref.Const(0), ref.Const(1)))), arrays[0].type, False
        hot = self._rng.choice(self._hot)
        if not hot.atomic and self._rng.random() < 0.2:
            return ref.Deref(ref.AddressOf(ref.Var(hot.name))), hot.type, False
        return ref.Var(hot.name), hot.type, hot.atomic

    def _builtin(self) -> list[ref.Stmt]:
        rng = self._rng
        target, type_, atomic = self._target()
        style = rng.choice(("c11", "gnu")) if atomic else rng.choice(("gnu", "sync"))
        actions = ["exchange"] + (["load"] if style != "sync" else [])
        actions += ["fetch", "fetch", *(["new"] if style != "c11" else [])] if type_ != "bool" else []
        actions += ["set"] if type_ == "bool" and style == "gnu" else []
        action = rng.choice(actions)
        op = rng.choice((*_OPERATORS, "nand") if style != "c11" else _OPERATORS) if action in ("fetch", "new") else ""
        value = None if action in ("load", "set") else self._value()
        call = ref.Atomic(style, action, op, target, value)
        if rng.random() < 0.1:
            return [ref.Do(ref.Atomic(style, "store", "", target, self._value()))]
        return self._kept(call) if rng.random() < 0.7 or action == "load" else [ref.Do(call)]

    def _swap(self) -> list[ref.Stmt]:
        rng = self._rng
        target, type_, atomic = self._target()
        wanted = ref.Const(rng.choice((0, 0, 1, 2)))
        if rng.random() < 0.5:
            swap = ref.Swap(rng.choice(("bool", "val")), False, target, wanted, self._value())
            return self._kept(swap)
        name = self._fresh("l")
        form = rng.choice(("strong", "strong", "weak"))
        swap = ref.Swap(form, atomic and rng.random() < 0.7, target, ref.Var(name), self._value())
        self._locals.append(name)
        other = ref.Do(ref.Assign("=", rng.choice(self._places()), ref.Var(name)))
        return [ref.Declare(type_, name, wanted), ref.If(swap, tuple(self._plain()), (other,))]

    def _member(self) -> list[ref.Stmt]:
        rng = self._rng
        place = ref.Var(f"{rng.choice(('r', 'r', 'q', *self._records))}.{rng.choice(self._members)}")
        roll = rng.random()
        if roll < 0.4:
            return [ref.Do(ref.Increment(rng.choice(("++", "--")), rng.random() < 0.5, place))]
        if roll < 0.6:
            return [ref.Do(ref.Assign(rng.choice(("+=", "^=")), place, self._value()))]
        return [ref.Do(ref.Assign("=", place, self._value()))]

    def _members_in_turn(self) -> list[ref.Stmt]:
        """All members of a struct, one after the other: what a copy in between makes of it is torn."""
        record, value = self._rng.choice(("r", "r", "q")), ref.Const(self._rng.choice((2, 3)))
        return [ref.Do(ref.Assign("=", ref.Var(f"{record}.{member}"), value)) for member in self._members]

    def _copy(self) -> list[ref.Stmt]:
        rng = self._rng
        roll = rng.random()
        if roll < 0.35:
            return [ref.CopyRecord(*rng.choice((("r", "q"), ("q", "r"))))]
        if roll < 0.7 or not self._records:
            name = self._fresh("l")
            copied = ref.CopyRecord(name, rng.choice(("r", "q")), declares=True)
            self._records.append(name)
            self._locals.extend(f"{name}.{member}" for member in self._members)
            back = ref.CopyRecord(rng.choice(("r", "q")), name)
            return [copied, back] if rng.random() < 0.4 else [copied]
        return [ref.CopyRecord(rng.choice(("r", "q")), rng.choice(self._records))]


def programs(seed: int, count: int, start: int = 0, size: int = 0) -> Iterator[tuple[int, ref.Program]]:
    """The programs of a seed, by number."""
    for number in range(start, start + count):
        program = Contention(random.Random(f"contention {seed}/{number}")).program()
        if ref.is_well_formed(program):
            yield number, program


if __name__ == "__main__":
    from tests.differential import fuzz

    fuzz.programs = programs
    sys.exit(fuzz.main())
