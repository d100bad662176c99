"""The formats of printf and scanf (C11 §7.21.6)."""

import re
from dataclasses import dataclass

from cseq.c.literals import contents

_PIECE = re.compile(
    r"%(?P<flags>[-+ #0'*]*)(?P<width>\d*|\*)(?:\.(?P<precision>\d*|\*))?(?P<length>hh|h|ll|l|q|L|j|z|t)?"
    r"(?P<kind>[a-zA-Z%]|\[\^?\]?[^\]]*\])|(?P<text>(?:\\.|[^%\\])+)"
)
_SIMPLE = frozenset("diuxoXcs%")
_LENGTHS = {"": "int", "hh": "char", "h": "short", "l": "long", "ll": "long long", "q": "long long", "j": "long long",
            "z": "long", "t": "long"}  # fmt: skip


@dataclass(frozen=True)
class Conversion:
    """A part of a format: text (then the kind is empty) or a conversion.

    source: the text as written in the literal. text: what it means. kind: the letter; ``[`` for a set of characters.
    width: 0 if there is none. precision: None if there is none.
    """

    kind: str
    source: str = ""
    text: str = ""
    flags: str = ""
    width: int = 0
    precision: int | None = None
    length: str = ""

    @property
    def takes(self) -> bool:
        """Whether it takes an argument."""
        return self.kind not in ("", "%")

    @property
    def is_simple(self) -> bool:
        """Whether the text that it prints is modelled exactly."""
        if self.kind == "":
            return True
        plain = set(self.flags) <= {"0"} and self.kind in _SIMPLE - {"X"}
        if self.kind in "cs%":
            return plain and self.width == 0 and not self.flags and (self.precision is None or self.kind == "s")
        return plain and self.precision is None and self.width <= 20

    @property
    def type(self) -> str:
        """The type that an integer argument is converted to."""
        signed = _LENGTHS.get(self.length, "int")
        if self.kind in "di":
            return "signed char" if signed == "char" else signed
        return f"unsigned {signed}"


def conversions(literal: str) -> list[Conversion]:
    """The parts of the format in a string literal (or several adjacent ones), as written in the source."""
    body = "".join(contents(literal))
    found = []
    for match in _PIECE.finditer(body):
        if match["text"] is not None:
            source = match["text"]
            length = len(re.sub(r"\\(?:x[0-9a-fA-F]+|[0-7]{1,3}|.)", "_", source).encode())
            found.append(Conversion("", source, "_" * length))
            continue
        precision = match["precision"]
        unknown = "*" in (precision or "") or match["width"] == "*"
        found.append(
            Conversion(
                match["kind"][0],
                match.group(),
                flags=match["flags"] + ("'" if unknown else ""),
                width=int(match["width"]) if match["width"].isdigit() else 0,
                precision=int(precision or 0) if precision is not None and precision != "*" else None,
                length=match["length"] or "",
            )
        )
    return found
