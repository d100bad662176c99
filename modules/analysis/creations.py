"""How many threads a program creates at most, according to its text."""

from collections.abc import Iterator, Mapping
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.modules.analysis.constant_propagation import Counting, Known, joined
from cseq.modules.analysis.places import calls, changed
from cseq.modules.library import lexicon, primitives, stubs

MOST = 63
"""The threads besides main for which a word has bits."""

_MANY = 8  # threads besides main, if their number is neither given nor known; larger searches try more
_MOST_TURNS = 4096  # of loops, in all: more would take longer than a search that begins again with more threads


class _UncountableError(Exception):
    """The text does not say how often a loop runs that creates threads."""


class Creations:
    """Counts the threads that the threads with the start functions *functions* create, main among them."""

    def __init__(self, functions: Mapping[str, c_ast.FuncDef], counting: Counting) -> None:
        self._functions = functions
        self._counting = counting
        self._led_to: dict[str, int | None] = {}
        self._turns = 0
        self._ends: list[int] = []  # the numbers of threads where the function returns
        self._jumps: dict[str, list[tuple[Known, int]]] = {}  # by the label that they lead to

    def led_to(self, name: str = "main") -> int | None:
        """The number of threads that a thread with the start function *name* leads to at most; None if unknown."""
        if name not in self._led_to:
            self._led_to[name] = None  # for a thread that creates one of the same kind
            self._led_to[name] = self._most(self._functions[name].body)
        return self._led_to[name]

    def are_endless(self) -> bool:
        """Whether some loop that nothing leaves creates threads."""
        return any(_creates_for_ever(function.body) for function in self._functions.values())

    def _most(self, body: c_ast.Node) -> int | None:
        outer = self._ends, self._jumps
        self._ends, self._jumps = [], {}
        try:
            at = self._after(body, ({}, 0))
            return max([*self._ends, at[1] if at is not None else 0])
        except _UncountableError:
            return None
        finally:
            self._ends, self._jumps = outer

    def _after(self, node: Any, at: tuple[Known, int] | None) -> tuple[Known, int] | None:
        """What is known after a statement, and how many threads there are; None where control does not get there."""
        if isinstance(node, c_ast.Label):
            at = _either(at, *self._jumps.pop(node.name, []))
            return self._after(node.stmt, at)
        if isinstance(node, c_ast.Compound):
            for item in node.block_items or []:
                at = self._after(item, at)
            return at
        if at is None or node is None:
            return None if node is not None else at
        known, count = at
        match node:
            case c_ast.If():
                value = self._counting.value(node.cond, known)
                one = self._after(node.iftrue, (dict(known), count)) if value != 0 else None
                other = (known, count) if node.iffalse is None else self._after(node.iffalse, (dict(known), count))
                return _either(one, None if value else other)
            case c_ast.While():
                return self._after_loop(node, (known, count))
            case c_ast.Goto():
                self._jumps.setdefault(node.name, []).append((dict(known), count))
                return None
            case c_ast.Return():
                self._ends.append(count)
                return None
            case c_ast.Assignment():
                self._counting.assign(node, known)
                return known, count + self._created(node.rvalue)
            case c_ast.FuncCall():
                self._counting.call(node, known)
                return known, count + self._created(node)
        return at

    def _after_loop(self, node: c_ast.While, at: tuple[Known, int]) -> tuple[Known, int] | None:
        if not any(True for _ in created(node.stmt)):
            lost = changed(node.stmt)
            known = {name: value for name, value in at[0].items() if name not in lost}
            inside = self._after(node.stmt, (dict(known), at[1]))
            return _either((known, at[1]), inside and (known, inside[1]))
        now: tuple[Known, int] | None = at
        before: tuple[Known, int] | None = None
        while now is not None:
            if before is not None and now[0] == before[0]:  # each further turn does the same
                if now[1] > before[1]:
                    raise _UncountableError
                return None
            before = (dict(now[0]), now[1])
            value = self._counting.value(node.cond, now[0])
            self._turns += 1
            if value is None or self._turns > _MOST_TURNS:
                raise _UncountableError
            if value == 0:
                return now
            now = self._after(node.stmt, now)
        return None

    def _created(self, node: c_ast.Node) -> int:
        total = 0
        for name in created(node):
            more = self.led_to(name)
            if more is None:
                raise _UncountableError
            total += 1 + more
        return total


def _either(*ways: tuple[Known, int] | None) -> tuple[Known, int] | None:
    """Where several ways meet."""
    known: Known | None = None
    count = 0
    for way in ways:
        if way is not None:
            known = joined(known, way[0])
            count = max(count, way[1])
    return None if known is None else (dict(known), count)


def created(node: c_ast.Node) -> Iterator[str]:
    """The start functions of the threads that a statement creates."""
    return (call.args.exprs[2].name for call in calls(node) if build.is_call(call, lexicon.CREATE))


def _creates_for_ever(node: c_ast.Node) -> bool:
    """Whether *node* contains a loop that creates threads and that nothing leaves."""
    endless = (loop.stmt for loop in build.inside(node, c_ast.While) if build.is_constant(loop.cond, 1))
    return any(any(created(body)) and not any(build.inside(body, c_ast.Goto, c_ast.Return)) for body in endless)


def most_threads(creations: Creations, given: int | None, limit: int = MOST) -> int:
    """The maximum number of threads besides main: *given*, or how many the program creates, where its text says so.

    limit: at most so many.
    """
    if given is not None:
        return min(given, limit)
    total = creations.led_to("main")
    return _MANY if total is None else min(max(total, 1), limit)


def reads_results(node: c_ast.Node) -> bool:
    """Whether a statement reads a thread's return value."""
    if isinstance(node, c_ast.FuncCall) and "__cs_result" in stubs.objects(node.name.name):
        stored = [node.args.exprs[number] for number in primitives.shows(node.name.name)]
        return not all(build.is_constant(build.uncast(place), 0) for place in stored)
    return any(reads_results(child) for _, child in node.children())
