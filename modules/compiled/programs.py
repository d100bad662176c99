"""The program that is run: what has to hold of it, and what it is started with."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from cseq.model.errors import BackendError, CSeqError, UsageError
from cseq.modules.compiled.client.linked import layout_of
from cseq.modules.compiled.client.record import LAYOUT
from cseq.modules.compiled.client.recorded import signal_name
from cseq.modules.compiled.client.server import ServerError
from cseq.modules.compiled.run_options import NAME

EXPLORE = "CSEQ_EXPLORE"
"""The variable by which instrumented programs that others start are explored: see `runtime/server/alone.c`."""

_OURS = (EXPLORE, "CSEQ_SERVER", "CSEQ_RUN")


def located(name: str) -> str:
    """The path of the program *name*, which is looked for as a shell does. UsageError if it cannot be started."""
    if "/" not in name:
        found = shutil.which(name)
        if found is None:
            here = f" (./{name} is in this folder)" if Path(name).is_file() else ""
            raise UsageError(f"there is no program `{name}`{here}")
        return found
    path = Path(name)
    if not path.exists():
        raise UsageError(f"there is no program {name}")
    if path.is_dir() or not os.access(path, os.X_OK):
        raise UsageError(f"{name} is not a program that can be run")
    return name


def is_instrumented(path: str) -> bool:
    """Whether the program has the runtime. UsageError if it has that of another version, or cannot be read."""
    try:
        layout = layout_of(path)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    if layout not in (None, LAYOUT):
        raise UsageError(f"{path} was built by another version of cseq-c++: build it again")
    return layout is not None


def failure(path: str, error: ServerError) -> CSeqError:
    """The error to raise where the process of the program *path* does not make runs."""
    if str(error) == "model":
        how = f"is ended by {signal_name(error.signal)}" if error.signal else "ends the program"
        return UsageError(f"the scheduling model: `cseq_can_preempt` {how}")
    lines = error.printed.decode(errors="replace").splitlines()
    if str(error) == "ended":
        return BackendError(f"the backend `{NAME}` failed: the process of {path} that makes runs has ended")
    return UsageError(f"{path} does not start{f': {lines[-1]}' if lines else ''}")


def environment(given: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of a program: *given*, or ours without what tells a program that it is to be explored."""
    return {name: value for name, value in (os.environ if given is None else given).items() if name not in _OURS}
