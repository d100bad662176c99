"""When locals come to life and die, for those whose address somebody may have kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.library import lexicon


class _Block:
    """A block inside of a function, or the place of a loop or a switch around blocks."""

    def __init__(self, kind: str = "") -> None:
        self.kind = kind
        self.names: list[str] = []

    def end(self) -> list[c_ast.Node]:
        """The statements behind the block."""
        return [marked(lexicon.ENDS, name) for name in self.names]


class Blocks:
    """The blocks inside of a function that stand around what is being visited, and their locals.

    What is declared at the top of a function lives as long as its call. A `goto` out of a block ends nothing here.
    """

    def __init__(self) -> None:
        self._around: list[_Block] = []

    @contextmanager
    def block(self) -> Iterator[_Block]:
        """While a block is visited; it is complete behind that."""
        self._around.append(_Block())
        yield self._around[-1]
        self._around.pop()

    @contextmanager
    def loop(self) -> Iterator[None]:
        """While the body of a loop is visited."""
        self._around.append(_Block("loop"))
        yield
        self._around.pop()

    @contextmanager
    def switch(self) -> Iterator[None]:
        """While the body of a switch is visited."""
        self._around.append(_Block("switch"))
        yield
        self._around.pop()

    def declared(self, name: str) -> list[c_ast.Node]:
        """Note a local; what stands where its declaration is reached."""
        if not self._around or self._around[-1].kind:
            return []
        self._around[-1].names.append(name)
        return [marked(lexicon.BEGINS, name)]

    def has_locals(self) -> bool:
        """Whether one of the blocks has locals."""
        return any(block.names for block in self._around)

    def left(self, loop: bool) -> list[c_ast.Node]:
        """What stands in front of a `break`, or of a `continue`, which goes on with the next *loop*."""
        out: list[c_ast.Node] = []
        for block in reversed(self._around):
            if block.kind == "loop" or (block.kind == "switch" and not loop):
                break
            out.extend(block.end())
        return out


class Lifetimes:
    """The locals of a unit's functions whose address escapes, and so may be used when they are no more.

    Each call has objects of its own for them.
    """

    def __init__(self, symbols: Symbols, tree: c_ast.FileAST) -> None:
        visibility = Visibility(symbols, tree)
        self._escaping: dict[str, list[str]] = {}
        for name, function in symbols.locals.items():
            if visibility.is_visible(build.ident(name)) and function in symbols.functions:
                self._escaping.setdefault(function, []).append(name)

    def renamed(self, function: str, number: str) -> dict[str, str]:
        """The names of these locals in the call of *function* with the given *number*, a text."""
        return {name: f"{name}{number}" for name in self._escaping.get(function, [])}

    def begin(self, function: str, renaming: dict[str, str]) -> list[c_ast.Node]:
        """Statements in front of the body of a call: what stands in a loop may be called again."""
        return [marked(lexicon.BEGINS, renaming[name]) for name in self._escaping.get(function, [])]

    def end(self, function: str, renaming: dict[str, str]) -> list[c_ast.Node]:
        """Statements behind the body of a call."""
        return [marked(lexicon.ENDS, renaming[name]) for name in self._escaping.get(function, [])]


def marked(primitive: str, name: str) -> c_ast.Node:
    """A statement about the lifetime of the object *name*."""
    return build.call(primitive, c_ast.UnaryOp("&", build.ident(name)))


def dying(visibility: Visibility, declarations: list[c_ast.Decl]) -> list[c_ast.Node]:
    """Statements behind the end of a thread: nothing of what it declared is left for others."""
    names = [decl.name for decl in declarations if decl.name]
    return [marked(lexicon.ENDS, name) for name in names if visibility.is_visible(build.ident(name))]
