"""The tokens of preprocessed GNU C, for `cseq/c/gnu.py`: the shared ones (`cseq/c/scanner.py`), with keywords.

Alternative spellings become the standard ones (``__inline`` is ``inline``). What has no meaning for us is left out
here, where that is cheapest: ``__extension__``, and attributes and pragmas that change no value and no layout.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from cseq.c.attributes import is_harmless
from cseq.c.scanner import CHARACTER, COMMENT, ENCODING, NAME, NUMBER, PUNCTUATOR, STRING, marker
from cseq.model.errors import InputError, UnsupportedError
from cseq.model.origin import Origin

# In preprocessed text no line continues after a backslash, and a directive is one line. The last alternative matches
# what is not a token of C, for the lexer to refuse.
_TOKEN = re.compile(
    rf'\n|{STRING}|{CHARACTER}|(?:{ENCODING})?R"|{NAME}|{NUMBER}|{COMMENT}|\[[ \t]*\[|\#[^\n]*|\\\r?\n'
    rf"|{PUNCTUATOR}|[^ \t\r\f\v]"
)
_INTEGER = re.compile(r"(?:0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uUlLiIjJ]*)$")
_FLOAT = re.compile(
    r"(?:0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][-+]?[0-9]+"
    r"|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)([a-zA-Z]*[0-9]*[a-zA-Z]*)$"
)
_FLOAT_TYPES = {
    "": "double", "d": "double", "f": "float", "l": "long double", "q": "__float128", "w": "__float80",
    "f16": "_Float16", "f32": "_Float32", "f64": "_Float64", "f128": "_Float128", "f32x": "_Float32x",
    "f64x": "_Float64x", "bf16": "__bf16", "df": "_Decimal32", "dd": "_Decimal64", "dl": "_Decimal128",
}  # fmt: skip
_ESCAPE = re.compile(r"\\([0-7]{3})([0-7]+)|\\.")
_FOREIGN = re.compile(r"[^\x00-\x9f]")
_UNDECODED = re.compile("[\udc80-\udcff]")  # a byte that is not UTF-8, as `surrogateescape` decodes it
_STATEMENT = re.compile(r"[ ]s(\d+)$")  # after a marker: `cseq/c/numbering.py`
_PRAGMA = re.compile(r"#[ \t]*pragma\b[ \t]*(.*?)\s*$")
_IDLE_DIRECTIVE = re.compile(r"#[ \t]*(?:$|(?:ident|sccs|define|undef|assert|unassert|warning)\b)")
_VENDOR = re.compile(r"\b(?:gnu|__gnu__|clang|_Clang) : : ")
_FOREIGN_PRAGMA = re.compile(r"(?:redefine_extname|scalar_storage_order|ms_struct)\b")

_KEYWORDS = {
    word: (word.upper(), word)
    for word in (
        "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern",
        "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed",
        "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "_Alignas",
        "_Alignof", "_Atomic", "_Generic", "_Noreturn", "_Static_assert", "_Thread_local", "_Bool", "_Complex",
        "__int128",
    )
} | {
    "offsetof": ("OFFSETOF", "offsetof"),
    "__builtin_offsetof": ("OFFSETOF", "__builtin_offsetof"),
    "__real__": ("PART", "__real__"),
    "__real": ("PART", "__real__"),
    "__imag__": ("PART", "__imag__"),
    "__imag": ("PART", "__imag__"),
    "__label__": ("LOCAL_LABEL", "__label__"),
    "__auto_type": ("AUTO_TYPE", "__auto_type"),
    "__typeof_unqual__": ("TYPEOF", "__typeof_unqual__"),
    "__typeof_unqual": ("TYPEOF", "__typeof_unqual__"),
}  # fmt: skip
_SPELLINGS = {
    "inline": "__inline __inline__",
    "const": "__const __const__",
    "volatile": "__volatile __volatile__",
    "restrict": "__restrict __restrict__",
    "signed": "__signed __signed__",
    "_Complex": "__complex __complex__",
    "_Thread_local": "__thread",
}
for _standard, _others in _SPELLINGS.items():
    _KEYWORDS |= dict.fromkeys(_others.split(), _KEYWORDS[_standard])
_KEYWORDS |= dict.fromkeys(("typeof", "__typeof", "__typeof__"), ("TYPEOF", "__typeof__"))
_KEYWORDS |= dict.fromkeys(("__alignof", "__alignof__"), ("_ALIGNOF", "__alignof__"))
_KEYWORDS |= dict.fromkeys(("asm", "__asm", "__asm__"), ("ASM", "__asm__"))
# Words that the lexer itself has to handle
_SPECIAL = dict.fromkeys(("__attribute__", "__attribute"), ("attribute", "")) | {
    "__extension__": ("skip", ""),
    "_Pragma": ("pragma", ""),
    "\n": ("newline", ""),
}
_PUNCTUATORS = {
    "...": "ELLIPSIS", "<<=": "LSHIFTEQUAL", ">>=": "RSHIFTEQUAL", "++": "PLUSPLUS", "--": "MINUSMINUS",
    "->": "ARROW", "&&": "LAND", "||": "LOR", "<<": "LSHIFT", ">>": "RSHIFT", "<=": "LE", ">=": "GE", "==": "EQ",
    "!=": "NE", "*=": "TIMESEQUAL", "/=": "DIVEQUAL", "%=": "MODEQUAL", "+=": "PLUSEQUAL", "-=": "MINUSEQUAL",
    "&=": "ANDEQUAL", "|=": "OREQUAL", "^=": "XOREQUAL", "=": "EQUALS", "+": "PLUS", "-": "MINUS", "*": "TIMES",
    "/": "DIVIDE", "%": "MOD", "|": "OR", "&": "AND", "~": "NOT", "^": "XOR", "!": "LNOT", "<": "LT", ">": "GT",
    "?": "CONDOP", "(": "LPAREN", ")": "RPAREN", "[": "LBRACKET", "]": "RBRACKET", "{": "LBRACE", "}": "RBRACE",
    ",": "COMMA", ".": "PERIOD", ";": "SEMI", ":": "COLON",
}  # fmt: skip
_DIGRAPHS = {"<:": "[", ":>": "]", "<%": "{", "%>": "}"}

_KNOWN: dict[str, tuple[str, str]] = {
    **_KEYWORDS,
    **_SPECIAL,
    **{text: (kind, text) for text, kind in _PUNCTUATORS.items()},
    **{text: (_PUNCTUATORS[plain], plain) for text, plain in _DIGRAPHS.items()},
}


class Token:
    """A token. type, value: as for pycparser. coord: the origin of its line."""

    __slots__ = ("coord", "type", "value")

    def __init__(self, type: str, value: Any, coord: Origin | None) -> None:
        self.type = type
        self.value = value
        self.coord = coord


class Lexer:
    """Splits a text into tokens; call `tokens` once."""

    def __init__(self, text: str, file: str, line: int, origin: Callable[[int], Origin | None] | None = None) -> None:
        """text: preprocessed C. file, line: the place of its first line. origin: returns the origin of a line; if it is
        given, markers are ignored."""
        self._words = iter(_TOKEN.findall(text))
        self._file = file
        self._line = line
        self._origin = origin
        self._statement: tuple[int, ...] = ()
        self._tokens: list[Token] = []

    def tokens(self) -> list[Token]:
        """The tokens. Raises InputError for text that is not C."""
        known = _KNOWN.get
        append = self._tokens.append
        coord = None
        for word in self._words:
            found = known(word)
            if found is not None:
                kind, value = found
                if kind == "newline":
                    self._line += 1
                    coord = None
                    continue
                if coord is None:
                    coord = self._place()
                if kind.islower():
                    self._special(kind)
                    coord = None
                else:
                    append(Token(kind, value, coord))
                continue
            if coord is None:
                coord = self._place()
            first = word[0]
            if first.isalpha() or first in "_$":
                append(self._literal(word, coord) if word[-1] in "\"'" else Token("ID", word, coord))
            elif first.isdigit() or first == ".":
                append(Token("NUMBER", word, coord))
            elif first in "\"'" and len(word) > 1:
                append(self._literal(word, coord))
            elif first == "\\" and len(word) > 3:
                append(Token("ID", word, coord))
            else:
                self._other(word)
                coord = None
        return self._tokens

    def _place(self) -> Origin | None:
        if self._origin is not None:
            return self._origin(self._line)
        return Origin(self._file, self._line, statement=self._statement)

    def _error(self, message: str) -> NoReturn:
        raise InputError(f"syntax error: {message}", self._place())

    def _literal(self, word: str, coord: Origin | None) -> Token:
        if word.endswith('R"') and word.count('"') == 1:
            raise UnsupportedError("a raw string is not supported", self._place())
        if not word.isascii():
            word = _UNDECODED.sub(lambda byte: f"\\{ord(byte.group()) - 0xDC00:03o}", word)
            if word[0] in "LuU" and not word.startswith("u8"):  # CBMC reads bytes, not characters
                word = _FOREIGN.sub(lambda char: f"\\U{ord(char.group()):08x}", word)
        if "\\" in word:
            word = _ESCAPE.sub(_plain_escape, word)
        return Token("CHAR_CONST" if word[-1] == "'" else "STRING_LITERAL", word, coord)

    def _other(self, word: str) -> None:
        if word[0] == "#":
            self._directive(word)
        elif word[0] == "[":
            self._standard_attribute()
        elif word[0] == "\\" or word.startswith(("/*", "//")):
            self._line += word.count("\n")
        else:
            self._error(f"unmatched {word}" if word in "\"'" else f"illegal character {word!r}")

    def _directive(self, word: str) -> None:
        if found := marker(word):
            if self._origin is None:
                self._line = found.line - 1  # the end of the line is still to come
                self._file = found.file or self._file
                numbered = _STATEMENT.search(word)
                self._statement = (int(numbered.group(1)),) if numbered else ()
        elif pragma := _PRAGMA.match(word):
            self._pragma(pragma.group(1))
        elif not _IDLE_DIRECTIVE.match(word):
            self._error(f"unexpected `{word.split(maxsplit=1)[0]}`")

    def _pragma(self, text: str) -> None:
        if foreign := _FOREIGN_PRAGMA.match(text):
            raise UnsupportedError(f"`#pragma {foreign.group()}` is not supported", self._place())
        if text.startswith(("pack", "weak ", "omp ", "acc ")):
            place = self._place()
            self._tokens += [Token("PPPRAGMA", "pragma", place), Token("PPPRAGMASTR", text, place)]

    def _special(self, kind: str) -> None:
        if kind == "attribute":
            place = self._place()
            attributes = list(_attributes(self._parenthesized()))
            if attributes:
                self._tokens.append(Token("ATTRIBUTE", attributes, place))
        elif kind == "pragma":
            literal = "".join(self._parenthesized())
            text = literal[literal.find('"') + 1 : -1]
            self._pragma(text.replace('\\"', '"').replace("\\\\", "\\"))

    def _standard_attribute(self) -> None:
        """``[[gnu::packed]]``, which is ``__attribute__((packed))``."""
        place = self._place()
        words: list[str] = ["("]
        depth = 2
        for word in self._words:
            self._line += word == "\n"
            depth += word.count("[") - word.count("]")
            if depth == 0:
                break
            if word not in ("\n", "]") and word[0] != "#":
                words.append(word)
        text = _VENDOR.sub("", " ".join(words))
        attributes = list(_attributes([*text.split(" "), ")"]))
        if attributes:
            self._tokens.append(Token("ATTRIBUTE", attributes, place))

    def _parenthesized(self) -> list[str]:
        """The words between the ``(`` here and its ``)``."""
        words: list[str] = []
        depth = 0
        place = self._place()
        for word in self._words:
            if word == "\n":
                self._line += 1
            elif word[0] == "#" or word.startswith(("/*", "//")):
                self._other(word)
            else:
                if word == "(":
                    depth += 1
                elif word == ")":
                    depth -= 1
                elif depth == 0:
                    break
                words.append(word)
                if depth == 0:
                    return words[1:-1]
        what = "unexpected end of an attribute" if depth else "missing ( after an attribute or pragma"
        raise InputError(f"syntax error: {what}", place)


def _plain_escape(escape: re.Match[str]) -> str:
    """An escape that CBMC reads correctly: it takes all digits after an octal escape, and reads ``\\e`` as an e."""
    if escape.group(1):
        return f"\\{escape.group(1)}" + "".join(f"\\06{digit}" for digit in escape.group(2))
    return "\\033" if escape.group() in ("\\e", "\\E") else escape.group()


def _attributes(words: list[str]) -> Iterator[tuple[str, str | None]]:
    """The attributes but for harmless ones: name and arguments. words: the tokens within the outer parentheses."""
    depth = 0
    name = ""
    arguments: list[str] = []
    for word in [*words[1:-1], ","]:
        if word == "," and depth == 0:
            plain = name.strip("_") if name.startswith("__") else name
            if plain and not is_harmless(plain, arguments):
                yield plain, _joined(arguments[1:-1]) if arguments else None
            name, arguments = "", []
            continue
        depth += (word == "(") - (word == ")")
        if depth or name:
            arguments.append(word)
        else:
            name = word


def _joined(words: list[str]) -> str:
    """*words* as text: without spaces at brackets and commas, else with spaces, so that no two words become one."""
    text = ""
    for word in words:
        close = text[-1:] in "([" or word in ("]", ")", ",") or (word in "([" and text[-1:].isalnum())
        text += word if close else f" {word}"
    return text


def number_type(text: str) -> str | None:
    """The type of the numeric constant *text*, as pycparser names it; None if it is not a number."""
    if match := _INTEGER.match(text):
        suffix = match.group(1).lower()
        prefix = "_Complex " if "i" in suffix or "j" in suffix else ""
        return prefix + "unsigned " * suffix.count("u") + "long " * suffix.count("l") + "int"
    if match := _FLOAT.match(text):
        suffix = match.group(1).lower()
        plain = suffix.replace("i", "").replace("j", "")
        type_ = _FLOAT_TYPES.get(plain)
        return type_ if type_ is None or plain == suffix else f"_Complex {type_}"
    return None
