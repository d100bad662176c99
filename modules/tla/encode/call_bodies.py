"""Calls in expressions: what they make of a memory is a set, from which one is taken before the rest is evaluated."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.model.errors import UnsupportedError
from cseq.modules.core.input_choices.libraryinputs import CHOICES, MEMBER, SAMPLE, SPREAD, declare_choices
from cseq.modules.frontend.observers.observers import observing
from cseq.modules.library import lexicon
from cseq.modules.tla.encode import blocks
from cseq.modules.tla.encode.cell_kinds import Cells
from cseq.modules.tla.encode.rvalues import Expressions
from cseq.modules.tla.encode.terms import Guard, Scope, Value, both, conditional, negated
from cseq.modules.tla.encode.texts import each, each_that_runs, let, quoted, spoken, unless
from cseq.modules.tla.numbers import number
from cseq.pipeline.translator import Rewriter, rebuilt

Wrap = Callable[[str], str]


class Library(Protocol):
    """The functions that are one step."""

    def operator(self, name: str, origin: Any) -> str:
        """The operator of the function *name*. Raises UnsupportedError where there can be none."""


class Names:
    """New names in one definition. memories: how those of memories begin."""

    def __init__(self, memories: str) -> None:
        self._memories = memories
        self._counts: dict[str, int] = {}

    def memory(self) -> str:
        """A name for another memory."""
        return self.new(self._memories)

    def new(self, stem: str) -> str:
        """A name like *stem*."""
        count = self._counts[stem] = self._counts.get(stem, 0) + 1
        return stem if count == 1 else f"{stem}{count}"


@dataclass
class Evaluation:
    """An expression without calls, and what has to happen before it can be evaluated.

    node: the expression. scope: where. wraps: what goes around the text that uses it, outermost first.
    """

    node: Any
    scope: Scope
    wraps: Sequence[Wrap] = ()

    def around(self, text: str) -> str:
        """The *text* that uses the value, with what comes before."""
        for wrap in reversed(self.wraps):
            text = wrap(text)
        return text


class Calls:
    """Translates calls in the expressions of one program. samples: the numbers that inputs of the library may be."""

    def __init__(
        self,
        symbols: Symbols,
        expressions: Expressions,
        cells: Cells,
        library: Library,
        threads: int,
        samples: Sequence[int] = (),
    ) -> None:
        self._samples = samples
        self._symbols = symbols
        self._expressions = expressions
        self._library = library
        self._results = 0
        self._threads = threads
        declare_choices(symbols)
        self._blocks = blocks.Blocks(symbols, expressions, cells)

    def evaluated(self, node: Any, scope: Scope, names: Names, receiver: Any = None) -> Evaluation:
        """*node* without its calls. receiver: the type of the pointer that the value of a call goes to, if known."""
        if not has_call(node):
            return Evaluation(node, scope)
        return _Hoisting(self, scope, names, receiver).evaluated(node)

    def result(self, type_: c_ast.Node) -> str:
        """A new C name for the result of a call, of that type."""
        self._results += 1
        name = f"__cs_result_{self._results}"
        self._symbols.declare(build.declare(name, type_))
        return name

    def outcome(self, call: c_ast.FuncCall, scope: Scope, receiver: Any) -> Value:
        """The set of the memories that the *call* leads to."""
        name = call.name.name
        arguments = call.args.exprs if call.args else []
        if name in CHOICES:
            return self._chosen(name, arguments, scope, call)
        modelled = self._blocks.outcome(call, scope, receiver)
        if modelled is not None:
            return modelled
        is_known = lexicon.is_step(name) or name.startswith(observing(""))
        if not is_known or name not in self._symbols.functions:
            raise UnsupportedError(f"the function `{name}` is not supported", call.coord)
        definition = self._symbols.functions[name]
        values = [
            self._expressions.converted(argument, parameter.type, scope)
            for argument, parameter in zip(arguments, parameters(definition), strict=True)
        ]
        guards = tuple(guard for value in values for guard in value.guards)
        operator = self._library.operator(name, call.coord)
        text = f"{operator}({', '.join([scope.thread, scope.memory, *(value.text for value in values)])})"
        return Value(text, tuple(dict.fromkeys(guards)))

    def _chosen(self, name: str, arguments: Sequence[Any], scope: Scope, call: c_ast.FuncCall) -> Value:
        """The memories after a choice."""
        of = f"{scope.thread}, {scope.memory}"
        if name == SAMPLE and self._samples:
            return Value(f"ChoosesFrom({of}, <<{', '.join(map(number, self._samples))}>>)")
        if name == SPREAD:
            mask = self._symbols.constant_or_none(arguments[1])
            if mask is None or not build.is_call(arguments[0], lexicon.CHOOSE):
                raise UnsupportedError("a choice among bits that are not known", call.coord)
            return Value(f"ChoosesFrom({of}, <<{', '.join(map(str, _submasks(mask)))}>>)")
        value = self._expressions.value(arguments[0], scope)
        if name in (lexicon.CHOOSE, lexicon.SAMPLED):
            return Value(f"Chooses({of}, {value.text})", value.guards)
        operator = "Members" if name == MEMBER else "BitsOf"
        return Value(f"ChoosesFrom({of}, {operator}({value.text}, {self._threads}))", value.guards)

    def type_of(self, call: c_ast.FuncCall) -> c_ast.Node:
        """The type of the result."""
        return self._symbols.type_of(call)

    def condition(self, node: Any, scope: Scope) -> Value:
        """The same, as a condition."""
        return self._expressions.condition(node, scope)


class _Hoisting(Rewriter):
    """Takes the calls out of an expression."""

    def __init__(self, calls: Calls, scope: Scope, names: Names, receiver: Any) -> None:
        super().__init__()
        self._calls = calls
        self._scope = scope
        self._names = names
        self._receiver = receiver
        self._wraps: list[Wrap] = []
        self._condition: Value | None = None  # under which what is being visited is evaluated at all

    def evaluated(self, node: Any) -> Evaluation:
        node = self.visit(node)
        return Evaluation(node, self._scope, self._wraps)

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> c_ast.Node:
        if node.op == "sizeof":
            return node
        result: c_ast.Node = self.generic_visit(node)
        return result

    def visit_BinaryOp(self, node: c_ast.BinaryOp) -> c_ast.Node:
        if node.op not in ("&&", "||") or not has_call(node.right):
            result: c_ast.Node = self.generic_visit(node)
            return result
        left = self.visit(node.left)
        goes_on = self._calls.condition(left, self._scope)
        right = self._under(goes_on if node.op == "&&" else negated(goes_on), node.right)
        return rebuilt(node, left=left, right=right)

    def visit_TernaryOp(self, node: c_ast.TernaryOp) -> c_ast.Node:
        if not has_call(node.iftrue) and not has_call(node.iffalse):
            return rebuilt(node, cond=self.visit(node.cond))
        cond = self.visit(node.cond)
        holds = self._calls.condition(cond, self._scope)
        return rebuilt(
            node, cond=cond, iftrue=self._under(holds, node.iftrue), iffalse=self._under(negated(holds), node.iffalse)
        )

    def _under(self, condition: Value, node: Any) -> Any:
        before = self._condition
        self._condition = condition if before is None else both(before, condition)
        try:
            return self.visit(node)
        finally:
            self._condition = before

    def visit_FuncCall(self, node: c_ast.FuncCall) -> c_ast.Node:
        name = node.name.name
        receiver, self._receiver = self._receiver, None
        if build.is_call(node, SPREAD) and build.is_call(node.args.exprs[0], lexicon.CHOOSE):
            return self._called(node, None)
        arguments = [] if node.args is None else [self.visit(argument) for argument in node.args.exprs]
        call = c_ast.FuncCall(node.name, c_ast.ExprList(arguments), node.coord)
        if name == lexicon.SAMPLED:
            noted, memory = f"Noted({self._scope.memory}, {quoted(spoken(arguments[1]))})", self._names.memory()
            self._wraps.append(lambda body: let(memory, noted, body))
            self._scope = self._scope.after(memory)
        return self._called(call, receiver)

    def _guard(self, guards: Sequence[Guard]) -> None:
        if not guards:
            return
        memory = self._scope.memory
        needed = tuple(guards) if self._condition is None else conditional(self._condition, guards)
        self._wraps.append(lambda body: unless(needed, memory, body))

    def _called(self, call: c_ast.FuncCall, receiver: Any) -> c_ast.Node:
        before = self._scope
        outcome = self._calls.outcome(call, before, receiver)
        self._guard(outcome.guards)
        memory = self._names.memory()
        self._scope = before.after(memory)
        domain = outcome.text
        if self._condition is not None:
            nothing = f"{{Returns({before.thread}, {before.memory}, 0)}}"
            domain = f"IF {self._condition.text} THEN {domain} ELSE {nothing}"
        if call.name.name in CHOICES:
            self._wraps.append(lambda body: each(body, memory, domain))
        else:
            self._wraps.append(lambda body: each_that_runs(body, memory, domain))
        type_ = self._calls.type_of(call)
        if build.is_void(type_):
            return build.number(0)
        return self._bound(type_, f"Returned({before.thread}, {memory})")

    def _bound(self, type_: c_ast.Node, text: str) -> c_ast.Node:
        name = self._calls.result(type_)
        self._scope = self._scope.binding(**{name: text})
        return build.ident(name)


def has_call(node: Any) -> bool:
    """Whether an expression contains a call."""
    if isinstance(node, c_ast.UnaryOp) and node.op == "sizeof":
        return False
    return isinstance(node, c_ast.FuncCall) or any(has_call(child) for _, child in node.children())


def parameters(function: c_ast.FuncDef) -> list[c_ast.Decl]:
    """The parameters of a function."""
    declared = function.decl.type.args.params if function.decl.type.args else []
    return [each for each in declared if isinstance(each, c_ast.Decl) and each.name]


def _submasks(mask: int) -> list[int]:
    found = [0]
    for bit in range(mask.bit_length()):
        if mask >> bit & 1:
            found += [each | 1 << bit for each in found]
    return found
