"""Programs: objects, templates of threads and functions, blocks, and the shape of the text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Final

from pycparser import c_ast

from cseq.c.datamodel import DataModel
from cseq.model.origin import Origin
from cseq.modules.ir.expressions import Expr, ExprPool, Place
from cseq.modules.ir.instructions import Access, Branch, Create, Instruction, Terminator
from cseq.modules.ir.objects import Object
from cseq.modules.ir.slotted import Slotted, field
from cseq.modules.ir.types import Type, TypePool


class Kind(Enum):
    """What a template is executed by. STEP: one step of a thread, a library function. FRAMED: a call, in a frame."""

    THREAD = "thread"
    STEP = "step"
    FRAMED = "framed"


class Block:
    """A sequence of instructions that one terminator ends.

    number: dense within its template, in the order of the text, so only the edges back to a loop's head lead backwards.
    loop: the number of the innermost loop's head. predecessors: without repetition, in order.
    """

    __slots__ = ("body", "end", "labels", "loop", "number", "predecessors")

    def __init__(self, number: int, loop: int | None) -> None:
        self.number: Final = number
        self.loop: Final = loop
        self.labels: tuple[str, ...] = ()
        self.body: list[Instruction] = []
        self.end: Terminator
        self.predecessors: tuple[int, ...] = ()

    def instructions(self) -> Iterator[Instruction]:
        """Its instructions, the terminator last."""
        yield from self.body
        yield self.end


class IfLayout(metaclass=Slotted):
    """An `if`. number: that of its branch. jump: the label in ``if (c) goto l;``, which has no parts."""

    number: int
    then: Layout
    other: Layout | None
    jump: str | None


class LoopLayout(metaclass=Slotted):
    """A `while`. number: that of its branch, or of the jump into its body if the condition is the constant *always*.

    trailing: marks at the end of the body that describe the next evaluation of the condition.
    """

    number: int
    head: int
    body: Layout
    always: Expr | None
    trailing: tuple[c_ast.FuncCall, ...]


class LabelLayout(metaclass=Slotted):
    """A label."""

    name: str
    block: int
    origin: Origin | None


Layout = Sequence["int | IfLayout | LoopLayout | LabelLayout"]
"""The shape of a text: numbers of instructions, and what has parts, in order."""


class Edge(metaclass=Slotted):
    """An edge between two blocks. holds: whether the condition of a branch holds; None for other terminators."""

    __match_args__ = ("terminator", "holds")

    terminator: Terminator
    holds: bool | None


class Template(metaclass=Slotted):
    """A function as threads execute it. entry: always block 0. source: the definition it was lowered from."""

    number: int
    name: str
    kind: Kind
    object: Object
    result: Type
    parameters: tuple[Object, ...] = field(default=(), init=False)
    locals: tuple[Object, ...] = field(default=(), init=False)
    blocks: tuple[Block, ...] = field(default=(), init=False)
    layout: Layout = field(default=(), init=False)
    source: c_ast.FuncDef | None = field(default=None, init=False)

    def instructions(self) -> Iterator[Instruction]:
        """All instructions, in the order of the text."""
        for block in self.blocks:
            yield from block.instructions()

    # What a solver of data-flow equations asks: the nodes of the graph are the numbers of the blocks.

    @property
    def entry(self) -> int:
        """The first block."""
        return 0

    def nodes(self) -> Sequence[int]:
        """The numbers of the blocks."""
        return range(len(self.blocks))

    def leaving(self, node: int) -> Sequence[tuple[Edge, int]]:
        """The edges that leave a block, and the blocks to which they lead."""
        end = self.blocks[node].end
        if isinstance(end, Branch):
            return (Edge(end, True), end.then), (Edge(end, False), end.other)
        return [(Edge(end, None), to) for to in end.successors()]


class SectionKind(Enum):
    """Why statements are one step. USER: the program says so. RMW: they are one atomic access.

    GROUP: they are one access of several parts, as to a unit of bit-fields.
    """

    USER = "user"
    RMW = "rmw"
    GROUP = "group"


class Section(metaclass=Slotted):
    """An atomic section, by its beginning.

    is_dynamic: what is inside depends on the path. access: of RMW, the one access that it is; a USER section without
    contents is a fence.
    """

    number: int
    kind: SectionKind
    is_dynamic: bool = field(default=False, init=False)
    access: Access | None = field(default=None, init=False)


class Program:
    """A program in the core language.

    objects, templates, instructions and sections: by number. ordered: what `emit` puts into the file: declarations as
    they are, and templates. steps: the library functions, lowered when they are first asked for. settings of the chain
    are expressions.
    """

    def __init__(self, model: DataModel, types: TypePool, expressions: ExprPool) -> None:
        self.model: Final = model
        self.types: Final = types
        self.expressions: Final = expressions
        self.objects: list[Object] = []
        self.templates: list[Template] = []
        self.instructions: list[Instruction] = []
        self.sections: list[Section] = []
        self.creations: list[Create] = []
        self.ordered: list[c_ast.Node | Template] = []
        self.by_name: dict[str, Template] = {}
        self.steps: Mapping[str, Template] = {}
        self.initial: Callable[[Object], list[tuple[Place, Expr]]]
        self.numbers: dict[int, list[int]] = {}
