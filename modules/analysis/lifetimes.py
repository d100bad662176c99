"""When the lifetimes of locals begin and end, for locals whose address may have been kept."""

from collections.abc import Iterator
from contextlib import contextmanager

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.library import lexicon


class _Block:
    """A block inside a function, or a marker for a loop or a switch around blocks."""

    def __init__(self, kind: str = "") -> None:
        self.kind = kind
        self.names: list[str] = []

    def end(self) -> list[c_ast.Node]:
        """The statements after the block."""
        return [marked(lexicon.ENDS, name) for name in self.names]


class Blocks:
    """The blocks of a function that enclose the node being visited, and their locals.

    A local that is declared at the top of a function lives as long as its call. A `goto` out of a block ends no
    lifetime.
    """

    def __init__(self) -> None:
        self._around: list[_Block] = []

    @contextmanager
    def block(self) -> Iterator[_Block]:
        """Visit a block in this context; the block is complete afterwards."""
        self._around.append(_Block())
        try:
            yield self._around[-1]
        finally:
            self._around.pop()

    @contextmanager
    def loop(self) -> Iterator[None]:
        """Visit the body of a loop in this context."""
        self._around.append(_Block("loop"))
        try:
            yield
        finally:
            self._around.pop()

    @contextmanager
    def switch(self) -> Iterator[None]:
        """Visit the body of a switch in this context."""
        self._around.append(_Block("switch"))
        try:
            yield
        finally:
            self._around.pop()

    def declared(self, name: str) -> list[c_ast.Node]:
        """Note a local, and return the statements for the place where its declaration is reached."""
        if not self._around or self._around[-1].kind:
            return []
        self._around[-1].names.append(name)
        return [marked(lexicon.BEGINS, name)]

    def has_locals(self) -> bool:
        """Whether one of the blocks has locals."""
        return any(block.names for block in self._around)

    def left(self, loop: bool) -> list[c_ast.Node]:
        """The statements before a `break` or, if *loop* is true, before a `continue`, which may also leave switches."""
        out: list[c_ast.Node] = []
        for block in reversed(self._around):
            if block.kind == "loop" or (block.kind == "switch" and not loop):
                break
            out.extend(block.end())
        return out


class Lifetimes:
    """The locals of a unit's functions whose address escapes, so that they may be used after their lifetime.

    Each call has its own objects for them.
    """

    def __init__(self, symbols: Symbols, tree: c_ast.FileAST) -> None:
        visibility = Visibility(symbols, tree)
        self._escaping: dict[str, list[str]] = {}
        for name, function in symbols.locals.items():
            if visibility.is_visible(build.ident(name)) and function in symbols.functions:
                self._escaping.setdefault(function, []).append(name)

    def renamed(self, function: str, number: str) -> dict[str, str]:
        """The names of these locals in the call of *function* with the given *number*, a string."""
        return {name: f"{name}{number}" for name in self._escaping.get(function, [])}

    def begin(self, function: str, renaming: dict[str, str]) -> list[c_ast.Node]:
        """The statements before the body of a call: a call in a loop may be reached again."""
        return [marked(lexicon.BEGINS, renaming[name]) for name in self._escaping.get(function, [])]

    def end(self, function: str, renaming: dict[str, str]) -> list[c_ast.Node]:
        """The statements after the body of a call."""
        return [marked(lexicon.ENDS, renaming[name]) for name in self._escaping.get(function, [])]


def marked(primitive: str, name: str) -> c_ast.Node:
    """A statement about the lifetime of the object *name*."""
    return build.call(primitive, c_ast.UnaryOp("&", build.ident(name)))


def dying(visibility: Visibility, declarations: list[c_ast.Decl]) -> list[c_ast.Node]:
    """The statements after the end of a thread: nothing that it declared is left for others."""
    names = [decl.name for decl in declarations if decl.name]
    return [marked(lexicon.ENDS, name) for name in names if visibility.is_visible(build.ident(name))]
