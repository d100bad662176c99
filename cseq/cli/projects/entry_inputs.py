"""The arguments with which a function is called that is the entry of a program: inputs, of any value."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cseq.c.reading import File
from cseq.c.symbols import ILP32, LP64, Symbols
from cseq.model.errors import UsageError

_INPUTS = {
    "_Bool": "bool", "char": "char", "signed char": "char", "unsigned char": "uchar", "short": "short",
    "unsigned short": "ushort", "int": "int", "unsigned int": "uint", "unsigned": "uint", "long": "long",
    "unsigned long": "ulong", "long long": "longlong", "unsigned long long": "ulonglong", "float": "float",
    "double": "double",
}  # fmt: skip
"""The functions of SV-COMP that return inputs, `__VERIFIER_nondet_…`, by the types of their results."""

_RESULTS = {"uchar": "unsigned char", "ushort": "unsigned short", "uint": "unsigned", "ulong": "unsigned long",
            "longlong": "long long", "ulonglong": "unsigned long long", "bool": "_Bool"}  # fmt: skip


def inputs_of(function: str, file: str, bits: int, words: Sequence[str]) -> list[str]:
    """The ends of the names of the functions whose results are the arguments of *function*, which *file* defines.

    words: flags of the preprocessor. Raises UsageError for a parameter that is no number, and for a function with any
    number of arguments.
    """
    symbols = Symbols(File(Path(file), bits=bits, flags=words).parsed(), ILP32 if bits == 32 else LP64)
    defined = symbols.functions.get(function)
    if defined is None:
        raise UsageError(f"--entry: `{function}` is not defined in the text of {file}")
    found = []
    for number, item in enumerate(defined.decl.type.args.params if defined.decl.type.args is not None else (), 1):
        type_, name = getattr(item, "type", None), getattr(item, "name", None) or f"number {number}"
        kind = symbols.arithmetic(type_) if type_ is not None else None
        if kind == "void":
            continue
        if kind not in _INPUTS:
            how = f"write a function that calls it, and name that one ({defined.decl.coord})"
            raise UsageError(f"--entry: the parameter `{name}` of `{function}` is not a number: {how}")
        found.append(_INPUTS[kind])
    return found


def declarations(inputs: Sequence[str]) -> list[str]:
    """The declarations of the functions that return the *inputs*."""
    return [f"extern {_RESULTS.get(each, each)} {call(each)}(void);" for each in dict.fromkeys(inputs)]


def call(end: str) -> str:
    """The name of the function that returns an input. end: what it ends with."""
    return f"__VERIFIER_nondet_{end}"
