"""A parser for GNU C, based on pycparser's for standard C.

Declarations are parsed in `cseq.c.declarations`; expressions and statements by pycparser, with the additions of GNU C
(`cseq.c.nodes`).
"""

import re
from typing import Any

from pycparser import c_ast
from pycparser.c_parser import CParser

from cseq.c import nodes
from cseq.c.declarations import SPECIFIERS, DeclarationParser
from cseq.c.lexer import number_type

_OCTAL_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\[0-7]{3}$")
_ENDS = frozenset({"SEMI", "RPAREN", "RBRACE", "RBRACKET", "COMMA", "COLON"})
_PREFIXES = frozenset({"AND", "TIMES", "PLUS", "MINUS", "NOT", "LNOT"})


class GnuCParser(DeclarationParser):
    """pycparser's parser for GNU C; coordinates are origins.

    Attributes that mean something (`cseq/c/attributes.py`) are kept on their struct, union or enum, or else on their
    declaration or type name; `mode` is resolved. Labels that ``__label__`` declares get unique names. The names that
    asm gives to declarations are dropped.
    """

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
            return self._attributed(self._kept(self._parse_attributes(), self.place()))
        return super()._parse_statement()

    def _attributed(self, attributes: list[c_ast.Node]) -> c_ast.Node:
        """The statement that follows *attributes*, in a block with those that are known to no stage."""
        statement = self._parse_statement()
        return c_ast.Compound([*attributes, statement], statement.coord) if attributes else statement

    def _parse_block_item(self) -> c_ast.Node | list[c_ast.Node]:
        if self._peek_type() == "_STATIC_ASSERT":
            return self._parse_static_assert()
        ahead = 1
        while self._peek_type(ahead) == "ATTRIBUTE":
            ahead += 1
        is_label = self._peek_type() == "TYPEID" and self._peek_type(2) == "COLON"
        if self._peek_type(ahead) in SPECIFIERS and not is_label:
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
        """The statement after a label: empty at the end of a block or before a declaration."""
        self._parse_label_attributes()
        return self._parse_pragmacomp_or_statement() if self._starts_statement() else c_ast.EmptyStatement(place)

    def _parse_label_attributes(self) -> None:
        """Skip attributes after a label: they are the label's, unless they begin a declaration."""
        if self._peek_type() == "ATTRIBUTE" and self._peek_type(2) not in SPECIFIERS:
            attributes = self._parse_attributes()
            if attributes:
                raise self._unsupported(f"the attribute `{attributes[0][0]}` of a label", self.place())

    def _starts_statement(self) -> bool:
        kind = self._peek_type()
        if kind == "TYPEID" and self._peek_type(2) == "COLON":
            return True
        return kind not in (None, "RBRACE", "_STATIC_ASSERT") and kind not in SPECIFIERS

    def _parse_goto(self) -> c_ast.Node:
        keyword = self._expect("GOTO")
        node: c_ast.Node
        if self._accept("TIMES"):
            node = nodes.ComputedGoto(self._parse_expression(), keyword.coord)
        else:
            node = c_ast.Goto(self._parse_label(), keyword.coord)
        self._expect("SEMI")
        return node

    # Expressions

    @staticmethod
    def _string_literal_needs_separator(left: str, right: str) -> bool:
        """Also true after an octal escape of three digits, which ends there in C, but not for CBMC."""
        octal = right[:1] in tuple("01234567") and _OCTAL_ESCAPE.search(left) is not None
        return octal or CParser._string_literal_needs_separator(left, right)

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

    def _parse_offsetof_member_designator(self) -> c_ast.Node:
        member: c_ast.Node = self._parse_identifier_or_typeid()
        while (kind := self._peek_type()) in ("PERIOD", "ARROW", "LBRACKET"):
            place = self._advance().coord
            if kind == "LBRACKET":
                member = c_ast.ArrayRef(member, self._parse_expression(), place)
                self._expect("RBRACKET")
                continue
            if kind == "ARROW":  # GNU's, for the first element of an array
                member = c_ast.ArrayRef(member, c_ast.Constant("int", "0", place), place)
            member = c_ast.StructRef(member, ".", self._parse_identifier_or_typeid(), place)
        return member

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
        """Arguments; some of GCC's built-in functions take types."""
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
