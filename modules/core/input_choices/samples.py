"""Which values stand for an input that has too many to try each.

Bugs sit where comparisons turn: so the values are those with which branches on the input are taken (`Solver`), the ends
of the range that assumptions leave, the constants of the program and their neighbours (sizes of arrays among them), the
boundary values of the type, and a few at random. The number of values multiplies the search, so the more inputs there
are, the fewer values each gets. What is found so is an execution of the program; what is not found says nothing.
"""

import ast
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.generated import ours
from cseq.modules.analysis import cuts
from cseq.modules.analysis.ranges import MOST, Range, Values, joined
from cseq.modules.library import lexicon
from cseq.pipeline.facts import Fact
from cseq.pipeline.stage import Parameter

SAMPLING = Parameter("sampling", int, 0, "how often the inputs were sampled before: each time, there are more values")
"""No option: the planner counts."""

TABLE, TEXTS = "__cs_samples", "__cs_texts"
"""What the program is given: values for inputs of library functions, and texts for memory (`program.h`)."""
TEXT = 16
"""The bytes of a text."""

_PRODUCT, _GROWTH = 1000, 8
"""About how many combinations of values there are, and how many more each time that the inputs are sampled again."""
_FEWEST, _LARGEST = 3, 24
_BASIC = (0, 1, -1, 2)
_CHARACTERS = tuple(b"a0\n ")
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">="})
_COMPARED = 1000
_GUESSES = 6
"""The values of memory that was never written."""
_FEW_TEXTS = 6


@dataclass(frozen=True)
class Site:
    """An input to sample. weight: 1, or more where it is taken repeatedly, or by several threads."""

    weight: int


class Constants:
    """The numbers and the texts in *nodes*, which are the user's; first the numbers that something is compared with."""

    def __init__(self, nodes: Iterable[c_ast.Node]) -> None:
        self._nodes = nodes

    @cached_property
    def _all(self) -> list[tuple[c_ast.Constant, bool]]:
        return [found for node in self._nodes for found in _constants(node)]

    @cached_property
    def numbers(self) -> list[int]:
        """The numbers."""
        counted: Counter[int] = Counter()
        for constant, is_compared in self._all:
            if constant.type != "string" and (number := _number(constant.value)) is not None:
                counted[number] += _COMPARED if is_compared else 1
        return [number for number, _ in counted.most_common()]

    @cached_property
    def texts(self) -> list[bytes]:
        """The texts."""
        return list(dict.fromkeys(_bytes(constant.value) for constant, _ in self._all if constant.type == "string"))

    @property
    def near(self) -> Iterator[int]:
        """The numbers, then their neighbours and their opposites."""
        yield from self.numbers
        for number in self.numbers:
            yield from (number + 1, number - 1)
        yield from (-number for number in self.numbers)


CONSTANTS = Fact[Constants]("constants")
"""Those of the program, as it was before any of it was traced."""


class Samples:
    """Chooses the values for the inputs of one program.

    sites: the inputs to sample. seed, again: of the random values; how often the inputs were sampled before.
    """

    def __init__(self, constants: Constants, sites: Sequence[Site], seed: int, again: int) -> None:
        self._constants = constants
        self._random = random.Random(seed * 1000 + again)
        weight = max(sum(site.weight for site in sites), 1)
        most = min(_LARGEST << 2 * again, MOST)
        fewest = _FEWEST + again
        self.size = min(max(int((_PRODUCT * _GROWTH**again) ** (1 / weight)), fewest), most)

    def values(self, left: Sequence[Range], solved: Iterable[int] = ()) -> Values:
        """The values to try for an input, of which its type and assumptions leave the ranges *left*.

        left: empty for inputs that are no integers. solved: values with which branches are taken.
        """
        within = list(left) or [(-(1 << 31), (1 << 31) - 1)]
        found: dict[int, None] = {}
        for value in self._candidates(within, solved):
            if len(found) == self.size:
                break
            if any(first <= value <= last for first, last in within):
                found[value] = None
        ranges = joined([(value, value) for value in sorted(found)])
        return Values(tuple(ranges) or ((within[0][0], within[0][0]),), is_sampled=True)

    def _candidates(self, within: list[Range], solved: Iterable[int]) -> Iterator[int]:
        first, last = within[0]
        narrowed = len(within) > 1 or (first != 0 and first + last != -1) or (last + 1) & last != 0
        ends = [end for first, last in within[:4] for end in (first, last, first + 1, last - 1)]
        yield from solved
        yield from ends[:2] if narrowed else ()
        yield from _BASIC[:2]
        yield from self._constants.near if self.size < _LARGEST else _alternating(self._constants.near, _BASIC[2:])
        yield from _BASIC[2:]
        yield from ends
        for _ in range(8 * self.size):
            first, last = self._random.choice(within)
            spread = self._random.choice((100, 1 << 16, last - first))
            start = min(max(0, first), last) if self._random.random() < 0.7 else first
            yield self._random.randint(start, min(last, start + max(spread, 1)))

    def library(self, solved: Iterable[int]) -> list[c_ast.Node]:
        """The definitions of what library functions give: numbers and texts."""
        numbers = list(
            dict.fromkeys([*solved, *_BASIC[:2], *self._constants.near, *_BASIC[2:], *_CHARACTERS, (1 << 31) - 1])
        )
        texts = self._constants.texts[:_FEW_TEXTS]
        texts += [str(number).encode() for number in self._constants.numbers if number > 1][:_FEW_TEXTS]
        texts += [(n % (1 << 64)).to_bytes(8, sys.byteorder) for n in self._constants.numbers if n > 1][:_FEW_TEXTS]
        texts = [b"", b"1", b"\1", *texts, b"a", b"\n", b"\xff" * TEXT]
        few = list(dict.fromkeys(text[:TEXT].ljust(TEXT, b"\0") for text in texts))[: max(self.size, 4)]
        rows = ", ".join(f"{{ {', '.join(str(byte - 256 * (byte > 127)) for byte in text)} }}" for text in few)
        return [
            *table(TABLE, numbers[: max(self.size, 4)]),
            *ours([
                f"const char {TEXTS}[][{TEXT}] = {{ {rows} }};",
                f"const unsigned long {TEXTS}_count = {len(few)};",
            ]),
        ]  # fmt: skip


def table(name: str, numbers: Sequence[int]) -> list[c_ast.Node]:
    """The definition of an array of *numbers*, and of its length."""
    within = [number for number in numbers if -(1 << 63) <= number < 1 << 63]
    values = ", ".join("-9223372036854775807LL - 1" if n == -(1 << 63) else f"{n}LL" for n in within)
    return ours([f"const long long {name}[] = {{ {values} }};", f"const unsigned long {name}_count = {len(within)};"])


def guesses(constants: Constants) -> list[int]:
    """Values for memory that was never written."""
    return list(dict.fromkeys([*_BASIC[:3], *constants.near]))[:_GUESSES]


def _alternating(one: Iterable[int], other: Iterable[int]) -> Iterator[int]:
    others = iter(other)
    for number, value in enumerate(one):
        yield value
        if number % 3 == 2:
            yield from (value for value in [next(others, None)] if value is not None)


def users(tree: c_ast.FileAST) -> list[c_ast.Node]:
    """The nodes at file level that are the user's."""
    return [node for node in tree.ext if not lexicon.is_ours(node.coord)]


def _constants(node: Any, is_compared: bool = False) -> Iterator[tuple[c_ast.Constant, bool]]:
    """The constants in a statement, with whether they are compared; without texts of claims and subscripts."""
    match node:
        case c_ast.Constant():
            yield node, is_compared
        case c_ast.FuncCall() if build.is_call(node, lexicon.ASSERT, cuts.UNWOUND):
            yield from _constants(node.args.exprs[0])
        case c_ast.FuncCall() if build.is_call(node, lexicon.COARSE):
            return
        case c_ast.ArrayRef():
            yield from _constants(node.name)
            if not isinstance(node.subscript, c_ast.Constant):
                yield from _constants(node.subscript)
        case _:
            is_compared = isinstance(node, c_ast.BinaryOp) and node.op in _COMPARISONS
            for _, child in node.children():
                yield from _constants(child, is_compared)


def _number(text: str) -> int | None:
    if text.startswith("'"):
        try:
            return ord(ast.literal_eval(text))
        except (ValueError, SyntaxError, TypeError):
            return None
    plain = text.rstrip("uUlL")
    try:
        return int(plain, 8 if plain.startswith("0") and plain.isdigit() else 0)
    except ValueError:
        return None  # a number with a fraction


def _bytes(text: str) -> bytes:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return b""
    return value.encode("latin-1", "replace") if isinstance(value, str) else b""
