"""Analyse a program thread by thread, and derive a verdict about data races."""

from __future__ import annotations

from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.modules.modular.accesses import Access
from cseq.modules.modular.encode import PROGRAM
from cseq.modules.modular.world import World
from cseq.options.properties import MEMLIMIT, PROPERTY, TIMEOUT
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
        world = World(self.program)
        if world.open:
            one, other = world.open[0]
            message = f"nothing is known to prevent a data race of {_where(one)} and {_where(other)}"
            return Outcome(Verdict.UNKNOWN, Reason.UNPROVED, message, backend="modular")
        if world.cuts:
            return Outcome(
                Verdict.UNKNOWN,
                Reason.UNPROVED,
                f"executions may be cut off at {world.cuts[0].origin}",
                backend="modular",
            )
        message = _GIVEN if world.rests_on_memory_safety() else ""
        return Outcome(Verdict.TRUE, message=message, backend="modular")


def _where(access: Access) -> str:
    return f"{access.instruction.origin} ({'write' if access.writes else 'read'})"
