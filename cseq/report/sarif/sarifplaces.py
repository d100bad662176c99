"""Places of the user's source as SARIF says them: artifacts, regions, locations."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes

from cseq.base.linemap import Origin
from cseq.report.words import clean

ROOT = "%SRCROOT%"
"""What relative addresses are relative to: the folder in which the command runs, which dashboards set themselves."""

_AROUND = 3
"""So many lines are shown on each side of a violation."""

_LARGEST = 16 << 20
"""In bytes: of what is larger no line is shown."""


class Places:
    """Makes locations, and remembers the files that they are in."""

    def __init__(self, folder: Path, inputs: tuple[str, ...]) -> None:
        self._folder = os.fsencode(folder)
        self._inputs = inputs
        self._files: dict[str, int] = {}
        self._lines: dict[str, list[str]] = {}
        self._uris: dict[str, dict[str, str]] = {}
        for name in inputs:
            self.artifact(name)

    @property
    def root(self) -> str:
        """The address of the folder."""
        return _address(self._folder).rstrip("/") + "/"

    def artifact(self, file: str) -> dict[str, Any]:
        """The location of a file: relative where it is in the folder, else absolute."""
        index = self._files.setdefault(file, len(self._files))
        return {**self._uri(file), "index": index}

    def unknown(self) -> dict[str, Any]:
        """A location of which no more is known than the first of the inputs; none at all where there are none."""
        return {"physicalLocation": {"artifactLocation": self.artifact(self._inputs[0])}} if self._inputs else {}

    def artifacts(self) -> list[dict[str, Any]]:
        """The files that there were locations in, in the order of their indices; first the inputs."""
        return [self._described(file) for file in self._files]

    def physical(self, origin: Origin, source: str = "") -> dict[str, Any]:
        """A line. source: what the user wrote there, as far as it is known."""
        found: dict[str, Any] = {"artifactLocation": self.artifact(origin.file)}
        if origin.line > 0:
            found["region"] = self._region(origin, source.strip())
        return found

    def in_context(self, origin: Origin, source: str = "") -> dict[str, Any]:
        """A line with those around it, where these can be read."""
        found = self.physical(origin, source)
        if "snippet" in found.get("region", {}):
            lines = self._read(origin.file)
            first, last = max(origin.line - _AROUND, 1), min(origin.line + _AROUND, len(lines))
            shown = "\n".join(lines[first - 1 : last])
            if shown.replace("\n", "").replace("\t", "").isprintable():
                found["contextRegion"] = {"startLine": first, "endLine": last, "snippet": {"text": shown}}
        return found

    def location(self, origin: Origin, message: str = "", source: str = "", id_: int | None = None) -> dict[str, Any]:
        """A line, its function, and what is to be said of it, which is a sentence without its period."""
        found: dict[str, Any] = {"id": id_} if id_ is not None else {}
        found["physicalLocation"] = self.physical(origin, source)
        if origin.function:
            name = clean(origin.function)
            found["logicalLocations"] = [{"name": name, "fullyQualifiedName": name, "kind": "function"}]
        if message:
            found["message"] = text(f"{message}.")
        return found

    def line(self, origin: Origin) -> str:
        """The line of the file as it is now, without blanks around it; "" where it cannot be read."""
        return self._line(origin).strip()

    def _line(self, origin: Origin) -> str:
        lines = self._read(origin.file)
        return lines[origin.line - 1] if 0 < origin.line <= len(lines) else ""

    def _read(self, file: str) -> list[str]:
        if file not in self._lines:
            data = self._data(file) or b""
            self._lines[file] = [line.removesuffix("\r") for line in data.decode("utf-8", "replace").split("\n")]
        return self._lines[file]

    def _region(self, origin: Origin, source: str) -> dict[str, Any]:
        """The line from its first to its last character that is no blank; where these are not known, its number."""
        line = self._line(origin)
        shown = line.strip()
        if not shown or (source and source != shown) or not shown.replace("\t", " ").isprintable():
            return {"startLine": origin.line}
        start = line.index(shown) + 1
        return {
            "startLine": origin.line,
            "startColumn": start,
            "endColumn": start + len(shown),
            "snippet": {"text": shown},
        }

    def _path(self, file: str) -> bytes:
        return os.path.normpath(os.path.join(self._folder, os.fsencode(file)))  # noqa: PTH118  paths are bytes

    def _uri(self, file: str) -> dict[str, str]:
        if file not in self._uris:
            self._uris[file] = self._found(self._path(file))
        return self._uris[file]

    def _found(self, path: bytes) -> dict[str, str]:
        inside = os.path.join(self._folder, b"")  # noqa: PTH118
        for known in (path, os.path.realpath(path)):
            if known.startswith(inside):
                return {"uri": quote_from_bytes(known[len(inside) :]), "uriBaseId": ROOT}
        return {"uri": _address(path)}

    def _data(self, file: str) -> bytes | None:
        """What is in a file now; None where that cannot be read."""
        try:
            path = Path(os.fsdecode(self._path(file)))
            return path.read_bytes() if path.is_file() and path.stat().st_size <= _LARGEST else None
        except (OSError, ValueError):
            return None

    def _described(self, file: str) -> dict[str, Any]:
        found: dict[str, Any] = {"location": self._uri(file), "sourceLanguage": "c"}
        if file in self._inputs:
            found["roles"] = ["analysisTarget"]
        data = self._data(file)
        if data is not None:
            found["length"] = len(data)
            found["hashes"] = {"sha-256": hashlib.sha256(data).hexdigest()}
        return found


def text(words: str) -> dict[str, str]:
    """A message. What cannot be printed is shown by its escape sequence."""
    return {"text": clean(words)}


def _address(path: bytes) -> str:
    return f"file://{quote_from_bytes(path)}"
