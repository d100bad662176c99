"""Formulas of linear temporal logic, in the user's syntax and in SPIN's.

``G (request -> F answer)``. The words are propositions, C expressions that the user gives separately::

    formula : formula '<->' formula             the weakest; each one below binds more strongly
            | formula '->' formula              right-associative
            | formula '||' formula
            | formula '&&' formula
            | formula ('U' | 'R' | 'W') formula right-associative
            | ('!' | 'G' | 'F' | 'X' | '[]' | '<>') formula
            | '(' formula ')' | 'true' | 'false' | WORD

The operators can also be written as words: ``not and or implies equivalent always eventually next until release
weakuntil``. `V` is SPIN's name for `R`, release.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from ply import lex, yacc

TERMINATED = "terminated"
"""The proposition that always exists: all threads have ended."""


class FormulaError(ValueError):
    """An error in a formula, and the column, from 1, of the character where it is; None for no particular one."""

    def __init__(self, column: int | None, message: str) -> None:
        super().__init__(f"column {column}: {message}" if column is not None else message)


class _Unfinished(Exception):
    """The formula ends too early."""


@dataclass(frozen=True)
class Formula:
    """A formula. operator: the outermost one, a constant, or the word of a proposition. column: its position."""

    operator: str
    parts: tuple[Formula, ...] = ()
    column: int = 0

    def words(self) -> Iterator[tuple[str, int]]:
        """The propositions in the formula, each as often as it occurs, with their columns."""
        if not self.parts and self.operator not in _CONSTANTS:
            yield self.operator, self.column
        for part in self.parts:
            yield from part.words()


_CONSTANTS = ("true", "false")
_UNARY = {"!": "!", "G": "[]", "F": "<>"}
_BINARY = {"&&": "&&", "||": "||", "->": "->", "<->": "<->", "U": "U", "R": "V"}
"""Our operators, and SPIN's spelling of them."""


def read(text: str, given: Collection[str] = ()) -> Formula:
    """Parse the formula *text*. given: the words that are propositions.

    FormulaError for text that is not a formula, for words that are not given, and for given words that do not occur.
    """
    lexer, parser = _grammar()
    lexer.lineno = 1
    try:
        formula: Formula = parser.parse(text, lexer=lexer)
    except _Unfinished:
        raise FormulaError(len(text) + 1, f"something is missing here: {_EXPECTED}") from None
    used: dict[str, int] = {}
    for word, column in formula.words():
        used.setdefault(word, column)
    for word, column in used.items():
        if word not in given and word != TERMINATED:
            raise FormulaError(column, f"there is no proposition `{word}`: --prop '{word}=EXPRESSION' says what it is")
    for word in given:
        if word not in used:
            raise FormulaError(None, f"the proposition `{word}` is not in the formula")
    return formula


def for_spin(formula: Formula, names: dict[str, str]) -> str:
    """The formula in SPIN's syntax. names: the name to use for each proposition.

    SPIN does not translate weak until, so ``p W q`` becomes ``q V (p || q)``.
    """
    parts = [for_spin(part, names) for part in formula.parts]
    if not parts:
        return formula.operator if formula.operator in _CONSTANTS else names[formula.operator]
    if len(parts) == 1:
        return f"{_UNARY[formula.operator]} ({parts[0]})"
    if formula.operator == "W":
        return f"(({parts[1]}) V (({parts[0]}) || ({parts[1]})))"
    return f"(({parts[0]}) {_BINARY[formula.operator]} ({parts[1]}))"


# The grammar. ply reads the names and the docstrings of the functions.

_EXPECTED = "a formula is a proposition, `true`, `false`, or made of such by ! && || -> <-> G F U R W"

_WORDS = {
    "G": "G", "always": "G", "F": "F", "eventually": "F", "X": "X", "next": "X", "not": "!",
    "U": "U", "until": "U", "R": "R", "V": "R", "release": "R", "W": "W", "weakuntil": "W",
    "and": "&&", "or": "||", "implies": "->", "equivalent": "<->",
}  # fmt: skip
"""Words that are operators."""

_KINDS = {"!": "NOT", "G": "G", "F": "F", "X": "X", "U": "U", "R": "R", "W": "W", "&&": "AND", "||": "OR",
          "->": "IMPLIES", "<->": "EQUIVALENT"}  # fmt: skip


class _Tokens:
    """The lexer's rules for formulas."""

    tokens = ("WORD", "CONSTANT", *_KINDS.values())
    literals = "()"
    t_ignore = " \t\n\r"

    @staticmethod
    def t_OPERATOR(t: Any) -> Any:
        r"<->|->|&&|\|\||\[\]|<>|!|/\\|\\/"
        t.value = {"[]": "G", "<>": "F", "/\\": "&&", "\\/": "||"}.get(t.value, t.value)
        t.type = _KINDS[t.value]
        return t

    @staticmethod
    def t_WORD(t: Any) -> Any:
        r"[A-Za-z_][A-Za-z_0-9]*"
        if t.value in _CONSTANTS:
            t.type = "CONSTANT"
        elif t.value in _WORDS:
            t.value = _WORDS[t.value]
            t.type = _KINDS[t.value]
        return t

    @staticmethod
    def t_error(t: Any) -> None:
        raise FormulaError(t.lexpos + 1, f"`{t.value[0]}` cannot stand here: {_EXPECTED}")


class _Grammar:
    """The parser's rules for formulas."""

    tokens = _Tokens.tokens
    start = "formula"
    precedence = (
        ("left", "EQUIVALENT"),
        ("right", "IMPLIES"),
        ("left", "OR"),
        ("left", "AND"),
        ("right", "U", "R", "W"),
        ("right", "NOT", "G", "F", "X"),
    )

    @staticmethod
    def p_leaf(p: Any) -> None:
        """formula : WORD
        | CONSTANT"""
        p[0] = Formula(p[1], (), p.lexpos(1) + 1)

    @staticmethod
    def p_parentheses(p: Any) -> None:
        """formula : '(' formula ')'"""
        p[0] = p[2]

    @staticmethod
    def p_next(p: Any) -> None:
        """formula : X formula"""
        raise FormulaError(
            p.lexpos(1) + 1, "the operator X is not supported: the number of steps of a line has no meaning"
        )

    @staticmethod
    def p_unary(p: Any) -> None:
        """formula : NOT formula
        | G formula
        | F formula"""
        p[0] = Formula(p[1], (p[2],), p.lexpos(1) + 1)

    @staticmethod
    def p_binary(p: Any) -> None:
        """formula : formula EQUIVALENT formula
        | formula IMPLIES formula
        | formula OR formula
        | formula AND formula
        | formula U formula
        | formula R formula
        | formula W formula"""
        p[0] = Formula(p[2], (p[1], p[3]), p.lexpos(2) + 1)

    @staticmethod
    def p_error(p: Any) -> None:
        if p is None:
            raise _Unfinished
        word = p.lexer.lexdata[p.lexpos : p.lexer.lexpos]
        raise FormulaError(p.lexpos + 1, f"`{word}` cannot stand here: {_EXPECTED}")


@cache
def _grammar() -> tuple[Any, Any]:
    """The lexer and the parser, which ply builds on demand and does not cache in a file."""
    lexer = lex.lex(object=_Tokens())
    parser = yacc.yacc(module=_Grammar(), write_tables=False, debug=False, errorlog=yacc.NullLogger())
    return lexer, parser
