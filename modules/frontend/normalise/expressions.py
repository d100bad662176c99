"""Expressions of a program with scopes, as expressions of standard C in one scope: the scoper's base."""

import re
from contextlib import suppress
from typing import Any

from pycparser import c_ast

from cseq.c import build, nodes
from cseq.c.compatible import compatible
from cseq.c.symbols import FLOATS, Symbols, basic, pointer_to
from cseq.model.errors import InputError
from cseq.modules.analysis import variadic
from cseq.modules.analysis.initializers import initialised, length_of
from cseq.modules.frontend.normalise.builtins import Builtins
from cseq.modules.frontend.normalise.declarators import Declarators, Scopes
from cseq.modules.frontend.normalise.system_initializers import own_initialiser
from cseq.modules.frontend.normalise.variable_arrays import VariableArrays
from cseq.modules.library import lexicon
from cseq.modules.library.headers import INITIAL
from cseq.pipeline.facts import Fact, Gives, Uses
from cseq.pipeline.stage import Context
from cseq.pipeline.translator import Translator, rebuilt

ATOMIC_TYPES = Fact[bool]("atomic_types")
"""Whether any type of the program is `_Atomic`."""


class Expressions(Translator):
    """Replaces names and types in expressions and initialisers, and expands what exists only in GNU C or C11.

    What an expression needs in addition goes to file level, or to the declarations of the function.
    """

    initial = Uses(INITIAL, dict[str, dict[int, c_ast.Node]]())
    atomic_types = Gives(ATOMIC_TYPES)

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._scopes = Scopes()
        self._function_name = ""
        self._output: list[c_ast.Node] = []
        self._declarations: list[c_ast.Node] = []
        self._definitions: set[str] = set()
        self._in_static = False
        self._sized: dict[str, c_ast.Node] = {}  # objects with elements of a flexible array member → their addresses
        self.symbols = Symbols(c_ast.FileAST([]), context.model)
        self._builtins = Builtins(self)
        self.variable = VariableArrays(self)
        self._declarators = Declarators(self, self._scopes, self.variable)

    def emit(self, node: c_ast.Node) -> None:
        """Add a declaration at file level, before the one that is being visited."""
        self.symbols.declare(node)
        self._output.append(node)

    def need_variadic(self) -> None:
        """Declare what variadic functions need, once."""
        if variadic.LIST_TYPE not in self.symbols.typedefs:
            for node in variadic.declarations():
                self.emit(node)

    def visit_ID(self, node: c_ast.ID) -> c_ast.Node:
        name = self._scopes.lookup(node.name)
        if name is None:
            if node.name in ("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"):
                return c_ast.Constant("string", f'"{self._function_name}"', node.coord)
            if node.name.startswith("__CSEQ_"):
                return node
            raise InputError(f"`{node.name}` is not declared", node.coord)
        if name in self._declarators.large_enumerators:
            return self._large_enumerator(name)
        if name in self._sized:
            return c_ast.UnaryOp("*", self._sized[name], node.coord)
        return node if name == node.name else c_ast.ID(name, node.coord)

    def _large_enumerator(self, name: str) -> c_ast.Node:
        value = build.number(self.symbols.enumerators[name])
        kind = self._declarators.large_enumerators[name]
        return value if kind == "int" else c_ast.Cast(build.typename(basic(kind)), value)

    def declare_function(self, declaration: c_ast.Decl) -> None:
        """Declare a function before what is being visited, unless it is declared."""
        if declaration.name not in self.symbols.types:
            self._scopes.declare_at_file_level(declaration.name)
            self.emit(declaration)

    def temporary(self, type_: c_ast.Node, stem: str = "__cs_value") -> c_ast.ID:
        """A new local variable of our own."""
        name = self._scopes.fresh(stem)
        decl = build.declare(name, self.symbols.unqualified(type_))
        self.symbols.declare(decl)
        self._declarations.append(decl)
        return build.ident(name)

    def visit_Constant(self, node: c_ast.Constant) -> c_ast.Constant:
        """Write a constant of a type that has another name as one of the standard type: ``1.5f64`` is ``1.5``."""
        if node.type not in FLOATS:
            return node
        kind = FLOATS[node.type]
        digits = re.sub(r"(?i)(f32x?|f64x?|w)$", "", node.value)
        return c_ast.Constant(kind, digits + {"float": "f", "long double": "L"}.get(kind, ""), node.coord)

    def visit_FuncCall(self, node: c_ast.FuncCall) -> c_ast.Node:
        """Allow a call of an undeclared function; later stages find out whether we know it."""
        builtin = self._builtins.call(node)
        if builtin is not None:
            return builtin
        known = not isinstance(node.name, c_ast.ID) or self._scopes.lookup(node.name.name) is not None
        if not known:
            if (declared := self._builtins.plain(node.name.name, node)) is not None:
                return declared
            self._declare_nondet(node.name.name)
        name = self.visit(node.name) if known else node.name
        if isinstance(name, c_ast.ID) and name.name in self._definitions and name.name not in self.symbols.types:
            self.declare_function(_implicit(name.name))
        args = self._passed(name, self.visit(node.args)) if node.args is not None else None
        call = node if name is node.name and args is node.args else rebuilt(node, name=name, args=args)
        return self.variable.arguments(call)

    def _passed(self, function: c_ast.Node, args: c_ast.ExprList) -> c_ast.ExprList:
        """Arguments as *function* takes them: where a parameter is a transparent union, such a union.

        The models of library functions, such as `accept`, take the pointer itself.
        """
        symbols = self.symbols
        if isinstance(function, c_ast.ID):
            is_model = function.name in lexicon.known_names() and function.name not in self._definitions
            if is_model or function.name not in symbols.types:
                return args
        type_: Any = symbols.resolve(symbols.type_of(function))
        type_ = symbols.resolve(type_.type) if isinstance(type_, c_ast.PtrDecl) else type_
        if not isinstance(type_, c_ast.FuncDecl) or type_.args is None:
            return args
        values = list(args.exprs)
        for at, (value, parameter) in enumerate(zip(values, type_.args.params, strict=False)):
            wanted = getattr(parameter, "type", None)
            if wanted is None or not symbols.is_transparent(wanted) or symbols.record(symbols.value_type(value)):
                continue
            values[at] = self._in_union(value, wanted)
        return args if all(a is b for a, b in zip(values, args.exprs, strict=True)) else rebuilt(args, exprs=values)

    def _in_union(self, value: c_ast.Node, type_: c_ast.Node) -> c_ast.Node:
        """*value* as a union of *type_*: that of the first member of its type, or else of its kind."""
        members, given = self.symbols.members_of(type_), self.symbols.value_type(value)
        same = [member for member in members if self.symbols.spelled(member.type) == self.symbols.spelled(given)]
        alike = [member for member in members if self.symbols.is_pointer(member.type)]
        member = [*same, *alike, *members][0]
        union = self.temporary(type_)
        part = c_ast.StructRef(union, ".", c_ast.ID(member.name))
        return c_ast.ExprList([build.assign(part, value, value.coord), union], value.coord)

    def _declare_nondet(self, name: str) -> None:
        """Declare one of SV-COMP's functions for nondeterministic values with its type, if the program does not."""
        with suppress(KeyError):  # there is no such kind: the three-address stage reports it
            kind = lexicon.nondet_kind(name)
            if kind is not None:
                returned = basic(lexicon.NONDET_TYPES[kind].removesuffix(" *"))
                type_ = pointer_to(returned) if kind == "pointer" else returned
                self.declare_function(build.declare(name, c_ast.FuncDecl(None, build.renamed(type_, name))))

    def visit_OmittedConditional(self, node: nodes.OmittedConditional) -> c_ast.Node:
        cond, otherwise = self.visit(node.cond), self.visit(node.otherwise)
        known = self.symbols.constant_or_none(cond)
        if known is not None:
            chosen: c_ast.Node = cond if known else otherwise
            return chosen
        value = self.temporary(self.symbols.value_type(cond))
        either = c_ast.TernaryOp(value, value, otherwise, node.coord)
        return c_ast.ExprList([build.assign(value, cond, node.coord), either], node.coord)

    def visit_GenericSelection(self, node: c_ast.GenericSelection) -> Any:
        """The association for the type of the value (C11 §6.5.1.1); the other associations are not visited."""
        type_ = self.symbols.unqualified_value(self.visit(node.expr))
        default = None
        for item in node.associations:
            if item.type is None:
                default = item
            elif compatible(self.symbols, type_, self.visit(item.type)):
                return self.visit(item.expr)
        if default is None:
            raise InputError("no association of `_Generic` has the type of its expression", node.coord)
        return self.visit(default.expr)

    def visit_Typename(self, node: c_ast.Typename) -> c_ast.Typename:
        type_ = self._declarators.type(node.type)
        if not self.variable.is_variable(type_):
            return rebuilt(node, type=type_)
        flat = rebuilt(node, type=build.renamed(self.variable.flat(type_), None))
        return self.variable.marked(flat, type_)  # type: ignore[no-any-return]

    def visit_ArrayRef(self, node: c_ast.ArrayRef) -> c_ast.Node:
        return self.variable.subscript(self.generic_visit(node))

    def visit_BinaryOp(self, node: c_ast.BinaryOp) -> c_ast.Node:
        return self.variable.binary(self.generic_visit(node))

    def visit_Assignment(self, node: c_ast.Assignment) -> c_ast.Node:
        return self.variable.assignment(self.generic_visit(node))

    def visit_TernaryOp(self, node: c_ast.TernaryOp) -> c_ast.Node:
        new: c_ast.TernaryOp = self.generic_visit(node)
        type_ = self.variable.type_of(new.iftrue) or self.variable.type_of(new.iffalse)
        return self.variable.marked(new, type_)  # type: ignore[no-any-return]

    def visit_Cast(self, node: c_ast.Cast) -> c_ast.Node:
        cast = self.generic_visit(node)
        return self._with_lengths(self.variable.marked(cast, self.variable.type_of(cast.to_type)))

    def _with_lengths(self, node: c_ast.Node) -> c_ast.Node:
        """The expression after the evaluation of the lengths in its types."""
        lengths = self.variable.taken()
        return c_ast.ExprList([*lengths, node], node.coord) if lengths else node

    def visit_InitList(self, node: c_ast.InitList) -> c_ast.InitList:
        """The values in braces, with one for each element of a range ``[first ... last]``."""
        values = [single for item in node.exprs for single in self._singles(self.visit(self._plain(item)))]
        same = len(values) == len(node.exprs) and all(a is b for a, b in zip(values, node.exprs, strict=True))
        return node if same else rebuilt(node, exprs=values)

    def _singles(self, item: c_ast.Node) -> list[c_ast.Node]:
        names = item.name if isinstance(item, c_ast.NamedInitializer) else []
        ranges = [at for at, name in enumerate(names) if isinstance(getattr(name, "expr", None), nodes.CaseRange)]
        if not ranges:
            return [item]
        at, found = ranges[0], names[ranges[0]].expr
        first, last = self.symbols.constant(found.first), self.symbols.constant(found.last)
        values = self._repeated(item.expr, last - first + 1)  # type: ignore[attr-defined]
        items = []
        for index, value in enumerate(values, first):
            designators = [*names[:at], c_ast.ArrayDesignator(build.number(index)), *names[at + 1 :]]
            items += self._singles(c_ast.NamedInitializer(designators, value, item.coord))
        return items

    def _repeated(self, value: c_ast.Node, count: int) -> list[c_ast.Node]:
        """*value* repeated *count* times, but evaluated once."""
        if isinstance(value, (c_ast.InitList, c_ast.Constant, c_ast.ID)) or self._scopes.at_file_level:
            return [value] * count
        if self.symbols.constant_or_none(value) is not None:
            return [value] * count
        saved = self.temporary(self.symbols.value_type(value))
        return [c_ast.ExprList([build.assign(saved, value), saved], value.coord), *[saved] * (count - 1)]

    def visit_NamedInitializer(self, node: c_ast.NamedInitializer) -> c_ast.NamedInitializer:
        names = [item if isinstance(item, c_ast.ID) else self.visit(item) for item in node.name]
        return c_ast.NamedInitializer(names, self.visit(self._plain(node.expr)), node.coord)

    def visit_CompoundLiteral(self, node: c_ast.CompoundLiteral) -> c_ast.Node:
        name = self._scopes.fresh("__cs_literal")
        type_ = self._declarators.type(node.type.type)
        init = self._initialiser(type_, node.init) or node.init
        type_ = build.renamed(self._completed(type_, init), name)
        if self._is_static:
            self.emit(c_ast.Decl(name, [], [], ["static"], [], type_, init, None, coord=node.coord))
            return c_ast.ID(name, node.coord)
        decl = build.declare(name, type_, node.coord)
        self.symbols.declare(decl)
        self._declarations.append(decl)
        target = c_ast.ID(name, node.coord)
        return c_ast.ExprList([*initialised(self.symbols, target, decl.type, init, node.coord), target], node.coord)

    def _is_one_byte(self, expr: c_ast.Node) -> bool:
        """Whether *expr* has a size only in GNU C: it is a function, or of type void."""
        if isinstance(expr, (c_ast.Constant, c_ast.BinaryOp)):
            return False
        type_ = self.symbols.resolve(expr.type if isinstance(expr, c_ast.Typename) else self.symbols.type_of(expr))
        return isinstance(type_, c_ast.FuncDecl) or self.symbols.is_void(type_)

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> c_ast.Node:
        expr = self.visit(node.expr)
        if node.op in ("__alignof__", "_Alignof"):  # engines have their own ideas of alignments
            type_ = expr.type if isinstance(expr, c_ast.Typename) else self.symbols.type_of(expr)
            value = self.symbols.preferred(type_) if node.op == "__alignof__" else self.symbols.alignof(type_)
            value = max(value, self.symbols.asked_alignment(expr))
            return c_ast.Cast(build.typename(basic("unsigned long")), build.number(value))
        if node.op == "sizeof" and isinstance(expr, nodes.StatementExpression):
            expr = build.typename(self.symbols.type_of(expr))  # it is not evaluated
        if node.op == "sizeof" and isinstance(node.expr, c_ast.CompoundLiteral) and isinstance(expr, c_ast.ExprList):
            expr = expr.exprs[-1]
        if node.op == "&" and isinstance(node.expr, c_ast.CompoundLiteral) and isinstance(expr, c_ast.ExprList):
            return c_ast.ExprList([*expr.exprs[:-1], c_ast.UnaryOp("&", expr.exprs[-1], node.coord)], node.coord)
        if node.op == "sizeof" and self._is_one_byte(expr):
            return c_ast.Cast(build.typename(basic("unsigned long")), build.number(1))
        if node.op == "&" and isinstance(node.expr, c_ast.ID) and isinstance(expr, c_ast.UnaryOp):
            address: c_ast.Node = expr.expr  # of an object with elements of a flexible array member
            return address
        result = self.variable.unary(node if expr is node.expr else rebuilt(node, expr=expr))
        return self._with_lengths(result) if isinstance(expr, c_ast.Typename) else result

    # Initialisers

    def _initialiser(self, type_: c_ast.Node, init: c_ast.Node | None) -> c_ast.Node | None:
        """*init* with names replaced, and with our initialisers for objects of threads instead of the system's."""
        visited = self.visit(self._plain(init)) if init is not None else None
        if isinstance(visited, c_ast.InitList) and self._has_flexible(type_):
            last = [*self.symbols.members_of(type_)][-1:]
            if len(visited.exprs) >= len(self.symbols.fields(type_)) or _names(visited, last[0].name):
                raise self.unsupported("an initialiser for a flexible array member", init)
        return own_initialiser(self.symbols, self.initial, type_, visited)

    def _elements(self, type_: c_ast.Node, init: c_ast.InitList) -> c_ast.Node | None:
        """The initialiser for the flexible array member in *init*, of a struct of *type_*, if there is one."""
        members = self.symbols.members_of(type_)
        if len(init.exprs) != len(members):
            return None
        last: c_ast.Node = init.exprs[-1]
        if not isinstance(last, c_ast.NamedInitializer):
            return last
        names, elements = [getattr(each, "name", None) for each in last.name], last.expr
        return elements if names == [members[-1].name] else None

    def sized(self, node: c_ast.Decl, name: str, type_: c_ast.Node) -> c_ast.Decl | None:
        """The definition of the static object *name* with as many elements of its flexible array member as it has.

        That is GNU C: the object is larger than its type, so it has a type of its own, in which the array has a length.
        None for other objects, and where the initialiser is not understood.
        """
        if not isinstance(node.init, c_ast.InitList) or name in self._sized or not self._has_flexible(type_):
            return None
        init: Any = self.visit(node.init)
        record: Any = self.symbols.record(type_)
        elements = self._elements(type_, init)
        if elements is None or len(record.decls) != len(init.exprs):
            return None
        last = record.decls[-1]
        length = build.number(length_of(self.symbols, last.type, elements))
        last = rebuilt(last, type=rebuilt(last.type, dim=length))
        record = rebuilt(record, name=self._scopes.fresh(lexicon.SIZED), decls=[*record.decls[:-1], last])
        self.emit(c_ast.Decl(None, [], [], [], [], record, None, None, coord=node.coord))
        whole = self._scopes.fresh(f"{name}{lexicon.SIZED}")
        kind = c_ast.TypeDecl(whole, [], None, rebuilt(record, decls=None))
        address = c_ast.UnaryOp("&", build.ident(whole))
        self._sized[name] = c_ast.Cast(build.typename(pointer_to(build.renamed(type_, None))), address)
        return rebuilt(node, name=whole, type=kind, init=own_initialiser(self.symbols, self.initial, kind, init))

    def _has_flexible(self, type_: c_ast.Node) -> bool:
        """Whether *type_* is a struct that ends in an array without a length."""
        members = self.symbols.members_of(type_)
        last = self.symbols.resolve(members[-1].type) if members else None
        return isinstance(last, c_ast.ArrayDecl) and (last.dim is None or build.is_constant(last.dim, 0))

    @property
    def _is_static(self) -> bool:
        """Whether the initialiser being visited belongs to a static object."""
        return self._scopes.at_file_level or self._in_static

    def _plain(self, init: c_ast.Node) -> c_ast.Node:
        """The initialiser of a static object: a compound literal that is not an array is replaced by its values."""
        literal = self._is_static and isinstance(init, c_ast.CompoundLiteral)
        if not literal or self.symbols.is_array(self._declarators.type(init.type.type)):  # type: ignore[attr-defined]
            return init
        values: c_ast.InitList = init.init  # type: ignore[attr-defined]
        return values

    def _completed(self, type_: c_ast.Node, init: c_ast.Node | None) -> c_ast.Node:
        """*type_*, with the length of an array that gets it from its initialiser."""
        if isinstance(type_, c_ast.ArrayDecl) and type_.dim is None and init is not None:
            return c_ast.ArrayDecl(type_.type, build.number(length_of(self.symbols, type_, init)), type_.dim_quals)
        return type_


def _names(init: c_ast.InitList, member: str) -> bool:
    """Whether an initialiser names *member*."""
    return any(
        isinstance(item, c_ast.NamedInitializer) and getattr(item.name[0], "name", None) == member
        for item in init.exprs
    )


def _implicit(name: str) -> c_ast.Decl:
    """``int name();``, the implicit declaration by a call of an undeclared function."""
    type_ = c_ast.FuncDecl(None, c_ast.TypeDecl(name, [], None, c_ast.IdentifierType(["int"])))
    return c_ast.Decl(name, [], [], [], [], type_, None, None)
