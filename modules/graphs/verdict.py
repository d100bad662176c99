"""Derive a verdict from the execution graphs of a program."""

from __future__ import annotations

from cseq.model.claims import Claim, Cut, Limit
from cseq.model.origin import Origin
from cseq.model.verdict import Bound, Outcome, Reason, Verdict
from cseq.modules.frontend.merger.merger import SOURCES
from cseq.modules.graphs.counterexample import Execution
from cseq.modules.graphs.encode import PROGRAM, NotFollowedError
from cseq.modules.graphs.run import ENGINE, ITERATIONS, LATER_STORES, Explored
from cseq.modules.ir import instructions as ir
from cseq.options.memory_models import MEMORY_MODEL
from cseq.options.properties import PROPERTY
from cseq.pipeline.facts import Needs
from cseq.pipeline.stage import Wrapper


class GraphsVerdict(Wrapper):
    """in: what the explorer found. out: the outcome.

    A violation counts if its graph is consistent by the axioms of the memory model, which a second program checks.
    """

    takes = (ENGINE, MEMORY_MODEL, ITERATIONS, LATER_STORES, PROPERTY)
    program = Needs(PROGRAM)
    sources = Needs(SOURCES)

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
                return Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=[self._bound(number) for number in found.cuts])
            case "memory":
                return Outcome(Verdict.UNKNOWN, Reason.MEMORY, "the engine ran out of memory")
        return Outcome(Verdict.UNKNOWN, Reason.TIMEOUT, "the engine ran out of time")

    def _bound(self, number: int) -> Bound:
        node = self.program[0].instructions[number]
        if isinstance(node, (ir.CutUnless, ir.Abandon)):
            return Bound.of(node.cut, node.origin)
        return Bound.of(Cut(Limit.LOOP, self.parameter(ITERATIONS) or 0), node.origin)

    def _violated(self, found: Explored) -> Outcome:
        program, symbols = self.program
        execution = Execution(found, program, symbols, self.sources, self.parameter(MEMORY_MODEL))
        wrong = execution.inconsistency(not self.parameter(LATER_STORES))
        if wrong:
            message = f"the engine reports a violation in a graph that is not consistent ({wrong}): please report it"
            return Outcome(Verdict.UNKNOWN, Reason.REPLAY, message)
        match found.kind:
            case "race":
                return execution.raced()
            case "deadlock":
                return execution.deadlocked()
        node = program.instructions[found.where]
        assert isinstance(node, (ir.Check, ir.Fail))
        return execution.violated(Claim.of(node.key), node.origin)
