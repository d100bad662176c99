"""Say what an answer without a violation is worth."""

from __future__ import annotations

from dataclasses import replace

from cseq.backends import native
from cseq.backends.base import Answer, Dialect, backend
from cseq.modules import cuts
from cseq.modules.contexts import SCHEDULES
from cseq.modules.feeder import Feeder
from cseq.modules.instrumenter import BACKEND, instrumented
from cseq.modules.replayer import Replayer
from cseq.stage import Parameter, Wrapper
from cseq.verdict import Bound, Outcome, Reason, Verdict

_LASTING = ("grain", "property")
"""The kinds of bounds that no further question to the engine can take away."""


class Judge(Wrapper):
    """in: the engine's answer, or an outcome. out: the outcome.

    The verdict is TRUE only when the contexts cover all schedules, no step is coarser than an access to memory, the
    whole property was checked, and nothing was cut off at an unwinding. Whether something was is a second question to
    the engine, asked where the first condition holds, or on request; then it is a violation, and replayed like others.
    """

    takes = (
        BACKEND,
        Parameter(
            "unwinding_assertions",
            bool,
            False,
            "also claim that no bound on unwinding, recursion and threads cuts anything off",
            ("--unwinding-assertions",),
        ),
    )
    needs = ("sequentialized", "bounds", "answer")

    def run(self, value: Answer | Outcome) -> Outcome:
        """Judge an answer; an outcome only gets the bounds and the engine's name."""
        outcome = value if isinstance(value, Outcome) else self._judged(value)
        if not outcome.bounds and outcome.verdict is not Verdict.TRUE:
            outcome.bounds = list(self.context.facts["bounds"])
        outcome.backend = self.parameter("backend")
        return outcome

    def _judged(self, answer: Answer) -> Outcome:
        if answer.status == "timeout":
            return Outcome(Verdict.UNKNOWN, Reason.TIMEOUT, "the engine ran out of time")
        if answer.status == "memory":
            return Outcome(Verdict.UNKNOWN, Reason.MEMORY, "the engine ran out of memory")
        bounds: list[Bound] = self.context.facts["bounds"]
        schedules = [bound for bound in bounds if bound.kind in SCHEDULES]
        lasting = [bound for bound in bounds if bound.kind in _LASTING]
        left = [bound for bound in bounds if bound.kind not in (*SCHEDULES, *_LASTING)]
        leaks = [bound for bound in bounds if bound.kind == "leak"]
        if left and (not schedules or self.parameter("unwinding_assertions")):
            second = self._cut_anything()
            if second.status == "violated" and any(cut.description == second.description for cut in leaks):
                return Outcome(
                    Verdict.UNKNOWN, Reason.BOUNDED, f"no violation, but {second.description}", bounds=bounds
                )
            if second.status == "violated":
                if self.parameter("unwinding_assertions") and cuts.is_the_user_s(second.description):
                    return Replayer(self.context).replayed(second, _asking(native.DIALECT), "unwinding")
                return Outcome(
                    Verdict.UNKNOWN, Reason.UNWINDING, f"a bound is too small ({second.description})", bounds=bounds
                )
            if second.status == "safe":
                left = []
        if not left and not schedules and not lasting:
            return Outcome(Verdict.TRUE)
        return Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=[*schedules, *left, *lasting])

    def _cut_anything(self) -> Answer:
        """Ask the engine whether any execution reaches a cut."""
        dialect = backend(self.parameter("backend")).dialect
        unit = instrumented(self.context.facts["sequentialized"], _asking(dialect))
        return Feeder(self.context).feed(unit, "unwinding")


def _asking(dialect: Dialect) -> Dialect:
    """*dialect* for the second question: cuts are what is claimed, and claims of the program are taken for granted."""
    claim = dialect.names.get("__CSEQ_assert", "__CSEQ_assert")
    assume = dialect.names.get("__CSEQ_assume", "__CSEQ_assume")
    definition = f"static void __CSEQ_granted(int holds, const char *what) {{ {assume}(holds); }}"
    return replace(
        dialect,
        names={**dialect.names, "__CSEQ_unwound": claim, "__CSEQ_assert": "__CSEQ_granted"},
        definitions={**dialect.definitions, "__CSEQ_assert": definition, "__CSEQ_unwound": ""},
    )
