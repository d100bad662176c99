"""Statements of the core language as steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.model.claims import Claim, Cut, Kind, Limit
from cseq.model.errors import UnsupportedError
from cseq.modules.analysis import cuts
from cseq.modules.analysis.movers import Movers
from cseq.modules.analysis.places import calls
from cseq.modules.analysis.threadlocals import is_thread_local
from cseq.modules.core.inliner.main_entry import ALONE
from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.encode.algebra import FALSE, TRUE, choose, convert, negation
from cseq.modules.deductive.encode.cells import Cells, Spot
from cseq.modules.deductive.encode.flow import Flow, FlowStep, Statement, Writer
from cseq.modules.deductive.encode.inexpressible import refused
from cseq.modules.deductive.encode.values import Alternatives, Values
from cseq.modules.library import lexicon, stubs
from cseq.modules.library.assertions import Claims
from cseq.modules.library.primitives import called, without_variant

_SAYING = frozenset({
    "__CSEQ_at", lexicon.SHOW, lexicon.STANDS, lexicon.AHEAD, lexicon.ACCESS, lexicon.BEGINS, lexicon.ENDS,
    lexicon.DEMAND, lexicon.CHECKS, stubs.MAY_HANG, stubs.MAY_WAIT,
})  # fmt: skip
"""Calls that say something of the program, and do nothing."""
_WAITS = frozenset({stubs.WAIT, stubs.WAIT_FOR, stubs.WAIT_OUTSIDE})
_MOST_ELEMENTS = 64


def _whole_object(call: c_ast.FuncCall) -> str | None:
    """The object that *call* gives a value as a whole."""
    if not build.is_call(call, *lexicon.WHOLE):
        return None
    place = build.addressed(call.args.exprs[0]) or build.uncast(call.args.exprs[0])
    return place.name if isinstance(place, c_ast.ID) else None


def _has_no_access(node: c_ast.Node) -> bool:
    """Whether the expression *node* is made of constants and names only."""
    if isinstance(node, (c_ast.ArrayRef, c_ast.StructRef)) or (isinstance(node, c_ast.UnaryOp) and node.op in "*&"):
        return False
    return all(_has_no_access(child) for _, child in node.children())


Handler = Callable[["Statements", c_ast.FuncCall, c_ast.Node | ts.Variable | None], None]
"""Writes what a call does. The last argument is the lvalue that its result is stored in."""


class Statements:
    """Writes the steps of the threads of one template.

    handlers: what writes the calls of some functions. returns: what writes the end of the thread, or of the process,
    given what is returned; control does not come back. same: the statements that were copied, by the `id` of the copy.
    """

    def __init__(
        self,
        function: c_ast.FuncDef,
        values: Values,
        cells: Cells,
        symbols: Symbols,
        claims: Claims,
        movers: Movers,
        handlers: dict[str, Handler],
        returns: Callable[[Statements, c_ast.Node | None], None],
        same: dict[int, c_ast.Node],
    ) -> None:
        self.values = values
        self.cells = cells
        self.symbols = symbols
        self.writer = Writer()
        self.loops = 0  # around the statement
        self._claims = claims
        self._movers = movers
        self._handlers = handlers
        self._returns = returns
        self._same = same
        self._labels: dict[str, FlowStep] = {}
        self._placed: set[str] = set()
        self._inlined: list[
            tuple[str, FlowStep, c_ast.Node | ts.Variable | None]
        ] = []  # library functions, their ends and results
        self.function = function
        values.calls = self.called

    def flow(self) -> Flow:
        """The steps of the whole function."""
        self._begin(None)
        for item in self.function.body.block_items or []:
            if is_thread_local(item):
                self._initialise(item)
        self.block(build.statements(self.function.body))
        self._begin(None)
        self._returns(self, None)
        return Flow(self.writer.entry)

    def _initialise(self, decl: c_ast.Decl) -> None:
        if decl.init is not None and not isinstance(decl.init, c_ast.InitList):
            self.assign([(TRUE, Spot(decl.name, (), None, decl.type))], self.values.value(decl.init))
        elif decl.init is None:
            self.fill(Spot(decl.name, (), None, decl.type), lambda ref: ts.Assign(ref, ts.Number(0, ref.type)))
        else:
            raise refused("an initialiser of a thread-local array or struct", decl.coord)

    # Writing

    def _begin(self, node: c_ast.Node | None, mover: bool = False, waits: bool = False) -> None:
        if not self._inlined:
            self.writer.begin(Statement(node.coord if node is not None else None, mover, waits))
            self.values.origin = self.writer.statement.origin

    def _moves(self, node: c_ast.Node) -> bool:
        return self._same.get(id(node), node) in self._movers

    def act(self, *actions: ts.Action) -> None:
        """Write what the expressions that were translated demand, and then *actions*."""
        self.writer.at.actions += [*self.values.before, *actions]
        self.values.before = []

    def branch(self, ways: Iterable[tuple[ts.Expression, Callable[[], None]]]) -> None:
        """Write several ways to go on; each is taken if its condition holds, and no two do. They meet again."""
        self.act()
        start, join = self.writer.at, self.writer.new()
        for condition, write in ways:
            self.writer.at = start
            self.writer.go_to(self.writer.new(), condition)
            write()
            self.writer.go_to(join)
        self.writer.at = join

    def either(self, condition: ts.Expression, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        """Write what is done if *condition* holds, and otherwise."""
        self.branch([(condition, then), (negation(condition), otherwise)])

    def assign(self, places: Alternatives, value: ts.Expression, live: ts.Expression = FALSE) -> None:
        """Store *value* in one of *places*. live: see `Cells.live`, where it is the identifier of a thread."""

        def store(spot: Spot) -> None:
            target = self.cells.reference(self.values.template, spot)
            self.act(ts.Assign(target, convert(value, target.type)))
            if self.cells.is_handle(spot.type):
                self.act(ts.Assign(self.cells.live(target), live))

        if len(places) == 1:
            store(places[0][1])
        elif places:
            self.branch((condition, lambda spot=spot: store(spot)) for condition, spot in places)  # type: ignore[misc]
        else:
            self.act()

    def store(self, lvalue: c_ast.Node | ts.Variable | None, value: ts.Expression) -> None:
        """Store *value* in *lvalue*, if there is one."""
        if isinstance(lvalue, ts.Variable):
            assert isinstance(lvalue.type, ts.Scalar)
            self.act(ts.Assign(ts.Read(lvalue), convert(value, lvalue.type)))
            return
        if lvalue is None:
            self.act()
            return
        self.assign(self.values.places(lvalue), value)

    def fill(self, spot: Spot, action: Callable[[ts.Read | ts.Element], ts.Action]) -> None:
        """Do something to each scalar of the object *spot*."""
        for path in self.cells.leaves(spot.type):
            variable = self.cells.variable(self.values.template, spot.root, (*spot.path, *path))
            targets: list[ts.Read | ts.Element] = [ts.Read(variable)]
            if isinstance(variable.type, ts.Array):
                if spot.index is not None or variable.type.length > _MOST_ELEMENTS:
                    raise refused("an operation on a whole array", self.values.origin)
                targets = [ts.Element(variable, ts.Number(index)) for index in range(variable.type.length)]
            self.act(*map(action, targets))
            if self.cells.is_handle(self.cells.around(spot.root, (*spot.path, *path))[1]):
                self.act(*(ts.Assign(self.cells.live(target), FALSE) for target in targets))

    # Statements

    def block(self, nodes: Iterable[c_ast.Node]) -> None:
        """Write statements."""
        for node in nodes:
            self.one(node)

    def one(self, node: Any) -> None:
        """Write one statement."""
        match node:
            case None | c_ast.Decl() | c_ast.EmptyStatement():
                return
            case c_ast.Compound():
                self.block(node.block_items or [])
            case c_ast.Label():
                self._placed.add(node.name)
                self.writer.go_to(self._labels.setdefault(node.name, FlowStep(Statement(node.coord))))
                self.one(node.stmt)
            case c_ast.Goto():
                target = self._labels.setdefault(node.name, FlowStep(Statement(node.coord)))
                target.cut = target.cut or node.name in self._placed
                self.writer.go_to(target)
                self.writer.dead()
            case c_ast.If():
                self._begin(node, self._moves(node))
                condition = self.values.truth(node.cond)
                if self._is_choice(node):
                    self._choose(condition, build.statements(node.iftrue))
                    return
                self.either(condition, lambda: self.one(node.iftrue), lambda: self.one(node.iffalse))
            case c_ast.While():
                self._while(node)
            case c_ast.Assignment() | c_ast.UnaryOp(op="++" | "--" | "p++" | "p--"):
                self._assignment(node)
            case c_ast.FuncCall():
                self._call(node, None, node)
            case c_ast.Return():
                self._return(node)
            case _:
                raise refused(f"a statement of kind {type(node).__name__}", node.coord)

    def _is_choice(self, node: c_ast.If) -> bool:
        """Whether a branch is nothing but one assignment, to something that no other thread sees before it ends."""
        body = build.statements(node.iftrue)
        if node.iffalse is not None or len(body) != 1 or not isinstance(body[0], c_ast.Assignment):
            return False
        target, value = body[0].lvalue, body[0].rvalue
        if body[0].op != "=" or isinstance(value, c_ast.FuncCall) or not isinstance(target, c_ast.ID):
            return False
        if self.symbols.record(self.symbols.type_of(target)) is not None or self.cells.is_handle(
            self.symbols.type_of(target)
        ):
            return False
        if self._inlined:
            return True
        # What others can change is loaded by a statement of its own.
        own = all(self.cells.is_own(name) or name in self.symbols.enumerators for name in build.names(value))
        return own and self.cells.is_own(target.name) and not any(calls(value)) and _has_no_access(value)

    def _choose(self, condition: ts.Expression, body: list[Any]) -> None:
        """Write an assignment that is only made if *condition* holds."""
        with self.values.only_if(condition):
            value = self.values.value(body[0].rvalue)
            ((_, spot),) = self.values.places(body[0].lvalue)
        target = self.cells.reference(self.values.template, spot)
        self.act(ts.Assign(target, choose(condition, convert(value, target.type), target)))

    def _while(self, node: c_ast.While) -> None:
        if self._inlined:
            name = self._inlined[-1][0]
            raise refused(f"the function `{name}`, whose model has a loop", node.coord)
        head = FlowStep(Statement(node.coord), cut=True)
        self.writer.go_to(head)
        self._begin(node, self._moves(node))
        condition = self.values.truth(node.cond)
        self.act()
        start, end = self.writer.at, self.writer.new()
        self.writer.go_to(self.writer.new(), condition)
        self.loops += 1
        self.one(node.stmt)
        self.loops -= 1
        self.writer.go_to(head)
        self.writer.at = start
        self.writer.go_to(end, negation(condition))

    def _assignment(self, node: Any) -> None:
        if isinstance(node, c_ast.UnaryOp):
            node = c_ast.Assignment(f"{node.op[-1]}=", node.expr, build.number(1), node.coord)
        if node.op == "=" and isinstance(node.rvalue, c_ast.FuncCall):
            name = node.rvalue.name.name if isinstance(node.rvalue.name, c_ast.ID) else ""
            if not name.startswith(lexicon.NONDET):
                self._call(node.rvalue, node.lvalue, node)
                return
        self._begin(node, self._moves(node))
        right = node.rvalue
        if node.op != "=":
            right = c_ast.BinaryOp(node.op[:-1], node.lvalue, right)
        if self.symbols.record(self.symbols.type_of(node.lvalue)) is not None:
            self._copy(node.lvalue, right)
            return
        value = self.values.value(right)
        if self.cells.is_handle(self.symbols.type_of(node.lvalue)):
            live = self.live(right)
            kept = ts.Read(self.cells.ghost("live", ts.BOOL, self.values.template))
            if live is not None:
                self.act(ts.Assign(kept, live), ts.Assign(live, FALSE))
            self.assign(self.values.places(node.lvalue), value, FALSE if live is None else kept)
        else:
            self.assign(self.values.places(node.lvalue), value)

    def live(self, node: c_ast.Node) -> ts.Read | ts.Element | None:
        """Whether the thread with the identifier *node* is live, if that is a variable: see `Cells.live`."""
        node = build.uncast(node)
        if not isinstance(node, (c_ast.ID, c_ast.ArrayRef, c_ast.StructRef, c_ast.UnaryOp)):
            return None
        if isinstance(node, c_ast.UnaryOp) and node.op != "*":
            return None
        if not self.cells.is_handle(self.symbols.type_of(node)):
            return None
        places = self.values.places(node)
        if len(places) != 1:
            return None
        return self.cells.live(self.cells.reference(self.values.template, places[0][1]))

    def _copy(self, target: c_ast.Node, source: c_ast.Node) -> None:
        """Copy a struct."""
        for path in self.cells.leaves(self.symbols.type_of(target)):
            one, other = target, source
            for name in path:
                one, other = (c_ast.StructRef(part, ".", build.ident(name)) for part in (one, other))
            if self.symbols.is_array(self.symbols.type_of(one)):
                raise refused("a copy of a struct with an array", self.values.origin)
            self.assign(self.values.places(one), self.values.value(other))

    def _return(self, node: c_ast.Return) -> None:
        if not self._inlined:
            self._begin(node)
            self._returns(self, node.expr)
            self.writer.dead()
            return
        _, end, result = self._inlined[-1]
        if build.is_call(build.uncast(node.expr)) if node.expr is not None else False:
            self._call(build.uncast(node.expr), result, node)  # type: ignore[arg-type]
        elif node.expr is not None:
            self.store(result, self.values.value(node.expr))
        self.act()
        self.writer.go_to(end)
        self.writer.dead()

    # Calls

    def called(self, function: c_ast.FuncDef, arguments: list[c_ast.Node]) -> ts.Expression:
        """Write a call of a library function inside of an expression; its result."""
        result = self.cells.fresh(self.cells.scalar(function.decl.type.type, self.values.origin), self.values.template)
        self.act()
        self._inline(function, arguments, result)
        return ts.Read(result)

    def _call(self, call: c_ast.FuncCall, target: c_ast.Node | ts.Variable | None, node: c_ast.Node) -> None:
        """Write a statement that is a call, or the assignment of a call's result."""
        name = call.name.name if isinstance(call.name, c_ast.ID) else ""
        arguments = call.args.exprs if call.args else []
        if name in _SAYING:
            return
        if name in (lexicon.ATOMIC_BEGIN, lexicon.ATOMIC_END):
            self._begin(node, waits=name == lexicon.ATOMIC_BEGIN)
            self.writer.at.section = 1 if name == lexicon.ATOMIC_BEGIN else -1
            self.writer.go_to(self.writer.new())
            return
        if name in (lexicon.ASSERT, lexicon.MISUSE_STUB, lexicon.ASSUME, cuts.UNWOUND, lexicon.COARSE):
            self._claim(name, call, node)
        elif name in _WAITS:
            self.act(ts.Assume(self.values.truth(arguments[0])))
        elif name == ALONE:  # a cut that every execution runs into
            raise refused("what a program does with its arguments, unless --args gives them,", node.coord)
        elif name == stubs.WAIT_OR_WAKE:
            return  # it may end at any time
        elif name == lexicon.STOP:
            self._begin(node)
            self.act()
            self.writer.dead()
        elif name == lexicon.EXIT:
            self._begin(node)
            self._returns(self, arguments[0])
            self.writer.dead()
        elif name in self._handlers:
            self._begin(node, self._moves(node))
            self._handlers[name](self, call, target)
        elif name in lexicon.WHOLE:
            self._begin(node)
            self._whole(name, arguments)
        elif name in self.symbols.functions:
            self._begin(node, self._moves(node), waits=stubs.may_wait(name))
            outside = not self._inlined
            try:
                self._inline(self.symbols.functions[name], arguments, target)
            except UnsupportedError as error:
                if not outside or not lexicon.is_ours(error.origin):
                    raise
                raise refused(f"the function `{called(name) or without_variant(name)}`", node.coord) from error
        else:
            raise refused(f"the function `{called(name) or without_variant(name)}`", node.coord)

    def _claim(self, name: str, call: c_ast.FuncCall, node: c_ast.Node) -> None:
        """Write an assertion, an assumption, or a cut."""
        arguments = call.args.exprs
        if name == lexicon.COARSE:
            self._begin(node)
            cut = Cut(Limit.GRAIN, 1, arguments[0].value[1:-1])
            self.act(ts.Check(FALSE, Claim(Kind.UNWINDING, cut=cut), node.coord))
            return
        is_claimed = name == cuts.UNWOUND or (name != lexicon.ASSUME and self._claims.has(arguments[1]))
        self._begin(node, self._moves(node), waits=not is_claimed)
        condition = self.values.truth(arguments[0])
        if not is_claimed:
            self.act(ts.Assume(condition))
            return
        is_cut = name == cuts.UNWOUND
        claim = Claim(Kind.UNWINDING, cut=cuts.of(call)) if is_cut else Claim.of(arguments[1].value[1:-1])
        if condition == TRUE:
            self.act()
        else:
            self.act(ts.Check(condition, claim, self.values.origin))

    def _whole(self, name: str, arguments: list[c_ast.Node]) -> None:
        """Write a call that gives a whole object a value."""
        place = build.addressed(arguments[0]) or build.uncast(arguments[0])
        if isinstance(place, c_ast.UnaryOp):
            place = place.expr
        found = self.values.places(place)
        if len(found) != 1:
            raise refused("an operation on an unknown object", self.values.origin)
        if name == "__CSEQ_zero":
            self.fill(found[0][1], lambda ref: ts.Assign(ref, ts.Number(0, ref.type)))
        elif not self._is_any_value(found[0][1]):
            self.fill(found[0][1], ts.Havoc)

    def _is_any_value(self, spot: Spot) -> bool:
        """Whether the object has any value already: it is a thread's own, and this is done once, before others."""
        if self.loops or spot.path or not self.cells.is_own(spot.root) or self._has_handles(spot.type):
            return False
        body = self.function.body
        return sum(1 for call in calls(body) if _whole_object(call) == spot.root) == 1

    def _has_handles(self, type_: c_ast.Node) -> bool:
        element = self.cells.element_type(type_)
        if self.symbols.record(element) is None:
            return self.cells.is_handle(element)
        return any(self._has_handles(member.type) for member in self.symbols.members_of(element))

    def _inline(
        self, function: c_ast.FuncDef, arguments: list[c_ast.Node], target: c_ast.Node | ts.Variable | None
    ) -> None:
        """Write the body of a library function, which is one step."""
        name = function.decl.name
        if any(name == outer for outer, _, _ in self._inlined):
            raise refused(f"the recursive function `{name}`", self.values.origin)
        end = self.writer.new()
        outer, given = dict(self.values.bound), dict(self.values.given)
        self.values.bind(function, arguments, keep=True)
        self._inlined.append((name, end, target))
        self.block(build.statements(function.body))
        self._inlined.pop()
        self.act()
        self.values.bound, self.values.given = outer, given
        self.writer.go_to(end)
