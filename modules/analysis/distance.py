"""How far a state is from one that violates a claim: the branch distance of search-based testing.

For a comparison it is by how much a value misses (Korel, "Automated software test data generation", TSE 1990); for a
conjunction the sum, for a disjunction the least (Tracey et al., "An automated framework for structural test-data
generation", ASE 1998). It directs a search, and nothing depends on it being right.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from pycparser import c_ast

from cseq.c import Printer, build
from cseq.pipeline.facts import Fact

CHECK = "__CSEQ_check"
"""The primitive that claims its first argument."""

TARGETS = Fact[list[c_ast.Node]]("targets")
"""Conditions under which the program does what it must not do."""

_NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MOST, _FAR = 1 << 40, 1 << 30
_DEEPEST = 4
"""Of locals that stand for others."""

_KNOWN = (c_ast.ID, c_ast.Constant, c_ast.BinaryOp, c_ast.UnaryOp)
_UNARY = ("!", "-", "+", "~")


def targets(functions: Iterable[c_ast.FuncDef], errors: Collection[str]) -> list[c_ast.Node]:
    """The negations of what *functions* claim, and the conditions of branches that lead at once to a call of one of
    the *errors*, or of a claim that never holds. A local that has one value stands for that."""
    asserting = {name for function in functions if (name := _asserts(function, errors))}
    return [
        _resolved(target, _constants(function.body), _DEEPEST)
        for function in functions
        for target in _within(function.body, asserting, errors)
    ]


def _constants(body: c_ast.Node) -> dict[str, c_ast.Node]:
    """What the locals of a function are initialised with, for those that are declared once and never assigned."""
    declared = [*build.inside(body, c_ast.Decl)]
    names = [part.name for part in declared]
    changed = {part.lvalue.name for part in build.inside(body, c_ast.Assignment) if hasattr(part.lvalue, "name")} | {
        part.expr.name
        for part in build.walk(body)
        if isinstance(part, c_ast.UnaryOp) and part.op not in _UNARY and hasattr(part.expr, "name")
    }
    return {
        str(part.name): part.init
        for part in declared
        if part.init is not None and names.count(part.name) == 1 and part.name not in changed
    }


def _resolved(node: Any, constants: dict[str, c_ast.Node], depth: int) -> c_ast.Node:
    """*node* with the values of the *constants* in place of their names."""
    if isinstance(node, c_ast.ID) and node.name in constants and depth > 0:
        return _resolved(constants[node.name], constants, depth - 1)
    if isinstance(node, c_ast.UnaryOp) and node.op in _UNARY:
        return c_ast.UnaryOp(node.op, _resolved(node.expr, constants, depth))
    if isinstance(node, c_ast.BinaryOp):
        left, right = (_resolved(side, constants, depth) for side in (node.left, node.right))
        return c_ast.BinaryOp(node.op, left, right)
    return node  # type: ignore[no-any-return]


def _within(node: Any, asserting: set[str], errors: Collection[str]) -> Iterator[c_ast.Node]:
    for part in build.walk(node):
        if isinstance(part, c_ast.If) and part.iftrue is not None and _fails(part.iftrue, errors):
            yield part.cond
        if build.is_call(part, CHECK, *asserting) and not _is_constant(part.args.exprs[0]):
            yield c_ast.UnaryOp("!", part.args.exprs[0])


def _fails(body: Any, errors: Collection[str]) -> bool:
    """Whether *body* begins with an error."""
    if isinstance(body, c_ast.Compound):
        return bool(body.block_items) and _fails(body.block_items[0], errors)
    if isinstance(body, c_ast.Label):
        return body.name in errors or _fails(body.stmt, errors)
    call: Any = body
    return build.is_call(body, *errors) or (build.is_call(body, CHECK) and _is_constant(call.args.exprs[0]))


def _is_constant(node: Any) -> bool:
    return not any(build.inside(node, c_ast.ID))


def _asserts(function: Any, errors: Collection[str]) -> str | None:
    """The name of a function that does nothing but to claim its only parameter."""
    parameters = function.decl.type.args.params if function.decl.type.args is not None else []
    first = function.body.block_items[0] if function.body.block_items else None
    if len(parameters) != 1 or not isinstance(first, c_ast.If) or not _fails(first.iftrue, errors):
        return None
    claimed = first.cond.expr if isinstance(first.cond, c_ast.UnaryOp) and first.cond.op == "!" else None
    is_it = isinstance(claimed, c_ast.ID) and claimed.name == parameters[0].name
    return function.decl.name if is_it else None


def hook(conditions: Iterable[c_ast.Node], objects: Collection[str]) -> list[str]:
    """The lines of a function that says how far the state is from the nearest of the *conditions*; none if there is
    nothing to say. objects: the names of the numbers at file level, all that the function can look at."""
    found = dict.fromkeys(_distance(node, True, objects) for node in conditions)
    texts = [text for text in found if text and "__cs_far" in text]
    if not texts:
        return []
    return [
        "static long long __cs_least(long long a, long long b) { return a < b ? a : b; }",
        f"static long long __cs_far(long long a) {{ return a < 0 ? 0 : a < {_MOST}LL ? a : {_MOST}LL; }}",
        "long long __CSEQ_distance(void)",
        "{",
        f"  long long least = {_MOST * 8}LL;",
        *(f"  least = __cs_least(least, {text});" for text in texts),
        "  return least;",
        "}",
    ]


def _can_be_seen(node: c_ast.Node, objects: Collection[str]) -> bool:
    """Whether *node* is arithmetic on *objects* and numbers."""
    parts = list(build.walk(node))
    return (
        all(isinstance(part, _KNOWN) for part in parts)
        and all(part.op in _UNARY for part in parts if isinstance(part, c_ast.UnaryOp))
        and all(part.type != "string" for part in parts if isinstance(part, c_ast.Constant))
        and all(part.name in objects for part in parts if isinstance(part, c_ast.ID))
    )


def _distance(node: Any, wanted: bool, objects: Collection[str]) -> str | None:
    """C for how far *node* is from being true, or from being false; None where that cannot be seen."""
    if isinstance(node, c_ast.UnaryOp) and node.op == "!":
        return _distance(node.expr, not wanted, objects)
    if isinstance(node, c_ast.BinaryOp) and node.op in ("&&", "||"):
        left, right = (_distance(side, wanted, objects) for side in (node.left, node.right))
        if left is None or right is None:
            return left or right
        both = (node.op == "&&") == wanted
        return f"({left} + {right})" if both else f"__cs_least({left}, {right})"
    if isinstance(node, c_ast.BinaryOp) and node.op in _NEGATED:
        return _compared(node, node.op if wanted else _NEGATED[node.op], objects)
    return f"{'!' if wanted else '!!'}({_text(node)})" if _can_be_seen(node, objects) else None


def _compared(node: c_ast.BinaryOp, op: str, objects: Collection[str]) -> str | None:
    """The distance of a comparison. A bound that cannot be seen counts as very far: the direction is what matters."""
    left, right = (_text(side) if _can_be_seen(side, objects) else None for side in (node.left, node.right))
    if left is not None and right is not None:
        return _missed(op, left, right)
    seen = node.right if left is None else node.left
    if op in ("==", "!=") or not _can_be_seen(seen, objects) or _is_constant(seen):
        return None
    far = str(_FAR if (op in (">", ">=")) == (right is None) else -_FAR)
    return _missed(op, far if left is None else left, far if right is None else right)


def _missed(op: str, left: str, right: str) -> str:
    by = f"(long long) ({left}) - (long long) ({right})"
    back = f"(long long) ({right}) - (long long) ({left})"
    return {
        "==": f"__cs_far(({by}) < 0 ? {back} : {by})",
        "!=": f"(({left}) == ({right}))",
        "<": f"__cs_far({by} + 1)",
        "<=": f"__cs_far({by})",
        ">": f"__cs_far({back} + 1)",
        ">=": f"__cs_far({back})",
    }[op]


def _text(node: c_ast.Node) -> str:
    return str(Printer().visit(node))
