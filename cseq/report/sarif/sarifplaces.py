"""Places in the user's source as SARIF has them: artifacts, regions, locations."""

import hashlib
import os
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes

from cseq.model.origin import Origin
from cseq.report.words import clean

ROOT = "%SRCROOT%"
"""The base of relative addresses: the folder in which the command runs. Dashboards set it themselves."""

_AROUND = 3
"""The number of lines that are shown before and after a violation."""

_CPLUSPLUS = (".cc", ".cpp", ".cxx", ".c++", ".C", ".hh", ".hpp", ".hxx")

_LARGEST = 16 << 20
"""In bytes: no lines of larger files are shown."""


class Places:
    """Makes locations, and collects their files."""

    def __init__(self, folder: Path, inputs: tuple[str, ...]) -> None:
        self._folder = os.fsencode(folder)
        self._inputs = inputs
        self._files: dict[str, int] = {}
        self._lines: dict[str, list[str]] = {}
        self._uris: dict[str, dict[str, str]] = {}
        for name in inputs:
            self.artifact(name)

    def turn_to(self, inputs: tuple[str, ...]) -> None:
        """Make locations of the program that consists of *inputs*, which are among the files already."""
        self._inputs = inputs

    @property
    def root(self) -> str:
        """The address of the folder."""
        return _address(self._folder).rstrip("/") + "/"

    def artifact(self, file: str) -> dict[str, Any]:
        """The location of a file: relative if it is in the folder, else absolute."""
        index = self._files.setdefault(file, len(self._files))
        return {**self._uri(file), "index": index}

    def unknown(self) -> dict[str, Any]:
        """A location of which nothing is known: the first of the inputs; an empty one if there are no inputs."""
        return {"physicalLocation": {"artifactLocation": self.artifact(self._inputs[0])}} if self._inputs else {}

    def artifacts(self) -> list[dict[str, Any]]:
        """The files of all locations made so far, in the order of their indices, the inputs first."""
        return [self._described(file) for file in self._files]

    def physical(self, origin: Origin, source: str = "") -> dict[str, Any]:
        """A line. source: its text as the user wrote it; "" if it is not known."""
        found: dict[str, Any] = {"artifactLocation": self.artifact(origin.file)}
        if origin.line > 0:
            found["region"] = self._region(origin, source.strip())
        return found

    def in_context(self, origin: Origin, source: str = "") -> dict[str, Any]:
        """A line with the lines around it, if they can be read."""
        found = self.physical(origin, source)
        if "snippet" in found.get("region", {}):
            lines = self._read(origin.file)
            first, last = max(origin.line - _AROUND, 1), min(origin.line + _AROUND, len(lines))
            shown = "\n".join(lines[first - 1 : last])
            if shown.replace("\n", "").replace("\t", "").isprintable():
                found["contextRegion"] = {"startLine": first, "endLine": last, "snippet": {"text": shown}}
        return found

    def location(self, origin: Origin, message: str = "", source: str = "", id_: int | None = None) -> dict[str, Any]:
        """A line, its function, and a *message* about it, which is a sentence without its period."""
        found: dict[str, Any] = {"id": id_} if id_ is not None else {}
        found["physicalLocation"] = self.physical(origin, source)
        if origin.function:
            name = clean(origin.function)
            found["logicalLocations"] = [{"name": name, "fullyQualifiedName": name, "kind": "function"}]
        if message:
            found["message"] = text(f"{message}.")
        return found

    def line(self, origin: Origin) -> str:
        """The line of the file as it is now, without surrounding blanks; "" if it cannot be read."""
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
        """The line from its first to its last non-blank character; only its number if these are not known."""
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
        """The present contents of a file; None if it cannot be read."""
        try:
            path = Path(os.fsdecode(self._path(file)))
            return path.read_bytes() if path.is_file() and path.stat().st_size <= _LARGEST else None
        except (OSError, ValueError):
            return None

    def _described(self, file: str) -> dict[str, Any]:
        language = "cplusplus" if file.endswith(_CPLUSPLUS) else "c"
        found: dict[str, Any] = {"location": self._uri(file), "sourceLanguage": language}
        if file in self._inputs:
            found["roles"] = ["analysisTarget"]
        data = self._data(file)
        if data is not None:
            found["length"] = len(data)
            found["hashes"] = {"sha-256": hashlib.sha256(data).hexdigest()}
        return found


def text(words: str) -> dict[str, str]:
    """A message, with escape sequences for unprintable characters."""
    return {"text": clean(words)}


def _address(path: bytes) -> str:
    return f"file://{quote_from_bytes(path)}"
