"""The order in which the accesses of a thread to shared memory take effect."""

from __future__ import annotations

from cseq.pipeline.stage import Parameter

SC, TSO, PSO = "sc", "tso", "pso"
"""Sequential consistency; stores wait in a buffer of the thread, as on x86 (total store order) and on older SPARC
(partial store order), where stores to different objects also overtake one another."""

MEMORY_MODEL = Parameter(
    "memory_model",
    str,
    SC,
    "how stores become visible to other threads: at once, or later, in order (tso, as on x86) or not (pso); implies "
    "--encoding partial-order",
    ("--memory-model",),
    "NAME",
    choices=lambda: [SC, TSO, PSO],
    family="symbolic",
)
