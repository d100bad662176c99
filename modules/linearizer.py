"""Write each expression as a sequence of statements with at most one visible access each."""

from __future__ import annotations

from typing import Any

from pycparser import c_ast

from cseq.cparser import Printer, build
from cseq.errors import InputError, UnsupportedError
from cseq.linemap import Origin
from cseq.modules import library
from cseq.modules.mentions import mentioned
from cseq.modules.visibility import Visibility
from cseq.symbols import Symbols, basic
from cseq.translator import Names, Translator, rebuilt

_INCREMENTS = {"++": "+", "p++": "+", "--": "-", "p--": "-"}


class Linearizer(Translator):
    """in: C in one scope with `if`, `while` and forward jumps. out: the core language.

    In the core language an expression has no side effect, a call is a statement of its own (``f(a);`` or
    ``x = f(a);``), and a statement makes at most one access that another thread can notice; a call of the
    thread library, with arguments that access nothing, is one such step. So ``x++`` on a shared ``x`` is a
    load and a store, and ``a && b`` on shared variables reads ``b`` only if ``a`` holds.
    """

    def __init__(self, context: Any) -> None:
        super().__init__(context)
        self._names = Names()
        self._out: list[c_ast.Node] = []
        self._declarations: list[c_ast.Node] = []
        self._budget = 0
        self._origin: Origin | None = None
        self._simple: dict[int, tuple[c_ast.Node, bool]] = {}

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Rewrite the user's functions, and those of the library that are more than one step."""
        self.symbols = Symbols(tree, self.context.model)
        self.visibility = Visibility(self.symbols, tree)
        self._addressed: set[str] | None = None
        self._tree = tree
        return c_ast.FileAST([self.visit(n) if isinstance(n, c_ast.FuncDef) else n for n in tree.ext])

    def visit_FuncDef(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        if library.is_ours(node.coord) and library.is_step(node.decl.name):
            return node
        self._declarations = []
        statements = self._statements(node.body.block_items or [])
        return rebuilt(node, body=c_ast.Compound(self._declarations + statements, node.body.coord))

    # Statements

    def _statements(self, nodes: list[c_ast.Node]) -> list[c_ast.Node]:
        outer, self._out = self._out, []
        origin = self._origin
        for node in nodes:
            self._origin = node.coord
            self._statement(node)
        result, self._out, self._origin = self._out, outer, origin
        return result

    def _block(self, node: c_ast.Node) -> c_ast.Compound:
        items = (node.block_items or []) if isinstance(node, c_ast.Compound) else [node]
        return c_ast.Compound(self._statements(items), node.coord)

    def _emit(self, node: c_ast.Node) -> None:
        self._out.append(node)

    def _statement(self, node: c_ast.Node) -> None:
        match node:
            case c_ast.Decl():
                self._declarations.append(node)
            case c_ast.EmptyStatement() | c_ast.Pragma():
                return
            case c_ast.Compound():
                self._out.extend(self._statements(node.block_items or []))
            case c_ast.Label():
                self._emit(build.label(node.name, node.coord))
                if node.name == "ERROR":
                    self._fail("the label ERROR is reached")
                self._statement(node.stmt)
            case c_ast.Goto():
                self._emit(node)
            case c_ast.If():
                cond = self._one_load(node.cond)
                otherwise = self._block(node.iffalse) if node.iffalse is not None else None
                if isinstance(node.iftrue, c_ast.Goto) and otherwise is None:
                    self._emit(c_ast.If(cond, node.iftrue, None, node.coord))
                else:
                    self._emit(c_ast.If(cond, self._block(node.iftrue), otherwise, node.coord))
            case c_ast.While():
                self._while(node)
            case c_ast.Return():
                self._emit(rebuilt(node, expr=None if node.expr is None else self._one_load(node.expr)))
            case _:
                self._effect(node)

    def _while(self, node: c_ast.While) -> None:
        """``while (c) s`` becomes ``pre; while (c') { s pre }`` where evaluating c takes the statements pre."""
        mark = len(self._out)
        cond = self._one_load(node.cond)
        before = self._out[mark:]
        body = self._block(node.stmt)
        items = (body.block_items or []) + before
        self._emit(c_ast.While(cond, c_ast.Compound(items, node.coord), node.coord))

    def _effect(self, node: c_ast.Node) -> None:
        """Execute an expression for its side effects only."""
        match node:
            case c_ast.Assignment():
                self._assignment(node)
            case c_ast.UnaryOp() if node.op in _INCREMENTS:
                self._assignment(c_ast.Assignment(_INCREMENTS[node.op] + "=", node.expr, build.number(1), node.coord))
            case c_ast.FuncCall():
                self._call(node, wanted=False)
            case c_ast.ExprList():
                for item in node.exprs:
                    self._effect(item)
            case c_ast.TernaryOp():
                self._conditional_effect(node.cond, node.iftrue, node.iffalse)
            case c_ast.BinaryOp(op="&&"):
                self._conditional_effect(node.left, node.right, None)
            case c_ast.BinaryOp(op="||"):
                self._conditional_effect(build.negation(node.left), node.right, None)
            case c_ast.Cast():
                self._effect(node.expr)
            case _:
                if not self._is_simple(node):
                    for _, child in node.children():
                        self._effect(child)

    def _conditional_effect(self, cond: c_ast.Node, then: c_ast.Node, otherwise: c_ast.Node | None) -> None:
        cond = self._one_load(cond)
        branches = []
        for branch in (then, otherwise):
            outer, self._out = self._out, []
            if branch is not None:
                self._effect(branch)
            branches.append(self._out)
            self._out = outer
        self._emit(build.branch(cond, branches[0], branches[1] or None, self._origin))

    def _assignment(self, node: c_ast.Assignment) -> None:
        left, right = node.lvalue, node.rvalue
        if node.op != "=":
            if not self._is_simple(right):
                right = self._value(right)
            left = self._place(left)
            right = c_ast.BinaryOp(node.op[:-1], left, right, node.coord)
        if isinstance(right, c_ast.FuncCall):
            self._call_into(left, right)
        elif self._is_simple(left) and self._is_simple(right):
            addresses = sum(1 for _ in self.visibility.address_loads(left))
            loads = addresses + self.visibility.count(right)
            self._budget = loads if self.visibility.is_visible(left) else max(loads - 1, 0)
            left = self._hoisted_place(left)
            right = self._hoisted(right)
            self._emit(build.assign(left, right, self._origin))
        else:
            place = self._place(left)
            self._emit(build.assign(place, self._value(right), self._origin))

    def _call_into(self, left: c_ast.Node, right: c_ast.FuncCall) -> None:
        """``left = f(…);``"""
        place = self._place(left)
        value = self._call(right, wanted=True)
        assert value is not None
        last = self._out[-1] if self._out else None
        if (
            isinstance(last, c_ast.Assignment)
            and isinstance(last.rvalue, c_ast.FuncCall)
            and isinstance(value, c_ast.ID)
            and last.lvalue is value
            and not self._converts(place, value)
        ):
            self._out[-1] = build.assign(place, last.rvalue, self._origin)
            self._declarations.pop()
        else:
            self._emit(build.assign(place, value, self._origin))

    def _converts(self, place: c_ast.Node, value: c_ast.ID) -> bool:
        """Whether a library step's result must not go into *place* directly: that would be a second access."""
        last: Any = self._out[-1]
        return self.visibility.is_visible(place) and library.is_step(last.rvalue.name.name)

    # Expressions

    def _is_simple(self, node: c_ast.Node) -> bool:
        """Whether evaluating *node* has no side effect and needs no control flow."""
        known = self._simple.get(id(node))
        if known is None:
            known = self._simple[id(node)] = (node, self._compute_simple(node))
        return known[1]

    def _compute_simple(self, node: c_ast.Node) -> bool:
        match node:
            case c_ast.Constant() | c_ast.ID() | c_ast.Typename():
                return True
            case c_ast.UnaryOp(op="sizeof" | "_Alignof"):
                return True
            case c_ast.UnaryOp():
                return node.op not in _INCREMENTS and self._is_simple(node.expr)
            case c_ast.BinaryOp(op="&&" | "||"):
                return self._is_simple(node.left) and self._is_simple(node.right) and not self._must_guard(node.right)
            case c_ast.BinaryOp():
                return self._is_simple(node.left) and self._is_simple(node.right)
            case c_ast.TernaryOp():
                guarded = self._must_guard(node.iftrue) or self._must_guard(node.iffalse)
                return all(self._is_simple(part) for part in (node.cond, node.iftrue, node.iffalse)) and not guarded
            case c_ast.Cast():
                return self._is_simple(node.expr)
            case c_ast.ArrayRef():
                return self._is_simple(node.name) and self._is_simple(node.subscript)
            case c_ast.StructRef():
                return self._is_simple(node.name)
            case c_ast.Assignment() | c_ast.FuncCall() | c_ast.ExprList():
                return False
        raise UnsupportedError(f"an expression of kind {type(node).__name__} is not supported", node.coord)

    def _must_guard(self, node: c_ast.Node) -> bool:
        """Whether an operand may only be evaluated when its turn comes: it reads something visible."""
        return self.visibility.count(node) > 0

    def _temporary(self, type_: c_ast.Node) -> c_ast.ID:
        name = self._names.temporary("tmp")
        decl = build.declare(name, type_)
        self._declarations.append(decl)
        self.symbols.declare(decl)
        return build.ident(name)

    def _saved(self, value: c_ast.Node, type_: c_ast.Node | None = None) -> c_ast.ID:
        """The value in a variable of its own."""
        target = self._temporary(self.symbols.value_type(value) if type_ is None else type_)
        self._emit(build.assign(target, value, self._origin))
        return target

    def _one_load(self, node: c_ast.Node) -> c_ast.Node:
        """*node* as an expression without side effects that makes at most one visible load."""
        if not self._is_simple(node):
            return self._value(node)
        self._budget = max(self.visibility.count(node) - 1, 0)
        return self._hoisted(node)

    def _hoisted(self, node: c_ast.Node) -> c_ast.Node:
        """A simple expression with its first `_budget` visible loads taken out, in order of evaluation."""
        if self._budget <= 0:
            return node
        match node:
            case c_ast.Constant() | c_ast.Typename() | c_ast.UnaryOp(op="sizeof" | "_Alignof"):
                return node
            case c_ast.UnaryOp(op="&"):
                return rebuilt(node, expr=self._hoisted_place(node.expr))
            case c_ast.ID() | c_ast.ArrayRef() | c_ast.StructRef() | c_ast.UnaryOp(op="*"):
                load = self.visibility.is_load(node)
                place = self._hoisted_place(node)
                if load and self._budget > 0:
                    self._budget -= 1
                    return self._saved(place)
                return place
            case c_ast.BinaryOp():
                left = self._hoisted(node.left)
                return rebuilt(node, left=left, right=self._hoisted(node.right))
            case c_ast.Cast() | c_ast.UnaryOp():
                return rebuilt(node, expr=self._hoisted(node.expr))
            case c_ast.TernaryOp():
                return rebuilt(node, cond=self._hoisted(node.cond))
        raise UnsupportedError(f"an expression of kind {type(node).__name__} is not supported", node.coord)

    def _hoisted_place(self, node: c_ast.Node) -> c_ast.Node:
        """An lvalue with visible loads of its address computation taken out, while the budget lasts."""
        match node:
            case c_ast.ArrayRef():
                array = self.symbols.is_array(self.symbols.type_of(node.name))
                base = self._hoisted_place(node.name) if array else self._hoisted(node.name)
                return rebuilt(node, name=base, subscript=self._hoisted(node.subscript))
            case c_ast.StructRef():
                base = self._hoisted(node.name) if node.type == "->" else self._hoisted_place(node.name)
                return rebuilt(node, name=base)
            case c_ast.UnaryOp(op="*"):
                return rebuilt(node, expr=self._hoisted(node.expr))
        return node

    def _place(self, node: c_ast.Node) -> c_ast.Node:
        """An lvalue whose address computation accesses nothing visible and has no side effect."""
        match node:
            case c_ast.ArrayRef():
                array = self.symbols.is_array(self.symbols.type_of(node.name))
                base = self._place(node.name) if array else self._value(node.name)
                return rebuilt(node, name=base, subscript=self._value(node.subscript))
            case c_ast.StructRef():
                return rebuilt(node, name=self._value(node.name) if node.type == "->" else self._place(node.name))
            case c_ast.UnaryOp(op="*"):
                return rebuilt(node, expr=self._value(node.expr))
            case c_ast.ID() | c_ast.Constant():
                return node
        return self._value(node)

    def _value(self, node: c_ast.Node) -> c_ast.Node:
        """The value of *node* as an expression that has no side effect and accesses nothing visible."""
        match node:
            case c_ast.Constant() | c_ast.Typename() | c_ast.UnaryOp(op="sizeof" | "_Alignof"):
                return node
            case c_ast.UnaryOp(op="&"):
                return rebuilt(node, expr=self._place(node.expr))
            case c_ast.ID() | c_ast.ArrayRef() | c_ast.StructRef() | c_ast.UnaryOp(op="*"):
                load = self.visibility.is_load(node)
                place = self._place(node)
                return self._saved(place) if load else place
            case c_ast.UnaryOp() if node.op in _INCREMENTS:
                return self._increment(node)
            case c_ast.UnaryOp() | c_ast.Cast():
                return rebuilt(node, expr=self._value(node.expr))
            case c_ast.BinaryOp(op="&&" | "||") | c_ast.TernaryOp() if not self._is_simple(node):
                return self._conditional(node)
            case c_ast.BinaryOp():
                left = self._value(node.left)
                return rebuilt(node, left=left, right=self._value(node.right))
            case c_ast.TernaryOp():
                return rebuilt(node, cond=self._value(node.cond))
            case c_ast.Assignment():
                return self._assigned(node)
            case c_ast.ExprList():
                for item in node.exprs[:-1]:
                    self._effect(item)
                return self._value(node.exprs[-1])
            case c_ast.FuncCall():
                value = self._call(node, wanted=True)
                assert value is not None
                return value
        raise UnsupportedError(f"an expression of kind {type(node).__name__} is not supported", node.coord)

    def _increment(self, node: c_ast.UnaryOp) -> c_ast.Node:
        place = self._place(node.expr)
        old = self._saved(place)
        new = c_ast.BinaryOp(_INCREMENTS[node.op], old, build.number(1))
        if node.op.startswith("p"):
            self._emit(build.assign(place, new, self._origin))
            return old
        result = self._saved(new, self.symbols.type_of(place))
        self._emit(build.assign(place, result, self._origin))
        return result

    def _assigned(self, node: c_ast.Assignment) -> c_ast.Node:
        """The value of an assignment inside of an expression: that of its left side, not read again."""
        place = self._place(node.lvalue)
        right = self._value(node.rvalue)
        if node.op != "=":
            right = c_ast.BinaryOp(node.op[:-1], self._value(place), right, node.coord)
        if not self.visibility.is_visible(place):
            self._emit(build.assign(place, right, self._origin))
            return place
        result = self._saved(right, self.symbols.type_of(place))
        self._emit(build.assign(place, result, self._origin))
        return result

    def _conditional(self, node: Any) -> c_ast.Node:
        """``&&``, ``||`` and ``?:`` as branches."""
        if isinstance(node, c_ast.TernaryOp):
            result = self._temporary(self.symbols.value_type(node))
            cond = self._value(node.cond)
            self._emit(
                build.branch(cond, self._into(result, node.iftrue), self._into(result, node.iffalse), self._origin)
            )
            return result
        result = self._temporary(basic("int"))
        left = self._value(node.left)
        self._emit(build.assign(result, _truth(left), self._origin))
        cond = result if node.op == "&&" else c_ast.UnaryOp("!", result)
        self._emit(build.branch(cond, self._into(result, node.right, truth=True), None, self._origin))
        return result

    def _into(self, result: c_ast.ID, node: c_ast.Node, truth: bool = False) -> list[c_ast.Node]:
        outer, self._out = self._out, []
        value = self._one_load(node)
        self._emit(build.assign(result, _truth(value) if truth else value, self._origin))
        statements, self._out = self._out, outer
        return statements

    # Calls

    def _fail(self, what: str) -> None:
        self._emit(build.call(library.ASSERT, build.number(0), build.string(what), origin=self._origin))

    def _arguments(self, node: c_ast.FuncCall) -> list[c_ast.Node]:
        return [self._value(arg) for arg in node.args.exprs] if node.args else []

    def _call(self, node: c_ast.FuncCall, wanted: bool) -> c_ast.Node | None:
        """Emit a call; its value, as an expression without side effects, where it is *wanted*."""
        if (
            not isinstance(node.name, c_ast.ID)
            or node.name.name in self.symbols.locals
            or self._is_object(node.name.name)
        ):
            return self._indirect(node, wanted)
        name = node.name.name
        special = self._special(name, node)
        if special is not NotImplemented:
            return build.number(0) if special is None and wanted else special
        return self._plain_call(c_ast.ID(name), self._arguments(node), node, wanted)

    def _is_object(self, name: str) -> bool:
        type_ = self.symbols.types.get(name)
        return type_ is not None and not isinstance(self.symbols.resolve(type_), c_ast.FuncDecl)

    def _plain_call(
        self, function: c_ast.ID, arguments: list[c_ast.Node], node: c_ast.FuncCall, wanted: bool
    ) -> c_ast.Node | None:
        call = build.call(function.name, *arguments, origin=self._origin)
        self._check_count(function.name, len(arguments), node)
        type_ = self.symbols.type_of(call)
        if not wanted:
            self._emit(call)
            return None
        if self.symbols.is_void(type_):
            raise InputError(f"the value of `{function.name}`, which has none, is used", node.coord)
        return self._saved(call, type_)

    def _check_count(self, name: str, count: int, node: c_ast.Node) -> None:
        declarator = self.symbols.types[name]
        if not isinstance(declarator, c_ast.FuncDecl) or declarator.args is None:
            return
        parameters = [p for p in declarator.args.params if not _is_void_parameter(p)]
        if not any(isinstance(p, c_ast.EllipsisParam) for p in parameters) and len(parameters) != count:
            raise InputError(f"`{name}` takes {len(parameters)} arguments, not {count}", node.coord)

    def _special(self, name: str, node: c_ast.FuncCall) -> Any:
        """Emit a call that means something to us: its value, or None; NotImplemented for other functions."""
        if name in library.FAILS:
            self._fail(library.FAILS[name] if name != "__assert_fail" else _message(node))
            return None
        if name in self.symbols.functions:
            return NotImplemented
        if name == library.CREATE:
            return self._create(node)
        if name in ("__CSEQ_check", library.ASSUME, "__VERIFIER_assume", "__CPROVER_assume"):
            cond = self._one_load(node.args.exprs[0])
            if name == "__CSEQ_check":
                self._emit(build.call(library.ASSERT, cond, node.args.exprs[1], origin=self._origin))
            else:
                self._emit(build.call(library.ASSUME, cond, origin=self._origin))
            return None
        if name in library.NO_EFFECT:
            for arg in node.args.exprs if node.args else []:
                self._effect(arg)
            return None
        if name in library.STOPS:
            for arg in node.args.exprs if node.args else []:
                self._effect(arg)
            self._emit(build.call(library.STOP, origin=self._origin))
            return None
        return self._primitive(name, node)

    def _primitive(self, name: str, node: c_ast.FuncCall) -> Any:
        try:
            kind = library.nondet_kind(name)
        except KeyError:
            raise UnsupportedError(
                f"`{name}` is none of SV-COMP's functions for nondeterministic values", node.coord
            ) from None
        if kind is not None:
            call = build.call(library.NONDET + kind, origin=node.coord)
            words = library.NONDET_TYPES[kind]
            type_ = c_ast.PtrDecl([], basic("void")) if kind == "pointer" else basic(words)
            return self._saved(call, type_)
        if name in ("rand", "random"):
            value = self._saved(build.call(library.NONDET + "int", origin=self._origin), basic("int"))
            return c_ast.BinaryOp("&", value, build.number(0x7FFFFFFF))
        if name == "time":
            return self._saved(build.call(library.NONDET + "long", origin=self._origin), basic("long"))
        if name in (library.ATOMIC_BEGIN, library.ATOMIC_END, library.EXIT, library.HAVOC, "__CSEQ_zero"):
            self._emit(build.call(name, *self._arguments(node), origin=self._origin))
            return None
        if name in library.MODELLED or library.is_step(name):
            return NotImplemented
        raise InputError(f"the function `{name}` is called but not defined", node.coord)

    def _create(self, node: c_ast.FuncCall) -> c_ast.Node | None:
        """pthread_create: the start function is a name; one that is known only at run time is dispatched on."""
        arguments = node.args.exprs if node.args else []
        if len(arguments) != 4:
            raise InputError("pthread_create takes four arguments", node.coord)
        thread, attr = self._value(arguments[0]), self._value(arguments[1])
        start, argument = _function_name(arguments[2]), self._value(arguments[3])
        if start is not None and start in self.symbols.functions:
            call = build.call(library.CREATE, thread, attr, c_ast.ID(start), argument, origin=self._origin)
            return self._saved(call, basic("int"))
        pointer = self._saved(self._value(arguments[2]))
        result = self._temporary(basic("int"))
        starts = [name for name in self._candidates(1) if self._signature(self.symbols.types[name]) == "void *"]
        self._dispatch(
            pointer,
            starts,
            lambda name: [
                build.assign(result, build.call(library.CREATE, thread, attr, c_ast.ID(name), argument), self._origin)
            ],
            node,
        )
        return result

    def _indirect(self, node: c_ast.FuncCall, wanted: bool) -> c_ast.Node | None:
        """A call through a pointer: a choice among the functions of its type whose address is taken."""
        target = node.name
        while isinstance(target, c_ast.UnaryOp) and target.op == "*":
            target = target.expr
        pointer = self._saved(self._value(target))
        arguments = self._arguments(node)
        type_ = self.symbols.type_of(node)
        result = self._temporary(type_) if wanted else None

        def calling(name: str) -> list[c_ast.Node]:
            call = build.call(name, *arguments, origin=self._origin)
            return [call if result is None else build.assign(result, call, self._origin)]

        signature = self._signature(self.symbols.type_of(node.name))
        names = [n for n in self._candidates(len(arguments)) if self._signature(self.symbols.types[n]) == signature]
        self._dispatch(pointer, names, calling, node)
        return result

    def _signature(self, type_: c_ast.Node) -> str:
        type_ = self.symbols.resolve(type_)
        while isinstance(type_, c_ast.PtrDecl):
            type_ = self.symbols.resolve(type_.type)
        parameters = type_.args.params if isinstance(type_, c_ast.FuncDecl) and type_.args else []
        return ",".join(Printer().visit(build.typename(self.symbols.resolve(part.type))) for part in parameters)

    def _dispatch(self, pointer: c_ast.ID, names: list[str], calling: Any, node: c_ast.Node) -> None:
        message = build.string("a call through a function pointer that points to no function of its type")
        chain: list[c_ast.Node] = [build.call(library.ASSERT, build.number(0), message, origin=self._origin)]
        for name in reversed(names):
            equal = c_ast.BinaryOp("==", pointer, c_ast.ID(name))
            chain = [build.branch(equal, calling(name), chain, self._origin)]
        self._out.extend(chain)

    def _candidates(self, count: int) -> list[str]:
        """The functions with *count* parameters whose address is taken anywhere in the program."""
        if self._addressed is None:
            self._addressed = mentioned([self._tree], self.symbols.functions)
        names = []
        for name, definition in self.symbols.functions.items():
            arguments = definition.decl.type.args
            parameters = [p for p in (arguments.params if arguments else []) if not _is_void_parameter(p)]
            if name in self._addressed and len(parameters) == count and not library.is_ours(definition.coord):
                names.append(name)
        return names


def _is_void_parameter(node: c_ast.Node) -> bool:
    return (
        isinstance(node, c_ast.Typename)
        and isinstance(node.type, c_ast.TypeDecl)
        and isinstance(node.type.type, c_ast.IdentifierType)
        and node.type.type.names == ["void"]
    )


def _function_name(node: c_ast.Node) -> str | None:
    """The name in ``f``, ``&f``, ``(type) f``."""
    while isinstance(node, c_ast.Cast) or (isinstance(node, c_ast.UnaryOp) and node.op in "&*"):
        node = node.expr
    return node.name if isinstance(node, c_ast.ID) else None


def _truth(node: c_ast.Node) -> c_ast.Node:
    """*node* as 0 or 1."""
    if isinstance(node, c_ast.BinaryOp) and node.op in ("==", "!=", "<", ">", "<=", ">=", "&&", "||"):
        return node
    if isinstance(node, c_ast.UnaryOp) and node.op == "!":
        return node
    return c_ast.BinaryOp("!=", node, build.number(0))


def _message(node: c_ast.FuncCall) -> str:
    """What glibc's __assert_fail is told: the text of the assertion."""
    first = node.args.exprs[0] if node.args else None
    return f"assertion `{first.value[1:-1]}`" if isinstance(first, c_ast.Constant) else library.FAILS["__assert_fail"]
