"""The bounds that the user sets, as parameters."""

from cseq.pipeline.stage import Parameter

UNWIND = Parameter(
    "unwind", int, 1, "unroll each loop N times and each recursion N deep", ("--unwind", "-u"), "N", minimum=1
)
RECURSION: Parameter[int | None] = Parameter(
    "recursion", int, None, "nest each function N deep (without it, as --unwind says)", ("--recursion",), "N", minimum=1
)
"""Shared by the stages that bound something."""

THREADS: Parameter[int | None] = Parameter(
    "threads",
    int,
    None,
    "create at most N threads besides main (without it, as many as the unrolled program creates)",
    ("--threads",),
    "N",
    minimum=1,
)
"""Shared by the stages that cut off, and report, what exceeds it."""

SEED = Parameter(
    "seed", int, 1, "the seed of random choices, in the search and for values of inputs", ("--seed",), "N", minimum=0
)
