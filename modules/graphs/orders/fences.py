"""The places between statements in the text of C files where a fence can be.

A relaxed fence has no effect, so a program with one at each place is the same program; a search for stronger orders can
make fences of some of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cseq.c.scanner import Lexeme, lexemes
from cseq.modules.graphs.orders.operators import bodies
from cseq.modules.graphs.orders.words import Edit, Texts, closing, spelled
from cseq.modules.ir.instructions import Order

_MOST = 200
"""Files with more places are not taken: each place adds an event to all graphs."""

_ENDS = frozenset({";", "{", "}"})
_CONTINUES = frozenset({"else", "while", "case", "default"})
_BEFORE_BLOCKS = frozenset({";", "{", "}", ":", "else", "do"})
_BEFORE_VALUES = frozenset({"return", "sizeof", "case"})
_STEP = "    "


@dataclass(frozen=True)
class Insertion:
    """A place for a fence in *file*. start: its offset. before, after: the white space around the text of the fence.

    is_standard: <stdatomic.h> is included, so the names of the standard are there.
    """

    file: str
    start: int
    before: str
    after: str
    is_standard: bool
    order: Order = Order.RELAXED
    has_prefix = True

    def spelled(self, order: Order) -> str:
        """The statement that is inserted for an *order*; empty for a relaxed fence."""
        return self._statement(order) if order is not Order.RELAXED else ""

    def edits(self, order: Order, explicit: bool) -> list[Edit]:
        """What inserts the fence. explicit: also a relaxed one, and without a new line."""
        if explicit:
            return [Edit(self.start, self.start, f"{self._statement(order)} ")]
        text = f"{self.before}{self._statement(order)}{self.after}"
        return [Edit(self.start, self.start, text)] if order is not Order.RELAXED else []

    def _statement(self, order: Order) -> str:
        name = spelled(order)
        if self.is_standard:
            return f"atomic_thread_fence({name});"
        return f"__atomic_thread_fence({name.upper().replace('MEMORY_ORDER', '__ATOMIC')});"


def insertions(texts: Texts) -> list[Insertion]:
    """The places in the bodies of functions; empty if there are too many."""
    found = [place for file, text in texts.items() for place in _insertions(file, text)]
    return found if len(found) <= _MOST else []


def _insertions(file: str, text: str) -> Iterator[Insertion]:
    tokens = [each for each in lexemes(text) if each.kind not in ("comment", "directive")]
    is_standard = "<stdatomic.h>" in text
    for first, last in bodies(tokens):
        for number in _starts(tokens, first, last):
            start = tokens[number].start
            line = text.rfind("\n", 0, start) + 1
            blank = text[line:start]
            if blank.strip():
                before, after = "", " "
            else:
                before, after = (_STEP if tokens[number].text == "}" else ""), f"\n{blank}"
            yield Insertion(file, start, before, after, is_standard)


def _starts(tokens: Sequence[Lexeme], first: int, last: int) -> Iterator[int]:
    """The numbers of the tokens in the body of a function at which a statement begins, or a block ends."""
    number, before = first, "{"
    while (number := number + 1) <= last:
        token = tokens[number].text
        if before in _ENDS and token not in _CONTINUES:
            yield number
        before = token
        if token in ("(", "[", "{") and not (token == "{" and _is_block(tokens, number)):
            number, before = closing(tokens, number) or last, ""  # no statement begins there


def _is_block(tokens: Sequence[Lexeme], number: int) -> bool:
    """Whether the brace with this number begins a block, and not a list of values or members."""
    if tokens[number - 1].text != ")":
        return tokens[number - 1].text in _BEFORE_BLOCKS
    depth = 0
    while number > 0:
        number -= 1
        depth += (tokens[number].text == ")") - (tokens[number].text == "(")
        if depth == 0:
            break
    return number > 0 and tokens[number - 1].kind == "name" and tokens[number - 1].text not in _BEFORE_VALUES
