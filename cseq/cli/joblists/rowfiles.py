"""The files of a list of jobs: the list, and the folder for their reports."""

import shlex
from pathlib import Path

from cseq.cli.console import called, write
from cseq.cli.joblists.jobrows import rows
from cseq.cli.request import Request
from cseq.model.errors import UsageError
from cseq.process.deadline import undisturbed
from cseq.report.text import merged

ROWS = "rows"
"""The name of the copy of the list in the folder of the reports, by which `cseq merge` knows what is missing."""


def write_rows(request: Request) -> int:
    """Write the list of jobs that *request* asks for, and make the folder for their reports; returns 0.

    Raises UsageError if that is not possible.
    """
    name = request.written.job_list
    assert name is not None
    folder = Path(f"{name}.d")
    jobs = rows(request)
    width = max(4, len(str(len(jobs))))
    lines = [
        f"{shlex.join([called(), *words])} > {shlex.quote(str(folder / f'{number:0{width}}.json'))}"
        for number, words in enumerate(jobs, 1)
    ]
    if any(len(line.splitlines()) != 1 for line in lines):
        raise UsageError("--job-list: a name or a value with a line break does not fit into a row")
    text = "".join(f"{line}\n" for line in lines)
    at = folder
    try:
        folder.mkdir(exist_ok=True)
        with undisturbed():
            for at in (Path(name), folder / ROWS):
                at.write_text(text, encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise UsageError(f"--job-list: {at}: cannot be written: {error.strerror}") from None
    return write(merged.listed(len(jobs), name, str(folder), called()))


def expected(folder: Path) -> dict[str, str]:
    """The jobs whose reports belong into *folder*: the names of these → the command lines. Empty without a list."""
    try:
        text = (folder / ROWS).read_text(encoding="utf-8", errors="surrogateescape")
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UsageError(f"{folder / ROWS}: cannot be read: {error.strerror}") from None
    found = {}
    for line in text.splitlines():
        command, arrow, target = line.rpartition(" > ")
        try:
            name = Path(shlex.split(target)[0]).name if arrow else ""
        except (ValueError, IndexError):
            name = ""
        if not name:
            raise UsageError(f"{folder / ROWS}: is not a list of jobs that --job-list has written")
        found[name] = command
    return found
