"""The facts that the stages of the symbolic family leave for one another."""

from collections.abc import Callable

from pycparser import c_ast

from cseq.backends.base import Answer
from cseq.model.trace import Thread
from cseq.model.verdict import Bound
from cseq.pipeline.facts import Fact
from cseq.pipeline.stage import Parameter, Unit

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

BY_ROUNDS, PARTIAL_ORDER = "rounds", "partial-order"

ENCODING = Parameter(
    "encoding",
    str,
    BY_ROUNDS,
    "how the engine gets the interleavings: by rounds, or as orders of the accesses to memory (CBMC only)",
    ("--encoding",),
    "NAME",
    choices=lambda: [BY_ROUNDS, PARTIAL_ORDER],
)

SCHEDULED = Fact[Callable[[Answer], tuple[Unit, Answer]]]("scheduled")
"""For a violation that an engine found with threads of its own: the sequential program with the contexts of its trace,
and the answer with the inputs of that program. ValueError for a trace that is none of the program."""
