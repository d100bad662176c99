"""Claim, before each statement, what its expressions demand."""

from typing import Any

from pycparser import c_ast

from cseq.backends.registry import backend
from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.model.claims import Claim
from cseq.model.errors import UsageError
from cseq.modules.analysis import marks
from cseq.modules.core.undefined_behaviour.accesses import Accesses
from cseq.modules.core.undefined_behaviour.arithmetic import Arithmetic
from cseq.modules.core.undefined_behaviour.checks import CHECKS, Check
from cseq.modules.core.undefined_behaviour.evaluation import Evaluation
from cseq.modules.core.undefined_behaviour.librarywriter import COMPUTE, LibraryWriter
from cseq.modules.core.undefined_behaviour.threadwriter import ThreadWriter
from cseq.modules.core.undefined_behaviour.widestrings import named
from cseq.modules.library import lexicon
from cseq.modules.symbolic.encode.checker.leaks import Leaks
from cseq.modules.symbolic.encode.facts import BOUNDS
from cseq.modules.symbolic.encode.instrumenter import BACKEND
from cseq.options.properties import DEREF, MEMSAFETY, MEMTRACK, PROPERTY
from cseq.pipeline.facts import Gives, Needs
from cseq.pipeline.translator import Rewriter, Translator, rebuilt


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
                checked = leaks is not None or node.decl.name in COMPUTE
                nodes.append(_LibraryWriter(symbols, checks, leaks).function(node) if checked else node)
            else:
                nodes.append(node)
        self.checks = checks
        if leaks and leaks.bound:
            self.bounds = [*self.known_bounds, leaks.bound]
        return c_ast.FileAST(nodes)


class _ThreadWriter(ThreadWriter):
    """Checks thread functions, and keeps track of their blocks."""

    def __init__(self, evaluation: Evaluation, checks: list[Check], leaks: Leaks | None) -> None:
        super().__init__(evaluation, checks)
        self.leaks = leaks

    def _assignment(self, node: c_ast.Assignment, out: list[c_ast.Node]) -> None:
        call = node.rvalue if isinstance(node.rvalue, c_ast.FuncCall) else None
        if call is None or not self.leaks:
            super()._assignment(node, out)
            return
        self._before_assignment(node, out)
        self.leaks.before(call, out)
        out.append(rebuilt(node, rvalue=self.leaks.called(call)))
        self.leaks.after(call, node.lvalue, out)
        self._mean(node)

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


class _LibraryWriter(LibraryWriter):
    """Checks a library function, whose calls that allocate keep track of blocks."""

    def __init__(self, symbols: Symbols, checks: list[Check], leaks: Leaks | None) -> None:
        super().__init__(symbols, Accesses(symbols, in_library=True) if leaks else Arithmetic(symbols), checks)
        self._leaks = leaks

    def renamed(self, node: c_ast.Node) -> Any:
        """A statement of the library, with the names of the functions that keep track of blocks."""
        return self._leaks.renaming.visit(node) if self._leaks else node
