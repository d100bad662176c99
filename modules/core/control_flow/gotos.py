"""Goto elimination: backward jumps and jumps into loops become loops with forward jumps.

A backward jump spans the statements from its label to itself: they become the body of an endless loop, and the jump
goes to the end of the body. Spans that overlap without being nested become one loop. A loop is entered only at its
head: a jump into it stores its target in a variable, and the head jumps there. Everything else stays the same, so this
is linear in the size of the function, and loops without jumps into them keep their form.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, NamedTuple

from pycparser import c_ast

from cseq.c import build
from cseq.c.nodes import LEAVES, StatementExpression
from cseq.c.symbols import basic
from cseq.model.errors import InputError, UnsupportedError
from cseq.model.origin import Origin
from cseq.pipeline.translator import Names, Rewriter, rebuilt


class _Place(NamedTuple):
    """Where a statement is.

    number: its position in the text. path: its position in each statement list around it, outermost first; a list is
    identified by the id of the node that holds it. loops: the ids of the loops around it. expressions: the ids of the
    statement expressions around it.
    """

    number: int
    path: tuple[tuple[int, int], ...]
    loops: tuple[int, ...]
    expressions: tuple[int, ...]


class _Span(NamedTuple):
    """The positions, in one statement list, of the first and the last statement of a loop that jumps form."""

    start: int
    end: int


@dataclass
class _Loop:
    """The new form of a loop that jumps form, or lead into.

    made: whether jumps form it. heads: the labels before it; a jump back to them goes on with the next iteration.
    entries: labels in it that are reached through the head → where to jump from there. enter, again: labels before it
    and at the end of its body, if they are needed. jumps: the number of jumps to *again*.
    """

    made: bool = False
    heads: list[str] = field(default_factory=list)
    entries: dict[str, str] = field(default_factory=dict)
    enter: str | None = None
    again: str | None = None
    jumps: int = 0


class GotoElimination:
    """Rewrites the statements of one function, which have only `if`, `while` and jumps, to have only forward jumps.

    Raises InputError for a jump to nowhere, UnsupportedError for one into a statement expression.
    """

    def __init__(self, names: Names) -> None:
        self._names = names

    def eliminated(self, statements: list[c_ast.Node]) -> list[c_ast.Node]:
        """The function *statements* without jumps backwards or into loops; the same list if there are none."""
        places = _Places(statements)
        places.check()
        if not any(places.is_backward(jump) or places.enters(jump) for jump in places.jumps):
            return statements
        loops: dict[int, _Loop] = {}
        statements = _LoopMaker(places, loops).visit_list(statements, _TOP)
        places = _Places(statements)
        jumps = _Jumps(places, loops, self._names)
        rewritten: list[c_ast.Node] = _Rewriter(jumps, loops, self._names).visit_all(statements)
        if jumps.entry is None:
            return rewritten
        declarations = [node for node in rewritten if isinstance(node, c_ast.Decl)]
        rest = [node for node in rewritten if not isinstance(node, c_ast.Decl)]
        entry = build.declare(jumps.entry, basic("int"))
        return [*declarations, entry, build.assign(build.ident(jumps.entry), build.number(0)), *rest]


_TOP = 0


def statement_expressions(node: c_ast.Node) -> Iterator[StatementExpression]:
    """The outermost statement expressions in an expression."""
    todo = [node]
    while todo:
        node = todo.pop()
        if isinstance(node, StatementExpression):
            yield node
        elif node.__class__ not in LEAVES:
            todo += build.parts(node)[::-1]


class _Places:
    """Finds the labels and the jumps of a function."""

    def __init__(self, statements: list[c_ast.Node]) -> None:
        self.labels: dict[str, _Place] = {}
        self.jumps: list[tuple[c_ast.Goto, _Place]] = []
        self._number = 0
        self._list(statements, _Place(0, (), (), ()), _TOP)

    def check(self) -> None:
        """Refuse jumps to nowhere, and into statement expressions."""
        for node, place in self.jumps:
            if node.name not in self.labels:
                raise InputError(f"there is no label `{node.name}`", node.coord)
            inner = self.labels[node.name].expressions
            if place.expressions[: len(inner)] != inner:
                raise UnsupportedError("a jump into a statement expression is not supported", node.coord)

    def is_backward(self, jump: tuple[c_ast.Goto, _Place]) -> bool:
        """Whether the label of a jump comes before it."""
        return self.labels[jump[0].name].number < jump[1].number

    def enters(self, jump: tuple[c_ast.Goto, _Place]) -> bool:
        """Whether a jump leads into a loop."""
        inner = self.labels[jump[0].name].loops
        return jump[1].loops[: len(inner)] != inner

    def _list(self, nodes: list[c_ast.Node], around: _Place, name: int) -> None:
        for position, node in enumerate(nodes):
            self._number += 1
            path = (*around.path, (name, position))
            self._statement(node, _Place(self._number, path, around.loops, around.expressions))

    def _statement(self, node: c_ast.Node, place: _Place) -> None:
        match node:
            case c_ast.Label():
                self.labels[node.name] = place
            case c_ast.Goto():
                self.jumps.append((node, place))
            case c_ast.If():
                self._expression(node.cond, place)
                for branch in (node.iftrue, node.iffalse):
                    if branch is not None:
                        self._list(build.statements(branch), place, id(branch))
            case c_ast.While():
                self._expression(node.cond, place)
                self._list(build.statements(node.stmt), place._replace(loops=(*place.loops, id(node))), id(node.stmt))
            case c_ast.Compound():
                self._list(build.statements(node), place, id(node))
            case _:
                self._expression(node, place)

    def _expression(self, node: c_ast.Node, place: _Place) -> None:
        for found in statement_expressions(node):
            inside = place._replace(expressions=(*place.expressions, id(found)))
            self._list(build.statements(found.block), inside, id(found.block))


class _LoopMaker(Rewriter):
    """Makes a loop from the span of each backward jump; the jumps stay as they are."""

    def __init__(self, places: _Places, loops: dict[int, _Loop]) -> None:
        super().__init__()
        self._loops = loops
        self._spans: dict[int, list[_Span]] = {}
        for jump, place in filter(places.is_backward, places.jumps):
            name, start, end = _common_list(places.labels[jump.name].path, place.path)
            self._spans.setdefault(name, []).append(_Span(start, end))

    def visit_list(self, nodes: list[c_ast.Node], name: int) -> list[c_ast.Node]:
        """The statement list *name* with its loops."""
        spans = self._spans.get(name)
        if not spans:
            return self.visit_all(nodes)
        nested = _nested(_Span(_first_label(nodes, span.start), span.end) for span in spans)
        return self._range(nodes, 0, len(nodes), nested)

    def _range(self, nodes: list[c_ast.Node], start: int, end: int, spans: dict[int, int]) -> list[c_ast.Node]:
        out: list[c_ast.Node] = []
        position = start
        while position < end:
            last = spans.get(position)
            if last is None:
                out.extend(self.visit_all([nodes[position]]))
                position += 1
                continue
            heads = _labels_at(nodes, position)
            out.extend(heads)
            first = self.visit_all(nodes[position : position + 1]) if not heads else []
            body = [*first, *self._range(nodes, position + (len(heads) or 1), last + 1, spans)]
            origin = nodes[position].coord
            loop = c_ast.While(build.number(1), build.block(body, origin), origin)
            self._loops[id(loop)] = _Loop(True, [label.name for label in heads])
            out.append(loop)
            position = last + 1
        return out

    def visit_If(self, node: c_ast.If) -> c_ast.If:
        then, otherwise = (branch and self._branch(branch) for branch in (node.iftrue, node.iffalse))
        return rebuilt(node, cond=self.visit(node.cond), iftrue=then, iffalse=otherwise)

    def _branch(self, node: c_ast.Node) -> c_ast.Node:
        if isinstance(node, (c_ast.Compound, c_ast.Goto)):
            changed: c_ast.Node = self.visit(node)
            return changed
        return build.block(self.visit_list([node], id(node)), node.coord)

    def visit_Compound(self, node: c_ast.Compound) -> c_ast.Compound:
        return rebuilt(node, block_items=self.visit_list(build.statements(node), id(node)))

    def visit_StatementExpression(self, node: StatementExpression) -> StatementExpression:
        items = build.statements(node.block)
        last = len(items) - 1
        value = items and not isinstance(
            items[-1], (c_ast.If, c_ast.While, c_ast.Goto, c_ast.Label, c_ast.Return, c_ast.Compound)
        )
        if value and any(span.end == last for span in self._spans.get(id(node.block), [])):
            raise UnsupportedError(
                "a jump backwards out of the value of a statement expression is not supported", items[-1].coord
            )
        return rebuilt(node, block=self.visit(node.block))


def _common_list(label: tuple[tuple[int, int], ...], jump: tuple[tuple[int, int], ...]) -> tuple[int, int, int]:
    """The innermost statement list that both a label and a jump are in, and their positions in it."""
    found = (label[0][0], label[0][1], jump[0][1])
    for one, other in zip(label, jump, strict=False):
        if one[0] != other[0]:
            break
        found = (one[0], one[1], other[1])
        if one[1] != other[1]:
            break
    return found


def _first_label(nodes: list[c_ast.Node], position: int) -> int:
    """The first of the adjacent labels at *position*: jumps to them are equivalent."""
    if isinstance(nodes[position], c_ast.Label):
        while position and isinstance(nodes[position - 1], c_ast.Label):
            position -= 1
    return position


def _labels_at(nodes: list[c_ast.Node], position: int) -> list[c_ast.Label]:
    """The adjacent labels from *position* on."""
    return list(takewhile(lambda node: isinstance(node, c_ast.Label), nodes[position:]))  # type: ignore[arg-type]


def _nested(spans: Iterable[_Span]) -> dict[int, int]:
    """The spans as start → end; spans that begin together, or overlap without being nested, are merged."""
    result: dict[int, int] = {}
    around: list[_Span] = []
    for start, end in sorted(set(spans), key=lambda span: (span.start, -span.end)):
        while around and around[-1].end < start:
            around.pop()
        whole = _Span(start, end)
        while around and (around[-1].end < whole.end or around[-1].start == whole.start):
            outer = around.pop()
            result.pop(outer.start)
            whole = _Span(outer.start, max(outer.end, whole.end))
        around.append(whole)
        result[whole.start] = whole.end
    return result


class _Jumps:
    """Decides how each jump is done: as it is, to the end of a loop's body, or through the heads of loops.

    Needs the places in the program with all its loops. entry: the variable that stores the target of a jump.
    """

    def __init__(self, places: _Places, loops: dict[int, _Loop], names: Names) -> None:
        self._loops = loops
        self._names = names
        self.entry: str | None = None
        self.numbers: dict[str, int] = {}
        self.targets: dict[int, tuple[str | None, str]] = {}
        self._heads = {label: loop for loop, made in loops.items() for label in made.heads}
        for jump, place in places.jumps:
            self.targets[id(jump)] = self._target(jump.name, place, places)

    def _target(self, name: str, place: _Place, places: _Places) -> tuple[str | None, str]:
        """The label to reach through heads, if any, and where to jump."""
        label = places.labels[name]
        common = [one for one, other in zip(place.loops, label.loops, strict=False) if one == other]
        if label.number > place.number:
            if len(common) == len(label.loops):
                return None, name
            return name, self._enter(name, label.loops[len(common) :])
        head = self._heads.get(name)
        if head in place.loops:
            return None, self._again(self._loops[head])
        around = self._loops[common[-1]]
        further = label.loops[len(common) :]
        self._number(name)
        around.entries[name] = self._enter(name, further) if further else name
        return name, self._again(around)

    def _again(self, loop: _Loop) -> str:
        loop.again = loop.again or self._names.temporary("again")
        loop.jumps += 1
        return loop.again

    def _number(self, name: str) -> None:
        self.entry = self.entry or self._names.temporary("entry")
        self.numbers.setdefault(name, len(self.numbers) + 1)

    def _enter(self, name: str, loops: tuple[int, ...]) -> str:
        """Where to jump in order to enter *loops*, outermost first, on the way to the label *name*."""
        self._number(name)
        target = name
        for number in reversed(loops):
            loop = self._loops.setdefault(number, _Loop())
            loop.entries[name] = target
            target = loop.enter = loop.enter or self._names.temporary("enter")
        return target


class _Rewriter(Rewriter):
    """Writes the jumps and loops as decided."""

    def __init__(self, jumps: _Jumps, loops: dict[int, _Loop], names: Names) -> None:
        super().__init__()
        self._jumps = jumps
        self._loops = loops
        self._names = names

    def _entry(self) -> c_ast.ID:
        assert self._jumps.entry is not None
        return build.ident(self._jumps.entry)

    def visit_Goto(self, node: c_ast.Goto) -> Any:
        entered, target = self._jumps.targets[id(node)]
        jump = node if target == node.name else build.goto(target, node.coord)
        if entered is None:
            return jump
        return [build.assign(self._entry(), build.number(self._jumps.numbers[entered])), jump]

    def visit_Label(self, node: c_ast.Label) -> Any:
        if node.name not in self._jumps.numbers:
            return node
        return [node, build.assign(self._entry(), build.number(0))]

    def visit_While(self, node: c_ast.While) -> Any:
        loop = self._loops.get(id(node))
        if loop is None:
            return self.generic_visit(node)
        leave = self._names.temporary("leave")
        items = build.statements(node.stmt)
        body = self._made(items, loop, leave, node.coord) if loop.made else self.visit_all(items)
        cond = self.visit(node.cond)
        if loop.entries and not build.is_constant(cond, 1):
            cond = c_ast.BinaryOp("||", self._entry(), cond)
        enter = [build.label(loop.enter, node.coord)] if loop.enter else []
        block = build.block([*self._dispatch(loop), *body], node.coord)
        after = [build.label(leave, node.coord)] if loop.made else []
        return [*enter, c_ast.While(cond, block, node.coord), *after]

    def _dispatch(self, loop: _Loop) -> list[c_ast.Node]:
        """The jumps at the head of the body to the stored target of the jump that led there."""
        out: list[c_ast.Node] = []
        for name, target in loop.entries.items():
            wanted = c_ast.BinaryOp("==", self._entry(), build.number(self._jumps.numbers[name]))
            out.append(build.jump_if(wanted, target))
        return out

    def _made(self, items: list[c_ast.Node], loop: _Loop, leave: str, origin: Origin | None) -> list[c_ast.Node]:
        """The body of a loop that jumps form: control that reaches its end leaves it, except by a jump to *again*."""
        match items[-1]:
            case c_ast.Goto(name=name) if name in loop.heads:
                loop.jumps -= 1
                body = self.visit_all(items[:-1])
            case c_ast.If(cond=cond, iftrue=c_ast.Goto(name=name), iffalse=None) if name in loop.heads:
                loop.jumps -= 1
                left = build.jump_if(build.negation(self.visit(cond)), leave, items[-1].coord)
                body = [*self.visit_all(items[:-1]), left]
            case _:
                body = [*self.visit_all(items), build.goto(leave, origin)]
        return [*body, build.label(loop.again, origin)] if loop.again and loop.jumps else body
