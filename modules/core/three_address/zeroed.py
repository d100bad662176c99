"""Objects of the thread library that a program uses and never initialises, because zeroed memory is good enough.

POSIX leaves that undefined. In the C libraries of Linux, zeroed memory is what the static initialisers are.
"""

from collections.abc import Iterator
from typing import Any

from pycparser import c_ast

from cseq.c import Printer, build
from cseq.c.nodes import Visitor
from cseq.c.symbols import Symbols, tag_key
from cseq.model.actions import ActionKind
from cseq.model.origin import Origin
from cseq.modules.analysis.initializers import Filler
from cseq.modules.library import lexicon, primitives
from cseq.modules.library.primitives import PRIMITIVES
from cseq.modules.library.primitives.object_types import ZEROED

_MAKES = frozenset(name for name, each in PRIMITIVES.items() if any(act.kind is ActionKind.INIT for act in each.acts))

_STATE = "__cs_state"

_Key = tuple[str, str, str]
"""An object: its type, and the variable or the struct's tag and member that it is; none for what a pointer leads to."""


class ZeroInitialised(Visitor):
    """Finds variables and members that hold such objects, and that nothing in the program initialises.

    A pointer may lead to any object of its type: where one is initialised through a pointer, all of them count as
    initialised. So nothing is found that is certainly initialised, but not everything that is not.
    """

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._made: set[_Key] = set()
        self._used: dict[_Key, tuple[str, Origin | None]] = {}
        self._cleared: set[str] = set()

    def found(self, tree: c_ast.FileAST) -> Iterator[tuple[str, str, Origin | None]]:
        """What each object is, such as `a mutex`; its text in the program; and where it is declared or first used."""
        for node in tree.ext:
            if not lexicon.is_ours(node.coord):
                self.visit(node)
        for key, (text, place) in self._used.items():
            type_, name, member = key
            pointed = (type_, "", "")
            if key in self._made or pointed in self._made:
                continue
            if key == pointed and any(other[0] == type_ for other in [*self._made, *self._used] if other != key):
                continue
            is_local = not member and name in self._symbols.locals
            if is_local and name not in self._cleared:
                continue  # it contains anything, which is reported where it is used
            yield ZEROED[type_], text, place

    def visit_Decl(self, node: c_ast.Decl) -> None:
        if isinstance(node.init, c_ast.InitList) and node.name:
            filler = Filler(self._symbols)
            filler.fill(build.ident(node.name), node.type, node.init)
            for leaf, value in filler.values.values():
                self._stored(leaf, value)
        if node.init is not None:
            self.visit(node.init)

    def visit_Assignment(self, node: c_ast.Assignment) -> None:
        self._stored(node.lvalue, node.rvalue)
        self.generic_visit(node)

    def visit_FuncCall(self, node: c_ast.FuncCall) -> None:
        arguments = node.args.exprs if node.args else []
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        for position, argument in enumerate(arguments):
            type_ = self._pointed(argument)
            if type_ is not None and lexicon.is_library(name):
                key = self._key(type_, self._place(argument))
                if primitives.without_variant(name) in _MAKES and position == 0:
                    self._made.add(key)
                else:
                    self._use(key, argument, node.coord)
            else:
                self.visit(argument)

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> None:
        type_ = self._pointed(node) if node.op == "&" else None
        if type_ is None:
            self.generic_visit(node)
        else:
            self._use(self._key(type_, node.expr), node, node.coord)

    def _use(self, key: _Key, argument: c_ast.Node, place: Any) -> None:
        text = Printer().visit(self._place(argument))
        declared = self._symbols.qualified.get(key[1]) if not key[2] else None
        self._used.setdefault(key, (text, declared.coord if declared is not None else place))

    def _stored(self, place: c_ast.Node, value: c_ast.Node) -> None:
        """A member of an object gets a value: static initialisers of locals are assignments here."""
        if not isinstance(place, c_ast.StructRef) or place.field.name != _STATE:
            return
        name = self._name(self._symbols.type_of(place.name))
        if name is None:
            return
        key = self._key(name, place.name)
        if build.is_constant(value, 1):
            self._made.add(key)
        elif build.is_constant(value, 0):
            self._cleared.add(key[1])

    def _place(self, argument: c_ast.Node) -> c_ast.Node:
        """The object that *argument* points to."""
        argument = build.uncast(argument)
        return argument.expr if isinstance(argument, c_ast.UnaryOp) and argument.op == "&" else argument

    def _key(self, type_: str, place: c_ast.Node) -> _Key:
        while isinstance(place, c_ast.ArrayRef):
            place = place.name
        if isinstance(place, c_ast.StructRef):
            base = self._symbols.type_of(place.name)
            record = self._symbols.record(self._symbols.element(base) if place.type == "->" else base)
            return type_, "" if record is None else tag_key(record), str(place.field.name)
        if isinstance(place, c_ast.ID) and not self._symbols.is_pointer(self._symbols.types.get(place.name, place)):
            return type_, place.name, ""
        return type_, "", ""

    def _pointed(self, argument: c_ast.Node) -> str | None:
        """The type of the object that *argument* points to, if it is one of those that work if they are zeroed."""
        if isinstance(argument, (c_ast.Constant, c_ast.InitList, c_ast.Typename)):
            return None
        type_ = self._symbols.resolve(self._symbols.value_type(argument))
        return self._name(type_.type) if isinstance(type_, c_ast.PtrDecl) else None

    def _name(self, type_: Any) -> str | None:
        while isinstance(type_, c_ast.TypeDecl) and isinstance(type_.type, c_ast.IdentifierType):
            name = type_.type.names[0]
            if name in ZEROED:
                return str(name)
            if name not in self._symbols.typedefs:
                return None
            type_ = self._symbols.typedefs[name]
        return None
