"""The base of all translators: a visitor that rewrites a tree without touching the one it was given.

Trees are shared, between unrolled copies and with the parse memo. So a visitor returns the node that
it was given when nothing changes, and a new one when something does. The printer (`cseq/c/printer.py`)
turns trees into text. A stage that makes text itself is an `Unparser` (`cseq/pipeline/unparser.py`);
the next stage that needs a tree parses its output once.
"""

from collections.abc import Iterable
from typing import Any, TypeVar

from pycparser import c_ast

from cseq.c.nodes import LEAVES
from cseq.pipeline.stage import Context, Stage, Unit

# The slots of each node class that hold nodes or lists of nodes.
_LEAF_SLOTS = frozenset({"coord", "__weakref__"})
_child_slots: dict[type, tuple[str, ...]] = {}
_Node = TypeVar("_Node", bound=c_ast.Node)


def child_slots(cls: type) -> tuple[str, ...]:
    """The slots of the node class *cls* that hold other nodes."""
    slots = _child_slots.get(cls)
    if slots is None:
        names = [n for n in cls.__slots__ if n not in _LEAF_SLOTS and n not in cls.attr_names]  # type: ignore[attr-defined]
        slots = _child_slots[cls] = tuple(names)
    return slots


def rebuilt(node: _Node, **changes: Any) -> _Node:
    """A copy of *node* with some of its slots changed."""
    cls = node.__class__
    copy = cls.__new__(cls)
    slot: str
    for slot in cls.__slots__:
        if slot != "__weakref__":
            setattr(copy, slot, changes[slot] if slot in changes else getattr(node, slot))
    return copy


def beginning_with(statements: Iterable[c_ast.Node], function: c_ast.FuncDef) -> c_ast.FuncDef:
    """*function* with *statements* before those of its body."""
    body = rebuilt(function.body, block_items=[*statements, *(function.body.block_items or [])])
    return rebuilt(function, body=body)


class Rewriter:
    """A visitor with one ``visit_X`` method per node class that it changes.

    A method returns a node or, for a statement, a list of statements to replace it.
    """

    def __init__(self) -> None:
        self._methods: dict[type, Any] = {}

    def visit(self, node: c_ast.Node) -> Any:
        """Rewrite *node* with the method for its class or, without one, rewrite its children."""
        cls = node.__class__
        method = self._methods.get(cls)
        if method is None:
            otherwise = _unchanged if cls in LEAVES else self.generic_visit
            method = self._methods[cls] = getattr(self, "visit_" + cls.__name__, otherwise)
        return method(node)

    def generic_visit(self, node: c_ast.Node) -> Any:
        """*node* with its children rewritten; *node* itself when none of them changed."""
        changes: dict[str, Any] = {}
        cls = node.__class__
        for slot in _child_slots.get(cls) or child_slots(cls):
            child = getattr(node, slot)
            if child is None:
                continue
            if child.__class__ is list:
                new: Any = self.visit_all(child)
                if len(new) == len(child) and all(a is b for a, b in zip(new, child, strict=True)):
                    continue
            elif isinstance(child, c_ast.Node):
                new = self.visit(child)
                if new.__class__ is list:
                    new = c_ast.Compound(new, child.coord)
                if new is child:
                    continue
            else:
                continue
            changes[slot] = new
        return rebuilt(node, **changes) if changes else node

    def visit_StructRef(self, node: c_ast.StructRef) -> Any:
        """Visit only the struct or union: members have a name space of their own."""
        base = self.visit(node.name)
        return node if base is node.name else rebuilt(node, name=base)

    def visit_all(self, nodes: Iterable[Any]) -> list[Any]:
        """Rewrite each of *nodes*, with lists of statements spliced in."""
        result: list[Any] = []
        for node in nodes:
            new = self.visit(node) if isinstance(node, c_ast.Node) else node
            if new.__class__ is list:
                result.extend(new)
            else:
                result.append(new)
        return result


def _unchanged(node: c_ast.Node) -> c_ast.Node:
    return node


class Translator(Rewriter, Stage):
    """A stage from C to C. The first line of a subclass's docstring states its input and its output."""

    def __init__(self, context: Context) -> None:
        Stage.__init__(self, context)
        Rewriter.__init__(self)

    def run(self, value: Unit) -> Unit:
        """Translate a unit."""
        result = self.translate(value.tree)
        return result if isinstance(result, Unit) else Unit(tree=result)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST | Unit:
        """Translate a whole tree; the default visits it."""
        result: c_ast.FileAST = self.visit(tree)
        return result


OWN = "__cs0"
"""The end of the names of parameters and locals in library functions."""


class Names:
    """Fresh names. Names that contain ``__cs`` are ours; the merger refuses them in the input."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def reserve(self, name: str) -> None:
        """Give *name* to nothing else."""
        self._taken.add(name)

    def take(self, name: str) -> str:
        """*name* itself if it is free, or else a variation of it that `user_name` can undo."""
        if name not in self._taken:
            self._taken.add(name)
            return name
        name = name.removesuffix(OWN)
        number = self._next.get(name, 2)
        while f"{name}__cs{number}" in self._taken:
            number += 1
        self._next[name] = number + 1
        fresh = f"{name}__cs{number}"
        self._taken.add(fresh)
        return fresh

    def temporary(self, kind: str) -> str:
        """A name for a value of our own."""
        return self.take_numbered(f"__cs_{kind}")

    def take_numbered(self, stem: str) -> str:
        """*stem* followed by the next number."""
        number = self._next.get(stem, 1)
        self._next[stem] = number + 1
        return f"{stem}_{number}"


def user_name(name: str) -> str | None:
    """The name in the user's source for *name*; None for names of our own."""
    if name.startswith(("__cs_", "__CSEQ_")):
        return None
    return name.split("__cs", 1)[0]
