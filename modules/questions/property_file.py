"""Property files in the format of SV-COMP: which properties a file asks for.

A line of such a file is, for example, ``CHECK( init(main()), LTL(G ! call(reach_error())) )``.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cseq.model.errors import InputError, UnsupportedError, UsageError
from cseq.model.origin import Origin

_CHECK = re.compile(r"CHECK\s*\(\s*init\s*\(\s*(\w+)\s*\(\s*\)\s*\)\s*,\s*LTL\s*\((.*)\)\s*\)\s*")
_COVER = re.compile(r"COVER\s*\(.*\)\s*")
_CALL = re.compile(r"G ! call \( (\w+) \( \) \)")

_FORMULAS = {"G ! overflow": "no-overflow", "G ! data-race": "no-data-race", "G ! deadlock": "no-deadlock"}
_MEMSAFETY = ("G valid-free", "G valid-deref", "G valid-memtrack")
_REFUSED = {"F end": "termination", "G valid-memcleanup": "valid-memcleanup", "G def-behavior": "def-behavior"}


class Specification(NamedTuple):
    """The contents of a property file.

    properties: by name, in the order of the file. errors: the functions that must not be called.
    """

    properties: tuple[str, ...]
    errors: tuple[str, ...]


def properties(path: str | Path) -> tuple[str, ...]:
    """The names of the properties that the file *path* asks for. Raises the same errors as `read`."""
    return read(path).properties


def read(path: str | Path) -> Specification:
    """Read the property file *path*.

    Raises UsageError if it cannot be read. Raises, with the line, UnsupportedError for a property that is not checked
    and InputError for text that is not a property.
    """
    found: dict[str, None] = {}
    errors: dict[str, None] = {}
    memory: dict[str, Origin] = {}
    for origin, formula in _formulas(Path(path)):
        call = _CALL.fullmatch(formula)
        if call:
            errors[call[1]] = None
            found["unreach-call"] = None
        elif formula in _MEMSAFETY:
            memory[formula] = origin
            found["valid-memsafety"] = None
        elif formula in _FORMULAS:
            found[_FORMULAS[formula]] = None
        elif formula in _REFUSED:
            raise UnsupportedError(f"the property {_REFUSED[formula]} (`{formula}`) is not supported", origin)
        else:
            raise UnsupportedError(f"the property `{formula}` is not supported", origin)
    if memory and len(memory) < len(_MEMSAFETY):
        missing = next(formula for formula in _MEMSAFETY if formula not in memory)
        what = f"{next(iter(memory)).split()[1]} without {missing.split()[1]}"
        raise UnsupportedError(f"the property {what} is not supported", next(iter(memory.values())))
    if not found:
        raise UsageError(f"{path}: the file asks for no property")
    return Specification(tuple(found), tuple(errors))


def _formulas(path: Path) -> Iterator[tuple[Origin, str]]:
    """The formula of each line, with single spaces between its words, and its origin."""
    for number, line in enumerate(_text(path).splitlines(), 1):
        if not line.strip():
            continue
        origin = Origin(str(path), number)
        check = _CHECK.fullmatch(line.strip())
        if check is None:
            if _COVER.fullmatch(line.strip()):
                raise UnsupportedError("the property coverage is not supported", origin)
            raise InputError(
                f"`{line.strip()}` is not a property, as in `CHECK( init(main()), LTL(G ! overflow) )`", origin
            )
        if check[1] != "main":
            raise UnsupportedError(f"a program that begins with `{check[1]}` is not supported", origin)
        words = re.findall(r"[\w-]+|\S", check[2])
        yield origin, " ".join(words)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: is a binary file, not a property file") from None
