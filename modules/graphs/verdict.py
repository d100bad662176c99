"""Derive a verdict from the execution graphs of a program."""

from __future__ import annotations

from cseq.c import build
from cseq.model.claims import Claim, Cut, Limit
from cseq.model.origin import Origin
from cseq.model.verdict import Bound, Outcome, Reason, Verdict
from cseq.modules.frontend.merger.merger import SOURCES
from cseq.modules.graphs.counterexample import Execution
from cseq.modules.graphs.encode import LAYOUT, PROGRAM, NotFollowedError
from cseq.modules.graphs.run import ENGINE, ITERATIONS, LATER_STORES, Explored
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.program import Program
from cseq.options.memory_models import MEMORY_MODEL
from cseq.options.properties import PROPERTY
from cseq.pipeline.facts import Needs
from cseq.pipeline.stage import Wrapper


def cut_at(node: ir.Instruction, iterations: int | None = None) -> Cut:
    """What cuts executions off at an instruction where the explorer says that something does."""
    if isinstance(node, ir.Choose):
        return Cut.of(build.text(node.source.rvalue.args.exprs[1]))
    if isinstance(node, ir.Call):
        return Cut(Limit.NO_ARGUMENTS, 0)
    return node.cut if isinstance(node, (ir.CutUnless, ir.Abandon)) else Cut(Limit.LOOP, iterations or 0)


def bounds_of(found: Explored, program: Program, iterations: int | None) -> list[Bound]:
    """The bounds that have cut executions off."""
    nodes = [program.instructions[number] for number in found.cuts]
    return [Bound.of(cut_at(node, iterations), None if isinstance(node, ir.Choose) else node.origin) for node in nodes]


class GraphsVerdict(Wrapper):
    """in: what the explorer found. out: the outcome.

    A violation counts if its graph is consistent by the axioms of the memory model, which a second program checks.
    """

    takes = (ENGINE, MEMORY_MODEL, ITERATIONS, LATER_STORES, PROPERTY)
    program = Needs(PROGRAM)
    sources = Needs(SOURCES)
    layout = Needs(LAYOUT)

    def run(self, value: Explored) -> Outcome:
        """Judge what was found."""
        outcome = self._judged(value)
        outcome.backend = self.parameter(ENGINE)
        outcome.memory_model = self.parameter(MEMORY_MODEL)
        outcome.statistics = {"executions": value.executions, "blocked": value.blocked}
        return outcome

    def _origin(self, number: int) -> Origin | None:
        return self.program[0].instructions[number].origin

    def _judged(self, found: Explored) -> Outcome:
        match found.status:
            case "safe" if self.layout:
                return Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=list(self.layout))
            case "safe":
                return Outcome(Verdict.TRUE)
            case "violated":
                return self._violated(found)
            case "refused":
                raise NotFollowedError(found.text, self._origin(found.where))
            case "racy":
                message = "no violation, but there is a data race (--race), so C leaves open what the program does"
                return Outcome(Verdict.UNKNOWN, Reason.UNPROVED, message)
            case "cut":
                return Outcome(
                    Verdict.UNKNOWN,
                    Reason.BOUNDED,
                    bounds=[*bounds_of(found, self.program[0], self.parameter(ITERATIONS)), *self.layout],
                )
            case "memory":
                return Outcome(Verdict.UNKNOWN, Reason.MEMORY, "the engine ran out of memory")
        return Outcome(Verdict.UNKNOWN, Reason.TIMEOUT, "the engine ran out of time")

    def _violated(self, found: Explored) -> Outcome:
        program, symbols = self.program
        model, later_stores = self.parameter(MEMORY_MODEL), not self.parameter(LATER_STORES)
        execution = Execution(found, program, symbols, self.sources, model, later_stores)
        wrong = execution.inconsistency()
        if wrong:
            message = f"the engine reports a violation in a graph that is not consistent ({wrong}): please report it"
            return Outcome(Verdict.UNKNOWN, Reason.REPLAY, message)
        match found.kind:
            case "race":
                return execution.raced()
            case "deadlock":
                return execution.deadlocked()
            case "misuse":
                return execution.violated(Claim.of(found.text), self._origin(found.where))
        node = program.instructions[found.where]
        assert isinstance(node, (ir.Check, ir.Fail))
        return execution.violated(Claim.of(node.key), node.origin)
