"""What a program gets from outside of it, as the user gives it: arguments, environment variables, standard input."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import basic, pointer_to
from cseq.model.errors import UsageError
from cseq.pipeline.stage import Parameter


def words(text: str) -> list[str]:
    """The words of *text*, as a shell splits them. ValueError for text that is not closed, as ``"x``."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise ValueError(f"{text!r}: {str(error)[:1].lower()}{str(error)[1:]}") from None


def setting(text: str) -> tuple[str, str]:
    """The name and the value in ``NAME=VALUE``. ValueError for any other text."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise ValueError(f"{text!r} is not of the form NAME=VALUE")
    return name, value


def contents(path: str) -> bytes:
    """What the file *path* contains. ValueError where it cannot be read."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ValueError(f"{path}: {(error.strerror or str(error)).lower()}") from None


ARGUMENTS: Parameter[str | None] = Parameter(
    "args", str, None, "run the program with the arguments TEXT: words, as a shell splits them (without it, none)",
    ("--args",), "TEXT", check=words,
)  # fmt: skip
ANY_ARGUMENTS = Parameter(
    "args_any", bool, False, "let the program's arguments be inputs: up to two, of up to 15 characters", ("--args-any",)
)
ANY_COUNT = Parameter(
    "args_count_any", bool, False, "let `argc` be any number from 1, if the program looks at nothing but it"
)
VARIABLES: Parameter[Sequence[str]] = Parameter(
    "env", str, (), "run the program in an environment of only these variables (without it, in any environment)",
    ("--env",), "NAME=VALUE", multiple=True, check=setting,
)  # fmt: skip
INPUT: Parameter[str | None] = Parameter(
    "stdin", str, None, "let the program read the contents of FILE from its standard input (without it, anything)",
    ("--stdin",), "FILE", check=contents,
)  # fmt: skip


def check(values: Mapping[str, object]) -> None:
    """Raise UsageError for options about arguments that cannot be combined."""
    if ARGUMENTS.of(values) is not None and ANY_ARGUMENTS.of(values):
        raise UsageError("--args and --args-any cannot be combined")


def variables(given: Sequence[str]) -> dict[str, str]:
    """The variables of the environment, by name; of those that are *given* twice, the last value."""
    return dict(setting(text) for text in given)


def text_object(name: str, text: bytes) -> c_ast.Decl:
    """The definition of an array of characters called *name* with *text* and a null character at the end."""
    numbers: list[c_ast.Node] = [build.number(byte if byte < 128 else byte - 256) for byte in (*text, 0)]
    size = build.number(len(numbers))
    return _defined(name, c_ast.ArrayDecl(basic("char"), size, []), numbers)


def texts(pointers: str, items: Iterable[str]) -> list[c_ast.Decl]:
    """The definitions of arrays with the texts *items*, and of an array *pointers* of pointers to them, then null."""
    found = [text_object(f"{pointers}_{number}", item.encode(errors="surrogateescape"))
             for number, item in enumerate(items)]  # fmt: skip
    places: list[c_ast.Node] = [*(build.ident(item.name) for item in found), build.number(0)]
    type_ = c_ast.ArrayDecl(pointer_to(basic("char")), build.number(len(places)), [])
    return [*found, _defined(pointers, type_, places)]


def _defined(name: str, type_: c_ast.Node, values: list[c_ast.Node]) -> c_ast.Decl:
    decl = build.declare(name, type_)
    return c_ast.Decl(name, [], [], [], [], decl.type, c_ast.InitList(values), None)
