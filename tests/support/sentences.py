"""The mode in which reports show keys, which a test chooses without another process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cseq.report import catalogue


@contextmanager
def keys_only(chosen: bool = True) -> Iterator[None]:
    """A context in which reports show keys instead of sentences, as with ``CSEQ_SENTENCES=keys`` in the environment."""
    before, catalogue._mode.as_keys = catalogue._mode.as_keys, chosen
    try:
        yield
    finally:
        catalogue._mode.as_keys = before
