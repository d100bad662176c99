"""The values of literals: integers, floating-point numbers, characters and strings (C11 §6.4.4, §6.4.5)."""

import re

from cseq.c.scanner import ENCODING, QUOTED_CHARACTER, QUOTED_STRING

_QUOTED = re.compile(rf"{QUOTED_STRING}|{QUOTED_CHARACTER}")
_ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "e": 27, "E": 27}
_PREFIX = re.compile(rf"({ENCODING})?[\"']")
_HEX = "0123456789abcdefABCDEF"
_OCTAL = "01234567"


def integer_value(text: str) -> int:
    """The value of an integer constant, or of a multi-character constant."""
    if text.endswith("'"):
        value = 0
        for unit in string_units(text):
            value = (value << 8 | unit) & 0xFFFFFFFF
        return value - (1 << 32) if value >> 31 else value
    text = text.rstrip("uUlL")
    if text[:2] in ("0x", "0X"):
        return int(text, 16)
    if text[:2] in ("0b", "0B"):
        return int(text, 2)
    return int(text, 8) if len(text) > 1 and text[0] == "0" else int(text)


def floating_value(text: str) -> float:
    """The value of a floating constant, rounded to a double."""
    text = text.rstrip("lLqQ")
    if text[:2] in ("0x", "0X"):
        return float.fromhex(text.rstrip("fF") if "p" in text.lower() else text)
    return float(text.rstrip("fF"))


def encoding(literal: str) -> str:
    """The prefix of a string or character literal: ``L``, ``u``, ``U``, ``u8``, or nothing."""
    match = _PREFIX.match(literal.lstrip())
    return match.group(1) or "" if match else ""


def string_units(literal: str) -> list[int]:
    """The values of the code units of a string literal (or several in a row) or of a character literal.

    Without the closing zero; all of them unsigned.
    """
    bits = {"L": 32, "U": 32, "u": 16}.get(encoding(literal), 8)
    values: list[int] = []
    for part in contents(literal):
        values.extend(_units(part, bits))
    return values


def contents(literal: str) -> list[str]:
    """The text between the quotes of a literal, or of several in a row."""
    return [part[1:-1] for part in _QUOTED.findall(literal)]


def _encoded(char: str, bits: int) -> list[int]:
    """A character of the source in UTF-8, UTF-16 or UTF-32."""
    if bits == 8:
        return list(char.encode("utf-8", errors="surrogateescape"))
    if bits == 16:
        data = char.encode("utf-16-le", errors="surrogatepass")
        return [data[at] | data[at + 1] << 8 for at in range(0, len(data), 2)]
    return [ord(char)]


def _units(body: str, bits: int) -> list[int]:
    index = 0
    values: list[int] = []
    while index < len(body):
        char = body[index]
        index += 1
        if char != "\\":
            values.extend(_encoded(char, bits))
            continue
        char = body[index]
        index += 1
        start = index
        if char == "x":
            while index < len(body) and body[index] in _HEX:
                index += 1
            values.append(int(body[start:index], 16) & (1 << bits) - 1)
        elif char in "uU":
            index += 4 if char == "u" else 8
            values.extend(_encoded(chr(int(body[start:index], 16)), bits))
        elif char in _OCTAL:
            start -= 1
            while index < len(body) and index - start < 3 and body[index] in _OCTAL:
                index += 1
            values.append(int(body[start:index], 8) & (1 << bits) - 1)
        else:
            values.append(_ESCAPES.get(char, ord(char)))
    return values


def character_value(literal: str) -> int:
    """The value of a character constant: an int, and plain characters are signed."""
    value = string_units(literal)[0]
    kind = encoding(literal)
    if kind in ("", "L"):
        bits = 32 if kind else 8
        return value - (1 << bits) if value >> (bits - 1) else value
    return value
