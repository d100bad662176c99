"""What the parts of `Symbols` need of it: the types of names and expressions, and what these types are like."""

from __future__ import annotations

from typing import Protocol

from pycparser import c_ast

from cseq.base.linemap import Origin
from cseq.c.datamodel import DataModel


class Types(Protocol):
    """Knows the declarations of a program.

    model: the sizes of arithmetic types. typedefs: typedef name → type. enumerators: name → value.
    """

    model: DataModel
    typedefs: dict[str, c_ast.Node]
    enumerators: dict[str, int]

    def resolve(self, type_: c_ast.Node) -> c_ast.Node:
        """*type_* with typedef names replaced at the top: a declarator that says what kind of type it is."""

    def is_array(self, type_: c_ast.Node) -> bool:
        """Whether *type_* is an array type."""

    def is_pointer(self, type_: c_ast.Node) -> bool:
        """Whether *type_* is a pointer type, or an array that decays to one."""

    def is_variable(self, type_: c_ast.Node) -> bool:
        """Whether *type_* is an array type whose size is known at run time only."""

    def is_void(self, type_: c_ast.Node) -> bool:
        """Whether *type_* is void."""

    def record(self, type_: c_ast.Node) -> c_ast.Node | None:
        """The definition of the struct or union type *type_*; None for other types."""

    def arithmetic(self, type_: c_ast.Node) -> str | None:
        """The canonical name of an arithmetic type or ``void``; None for the others."""

    def spelled(self, type_: c_ast.Node) -> str:
        """A text for *type_* that is the same for compatible types; without qualifiers."""

    def element(self, type_: c_ast.Node, origin: Origin | None = None) -> c_ast.Node:
        """What an array holds, a pointer points to, or a function type is called as."""

    def members_of(self, type_: c_ast.Node) -> list[c_ast.Decl]:
        """The named members of the type *type_*; none where it is no struct or union."""

    def sizeof(self, type_: c_ast.Node) -> int:
        """The size of *type_* in bytes."""

    def alignof(self, type_: c_ast.Node) -> int:
        """The alignment of *type_* in bytes."""

    def offset(self, record: c_ast.Node, name: str, origin: Origin | None = None) -> int:
        """Where in a struct or union type the member *name* begins, in bytes."""

    def alignment_of_name(self, type_: c_ast.Node) -> int | None:
        """The alignment that a typedef name in *type_* asks for; None where there is none."""

    def length(self, array: c_ast.ArrayDecl) -> int:
        """The number of elements of an array type."""

    def constant(self, node: c_ast.Node) -> int:
        """The value of an integer constant expression; UnsupportedError where it is none."""

    def constant_or_none(self, node: c_ast.Node | None) -> int | None:
        """The value of an integer constant expression, or None."""

    def type_of(self, node: c_ast.Node) -> c_ast.Node:
        """The type of an expression; InputError, with its place, where it has none."""

    def value_type(self, node: c_ast.Node) -> c_ast.Node:
        """The type of an expression's value: arrays and functions decay to pointers."""

    def usual(self, left: c_ast.Node, right: c_ast.Node) -> c_ast.Node:
        """The usual arithmetic conversions (C11 §6.3.1.8)."""
