"""Parse C text into a pycparser tree whose nodes carry origins, each top-level declaration once.

Parsing is by far the slowest part of a translation, so it is memoised per top-level declaration: a
header that two translation units share, or a declaration that a text-only stage did not change, is
parsed once per process. Trees from the memo are shared; nothing may change them in place.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from pycparser import c_ast
from pycparser.c_parser import ParseError

from cseq.c.gnu import GnuCParser
from cseq.c.scanner import COMMENT, QUOTED_CHARACTER, QUOTED_STRING, marker
from cseq.c.tokens import GnuParseError
from cseq.model.errors import InputError
from cseq.model.origin import LineMap, Origin

# What matters for finding the end of a top-level declaration: brackets, literals and comments (skipped), directives.
_LANDMARK = re.compile(
    rf"{QUOTED_STRING}|{QUOTED_CHARACTER}|[(){{}}\[\];=]|^[ \t]*\#[^\n]*|{COMMENT}",
    re.MULTILINE,
)
# `int f(a, b) int a; char b; { … }`: a list of names, followed by something other than an attribute
_OLD_STYLE = re.compile(
    r"[^;{}=()]*?(?<![\w$])(?!_Alignas|_Atomic|(?:__)?typeof|__attribute|__asm|asm)[A-Za-z_$][\w$]*\s*"
    r"\(\s*[A-Za-z_$][\w$]*\s*(?:,\s*[A-Za-z_$][\w$]*\s*)*\)\s*(?!__attribute|__asm|asm)[A-Za-z_]"
)
_ATTRIBUTE = r"__attribute(?:__)?\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)\s*"
_ATTRIBUTED_RECORD = re.compile(rf"\b(?:struct|union|enum)\s+(?:{_ATTRIBUTE})+(?:[\w$]+\s*)?$")

_MEMO_SIZE = 20_000
_memo: dict[tuple[Any, ...], tuple[list[c_ast.Node], dict[str, bool]]] = {}


class _Chunk(NamedTuple):
    """The text of one top-level declaration, its offset in the whole text, its file, and its first line in the file and
    in the text."""

    text: str
    start: int
    file: str
    line: int
    text_line: int


class OriginParser(GnuCParser):
    """The parser of one text, chunk by chunk."""

    def declarations(self, chunk: _Chunk, linemap: LineMap | None) -> list[c_ast.Node]:
        """Parse *chunk* in the current file scope, to which its names are added."""
        self.start(chunk.text, chunk.file, chunk.text_line if linemap else chunk.line, linemap)
        return self.external_declarations()


def parse(text: str, filename: str = "", linemap: LineMap | None = None, typedefs: Iterable[str] = ()) -> c_ast.FileAST:
    """Parse preprocessed GNU C.

    text:     C text without directives, except ``# line "file"`` markers and pragmas.
    filename: the file of the text's first line, where no marker names it.
    linemap:  the origin of each line of *text*; if it is given, markers are ignored.
    typedefs: names that *text* may use as types without declaring them.
    Raises InputError, with the origin, for text that is not C, and UnsupportedError for C that is not supported.
    """
    parser = OriginParser()
    parser.declare(dict.fromkeys(typedefs, True))
    try:
        return c_ast.FileAST(_parsed(parser, text, filename, linemap))
    except GnuParseError as error:
        raise InputError(f"syntax error: {error.message}", error.origin or Origin(filename, 1)) from None
    except ParseError as error:
        raise InputError(f"syntax error: {error}", parser.place()) from None
    except RecursionError:
        raise InputError("the program is nested too deeply to be parsed", Origin(filename, 1)) from None


def _parsed(parser: OriginParser, text: str, filename: str, linemap: LineMap | None) -> list[c_ast.Node]:
    nodes: list[c_ast.Node] = []
    scope_version = hash(tuple(parser.added))
    for chunk in _chunks(text, filename):
        place: tuple[Any, ...] = (chunk.file, chunk.line)
        if linemap is not None:
            lines = range(chunk.text_line, chunk.text_line + chunk.text.count("\n") + 1)
            place = tuple(linemap[line] for line in lines)
        key = (chunk.text, place, scope_version)
        known = _memo.get(key)
        if known is None:
            try:
                found = parser.declarations(chunk, linemap)
            except (GnuParseError, InputError):
                # Perhaps it was only split in the wrong place.
                parser.forget()
                return nodes + parser.declarations(chunk._replace(text=text[chunk.start :]), linemap)
            if len(_memo) >= _MEMO_SIZE:
                _memo.clear()
            known = _memo[key] = (found, parser.added)
        else:
            parser.declare(known[1])
        nodes.extend(known[0])
        if known[1]:
            scope_version = hash((scope_version, tuple(sorted(known[1].items()))))
    return nodes


def _chunks(text: str, filename: str) -> Iterator[_Chunk]:
    """Split *text* after each top-level declaration. Text that is not C is split anywhere; the parser reports it."""
    file, offset, marker_line = filename, 1, 1  # line `marker_line` of the text is line `offset` of the file
    line, start, position, depth = 1, 0, 0, 0
    before_brace = ""
    for match in _LANDMARK.finditer(text):
        token = match.group()
        line += text.count("\n", position, match.start())
        position = match.start()
        if depth == 0 and token.lstrip()[0] == "#":
            found = marker(token)
            if found and not text[start:position].strip():
                file = found.file or file
                offset, marker_line = found.line, line + 1
                start = match.end()
            continue
        if token in "([{":
            if depth == 0 and token == "{" and before_brace != "=":
                before_brace = _before_brace(text[start:position])
            depth += 1
        elif token in ")]}":
            depth -= 1
        elif token == "=" and depth == 0:
            before_brace = "="  # an initialiser: none of its braces begins a function
        if depth <= 0 and (token == ";" or (token == "}" and before_brace == ")")):
            depth = 0
            chunk = text[start : match.end()]
            skipped = len(chunk) - len(chunk.lstrip())
            if token == ";" and _OLD_STYLE.match(chunk, skipped):
                continue
            first = line - chunk.count("\n", skipped)
            yield _Chunk(chunk[skipped:], start + skipped, file, offset + first - marker_line, first)
            start, before_brace = match.end(), ""
            # A marker inside a declaration (a macro's expansion can leave one) changes the place of what follows.
            for inner in _LANDMARK.finditer(chunk) if "#" in chunk else ():
                found = marker(inner.group())
                if found:
                    file = found.file or file
                    offset = found.line
                    marker_line = first + chunk.count("\n", skipped, inner.start()) + 1
    rest = text[start:]
    if rest.strip():
        skipped = len(rest) - len(rest.lstrip())
        first = text.count("\n", 0, start + skipped) + 1
        yield _Chunk(rest[skipped:], start + skipped, file, offset + first - marker_line, first)


def _before_brace(head: str) -> str:
    """``)`` if the brace after *head* begins the body of a function."""
    last = head.rstrip()[-1:]
    if last == ";":
        return ")"  # of an old-style definition: nothing else continues after a semicolon
    return "" if last == ")" and "__attribute" in head and _ATTRIBUTED_RECORD.search(head) else last
