"""The places for memory orders in the text of C files: words for them, and accesses that are seq_cst without a word.

Which order of the merged program a place decides is not looked up but tried: other orders are written at all places,
and those that the front end then finds tell each place by its number in base five. So words may be in macros.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from cseq.c.scanner import Lexeme, lexemes
from cseq.model.errors import InputError
from cseq.modules.analysis.memory_orders import ORDERS
from cseq.modules.graphs.order_search import for_failure
from cseq.modules.ir.instructions import Order

Texts = Mapping[str, str]
"""The texts of the user's files, by file name."""

_WORD = re.compile(rf"(memory_order_|__ATOMIC_)?({'|'.join(ORDERS)})", re.IGNORECASE)
_PASTED = re.compile(r"(?:memory_order_|__ATOMIC_)\s*##")
_TRIED = (Order.RELAXED, Order.ACQUIRE, Order.RELEASE, Order.ACQ_REL, Order.SEQ_CST)
_CALL = re.compile(
    r"atomic_(?:load|store|exchange|fetch_(?:add|sub|or|xor|and)|flag_(?:test_and_set|clear)"
    r"|compare_exchange_(?:strong|weak))"
)
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


class Edit(NamedTuple):
    """What replaces a part of a text. Equal offsets insert it."""

    start: int
    end: int
    text: str


def spelled(order: Order) -> str:
    """The name of an order."""
    return f"memory_order_{ORDERS[order - 1]}"


@dataclass(frozen=True)
class Word:
    """A memory order in the text of *file*. start: its offset."""

    file: str
    start: int
    text: str
    order: Order

    @property
    def has_prefix(self) -> bool:
        """Whether it is the whole name."""
        return self.text.lower() not in ORDERS

    def spelled(self, order: Order) -> str:
        """The word for another *order*."""
        if order is self.order:
            return self.text
        found = _WORD.fullmatch(self.text)
        assert found is not None
        prefix, name = found.group(1) or "", ORDERS[order - 1]
        return prefix + (name.upper() if found.group(2).isupper() else name)

    def edits(self, order: Order, explicit: bool) -> list[Edit]:
        """What makes it another *order*; nothing for the one that it is."""
        return [Edit(self.start, self.start + len(self.text), self.spelled(order))] if order is not self.order else []


@dataclass(frozen=True)
class Implied:
    """An access that is seq_cst without saying so. pieces: the text where it says so, with ``{}`` for the order.

    A second ``{}`` is that of a compare-exchange that fails.
    """

    file: str
    start: int
    pieces: tuple[Edit, ...]
    order: Order = Order.SEQ_CST
    has_prefix = True

    def spelled(self, order: Order) -> str:
        """The name of an *order*."""
        return spelled(order)

    def edits(self, order: Order, explicit: bool) -> list[Edit]:
        """What makes it another *order*, or makes it say that it is seq_cst if it has to be *explicit*."""
        if order is self.order and not explicit:
            return []
        names = (spelled(order), spelled(order if explicit else for_failure(order)))
        return [piece._replace(text=piece.text.format(*names)) for piece in self.pieces]


class Place(Protocol):
    """A place in the text that decides a memory order. has_prefix: it cannot be anything else."""

    @property
    def file(self) -> str:
        """The name of its file."""

    @property
    def start(self) -> int:
        """Its offset."""

    @property
    def order(self) -> Order:
        """The order in the text."""

    @property
    def has_prefix(self) -> bool:
        """Whether it is nothing else than a memory order."""

    def spelled(self, order: Order) -> str:
        """The text for an *order*."""

    def edits(self, order: Order, explicit: bool) -> list[Edit]:
        """What makes it another *order*; also what makes it the one that it is, if it has to be *explicit*."""


def words(texts: Texts) -> list[Place]:
    """The words for memory orders in *texts*. Those without a prefix count where a macro adds one."""
    return [word for file, text in texts.items() for word in _words(file, text)]


def _words(file: str, text: str) -> Iterator[Word]:
    is_pasted = _PASTED.search(text) is not None
    found = tokens(text)
    for number, token in enumerate(found):
        match = _WORD.fullmatch(token.text) if token.kind == "name" else None
        if match is None:
            continue
        around = [each.text for each in found[max(number - 1, 0) : number + 2]]
        is_argument = len(around) == 3 and around[0] in ("(", ",") and around[2] in (")", ",")
        if match.group(1) or (is_pasted and is_argument):
            yield Word(file, token.start, token.text, Order(ORDERS.index(match.group(2).lower()) + 1))


def calls(texts: Texts) -> list[Place]:
    """The calls of functions of <stdatomic.h> that have no argument for the memory order."""
    return [call for file, text in texts.items() for call in _calls(file, text)]


def _calls(file: str, text: str) -> Iterator[Implied]:
    found = tokens(text)
    for number, token in enumerate(found[:-1]):
        if token.kind != "name" or _CALL.fullmatch(token.text) is None or found[number + 1].text != "(":
            continue
        end = closing(found, number + 1)
        if end is not None:
            named = token.start + len(token.text)
            orders = ", {}, {}" if "compare" in token.text else ", {}"
            pieces = (Edit(named, named, "_explicit"), Edit(found[end].start, found[end].start, orders))
            yield Implied(file, token.start, pieces)


def closing(found: Sequence[Lexeme], start: int) -> int | None:
    """The number of the token that closes the parenthesis or bracket at *start*; None if there is none."""
    depth = 0
    for number in range(start, len(found)):
        depth += (found[number].text in _OPENING) - (found[number].text in _CLOSING)
        if depth == 0:
            return number
    return None


def tokens(text: str) -> list[Lexeme]:
    """The tokens of *text*, those of directives among them."""
    return list(_tokens(text, 0))


def _tokens(text: str, offset: int) -> Iterator[Lexeme]:
    for lexeme in lexemes(text):
        if lexeme.kind == "directive":
            start = lexeme.text.index("#") + 1
            yield from _tokens(lexeme.text[start:], offset + lexeme.start + start)
        elif lexeme.kind != "comment":
            yield lexeme._replace(start=lexeme.start + offset)


def written(texts: Texts, changes: Mapping[Place, Order], explicit: bool = False) -> dict[str, str]:
    """The *texts* with other orders at some places. explicit: say what the order is even if it is seq_cst."""
    edits: dict[str, list[Edit]] = {}
    for place, order in changes.items():
        edits.setdefault(place.file, []).extend(place.edits(order, explicit))
    found = dict(texts)
    for file, parts in edits.items():
        text = found[file]
        for edit in sorted(parts, key=lambda edit: -edit.start):  # of two insertions, the inner one comes first
            text = text[: edit.start] + edit.text + text[edit.end :]
        found[file] = text
    return found


def deciding(
    texts: Texts, known: Sequence[Place], sites: Sequence[Order], tried: Callable[[Texts], Sequence[Order]]
) -> dict[Place, list[int]]:
    """The places of the *known*, with the numbers of the orders in the program that each decides, if there are any.

    sites: the orders in the program. tried: those of the program with other texts; it may raise InputError.
    """
    for some in (known, [place for place in known if place.has_prefix]):  # one without may be something else
        with contextlib.suppress(InputError):
            return _deciding(texts, some, sites, tried)
    return {}


def _deciding(
    texts: Texts, known: Sequence[Place], sites: Sequence[Order], tried: Callable[[Texts], Sequence[Order]]
) -> dict[Place, list[int]]:
    base, digits = len(_TRIED), 1
    while base**digits < len(known):
        digits += 1

    def seen(digit: Callable[[int], int]) -> Sequence[Order]:
        changes = {place: _TRIED[digit(number) % base] for number, place in enumerate(known)}
        return tried(written(texts, changes, explicit=True))

    columns = [seen(lambda number, place=place: number // base**place) for place in range(digits)]  # type: ignore[misc]
    moved = seen(lambda number: number + 1)  # an order that no place decides stays the same
    found: dict[Place, list[int]] = {}
    for site, order in enumerate(sites):
        if any(len(column) != len(sites) or column[site] not in _TRIED for column in (*columns, moved)):
            continue
        number = sum(_TRIED.index(column[site]) * base**place for place, column in enumerate(columns))
        is_moved = _TRIED.index(moved[site]) == (number + 1) % base
        if number < len(known) and is_moved and known[number].order is order:
            found.setdefault(known[number], []).append(site)
    return found
