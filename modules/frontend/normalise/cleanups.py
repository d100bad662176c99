"""The attribute `cleanup`: functions that are called with the address of a local where its scope ends."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.layout import attributes
from cseq.c.nodes import LEAVES
from cseq.model.errors import UnsupportedError
from cseq.model.origin import Origin

_NAME = "cleanup"


class Cleanups:
    """The calls that are due in each open block of one function: the last local first, as gcc makes them.

    As in a program that is compiled without -fexceptions, a thread that ends in the block makes none of them.
    """

    def __init__(self, body: c_ast.Node) -> None:
        self._frames: list[tuple[str, list[tuple[int, str, str]]]] = []  # kind, and declaration, function, local
        self._at_labels: dict[str, frozenset[int]] = {}
        self.needed = _note(body, (), self._at_labels)

    @contextmanager
    def frame(self, kind: str) -> Iterator[None]:
        """A block, or the body of a loop or a switch, as *kind* says."""
        self._frames.append((kind, []))
        try:
            yield
        finally:
            self._frames.pop()

    def declared(self, node: c_ast.Decl, name: str, lookup: Any) -> None:
        """Note what is due for the local that *node* declares; *name* is that of the unit, as *lookup* finds them."""
        function = function_of(node)
        if function is None:
            return
        found = lookup(function)
        if found is None:
            message = f"the cleanup function `{function}`, which is not declared, is not supported"
            raise UnsupportedError(message, node.coord)
        self._frames[-1][1].append((id(node), found, name))

    def block(self, origin: Origin | None) -> list[c_ast.Node]:
        """What is due where the innermost block ends."""
        return _calls(self._frames[-1:], origin)

    def all(self, origin: Origin | None) -> list[c_ast.Node]:
        """What is due where the function returns."""
        return _calls(self._frames, origin)

    def jump(self, loop: bool, origin: Origin | None) -> list[c_ast.Node]:
        """What is due at a `break`, or with *loop* at a `continue`."""
        kinds = ("loop",) if loop else ("loop", "switch")
        depth = len(self._frames)
        while depth and self._frames[depth - 1][0] not in kinds:
            depth -= 1
        return _calls(self._frames[depth:], origin)

    def goto(self, label: str, origin: Origin | None) -> list[c_ast.Node]:
        """What is due at a jump to *label*."""
        alive = self._at_labels.get(label, frozenset())
        left = [(kind, [item for item in due if item[0] not in alive]) for kind, due in self._frames]
        return _calls(left, origin)


def function_of(node: c_ast.Decl) -> str | None:
    """The function that the attribute of a declaration names, or None."""
    item: Any = node
    while item is not None and not isinstance(item, (c_ast.Struct, c_ast.Union, c_ast.Enum)):
        for name, arguments in attributes(item):
            if name == _NAME and "static" not in node.storage and "extern" not in node.storage:
                return arguments.strip()
        item = getattr(item, "type", None)
    return None


def _calls(frames: list[tuple[str, list[tuple[int, str, str]]]], origin: Origin | None) -> list[c_ast.Node]:
    due = [item for _, items in frames for item in items]
    return [
        build.call(function, c_ast.UnaryOp("&", c_ast.ID(name, origin), origin), origin=origin)
        for _, function, name in reversed(due)
    ]


def _note(node: Any, alive: tuple[int, ...], labels: dict[str, frozenset[int]]) -> bool:
    """Note which locals are alive at each label; return whether any has the attribute."""
    found = False
    own = alive
    for child in node:
        if child.__class__ in LEAVES:
            continue
        for decl in child.decls or [] if isinstance(child, c_ast.DeclList) else [child]:
            if isinstance(decl, c_ast.Decl) and function_of(decl) is not None:
                own = (*own, id(decl))
                found = True
        if isinstance(child, c_ast.Label):
            labels[child.name] = frozenset(own)
        inner = _note(child, own, labels)
        found = found or inner
    return found
