"""What the analysis of a thread asks of the program around it, and the execution of a node of the analysis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Protocol

from cseq.modules.analysis.points_to import Location, PointsTo
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.objects import Object
from cseq.modules.ir.program import Block, Program, Template
from cseq.modules.modular.accesses import Access, Thread
from cseq.modules.modular.effects import Effects
from cseq.modules.modular.state import Event, FlagUse, Held, MayHold, Node, Range, State
from cseq.modules.modular.terms import Bounds, Symbol, Symbols, Term

SHARED: Final = 1 << 30
"""How the nodes of activations begin that all calls of a function share: after all others."""


class NotFollowedError(Exception):
    """The analysis does not follow the program; the message names what."""

    def __init__(self, message: str, instruction: ir.Instruction | None = None) -> None:
        super().__init__(message)
        self.origin = None if instruction is None else instruction.origin


class Activation:
    """Calls of a template by one way through the calls (or by all, if it is shared).

    path: how its nodes begin. is_once: whether a thread enters it at most once.
    """

    def __init__(self, template: Template, path: Node, around: Activation | None, is_once: bool) -> None:
        self.template = template
        self.path = path
        self.around = around
        self.is_once = is_once
        self.is_shared = path[:1] == (SHARED,)
        self.templates: frozenset[Template] = (frozenset() if around is None else around.templates) | {template}
        self.depth: int = 0 if around is None else around.depth + 1

    def block(self, node: Node) -> Block:
        """The block of a node."""
        return self.template.blocks[node[-2]]

    def head(self, node: Node) -> Node | None:
        """The head of the innermost loop around a node, in this activation."""
        loop = self.block(node).loop
        return None if loop is None else (*self.path, loop, 0)


class Signals(Protocol):
    """Where it is noted what others may wait for: see `signal_order`."""

    def store(
        self, thread: Thread, at: Term, is_increment: bool, value: Term, is_first: bool, releases: bool,
        counts: Mapping[Event, Term], bounds: Mapping[Symbol, Bounds],
    ) -> None: ...  # fmt: skip

    def post(
        self, thread: Thread, at: Term, where: frozenset[Location], counts: Mapping[Event, Term],
        bounds: Mapping[Symbol, Bounds],
    ) -> None: ...  # fmt: skip

    def arrive(self, thread: Thread, at: Term, where: frozenset[Location]) -> None: ...

    def initialise(self, at: Term, where: frozenset[Location], value: int | None) -> None: ...


class Waits(Protocol):
    """Where it is noted what threads wait for: see `lock_order`."""

    def note(
        self, thread: Thread, call: ir.Call, may_hold: frozenset[MayHold], held: Mapping[Term, Held],
        what: MayHold | int | None, alive: Mapping[int, Range | None], bounds: Mapping[Symbol, Bounds],
    ) -> None: ...  # fmt: skip

    def refuse(self, call: ir.Call) -> None: ...

    def end(self, thread: Thread, instruction: ir.Instruction, may_hold: frozenset[MayHold]) -> None: ...


class Environment(Protocol):
    """The program around a thread: see `program_analysis`."""

    program: Program
    symbols: Symbols
    points_to: PointsTo
    effects: Effects

    @property
    def signals(self) -> Signals: ...

    @property
    def waits(self) -> Waits: ...

    def excludes(self, held: Held) -> bool: ...

    def root_of(self, address: Term) -> Object | ir.Operation | None: ...

    def stores_to(self, root: object) -> list[Access]: ...

    def is_quiet(
        self, thread: Thread, alive: Mapping[int, Range | None], bounds: Mapping[Symbol, Bounds], address: Term,
        size: int, where: frozenset[Location],
    ) -> bool: ...  # fmt: skip

    def stays(
        self, thread: Thread, alive: Mapping[int, Range | None], bounds: Mapping[Symbol, Bounds], address: Term,
        size: int, private: frozenset[Symbol],
    ) -> bool: ...  # fmt: skip

    def is_constant(self, address: Term, size: int, where: frozenset[Location]) -> bool: ...

    def flag(self, instruction: ir.Instruction, where: frozenset[Location], use: FlagUse) -> None: ...

    def ticket(self, where: frozenset[Location], distance: Term) -> None: ...

    def publish(self, blocks: Iterable[Symbol], is_pointer: bool) -> None: ...

    def semaphore(self, where: frozenset[Location], is_good: bool) -> None: ...

    def creation(self, thread: Thread, node: Node, create: ir.Create) -> int: ...

    def own(self, creation: int) -> Symbol: ...

    def leaves(self, creation: int) -> bool: ...

    def is_safe_handle(self, thread: Thread, creation: int, form: Term) -> bool: ...

    def note_handle(self, creation: int, where: frozenset[Location]) -> None: ...

    def created(
        self, parent: Thread, creation: int, create: ir.Create, argument: Term, number: Term, state: State,
        others: Mapping[int, Range | None], after: Range | None,
    ) -> None: ...  # fmt: skip

    def cut(self, instruction: ir.Instruction) -> None: ...

    def refuse(self, instruction: ir.Instruction) -> None: ...


class Execution(Protocol):
    """The analysis that a node belongs to: see `thread_analysis`."""

    environment: Environment
    thread: Thread
    accesses: list[Access]
    handles: dict[int, Term | None]
    forms: dict[int, Term | None]

    def object(self, object_: Object, activation: Activation) -> Term: ...
