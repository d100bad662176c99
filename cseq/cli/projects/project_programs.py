"""The programs of a project: its tests, its files with `main`, or a function that is called by itself."""

import os
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path, PurePath

from cseq.cli.projects.compiler_flags import shown
from cseq.cli.projects.ctest_listing import Test
from cseq.cli.projects.needed_units import Linking, Unit, by_target, first_of
from cseq.model.errors import InputError, UsageError

Say = Callable[[str], None]

_SYSTEM = ("/usr/", "/bin/", "/sbin/")
"""The folders of programs of the system, which may be called like those of a project."""


@dataclass(frozen=True)
class ProjectProgram:
    """A program of the project, which is checked for itself.

    name: as the user sees it. units: its files, that with its main first. arguments: those that it is started with, as
    a shell splits them; None if nothing says. calls: the function that a main of ours calls; empty for the program's
    own main. fault: why it cannot be checked.
    """

    name: str
    units: tuple[Unit, ...]
    arguments: str | None = None
    calls: str = ""
    fault: InputError | None = None

    @property
    def files(self) -> tuple[str, ...]:
        """The user's files."""
        return tuple(shown(unit.path) for unit in self.units)

    @property
    def bits(self) -> int:
        """The data model."""
        return self.units[0].bits


def from_tests(units: Sequence[Unit], tests: Sequence[Test], say: Say, folder: Path) -> list[ProjectProgram]:
    """A program for each of the *tests* that runs one. say: called with what is left out. folder: of the build."""
    linking, targets = Linking(units), by_target(units)
    linked = {path: unit for unit in units if "main" in unit.symbols.defined for path in _executables(unit)}
    found = []
    for test in tests:
        if test.disabled:
            say(f"the test `{test.name}` is left out: it is disabled")
            continue
        if not test.command:
            say(f"the test `{test.name}` is left out: ctest does not tell its command before the project is built")
            continue
        program = Path(test.command[0])
        is_built = not str(program).startswith(_SYSTEM)
        mains = targets.get(program.name, []) if is_built else []
        mains = [unit for unit in mains if unit.entry.folder == str(program.parent)] or mains
        if (exact := linked.get(os.path.normpath(folder / program))) is not None:
            mains = [exact]
        broken = [unit for unit in units if is_built and unit.symbols.fault and unit.entry.target == program.name]
        if len(mains) == 1:
            made = _program(test.name, mains[0], linking, say)
            found.append(replace(made, arguments=shlex.join(test.command[1:])))
        elif mains:
            say(f"the test `{test.name}` is left out: the database has {len(mains)} programs called {program.name}")
        elif broken:
            found.append(ProjectProgram(test.name, (broken[0],), fault=broken[0].fault))
        else:
            say(f"the test `{test.name}` is left out: {program} is not made of files in the database")
    return found


def linking_command(unit: Unit) -> Path:
    """The file in which CMake writes how it links the target of *unit*, where the build is done by make."""
    return Path(unit.entry.folder, "CMakeFiles", f"{unit.entry.target}.dir", "link.txt")


def _executables(unit: Unit) -> Iterator[str]:
    """The paths of what the target of *unit* is linked into, if that is known; the target may have another name."""
    try:
        words = shlex.split(linking_command(unit).read_text(encoding="utf-8")) if unit.entry.target else []
    except (OSError, ValueError):
        return
    for option, name in pairwise(words):
        if option == "-o":
            yield os.path.normpath(Path(unit.entry.folder, name))


def from_mains(units: Sequence[Unit], say: Say) -> list[ProjectProgram]:
    """A program for each file that defines `main`. Files that cannot be compiled may define it, so they count, too."""
    linking = Linking(units)
    found = []
    for unit in units:
        if "main" in unit.symbols.defined:
            found.append(_program(_name(unit, units), unit, linking, say))
        elif unit.symbols.fault:
            found.append(ProjectProgram(_name(unit, units), (unit,), fault=unit.fault))
    return found


def of_main(units: Sequence[Unit], file: str, say: Say) -> ProjectProgram:
    """The program whose main is in *file*. Raises UsageError where there is none, and InputError with its fault."""
    path = Path(file).resolve()
    found = [unit for unit in units if Path(unit.path).resolve() == path]
    if not found:
        raise UsageError(f"--main: {file} is not in the compilation database")
    for unit in found:
        if unit.symbols.fault and unit.fault is not None:
            raise unit.fault
    mains = [unit for unit in found if "main" in unit.symbols.defined]
    if not mains:
        raise UsageError(f"--main: {file} does not define `main`")
    if len(mains) > 1:
        say(first_of(mains))
    return _program(file, mains[0], Linking(units), say)


def of_function(units: Sequence[Unit], function: str, say: Say) -> ProjectProgram:
    """The program that calls *function*, and nothing else. Raises UsageError where there is none such."""
    if not re.fullmatch(r"[A-Za-z_]\w*", function) or function == "main":
        raise UsageError(f"--entry: `{function}` is not the name of a function to be called (--main FILE is for mains)")
    linking = Linking(units)
    found = linking.defining(function) or [unit for unit in units if function in unit.symbols.local]
    if not found:
        broken = next((unit.fault for unit in units if unit.symbols.fault), None)
        more = f" ({broken})" if broken is not None else ""
        raise UsageError(f"--entry: no file in the compilation database defines `{function}`{more}")
    paths = list(dict.fromkeys(shown(unit.path) for unit in found))
    if len(paths) > 1:
        raise UsageError(f"--entry: `{function}` is defined in {', '.join(paths[:-1])} and in {paths[-1]}")
    if len(found) > 1:
        say(first_of(found))
    return replace(_program(function, found[0], linking, say), calls=function)


def _name(unit: Unit, units: Sequence[Unit]) -> str:
    """The name of the program of *unit*: its path, with the target where the file is compiled for several."""
    path = shown(unit.path)
    same = [other for other in units if other.path == unit.path]
    return f"{path} ({unit.entry.target})" if len(same) > 1 and unit.entry.target else path


def _program(name: str, first: Unit, linking: Linking, say: Say) -> ProjectProgram:
    """The program that begins with the unit *first*."""
    try:
        units = linking.needed(first, lambda line: say(f"{name}: {line}"))
        _check(units)
    except InputError as error:
        return ProjectProgram(name, (first,), fault=error)
    return ProjectProgram(name, tuple(units))


def _check(units: Sequence[Unit]) -> None:
    """Raise InputError where *units* cannot be checked together."""
    seen: set[str] = set()
    for unit in units:
        path = shown(unit.path)
        if unit.fault is not None:
            raise unit.fault
        if unit.path in seen:
            raise InputError(f"the program needs {path} twice, compiled in two ways", unit.entry.origin)
        seen.add(unit.path)
        if unit.bits != units[0].bits:
            raise InputError(f"{path} is compiled for {unit.bits} bits, and others are not", unit.entry.origin)


def distinct(programs: Sequence[ProjectProgram]) -> Iterator[tuple[ProjectProgram, PurePath]]:
    """The *programs*, each with a place for files about it; no two have a place or a name in common."""
    places: set[str] = set()
    names: set[str] = set()
    for program in programs:
        place = _free(re.sub(r"[^\w.+-]+", "_", program.name).strip("._") or "program", "-{}", places)
        yield replace(program, name=_free(program.name, " ({})", names)), PurePath(place)


def _free(name: str, end: str, taken: set[str]) -> str:
    """*name*, with a number at its *end* if it is *taken*; it is taken from now on."""
    made, number = name, 1
    while made in taken:
        number += 1
        made = name + end.format(number)
    taken.add(made)
    return made
