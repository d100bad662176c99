"""Whether a proof without bounds may get further than a search: a question that is decided by the text alone."""

from collections.abc import Iterator

from pycparser import c_ast

from cseq.c import build
from cseq.modules.library import lexicon

_INPUT = "__VERIFIER_nondet"
_FEW = frozenset({"__VERIFIER_nondet_bool", "__VERIFIER_nondet__Bool"})
"""Functions whose inputs have two values."""
_SHORT = 64
"""Iterations that a search may well go through one by one."""


def is_worth_proving(tree: c_ast.FileAST) -> bool:
    """Whether the user's part of the merged program *tree* has an input of many values, or a loop that may be long."""
    for node in tree.ext:
        if lexicon.is_ours(node.coord):
            continue
        if any(name.startswith(_INPUT) and name not in _FEW for name in build.names(node)):
            return True
        if any(not _is_short(loop) for loop in _loops(node)):
            return True
    return False


def _loops(node: c_ast.Node) -> Iterator[c_ast.Node]:
    """The loops in *node*, and its jumps backwards, as far as one can tell: jumps to labels that came before."""
    seen: set[str] = set()
    for part in build.walk(node):
        if isinstance(part, c_ast.Label):
            seen.add(part.name)
        if isinstance(part, (c_ast.While, c_ast.DoWhile, c_ast.For)) or (
            isinstance(part, c_ast.Goto) and part.name in seen
        ):
            yield part


def _is_short(loop: c_ast.Node) -> bool:
    """Whether *loop* counts a variable in small steps to a small constant, or is `do … while (0)`."""
    if isinstance(loop, c_ast.DoWhile):
        return build.is_constant(loop.cond, 0)
    if not isinstance(loop, c_ast.For) or not isinstance(loop.cond, c_ast.BinaryOp):
        return False
    bounds = [part for part in (loop.cond.left, loop.cond.right) if isinstance(part, c_ast.Constant)]
    if len(bounds) != 1 or loop.cond.op not in ("<", "<=", ">", ">=", "!="):
        return False
    try:
        bound = int(bounds[0].value.rstrip("uUlL"), 0)
    except ValueError:
        return False
    counter = loop.cond.left if loop.cond.right is bounds[0] else loop.cond.right
    if not isinstance(counter, c_ast.ID) or bound > _SHORT:
        return False
    return not any(name == counter.name for name in _changed(loop.stmt))


def _changed(node: c_ast.Node | None) -> Iterator[str]:
    """The variables that *node* assigns to, or takes the address of."""
    for part in build.walk(node) if node is not None else ():
        target = None
        if isinstance(part, c_ast.Assignment):
            target = part.lvalue
        elif isinstance(part, c_ast.UnaryOp) and part.op in ("++", "--", "p++", "p--", "&"):
            target = part.expr
        if isinstance(target, c_ast.ID):
            yield target.name
