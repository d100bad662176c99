"""Where tasks are, and what is wrong with those that are at fault.

BenchExec reads task definitions. It stops at the first mistake and names only the file, so `fault` looks first: it
finds the line.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from benchexec import BenchExecException
from benchexec.model import load_task_definition_file
from benchexec.util import expand_filename_pattern, is_comment

from cseq.cli.tasks.definitions import loaded
from cseq.model.errors import InputError, UsageError
from cseq.model.origin import Origin

_VERSIONS = ("0.1", "1.0", "2.0", "2.1")


class TaskGroup(NamedTuple):
    """Tasks that were asked for by path. group: the name under which their results are summed up."""

    group: str
    paths: list[Path]


def found(places: Sequence[Path], warn: Callable[[str], None]) -> list[TaskGroup]:
    """The task definitions in *places*: folders, lists and single files.

    Those in a folder are grouped by the folders that they lie in, those of a list under its name. Other YAML files in
    folders and lists, such as witnesses, are left out.
    warn: as for `listed`. Raises UsageError for a place that does not exist.
    """
    groups: dict[str, dict[Path, None]] = {}
    for place in places:
        if place.is_dir():
            for path in filter(_is_task, sorted(place.rglob("*.yml"))):
                inside = path.parent.relative_to(place)
                groups.setdefault(str(inside) if inside.parts else place.resolve().name, {})[path] = None
        elif place.suffix == ".set":
            groups.setdefault(place.stem, {}).update(dict.fromkeys(filter(_is_task, listed(place, warn))))
        elif place.is_file():
            groups.setdefault("tasks", {})[place] = None
        else:
            raise UsageError(f"{place}: no such file or folder")
    return [TaskGroup(name, list(paths)) for name, paths in groups.items()]


def listed(path: Path, warn: Callable[[str], None]) -> list[Path]:
    """The files that the list *path* (`.set`) names.

    warn: called for a line that matches no file: often only a part of SV-COMP's tasks is there.
    Raises UsageError if no line matches any.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    files: list[Path] = []
    for number, line in enumerate(text.splitlines(), 1):
        pattern = line.strip()
        if not is_comment(pattern):
            matches = _expanded(pattern, path)
            if not matches:
                warn(f"{path}:{number}: `{pattern}` matches no file")
            files += matches
    if not files:
        raise UsageError(f"{path}: the list matches no file")
    return files


def _expanded(pattern: str, file: Path) -> list[Path]:
    """The files that *pattern*, which stands in *file*, means; sorted."""
    return [Path(name) for name in sorted(expand_filename_pattern(pattern, str(file.parent)))]


def _is_task(path: Path) -> bool:
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return True  # `fault` says what is wrong
    return any(line.startswith(("format_version:", "input_files:")) for line in text.splitlines())


@functools.cache  # a task is looked at once for each of its properties
def fault(path: Path) -> InputError | None:
    """What is wrong with the task definition *path*, with the line; None if nothing is.

    It is at fault if it is no task definition or names files that do not exist. Raises UsageError if it cannot be read.
    """
    try:
        _check(path)
    except InputError as error:
        return error
    return None


def _check(path: Path) -> None:
    top = _Node(path, _composed(path))
    version = top.required("format_version").text()
    if version not in _VERSIONS:
        raise top.required("format_version").error(f"unknown format_version `{version}`")
    inputs = top.required("input_files")
    for item in inputs.items():
        if not _expanded(item.text(), path):
            raise item.error(f"the input file `{item.text()}` does not exist")
    if not inputs.items():
        raise inputs.error("there is no input file")
    properties = top.optional("properties")
    for item in properties.items() if properties else ():
        _check_property(item, path)
    top.optional("options")
    try:
        load_task_definition_file(str(path))
    except BenchExecException as error:
        raise InputError(str(error), Origin(str(path), 1)) from None


def _check_property(item: _Node, path: Path) -> None:
    named = item.required("property_file")
    if len(_expanded(named.text(), path)) != 1:
        raise named.error(f"the property file `{named.text()}` does not exist")
    verdict = item.optional("expected_verdict")
    value = verdict.value() if verdict else None
    if verdict and value is not None and not isinstance(value, bool):
        raise verdict.error(f"the expected verdict must be `true` or `false`, not `{value}`")
    item.optional("subproperty")


def _composed(path: Path) -> Any:
    """The tree of the YAML file *path*, whose nodes know their lines."""
    try:
        node = loaded(path, lambda text: yaml.compose(text, Loader=yaml.SafeLoader))
    except FileNotFoundError:
        raise UsageError(f"{path}: no such file") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None
    if not isinstance(node, yaml.MappingNode):
        raise InputError("not a task definition", Origin(str(path), 1))
    return node


class _Node:
    """A value in a YAML file, which knows its line."""

    def __init__(self, path: Path, node: Any) -> None:
        self._path = path
        self._node = node

    def error(self, message: str) -> InputError:
        """An error at this place."""
        return InputError(message, Origin(str(self._path), self._node.start_mark.line + 1))

    def optional(self, key: str) -> _Node | None:
        """The value of *key*, or None. Raises InputError if the key is there twice."""
        if not isinstance(self._node, yaml.MappingNode):
            raise self.error(f"expected a mapping with the key `{key}`")
        values = [value for name, value in self._node.value if name.value == key]
        if len(values) > 1:
            raise self.error(f"the key `{key}` is there twice")
        return _Node(self._path, values[0]) if values else None

    def required(self, key: str) -> _Node:
        value = self.optional(key)
        if value is None:
            raise self.error(f"`{key}` is missing")
        return value

    def items(self) -> list[_Node]:
        """The items of a list; a single value is a list of one."""
        if isinstance(self._node, yaml.SequenceNode):
            return [_Node(self._path, node) for node in self._node.value]
        return [self]

    def text(self) -> str:
        if not isinstance(self._node, yaml.ScalarNode) or not self._node.value:
            raise self.error("expected a text")
        return str(self._node.value)

    def value(self) -> Any:
        """The value as Python has it."""
        loader = yaml.SafeLoader("")
        try:
            return loader.construct_document(self._node)
        except yaml.YAMLError as error:
            raise self.error(f"not a value: {getattr(error, 'problem', error)}") from None
        finally:
            loader.dispose()
