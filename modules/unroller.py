"""Unroll loops, so that control only ever moves forward."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

from pycparser import c_ast

from cseq.cparser import build
from cseq.linemap import Origin
from cseq.modules import library, threadends
from cseq.modules.inliner import UNWIND
from cseq.modules.visibility import Visibility
from cseq.symbols import Symbols
from cseq.translator import Rewriter, Translator, rebuilt

_COMPARE = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "!=": operator.ne}
_MOST = 1 << 20


class _Counter(NamedTuple):
    """A loop that counts: the values of its variable, one per iteration, and the value behind the last."""

    name: str
    values: list[int]
    final: int
    constant: bool


class Unroller(Translator):
    """in: the core language without calls. out: the same without loops.

    Each loop's body is repeated as often as the bound says, or as often as it runs where that can be told:
    a loop that counts a local from one constant to another. What would go on behind the last repetition is
    cut off by ``__CSEQ_unwound``.
    """

    takes = (UNWIND,)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Unroll the loops of each function."""
        self.symbols = Symbols(tree, self.context.model)
        self.visibility = Visibility(self.symbols, tree)
        self._bound: int = self.parameter("unwind")
        self._loops = 0
        return c_ast.FileAST([self.visit(n) if isinstance(n, c_ast.FuncDef) else n for n in tree.ext])

    def visit_FuncDef(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        if library.is_ours(node.coord) or not _has_loop(node.body):
            return node  # what is a step of the library bounds its loops itself
        out: list[c_ast.Node] = []
        self._unroll(node.body.block_items or [], out, {}, ())
        return rebuilt(node, body=c_ast.Compound(out, node.body.coord))

    def _unroll(
        self, nodes: list[c_ast.Node], out: list[c_ast.Node], labels: dict[str, str], iteration: tuple[int, ...]
    ) -> None:
        """Append *nodes* to *out*, with *labels* renamed and loops unrolled."""
        for position, node in enumerate(nodes):
            if isinstance(node, c_ast.While):
                self._loop(node, nodes[:position], out, labels, iteration)
            else:
                out.append(self._copy(node, labels, iteration))

    def _copy(self, node: c_ast.Node, labels: dict[str, str], iteration: tuple[int, ...]) -> c_ast.Node:
        """A copy of one statement that is no loop."""
        origin = _at(node.coord, iteration)
        match node:
            case c_ast.Label():
                return build.label(labels.get(node.name, node.name), origin)
            case c_ast.Goto():
                return build.goto(labels.get(node.name, node.name), origin)
            case c_ast.If(iftrue=c_ast.Goto(), iffalse=None):
                return build.jump_if(node.cond, labels.get(node.iftrue.name, node.iftrue.name), origin)
            case c_ast.If():
                then = self._copied_block(node.iftrue, labels, iteration)
                otherwise = None if node.iffalse is None else self._copied_block(node.iffalse, labels, iteration)
                return build.branch(node.cond, then, otherwise, origin)
            case c_ast.Decl():
                return node
        return rebuilt(node, coord=origin) if iteration else node

    def _copied_block(self, node: c_ast.Node, labels: dict[str, str], iteration: tuple[int, ...]) -> list[c_ast.Node]:
        out: list[c_ast.Node] = []
        self._unroll((node.block_items or []) if isinstance(node, c_ast.Compound) else [node], out, labels, iteration)
        return out

    def _loop(
        self,
        node: c_ast.While,
        before: list[c_ast.Node],
        out: list[c_ast.Node],
        labels: dict[str, str],
        iteration: tuple[int, ...],
    ) -> None:
        self._loops += 1
        number = self._loops
        origin = _at(node.coord, iteration)
        items = node.stmt.block_items or []
        counter = self._counter(node, before)
        copies = self._bound if counter is None else min(self._bound, len(counter.values))
        inner = _labels(items)
        leave = f"__cs_loop_{number}"
        endless = build.is_constant(node.cond, 1)
        shown = not threadends.is_destruction(node.cond)  # the user has written no loop there
        for round_ in range(1, copies + 1):
            renamed = {**labels, **{name: _copied_label(name, number, round_) for name in inner}}
            body = items
            if counter is None:
                if not endless:
                    out.append(build.jump_if(build.negation(node.cond), leave, _at(node.coord, (*iteration, round_))))
            else:
                body = self._counted(items, counter, round_)
            self._unroll(body, out, renamed, (*iteration, round_) if shown else iteration)
        if counter is None or len(counter.values) > self._bound:
            holds = build.number(0) if counter is not None or endless else build.negation(node.cond)
            out.append(build.call("__CSEQ_unwound", holds, build.string(self._message(node, counter)), origin=origin))
        if counter is None and not endless:
            out.append(build.label(leave, origin))

    def _message(self, node: c_ast.While, counter: _Counter | None) -> str:
        if threadends.is_destruction(node.cond):
            return f"a thread may call destructors more than {times(self._bound)}"
        if counter is None:
            return f"the loop may run more than {times(self._bound)}"
        return f"the loop runs {times(len(counter.values))}, and --unwind is {self._bound}"

    def _counted(self, items: list[c_ast.Node], counter: _Counter, round_: int) -> list[c_ast.Node]:
        """The body of one iteration, where the variable is a constant."""
        following = counter.values[round_] if round_ < len(counter.values) else counter.final
        step = build.assign(build.ident(counter.name), build.number(following), items[-1].coord)
        body = items[:-1]
        if counter.constant:
            body = _Substitution(counter.name, counter.values[round_ - 1], self.symbols).visit_all(body)
        return [*body, step]

    def _counter(self, node: c_ast.While, before: list[c_ast.Node]) -> _Counter | None:
        """How the loop counts, if it does: ``i = c0; while (i < c1) { …; i = i + c2; }`` on a local i."""
        cond = node.cond
        items = node.stmt.block_items or []
        if not (isinstance(cond, c_ast.BinaryOp) and cond.op in _COMPARE and isinstance(cond.left, c_ast.ID) and items):
            return None
        name = cond.left.name
        limit = self.symbols.constant_or_none(cond.right)
        step = self._step(items[-1], name)
        start = self._start(before, name)
        kind = self.symbols.arithmetic(self.symbols.types[name]) if name in self.symbols.types else None
        if limit is None or not step or start is None or kind in (None, "_Bool") or name not in self.symbols.locals:
            return None
        if self.visibility.is_visible(cond.left) or any(_assigns(item, name) for item in items[:-1]):
            return None
        values, value = [], start
        while _COMPARE[cond.op](value, limit):
            values.append(value)
            value += step
            if len(values) > _MOST:
                return None
        unsigned = (self.symbols.arithmetic(self.symbols.type_of(cond.right)) or "").startswith("unsigned")
        highest = 0x7FFFFFFF if kind == "int" else 127  # what every other type can hold
        lowest = 0 if unsigned or kind != "int" else -highest
        if not all(lowest <= number <= highest for number in (start, value, limit)):
            return None
        return _Counter(name, values, value, constant=kind == "int")

    def _step(self, node: c_ast.Node, name: str) -> int | None:
        match node:
            case c_ast.Assignment(op="=", lvalue=c_ast.ID(), rvalue=c_ast.BinaryOp(op="+" | "-", left=c_ast.ID())):
                if node.lvalue.name == name == node.rvalue.left.name:
                    step = self.symbols.constant_or_none(node.rvalue.right)
                    return -step if step is not None and node.rvalue.op == "-" else step
        return None

    def _start(self, before: list[c_ast.Node], name: str) -> int | None:
        """The constant that the variable has in front of the loop."""
        for node in reversed(before):
            if isinstance(node, c_ast.Assignment) and isinstance(node.lvalue, c_ast.ID) and node.lvalue.name == name:
                return self.symbols.constant_or_none(node.rvalue)
            if _labels([node]) or _assigns(node, name):
                return None
        return None


class _Substitution(Rewriter):
    """Put a constant in the place of a variable, and drop branches that it decides."""

    def __init__(self, name: str, value: int, symbols: Symbols) -> None:
        super().__init__()
        self._name = name
        self._constant = build.number(value)
        self._symbols = symbols

    def visit_ID(self, node: c_ast.ID) -> c_ast.Node:
        return self._constant if node.name == self._name else node

    def visit_If(self, node: c_ast.If) -> Any:
        cond = self.visit(node.cond)
        if cond is not node.cond and (value := self._symbols.constant_or_none(cond)) is not None:
            taken = node.iftrue if value else node.iffalse
            dropped = node.iffalse if value else node.iftrue
            if dropped is None or not _labels([dropped]):
                if taken is None:
                    return []
                result = self.visit(taken)
                return (result.block_items or []) if isinstance(result, c_ast.Compound) else [result]
        then = self.visit(node.iftrue)
        otherwise = self.visit(node.iffalse) if node.iffalse is not None else None
        return rebuilt(node, cond=cond, iftrue=then, iffalse=otherwise)


def _copied_label(name: str, loop: int, round_: int) -> str:
    """The name of a label in a copy; one of the user's gets our mark, for it may end in numbers itself."""
    return f"{name}{'' if '__cs' in name else '__cs'}_{loop}_{round_}"


def times(number: int) -> str:
    """``once``, ``2 times``, …"""
    return "once" if number == 1 else f"{number} times"


def _at(origin: Origin | None, iteration: tuple[int, ...]) -> Origin | None:
    return origin._replace(iteration=iteration) if origin is not None and iteration else origin


def _blocks(node: c_ast.Node) -> list[list[c_ast.Node]]:
    """The statement lists directly inside of a statement."""
    match node:
        case c_ast.Compound():
            return [node.block_items or []]
        case c_ast.If():
            return [[branch] for branch in (node.iftrue, node.iffalse) if branch is not None]
        case c_ast.While():
            return [[node.stmt]]
    return []


def _labels(nodes: list[c_ast.Node]) -> list[str]:
    """The labels in *nodes*, but not those in loops, which only the loops themselves jump to."""
    found = []
    for node in nodes:
        if isinstance(node, c_ast.Label):
            found.append(node.name)
        elif not isinstance(node, c_ast.While):
            for block in _blocks(node):
                found.extend(_labels(block))
    return found


def _assigns(node: c_ast.Node, name: str) -> bool:
    """Whether *node* may change the variable *name*, to which no pointer is left behind."""
    if isinstance(node, c_ast.Assignment):
        own = isinstance(node.lvalue, c_ast.ID) and node.lvalue.name == name
        return own or (isinstance(node.rvalue, c_ast.FuncCall) and _is_given(node.rvalue, name))
    if isinstance(node, c_ast.FuncCall):
        return _is_given(node, name)
    return any(_assigns(item, name) for block in _blocks(node) for item in block)


def _is_given(call: c_ast.FuncCall, name: str) -> bool:
    """Whether the address of the variable is among the arguments."""
    finder = _AddressOf(name)
    finder.visit(call)
    return finder.found


class _AddressOf(c_ast.NodeVisitor):
    def __init__(self, name: str) -> None:
        self._name = name
        self.found = False

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> None:
        if node.op == "&" and isinstance(node.expr, c_ast.ID) and node.expr.name == self._name:
            self.found = True
        self.visit(node.expr)


def _has_loop(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.While) or any(_has_loop(item) for block in _blocks(node) for item in block)
