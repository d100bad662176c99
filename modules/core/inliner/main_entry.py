"""The arguments of main, and whether control can fall off the end of a function."""

from collections.abc import Sequence
from pathlib import Path

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import basic, pointer_to
from cseq.model.claims import Cut, Limit
from cseq.model.origin import Origin
from cseq.modules.analysis import cuts
from cseq.modules.library import lexicon
from cseq.options import environment

_MOST = 3  # arguments, the program's name included
_LENGTH = 15  # characters
SETTINGS = "__cs_envp"
"""The object that holds pointers to the environment that main gets."""
_TEXTS = "__cs_argv_texts"
VECTOR = "__cs_argv"
"""The object that holds pointers to the arguments."""
_SHORT = "__cs_argv_is_short"
ALONE = "__cs_alone"
"""The library function that says that a program without arguments could have some."""

DECLARATIONS = (
    build.declare(_TEXTS, c_ast.ArrayDecl(c_ast.ArrayDecl(basic("char"), build.number(_LENGTH + 1), []),
                                          build.number(_MOST), [])),
    build.declare(VECTOR, c_ast.ArrayDecl(pointer_to(basic("char")), build.number(_MOST + 1), [])),
    build.declare(_SHORT, basic("_Bool")),
)  # fmt: skip
"""The locals of main that hold the arguments of the program, where these are inputs."""


def is_used(name: str, function: c_ast.FuncDef) -> bool:
    """Whether *function* does anything with its parameter *name*."""
    return name in build.names(function.body)


def given(function: c_ast.FuncDef, further: Sequence[str]) -> list[str]:
    """The arguments of the program with main *function*: its name, as of its file, and the *further* ones."""
    origin = function.decl.coord
    name = Path(origin.file).stem if origin is not None else ""
    return [name or "program", *further]


def objects(arguments: Sequence[str]) -> list[c_ast.Decl]:
    """The objects at file level that hold the *arguments* of the program."""
    return environment.texts(VECTOR, arguments)


def environment_of(settings: Sequence[str]) -> list[c_ast.Decl]:
    """The objects at file level that hold the environment that *settings* are the variables of."""
    return environment.texts(SETTINGS, [f"{key}={value}" for key, value in environment.variables(settings).items()])


def arguments(count: str, vector: str, origin: Origin | None) -> list[c_ast.Node]:
    """Statements that give main *count* arguments, a number that is already assigned, in *vector*: any short texts.

    More or longer arguments are cut off. origin: of main.
    """
    chosen = build.call(lexicon.NONDET + "bool", origin=origin)
    few = c_ast.BinaryOp("<=", build.ident(count), build.number(_MOST))
    out: list[c_ast.Node] = [
        cuts.unwound(few, Cut(Limit.ARGUMENTS, _MOST - 1)),
        build.assign(build.ident(_SHORT), chosen),
        cuts.unwound(build.ident(_SHORT), Cut(Limit.ARGUMENT, _LENGTH)),
        build.call(lexicon.HAVOC, build.ident(_TEXTS), build.number(_MOST * (_LENGTH + 1))),
    ]
    for position in range(_MOST + 1):
        text = c_ast.ArrayRef(build.ident(_TEXTS), build.number(position))
        value: c_ast.Node = build.number(0)
        if position < _MOST:
            out.append(build.assign(c_ast.ArrayRef(text, build.number(_LENGTH)), build.number(0)))
            given = c_ast.BinaryOp("<", build.number(position), build.ident(count))
            start = c_ast.UnaryOp("&", c_ast.ArrayRef(text, build.number(0)))
            null = c_ast.Cast(build.typename(pointer_to(basic("char"))), build.number(0))
            value = c_ast.TernaryOp(given, start, null) if position else start
        out.append(build.assign(c_ast.ArrayRef(build.ident(VECTOR), build.number(position)), value))
    out.append(build.assign(build.ident(vector), build.ident(VECTOR)))
    return out


def falls_off(function: c_ast.FuncDef) -> bool:
    """Whether control may reach the end of *function*; True if that is hard to tell."""
    return not _leaves(function.body)


def _leaves(node: c_ast.Node | None) -> bool:
    """Whether control never gets past the statement *node*."""
    match node:
        case c_ast.Return() | c_ast.Goto():
            return True
        case c_ast.Compound():
            return bool(node.block_items) and _leaves(node.block_items[-1])
        case c_ast.If():
            return _leaves(node.iftrue) and _leaves(node.iffalse)
        case c_ast.While():
            return build.is_constant(node.cond, 1)
        case c_ast.FuncCall():
            arguments = node.args.exprs if node.args else []
            fails = node.name.name in (lexicon.ASSERT, lexicon.ASSUME) and build.is_constant(arguments[0], 0)
            return fails or node.name.name in (lexicon.STOP, lexicon.EXIT)
    return False
