"""The files of a project with their flags and symbols; what is known from the last run is not found out again."""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cseq.cli.projects.answer_cache import Cache
from cseq.cli.projects.compile_database import CompileCommand
from cseq.cli.projects.compiler_flags import Flags, flags, options, shown
from cseq.cli.projects.fingerprints import Contents
from cseq.cli.projects.needed_units import Unit
from cseq.cli.projects.object_symbols import Symbols, symbols_of
from cseq.model.errors import InputError, UnsupportedError

# Where the preprocessor looks for headers: which new files it would read in place of others.

_FOLDERS = ("-I", "-isystem", "-iquote", "-idirafter")
_SYSTEM = "/usr/include"

_NAMES = re.compile(
    rb'^[ \t]*#[ \t]*include(?:_next)?[ \t]*[<"]([^>"\n]+)[>"]|__has_include(?:_next)?[ \t(]*[<"]([^>"\n]+)[>"]',
    re.MULTILINE,
)
"""The names of headers: those that are included, and those that are asked for."""


def looked_for(reads: Sequence[str], words: Sequence[str], exists: Callable[[str], bool]) -> Iterator[str]:
    """Where the compiler may have looked for a header: if there is one, it reads that, or goes on in another way.

    reads: the files that it has read. words: its flags. exists: whether there is a file.
    """
    own = [path for path in reads if not path.startswith(f"{_SYSTEM}/")]
    folders = list(dict.fromkeys([*_searched(words), *(str(Path(path).parent) for path in own)]))
    inside = {path[len(root) + 1 :] for path in reads for root in (*folders, _SYSTEM) if path.startswith(f"{root}/")}
    # Names may lead out of a folder; and some are only asked for, with __has_include.
    spelled = {name for path in own for name in _included(path)}
    for folder in folders:
        yield from (place for name in sorted(inside | spelled) if not exists(place := f"{folder}/{name}"))


def _searched(words: Sequence[str]) -> Iterator[str]:
    """The folders, absolute, in which *words* have headers searched."""
    for option, name in options(words):
        if option in _FOLDERS and name:
            yield os.path.normpath(Path(name).absolute())


def _included(path: str) -> Iterator[str]:
    """The names of headers in the file *path* that are no absolute paths."""
    try:
        data = Path(path).read_bytes()
    except OSError:
        return
    for included, asked in _NAMES.findall(data):
        name = os.fsdecode(included or asked)
        if not name.startswith("/"):
            yield name


_TABLE = "units"
_C = (".c", ".i")
_LISTS = ("defined", "weak", "needed", "local", "wished")


def units_of(
    entries: Sequence[CompileCommand], words: Sequence[str], cache: Cache, key: str, contents: Contents
) -> list[Unit]:
    """The units of the *entries* of a database.

    words: flags of all of them. key: what symbols depend on besides the files. Raises MissingError where there is no
    compiler, and it is needed.
    """
    found = []
    for entry in entries:
        given = flags(entry)
        found.append((json.dumps([shown(entry.path), *words, *given.words, given.bits]), entry, given))
    known = _known(cache, key, contents)
    asked = {
        question: (shown(entry.path), *given.words, f"-m{given.bits}")
        for question, entry, given in found
        if question not in known
    }
    if asked:
        known.update({question: _absolute(symbols) for question, symbols in symbols_of(asked, words).items()})
        kept = {question: (known[question], given) for question, _, given in found}
        _keep(cache, key, contents, kept, words)
    return [_unit(entry, given, known[question]) for question, entry, given in found]


def _absolute(symbols: Symbols) -> Symbols:
    return replace(symbols, reads=tuple(os.path.normpath(Path(path).absolute()) for path in symbols.reads))


def _unit(entry: CompileCommand, given: Flags, symbols: Symbols) -> Unit:
    path = shown(entry.path)
    fault: InputError | None = given.fault
    if not entry.path.endswith(_C):
        how = "programs in other languages are run as they are compiled, with `cseq run`"
        fault = UnsupportedError(f"{path} is not in C: {how}", entry.origin)
    elif symbols.fault:
        fault = InputError(f"{path} cannot be compiled: {symbols.fault}", entry.origin)
    return Unit(entry, given.words, given.bits, given.no_assertions, symbols, fault)


def _known(cache: Cache, key: str, contents: Contents) -> dict[str, Symbols]:
    """The symbols of the last run, of files that would read what they read then."""
    table = cache.table(_TABLE, key)
    if not table:
        return {}
    found: dict[str, Symbols] = {}
    try:
        files, absent = table["files"], table["absent"]
        same = [contents.digest(path) == digest for path, digest in files]
        new = [Path(path).exists() for path in absent]
        for question, told in table["units"].items():
            if all(same[number] for number in told["reads"]) and not any(new[number] for number in told["absent"]):
                defined, weak, needed, local, wished = (tuple(map(str, told[name])) for name in _LISTS)
                found[question] = Symbols(
                    defined,
                    weak,
                    needed,
                    local,
                    starts=bool(told["starts"]),
                    reads=tuple(str(files[number][0]) for number in told["reads"]),
                    fault=str(told["fault"]),
                    wished=wished,
                )
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        cache.broken(_TABLE)
        return {}
    return found


def _keep(
    cache: Cache, key: str, contents: Contents, known: Mapping[str, tuple[Symbols, Flags]], words: Sequence[str]
) -> None:
    """Keep what is *known*: a file that reads the same has the same symbols. words: flags of all files."""
    files: dict[str, int] = {}
    absent: dict[str, int] = {}
    there: dict[str, bool] = {}

    def exists(path: str) -> bool:
        if path not in there:
            there[path] = Path(path).exists()
        return there[path]

    units = {
        question: {
            **{name: getattr(symbols, name) for name in _LISTS},
            "starts": symbols.starts,
            "fault": symbols.fault,
            "reads": [files.setdefault(path, len(files)) for path in symbols.reads],
            "absent": [
                absent.setdefault(path, len(absent))
                for path in looked_for(symbols.reads, (*words, *given.words), exists)
            ],
        }
        for question, (symbols, given) in known.items()
    }
    table = {"files": [[path, contents.digest(path)] for path in files], "absent": list(absent), "units": units}
    cache.keep_table(_TABLE, key, table)
