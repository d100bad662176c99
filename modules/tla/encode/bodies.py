"""The statements of the threads: the TLA+ texts of the sets of the memories that they lead to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols, basic, pointer_to
from cseq.model.claims import Cut, Limit
from cseq.model.errors import UnsupportedError
from cseq.modules.analysis.cuts import UNWOUND
from cseq.modules.analysis.threadends import fits_a_pointer
from cseq.modules.library import lexicon
from cseq.modules.tla.encode.call_bodies import Names, has_call
from cseq.modules.tla.encode.cell_kinds import Cells
from cseq.modules.tla.encode.framed_calls import FramedCalls
from cseq.modules.tla.encode.functions import Functions, Rules
from cseq.modules.tla.encode.locations import Point
from cseq.modules.tla.encode.rvalues import Expressions
from cseq.modules.tla.encode.terms import Scope, Value, negated
from cseq.modules.tla.encode.texts import each_that_runs, ends_unless, let, quoted, spoken, unless
from cseq.pipeline.translator import rebuilt, user_name

NEW_THREAD = "NewThread"
"""The operator that gives the number of the next thread; the number of threads if there can be no more."""


@dataclass(frozen=True)
class BodyContext:
    """What the statements have in common.

    threads: how many there can be, with main. starts: the TLA+ names of start functions, and their parameters' types,
    None without one. reads_results: whether the values that threads return are read. begun: the functions that threads
    start, as far as they have frames of their own.
    """

    threads: int
    starts: Mapping[str, tuple[str, c_ast.Node | None]]
    reads_results: bool = False
    begun: frozenset[str] = frozenset()


class Statements:
    """Translates statements. creates: whether any creates a thread."""

    def __init__(
        self,
        symbols: Symbols,
        expressions: Expressions,
        cells: Cells,
        functions: Functions,
        rules: Rules,
        program: BodyContext,
        framed: FramedCalls,
    ) -> None:
        self._framed = framed
        self._cells = cells
        self._symbols = symbols
        self._expressions = expressions
        self._functions = functions
        self._calls = functions.calls
        self._rules = rules
        self._program = program
        self._names = Names("n")
        self.creates = False

    def body(self, point: Point, start: str, labels: Mapping[Point, str]) -> str:
        """The set of the memories that the statement at *point*, of the start function *start*, leads to."""
        self._names = Names("n")
        self._next = quoted(labels[point.next]) if point.next is not None else ""
        self._other = quoted(labels[point.other]) if point.other is not None else ""
        node = point.node
        if point.is_return:
            return self._framed.store(node, self._next)
        match node:
            case None | c_ast.Return() if start in self._framed.names:
                value = None if node is None else node.expr
                ends = self._framed.end(value, start)
                if start not in self._program.begun:
                    return ends
                return f"IF Len(m.register[self]) > 1 THEN {ends} ELSE {self._return(value, start)}"
            case c_ast.FuncCall() if build.is_call(node, *self._framed.names):
                return self._framed.call(node, self._next)
            case None | c_ast.Return():
                return self._return(None if node is None else node.expr, start)
            case c_ast.If() | c_ast.While():
                return self._branch(node.cond)
            case c_ast.Assignment():
                return self._assignment(node, point)
            case c_ast.FuncCall():
                return self._call(node, point, start)
        raise UnsupportedError(f"a statement of kind {type(node).__name__} is not supported", node.coord)

    def _goes_on(self, memory: str) -> str:
        return f"{{Goto(self, {memory}, {self._next})}}"

    def _branch(self, cond: Any) -> str:
        done = self._calls.evaluated(cond, Scope(), self._names)
        condition = self._expressions.condition(done.node, done.scope)
        memory = done.scope.memory
        if condition.text in ("TRUE", "FALSE") or self._next == self._other:
            target = self._other if condition.text == "FALSE" else self._next
        else:
            target = f"IF {condition.text} THEN {self._next} ELSE {self._other}"
        return done.around(unless(condition.guards, memory, f"{{Goto(self, {memory}, {target})}}"))

    def _assignment(self, node: c_ast.Assignment, point: Point) -> str:
        if build.is_call(node.rvalue, lexicon.CREATE):
            return self._create(node.rvalue, node.lvalue)
        done = self._calls.evaluated(node.rvalue, Scope(), self._names, self._receiver(node, point))
        if has_call(node.lvalue):
            raise UnsupportedError("a call in the target of an assignment", node.coord)
        stored = self._expressions.assigned(rebuilt(node, rvalue=done.node), done.scope)
        return done.around(unless(stored.guards, done.scope.memory, self._goes_on(stored.text)))

    def _receiver(self, node: c_ast.Assignment, point: Point) -> Any:
        """The type of the pointer that gets what the statement stores: by a cast, or in the next statement."""
        if isinstance(node.rvalue, c_ast.Cast):
            return node.rvalue.to_type.type
        type_ = self._symbols.type_of(node.lvalue)
        inner = getattr(self._symbols.resolve(type_), "type", None)
        after = point.next.node if point.next is not None else None
        if inner is None or not self._symbols.is_void(inner) or not isinstance(after, c_ast.Assignment):
            return type_
        copied = build.uncast(after.rvalue)
        if isinstance(copied, c_ast.ID) and isinstance(node.lvalue, c_ast.ID) and copied.name == node.lvalue.name:
            if isinstance(after.rvalue, c_ast.Cast):
                return after.rvalue.to_type.type
            return self._symbols.type_of(after.lvalue)
        return type_

    def _call(self, call: c_ast.FuncCall, point: Point, start: str) -> str:
        name = call.name.name
        arguments = call.args.exprs if call.args else []
        match name:
            case lexicon.STOP:
                return "{Exits(m)}"
            case lexicon.EXIT:
                return self._exit(arguments[0], start)
            case lexicon.CREATE:
                return self._create(call, None)
            case lexicon.ATOMIC_BEGIN | lexicon.ATOMIC_END:
                operator = "EntersSection" if name == lexicon.ATOMIC_BEGIN else "LeavesSection"
                return self._goes_on(f"{operator}(self, m)")
            case lexicon.COARSE:
                cut = Cut(Limit.GRAIN, 1, spoken(arguments[0]))
                return self._goes_on(f"Noted(m, {quoted(cut.key)})")
            case lexicon.UNDEFINE | lexicon.FRESH:
                return self._undefined(arguments[0])
            case lexicon.ASSERT | lexicon.ASSUME | "__CSEQ_unwound":
                return self._claim(call)
        done = self._calls.evaluated(call, Scope(), self._names)
        if len(done.wraps) == 1:
            outcome = self._calls.outcome(call, Scope(), None)
            if not outcome.guards:
                return f"Then(self, {outcome.text}, {self._next})"
        return done.around(self._goes_on(done.scope.memory))

    def _claim(self, call: c_ast.FuncCall) -> str:
        """An assertion, an assumption, or a bound."""
        cond, *message = call.args.exprs
        name = call.name.name
        done = self._calls.evaluated(cond, Scope(), self._names)
        condition = self._expressions.condition(done.node, done.scope)
        memory = done.scope.memory
        if name == UNWOUND:
            outcome = f"Cuts({memory}, {quoted(spoken(message[0]))})"
        elif name == lexicon.ASSERT and self._rules.claims.has(message[0]):
            outcome = f"{{Ends({memory}, {quoted('failed.' + spoken(message[0]))})}}"
        else:
            outcome = f'{{Ends({memory}, "dropped")}}'
        if condition.text == "FALSE" or not self._next:
            text = outcome
        elif condition.text == "TRUE":
            text = self._goes_on(memory)
        else:
            text = ends_unless(negated(condition).text, outcome, self._goes_on(memory))
        return done.around(unless(condition.guards, memory, text))

    def _undefined(self, pointer: Any) -> str:
        """An object that has no value."""
        target = build.addressed(pointer)
        if target is None:
            return self._goes_on("m")
        type_ = self._symbols.type_of(target)
        if self._cells.is_scalar(type_):
            stored = self._expressions.stored(target, "Undef", Scope())
        else:
            address = self._expressions.address(target, Scope())
            cells = len(self._cells.kinds(type_))
            stored = Value(f"FillCells(m, {address.text}, {cells}, Undef)", address.guards)
        return unless(stored.guards, "m", self._goes_on(stored.text))

    # Threads

    def _create(self, call: c_ast.FuncCall, target: Any) -> str:
        """A new thread: the library notes it, then it begins, and then the number is stored."""
        self.creates = True
        thread, attributes, start, argument = call.args.exprs
        cut = Cut(Limit.THREADS, self._program.threads - 1)
        self._symbols.declare(build.declare("__cs_new", basic("unsigned int")))
        scope = Scope().binding(__cs_new="k")
        step = build.call(lexicon.CREATE_STEP, thread, attributes, build.ident("__cs_new"), argument, origin=call.coord)
        noted = self._calls.outcome(step, scope, None)
        operator, parameter = self._program.starts[start.name]
        given = "Undef"
        if parameter is not None:
            pointer = c_ast.Cast(build.typename(pointer_to(basic("void"))), argument)
            given = self._expressions.converted(pointer, parameter, Scope()).text
        begun = self._names.memory()
        ready = self._names.memory()
        stored, after = "", Scope().after(ready)
        if target is not None:
            result = build.ident(self._calls.result(basic("int")))
            after = after.binding(**{result.name: f"Returned(self, {begun})"})
            place = self._expressions.assigned(build.assign(target, result), after)
            stored = unless(place.guards, ready, f"{{Goto(self, {place.text}, {self._next})}}")
        else:
            stored = f"{{Goto(self, {ready}, {self._next})}}"
        begins = each_that_runs(stored, ready, f"Begin(k, {begun}, {quoted(operator)}, {given})")
        text = each_that_runs(begins, begun, noted.text)
        text = ends_unless(f"k = {self._program.threads}", f"Cuts(m, {quoted(cut.key)})", text)
        return let("k", f"{NEW_THREAD}(m)", unless(noted.guards, "m", text))

    def _return(self, value: Any, start: str) -> str:
        if start != "main":
            return self._exit(value, start)
        guards: tuple[Any, ...] = ()
        if value is not None and not build.is_constant(value, 0):
            guards = self._expressions.value(value, Scope()).guards
        return unless(guards, "m", "{Exits(m)}")

    def _exit(self, value: Any, start: str) -> str:
        """The thread ends."""
        if lexicon.END_STEP not in self._symbols.functions:
            return "{Exits(m)}"
        fits = value is not None and fits_a_pointer(self._symbols, self._symbols.value_type(value))
        if not fits and self._program.reads_results:
            what = f"what a thread with the start function `{user_name(start)}` returns may not be defined"
            return f"{{Ends(m, {quoted('refused.' + what)})}}"
        pointer = c_ast.Cast(build.typename(pointer_to(basic("void"))), value if fits else build.number(0))
        call = build.call(lexicon.END_STEP, pointer)
        done = self._calls.evaluated(call, Scope(), self._names)
        return done.around(f"{{EndsThread(self, {done.scope.memory})}}")
