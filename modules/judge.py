"""Say what an answer without a violation is worth."""

from __future__ import annotations

from dataclasses import replace

from cseq.backends.base import Answer, backend
from cseq.modules.contexts import SCHEDULES
from cseq.modules.feeder import Feeder
from cseq.modules.inliner import UNWIND
from cseq.modules.instrumenter import BACKEND, instrumented
from cseq.modules.spawner import THREADS
from cseq.stage import Parameter, Wrapper
from cseq.verdict import Bound, Outcome, Reason, Verdict

_LASTING = ("grain", "property")
"""The kinds of bounds that no further question to the engine can take away."""


class Judge(Wrapper):
    """in: the engine's answer, or an outcome. out: the outcome.

    The verdict is TRUE only when the contexts cover all schedules, no step is coarser than an access to memory, the
    whole property was checked, and nothing was cut off at an unwinding. Whether something was is a second question to
    the engine, asked where the first condition holds, or on request.
    """

    takes = (
        BACKEND,
        UNWIND,
        THREADS,
        Parameter(
            "unwinding_assertions",
            bool,
            False,
            "also find out whether an unwinding bound cut anything off",
            ("--unwinding-assertions",),
        ),
    )
    needs = ("sequentialized", "bounds", "answer")

    def run(self, value: Answer | Outcome) -> Outcome:
        """Judge an answer; an outcome only gets the bounds and the engine's name."""
        outcome = value if isinstance(value, Outcome) else self._judged(value)
        if not outcome.bounds and outcome.verdict is not Verdict.TRUE:
            outcome.bounds = self._bounds()
        outcome.backend = self.parameter("backend")
        return outcome

    def _bounds(self) -> list[Bound]:
        unwind, threads = self.parameter("unwind"), self.parameter("threads")
        return [
            bound
            if bound.value or bound.kind in SCHEDULES
            else replace(bound, value=threads if bound.kind == "threads" else unwind)
            for bound in self.context.facts["bounds"]
        ]

    def _judged(self, answer: Answer) -> Outcome:
        if answer.status == "timeout":
            return Outcome(Verdict.UNKNOWN, Reason.TIMEOUT, "the engine ran out of time")
        if answer.status == "memory":
            return Outcome(Verdict.UNKNOWN, Reason.MEMORY, "the engine ran out of memory")
        bounds = self._bounds()
        schedules = [bound for bound in bounds if bound.kind in SCHEDULES]
        lasting = [bound for bound in bounds if bound.kind in _LASTING]
        cuts = [bound for bound in bounds if bound.kind not in (*SCHEDULES, *_LASTING)]
        if cuts and (not schedules or self.parameter("unwinding_assertions")):
            second = self._cut_anything()
            if second.status == "violated":
                return Outcome(
                    Verdict.UNKNOWN, Reason.UNWINDING, f"a bound is too small ({second.description})", bounds=bounds
                )
            if second.status == "safe":
                cuts = []
        if not cuts and not schedules and not lasting:
            return Outcome(Verdict.TRUE)
        return Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=[*schedules, *cuts, *lasting])

    def _cut_anything(self) -> Answer:
        """Ask the engine whether any execution reaches a cut; claims of the program are taken for granted."""
        dialect = backend(self.parameter("backend")).dialect
        claim, assume = dialect.names["__CSEQ_assert"], dialect.names["__CSEQ_assume"]
        definition = f"static void __CSEQ_granted(int holds, const char *what) {{ {assume}(holds); }}"
        asking = replace(
            dialect,
            names={**dialect.names, "__CSEQ_unwound": claim, "__CSEQ_assert": "__CSEQ_granted"},
            definitions={**dialect.definitions, "__CSEQ_assert": definition, "__CSEQ_unwound": ""},
        )
        unit = instrumented(self.context.facts["sequentialized"], asking)
        return Feeder(self.context).feed(unit, "unwinding")
