"""Reading the file that declares a backend: its allowed contents, and errors in it (docs/backends.md)."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cseq.c.verification import NONDET_TYPES
from cseq.model.errors import UsageError
from cseq.model.origin import Origin

_PROLOGUE = """\
extern void abort(void);
void reach_error(void) { abort(); }
void __VERIFIER_assume(int holds) { if (!holds) abort(); }
"""

_KINDS = frozenset(NONDET_TYPES) - {"schar", "pointer", "int128", "uint128"}

STATUSES = ("safe", "violated", "unknown", "timeout", "memory")
"""The possible answers, each with a pattern of its own."""

_KEYS = "about programs version prepare command model timeout memory complete tested install language answer"
_PLACES = frozenset({"program", "folder", "property", "bits"})
_PIECES = frozenset({"{model}", "{timeout}", "{memory}"})


@dataclass(frozen=True)
class Declaration:
    """The contents of a file that declares a verifier.

    programs: the names of its program. version: the arguments that make it print its version, and where that is.
    prepare: commands to run first. command: its arguments. model, timeout, memory: the values of ``{model}``,
    ``{timeout}`` and ``{memory}`` in these.
    complete: whether its "safe" is about all executions. tested: the version that was run with CSeq; empty for none.
    assume, claim, nondet, kinds, prologue, primitives: the language, as for a `Dialect`.
    patterns: what identifies each answer. exit: the exit statuses that go with it, if that matters.
    line: where the line of the violated claim is reported, as the first group. input: where a value is reported, as the
    group ``value``, and the line of its choice, as the group ``line``. witness: files that may report inputs.
    """

    path: Path
    about: str
    programs: list[str]
    command: list[str]
    complete: bool
    patterns: dict[str, re.Pattern[str]]
    version: tuple[list[str], re.Pattern[str]] | None = None
    prepare: list[list[str]] = field(default_factory=list)
    model: dict[int, list[str]] = field(default_factory=dict)
    timeout: list[str] = field(default_factory=list)
    memory: list[str] = field(default_factory=list)
    tested: str = ""
    install: str = ""
    assume: str = "__VERIFIER_assume"
    claim: str = "if (!({condition})) reach_error();"
    nondet: str = "__VERIFIER_nondet_{kind}"
    kinds: frozenset[str] = _KINDS
    prologue: tuple[str, ...] = tuple(_PROLOGUE.splitlines())
    primitives: dict[str, str] = field(default_factory=dict)
    exit: dict[str, list[int]] = field(default_factory=dict)
    line: re.Pattern[str] | None = None
    input: re.Pattern[str] | None = None
    witness: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The name of the backend."""
        return self.path.stem

    @staticmethod
    def read(path: Path) -> Declaration:
        """The declaration in the file *path*. UsageError, with the place, if something is wrong with it."""
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"cannot read the backend {path}: {error}") from None
        try:
            table = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            found = re.search(r"(.*) \(at line (\d+), column \d+\)", str(error))
            line = int(found[2]) if found else len(text.splitlines())
            message = found[1] if found else str(error)
            raise UsageError(f"no TOML: {message[:1].lower()}{message[1:]}", Origin(str(path), max(line, 1))) from None
        return _Reader(path, text).declaration(table)


class _Reader:
    """Reads the tables of the file *path*, whose text is only used to report where something is wrong."""

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._lines = text.splitlines()

    def declaration(self, table: dict[str, Any]) -> Declaration:
        self._only(table, _KEYS)
        language = self._table(table, "language")
        answer = self._table(table, "answer")
        self._only(language, "assume assert nondet kinds prologue primitives")
        self._only(answer, " ".join(STATUSES) + " line input exit witness")
        given: dict[str, Any] = {
            "assume": self._text(language, "assume"),
            "claim": self._template(language, "assert", {"condition", "text"}),
            "nondet": self._template(language, "nondet", {"kind"}),
            "kinds": self._kinds(language),
            "prologue": tuple(language["prologue"].splitlines()) if self._text(language, "prologue") else None,
            "primitives": self._primitives(language),
            "version": self._version(table),
            "prepare": self._commands(table, "prepare"),
            "model": self._model(table),
            "timeout": self._words(table, "timeout", _PLACES | {"seconds"}),
            "memory": self._words(table, "memory", _PLACES | {"megabytes"}),
            "tested": self._text(table, "tested"),
            "install": self._text(table, "install"),
            "exit": self._exit(answer),
            "line": self._pattern(answer, "line", groups=1),
            "input": self._input(answer),
            "witness": self._words(answer, "witness", frozenset()),
        }
        return Declaration(
            path=self._path,
            about=self._text(table, "about", needed=True) or "",
            programs=self._words(table, "programs", frozenset(), needed=True) or [],
            command=self._command(table),
            complete=self._complete(table),
            patterns=self._patterns(answer),
            **{name: value for name, value in given.items() if value is not None},
        )

    def _fail(self, message: str, key: str = "") -> UsageError:
        """The error, at the first line that sets *key*, if there is one."""
        for number, line in enumerate(self._lines, 1):
            if key and re.match(rf"\s*\[*\s*[\"']?{re.escape(key)}\b", line):
                return UsageError(message, Origin(str(self._path), number))
        return UsageError(f"{self._path}: {message}")

    def _only(self, table: dict[str, Any], known: str, inside: str = "") -> None:
        for key in table:
            if key not in known.split():
                raise self._fail(f"there is no `{key}` here (known: {', '.join(known.split())})", inside or key)

    def _value(self, table: dict[str, Any], key: str, type_: type, what: str, needed: bool = False) -> Any:
        value = table.get(key)
        if value is None and needed:
            raise self._fail(f"`{key}` is missing")
        if value is not None and (not isinstance(value, type_) or (type_ is int and isinstance(value, bool))):
            raise self._fail(f"`{key}` has to be {what}", key)
        return value

    def _table(self, table: dict[str, Any], key: str) -> dict[str, Any]:
        found: dict[str, Any] | None = self._value(table, key, dict, "a table")
        return found or {}

    def _text(self, table: dict[str, Any], key: str, needed: bool = False) -> str | None:
        found: str | None = self._value(table, key, str, "a text", needed)
        if needed and not (found or "").strip():
            raise self._fail(f"`{key}` is empty", key)
        return found

    def _words(self, table: dict[str, Any], key: str, places: frozenset[str], needed: bool = False) -> list[str] | None:
        """A list of texts, in which ``{x}`` may only occur for x in *places*."""
        found: list[str] | None = self._value(table, key, list, "a list of texts", needed)
        if found is None:
            return None
        if not all(isinstance(word, str) for word in found) or (needed and not found):
            raise self._fail(f"`{key}` has to be a list of texts", key)
        for word in found:
            for place in re.findall(r"\{(\w+)\}", word):
                if place not in places and word not in _PIECES:
                    known = ", ".join(f"{{{name}}}" for name in sorted(places))
                    raise self._fail(f"`{key}`: nothing is known for {{{place}}} (known: {known or 'none'})", key)
        return found

    def _command(self, table: dict[str, Any]) -> list[str]:
        found = self._words(table, "command", _PLACES, needed=True) or []
        prepared = [word for command in table.get("prepare", ()) for word in command]
        if not any("{program}" in word for word in [*found, *prepared]):
            raise self._fail("`command` has to have {program} in it, the C file", "command")
        for key in ("model", "timeout", "memory"):
            if (key in table) != (f"{{{key}}}" in found):
                raise self._fail(f"`{key}` and {{{key}}} in `command` have to be used together", "command")
        return found

    def _commands(self, table: dict[str, Any], key: str) -> list[list[str]]:
        found: list[Any] = self._value(table, key, list, "a list of lists of texts") or []
        return [self._words({key: command}, key, _PLACES, needed=True) or [] for command in found]

    def _input(self, table: dict[str, Any]) -> re.Pattern[str] | None:
        found = self._pattern(table, "input")
        if found is not None and not {"line", "value"} <= set(found.groupindex):
            raise self._fail("`input` needs the groups (?P<line>…) and (?P<value>…)", "input")
        return found

    def _complete(self, table: dict[str, Any]) -> bool:
        found: bool = self._value(table, "complete", bool, "true or false", needed=True)
        return found

    def _template(self, table: dict[str, Any], key: str, places: set[str]) -> str | None:
        found = self._text(table, key)
        needed = next(iter(sorted(places)))
        if found is not None and f"{{{needed}}}" not in found:
            raise self._fail(f"`{key}` has to have {{{needed}}} in it", key)
        return found

    def _kinds(self, table: dict[str, Any]) -> frozenset[str] | None:
        found = self._words(table, "kinds", frozenset())
        for kind in found or ():
            if kind not in NONDET_TYPES:
                raise self._fail(f"there is no kind `{kind}` (known: {', '.join(NONDET_TYPES)})", "kinds")
        return None if found is None else frozenset(found)

    def _primitives(self, table: dict[str, Any]) -> dict[str, str]:
        found = self._table(table, "primitives")
        for name in found:
            if not name.startswith("__CSEQ_"):
                raise self._fail(f"a primitive begins with __CSEQ_, `{name}` does not", name)
            text = self._text(found, name) or ""
            if "\n" in text.strip():
                raise self._fail(f"`{name}` has to be one line", name)
        return found

    def _version(self, table: dict[str, Any]) -> tuple[list[str], re.Pattern[str]] | None:
        if "version" not in table:
            return None
        found = self._table(table, "version")
        self._only(found, "arguments pattern", "version")
        pattern = self._pattern(found, "pattern", groups=1, needed=True)
        assert pattern is not None
        return self._words(found, "arguments", frozenset(), needed=True) or [], pattern

    def _model(self, table: dict[str, Any]) -> dict[int, list[str]] | None:
        if "model" not in table:
            return None
        found = self._table(table, "model")
        self._only(found, "32 64", "model")
        return {int(bits): self._words(found, bits, _PLACES) or [] for bits in found}

    def _patterns(self, table: dict[str, Any]) -> dict[str, re.Pattern[str]]:
        found = {name: self._pattern(table, name, needed=name in ("safe", "violated")) for name in STATUSES}
        return {name: pattern for name, pattern in found.items() if pattern is not None}

    def _pattern(
        self, table: dict[str, Any], key: str, groups: int = 0, needed: bool = False
    ) -> re.Pattern[str] | None:
        text = self._text(table, key, needed)
        if text is None:
            return None
        try:
            pattern = re.compile(text, re.MULTILINE)
        except re.error as error:
            raise self._fail(f"`{key}` is not a regular expression: {error}", key) from None
        if pattern.groups < groups:
            raise self._fail(f"`{key}` needs a group, in round brackets, for the number", key)
        if pattern.search("") is not None:
            raise self._fail(f"`{key}` matches the empty text, so everything", key)
        return pattern

    def _exit(self, table: dict[str, Any]) -> dict[str, list[int]]:
        found = self._table(table, "exit")
        self._only(found, "safe violated", "exit")
        for key in found:
            if not isinstance(found[key], list) or not all(type(status) is int for status in found[key]):
                raise self._fail(f"`{key}` has to be a list of numbers", "exit")
        return found
