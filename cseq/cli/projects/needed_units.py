"""The files that a program consists of: that with `main`, and those that define what it needs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cseq.cli.projects.compile_database import CompileCommand
from cseq.cli.projects.compiler_flags import shown
from cseq.cli.projects.object_symbols import Symbols
from cseq.model.errors import InputError


@dataclass(frozen=True)
class Unit:
    """A file of the project, as it is compiled for one target.

    words, bits, no_assertions: its flags. symbols: of its object. fault: why it cannot be part of a program.
    """

    entry: CompileCommand
    words: tuple[str, ...]
    bits: int
    no_assertions: bool
    symbols: Symbols
    fault: InputError | None = None

    @property
    def path(self) -> str:
        """The path of the file, absolute."""
        return self.entry.path


class Linking:
    """Finds the files of programs among *units*."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self._units = units
        self._strong: dict[str, list[Unit]] = {}
        self._weak: dict[str, list[Unit]] = {}
        self._programs = {_target(unit) for unit in units if "main" in unit.symbols.defined}
        """The targets that are programs; a file with `main` that is of no target is one by itself."""
        for unit in units:
            for name in unit.symbols.defined:
                self._strong.setdefault(name, []).append(unit)
            for name in unit.symbols.weak:
                self._weak.setdefault(name, []).append(unit)

    def defining(self, name: str) -> list[Unit]:
        """The units that define the global *name*."""
        return self._strong.get(name, []) or self._weak.get(name, [])

    def needed(self, first: Unit, say: Callable[[str], None]) -> list[Unit]:
        """*first* and all units that it needs, in the order in which they are found.

        say: called with each choice between several files, or between several entries for a file. Raises InputError,
        with the place of the entry that needs something, where nothing tells which of several files is meant.
        """
        taken = [first, *(unit for unit in self._units if unit.symbols.starts and _are_linked(unit, first))]
        have = {name for unit in taken for name in (*unit.symbols.defined, *unit.symbols.weak)}
        for unit in taken:  # grows
            for name in (*unit.symbols.needed, *unit.symbols.wished):
                if name in have:
                    continue
                found = self._chosen(name, unit, taken, say)
                # A weak reference takes nothing from a library. What is of the program's own target is there anyhow.
                if found is not None and (name in unit.symbols.needed or _are_linked(found, first)):
                    taken.append(found)
                    have.update((*found.symbols.defined, *found.symbols.weak))
        return taken

    def _chosen(self, name: str, user: Unit, taken: Sequence[Unit], say: Callable[[str], None]) -> Unit | None:
        """The unit that defines *name* for *user*; None where no file of the project does."""
        # What another program consists of is not in a library: nothing of it is linked with this one.
        others = self._programs - {_target(taken[0])}
        found = [unit for unit in self.defining(name) if _target(unit) not in others]
        if len(found) < 2:
            return found[0] if found else None
        for near in _nearest(found, user, taken):
            if len(near) == 1:
                if len({unit.path for unit in found}) > 1:
                    say(_taken(name, near[0], found))
                return near[0]
        if len({unit.path for unit in found}) == 1:
            say(first_of(found))
            return found[0]
        raise InputError(_several(name, user, found), user.entry.origin)


def _nearest(found: Sequence[Unit], user: Unit, taken: Sequence[Unit]) -> Iterator[list[Unit]]:
    """Those of the units *found* that are nearest to a program: of its first unit's target, of that of *user*, …"""
    yield [unit for unit in found if _are_linked(unit, taken[0])]
    yield [unit for unit in found if _are_linked(unit, user)]
    targets = {_target(unit) for unit in taken if unit.entry.target}
    yield [unit for unit in found if _target(unit) in targets]


def _target(unit: Unit) -> tuple[str, str]:
    """The target of *unit*, which has no other's name and folder; for a unit of no target, its own path."""
    return (unit.entry.folder, unit.entry.target) if unit.entry.target else ("", unit.path)


def _are_linked(one: Unit, other: Unit) -> bool:
    """Whether both units are of one target, and not the same file."""
    return bool(one.entry.target) and _target(one) == _target(other) and one.path != other.path


def first_of(units: Sequence[Unit]) -> str:
    """The words for that the first of several *units* of one file is taken."""
    target = units[0].entry.target
    how = f"it is compiled for `{target}`" if target else "its first entry in the database says"
    return f"{shown(units[0].path)} is compiled more than once, and is taken as {how}"


def _taken(name: str, chosen: Unit, found: Sequence[Unit]) -> str:
    """The words for that of several files that define *name* one is *chosen*."""
    others = dict.fromkeys(shown(unit.path) for unit in found if unit.path != chosen.path)
    where = f"{shown(chosen.path)}, which belongs to `{chosen.entry.target}`"
    return f"`{name}` is taken from {where}, and not from {' or '.join(others)}"


def _several(name: str, user: Unit, found: Sequence[Unit]) -> str:
    """The words of the error where several files define *name*."""
    paths = [shown(unit.path) for unit in found]
    which = f"`{name}`, which {shown(user.path)} needs, is defined in {', '.join(paths[:-1])} and in {paths[-1]}"
    return f"{which}: which of them the program is linked with is not known"


def by_target(units: Sequence[Unit]) -> Mapping[str, list[Unit]]:
    """The units that define main, by the names of their targets."""
    found: dict[str, list[Unit]] = {}
    for unit in units:
        if "main" in unit.symbols.defined and unit.entry.target:
            found.setdefault(unit.entry.target, []).append(unit)
    return found
