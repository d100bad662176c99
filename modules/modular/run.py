"""Analyse a program thread by thread, check the certificate, and derive a verdict about data races or deadlocks."""

from __future__ import annotations

from dataclasses import replace

from cseq.model.activity import ActivityKind, phase
from cseq.model.proof import CertificateCheck
from cseq.model.sharing import SharedAccess, SharedData
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.modules.ir import instructions as ir
from cseq.modules.modular.annotations import Annotations
from cseq.modules.modular.certificate import Status, check
from cseq.modules.modular.certify import certificate
from cseq.modules.modular.encode import PROGRAM
from cseq.modules.modular.program_analysis import ProgramAnalysis
from cseq.modules.modular.sharing import Sharing, orders
from cseq.options.memory_models import C11
from cseq.options.properties import MEMLIMIT, PROPERTY, RACE, TIMEOUT
from cseq.pipeline.facts import Needs
from cseq.pipeline.stage import Parameter, Unit, Wrapper

ENGINE = Parameter(
    "backend", str, "modular", "the analysis thread by thread", ("--backend", "-b"), "NAME",
    choices=lambda: ["modular"],
)  # fmt: skip


_GIVEN = "no violation in any execution without invalid accesses to memory (see --memsafety)"


class ModularRun(Wrapper):
    """in: the core language with calls. out: the outcome."""

    takes = (ENGINE, PROPERTY, TIMEOUT, MEMLIMIT)
    program = Needs(PROGRAM)

    def run(self, value: Unit) -> Outcome:
        """Analyse the program."""
        name = self.parameter(ENGINE)
        self.context.begin("modular", phase(ActivityKind.PROVING, name))
        analysis = ProgramAnalysis(self.program)
        sharing = _shared_data(analysis) if self.parameter(PROPERTY) == RACE else orders(analysis)
        found = self._found(analysis, sharing, name)
        found.sharing = sharing
        if found.verdict is Verdict.TRUE and analysis.has_orders:
            found.memory_model = C11  # no reason needs more than the orders of the program
        return found

    def _found(self, analysis: ProgramAnalysis, sharing: SharedData, name: str) -> Outcome:
        """The verdict."""
        left = self._left(analysis, sharing)
        if left:
            return Outcome(Verdict.UNKNOWN, Reason.UNPROVED, left, backend=name)
        if analysis.cuts:
            message = f"executions may be cut off at {analysis.cuts[0].origin}"
            return Outcome(Verdict.UNKNOWN, Reason.UNPROVED, message, backend=name)
        checked = check(self.program, certificate(analysis), self.parameter(PROPERTY) != RACE)
        if checked.status is Status.REJECTED:
            message = f"the certificate of the analysis was rejected: {checked.why}"
            return Outcome(Verdict.UNKNOWN, Reason.UNPROVED, message, backend=name)
        found = Outcome(Verdict.TRUE, message=_GIVEN if analysis.rests_on_memory_safety() else "", backend=name)
        found.certificate = CertificateCheck(checked.status is Status.ACCEPTED, checked.why, checked.pairs)
        return found

    def _left(self, analysis: ProgramAnalysis, sharing: SharedData) -> str:
        """What there is no reason for; empty if there is nothing."""
        if self.parameter(PROPERTY) == RACE:
            return _unprotected(sharing)
        for each in analysis.waits.open():
            if each in analysis.waits.refused:
                return f"the wait at {each.origin} is for something else than a lock or a thread"
            if isinstance(each, ir.Return):
                return f"a thread may end with a lock that it holds ({each.origin})"
            return f"the wait at {each.origin} may be one in a circle"
        return ""


def _shared_data(analysis: ProgramAnalysis) -> SharedData:
    """What is shared, why there is no race on it, and what can be said of it in the source."""
    sharing = Sharing(analysis)
    return replace(sharing.data(), annotations=Annotations(sharing).all())


def _unprotected(sharing: SharedData) -> str:
    """The first two accesses that nothing is known to keep apart."""
    for shared in sharing.left:
        pair = shared.open[0]
        name = f" on `{shared.name}`" if shared.name else ""
        number = sum(len(each.open) for each in sharing.left) - 1
        more = f", and {number} more pairs" if number > 1 else ", and one more pair" if number else ""
        sides = f"{_where(pair.one)} and {_where(pair.other)}{more}"
        return f"nothing is known to prevent a data race{name} of {sides}"
    return ""


def _where(access: SharedAccess) -> str:
    locks = ", ".join(f"`{name}`" for name in access.holds) or "no lock"
    return f"{access.origin} ({'write' if access.writes else 'read'}, holding {locks})"
