"""The conditions under which a thread function skips steps outside of the current context, and its guesses hold."""

from pycparser import c_ast

from cseq.c import build

LIMITS = ("__cs_least_pc", "__cs_most_pc", "__cs_least_cs", "__cs_most_cs")
"""The variables of a driver that knows where the present context begins and ends, at least and at most.

They are constants to an engine. With them it knows of most steps that they are made, or are not made, and leaves the
others out before it makes a formula.
"""

_LEAST_PC, _MOST_PC, _LEAST_CS, _MOST_CS = LIMITS


def skips(pc: str, cs: str, step: int, limited: bool) -> c_ast.Node:
    """The condition on which the *step* is not made now: it has been made, or is for a later context.

    pc, cs: the variables with the places at which the context begins and ends. limited: whether there are `LIMITS`.
    """
    made, later = _compared(step, "<", pc), _compared(step, ">=", cs)
    if not limited:
        return c_ast.BinaryOp("||", c_ast.BinaryOp(">", build.ident(pc), build.number(step)), later)
    known = c_ast.BinaryOp("||", _compared(step, "<", _LEAST_PC), _compared(step, ">=", _MOST_CS))
    made = c_ast.BinaryOp("&&", _compared(step, "<", _MOST_PC), made)
    later = c_ast.BinaryOp("&&", _compared(step, ">=", _LEAST_CS), later)
    return c_ast.BinaryOp("||", c_ast.BinaryOp("||", known, made), later)


def ends_from(cs: str, step: int, limited: bool) -> c_ast.Node:
    """The condition on which the context ends at the *step* or later."""
    known = build.number(step)
    guessed = c_ast.BinaryOp(">=", build.ident(cs), known)
    return c_ast.BinaryOp("&&", c_ast.BinaryOp(">=", build.ident(_MOST_CS), known), guessed) if limited else guessed


def _compared(step: int, operator: str, variable: str) -> c_ast.Node:
    return c_ast.BinaryOp(operator, build.number(step), build.ident(variable))
