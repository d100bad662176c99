"""The files that are written about each of several programs, in folders that the user names."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from cseq.cli.files import write_all
from cseq.cli.outputs import FileOptions
from cseq.cli.request import Request
from cseq.cli.tasks.task import Task
from cseq.model.errors import UsageError
from cseq.model.verdict import Outcome, Verdict

FOLDERS = frozenset({"keep", "html", "reproducer", "witness"})
"""Options, by their names in `FileOptions`, that take a folder in place of a file where there are several programs."""

_PROGRAMS = frozenset({"--keep", "--reproducer"})
"""Options that write programs."""


def make_folders(folders: FileOptions, sources: Sequence[str]) -> None:
    """Make the *folders*. Raises UsageError if that is not possible, or if their files would be among the *sources*.

    sources: the folders of the programs.
    """
    places = [("--keep", folders.keep), ("--html", folders.html), ("--reproducer", folders.reproducer)]
    for option, place in [*places, *(("--witness", name) for name in folders.witness)]:
        if place is None:
            continue
        within = _source_of(Path(place), sources) if option in _PROGRAMS else None
        if within is not None:
            what = f"what is written there would be among the programs of {within} next time"
            raise UsageError(f"{option}: {place}: {what}; name a folder elsewhere, or one that begins with a dot")
        try:
            Path(place).mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise UsageError(f"{option}: {place} is a file; with a folder of programs it has to be a folder") from None
        except OSError as error:
            raise UsageError(f"{option}: {place}: cannot be made: {error.strerror}") from None


def _source_of(place: Path, sources: Sequence[str]) -> str | None:
    """The one of *sources* in which programs in the folder *place* would be found."""
    for source in sources:
        root = Path(source).resolve()
        if place.resolve().is_relative_to(root):
            inside = place.resolve().relative_to(root)
            if not any(part.startswith(".") for part in inside.parts):
                return source
    return None


def write_for(task: Task, request: Request, outcome: Outcome, folders: FileOptions, end: float | None = None) -> None:
    """Write what there is to write about the *outcome* of *task*; nothing where nothing can be said.

    request: the run. folders: the user's. end: as for `write_all`. Raises UsageError for a file that cannot be written.
    """
    written = _files(task, outcome, folders)
    for path in _paths(written):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_all(replace(request, written=written), outcome, end)


def _files(task: Task, outcome: Outcome, folders: FileOptions) -> FileOptions:
    """The files about one program; a kind of file is left out where the outcome has nothing for it."""
    from cseq.report.page import htmlreport
    from cseq.report.witness import waypoints

    return FileOptions(
        html=_in(folders.html, task, ".html") if htmlreport.refusal(outcome) is None else None,
        reproducer=_in(folders.reproducer, task, ".reproducer.c") if outcome.verdict is Verdict.FALSE else None,
        witness=tuple(
            str(Path(folder, f"{task.inside}.witness.yml"))
            for folder in (folders.witness if waypoints.refusal(outcome) is None else ())
        ),
    )


def _in(folder: str | None, task: Task, end: str) -> str | None:
    return None if folder is None else str(Path(folder, f"{task.inside}{end}"))


def _paths(written: FileOptions) -> Iterator[Path]:
    yield from (Path(name) for name in (written.html, written.reproducer, *written.witness) if name is not None)
