"""`#pragma cseq agglomerate` in the user's files: the lines of the statement that comes after it."""

import re
from collections.abc import Iterator, Sequence

from cseq.model.errors import InputError
from cseq.model.origin import Origin

_OURS = re.compile(r"\s*#\s*pragma\s+cseq\b\s*(.*?)\s*$")
_TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^[ \t]*\#(?:\\\n|[^\n])*|[A-Za-z_]\w*|[^\s\w]""",
    re.DOTALL | re.MULTILINE,
)
_IGNORED = ("//", "/*", "#")
_PAIRS = {"(": ")", "[": "]", "{": "}"}


def regions(lines: Sequence[str], file: str = "") -> list[tuple[int, int]]:
    """The first and the last line of each statement of a *file* with these *lines* that a pragma is before.

    Raises InputError, with the place, for a pragma of ours that is another one, or is not before a statement.
    """
    found: list[tuple[int, int]] = []
    for number, line in enumerate(lines, 1):
        pragma = _OURS.match(line)
        if pragma is None:
            continue
        if pragma[1] != "agglomerate":
            raise InputError(
                f"`#pragma cseq {pragma[1]}` is unknown: there is `#pragma cseq agglomerate`", Origin(file, number)
            )
        try:
            statement = _Statement(_tokens(lines, number))
        except StopIteration:
            raise InputError("`#pragma cseq agglomerate` has to be before a statement", Origin(file, number)) from None
        found.append((statement.first, statement.last))
    return found


def _tokens(lines: Sequence[str], after: int) -> Iterator[tuple[str, int]]:
    """The tokens after line number *after*, each with its line."""
    text = "\n".join(lines[after:])
    line, at = after + 1, 0
    for found in _TOKEN.finditer(text):
        line += text.count("\n", at, found.start())
        at = found.start()
        word = found.group()
        if not word.lstrip().startswith(_IGNORED):
            yield word, line


class _Statement:
    """The first statement of *tokens*. first, last: its lines. StopIteration where it has no end."""

    def __init__(self, tokens: Iterator[tuple[str, int]]) -> None:
        self._tokens = tokens
        self._word, self._line = next(tokens)
        self.first = self.last = self._line
        if self._word == "}":
            raise StopIteration
        self._statement()

    def _next(self) -> None:
        self._word, self._line = next(self._tokens, ("", 0))

    def _take(self) -> None:
        """Take the current token, up to the other end of what it begins."""
        if not self._word:
            raise StopIteration
        end = _PAIRS.get(self._word)
        if end is None:
            self._end()
            return
        self._next()
        while self._word != end:
            self._take()
        self._end()

    def _is(self, word: str) -> bool:
        return self._word == word

    def _end(self) -> None:
        self.last = self._line
        self._next()

    def _statement(self) -> None:
        """Take a statement; the token after it becomes the current one."""
        match self._word:
            case "{":
                self._take()
            case "if" | "while" | "for" | "switch":
                word = self._word
                self._take()
                self._take()
                self._statement()
                if word == "if" and self._is("else"):
                    self._take()
                    self._statement()
            case "do":
                self._take()
                self._statement()
                self._up_to_semicolon()
            case _:
                self._up_to_semicolon()

    def _up_to_semicolon(self) -> None:
        while self._word != ";":
            self._take()
        self._end()
