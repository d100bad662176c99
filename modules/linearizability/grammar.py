"""The language of specifications, `*.cseq`: statements, each a word and what it says, up to a semicolon.

::

    specification : statement*
    statement     : ('files' | 'header' | 'model') STRING (',' STRING)* ';'
                  | 'threads' NUMBER ';' | 'calls' NUMBER ';'
                  | 'consistency' ('linearizable' | 'sequential' | 'quiescent') ';'
                  | 'state' C ';' | 'setup' C ';' | 'teardown' C ';' | 'invariant' C ';'
                  | 'operation' C ('by' NAME)? ';'
                  | 'operation' NAME ('(' C ')')? ('by' NAME)? '{' C '}'

`threads` and `calls` may come several times, in pairs. Comments are as in C.
"""

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from ply import lex, yacc

from cseq.c.preprocess import check_readable
from cseq.c.scanner import without_comments
from cseq.model.errors import InputError
from cseq.model.origin import Origin
from cseq.modules.linearizability.structure import CONSISTENCIES, Operation, StateObject, Structure, Text, divided

_FILES = {"files": "files", "file": "files", "header": "headers", "headers": "headers", "model": "model"}
_CODE = {
    "state": "states",
    "setup": "setup",
    "teardown": "teardown",
    "invariant": "invariants",
    "operation": "operations",
}
_ROLE = re.compile(r"\bby\s+([A-Za-z_]\w*)\s*$")

Said = tuple[str, Any, int]
"""A statement: the field of a structure, what it adds to it, and the line."""


def read(path: Path) -> Structure:
    """The structure that the file *path* specifies; names of files in it are relative to it. Raises InputError."""
    return parsed(check_readable(path), str(path))


def parsed(text: str, name: str) -> Structure:
    """The structure that *text* specifies, the contents of the file *name*. Raises InputError with the place."""
    lexer, parser = _grammar()
    lexer.lineno = 1
    lexer.begin("INITIAL")
    lexer.file = name
    said: list[Said] = parser.parse(without_comments(text), lexer=lexer)
    structure, sizes = Structure(), list[list[int]]()
    for kind, value, line in said:
        if kind in ("threads", "calls"):
            if kind == "threads":
                sizes.append([value])
            elif not sizes or len(sizes[-1]) > 1:
                raise InputError("`calls` comes after `threads`", Origin(name, line))
            else:
                sizes[-1].append(value)
        elif kind == "consistency":
            structure = replace(structure, consistency=value)
        else:
            structure = structure.adding(**{kind: value})
    if any(len(size) < 2 for size in sizes):
        raise InputError("`threads` without `calls`", Origin(name, 1))
    folder = Path(name).parent
    return replace(
        structure,
        sizes=tuple((size[0], size[1]) for size in sizes),
        files=tuple(str(folder / file) for file in structure.files),
        headers=tuple(str(folder / file) for file in structure.headers),
        model=tuple(str(folder / file) for file in structure.model),
    )


def state(text: str, origin: Origin | None = None) -> StateObject:
    """``struct queue *q = queue_new(4)`` as an object. Raises InputError."""
    declaration, equals, value = text.partition("=")
    if not declaration.strip() or (equals and not value.strip()):
        raise InputError(f"`{text.strip()}` is not a declaration such as `struct queue *q = queue_new(4)`", origin)
    return StateObject(declaration.strip(), value.strip(), origin)


def operation(text: str, origin: Origin | None = None) -> Operation:
    """``queue_pop(q) by consumer`` as an operation. Raises InputError."""
    head, body = divided(text)
    role = _ROLE.search(head)
    if role is not None:
        head = head[: role.start()]
    if not head.strip():
        raise InputError("an operation without a call", origin)
    made = Operation(f"{head.strip()} {body}".rstrip(), role.group(1) if role else "", origin)
    made.calls(1)
    return made


# The grammar. ply reads the names and the docstrings of the functions.


class _Tokens:
    """The lexer's rules. After a word that C follows, everything up to the end of that is one token."""

    tokens = ("FILES", "COUNT", "CONSISTENCY", "CODE", "STRING", "NUMBER", "NAME", "C")
    literals = ";,"
    states = (("c", "exclusive"),)
    t_ignore = " \t\r"
    t_c_ignore = ""

    def t_ANY_newline(self, t: Any) -> None:
        r"\n+"
        t.lexer.lineno += len(t.value)

    def t_STRING(self, t: Any) -> Any:
        r'"[^"\n]*"'
        t.value = t.value[1:-1]
        return t

    def t_NUMBER(self, t: Any) -> Any:
        r"\d+"
        t.value = int(t.value)
        return t

    def t_NAME(self, t: Any) -> Any:
        r"[A-Za-z_]\w*"
        if t.value in _FILES:
            t.type = "FILES"
        elif t.value in ("threads", "calls"):
            t.type = "COUNT"
        elif t.value == "consistency":
            t.type = "CONSISTENCY"
        elif t.value in _CODE:
            t.type = "CODE"
            t.lexer.begin("c")
        return t

    def t_c_C(self, t: Any) -> Any:
        r"[^\n]"
        text, start = t.lexer.lexdata, t.lexpos
        end = _end_of_code(text, start)
        if end is None:
            raise InputError("the end of this statement is missing", Origin(t.lexer.file, t.lineno))
        t.value = text[start:end]
        t.lexer.lexpos = end
        t.lexer.lineno += t.value.count("\n")
        t.lexer.begin("INITIAL")
        return t

    def t_ANY_error(self, t: Any) -> None:
        raise InputError(f"`{t.value[0]}` is not expected here", Origin(t.lexer.file, t.lineno))


def _end_of_code(text: str, start: int) -> int | None:
    """Where the C from *start* on ends: before a semicolon, or after the brace of a body."""
    open_ = {"(": ")", "[": "]", "{": "}"}
    waiting: list[str] = []
    position = start
    while position < len(text):
        letter = text[position]
        if letter in "\"'":
            position = text.find(letter, position + 1)
            if position < 0:
                return None
        elif letter in open_:
            waiting.append(open_[letter])
        elif waiting and letter == waiting[-1]:
            waiting.pop()
            if letter == "}" and not waiting:
                return position + 1
        elif letter == ";" and not waiting:
            return position
        position += 1
    return None


class _Rules:
    """The parser's rules."""

    tokens = _Tokens.tokens
    start = "specification"

    def p_nothing(self, p: Any) -> None:
        "specification :"
        p[0] = []

    def p_more(self, p: Any) -> None:
        "specification : specification statement"
        p[0] = [*p[1], p[2]] if p[2] else p[1]

    def p_empty(self, p: Any) -> None:
        "statement : ';'"
        p[0] = None

    def p_files(self, p: Any) -> None:
        "statement : FILES strings ';'"
        p[0] = (_FILES[p[1]], p[2], p.lineno(1))

    def p_strings(self, p: Any) -> None:
        """strings : STRING
        | strings ',' STRING"""
        p[0] = [p[1]] if len(p) == 2 else [*p[1], p[3]]

    def p_count(self, p: Any) -> None:
        "statement : COUNT NUMBER ';'"
        p[0] = (p[1], p[2], p.lineno(1))

    def p_consistency(self, p: Any) -> None:
        "statement : CONSISTENCY NAME ';'"
        if p[2] not in CONSISTENCIES:
            raise InputError(f"`{p[2]}` is none of {', '.join(CONSISTENCIES)}", Origin(p.lexer.file, p.lineno(1)))
        p[0] = ("consistency", p[2], p.lineno(1))

    def p_code(self, p: Any) -> None:
        "statement : CODE C"
        kind, origin = _CODE[p[1]], Origin(p.lexer.file, p.lineno(1))
        made: Any
        if kind == "states":
            made = state(p[2], origin)
        elif kind == "operations":
            made = operation(p[2], origin)
        else:
            made = Text(p[2].strip(), origin)
        p[0] = (kind, (made,), p.lineno(1))

    def p_error(self, p: Any) -> None:
        if p is None:
            raise InputError("the end of the last statement is missing")
        raise InputError(f"`{p.value}` is not expected here", Origin(p.lexer.file, p.lineno))


@cache
def _grammar() -> tuple[Any, Any]:
    return lex.lex(module=_Tokens()), yacc.yacc(module=_Rules(), debug=False, write_tables=False)
