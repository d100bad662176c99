"""The backends, by name."""

import importlib

from cseq.backends.base import Backend
from cseq.model.errors import UsageError

BACKENDS = ("cbmc", "esbmc", "klee")
"""The names of the engines that need code: those of their files."""


def known() -> list[str]:
    """The names of all backends."""
    from cseq.backends import declared

    return [*BACKENDS, *declared.names()]


def backend(name: str) -> Backend:
    """The backend called *name*, or that of the declaration *name*, a path; UsageError if there is none."""
    if name in BACKENDS:
        module = importlib.import_module(f"cseq.backends.{name}")
        found: Backend = module.BACKEND
        return found
    from cseq.backends import declared

    path = declared.find(name)
    if path is None:
        what = f"file `{name}`" if name.endswith(".toml") else f"backend `{name}`"
        raise UsageError(
            f"there is no {what} (known: auto, native, spin, {', '.join(known())}, or a file that ends in .toml)"
        )
    return declared.load(path)
