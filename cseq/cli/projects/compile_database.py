"""Compilation databases, as CMake, Meson and Bear write them: how each file of a project is compiled."""

import json
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cseq.model.errors import InputError
from cseq.model.origin import Origin

NAME = "compile_commands.json"
"""How build systems call the file."""

_TARGET = re.compile(r"(?:^|/)(?:CMakeFiles/([^/]+)\.dir|([^/]+)\.p)/")
"""The folder of the objects of a target: that of CMake, and that of Meson."""

_RESPONSES = 10
"""How deep files with options may name others."""


@dataclass(frozen=True)
class CompileCommand:
    """How a file is compiled.

    path: of the file, absolute. directory: in which the compiler runs. words: of the command line, beginning with the
    compiler. output: the object, absolute, if it is known. origin: the entry in the database.
    """

    path: str
    directory: str
    words: tuple[str, ...]
    output: str
    origin: Origin

    @property
    def target(self) -> str:
        """The target of the build system that the object belongs to; empty if the path of the object does not tell."""
        found = _TARGET.search(self.output)
        return (found[1] or found[2]) if found else ""

    @property
    def folder(self) -> str:
        """The folder in which the build system puts what it makes of the target."""
        found = _TARGET.search(self.output)
        return os.path.normpath(self.output[: found.start()] or "/") if found else self.directory


def database(path: Path) -> list[CompileCommand]:
    """The entries of the compilation database *path*, each once; of a folder, the database in it.

    Raises InputError, with the place, where it is at fault.
    """
    if path.is_dir():
        path = path / NAME
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        how = "cmake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, and `bear -- make` for other builds"
        raise InputError(f"{path}: no such file ({how})") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError("not a text file", Origin(str(path), 1)) from None
    found: dict[tuple[object, ...], CompileCommand] = {}
    for value, origin in _items(text, path):
        entry = _entry(value, origin)
        found.setdefault((entry.path, entry.output, entry.words, entry.directory), entry)
    if not found:
        raise InputError("the compilation database has no entry", Origin(str(path), 1))
    return list(found.values())


def _items(text: str, path: Path) -> Iterator[tuple[Any, Origin]]:
    """The items of the array *text*, with their places."""
    blank = re.compile(r"\s*")
    decoder = json.JSONDecoder()

    def after(position: int) -> int:
        found = blank.match(text, position)
        assert found is not None
        return found.end()

    def place(position: int) -> Origin:
        return Origin(str(path), text.count("\n", 0, position) + 1)

    position = after(0)
    if text[position : position + 1] != "[":
        raise InputError("not a compilation database, which is an array in JSON", place(position))
    position = after(position + 1)
    while text[position : position + 1] != "]":
        try:
            value, end = decoder.raw_decode(text, position)
        except json.JSONDecodeError as error:
            raise InputError(f"not JSON: {error.msg[:1].lower()}{error.msg[1:]}", place(error.pos)) from None
        except RecursionError:
            raise InputError("nested too deeply", place(position)) from None
        yield value, place(position)
        position = after(end)
        if text[position : position + 1] == ",":
            position = after(position + 1)
        elif text[position : position + 1] != "]":
            raise InputError("not JSON: expecting a comma or the end of the array", place(position))


def _entry(value: Any, origin: Origin) -> CompileCommand:
    """The entry *value*. Raises InputError where something is missing."""
    if not isinstance(value, dict):
        raise InputError("the entry is not an object", origin)
    file, directory = _text(value, "file", origin), _text(value, "directory", origin)
    directory = os.path.normpath(Path(Path(origin.file).absolute().parent, directory))
    words = tuple(_expanded(_words(value, origin), directory, origin, _RESPONSES))
    output = value.get("output")
    if not isinstance(output, str) or not output:
        output = _output(words)
    return CompileCommand(
        os.path.normpath(Path(directory, file)),
        directory,
        words,
        os.path.normpath(Path(directory, output)) if output else "",
        origin,
    )


def _text(value: dict[str, Any], name: str, origin: Origin) -> str:
    found = value.get(name)
    if not isinstance(found, str) or not found:
        raise InputError(f"the entry has no `{name}`", origin)
    return found


def _words(value: dict[str, Any], origin: Origin) -> tuple[str, ...]:
    """The command line of an entry: its `arguments`, or else its `command`, which a shell would split."""
    arguments, command = value.get("arguments"), value.get("command")
    if isinstance(arguments, list) and arguments and all(isinstance(word, str) for word in arguments):
        return tuple(arguments)
    if arguments is None and isinstance(command, str) and command.strip():
        try:
            return tuple(shlex.split(command))
        except ValueError as error:
            raise InputError(f"the `command` cannot be split: {str(error).lower()}", origin) from None
    raise InputError("the entry has neither `arguments` nor a `command`", origin)


def _expanded(words: Sequence[str], directory: str, origin: Origin, depth: int) -> Iterator[str]:
    """*words* with the contents of the files of options, ``@FILE``, in their place."""
    for word in words:
        path = Path(directory, word[1:])
        if not word.startswith("@") or not path.is_file() or not depth:
            yield word
            continue
        try:
            inside = shlex.split(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(f"the file of options `{word[1:]}` cannot be read: {error}", origin) from None
        yield from _expanded(inside, directory, origin, depth - 1)


def _output(words: Sequence[str]) -> str:
    """The value of ``-o``."""
    for number, word in enumerate(words):
        if word == "-o" and number + 1 < len(words):
            return words[number + 1]
        if word.startswith("-o") and len(word) > 2:
            return word[2:]
    return ""
