"""The text of a C file, with the places where a thread can be made to wait.

Such a place is a statement, or a part of one that is evaluated on its own: the condition of an `if` or a loop, and the
three parts of a `for`. Each has a number. The merger reads the text with the numbers (`Text.numbered`), so that origins
have them. Code is later inserted into the text at the same places.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from cseq.c.positions import Function, SourceText
from cseq.c.scanner import FILE, MARKER, Lines, includes, lexemes, marker

_NAMED = re.compile(rf'^({MARKER}\d+[ \t]+"{FILE})"', re.MULTILINE)
_ONCE = re.compile(r"[ \t]*#[ \t]*pragma[ \t]+once\b")
_CONDITIONAL = re.compile(r"[ \t]*#[ \t]*(ifdef|ifndef|if|elif|else|endif)\b(.*)")
_NUMBERED = re.compile(rf'^({MARKER}\d+[ \t]+"{FILE}?):__cs(\d+)"([ \d]*)$', re.MULTILINE)  # the first `:__cs`
_NO_HEAD = frozenset({"sizeof", "_Alignof", "return"})
_DEEPEST = 50


class Slot(NamedTuple):
    """A place where a thread can be made to wait.

    kind: ``statement``; ``return`` for one with a value; ``jump`` for other statements that control does not pass;
    ``condition``; ``init`` and ``next`` of a `for`; ``head`` of what a macro makes before a block.
    mark: where its text begins. first, stop: the offset of its first character and the offset after its last one; for
    a condition, those of the expression. value: where the value of a ``return`` begins.
    whole: the offset after the whole statement. bare: whether it is a body without braces.
    file, line: the place, by the markers in the text. function: the function around it.
    """

    number: int
    kind: str
    mark: int
    first: int
    stop: int
    value: int
    whole: int
    bare: bool
    file: str
    line: int
    function: str


class Text(SourceText):
    """The text of a C file, and its slots. begin: the number of the first slot."""

    def __init__(self, path: str, text: str, begin: int = 1) -> None:
        self.text = text
        self.slots: list[Slot] = []
        self.bodies: list[tuple[str, int, int]] = []
        self.first_slot = begin
        self._mark = 0  # the first token of the current statement, labels included
        self._places = list(_places(path, text))
        super().__init__(path, _without_dead(text))

    def slot(self, number: int) -> Slot:
        """The slot with this number. Raises KeyError if it is in another text."""
        if not 0 <= number - self.first_slot < len(self.slots):
            raise KeyError(number)
        return self.slots[number - self.first_slot]

    def place(self, offset: int) -> tuple[str, int, int]:
        """The file and line from which the character at *offset* comes, by the markers, and its column from 0."""
        line, column = self._layout.place(offset)
        file, number, _ = self._places[line - 1]
        return file, number, column - 1

    @property
    def end(self) -> int:
        """The number after that of the last slot."""
        return self.first_slot + len(self.slots)

    def numbered(self) -> str:
        """The text with a marker before each slot that has its number, to be read by `marked`."""
        marks = [(slot.mark, slot.file, slot.line, f":__cs{slot.number}") for slot in self.slots]
        marks += [(end + 1, *self._places[self._layout.line(end) - 1][:2], "") for _, _, end in self.bodies]
        inserts = [(offset, f'\n#line {line} "{file}{suffix}"\n') for offset, file, line, suffix in marks]
        inserts += self._inner_markers()
        pieces = []
        last = 0
        for offset, insert in sorted(inserts):
            pieces += [self.text[last:offset], insert]
            last = offset
        return "".join([*pieces, self.text[last:]])

    def _inner_markers(self) -> Iterator[tuple[int, str]]:
        """The offsets and texts that repeat the number in markers inside slots."""
        starts = [slot.mark for slot in self.slots]
        for match in _NAMED.finditer(self.text):
            place = bisect_right(starts, match.start()) - 1
            if place >= 0 and match.start() < self.slots[place].stop:
                yield match.end(1), f":__cs{self.slots[place].number}"

    def offset(self, number: int) -> int:
        """The offset at which the token with this number begins."""
        token = self.tokens[number]
        return self._layout.offset(token.line, token.column)

    def _after(self, number: int) -> int:
        return self.offset(number) + len(self.tokens[number].text)

    def _block(self, function: Function, opening: int, closing: int) -> None:
        _, _, system = self._places[self.tokens[opening].line - 1]
        if system:
            return
        self.bodies.append((function.name, self.offset(opening), self.offset(closing)))
        self._statements_of(function.name, opening, closing)

    def _statements_of(self, function: str, opening: int, closing: int) -> None:
        number = opening + 1
        while number < closing:
            number = self._slots_of(function, number, closing, bare=False) + 1

    def _add(
        self, function: str, kind: str, mark: int, first: int, last: int, bare: bool = False, value: int | None = None
    ) -> int:
        """Add a slot with the tokens *first* to *last*; returns its index in the list."""
        file, line, _ = self._places[self.tokens[mark].line - 1]
        stop = self._after(last)
        self.slots.append(
            Slot(
                self.first_slot + len(self.slots),
                kind,
                self.offset(mark),
                self.offset(first),
                stop,
                self.offset(first if value is None else value),
                stop,
                bare,
                file,
                line,
                function,
            )
        )
        return len(self.slots) - 1

    def _is_whole(self, place: int, last: int) -> None:
        self.slots[place] = self.slots[place]._replace(whole=self._after(last))

    def _slots_of(self, function: str, number: int, stop: int, bare: bool) -> int:
        """Add the slots of the statement that begins at token *number*; returns the number of its last token."""
        mark = number
        while number < stop and (after := self._after_label(number, stop)) is not None:
            number = after
        text = self._text(number)
        if number >= stop or (text == ";" and number == mark):
            return number
        self._mark = mark
        if text == "{":
            end = min(self._closing[number], stop)
            self._statements_of(function, number, end)
            return end
        headed = self._text(number + 1) == "("
        if text in ("if", "while", "switch") and headed:
            return self._conditional(function, number, stop, bare)
        if text == "for" and headed:
            return self._for(function, number, stop, bare)
        if text == "do":
            end = self._slots_of(function, number + 1, stop, bare=True)
            if self._text(end + 1) == "while" and self._text(end + 2) == "(":
                closing = self._closing[end + 2]
                self._add(function, "condition", end + 1, end + 3, closing - 1)
                end = closing + 1 if self._text(closing + 1) == ";" else closing
            return end
        if headed and text.isidentifier() and text not in _NO_HEAD and self._text(self._closing[number + 1] + 1) == "{":
            place = self._add(function, "head", mark, number, self._closing[number + 1], bare)
            end = self._slots_of(function, self._closing[number + 1] + 1, stop, bare=False)
            self._is_whole(place, end)
            return end
        end = number
        while end + 1 < stop and self._text(end) != ";":
            end = max(end, self._closing[end]) + 1
        end = min(end, stop - 1)
        kind = "statement"
        if text in ("goto", "break", "continue") or (text == "return" and end == number + 1):
            kind = "jump"
        elif text == "return":
            kind = "return"
        self._add(function, kind, mark, number, end, bare, number + 1 if kind == "return" else None)
        return end

    def _conditional(self, function: str, number: int, stop: int, bare: bool) -> int:
        closing = self._closing[number + 1]
        place = self._add(function, "condition", self._mark, number + 2, closing - 1, bare)
        end = self._slots_of(function, closing + 1, stop, bare=True)
        if self._text(number) == "if" and end + 1 < stop and self._text(end + 1) == "else":
            end = self._slots_of(function, end + 2, stop, bare=True)
        self._is_whole(place, end)
        return end

    def _for(self, function: str, number: int, stop: int, bare: bool) -> int:
        closing = self._closing[number + 1]
        ends = []
        inner = number + 2
        while inner < closing:
            if self._text(inner) == ";":
                ends.append(inner)
            inner = max(inner, self._closing[inner]) + 1
        place = self._add(function, "init", self._mark, number, ends[0] if ends else closing, bare)
        if len(ends) == 2:
            if ends[0] + 1 < ends[1]:
                self._add(function, "condition", ends[0] + 1, ends[0] + 1, ends[1] - 1)
            if ends[1] + 1 < closing:
                self._add(function, "next", ends[1] + 1, ends[1] + 1, closing - 1)
        end = self._slots_of(function, closing + 1, stop, bare=True)
        self._is_whole(place, end)
        return end


def _without_dead(text: str) -> str:
    """The text with blanks in place of whatever follows ``#if 0``, which may be anything."""
    lines = text.split("\n")
    depth = dead = 0  # dead: the depth of the conditional that is left out
    for number, line in enumerate(lines):
        directive = _CONDITIONAL.match(line)
        if directive is not None and directive[1].startswith("if"):
            depth += 1
            if not dead and directive[1] == "if" and directive[2].strip() == "0":
                dead = depth
        elif directive is not None:
            if dead == depth:
                dead = 0
            depth -= directive[1] == "endif"
        elif dead:
            lines[number] = " " * len(line)
    return "\n".join(lines)


def marked(text: str) -> str:
    """Preprocessed *text* of a `numbered` text, as the parser reads it: the number is the last word of a marker."""
    return _NUMBERED.sub(r'\1"\3 s\2', text)


def flat(path: Path, folders: Sequence[str] = (), preprocessed: bool = False) -> str:
    """The text of *path* with the user's headers inserted, so that only system headers are still included.

    folders: the folders of ``-I``.
    """
    text = path.read_text(encoding="utf-8", errors="surrogateescape")
    name = quoted(str(path))
    if preprocessed:
        return f'#line 1 "{name}"\n{text}'
    return f'#line 1 "{name}"\n' + "".join(_flattened(str(path), text, folders, {}, 0))


def _flattened(path: str, text: str, folders: Sequence[str], once: dict[Path, int], depth: int) -> Iterator[str]:
    inside = _inner_lines(text)
    for number, line in enumerate(text.split("\n"), 1):
        newline = "\n" if number <= text.count("\n") else ""
        found = None
        if number not in inside and (included := includes(line)) and depth < _DEEPEST:
            found = _found(path, *included[0], folders)
        if found is None:
            is_once = depth > 0 and _ONCE.match(line) is not None
            yield ("" if is_once else line) + newline
            continue
        inner = Path(found).read_text(encoding="utf-8", errors="surrogateescape")
        guarded = any(_ONCE.match(each) for each in inner.split("\n"))
        if guarded:
            guard = f"CSEQ_ONCE_{once.setdefault(Path(found).resolve(), len(once) + 1)}"
            yield f"#ifndef {guard}\n#define {guard}\n"
        yield f'#line 1 "{quoted(found)}"\n'
        yield from _flattened(found, inner, folders, once, depth + 1)
        yield "\n#endif\n" if guarded else "\n"
        yield f'#line {number + 1} "{quoted(path)}"\n'


def _found(path: str, quote: str, name: str, folders: Sequence[str]) -> str | None:
    """The user's file that an include names, as the preprocessor calls it; None for a system header."""
    beside = path[: path.rfind("/") + 1] + name
    searched = [beside] if quote == '"' else []
    searched += [f"{folder.rstrip('/') or '/'}/{name}" for folder in folders]
    return next((found for found in searched if Path(found).is_file()), None)


def _inner_lines(text: str) -> set[int]:
    """The numbers of the lines that begin inside a comment, or inside any other token longer than a line."""
    lines = Lines(text)
    found: set[int] = set()
    for lexeme in lexemes(text):
        first = lines.line(lexeme.start)
        found.update(range(first + 1, first + 1 + lexeme.text.count("\n")))
    return found


def _places(path: str, text: str) -> Iterator[tuple[str, int, bool]]:
    """For each line of *text*: the file and line it comes from, by the markers, and whether that is a system file."""
    file, number, system = quoted(path), 0, False
    for line in text.split("\n"):
        number += 1
        found = marker(line) if "#" in line else None
        yield file, number, system
        if found:
            number = found.line - 1
            if found.file:
                file, system = found.file, "3" in found.flags


def quoted(name: str) -> str:
    """A file name as it is written in a string literal."""
    return name.replace("\\", "\\\\").replace('"', '\\"')
