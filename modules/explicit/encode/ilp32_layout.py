"""Lay out the records of a step program for 32 bits, where the compiler's ABI has 64-bit registers (x32)."""

from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.datamodel import ILP32
from cseq.c.generated import ours
from cseq.c.layout import alignments, has_attribute
from cseq.c.symbols import Symbols
from cseq.model.errors import UnsupportedError
from cseq.pipeline.translator import Rewriter, Translator, rebuilt

_WIDE = ("long long", "unsigned long long", "double")
"""The types of 8 bytes that the i386 ABI aligns to 4 bytes in records, and the x32 ABI to 8."""
_ALIGNED, _WHOLE = 4, 64
_NARROW = "__cs_aligned_"


class Ilp32Layout(Translator):
    """in: a step program. out: with 32 bits, the same, with the records of i386 when it is compiled for x32.

    gcc's ``-mx32`` gives a program the types of ILP32, and code that can be linked with the engine's. The ABI differs
    from that of i386 (System V ABI, Intel386 supplement, table 2-1) in the alignment of members of 8 bytes, and in
    ``long double``. The program asserts that sizes and offsets are those that the rest of the translation goes by.
    """

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Rewrite the members. Raises UnsupportedError, with its place, for a ``long double`` in memory."""
        if self.context.model != ILP32:
            return tree
        symbols = Symbols(tree, self.context.model)
        rewriting = _Narrowing(symbols)
        nodes = rewriting.visit_all(tree.ext)
        return c_ast.FileAST([*ours(_typedefs(rewriting.narrow)), *nodes, *_assertions(tree, symbols)])


def _typedefs(names: list[str]) -> list[str]:
    return [f"typedef {name} {_narrow(name)} __attribute__((aligned({_ALIGNED})));" for name in names]


def _narrow(name: str) -> str:
    return _NARROW + name.replace(" ", "_")


class _Narrowing(Rewriter):
    """Gives members the alignment of i386. narrow: the types for which lower-aligned ones are needed."""

    def __init__(self, symbols: Symbols) -> None:
        super().__init__()
        self._symbols = symbols
        self._known: dict[int, tuple[Any, Any]] = {}  # declarators share the record that is before them
        self.narrow: list[str] = []

    def visit_Struct(self, node: Any) -> Any:
        if not node.decls:
            return node
        if id(node) not in self._known:
            packed = has_attribute(node, "packed")
            members = [self._member(member, packed) for member in node.decls]
            self._known[id(node)] = (node, rebuilt(node, decls=members))
        return self._known[id(node)][1]

    visit_Union = visit_Struct

    def visit_IdentifierType(self, node: c_ast.IdentifierType) -> c_ast.Node:
        if "long" in node.names and "double" in node.names:
            raise UnsupportedError("`long double` is not searched natively with 32 bits: a symbolic engine does that",
                                   node.coord)  # fmt: skip
        return node

    def _member(self, member: Any, packed: bool) -> Any:
        if not isinstance(member, c_ast.Decl):
            return member
        new = self.generic_visit(member)
        if packed or has_attribute(member, "packed") or alignments(member, self._symbols):
            return new
        type_: Any = member.type
        while isinstance(type_, c_ast.ArrayDecl) or self._symbols.is_array(type_):
            if self._symbols.alignment_of_name(type_) is not None:
                return new
            array: Any = self._symbols.resolve(type_)
            type_ = array.type
        name = self._symbols.arithmetic(type_)
        if name not in _WIDE or self._symbols.alignment_of_name(type_) is not None:
            return new
        if member.bitsize is None or (member.name and self._symbols.constant(member.bitsize) == _WHOLE):
            # gcc gives a bit-field that fills its type that type's alignment, whatever the declaration says.
            given = [c_ast.Attribute("packed", None, None), c_ast.Attribute("aligned", None, str(_ALIGNED))]
            groups = [*(member.attributes or []), c_ast.AttributeSpecifier(given)]
            return rebuilt(new, bitsize=None, attributes=groups)
        if name not in self.narrow:
            self.narrow.append(name)
        return rebuilt(new, type=rebuilt(new.type, type=c_ast.IdentifierType([_narrow(name)])))


def _assertions(tree: c_ast.FileAST, symbols: Symbols) -> list[c_ast.Node]:
    """Claims that the compiler lays out the records with names as `Layout` does."""
    found: dict[str, c_ast.Node] = {}
    for node in tree.ext:
        if isinstance(node, c_ast.Typedef) and symbols.record(node.type) is not None:
            if isinstance(symbols.resolve(node.type), c_ast.TypeDecl):
                found[node.name] = _named(c_ast.IdentifierType([node.name]))
        elif isinstance(node, c_ast.Decl) and isinstance(node.type, (c_ast.Struct, c_ast.Union)) and node.type.name:
            found[node.type.name] = _named(rebuilt(node.type, decls=None))
    claims: list[c_ast.Node] = []
    for name, type_ in found.items():
        record: Any = symbols.record(type_)
        if record is None or record.decls is None:
            continue
        size = c_ast.UnaryOp("sizeof", build.typename(type_))
        claims.append(_claim(name, size, symbols.sizeof(type_)))
        for member in record.decls:
            if isinstance(member, c_ast.Decl) and member.name and member.bitsize is None:
                offset = build.call("__builtin_offsetof", build.typename(type_), build.ident(member.name))
                claims.append(_claim(f"{name}.{member.name}", offset, symbols.offset(type_, member.name)))
    return claims


def _named(type_: c_ast.Node) -> c_ast.TypeDecl:
    return c_ast.TypeDecl(None, [], None, type_)


def _claim(what: str, expression: c_ast.Node, value: int) -> c_ast.Node:
    """The claim that *expression*, the size or the offset of *what*, is *value*."""
    message = build.string(f"{what} is not laid out as in the data model ILP32")
    return c_ast.StaticAssert(c_ast.BinaryOp("==", expression, build.number(value)), message)
