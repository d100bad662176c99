"""Which functions keep frames of their own, where the inliner may leave calls."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pycparser import c_ast

from cseq.c.symbols import Symbols
from cseq.modules.analysis import threadends
from cseq.modules.analysis.places import calls
from cseq.modules.analysis.variadic import is_variadic
from cseq.modules.core import cleanup
from cseq.modules.library import clibrary, lexicon
from cseq.pipeline.facts import Fact
from cseq.pipeline.stage import Parameter

FRAMES = Parameter(
    "frames",
    bool,
    False,
    "make another program besides, in which functions that recurse keep their calls",
    family="specification",
)
"""No option: a chain whose engine has stacks sets it."""


@dataclass(frozen=True)
class FramedProgram:
    """A program in the core language in which functions that recurse are functions still.

    functions: their names. In statements ``x = f(a, b);``, where x is a local of ours that no pointer leads to, and
    ``f(a, b);`` they are called, directly, with expressions that make no call. Their parameters are as in C, and they
    end by ``return`` or at their end. All other functions of the user's are inlined, in them as in main and in start
    functions. A local has one name in the whole program, but several functions can have it. A function that threads
    start can be in *functions*, too: whether its ``return`` ends the thread depends on who has called it.
    """

    tree: c_ast.FileAST
    functions: frozenset[str]


FRAMED = Fact[FramedProgram | None]("framed")
"""None where nothing recurses, or where only bounded recursion can be followed."""


class UnframedError(Exception):
    """A function does what it cannot do in a frame of its own: it has to be inlined."""


def keeping_frames(symbols: Symbols, tree: c_ast.FileAST) -> frozenset[str]:
    """The functions of the user's that call themselves, perhaps by way of others; none where they cannot have frames.

    They cannot where something is left to do when a thread ends, wherever that is, or where the values of inputs are
    chosen by where they go: this is not known across calls.
    """
    found = {name: list(calls(node.body)) for name, node in symbols.functions.items() if not _stays(node)}
    called = {name: frozenset(call.name.name for call in made) for name, made in found.items()}
    ours = {name for name, node in symbols.functions.items() if lexicon.is_ours(node.coord)}
    recursive = {name for name in called if name not in ours and name in _reached(called, {name})}
    used = called.keys() - ours | _reached(called, called.keys() - ours)
    if (
        "main" in recursive
        or threadends.hooks(symbols, tree)
        or clibrary.RUN_EXIT in symbols.functions
        or any(cleanup.BEGIN in called[name] for name in used)
        or any(_is_input(call) for name in used for call in found[name])
        or any(is_variadic(symbols.functions[name]) for name in recursive)
    ):
        return frozenset()
    return frozenset(recursive)


def _stays(node: c_ast.FuncDef) -> bool:
    """Whether a function is one step of the library, which no program inlines."""
    return lexicon.is_ours(node.coord) and lexicon.is_step(node.decl.name)


def _is_input(call: c_ast.FuncCall) -> bool:
    """Whether a *call* gives an input, rather than a value that is undefined."""
    name = call.name.name
    return call.coord is not None and (name == lexicon.HAVOC or name.startswith(lexicon.NONDET))


def _reached(called: Mapping[str, frozenset[str]], begun: Iterable[str]) -> set[str]:
    """The names to which calls lead from those in *begun*. called: name → the names that it calls."""
    reached: set[str] = set()
    left = list(begun)
    while left:
        new = (called[left.pop()] & called.keys()) - reached
        reached |= new
        left.extend(new)
    return reached
