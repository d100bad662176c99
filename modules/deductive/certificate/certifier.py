"""The check of a proof: all of its conditions, by two solvers."""

import importlib.util
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from cseq.model.errors import MissingError
from cseq.modules.deductive.certificate import discharging
from cseq.modules.deductive.certificate.discharging import SEPARATOR, SOLVERS
from cseq.modules.deductive.certificate.formulas import MalformedError
from cseq.modules.deductive.certificate.obligations import Obligation, Obligations, batches, question
from cseq.modules.deductive.certificate.semantics import InapplicableError
from cseq.modules.deductive.proofs import Proof
from cseq.modules.deductive.transitions import System
from cseq.process.run import Completed, Limits, available_memory, first

PACKAGES = {"z3": "z3-solver", "cvc5": "cvc5"}
"""The Python package that has each solver."""


_TOGETHER = 30
"""The maximum number of conditions that are asked about at once."""


class Cause(StrEnum):
    """Why a proof is rejected."""

    REFUTED = "refuted"  # a condition does not hold
    UNDECIDED = "undecided"  # a solver does not know whether a condition holds
    TIMEOUT = "timeout"
    FAILED = "failed"  # a solver has failed, or does not understand a formula
    MALFORMED = "malformed"  # an invariant is no formula over what it may be about
    INAPPLICABLE = "inapplicable"  # the system has no meaning in the proof's arithmetic, or it is about another one


@dataclass(frozen=True)
class CheckResult:
    """Whether a proof is accepted.

    solvers: those that have confirmed all conditions. conditions: their number, without those whose conclusion is one
    of their premises, which no solver is asked about. cause, rejected, message: if it is not
    accepted, why; the condition, if it is due to one; and details for developers. seconds: of wall-clock time.
    """

    accepted: bool
    solvers: tuple[str, ...]
    conditions: int
    seconds: float
    cause: Cause | None = None
    rejected: Obligation | None = None
    message: str = ""


def check(system: System, proof: Proof, timeout: float) -> CheckResult:
    """Check that the invariants of *proof* are inductive, and imply that no check of *system* fails.

    timeout: seconds. It is accepted only if each of two solvers, Z3 and cvc5, confirms each condition. Raises
    MissingError if one of them is not installed.
    """
    begun = time.monotonic()
    for solver in SOLVERS:
        if importlib.util.find_spec(solver) is None:
            raise MissingError(f"the Python package {PACKAGES[solver]} is not installed, so no proof can be checked")

    def rejected(cause: Cause, number: int = 0, which: Obligation | None = None, message: str = "") -> CheckResult:
        return CheckResult(False, (), number, time.monotonic() - begun, cause, which, message)

    try:
        obligations = Obligations(system, proof)
        asked = []
        for obligation in obligations.all():
            if not obligation.is_plain:
                asked.append(obligation)
            if time.monotonic() - begun > timeout:
                return rejected(Cause.TIMEOUT, len(asked))
    except MalformedError as error:
        return rejected(Cause.MALFORMED, message=str(error))
    except InapplicableError as error:
        return rejected(Cause.INAPPLICABLE, message=str(error))
    pending = batches(asked, _TOGETHER)
    while True:
        failed = _ask(obligations.definitions(), pending, timeout - (time.monotonic() - begun))
        if failed is None:
            return CheckResult(True, SOLVERS, len(asked), time.monotonic() - begun)
        at, cause, message = failed
        if cause not in (Cause.REFUTED, Cause.UNDECIDED) or len(pending[at]) == 1:
            return rejected(cause, len(asked), pending[at][0] if at < len(pending) else None, message)
        pending[at : at + 1] = [[obligation] for obligation in pending[at]]


def _ask(definitions: str, pending: Sequence[Sequence[Obligation]], seconds: float) -> tuple[int, Cause, str] | None:
    """Ask the solvers about batches of conditions. Returns None if both have confirmed all of them.

    Otherwise returns the position of a batch that one has not confirmed, why, and what it said.
    """
    text = f"\n{SEPARATOR}\n".join(["(set-logic ALL)\n" + definitions, *map(question, pending)])
    limits = Limits(timeout=max(seconds, 0), memory=available_memory(), reserves=True)
    commands = [[sys.executable, "-P", discharging.__file__, solver] for solver in SOLVERS]
    ended = first(commands, lambda _, how: not _confirms(how, len(pending)), limits, stdin=text.encode())
    for position, how in ended.items():
        if not _confirms(how, len(pending)):
            answers = how.stdout.split()
            at = next((n for n, answer in enumerate(answers) if answer != "unsat"), len(answers))
            answer = answers[at] if at < len(answers) else ""
            otherwise = Cause.TIMEOUT if how.timed_out else Cause.FAILED
            cause = {"sat": Cause.REFUTED, "unknown": Cause.UNDECIDED}.get(answer, otherwise)
            return at, cause, f"{SOLVERS[position]}: {how.stderr.strip()[:500]}"
    return None if len(ended) == len(SOLVERS) else (len(pending), Cause.FAILED, "a solver has no answer")


def _confirms(how: Completed, number: int) -> bool:
    """Whether a solver has ended with the answer that none of *number* conditions can be broken."""
    return how.status == 0 and not how.timed_out and not how.exceeded and how.stdout.split() == ["unsat"] * number
