"""The environment and the standard input that the user gives: calls of functions that depend on them, and contents."""

from collections.abc import Sequence
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.modules.library import stubs
from cseq.modules.library.headers import is_prototype
from cseq.modules.library.linking import parsed
from cseq.modules.library.primitives import GIVEN
from cseq.options import environment
from cseq.pipeline.translator import Rewriter, rebuilt

_OF_ENVIRONMENT = frozenset({"getenv", "secure_getenv", "setenv", "unsetenv", "putenv"})
_OF_INPUT = {
    "getchar": None, "scanf": None, "getc": 0, "fgetc": 0, "ungetc": 1, "feof": 0, "ferror": 0, "clearerr": 0,
    "fgets": 2, "read": 0, "fread": 3, "getline": 2, "getdelim": 3, "fscanf": 0,
}  # fmt: skip
"""Functions that may read from standard input → the argument that says what they read from; None if nothing else."""

_ALIASES = {
    "getchar_unlocked": "getchar", "getc_unlocked": "getc", "fgetc_unlocked": "fgetc", "fgets_unlocked": "fgets",
    "fread_unlocked": "fread", "feof_unlocked": "feof",
}  # fmt: skip

_VARIABLES, _INPUT, _SIZE = "__cs_variables", "__cs_input", "__cs_input_size"


def with_calls(nodes: list[c_ast.Node], has_variables: bool, has_input: bool) -> list[c_ast.Node]:
    """*nodes*, where calls that depend on what the user gives call the models that follow it."""
    defined = {node.decl.name for node in nodes if isinstance(node, c_ast.FuncDef)}
    calls = _Calls(has_variables, has_input, defined)
    new = calls.visit_all(nodes)
    known = {name: stubs.items().get(name) for name in sorted(calls.found)}
    items = [item for item in known.values() if item is not None]
    models: list[Any] = parsed(items)
    # Those without a text are written out by the three-address stage; until then they have the types of what they stand
    # for.
    without = {name.removesuffix(GIVEN) for name, item in known.items() if item is None}
    prototypes = [_renamed(node) for node in new if is_prototype(node) and node.name in without]
    return [*(node.decl for node in models), *prototypes, *new]


def _renamed(prototype: Any) -> c_ast.Decl:
    """The *prototype* of a function as that of its variant."""
    name = prototype.name + GIVEN
    type_ = prototype.type
    renamed: c_ast.Decl = rebuilt(prototype, name=name, type=rebuilt(type_, type=rebuilt(type_.type, declname=name)))
    return renamed


def filled(nodes: list[c_ast.Node], variables: Sequence[str], text: bytes | None) -> list[c_ast.Node]:
    """*nodes* with the settings *variables* of the environment and the *text* of standard input in our objects."""
    out: list[c_ast.Node] = []
    settings = environment.variables(variables)
    for node in nodes:
        name = node.name if isinstance(node, c_ast.Decl) and not is_prototype(node) else ""
        if name == _VARIABLES:
            texts = environment.texts(_VARIABLES, [f"{key}={value}" for key, value in settings.items()])
            out += texts[:-1]
            out.append(rebuilt(node, init=texts[-1].init))
        elif name == _INPUT and text is not None:
            out.append(rebuilt(environment.text_object(_INPUT, text), coord=node.coord))
        elif name == _SIZE and text is not None:
            out.append(rebuilt(node, init=build.number(len(text))))
        else:
            out.append(node)
    return out


class _Calls(Rewriter):
    """Replaces the functions in calls. found: those that are called now."""

    def __init__(self, has_variables: bool, has_input: bool, defined: set[str]) -> None:
        super().__init__()
        self.found: set[str] = set()
        self._variables = has_variables
        self._input = has_input
        self._defined = defined

    def visit_FuncCall(self, node: c_ast.FuncCall) -> c_ast.FuncCall:
        new: c_ast.FuncCall = self.generic_visit(node)
        if not isinstance(new.name, c_ast.ID) or new.name.name in self._defined:
            return new
        name = _ALIASES.get(new.name.name, new.name.name)
        arguments = new.args.exprs if new.args else []
        if not (self._depends(name, arguments) if self._input else False) and not (
            self._variables and name in _OF_ENVIRONMENT
        ):
            return new
        self.found.add(name + GIVEN)
        return rebuilt(new, name=c_ast.ID(name + GIVEN, new.name.coord))

    def _depends(self, name: str, arguments: list[c_ast.Node]) -> bool:
        """Whether a call of *name* reads from standard input."""
        if name not in _OF_INPUT:
            return False
        position = _OF_INPUT[name]
        if position is None:
            return True
        source = build.uncast(arguments[position]) if position < len(arguments) else None
        return (
            build.is_constant(source, 0) if name == "read" else isinstance(source, c_ast.ID) and source.name == "stdin"
        )
