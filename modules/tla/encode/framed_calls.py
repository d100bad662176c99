"""Calls of functions that have frames of their own, and what becomes of their results."""

from typing import Any

from pycparser import c_ast

from cseq.c.symbols import Symbols
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.library import lexicon
from cseq.modules.tla.encode.call_bodies import Calls, has_call, parameters
from cseq.modules.tla.encode.locations import Point
from cseq.modules.tla.encode.rvalues import Expressions
from cseq.modules.tla.encode.terms import Scope
from cseq.modules.tla.encode.texts import quoted, unless
from cseq.modules.tla.encode.tla_names import Identifiers
from cseq.pipeline.translator import rebuilt


class FramedCalls:
    """Translates calls of the functions *names*, which have frames of their own, and their ends."""

    def __init__(
        self,
        names: frozenset[str],
        symbols: Symbols,
        expressions: Expressions,
        calls: Calls,
        identifiers: Identifiers,
    ) -> None:
        self.names = names
        self._symbols = symbols
        self._expressions = expressions
        self._calls = calls
        self._identifiers = identifiers

    def call(self, call: c_ast.FuncCall, goes_on: str) -> str:
        """The memories after a call. goes_on: where the caller goes on, as a text in quotes."""
        function = self._symbols.functions[call.name.name]
        given = parameters(function)
        arguments = call.args.exprs if call.args else []
        values = [
            self._expressions.converted(argument, parameter.type, Scope())
            for argument, parameter in zip(arguments, given, strict=True)
        ]
        name = quoted(self._identifiers.tla(function.decl.name))
        changes = [
            f"!.{self._identifiers.tla(parameter.name)} = {value.text}"
            for parameter, value in zip(given, values, strict=True)
        ]
        frame = f"Frame({name}, Undef)"
        if changes:
            frame = f"[{frame} EXCEPT {', '.join(changes)}]"
        guards = tuple(dict.fromkeys(guard for value in values for guard in value.guards))
        text = f"{{Calls(self, Goto(self, m, {goes_on}), {frame}, Entry({name}))}}"
        return unless(guards, "m", text)

    def store(self, node: c_ast.Assignment, goes_on: str) -> str:
        """The memories after what a function has returned is stored by the assignment *node* of its call."""
        type_ = self._symbols.functions[node.rvalue.name.name].decl.type.type
        result = c_ast.ID(self._calls.result(type_))
        scope = Scope().binding(**{result.name: "Returned(self, m)"})
        stored = self._expressions.assigned(rebuilt(node, rvalue=result), scope)
        return unless(stored.guards, "m", f"{{Goto(self, Returns(self, {stored.text}, Undef), {goes_on})}}")

    def end(self, value: Any, function: str) -> str:
        """The memories after the end of the function, with the result *value*; None for none."""
        type_ = self._symbols.functions[function].decl.type.type
        if value is None or self._symbols.is_void(type_):
            return "{Leaves(self, Returns(self, m, Undef))}"
        result = self._expressions.converted(value, type_, Scope())
        return unless(result.guards, "m", f"{{Leaves(self, Returns(self, m, {result.text}))}}")

    def is_noticed(self, point: Point, start: str, visibility: Visibility) -> bool:
        """Whether others may notice the statement at *point* of the function *start*."""
        node = point.node
        if point.is_return:
            return False
        match node:
            case c_ast.If() | c_ast.While():
                return has_call(node.cond) or any(visibility.loads(node.cond))
            case c_ast.Assignment():
                return (
                    has_call(node)
                    or visibility.is_visible(node.lvalue)
                    or any(visibility.address_loads(node.lvalue))
                    or any(visibility.loads(node.rvalue))
                )
            case c_ast.FuncCall() if node.name.name in self.names:
                return any(load for each in (node.args.exprs if node.args else []) for load in visibility.loads(each))
            case c_ast.FuncCall(name=c_ast.ID(name=lexicon.UNDEFINE | lexicon.FRESH | lexicon.COARSE)):
                return False
            case None | c_ast.Return() if start in self.names:
                return node is not None and any(visibility.loads(node.expr))
        return True
