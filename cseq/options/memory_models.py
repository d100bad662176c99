"""The order in which the accesses of a thread to shared memory take effect."""

from cseq.pipeline.stage import Parameter

SC, TSO, PSO, C11 = "sc", "tso", "pso", "c11"
"""Sequential consistency; stores wait in a buffer of the thread, as on x86 (total store order) and on older SPARC
(partial store order), where stores to different objects also overtake one another; each access has the memory order
that the program gives it, as in C."""

BUFFERED = (TSO, PSO)
"""The models with a buffer of stores."""

MEMORY_MODEL = Parameter(
    "memory_model",
    str,
    SC,
    "how stores become visible to other threads: at once, or later, in order (tso, as on x86) or not (pso), which both "
    "imply --encoding partial-order; or as the memory orders of the program say (c11), which implies -b graphs; "
    "without this option, graphs takes part where these are weaker than seq_cst",
    ("--memory-model",),
    "NAME",
    choices=lambda: [SC, TSO, PSO, C11],
    family="symbolic graphs modular",
)

ROBUSTNESS = Parameter("robustness", bool, False, "look for executions that are not sequentially consistent")
"""The planner sets it when it asks whether answers for sequential consistency hold under C11, too."""
