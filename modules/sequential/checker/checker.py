"""Claim, before each statement, what its expressions demand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from pycparser import c_ast

from cseq.backends.registry import backend
from cseq.base.claims import Claim
from cseq.base.errors import UsageError
from cseq.base.linemap import Origin
from cseq.c import Printer, build
from cseq.c.symbols import Symbols
from cseq.modules.analysis import marks
from cseq.modules.analysis.properties import DEREF, MEMSAFETY, MEMTRACK, PROPERTY
from cseq.modules.analysis.userprinter import UserPrinter
from cseq.modules.library import lexicon
from cseq.modules.sequential.checker.accesses import FREEABLE, VALID, VALID_INSIDE, Accesses
from cseq.modules.sequential.checker.arithmetic import Arithmetic
from cseq.modules.sequential.checker.evaluation import Demand, Evaluation
from cseq.modules.sequential.checker.leaks import FREEABLE_BLOCK, Leaks
from cseq.modules.sequential.checker.widestrings import named
from cseq.modules.sequential.instrumenter import BACKEND
from cseq.modules.sequential.sequential_facts import BOUNDS, CHECKS, Check
from cseq.pipeline.facts import Gives, Needs
from cseq.pipeline.translator import Rewriter, Translator, rebuilt, user_name

_NUMBERED = frozenset({VALID, VALID_INSIDE, FREEABLE})
_COMPUTE = frozenset({"abs", "labs", "llabs", "div", "ldiv", "lldiv"})
"""Library functions that compute something the user could have computed."""


class Checker(Translator):
    """in: a sequentialized program with its own claims. out: the same with other claims: what C demands of each step.

    The program's own assertions are only assumed: executions in which they fail end there. The property determines
    what is checked: memory accesses and the state of memory, or integer arithmetic. An assertion is named ``check N``;
    the fact *checks* says what is wrong if it fails. It is directly before its statement, in the same step, so that it
    sees what the statement sees.
    """

    takes = (BACKEND, PROPERTY)
    known_bounds = Needs(BOUNDS)
    bounds = Gives(BOUNDS)
    checks = Gives(CHECKS)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Check the thread functions, and what library functions do with what the user passes to them."""
        property_ = self.parameter(PROPERTY)
        engine = backend(self.parameter(BACKEND))
        if property_ not in engine.properties:
            raise UsageError(f"the backend `{engine.name}` cannot check {property_}")
        symbols = Symbols(tree, self.context.model)
        if property_ == MEMSAFETY:
            tree = named(tree, symbols)
        checks: list[Check] = []
        threads = [n for n in tree.ext if marks.is_thread(n)]
        leaks = Leaks(symbols, tree, len(threads)) if property_ == MEMSAFETY else None
        in_threads = Accesses(symbols) if leaks else Arithmetic(symbols)
        writer = _ThreadWriter(in_threads, checks, leaks)
        functions: dict[int, c_ast.Node] = {id(node): writer.function(node) for node in threads}
        driver = next(n for n in tree.ext if isinstance(n, c_ast.FuncDef) and n.decl.name == "main")
        functions[id(driver)] = _ProcessEnds(leaks, writer).visit(driver)
        helpers = leaks.helpers() if leaks else []
        nodes: list[c_ast.Node] = []
        for node in tree.ext:
            if id(node) in functions:
                nodes.extend(helpers)
                helpers = []
                nodes.append(functions[id(node)])
            elif isinstance(node, c_ast.FuncDef) and lexicon.is_library(node.decl.name):
                checked = leaks is not None or node.decl.name in _COMPUTE
                nodes.append(_LibraryWriter(symbols, checks, leaks).function(node) if checked else node)
            else:
                nodes.append(node)
        self.checks = checks
        if leaks and leaks.bound:
            self.bounds = [*self.known_bounds, leaks.bound]
        return c_ast.FileAST(nodes)


class _Writer:
    """Writes claims, and appends their meanings to *checks*."""

    def __init__(self, evaluation: Evaluation, checks: list[Check], leaks: Leaks | None) -> None:
        self.evaluation = evaluation
        self.leaks = leaks
        self._checks = checks

    def claim(self, cond: c_ast.Node, claim: Claim, origin: Origin | None, part: str) -> list[c_ast.Node]:
        """Statements that claim *cond* and then assume it. part: of the property."""
        number = len(self._checks)
        self._checks.append(Check(claim, part))
        cond = _Numbered(number).visit(cond)
        claimed = build.call(lexicon.ASSERT, cond, build.string(f"check {number}"), origin=origin)
        return [claimed, build.call(lexicon.ASSUME, cond)]


class _Numbered(Rewriter):
    """Gives the primitives in a condition the number of the claim."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    def visit_FuncCall(self, node: c_ast.FuncCall) -> c_ast.FuncCall:
        if node.name.name not in _NUMBERED:
            return node
        return build.call(node.name.name, build.number(self._number), *node.args.exprs)


class _ThreadWriter(_Writer):
    """Checks thread functions, whose statements are those of the core language."""

    def __init__(self, evaluation: Evaluation, checks: list[Check], leaks: Leaks | None) -> None:
        super().__init__(evaluation, checks, leaks)
        self._meanings: dict[str, str] = {}

    def function(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        """The function with claims inserted."""
        return rebuilt(node, body=self._block(node.body))

    def _block(self, node: c_ast.Node) -> c_ast.Compound:
        return build.rewritten(node, self._statement)

    def _statement(self, node: Any, out: list[c_ast.Node]) -> None:
        match node:
            case c_ast.FuncCall():
                self._call(node, out)
            case _ if node.coord is None or isinstance(node, (c_ast.Decl, c_ast.Label, c_ast.Goto)):
                out.append(node)
            case c_ast.Assignment():
                self._assignment(node, out)
            case c_ast.If():
                self._demand(self.evaluation.value(node.cond), node.coord, out)
                then = node.iftrue if isinstance(node.iftrue, c_ast.Goto) else self._block(node.iftrue)
                otherwise = self._block(node.iffalse) if node.iffalse is not None else None
                out.append(rebuilt(node, iftrue=then, iffalse=otherwise))
            case _:
                out.append(node)

    def _demand(self, demands: Iterable[Demand], origin: Origin | None, out: list[c_ast.Node]) -> None:
        """Claim each of *demands* once."""
        claimed: set[str] = set()
        for demand in demands:
            key = Printer().visit(demand.cond)
            if key not in claimed:
                claimed.add(key)
                claim = replace(demand.claim, subject=UserPrinter(self._meanings).visit(demand.node))
                out.extend(self.claim(demand.cond, claim, origin, demand.part))

    def _assignment(self, node: c_ast.Assignment, out: list[c_ast.Node]) -> None:
        value, store = self.evaluation.value(node.rvalue), self.evaluation.store(node.lvalue)
        self._demand([*value, *store], node.coord, out)
        call = node.rvalue if isinstance(node.rvalue, c_ast.FuncCall) else None
        if call is not None and self.leaks:
            self.leaks.before(call, out)
            out.append(rebuilt(node, rvalue=self.leaks.called(call)))
            self.leaks.after(call, node.lvalue, out)
        else:
            out.append(node)
        self._mean(node)

    def _mean(self, node: c_ast.Assignment) -> None:
        """Record what one of our variables stands for."""
        name = node.lvalue.name if isinstance(node.lvalue, c_ast.ID) else None
        if name is None or user_name(name) is not None:
            return
        if name.startswith("__cs_ret_"):
            self._meanings[name] = name.removeprefix("__cs_ret_").split("__cs", 1)[0] + "()"
        elif isinstance(node.rvalue, c_ast.FuncCall):
            self._meanings.pop(name, None)
        else:
            self._meanings[name] = UserPrinter(self._meanings).visit(node.rvalue)

    def _call(self, node: c_ast.FuncCall, out: list[c_ast.Node]) -> None:
        name = node.name.name
        if name in (lexicon.BEGINS, lexicon.ENDS):
            if self.leaks:
                out.append(node)
        elif name == lexicon.DEMAND:
            if self.leaks:
                out.extend(self.claim(node.args.exprs[0], Claim.of(node.args.exprs[1].value[1:-1]), node.coord, DEREF))
        elif name == lexicon.PROCESS_ENDS:
            out.extend(self.process_ends(node))
        elif name != lexicon.ASSERT:  # which is followed by an assumption of the same condition
            if node.coord is not None:
                self._demand(self.evaluation.value(node), node.coord, out)
            if self.leaks:
                self.leaks.before(node, out)
                node = self.leaks.called(node)
            out.append(node)

    def process_ends(self, node: c_ast.FuncCall) -> list[c_ast.Node]:
        """Claims about memory where the process ends."""
        if self.leaks is None or not self.leaks.allocates:
            return []
        out: list[c_ast.Node] = []
        if build.is_constant(node.args.exprs[0], 1):
            out += self.claim(self.leaks.nothing_is_lost(), self.leaks.claim, node.coord, MEMTRACK)
        return [*out, self.leaks.nothing_may_be_lost(node.coord)]


class _ProcessEnds(Rewriter):
    """Writes the claims at the end of the process that the driver knows of."""

    def __init__(self, leaks: Leaks | None, writer: _ThreadWriter) -> None:
        super().__init__()
        self._leaks = leaks
        self._writer = writer

    def visit_FuncCall(self, node: c_ast.FuncCall) -> Any:
        return self._writer.process_ends(node) if node.name.name == lexicon.PROCESS_ENDS else node


class _LibraryWriter(_Writer):
    """Checks a library function, because its arguments are the user's."""

    def __init__(self, symbols: Symbols, checks: list[Check], leaks: Leaks | None) -> None:
        super().__init__(Accesses(symbols, in_library=True) if leaks else Arithmetic(symbols), checks, leaks)
        self._symbols = symbols
        self._name = ""
        self._fresh: set[str] = set()

    def function(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        """The function with claims inserted; its names are in a scope of its own."""
        types, self._symbols.types = self._symbols.types, dict(self._symbols.types)
        declarations = _Declarations(self._symbols)
        declarations.visit(node)
        self._fresh = declarations.fresh
        name = node.decl.name
        self._name = "" if name.startswith("__cs_") else name
        body = self._block(node.body, set())
        self._symbols.types = types
        return rebuilt(node, body=body)

    def _block(self, node: c_ast.Node, known: set[str]) -> c_ast.Compound:
        """known: what already holds. The library never assigns to its parameters, and a call is one step."""
        known = set(known)
        return build.rewritten(node, lambda item, out: self._statement(item, known, out))

    def _statement(self, node: Any, known: set[str], out: list[c_ast.Node]) -> None:
        match node:
            case c_ast.If():
                self._demand(self.evaluation.value(node.cond), known, out)
                otherwise = self._block(node.iffalse, known) if node.iffalse is not None else None
                out.append(rebuilt(node, iftrue=self._block(node.iftrue, known), iffalse=otherwise))
            case c_ast.While():
                claims: list[c_ast.Node] = []
                self._demand(self.evaluation.value(node.cond), known, claims)
                cond = c_ast.ExprList([*claims, node.cond]) if claims else node.cond
                out.append(rebuilt(node, cond=cond, stmt=self._block(node.stmt, known)))
            case c_ast.Compound():
                out.append(self._block(node, known))
            case c_ast.Assignment():
                store = self.evaluation.store(node.lvalue)
                self._demand([*self.evaluation.value(node.rvalue), *store], known, out)
                out.append(self._renamed(node))
            case c_ast.Decl():
                self._demand(self.evaluation.value(node.init), known, out)
                out.append(self._renamed(node))
            case c_ast.Return():
                self._demand(self.evaluation.value(node.expr), known, out)
                out.append(self._renamed(node))
            case c_ast.FuncCall() if node.name.name == lexicon.ASSERT:
                return  # which is followed by an assumption of the same condition
            case c_ast.FuncCall() | c_ast.UnaryOp():
                self._demand(self.evaluation.value(node), known, out)
                out.append(self._renamed(node))
            case _:
                out.append(node)

    def _renamed(self, node: c_ast.Node) -> Any:
        return self.leaks.renaming.visit(node) if self.leaks else node

    def _demand(self, demands: Iterator[Demand] | list[Demand], known: set[str], out: list[c_ast.Node]) -> None:
        for demand in demands:
            key = Printer().visit(demand.cond)
            if key not in known and not self._is_fresh(demand.cond):
                if _is_of_a_parameter(demand.cond):
                    known.add(key)
                out.extend(self.claim(demand.cond, replace(demand.claim, within=self._name), None, demand.part))

    def _is_fresh(self, cond: c_ast.Node) -> bool:
        """Whether *cond* is about memory that the function has allocated and is filling."""
        while isinstance(cond, c_ast.BinaryOp):
            cond = cond.right
        if not isinstance(cond, c_ast.FuncCall) or cond.name.name != VALID_INSIDE:
            return False
        return isinstance(cond.args.exprs[0], c_ast.ID) and cond.args.exprs[0].name in self._fresh


def _is_of_a_parameter(cond: c_ast.Node) -> bool:
    """Whether *cond* says that a whole object is there, which nothing in a library function changes."""
    if not isinstance(cond, c_ast.FuncCall) or cond.name.name != VALID_INSIDE:
        return False
    target: Any = cond.args.exprs[1].expr
    return isinstance(target, c_ast.UnaryOp) and target.op == "*" and isinstance(target.expr, c_ast.ID)


class _Declarations(c_ast.NodeVisitor):
    """Collects the declarations in a function, at any depth.

    fresh: the names of pointers to memory that the function allocates.
    """

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self.fresh: set[str] = set()

    def visit_Decl(self, node: c_ast.Decl) -> None:
        if node.name:
            self._symbols.declare(node)
        if isinstance(node.init, c_ast.FuncCall) and node.init.name.name in (lexicon.ALLOCATE, FREEABLE_BLOCK):
            self.fresh.add(node.name)
        self.generic_visit(node)
