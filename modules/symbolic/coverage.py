"""Ask CBMC, after a proof, which claims and assumptions some execution reaches."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pycparser import c_ast

from cseq.backends.base import Dialect
from cseq.backends.registry import backend
from cseq.c import build
from cseq.model.coverage import Coverage, Kind, Point
from cseq.model.errors import BackendError
from cseq.modules.analysis.coverage_points import POINTS, Points
from cseq.modules.library import lexicon
from cseq.modules.symbolic.encode.facts import SEQUENTIALIZED
from cseq.modules.symbolic.encode.instrumenter import BACKEND, instrumented
from cseq.options.properties import MEMLIMIT, PROPERTY, TIMEOUT, UNREACH
from cseq.pipeline.facts import Needs, Uses
from cseq.pipeline.stage import Unit, Wrapper
from cseq.pipeline.translator import Rewriter, rebuilt
from cseq.process.run import run

_SECONDS = 5.0
"""How long that may take."""

_REACHES = "__CSEQ_reaches"


class SymbolicCoverage(Wrapper):
    """in: an outcome that is a proof. out: what its executions reach; None where the engine does not say.

    It is only asked about programs with assumptions, since these are what leaves a proof for inputs of any value
    without executions. Threads are not known here, nor claims that no statement of the sequentialized program makes.
    """

    takes = (BACKEND, PROPERTY, TIMEOUT, MEMLIMIT)
    sequentialized = Needs(SEQUENTIALIZED)
    points = Uses(POINTS, Points())

    def run(self, value: object) -> Coverage | None:
        """Ask the engine, which has little time for it."""
        engine = backend(self.parameter(BACKEND))
        path = engine.find()
        has_assumptions = any(point.kind is Kind.ASSUMPTION for point in self.points)
        if path is None or self.parameter(PROPERTY) != UNREACH or not has_assumptions:
            return None
        marks = _Marks(self.points)
        tree = marks.visit(self.sequentialized.tree)
        program = self.context.workdir / "coverage.i"
        command = engine.covering(path, program, self.context.bits)
        if command is None:
            return None
        program.write_text(instrumented(Unit(tree=tree), _marking(engine.dialect)).text, encoding="utf-8")
        left = self.context.left(self.parameter(TIMEOUT))
        try:
            done = run(command, timeout=min(_SECONDS, _SECONDS if left is None else left / 2),
                       memory=self.parameter(MEMLIMIT), folder=self.context.workdir)  # fmt: skip
        except BackendError:
            return None
        covered = engine.covered(done)
        if covered is None:
            return None
        found = [mark for mark, number in marks.marks.items() if str(number) in covered]
        uncalled = {point.subject for point in self.points if point.kind is Kind.FUNCTION}
        known = {point for point, _ in marks.marks} | {p for p in self.points if p.place.function in uncalled}
        reached, passed = ({point for point, beyond in found if beyond is wanted} for wanted in (False, True))
        return Coverage.of((point for point in self.points if point in known), reached, passed)


class _Marks(Rewriter):
    """Puts a mark before each claim, and before and after each assumption. marks: with their numbers."""

    def __init__(self, points: Points) -> None:
        super().__init__()
        self._points = points
        self.marks: dict[tuple[Point, bool], int] = {}

    def visit_Compound(self, node: c_ast.Compound) -> c_ast.Node:
        """The block with its marks."""
        return rebuilt(node, block_items=[new for item in node.block_items or [] for new in self._marked(item)])

    def visit_If(self, node: c_ast.If) -> c_ast.Node:
        """The branches as blocks."""
        otherwise = None if node.iffalse is None else self.visit(_block(node.iffalse))
        return c_ast.If(self.visit(node.cond), self.visit(_block(node.iftrue)), otherwise, node.coord)

    def visit_While(self, node: c_ast.While) -> c_ast.Node:
        """The body as a block."""
        return rebuilt(node, cond=self.visit(node.cond), stmt=self.visit(_block(node.stmt)))

    def _marked(self, node: Any) -> Iterator[c_ast.Node]:
        if isinstance(node, c_ast.Label):
            yield build.label(node.name, node.coord)
            yield from self._marked(node.stmt)
            return
        if isinstance(node, c_ast.If):
            yield from (self._mark(point) for point in self._points.guarded(node))
        elif build.is_call(node, lexicon.ASSERT) and (claim := self._points.claim(node)) is not None:
            yield self._mark(claim)
        elif build.is_call(node, lexicon.ASSUME) and (assumption := self._points.assumption(node)) is not None:
            yield from (self._mark(assumption), node, self._mark(assumption, True))
            return
        yield self.visit(node)

    def _mark(self, point: Point, passed: bool = False) -> c_ast.Node:
        number = self.marks.setdefault((point, passed), len(self.marks))
        return build.call(_REACHES, build.number(0), build.string(str(number)))


def _block(node: c_ast.Node) -> c_ast.Compound:
    return node if isinstance(node, c_ast.Compound) else c_ast.Compound([node])


def _marking(dialect: Dialect) -> Dialect:
    """*dialect*, where marks are claims, and claims assumptions."""
    names = {**dialect.names, _REACHES: dialect.names[lexicon.ASSERT], lexicon.ASSERT: "__CSEQ_granted"}
    assume = dialect.names[lexicon.ASSUME]
    granted = f"static void __CSEQ_granted(int holds, const char *what) {{ {assume}(holds); }}"
    return replace(dialect, names=names, definitions={**dialect.definitions, lexicon.ASSERT: granted, _REACHES: ""})
