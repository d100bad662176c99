"""Write each expression as a sequence of statements with at most one visible access each."""

from collections.abc import Sequence
from typing import Any

from pycparser import c_ast

from cseq.c import build, nodes
from cseq.c.symbols import Symbols, basic
from cseq.c.unused import names_of
from cseq.model.errors import UnsupportedError
from cseq.model.origin import Origin
from cseq.modules.analysis import cuts
from cseq.modules.analysis.coverage_points import POINTS, points_of
from cseq.modules.analysis.spurious import HAS_WEAK, WEAK_FAILS
from cseq.modules.analysis.undefined_objects import Uses as Undefined
from cseq.modules.analysis.undefined_objects import with_any_contents
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.core.three_address.atomics import AtomicWriter, WithoutAtomic
from cseq.modules.core.three_address.calls import CallWriter
from cseq.modules.core.three_address.cfunctions import with_constants
from cseq.modules.core.three_address.copies import StoreWriter
from cseq.modules.core.three_address.orders import OrderWriter
from cseq.modules.core.three_address.wrappers import with_wrappers
from cseq.modules.core.three_address.zeroed import ZeroInitialised
from cseq.modules.frontend.merger.merger import UNCALLED
from cseq.modules.frontend.normalise.expressions import ATOMIC_TYPES
from cseq.modules.library import clibrary, lexicon, primitives, stubs
from cseq.modules.library.linking import behind_scoper
from cseq.options.memory_models import MEMORY_MODEL, ROBUSTNESS
from cseq.options.properties import CHECKED, CLAIMS, CLOSED_WORLD, ERRORS, NAMED, READS, REFUSE, STRICT
from cseq.pipeline.facts import Gives, Needs, Uses
from cseq.pipeline.stage import Context
from cseq.pipeline.translator import Names, Rewriter, Translator, rebuilt

# The end of a process that calls functions when it ends: to return from main is to call `exit`.


def with_open_wait(tree: c_ast.FileAST) -> c_ast.FileAST:
    """*tree* with the function that stands for a wait that only something outside of the program could end."""
    present = {name for node in tree.ext for name in names_of(node).declared}
    cancels = primitives.CANCELLABLE if "__cs_cancel_pending" in present else ""
    added = behind_scoper(stubs.needed({clibrary.OPEN_WAIT + cancels}, without=present))
    return c_ast.FileAST([*(node.decl for node in added if isinstance(node, c_ast.FuncDef)), *tree.ext, *added])


def with_exit(tree: c_ast.FileAST) -> c_ast.FileAST:
    """*tree* with calls of `exit` where main returns, if the program registers functions for its end."""
    functions = {node.decl.name: node for node in tree.ext if isinstance(node, c_ast.FuncDef)}
    if clibrary.RUN_EXIT not in functions or "main" not in functions:
        return tree
    main = _exiting(functions["main"])
    return c_ast.FileAST([main if node is functions["main"] else node for node in tree.ext])


def _exiting(main: c_ast.FuncDef) -> c_ast.FuncDef:
    body = _Returns().visit(main.body)
    items = body.block_items or []
    last = items[-1].coord if items else main.coord
    if not (items and build.is_call(items[-1], "exit")):
        items = [*items, build.call("exit", build.number(0), origin=last)]
    return rebuilt(main, body=rebuilt(body, block_items=items))


class _Returns(Rewriter):
    """Replaces the returns of a function."""

    def visit_Return(self, node: c_ast.Return) -> c_ast.Node:
        return build.call("exit", build.number(0) if node.expr is None else node.expr, origin=node.coord)


def _evaluated(node: Any) -> c_ast.Node | None:
    """What of a statement is evaluated before anything inside of it is executed; None for nothing."""
    match node:
        case c_ast.Decl() | c_ast.Compound() | c_ast.Label() | c_ast.Goto():
            return None
        case c_ast.If() | c_ast.While():
            return node.cond  # type: ignore[no-any-return]
        case _:
            return node  # type: ignore[no-any-return]


_INCREMENTS = {"++": "+", "p++": "+", "--": "-", "p--": "-"}


class ThreeAddress(Translator):
    """in: C in one scope with `if`, `while` and forward jumps. out: the core language.

    In the core language an expression has no side effect, a call is a statement of its own (``f(a);`` or
    ``x = f(a);``), and a statement makes at most one access that another thread can notice; a call of the
    thread library, with arguments that access nothing, is one such step. So ``x++`` on a shared ``x`` is a load and a
    store, and ``a && b`` on shared variables reads ``b`` only if ``a`` holds. One step with several accesses, such as
    ``x++`` on an atomic ``x``, becomes an atomic section. No type is `_Atomic` any more.
    """

    takes = (CHECKED, CLOSED_WORLD, ERRORS, MEMORY_MODEL, NAMED, READS, REFUSE, ROBUSTNESS, STRICT, WEAK_FAILS)
    atomic_types = Needs(ATOMIC_TYPES)
    uncalled = Uses(UNCALLED, list[c_ast.FuncDef]())
    has_weak = Gives(HAS_WEAK)
    claims = Gives(CLAIMS)
    points = Gives(POINTS)

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._names = Names()
        self._out: list[c_ast.Node] = []
        self._declarations: list[c_ast.Node] = []
        self._budget = 0
        self.origin: Origin | None = None
        self._simple: dict[int, tuple[c_ast.Node, bool]] = {}

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Rewrite the user's functions, and the library functions that take more than one step."""
        declared = Symbols(tree, self.context.model)
        unknown: dict[str, str] = {}
        if not self.parameter(REFUSE):
            tree, unknown = with_any_contents(tree, declared)
        self._uses = Undefined(unknown)
        if not self.parameter(STRICT):
            for noun, text, place in ZeroInitialised(declared).found(tree):
                self.context.warn(
                    f"`{text}` is {noun} that nothing initialises: if it is all zero, it counts as initialised, as on "
                    "Linux; POSIX leaves that undefined (a violation with --strict-posix)",
                    place,
                )
        tree = with_wrappers(with_exit(tree), declared)
        if self.parameter(CLOSED_WORLD):
            tree = with_open_wait(tree)
        self.symbols = Symbols(tree, self.context.model)
        self.visibility = Visibility(self.symbols, tree)
        self.copies = StoreWriter(self, self.symbols)
        self.atomics = AtomicWriter(self, self.symbols, self.copies)
        self.orders = OrderWriter(self, self.symbols, tree)
        self._calls = CallWriter(self, self.symbols, tree, self.atomics, self.copies)
        nodes: list[c_ast.Node] = []
        for node in tree.ext:
            nodes.extend(self._function(node) if isinstance(node, c_ast.FuncDef) else [node])
        self.has_weak = self.atomics.has_weak
        self.claims = self._calls.claims
        self.points = points_of(nodes, self.uncalled)
        nodes = list(with_constants(nodes, self._calls.library.constants))
        result = c_ast.FileAST([*self._calls.sorting.needed, *nodes])
        return WithoutAtomic().visit(result) if self.atomic_types else result

    def _function(self, node: c_ast.FuncDef) -> list[c_ast.Node]:
        """The function in the core language, after prototypes of later functions that it now mentions."""
        if lexicon.is_ours(node.coord) and lexicon.is_step(node.decl.name):
            return [node]
        self._declarations = self._calls.variadic.enter(node)
        self._name = node.decl.name
        self._calls.chosen = set()
        statements = self._statements(node.body.block_items or [])
        prototypes = [
            self.symbols.functions[name].decl
            if name in self.symbols.functions
            else build.declare(name, self.symbols.types[name])
            for name in sorted(self._calls.chosen & self.symbols.types.keys())
        ]
        prototypes += self._calls.library.needed.values()
        self._calls.library.needed.clear()
        return [*prototypes, rebuilt(node, body=c_ast.Compound(self._declarations + statements, node.body.coord))]

    # Statements

    def _statements(self, nodes: list[c_ast.Node]) -> list[c_ast.Node]:
        outer, self._out = self._out, []
        origin = self.origin
        for number, node in enumerate(nodes):
            self.origin = node.coord
            if _begins_list(nodes, number):
                self.orders.look_at_list([each for each in nodes if _list_of(each) == _list_of(node)])
            self._statement(node)
        result, self._out, self.origin = self._out, outer, origin
        return result

    def _block(self, node: c_ast.Node) -> c_ast.Compound:
        items = build.statements(node)
        return c_ast.Compound(self._statements(items), node.coord)

    def emit(self, node: c_ast.Node) -> None:
        """Append a statement to the output."""
        if self.atomic_types and self._is_atomic_access(node):
            self.note_access(atomic=True)
        self._out.append(node)

    def note_access(self, atomic: bool, orders: Sequence[int] = ()) -> None:
        """Say that the next statement, or atomic section, is one access to memory, atomic or not.

        Otherwise, a statement is an access that is not atomic, and a section is the user's. orders: as in `Writing`.
        """
        arguments = map(build.number, (int(atomic), *orders))
        self._out.append(build.call(lexicon.ACCESS, *arguments, origin=self.origin))

    def _is_atomic_access(self, node: c_ast.Node | None) -> bool:
        """Whether the statement or expression *node* accesses an atomic object that others can notice."""
        match node:
            case c_ast.Assignment():
                if isinstance(node.rvalue, c_ast.FuncCall) and node.rvalue.coord is None:
                    return False  # leaving an object undefined is not a store
                if self.visibility.is_visible(node.lvalue) and self._is_atomic(node.lvalue):
                    return True
                node = node.rvalue
            case c_ast.If():
                node = node.cond
            case c_ast.Return():
                node = node.expr
            case c_ast.Label() | c_ast.Goto() | c_ast.While():
                return False
        return any(self._is_atomic(load) for load in self.visibility.loads(node))

    def _is_atomic(self, place: c_ast.Node) -> bool:
        return self.symbols.is_atomic(self.symbols.type_of(place))

    def emit_all(self, nodes: list[c_ast.Node]) -> None:
        """Append statements to the output."""
        self._out.extend(nodes)

    def enter(self) -> list[c_ast.Node]:
        """Begin a new list of statements, and return what has to be passed to `leave` in the end."""
        outer, self._out = self._out, []
        return outer

    def leave(self, outer: list[c_ast.Node]) -> list[c_ast.Node]:
        """End a list of statements that `enter` has begun, and return it."""
        statements, self._out = self._out, outer
        return statements

    def _statement(self, node: c_ast.Node) -> None:
        """Append what *node* does; a thread stops where it is not supported."""
        out, mark = self._out, len(self._out)
        try:
            self._supported(node)
        except UnsupportedError as error:
            if self.parameter(REFUSE):
                raise
            self._out = out
            del out[mark:]
            self.emit(cuts.stop(error, self.origin))
            self._calls.claims = True  # what is claimed there is not known
            if isinstance(node, c_ast.If):  # to whose branches jumps may lead
                self._statement(rebuilt(node, cond=build.number(0)))

    def _supported(self, node: c_ast.Node) -> None:
        self._uses.check(_evaluated(node))
        match node:
            case c_ast.Decl():
                self._declarations.append(node)
            case c_ast.EmptyStatement() | c_ast.Pragma():
                return
            case c_ast.Compound():
                self._out.extend(self._statements(node.block_items or []))
            case c_ast.FuncCall(name=c_ast.ID(name=cuts.UNWOUND)):
                self.emit(node)
            case c_ast.FuncCall(name=c_ast.ID(name=lexicon.BEGINS | lexicon.ENDS)):
                if self.visibility.is_visible(node.args.exprs[0].expr):
                    self.emit(node)
            case c_ast.Label():
                self.emit(build.label(node.name, node.coord))
                if node.name == "ERROR" and self.parameter(NAMED):
                    self._calls.reach_error()
                self._statement(node.stmt)
            case c_ast.Goto():
                self.emit(node)
            case c_ast.If():
                cond = self.one_load(node.cond)
                otherwise = self._block(node.iffalse) if node.iffalse is not None else None
                if isinstance(node.iftrue, c_ast.Goto) and otherwise is None:
                    self.emit(c_ast.If(cond, node.iftrue, None, node.coord))
                else:
                    self.emit(c_ast.If(cond, self._block(node.iftrue), otherwise, node.coord))
            case c_ast.While():
                self._while(node)
            case c_ast.Return():
                self.emit(rebuilt(node, expr=None if node.expr is None else self._returned(node.expr)))
            case _:
                self.effect(node)

    def _returned(self, node: c_ast.Node) -> c_ast.Node:
        """The value of a return statement: inlining turns it into an assignment, which must be one access."""
        if self.parameter(CHECKED) and may_fail(node):
            return self._calls.note_result(self._name, self.saved(self.value(node)))
        if self.visibility.is_visible(node) and self.copies.is_record(node):
            return self.value(node)
        return self._calls.note_result(self._name, self.one_load(node))

    def _while(self, node: c_ast.While) -> None:
        """Turn ``while (c) s`` into ``pre; while (c') { s pre }``, if evaluating c takes the statements pre."""
        mark = len(self._out)
        cond = self.one_load(node.cond)
        if self._is_atomic_access(cond):
            self.note_access(atomic=True)
        before = self._out[mark:]
        body = self._block(node.stmt)
        items = (body.block_items or []) + before
        self.emit(c_ast.While(cond, c_ast.Compound(items, node.coord), node.coord))

    def effect(self, node: c_ast.Node) -> None:
        """Execute an expression for its side effects only."""
        match node:
            case c_ast.Assignment():
                self._assignment(node)
            case c_ast.UnaryOp() if node.op in _INCREMENTS:
                self._assignment(c_ast.Assignment(_INCREMENTS[node.op] + "=", node.expr, build.number(1), node.coord))
            case c_ast.FuncCall():
                self._calls.call(node, wanted=False)
            case c_ast.ExprList():
                for item in node.exprs:
                    self.effect(item)
            case nodes.StatementExpression():
                self.emit_all(self._statements(node.block.block_items or []))
            case c_ast.TernaryOp():
                self._conditional_effect(node.cond, node.iftrue, node.iffalse)
            case c_ast.BinaryOp(op="&&"):
                self._conditional_effect(node.left, node.right, None)
            case c_ast.BinaryOp(op="||"):
                self._conditional_effect(build.negation(node.left), node.right, None)
            case c_ast.Cast():
                self.effect(node.expr)
            case _ if self.parameter(CHECKED) and may_fail(node):
                self.saved(self.value(node))
            case _ if self.parameter(READS) and self.visibility.count(node):
                self.value(node)
            case c_ast.BinaryOp() if self.orders.clashing([node.left, node.right]):
                self.value(node)
            case _:
                if not self._is_simple(node):
                    for _, child in node.children():
                        self.effect(child)

    def _conditional_effect(self, cond: c_ast.Node, then: c_ast.Node, otherwise: c_ast.Node | None) -> None:
        cond = self.one_load(cond)
        self.emit(build.branch(cond, self.effects(then), self.effects(otherwise) or None, self.origin))

    def effects(self, node: c_ast.Node | None) -> list[c_ast.Node]:
        """The statements that execute an expression for its side effects only."""
        outer = self.enter()
        if node is not None:
            self.effect(node)
        return self.leave(outer)

    def _assignment(self, node: c_ast.Assignment) -> None:
        left, right = node.lvalue, node.rvalue
        if node.op != "=":
            if self.atomics.is_update_of_atomic(left):
                self.atomics.update(left, node.op[:-1], right)
                return
            left, right = self._updated(node)
        elif self._is_found_first(left, right):
            address, right = self.orders.values([c_ast.UnaryOp("&", left), right])
            left = c_ast.UnaryOp("*", address)
        if isinstance(right, c_ast.FuncCall):
            self._call_into(left, right)
        elif self._is_simple(left) and self._is_simple(right):
            addresses = sum(1 for _ in self.visibility.address_loads(left))
            loads = addresses + self.visibility.count(right)
            self._budget = loads if self.visibility.is_visible(left) else max(loads - 1, 0)
            left = self._hoisted_place(left)
            right = self._hoisted(right)
            self.store(left, right)
        else:
            place = self.place(left)
            self.store(place, self.value(right))

    def _updated(self, node: c_ast.Assignment) -> tuple[c_ast.Node, c_ast.Node]:
        """The place of a compound assignment, and its new value."""
        left, right = node.lvalue, node.rvalue
        if self.orders.clashing([left, right]):
            left = self.place(left)
            old, right = self.orders.values([left, right])
        else:
            if not self._is_simple(right):
                right = self.value(right)
            old = left = self.place(left)
        return left, c_ast.BinaryOp(node.op[:-1], old, right, node.coord)

    def _is_found_first(self, left: c_ast.Node, right: c_ast.Node) -> bool:
        """Whether it matters if the place *left* is found before *right* is evaluated, or afterwards."""
        if isinstance(left, c_ast.ID) or not self.orders.clashing([c_ast.UnaryOp("&", left), right]):
            return False
        if self.symbols.bit_field(left) is not None:
            self.orders.warn("from left to right")
            return False
        return True

    def _call_into(self, left: c_ast.Node, right: c_ast.FuncCall) -> None:
        """``left = f(…);``"""
        place = self.place(left)
        value = self._calls.call(right, wanted=True)
        assert value is not None
        last = self._out[-1] if self._out else None
        if (
            isinstance(last, c_ast.Assignment)
            and isinstance(last.rvalue, c_ast.FuncCall)
            and isinstance(value, c_ast.ID)
            and last.lvalue is value
            and not self._converts(place, value)
            and (right.coord is None or not (self._is_divided(place) or self._is_atomic(place)))
        ):
            self._out[-1] = build.assign(place, last.rvalue, self.origin)
            self._declarations.pop()
        else:
            self.store(place, value)

    def _is_divided(self, place: c_ast.Node) -> bool:
        """Whether a store to *place* takes several accesses. Making it undefined is not a store, and has no origin."""
        if not self.visibility.is_visible(place):
            return False
        return self.copies.is_record(place) or bool(
            isinstance(place, c_ast.StructRef) and self.copies.neighbours(place)
        )

    def _converts(self, place: c_ast.Node, value: c_ast.ID) -> bool:
        """Whether a library step's result must not be stored in *place* directly: that would be a second access."""
        last: Any = self._out[-1]
        return self.visibility.is_visible(place) and lexicon.is_step(last.rvalue.name.name)

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
            case c_ast.Assignment() | c_ast.FuncCall() | c_ast.ExprList() | nodes.StatementExpression():
                return False
        raise UnsupportedError(f"an expression of kind {type(node).__name__} is not supported", node.coord)

    def _must_guard(self, node: c_ast.Node) -> bool:
        """Whether an operand must not be evaluated before its turn, because it reads something visible."""
        return self.visibility.count(node) > 0

    def temporary(self, type_: c_ast.Node, kind: str = "tmp") -> c_ast.ID:
        """A new local variable of our own."""
        name = self._names.temporary(kind)
        decl = build.declare(name, self.symbols.unqualified(type_))
        self._declarations.append(decl)
        self.symbols.declare(decl)
        return build.ident(name)

    def saved(self, value: c_ast.Node, type_: c_ast.Node | None = None) -> c_ast.ID:
        """The value in a variable of its own."""
        target = self.temporary(self.symbols.value_type(value) if type_ is None else type_)
        self.store(target, value)
        return target

    def store(self, place: c_ast.Node, value: c_ast.Node) -> None:
        """Write ``place = value``, for a settled place and a value that makes one visible load at most."""
        self.copies.store(place, value)

    def one_load(self, node: c_ast.Node) -> c_ast.Node:
        """*node* as an expression without side effects that makes at most one visible load."""
        if not self._is_simple(node):
            return self.value(node)
        self._budget = max(self.visibility.count(node) - 1, 0)
        return self._hoisted(node)

    def _hoisted(self, node: c_ast.Node) -> c_ast.Node:
        """A simple expression with its first `_budget` visible loads hoisted, in the order of evaluation."""
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
                    return self.saved(place)
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
        """An lvalue with the visible loads of its address computation hoisted, while the budget lasts."""
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

    def place(self, node: c_ast.Node) -> c_ast.Node:
        """The lvalue *node* as one whose address computation accesses nothing visible and has no side effect."""
        match node:
            case c_ast.ArrayRef():
                array = self.symbols.is_array(self.symbols.type_of(node.name))
                base = self.place(node.name) if array else self.value(node.name)
                return rebuilt(node, name=base, subscript=self.value(node.subscript))
            case c_ast.StructRef():
                return rebuilt(node, name=self.value(node.name) if node.type == "->" else self.place(node.name))
            case c_ast.UnaryOp(op="*"):
                return rebuilt(node, expr=self.value(node.expr))
            case c_ast.ID() | c_ast.Constant():
                return node
        return self.value(node)

    def value(self, node: c_ast.Node) -> c_ast.Node:
        """The value of *node* as an expression that has no side effect and accesses nothing visible."""
        match node:
            case c_ast.Constant() | c_ast.Typename() | c_ast.UnaryOp(op="sizeof" | "_Alignof"):
                return node
            case c_ast.UnaryOp(op="&"):
                return rebuilt(node, expr=self.place(node.expr))
            case c_ast.ID() | c_ast.ArrayRef() | c_ast.StructRef() | c_ast.UnaryOp(op="*"):
                load = self.visibility.is_load(node)
                place = self.place(node)
                return self.saved(place) if load else place
            case c_ast.UnaryOp() if node.op in _INCREMENTS:
                return self._increment(node)
            case c_ast.UnaryOp() | c_ast.Cast():
                return rebuilt(node, expr=self.value(node.expr))
            case c_ast.BinaryOp(op="&&" | "||") | c_ast.TernaryOp() if not self._is_simple(node):
                return self._conditional(node)
            case c_ast.BinaryOp():
                left, right = self.orders.values([node.left, node.right])
                return rebuilt(node, left=left, right=right)
            case c_ast.TernaryOp():
                return rebuilt(node, cond=self.value(node.cond))
            case c_ast.Assignment():
                return self._assigned(node)
            case c_ast.ExprList():
                for item in node.exprs[:-1]:
                    self.effect(item)
                return self.value(node.exprs[-1])
            case nodes.StatementExpression():
                return self._block_value(node)
            case c_ast.FuncCall():
                value = self._calls.call(node, wanted=True)
                assert value is not None
                return value
        raise UnsupportedError(f"an expression of kind {type(node).__name__} is not supported", node.coord)

    def _block_value(self, node: nodes.StatementExpression) -> c_ast.Node:
        """The value of a statement expression, in a variable, because what follows may change its operands."""
        last = nodes.value_of(node)
        if last is None or self.symbols.is_void(self.symbols.type_of(last)):
            self.effect(node)
            return build.number(0)
        self.emit_all(self._statements(node.block.block_items[:-1]))
        origin, self.origin = self.origin, last.coord or self.origin
        value = self.saved(self.one_load(last), self.symbols.value_type(last))
        self.origin = origin
        return value

    def _increment(self, node: c_ast.UnaryOp) -> c_ast.Node:
        if self.atomics.is_update_of_atomic(node.expr):
            wanted = "old" if node.op.startswith("p") else "new"
            return self.atomics.update(node.expr, _INCREMENTS[node.op], build.number(1), wanted)
        place = self.place(node.expr)
        old = self.saved(place)
        new = c_ast.BinaryOp(_INCREMENTS[node.op], old, build.number(1))
        if node.op.startswith("p"):
            self.store(place, new)
            return old
        result = self.saved(self._narrowed(new, place), self.symbols.type_of(place))
        self.store(place, result)
        return result

    def _assigned(self, node: c_ast.Assignment) -> c_ast.Node:
        """The value of an assignment inside an expression: the value of its left side, without reading it again."""
        if node.op != "=" and self.atomics.is_update_of_atomic(node.lvalue):
            return self.atomics.update(node.lvalue, node.op[:-1], node.rvalue, "new")
        if node.op != "=":
            place, right = self._updated(node)
            right = self.value(right)
        elif self._is_found_first(node.lvalue, node.rvalue):
            address, right = self.orders.values([c_ast.UnaryOp("&", node.lvalue), node.rvalue])
            place = c_ast.UnaryOp("*", address)
        else:
            place = self.place(node.lvalue)
            right = self.value(node.rvalue)
        if not self.visibility.is_visible(place):
            self.store(place, right)
            return place
        result = self.saved(self._narrowed(right, place), self.symbols.type_of(place))
        self.store(place, result)
        return result

    def _narrowed(self, value: c_ast.Node, place: c_ast.Node) -> c_ast.Node:
        """*value* as it would be read back from *place*: a bit-field keeps only some of its bits."""
        field = self.symbols.bit_field(place)
        if field is None:
            return value
        kind = self.symbols.arithmetic(field.type) or "int"
        width = self.symbols.constant(field.bitsize)
        if kind == "_Bool":
            return _truth(value)
        if kind.startswith("unsigned"):
            return c_ast.BinaryOp("&", value, build.number((1 << width) - 1))
        spare = build.number(8 * self.symbols.model.size(kind) - width)
        shifted = c_ast.BinaryOp("<<", c_ast.Cast(build.typename(basic(f"unsigned {kind}")), value), spare)
        return c_ast.BinaryOp(">>", c_ast.Cast(build.typename(basic(kind)), shifted), spare)

    def _conditional(self, node: Any) -> c_ast.Node:
        """``&&``, ``||`` and ``?:`` as branches."""
        if isinstance(node, c_ast.TernaryOp):
            result = self.temporary(self.symbols.value_type(node))
            cond = self.value(node.cond)
            self.emit(
                build.branch(cond, self._into(result, node.iftrue), self._into(result, node.iffalse), self.origin)
            )
            return result
        result = self.temporary(basic("int"))
        left = self.value(node.left)
        self.emit(build.assign(result, _truth(left), self.origin))
        cond = result if node.op == "&&" else c_ast.UnaryOp("!", result)
        self.emit(build.branch(cond, self._into(result, node.right, truth=True), None, self.origin))
        return result

    def _into(self, result: c_ast.ID, node: c_ast.Node, truth: bool = False) -> list[c_ast.Node]:
        outer, self._out = self._out, []
        value = self.one_load(node)
        self.store(result, _truth(value) if truth else value)
        statements, self._out = self._out, outer
        return statements


def _list_of(node: c_ast.Node) -> tuple[int, str] | None:
    """The list of initialisers that *node* may be a part of: its place, and the object; None if it is of none.

    Statements on one line have one place, too, but a list gives values to parts of one object, and to nothing else.
    """
    if not isinstance(node, c_ast.Assignment) or node.coord is None or isinstance(node.lvalue, c_ast.ID):
        return None
    place = node.lvalue
    while True:
        match place:
            case c_ast.ArrayRef(subscript=c_ast.Constant()):
                place = place.name
            case c_ast.StructRef(type="."):
                place = place.name
            case c_ast.ID():
                return id(node.coord), place.name
            case _:
                return None


def _begins_list(items: list[c_ast.Node], position: int) -> bool:
    """Whether the first two parts of an object that a list initialises are those up to *position*."""
    here = _list_of(items[position])
    lists = [_list_of(items[number]) if number >= 0 else None for number in (position - 1, position - 2)]
    return here is not None and lists[0] == here and lists[1] != here


def may_fail(node: c_ast.Node) -> bool:
    """Whether evaluating *node* may be undefined: it follows a pointer, subscripts an array, or calculates."""
    match node:
        case c_ast.UnaryOp(op="sizeof" | "_Alignof") | c_ast.Typename():
            return False
        case c_ast.ArrayRef() | c_ast.StructRef(type="->") | c_ast.UnaryOp(op="*" | "-") | c_ast.FuncCall():
            return True
        case c_ast.BinaryOp(op="+" | "-" | "*" | "/" | "%" | "<<" | ">>"):
            return True
    return any(may_fail(child) for _, child in node.children())


def _truth(node: c_ast.Node) -> c_ast.Node:
    """*node* as 0 or 1."""
    if isinstance(node, c_ast.BinaryOp) and node.op in ("==", "!=", "<", ">", "<=", ">=", "&&", "||"):
        return node
    if isinstance(node, c_ast.UnaryOp) and node.op == "!":
        return node
    return c_ast.BinaryOp("!=", node, build.number(0))
