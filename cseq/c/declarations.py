"""The parser for declarations of GNU C. It does not use pycparser's, since attributes may appear anywhere in them and a
name is in scope from its declarator on."""

from typing import Any

from pycparser import c_ast

from cseq.c import build, nodes
from cseq.c.lexer import Token
from cseq.c.tokens import BUILTIN_TYPES, TokenParser

_SPELLED_OUT = {"__int128_t": ["__int128"], "__uint128_t": ["unsigned", "__int128"]}
SPECIFIERS = (
    dict.fromkeys(("AUTO", "REGISTER", "STATIC", "EXTERN", "TYPEDEF", "_THREAD_LOCAL"), "storage")
    | dict.fromkeys(("INLINE", "_NORETURN"), "function")
    | dict.fromkeys(("CONST", "RESTRICT", "VOLATILE", "_ATOMIC"), "qual")
    | dict.fromkeys(("VOID", "_BOOL", "CHAR", "SHORT", "INT", "LONG", "FLOAT", "DOUBLE", "_COMPLEX"), "word")
    | dict.fromkeys(("SIGNED", "UNSIGNED", "__INT128", "TYPEID"), "word")
    | dict.fromkeys(("STRUCT", "UNION"), "record")
    | {"ENUM": "enum", "TYPEOF": "typeof", "AUTO_TYPE": "inferred", "_ALIGNAS": "alignment", "ATTRIBUTE": "attribute"}
)
_INTEGER_MODES = {
    "QI": ["char"], "byte": ["char"], "HI": ["short"], "SI": ["int"], "DI": ["long", "long"], "TI": ["__int128"],
    "word": ["long"], "pointer": ["long"], "unwind_word": ["long"],
}  # fmt: skip
_FLOAT_MODES = {
    "HF": "_Float16", "SF": "float", "DF": "double", "XF": "long double", "TF": "__float128",
    "SC": "_Complex float", "DC": "_Complex double", "XC": "_Complex long double", "TC": "_Complex __float128",
}  # fmt: skip
_MEMBER_ENDS = ("SEMI", "RBRACE", "PPPRAGMA")
_PLACELESS: Any = None


class _Declarator:
    """One declarator, with what follows it. attributes: those of what it declares."""

    __slots__ = ("attributes", "bits", "init", "type")

    def __init__(self, type: c_ast.Node, attributes: list[Any]) -> None:
        self.type = type
        self.attributes = attributes
        self.bits: c_ast.Node | None = None
        self.init: c_ast.Node | None = None


def _named(declarator: Any) -> c_ast.TypeDecl:
    """The part of *declarator* that contains the name."""
    while not isinstance(declarator, c_ast.TypeDecl):
        declarator = declarator.type
    return declarator


def _with_name(parameter: Any, position: int) -> Any:
    """The *parameter* of a definition, with a name that no program has if it has none (C23 §6.9.2)."""
    if not isinstance(parameter, c_ast.Typename):
        return parameter
    name = f"__cs_unnamed_{position}"
    type_ = build.renamed(parameter.type, name)
    decl = c_ast.Decl(name, parameter.quals, [], [], [], type_, None, None, parameter.coord)
    decl.attributes = parameter.attributes
    return decl


def _specifiers() -> dict[str, list[Any]]:
    """An empty set of specifiers: pycparser's, and the attributes among them."""
    return {"qual": [], "storage": [], "type": [], "function": [], "alignment": [], "attributes": []}


class DeclarationParser(TokenParser):
    """The part of the parser for declarations, at file level and elsewhere, and for type names."""

    def external_declarations(self) -> list[c_ast.Node]:
        """All external declarations, up to the end of the text."""
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
            spec = _specifiers()
        if self._peek_type() in ("SEMI", "PPPRAGMA"):
            return self._parse_declaration_end(self._without_declarator(spec, place))
        found: list[c_ast.Node] = []
        while True:
            declarator = self._parse_whole_declarator(spec)
            name = _named(declarator.type)
            self._note(name.declname, "typedef" in spec["storage"])
            if not found and isinstance(declarator.type, c_ast.FuncDecl) and self._starts_body():
                if file_level:
                    return [self._parse_function(spec, declarator)]
                self._skip_body()
                return [self._built(spec, declarator), nodes.NestedFunction(name.declname, name.coord)]
            if self._accept("EQUALS"):
                declarator.init = self._parse_initializer()
            found.append(self._built(spec, declarator))
            if not self._accept("COMMA"):
                return self._parse_declaration_end(found)

    def _skip_body(self) -> None:
        """Go to the end of the body of a function that is not supported."""
        while self._peek_type() != "LBRACE":
            self._advance()
        depth = 0
        while True:
            kind = self._advance().type
            depth += (kind == "LBRACE") - (kind == "RBRACE")
            if depth == 0:
                return

    def _starts_body(self) -> bool:
        """Whether a function's body begins here, or the old-style declarations of its parameters."""
        return self._peek_type() == "LBRACE" or self._starts_declaration()

    def _without_declarator(self, spec: Any, place: Any) -> list[c_ast.Node]:
        """A declaration without a declarator, ``struct s { … };``; ``int;`` and ``static;`` declare nothing."""
        if not spec["type"] or isinstance(spec["type"][0], c_ast.IdentifierType):
            return []
        type_ = spec["type"][0]
        attributes = self._kept(spec["attributes"], type_.coord)
        decl = c_ast.Decl(
            None, spec["qual"], spec["alignment"], spec["storage"], spec["function"], type_, None, None,
            type_.coord or place, attributes=attributes,
        )  # fmt: skip
        return [decl]

    def _parse_whole_declarator(self, spec: Any) -> _Declarator:
        """A declarator, with the asm name and the attributes around it."""
        attributes = list(spec["attributes"])
        attributes += self._parse_attributes()
        type_ = self._parse_any_kind(attributes, abstract=False)
        if self._peek_type() == "ASM":
            self._parse_asm_name(type_, spec["storage"])
        attributes += self._parse_attributes()
        return _Declarator(type_, attributes)

    def _parse_asm_name(self, type_: c_ast.Node, storage: list[str]) -> None:
        """Drop the name given by asm: here a function keeps its own name, and a register variable is a local."""
        name = self._parse_asm().template.replace('" "', "")
        declared = _named(type_)
        local = "register" in storage and bool(self._hidden)
        if not isinstance(type_, c_ast.FuncDecl) and not local and name != declared.declname:
            raise self._unsupported(f"the name that asm gives to `{declared.declname}`", declared.coord)

    def _built(self, spec: Any, declarator: _Declarator) -> Any:
        """The declaration made of *spec* and *declarator*."""
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
                if not isinstance(node.type, c_ast.TypeDecl):
                    raise self._unsupported("the attribute `mode` of a pointer", node.coord)
                node.type.type = self._in_mode(node.type.type, (arguments or "").strip("_"))
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
        # A single type may be a name for `void`.
        parameters = decl.args.params if decl.args is not None else []
        if len(parameters) > 1 or (parameters and isinstance(getattr(parameters[0], "type", None), c_ast.PtrDecl)):
            decl.args.params = [_with_name(item, at) for at, item in enumerate(parameters)]
        node = self._built(spec, declarator)
        return c_ast.FuncDef(node, declarations, body, decl.coord)

    def _parse_specifiers(self, *, allow_storage_and_function: bool) -> Any:
        spec: Any = None
        saw_type = False
        first = None
        while True:
            kind = self._peek_type()
            what = SPECIFIERS.get(kind or "")
            if what is None:
                break
            token = self._list[self._at]
            assert token is not None
            if spec is None:
                first = token.coord
                spec = _specifiers()
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
        """Whether a type name continues the type, as in ``_Complex _Float32``."""
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
        return (self._peek_type() if tok is None else tok.type) in SPECIFIERS

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
        spec, _, _ = self._parse_specifiers(allow_storage_and_function=False)
        if spec is None:
            self._parse_error("", None)
        if self._peek_type() in _MEMBER_ENDS:
            return self._parse_member_end(self._without_declarator(spec, place))
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
                return self._parse_member_end(found)

    def _parse_member_end(self, members: list[c_ast.Node]) -> list[c_ast.Node]:
        """The semicolon after *members*, which GNU C allows to be missing after the last ones."""
        return members if self._peek_type() == "RBRACE" else self._parse_declaration_end(members)

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
        attributes = self._parse_attributes()
        if attributes:
            raise self._unsupported(f"the attribute `{attributes[0][0]}` of an enumerator", name.coord)
        value = self._parse_constant_expression() if self._accept("EQUALS") else None
        self._add_identifier(name.name, name.coord)
        return c_ast.Enumerator(name.name, value, name.coord)

    # Declarators

    def _parse_any_kind(self, attributes: list[Any], *, abstract: bool, named: bool = True) -> Any:
        """A declarator. *abstract*: whether it may have no name. *named*: whether it may have one."""
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
        return kind not in ("RPAREN", "ELLIPSIS") and kind not in SPECIFIERS

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
            self._push_scope()  # a parameter's name is in scope in the parameters after it
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

    # Assembly: as the name of a declaration, at file level, and as a statement

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
