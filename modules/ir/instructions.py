"""Instructions and terminators, and the record of a visible access.

An instruction makes at most one visible access, which stays inside it, so a scheduling point is an instruction.
"""

from enum import Enum, IntEnum
from typing import Any

from pycparser import c_ast

from cseq.model.claims import Claim, Cut
from cseq.model.origin import Origin
from cseq.modules.ir.expressions import Expr, Place
from cseq.modules.ir.objects import Object
from cseq.modules.ir.slotted import Slotted, field
from cseq.modules.library.acts import Act


class Order(IntEnum):
    """The memory order of an access; PLAIN: it is not atomic."""

    PLAIN = 0
    RELAXED = 1
    CONSUME = 2
    ACQUIRE = 3
    RELEASE = 4
    ACQ_REL = 5
    SEQ_CST = 6


class AccessKind(Enum):
    """What an access does with memory. UPDATE: it reads and writes in one step. CALL: what a library function does."""

    READ = "load"
    WRITE = "store"
    UPDATE = "update"
    FENCE = "fence"
    CALL = "call"


class Access(metaclass=Slotted):
    """A visible access.

    place: None for fences, and for calls that concern no object. order: PLAIN if it is not atomic. failure: that of a
    compare-exchange that fails; None for other accesses. value: what is written, if that is one expression.
    """

    kind: AccessKind
    place: Place | None
    order: Order = field(default=Order.PLAIN)
    failure: Order | None = field(default=None)
    value: Expr | None = field(default=None)

    @property
    def size(self) -> int:
        """How many bytes it touches; 0 without a place."""
        return 0 if self.place is None else self.place.type.size

    @property
    def is_atomic(self) -> bool:
        """Whether it takes part in no data race with other atomic accesses."""
        return self.order is not Order.PLAIN


class Instruction(metaclass=Slotted):
    """A statement without control flow.

    number: dense within a program. origin: as in the tree. source: the statement that it was lowered from, and marks
    the calls before it that only describe it; both are empty where the instruction was made otherwise. access: its
    visible access outside of a section or in one; None if it has none, or stands for several. section: the atomic
    section that it is in, if that is certain. grain: the key of the cut that says that it stands for several accesses.
    """

    origin: Origin | None = field(default=None, kw_only=True)
    source: Any = field(default=None, kw_only=True)
    number: int = field(default=-1, init=False)
    marks: tuple[c_ast.FuncCall, ...] = field(default=(), init=False)
    access: Access | None = field(default=None, init=False)
    section: int | None = field(default=None, init=False)
    grain: str | None = field(default=None, init=False)

    def operands(self) -> tuple[Expr, ...]:
        """The expressions that it evaluates, without those of its target."""
        return ()

    def target(self) -> Place | None:
        """The place that it writes."""
        return None

    @property
    def loads(self) -> tuple[Place, ...]:
        """The shared memory that its expressions and the place of its target read, in order."""
        target = self.target()
        found = () if target is None else target.loads
        for operand in self.operands():
            found += operand.loads
        return found


class _Store(Instruction):
    __match_args__ = ("place",)

    place: Place

    def target(self) -> Place:
        return self.place


class Assign(_Store):
    """``place = value``: both have one type, which may be a record."""

    __match_args__ = ("place", "value")

    value: Expr

    def operands(self) -> tuple[Expr, ...]:
        return (self.value,)


class Input(_Store):
    """Any value of the *kind* of `__CSEQ_nondet_…`, converted to the target; with a *size*, any bytes from there on.

    at: the user's place that asks for it.
    """

    __match_args__ = ("place", "kind", "size")

    kind: str
    size: Expr | None
    at: Origin

    def operands(self) -> tuple[Expr, ...]:
        return () if self.size is None else (self.size,)


class Undefine(_Store):
    """The target has not been written yet, or not any more. how: the primitive, or the kind of `__CSEQ_nondet_…`.

    size: as in `Input`.
    """

    __match_args__ = ("place", "how", "size")

    how: str
    size: Expr | None

    def operands(self) -> tuple[Expr, ...]:
        return () if self.size is None else (self.size,)


class Zero(_Store):
    """*size* bytes from the target on become 0."""

    __match_args__ = ("place", "size")

    size: Expr

    def operands(self) -> tuple[Expr, ...]:
        return (self.size,)


class Choose(_Store):
    """Any number less than the bound. sampled: the numbers represent only some values of an input."""

    __match_args__ = ("place", "bound")

    bound: Expr
    is_sampled: bool

    def operands(self) -> tuple[Expr, ...]:
        return (self.bound,)


class Lifetime(Instruction):
    """The lifetime of the object at *place* begins or ends."""

    __match_args__ = ("place", "begins")

    place: Place
    begins: bool


class Call(Instruction):
    """A call: ``[result =] function(arguments)``; the value is converted to the result.

    It enters the template of that name: of the user's function in the form before the inliner, or of a library function
    in the text of another one.
    """

    __match_args__ = ("function", "arguments", "result")

    function: str
    arguments: tuple[Expr, ...]
    result: Place | None

    def operands(self) -> tuple[Expr, ...]:
        return self.arguments

    def target(self) -> Place | None:
        return self.result


class Operation(Call):
    """A call of a library function that is one step. acts: what the table of primitives says that it does."""

    __match_args__ = ("function", "arguments", "result")

    acts: tuple[Act, ...]


class Create(Instruction):
    """A new thread that executes the function *start*; its identifier is stored where *handle* points to."""

    __match_args__ = ("start", "argument")

    handle: Expr
    attributes: Expr
    start: Object
    argument: Expr
    result: Place | None

    def operands(self) -> tuple[Expr, ...]:
        return (self.handle, self.attributes, self.argument)

    def target(self) -> Place | None:
        return self.result


class _Conditional(Instruction):
    __match_args__ = ("condition",)

    condition: Expr

    def operands(self) -> tuple[Expr, ...]:
        return (self.condition,)


class Check(_Conditional):
    """A claim, by its key: where the condition is 0, that is a violation, which ends the execution."""

    __match_args__ = ("condition", "key")

    key: str

    @property
    def claim(self) -> Claim:
        """What is claimed."""
        return Claim.of(self.key)


class Assume(_Conditional):
    """Where the condition is 0, the execution ends without a verdict."""


class CutUnless(_Conditional):
    """Where the condition is 0, the execution is cut off: what comes later was not looked at."""

    __match_args__ = ("condition", "key")

    key: str

    @property
    def cut(self) -> Cut:
        """What cuts it off."""
        return Cut.of(self.key)


class Wait(_Conditional):
    """In a library function: the step is possible only where the condition holds. how: the primitive that says so.

    on: the set of threads that can make it hold, if the primitive names one.
    """

    __match_args__ = ("condition", "how", "on")

    how: str
    on: Expr | None

    def operands(self) -> tuple[Expr, ...]:
        return (self.condition,) if self.on is None else (self.condition, self.on)


class Begin(Instruction):
    """An atomic section begins; sections nest, and only the outermost end lets others run. opens: its number."""

    __match_args__ = ("opens",)

    opens: int


class End(Instruction):
    """The innermost atomic section ends: the one that it is in, if that is certain."""


class Skip(Instruction):
    """Nothing; it keeps marks that no instruction follows in the text."""


class Terminator(Instruction):
    """The last instruction of a block."""

    def successors(self) -> tuple[int, ...]:
        """The numbers of the blocks where the thread may go on, in its template."""
        return ()


class Goto(Terminator):
    """A jump, or the way into the next block of the text; that one has no source."""

    __match_args__ = ("to",)

    to: int

    def successors(self) -> tuple[int, ...]:
        return (self.to,)


class Branch(Terminator):
    """A jump to *then* if the condition is not 0, else to *other*."""

    __match_args__ = ("condition", "then", "other")

    condition: Expr
    then: int
    other: int

    def operands(self) -> tuple[Expr, ...]:
        return (self.condition,)

    def successors(self) -> tuple[int, ...]:
        return (self.then, self.other)


class Return(Terminator):
    """The end of a function: of the thread where nothing called it, and of the process where that thread is main."""

    __match_args__ = ("value",)

    value: Expr | None

    def operands(self) -> tuple[Expr, ...]:
        return () if self.value is None else (self.value,)


class ThreadExit(Return):
    """The end of the thread, with a result, wherever it is."""


class ProcessExit(Terminator):
    """The end of the process."""


class Fail(Terminator):
    """A violation, which ends the execution."""

    __match_args__ = ("key",)

    key: str

    @property
    def claim(self) -> Claim:
        """What is violated."""
        return Claim.of(self.key)


class Stop(Terminator):
    """The end of an execution that does not count."""


class Abandon(Terminator):
    """The end of an execution that is cut off."""

    __match_args__ = ("key",)

    key: str

    @property
    def cut(self) -> Cut:
        """What cuts it off."""
        return Cut.of(self.key)
