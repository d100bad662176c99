"""The interface of `Symbols` that its parts need: the types of names and expressions, and their properties."""

from typing import Protocol

from pycparser import c_ast

from cseq.c.datamodel import DataModel
from cseq.model.origin import Origin


class Types(Protocol):
    """Knows the declarations of a program.

    model: the sizes of arithmetic types. typedefs: typedef name → type. enumerators: name → value.
    """

    model: DataModel
    typedefs: dict[str, c_ast.Node]
    enumerators: dict[str, int]

    def resolve(self, type_: c_ast.Node) -> c_ast.Node:
        """*type_* with typedef names at the top replaced, so that the declarator shows the kind of type."""

    def is_array(self, type_: c_ast.Node) -> bool:
        """Whether *type_* is an array type."""

    def is_pointer(self, type_: c_ast.Node) -> bool:
        """Whether *type_* is a pointer type, or an array that decays to one."""

    def is_variable(self, type_: c_ast.Node) -> bool:
        """Whether *type_* is an array type whose size is known only at run time."""

    def is_void(self, type_: c_ast.Node) -> bool:
        """Whether *type_* is void."""

    def record(self, type_: c_ast.Node) -> c_ast.Node | None:
        """The definition of the struct or union type *type_*; None for other types."""

    def arithmetic(self, type_: c_ast.Node) -> str | None:
        """The canonical name of an arithmetic type or ``void``; None for other types."""

    def spelled(self, type_: c_ast.Node) -> str:
        """A text for *type_*, without qualifiers, that is the same for compatible types."""

    def element(self, type_: c_ast.Node, origin: Origin | None = None) -> c_ast.Node:
        """The element type of an array, the type that a pointer points to, or the return type of a function."""

    def members_of(self, type_: c_ast.Node) -> list[c_ast.Decl]:
        """The named members of the type *type_*; none if it is not a struct or union."""

    def sizeof(self, type_: c_ast.Node) -> int:
        """The size of *type_* in bytes."""

    def alignof(self, type_: c_ast.Node) -> int:
        """The alignment of *type_* in bytes."""

    def offset(self, record: c_ast.Node, name: str, origin: Origin | None = None) -> int:
        """The offset of the member *name* in a struct or union type, in bytes."""

    def alignment_of_name(self, type_: c_ast.Node) -> int | None:
        """The alignment that a typedef name in *type_* asks for; None if none does."""

    def length(self, array: c_ast.ArrayDecl) -> int:
        """The number of elements of an array type."""

    def constant(self, node: c_ast.Node) -> int:
        """The value of an integer constant expression. Raises UnsupportedError for other expressions."""

    def constant_or_none(self, node: c_ast.Node | None) -> int | None:
        """The value of an integer constant expression, or None; an expression that overflows is none."""

    def type_of(self, node: c_ast.Node) -> c_ast.Node:
        """The type of an expression. Raises InputError, with its place, if it has none."""

    def value_type(self, node: c_ast.Node) -> c_ast.Node:
        """The type of an expression's value: arrays and functions decay to pointers."""

    def usual(self, left: c_ast.Node, right: c_ast.Node) -> c_ast.Node:
        """The usual arithmetic conversions (C11 §6.3.1.8)."""
