"""A parser for GNU C, on top of pycparser's for standard C.

Declarations are parsed here from the ground up, since attributes may stand anywhere in them and a name is in scope from
its declarator on; expressions and statements are pycparser's, with what GNU C adds (`cparser.nodes`).
"""

from __future__ import annotations

from typing import Any, NoReturn

from pycparser import c_ast
from pycparser.c_parser import Coord, CParser, ParseError

from cseq.cparser import nodes
from cseq.cparser.lexer import Lexer, Token, number_type
from cseq.errors import UnsupportedError
from cseq.linemap import LineMap, Origin

BUILTIN_TYPES = frozenset({
    "__builtin_va_list", "__int128_t", "__uint128_t", "_Float16", "_Float32", "_Float64", "_Float128", "_Float32x",
    "_Float64x", "__float128", "__float80", "__ibm128", "__bf16", "__fp16", "_Decimal32", "_Decimal64", "_Decimal128",
})  # fmt: skip
"""Type names that are there without a declaration. A header may declare them all the same, for an older compiler."""

_SPELLED_OUT = {"__int128_t": ["__int128"], "__uint128_t": ["unsigned", "__int128"]}
_SPECIFIERS = (
    dict.fromkeys(("AUTO", "REGISTER", "STATIC", "EXTERN", "TYPEDEF", "_THREAD_LOCAL"), "storage")
    | dict.fromkeys(("INLINE", "_NORETURN"), "function")
    | dict.fromkeys(("CONST", "RESTRICT", "VOLATILE", "_ATOMIC"), "qual")
    | dict.fromkeys(("VOID", "_BOOL", "CHAR", "SHORT", "INT", "LONG", "FLOAT", "DOUBLE", "_COMPLEX"), "word")
    | dict.fromkeys(("SIGNED", "UNSIGNED", "__INT128", "TYPEID"), "word")
    | dict.fromkeys(("STRUCT", "UNION"), "record")
    | {"ENUM": "enum", "TYPEOF": "typeof", "AUTO_TYPE": "inferred", "_ALIGNAS": "alignment", "ATTRIBUTE": "attribute"}
)
_ENDS = frozenset({"SEMI", "RPAREN", "RBRACE", "RBRACKET", "COMMA", "COLON"})
_PREFIXES = frozenset({"AND", "TIMES", "PLUS", "MINUS", "NOT", "LNOT"})
_INTEGER_MODES = {
    "QI": ["char"], "byte": ["char"], "HI": ["short"], "SI": ["int"], "DI": ["long", "long"], "TI": ["__int128"],
    "word": ["long"], "pointer": ["long"], "unwind_word": ["long"],
}  # fmt: skip
_FLOAT_MODES = {
    "HF": "_Float16", "SF": "float", "DF": "double", "XF": "long double", "TF": "__float128",
    "SC": "_Complex float", "DC": "_Complex double", "XC": "_Complex long double", "TC": "_Complex __float128",
}  # fmt: skip
_PLACELESS: Any = None


class GnuParseError(ParseError):
    """A text is not C. message: without the place. origin: the place."""

    def __init__(self, message: str, origin: Origin | None) -> None:
        super().__init__(f"{origin}: {message}")
        self.message = message
        self.origin = origin


class _Declarator:
    """One declarator, with what stands behind it. attributes: those that are about what it declares."""

    __slots__ = ("attributes", "bits", "init", "type")

    def __init__(self, type: c_ast.Node, attributes: list[Any]) -> None:
        self.type = type
        self.attributes = attributes
        self.bits: c_ast.Node | None = None
        self.init: c_ast.Node | None = None


def _named(declarator: Any) -> c_ast.TypeDecl:
    """The part of *declarator* that has the name."""
    while not isinstance(declarator, c_ast.TypeDecl):
        declarator = declarator.type
    return declarator


class GnuCParser(CParser):
    """pycparser's parser for GNU C; coordinates are origins.

    Attributes that mean something (`lexer.MEANT_ATTRIBUTES`) are kept on the struct, union or enum, else on the
    declaration or type name that they are about; `mode` is resolved. Labels that ``__label__`` declares get names of
    their own. The names that asm gives to declarations are dropped.
    """

    def __init__(self) -> None:
        super().__init__()
        self._list: list[Token | None] = []
        self._at = 0
        self._kinds: dict[str, bool] = dict.fromkeys(BUILTIN_TYPES, True)
        self._hidden: list[dict[str, bool | None]] = []
        self._local_labels: list[dict[str, str]] = []
        self._label_count = 0
        self.added: dict[str, bool] = {}
        """The names that this text added to the file scope; True for type names."""
        self._before: dict[str, bool | None] = {}

    def start(self, text: str, file: str, line: int, linemap: LineMap | None = None) -> None:
        """Stand before *text*, in the file scope as it is. file, line: the place of its first line."""
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
        """Take the names of this text out of the file scope again."""
        while self._hidden:
            self._pop_scope()
        self._hidden.append(self._before)
        self._pop_scope()

    def place(self) -> Origin | None:
        """Where the parser stands: the place of the next token, or of the last one."""
        for token in (*self._list[self._at : self._at + 1], *reversed(self._list[: self._at])):
            if token is not None:
                return token.coord
        return None

    # Tokens. Names are types or not by the scope at the time when they are looked at.

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

    # Scopes: one table of what each name is now, and what to bring back at the end of each scope

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

    # Declarations

    def external_declarations(self) -> list[c_ast.Node]:
        """All that there is, up to the end of the text."""
        found: list[c_ast.Node] = []
        while self._peek() is not None:
            found.extend(self._parse_external_declaration())
        return found

    def _parse_external_declaration(self) -> list[c_ast.Node]:
        kind = self._peek_type()
        if kind == "SEMI":
            self._at += 1
            return []
        if kind == "PPPRAGMA":
            return [self._parse_pppragma_directive()]
        if kind == "_STATIC_ASSERT":
            return [self._parse_static_assert()]
        if kind == "ASM":
            statement = self._parse_asm()
            self._expect("SEMI")
            return [statement]
        return self._parse_any_declaration(file_level=True)

    def _parse_declaration(self) -> list[c_ast.Node]:
        if self._peek_type() == "_STATIC_ASSERT":
            return [self._parse_static_assert()]
        return self._parse_any_declaration()

    def _parse_any_declaration(self, file_level: bool = False) -> list[c_ast.Node]:
        place = self.place()
        spec, _, _ = self._parse_specifiers(allow_storage_and_function=True)
        if spec is None:
            if not file_level or self._peek_type() not in ("ID", "TIMES", "LPAREN"):
                self._parse_error("", None)
            spec = self._add_declaration_specifier(None, c_ast.IdentifierType(["int"], place), "type")
        if self._peek_type() in ("SEMI", "PPPRAGMA"):
            return self._parse_declaration_end([self._without_declarator(spec, place)])
        found: list[c_ast.Node] = []
        while True:
            declarator = self._parse_whole_declarator(spec)
            name = _named(declarator.type)
            self._note(name.declname, "typedef" in spec["storage"])
            if not found and isinstance(declarator.type, c_ast.FuncDecl) and self._starts_body():
                if not file_level:
                    raise self._unsupported("a nested function", name.coord)
                return [self._parse_function(spec, declarator)]
            if self._accept("EQUALS"):
                declarator.init = self._parse_initializer()
            found.append(self._built(spec, declarator))
            if not self._accept("COMMA"):
                return self._parse_declaration_end(found)

    def _starts_body(self) -> bool:
        """Whether a function's body is here, or the old-style declarations of its parameters."""
        return self._peek_type() == "LBRACE" or self._starts_declaration()

    def _without_declarator(self, spec: Any, place: Any) -> c_ast.Node:
        """``struct s { … };``"""
        if len(spec["type"]) != 1:
            self._parse_error("", None)
        type_ = spec["type"][0]
        attributes = self._kept(spec["attributes"], type_.coord)
        return c_ast.Decl(
            None, spec["qual"], spec["alignment"], spec["storage"], spec["function"], type_, None, None,
            type_.coord or place, attributes=attributes,
        )  # fmt: skip

    def _parse_whole_declarator(self, spec: Any) -> _Declarator:
        """A declarator, with the asm name and the attributes around it."""
        attributes = list(spec["attributes"])
        attributes += self._parse_attributes()
        type_ = self._parse_any_kind(attributes, abstract=False)
        if self._peek_type() == "ASM":
            self._parse_asm()
        attributes += self._parse_attributes()
        return _Declarator(type_, attributes)

    def _built(self, spec: Any, declarator: _Declarator) -> Any:
        """The declaration that *spec* and *declarator* make."""
        coord = declarator.type.coord
        node: Any
        if "typedef" in spec["storage"]:
            node = c_ast.Typedef(None, spec["qual"], spec["storage"], declarator.type, coord)
        else:
            node = c_ast.Decl(
                None, spec["qual"], spec["alignment"], spec["storage"], spec["function"], declarator.type,
                declarator.init, declarator.bits, coord,
            )  # fmt: skip
        return self._completed(node, spec, declarator.attributes)

    def _completed(self, node: Any, spec: Any, attributes: list[Any]) -> Any:
        """*node*, with its type at the end of its declarator and its attributes where they belong."""
        self._fix_decl_name_type(node, spec["type"] or [c_ast.IdentifierType(["int"], node.coord)])
        for name, arguments in attributes:
            if name == "mode":
                end = _named(node.type)
                end.type = self._in_mode(end.type, (arguments or "").strip("_"))
        node.attributes = self._kept([item for item in attributes if item[0] != "mode"], node.coord)
        return node

    def _kept(self, attributes: list[Any], place: Any) -> list[c_ast.Node]:
        if not attributes:
            return []
        return [c_ast.AttributeSpecifier([c_ast.Attribute(n, None, args, place) for n, args in attributes], place)]

    def _in_mode(self, type_: c_ast.Node, mode: str) -> c_ast.Node:
        """The type that ``__mode__`` makes of *type_*."""
        words = type_.names if isinstance(type_, c_ast.IdentifierType) else []
        whole = not {"char", "short", "int", "long", "signed", "unsigned", "__int128"}.isdisjoint(words)
        if whole and mode in _INTEGER_MODES:
            names = _INTEGER_MODES[mode]
            sign = ["unsigned"] if "unsigned" in words else ["signed"] if names == ["char"] else []
            return c_ast.IdentifierType([*sign, *names], type_.coord)
        if mode in _FLOAT_MODES and not whole and {"float", "double"} & set(words):
            return c_ast.IdentifierType(_FLOAT_MODES[mode].split(), type_.coord)
        raise self._unsupported(f"the attribute `mode({mode})` here", type_.coord)

    def _parse_function(self, spec: Any, declarator: _Declarator) -> c_ast.Node:
        """Old-style declarations of parameters, if any, and the body."""
        decl: Any = declarator.type
        self._label_count = 0
        self._push_scope()
        for parameter in decl.args.params if decl.args is not None else []:
            if name := getattr(parameter, "name", None):
                self._add_identifier(name, parameter.coord)
        declarations = self._parse_declaration_list() if self._starts_declaration() else None
        if self._peek_type() != "LBRACE":
            self._parse_error("", None)
        body = self._parse_compound_statement(new_scope=False)
        self._pop_scope()
        if "typedef" in spec["storage"]:
            self._parse_error("a function cannot be a typedef", decl.coord)
        node = self._built(spec, declarator)
        return c_ast.FuncDef(node, declarations, body, decl.coord)

    def _parse_specifiers(self, *, allow_storage_and_function: bool) -> Any:
        spec: Any = None
        saw_type = False
        first = None
        while True:
            kind = self._peek_type()
            what = _SPECIFIERS.get(kind or "")
            if what is None:
                break
            token = self._list[self._at]
            assert token is not None
            if spec is None:
                first = token.coord
                spec = {"qual": [], "storage": [], "type": [], "function": [], "alignment": []}
                spec |= {"type_attributes": [], "attributes": []}
            if what == "word":
                if kind == "TYPEID" and saw_type and not self._is_complex_part(spec, token):
                    break
                self._at += 1
                spec["type"].append(c_ast.IdentifierType(_SPELLED_OUT.get(token.value, [token.value]), first))
                saw_type = True
            elif what == "qual" and not (kind == "_ATOMIC" and self._peek_type(2) == "LPAREN"):
                self._at += 1
                spec["qual"].append(token.value)
            elif what in ("storage", "function"):
                if not allow_storage_and_function:
                    break
                self._at += 1
                spec[what].append(token.value)
            elif what == "attribute":
                spec["attributes"] += self._parse_attributes()
            elif what == "alignment":
                spec["alignment"].append(self._parse_alignment_specifier())
            else:
                spec["type"].append(self._parse_type_specifier(what))
                saw_type = True
        return spec, saw_type, first

    def _is_complex_part(self, spec: Any, token: Token) -> bool:
        """``_Complex _Float32``: here a type name goes on with the type."""
        words = [word for item in spec["type"] for word in getattr(item, "names", [""])]
        return words == ["_Complex"] and token.value in BUILTIN_TYPES

    def _parse_type_specifier(self, what: str) -> Any:
        if what == "record":
            return self._parse_struct_or_union_specifier()
        if what == "enum":
            return self._parse_enum_specifier()
        if what == "typeof":
            return self._parse_typeof_specifier()
        if what == "inferred":
            return c_ast.InferredType(self._advance().coord)
        return self._parse_atomic_specifier()

    def _starts_declaration(self, tok: Any = None) -> bool:
        return (self._peek_type() if tok is None else tok.type) in _SPECIFIERS

    def _parse_attributes(self) -> list[Any]:
        found: list[Any] = []
        while self._peek_type() == "ATTRIBUTE":
            found += self._advance().value
        return found

    def _parse_attribute_specifier_sequence(self) -> list[Any]:
        return []

    # Structs, unions, enums

    def _parse_struct_or_union_specifier(self) -> Any:
        keyword = self._advance()
        attributes = self._parse_attributes()
        name = self._advance() if self._peek_type() in ("ID", "TYPEID") else None
        members = None
        place = (name or self._peek() or keyword).coord
        if name is None or self._peek_type() == "LBRACE":
            self._expect("LBRACE")
            members = self._parse_struct_declaration_list()
            self._expect("RBRACE")
            attributes += self._parse_attributes()
        class_ = self._select_struct_union_class(keyword.value)
        return class_(name.value if name else None, members, place, attributes=self._kept(attributes, place))

    def _parse_struct_declaration(self) -> list[c_ast.Node] | None:
        kind = self._peek_type()
        if kind == "SEMI":
            self._at += 1
            return None
        if kind == "_STATIC_ASSERT":
            return [self._parse_static_assert()]
        if kind == "PPPRAGMA":
            return [self._parse_pppragma_directive()]
        place = self.place()
        spec: Any = self._parse_specifier_qualifier_list()
        if self._peek_type() == "SEMI":
            self._at += 1
            return [self._without_declarator(spec, place)]
        found: list[c_ast.Node] = []
        while True:
            if self._peek_type() == "COLON":
                declarator = _Declarator(c_ast.TypeDecl(None, None, None, None, self.place()), list(spec["attributes"]))
            else:
                declarator = self._parse_whole_declarator(spec)
            if self._accept("COLON"):
                declarator.bits = self._parse_constant_expression()
                declarator.attributes += self._parse_attributes()
            found.append(self._built(spec, declarator))
            if not self._accept("COMMA"):
                return self._parse_declaration_end(found)

    def _parse_enum_specifier(self) -> c_ast.Node:
        keyword = self._expect("ENUM")
        attributes = self._parse_attributes()
        name = self._advance().value if self._peek_type() in ("ID", "TYPEID") else None
        values = None
        if name is None or self._peek_type() == "LBRACE":
            self._expect("LBRACE")
            values = self._parse_enumerator_list()
            self._expect("RBRACE")
            attributes += self._parse_attributes()
        place = keyword.coord
        return c_ast.Enum(name, values, None, place, attributes=self._kept(attributes, place))

    def _parse_enumerator(self) -> c_ast.Node:
        name = self._parse_identifier_or_typeid()
        self._parse_attributes()
        value = self._parse_constant_expression() if self._accept("EQUALS") else None
        self._add_identifier(name.name, name.coord)
        return c_ast.Enumerator(name.name, value, name.coord)

    # Declarators

    def _parse_any_kind(self, attributes: list[Any], *, abstract: bool, named: bool = True) -> Any:
        """A declarator. *abstract*, *named*: whether it may be without a name, or with one."""
        pointer = self._parse_pointer() if self._peek_type() == "TIMES" else None
        attributes += self._parse_attributes()
        decl: Any
        kind = self._peek_type()
        if kind == "LPAREN" and (not abstract or self._is_nested_declarator()):
            self._at += 1
            attributes += self._parse_attributes()
            decl = self._parse_any_kind(attributes, abstract=abstract, named=named)
            self._expect("RPAREN")
        elif named and kind in ("ID", "TYPEID"):
            token = self._advance()
            decl = c_ast.TypeDecl(token.value, None, None, None, token.coord)
        elif abstract:
            decl = c_ast.TypeDecl(None, None, None, None, self.place())
        else:
            self._parse_error("", None)
        while True:
            kind = self._peek_type()
            if kind == "LBRACKET":
                decl = self._type_modify_decl(decl, self._parse_array_suffix(decl.coord))
            elif kind == "LPAREN":
                decl = self._type_modify_decl(decl, self._parse_function_suffix(decl.coord))
            else:
                break
        return decl if pointer is None else self._type_modify_decl(decl, pointer)

    def _is_nested_declarator(self) -> bool:
        """Whether the ``(`` here encloses a declarator, not parameters."""
        ahead = 2
        while self._peek_type(ahead) == "ATTRIBUTE" and ahead < 4:
            ahead += 1
        kind = self._peek_type(ahead)
        return kind not in ("RPAREN", "ELLIPSIS") and kind not in _SPECIFIERS

    def _parse_pointer(self) -> Any:
        pointer = None
        while star := self._accept("TIMES"):
            place = star.coord
            attributes = self._parse_attributes()
            quals = []
            while self._peek_type() in ("CONST", "RESTRICT", "VOLATILE", "_ATOMIC"):
                quals.append(self._advance().value)
                attributes += self._parse_attributes()
            pointer = c_ast.PtrDecl(quals, pointer, place, attributes=self._kept(attributes, place))
        return pointer

    def _parse_array_suffix(self, coord: Any) -> c_ast.Node:
        self._expect("LBRACKET")
        quals: list[str] = []
        while self._peek_type() in ("STATIC", "CONST", "RESTRICT", "VOLATILE", "_ATOMIC"):
            quals.append(self._advance().value)
        dim: c_ast.Node | None = None
        if self._peek_type() == "TIMES" and self._peek_type(2) == "RBRACKET":
            star = self._advance()
            dim = c_ast.ID("*", star.coord)
        elif self._peek_type() != "RBRACKET":
            dim = self._parse_assignment_expression()
        self._expect("RBRACKET")
        return c_ast.ArrayDecl(_PLACELESS, dim, quals, coord)

    def _parse_function_suffix(self, coord: Any) -> c_ast.Node:
        self._expect("LPAREN")
        args: Any = None
        if self._peek_type() != "RPAREN":
            self._push_scope()  # a parameter's name is in scope in those that follow
            args = self._parse_identifier_list() if self._peek_type() == "ID" else self._parse_parameters()
            self._pop_scope()
        self._expect("RPAREN")
        return c_ast.FuncDecl(args, _PLACELESS, coord)

    def _parse_parameters(self) -> c_ast.ParamList:
        found: list[c_ast.Node] = []
        while True:
            if ellipsis := self._accept("ELLIPSIS"):
                found.append(c_ast.EllipsisParam(ellipsis.coord))
                break
            found.append(self._parse_parameter())
            if not self._accept("COMMA"):
                break
        return c_ast.ParamList(found, found[0].coord)

    def _parse_parameter(self) -> Any:
        spec, _, first = self._parse_specifiers(allow_storage_and_function=True)
        if spec is None or "typedef" in spec["storage"]:
            self._parse_error("", None)
        attributes = list(spec["attributes"])
        type_ = self._parse_any_kind(attributes, abstract=True)
        attributes += self._parse_attributes()
        name = _named(type_).declname
        if name is None:
            return self._completed(c_ast.Typename(None, spec["qual"][:], None, type_, first), spec, attributes)
        self._note(name, False)
        return self._built(spec, _Declarator(type_, attributes))

    def _parse_type_name(self) -> Any:
        spec, saw_type, first = self._parse_specifiers(allow_storage_and_function=False)
        if not saw_type and (spec is None or not spec["qual"]):
            self._parse_error("", None)
        attributes = list(spec["attributes"])
        type_ = self._parse_any_kind(attributes, abstract=True, named=False)
        attributes += self._parse_attributes()
        return self._completed(c_ast.Typename(None, spec["qual"][:], None, type_, first), spec, attributes)

    # Initialisers

    def _parse_initializer_item(self) -> c_ast.Node:
        kind = self._peek_type()
        if kind in ("ID", "TYPEID") and self._peek_type(2) == "COLON":
            field = self._parse_identifier_or_typeid()
            self._expect("COLON")
            return c_ast.NamedInitializer([field], self._parse_initializer(), field.coord)
        if kind not in ("LBRACKET", "PERIOD"):
            return self._parse_initializer()
        place = self.place()
        names = self._parse_designator_list()
        if not self._accept("EQUALS") and not isinstance(names[-1], c_ast.ArrayDesignator):
            self._expect("EQUALS")
        return c_ast.NamedInitializer(names, self._parse_initializer(), place)

    def _parse_designator(self) -> c_ast.Node:
        if bracket := self._accept("LBRACKET"):
            index = self._parse_range()
            self._expect("RBRACKET")
            return c_ast.ArrayDesignator(index, bracket.coord)
        self._expect("PERIOD")
        return self._parse_identifier_or_typeid()

    def _parse_range(self) -> c_ast.Node:
        """A constant expression, or two with ``...`` between them."""
        first = self._parse_constant_expression()
        if self._accept("ELLIPSIS"):
            return nodes.CaseRange(first, self._parse_constant_expression(), first.coord)
        return first

    # Statements

    def _parse_statement(self) -> c_ast.Node:
        kind = self._peek_type()
        if kind in ("ID", "TYPEID"):
            if self._peek_type(2) == "COLON":
                return self._parse_labeled_statement()
        elif kind == "ASM":
            statement = self._parse_asm()
            self._expect("SEMI")
            return statement
        elif kind == "GOTO":
            return self._parse_goto()
        elif kind == "ATTRIBUTE":
            self._parse_attributes()
            return self._parse_statement()
        return super()._parse_statement()

    def _parse_block_item(self) -> c_ast.Node | list[c_ast.Node]:
        if self._peek_type() == "_STATIC_ASSERT":
            return self._parse_static_assert()
        if self._starts_declaration() and not (self._peek_type() == "TYPEID" and self._peek_type(2) == "COLON"):
            return self._parse_declaration()
        return self._parse_statement()

    def _parse_compound_statement(self, *, new_scope: bool = True) -> c_ast.Compound:
        brace = self._expect("LBRACE")
        if new_scope:
            self._push_scope()
        self._local_labels.append({})
        while self._accept("LOCAL_LABEL"):
            self._parse_local_labels()
        items = self._parse_block_item_list()
        self._expect("RBRACE")
        self._local_labels.pop()
        if new_scope:
            self._pop_scope()
        return c_ast.Compound(items or None, brace.coord)

    def _parse_local_labels(self) -> None:
        while True:
            name = self._parse_identifier_or_typeid().name
            self._label_count += 1
            self._local_labels[-1][name] = f"{name}__cs_local_{self._label_count}"
            if not self._accept("COMMA"):
                break
        self._expect("SEMI")

    def _parse_label(self) -> str:
        """The name of a label, where one stands; a local one has a name of its own."""
        name: str = self._parse_identifier_or_typeid().name
        for labels in reversed(self._local_labels):
            if name in labels:
                return labels[name]
        return name

    def _parse_labeled_statement(self) -> c_ast.Node:
        keyword = self._peek()
        if keyword.type in ("ID", "TYPEID"):
            name = self._parse_label()
            self._expect("COLON")
            return c_ast.Label(name, self._parse_labeled(keyword.coord), keyword.coord)
        self._at += 1
        value = self._parse_range() if keyword.type == "CASE" else None
        self._expect("COLON")
        statement = self._parse_labeled(keyword.coord)
        if value is None:
            return c_ast.Default([statement], keyword.coord)
        return c_ast.Case(value, [statement], keyword.coord)

    def _parse_labeled(self, place: Any) -> c_ast.Node:
        """What a label stands before: nothing at all, at the end of a block or before a declaration."""
        self._parse_label_attributes()
        return self._parse_pragmacomp_or_statement() if self._starts_statement() else c_ast.EmptyStatement(place)

    def _parse_label_attributes(self) -> None:
        """Attributes behind a label are the label's, unless they begin a declaration."""
        if self._peek_type() == "ATTRIBUTE" and self._peek_type(2) not in _SPECIFIERS:
            self._parse_attributes()

    def _starts_statement(self) -> bool:
        kind = self._peek_type()
        if kind == "TYPEID" and self._peek_type(2) == "COLON":
            return True
        return kind not in (None, "RBRACE", "_STATIC_ASSERT") and kind not in _SPECIFIERS

    def _parse_goto(self) -> c_ast.Node:
        keyword = self._expect("GOTO")
        node: c_ast.Node
        if self._accept("TIMES"):
            node = nodes.ComputedGoto(self._parse_expression(), keyword.coord)
        else:
            node = c_ast.Goto(self._parse_label(), keyword.coord)
        self._expect("SEMI")
        return node

    def _parse_asm(self) -> nodes.Asm:
        keyword = self._expect("ASM")
        qualifiers = []
        while self._peek_type() in ("VOLATILE", "INLINE", "GOTO", "CONST"):
            qualifiers.append(self._advance().value)
        self._expect("LPAREN")
        template = self._parse_unified_string_literal().value
        sections: list[list[Any]] = [[], [], [], []]
        number = -1
        while self._accept("COLON"):
            number += 1
            if number > 3:
                self._parse_error("", None)
            if self._peek_type() not in ("COLON", "RPAREN"):
                sections[number] = self._parse_asm_section(number)
        self._expect("RPAREN")
        return nodes.Asm(template[1:-1], bool(sections[0] or sections[1] or sections[3]), keyword.coord, qualifiers,
                         *sections)  # fmt: skip

    def _parse_asm_section(self, number: int) -> list[Any]:
        found: list[Any] = []
        while True:
            if number == 3:
                found.append(self._parse_label())
            elif number == 2:
                found.append(self._parse_unified_string_literal().value[1:-1])
            else:
                name = None
                place = self.place()
                if self._accept("LBRACKET"):
                    name = self._parse_identifier_or_typeid().name
                    self._expect("RBRACKET")
                constraint = self._parse_unified_string_literal().value[1:-1]
                self._expect("LPAREN")
                found.append(nodes.AsmOperand(name, constraint, self._parse_expression(), place))
                self._expect("RPAREN")
            if not self._accept("COMMA"):
                return found

    # Expressions

    def _starts_expression(self, tok: Any = None) -> bool:
        token = tok or self._peek()
        return token is not None and token.type not in _ENDS

    def _parse_conditional_expression(self) -> c_ast.Node:
        cond = self._parse_binary_expression()
        if not self._accept("CONDOP"):
            return cond
        if self._accept("COLON"):
            return nodes.OmittedConditional(cond, self._parse_conditional_expression(), cond.coord)
        then = self._parse_expression()
        self._expect("COLON")
        return c_ast.TernaryOp(cond, then, self._parse_conditional_expression(), cond.coord)

    def _parse_unary_expression(self) -> c_ast.Node:
        kind = self._peek_type()
        if kind == "ID":
            return self._parse_postfix_expression()
        if kind in _PREFIXES:
            operator = self._advance()
            operand = self._parse_cast_expression()
            return c_ast.UnaryOp(operator.value, operand, operand.coord)
        if kind == "LAND":
            place = self._advance().coord
            return nodes.LabelAddress(self._parse_label(), place)
        if kind in ("SIZEOF", "_ALIGNOF"):
            return self._parse_sizeof()
        if kind == "PART":
            operator = self._advance()
            return c_ast.UnaryOp(operator.value, self._parse_cast_expression(), operator.coord)
        return super()._parse_unary_expression()

    def _parse_sizeof(self) -> c_ast.Node:
        operator = self._advance()
        mark = self._mark()
        result = self._try_parse_paren_type_name()
        if result is not None:
            if self._peek_type() != "LBRACE":
                return c_ast.UnaryOp(operator.value, result[0], operator.coord)
            self._reset(mark)
        return c_ast.UnaryOp(operator.value, self._parse_unary_expression(), operator.coord)

    def _parse_primary_expression(self) -> c_ast.Node:
        token = self._peek()
        kind = token.type if token is not None else None
        if kind == "ID":
            self._at += 1
            return c_ast.ID(token.value, token.coord)
        if kind == "NUMBER":
            self._at += 1
            type_ = number_type(token.value)
            if type_ is None:
                self._parse_error(f"invalid number `{token.value}`", token.coord)
            return c_ast.Constant(type_, token.value, token.coord)
        if kind == "CHAR_CONST":
            self._at += 1
            return c_ast.Constant(_char_type(token.value), token.value, token.coord)
        if kind == "LPAREN" and self._peek_type(2) == "LBRACE":
            self._at += 1
            block = self._parse_compound_statement()
            self._expect("RPAREN")
            return nodes.StatementExpression(block, token.coord)
        return super()._parse_primary_expression()

    def _parse_argument_expression_list(self) -> c_ast.Node:
        """Arguments; those of some of GCC's own functions are types."""
        callee = self._list[self._at - 2]
        builtin = callee is not None and callee.type == "ID" and callee.value.startswith("__builtin_")
        found = []
        while True:
            is_type = builtin and self._starts_declaration()
            found.append(self._parse_type_name() if is_type else self._parse_assignment_expression())
            if not self._accept("COMMA"):
                return c_ast.ExprList(found, found[0].coord)


def _char_type(text: str) -> str:
    """pycparser's name for the type of a character constant: several characters make an int."""
    if text[0] != "'":
        return "char"
    body = text[1:-1]
    return "char" if len(body) == 1 or (body[0] == "\\" and len(body) == 2) or _is_escape(body) else "int"


def _is_escape(body: str) -> bool:
    """Whether *body* is one numeric escape."""
    digits = body[1:]
    if body[0] != "\\":
        return False
    if digits[0] in "xuU":
        return all(digit in "0123456789abcdefABCDEF" for digit in digits[1:])
    return len(digits) <= 3 and all(digit in "01234567" for digit in digits)
