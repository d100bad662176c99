"""Which symbols the files of a project define and need, as the compiler and `nm` say, and which files they read."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cseq.model.errors import MissingError
from cseq.pthread_stubs import INCLUDE

_GLOBAL = frozenset("TDBRSGCVWi")
"""The letters of `nm` for what other files can use."""

_WEAK = frozenset("VW")
_WISHED = frozenset("vw")

_COMMON = ("-std=gnu11", "-w", "-D__CSEQ__=1", "-D__CSEQ_CHECK__=1")
_OWN = ("-isystem", str(INCLUDE))
_SYSTEM = ("-isystem", str(INCLUDE / "always"), "-idirafter", str(INCLUDE))


@dataclass(frozen=True)
class Symbols:
    """The symbols of an object. defined, weak: for other files. needed: of other files. wished: of others, if any.

    local: those that other files do not see. starts: whether it does something before main. reads: the files that the
    preprocessor has read. fault: the compiler's first message, where there is no object.
    """

    defined: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    local: tuple[str, ...] = ()
    starts: bool = False
    reads: tuple[str, ...] = ()
    fault: str = ""
    wished: tuple[str, ...] = ()


def symbols_of(units: Mapping[str, Sequence[str]], words: Sequence[str]) -> dict[str, Symbols]:
    """The symbols of files, several at a time.

    units: what to compile: a name → the path and the flags. words: flags for all of them. Raises MissingError where
    there is no compiler or no `nm`.
    """
    if not units:
        return {}
    if shutil.which("nm") is None:
        raise MissingError("`nm`, which tells the symbols of objects, is not installed; it comes with binutils")
    from concurrent.futures import ThreadPoolExecutor

    from cseq.c.preprocess import compiler

    program = compiler()
    with (
        tempfile.TemporaryDirectory(prefix="cseq-", ignore_cleanup_errors=True) as folder,
        ThreadPoolExecutor(os.cpu_count() or 1) as pool,
    ):
        made = [
            pool.submit(_symbols, program, Path(folder, str(number)), [*words, *flags], path)
            for number, (path, *flags) in enumerate(units.values())
        ]
        return {name: each.result() for name, each in zip(units, made, strict=True)}


def complaint(path: str, words: Sequence[str]) -> str:
    """What the compiler says first against the file *path* itself, not against what it includes; empty for nothing.

    words: flags.
    """
    from cseq.c.preprocess import compiler

    ran = _run(compiler(), *_COMMON, *_OWN, *words, "-fsyntax-only", path)
    lines = [line for line in ran.stderr.splitlines() if line.startswith(f"{path}:") and "error: " in line]
    return lines[0].partition("error: ")[2] if ran.returncode != 0 and lines else ""


def _symbols(program: str, place: Path, flags: Sequence[str], path: str) -> Symbols:
    """The symbols of the file *path*. place: the beginning of the names of temporary files."""
    notes, full, made = f"{place}.d", f"{place}.all.d", f"{place}.o"
    ran = _run(program, *_COMMON, *_OWN, *flags, "-c", "-MD", "-MF", notes, "-o", made, path)
    # The checker, too, goes on with more of the system's headers where ours are not enough.
    more = ("-M",) if ran.returncode == 0 else ("-c", "-MD", "-o", made)
    again = _run(program, *_COMMON, *_SYSTEM, *flags, *more, "-MF", full, path)
    reads = tuple(sorted({*_reads(notes), *_reads(full), path}))
    if ran.returncode != 0 and again.returncode != 0:
        return Symbols(reads=reads, fault=_first(ran.stderr))
    listed = _run("nm", "-P", made)
    if listed.returncode != 0:
        return Symbols(reads=reads, fault=_first(listed.stderr))
    found = [tuple(line.split()[:2]) for line in listed.stdout.splitlines() if len(line.split()) > 1]
    return Symbols(
        tuple(name for name, kind in found if kind in _GLOBAL - _WEAK),
        tuple(name for name, kind in found if kind in _WEAK),
        tuple(name for name, kind in found if kind == "U"),
        tuple(name for name, kind in found if kind == "t"),
        b".init_array" in Path(made).read_bytes(),
        reads,
        wished=tuple(name for name, kind in found if kind in _WISHED),
    )


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, check=False
    )


def _first(said: str) -> str:
    """The first error in what a compiler has said."""
    lines = said.strip().splitlines() or ["it fails without a message"]
    return next((line for line in lines if "error:" in line), lines[0])


def _reads(notes: str) -> list[str]:
    """The files in the rule for make that the compiler has written to the file *notes*."""
    try:
        text = Path(notes).read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return []
    names = re.findall(r"(?:\\.|[^\s\\])+", text.replace("\\\n", " ").partition(": ")[2])
    return [re.sub(r"\\(.)", r"\1", name).replace("$$", "$") for name in names]
