"""The positions of statements and calls in the text of a C file, by line and column.

Origins have lines as the preprocessor's markers name them, of the text before macro expansion. Validators of witnesses
use the lines of the file itself, whatever its markers say, and columns. So this module splits the text of the file into
tokens and statements. Nothing is an error: text that is not C has no statements.
"""

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from cseq.c.scanner import NAME, Lines, lexemes, marker

_OPENING = {"(": ")", "[": "]", "{": "}"}
_LOOPS = frozenset({"while", "for", "do"})
_HEADED = frozenset({"if", "while", "for", "switch"})
_NO_FUNCTION = frozenset({"__attribute__", "__attribute", "typeof", "__typeof__", "__typeof", "_Alignas", "__declspec"})
_NO_DECLARATION = frozenset({
    "return", "goto", "break", "continue", "sizeof", "else", "case", "default", "if", "while", "for", "do", "switch",
})  # fmt: skip
_OWN_VALUES = frozenset({"_Thread_local", "__thread", "thread_local", "typedef"})
_TAGS = frozenset({"struct", "union", "enum"})
_ADDRESS = re.compile(rf"(?<!&)&(?!&)[\s(]*({NAME})")  # anywhere: macros take addresses too


class Token(NamedTuple):
    """A token, and the place of its first character; lines and columns count from 1."""

    text: str
    line: int
    column: int


class Statement(NamedTuple):
    """A statement or declaration. keyword: ``if``, ``for``, …; ``tail`` for the condition after a do; else empty.

    first, last: the numbers of its first and last token; of a statement that contains others, of the part before them.
    end: the number of the last token of the whole statement.
    """

    keyword: str
    first: int
    last: int
    end: int

    @property
    def is_loop(self) -> bool:
        """Whether control may return to its beginning without leaving it."""
        return self.keyword in _LOOPS or self.keyword == "tail"


class Call(NamedTuple):
    """A call: the name of the function, and the numbers of the tokens of the name and of both parentheses."""

    name: str
    first: int
    opening: int
    closing: int


@dataclass
class Function:
    """A function definition. names: the names of its parameters and of everything declared in it."""

    name: str
    names: set[str]
    statements: list[Statement] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)


class SourceText:
    """The text of the C file *path*, as the user calls it."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.tokens: list[Token] = []
        self.functions: list[Function] = []
        self._variables: set[str] = set()
        self._static: set[str] = set()
        self._others: set[str] = set()
        self._lines: dict[tuple[str, int], list[int]] = {}
        self._addressed = set(_ADDRESS.findall(text))
        self._layout = Lines(text)
        self._cut(text)
        self._closing = self._matched()
        self._file()

    def lines(self, file: str, line: int) -> list[int]:
        """The lines of this text that come from *line* of *file*, by its markers."""
        return self._lines.get((file, line), [])

    def statement(self, lines: Iterable[int], function: str | None = None) -> Statement | None:
        """The first statement that begins on *lines*, else the innermost one that begins earlier and reaches them."""
        wanted = set(lines)
        for statement in self.beginning(wanted, function):
            return statement
        reaching: Statement | None = None
        for statement in self._statements(function):
            if wanted and self.tokens[statement.first].line < min(wanted) <= self.tokens[statement.last].line:
                reaching = statement
        return reaching

    def beginning(self, lines: Iterable[int], function: str | None = None) -> list[Statement]:
        """The statements that begin on *lines*, in text order."""
        wanted = set(lines)
        return [s for s in self._statements(function) if self.tokens[s.first].line in wanted]

    def written(self, statement: Statement) -> str:
        """The tokens of *statement*, without those of statements inside it, joined to one word."""
        return "".join(token.text for token in self.tokens[statement.first : statement.last + 1])

    def around(self, call: Call, function: str | None = None) -> Statement | None:
        """The innermost statement that makes *call*."""
        found = [s for s in self._statements(function) if s.first <= call.first <= s.last]
        return found[-1] if found else None

    def calls(self, lines: Iterable[int], function: str | None = None) -> list[Call]:
        """The calls of functions on *lines*, in text order."""
        wanted = set(lines)
        return [
            call
            for owner in self._owners(function)
            for call in owner.calls
            if not wanted.isdisjoint(range(self.tokens[call.first].line, self.tokens[call.closing].line + 1))
        ]

    def words(self, call: Call) -> set[str]:
        """The tokens between the parentheses of *call*."""
        return {token.text for token in self.tokens[call.opening + 1 : call.closing]}

    def begin(self, statement: Statement) -> Token:
        """The first token of *statement*; for the condition after a do, the first token of the expression."""
        return self.tokens[statement.first + 2 if statement.keyword == "tail" else statement.first]

    def variables(self) -> set[str]:
        """The names of variables at file level that all threads share."""
        return set(self._variables)

    def others(self, alone: bool) -> set[str]:
        """The names that also denote something else, or whose address is taken, as far as this text shows.

        alone: whether this text is the whole program; if not, static variables of other files may have the same names.
        """
        found = self._others | self._addressed
        if not alone:
            found |= self._static
        for function in self.functions:
            found |= function.names
        return found

    def _owners(self, name: str | None) -> list[Function]:
        named = [function for function in self.functions if function.name == name]
        return named or self.functions

    def _statements(self, function: str | None) -> Iterator[Statement]:
        for owner in self._owners(function):
            yield from owner.statements

    def _cut(self, text: str) -> None:
        markers: list[tuple[int, str | None, int]] = []
        for kind, word, start in lexemes(text):
            if kind == "directive":
                if (found := marker(word)) is not None:
                    markers.append((self._layout.line(start), found.file, found.line))
            elif kind != "comment":
                self.tokens.append(Token(word, *self._layout.place(start)))
        file, number, before = self.path, 1, 1
        for line, name, shown in [*markers, (len(self._layout) + 1, None, 0)]:
            for physical in range(before, line):
                self._lines.setdefault((file, number + physical - before), []).append(physical)
            file, number, before = name or file, shown, line + 1

    def _matched(self) -> list[int]:
        """For each opening bracket, the number of the token that closes it, or of the last one; 0 for other tokens."""
        closing = [0] * len(self.tokens)
        open_: list[int] = []
        for number, token in enumerate(self.tokens):
            if token.text in _OPENING:
                open_.append(number)
            elif open_ and token.text == _OPENING[self.tokens[open_[-1]].text]:
                closing[open_.pop()] = number
        for number in open_:
            closing[number] = len(self.tokens) - 1
        return closing

    def _text(self, number: int) -> str:
        return self.tokens[number].text if number < len(self.tokens) else ""

    def _file(self) -> None:
        start = number = 0
        starts: list[int] = []  # of the declarations since the last function
        while number < len(self.tokens):
            text = self._text(number)
            if text == ";":
                self._declaration(start, number)
                starts.append(start)
                start = number + 1
            elif text == "{":
                end = self._closing[number]
                name = self._defined(start, number)
                if name is None and start == number:  # in the old style, parameters are declared before the body
                    found = ((self._defined(begin, number), begin) for begin in reversed(starts))
                    name, start = next((each for each in found if each[0] is not None), (None, start))
                if name is not None:
                    self._function(name, start, number, end)
                    starts.clear()
                    start = end + 1
                number = end
            elif text in _OPENING:
                number = self._closing[number]
            number += 1

    def _defined(self, start: int, end: int) -> str | None:
        """The name of the function whose body begins at token *end*; None where no body begins."""
        number = start
        while number < end:
            text = self._text(number)
            if text == "=":
                return None
            if text == "(" and number > start and _is_name(before := self._text(number - 1)):
                if before not in _NO_FUNCTION:
                    return before
                number = self._closing[number]
            elif text == "(" and number > start + 2 and self._is_enclosed(number - 1):
                return self._text(number - 2)
            number += 1
        return None

    def _is_enclosed(self, number: int) -> bool:
        """Whether the token *number* closes brackets around a single name."""
        return self._text(number) == ")" and self._text(number - 2) == "(" and _is_name(self._text(number - 1))

    def _declaration(self, start: int, end: int) -> None:
        """Note the names declared at file level by the declaration with the tokens from *start* up to *end*."""
        words: list[str] = []
        number = start
        while number < end:
            text = self._text(number)
            words.append(text)
            if text in _OPENING and self._closing[number] < end:
                number = self._closing[number]
                words.append(self._text(number))
            number += 1
        declared = set()
        value = False
        for before, word, behind in zip(["", *words], words, [*words[1:], ";"], strict=False):
            if word == "=":
                value = True
            elif word == ",":
                value = False
            elif not value and _is_name(word) and behind in ("=", ",", ";") and before not in _TAGS:
                declared.add(word)
        (self._others if _OWN_VALUES.intersection(words) else self._variables).update(declared)
        if "static" in words:
            self._static |= declared

    def _function(self, name: str, start: int, opening: int, end: int) -> None:
        function = Function(name, {t.text for t in self.tokens[start:opening] if _is_name(t.text)} - {name})
        self.functions.append(function)
        self._block(function, opening, end)
        for number in range(opening, end):
            text = self._text(number)
            if _is_name(text) and self._text(number + 1) == "(" and text not in _NO_DECLARATION:
                function.calls.append(Call(text, number, number + 1, self._closing[number + 1]))

    def _block(self, function: Function, opening: int, closing: int) -> None:
        number = opening + 1
        while number < closing:
            number = self._statement(function, number, closing) + 1

    def _statement(self, function: Function, number: int, stop: int) -> int:
        """Note the statement that begins at token *number*; returns the number of its last token, before *stop*."""
        text = self._text(number)
        while number < stop and (after := self._after_label(number, stop)) is not None:
            number = after
            text = self._text(number)
        if number >= stop or text == ";":
            return number
        if text == "{":
            end = min(self._closing[number], stop)
            self._block(function, number, end)
            return end
        place = len(function.statements)
        last = end = number
        if text in _HEADED and self._text(number + 1) == "(":
            last = min(self._closing[number + 1], stop - 1)
            function.statements.append(Statement(text, number, last, last))
            end = self._statement(function, last + 1, stop)
            if text == "if" and end + 1 < stop and self._text(end + 1) == "else":
                end = self._statement(function, end + 2, stop)
            if text == "for":
                self._names(function, number + 2, last)
        elif text == "do":
            function.statements.append(Statement(text, number, number, number))
            end = self._statement(function, number + 1, stop)
            if self._text(end + 1) == "while" and self._text(end + 2) == "(":
                tail = end + 1
                end = min(self._closing[end + 2], stop - 1)
                function.statements.append(Statement("tail", tail, end, end))
        else:
            while end + 1 < stop and self._text(end) != ";":
                end = max(end, self._closing[end]) + 1
            last = end = min(end, stop - 1)
            function.statements.append(Statement("", number, last, end))
            self._names(function, number, last)
        function.statements[place] = Statement(text if text in _HEADED | {"do"} else "", number, last, end)
        return end

    def _after_label(self, number: int, stop: int) -> int | None:
        """The number of the token after the label that begins at token *number*; None where there is no label."""
        text = self._text(number)
        if text == "case":
            while number < stop and self._text(number) != ":":
                number = max(number, self._closing[number]) + 1
            return number + 1
        if _is_name(text) and self._text(number + 1) == ":":
            return number + 2
        return None

    def _names(self, function: Function, first: int, last: int) -> None:
        """Note the names that the tokens *first* to *last* declare, if they are a declaration; perhaps too many."""
        words = [token.text for token in self.tokens[first : last + 1]]
        if words[0] in _NO_DECLARATION or not _is_name(words[0]):
            return
        pairs = list(itertools.pairwise(words))
        if not any(_is_name(a) and (_is_name(b) or b == "*") for a, b in pairs[:4]):
            return
        for before, word in pairs:
            if _is_name(word) and (_is_name(before) or before in ("*", ",", "(")):
                function.names.add(word)


def _is_name(text: str) -> bool:
    return text[:1].isalpha() or text[:1] in ("_", "$", "\\")
