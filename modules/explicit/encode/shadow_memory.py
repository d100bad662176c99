"""Track which bytes of the state are defined."""

from typing import Any

from pycparser import c_ast

from cseq.c import Printer, build
from cseq.c.generated import ours
from cseq.c.symbols import Symbols, basic, pointer_to
from cseq.model.origin import Origin
from cseq.modules.core.definedness import COPIES, DEFINEDNESS, Copies, Definedness, is_place
from cseq.modules.core.input_choices.samples import CONSTANTS, guesses, table
from cseq.modules.core.undefined_behaviour.accesses import FREEABLE, VALID, VALID_INSIDE
from cseq.modules.explicit.encode.provenance import ARRIVES
from cseq.modules.explicit.encode.step_accesses import TOUCH
from cseq.modules.explicit.encode.step_program import REPORTING, RUN
from cseq.modules.explicit.encode.stepper.frames import FRAME
from cseq.modules.explicit.encode.stepper.stepper import STATE, in_state
from cseq.modules.library import lexicon
from cseq.options.properties import MEMSAFETY, PROPERTY
from cseq.pipeline.facts import Needs
from cseq.pipeline.translator import Rewriter, Translator, rebuilt, user_name

DEFINED, DEFINE, INHERIT, COPIED = "__CSEQ_defined", "__CSEQ_define", "__CSEQ_inherit", "__CSEQ_copied"
"""Declared in `backends/explorer/program/definedness.h`."""
GUESSES = "__cs_guesses"
"""The values of what was never written."""
WHERE = "__cs_where"
"""The position of the user's statement that calls a library function; the function's refusals are reported there."""
REACH = "__CSEQ_reach"
"""Declared in `backends/explorer/program/heap.h`."""

_NOWHERE = "where nothing is allocated (see --memsafety)"
_FILLS = frozenset({"memset", "__builtin_memset", "__CSEQ_fill", "__CSEQ_zero", lexicon.HAVOC})
"""Functions that write bytes: the first argument is the target, the last one the number of bytes."""
_SILENT = frozenset({TOUCH, *REPORTING, lexicon.UNDEFINE})
"""Calls whose arguments are not loads of the program: they use them themselves, or not at all."""
_LARGE, _ALIGNED = 32, 31
"""Compilers align objects of at least `_LARGE` bytes to as many bytes, which may leave up to `_ALIGNED` unused; a
greater alignment is added."""
_JUDGES = frozenset({VALID, VALID_INSIDE, FREEABLE, ARRIVES})
"""The primitives of claims about memory, which access nothing."""
_UPDATES = frozenset({"++", "--", "p++", "p--"})


class ShadowMemory(Translator):
    """in: a step program. out: the same, which notes where it reads memory before it has written it.

    Such memory gets one of a few values there. If `Definedness` says that objects may be undefined, the state has a bit
    for each of its bytes. A store to what may be such an object marks it as defined, a load checks first, and a copy
    also copies the bits.
    """

    takes = (PROPERTY,)
    definedness = Needs(DEFINEDNESS)
    constants = Needs(CONSTANTS)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Rewrite all functions, if there is anything to track."""
        found = self.definedness
        if not found.is_tracked:
            return tree
        symbols = Symbols(tree, self.context.model)
        wild = self.parameter(PROPERTY) == MEMSAFETY
        rewritten = [_Shadowing(symbols, found, n, wild).function() if _runs(n) else n for n in tree.ext]
        return c_ast.FileAST([*rewritten, *_bits(tree, guesses(self.constants))])


def _runs(node: c_ast.Node) -> bool:
    """Whether *node* defines a thread's or a library function. Other functions only inspect the state."""
    if not isinstance(node, c_ast.FuncDef):
        return False
    return node.decl.name.startswith(RUN) or lexicon.is_library(node.decl.name)


def _bits(tree: c_ast.FileAST, values: list[int]) -> list[c_ast.Node]:
    """The definitions of the bits: one for each byte of the state's objects, and of the bits themselves.

    values: those that undefined bytes get where they are read.
    """
    objects = [n.name for n in tree.ext if isinstance(n, c_ast.Decl) and STATE in (n.storage or [])]
    unused = f"(sizeof({{0}}) < {_LARGE} ? 15 : {_ALIGNED}) + __alignof__({{0}})"
    sizes = " + ".join(f"sizeof({name}) + {unused.format(name)}" for name in objects)
    constants = [
        f"enum {{ __cs_undefined_bytes = ({sizes} + {_ALIGNED}) / 7 + 1 }};",
        "const unsigned long __cs_undefined_size = __cs_undefined_bytes;",
    ]
    bits = ours(["unsigned char __cs_undefined[__cs_undefined_bytes];", "unsigned char __cs_guessed;"])
    return [*ours(constants), *table(GUESSES, values), *(in_state(node, False) for node in bits)]


class _Shadowing(Rewriter):
    """Rewrites one function. wild: whether a pointer without a value may be read: it leads nowhere."""

    def __init__(self, symbols: Symbols, found: Definedness, node: c_ast.FuncDef, wild: bool) -> None:
        super().__init__()
        self._symbols = symbols
        self._found = found
        self._node = node
        self._of_library = not node.decl.name.startswith(RUN)
        self._wild = wild and not self._of_library
        self._copies = Copies(symbols, found.carriers)
        self._origin: Origin | None = None
        parameters = node.decl.type.args.params if node.decl.type.args else []
        declared = [item for item in [*parameters, *(node.body.block_items or [])] if isinstance(item, c_ast.Decl)]
        for item in declared:
            symbols.declare(item)  # the frames of several functions have the same name
        self._locals = {item.name for item in declared}

    def function(self) -> c_ast.FuncDef:
        """The function with its loads and stores tracked."""
        return rebuilt(self._node, body=self.visit(self._node.body))

    # Which accesses

    def _may_be_undefined(self, place: Any) -> bool:
        """Whether an access to *place* may be to an undefined object."""
        while True:
            match place:
                case c_ast.ID():
                    others = place.name not in self._locals and not place.name.startswith(("__cs_", "__CSEQ_"))
                    return self._found.everything and others
                case c_ast.StructRef(type="->", name=c_ast.ID(name=name)) if name == FRAME:
                    return place.field.name in self._found.names
                case c_ast.StructRef() if place.field.name.startswith("__cs_"):
                    return False  # a library object, which records itself whether it is initialised
                case c_ast.StructRef(type="."):
                    place = place.name
                case c_ast.ArrayRef() if self._symbols.is_array(self._symbols.type_of(place.name)):
                    place = place.name
                case _:
                    return self._of_library or self._found.pointers or self._found.everything

    # Loads

    def visit_ID(self, node: c_ast.ID) -> c_ast.Node:
        return self._load(node)

    def visit_ArrayRef(self, node: c_ast.ArrayRef) -> c_ast.Node:
        return self._load(node)

    def visit_StructRef(self, node: c_ast.StructRef) -> c_ast.Node:
        return self._load(node)

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> c_ast.Node:
        if node.op in ("sizeof", "_Alignof"):
            return node
        if node.op == "&":
            return rebuilt(node, expr=self._inside(node.expr))
        if node.op == "*":
            return self._load(node)
        if node.op in _UPDATES:
            inside = self._inside(node.expr)
            check = self._check(inside) if self._may_be_undefined(node.expr) else []
            updated = rebuilt(node, expr=inside)
            return c_ast.ExprList([*check, updated]) if check else updated
        result: c_ast.Node = self.generic_visit(node)
        return result

    def _load(self, place: Any) -> c_ast.Node:
        inside = self._inside(place)
        type_ = self._symbols.resolve(self._symbols.type_of(place)) if self._is_object(place) else None
        if type_ is None or isinstance(type_, (c_ast.ArrayDecl, c_ast.FuncDecl)) or not self._may_be_undefined(place):
            return inside  # type: ignore[no-any-return]
        if self._wild and self._is_pointer(place):
            return c_ast.ExprList([*self._reach(inside), self._or_wild(inside, type_)])
        return c_ast.ExprList([*self._check(inside), inside])

    def _or_wild(self, place: Any, type_: Any) -> c_ast.Node:
        """The pointer *place*, or one that leads nowhere where it has no value."""
        bits = build.call("__CSEQ_has_undefined", *self._bytes(place))
        nowhere = c_ast.Cast(build.typename(build.renamed(type_, None)), build.call("__CSEQ_anywhere"))
        return c_ast.TernaryOp(bits, nowhere, place)

    def _is_object(self, place: Any) -> bool:
        return not isinstance(place, c_ast.ID) or place.name in self._symbols.types or place.name in self._locals

    def _inside(self, place: Any) -> Any:
        """*place*, with the loads needed to find it tracked."""
        match place:
            case c_ast.ArrayRef():
                array = self._symbols.is_array(self._symbols.type_of(place.name))
                base = self._inside(place.name) if array else self.visit(place.name)
                subscript = self.visit(place.subscript)
                if isinstance(subscript, c_ast.ExprList):
                    subscript = c_ast.ExprList([subscript])  # parentheses hide commas from macros
                return rebuilt(place, name=base, subscript=subscript)
            case c_ast.StructRef():
                base = self.visit(place.name) if place.type == "->" else self._inside(place.name)
                return rebuilt(place, name=base)
            case c_ast.UnaryOp(op="*"):
                return rebuilt(place, expr=self.visit(place.expr))
        return place if is_place(place) or isinstance(place, c_ast.Constant) else self.visit(place)

    def _check(self, place: c_ast.Node) -> list[c_ast.Node]:
        if self._of_library:
            text = f"{self._text(place)} that was never written"
        else:
            text = f"{self._text(place)} is read before it is written"
        return [*self._reach(place), build.call(self._named(DEFINED), *self._bytes(place), build.string(text))]

    def _reach(self, place: Any) -> list[c_ast.Node]:
        """The check that *place* is allocated, if it is reached through a pointer."""
        if not self._found.has_heap or not self._is_pointed(place):
            return []
        text = f"{self._text(place)}{'' if self._of_library else ' is accessed,'} {_NOWHERE}"
        return [build.call(self._named(REACH), *self._bytes(place), build.string(text))]

    def _reach_bytes(self, pointer: c_ast.Node, size: c_ast.Node) -> list[c_ast.Node]:
        """The check that the bytes that a function accesses are allocated."""
        if not self._found.has_heap or build.addressed(pointer) is not None:
            return []
        text = f"{self._where()}memory is accessed, {_NOWHERE}"
        return [build.call(self._named(REACH), pointer, size, build.string(text))]

    def _named(self, function: str) -> str:
        """The name of the variant of *function* to call: in the library, the one that refuses at the user's call."""
        return f"{function}_there" if self._of_library else function

    def _is_pointed(self, place: Any) -> bool:
        while True:
            match place:
                case c_ast.StructRef(type="->", name=c_ast.ID(name=name)) if name == FRAME:
                    return False
                case c_ast.StructRef(type="."):
                    place = place.name
                case c_ast.ArrayRef() if self._symbols.is_array(self._symbols.type_of(place.name)):
                    place = place.name
                case _:
                    return not isinstance(place, c_ast.ID)

    def _bytes(self, place: Any) -> list[c_ast.Node]:
        """The address of the first byte of *place*, and the number of its bytes."""
        bits = self._symbols.bit_field(place)
        if bits is None:
            return [c_ast.UnaryOp("&", place), c_ast.UnaryOp("sizeof", place)]
        holder = place.name if place.type == "." else c_ast.UnaryOp("*", place.name)
        fields = self._symbols.fields(self._symbols.type_of(holder))
        start, width = next((f.start, f.width or 1) for f in fields if f.member.name == place.field.name)
        first, last = start // 8, (start + width - 1) // 8
        byte = c_ast.Cast(build.typename(pointer_to(basic("char"))), c_ast.UnaryOp("&", holder))
        return [c_ast.BinaryOp("+", byte, build.number(first)), build.number(last + 1 - first)]

    def _text(self, place: c_ast.Node) -> str:
        if self._of_library:
            name = self._node.decl.name.partition("__cs")[0] or "the thread library"
            return f"`{name}` accesses memory"
        named = _ByUser()
        printed = Printer()
        printed.reduce_parentheses = True
        text = printed.visit(named.visit(place))
        what = f"`{text}`" if named.is_users else "memory"
        return f"{self._where()}{what}"

    def _where(self) -> str:
        return "" if self._origin is None else f"{self._origin.file}:{self._origin.line}: "

    # Stores

    def visit_Compound(self, node: c_ast.Compound) -> c_ast.Compound:
        items: list[c_ast.Node] = []
        for item in node.block_items or []:
            if item.coord is not None and not lexicon.is_ours(item.coord):
                self._origin = item.coord
            new = self.visit(item)
            items.extend(new if isinstance(new, list) else [new])
        return rebuilt(node, block_items=items)

    def visit_Assignment(self, node: c_ast.Assignment) -> Any:
        place = self._inside(node.lvalue)
        if not self._may_be_undefined(node.lvalue):
            return rebuilt(node, lvalue=place, rvalue=self.visit(node.rvalue))
        if self._copies.is_copy(node):
            source = self._inside(node.rvalue)
            copy = rebuilt(node, lvalue=place, rvalue=source)
            if self._symbols.bit_field(node.lvalue) is None:
                where, size = self._bytes(place)
                return c_ast.ExprList([copy, build.call(INHERIT, where, c_ast.UnaryOp("&", source), size)])
        stored = rebuilt(node, lvalue=place, rvalue=self.visit(node.rvalue))
        if node.op != "=" or self._symbols.bit_field(node.lvalue) is not None:
            # A bit-field shares its bytes with others, which would then also count as defined.
            return c_ast.ExprList([*self._check(place), stored])
        return c_ast.ExprList([*self._reach(place), stored, build.call(DEFINE, *self._bytes(place))])

    def visit_FuncCall(self, node: c_ast.FuncCall) -> c_ast.Node:
        name = node.name.name if isinstance(node.name, c_ast.ID) else ""
        if name in _SILENT:
            return node
        if name in _JUDGES:
            return rebuilt(node, args=c_ast.ExprList(self._judged(node.args.exprs)))
        arguments = self.visit_all(node.args.exprs) if node.args else []
        if name in COPIES:
            copied = build.call(COPIED, *arguments, origin=node.coord)
            reached = [*self._reach_bytes(arguments[0], arguments[2]), *self._reach_bytes(arguments[1], arguments[2])]
            return c_ast.ExprList([*reached, copied]) if reached else copied
        call = rebuilt(node, args=c_ast.ExprList(arguments)) if node.args else node
        if name in _FILLS:
            reached = self._reach_bytes(arguments[0], arguments[-1])
            return c_ast.ExprList([*reached, build.call(DEFINE, arguments[0], arguments[-1]), call])
        if not self._of_library and lexicon.is_library(name) and self._origin is not None:
            where = build.assign(build.ident(WHERE), build.string(self._where()))
            return c_ast.ExprList([where, call])
        return call

    def _judged(self, arguments: list[Any]) -> list[Any]:
        """The arguments of a claim about memory: a pointer without a value leads nowhere."""
        found = []
        for argument in arguments:
            place = build.uncast(argument)
            if self._is_pointer(place) and self._may_be_undefined(place):
                bits = build.call("__CSEQ_has_undefined", *self._bytes(place))
                found.append(c_ast.TernaryOp(bits, build.ident("__CSEQ_WILD"), argument))
            else:
                found.append(argument)
        return found

    def _is_pointer(self, place: Any) -> bool:
        if not is_place(place) or not self._is_object(place):
            return False
        return isinstance(self._symbols.resolve(self._symbols.type_of(place)), c_ast.PtrDecl)


class _ByUser(Rewriter):
    """Gives places the names that the user gave them. is_users: whether all of them have such a name."""

    def __init__(self) -> None:
        super().__init__()
        self.is_users = True

    def visit_StructRef(self, node: c_ast.StructRef) -> c_ast.Node:
        if node.type == "->" and isinstance(node.name, c_ast.ID) and node.name.name == FRAME:
            return self._named(node.field.name)
        result: c_ast.Node = super().visit_StructRef(node)
        return result

    def visit_ID(self, node: c_ast.ID) -> c_ast.Node:
        return self._named(node.name)

    def visit_ExprList(self, node: c_ast.ExprList) -> c_ast.Node:
        result: c_ast.Node = self.visit(node.exprs[-1])  # what comes before it is only a check
        return result

    def _named(self, name: str) -> c_ast.ID:
        users = user_name(name)
        self.is_users = self.is_users and users is not None
        return c_ast.ID(users or name)
