"""The lexical grammar of C (C11 §6.4, with GNU's additions), for everything that reads C as text.

The definitions are patterns to be combined: a regular expression that looks for a few kinds of tokens and skips the
rest is much faster than one that makes all tokens. Escapes are written ``\\\\.``, so the flag `re.DOTALL` decides
whether a literal or a comment may continue on the next line after a backslash. Raw text has such lines; preprocessed
text has none.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

LETTER = r"(?:[^\W\d]|\$|\\[uU][0-9a-fA-F]{4})"
NAME = rf"{LETTER}[\w$]*(?:\\[uU][0-9a-fA-F]{{4}}[\w$]*)*"
NUMBER = r"\.?[0-9](?:[eEpP][+-]|[\w.])*"
QUOTED_STRING = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
QUOTED_CHARACTER = r"'(?!')[^'\\\n]*(?:\\.[^'\\\n]*)*'"
ENCODING = r"u8|[LuU]"
STRING = rf"(?:{ENCODING})?{QUOTED_STRING}"
CHARACTER = rf"(?:{ENCODING})?{QUOTED_CHARACTER}"
BLOCK_COMMENT = r"/\*[^*]*(?:\*(?!/)[^*]*)*\*/"
COMMENT = rf"{BLOCK_COMMENT}|//[^\n\\]*(?:(?:\\\r\n|\\.)[^\n\\]*)*"
OPEN_COMMENT = r"/\*[^*]*(?:\*(?!/)[^*]*)*\Z"
"""A comment whose end is not in the text."""

DIRECTIVE = rf"\#(?:[^\n\\/\"'LuU]+|{COMMENT}|{STRING}|{CHARACTER}|\\\r\n|\\.|[^\n\\])*"
"""A preprocessor directive, from its ``#`` on."""

PUNCTUATOR = r"\.\.\.|<<=|>>=|->|\+\+|--|&&|\|\||<<|>>|[-<>=!*/%+&^|]=|<:|:>|<%|%>|[^\s\w\\]"

MARKER = r"[ \t]*#[ \t]*(?:line[ \t]+)?"
"""The part of a line marker before the line number."""

FILE = r"(?:\\.|[^\"\\])*"
"""The name of a file, between quotes."""

_MARKER = re.compile(rf'^{MARKER}(\d+)(?:[ \t]+"({FILE})"([ \t\d]*))?', re.MULTILINE)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include(?:_next)?[ \t]*(["<])([^">\n]+)[">]', re.MULTILINE)
_LEXEME = (
    rf"(?P<directive>^[ \t]*{DIRECTIVE})|(?P<comment>{COMMENT}|{OPEN_COMMENT})|(?P<string>{STRING})"
    rf"|(?P<character>{CHARACTER})|(?P<name>{NAME})|(?P<number>{NUMBER})|(?P<punctuator>{PUNCTUATOR})"
)
_COMMENT = re.compile(rf"{COMMENT}|{QUOTED_STRING}|{QUOTED_CHARACTER}", re.DOTALL)
_NO_CODE = re.compile(rf"{COMMENT}|{OPEN_COMMENT}|{QUOTED_STRING}|{QUOTED_CHARACTER}", re.DOTALL)
_NAMED = re.compile(rf"((?>{NAME}))(?![\"'])[^\w\"'/.$\\-]*|(?:\.|->)\s*{NAME}|{NUMBER}|{_NO_CODE.pattern}", re.DOTALL)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


class Lexeme(NamedTuple):
    """A token, comment or directive. start: the offset of its first character.

    kind: ``name`` (keywords are names), ``number``, ``string``, ``character``, ``punctuator``, ``comment``, or
    ``directive``: a preprocessor directive, with the blanks before it.
    """

    kind: str
    text: str
    start: int


class Marker(NamedTuple):
    """A line marker: the next line is line *line* of *file*, or of the same file as before. flags: GCC's flags."""

    line: int
    file: str | None
    flags: frozenset[str]


class Lines:
    """Offsets in *text* as lines and columns, which count from 1."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def __len__(self) -> int:
        return len(self._starts)

    def line(self, offset: int) -> int:
        """The line of the character at *offset*."""
        return bisect_right(self._starts, offset)

    def place(self, offset: int) -> tuple[int, int]:
        """The line and the column of the character at *offset*."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int:
        """The offset of the character in this line and column."""
        return self._starts[line - 1] + column - 1


def lexemes(text: str) -> Iterator[Lexeme]:
    """The tokens, comments and directives of *text*, in order. What is not C is skipped."""
    for match in re.compile(_LEXEME, re.MULTILINE | re.DOTALL).finditer(text):  # most runs do not need it
        assert match.lastgroup is not None
        yield Lexeme(match.lastgroup, match.group(), match.start())


def tokens(text: str) -> list[str]:
    """The tokens of *text* alone."""
    return [lexeme.text for lexeme in lexemes(text) if lexeme.kind not in ("comment", "directive")]


def identifiers(text: str) -> list[str]:
    """The names in *text*, in order, including keywords but not names of members."""
    return [name for name in _NAMED.findall(text) if name]


def is_name(text: str) -> bool:
    """Whether *text* is a name in ISO C, as the user may give one on the command line."""
    return _IDENTIFIER.fullmatch(text) is not None


def without_comments(text: str) -> str:
    """*text* with a blank in place of each comment; the line breaks stay."""
    if "//" not in text and "/*" not in text:
        return text

    def blank(match: re.Match[str]) -> str:
        found = match.group()
        return found if found[0] != "/" else " " + "\n" * found.count("\n")

    return _COMMENT.sub(blank, text)


def code(text: str) -> str:
    """*text*, a possibly incomplete statement, with a blank in place of each comment, string and character."""
    return _NO_CODE.sub(" ", text)


def arguments(text: str, start: int) -> list[tuple[int, int]]:
    """The arguments of the call in *text* whose arguments begin at *start*: the offsets of the two ends of each.

    If the call does not end within the text, its last argument ends where the text does.
    """
    found = []
    depth, begin = 1, start
    for lexeme in lexemes(text[start:]):
        place = start + lexeme.start
        if lexeme.text == "," and depth == 1:
            found.append((begin, place))
            begin = place + 1
        elif lexeme.text in _OPENING:
            depth += 1
        elif lexeme.text in _CLOSING:
            depth -= 1
            if depth == 0:
                return [*found, (begin, place)]
    return [*found, (begin, len(text))]


def marker(line: str) -> Marker | None:
    """The line marker that *line* begins with, ``# 7 "file.c" 3`` or ``#line 7 "file.c"``; None if there is none."""
    match = _MARKER.match(line)
    return _marker(match) if match else None


def markers(text: str) -> Iterator[Marker]:
    """The line markers in *text*."""
    return map(_marker, _MARKER.finditer(text))


def _marker(match: re.Match[str]) -> Marker:
    return Marker(int(match[1]), match[2], frozenset((match[3] or "").split()))


def includes(text: str) -> list[tuple[str, str]]:
    """The includes of *text*: for each file, the quote or bracket before its name, and the name."""
    return _INCLUDE.findall(text)
