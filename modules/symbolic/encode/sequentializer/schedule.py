"""Schedules in the user's syntax: which threads may run in which round.

``0,1:+:2`` has three rounds: main and thread 1 run in the first, all threads in the second, and only thread 2 in the
third::

    schedule : round | schedule ':' round
    round    : '+' | threads
    threads  : NUMBER | threads ',' NUMBER
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from ply import lex, yacc

_DIGITS = 6  # the most in the number of a thread


class _Unfinished(Exception):
    """The expression ends too early."""


class ScheduledNumber(NamedTuple):
    """A thread's number, and its column in the expression, from 1."""

    thread: int
    column: int


Round = tuple[ScheduledNumber, ...] | None
"""The threads of a round; None for all of them."""


class ScheduleError(ValueError):
    """An error in an expression, and its column, from 1."""

    def __init__(self, column: int, message: str) -> None:
        super().__init__(f"column {column}: {message}")


def read(text: str) -> list[Round]:
    """The rounds of the expression *text*. ScheduleError for text that is not one."""
    lexer, parser = _grammar()
    lexer.lineno = 1
    try:
        rounds: list[Round] = parser.parse(text, lexer=lexer)
    except _Unfinished:
        raise ScheduleError(len(text) + 1, f"something is missing here: {_ROUND}") from None
    return rounds


def called(rounds: Sequence[Round], threads: int) -> list[list[int]]:
    """The numbers of the threads that run in each round, in a program with *threads* threads.

    main is in the first round even if it is not listed, because no other thread exists yet. ScheduleError for a thread
    that the program does not have.
    """
    found = []
    for number, listed in enumerate(rounds):
        for thread, column in listed or ():
            if thread >= threads:
                raise ScheduleError(column, f"there is no thread {thread}: {_threads(threads)}")
        chosen = set(range(threads)) if listed is None else {thread for thread, _ in listed}
        found.append(sorted(chosen | {0} if number == 0 else chosen))
    return found


def _threads(number: int) -> str:
    if number == 1:
        return "the program has one thread, main, which is 0"
    return f"the program has {number} threads, 0 (main) to {number - 1}, within its bounds"


# The grammar. ply reads the names and the docstrings of the functions.

_ROUND = "a round is `+` or thread numbers with commas between"


class _Tokens:
    """The lexer's rules for schedules."""

    tokens = ("NUMBER",)
    literals = ":,+"
    t_ignore = " \t"

    @staticmethod
    def t_NUMBER(t: Any) -> Any:
        r"[0-9]+"
        if len(t.value.lstrip("0")) > _DIGITS:
            raise ScheduleError(t.lexpos + 1, f"there is no thread {t.value}")
        t.value = ScheduledNumber(int(t.value), t.lexpos + 1)
        return t

    @staticmethod
    def t_error(t: Any) -> None:
        raise ScheduleError(t.lexpos + 1, f"`{t.value[0]}` cannot stand here: {_ROUND}")


class _Grammar:
    """The parser's rules for schedules."""

    tokens = _Tokens.tokens
    start = "schedule"

    @staticmethod
    def p_schedule(p: Any) -> None:
        """schedule : round
        | schedule ':' round"""
        p[0] = [p[1]] if len(p) == 2 else [*p[1], p[3]]

    @staticmethod
    def p_round_of_all(p: Any) -> None:
        """round : '+'"""
        p[0] = None

    @staticmethod
    def p_round(p: Any) -> None:
        """round : threads"""
        p[0] = p[1]

    @staticmethod
    def p_threads(p: Any) -> None:
        """threads : NUMBER
        | threads ',' NUMBER"""
        before = () if len(p) == 2 else p[1]
        thread, column = p[len(p) - 1]
        if any(thread == other for other, _ in before):
            raise ScheduleError(column, f"thread {thread} is in this round already")
        p[0] = (*before, ScheduledNumber(thread, column))

    @staticmethod
    def p_error(p: Any) -> None:
        if p is None:
            raise _Unfinished
        word = p.value.thread if isinstance(p.value, ScheduledNumber) else p.value
        raise ScheduleError(p.lexpos + 1, f"`{word}` cannot stand here: {_ROUND}")


@cache
def _grammar() -> tuple[Any, Any]:
    """The lexer and the parser, which ply builds on demand and does not cache in a file."""
    lexer = lex.lex(object=_Tokens())
    parser = yacc.yacc(module=_Grammar(), write_tables=False, debug=False, errorlog=yacc.NullLogger())
    return lexer, parser
