"""Declarators of a program with scopes, as declarators in one scope: names, tags and types."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.layout import alignments, has_attribute
from cseq.c.symbols import FLOATS
from cseq.model.errors import InputError, UnsupportedError
from cseq.modules.analysis import variadic
from cseq.modules.frontend.normalise.packed_records import aligned_as_by_gcc, packed, with_gaps
from cseq.modules.frontend.normalise.scoping import Scoping
from cseq.modules.frontend.normalise.variable_arrays import VariableArrays
from cseq.modules.library import lexicon
from cseq.pipeline.translator import Names, rebuilt


class Scopes:
    """The meanings of names and tags in the current scope, and names that are unique in the unit."""

    def __init__(self) -> None:
        self._names = Names(lexicon.known_names())  # a local that has such a name is not what later stages know by it
        self._scopes: list[dict[str, str]] = [{}]
        self._tags: list[dict[str, str]] = [{}]
        self._all_tags: set[str] = set()
        self._refused: dict[str, UnsupportedError] = {}

    @property
    def at_file_level(self) -> bool:
        """Whether no function or parameter list is open."""
        return len(self._scopes) == 1

    @contextmanager
    def scope(self) -> Iterator[None]:
        """A scope, in which names are declared from here on; it ends with the context."""
        self._scopes.append({})
        self._tags.append({})
        try:
            yield
        finally:
            self._scopes.pop()
            self._tags.pop()

    def declare(self, name: str) -> str:
        """Declare *name* in the innermost scope, and return its name in the unit."""
        fresh = self._names.take(name)
        self._scopes[-1][name] = fresh
        return fresh

    def declare_at_file_level(self, name: str) -> None:
        """Declare *name* for the whole unit, under the same name."""
        self._scopes[0][name] = name
        self._names.reserve(name)

    def refuse(self, names: Iterable[str], error: UnsupportedError) -> None:
        """Let *error* be raised where something mentions the file-level meaning of one of *names*.

        Tags are ``struct x``, ``union x`` and ``enum x``.
        """
        for name in names:
            self._refused.setdefault(name, error)
            kind, _, tag = name.partition(" ")
            self._tags[0].setdefault(name, tag) if tag else self.declare_at_file_level(kind)

    def reveal(self, name: str) -> None:
        """Let *name* have its file-level meaning in the innermost scope."""
        self._scopes[-1][name] = name

    def fresh(self, stem: str) -> str:
        """A name of our own."""
        return self._names.take_numbered(stem)

    def lookup(self, name: str) -> str | None:
        """The name in the unit of what *name* means here; None if it is not declared.

        Raises UnsupportedError for what has been refused.
        """
        for scope in reversed(self._scopes):
            if name in scope:
                if name in self._refused and scope[name] == name and name in self._scopes[0]:
                    raise self._refused[name]
                return scope[name]
        return None

    def tag(self, kind: str, name: str | None, defines: bool) -> str:
        """The tag in the unit of ``kind name``, which is declared here if it is defined here or not known yet."""
        if name is None:
            return self.fresh(f"__cs_{kind}")
        key = f"{kind} {name}"
        visible = self._tags[-1:] if defines else reversed(self._tags)
        for scope in visible:
            if key in scope:
                if key in self._refused and scope is self._tags[0]:
                    raise self._refused[key]
                return scope[key]
        tag = name if name not in self._all_tags else self.fresh(f"{name}__cs")
        self._all_tags.add(name)
        self._tags[-1][key] = tag
        return tag


class Declarators:
    """Rewrites types for the normalisation *to*, and lets it emit the types that are defined in them."""

    def __init__(self, to: Scoping, scopes: Scopes, variable: VariableArrays) -> None:
        self._to = to
        self._variable = variable
        self._scopes = scopes
        self._known_records: dict[int, c_ast.Node] = {}
        self._in_prototype = False
        self._enumerations: dict[str, str] = {}
        self.large_enumerators: dict[str, str] = {}  # enumerators of enumerations that are wider than int → their types

    def type(self, node: Any, parameters: bool = False) -> Any:
        """*node* with names replaced, and with the types that it defines moved to file level."""
        match node:
            case c_ast.TypeDecl(type=c_ast.TypeOf()):
                return self._type_of(node)
            case c_ast.TypeDecl():
                self._note_atomic(node)
                inner = self.type(node.type)
                return node if inner is node.type else rebuilt(node, type=inner)
            case c_ast.PtrDecl():
                self._note_atomic(node)
                inner = self.type(node.type, parameters)
                return node if inner is node.type else rebuilt(node, type=inner)
            case c_ast.ArrayDecl():
                dim = self._length(node) if node.dim is not None else None
                return rebuilt(node, type=self.type(node.type), dim=dim)
            case c_ast.FuncDecl():
                return self._function_type(node, parameters)
            case c_ast.IdentifierType():
                if "_Complex" in node.names:
                    raise self._to.unsupported("`_Complex`", node)
                if len(node.names) == 1 and node.names[0] in FLOATS:
                    return c_ast.IdentifierType(FLOATS[node.names[0]].split(), node.coord)
                if node.names == [variadic.BUILTIN_LIST]:
                    self._to.need_variadic()
                    return c_ast.IdentifierType([variadic.LIST_TYPE], node.coord)
                if len(node.names) == 1:
                    name = self._scopes.lookup(node.names[0])
                    if name is not None and name != node.names[0]:
                        return c_ast.IdentifierType([name], node.coord)
                return node
            case c_ast.Struct() | c_ast.Union():
                return self._record(node)
            case c_ast.Enum():
                return self._enum(node)
            case c_ast.Typename():
                return rebuilt(node, type=self.type(node.type))
        raise self._to.unsupported(f"the type `{type(node).__name__}`", node)

    def _length(self, node: c_ast.ArrayDecl) -> c_ast.Node:
        """The length of an array: a number, or a variable with its value where its declaration is reached."""
        if self._in_prototype:
            try:
                value = self._to.symbols.constant_or_none(self._to.visit(node.dim))
            except InputError:  # a parameter of the prototype, or `*`: the length does not matter
                value = None
            return c_ast.ID("*", node.coord) if value is None else build.number(value)
        dim: c_ast.Node = self._to.visit(node.dim)
        value = self._variable.constant(dim)
        if value is None and not self._scopes.at_file_level:
            return self._variable.saved_length(dim)
        return dim if value is None or isinstance(dim, c_ast.Constant) else build.number(value)

    def _note_atomic(self, node: Any) -> None:
        if "_Atomic" in (node.quals or []):
            self._to.atomic_types = True

    def _type_of(self, node: c_ast.TypeDecl) -> c_ast.Node:
        """The type that ``typeof`` names, with the qualifiers next to it."""
        operand = self._to.visit(node.type.expr)
        type_ = self._variable.type_of(operand)
        if type_ is None:
            type_ = operand.type if isinstance(operand, c_ast.Typename) else self._to.symbols.type_of(operand)
        if "unqual" in node.type.op:
            type_ = self._to.symbols.unqualified(type_)
        return build.renamed(qualified(type_, node.quals or []), node.declname)

    def is_inferred(self, node: c_ast.Decl) -> bool:
        """Whether a declaration leaves its type to its initialiser."""
        type_ = node.type.type if isinstance(node.type, c_ast.TypeDecl) else None
        return isinstance(type_, c_ast.InferredType) or (
            isinstance(type_, c_ast.IdentifierType) and type_.names == ["__auto_type"]
        )

    def _function_type(self, node: c_ast.FuncDecl, parameters: bool) -> c_ast.FuncDecl:
        result = self.type(node.type)  # before the parameters, one of which may have the name of a type in it
        with nullcontext() if parameters else self._scopes.scope():
            return rebuilt(node, args=self._parameters(node.args, parameters), type=result)

    def _parameters(self, arguments: c_ast.ParamList | None, parameters: bool) -> c_ast.ParamList | None:
        """The parameters of a function. parameters: they are those of a definition, and declare names."""
        outer, self._in_prototype = self._in_prototype, not parameters
        try:
            return self._all_parameters(arguments, parameters)
        finally:
            self._in_prototype = outer

    def _all_parameters(self, arguments: c_ast.ParamList | None, parameters: bool) -> c_ast.ParamList | None:
        if arguments is not None:
            params: list[c_ast.Node] = []
            for item in arguments.params:
                if isinstance(item, c_ast.ID):
                    raise self._to.unsupported("an old-style function declaration", item)
                if isinstance(item, c_ast.EllipsisParam):
                    params.append(item)
                    continue
                type_ = self._decayed(self.type(_without_length(item.type)))
                name = getattr(item, "name", None)
                if name and parameters:
                    name = self._scopes.declare(name)
                if self._variable.is_variable(type_):
                    if name and parameters:
                        self._variable.declare(name, type_)
                    type_ = self._variable.flat(type_)
                if isinstance(item, c_ast.Decl):
                    params.append(rebuilt(item, name=name, type=build.renamed(type_, name), storage=[]))
                else:
                    params.append(rebuilt(item, type=type_))
            arguments = c_ast.ParamList(params, arguments.coord)
        return arguments

    def _decayed(self, type_: c_ast.Node) -> c_ast.Node:
        """The type of a parameter: arrays and functions become pointers (C11 §6.7.6.3)."""
        resolved = self._to.symbols.resolve(type_)
        if isinstance(resolved, c_ast.ArrayDecl):
            return c_ast.PtrDecl([], resolved.type)
        return c_ast.PtrDecl([], resolved) if isinstance(resolved, c_ast.FuncDecl) else type_

    def _record(self, node: Any) -> c_ast.Node:
        known = self._known_records.get(id(node))
        if known is not None:
            return known
        kind = type(node).__name__.lower()
        tag = self._scopes.tag(kind, node.name, defines=node.decls is not None)
        reference: c_ast.Node = type(node)(tag, None)
        if node.decls is None:
            return reference
        self._known_records[id(node)] = reference
        members = []
        for member in node.decls:
            if isinstance(member, c_ast.StaticAssert):
                continue  # the compiler has checked it
            if not isinstance(member, c_ast.Decl):
                raise self._to.unsupported(f"a {type(member).__name__} in a {kind}", member)
            bits = self._constant(member.bitsize)
            members.append(self._member(member, bits, has_attribute(node, "packed")))
        definition = self._laid_out(rebuilt(node, name=tag, decls=members))
        self._to.emit(c_ast.Decl(None, [], [], [], [], definition, None, None, coord=node.coord))
        return reference

    def _member(self, member: c_ast.Decl, bits: c_ast.Node | None, tight: bool) -> c_ast.Decl:
        if member.name or not isinstance(member.type, (c_ast.Struct, c_ast.Union)):
            type_ = self.type(member.type)
            if self._variable.is_variable(type_):
                raise self._to.unsupported("a variable-length array in a struct", member)
            result = rebuilt(member, type=type_, bitsize=bits, align=self.alignment(member))
            if bits is None:
                result = aligned_as_by_gcc(result, tight, self._to.symbols)
            return result if tight or bits is not None else self._as_on_i386(result)
        # An anonymous member has to keep its definition: C has no other way to write it.
        tight = tight or has_attribute(member.type, "packed")
        inner = [
            self._member(item, self._constant(item.bitsize), tight)
            for item in member.type.decls or []
            if not isinstance(item, c_ast.StaticAssert)
        ]
        record = self._laid_out(rebuilt(member.type, name=None, decls=inner))
        return rebuilt(member, type=record, align=self.alignment(member))

    def _laid_out(self, record: Any) -> Any:
        return with_gaps(packed(record, self._to.symbols), self._to.symbols)

    def _as_on_i386(self, member: c_ast.Decl) -> c_ast.Decl:
        """Mark a member of 8 bytes as aligned to 4 bytes, as in the i386 ABI: CBMC would align it to 8."""
        symbols = self._to.symbols
        element = symbols.resolve(member.type)
        while isinstance(element, c_ast.ArrayDecl):
            if symbols.alignment_of_name(element.type) is not None:
                return member
            element = symbols.resolve(element.type)
        kind = symbols.arithmetic(element)
        asked = member.align or has_attribute(member, "packed") or has_attribute(member, "aligned")
        if symbols.model.pointer == 8 or kind is None or asked or symbols.alignment_of_name(member.type) is not None:
            return member
        if symbols.model.size(kind) <= symbols.model.alignment(kind):
            return member
        four = [c_ast.Attribute("packed", None, None), c_ast.Attribute("aligned", None, "4")]
        return rebuilt(member, attributes=[*(member.attributes or []), c_ast.AttributeSpecifier(four)])

    def _constant(self, node: c_ast.Node | None) -> c_ast.Node | None:
        """A constant in a type: in a function a number, since the type leaves it and the constant may name locals."""
        if node is None:
            return None
        visited: c_ast.Node = self._to.visit(node)
        known = None if self._scopes.at_file_level else self._to.symbols.constant_or_none(visited)
        if known is None or isinstance(visited, c_ast.Constant):
            return visited
        type_ = build.typename(self._to.symbols.value_type(visited))
        return c_ast.Cast(type_, build.number(known), node.coord)

    def alignment(self, node: c_ast.Decl) -> list[c_ast.Node]:
        """The alignment that `_Alignas` asks for in a declaration, as a number."""
        found = [self._to.visit(item.alignment) for item in node.align or []]
        symbols = self._to.symbols
        values = [
            symbols.alignof(item.type) if isinstance(item, c_ast.Typename) else symbols.constant(item) for item in found
        ]
        return [c_ast.Alignas(build.number(max(values)), node.coord)] if any(values) else []

    def alignment_of_object(self, node: c_ast.Decl, type_: c_ast.Node) -> list[c_ast.Node]:
        """The alignment of an object that `_Alignas` or ``aligned`` asks for, where it is more than that of *type_*."""
        symbols = self._to.symbols
        wanted = max(alignments(rebuilt(node, align=self.alignment(node)), symbols), default=0)
        is_more = wanted > 0 and wanted > symbols.alignof(type_)
        return [c_ast.Alignas(build.number(wanted), node.coord)] if is_more else []

    def _enum(self, node: c_ast.Enum) -> c_ast.Node:
        """The integer type that replaces an enumeration: engines do not agree with gcc on its choice."""
        known = self._known_records.get(id(node))
        if known is not None:
            return known
        if node.values is None:
            tag = self._scopes.tag("enum", node.name, defines=False)
            return c_ast.IdentifierType(self._enumerations.get(tag, "unsigned int").split(), node.coord)
        tag = self._scopes.tag("enum", node.name, defines=True)
        items = []
        for item in node.values.enumerators:
            if not isinstance(item, c_ast.Enumerator):
                continue
            value = self._constant(item.value)
            name = item.name if self._scopes.at_file_level else self._scopes.declare(item.name)
            items.append(c_ast.Enumerator(name, value, coord=item.coord))
        definition = c_ast.Enum(tag, c_ast.EnumeratorList(items), None, coord=node.coord)
        self._to.emit(c_ast.Decl(None, [], [], [], [], definition, None, None, coord=node.coord))
        kind = self._underlying([item.name for item in items], has_attribute(node, "packed"))
        self._enumerations[tag] = kind
        reference = self._known_records[id(node)] = c_ast.IdentifierType(kind.split())
        return reference

    def _underlying(self, names: list[str], packed: bool) -> str:
        """The type that gcc gives an enumeration: unsigned where it can be, and an int where that is large enough."""
        values = [self._to.symbols.enumerators[name] for name in names]
        signed = any(value < 0 for value in values)
        bits = max((value.bit_length() if value >= 0 else (-1 - value).bit_length()) + signed for value in values)
        sizes = ["char", "short", "int"] if packed else ["int"]
        wide = "long" if self._to.symbols.model.pointer == 8 else "long long"
        kind = next((size for size in sizes if bits <= 8 * self._to.symbols.model.size(size)), wide)
        kind = kind if signed else f"unsigned {kind}"
        if kind.endswith("long"):
            # In such an enumeration, the enumerators that do not fit in an int have its type.
            small = [name for name in names if -(1 << 31) <= self._to.symbols.enumerators[name] < 1 << 31]
            self.large_enumerators.update(dict.fromkeys(names, kind))
            self.large_enumerators.update(dict.fromkeys(small, "int"))
        return "signed char" if kind == "char" else kind


def _without_length(type_: c_ast.Node) -> c_ast.Node:
    """The type of a parameter: the length of an array does not matter."""
    return rebuilt(type_, dim=None) if isinstance(type_, c_ast.ArrayDecl) else type_


def qualified(type_: c_ast.Node, quals: list[str]) -> c_ast.Node:
    """*type_* with more qualifiers; the qualifiers of an array belong to its elements."""
    if not quals:
        return type_
    if isinstance(type_, c_ast.ArrayDecl):
        return rebuilt(type_, type=qualified(type_.type, quals))
    if isinstance(type_, (c_ast.TypeDecl, c_ast.PtrDecl)):
        return rebuilt(type_, quals=[*dict.fromkeys([*(type_.quals or []), *quals])])
    return type_
