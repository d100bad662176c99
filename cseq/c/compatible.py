"""Whether two types are compatible (C11 §6.2.7, §6.7.6)."""

from typing import Any

from pycparser import c_ast

from cseq.c.types import Types

_QUALIFIERS = frozenset({"const", "volatile", "_Atomic"})  # restrict says nothing about the value itself


def compatible(symbols: Types, left: c_ast.Node, right: c_ast.Node, qualified: bool = True) -> bool:
    """Whether *left* and *right* are compatible. qualified: their top-level qualifiers count, not only inner ones."""
    left_qualifiers, left = _taken_apart(symbols, left)
    right_qualifiers, right = _taken_apart(symbols, right)
    if qualified and left_qualifiers != right_qualifiers:
        return False
    if isinstance(left, c_ast.PtrDecl) and isinstance(right, c_ast.PtrDecl):
        return compatible(symbols, left.type, right.type)
    if isinstance(left, c_ast.ArrayDecl) and isinstance(right, c_ast.ArrayDecl):
        return _same_length(symbols, left, right) and compatible(symbols, left.type, right.type, qualified)
    if isinstance(left, c_ast.FuncDecl) and isinstance(right, c_ast.FuncDecl):
        return _compatible_functions(symbols, left, right)
    if isinstance(left, c_ast.TypeDecl) and isinstance(right, c_ast.TypeDecl):
        return symbols.spelled(left) == symbols.spelled(right)
    return False


def _taken_apart(symbols: Types, type_: Any) -> tuple[set[str], c_ast.Node]:
    """The qualifiers of a type, including those of its typedef names, and the type without them."""
    qualifiers: set[str] = set()
    if isinstance(type_, (c_ast.Typename, c_ast.Decl)):
        type_ = type_.type
    while True:
        qualifiers |= _QUALIFIERS & set(getattr(type_, "quals", None) or [])
        inner = getattr(type_, "type", None)
        if not isinstance(type_, c_ast.TypeDecl) or not isinstance(inner, c_ast.IdentifierType):
            break
        if len(inner.names) != 1 or inner.names[0] not in symbols.typedefs:
            break
        type_ = symbols.typedefs[inner.names[0]]
    if isinstance(type_, c_ast.ArrayDecl):  # an array is qualified as its elements are
        qualifiers |= _taken_apart(symbols, type_.type)[0]
    return qualifiers, type_


def _same_length(symbols: Types, left: c_ast.ArrayDecl, right: c_ast.ArrayDecl) -> bool:
    if left.dim is None or right.dim is None:
        return True
    lengths = symbols.constant_or_none(left.dim), symbols.constant_or_none(right.dim)
    return lengths[0] == lengths[1] or None in lengths


def _compatible_functions(symbols: Types, left: c_ast.FuncDecl, right: c_ast.FuncDecl) -> bool:
    if not compatible(symbols, left.type, right.type, qualified=False):
        return False
    if left.args is None or right.args is None:
        return True  # one of them does not declare its parameters
    first, second = _parameters(symbols, left), _parameters(symbols, right)
    if len(first) != len(second):
        return False
    for one, other in zip(first, second, strict=True):
        if isinstance(one, c_ast.EllipsisParam) or isinstance(other, c_ast.EllipsisParam):
            if type(one) is not type(other):
                return False
        elif not compatible(symbols, one, other, qualified=False):
            return False
    return True


def _parameters(symbols: Types, type_: c_ast.FuncDecl) -> list[c_ast.Node]:
    params: list[c_ast.Node] = [
        item if isinstance(item, c_ast.EllipsisParam) else item.type for item in type_.args.params
    ]
    return [] if len(params) == 1 and symbols.is_void(params[0]) else params
