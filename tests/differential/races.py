"""Random programs that may or may not have data races, and what CSeq says of them.

    python -m tests.differential.races --seed 1 --count 100

as `fuzz`, with which it shares the rest. Each object has something that protects it, and most accesses keep to that.
Below ``--unwind 2`` the two may differ: CSeq follows loops that it can count to their end, the reference cuts them off.
"""

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import cseq
from cseq.model.errors import UnsupportedError
from cseq.model.verdict import Outcome, Reason
from cseq.report.words import description, message
from tests.differential import fuzz
from tests.differential import reference as ref
from tests.differential.race_reference import standing

_STATES = 60_000
_TYPES = ("int", "int", "uchar", "bool", "short", "long")
_GUARDS = ("m0", "m0", "m1", "s0", "w0", "section", "atomic", "join", "none", "flag", "phase", "phase")


class Racy:
    """Makes one program from a random number generator. care: how often an access is protected as it should be."""

    def __init__(self, rng: random.Random, size: int) -> None:
        self._rng = rng
        self._size = size
        self._care = rng.choice((1.0, 1.0, 0.97, 0.9, 0.8, 0.5))
        self._counter = 0
        self._shared: list[ref.Shared] = []
        self._places: list[ref.Expr] = []
        self._guards: dict[ref.Expr, str] = {}
        self._owner: dict[ref.Expr, int] = {}
        self._me = 0
        self._phase = 0
        self._locals: list[str] = []

    def program(self) -> ref.Program:
        """Two threads, or three, main among them."""
        rng = self._rng
        self._objects()
        count = rng.choice((1, 2, 2))
        for place in self._places:
            self._guards[place] = rng.choice(_GUARDS)
            self._owner[place] = rng.randrange(count + 1)
        threads = [
            ref.Function(f"t{n}", "thread", "void", (), self._body(n, rng.choice((1, 2, 3, 4))))
            for n in range(1, count + 1)
        ]
        started = threads * 2 if count == 1 and rng.random() < 0.5 else threads
        names = [f"h{n}" for n in range(1, len(started) + 1)]
        main = [*self._body(0, rng.choice((0, 0, 1)), alone=True)]
        for name, thread in zip(names, started, strict=True):
            main += [ref.Declare("thread", name), ref.Create(name, thread.name)]
            if rng.random() < (0.6 if len(started) == 1 else 0.15):
                main += self._body(0, rng.choice((1, 2)))
        late = self._body(0, rng.choice((0, 1, 2)))
        joins: list[ref.Stmt] = [ref.Join(name) for name in names]
        main += [*late, *joins] if rng.random() < 0.1 else [*joins[:1], *late, *joins[1:]]
        main += [*self._body(0, rng.choice((0, 1)), alone=True), ref.Return(ref.Const(0))]
        functions = (*threads, ref.Function("main", "main", "int", (), tuple(main)))
        syncs = {"s0": rng.choice((1, 1, 1, 2)), "w0": 0, "b0": 2}
        used = {s.object for s in ref.walk(functions) if isinstance(s, ref.Sync)}
        return ref.Program(
            tuple(self._shared), ("m0", "m1"), ("c0", "c1"), functions, tuple((n, syncs[n]) for n in sorted(used))
        )

    def _thread(self, me: int, phases: bool) -> tuple[ref.Stmt, ...]:
        """The body of a thread; in two phases, with a barrier in between, or in one."""
        sizes = (1, 2) if phases else (1, 2, 3, 4)
        self._phase = 0
        body = self._body(me, self._rng.choice(sizes))
        if phases:
            self._phase = 1
            body += (ref.Sync("pthread_barrier_wait", "b0"), *self._body(me, self._rng.choice(sizes)))
        return body

    def _objects(self) -> None:
        rng = self._rng
        for name in ("x", "y")[: rng.choice((1, 2))]:
            self._shared.append(ref.Shared(rng.choice(_TYPES), name, rng.choice((0, 1))))
            self._places.append(ref.Var(name))
        self._shared.append(ref.Shared("int", "f", 0, atomic=rng.random() < 0.8))
        if rng.random() < 0.4:
            self._shared.append(ref.Shared(rng.choice(_TYPES), "a", (0, 1, 0), 3))
            self._places += [ref.Index("a", ref.Const(n)) for n in range(3)]
        if rng.random() < 0.4:
            kinds = [rng.choice(("u3", "s2", rng.choice(_TYPES))) for _ in range(rng.choice((2, 3)))]
            for number, record in enumerate(("r", "q")):
                for member, kind in enumerate(kinds):
                    self._shared.append(ref.Shared(kind, f"{record}.m{member}", number))
            self._places += [ref.Var(f"r.m{member}") for member in range(len(kinds))]

    def _fresh(self, stem: str) -> str:
        self._counter += 1
        return f"{stem}{self._counter}"

    def _body(self, me: int, size: int, alone: bool = False) -> tuple[ref.Stmt, ...]:
        self._me = me
        self._locals = []
        return tuple(s for _ in range(min(size, self._size)) for s in self._statement(alone))

    def _statement(self, alone: bool) -> list[ref.Stmt]:
        rng = self._rng
        place = rng.choice(self._places)
        if alone:
            return self._access(place)
        if rng.random() >= self._care:
            return rng.choice((self._access, self._access, self._odd))(place)
        return self._protected(place, self._guards[place])

    def _protected(self, place: ref.Expr, guard: str) -> list[ref.Stmt]:
        match guard:
            case "m0" | "m1":
                return self._locked(place, guard)
            case "s0":
                return [
                    ref.Sync("sem_wait", guard),
                    *self._access(place),
                    *self._more(guard),
                    ref.Sync("sem_post", guard),
                ]
            case "w0":
                return self._in_read_write_lock(place)
            case "phase":
                # In the first phase one thread may access the object, in the second the other.
                mine = self._me > 0 and self._phase == (self._me + self._owner[place]) % 2
                return self._access(place) if mine else []
            case "section":
                return [ref.AtomicBegin(), *self._access(place), *self._more(guard), ref.AtomicEnd()]
            case "atomic" if not _is_field(place):
                return self._atomically(place)
            case "none":
                return self._value_into_local(place)
            case "join":
                return self._access(place) if self._owner[place] == self._me else []
            case "flag" if self._owner[place] != self._me:
                return [ref.If(ref.Var("f"), tuple(self._access(place)))]
            case "flag":
                # What is published belongs to others from then on.
                self._owner[place] = -1
                return [*self._access(place), ref.Do(ref.Assign("=", ref.Var("f"), ref.Const(1)))]
        return self._value_into_local(place)

    def _more(self, guard: str) -> list[ref.Stmt]:
        others = [p for p in self._places if self._guards[p] == guard]
        return self._access(self._rng.choice(others)) if others and self._rng.random() < 0.3 else []

    def _locked(self, place: ref.Expr, mutex: str) -> list[ref.Stmt]:
        rng = self._rng
        inner = [*self._access(place), *self._more(mutex)]
        roll = rng.random()
        if roll < 0.15:
            return [ref.If(ref.Unary("!", ref.TryLock(mutex)), (*inner, ref.Unlock(mutex)))]
        if roll < 0.25 and self._me:
            wait: ref.Stmt = ref.If(ref.Unary("!", ref.Var("f")), (ref.Wait(f"c{mutex[1]}", mutex),))
            return [ref.Lock(mutex), *inner[:1], wait, *inner[1:], ref.Unlock(mutex)]
        if roll < 0.35:
            return [
                ref.Lock(mutex),
                *inner,
                ref.Do(ref.Assign("=", ref.Var("f"), ref.Const(1))),
                ref.Signal(f"c{mutex[1]}"),
                ref.Unlock(mutex),
            ]
        return [ref.Lock(mutex), *inner, ref.Unlock(mutex)]

    def _in_read_write_lock(self, place: ref.Expr) -> list[ref.Stmt]:
        reads = self._rng.random() < 0.5
        inner = self._value_into_local(place) if reads and self._rng.random() < self._care else self._access(place)
        take = ref.Sync("pthread_rwlock_rdlock" if reads else "pthread_rwlock_wrlock", "w0")
        return [take, *inner, ref.Sync("pthread_rwlock_unlock", "w0")]

    def _odd(self, place: ref.Expr) -> list[ref.Stmt]:
        """Protected by something, if not by what it should be."""
        rng = self._rng
        makes: tuple[Callable[[], list[ref.Stmt]], ...] = (
            lambda: self._protected(place, rng.choice(("m0", "m1", "s0", "w0"))),
            lambda: [ref.AtomicBegin(), *self._access(place), ref.AtomicEnd()],
            lambda: [ref.If(ref.Var("f"), tuple(self._access(place)))],
            lambda: [ref.If(ref.Binary("==", ref.Var("f"), ref.Const(0)), tuple(self._access(place)))],
            lambda: self._value_into_local(place) if _is_field(place) else self._atomically(place),
        )
        return rng.choice(makes)()

    # Accesses

    def _access(self, place: ref.Expr) -> list[ref.Stmt]:
        """Any access to *place*, and to nothing else."""
        rng = self._rng
        roll = rng.random()
        if roll < 0.3:
            return self._value_into_local(place)
        if roll < 0.45:
            return [ref.Do(ref.Increment(rng.choice(("++", "--")), rng.random() < 0.5, place))]
        if roll < 0.55:
            return [ref.If(ref.Binary("==", place, ref.Const(1)), (ref.Do(ref.Assign("=", place, ref.Const(2))),))]
        if roll < 0.65 and not _is_field(place):
            return self._through_pointer(place)
        if roll < 0.7 and isinstance(place, ref.Index):
            return self._loop(place)
        if roll < 0.8 and _is_field(place):
            name = self._fresh("l")
            return rng.choice(([ref.CopyRecord(name, "r", declares=True)], [ref.CopyRecord("r", "q")]))
        return [ref.Do(ref.Assign(rng.choice(("=", "=", "+=")), place, self._value()))]

    def _value(self) -> ref.Expr:
        if self._locals and self._rng.random() < 0.4:
            return ref.Var(self._rng.choice(self._locals))
        return ref.Const(self._rng.choice((0, 1, 1, 2, 3)))

    def _value_into_local(self, place: ref.Expr) -> list[ref.Stmt]:
        return [ref.Declare("int", self._fresh("l"), place)]

    def _through_pointer(self, place: ref.Expr) -> list[ref.Stmt]:
        rng = self._rng
        root = place.name if isinstance(place, ref.Var) else place.array if isinstance(place, ref.Index) else ""
        type_ = next(v.type for v in self._shared if v.name == root)
        pointer = self._fresh("p")
        target = ref.Deref(ref.Var(pointer))
        use: ref.Stmt = (
            ref.Do(ref.Assign("=", target, ref.Const(1)))
            if rng.random() < 0.6
            else ref.Declare("int", self._fresh("l"), target)
        )
        return [ref.Declare("*" + type_, pointer, ref.AddressOf(place)), use]

    def _loop(self, place: ref.Index) -> list[ref.Stmt]:
        """Two elements from *place* on; the next one may be somebody else's."""
        assert isinstance(place.index, ref.Const)
        name = self._fresh("i")
        first = min(place.index.value, 1)
        body: ref.Stmt = ref.Do(ref.Assign("=", ref.Index(place.array, ref.Var(name)), ref.Const(1)))
        cond = ref.Binary("<", ref.Var(name), ref.Const(first + self._rng.choice((1, 2))))
        return [
            ref.For(
                ref.Declare("int", name, ref.Const(first)), cond, ref.Increment("++", False, ref.Var(name)), (body,)
            )
        ]

    def _atomically(self, place: ref.Expr) -> list[ref.Stmt]:
        rng = self._rng
        roll = rng.random()
        if roll < 0.2:
            return [ref.Do(ref.Atomic("gnu", "store", "", place, self._value()))]
        if roll < 0.4:
            return [ref.Declare("int", self._fresh("l"), ref.Atomic("gnu", "load", "", place))]
        root = place.name if isinstance(place, ref.Var) else place.array if isinstance(place, ref.Index) else ""
        is_bool = next(v.type for v in self._shared if v.name == root) == "bool"
        if roll < 0.6 or is_bool:
            return [ref.Do(ref.Atomic("gnu", "exchange", "", place, self._value()))]
        if roll < 0.8:
            return [ref.Do(ref.Swap("bool", False, place, ref.Const(0), self._value()))]
        return [ref.Do(ref.Atomic("sync", "fetch", "add", place, self._value()))]


def _is_field(place: ref.Expr) -> bool:
    return isinstance(place, ref.Var) and "." in place.name


def programs(seed: int, count: int, start: int = 0, size: int = 4) -> Iterator[tuple[int, ref.Program]]:
    """The programs of a seed, by number."""
    for number in range(start, start + count):
        program = Racy(random.Random(f"races {seed}/{number}"), size).program()
        if ref.is_well_formed(program):
            yield number, program


def answer(text: str, bounds: fuzz.Bounds) -> tuple[str, Outcome | str]:
    """What CSeq says of races in a program: as `fuzz.said`; the answer for the property, or a message."""
    with tempfile.TemporaryDirectory(prefix="races-") as folder:
        path = Path(folder) / "program.c"
        path.write_text(text)
        try:
            limits = {"rounds": bounds.rounds, "unwind": bounds.unwind, "timeout": bounds.timeout or 60}
            whole = cseq.verify(path, **limits, bits=bounds.bits, backend=bounds.backend, race=True, first=True)
        except UnsupportedError as error:
            return "refused", error.message
        except Exception as error:  # whatever it is, it is a bug
            return f"bug: {type(error).__name__}", getattr(error, "message", str(error))
    outcome = whole.of("no-data-race")
    if outcome.reason in (Reason.REPLAY, Reason.BACKEND):
        return f"bug: {outcome.reason.name}", message(outcome)
    if outcome.reason in (Reason.TIMEOUT, Reason.MEMORY):
        return "limit", ""
    if whole.of("unreach-call").exit_status == 1:
        return "bug: misuse", message(outcome)
    return outcome.verdict.value, outcome


def said(text: str, bounds: fuzz.Bounds) -> tuple[str, str]:
    """What CSeq says of races in a program; as `fuzz.said`."""
    verdict, outcome = answer(text, bounds)
    if isinstance(outcome, str):
        return verdict, outcome
    return verdict, description(outcome.violated) if outcome.violated else ""


def disagreement(program: ref.Program, bounds: fuzz.Bounds, counts: Counter[str] | None = None) -> str:
    """What is wrong with CSeq's answer; empty when nothing is."""
    try:
        expected = standing(program, bounds.rounds, bounds.unwind, bounds.bits, _STATES)
    except (ref.Undefined, ref.TooBig) as error:
        if counts is not None:
            counts[type(error).__name__] += 1
        return ""
    verdict, outcome = answer(ref.to_c(program), bounds)
    if counts is not None:
        counts[f"race {bool(expected)}: {verdict}"] += 1
    if isinstance(outcome, str):
        return f"{verdict}: {outcome.split(':')[0][:60]}" if verdict.startswith("bug") else ""
    if bool(expected) != (verdict == "FALSE"):
        return "missed" if expected else "false alarm"
    if verdict == "TRUE":
        try:
            beyond = standing(program, None, bounds.unwind + 2, bounds.bits, _STATES)
        except (ref.Undefined, ref.TooBig):
            return ""
        if beyond:
            return "no proof"
    if verdict == "FALSE" and outcome.counterexample is not None:
        names = [side.name for side in outcome.counterexample.racing]
        if not any(_is_one_of(name, expected) for name in names):
            return "another race"
    return ""


def _is_one_of(name: str, cells: set[ref.Cell]) -> bool:
    """Whether what CSeq calls *name* is among the memory that the reference calls *cells*."""
    known = {f"{cell[0]}[{cell[1]}]" if len(cell) > 1 else cell[0] for cell in cells}
    if "." in name:  # bit-fields side by side have the name of the first
        return any("." in one for one in known)
    return name in known or "*" in name or "[i" in name


if __name__ == "__main__":
    fuzz.programs = programs
    fuzz.said = said
    fuzz.disagreement = disagreement
    fuzz.tests_of = lambda program, bounds, rng, counts: iter([program])
    sys.exit(fuzz.main())
