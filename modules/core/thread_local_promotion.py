"""Make objects that only one thread ever names thread-local."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.nodes import Visitor
from cseq.c.symbols import Symbols
from cseq.modules.analysis.mentions import mentioned
from cseq.modules.analysis.threadlocals import STORAGE, is_thread_local
from cseq.modules.analysis.visibility import object_of
from cseq.modules.frontend.observers.observers import OBSERVED, ObserverCode
from cseq.modules.library import lexicon
from cseq.modules.library.primitives import STARTS
from cseq.pipeline.facts import Fact, Gives, Uses
from cseq.pipeline.stage import Parameter
from cseq.pipeline.translator import Translator, rebuilt

PRIVATIZE = Parameter("privatize", bool, True, "make scalars that only one thread can access thread-local")

_MAIN = "main"

PRIVATE = Fact[frozenset[str]]("private")
"""The names of the objects that are made thread-local."""


class ThreadLocalPromotion(Translator):
    """in: C in one scope, with loops that are `while`. out: the same, where scalars at file level may be thread-local.

    An arithmetic object at file level becomes ``_Thread_local`` if all code that mentions it is executed by one thread
    only, and nothing takes its address: then there is still only one object in use, and other threads cannot notice
    accesses to it. That thread is main, or one whose only creation is executed at most once.
    """

    takes = (PRIVATIZE,)
    observed = Uses(OBSERVED, ObserverCode())
    private = Gives(PRIVATE)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Find the objects, and change their declarations."""
        objects = self._candidates(tree) if self.parameter(PRIVATIZE) else set()
        objects -= self.observed.objects  # observers of states look at these too
        if objects:
            objects = Owners(tree, objects).private()
        self.private = frozenset(objects)
        if not objects:
            return tree
        return c_ast.FileAST([_own(node) if getattr(node, "name", None) in objects else node for node in tree.ext])

    def _candidates(self, tree: c_ast.FileAST) -> set[str]:
        """The user's arithmetic objects at file level whose address is not taken."""
        symbols = Symbols(tree, self.context.model)
        found = set()
        others: list[c_ast.Node] = []
        for node in tree.ext:
            if not isinstance(node, c_ast.Decl) or isinstance(node.type, c_ast.FuncDecl) or not node.name:
                others.append(node)
                continue
            others += [part for part in (node.type, node.init) if part is not None]
            quals = {*(node.quals or []), *(getattr(node.type, "quals", None) or [])}
            plain = quals.isdisjoint({"const", "volatile", "_Atomic"}) and not node.align and not node.attributes
            if lexicon.is_ours(node.coord) or is_thread_local(node) or not plain:
                others.append(c_ast.ID(node.name))
            elif symbols.arithmetic(node.type) is not None and node.name not in symbols.enumerators:
                found.add(node.name)
        addresses = Addresses(symbols)
        for node in others:
            addresses.visit(node)
        defined = {n.name for n in tree.ext if isinstance(n, c_ast.Decl) and "extern" not in (n.storage or [])}
        in_initialisers = {name for node in others if not isinstance(node, c_ast.FuncDef) for name in build.names(node)}
        return (found & defined) - addresses.found - in_initialisers


def shared_again(tree: c_ast.FileAST, private: frozenset[str]) -> c_ast.FileAST:
    """The *tree* with the objects *private* shared again, as before the thread-local promotion."""
    return c_ast.FileAST([_shared(node) if getattr(node, "name", None) in private else node for node in tree.ext])


def _shared(node: Any) -> Any:
    if not is_thread_local(node):
        return node
    return rebuilt(node, storage=[word for word in node.storage if word != STORAGE])


def _own(node: Any) -> Any:
    if not isinstance(node, c_ast.Decl) or isinstance(node.type, c_ast.FuncDecl):
        return node
    return rebuilt(node, storage=[*(node.storage or []), STORAGE])


class Addresses(Visitor):
    """Collects the objects whose address is taken by an operator."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self.found: set[str] = set()

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> None:
        root = object_of(self._symbols, node.expr) if node.op == "&" else None
        if root is not None:
            self.found.add(root)
        self.generic_visit(node)


class _Function:
    """What one function does: what it names, and how often it calls functions and starts threads.

    What is in a loop counts as 2 times.
    """

    def __init__(self, node: c_ast.FuncDef) -> None:
        self.names: set[str] = set()
        self.calls: Counter[str] = Counter()
        self.starts: Counter[str] = Counter()
        self._collect(node.body, 1)

    def _collect(self, node: Any, often: int) -> None:
        if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
            self.calls[node.name.name] += often
            position = STARTS.get(node.name.name)
            for number, argument in enumerate(node.args.exprs if node.args else []):
                if number == position and isinstance(argument, c_ast.ID):
                    self.starts[argument.name] += often
                else:
                    self._collect(argument, often)
            return
        if isinstance(node, c_ast.ID):
            self.names.add(node.name)
        again = 2 if isinstance(node, c_ast.While) else often
        for child in node:
            self._collect(child, again)


class Owners:
    """The threads that may execute code that mentions one of *objects*."""

    def __init__(self, tree: c_ast.FileAST, objects: set[str]) -> None:
        self._objects = objects
        bodies = {node.decl.name: node for node in tree.ext if isinstance(node, c_ast.FuncDef)}
        self._functions = {name: _Function(node) for name, node in bodies.items()}
        self._calls: Counter[str] = Counter()
        self._starts: Counter[str] = Counter()
        for function in self._functions.values():
            self._calls.update(function.calls)
            self._starts.update(function.starts)
        # A function that is used as a value may be called by any thread.
        self._anybody = mentioned(tree.ext, bodies)
        self._anybody |= {name for name in self._functions if self._calls[name] and name == _MAIN}

    def private(self) -> set[str]:
        """The objects that only one thread can access."""
        shared = self._objects_within(self._anybody)
        owners: dict[str, str] = {}
        for root in [_MAIN, *self._starts]:
            alone = self._is_once(root, ())
            for name in self._objects_within([root]):
                if not alone or owners.setdefault(name, root) != root:
                    shared.add(name)
        return owners.keys() - shared

    def _objects_within(self, roots: Iterable[str]) -> set[str]:
        """The objects that *roots* and what they call mention."""
        return {name for function in self._reached(roots) for name in function.names & self._objects}

    def _reached(self, roots: Iterable[str]) -> Iterator[_Function]:
        todo = list(roots)
        seen: set[str] = set()
        while todo:
            name = todo.pop()
            function = self._functions.get(name)
            if function is not None and name not in seen:
                seen.add(name)
                todo.extend(function.calls)
                yield function

    def _is_once(self, name: str, around: tuple[str, ...]) -> bool:
        """Whether the function *name* is executed at most once, by any thread."""
        if name == _MAIN:
            return name not in self._anybody and not self._starts[name]
        if name in around or name in self._anybody or self._calls[name] + self._starts[name] != 1:
            return False
        users = [user for user, what in self._functions.items() if what.calls[name] or what.starts[name]]
        return all(self._is_once(user, (*around, name)) for user in users)
