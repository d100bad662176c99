"""The declarations of our own headers about threads, for programs that do not include them."""

import subprocess
from collections.abc import Iterable
from functools import cache
from typing import TypeGuard

from pycparser import c_ast

from cseq.c import parse
from cseq.c.preprocess import compiler
from cseq.c.unused import names_of
from cseq.model.errors import BackendError
from cseq.pipeline.facts import Fact
from cseq.pthread_stubs import FOLDER, INCLUDE

_INITIAL = "__cs_initial_"

INITIAL = Fact[dict[str, dict[int, c_ast.Node]]]("initial")
"""Our static initialisers, if the program has those of the system's headers; see `OwnDeclarations.initial`."""


def is_own(node: c_ast.Node) -> bool:
    """Whether *node* comes from one of our headers."""
    return node.coord is not None and str(node.coord.file).startswith(f"{INCLUDE}/")


def is_prototype(node: c_ast.Node) -> TypeGuard[c_ast.Decl]:
    """Whether *node* declares a function, and does not define it."""
    return isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl)


class Pool:
    """A set of declarations from which some can be taken, with all that they need.

    It is made from several lists: what a list declares is not taken from a later one. all: every declaration, in order.
    """

    def __init__(self, *lists: Iterable[c_ast.Node]) -> None:
        self.all: list[c_ast.Node] = []
        self._by_name: dict[str, list[c_ast.Node]] = {}
        for nodes in lists:
            new: dict[str, list[c_ast.Node]] = {}
            for node in nodes:
                self.all.append(node)
                for name in names_of(node).declared - self._by_name.keys():
                    new.setdefault(name, []).append(node)
            self._by_name.update(new)

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    @property
    def typedefs(self) -> list[str]:
        """The names of types."""
        return [node.name for node in self.all if isinstance(node, c_ast.Typedef)]

    def mentioned(self, name: str) -> set[str]:
        """What the declarations of *name* mention."""
        return {mention for node in self._by_name.get(name, ()) for mention in names_of(node).mentioned}

    def needed(self, names: Iterable[str], present: set[str]) -> list[c_ast.Node]:
        """The declarations of *names* with all that they need, in order, except what is *present*, which grows."""
        found: list[c_ast.Node] = []
        for name in names:
            if name in present:
                continue
            present.add(name)
            for node in self._by_name.get(name, ()):
                names_here = names_of(node)
                present |= names_here.declared
                found += self.needed(sorted(names_here.mentioned), present)
                found.append(node)
        return found


class OwnDeclarations(Pool):
    """Everything that our headers declare about threads.

    types:      the names of types.
    functions:  the names of functions.
    initial: type → kind → the expansion of its macro for static initialisers; see `own.h`.
    """

    def __init__(self, bits: int) -> None:
        self.types: set[str] = set()
        self.functions: set[str] = set()
        self.initial: dict[str, dict[int, c_ast.Node]] = {}
        nodes = _parsed(bits).ext
        for node in nodes:
            name = getattr(node, "name", None) or ""
            if name.startswith(_INITIAL):
                type_, _, kind = name.removeprefix(_INITIAL).rpartition("_")
                self.initial.setdefault(type_, {})[int(kind)] = node.init
            elif is_own(node) and isinstance(node, c_ast.Typedef):
                self.types.add(name)
            elif is_own(node) and isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl):
                self.functions.add(name)
        super().__init__(node for node in nodes if not (getattr(node, "name", None) or "").startswith(_INITIAL))


@cache
def own_declarations(bits: int) -> OwnDeclarations:
    """The declarations of our headers in the data model of *bits* bits; read when first asked for."""
    return OwnDeclarations(bits)


def _parsed(bits: int) -> c_ast.FileAST:
    path = FOLDER / "own.h"
    command = [compiler(), "-E", "-std=gnu11", f"-m{bits}", "-D__CSEQ__=1", "-isystem", str(INCLUDE), "-x", "c"]
    done = subprocess.run([*command, str(path)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise BackendError(f"the compiler cannot read {path}: {done.stderr.strip()}")
    return parse(done.stdout, str(path))
