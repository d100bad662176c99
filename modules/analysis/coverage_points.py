"""The points of a program that an answer says of whether any execution has reached them.

They are found in the core language, with a function for each of the user's, where each is still there. Engines mark
what they reach after the inliner, by the origins of statements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.unused import names_of
from cseq.model import claims
from cseq.model.claims import Claim
from cseq.model.coverage import Kind, Point
from cseq.model.origin import Origin
from cseq.modules.library import lexicon
from cseq.modules.library.assertions import asserted
from cseq.pipeline.facts import Fact
from cseq.pipeline.stage import Parameter
from cseq.pipeline.translator import user_name

_FAILING = frozenset({claims.Reason.CALLED, claims.Reason.FAILS, claims.Reason.LABEL})
"""Why a place must not be reached that the user means as a claim."""

_Identity = tuple[Kind, str, int, str]


@dataclass
class Points:
    """The points of a program.

    wrappers: the user's functions that claim that an argument is not 0: each of their calls is a claim.
    """

    _functions: Sequence[c_ast.FuncDef] = ()
    _known: dict[_Identity, Point] = field(default_factory=dict)
    _guarded: set[Point] = field(default_factory=set)
    wrappers: frozenset[str] = frozenset()

    def with_lines(self) -> Points:
        """The same points, and all lines with statements."""
        lines = Points((), dict(self._known), self._guarded, self.wrappers)
        for function in self._functions:
            for node in build.walk(function.body):
                if isinstance(node, _STATEMENTS) and not _leaves_undefined(node):
                    lines.add(_named(function), Kind.LINE, node.coord)
        return lines

    def __iter__(self) -> Iterator[Point]:
        return iter(self._known.values())

    def add(self, within: str, kind: Kind, origin: Origin | None, subject: str = "", guarded: bool = False) -> None:
        """Add a point of the user's in the function *within*.

        guarded: a claim that is reached where the condition is that leads to it.
        """
        if origin is None or lexicon.is_ours(origin):
            return
        point = Point(kind, Origin(origin.file, origin.line, function=within), subject)
        point = self._known.setdefault(_identity(kind, origin, subject), point)
        if guarded:
            self._guarded.add(point)

    def claim(self, node: Any) -> Point | None:
        """The claim that the assertion *node* makes by itself."""
        point = self._claim(node)
        return None if point in self._guarded else point

    def guarded(self, node: c_ast.If) -> list[Point]:
        """The claims that are reached with the condition of *node*."""
        found = (self._claim(call) for call in failures(node))
        return [point for point in found if point in self._guarded]

    def creation(self, node: c_ast.FuncCall) -> Point | None:
        """The thread that the call *node* creates."""
        return self._known.get(_identity(Kind.THREAD, node.coord))

    def assumption(self, node: c_ast.FuncCall) -> Point | None:
        """The assumption that *node* makes, if it is one of the user's."""
        return self._known.get(_identity(Kind.ASSUMPTION, node.coord))

    def lines(self, origin: Origin | None) -> list[Point]:
        """The lines at which control is at a statement: its own, and those of the calls that lead there."""
        if origin is None:
            return []
        places = [origin, *(Origin(call.file, call.line) for call in origin.path)]
        found = (self._known.get(_identity(Kind.LINE, place)) for place in places)
        return [point for point in found if point is not None]

    def _claim(self, node: Any) -> Point | None:
        origin: Origin | None = node.coord
        if origin is not None and origin.function in self.wrappers and origin.path:
            call = origin.path[-1]
            origin = Origin(call.file, call.line)
        return self._known.get(_identity(Kind.CLAIM, origin, _key(node)))


_STATEMENTS = (
    c_ast.Assignment, c_ast.FuncCall, c_ast.If, c_ast.While, c_ast.For, c_ast.DoWhile, c_ast.Switch, c_ast.Return,
    c_ast.Goto, c_ast.Break, c_ast.Continue,
)  # fmt: skip

COVERAGE: Parameter[str | None] = Parameter(
    "coverage", str, None, "write the lines that some execution reaches to FILE, in the format of lcov",
    ("--coverage",), "FILE",
)  # fmt: skip

POINTS = Fact[Points]("points")


def failures(node: c_ast.If) -> Iterator[c_ast.FuncCall]:
    """The assertions in the branches of *node*, but not in those of conditions within, that never hold."""
    todo: list[Any] = [node.iftrue, node.iffalse]
    while todo:
        part = todo.pop()
        if part is None or isinstance(part, c_ast.If):
            continue
        if build.is_call(part, lexicon.ASSERT):
            if _never_holds(part.args.exprs[0]):
                yield part
        elif isinstance(part, c_ast.Compound | c_ast.Label | c_ast.While):
            todo.extend(build.parts(part))


def _leaves_undefined(node: Any) -> bool:
    """Whether a statement stands for a declaration without an initialiser."""
    value = node.rvalue if isinstance(node, c_ast.Assignment) else None
    return isinstance(value, c_ast.FuncCall) and value.coord is None


def _never_holds(cond: Any) -> bool:
    """Whether *cond* is 0 in itself: ``0``, ``!"why"``, ``0 && "why"``."""
    match cond:
        case c_ast.UnaryOp(op="!"):
            return isinstance(cond.expr, c_ast.Constant) and cond.expr.type == "string"
        case c_ast.BinaryOp(op="&&"):
            return _never_holds(cond.left) or _never_holds(cond.right)
        case c_ast.Cast():
            return _never_holds(cond.expr)
    return build.is_constant(cond, 0)


def points_of(nodes: Sequence[c_ast.Node], uncalled: Iterable[c_ast.FuncDef] = ()) -> Points:
    """The points of a program in the core language, and of the functions as the user wrote them that nothing calls."""
    functions = [node for node in nodes if isinstance(node, c_ast.FuncDef) and not lexicon.is_ours(node.coord)]
    wrapped = {function.decl.name: keys for function in functions if (keys := _wrapped(function))}
    points = Points(
        [*functions, *uncalled],
        wrappers=frozenset(_named(function) for function in functions if function.decl.name in wrapped),
    )
    for function in functions:
        inside, here = function.decl.name in wrapped, _named(function)
        for statement in build.nested(function.body):
            node = statement.rvalue if isinstance(statement, c_ast.Assignment) else statement
            match node:
                case c_ast.If() if not inside:
                    for call in failures(node):
                        if _is_users(call):
                            points.add(here, Kind.CLAIM, call.coord, _key(call), guarded=True)
                case c_ast.FuncCall(name=c_ast.ID(name=lexicon.ASSERT)):
                    if not inside and _is_users(node) and not _never_holds(node.args.exprs[0]):
                        points.add(here, Kind.CLAIM, node.coord, _key(node))
                case c_ast.FuncCall(name=c_ast.ID(name=lexicon.ASSUME)):
                    points.add(here, Kind.ASSUMPTION, node.coord)
                case c_ast.FuncCall(name=c_ast.ID(name=lexicon.CREATE)):
                    start = node.args.exprs[2].name
                    points.add(here, Kind.THREAD, node.coord, user_name(start) or start)
                case c_ast.FuncCall(name=c_ast.ID(name=name)) if name in wrapped:
                    for key in wrapped[name]:
                        points.add(here, Kind.CLAIM, node.coord, key, guarded=True)
    for function in uncalled:
        if lexicon.ASSERTIONS.isdisjoint(names_of(function).mentioned):
            continue
        here = _named(function)
        for node in build.walk(function.body):
            if build.is_call(node, *lexicon.ASSERTIONS) and not _never_holds(node.args.exprs[0]):
                points.add(here, Kind.FUNCTION, function.decl.coord, here)
                points.add(here, Kind.CLAIM, node.coord, asserted(node))
    return points


def _named(function: c_ast.FuncDef) -> str:
    return user_name(function.decl.name) or str(function.decl.name)


def _wrapped(function: c_ast.FuncDef) -> list[str]:
    """The keys of the claims of a function that claims that its arguments are not 0, and nothing else."""
    parameters = function.decl.type.args.params if function.decl.type.args else []
    names = {parameter.name for parameter in parameters if isinstance(parameter, c_ast.Decl)}
    keys = []
    for node in build.nested(function.body):
        if isinstance(node, c_ast.If) and (found := list(failures(node))):
            if not names.issuperset(build.names(node.cond)):
                return []
            keys += [_key(call) for call in found]
        elif build.is_call(node, lexicon.ASSERT) and not _never_holds(node.args.exprs[0]):
            return []
    return keys


def _identity(kind: Kind, origin: Origin | None, subject: str = "") -> _Identity:
    """What sets a point apart from others. That a thread may have one of several start functions does not."""
    place = ("", 0) if origin is None else (origin.file, origin.line)
    return (kind, *place, subject if kind is Kind.CLAIM else "")


def _key(node: c_ast.FuncCall) -> str:
    """The key of the claim that an assertion makes."""
    return build.text(node.args.exprs[1])


def _is_users(node: c_ast.FuncCall) -> bool:
    """Whether the user means the assertion *node* as a claim."""
    claim = Claim.of(_key(node))
    return claim.kind is claims.Kind.ASSERTION or (claim.kind is claims.Kind.REACHABILITY and claim.reason in _FAILING)
