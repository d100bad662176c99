"""Where tasks are, and what is wrong with those that are at fault.

BenchExec reads task definitions. It stops at the first mistake and names only the file, so `fault` looks first: it
finds the line.
"""

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchexec import BenchExecException
from benchexec.model import load_task_definition_file
from benchexec.util import expand_filename_pattern, is_comment

from cseq.cli.tasks.definitions import defined
from cseq.model.errors import InputError, UsageError
from cseq.model.origin import Origin


class TaskGroup(NamedTuple):
    """Tasks that were asked for by path. group: the name under which their results are summed up."""

    group: str
    paths: list[Path]


def found(places: Sequence[Path], warn: Callable[[str], None]) -> list[TaskGroup]:
    """The task definitions in *places*: folders, lists and single files.

    Those in a folder are grouped by the folders that they lie in, those of a list under its name. Other YAML files in
    folders and lists, such as witnesses, are left out.
    warn: as for `listed`. Raises UsageError for a place that does not exist.
    """
    groups: dict[str, dict[Path, None]] = {}
    for place in places:
        if place.is_dir():
            for path in filter(_is_task, sorted(place.rglob("*.yml"))):
                inside = path.parent.relative_to(place)
                groups.setdefault(str(inside) if inside.parts else place.resolve().name, {})[path] = None
        elif place.suffix == ".set":
            groups.setdefault(place.stem, {}).update(dict.fromkeys(filter(_is_task, listed(place, warn))))
        elif place.is_file():
            groups.setdefault("tasks", {})[place] = None
        else:
            raise UsageError(f"{place}: no such file or folder")
    return [TaskGroup(name, list(paths)) for name, paths in groups.items()]


def listed(path: Path, warn: Callable[[str], None]) -> list[Path]:
    """The files that the list *path* (`.set`) names.

    warn: called for a line that matches no file: often only a part of SV-COMP's tasks is there.
    Raises UsageError if no line matches any.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    files: list[Path] = []
    for number, line in enumerate(text.splitlines(), 1):
        pattern = line.strip()
        if not is_comment(pattern):
            matches = _expanded(pattern, path)
            if not matches:
                warn(f"{path}:{number}: `{pattern}` matches no file")
            files += matches
    if not files:
        raise UsageError(f"{path}: the list matches no file")
    return files


def _expanded(pattern: str, file: Path) -> list[Path]:
    """The files that *pattern*, which stands in *file*, means; sorted."""
    return [Path(name) for name in sorted(expand_filename_pattern(pattern, str(file.parent)))]


def _is_task(path: Path) -> bool:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return True  # `fault` says what is wrong
    return any(line.startswith(("format_version:", "input_files:")) for line in text.splitlines())


@functools.cache  # a task is looked at once for each of its properties
def fault(path: Path) -> InputError | None:
    """What is wrong with the task definition *path*, with the line; None if nothing is.

    It is at fault if it is no task definition or names files that do not exist.
    """
    try:
        defined(path)
        load_task_definition_file(str(path))
    except InputError as error:
        return error
    except BenchExecException as error:
        return InputError(str(error), Origin(str(path), 1))
    return None
