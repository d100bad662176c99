"""A run of a compiled program as a text: what is needed to repeat it, for `--save` and `cseq replay`."""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from cseq.model.errors import UsageError
from cseq.modules.compiled.client.record import ChoiceKind, RequestFlag
from cseq.modules.compiled.client.recorded import Module

VERSION = 1
"""Of the format. Another one is not read."""

_LETTERS = {
    ChoiceKind.THREAD: "t", ChoiceKind.WAITER: "w", ChoiceKind.TIMEOUT: "o", ChoiceKind.STORE: "s",
    ChoiceKind.FAILS: "f", ChoiceKind.SIGNAL: "g", ChoiceKind.HEAP: "h", ChoiceKind.VALUE: "v",
}  # fmt: skip
_KINDS = {letter: kind for kind, letter in _LETTERS.items()}

_MATTERING = ("OMP_", "GOMP_", "LD_", "LC_", "MALLOC_", "GTEST_", "CATCH_", "UBSAN_")
_ALSO_MATTERING = frozenset({"LANG", "TZ", "GLIBC_TUNABLES", "CSEQ_CC", "CSEQ_CXX"})

_NO_CHANGE = RequestFlag.DETAIL | RequestFlag.STRICT | RequestFlag.REAL_TIME | RequestFlag.SLEEP_SETS
"""What a request may have or not without another run following from it."""

Place = tuple[str, int]
"""An object file and an address in it; an address in memory where the file is empty."""


@dataclass(frozen=True)
class SavedRun:
    """A run, and the program that made it.

    program: its absolute path. digest: of the program. arguments, folder, environment, stdin: what it was started with;
    the variables are those that are likely to matter, or all if ``whole_environment``.
    sources, options, model: how it was compiled, if that was a part of the same command; model is the file with the
    user's scheduler.
    flags, steps: of the request. seconds: the limit of a run. sites: places of plain accesses that are switch points.
    choices: kinds and values. end, detail: how the run ended, by name and number. races: pairs of places.
    status: the expected exit status; None for any. hangs: the run did not end, and after the choices each thread had
    its turn again and again.
    """

    program: str
    digest: str
    arguments: tuple[str, ...]
    folder: str
    environment: Mapping[str, str]
    whole_environment: bool
    stdin: str | None
    sources: tuple[str, ...]
    options: tuple[str, ...]
    flags: tuple[str, ...]
    steps: int
    seconds: float
    sites: tuple[Place, ...]
    choices: tuple[tuple[int, int], ...]
    end: str
    detail: int
    races: tuple[tuple[Place, Place], ...]
    status: int | None
    hangs: bool = False
    model: str | None = None

    def text(self) -> str:
        """The run as JSON, a member per line."""
        members = {"cseq_run": VERSION, **asdict(self), "choices": written_choices(self.choices)}
        lines = [f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in members.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"

    @property
    def request_flags(self) -> RequestFlag:
        """The flags of a request that repeats the run."""
        return flags_of(self.flags) | (RequestFlag(0) if self.hangs else RequestFlag.STRICT)


def read(path: str) -> SavedRun:
    """The run in the file *path*. Raises UsageError where it cannot be read, or is no run."""
    try:
        members = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        members = None
    if not isinstance(members, dict) or "cseq_run" not in members:
        raise UsageError(f"{path}: is not a run that --save has written")
    if members.pop("cseq_run") != VERSION:
        raise UsageError(f"{path}: was written by another version of CSeq")
    try:
        return _made(members)
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{path}: is not a run that --save has written: {error}") from None


def _made(members: Mapping[str, Any]) -> SavedRun:
    lists = {name: tuple(members[name]) for name in ("arguments", "sources", "options", "flags")}
    saved = SavedRun(
        **{
            **members,
            **lists,
            "environment": dict(members["environment"]),
            "sites": tuple(_place(each) for each in members["sites"]),
            "choices": read_choices(members["choices"]),
            "races": tuple((_place(one), _place(other)) for one, other in members["races"]),
            "steps": int(members["steps"]),
            "seconds": float(members["seconds"]),
        }
    )
    flags_of(saved.flags)
    return saved


def _place(value: Sequence[Any]) -> Place:
    file, address = value
    return str(file), int(address)


def place(address: int, modules: Iterable[Module]) -> Place:
    """The place at an *address* of a process with these *modules*."""
    for module in modules:
        if module.base <= address < module.end:
            return module.path, address - module.base
    return "", address


def address(where: Place, modules: Iterable[Module]) -> int | None:
    """The address of a place in a process with these *modules*; None if its object file is not there.

    Object files are the same if they have the same name, whatever their folder.
    """
    path, offset = where
    if not path:
        return offset
    loaded = list(modules)
    exact = [module.base for module in loaded if module.path == path]
    alike = [module.base for module in loaded if Path(module.path).name == Path(path).name]
    return next((base + offset for base in (*exact, *alike)), None)


def written_choices(choices: Iterable[tuple[int, int]]) -> str:
    """Choices as words: ``t2`` for thread 2, ``t2*5`` for five times the same."""
    words = []
    for (kind, value), same in groupby(choices):
        count = len(list(same))
        words.append(f"{_LETTERS[ChoiceKind(kind)]}{value}{f'*{count}' if count > 1 else ''}")
    return " ".join(words)


def read_choices(text: str) -> tuple[tuple[int, int], ...]:
    """The choices that *text* is made of. Raises ValueError or KeyError for any other text."""
    choices: list[tuple[int, int]] = []
    for word in text.split():
        value, _, count = word[1:].partition("*")
        choices += [(int(_KINDS[word[0]]), int(value))] * int(count or 1)
    return tuple(choices)


def flag_names(flags: RequestFlag) -> tuple[str, ...]:
    """The names of the *flags* that a run depends on."""
    kept = flags & ~_NO_CHANGE
    return tuple(flag.name.lower() for flag in RequestFlag if flag & kept and flag.name)


def flags_of(names: Iterable[str]) -> RequestFlag:
    """The flags with these *names*. Raises ValueError for others."""
    flags = RequestFlag(0)
    for name in names:
        if name.upper() not in RequestFlag.__members__:
            raise ValueError(f"there is no flag `{name}`")
        flags |= RequestFlag[name.upper()]
    return flags


def digest(path: str) -> str:
    """What tells the program *path* from others: a digest of the file; empty where it cannot be read."""
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def mattering(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """The variables of an environment, by default ours, that are likely to change what a program does."""
    given = os.environ if environment is None else environment
    return {
        name: value for name, value in sorted(given.items()) if name.startswith(_MATTERING) or name in _ALSO_MATTERING
    }
