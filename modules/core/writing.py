"""What the parts of the three-address stage need from it: where statements go, and how expressions are rewritten."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

from pycparser import c_ast

from cseq.model.origin import Origin
from cseq.modules.analysis.visibility import Visibility
from cseq.pipeline.stage import Context, Parameter

T = TypeVar("T")


class Operands(Protocol):
    """Writes the evaluation of operands in any order: the interface of the linearizer's part for that."""

    def settled(self, operands: list[c_ast.Node]) -> list[c_ast.Node]:
        """*operands* with those in variables for which the order matters, if there are any."""


class Writing(Protocol):
    """Writes a function in the core language: the interface of the three-address stage for its parts.

    origin: the origin of the statement that is being rewritten.
    """

    origin: Origin | None
    context: Context
    visibility: Visibility

    @property
    def orders(self) -> Operands:
        """Writes operands whose order of evaluation C leaves open."""

    def parameter(self, parameter: Parameter[T]) -> T:
        """The value of a *parameter* that the three-address stage takes."""

    def emit(self, node: c_ast.Node) -> None:
        """Append a statement to the output."""

    def emit_all(self, nodes: list[c_ast.Node]) -> None:
        """Append statements to the output."""

    def enter(self) -> list[c_ast.Node]:
        """Begin a new list of statements, and return what has to be passed to `leave` in the end."""

    def leave(self, outer: list[c_ast.Node]) -> list[c_ast.Node]:
        """End a list of statements that `enter` has begun, and return it."""

    def note_access(self, atomic: bool, orders: Sequence[int] = ()) -> None:
        """Say that the next statement, or atomic section, is one access to memory, atomic or not.

        orders: its memory order by its number in C, and for a compare-exchange that where it fails; without: seq_cst.
        """

    def temporary(self, type_: c_ast.Node, kind: str = "tmp") -> c_ast.ID:
        """A new local variable of our own."""

    def saved(self, value: c_ast.Node, type_: c_ast.Node | None = None) -> c_ast.ID:
        """The value in a variable of its own."""

    def store(self, place: c_ast.Node, value: c_ast.Node) -> None:
        """Write ``place = value``, for a settled place and a value that makes one visible load at most."""

    def one_load(self, node: c_ast.Node) -> c_ast.Node:
        """*node* as an expression without side effects that makes at most one visible load."""

    def place(self, node: c_ast.Node) -> c_ast.Node:
        """The lvalue *node* as one whose address computation accesses nothing visible and has no side effect."""

    def value(self, node: c_ast.Node) -> c_ast.Node:
        """The value of *node* as an expression that has no side effect and accesses nothing visible."""

    def effect(self, node: c_ast.Node) -> None:
        """Execute an expression for its side effects only."""

    def effects(self, node: c_ast.Node | None) -> list[c_ast.Node]:
        """The statements that execute an expression for its side effects only."""
