"""Garbage collection, which a run does without."""

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def without_collection(ends: bool = False) -> Iterator[None]:
    """Do not look for cycles of garbage: a run makes many trees, and hardly any cycles.

    Looking for them takes a third of a translation's time, and a tenth of that of a short run.

    ends: the process ends after the block.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if ends:
            gc.freeze()  # or the interpreter would look through everything once more as it ends
        elif collecting:
            gc.enable()
