"""What the replay of a counterexample observed about locks and about where threads stand in the last state.

At each call of the thread library, the tracer has the replay print the addresses of the objects that the call uses,
and after the call their state. The same is printed when a thread is asked what it is about to execute (see
`modules/analysis/marks.py`). `Evidence` reads that from the trace, for reports on properties of a state:

- ``stands``: the threads that were asked, in the order of their numbers: each a `StoppedThread`, whose ``origin`` is
  the place and, in its ``path``, how the thread got there;
- ``held_by(thread)``: the locks that a thread holds in the last state: each a `HeldLock`, with its name and where it
  was taken;
- ``holders(address)``: the same, by lock;
- ``objects``: the user's names for addresses, and the pointers that lead to blocks;
- ``said``: for data races, what the two threads have reported, by the names of the judge's variables;
- ``ended``, ``last``: which threads have ended, and when each last did something, as a number that grows with time.

Everything here was observed; nothing is taken from the engine's trace.
"""

from dataclasses import dataclass, field, replace
from functools import cache
from typing import NamedTuple

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import pointer_to
from cseq.model.actions import ObjectKind
from cseq.model.origin import Origin
from cseq.model.trace import Thread
from cseq.modules.library import stubs
from cseq.modules.library.primitives.object_types import KINDS, SHOWN
from cseq.modules.tracing.naming import Objects

_OBJECT = "__CSEQ_object"


class Parameter(NamedTuple):
    """A parameter that leads to an object of the library. number: its position. type: of the object."""

    number: int
    type: str
    kind: ObjectKind


@cache
def subjects(function: str) -> list[Parameter]:
    """The parameters of the library function *function* that are the objects its calls operate on."""
    return [Parameter(number, *found) for number, found in stubs.objects_of(function).items()]


def state_of(type_: str, kind: ObjectKind) -> list[tuple[str, c_ast.Node]]:
    """What is shown of the object that ``__CSEQ_object`` points to: names and expressions."""
    named = c_ast.TypeDecl(None, [], None, c_ast.IdentifierType([type_]))
    place = c_ast.Cast(build.typename(pointer_to(named)), build.ident(_OBJECT))
    return [
        (name, c_ast.StructRef(place, "->", build.ident(f"__cs_{name}")) if name else c_ast.UnaryOp("*", place))
        for name in SHOWN[kind]
    ]


def remembered(argument: c_ast.Node) -> c_ast.Node:
    """*argument*, an address, which is also stored in ``__CSEQ_object``."""
    return build.assign(build.ident(_OBJECT), argument)


@dataclass
class ObservedObject:
    """A library object that was seen at a call. name: as the thread calls it.

    address: for a thread, its identifier instead. state: the values shown of it.
    """

    kind: ObjectKind
    name: str
    address: int
    state: dict[str, int] = field(default_factory=dict)

    def holders(self) -> set[int]:
        """The numbers of the threads that hold it; empty for an object that is not a lock."""
        state = self.state
        if self.kind is ObjectKind.ONCE:
            return {state[""] - 1} if 0 < state[""] < 1 << 31 else set()
        owner = state.get("owner", 0) or state.get("writer", 0)
        if owner:
            return {owner - 1}
        readers = state.get("readers", 0) | state.get("readers_2", 0) | state.get("readers_4", 0)
        return {number for number in range(readers.bit_length()) if readers >> number & 1}


@dataclass(frozen=True)
class HeldLock:
    """A lock that a thread holds. since: where it was taken. reading: whether for reading, shared with others."""

    thread: Thread
    kind: ObjectKind
    name: str
    address: int
    since: Origin
    reading: bool = False


@dataclass
class StoppedThread:
    """A thread that was asked what it is about to execute. objects: those its call uses, as they are then.

    accesses: for data races, the memory that it is about to access: the lvalue as text, and the library function that
    makes the access. Either may be empty.
    """

    thread: Thread
    origin: Origin
    function: str = ""
    objects: list[ObservedObject] = field(default_factory=list)
    accesses: tuple[str, str] | None = None

    def object(self, kind: ObjectKind) -> ObservedObject | None:
        """The first object of the given kind."""
        return next((sight for sight in self.objects if sight.kind == kind), None)


class Evidence:
    """Reads the trace of a replay."""

    def __init__(self, threads: list[Thread], objects: Objects) -> None:
        self.objects = objects
        self.stands: list[StoppedThread] = []
        self.ended: set[int] = set()
        self.said: dict[str, dict[int, int]] = {}
        self.last: dict[int, int] = {}
        self._threads = threads
        self._held: dict[tuple[int, int], HeldLock] = {}

    def sees(self, sight: ObservedObject, origin: Origin) -> None:
        """Record that the object is in the state *sight* after a call at *origin*."""
        holders = sight.holders()
        for address, number in list(self._held):
            if address == sight.address and number not in holders:
                del self._held[address, number]
        for number in holders:
            if (sight.address, number) not in self._held and number < len(self._threads):
                reading = sight.kind is ObjectKind.RWLOCK and not sight.state["writer"]
                held = HeldLock(self._threads[number], sight.kind, sight.name, sight.address, origin, reading)
                self._held[sight.address, number] = held

    def name_of(self, sight: ObservedObject | HeldLock) -> str:
        """The user's name for the object, valid in any thread, or else the name that this thread uses."""
        if sight.kind is ObjectKind.THREAD:
            return sight.name
        size = self.objects.size_of(next(name for name, kind in KINDS.items() if kind is sight.kind))
        return self.objects.path_to(sight.address, size) or sight.name

    def held_by(self, thread: Thread) -> list[HeldLock]:
        """The locks that *thread* holds, in the order in which it took them."""
        return [self._renamed(held) for held in self._held.values() if held.thread == thread]

    def holders(self, address: int) -> list[HeldLock]:
        """The threads' holds on the lock at *address*."""
        return [self._renamed(held) for held in self._held.values() if held.address == address]

    def _renamed(self, held: HeldLock) -> HeldLock:
        """The lock with the name that it has in the last state."""
        return replace(held, name=self.name_of(held))
