"""The symbol table of a unit, and the types of its expressions (C11 §6.2.5, §6.3, §6.5).

Types are pycparser's own declarator trees (``TypeDecl``, ``PtrDecl``, ``ArrayDecl``, ``FuncDecl``).
After the normalisation each name means one thing in the whole unit, so the table is flat.
"""

from functools import cache
from typing import Any

from pycparser import c_ast

from cseq.c import build, nodes, signatures
from cseq.c.constants import FLOATING, Constants
from cseq.c.datamodel import ILP32, LP64, DataModel
from cseq.c.layout import Field, Layout, alignments, has_attribute
from cseq.c.literals import encoding, integer_value, string_units
from cseq.model.errors import InputError, UnsupportedError
from cseq.model.origin import Origin

__all__ = ["ILP32", "LP64", "DataModel", "Symbols", "basic", "canonical", "pointer_to", "tag_key"]

FLOATS = {
    "_Float32": "float", "_Float64": "double", "_Float32x": "double", "_Float64x": "long double",
    "__float80": "long double",
}  # fmt: skip
"""Other names of the floating types, on x86."""

_RANK = ["_Bool", "char", "short", "int", "long", "long long", "__int128"]
_INT = c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["int"]))
_CHAR = c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(["char"]))
_INT_BITS = 32
_TypeDecl, _IdentifierType = c_ast.TypeDecl, c_ast.IdentifierType
_DECLARING = frozenset({c_ast.Typename, c_ast.Decl})
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})


@cache
def basic(name: str) -> c_ast.TypeDecl:
    """The type with this canonical name, such as ``unsigned long``: one node, since trees never change."""
    return c_ast.TypeDecl(None, [], None, c_ast.IdentifierType(name.split()))


def pointer_to(type_: c_ast.Node) -> c_ast.PtrDecl:
    """The type of pointers to *type_*."""
    return c_ast.PtrDecl([], type_)


def canonical(names: list[str]) -> str:
    """The canonical name of an arithmetic type (or ``void``) from its specifiers in any order."""
    return _canonical(tuple(names))


@cache
def _canonical(names: tuple[str, ...]) -> str:
    words = [FLOATS.get(name, name) for name in names if name not in ("int", "signed", "_Complex")]
    if "char" in words:
        return "unsigned char" if "unsigned" in words else "signed char" if "signed" in names else "char"
    unsigned = "unsigned " if "unsigned" in words else ""
    longs = words.count("long")
    if "long double" in words or "double" in words:
        return "long double" if longs or "double" not in words else "double"
    if longs:
        return unsigned + ("long long" if longs > 1 else "long")
    if "short" in words:
        return unsigned + "short"
    rest = [word for word in words if word != "unsigned"]
    return unsigned + (rest[0] if rest else "int")


class Symbols:
    """The meaning of each name of a unit.

    types:     name → declarator, for objects, functions and parameters.
    functions: name → definition.
    typedefs:  name → declarator.
    tags:      ``struct x``, ``union x`` → its definition.
    enumerators: name → value.
    wide: name of an enumerator whose value int cannot represent → the type of its enumeration, which is its own, too.
    locals:    name declared inside a function → the function's name.
    """

    def __init__(self, tree: c_ast.FileAST, model: DataModel = LP64) -> None:
        self.model = model
        self.types: dict[str, c_ast.Node] = {}
        self.functions: dict[str, c_ast.FuncDef] = {}
        self.typedefs: dict[str, c_ast.Node] = {}
        self.tags: dict[str, c_ast.Node] = {}
        self.enumerators: dict[str, int] = {}
        self.wide: dict[str, str] = {}
        self._enums: dict[str, str] = {}
        self.locals: dict[str, str] = {}
        self.qualified: dict[str, c_ast.Decl] = {}
        self._aligned: dict[str, int] = {}
        self._transparent: set[str] = set()
        self._layout = Layout(self)
        self._constants, self._defined = Constants(self, wraps=True), Constants(self, wraps=False)
        self._literals: dict[tuple[str, str], c_ast.Node] = {}  # the types of literals
        self._usual: dict[tuple[str, str], str] = {}
        for node in tree.ext:
            if isinstance(node, c_ast.FuncDef):
                self._function(node)
            else:
                self.declare(node)

    def _function(self, node: c_ast.FuncDef) -> None:
        name = node.decl.name
        self.functions[name] = node
        self.declare(node.decl)
        parameters = node.decl.type.args
        inside = [*(parameters.params if parameters else []), *(node.body.block_items or [])]
        for item in inside:
            if isinstance(item, c_ast.Decl) and item.name:
                self.declare(item)
                self.locals[item.name] = name

    def declare(self, node: c_ast.Node) -> None:
        """Enter a declaration, with the tags and enumerators that it defines."""
        if isinstance(node, c_ast.Typedef):
            self.typedefs[node.name] = node.type
            aligned = alignments(node, self)
            if aligned:
                self._aligned[node.name] = max(aligned)
            if has_attribute(node, "transparent_union"):
                self._transparent.add(node.name)
        elif isinstance(node, c_ast.Decl):
            if node.name:
                known = self.types.get(node.name)
                # `extern int a[];` must not hide `int a[3];`
                if not (
                    isinstance(known, c_ast.ArrayDecl) and isinstance(node.type, c_ast.ArrayDecl) and not node.type.dim
                ):
                    self.types[node.name] = node.type
                    if not self._is_defined(node):
                        self.qualified[node.name] = node
        else:
            return
        self._tags_of(node.type)

    def _is_defined(self, node: c_ast.Decl) -> bool:
        """Whether *node* only declares an object that a known declaration defines: `extern int x;` after `int x;`."""
        known = self.qualified.get(node.name)
        is_declaration = "extern" in (node.storage or []) and node.init is None
        return is_declaration and known is not None and "extern" not in (known.storage or [])

    def _tags_of(self, node: c_ast.Node) -> None:
        while isinstance(node, (c_ast.TypeDecl, c_ast.PtrDecl, c_ast.ArrayDecl, c_ast.FuncDecl)):
            node = node.type
        if isinstance(node, (c_ast.Struct, c_ast.Union)) and node.decls is not None:
            self.tags[tag_key(node)] = node
            for member in node.decls:
                if isinstance(member, c_ast.Decl):
                    self._tags_of(member.type)
        elif isinstance(node, c_ast.Enum) and node.values is not None:
            value = -1
            for item in node.values.enumerators:
                value = self.constant(item.value) if item.value is not None else value + 1
                self.enumerators[item.name] = value
            kind = self._enum_kind(node)
            for item in node.values.enumerators:
                if not -(1 << _INT_BITS - 1) <= self.enumerators[item.name] < 1 << _INT_BITS - 1:
                    self.wide[item.name] = kind
            if node.name:
                self._enums[node.name] = kind

    def _enum_kind(self, node: c_ast.Enum) -> str:
        """The integer type that GCC and clang choose for an enumeration: unsigned if no value is negative."""
        values = [self.enumerators.get(item.name, 0) for item in node.values.enumerators]
        wide = "int" if min(values) >= -(1 << 31) and max(values) < 1 << (32 if min(values) >= 0 else 31) else "long"
        return f"unsigned {wide}" if min(values) >= 0 else wide

    # Types

    def resolve(self, type_: c_ast.Node) -> c_ast.Node:
        """*type_* with typedef names at the top replaced, so that the declarator shows the kind of type."""
        found: Any = type_
        kind: type = found.__class__
        if kind in _DECLARING:
            found = found.type
        while found.__class__ is _TypeDecl and found.type.__class__ is _IdentifierType:
            names = found.type.names
            meant = self.typedefs.get(names[0]) if len(names) == 1 else None
            if meant is None:
                break
            found = meant
        resolved: c_ast.Node = found
        return resolved

    def is_object(self, name: str) -> bool:
        """Whether *name* is declared, and is no function."""
        type_ = self.types.get(name)
        return type_ is not None and not isinstance(self.resolve(type_), c_ast.FuncDecl)

    def is_array(self, type_: c_ast.Node) -> bool:
        """Whether *type_* is an array type."""
        return isinstance(self.resolve(type_), c_ast.ArrayDecl)

    def is_pointer(self, type_: c_ast.Node) -> bool:
        """Whether *type_* is a pointer type, or an array that decays to one."""
        return isinstance(self.resolve(type_), (c_ast.PtrDecl, c_ast.ArrayDecl, c_ast.FuncDecl))

    def record(self, type_: c_ast.Node) -> c_ast.Node | None:
        """The definition of the struct or union type *type_*; None for other types."""
        type_ = self.resolve(type_)
        if isinstance(type_, c_ast.TypeDecl) and isinstance(type_.type, (c_ast.Struct, c_ast.Union)):
            definition: c_ast.Node = type_.type
            return definition if type_.type.decls is not None else self.tags.get(tag_key(definition), definition)
        return None

    def arithmetic(self, type_: c_ast.Node) -> str | None:
        """The canonical name of an arithmetic type or ``void``; None for other types."""
        type_ = self.resolve(type_)
        if isinstance(type_, c_ast.TypeDecl):
            if isinstance(type_.type, c_ast.IdentifierType):
                return canonical(type_.type.names)
            if isinstance(type_.type, c_ast.Enum):
                return self._enum_kind(type_.type) if type_.type.values else self._enums.get(type_.type.name, "int")
        return None

    def is_void(self, type_: c_ast.Node) -> bool:
        """Whether *type_* is void."""
        return self.arithmetic(type_) == "void"

    def is_const(self, type_: c_ast.Node) -> bool:
        """Whether an object of *type_* cannot change: const-qualified, or an array of such."""
        while True:
            if "const" in (getattr(type_, "quals", None) or []):
                return True
            if isinstance(type_, c_ast.ArrayDecl):
                type_ = type_.type
            elif isinstance(type_, c_ast.TypeDecl) and isinstance(type_.type, c_ast.IdentifierType):
                names = type_.type.names
                if len(names) != 1 or names[0] not in self.typedefs:
                    return False
                type_ = self.typedefs[names[0]]
            else:
                return False

    def is_atomic(self, type_: c_ast.Node) -> bool:
        """Whether an object of *type_* is ``_Atomic``."""
        while True:
            if "_Atomic" in (getattr(type_, "quals", None) or []):
                return True
            if not isinstance(type_, c_ast.TypeDecl) or not isinstance(type_.type, c_ast.IdentifierType):
                return False
            names = type_.type.names
            if len(names) != 1 or names[0] not in self.typedefs:
                return False
            type_ = self.typedefs[names[0]]

    def unqualified(self, type_: c_ast.Node) -> c_ast.Node:
        """*type_*, spelled out where a typedef name would make the declared object constant."""
        if not self.is_const(type_):
            return type_
        resolved = self.resolve(type_)
        if isinstance(resolved, c_ast.ArrayDecl):
            return c_ast.ArrayDecl(self.unqualified(resolved.type), resolved.dim, resolved.dim_quals)
        plain: c_ast.Node = build.declare("_", resolved).type  # which drops its own qualifiers
        return plain

    def spelled(self, type_: c_ast.Node) -> str:
        """A text for *type_*, without qualifiers, that is the same for compatible types."""
        type_ = self.resolve(type_)
        if isinstance(type_, c_ast.PtrDecl):
            return f"{self.spelled(type_.type)} *"
        if isinstance(type_, c_ast.ArrayDecl):
            return f"{self.spelled(type_.type)} []"
        if isinstance(type_, c_ast.FuncDecl):
            return f"{self.spelled(type_.type)} ({', '.join(self.parameters(type_))})"
        return self.arithmetic(type_) or tag_key(type_.type)  # type: ignore[attr-defined]

    def parameters(self, type_: c_ast.FuncDecl) -> list[str]:
        """The types of the parameters of a function type, spelled out."""
        params = type_.args.params if type_.args else []
        if any(isinstance(part, c_ast.EllipsisParam) for part in params):
            return [*(self.spelled(part.type) for part in params if not isinstance(part, c_ast.EllipsisParam)), "..."]
        texts = [self.spelled(part.type) for part in params]
        return [] if texts == ["void"] else texts

    def bit_field(self, node: c_ast.Node) -> c_ast.Decl | None:
        """The declaration of the bit-field that the lvalue *node* is; None for other lvalues."""
        if not isinstance(node, c_ast.StructRef):
            return None
        base = self.type_of(node.name)
        member = self.member(self.element(base) if node.type == "->" else base, node.field.name, node.coord)
        return member if member.bitsize is not None else None

    def element(self, type_: c_ast.Node, origin: Origin | None = None) -> c_ast.Node:
        """The element type of an array, the type that a pointer points to, or the return type of a function."""
        type_ = self.resolve(type_)
        if isinstance(type_, (c_ast.PtrDecl, c_ast.ArrayDecl)):
            inner: c_ast.Node = type_.type
            return inner
        if isinstance(type_, c_ast.FuncDecl):
            return type_
        raise InputError("a value that is not a pointer is dereferenced", origin)

    def parts(self, record: c_ast.Node) -> list[tuple[str | None, c_ast.Node, c_ast.Decl]]:
        """The members of a struct or union as declared: name (None for an anonymous record), type, declaration."""
        found: list[tuple[str | None, c_ast.Node, c_ast.Decl]] = []
        for member in getattr(record, "decls", None) or []:
            if isinstance(member, c_ast.Decl) and member.name:
                found.append((member.name, member.type, member))
            elif isinstance(member, c_ast.Decl) and isinstance(member.type, (c_ast.Struct, c_ast.Union)):
                found.append((None, c_ast.TypeDecl(None, [], None, member.type), member))
        return found

    def members(self, record: c_ast.Node) -> list[c_ast.Decl]:
        """The named members of a struct or union, including those of anonymous members, in order."""
        found: list[c_ast.Decl] = []
        for name, type_, declaration in self.parts(record):
            inner = self.record(type_) if name is None else None
            found.extend([declaration] if inner is None else self.members(inner))
        return found

    def members_of(self, type_: c_ast.Node) -> list[c_ast.Decl]:
        """The named members of the type *type_*; none if it is not a struct or union."""
        record = self.record(type_)
        return self.members(record) if record is not None else []

    def member(self, type_: c_ast.Node, name: str, origin: Origin | None = None) -> c_ast.Decl:
        """The declaration of the member *name* of a struct or union type."""
        record = self.record(type_)
        for member in self.members(record) if record is not None else []:
            if member.name == name:
                return member
        raise InputError(f"no member named `{name}` in this value", origin)

    # Sizes and constants

    def sizeof(self, type_: c_ast.Node) -> int:
        """The size of *type_* in bytes."""
        return self._layout.sizeof(type_)

    def alignof(self, type_: c_ast.Node) -> int:
        """The alignment of *type_* in bytes."""
        return self._layout.alignof(type_)

    def preferred(self, type_: c_ast.Node) -> int:
        """The value of ``__alignof__``: how the compiler aligns objects of *type_* outside structs, in bytes."""
        alignment = self.alignof(type_)
        kind = self.arithmetic(type_)
        return max(alignment, 8) if kind is not None and self.model.size(kind) == 8 else alignment

    def offset(self, record: c_ast.Node, name: str, origin: Origin | None = None) -> int:
        """The offset of the member *name* in a struct or union type, in bytes."""
        return self._layout.offset(record, name, origin)[0]

    def fields(self, record: c_ast.Node) -> list[Field]:
        """The members of a struct or union type and their positions."""
        return self._layout.fields(record)

    def asked_alignment(self, place: c_ast.Node) -> int:
        """The alignment that the declaration of the object or member *place* asks for; 0 if it asks for none."""
        declaration: c_ast.Decl | None = None
        if isinstance(place, c_ast.ID):
            declaration = self.qualified.get(place.name)
        elif isinstance(place, c_ast.StructRef):
            of = self.type_of(place.name)
            declaration = self.member(self.element(of) if place.type == "->" else of, place.field.name, place.coord)
        return max(alignments(declaration, self), default=0) if declaration is not None else 0

    def alignment_of_name(self, type_: c_ast.Node) -> int | None:
        """The alignment that a typedef name in *type_* asks for; None if none does."""
        while isinstance(type_, c_ast.TypeDecl) and isinstance(type_.type, c_ast.IdentifierType):
            name = type_.type.names[0]
            if len(type_.type.names) != 1 or name not in self.typedefs:
                break
            if name in self._aligned:
                return self._aligned[name]
            type_ = self.typedefs[name]
        return None

    def is_transparent(self, type_: c_ast.Node) -> bool:
        """Whether *type_* is a union of GNU C that a parameter has for any of its members."""
        record = self.record(type_)
        if not isinstance(record, c_ast.Union):
            return False
        names = getattr(getattr(type_, "type", None), "names", [""])
        return names[0] in self._transparent or has_attribute(record, "transparent_union")

    def length(self, array: c_ast.ArrayDecl) -> int:
        """The number of elements of an array type."""
        if array.dim is None:
            raise UnsupportedError("an array whose length is not known here", array.coord)
        return self.constant(array.dim)

    def is_variable(self, type_: c_ast.Node) -> bool:
        """Whether *type_* is an array type whose size is known only at run time."""
        type_ = self.resolve(type_)
        if not isinstance(type_, c_ast.ArrayDecl) or type_.dim is None:
            return False
        return self._constants.integer(type_.dim) is None or self.is_variable(type_.type)

    def constant(self, node: c_ast.Node) -> int:
        """The value of an integer constant expression. Raises UnsupportedError for other expressions.

        For where C needs a constant: results that do not fit wrap around, as in gcc.
        """
        value = self._constants.integer(node)
        if value is None:
            raise UnsupportedError("an expression that must be constant here is not", node.coord)
        return value

    def constant_or_none(self, node: c_ast.Node | None) -> int | None:
        """The value of an integer constant expression, or None.

        An expression that overflows is none: who evaluates it instead of the program would hide that.
        """
        return self._defined.integer(node)

    def floating_constant(self, node: c_ast.Node) -> float | None:
        """The value of a constant expression of an arithmetic type, rounded to a double; or None."""
        return self._constants.floating(node)

    # Expressions

    def type_of(self, node: c_ast.Node) -> c_ast.Node:
        """The type of an expression. Raises InputError, with its place, if it has none."""
        match node:
            case c_ast.ID():
                if node.name in self.types:
                    return self.types[node.name]
                if node.name in self.enumerators:
                    return basic(self.wide[node.name]) if node.name in self.wide else _INT
                raise InputError(f"`{node.name}` is not declared", node.coord)
            case c_ast.Constant():
                literal = (node.type, node.value)
                if (found := self._literals.get(literal)) is None:
                    found = self._literals[literal] = self._constant_type(node)
                return found
            case c_ast.UnaryOp():
                return self._unary_type(node)
            case c_ast.BinaryOp():
                return self._binary_type(node)
            case c_ast.Assignment():
                return self.type_of(node.lvalue)
            case c_ast.TernaryOp():
                return self._conditional_type(node)
            case c_ast.Cast() | c_ast.CompoundLiteral():
                type_: c_ast.Node = (node.to_type if isinstance(node, c_ast.Cast) else node.type).type
                return type_
            case c_ast.FuncCall():
                known = signatures.type_of_call(self, node)
                if known is not None:
                    return known
                type_ = self.resolve(self.type_of(node.name))
                if isinstance(type_, c_ast.PtrDecl):
                    type_ = self.resolve(type_.type)
                if not isinstance(type_, c_ast.FuncDecl):
                    raise InputError("something that is not a function is called", node.coord)
                returned: c_ast.Node = type_.type
                return returned
            case c_ast.ArrayRef():
                base = self.type_of(node.name)
                return self.element(base if self.is_pointer(base) else self.type_of(node.subscript), node.coord)
            case c_ast.StructRef():
                base = self.type_of(node.name)
                member = self.member(
                    self.element(base, node.coord) if node.type == "->" else base, node.field.name, node.coord
                )
                if member.bitsize is not None and self.constant(member.bitsize) < _INT_BITS:
                    return _INT  # what a narrow bit-field promotes to; it can hold all its values
                declared: c_ast.Node = member.type
                return declared
            case c_ast.ExprList():
                return self.type_of(node.exprs[-1])
            case nodes.StatementExpression():
                value = nodes.value_of(node)
                return basic("void") if value is None else self.value_type(value)
        raise UnsupportedError(f"an expression of kind {type(node).__name__}", node.coord)

    def value_type(self, node: c_ast.Node) -> c_ast.Node:
        """The type of an expression's value: arrays and functions decay to pointers."""
        type_ = self.type_of(node)
        resolved = self.resolve(type_)
        if isinstance(resolved, c_ast.ArrayDecl):
            return pointer_to(resolved.type)
        if isinstance(resolved, c_ast.FuncDecl):
            return pointer_to(resolved)
        return type_

    def character(self, literal: c_ast.Constant) -> c_ast.Node:
        """The type of the elements of a string literal, or of a character constant with a prefix."""
        wide = "int" if self.model.pointer == 8 else "long"
        kinds = {"L": wide, "u": "unsigned short", "U": "unsigned int", "u8": "char"}
        kind = kinds.get(encoding(literal.value))
        if literal.type == "char" and kind == "char":
            kind = "unsigned char"
        return _CHAR if kind is None else basic(kind)

    def unqualified_value(self, node: c_ast.Node) -> c_ast.Node:
        """The type of an expression's value: an lvalue's qualifiers are not part of it (C11 §6.3.2.1)."""
        type_ = self.value_type(node)
        plain: c_ast.Node = build.renamed(build.declare("_", self.unqualified(type_)).type, None)
        if isinstance(plain, c_ast.TypeDecl):
            return c_ast.TypeDecl(None, [], None, plain.type)
        return c_ast.PtrDecl([], plain.type) if isinstance(plain, c_ast.PtrDecl) else plain

    def _constant_type(self, node: c_ast.Constant) -> c_ast.Node:
        if node.type == "string":
            return c_ast.ArrayDecl(self.character(node), build.number(len(string_units(node.value)) + 1), [])
        if node.type == "char":
            return self.character(node) if encoding(node.value) else _INT
        if node.type in FLOATING:
            return basic(node.type)
        value = integer_value(node.value)
        suffix = (
            node.value.lower().lstrip("0123456789abcdefx")
            if not node.value.lower().startswith("0x")
            else (node.value.lower().lstrip("0x").lstrip("0123456789abcdef"))
        )
        unsigned = "u" in suffix
        decimal = not node.value.startswith("0")
        first = 2 if "ll" in suffix else 1 if "l" in suffix else 0
        for name in ("int", "long", "long long")[first:]:
            bits = 8 * self.model.size(name)
            if not unsigned and value < 1 << (bits - 1):
                return basic(name)
            if (unsigned or not decimal) and value < 1 << bits:
                return basic("unsigned " + name)
        return basic("unsigned long long")

    def _unary_type(self, node: c_ast.UnaryOp) -> c_ast.Node:
        match node.op:
            case "&":
                return pointer_to(self.type_of(node.expr))
            case "*":
                return self.element(self.type_of(node.expr), node.coord)
            case "!":
                return _INT
            case "sizeof" | "_Alignof":
                return basic("unsigned long")
            case "-" | "+" | "~":
                return self._promoted(self.type_of(node.expr))
        return self.type_of(node.expr)

    def _binary_type(self, node: c_ast.BinaryOp) -> c_ast.Node:
        if node.op in _COMPARISONS:
            return _INT
        left = self.value_type(node.left)
        if node.op in ("<<", ">>"):
            return self._promoted(left)
        right = self.value_type(node.right)
        if self.is_pointer(left):
            return basic("long") if node.op == "-" and self.is_pointer(right) else left
        return right if self.is_pointer(right) else self.usual(left, right)

    def _conditional_type(self, node: c_ast.TernaryOp) -> c_ast.Node:
        left, right = self.value_type(node.iftrue), self.value_type(node.iffalse)
        if self.is_pointer(left) and self.is_pointer(right):
            if self._is_null(node.iftrue):
                return right
            void = self.is_void(self.element(right)) and not self._is_null(node.iffalse)
            return right if void else left
        if self.is_pointer(left) or self.is_pointer(right):
            return left if self.is_pointer(left) else right
        return left if self.record(left) is not None or self.is_void(left) else self.usual(left, right)

    def _is_null(self, node: c_ast.Node) -> bool:
        """Whether *node* is a null pointer constant (C11 §6.3.2.3)."""
        if isinstance(node, c_ast.Cast):
            to = self.resolve(node.to_type)
            if not (isinstance(to, c_ast.PtrDecl) and self.is_void(to.type)):
                return False
            node = node.expr
        return self.constant_or_none(node) == 0

    def _promoted(self, type_: c_ast.Node) -> c_ast.Node:
        name = self.arithmetic(type_)
        return type_ if name is None else basic(_promoted(name))

    def usual(self, left: c_ast.Node, right: c_ast.Node) -> c_ast.Node:
        """The usual arithmetic conversions (C11 §6.3.1.8)."""
        return basic(self.common(self.arithmetic(left) or "int", self.arithmetic(right) or "int"))

    def common(self, left: str, right: str) -> str:
        """The name of the type that values of the arithmetic types *left* and *right* are converted to."""
        if (found := self._usual.get((left, right))) is None:
            found = self._usual[left, right] = self._converted(_promoted(left), _promoted(right))
        return found

    def _converted(self, *names: str) -> str:
        for floating in reversed(FLOATING):
            if floating in names:
                return floating
        bases = [name.removeprefix("unsigned ") for name in names]
        high, low = (0, 1) if _RANK.index(bases[0]) >= _RANK.index(bases[1]) else (1, 0)
        if bases[0] == bases[1]:
            return "unsigned " + bases[0] if any(name.startswith("unsigned") for name in names) else bases[0]
        if names[low].startswith("unsigned") and not names[high].startswith("unsigned"):
            wider = self.model.size(bases[high]) > self.model.size(bases[low])
            return bases[high] if wider else "unsigned " + bases[high]
        return names[high]


def _promoted(name: str) -> str:
    """The name of the type that the integer promotions make of the arithmetic type *name* (C11 §6.3.1.1)."""
    base = name.removeprefix("unsigned ").removeprefix("signed ")
    return "int" if base in ("_Bool", "char", "short") else name


def tag_key(record: Any) -> str:
    """``struct x`` or ``union x``."""
    return f"{type(record).__name__.lower()} {record.name}"
