"""CSeq finds concurrency bugs in C programs that use threads.

The public interface is :func:`verify` and the types of its answer::

    import cseq
    outcome = cseq.verify("input.c", rounds=2, unwind=2)
    print(outcome.verdict, outcome.counterexample)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cseq.version import __version__

__all__ = ["Counterexample", "Outcome", "Verdict", "__version__", "verify"]

if TYPE_CHECKING:
    from cseq.api import verify
    from cseq.model.trace import Counterexample
    from cseq.model.verdict import Outcome, Verdict

_HOMES = {
    "verify": "cseq.api",
    "Outcome": "cseq.model.verdict",
    "Verdict": "cseq.model.verdict",
    "Counterexample": "cseq.model.trace",
}


def __getattr__(name: str) -> Any:
    """Load the public names on first use: start-up time is part of every run."""
    if name not in _HOMES:
        raise AttributeError(f"module 'cseq' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
