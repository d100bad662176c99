"""The programs in folders: files in C and C++, or the task definitions that name them."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from cseq.cli.tasks.definitions import Definition, TaskProperty, defined, is_definition
from cseq.model.errors import InputError, UsageError
from cseq.modules.compiled.languages import CXX

SUFFIXES = frozenset({".c", ".i", *CXX})
"""What the names of programs end with."""


@dataclass(frozen=True)
class FolderProgram:
    """A program in a folder.

    path: as the user sees it. inside: the path within the folders that were given, which no two have in common.
    files: of the program. definition: the task definition that names them, if one does. wanted: the property of the
    definition that is checked. fault: why the definition cannot be followed.
    """

    path: str
    inside: PurePath
    files: tuple[str, ...]
    definition: Definition | None = None
    wanted: TaskProperty | None = None
    fault: InputError | None = None


def are_folders(paths: Sequence[str]) -> bool:
    """Whether *paths* are folders of programs. Raises UsageError if only some of them are."""
    folders = [path for path in paths if Path(path).is_dir()]
    if folders and len(folders) < len(paths):
        file = next(path for path in paths if path not in folders)
        what = "the programs in a folder are checked each for itself, and several files make one program"
        raise UsageError(f"{folders[0]} is a folder and {file} is a file, which cannot be combined: {what}")
    return bool(folders)


def programs(folders: Sequence[str], warn: Callable[[str], None], whole: bool = False) -> list[FolderProgram]:
    """The programs in the *folders* and their subfolders, in the order of their paths.

    In a folder with task definitions, these are what counts. Folders and files whose names begin with a dot are left
    out. warn: called with what else is left out. whole: the user says what is checked, so a definition is one task and
    not one for each of its properties.
    Raises UsageError where there are no programs, or a folder cannot be read.
    """
    roots = list(dict.fromkeys(os.path.normpath(folder) for folder in folders))
    above = Path(os.path.commonpath([Path(root).resolve() for root in roots]))
    found: dict[Path, FolderProgram] = {}
    for root in roots:
        for folder, names in _folders(Path(root)):
            for program in _in(folder, names, warn, whole):
                place = folder.resolve() / program.inside
                found.setdefault(place, replace(program, inside=place.relative_to(above)))
    if not found:
        named = ", ".join(roots)
        kinds = "*.c, *.i, *.cpp, *.cc, *.cxx, or task definitions, *.yml"
        raise UsageError(f"{named}: there is no program in the folder{'s' if len(roots) > 1 else ''} ({kinds})")
    return list(found.values())


def _folders(root: Path) -> Iterator[tuple[Path, list[str]]]:
    """The folder *root* and those in it, each with the names of its files."""

    def refuse(error: OSError) -> None:
        raise UsageError(f"{error.filename}: cannot be read: {error.strerror}") from None

    for folder, inside, names in os.walk(root, onerror=refuse):
        inside[:] = sorted(name for name in inside if not name.startswith("."))
        yield Path(folder), sorted(name for name in names if not name.startswith("."))


def _in(folder: Path, names: Sequence[str], warn: Callable[[str], None], whole: bool) -> Iterator[FolderProgram]:
    """The programs in *folder* itself, which has files of these *names*."""
    sources = [name for name in names if PurePath(name).suffix in SUFFIXES and _is_source(folder / name)]
    definitions = [name for name in names if name.endswith(".yml") and is_definition(folder / name)]
    if not definitions:
        yield from (FolderProgram(str(folder / name), PurePath(name), (str(folder / name),)) for name in sources)
        return
    used: set[str] = set()
    for name in definitions:
        path = folder / name
        try:
            definition = defined(path)
        except InputError as error:
            yield FolderProgram(str(path), PurePath(name), (), fault=error)
            used.update(source for source in sources if _stem(source) == _stem(name))
            continue
        used.update(PurePath(file).name for file in definition.files)
        asked: Iterable[TaskProperty | None] = [None] if whole else definition.wanted
        if not definition.wanted and not whole:
            warn(f"{path}: left out: none of its properties is one that is checked here")
        several = len(definition.wanted) > 1 and not whole
        for wanted in asked:
            inside = PurePath(name, wanted.name) if several and wanted is not None else PurePath(name)
            yield FolderProgram(str(path), inside, definition.files, definition, wanted)
    if left := _unnamed(sources, used):
        more = f" and {len(left) - 1} more" if len(left) > 1 else ""
        warn(f"{folder / left[0]}{more}: left out: no task definition in the folder names it")


def _is_source(path: Path) -> bool:
    """Whether *path* can be read like a file; a link that leads nowhere is an error that the user wants to know of."""
    return path.is_file() or not path.exists()


def _unnamed(sources: Iterable[str], used: Collection[str]) -> list[str]:
    """Those of *sources* that are not *used*; a program is often there twice, before and after the preprocessor."""
    stems = {_stem(name) for name in used}
    return [name for name in sources if name not in used and _stem(name) not in stems]


def _stem(name: str) -> str:
    return PurePath(name).stem
