"""The model that SPIN receives for a step program: a process per thread, over the program's state.

All that the threads can change is in one piece of memory, which SPIN tracks and matches (``c_track``). A process has
one option for each transition that its thread may have in a state. The functions of `backends/explorer/spin/model.c`
say whether there is an option N, and what it leads to. The processes exist from the beginning and never end: a process
whose thread does not exist has no option. The only other variable is ``mode``: the execution goes on, has ended, or has
been given up (because an assumption does not hold, for example), so that no claim is about it.

In Promela, labels belong to states of processes. So where it matters at which label a thread stands, a process has
two loops with the same options. The label is before one of them, and the result of an option says which loop is next.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from cseq.modules.explicit.encode.step_program import Label


class Check(Enum):
    """The violations to look for in a state, by their names in `backends/explorer/expand.h`, and failed assertions."""

    CS_CHECK_ASSERTION = "unreach-call"
    CS_CHECK_DEADLOCK = "no-deadlock"
    CS_CHECK_RACE = "no-data-race"
    CS_CHECK_CLAIM = "claim"


@dataclass(frozen=True)
class Model:
    """The parameters of the model.

    threads: the maximum number of threads. size: of the state, in bytes. options: the maximum number of transitions of
    one thread in one state. check: what counts as a violation in a state, if finite executions count at all. lively:
    whether infinite executions count, and finite ones only if nothing can prolong them.
    reduce: whether a transition of the model may be several of the thread. label: the one whose states count.
    propositions: how many there are. claim: SPIN's translation of a formula over the words of `names`.
    """

    threads: int
    size: int
    options: int = 1
    check: Check = Check.CS_CHECK_ASSERTION
    lively: bool = False
    reduce: bool = False
    label: Label | None = None
    propositions: int = 0
    claim: str = ""


TERMINATED = "cs_terminated"
DROPPED = "cs_dropped"
"""Words for propositions that each model has: the process or all threads have ended; the execution is given up."""


def names(propositions: Sequence[str]) -> list[str]:
    """The words for the *propositions*, in their order, in a formula for SPIN."""
    return [f"cs_holds_{number}" for number in range(len(propositions))]


def text(model: Model) -> str:
    """The model in Promela, with embedded C."""
    lines = ["c_decl {", *_declarations(model), *_macros(model), "}"]
    lines += [f'c_track "__start_cseq_state" "{model.size}" "Matched"', "byte mode;"]
    for number in range(model.propositions):
        lines.append(f"#define cs_holds_{number} c_expr {{ CS_HOLDS_{number} }}")
    lines.append(f"#define {TERMINATED} c_expr {{ CS_TERMINATED }}")
    lines.append(f"#define {DROPPED} c_expr {{ CS_DROPPED }}")
    for thread in range(model.threads):
        lines += _process(model, thread)
    return "".join(f"{line}\n" for line in lines) + model.claim


def _declarations(model: Model) -> list[str]:
    return [
        '\\#include "spin/model.h"',
        f"const unsigned int cs_model_options = {model.options};",
        f"const int cs_model_check = {model.check.name};",
        f"const int cs_model_reduce = {int(model.reduce)};",
        f"const int cs_model_lively = {int(model.lively)};",
        "\\#define CS_TAKE(thread, option) \\\\",
        "  do { now.mode = cs_model_takes(thread, option, readtrail); \\\\",
        '  if (now.mode == CS_IS_BAD) uerror("cseq"); } while (0)',
    ]


def _macros(model: Model) -> list[str]:
    """The macros. SPIN takes a call for a side effect, but does not look into a macro."""
    found = []
    for thread in range(model.threads):
        for option in range(model.options):
            here = f"{thread}, {option}"
            has = f"now.mode == CS_GOES_ON && cs_model_has({here})"
            if model.label is None:
                found.append(_macro(f"CS_HAS_{thread}_{option}", has))
                continue
            stands = f"cs_model_stands({here}, {int(model.label)})"
            found.append(_macro(f"CS_HAS_{thread}_{option}", f"{has} && !{stands}"))
            found.append(_macro(f"CS_GETS_{thread}_{option}", f"{has} && {stands}"))
    found += [_macro(f"CS_HOLDS_{n}", f"cs_model_holds({n})") for n in range(model.propositions)]
    found.append(
        _macro("CS_TERMINATED", "now.mode == CS_HAS_ENDED || (now.mode == CS_GOES_ON && cs_model_has_ended())")
    )
    found.append(_macro("CS_DROPPED", "now.mode == CS_IS_GIVEN_UP"))
    return found


def _macro(name: str, value: str) -> str:
    return f"\\#define {name} ({value})"


def _process(model: Model, thread: int) -> list[str]:
    loops = ["loop"] if model.label is None else ["loop", model.label.name.lower()]
    lines = [f"active proctype thread_{thread}()", "{"]
    for loop in loops:
        lines.append(f"{loop}: do")
        for kind, target in zip(("HAS", "GETS"), loops, strict=False):
            for option in range(model.options):
                guard = f"c_expr {{ CS_{kind}_{thread}_{option} }}"
                code = f"c_code {{ CS_TAKE({thread}, {option}); }}"
                lines.append(f"  :: d_step {{ {guard} -> {code} }} goto {target}")
        lines.append("  od;")
    return [*lines, "}"]
