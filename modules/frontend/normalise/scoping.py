"""What the parts of the normalisation need from it: names, types, and where declarations go."""

from typing import Any, Protocol, TypeVar

from pycparser import c_ast

from cseq.c.symbols import Symbols
from cseq.model.errors import UnsupportedError
from cseq.pipeline.stage import Context, Parameter

T = TypeVar("T")


class Scoping(Protocol):
    """Rewrites expressions to standard C in one scope: the interface of the normalisation for its parts."""

    context: Context
    symbols: Symbols
    atomic_types: bool

    def parameter(self, parameter: Parameter[T]) -> T:
        """The value of a *parameter* that the normalisation takes."""

    def visit(self, node: Any) -> Any:
        """*node* with names and types replaced."""

    def visit_FuncCall(self, node: c_ast.FuncCall) -> c_ast.Node:
        """A call with names and types replaced."""

    def emit(self, node: c_ast.Node) -> None:
        """Add a declaration at file level, before the one that is being visited."""

    def need_variadic(self) -> None:
        """Declare what variadic functions need, once."""

    def declare_function(self, declaration: c_ast.Decl) -> None:
        """Declare a function before what is being visited, unless it is declared."""

    def temporary(self, type_: c_ast.Node, stem: str = "__cs_value") -> c_ast.ID:
        """A new local variable of our own."""

    def unsupported(self, construct: str, node: c_ast.Node) -> UnsupportedError:
        """The error that refuses a *construct*, with the place of *node*."""
