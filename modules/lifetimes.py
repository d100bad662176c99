"""When locals come to life and die, for those whose address somebody may have kept. Not a stage."""

from __future__ import annotations

from pycparser import c_ast

from cseq.cparser import build
from cseq.modules import library
from cseq.modules.visibility import Visibility
from cseq.symbols import Symbols
from cseq.translator import user_name


class Lifetimes:
    """The locals of a unit's functions whose address escapes, and so may be used when they are no more.

    Each call has objects of its own for them. Objects of inner blocks live as long as those of their function.
    """

    def __init__(self, symbols: Symbols, tree: c_ast.FileAST) -> None:
        visibility = Visibility(symbols, tree)
        self._escaping: dict[str, list[str]] = {}
        for name, function in symbols.locals.items():
            if visibility.is_visible(build.ident(name)) and _is_users(name) and function in symbols.functions:
                self._escaping.setdefault(function, []).append(name)

    def renamed(self, function: str, number: str) -> dict[str, str]:
        """The names of these locals in the call of *function* with the given *number*, a text."""
        return {name: f"{name}{number}" for name in self._escaping.get(function, [])}

    def begin(self, function: str, renaming: dict[str, str]) -> list[c_ast.Node]:
        """Statements in front of the body of a call: what stands in a loop may be called again."""
        return [marked(library.BEGINS, renaming[name]) for name in self._escaping.get(function, [])]

    def end(self, function: str, renaming: dict[str, str]) -> list[c_ast.Node]:
        """Statements behind the body of a call."""
        return [marked(library.ENDS, renaming[name]) for name in self._escaping.get(function, [])]


def marked(primitive: str, name: str) -> c_ast.Node:
    """A statement about the lifetime of the object *name*."""
    return build.call(primitive, c_ast.UnaryOp("&", build.ident(name)))


def dying(visibility: Visibility, declarations: list[c_ast.Decl]) -> list[c_ast.Node]:
    """Statements behind the end of a thread: nothing of what it declared is left for others."""
    names = [decl.name for decl in declarations if decl.name and _is_users(decl.name)]
    return [marked(library.ENDS, name) for name in names if visibility.is_visible(build.ident(name))]


def _is_users(name: str) -> bool:
    return user_name(name) is not None
