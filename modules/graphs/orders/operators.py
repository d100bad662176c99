"""The operators in the text of C files that access atomic objects: each is seq_cst, and a call can say otherwise.

Which objects are atomic is known by their names alone, and not each form is found: what is left stays seq_cst.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cseq.c.scanner import Lexeme, lexemes
from cseq.modules.graphs.orders.words import Edit, Implied, Texts, closing

_UPDATES = {"+=": "add", "-=": "sub", "|=": "or", "&=": "and", "^=": "xor"}
_STEPS = {"++": "add", "--": "sub"}
_OTHER = frozenset({"*=", "/=", "%=", "<<=", ">>="})
_BEFORE_STATEMENTS = frozenset({";", "{", "}", ")", ":", "else", "do"})
_BEFORE_VALUES = frozenset({"return", "else", "do", "case"})
_SIZES = frozenset({"sizeof", "_Alignof", "typeof", "__typeof__"})


def operators(texts: Texts, names: frozenset[str]) -> list[Implied]:
    """The operators that access objects, or members, with one of the *names*, in the bodies of functions."""
    return [found for file, text in texts.items() for found in _File(file, text, names).found()]


class _File:
    """One file. tokens: without directives."""

    def __init__(self, file: str, text: str, names: frozenset[str]) -> None:
        self._file = file
        self._names = names
        self._tokens = [each for each in lexemes(text) if each.kind not in ("comment", "directive")]

    def found(self) -> Iterator[Implied]:
        """The operators, from left to right."""
        for start, end in bodies(self._tokens):
            for number in range(start, end):
                pieces = self._pieces(number)
                if pieces:
                    yield Implied(self._file, self._tokens[number].start, tuple(pieces))

    def _text(self, number: int) -> str:
        return self._tokens[number].text if 0 <= number < len(self._tokens) else ""

    def _pieces(self, start: int) -> list[Edit]:
        """The text of a call in place of the operator on what begins at a token; nothing if there is none."""
        before = self._text(start - 1)
        if self._tokens[start].kind != "name" or before in (".", "->") or self._is_type(start - 1):
            return []
        last, end = self._access(start)
        if self._text(last) not in self._names or self._text(end + 1) == "(" or before in _SIZES:
            return []
        if before == "(" and self._text(start - 2) in _SIZES:
            return []
        if before == "&" and not self._ends_value(start - 2):
            return []  # its address
        after = self._text(end + 1)
        if after in _STEPS:
            return self._call(start, end, f"fetch_{_STEPS[after]}", ", 1, {})", start, end + 1)
        if before in _STEPS:
            if self._text(start - 2) not in _BEFORE_STATEMENTS or after != ";":
                return []
            return self._call(start, end, f"fetch_{_STEPS[before]}", ", 1, {})", start - 1, end)
        if after == "=" or after in _UPDATES:
            return self._assigned(start, end, "store" if after == "=" else f"fetch_{_UPDATES[after]}")
        return [] if after in _OTHER else self._call(start, end, "load", ", {})", start, end)

    def _access(self, start: int) -> tuple[int, int]:
        """The numbers of the last name and of the last token of ``name``, ``name[…]``, ``name.name`` and so on."""
        last = end = start
        while True:
            after = self._text(end + 1)
            if after == "[":
                found = closing(self._tokens, end + 1)
                if found is None:
                    return last, end
                end = found
            elif after in (".", "->"):
                last = end = end + 2
            else:
                return last, end

    def _call(self, start: int, end: int, name: str, orders: str, first: int, final: int) -> list[Edit]:
        """The pieces of a call. first, final: the tokens that it replaces, those of the access in between stay."""
        begin, stop = self._tokens[start].start, self._end(end)
        return [
            Edit(self._tokens[first].start, begin, f"atomic_{name}_explicit(&"),
            Edit(stop, max(stop, self._end(final)), orders),
        ]

    def _assigned(self, start: int, end: int, name: str) -> list[Edit]:
        """The pieces of a call for an assignment that is a statement."""
        stop = end + 1
        depth = 0
        while depth > 0 or self._text(stop) != ";":
            depth += (self._text(stop) in ("(", "[", "{")) - (self._text(stop) in (")", "]", "}"))
            stop += 1
            if depth < 0 or stop >= len(self._tokens):
                return []
        if self._text(start - 1) not in _BEFORE_STATEMENTS:
            return []
        begin, sign, last = self._tokens[start].start, self._tokens[end + 1], self._end(stop - 1)
        return [
            Edit(begin, begin, f"atomic_{name}_explicit(&"),
            Edit(self._end(end), sign.start + len(sign.text), ","),
            Edit(last, last, ", {})"),
        ]

    def _end(self, number: int) -> int:
        return self._tokens[number].start + len(self._tokens[number].text)

    def _ends_value(self, number: int) -> bool:
        """Whether a value ends at a token, so that the next one is a binary operator."""
        token = self._tokens[number]
        return token.text in (")", "]") or (token.kind in ("name", "number") and token.text not in _BEFORE_VALUES)

    def _is_type(self, number: int) -> bool:
        """Whether a token before a name is the type of its declaration."""
        token = self._tokens[number]
        return token.kind == "name" and token.text not in _BEFORE_VALUES | _SIZES


def bodies(tokens: Sequence[Lexeme]) -> Iterator[tuple[int, int]]:
    """The numbers of the first and the last token of each body of a function."""
    number = 1
    while number < len(tokens):
        if tokens[number].text == "{":
            end = closing(tokens, number)
            if end is None:
                return
            if tokens[number - 1].text == ")":
                yield number, end
            number = end
        number += 1
