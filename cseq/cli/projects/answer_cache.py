"""What earlier runs on a project have found out: answers, symbols of files, lists of tests.

Files are written whole or not at all, and a file that cannot be read is as good as none. Answers are pickles, but for
reading them only our own plain data can be made: the folder may be from an untrusted source.
"""

import hashlib
import io
import json
import pickle
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any

from cseq.cli.projects.whole_files import write_whole
from cseq.model.taskresults import TaskEnd, TaskResult
from cseq.model.verdict import Listing, Outcome

NAME = ".cseq-cache"
"""The folder beside the compilation database."""

_FORMAT = 1
_BASE = "cseq.model."
_PLAIN = {("builtins", "set"), ("builtins", "frozenset"), ("pathlib", "PosixPath"), ("pathlib", "PurePosixPath")}


class Cache:
    """The files of the cache in *folder*; None: there is none. say: called with what is wrong with a file."""

    def __init__(self, folder: Path | None, say: Callable[[str], None]) -> None:
        self._folder = folder
        self._say = say

    def table(self, name: str, key: str) -> dict[str, Any]:
        """The table *name* that was kept with *key*; else an empty one."""
        data = self._read(f"{name}.json")
        if data is None:
            return {}
        try:
            found = json.loads(data)
            if found["format"] != _FORMAT or found["key"] != key:
                return {}
            table = found["table"]
        except (ValueError, KeyError, TypeError):
            self._broken(f"{name}.json")
            return {}
        if not isinstance(table, dict):
            self._broken(f"{name}.json")
            return {}
        return table

    def keep_table(self, name: str, key: str, table: dict[str, Any]) -> None:
        """Keep *table* as *name*."""
        data = json.dumps({"format": _FORMAT, "key": key, "table": table}, separators=(",", ":"))
        self._write(f"{name}.json", data.encode())

    def broken(self, name: str) -> None:
        """Say that the table *name* is not what it should be."""
        self._broken(f"{name}.json")

    def answer(self, question: str, key: str) -> TaskResult | None:
        """The result of *question* if it was kept with this *key*."""
        name = _answer_file(question)
        data = self._read(name)
        if data is None:
            return None
        head, _, body = data.partition(b"\n")
        words = head.decode("ascii", "replace").split()
        if len(words) != 3 or words[2] != hashlib.sha256(body).hexdigest():
            self._broken(name)
            return None
        if words[:2] != [str(_FORMAT), key]:
            return None
        try:
            result = _Unpickler(io.BytesIO(body)).load()
        except Exception:  # whatever is in the file
            result = None
        if not isinstance(result, TaskResult):
            self._broken(name)
            return None
        return result

    def keep_answer(self, question: str, key: str, result: TaskResult) -> None:
        """Keep the *result* of *question*, if it is complete."""
        if self._folder is None or not is_complete(result):
            return
        body = pickle.dumps(result, protocol=5)
        try:
            _Unpickler(io.BytesIO(body)).load()
        except pickle.UnpicklingError:
            return  # it has something that is not plain data
        self._write(_answer_file(question), f"{_FORMAT} {key} {hashlib.sha256(body).hexdigest()}\n".encode() + body)

    def _read(self, name: str) -> bytes | None:
        if self._folder is None:
            return None
        try:
            return (self._folder / name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            self._say(f"{self._folder / name}: cannot be read, and is ignored: {error.strerror}")
            return None

    def _broken(self, name: str) -> None:
        assert self._folder is not None
        self._say(f"{self._folder / name}: is broken, and is ignored")

    def _write(self, name: str, data: bytes) -> None:
        folder = self._folder
        if folder is None:
            return
        try:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            ignoring = folder / ".gitignore"
            if not ignoring.exists():
                ignoring.write_text("*\n", encoding="ascii")
            write_whole(path, data)
        except OSError as error:
            self._say(f"{folder}: nothing is kept for the next run: {error.strerror}")
            self._folder = None


class _Unpickler(pickle.Unpickler):
    """Makes plain data of `cseq.model`, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN:
            return super().find_class(module, name)
        if module.startswith(_BASE) and "." not in name:
            found = super().find_class(module, name)
            if isinstance(found, type) and found.__module__ == module and _is_data(found):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no plain data")


def _is_data(found: type) -> bool:
    return hasattr(found, "__dataclass_fields__") or issubclass(found, Enum | tuple)


def is_complete(result: TaskResult) -> bool:
    """Whether another run would have the same answer: no limit of time or memory, and no failure, has ended it."""
    if result.end is not TaskEnd.ANSWERED or result.outcome is None:
        return False
    return all(_is_final(part) for part in result.outcome.all())


def _is_final(part: Outcome) -> bool:
    return part.exit_status in (0, 1) and part.listing is not Listing.STOPPED and part.kept is None


def _answer_file(question: str) -> str:
    return f"answers/{hashlib.sha256(question.encode('utf-8', 'surrogateescape')).hexdigest()[:32]}"
