"""Backends that are only declared: a file ``NAME.toml`` for each, as described in docs/backends.md, and no code.

Unless the file says otherwise, the program is in the form that SV-COMP verifiers expect: each claim is a call of
``reach_error()`` on a line of its own, so that a line identifies the violated claim.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import signal
from dataclasses import dataclass
from pathlib import Path

from cseq.backends import portable, witnesses
from cseq.backends.base import Answer, Backend, Dialect, Options
from cseq.backends.manifest import Declaration
from cseq.c.verification import NONDET_TYPES
from cseq.model.errors import BackendError
from cseq.process.run import Completed, run

FOLDER = Path(__file__).resolve().parent
PROPERTY = FOLDER / "unreach-call.prp"
"""The claim made of every program, in SV-COMP's notation."""

_OVERFLOW = {f"__CSEQ_overflow_{operation}" for operation in ("plus", "minus", "mult")}
"""The primitives that a language needs for the property no-overflow."""

_WHOLE, _LONG = ("int", "uint"), ("longlong", "ulonglong")
_INSTEAD = {
    "bool": ("uchar", "char", "schar", *_WHOLE), "char": ("uchar", "schar", *_WHOLE),
    "schar": ("char", "uchar", *_WHOLE), "uchar": ("char", "schar", *_WHOLE), "short": ("ushort", *_WHOLE),
    "ushort": ("short", *_WHOLE), "int": ("uint",), "uint": ("int",), "long": ("ulong", *_LONG),
    "ulong": ("long", *_LONG), "longlong": ("ulonglong",), "ulonglong": ("longlong",),
    "pointer": ("ulong", "long", *_LONG), "float": ("uint", "int"), "double": ("ulonglong", "longlong"),
}  # fmt: skip
"""Kinds of values, and the other kinds that they can be made of, each from one value that is no smaller."""


def names() -> list[str]:
    """The names of the verifiers declared here."""
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


def find(name: str) -> Path | None:
    """The file that declares the backend *name*: one of ours, or a path that the user gives."""
    path = Path(name).absolute() if name.endswith(".toml") else FOLDER / f"{name}.toml"
    return path if path.is_file() else None


@functools.cache
def load(path: Path) -> Declared:
    """The backend that the file *path* declares. UsageError, with the place, if something is wrong with it."""
    return Declared(Declaration.read(path))


class Declared(Backend):
    """A verifier known only by its declaration."""

    reserves = True  # many run on virtual machines, which reserve much

    def __init__(self, declaration: Declaration) -> None:
        self.declaration = declaration
        self.name = declaration.name
        self.complete = declaration.complete
        self.dialect = _dialect(declaration)
        if set(declaration.primitives) >= _OVERFLOW:
            self.properties = Backend.properties | {"no-overflow"}
        programs = " or ".join(f"`{program}`" for program in declaration.programs)
        install = f"; {declaration.install}" if declaration.install else ""
        self.advice = f"there is no {programs} on the PATH, and {self.variable} names none{install}"

    def find(self) -> Path | None:
        """The program that ``CSEQ_NAME`` names, or the first of the programs that is on the PATH."""
        given = os.environ.get(self.variable)
        for program in [given] if given else self.declaration.programs:
            path = shutil.which(program)
            if path is not None:
                return Path(path).absolute()
        return None

    @property
    def variable(self) -> str:
        """The environment variable that may name the program."""
        return f"CSEQ_{re.sub(r'[^A-Za-z0-9]', '_', self.name).upper()}"

    def version(self, path: Path) -> tuple[int, ...] | None:
        """The match of the declared pattern; None if it finds nothing, or if no version is declared."""
        if self.declaration.version is None:
            return None
        arguments, pattern = self.declaration.version
        try:
            completed = run([str(path), *arguments], timeout=30)
        except BackendError:
            return None
        found = pattern.search(completed.stdout + completed.stderr)
        numbers = re.findall(r"\d+", found.group(1)) if found else []
        return tuple(int(number) for number in numbers) or None

    def prepare(self, path: Path, program: Path, options: Options) -> list[list[str]]:
        """The declared commands that run before the verifier."""
        return [self._filled(command, program, options) for command in self.declaration.prepare]

    def command(self, path: Path, program: Path, options: Options) -> list[str]:
        """The declared command, with the options filled in."""
        pieces = {
            "{model}": self.declaration.model.get(options.bits, []),
            "{timeout}": self.declaration.timeout if options.timeout is not None else [],
            "{memory}": self.declaration.memory if options.memory is not None else [],
        }
        words = [word for piece in self.declaration.command for word in pieces.get(piece, [piece])]
        return [str(path), *self._filled(words, program, options)]

    @staticmethod
    def _filled(words: list[str], program: Path, options: Options) -> list[str]:
        values = {
            "program": str(program),
            "folder": str(program.parent),
            "property": str(PROPERTY),
            "bits": str(options.bits),
            "seconds": str(max(int(options.timeout), 1)) if options.timeout is not None else "",
            "megabytes": str(options.memory or ""),
        }
        return [re.sub(r"\{(\w+)\}", lambda match: values[match.group(1)], word) for word in words]

    def parse(self, completed: Completed, program: Path) -> Answer:
        """Read what the patterns find, and for a violation what a witness next to the *program* reports."""
        said = _Output(self.declaration, completed)
        status = said.status()
        if status != "violated":
            return Answer(status, said.excerpt() if status in ("unknown", "error") else "")
        text = program.read_text(encoding="utf-8").splitlines()
        witness = witnesses.find(program, self.declaration.witness)
        witnessed = witnesses.read(witness, text) if witness is not None else witnesses.Witness()
        chosen = said.inputs(text) or witnessed.values or None
        return Answer("violated", inputs=None, line=said.line() or witnessed.line, chosen=chosen)


@dataclass(frozen=True)
class _Output:
    """The output of a verifier, as its declaration reads it."""

    declaration: Declaration
    completed: Completed

    @property
    def _everything(self) -> str:
        return self.completed.stdout + self.completed.stderr

    def status(self) -> str:
        """As in `Answer`; an error if there is no verdict, or more than one."""
        completed, patterns = self.completed, self.declaration.patterns
        if completed.timed_out:
            return "timeout"
        if completed.status in (-signal.SIGABRT, -signal.SIGSEGV) and completed.limited:
            return "memory"
        found = {name for name, pattern in patterns.items() if pattern.search(self._everything)}
        verdicts = found & {"safe", "violated"}
        if completed.status < 0 or len(verdicts) > 1:
            return "error"
        given_up = next((name for name in ("memory", "timeout", "unknown") if name in found), None)
        if given_up is not None or not verdicts:
            return given_up or "error"
        (verdict,) = verdicts
        expected = self.declaration.exit.get(verdict)
        return verdict if expected is None or completed.status in expected else "error"

    def excerpt(self) -> str:
        """Why there is no verdict."""
        status, text = self.completed.status, " ".join(self._everything.split())
        if status < 0:
            return f"{self.declaration.name} was killed by signal {-status}"
        if self.status() == "unknown":
            pattern = self.declaration.patterns["unknown"]
            line = next((line for line in self._everything.splitlines() if pattern.search(line)), text)
            return f"{self.declaration.name} says: {line.strip()[:200]}"
        said = text if len(text) <= 200 else f"…{text[-200:]}"
        return f"no verdict that its declaration knows (exit status {status}): {said}"

    def line(self) -> int | None:
        """The line that it reports."""
        if self.declaration.line is None:
            return None
        found = self.declaration.line.search(self._everything)
        return int(found.group(1)) if found else None

    def inputs(self, program: list[str]) -> list[tuple[int | str, int]]:
        """The values that it reports, each with the line of its choice in the *program* with these lines."""
        pattern = self.declaration.input
        found = pattern.finditer(self._everything) if pattern is not None else ()
        choices = [witnesses.chosen(int(match["line"]), match["value"], program) for match in found]
        return [choice for choice in choices if choice is not None]


def _dialect(declaration: Declaration) -> Dialect:
    """The dialect: calls of the verifier's functions where it has them, and definitions for the rest."""
    names = {"__CSEQ_assume": declaration.assume, "__CSEQ_assert": "__CSEQ_claim"}
    made: dict[str, str] = {name: text for name, text in portable.DEFINITIONS.items() if "nondet" not in text}
    for kind, others in _INSTEAD.items():
        name = f"__CSEQ_nondet_{kind}"
        if kind in declaration.kinds:
            names[name], made[name] = _function(declaration, kind), _prototype(declaration, kind)
        else:
            other = next((other for other in others if other in declaration.kinds), None)
            if other is not None:
                made[name] = f"{_prototype(declaration, other)} {_converted(kind, other, declaration)}"
    whole = next((kind for kind in ("uint", "int") if kind in declaration.kinds), None)
    if whole is not None:
        # A variable of so many bits is bounded in the statement after its assignment: no mask is needed.
        names["__CSEQ_nondet_bits_"] = _function(declaration, whole)
        made["__CSEQ_nondet_bits_"] = _prototype(declaration, whole)
    byte = next((kind for kind in ("uchar", *_INSTEAD["uchar"]) if kind in declaration.kinds), None)
    if byte is not None:
        made["__CSEQ_havoc"] = (
            f"{_prototype(declaration, byte)} static void __CSEQ_havoc(void *object, unsigned long size) "
            f"{{ for (unsigned long i = 0; i < size; i++) {{ unsigned char {witnesses.INPUT} = "
            f"{_function(declaration, byte)}(); ((unsigned char *)object)[i] = {witnesses.INPUT}; }} }}"
        )
    prologue = (*declaration.prologue, f"static void __CSEQ_suppose(int holds) {{ {declaration.assume}(holds); }}")
    return Dialect(names, {**made, **declaration.primitives}, prologue=prologue, claim=declaration.claim)


def _function(declaration: Declaration, kind: str) -> str:
    return declaration.nondet.replace("{kind}", kind)


def _prototype(declaration: Declaration, kind: str) -> str:
    return f"extern {NONDET_TYPES[kind]} {_function(declaration, kind)}(void);"


def _converted(kind: str, other: str, declaration: Declaration) -> str:
    """The definition of the values of one kind in terms of another."""
    type_, call = NONDET_TYPES[kind], f"{_function(declaration, other)}()"
    head = f"static {type_} __CSEQ_nondet_{kind}(void)"
    if kind in ("float", "double"):
        bits = NONDET_TYPES[other]
        return f"{head} {{ union {{ {bits} bits; {type_} value; }} u; u.bits = {call}; return u.value; }}"
    return f"{head} {{ return {call} & 1; }}" if kind == "bool" else f"{head} {{ return ({type_}){call}; }}"
