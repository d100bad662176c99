"""Instrument a core-language program, before the stepper, to report what it does."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.generated import ours
from cseq.c.symbols import Symbols
from cseq.model.origin import Origin
from cseq.model.trace import Action, Thread
from cseq.modules.analysis import marks, threadends
from cseq.modules.analysis.constant_propagation import Counting, Exits
from cseq.modules.analysis.probes import Probes
from cseq.modules.library import lexicon, stubs
from cseq.modules.tracing import evidence
from cseq.modules.tracing.observations import Input, Iteration, Loop, RaceAnnouncement
from cseq.modules.tracing.tracer import Point, Tracer
from cseq.options.properties import DEADLOCK
from cseq.pipeline.translator import rebuilt

NO_THREAD = Thread(-1, "")
"""A placeholder for the thread that executes a statement: which one it is is known only at run time."""

_NOWHERE = Origin("", 0)

_OBJECTS = ["void *__CSEQ_object;"]
"""Variables that the calls in a traced program share."""

DEFINITIONS = [
    "static unsigned long long __CSEQ_bits_of(double value)",
    "{",
    "union { double value; unsigned long long bits; } u = { value };",
    "return u.bits;",
    "}",
]
"""What these calls also need."""

_SILENT = frozenset({
    lexicon.ACCESS, lexicon.COARSE, lexicon.BEGINS, lexicon.ENDS, lexicon.DEMAND, lexicon.ATOMIC_BEGIN,
    lexicon.ATOMIC_END,
})  # fmt: skip
"""Calls that are not statements of the user's."""


@dataclass(frozen=True)
class StepPoint(Point):
    """A statement that any thread may execute.

    role: ``creates`` where it creates a thread; ``ends`` where its thread ends, reported in addition to what it
        does; ``stands`` where it is only a place at which a thread can stand.
    loops: the numbers of the enclosing loops, outermost first.
    """

    role: str = ""
    loops: tuple[int, ...] = ()


class StepTracer(Tracer):
    """Inserts the calls of a `Tracer` into the start functions of threads, which have loops but no thread number.

    choices: the assignments that represent inputs, and the functions that give them.
    property_: the property that is checked; some need evidence for their report.
    """

    def __init__(
        self,
        tree: c_ast.FileAST,
        symbols: Symbols,
        probes: Probes,
        choices: Mapping[c_ast.Node, str],
        property_: str,
        moves: bool = False,
    ) -> None:
        super().__init__(tree, [NO_THREAD], symbols, probes, property_ in marks.PREFIXES, moves)
        self._choices = choices
        self._asks = property_ == DEADLOCK
        self._counting = Counting(symbols, self._visibility)
        self._nest: tuple[int, ...] = ()
        self._loops = 0
        self._in_main = False
        self._called = ""  # the function in which the statement may block

    def traced(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """The program with the calls inserted."""
        functions = [self._function(n, tree) if marks.is_thread(n) else n for n in tree.ext]
        self._note_more()
        return c_ast.FileAST([*ours(_OBJECTS), *functions])

    def _function(self, node: Any, tree: c_ast.FileAST) -> c_ast.FuncDef:
        is_main = self._in_main = node.decl.name == "main"
        body = self._block(node.body)
        items = list(body.block_items)
        if not is_main and not (items and isinstance(items[-1], c_ast.Return)):
            self._role("ends", items)
            items.append(c_ast.Return(None))
        body = c_ast.Compound(items, body.coord)
        if self._evidence:
            body = self._with_places(body)
            if is_main:
                out: list[c_ast.Node] = []
                self._places([n for n in tree.ext if isinstance(n, c_ast.Decl)], out)
                body = c_ast.Compound([*out, *body.block_items], body.coord)
        function: c_ast.FuncDef = rebuilt(node, body=body)
        return function

    def _statement(self, node: Any, out: list[c_ast.Node]) -> None:
        match node:
            case c_ast.Label():
                out.append(rebuilt(node, stmt=c_ast.EmptyStatement()))
                if not isinstance(node.stmt, c_ast.EmptyStatement):
                    self._statement(node.stmt, out)
            case c_ast.Compound():
                out.append(self._block(node))
            case c_ast.While():
                self._while(node, out)
            case c_ast.Return():
                self._return(node, out)
            case c_ast.If() if node.coord is None and not isinstance(node.iftrue, c_ast.Goto):
                otherwise = self._block(node.iffalse) if node.iffalse is not None else None
                out.append(rebuilt(node, iftrue=self._block(node.iftrue), iffalse=otherwise))
            case c_ast.FuncCall() if node.name.name in _SILENT:
                out.append(node)
            case c_ast.FuncCall() if node.name.name == lexicon.STANDS:
                self._mark(node, out)
            case c_ast.FuncCall() if node.name.name == lexicon.CHECKS:
                self._checks(node, out)
            case _:
                super()._statement(node, out)

    def _while(self, node: c_ast.While, out: list[c_ast.Node]) -> None:
        if node.coord is None or threadends.is_destruction(node.cond):  # not a loop of the user's
            out.append(rebuilt(node, stmt=self._block(node.stmt)))
            return
        self._loops += 1
        number = self._loops
        self._value(Loop(number), build.number(0), out)
        outer, self._nest = self._nest, (*self._nest, number)
        turn: list[c_ast.Node] = []
        self._value(Iteration(number), build.number(0), turn)
        cond: c_ast.Node = node.cond
        if isinstance(cond, c_ast.ExprList):
            mark, cond = cond.exprs
            if mark.name.name == lexicon.CHECKS:
                self._checks(mark, turn)
            else:
                self._mark(mark, turn)
        if self._symbols.constant_or_none(cond) is None:
            # Where the sequentialized program has no test, none is shown.
            if not Exits(rebuilt(node, cond=cond), self._counting).may_be_known:
                self._point(node, turn)
                self._reads(cond, turn)
            elif self._moves and self._is_seen(node):
                self._hidden(StepPoint(NO_THREAD, node.coord, loops=self._nest), node, turn)
            cond, turn = c_ast.ExprList([*turn, cond]), []
        body = self._block(node.stmt)
        self._nest = outer
        out.append(rebuilt(node, cond=cond, stmt=c_ast.Compound([*turn, *body.block_items], body.coord)))

    def _return(self, node: c_ast.Return, out: list[c_ast.Node]) -> None:
        if node.coord is not None and self._in_main:
            self._point(node, out)
        elif not self._in_main:
            self._role("ends", out)
            if node.coord is not None:
                self._end(threadends.result(self._symbols, node.expr), node, out)
        out.append(node)

    def _mark(self, node: c_ast.FuncCall, out: list[c_ast.Node]) -> None:
        """Report the accesses of the next statement, or of a place of its own, each with its meaning for data races."""
        flags, actions = node.args.exprs[:3], node.args.exprs[3:]
        self._role("stands", out, node)
        args: list[c_ast.Node] = []
        for action in actions:
            what = self._probes.meaning(action)
            name = self._text(what.place) if what is not None and what.place is not None else ""
            self._value(RaceAnnouncement(name, what.function if what is not None else ""), build.number(0), args)
            args.append(action)
        out.append(rebuilt(node, args=c_ast.ExprList([*flags, *args])))

    def _checks(self, node: c_ast.FuncCall, out: list[c_ast.Node]) -> None:
        """Report before each claim about the next statement what it reads: the thread may come no further."""
        args: list[c_ast.Node] = []
        for claim in node.args.exprs:
            if build.is_call(claim, lexicon.ASSERT):
                super()._call(claim, claim, args)
            args.append(claim)
        out.append(rebuilt(node, args=c_ast.ExprList(args)))

    def _role(self, role: str, out: list[c_ast.Node], node: c_ast.Node | None = None) -> None:
        out.append(build.call("__CSEQ_at", build.number(len(self.points))))
        origin: Any = node.coord if node is not None else _NOWHERE
        self.points.append(StepPoint(NO_THREAD, origin, role=role, loops=self._nest))

    def _point(
        self,
        node: Any,
        out: list[c_ast.Node],
        actions: tuple[Action, ...] = (),
        stands: bool = False,
        call: str = "",
        created: Thread | None = None,
        role: str = "",
    ) -> None:
        out.append(build.call("__CSEQ_at", build.number(len(self.points))))
        point = StepPoint(NO_THREAD, node.coord, actions, False, self._called, role=role, loops=self._nest)
        self.points.append(self._watched(point, node))

    def _call(self, call: c_ast.FuncCall, node: c_ast.Node, out: list[c_ast.Node]) -> None:
        name = call.name.name
        self._called = name if self._asks and stubs.can_block(name) else ""
        if name == lexicon.CREATE:
            self._point(node, out, role="creates")
        elif name == lexicon.EXIT:
            self._role("ends", out)
            self._end(call.args.exprs[0], node, out)
        else:
            super()._call(call, node, out)
        if self._called:
            for subject in evidence.subjects(name):
                self._sight(call, subject, out)
                self._state(subject, out)
        self._called = ""

    def _input(self, function: str, place: c_ast.Node, out: list[c_ast.Node]) -> None:
        """Do nothing: inputs are choices here, see `_assignment`."""

    def _assignment(self, node: c_ast.Assignment, out: list[c_ast.Node]) -> None:
        function = self._choices.get(node)
        if function is None:
            super()._assignment(node, out)
            return
        self._point(node, out)
        out.append(node)
        self._show("write", node.lvalue, self._text(node.lvalue), out)
        words = lexicon.NONDET_TYPES[function.removeprefix(lexicon.NONDET)]
        # It is reported only where the place has the input's type: otherwise the value has been converted.
        words = words if self._symbols.arithmetic(self._symbols.type_of(node.lvalue)) == words else ""
        value: c_ast.Node = node.lvalue if words else build.number(0)
        if words in ("float", "double"):
            value = build.call("__CSEQ_bits_of", value)
        self._value(Input(words), value, out)
