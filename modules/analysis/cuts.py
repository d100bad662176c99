"""Where executions are cut off, in words, and what these words say.

The text of a ``__CSEQ_unwound`` is all that is left of a cut behind the stage that made it, and what the user reads.
"""

from __future__ import annotations

import re

_KINDS = {
    " may call itself ": "recursion",
    " may start itself ": "recursion",
    " may be created": "threads",
    "inputs ": "inputs",
}


def times(number: int) -> str:
    """``once``, ``2 times``, …"""
    return "once" if number == 1 else f"{number} times"


def loop(bound: int) -> str:
    """A loop of which it is not known how often it runs, behind so many iterations."""
    return f"the loop may run more than {times(bound)}"


def counted(runs: int, bound: int, option: str) -> str:
    """A loop that runs more often than the bound allows. option: the one that sets the bound."""
    return f"the loop runs {times(runs)}, and {option} {'says' if option == '--unwindset' else 'is'} {bound}"


def runs(text: str) -> int:
    """How often the loop runs that the words of `counted` are about, where `--unwind` limits it; 0 for other words."""
    found = re.match(r"the loop runs (\d+) times, and --unwind is ", text)
    return int(found[1]) if found else 0


def destructors(bound: int) -> str:
    """The loop over the destructors of a thread that ends."""
    return f"a thread may call destructors more than {times(bound)}"


def recursion(function: str | None, bound: int) -> str:
    """A function that calls itself when so many activations are nested."""
    return f"`{function}` may call itself more than {bound} deep"


def starts(function: str | None, bound: int) -> str:
    """A thread that starts its own start function when so many have done that."""
    return f"`{function}` may start itself more than {bound} deep"


def threads(bound: int) -> str:
    """One thread too many."""
    return f"more than {bound} {'thread' if bound == 1 else 'threads'} may be created"


def inputs(range_: str) -> str:
    """Inputs that more values count of than the user wants to look at. range_: as in ``--nondet-range``."""
    return f"inputs outside of {range_}"


def kind(text: str) -> str:
    """The kind of bound that the words are about: ``unwinding``, ``recursion``, ``threads`` or ``inputs``."""
    return next((kind for words, kind in _KINDS.items() if words in text), "unwinding")


def bound(text: str) -> int:
    """The bound that the words name; 0 where they name none."""
    found = re.search(r"more than (once|\d+)|(?:--unwind is|--unwindset says) (\d+)$", text)
    number = found and (found[1] or found[2])
    return 1 if number == "once" else int(number or 0)


def is_the_user_s(text: str) -> bool:
    """Whether the words are about a bound that the user sets, and not about what a model of a function follows."""
    return text.startswith(("the loop ", "a thread may call destructors ", "more than ", "`")) and bound(text) > 0
