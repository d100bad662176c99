"""Functions that are one step of a thread, as operators: the sets of the memories that calls of them lead to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.printer import Printer
from cseq.c.symbols import Symbols, basic
from cseq.model.errors import UnsupportedError
from cseq.modules.analysis.cuts import UNWOUND
from cseq.modules.library import lexicon, stubs
from cseq.modules.library.assertions import Claims
from cseq.modules.tla.encode.call_bodies import Calls, Evaluation, Names, has_call, parameters
from cseq.modules.tla.encode.cell_kinds import Cells
from cseq.modules.tla.encode.rvalues import Expressions
from cseq.modules.tla.encode.terms import Guard, Scope, Value, negated
from cseq.modules.tla.encode.texts import choice, ends_unless, let, quoted, spoken, unless
from cseq.modules.tla.encode.tla_names import Identifiers
from cseq.modules.tla.spec import Operator
from cseq.pipeline.translator import rebuilt

_SHORT = 2
"""Up to so many statements after a branch are written twice instead of becoming an operator."""

_CONDITIONAL = re.compile(r" => (Holds\(@, \w+, \w+\))\)*$")
"""A check that is only needed under a condition."""

_WHO = "{who}"
"""Stands for the threads that can end a wait."""

_NOTHING = ("__CSEQ_contends", "__CSEQ_dozes", lexicon.BEGINS, lexicon.ENDS, lexicon.ACCESS, lexicon.UNDEFINE)


@dataclass(frozen=True)
class Rules:
    """What the statements of a program do in the analysis of one property.

    claims: which assertions are claimed. spurious: whether waits may end without a reason. deadlocks: whether calls
    that may fail or block for ever are taken to block. samples: the numbers that inputs of the library may be.
    """

    claims: Claims
    spurious: bool = False
    deadlocks: bool = False
    samples: tuple[int, ...] = ()


class Functions:
    """The operators of the library functions that a program calls."""

    def __init__(
        self,
        symbols: Symbols,
        identifiers: Identifiers,
        expressions: Expressions,
        cells: Cells,
        rules: Rules,
        threads: int,
    ) -> None:
        self._symbols = symbols
        self._identifiers = identifiers
        self._expressions = expressions
        self._cells = cells
        self._rules = rules
        self._operators: dict[str, str] = {}
        self._active: list[str] = []
        self._taken = {identifiers.tla(name) for name in symbols.functions}
        self.calls = Calls(symbols, expressions, cells, self, threads, rules.samples)
        self.operators: list[Operator] = []

    def operator(self, name: str, origin: Any = None) -> str:
        """The operator of the function *name*: its definition is in `operators`, after those that it needs."""
        known = self._operators.get(name)
        if known is not None:
            return known
        if name in self._active:
            raise UnsupportedError(f"the function `{name}`, which calls itself,", origin)
        self._active.append(name)
        try:
            written = self._identifiers.tla(name)
            body = _Body(self, self._symbols.functions[name], written)
            self.operators.extend(body.operators)
            self._operators[name] = written
        finally:
            self._active.pop()
        return written

    def condition(self, node: Any, scope: Scope) -> Value:
        """A condition without calls."""
        return self._expressions.condition(node, scope)

    def converted(self, node: Any, type_: c_ast.Node, scope: Scope) -> Value:
        """A value without calls, as one of *type_*."""
        return self._expressions.converted(node, type_, scope)

    def assigned(self, node: c_ast.Assignment, scope: Scope) -> Value:
        """The memory after an assignment of a value without calls."""
        return self._expressions.assigned(node, scope)

    def local(self, name: str) -> str:
        """The identifier of a local or a parameter."""
        found = self._identifiers.tla(name)
        return f"{found}_" if found in self._taken else found

    def new_operator(self, name: str) -> str:
        """A new name of an operator."""
        return self._identifiers.operator(name)

    @property
    def symbols(self) -> Symbols:
        """The symbols of the program."""
        return self._symbols

    @property
    def rules(self) -> Rules:
        """What statements do."""
        return self._rules


@dataclass(frozen=True)
class _At:
    """A point of the translation: where expressions are evaluated, and which guards have been checked already."""

    scope: Scope
    known: frozenset[str] = field(default_factory=frozenset)


def _after(done: Evaluation, before: _At) -> _At:
    """The point after an evaluation. A call in it may have freed what could be accessed before."""
    return _At(done.scope, before.known if done.scope.memory == before.scope.memory else frozenset())


class _Body:
    """Translates the body of one function."""

    def __init__(self, functions: Functions, node: c_ast.FuncDef, name: str) -> None:
        self._functions = functions
        self._calls = functions.calls
        self._rules = functions.rules
        self._name = name
        self._names = Names("m")
        self._names.memory()  # the parameter
        self._type = node.decl.type.type
        self.operators: list[Operator] = []
        self._in_loop = False
        self._locals = [item.name for item in build.inside(node.body, c_ast.Decl) if item.name]
        given = [parameter.name for parameter in parameters(node)]
        bound = {one: functions.local(one) for one in given}
        for one in bound.values():
            self._names.new(one)
        text = self._text(list(node.body.block_items or []), _At(Scope("m", "self", bound)))
        own = Operator(name, ("self", "m", *bound.values()), text, _prototype(node.decl))
        self.operators.append(own)

    def _text(self, items: Sequence[Any], at: _At) -> str:
        """The set of the memories that the statements *items* lead to, the last of which returns."""
        scope = at.scope
        if not items:
            return f"{{Returns({scope.thread}, {scope.memory}, Undef)}}"
        node, rest = items[0], items[1:]
        match node:
            case c_ast.Compound():
                return self._text([*(node.block_items or []), *rest], at)
            case c_ast.EmptyStatement() | c_ast.Pragma():
                return self._text(rest, at)
            case _Jump():
                given = (scope.bound.get(name, "Undef") for name in node.carried)
                return f"{node.name}({', '.join([scope.thread, scope.memory, *given])})"
            case c_ast.Decl():
                if node.init is None or not node.name:
                    return self._text(rest, at)
                return self._text([build.assign(build.ident(node.name), node.init, node.coord), *rest], at)
            case c_ast.Return():
                return self._return(node, at)
            case c_ast.If():
                return self._if(node, rest, at)
            case c_ast.While():
                return self._while(node, rest, at)
            case c_ast.Assignment():
                return self._assignment(_plain(node), rest, at)
            case c_ast.UnaryOp(op="p++" | "p--" | "++" | "--"):
                value = c_ast.BinaryOp(node.op[-1], node.expr, build.number(1))
                return self._assignment(build.assign(node.expr, value, node.coord), rest, at)
            case c_ast.FuncCall():
                return self._call(node, rest, at)
            case c_ast.Cast():
                return self._text([node.expr, *rest], at)
        raise UnsupportedError(f"a statement of kind {type(node).__name__} in `{self._name}`", node.coord)

    def _return(self, node: c_ast.Return, at: _At) -> str:
        if node.expr is None:
            return self._text([], at)
        done = self._calls.evaluated(node.expr, at.scope, self._names)
        value = self._functions.converted(done.node, self._type, done.scope)
        memory = done.scope.memory
        result = f"{{Returns({at.scope.thread}, {memory}, {value.text})}}"
        return done.around(unless(self._unknown(value, _after(done, at), memory)[0], memory, result))

    def _unknown(self, value: Value, at: _At, memory: str) -> tuple[list[Guard], _At]:
        """The guards of *value* that have not been checked, and the point after they have been."""
        left, known = [], set(at.known)
        for guard in value.guards:
            key = guard.condition.replace(f"Holds({memory}, ", "Holds(@, ")
            held = _CONDITIONAL.search(key)
            if key not in known and (held is None or held[1] not in known):
                left.append(guard)
                known.add(key)
        return left, _At(at.scope, frozenset(known))

    def _assignment(self, node: c_ast.Assignment, rest: Sequence[Any], at: _At) -> str:
        done = self._calls.evaluated(node.rvalue, at.scope, self._names)
        target, memory = node.lvalue, done.scope.memory
        if isinstance(target, c_ast.ID) and self._is_own(target.name):
            value = self._functions.converted(done.node, self._functions.symbols.type_of(target), done.scope)
            guards, after = self._unknown(value, _after(done, at), memory)
            name = self._names.new(self._functions.local(target.name))
            after = _At(done.scope.binding(**{target.name: name}), after.known)
            return done.around(unless(guards, memory, let(name, value.text, self._text(rest, after))))
        if has_call(target):
            raise UnsupportedError(f"a call in the target of an assignment in `{self._name}`", node.coord)
        stored = self._functions.assigned(rebuilt(node, rvalue=done.node), done.scope)
        guards, after = self._unknown(stored, _after(done, at), memory)
        name = self._names.memory()
        after = _At(done.scope.after(name), after.known)
        return done.around(unless(guards, memory, let(name, stored.text, self._text(rest, after))))

    def _is_own(self, name: str) -> bool:
        return self._functions.symbols.locals.get(name) is not None

    def _if(self, node: c_ast.If, rest: Sequence[Any], at: _At) -> str:
        done = self._calls.evaluated(node.cond, at.scope, self._names)
        condition = self._functions.condition(done.node, done.scope)
        guards, after = self._unknown(condition, _after(done, at), done.scope.memory)
        then = build.statements(node.iftrue)
        otherwise = [] if node.iffalse is None else build.statements(node.iffalse)
        if condition.text in ("TRUE", "FALSE"):
            text = self._text([*(then if condition.text == "TRUE" else otherwise), *rest], after)
            return done.around(unless(guards, done.scope.memory, text))
        if not _leaves(then) and not _leaves(otherwise) and len(rest) > _SHORT and not self._in_loop:
            rest = [self._continued(rest, after)]
        text = choice(condition.text, self._text([*then, *rest], after), self._text([*otherwise, *rest], after))
        return done.around(unless(guards, done.scope.memory, text))

    def _continued(self, rest: Sequence[Any], at: _At) -> _Jump:
        """A jump to a new operator, which does what *rest* does."""
        return self._define(f"{self._name}_goes_on", lambda _: list(rest), at, recursive=False)

    def _while(self, node: c_ast.While, rest: Sequence[Any], at: _At) -> str:
        if self._in_loop:
            raise UnsupportedError(f"a loop in a loop of `{self._name}`", node.coord)

        def turn(again: _Jump) -> list[Any]:
            body = build.block([*build.statements(node.stmt), again])
            return [c_ast.If(node.cond, body, build.block(rest), node.coord)]

        self._in_loop = True
        jump = self._define(f"{self._name}_loop", turn, at, recursive=True)
        self._in_loop = False
        return self._text([jump], at)

    def _define(self, stem: str, items: Callable[[_Jump], list[Any]], at: _At, recursive: bool) -> _Jump:
        """A new operator that does what *items* says, which gets the jump to it."""
        jump = _Jump(self._functions.new_operator(stem), ())
        found = items(jump)
        mentioned = {name for item in found for name in build.names(item)}
        jump.carried = tuple(name for name in dict.fromkeys([*at.scope.bound, *self._locals]) if name in mentioned)
        names, self._names = self._names, Names("m")
        self._names.memory()
        bound = {one: self._names.new(self._functions.local(one)) for one in jump.carried}
        text = self._text(found, _At(Scope("m", "self", bound)))
        self._names = names
        self.operators.append(Operator(jump.name, ("self", "m", *bound.values()), text, "", recursive))
        return jump

    def _call(self, node: c_ast.FuncCall, rest: Sequence[Any], at: _At) -> str:
        name = node.name.name
        arguments = node.args.exprs if node.args else []
        if name in _NOTHING:
            return self._text(rest, at)
        scope = at.scope
        if name == lexicon.COARSE:
            memory = self._names.memory()
            noted = f"Noted({scope.memory}, {quoted(spoken(arguments[0]))})"
            return let(memory, noted, self._text(rest, _At(scope.after(memory), at.known)))
        if name in (stubs.MAY_HANG, stubs.MAY_WAIT):
            if not self._rules.deadlocks:
                return self._text(rest, at)
            who = "{self}" if name == stubs.MAY_HANG else "{}"
            return self._only_if(build.negation(arguments[0]), f"WaitsFor(self, @, {who})", rest, at)
        if name in stubs.WAITS:
            return self._wait(name, arguments, rest, at)
        if name in (lexicon.ASSUME, lexicon.MISUSE_STUB, lexicon.ASSERT):
            dropped = name == lexicon.ASSUME or not self._rules.claims.has(arguments[1])
            status = "dropped" if dropped else f"failed.{spoken(arguments[1])}"
            return self._only_if(arguments[0], f"{{Ends(@, {quoted(status)})}}", rest, at)
        if name == UNWOUND:
            return self._only_if(arguments[0], f"Cuts(@, {quoted(spoken(arguments[1]))})", rest, at)
        done = self._calls.evaluated(node, scope, self._names)
        return done.around(self._text(rest, _At(done.scope)))

    def _wait(self, name: str, arguments: Sequence[Any], rest: Sequence[Any], at: _At) -> str:
        """*rest* where the first of the *arguments* holds; elsewhere there are no memories.

        Who can end the wait only matters for deadlocks. A wait that may end without a reason need not.
        """
        spurious = name == stubs.WAIT_OR_WAKE and self._rules.spurious
        if not self._rules.deadlocks:
            return self._text(rest, at) if spurious else self._only_if(arguments[0], "{}", rest, at)
        if name == stubs.WAIT_FOR:
            mask = basic("unsigned long long")

            def who(scope: Scope) -> str:
                return f"ThreadsOf({self._functions.converted(arguments[1], mask, scope).text})"

            return self._only_if(arguments[0], f"WaitsFor(self, @, {_WHO})", rest, at, who)
        world = "{-1}" if name == stubs.WAIT_OUTSIDE else "{}"
        return self._only_if(arguments[0], f"WaitsFor(self, @, {world})", rest, at, asked=spurious)

    def _only_if(
        self,
        cond: Any,
        otherwise: str,
        rest: Sequence[Any],
        at: _At,
        who: Callable[[Scope], str] | None = None,
        asked: bool = False,
    ) -> str:
        """*rest* where *cond* holds; elsewhere the memories *otherwise*, where ``@`` is the current memory.

        who: the text for `_WHO` in them. asked: whether that is so only for who asks why a thread waits.
        """
        done = self._calls.evaluated(cond, at.scope, self._names)
        condition = self._functions.condition(done.node, done.scope)
        memory = done.scope.memory
        if who is not None:
            otherwise = otherwise.replace(_WHO, who(done.scope))
        guards, after = self._unknown(condition, _after(done, at), memory)
        outcome = otherwise.replace("@", memory, 1)
        if condition.text == "TRUE":
            text = self._text(rest, after)
        elif condition.text == "FALSE":
            text = outcome
        else:
            wrong = negated(condition).text
            text = ends_unless(f"Asks({memory}) /\\ ({wrong})" if asked else wrong, outcome, self._text(rest, after))
        return done.around(unless(guards, memory, text))


class _Jump(c_ast.Node):
    """A jump to the operator *name* of the same function, with the values of the locals *carried* as arguments."""

    __slots__ = ("carried", "coord", "name")

    def __init__(self, name: str, carried: tuple[str, ...]) -> None:
        self.name = name
        self.carried = carried
        self.coord = None

    def children(self) -> tuple[()]:
        """None: it stands for what is elsewhere."""
        return ()

    def __iter__(self) -> Iterator[c_ast.Node]:
        """The same, without names."""
        return iter(())


def _prototype(declared: c_ast.Decl) -> str:
    """The declaration of a function in C, without what we have added to names."""
    return re.sub(r"__(?:cs|CSEQ)_|__cs\d+\b", "", Printer().visit(declared))


def _plain(node: c_ast.Assignment) -> c_ast.Assignment:
    """``a = a + b`` for ``a += b``."""
    if node.op == "=":
        return node
    return build.assign(node.lvalue, c_ast.BinaryOp(node.op[:-1], node.lvalue, node.rvalue), node.coord)


def _leaves(items: Sequence[Any]) -> bool:
    """Whether nothing after *items* is ever done."""
    if not items:
        return False
    match items[-1]:
        case c_ast.Return() | _Jump():
            return True
        case c_ast.Compound():
            return _leaves(items[-1].block_items or [])
        case c_ast.If():
            branches = (items[-1].iftrue, items[-1].iffalse)
            return all(branch is not None and _leaves(build.statements(branch)) for branch in branches)
    return False
