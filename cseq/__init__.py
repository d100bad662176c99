"""CSeq finds concurrency bugs in C programs that use threads.

The public interface is :func:`verify` and the types of its answer::

    import cseq
    outcome = cseq.verify("input.c", rounds=2, unwind=2)
    print(outcome.verdict, outcome.counterexample)
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from cseq.version import __version__

__all__ = ["Counterexample", "Outcome", "Verdict", "__version__", "verify"]

if TYPE_CHECKING:
    from cseq.api import verify
    from cseq.trace import Counterexample
    from cseq.verdict import Outcome, Verdict

# In a checkout the stages, backends and stubs lie beside this package, not in it (an installed copy has them inside).
_checkout = Path(__file__).resolve().parent.parent
if (_checkout / "modules").is_dir() and not (Path(__file__).resolve().parent / "modules").is_dir():
    __path__.append(str(_checkout))

_HOMES = {"verify": "cseq.api", "Outcome": "cseq.verdict", "Verdict": "cseq.verdict", "Counterexample": "cseq.trace"}


def __getattr__(name: str) -> Any:
    """Load the public names on first use: start-up time is part of every run."""
    if name not in _HOMES:
        raise AttributeError(f"module 'cseq' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
