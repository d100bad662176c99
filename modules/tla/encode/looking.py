"""Functions of the user's that only look at states, as operators over a memory."""

from collections.abc import Sequence
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.model.errors import UnsupportedError
from cseq.modules.frontend.observers.observers import observing
from cseq.modules.tla.encode.texts import quoted
from cseq.modules.tla.spec import Operator
from cseq.pipeline.translator import Rewriter, rebuilt

_FIRST = 900_000
"""The number after the name of the first local, so that it is like no other name in the program."""


def looked(name: str) -> str:
    """The name that `looking` gives to a function."""
    word, _, number = name.removeprefix("__cs_").rpartition("_")
    return observing(f"{number}_{word}" if name.startswith("__cs_") else name)


def looking(functions: Sequence[c_ast.FuncDef]) -> list[c_ast.FuncDef]:
    """The *functions*, which call no others, in the form in which those of the library are translated.

    They and their locals have names of their own; locals are declared first, and loops are ``while`` loops. In what
    observers admit, a name means one thing in a function. Raises UnsupportedError for what cannot be translated.
    """
    names = {node.decl.name: looked(node.decl.name) for node in functions}
    return [_Plain(names, _FIRST + number).function(node) for number, node in enumerate(functions)]


def asking(name: str, called: str, shown: str) -> Operator:
    """The operator *name* that says whether what the operator *called* returns differs from 0. shown: for the user.

    The function gets a memory of its own: what it makes of that is forgotten. Without a value, TLC reports an error.
    """
    nothing = quoted(f"{shown} has no value")
    body = f"\\A n \\in {called}(0, m) : IF Runs(n) THEN Returned(0, n) # 0 ELSE Assert(FALSE, {nothing})"
    return Operator(name, ("m",), body, shown)


class _Plain(Rewriter):
    """Rewrites one function. names: those of functions → new ones. number: for the names of its locals."""

    def __init__(self, names: dict[str, str], number: int) -> None:
        super().__init__()
        self._functions = names
        self._number = number
        self._locals: dict[str, str] = {}
        self._declared: list[c_ast.Decl] = []

    def function(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        """The function, rewritten."""
        type_: Any = node.decl.type
        if type_.args:
            given = [self._local(one) if isinstance(one, c_ast.Decl) and one.name else one for one in type_.args.params]
            type_ = rebuilt(type_, args=c_ast.ParamList(given))
        parameters, self._declared = self._declared, []
        del parameters
        name = self._functions[node.decl.name]
        body = self.visit(node.body)
        items = [*self._declared, *(body.block_items or [])]
        decl = rebuilt(node.decl, name=name, type=build.renamed(type_, name))
        return rebuilt(node, decl=decl, body=c_ast.Compound(items, node.body.coord))

    def _local(self, node: c_ast.Decl) -> c_ast.Decl:
        if isinstance(node.type, c_ast.FuncDecl) or set(node.storage or ()) & {"static", "extern"}:
            raise UnsupportedError(f"the declaration of `{node.name}` in a function that looks at states", node.coord)
        known = self._locals.get(node.name)
        self._locals[node.name] = name = f"{node.name}__cs{self._number}"
        found = rebuilt(node, name=name, type=build.renamed(self.visit(node.type), name), init=None)
        if known is None:
            self._declared.append(found)
        return found

    def visit_Decl(self, node: c_ast.Decl) -> Any:
        """A local without a value has none again."""
        if not node.name:
            raise UnsupportedError("a type that is declared in a function that looks at states", node.coord)
        local = self._local(node)
        if node.init is None:
            return c_ast.EmptyStatement()
        if isinstance(node.init, c_ast.InitList):
            raise UnsupportedError(f"the values of `{node.name}` in a function that looks at states", node.coord)
        return build.assign(build.ident(local.name), self.visit(node.init), node.coord)

    def visit_DeclList(self, node: c_ast.DeclList) -> Any:
        return c_ast.Compound([self.visit(one) for one in node.decls], node.coord)

    def visit_ID(self, node: c_ast.ID) -> c_ast.ID:
        return c_ast.ID(self._locals.get(node.name, node.name), node.coord)

    def visit_StructRef(self, node: c_ast.StructRef) -> c_ast.StructRef:
        return c_ast.StructRef(self.visit(node.name), node.type, node.field, node.coord)

    def visit_FuncCall(self, node: c_ast.FuncCall) -> c_ast.FuncCall:
        name = node.name.name
        if name not in self._functions:
            raise UnsupportedError(f"a call of `{name}` in a function that looks at states", node.coord)
        arguments = self.visit(node.args) if node.args else None
        return c_ast.FuncCall(c_ast.ID(self._functions[name]), arguments, node.coord)

    def visit_For(self, node: c_ast.For) -> Any:
        if any(build.inside(node.stmt, c_ast.Continue)):
            raise UnsupportedError("`continue` in a function that looks at states", node.coord)
        begin = [] if node.init is None else [self.visit(node.init)]
        cond = build.number(1) if node.cond is None else self.visit(node.cond)
        after = [] if node.next is None else [self.visit(node.next)]
        loop = c_ast.While(cond, build.block([self.visit(node.stmt), *after]), node.coord)
        return c_ast.Compound([*begin, loop], node.coord)
