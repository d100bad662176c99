"""Look for a proof without bounds, and have it checked."""

import os
import time

from cseq.model.activity import ActivityKind, phase
from cseq.model.errors import BackendError
from cseq.model.tries import TryEnd
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.modules.deductive.encode.builder import SYSTEM
from cseq.modules.deductive.proof_strategies import AcceptedProof, ProofAttempt, search_proof
from cseq.options.properties import MEMLIMIT, PROPERTY, TIMEOUT
from cseq.pipeline.facts import Needs
from cseq.pipeline.stage import Parameter, Wrapper

ENGINE = Parameter(
    "backend", str, "horn", "the engine that proves the program", ("--backend", "-b"), "NAME", choices=lambda: ["horn"]
)
"""The engine of the family. It uses programs that solve Horn clauses and SMT formulas."""

SIDE = Parameter("side_by_side", int, 0, "attempts at a proof that are made at the same time; 0 for one per processor")


class DeductiveRun(Wrapper):
    """in: the core language, whose transition system is a fact. out: the outcome.

    The verdict is TRUE if a proof was found and two solvers have accepted its certificate, each for itself. It is never
    FALSE: what refutes an abstraction need not be an execution of the program.
    """

    takes = (ENGINE, PROPERTY, TIMEOUT, MEMLIMIT, SIDE)
    system = Needs(SYSTEM)

    def run(self, value: object) -> Outcome:
        """Try the proof strategies. Raises BackendError where every attempt fails for a reason of its own."""
        self.context.begin("horn", phase(ActivityKind.PROVING, "horn"))
        left = self.context.left(self.parameter(TIMEOUT))
        found = search_proof(
            self.system,
            self.context.workdir,
            None if left is None else time.monotonic() + left,
            most=self.parameter(SIDE) or len(os.sched_getaffinity(0)),
            memory=self.parameter(MEMLIMIT),
        )
        outcome = self._proved(found.accepted) if found.accepted is not None else self._unproved(found)
        outcome.backend = self.parameter(ENGINE)
        outcome.tries = found.tries
        return outcome

    def _proved(self, accepted: AcceptedProof) -> Outcome:
        from cseq.modules.deductive.summary.summarizer import SECONDS, summarized

        outcome = Outcome(Verdict.TRUE)
        left = self.context.left(self.parameter(TIMEOUT))
        seconds = SECONDS if left is None else min(left, SECONDS)
        try:
            outcome.proof = summarized(accepted.system, accepted.proof, accepted.checked, seconds)
        except Exception as error:  # whatever it is, the proof is accepted
            what = f"the invariants are not shown: {type(error).__name__}: {error}"
            self.context.warn(f"{self.parameter(ENGINE)}: {what}; please report it")
        return outcome

    def _unproved(self, found: ProofAttempt) -> Outcome:
        failures = [each for each in found.tries if each.end is TryEnd.FAILED]
        if failures and len(failures) == len(found.tries):
            raise BackendError(f"the backend `{self.parameter(ENGINE)}` failed: {failures[0].why}")
        for each in failures:
            self.context.warn(f"{self.parameter(ENGINE)}: {each.why}; please report it")
        return Outcome(Verdict.UNKNOWN, Reason.TIMEOUT if found.timed_out else Reason.UNPROVED)
