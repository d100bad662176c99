"""Whether a small multi-threaded program has a data race: two references that define it in two ways.

`standing`: there is a state that the program can reach, in which two threads stand before accesses to the same memory,
at least one of them a write, and at least one not atomic. States are those of `reference`, in rounds or without.

`unordered`: there is an execution with two such accesses of which neither happens before the other. Computed with
vector clocks (Mattern; as in Flanagan and Freund's FastTrack, PLDI 2009) for every interleaving. What orders: creating
a thread and joining it, a mutex, a read-write lock, a semaphore,
a barrier, an atomic section and the next one, an atomic store and the load that reads from it.
A trylock that fails comes behind the lock that made it fail, and a thread that is woken up behind the signal: without
spurious failures and wake-ups, which there are none of here, they cannot be earlier.

Both say the same of a whole program, though not of each of its races: what is unordered only because of an earlier
race may be kept apart by it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from tests.differential import reference as ref


@dataclasses.dataclass(frozen=True)
class Access:
    """cells: by name; bit-fields side by side have the name of the first."""

    cells: frozenset[ref.Cell]
    writes: bool
    atomic: bool

    def races(self, other: Access) -> frozenset[ref.Cell]:
        """The memory for which this access and that of another thread are a race."""
        if (self.atomic and other.atomic) or not (self.writes or other.writes):
            return frozenset()
        return self.cells & other.cells


class Thread(ref._Thread):
    """Yields an access to memory as what it is: ``("read", cells, atomic)``, ``("write", cells and values, atomic)``.

    A section of the program's own begins and ends with ``enter`` and ``leave``; ``begin`` and ``end`` are of atomic
    operations.
    """

    def _load(self, place: Any) -> ref.Run:
        return (yield from self._load_as(place, atomic=False))

    def _load_as(self, place: Any, atomic: bool) -> ref.Run:
        kind, where = place
        if kind != "shared" or where in self._world.constants:
            return (yield from super()._load(place))
        values = yield ("read", (where,), atomic or where[0] in self._world.atomic)
        return values[0]

    def _store(self, place: Any, value: Any) -> ref.Run:
        yield from self._store_as(place, value, atomic=False)

    def _store_as(self, place: Any, value: Any, atomic: bool) -> ref.Run:
        kind, where = place
        if kind != "shared":
            self._stack[-1].locals[where] = value
            return
        beside = self._world.beside.get(where, ())
        kept = yield from self._load_all(beside)
        pairs = ((where, value), *zip(beside, kept, strict=True))
        yield ("write", pairs, atomic or where[0] in self._world.atomic)

    def _load_all(self, cells: tuple[ref.Cell, ...]) -> ref.Run:
        return (yield ("read", cells, False)) if cells else ()

    def _store_all(self, stores: tuple[tuple[ref.Cell, Any], ...]) -> ref.Run:
        yield ("write", tuple(stores), False)

    def _atomic(self, e: ref.Atomic) -> ref.Run:
        if e.action not in ("load", "store"):
            return (yield from super()._atomic(e))
        place, type_ = yield from self._place(e.target)
        if e.action == "load":
            return (yield from self._load_as(place, atomic=True)), type_
        value, _ = yield from self._value(e.value or ref.Expr())
        value = 0 if e.style == "sync" else self._world.arithmetic.convert(value, type_)
        yield from self._store_as(place, value, atomic=True)
        return 0, "int"

    def _thread_statement(self, s: ref.Stmt) -> ref.Run:
        match s:
            case ref.AtomicBegin():
                yield ("enter",)
            case ref.AtomicEnd():
                yield ("leave",)
            case _:
                yield from super()._thread_statement(s)


class World(ref._World):
    """What both references share: the states, without a look at races."""

    def __init__(self, program: ref.Program, rounds: int, unwind: int, bits: int, limit: int) -> None:
        super().__init__(program, rounds, unwind, bits, limit, frozenset())
        self._location: dict[ref.Cell, ref.Cell] = {}
        for cell, others in self.beside.items():
            self._location[cell] = min(cell, *others) if others else cell

    def _root(self, key: ref.Key, function: str, argument: Any) -> ref._Node:
        node = self._roots.get((key, function, argument))
        if node is None:
            definition = self.program.function(function)
            node = ref._Node.first(lambda: Thread(self, key, definition).run(argument))
            self._roots[key, function, argument] = node
        return node

    def access(self, action: Any, section: int) -> Access | None:
        """The access to memory that an action is."""
        match action:
            case ("read", cells, atomic):
                return self._access(cells, False, atomic or section > 0)
            case ("write", pairs, atomic):
                return self._access([cell for cell, _ in pairs], True, atomic or section > 0)
            case ("load", cell) | ("store", cell, _):
                return self._access([cell], action[0] == "store", section > 0)
        return None

    def _access(self, cells: Any, writes: bool, atomic: bool) -> Access:
        return Access(frozenset(self._location.get(cell, cell) for cell in cells), writes, atomic)

    def _visible(self, action: Any, key: ref.Key, threads: Any, memory: Any, section: int) -> Iterator[Any]:
        match action:
            case ("read", cells, _):
                yield tuple(self._read(memory, cell) for cell in cells), threads, memory, section
            case ("write", pairs, _):
                for cell, value in pairs:
                    memory = self._written(memory, cell, value)
                yield None, threads, memory, section
            case ("enter",):
                yield None, threads, memory, section + 1
            case ("leave",):
                if section == 0:
                    raise ref.Undefined("the end of no atomic section")
                yield None, threads, memory, section - 1
            case _:
                yield from super()._visible(action, key, threads, memory, section)


class Standing(World):
    """Looks at every state for two threads that stand before conflicting accesses."""

    def __init__(self, program: ref.Program, rounds: int, unwind: int, bits: int, limit: int) -> None:
        super().__init__(program, rounds, unwind, bits, limit)
        self.racy: set[ref.Cell] = set()

    def everything(self) -> None:
        """Explore all interleavings, whatever number of rounds they take."""
        first: ref.State = (((ref.MAIN, self._root(ref.MAIN, "main", 0)),), tuple(self._initial), 0)
        known: dict[ref.State, ref.Key | None] = {first: None}
        work: list[tuple[ref.State, ref.Key | None]] = [(first, None)]
        while work:
            state, running = work.pop()
            keys = [running] if state[2] else [key for key, _ in state[0]]
            for key in keys:
                assert key is not None
                for after in self._step(state, key):
                    if after not in known:
                        known[after] = key
                        work.append((after, key))
                        if len(known) > self._limit:
                            raise ref.TooBig

    def _step(self, state: ref.State, key: ref.Key) -> Iterator[ref.State]:
        self._look(state, key)
        return super()._step(state, key)

    def _look(self, state: ref.State, running: ref.Key) -> None:
        threads, memory, section = state
        # Nobody begins while another thread is in a section.
        known = [(key, node) for key, node in threads if not section or node.action != ("start",)]
        stands = [
            list(self._accesses(node, key, threads, memory, section if key == running else 0)) for key, node in known
        ]
        for number, one in enumerate(stands):
            for other in stands[:number]:
                for a in one:
                    for b in other:
                        self.racy |= a.races(b)

    def _accesses(self, node: ref._Node, key: ref.Key, threads: Any, memory: Any, section: int) -> Iterator[Access]:
        """What a thread stands before: its next access, or all those of an atomic operation.

        One that has not begun yet stands before the first thing that others can notice of it.
        """
        if node.action == ("start",):
            for first in self._settled(node.told(None)):
                yield from self._accesses(first, key, threads, memory, section)
        elif node.action == ("begin",):
            while node.action != ("end",):
                access = self.access(node.action, section + 1)
                if access is not None:
                    yield access
                answer, _, memory, _ = next(self._visible(node.action, key, threads, memory, section))
                node = node.told(answer)
        else:
            access = self.access(node.action, section)
            if access is not None:
                yield access


def standing(
    program: ref.Program, rounds: int | None, unwind: int, bits: int = 64, limit: int = 60_000
) -> set[ref.Cell]:
    """The memory that two threads race for; rounds: None for any number. Raises Undefined and TooBig."""
    world = Standing(program, rounds or 1, unwind, bits, limit)
    if rounds is None:
        world.everything()
    else:
        world.explore()
    return world.racy


# With clocks

Clock = tuple[tuple[ref.Key, int], ...]
"""For each thread, up to which of its own times it is known what it did."""


def _joined(one: Clock, other: Clock) -> Clock:
    times = dict(one)
    for key, time in other:
        times[key] = max(times.get(key, 0), time)
    return tuple(sorted(times.items()))


class Unordered(World):
    """Explores all interleavings, with clocks beside each state, until it finds a race."""

    def __init__(self, program: ref.Program, unwind: int, bits: int, limit: int) -> None:
        super().__init__(program, 1, unwind, bits, limit)
        self.racy = False
        self._writes = False

    def everything(self) -> None:
        """Explore; sets `racy`."""
        first: ref.State = (((ref.MAIN, self._root(ref.MAIN, "main", 0)),), tuple(self._initial), 0)
        start = (first, None, frozenset({(("thread", ref.MAIN), ((ref.MAIN, 1),))}))
        known, work = {start}, [start]
        while work and not self.racy:
            state, running, times = work.pop()
            for key in [running] if state[2] else [key for key, _ in state[0]]:
                for after, later in self._timed(state, key, dict(times)):
                    new = (after, key if after[2] else None, frozenset(later.items()))
                    if new not in known:
                        known.add(new)
                        work.append(new)
                        if len(known) > self._limit:
                            raise ref.TooBig

    def _timed(
        self, state: ref.State, key: ref.Key, times: dict[Any, Clock]
    ) -> Iterator[tuple[ref.State, dict[Any, Clock]]]:
        threads, memory, section = state
        action = dict(threads)[key].action
        for after in self._visible(action, key, threads, memory, section):
            answer, threads_, memory_, section_ = after
            later = dict(times)
            if action[0] == "rwlock_unlock":
                self._writes = self._read(memory, ("sync", action[1]))[0] == key
            self._order(action, answer, key, section, later)
            for end in self._settled(dict(threads)[key].told(answer)):
                ended = dict(later)
                if end.action[0] == "done":
                    ended["done", key] = ended["thread", key]
                yield (tuple((k, end if k == key else n) for k, n in threads_), memory_, section_), ended

    def _order(self, action: Any, answer: Any, key: ref.Key, section: int, times: dict[Any, Clock]) -> None:
        """What an action learns of others, and lets them learn."""
        match action:
            case ("lock", mutex):
                self._acquire(("mutex", mutex), key, times)
                self._keep(("held", mutex), key, times)
            case ("trylock", mutex):
                self._acquire(("mutex", mutex) if answer == 0 else ("held", mutex), key, times)
                if answer == 0:
                    self._keep(("held", mutex), key, times)
            case ("unlock" | "sleep", *_):
                self._release(("mutex", action[-1]), key, times)
            case ("wake", cond, mutex):
                self._acquire(("mutex", mutex), key, times)
                self._acquire(("cond", cond), key, times)
                self._keep(("held", mutex), key, times)
            case ("signal" | "broadcast", cond):
                self._release(("cond", cond), key, times)
            case ("create", new, *_):
                times["thread", new] = _joined(times["thread", key], ((new, 1),))
                self._tick(key, times)
            case ("join", other):
                self._acquire(("done", other), key, times)
            case ("sem_wait" | "sem_post", name):
                (self._acquire if action[0] == "sem_wait" else self._release)(("sem", name), key, times)
            case ("rwlock_rdlock", name):
                self._acquire(("writers", name), key, times)
            case ("rwlock_wrlock", name):
                self._acquire(("writers", name), key, times)
                self._acquire(("readers", name), key, times)
            case ("rwlock_unlock", name):
                self._release(("writers" if self._writes else "readers", name), key, times)
            case ("arrive", name):
                self._release(("barrier", name, answer), key, times)
            case ("leave_barrier", name, phase):
                self._acquire(("barrier", name, phase), key, times)
            case ("enter",):
                self._acquire(("section",), key, times)
            case ("leave",):
                # Whoever reads what was stored in the section knows all that was done in it.
                for what in [what for what in times if what[0] == "stored"]:
                    times["value", what[1]] = times["thread", key]
                    del times[what]
                self._release(("section",), key, times)
            case _:
                access = self.access(action, section)
                if access is not None:
                    for cell in access.cells:
                        self._accessed(cell, access, key, times)
                        if access.writes and section:
                            times["stored", cell] = ()

    def _accessed(self, cell: ref.Cell, access: Access, key: ref.Key, times: dict[Any, Clock]) -> None:
        if access.atomic and not access.writes:
            self._acquire(("value", cell), key, times)
        own = dict(times["thread", key])
        for writes in (False, True):
            for atomic in (False, True):
                if (writes or access.writes) and not (atomic and access.atomic):
                    earlier = times.get(("access", cell, writes, atomic), ())
                    self.racy |= any(time > own.get(other, 0) for other, time in earlier if other != key)
        last = ("access", cell, access.writes, access.atomic)
        times[last] = _joined(times.get(last, ()), ((key, own[key]),))
        if access.writes:
            times["value", cell] = times["thread", key] if access.atomic else ()
            self._tick(key, times)

    def _acquire(self, what: Any, key: ref.Key, times: dict[Any, Clock]) -> None:
        times["thread", key] = _joined(times["thread", key], times.get(what, ()))

    def _keep(self, what: Any, key: ref.Key, times: dict[Any, Clock]) -> None:
        times[what] = times["thread", key]
        self._tick(key, times)

    def _release(self, what: Any, key: ref.Key, times: dict[Any, Clock]) -> None:
        times[what] = _joined(times.get(what, ()), times["thread", key])
        self._tick(key, times)

    def _tick(self, key: ref.Key, times: dict[Any, Clock]) -> None:
        times["thread", key] = tuple((k, t + (k == key)) for k, t in times["thread", key])


def unordered(program: ref.Program, unwind: int, bits: int = 64, limit: int = 60_000) -> bool:
    """Whether some execution has a race. Raises Undefined and TooBig."""
    world = Unordered(program, unwind, bits, limit)
    world.everything()
    return world.racy
