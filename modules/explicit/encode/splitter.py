"""Split long step functions, so that compilers need time in proportion to the length of the program.

What compilers do with a function takes longer than in proportion to its length, above all where a `switch` at its
beginning jumps to hundreds of places in it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.generated import ours
from cseq.c.symbols import basic
from cseq.modules.explicit.encode.step_program import RUN
from cseq.modules.explicit.encode.stepper.frames import FRAME
from cseq.modules.explicit.encode.stepper.stepfunction import LEFT, PLACE
from cseq.pipeline.translator import Rewriter, Translator, rebuilt

_LONG = 800
"""A step function with more statements than this is split."""

_PART = 300
"""The number of statements of a part, about; loops that are not longer stay together where they can."""


class Splitter(Translator):
    """in: a step program. out: the same; its long step functions are split into parts that pass control on by number.

    A part is called with the number of the label at which it begins, and returns that at which another part goes on; 0
    where the transition ends. Places have the numbers that they have anyway, the others numbers from there on.
    """

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Replace each long step function by its parts and a function that calls them."""
        out: list[c_ast.Node] = []
        for node in tree.ext:
            if not isinstance(node, c_ast.FuncDef) or not node.decl.name.startswith(RUN) or _weight(node.body) < _LONG:
                out.append(node)
                continue
            if all(n is not _FLAG[0] for n in out):
                out.extend(_FLAG)
            out.extend(_Split(node).functions())
        return c_ast.FileAST(out)


_FLAG = ours([f"static unsigned int {LEFT};"])
"""The flag that the parts share, see `StepFunction`."""


@dataclass
class _Part:
    """A part of a step function.

    cases: the numbers and labels at which control comes from elsewhere. names: the identifiers in it. again: whether
    one transition may leave it and come back.
    """

    items: list[c_ast.Node]
    cases: list[tuple[int, str]] = field(default_factory=list)
    names: frozenset[str] = frozenset()
    again: bool = False


class _Split:
    """One step function."""

    def __init__(self, node: c_ast.FuncDef) -> None:
        self._node = node
        self._name = node.decl.name.removeprefix(RUN)
        items = node.body.block_items
        self._decls = {item.name: item for item in items if isinstance(item, c_ast.Decl)}
        self._entry = int(self._decls.pop(LEFT).init.right.value)
        (switch,) = (item for item in items if isinstance(item, c_ast.Switch))
        cases = [case for case in switch.stmt.block_items if isinstance(case, c_ast.Case)]
        self._numbers = {case.stmts[0].name: int(case.expr.value) for case in cases}
        self._last = max([self._entry, *self._numbers.values()])
        self._made = 0
        rest = [item for item in items if not isinstance(item, c_ast.Decl) and item is not switch]
        self._parts = [_Part(part) for part in _packed(list(self._flat(rest)))]
        self._home = {label: number for number, part in enumerate(self._parts) for label in _labels(part.items)}

    def functions(self) -> list[c_ast.Node]:
        """The parts, and the function that calls them."""
        begins = [self._entry, *(self._number() for _ in self._parts[1:]), 0]
        for position, part in enumerate(self._parts):
            part.items = [self._inside(item, position) for item in part.items]
            if not isinstance(part.items[-1], (c_ast.Goto, c_ast.Return)):
                part.items.append(_leave(begins[position + 1]))
            part.names = frozenset(name for item in part.items for name in build.names(item))
        for label, number in self._numbers.items():
            self._parts[self._home[label]].cases.append((number, label))
        shared = self._shared()
        renamed = _Renaming(shared)
        out: list[c_ast.Node] = [
            build.declare(new, self._decls[old].type, None, ["static"]) for old, new in shared.items()
        ]
        for position, part in enumerate(self._parts):
            if not part.names.isdisjoint(shared):
                part.items = renamed.visit_all(part.items)
            out.append(self._function(position, part, part.names - shared.keys()))
        return [*out, *self._driver(begins)]

    def _number(self) -> int:
        self._last += 1
        return self._last

    def _flat(self, nodes: list[c_ast.Node]) -> Iterator[c_ast.Node]:
        """The statements, without blocks, and with jumps for long branches."""
        for node in nodes:
            match node:
                case c_ast.Compound():
                    yield from self._flat(node.block_items or [])
                case c_ast.If() if _weight(node) > _PART:
                    self._made += 1
                    then, end = (f"__cs_{which}_of_branch_{self._made}" for which in ("beginning", "end"))
                    yield build.jump_if(node.cond, then, node.coord)
                    yield from self._flat(build.statements(node.iffalse) if node.iffalse else [])
                    yield build.goto(end)
                    yield build.label(then)
                    yield from self._flat(build.statements(node.iftrue))
                    yield build.label(end)
                case _:
                    yield node

    def _inside(self, node: Any, position: int) -> Any:
        """A statement of the part with this position, whose jumps to other parts are returns of numbers."""
        match node:
            case c_ast.Goto():
                home = self._home[node.name]
                if home == position:
                    return node
                for part in self._parts[home : position + 1]:
                    part.again = True
                if node.name not in self._numbers:
                    self._numbers[node.name] = self._number()
                return _leave(self._numbers[node.name])
            case c_ast.Return():
                return _leave(0)
            case c_ast.Compound():
                return c_ast.Compound([self._inside(item, position) for item in node.block_items or []], node.coord)
            case c_ast.If():
                then = self._inside(node.iftrue, position)
                otherwise = None if node.iffalse is None else self._inside(node.iffalse, position)
                return c_ast.If(node.cond, then, otherwise, node.coord)
            case c_ast.Label():
                return c_ast.Label(node.name, self._inside(node.stmt, position), node.coord)
        return node

    def _shared(self) -> dict[str, str]:
        """The new names of the locals whose values may have to be passed from part to part."""
        used = {name: [part for part in self._parts if name in part.names] for name in self._decls if name != FRAME}
        return {
            name: f"__cs_{name}_in_{self._name}"
            for name, parts in used.items()
            if len(parts) > 1 or any(part.again for part in parts)
        }

    def _part_name(self, position: int) -> str:
        return f"__cs_part_{position}_of_{self._name}"

    def _function(self, position: int, part: _Part, own: frozenset[str]) -> c_ast.FuncDef:
        declared = [decl for name, decl in self._decls.items() if name in own]
        cases = [c_ast.Case(build.number(number), [build.goto(label)]) for number, label in part.cases]
        switch = c_ast.Switch(build.ident(PLACE), c_ast.Compound([*cases, c_ast.Default([c_ast.Break()])]))
        name, unsigned = self._part_name(position), c_ast.IdentifierType(["unsigned", "int"])
        parameters = c_ast.ParamList([build.declare(PLACE, basic("unsigned int"))])
        declarator = c_ast.FuncDecl(parameters, c_ast.TypeDecl(name, [], None, unsigned))
        decl = rebuilt(self._node.decl, name=name, type=declarator)
        return rebuilt(self._node, decl=decl, body=c_ast.Compound([*declared, switch, *part.items]))

    def _driver(self, begins: list[int]) -> list[c_ast.Node]:
        """The function with the name of the whole one, and its tables."""
        homes = [0] * (self._last - self._entry + 1)
        for position, begin in enumerate(begins[:-1]):
            homes[begin - self._entry] = position
        for label, number in self._numbers.items():
            homes[number - self._entry] = self._home[label]
        functions = ", ".join(self._part_name(position) for position in range(len(self._parts)))
        parts, home = f"__cs_parts_of_{self._name}", f"__cs_homes_in_{self._name}"
        return ours([
            f"static unsigned int (*const {parts}[])(unsigned int) = {{ {functions} }};",
            f"static const unsigned short {home}[] = {{ {', '.join(map(str, homes))} }};",
            f"static void {RUN}{self._name}(unsigned int place)",
            "{",
            f"{LEFT} = place == {self._entry};",
            f"while (place) place = {parts}[{home}[place - {self._entry}]](place);",
            "}",
        ])  # fmt: skip


class _Renaming(Rewriter):
    """Gives variables new names."""

    def __init__(self, names: dict[str, str]) -> None:
        super().__init__()
        self._names = names

    def visit_ID(self, node: c_ast.ID) -> c_ast.Node:
        return c_ast.ID(self._names[node.name], node.coord) if node.name in self._names else node


def _leave(number: int) -> c_ast.Return:
    return c_ast.Return(build.number(number))


def _weight(node: Any) -> int:
    """The number of simple statements in *node*."""
    match node:
        case None | c_ast.EmptyStatement():
            return 0
        case c_ast.Compound():
            return sum(map(_weight, node.block_items or []))
        case c_ast.If():
            return 1 + _weight(node.iftrue) + _weight(node.iffalse)
        case c_ast.Label():
            return _weight(node.stmt)
    return 1


def _children(node: Any) -> list[Any]:
    return [child for _, child in node.children()]


def _labels(nodes: list[Any]) -> Iterator[str]:
    """The labels in statements."""
    for node in nodes:
        if isinstance(node, c_ast.Label):
            yield node.name
        if isinstance(node, (c_ast.Label, c_ast.If, c_ast.Compound)):
            yield from _labels(_children(node))


def _jumps(nodes: list[Any]) -> Iterator[str]:
    """The labels to which statements jump."""
    for node in nodes:
        if isinstance(node, c_ast.Goto):
            yield node.name
        elif isinstance(node, (c_ast.Label, c_ast.If, c_ast.Compound)):
            yield from _jumps(_children(node))


def _packed(items: list[c_ast.Node]) -> Iterator[list[c_ast.Node]]:
    """The statements in parts."""
    weights = [_weight(item) for item in items]
    where = {label: position for position, item in enumerate(items) for label in _labels([item])}
    inside: set[int] = set()  # of a short loop: the positions before which no part begins
    for position, item in enumerate(items):
        for label in _jumps([item]):
            head = where[label]
            if head <= position and sum(weights[head : position + 1]) <= _PART:
                inside.update(range(head + 1, position + 1))
    begin = weight = 0
    for position in range(len(items)):
        if weight >= _PART and position not in inside:
            yield items[begin:position]
            begin, weight = position, 0
        weight += weights[position]
    yield items[begin:]
