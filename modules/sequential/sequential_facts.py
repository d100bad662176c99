"""The facts that the stages of the symbolic family leave for one another."""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast

from cseq.base.trace import Thread
from cseq.base.verdict import Bound
from cseq.pipeline.facts import Fact
from cseq.pipeline.stage import Unit

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

SEQUENTIALIZED = Fact[Unit]("sequentialized")
"""The sequential program, before it is written in an engine's dialect."""
