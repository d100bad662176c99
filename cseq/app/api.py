"""Run a chain on a program: what the command line and Python users call."""

from __future__ import annotations

import gc
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from cseq.app.families import Families, OneChain, Way
from cseq.base.errors import UsageError
from cseq.base.verdict import Level, Outcome, Reason
from cseq.pipeline.chain import Chain, load
from cseq.pipeline.session import Session
from cseq.pipeline.stage import Context
from cseq.report import words

_RECURSION = 20_000
"""Trees are as deep as programs are nested, or as a chain of `else if` is long."""


def verify(
    path: str | Path | Sequence[str | Path],
    *,
    chain: str | None = None,
    keep: str | Path | None = None,
    progress: Callable[[str], None] | None = None,
    **parameters: Any,
) -> Outcome:
    """Look for a violation in the C program that *path* (or several paths, as one program) holds.

    chain:      a chain file, or the name of one that comes with CSeq. Without it, the parameters tell, as the options
                of the command line do: by default, two families of engines look for the answer at the same time.
    keep:       folder for the intermediate files; without it they are removed.
    progress:   called with the name of each phase when it begins.
    parameters: those of the chain's stages, such as ``rounds=2, unwind=2, backend="cbmc", timeout=60`` (seconds).

    Returns the outcome. Raises InputError, with the place, for programs that cannot be read or are not supported,
    UsageError for parameters that the chain does not know, and BackendError when the engine fails.
    """
    paths = [path] if isinstance(path, (str, Path)) else list(path)
    way, rival = (Families() if chain is None else OneChain(load(chain))).ways(parameters)
    result = run(way.chain, paths, way.values, keep=keep, progress=progress, rival=rival)
    if not isinstance(result, Outcome):
        raise UsageError(f"the chain {way.chain.path} ends without a verdict")
    return words.worded(result)


def run(
    chain: Chain,
    paths: Sequence[str | Path],
    values: dict[str, Any],
    *,
    keep: str | Path | None = None,
    after: Callable[[str, Any], Any] | None = None,
    progress: Callable[[str], None] | None = None,
    tell: Callable[[str], None] | None = None,
    watcher: Callable[[str, Any], None] | None = None,
    printing: bool = False,
    look: Callable[[str, Any, Context], None] | None = None,
    rival: Way | None = None,
) -> Any:
    """Run *chain* on the files *paths* with the parameter values *values*; the output of the last stage that ran.

    keep:  folder for the intermediate files. Without it they live in a temporary folder that is removed in the
           end, unless a counterexample could not be replayed: then they are kept for the bug report.
    after: as in `Session`: sees the output of each stage, and ends a run of the stages by returning None.
    tell:  called with lines for the user that come before the report.
    watcher: as in `Context`: called with what changes.
    printing: only the programs on the way are wanted, so the stages run once.
    look:  as in `Session`: sees the output of each stage, and the context.
    rival: another way to the answer, of the explicit family, where *chain* is of the symbolic one: whoever is first.
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION))
    folder = _folder(keep)
    context = Context(
        values,
        folder,
        progress=progress or (lambda phase: None),
        tell=_telling(tell),
        watcher=watcher,
    )
    kept = keep is not None
    collecting = gc.isenabled()
    gc.disable()  # a run makes many trees and hardly a cycle: looking for them takes a third of a translation's time
    try:
        session = Session(chain, [str(path) for path in paths], context, after, look)
        planner = chain.planner(context) if chain.planner else None
        if rival is not None:
            from cseq.app import auto

            result = auto.plan(session, Way(chain, values), rival)
        elif planner is None or printing:
            result = session.run(planner.first() if planner else values)
        else:
            result = planner.plan(session)
        if isinstance(result, Outcome):
            result.times = dict(context.times)
            kept = kept or any(part.reason is Reason.REPLAY for part in result.all())
            result.kept = str(folder) if kept else None
        return result
    finally:
        if collecting:
            gc.enable()
        if not kept:
            shutil.rmtree(folder, ignore_errors=True)


def _telling(tell: Callable[[str], None] | None) -> Callable[[Level, bool], None]:
    if tell is None:
        return lambda level, named: None
    return lambda level, named: tell(words.level(level, named))


def _folder(keep: str | Path | None) -> Path:
    if keep is None:
        return Path(tempfile.mkdtemp(prefix="cseq-"))
    folder = Path(keep).absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".cseq-probe"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written: {error.strerror}") from None
    return folder
