"""Parse C text into a pycparser tree whose nodes carry origins, each top-level declaration once.

Parsing is by far the slowest part of a translation, so it is memoised per top-level declaration: a
header that two translation units share, or a declaration that a text-only stage did not touch, is
parsed once per process. Trees that come from the memo are shared; nothing may change them in place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from pycparser import c_ast
from pycparser.c_parser import CParser, ParseError

from cseq.errors import InputError
from cseq.linemap import LineMap, Origin

# What matters for finding where a top-level declaration ends: brackets, literals (skipped) and directives.
_LANDMARK = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[(){}\[\];=]|^[ \t]*#[^\n]*', re.MULTILINE)
_LINE_MARKER = re.compile(r'[ \t]*#[ \t]*(?:line[ \t]+)?(\d+)(?:[ \t]+"((?:\\.|[^"\\])*)")?')
_ERROR_PLACE = re.compile(r"^(.*?):(\d+)(?::\d+)?: (.*)$", re.DOTALL)

_MEMO_SIZE = 20_000
_memo: dict[tuple[Any, ...], tuple[list[c_ast.Node], dict[str, bool]]] = {}


class _Chunk(NamedTuple):
    """The text of one top-level declaration, the file it lies in, and its first line there and in the text."""

    text: str
    file: str
    line: int
    text_line: int


class OriginParser(CParser):
    """pycparser's parser, with an :class:`Origin` as each node's coordinate."""

    def __init__(self) -> None:
        super().__init__()
        self._linemap: LineMap | None = None
        self._origins: dict[tuple[str, int], Origin | None] = {}

    def _tok_coord(self, tok: Any) -> Any:
        key = (tok.filename, tok.lineno)
        origin = self._origins.get(key)
        if origin is None:
            origin = Origin(*key) if self._linemap is None else self._linemap[tok.lineno]
            self._origins[key] = origin
        return origin

    def declarations(self, chunk: _Chunk, linemap: LineMap | None) -> list[c_ast.Node]:
        """Parse *chunk* in the current file scope, to which its names are added."""
        self._linemap = linemap
        self._scope_stack = [self._scope_stack[0]]
        self._typedef_checked_token = None
        self.clex.input(chunk.text, chunk.file)
        self.clex._lineno = chunk.text_line if linemap else chunk.line
        self._tokens = type(self._tokens)(self.clex.token)
        nodes: list[c_ast.Node] = []
        while self._peek() is not None:
            nodes.extend(self._parse_external_declaration())
        return nodes

    def place(self) -> Origin | None:
        """Where the parser stands."""
        token = self._tokens.peek(1)
        if token is None:
            return self._linemap[self.clex._lineno] if self._linemap else Origin(self.clex.filename, self.clex._lineno)
        origin: Origin | None = self._tok_coord(token)
        return origin

    @property
    def file_scope(self) -> dict[str, bool]:
        """The names of the file scope; True for those that are typedef names."""
        return self._scope_stack[0]


def parse(text: str, filename: str = "", linemap: LineMap | None = None, typedefs: Iterable[str] = ()) -> c_ast.FileAST:
    """Parse preprocessed C.

    text:     C text without comments or directives, but for ``# line "file"`` markers.
    filename: the file that the text's first line belongs to, when no marker says so.
    linemap:  the origin of each line of *text*; then markers do not count.
    typedefs: names that *text* may use as types without declaring them.
    Raises InputError, with the origin, for text that is not C.
    """
    parser = OriginParser()
    parser.file_scope.update(dict.fromkeys(typedefs, True))
    nodes: list[c_ast.Node] = []
    scope_version = hash(tuple(parser.file_scope))
    try:
        for chunk in _chunks(text, filename):
            place: tuple[Any, ...] = (chunk.file, chunk.line)
            if linemap is not None:
                lines = range(chunk.text_line, chunk.text_line + chunk.text.count("\n") + 1)
                place = tuple(linemap[line] for line in lines)
            key = (chunk.text, place, scope_version)
            known = _memo.get(key)
            if known is None:
                before = dict(parser.file_scope)
                found = parser.declarations(chunk, linemap)
                added = {name: kind for name, kind in parser.file_scope.items() if before.get(name) is not kind}
                if len(_memo) >= _MEMO_SIZE:
                    _memo.clear()
                known = _memo[key] = (found, added)
            else:
                parser.file_scope.update(known[1])
            nodes.extend(known[0])
            if known[1]:
                scope_version = hash((scope_version, tuple(sorted(known[1].items()))))
    except ParseError:
        # Perhaps it was only cut in the wrong place: an old-style definition has semicolons in its head.
        return _parse_whole(text, filename, linemap, typedefs)
    except RecursionError:
        raise InputError("the program is nested too deeply to be parsed", Origin(filename, 1)) from None
    return c_ast.FileAST(nodes)


def _parse_whole(text: str, filename: str, linemap: LineMap | None, typedefs: Iterable[str]) -> c_ast.FileAST:
    parser = OriginParser()
    parser.file_scope.update(dict.fromkeys(typedefs, True))
    try:
        return c_ast.FileAST(parser.declarations(_Chunk(text, filename, 1, 1), linemap))
    except ParseError as error:
        raise _input_error(error, parser, filename) from None


def _chunks(text: str, filename: str) -> Iterator[_Chunk]:
    """Cut *text* behind each top-level declaration. A piece that is not C is cut somewhere; parsing will tell."""
    file, offset, marker_line = filename, 1, 1  # line `marker_line` of the text is line `offset` of the file
    line, start, position, depth = 1, 0, 0, 0
    before_brace = ""
    for match in _LANDMARK.finditer(text):
        token = match.group()
        line += text.count("\n", position, match.start())
        position = match.start()
        if depth == 0 and token.lstrip()[0] == "#":
            marker = _LINE_MARKER.match(token)
            if marker and not text[start:position].strip():
                file = marker.group(2) or file
                offset, marker_line = int(marker.group(1)), line + 1
                start = match.end()
            continue
        if token in "([{":
            if depth == 0 and token == "{" and before_brace != "=":
                before_brace = text[start:position].rstrip()[-1:]
            depth += 1
        elif token in ")]}":
            depth -= 1
        elif token == "=" and depth == 0:
            before_brace = "="  # an initialiser: no brace in it begins a function
        if depth <= 0 and (token == ";" or (token == "}" and before_brace == ")")):
            depth = 0
            chunk = text[start : match.end()]
            skipped = len(chunk) - len(chunk.lstrip())
            first = line - chunk.count("\n", skipped)
            yield _Chunk(chunk[skipped:], file, offset + first - marker_line, first)
            start, before_brace = match.end(), ""
            # A marker inside of a declaration (a macro's expansion can leave one) moves what follows.
            for inner in _LANDMARK.finditer(chunk):
                marker = _LINE_MARKER.match(inner.group())
                if marker:
                    file = marker.group(2) or file
                    offset = int(marker.group(1))
                    marker_line = first + chunk.count("\n", skipped, inner.start()) + 1
    rest = text[start:]
    if rest.strip():
        skipped = len(rest) - len(rest.lstrip())
        first = text.count("\n", 0, start + skipped) + 1
        yield _Chunk(rest[skipped:], file, offset + first - marker_line, first)


def _input_error(error: ParseError, parser: OriginParser, filename: str) -> InputError:
    """pycparser says ``place: message``; the user wants the place as an origin and the message in words."""
    match = _ERROR_PLACE.match(str(error))
    if not match:
        message = str(error).rpartition(": ")[2]
        return InputError(f"syntax error: {message[:1].lower()}{message[1:]}", parser.place() or Origin(filename, 1))
    file, line, message = match.groups()
    if message.startswith("before: "):
        message = f"unexpected `{message.removeprefix('before: ')}`"
    return InputError(f"syntax error: {message}", Origin(file, int(line)))
