"""The tests of a folder that CMake has made, as `ctest` lists them."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cseq.model.errors import InputError

NAME = "CTestTestfile.cmake"

_SECONDS = 60
_FURTHER = re.compile(r'^\s*(subdirs|include)\("?((?:[^"\\)]|\\.)*)"?\)', re.MULTILINE)
_WORD = r'"(?:[^"\\]|\\.)*"'
_TEST = re.compile(
    rf'^\s*add_test\((?:(?P<quoted>{_WORD})|\[(?P<equals>=*)\[(?P<raw>.*?)\](?P=equals)\]|(?P<plain>[^\s"()]+))'
    rf"\s+(?P<words>{_WORD}(?:\s+{_WORD})*)\)",
    re.MULTILINE,
)
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True)
class Test:
    """A test. command: its words, none where they are not known. disabled: whether ctest leaves it out."""

    __test__ = False  # for pytest

    name: str
    command: tuple[str, ...]
    disabled: bool = False


def files(folder: Path) -> list[Path]:
    """The files that say which tests there are in *folder* and below; some may not be there yet."""
    found: dict[Path, None] = {}

    def follow(path: Path) -> None:
        if path in found or path.suffix != ".cmake":
            return
        found[path] = None
        for kind, name in _FURTHER.findall(_text(path)):
            below = path.parent / name
            follow(below / NAME if kind == "subdirs" else below)

    follow(folder / NAME)
    return list(found)


def listed(folder: Path) -> list[Test]:
    """The tests in *folder*. Raises InputError where ctest fails, and returns none where it is not installed."""
    program = shutil.which("ctest")
    if program is None:
        return []
    try:
        ran = subprocess.run(
            [program, "--show-only=json-v1"],
            cwd=folder, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL,
            timeout=_SECONDS, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise InputError(f"{folder}: ctest does not list the tests within {_SECONDS} s") from None
    try:
        if ran.returncode != 0:
            raise ValueError(ran.stderr.strip().partition("\n")[0] or f"exit status {ran.returncode}")
        tests = json.loads(ran.stdout)["tests"]
        return [_test(test, _written(folder)) for test in tests]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{folder}: the list of tests that ctest prints cannot be read: {error}") from None


def _test(data: Mapping[str, Any], written: Mapping[str, tuple[str, ...]]) -> Test:
    """A test of ctest's list. It does not tell the command of a program that is not built yet."""
    name = str(data["name"])
    properties = {each["name"]: each.get("value") for each in data.get("properties", [])}
    command = tuple(str(word) for word in data.get("command", ())) or written.get(name, ())
    return Test(name, command, properties.get("DISABLED") is True)


def _written(folder: Path) -> dict[str, tuple[str, ...]]:
    """The commands of tests as CMake has written them for ctest."""
    return {name: words for path in files(folder) for name, words in _tests(_text(path))}


def _tests(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for found in _TEST.finditer(text):
        name = found["raw"] or found["plain"] or _plain(found["quoted"][1:-1])
        yield name, tuple(_plain(word) for word in _QUOTED.findall(found["words"]))


def _plain(quoted: str) -> str:
    """A quoted argument of CMake without its escapes."""
    return re.sub(r"\\(.)", r"\1", quoted)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
