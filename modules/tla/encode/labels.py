"""Labels of statements, such as ``x.c:17 in worker``, and names of their operators, such as ``worker_17``."""

import re
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from cseq.model.origin import CallSite, Origin, is_ours
from cseq.modules.tla.encode.locations import Point
from cseq.pipeline.translator import user_name

_Key = tuple[object, ...]


class Labels:
    """Names for the statements of a program.

    operator: gives an identifier like its argument that nothing else has. all: the labels.
    """

    def __init__(self, operator: Callable[[str], str]) -> None:
        self._new = operator
        self.all: dict[Point, str] = {}
        self._operators: dict[Point, str] = {}
        self._used: set[str] = set()
        self._counts: dict[_Key, int] = {}

    def add(self, start: str, points: Sequence[Point], origin: Origin | None) -> None:
        """Name the statements of the start function *start*, in the order of the text, which is at *origin*."""
        start = user_name(start) or start
        for point, place in zip(points, places(points, origin), strict=True):
            self._name(start, point, place)

    def label(self, point: Point) -> str:
        """The label of a statement that has been added."""
        return self.all[point]

    def operator(self, point: Point) -> str:
        """The name of its operator."""
        return self._operators[point]

    def _name(self, start: str, point: Point, origin: Origin | None) -> None:
        if origin is None:
            path: tuple[CallSite, ...] = ()
            function, file, line = start, "", 0
        else:
            path, file, line = origin.path, origin.file, origin.line
            function = origin.function or (path[-1].function if path else start)
        key = (start, file, line, function, path)
        count = self._counts[key] = self._counts.get(key, 0) + 1
        while True:
            label = _label(file, line, count, function, path)
            if label not in self._used:
                break
            if not path and function != start:
                label = f"{label} of {start}"
                if label not in self._used:
                    break
            count += 1
        self._counts[key] = count
        self._used.add(label)
        self.all[point] = label
        self._operators[point] = self._operator(start, line, count, function, path)

    def _operator(self, start: str, line: int, count: int, function: str, path: Sequence[CallSite]) -> str:
        parts = [start]
        called = [*(site.function for site in path[1:]), function]
        for site, name in zip(path, called, strict=bool(path)):
            parts += [str(site.line), name]
        if not path and function != start:
            parts.append(function)
        parts.append(str(line))
        stem = re.sub(r"[^A-Za-z0-9_]", "_", "_".join(parts))
        return self._new(stem if count == 1 else f"{stem}_{count}")


def places(points: Sequence[Point], origin: Origin | None = None) -> list[Origin | None]:
    """Where the user wrote each statement: one that is not the user's is where the one before it is.

    The first ones are where the next one is that has a place, or at *origin* if none has.
    """
    found = [_users(point.origin) for point in points]
    last = next((place for place in found if place is not None), origin)
    for number, place in enumerate(found):
        last = found[number] = place if place is not None else last
    return found


def _users(origin: Origin | None) -> Origin | None:
    """The user's place for *origin*: for a statement of the library, that of the call of it."""
    if origin is None:
        return None
    file, line, function, path = origin.file, origin.line, origin.function, origin.path
    while is_ours(Origin(file, line)):
        if not path:
            return None
        *rest, site = path
        file, line, function, path = site.file, site.line, site.function, tuple(rest)
    return Origin(file, line, 0, function, path)


def _label(file: str, line: int, count: int, function: str, path: Sequence[CallSite]) -> str:
    number = str(line) if count == 1 else f"{line}.{count}"
    text = f"{_base(file)}:{number} in {_plain(function)}" if file else f"{number} in {_plain(function)}"
    at = file
    for site in reversed(path):
        where = str(site.line) if site.file == at else f"{_base(site.file)}:{site.line}"
        text += f" from {where} in {_plain(site.function)}"
        at = site.file
    return text


def _base(file: str) -> str:
    """The name of a file without its folders, as a part of a TLA+ string."""
    return _plain(PurePosixPath(file.replace("\\", "/")).name)


def _plain(text: str) -> str:
    return re.sub(r"[^ -!#-\[\]-~]", "_", user_name(text) or text)
