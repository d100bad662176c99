"""Write the sequentialized program in the dialect of one backend."""

from __future__ import annotations

import re

from pycparser import c_ast

from cseq.backends.base import BACKENDS, Dialect, backend
from cseq.errors import ChainError
from cseq.modules import library
from cseq.modules.properties import CHECKED, PROPERTY
from cseq.stage import Parameter, Unit
from cseq.translator import Translator

BACKEND = Parameter(
    "backend",
    str,
    "cbmc",
    "the engine that checks the program",
    ("--backend", "-b"),
    "NAME",
    choices=lambda: list(BACKENDS),
)
"""Shared by the stages that deal with the engine."""

_PRIMITIVE = re.compile(r"\b__CSEQ_[a-z]\w*")
_BITS_TYPEDEF = re.compile(r"^typedef unsigned int __CSEQ_bits_(\d+);$", re.MULTILINE)


class Instrumenter(Translator):
    """in: the sequentialized program. out: the same as text in the dialect of the chosen backend.

    Primitives get the engine's names; those that it has no name for are defined in lines of our own in front.
    The text is the engine's own language and need not be C that we could parse again.
    """

    takes = (BACKEND, PROPERTY, CHECKED)
    gives = ("sequentialized",)

    def translate(self, tree: c_ast.FileAST) -> Unit:
        """Instrument for the engine; leaves the sequentialized unit for the replay."""
        if self.parameter("checked") and "checks" not in self.context.facts:
            raise ChainError(f"no stage of this chain is there for the property {self.parameter('property')}")
        unit = Unit(tree=tree)
        self.context.facts["sequentialized"] = unit
        return instrumented(unit, backend(self.parameter("backend")).dialect)


def instrumented(unit: Unit, dialect: Dialect) -> Unit:
    """*unit* in *dialect*: text with a line map."""
    used = set(_PRIMITIVE.findall(unit.text))
    widths = sorted({int(width) for width in _BITS_TYPEDEF.findall(unit.text)})
    before = [f"typedef {_bits(dialect, width)};" for width in widths]
    for name in sorted(used):
        text = _definition(name, dialect)
        if text is not None:
            before.append(text)
    text = _BITS_TYPEDEF.sub("", unit.text)
    text = _PRIMITIVE.sub(lambda match: dialect.names.get(match.group(), match.group()), text)
    return Unit(text="\n".join([*before, text]), linemap=unit.linemap.shifted(len(before)))


def _bits(dialect: Dialect, width: int) -> str:
    base, bracket, size = dialect.bits.format(width=width).partition("[")
    return f"{base}{bracket}{size} __CSEQ_bits_{width}"


def _definition(name: str, dialect: Dialect) -> str | None:
    """The definition of the primitive *name*; None where the engine has it, or where it is no function."""
    if name in dialect.definitions:
        text = dialect.definitions[name]
    elif name.startswith(library.NONDET):
        text = dialect.definitions[library.NONDET]
    else:
        return None
    kind = name.removeprefix(library.NONDET)
    type_ = f"__CSEQ_{kind}" if kind.startswith("bits_") else library.NONDET_TYPES.get(kind, "")
    return text.replace("{type}", type_).replace("{name}", name)
