"""Variadic functions of the user.

All calls are inlined, so a call can store its variable arguments in an array of its own, and pass that. A va_list is a
pointer into such an array; after the last argument comes a cell of kind 0. Only the calling thread can access it.
"""

from pycparser import c_ast

from cseq.c import parse
from cseq.model.origin import LineMap
from cseq.modules.library import lexicon

LIST_TYPE = "__cs_va_list"
"""The type that replaces ``__builtin_va_list``."""

BUILTIN_LIST = "__builtin_va_list"
ARGUMENTS = "__cs_va_arguments_"
"""The prefix of the name of the local in which a variadic function finds its variable arguments."""

MEMBERS = lexicon.VARIADIC_MEMBERS

FUNCTIONS = frozenset({
    "__builtin_va_start", "__builtin_c23_va_start", "__builtin_va_arg", "__builtin_va_end", "__builtin_va_copy",
    "__va_copy",
})  # fmt: skip

CELL = "__cs_va_cell"
"""The type of a cell."""
_TEXT = (
    f"struct {CELL} {{ int __cs_va_kind; long long __cs_va_word; double __cs_va_real; void *__cs_va_pointer; }};\n"
    f"typedef struct {CELL} *{LIST_TYPE};\n"
)


def declarations() -> list[c_ast.Node]:
    """The declarations that variadic functions and va_lists need."""
    found: list[c_ast.Node] = parse(_TEXT, linemap=LineMap([None, None, None])).ext
    return found


def is_variadic(node: c_ast.Node | None) -> bool:
    """Whether *node* is the definition of a variadic function."""
    if not isinstance(node, c_ast.FuncDef) or node.decl.type.args is None:
        return False
    return any(isinstance(item, c_ast.EllipsisParam) for item in node.decl.type.args.params)


def hidden_parameter(node: c_ast.FuncDef) -> c_ast.Decl | None:
    """The local of a variadic function to which a call assigns the variable arguments; None for other functions."""
    if not is_variadic(node):
        return None
    return next(i for i in node.body.block_items if isinstance(i, c_ast.Decl) and i.name.startswith(ARGUMENTS))


def list_type() -> c_ast.Node:
    """The type of a va_list."""
    return c_ast.TypeDecl(None, [], None, c_ast.IdentifierType([LIST_TYPE]))
