"""Values of TLA+ as TLC prints them.

Numbers, truth values and strings become those of Python; a model value a `ModelValue`; a sequence a tuple; a record
and a function a dict; a set a `Set`. So a function on 1 .. n, which is a sequence, is a tuple.
"""

import re
from typing import TypeAlias

Value: TypeAlias = "int | bool | str | tuple[Value, ...] | dict[Value, Value]"


class ModelValue(str):
    """The name of a model value, such as ``Null``."""

    __slots__ = ()


class Set(tuple[Value, ...]):
    """A set, as the tuple of its elements in TLC's order: some of Python's values cannot be elements of its sets."""

    __slots__ = ()


_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|(-?\d+)|([A-Za-z_]\w*)|(<<|>>|\|->|:>|@@|\.\.|/\\|[\[\](){},=])|(\S)')
_ESCAPE = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f"}
_TRUTH = {"TRUE": True, "FALSE": False}
_END = ("", "")


def value(text: str) -> Value:
    """Read one value. ValueError if *text* is anything else."""
    parser = _Parser(text)
    found = parser.value()
    parser.expect("")
    return found


def assignments(text: str) -> dict[str, Value]:
    """Read a state, ``x = 1`` or ``/\\ x = 1 /\\ y = <<>>``. Returns variable → value. ValueError if it is none."""
    parser = _Parser(text)
    found: dict[str, Value] = {}
    while not parser.has_ended():
        parser.skip("/\\")
        name = parser.name()
        parser.expect("=")
        found[name] = parser.value()
    return found


class _Parser:
    """The tokens of a text, each with its kind: ``s`` string, ``i`` number, ``n`` name, or itself for a sign."""

    def __init__(self, text: str) -> None:
        self._tokens: list[tuple[str, str]] = []
        for string, number, name, sign, wrong in _TOKEN.findall(text):
            if sign:
                self._tokens.append((sign, sign))
            elif number:
                self._tokens.append(("i", number))
            elif name:
                self._tokens.append(("n", name))
            elif wrong:
                raise ValueError(f"no value of TLA+: `{wrong}`")
            else:
                self._tokens.append(("s", string))
        self._tokens.append(_END)
        self._at = 0

    def has_ended(self) -> bool:
        return self._tokens[self._at] == _END

    def skip(self, sign: str) -> bool:
        """Whether the next token is *sign*, which is then passed."""
        if self._tokens[self._at][0] != sign:
            return False
        self._at += 1
        return True

    def expect(self, sign: str) -> None:
        if not self.skip(sign):
            raise ValueError(f"`{sign or 'the end'}` expected, not `{self._tokens[self._at][1]}`")

    def name(self) -> str:
        kind, text = self._tokens[self._at]
        if kind != "n":
            raise ValueError(f"a name expected, not `{text}`")
        self._at += 1
        return text

    def value(self) -> Value:
        kind, text = self._tokens[self._at]
        self._at += 1
        if kind == "i":
            return self._number(int(text))
        if kind == "s":
            return _ESCAPE.sub(lambda match: _ESCAPES.get(match[1], match[1]), text) if "\\" in text else text
        if kind == "n":
            return _TRUTH[text] if text in _TRUTH else ModelValue(text)
        if kind == "<<":
            return tuple(self._list(">>"))
        if kind == "{":
            return Set(self._list("}"))
        if kind == "[":
            return self._record()
        if kind == "(":
            return self._function()
        raise ValueError(f"a value expected, not `{text}`")

    def _number(self, first: int) -> Value:
        if not self.skip(".."):
            return first
        kind, text = self._tokens[self._at]
        if kind != "i":
            raise ValueError(f"a number expected, not `{text}`")
        self._at += 1
        return Set(range(first, int(text) + 1))

    def _list(self, end: str) -> list[Value]:
        found: list[Value] = []
        if self.skip(end):
            return found
        found.append(self.value())
        while not self.skip(end):
            self.expect(",")
            found.append(self.value())
        return found

    def _record(self) -> dict[Value, Value]:
        found: dict[Value, Value] = {}
        while True:
            name = self.name()
            self.expect("|->")
            found[name] = self.value()
            if self.skip("]"):
                return found
            self.expect(",")

    def _function(self) -> dict[Value, Value]:
        found: dict[Value, Value] = {}
        while True:
            argument = self.value()
            self.expect(":>")
            found[_hashable(argument)] = self.value()
            if self.skip(")"):
                return found
            self.expect("@@")


def _hashable(argument: Value) -> Value:
    """The argument of a function, as a key of a dict."""
    return tuple(argument.items()) if isinstance(argument, dict) else argument
