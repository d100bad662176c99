"""Find the operations of a data structure in the header that declares them."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pycparser import c_ast

from cseq.c import Printer
from cseq.c.reading import File
from cseq.model.errors import UsageError
from cseq.modules.linearizability import grammar
from cseq.modules.linearizability.structure import Structure

_MAKES = re.compile(r"(^|_)(new|create|make|alloc|open|init)($|_)|(New|Create|Make|Init)", re.ASCII)
_ENDS = re.compile(r"(^|_)(free|destroy|delete|close|release|fini|deinit|term)($|_)|(Free|Destroy|Delete)", re.ASCII)
_RANGE = "{1..2}"
"""The values of a number that an operation takes."""

_SIZE = "4"
"""The value of a number that a constructor takes."""


def discovered(kind: str, structure: Structure, include: Sequence[str], define: Sequence[str]) -> tuple[Structure, str]:
    """*structure* with the operations on the type *kind*, and the specification that says the same.

    An operation is a function of the headers that takes a pointer to *kind* first. A function that returns one and
    is called like a constructor makes the object; one that returns nothing and is called like a destructor ends it.
    Raises UsageError where there is no operation, or nothing that makes an object.
    """
    functions = [found for name in structure.headers for found in _functions(Path(name), include, define)]
    wanted = " ".join(kind.split())
    takers = [one for one in functions if one.takes and one.takes[0] == f"{wanted} *"]
    if not takers:
        raise UsageError(
            f"--type: no function of {', '.join(structure.headers) or 'a header'} takes a `{wanted} *` first"
        )
    lines = [f"files     {', '.join(json.dumps(name) for name in structure.files)};"] if structure.files else []
    lines += [f"header    {', '.join(json.dumps(name) for name in structure.headers)};"]
    lines += _made(wanted, functions, structure)
    ends = next(
        (one for one in takers if one.returns == "void" and len(one.takes) == 1 and _ENDS.search(one.name)), None
    )
    for one in takers:
        if one is ends:
            lines.append(f"teardown  {one.name}(object);")
        elif not _MAKES.search(one.name) and not _ENDS.search(one.name):
            lines += one.operation()
    text = "\n".join([*lines, ""])
    found = grammar.parsed(text, "")
    if not found.operations:
        raise UsageError(
            f"--type: no function takes a `{wanted} *` and arguments that can be chosen (--op names calls)"
        )
    more = {name: getattr(found, name) for name in ("states", "setup", "teardown", "operations")}
    return structure.adding(**more), text


class _Function:
    """A function of a header. takes: the types of its parameters. returns: that of its result, as C."""

    def __init__(self, name: str, returns: str, takes: list[str]) -> None:
        self.name = name
        self.returns = returns
        self.takes = [] if takes == ["void"] else takes

    def operation(self) -> list[str]:
        """The statement for the operation; a comment where an argument cannot be chosen."""
        given: list[str] = ["object"]
        out = ""
        for number, type_ in enumerate(self.takes[1:], 1):
            if _is_number(type_):
                given.append(_RANGE)
            elif type_.endswith(" *") and _is_number(type_[:-2]) and not out and self.returns != "void":
                out = f"{type_[:-2]} out = 0"
                given.append("&out")
            elif type_ in ("void *", "const void *"):
                given.append(_RANGE)
            else:
                return [f"// {self.name}: what is its argument {number + 1}, `{type_}`?"]
        call = f"{self.name}({', '.join(given)})"
        if not out:
            return [f"operation {call.replace('{', '(void *){') if 'void *' in self.takes[1:] else call};"]
        if _RANGE in call:  # a body has parameters in place of ranges
            names = [f"argument_{number}" for number in range(call.count(_RANGE))]
            parameters = ", ".join(f"int {name} = {_RANGE}" for name in names)
            for name in names:
                call = call.replace(_RANGE, name, 1)
            return [
                f"operation {self.name}({parameters}) {{ {out}; int done = {call}; return done ? out : -1 - done; }}"
            ]
        return [f"operation {self.name} {{ {out}; long done = {call}; return done * 1000003 + out; }}"]


def _made(kind: str, functions: Sequence[_Function], structure: Structure) -> list[str]:
    """The statements that make the object."""
    if structure.states:
        return []
    for one in functions:
        if one.returns == f"{kind} *" and _MAKES.search(one.name) and all(map(_is_number, one.takes)):
            return [f"state     {kind} *object = {one.name}({', '.join(_SIZE for _ in one.takes)});"]
    for one in functions:
        takes = one.takes
        if takes and takes[0] == f"{kind} *" and _MAKES.search(one.name) and all(map(_is_number, takes[1:])):
            rest = "".join(f", {_SIZE}" for _ in takes[1:])
            return [
                f"state     {kind} the_object;",
                f"state     {kind} *object = &the_object;",
                f"setup     {one.name}(object{rest});",
            ]
    raise UsageError(f"--type: nothing in the headers makes a `{kind}` (--new 'DECLARATION' says how)")


def _is_number(type_: str) -> bool:
    words = type_.split()
    known = {"int", "long", "short", "char", "unsigned", "signed", "_Bool", "size_t", "const", "bool"}
    return bool(words) and all(word in known or re.fullmatch(r"u?int\d+_t|u?intptr_t", word) for word in words)


def _functions(header: Path, include: Sequence[str], define: Sequence[str]) -> list[_Function]:
    """The functions that *header* itself declares or defines. Raises InputError."""
    tree = File(header, include, define).parsed()
    own = str(header)
    found: dict[str, _Function] = {}
    for node in tree.ext:
        declared: Any = node.decl if isinstance(node, c_ast.FuncDef) else node
        if not isinstance(declared, c_ast.Decl) or not isinstance(declared.type, c_ast.FuncDecl):
            continue
        if declared.coord is not None and declared.coord.file != own:
            continue
        parameters = declared.type.args.params if declared.type.args else []
        takes = [_text(one.type) for one in parameters if not isinstance(one, c_ast.EllipsisParam)]
        found[declared.name] = _Function(declared.name, _text(declared.type.type), takes)
    return list(found.values())


def _text(type_: Any) -> str:
    """A type as C, without a name."""
    if isinstance(type_, c_ast.PtrDecl):
        return f"{_text(type_.type)} *".replace("* *", "**")
    if isinstance(type_, c_ast.TypeDecl):
        inner = type_.type
        if isinstance(inner, c_ast.IdentifierType):
            return " ".join([*(type_.quals or []), *inner.names])
        if isinstance(inner, c_ast.Struct | c_ast.Union | c_ast.Enum):
            word = type(inner).__name__.lower()
            return " ".join([*(type_.quals or []), word, inner.name or "?"])
    return Printer().visit(type_) if type_ is not None else "?"
