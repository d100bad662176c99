"""Run a chain on a program: the entry points of the command line and of Python users."""

import contextlib
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from cseq.model.errors import BackendError, UsageError, stage_of
from cseq.model.verdict import Caution, Level, Outcome, Reason
from cseq.modules.questions.questions import MERGER, ONLY
from cseq.options.cluster_options import CLUSTER
from cseq.options.properties import JOBS, RESUME, TIMEOUT
from cseq.pipeline.chain import load
from cseq.pipeline.jobs import Pool
from cseq.pipeline.session import Session
from cseq.pipeline.stage import Context
from cseq.pipeline.status import Event
from cseq.portfolio.collection import without_collection
from cseq.portfolio.families import Configuration, Families, OneChain
from cseq.process.deadline import TimeUpError, alarm
from cseq.process.job_slots import JobSlots, SharedSlots
from cseq.process.processors import at_most

GRACE = 1.0
"""Seconds after the time limit in which engines may say what they have found; after that, they are ended."""

RECURSION = 20_000
"""The recursion limit: trees are as deep as programs are nested, or as a chain of `else if` is long."""


def verify(
    path: str | Path | Sequence[str | Path],
    *,
    chain: str | None = None,
    keep: str | Path | None = None,
    progress: Callable[[str], None] | None = None,
    **parameters: Any,
) -> Outcome:
    """Look for a violation in the C or C++ program *path* (or in several files that make one program).

    chain:      a chain file, or the name of one that comes with CSeq. Without it, the parameters decide, as the options
               of the command line do: by default, two families of engines look for the answer at the same time.
    keep:       the folder for the intermediate files; without it they are removed.
    progress:   called with the name of each phase when it begins.
    parameters: those of the chain's stages, such as ``rounds=2, unwind=2, backend="cbmc", timeout=60`` (seconds).

    Returns the outcome. Raises InputError, with the place, for programs that cannot be read or are not supported,
    UsageError for parameters that the chain does not take, and BackendError when the engine fails.
    """
    paths = [path] if isinstance(path, (str, Path)) else list(path)
    way, rivals = (Families() if chain is None else OneChain(load(chain))).ways(parameters, files=paths)
    result = run(way, paths, rivals=rivals, keep=keep, observer=Functions(phase=progress))
    if not isinstance(result, Outcome):
        raise UsageError(f"the chain {way.chain.path} ends without a verdict")
    from cseq.report.words import worded

    return worded(result)


class Observer:
    """Observes a run; subclasses override the methods.

    watches: whether `changed` needs to be called.
    """

    watches = False

    def phase(self, name: str) -> None:
        """A phase begins."""

    def tell(self, level: Level, named: bool) -> None:
        """A level of bounds is done. named: whether there are several properties."""

    def answered(self, outcome: Outcome) -> None:
        """The answer for one of several properties is known, and others are still looked for."""

    def changed(self, event: Event) -> None:
        """Something has changed."""

    def seen(self, name: str, output: Any, context: Context) -> None:
        """The stage *name* has produced its output."""

    def made(self, name: str, output: Any) -> Any:
        """The input of the next stage, in place of the *output* of the stage *name*; None ends the run."""
        return output


class Functions(Observer):
    """An observer whose methods call the given functions of the same names, if there are any."""

    def __init__(
        self,
        *,
        phase: Callable[[str], None] | None = None,
        changed: Callable[[Event], None] | None = None,
        made: Callable[[str, Any], Any] | None = None,
    ) -> None:
        self.watches = changed is not None
        self._phase, self._changed, self._made = phase, changed, made

    def phase(self, name: str) -> None:
        """A phase begins."""
        if self._phase is not None:
            self._phase(name)

    def changed(self, event: Event) -> None:
        """Something has changed."""
        if self._changed is not None:
            self._changed(event)

    def made(self, name: str, output: Any) -> Any:
        """The input of the next stage."""
        return output if self._made is None else self._made(name, output)


def run(
    way: Configuration,
    paths: Sequence[str | Path],
    *,
    rivals: Sequence[Configuration] = (),
    keep: str | Path | None = None,
    observer: Observer | None = None,
    printing: bool = False,
    shared_slots: SharedSlots | None = None,
) -> Any:
    """Run a chain on the files *paths*, with values of its parameters; returns the output of the last stage that ran.

    rivals: other ways, of other families, where *way* is of the symbolic one: the first answer wins.
    keep:  the folder for the intermediate files. Without it they are in a temporary folder that is removed in the
          end, unless a counterexample could not be replayed: then they are kept for the bug report.
    printing: only intermediate programs are wanted, so the stages run once.
    shared_slots: the runs of other programs with which this one shares the machine, if there are any.
    """
    begun = time.monotonic()
    sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION))
    folder = folder_for(keep)
    observer = observer or Observer()
    watcher = observer.changed if observer.watches else None
    context = Context(
        way.values, folder, progress=observer.phase, tell=observer.tell, watcher=watcher, answered=observer.answered
    )
    limit = TIMEOUT.of(way.values)
    context.end = None if limit is None else begun + limit
    kept = keep is not None
    try:
        with (
            without_collection(),
            alarm(None if limit is None else begun + limit + GRACE),
            _slots(shared_slots, JOBS.of(way.values), folder) as slots,
            contextlib.ExitStack() as stack,
        ):
            session = Session(way.chain, [str(path) for path in paths], context, observer.made, observer.seen)
            if CLUSTER.of(way.values) is not None and not printing:
                context.pool = stack.enter_context(_cluster(session, way, rivals, folder))
            elif rivals or not printing:
                from cseq.pipeline.localpool import LocalPool

                share = shared_slots.share if shared_slots is not None else None
                context.pool = pool = LocalPool(session, slots, share)
                if shared_slots is not None and not rivals:  # they do the work in processes of their own
                    pool.begin()
            if shared_slots is not None:
                context.concurrent_runs = shared_slots.width
            planner = way.chain.planner(context) if way.chain.planner else None
            if (file := RESUME.of(way.values)) is not None and not printing:
                _resume(Path(file), session, way, planner.first() if planner else way.values)
            if rivals:
                from cseq.portfolio import engine_race as auto

                result = auto.plan(session, way, rivals)
            elif planner is None or printing:
                result = session.run(planner.first() if planner else way.values)
            else:
                result = planner.plan(session)
            if isinstance(result, Outcome):
                result.times = dict(context.times)
                result.program, result.asked = context.program, tuple(asked(way))
                kept = kept or any(part.reason is Reason.REPLAY for part in result.all())
                result.kept = str(folder) if kept else None
                result.warnings = [*result.warnings, *_coverage(result)]
            return result
    except TimeUpError as error:  # outside of the plan: an intermediate program is wanted, say
        raise BackendError(f"out of time{f' in the stage `{stage_of(error)}`' if stage_of(error) else ''}") from None
    finally:
        if not kept:
            shutil.rmtree(folder, ignore_errors=True)


def _coverage(outcome: Outcome) -> Iterator[Caution]:
    """What the answers do not cover."""
    from cseq.report.coverage_words import cautions

    for part in outcome.all():
        yield from cautions(part)


def _resume(file: Path, session: Session, way: Configuration, values: dict[str, object]) -> None:
    """Have *session* do nothing again that is in the journal in *file*, and note there what it does.

    values: those of the first run. Raises UsageError if the journal is not of this run.
    """
    from cseq.modules.symbolic.levels.journal import opened
    from cseq.modules.symbolic.levels.level import has_tiles
    from cseq.pipeline.journalpool import JournalPool

    context = session.context
    if not has_tiles(session, values):
        raise UsageError("--resume: only a symbolic search by rounds can be resumed (-b cbmc)")
    if not session.is_ours:
        raise UsageError(f"--resume: {way.chain.path} has stages of your own, whose answers are not kept")
    session.run(dict(values), until=MERGER)
    assert context.pool is not None
    context.journal = opened(file, context.program, way.chain.names, way.values)
    context.pool = JournalPool(context.pool, context.journal)
    context.values = way.values


def _cluster(
    session: Session, way: Configuration, rivals: Sequence[Configuration], folder: Path
) -> AbstractContextManager[Pool]:
    """The pool of the cluster that the user names. folder: for temporary files. Raises CSeqError."""
    from cseq.portfolio.cluster.pool import cluster_for

    return cluster_for(session, way.values, [str(each.values["backend"]) for each in (way, *rivals)], folder)


@contextlib.contextmanager
def _slots(shared_slots: SharedSlots | None, jobs: int | None, folder: Path) -> Iterator[JobSlots]:
    """The slots of a run that does *jobs* at a time (None: as many as there are processors), or the shared ones."""
    if shared_slots is not None:
        yield shared_slots.slots
        return
    with at_most(jobs) as number, tempfile.TemporaryDirectory(prefix=".slots-", dir=folder) as place:
        yield JobSlots(Path(place), number)


def asked(way: Configuration) -> list[str]:
    """The names of the properties that *way* is asked for, also those that ``--only`` leaves out."""
    if way.chain.planner is None:
        return []
    only = ONLY.of(way.values)
    names = list(way.chain.planner(Context({**way.values, ONLY.name: ""}, Path())).questions())
    return names if not only or only in names else [only]


def folder_for(keep: str | Path | None) -> Path:
    """The folder *keep*, which is made if it is not there, or a temporary one. Raises UsageError."""
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
