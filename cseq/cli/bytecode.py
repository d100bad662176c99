"""Where compiled modules are kept if the environment forbids to write them beside their sources, as in containers.

Compiling all modules again takes longer than a small program does. What the user forbids is files beside sources, so
these go into the user's cache. Where that cannot be written, Python goes on without.
"""

import os
import sys


def keep_bytecode() -> None:
    """From now on, keep compiled modules in the user's cache if they would not be kept."""
    if not sys.dont_write_bytecode or sys.pycache_prefix is not None:
        return
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")  # noqa: PTH111, PTH118
    if os.path.isabs(cache):  # noqa: PTH117
        sys.pycache_prefix = os.path.join(cache, "cseq", "bytecode")  # noqa: PTH118
        sys.dont_write_bytecode = False
