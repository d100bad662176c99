"""The facts that the stages of the symbolic family leave for one another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pycparser import c_ast

from cseq.base.claims import Claim
from cseq.base.trace import Thread
from cseq.base.verdict import Bound
from cseq.pipeline.facts import Fact
from cseq.pipeline.stage import Unit


@dataclass(frozen=True)
class Check:
    """What an assertion of the checker claims.

    claim: what is wrong where it does not hold. part: that of the property, if it has any.
    """

    claim: Claim
    part: str = ""


INSTANCES = Fact[list[Thread]]("threads")
"""The thread instances, main first."""

THREAD_FUNCTIONS = Fact[dict[str, int]]("thread_functions")
"""The functions of the sequentialized program that are threads, with the numbers of those."""

BOUNDS = Fact[list[Bound]]("bounds")
"""What the program leaves out."""

ROUNDS_NEEDED = Fact[int]("rounds_needed")
"""How many rounds cover all schedules."""

BEYOND_ROUNDS = Fact[Callable[[], c_ast.FileAST] | None]("beyond")
"""Makes the program that tells whether the rounds cover all executions; None where that is known without it."""

CHECKS = Fact[list[Check]]("checks")
"""What the checker's assertions claim, by their numbers."""

SEQUENTIALIZED = Fact[Unit]("sequentialized")
"""The sequential program, before it is written in an engine's dialect."""
