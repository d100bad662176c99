"""Verification tasks in the form of SV-COMP: task-definition files (`.yml`), lists of them (`.set`), folders."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from cseq.base.errors import InputError, UsageError
from cseq.base.linemap import Origin

_VERSIONS = ("0.1", "1.0", "2.0", "2.1")


class Expected(NamedTuple):
    """A property of a task, with its verdict: None where that is not known. subproperty: the part that is violated."""

    property_file: Path
    verdict: bool | None
    subproperty: str | None

    @property
    def name(self) -> str:
        """The name of the property."""
        return self.property_file.stem

    def __str__(self) -> str:
        if self.verdict is None:
            return ""
        return f"{str(self.verdict).lower()}{f'({self.subproperty})' if self.subproperty else ''}"


@dataclass(frozen=True)
class Task:
    """A task-definition file. files: what is to be checked. options: what it says of the language."""

    path: Path
    files: tuple[Path, ...]
    properties: tuple[Expected, ...]
    options: Any = field(default=None, compare=False)

    def expected(self, property_file: Path) -> Expected | None:
        """What is expected of the property in the file *property_file*; None where the task does not have it."""
        for expected in self.properties:
            if expected.property_file == property_file or expected.property_file.samefile(property_file):
                return expected
        return None


def read(path: Path) -> Task:
    """The task that the file *path* defines.

    Raises InputError, with the line, for what is no task definition, or names files that are not there.
    """
    top = _Node(path, _composed(path))
    version = top.required("format_version").text()
    if version not in _VERSIONS:
        raise top.required("format_version").error(f"unknown format_version `{version}`")
    files: list[Path] = []
    for item in top.required("input_files").items():
        found = expanded(item.text(), path.parent)
        if not found:
            raise item.error(f"the input file `{item.text()}` is not there")
        files += found
    if not files:
        raise top.required("input_files").error("there is no input file")
    properties = top.optional("properties")
    listed = tuple(_expected(item, path) for item in (properties.items() if properties else ()))
    options = top.optional("options")
    return Task(path, tuple(files), listed, options.value() if options else None)


def _expected(item: _Node, path: Path) -> Expected:
    named = item.required("property_file")
    found = expanded(named.text(), path.parent)
    if len(found) != 1:
        raise named.error(f"the property file `{named.text()}` is not there")
    verdict = item.optional("expected_verdict")
    value = verdict.value() if verdict else None
    if verdict and value is not None and not isinstance(value, bool):
        raise verdict.error(f"the expected verdict is `true` or `false`, not `{value}`")
    part = item.optional("subproperty")
    return Expected(found[0], value, part.text() if part else None)


def _composed(path: Path) -> Any:
    yaml = _yaml()
    try:
        text = path.read_text(encoding="utf-8")
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise InputError("the file is not a text", Origin(str(path), 1)) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        what = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise InputError(f"no YAML: {what}", Origin(str(path), mark.line + 1 if mark else 1)) from None
    if not isinstance(node, yaml.MappingNode):
        raise InputError("no task definition", Origin(str(path), 1))
    return node


def _yaml() -> Any:
    try:
        import yaml
    except ModuleNotFoundError:
        raise UsageError("task definitions cannot be read: install `lazy-cseq[bench]`, which brings PyYAML") from None
    return yaml


class _Node:
    """A value in a YAML file, which knows its line."""

    def __init__(self, path: Path, node: Any) -> None:
        self._path = path
        self._node = node

    def error(self, message: str) -> InputError:
        """An error at this place."""
        return InputError(message, Origin(str(self._path), self._node.start_mark.line + 1))

    def optional(self, key: str) -> _Node | None:
        """What stands behind *key*."""
        if not isinstance(self._node, _yaml().MappingNode):
            raise self.error(f"no mapping with a key `{key}`")
        found = [value for name, value in self._node.value if name.value == key]
        if len(found) > 1:
            raise self.error(f"the key `{key}` stands there twice")
        return _Node(self._path, found[0]) if found else None

    def required(self, key: str) -> _Node:
        found = self.optional(key)
        if found is None:
            raise self.error(f"`{key}` is missing")
        return found

    def items(self) -> list[_Node]:
        """The items of a list; a single value is a list of one."""
        if isinstance(self._node, _yaml().SequenceNode):
            return [_Node(self._path, node) for node in self._node.value]
        return [self]

    def text(self) -> str:
        if not isinstance(self._node, _yaml().ScalarNode) or not self._node.value:
            raise self.error("a text is missing")
        return str(self._node.value)

    def value(self) -> Any:
        """The value as Python has it."""
        yaml = _yaml()
        loader = yaml.SafeLoader("")
        try:
            return loader.construct_document(self._node)
        except yaml.YAMLError as error:
            raise self.error(f"no value: {getattr(error, 'problem', error)}") from None
        finally:
            loader.dispose()


def expanded(pattern: str, folder: Path) -> list[Path]:
    """The files that *pattern* with its wildcards means, seen from *folder*; sorted."""
    found = glob.glob(os.path.join(folder, os.path.expanduser(os.path.expandvars(pattern))), recursive=True)  # noqa: PTH111, PTH118, PTH207  # keeps `..` short
    return [Path(os.path.normpath(name)) for name in sorted(found)]


def listed(path: Path, warn: Callable[[str], None]) -> list[Path]:
    """The files that the list *path* (`.set`) means.

    warn: called for a line that matches no file: often there is only a part of what a list of SV-COMP's names.
    Raises UsageError where no line matches any.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    files: list[Path] = []
    for number, line in enumerate(text.splitlines(), 1):
        pattern = line.strip()
        if pattern and not pattern.startswith("#"):
            matches = expanded(pattern, path.parent)
            if not matches:
                warn(f"{path}:{number}: `{pattern}` matches no file")
            files += matches
    if not files:
        raise UsageError(f"{path}: the list matches no file")
    return files


class Found(NamedTuple):
    """Tasks that were asked for by path. group: the name under which their results are summed up."""

    group: str
    paths: list[Path]


def found(places: Sequence[Path], warn: Callable[[str], None]) -> list[Found]:
    """The task-definition files in *places*: folders, lists and single files. warn: as for `listed`.

    In a folder they are grouped by the folders that they lie in, of a list the name is the group's.
    """
    groups: dict[str, dict[Path, None]] = {}
    for place in places:
        if place.is_dir():
            for path in sorted(place.rglob("*.yml")):
                inside = path.parent.relative_to(place)
                groups.setdefault(str(inside) if inside.parts else place.resolve().name, {})[path] = None
        elif place.suffix == ".set":
            groups.setdefault(place.stem, {}).update(dict.fromkeys(listed(place, warn)))
        elif place.is_file():
            groups.setdefault("tasks", {})[place] = None
        else:
            raise UsageError(f"{place}: no such file or folder")
    return [Found(name, list(paths)) for name, paths in groups.items()]


def is_task(path: Path) -> bool:
    """Whether the YAML file *path* looks like a task definition; folders have others as well, such as witnesses."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return True  # reading it tells what is wrong
    return any(line.startswith(("format_version:", "input_files:")) for line in text.splitlines())
