"""Small constructors of trees, for stages that add code of their own.

Every statement takes the origin of the statement that it replaces, or None for code of our own.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from pycparser import c_ast

from cseq.c.nodes import LEAVES, PAIRS
from cseq.model.origin import Origin

_ESCAPE = re.compile(r"\\(.)")


def ident(name: str) -> c_ast.ID:
    """The identifier *name*."""
    return c_ast.ID(name)


def number(value: int) -> c_ast.Node:
    """The integer constant *value*, of type int where it fits."""
    if value < 0:
        if value in (-(1 << 31), -(1 << 63)):  # without its sign it would have another type
            return c_ast.BinaryOp("-", number(value + 1), number(1))
        return c_ast.UnaryOp("-", number(-value))
    suffix = "" if value < 1 << 31 else "LL" if value < 1 << 63 else "ULL"
    return c_ast.Constant("int", f"{value}{suffix}")


def string(text: str) -> c_ast.Constant:
    """The string literal with the value *text*."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return c_ast.Constant("string", f'"{escaped}"')


def text(literal: c_ast.Constant) -> str:
    """The value of a *literal* that `string` has made."""
    return _ESCAPE.sub(lambda escape: {"n": "\n", "t": "\t"}.get(escape[1], escape[1]), literal.value[1:-1])


def assign(left: c_ast.Node, right: c_ast.Node, origin: Origin | None = None) -> c_ast.Assignment:
    """``left = right;``"""
    return c_ast.Assignment("=", left, right, origin)


def call(name: str, *args: c_ast.Node, origin: Origin | None = None) -> c_ast.FuncCall:
    """``name(args)``"""
    return c_ast.FuncCall(c_ast.ID(name), c_ast.ExprList(list(args)) if args else None, origin)


def goto(label: str, origin: Origin | None = None) -> c_ast.Goto:
    """``goto label;``"""
    return c_ast.Goto(label, origin)


def label(name: str, origin: Origin | None = None) -> c_ast.Label:
    """``name: ;``"""
    return c_ast.Label(name, c_ast.EmptyStatement(origin), origin)


def block(statements: Iterable[c_ast.Node], origin: Origin | None = None) -> c_ast.Compound:
    """``{ statements }``"""
    return c_ast.Compound(list(statements), origin)


def statements(node: c_ast.Node) -> list[c_ast.Node]:
    """The statements of a block, or the single statement in its place."""
    return (node.block_items or []) if isinstance(node, c_ast.Compound) else [node]


def rewritten(node: c_ast.Node, write: Callable[[c_ast.Node, list[c_ast.Node]], None]) -> c_ast.Compound:
    """A block of what *write* appends to its second argument for each statement of *node*, in order."""
    out: list[c_ast.Node] = []
    for item in statements(node):
        write(item, out)
    return c_ast.Compound(out, node.coord)


def branch(
    cond: c_ast.Node,
    then: Iterable[c_ast.Node],
    otherwise: Iterable[c_ast.Node] | None = None,
    origin: Origin | None = None,
) -> c_ast.If:
    """``if (cond) { then } else { otherwise }``"""
    return c_ast.If(cond, block(then, origin), None if otherwise is None else block(otherwise, origin), origin)


def jump_if(cond: c_ast.Node, target: str, origin: Origin | None = None) -> c_ast.If:
    """``if (cond) goto target;``"""
    return c_ast.If(cond, goto(target, origin), None, origin)


def negation(cond: c_ast.Node) -> c_ast.Node:
    """``!cond``, without a double negation."""
    if isinstance(cond, c_ast.UnaryOp) and cond.op == "!" and isinstance(cond.expr, c_ast.BinaryOp):
        return cond.expr
    return c_ast.UnaryOp("!", cond)


def is_constant(node: c_ast.Node | None, value: int) -> bool:
    """Whether *node* is the integer constant *value*."""
    return isinstance(node, c_ast.Constant) and node.type == "int" and node.value == str(value)


def declare(name: str, type_: c_ast.Node, origin: Origin | None = None, storage: Iterable[str] = ()) -> c_ast.Decl:
    """``type_ name;`` for a type from `symbols`; qualifiers other than ``_Atomic`` are dropped."""
    return c_ast.Decl(name, [], [], list(storage), [], _named(type_, name), None, None, coord=origin)


def _named(type_: c_ast.Node, name: str | None) -> c_ast.Node:
    """A copy of *type_* that declares *name*, without `const` and the like at the top, so that it is assignable."""
    if isinstance(type_, c_ast.TypeDecl):
        return c_ast.TypeDecl(name, _atomic(type_), None, type_.type)
    if isinstance(type_, c_ast.PtrDecl):
        return c_ast.PtrDecl(_atomic(type_), renamed(type_.type, name))
    if isinstance(type_, c_ast.ArrayDecl):
        return c_ast.ArrayDecl(_named(type_.type, name), type_.dim, type_.dim_quals)
    return renamed(type_, name)


def _atomic(type_: Any) -> list[str]:
    return [word for word in type_.quals or [] if word == "_Atomic"]


def renamed(type_: c_ast.Node, name: str | None) -> c_ast.Node:
    """A copy of the declarator *type_* that declares *name* instead."""
    match type_:
        case c_ast.TypeDecl():
            return c_ast.TypeDecl(name, type_.quals, type_.align, type_.type)
        case c_ast.PtrDecl():
            return c_ast.PtrDecl(type_.quals, renamed(type_.type, name))
        case c_ast.ArrayDecl():
            return c_ast.ArrayDecl(renamed(type_.type, name), type_.dim, type_.dim_quals)
        case c_ast.FuncDecl():
            return c_ast.FuncDecl(type_.args, renamed(type_.type, name))
    raise TypeError(f"{type(type_).__name__} is not a declarator")


def typename(type_: c_ast.Node) -> c_ast.Typename:
    """The type name of *type_*, for a cast."""
    return c_ast.Typename(None, [], None, renamed(type_, None))


def uncast(node: c_ast.Node) -> c_ast.Node:
    """*node* without the conversions around it."""
    while isinstance(node, c_ast.Cast):
        node = node.expr
    return node


def is_call(node: c_ast.Node | None, *names: str) -> bool:
    """Whether *node* is a call of one of the functions *names*."""
    return isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID) and node.name.name in names


def callee(node: c_ast.Node) -> str:
    """The name of the function that *node* calls; empty for other nodes, and for calls through pointers."""
    if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
        name: str = node.name.name
        return name
    return ""


def walk(node: Any) -> Iterator[Any]:
    """*node* and all nodes inside it, in the order of the text. Unlike pycparser's `children`, it makes no names."""
    todo = [node]
    while todo:
        node = todo.pop()
        yield node
        cls = node.__class__
        if cls not in LEAVES:
            todo += PAIRS.get(cls, list)(node)[::-1]


def nested(node: Any) -> Iterator[Any]:
    """*node* and the statements inside it, in the order of the text; it is a statement of the core language."""
    todo = [node]
    while todo:
        node = todo.pop()
        yield node
        match node:
            case c_ast.Compound():
                todo += reversed(node.block_items or [])
            case c_ast.If():
                todo += [node.iftrue] if node.iffalse is None else [node.iffalse, node.iftrue]
            case c_ast.While() | c_ast.Label():
                todo.append(node.stmt)


def inside(node: Any, *kinds: type) -> Iterator[Any]:
    """The nodes of these *kinds* inside *node*, itself among them, in the order of the text."""
    return (part for part in walk(node) if isinstance(part, kinds))


def parts(node: Any) -> Sequence[Any]:
    """The nodes directly inside *node*, without pycparser's names for them."""
    return PAIRS.get(node.__class__, list)(node)


def names(node: c_ast.Node) -> Iterator[str]:
    """The identifiers in *node*, members of structs among them, as often as they occur."""
    return (part.name for part in walk(node) if isinstance(part, c_ast.ID))


def addressed(node: c_ast.Node) -> c_ast.Node | None:
    """``x`` for ``&x`` and ``(type *) &x``; None for other expressions."""
    node = uncast(node)
    if isinstance(node, c_ast.UnaryOp) and node.op == "&":
        target: c_ast.Node = node.expr
        return target
    return None


def is_void(type_: c_ast.Node | None) -> bool:
    """Whether the declarator *type_* is ``void`` itself; a typedef name for it does not count."""
    if not isinstance(type_, c_ast.TypeDecl) or not isinstance(type_.type, c_ast.IdentifierType):
        return False
    names: list[str] = type_.type.names
    return names == ["void"]
