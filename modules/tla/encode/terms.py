"""TLA+ expressions as texts: how they can be combined, and what has to hold for them to mean something."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum


class Level(IntEnum):
    """How strongly the outermost operator of a text binds."""

    WHOLE = 0  # IF, LET, CASE, and quantifiers
    IMPLIES = 1
    OR = 2
    AND = 3
    NOT = 4
    COMPARISON = 5
    NEGATIVE = 6
    REMAINDER = 9  # its real precedence is that of sums, with which it cannot be mixed
    SUM = 10
    DIFFERENCE = 11
    QUOTIENT = 12
    PRODUCT = 13
    ATOM = 20


@dataclass(frozen=True)
class Guard:
    """What must hold for a value to mean something.

    condition: a TLA+ boolean, which may presuppose the guards before it. status: the TLA+ text of the status of an
    execution in which it does not hold. level: of the condition. opposite: its negation, if that is shorter than with
    ``~``.
    """

    condition: str
    status: str
    level: Level = Level.WHOLE
    opposite: Value | None = None

    @property
    def failure(self) -> Value:
        """The condition that it does not hold."""
        return self.opposite or negated(Value(self.condition, (), self.level))


@dataclass(frozen=True)
class Value:
    """A value in TLA+.

    guards: what must hold first, in the order in which they have to be checked. least, greatest: the range of an
    integer, None for anything else. level: of the text. opposite: of a boolean, the text of its negation, if that is
    shorter than with ``~``.
    """

    text: str
    guards: tuple[Guard, ...] = ()
    level: Level = Level.ATOM
    least: int | None = None
    greatest: int | None = None
    opposite: str = ""

    def at(self, level: Level) -> str:
        """The text as an operand that has to bind more strongly than *level*."""
        return self.text if self.level > level else f"({self.text})"

    def guarded(self, *guards: Guard) -> Value:
        """The same value, with more guards, which presuppose those that it has."""
        return replace(self, guards=together([self.guards, guards]))

    @property
    def is_narrow(self) -> bool:
        """Whether the value is an integer that always is a plain number of TLC's, which has 32 bits."""
        return self.within(-(1 << 31), (1 << 31) - 1)

    @property
    def constant(self) -> int | None:
        """The value of an integer that is known."""
        return self.least if self.least == self.greatest else None

    def within(self, least: int, greatest: int) -> bool:
        """Whether the value is an integer in this range."""
        return self.least is not None and self.greatest is not None and least <= self.least <= self.greatest <= greatest


@dataclass(frozen=True)
class Scope:
    """Where an expression is evaluated.

    memory: the text of the current memory. thread: that of the thread. bound: C names, such as the parameters and the
    locals of a function of the library → the texts of their values. An object of a thread's that is not bound is in its
    current frame.
    """

    memory: str = "m"
    thread: str = "self"
    bound: Mapping[str, str] = field(default_factory=dict)

    def after(self, memory: str) -> Scope:
        """The same place, with another memory."""
        return replace(self, memory=memory)

    def binding(self, **texts: str) -> Scope:
        """The same place, where more C names stand for texts."""
        return replace(self, bound={**self.bound, **texts})


def together(groups: Iterable[Iterable[Guard]]) -> tuple[Guard, ...]:
    """All guards, in order, each once."""
    return tuple(dict.fromkeys(guard for group in groups for guard in group))


def demanded(condition: Value, status: str) -> Guard:
    """The guard that a condition without guards holds."""
    return Guard(condition.text, status, condition.level, replace(negated(condition), guards=()))


def conditional(condition: Value, guards: Iterable[Guard]) -> tuple[Guard, ...]:
    """*guards* of what is only evaluated if *condition* holds."""
    found = []
    for guard in guards:
        needed = guard.condition if guard.level > Level.IMPLIES else f"({guard.condition})"
        failure = both(replace(condition, guards=()), guard.failure)
        found.append(Guard(f"{condition.at(Level.IMPLIES)} => {needed}", guard.status, Level.IMPLIES, failure))
    return tuple(found)


def negated(condition: Value) -> Value:
    """The opposite of a TLA+ boolean."""
    text, level, opposite = condition.text, condition.level, condition.opposite
    if text in ("TRUE", "FALSE"):
        return replace(condition, text="FALSE" if text == "TRUE" else "TRUE")
    if not opposite:
        return replace(condition, text=f"~{condition.at(Level.COMPARISON)}", level=Level.NOT, opposite="")
    if level == Level.NOT:
        level = Level.ATOM
    elif level == Level.ATOM:
        level = Level.NOT
    return replace(condition, text=opposite, level=level, opposite=text)


def both(left: Value, right: Value) -> Value:
    """The conjunction of two conditions, of which the right one is only evaluated if the left one holds."""
    return _joined(left, right, "/\\", Level.AND, "TRUE", "FALSE", left)


def either(left: Value, right: Value) -> Value:
    """The disjunction of two conditions, of which the right one is only evaluated if the left one does not hold."""
    return _joined(left, right, "\\/", Level.OR, "FALSE", "TRUE", negated(left))


def _joined(left: Value, right: Value, sign: str, level: Level, neutral: str, strong: str, first: Value) -> Value:
    if left.text == neutral:
        return right.guarded() if not left.guards else replace(right, guards=together([left.guards, right.guards]))
    if left.text == strong:
        return left
    guards = together([left.guards, conditional(first, right.guards)])
    if right.text == neutral:
        return replace(left, guards=guards)
    texts = [part.text if part.level == level else part.at(Level.AND) for part in (left, right)]
    return Value(f" {sign} ".join(texts), guards, level)


def written(text: str, guards: tuple[Guard, ...] = (), least: int | None = None, greatest: int | None = None) -> Value:
    """The value of a text from another source."""
    return Value(text, guards, Level.ATOM if _is_atom(text) else Level.WHOLE, least, greatest)


def _is_atom(text: str) -> bool:
    """Whether no operator is outside of the brackets of *text*."""
    depth, quoted = 0, False
    for char in text.replace("<<", "(").replace(">>", ")"):
        if char == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif depth == 0 and not (char.isalnum() or char in "_.@"):
            return False
    return True
