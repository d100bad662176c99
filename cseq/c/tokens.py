"""The token stream of GNU C, and the scopes that distinguish type names from others: the base of `cseq.c.gnu`."""

from typing import Any, NoReturn

from pycparser.c_parser import Coord, CParser, ParseError

from cseq.c.lexer import Lexer, Token
from cseq.model.errors import UnsupportedError
from cseq.model.origin import LineMap, Origin

BUILTIN_TYPES = frozenset({
    "__builtin_va_list", "__int128_t", "__uint128_t", "_Float16", "_Float32", "_Float64", "_Float128", "_Float32x",
    "_Float64x", "__float128", "__float80", "__ibm128", "__bf16", "__fp16", "_Decimal32", "_Decimal64", "_Decimal128",
})  # fmt: skip
"""Type names that need no declaration. A header may still declare them, for older compilers."""


class GnuParseError(ParseError):
    """A text that is not C. message: without the place. origin: the place."""

    def __init__(self, message: str, origin: Origin | None) -> None:
        super().__init__(f"{origin}: {message}")
        self.message = message
        self.origin = origin


class TokenParser(CParser):
    """pycparser's parser, with our tokens and scopes; coordinates are origins."""

    def __init__(self) -> None:
        super().__init__()
        self._list: list[Token | None] = []
        self._at = 0
        self._kinds: dict[str, bool] = dict.fromkeys(BUILTIN_TYPES, True)
        self._hidden: list[dict[str, bool | None]] = []
        self._local_labels: list[dict[str, str]] = []
        self._label_count = 0
        self.added: dict[str, bool] = {}
        """The names that this text has added to the file scope; True for type names."""
        self._before: dict[str, bool | None] = {}

    def start(self, text: str, file: str, line: int, linemap: LineMap | None = None) -> None:
        """Begin at the start of *text*, in the current file scope. file, line: the place of its first line."""
        self.added = {}
        self._before = {}
        origin = None if linemap is None else linemap.__getitem__
        self._list = [*Lexer(text, file, line, origin).tokens(), None, None, None, None]
        self._at = 0
        while self._hidden:
            self._pop_scope()
        self._local_labels = []
        self._label_count = 0

    def declare(self, names: dict[str, bool]) -> None:
        """Add *names* to the file scope; True for type names."""
        self._kinds.update(names)

    def forget(self) -> None:
        """Remove the names of this text from the file scope."""
        while self._hidden:
            self._pop_scope()
        self._hidden.append(self._before)
        self._pop_scope()

    def place(self) -> Origin | None:
        """The parser's current place: that of the next token, or of the last one at the end."""
        for token in (*self._list[self._at : self._at + 1], *reversed(self._list[: self._at])):
            if token is not None:
                return token.coord
        return None

    # Tokens. Whether a name is a type name depends on the scope at the time when the parser looks at it.

    def _peek(self, k: int = 1) -> Any:
        token = self._list[self._at + k - 1]
        if token is not None and token.type in ("ID", "TYPEID"):
            token.type = "TYPEID" if self._kinds.get(token.value) else "ID"
        return token

    def _peek_type(self, k: int = 1) -> str | None:
        token = self._list[self._at + k - 1]
        if token is None:
            return None
        kind = token.type
        if kind == "ID" or kind == "TYPEID":  # noqa: PLR1714 - the hot path
            kind = token.type = "TYPEID" if self._kinds.get(token.value) else "ID"
        return kind

    def _advance(self) -> Any:
        token = self._peek()
        if token is None:
            self._parse_error("unexpected end of the text", None)
        self._at += 1
        return token

    def _accept(self, token_type: str) -> Any:
        if self._peek_type() == token_type:
            self._at += 1
            return self._list[self._at - 1]
        return None

    def _expect(self, token_type: str) -> Any:
        if self._peek_type() == token_type:
            self._at += 1
            return self._list[self._at - 1]
        token = self._advance()
        self._parse_error(f"unexpected `{token.value}`", token.coord)

    def _mark(self) -> int:
        return self._at

    def _reset(self, mark: int) -> None:
        self._at = mark

    def _tok_coord(self, tok: Any) -> Any:
        return tok.coord

    def _parse_error(self, msg: str, coord: Any) -> NoReturn:
        if isinstance(coord, Origin):
            raise GnuParseError(msg, coord)
        token = self._peek()
        raise GnuParseError(f"unexpected `{token.value}`" if token else "unexpected end of the text", self.place())

    def _unsupported(self, what: str, place: Origin | None = None) -> UnsupportedError:
        return UnsupportedError(f"{what} is not supported", place or self.place())

    # Scopes: one table of what each name is now, and what to restore at the end of each scope

    def _push_scope(self) -> None:
        self._hidden.append({})

    def _pop_scope(self) -> None:
        for name, kind in self._hidden.pop().items():
            if kind is None:
                del self._kinds[name]
            else:
                self._kinds[name] = kind

    def _note(self, name: str, is_type: bool) -> None:
        if self._hidden:
            self._hidden[-1].setdefault(name, self._kinds.get(name))
        else:
            self._before.setdefault(name, self._kinds.get(name))
            self.added[name] = is_type
        self._kinds[name] = is_type

    def _add_typedef_name(self, name: str, coord: Coord | None) -> None:
        self._note(name, True)

    def _add_identifier(self, name: str, coord: Coord | None) -> None:
        self._note(name, False)

    def _is_type_in_scope(self, name: str) -> bool:
        return self._kinds.get(name, False)

    def _parse_label(self) -> str:
        """The name of the label here; a local label has a unique name."""
        name: str = self._parse_identifier_or_typeid().name
        for labels in reversed(self._local_labels):
            if name in labels:
                return labels[name]
        return name
