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
    """The meaning of one of the checker's assertions.

    claim: what is wrong if it does not hold. part: the part of the property, if it has parts.
    """

    claim: Claim
    part: str = ""


INSTANCES = Fact[list[Thread]]("threads")
"""The thread instances, main first."""

THREAD_FUNCTIONS = Fact[dict[str, int]]("thread_functions")
"""The functions of the sequentialized program that are threads, with the threads' numbers."""

BOUNDS = Fact[list[Bound]]("bounds")
"""What the program leaves out."""

ROUNDS_NEEDED = Fact[int]("rounds_needed")
"""The number of rounds that cover all schedules."""

BEYOND_ROUNDS = Fact[Callable[[], c_ast.FileAST] | None]("beyond")
"""Makes the program that decides whether the rounds cover all executions; None if that is known without it."""

CHECKS = Fact[list[Check]]("checks")
"""The meanings of the checker's assertions, by number."""

SEQUENTIALIZED = Fact[Unit]("sequentialized")
"""The sequential program, before it is written in an engine's dialect."""
