"""What is installed on a machine, as far as an answer may depend on it."""

import hashlib
import importlib.metadata
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from cseq import version
from cseq.model.errors import UsageError
from cseq.portfolio.doctor import FOUND, doctor, versions

_PACKAGES = ("distributed", "pycparser")
"""Packages on which messages between machines depend: their own form, and that of the programs in them."""

_SOURCES = frozenset({".py", ".chain", ".c", ".h", ".hpp", ".toml", ".specs", ".tla"})
"""The suffixes of the files that make CSeq what it is."""

MISSING = "missing"
"""In place of a version."""

_SHOWN = 4
"""The most workers that a message names."""

_ENGINES = {"native": ("cc",), "spin": ("spin", "cc"), "tlc": ("tlc", "java"), "horn": ("horn",)}
"""What a backend consists of, by the names that `cseq doctor` uses, where that is not just its own name."""


@dataclass(frozen=True)
class Versions:
    """The versions on one machine. tools: those that `cseq doctor` lists, by its names, or `MISSING`.

    code: a fingerprint of CSeq's files: two checkouts may have the same version, and not the same code.
    """

    cseq: str
    code: str
    python: str
    packages: tuple[tuple[str, str], ...]
    tools: tuple[tuple[str, str], ...]

    def core(self) -> dict[str, str]:
        """Everything but the tools, by name: what has to be the same on all machines, whatever they are to do."""
        return {"CSeq": self.cseq, "CSeq's code": self.code, "Python": self.python, **dict(self.packages)}

    def of(self, tools: Iterable[str]) -> dict[str, str]:
        """The versions of these *tools*, by name."""
        known = dict(self.tools)
        return {name: known.get(name, MISSING) for name in tools}


def tools_for(engines: Iterable[str]) -> tuple[str, ...]:
    """The tools that the backends *engines* need, by the names of `cseq doctor`."""
    return tuple(dict.fromkeys(tool for engine in engines for tool in _ENGINES.get(engine, (engine,))))


def core() -> Versions:
    """What is installed on this machine, without tools."""
    packages = tuple((name, _version(name)) for name in _PACKAGES)
    return Versions(version.__version__, _fingerprint(), _python(), packages, ())


def everything() -> Versions:
    """What is installed on this machine, with all tools."""
    tools = ((report.name, report.chosen) for report in doctor())
    return replace(
        core(), tools=tuple((name, MISSING if chosen is None else chosen.version or FOUND) for name, chosen in tools)
    )


@cache
def installed(tools: tuple[str, ...]) -> Versions:
    """What is installed on this machine, of tools only *tools*. They are asked once in the life of the process."""
    return replace(core(), tools=tuple((name, version or MISSING) for name, version in versions(tools).items()))


def differences(ours: Mapping[str, str], theirs: Mapping[str, str]) -> list[str]:
    """What differs, in words: ``Python 3.12 instead of 3.11``."""
    found = []
    for name, number in ours.items():
        other = theirs.get(name, MISSING)
        if other != number:
            found.append(f"no {name}" if other == MISSING else f"{name} {other} instead of {number}")
    return found


def check(all_versions: Mapping[str, Versions], engines: Iterable[str], is_open: bool) -> frozenset[str]:
    """Check that all workers, by name, have what this machine has, and the same engines.

    is_open: whether another engine may have the answer where one is missing on all workers.
    Returns the engines that the workers have. Raises UsageError that names the workers that differ, and how.
    """
    ours = core().core()
    engines = tuple(engines)
    tools = tools_for(engines)
    first = next(iter(all_versions.values()))
    best = {tool: max((each.of([tool])[tool] for each in all_versions.values()), key=_rank) for tool in tools}
    lines = []
    for worker, each in all_versions.items():
        if found := [*differences(ours, each.core()), *differences(best, each.of(tools))]:
            lines.append(f"the worker {worker} has {', '.join(found)}")
    if lines:
        more = f"; and {len(lines) - _SHOWN} more workers" if len(lines) > _SHOWN else ""
        raise UsageError(f"{'; '.join(lines[:_SHOWN])}{more} (`cseq cluster doctor ADDRESS` lists all workers)")
    has = frozenset(engine for engine in engines if MISSING not in first.of(tools_for([engine])).values())
    missing = [engine for engine in engines if engine not in has]
    if missing and (not is_open or not has):
        gone = [tool for tool, version in first.of(tools_for(missing)).items() if version == MISSING]
        raise UsageError(f"no worker of the cluster has {gone[0]}, which the backend `{missing[0]}` needs")
    return has


def _rank(version: str) -> tuple[bool, list[int], str]:
    """Later versions are greater, and a missing one is least."""
    return version != MISSING, [int(part) for part in version.split(".") if part.isdecimal()], version


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return MISSING


def _python() -> str:
    """The version of Python, as far as pickles depend on it."""
    return ".".join(platform.python_version_tuple()[:2])


@cache
def _fingerprint() -> str:
    """The first digits of a hash of CSeq's files."""
    root = Path(version.__file__).resolve().parent
    digest = hashlib.sha256()
    rooms = sorted({root, *(each.resolve() for each in root.iterdir() if each.is_dir())}, key=lambda room: room.name)
    for room in rooms[:]:
        if room == root:
            files = sorted(room.glob("*.py"))
        elif room.name.startswith("__"):
            continue
        else:
            files = sorted(path for path in room.rglob("*") if path.suffix in _SOURCES)
        for path in files:
            digest.update(f"{room.name if room != root else ''}/{path.relative_to(room)}\0".encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
