"""Bring all declarations to one scope, so that later stages need not know of scopes at all."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from typing import Any

from pycparser import c_ast

from cseq.compatible import compatible
from cseq.cparser import build, nodes
from cseq.errors import InputError
from cseq.modules import library
from cseq.modules.assembly import refuse_unless_nothing
from cseq.modules.builtins import Builtins
from cseq.modules.declarators import Declarators, Scopes
from cseq.modules.initial import own_initialiser
from cseq.modules.initializers import initialised, length_of, undefined
from cseq.modules.oldstyle import with_prototype
from cseq.modules.refusals import Refusals
from cseq.modules.skipped import SkippedDeclarations
from cseq.modules.variable import VariableArrays
from cseq.symbols import FLOATS, Symbols, basic, pointer_to
from cseq.translator import Translator, rebuilt


class Scoper(Translator):
    """in: preprocessed C. out: the same, where each name means one thing in the whole unit.

    Local declarations stand at the top of their function, one declarator each and without initialiser;
    what was an initialiser is an assignment, and where there was none, an assignment of a nondeterministic
    value says that a local is undefined each time its declaration is reached. Static locals and local types
    are at file level; each struct, union and enum has a tag and is defined by a declaration of its own. Of what GNU C
    adds to expressions only `StatementExpression` remains, and a type is never given by an expression.
    """

    gives = ("atomic_types",)

    def __init__(self, context: Any) -> None:
        super().__init__(context)
        context.facts["atomic_types"] = False
        self._scopes = Scopes()
        self._declarators = Declarators(self, self._scopes)
        self._function_name = ""
        self._skipped = SkippedDeclarations(c_ast.Compound([]))
        self._declared: dict[int, list[c_ast.Node]] = {}
        self._promises: list[tuple[c_ast.Compound, list[c_ast.Decl]]] = []
        self._output: list[c_ast.Node] = []
        self._declarations: list[c_ast.Node] = []
        self._definitions: set[str] = set()
        self._in_static = False
        self.symbols = Symbols(c_ast.FileAST([]), context.model)
        self._builtins = Builtins(self)
        self.variable = VariableArrays(self)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Visit the declarations in order; what has to move to file level goes out before the one it was found in."""
        Refusals().visit(tree)
        items = _without_inline_copies(tree.ext)
        for node in items:
            name = node.decl.name if isinstance(node, c_ast.FuncDef) else getattr(node, "name", None)
            if name:
                self._scopes.declare_at_file_level(name)
            if isinstance(node, c_ast.FuncDef):
                self._definitions.add(node.decl.name)
            self._note_enumerators(node)
        for node in items:
            if isinstance(node, c_ast.FuncDef):
                self._function(node)
            elif isinstance(node, (c_ast.Decl, c_ast.Typedef)):
                self._file_level(node)
            elif isinstance(node, c_ast.Pragma) and "pack" in str(node.string):
                raise self.unsupported("`#pragma pack`", node)
            elif isinstance(node, nodes.Asm):
                raise self.unsupported("assembly outside of functions", node)
            elif not isinstance(node, (c_ast.Pragma, c_ast.StaticAssert)):
                raise self.unsupported(f"a {type(node).__name__} at file level", node)
        return c_ast.FileAST(self._output)

    def _note_enumerators(self, node: c_ast.Node) -> None:
        type_ = getattr(node, "type", None)
        while isinstance(type_, (c_ast.TypeDecl, c_ast.PtrDecl, c_ast.ArrayDecl)):
            type_ = type_.type
        if isinstance(type_, c_ast.Enum) and type_.values is not None:
            for item in type_.values.enumerators:
                self._scopes.declare_at_file_level(item.name)

    def emit(self, node: c_ast.Node) -> None:
        """Add a declaration at file level, in front of the one that is being visited."""
        self.symbols.declare(node)
        self._output.append(node)

    # File level

    def _file_level(self, node: Any) -> None:
        if isinstance(node, c_ast.Decl) and self._declarators.is_inferred(node):
            node = rebuilt(node, type=build.renamed(self.symbols.unqualified_value(self.visit(node.init)), node.name))
        type_ = self._declarators.type(node.type)
        if isinstance(node, c_ast.Typedef):
            self.emit(rebuilt(node, type=type_))
        elif node.name:
            node = rebuilt(node, type=type_, align=self._declarators.alignment(node))
            self.symbols.declare(node)
            init = self._initialiser(type_, node.init)
            self.variable.note_constant(node.name, type_, init)
            self.emit(rebuilt(node, type=self._completed(type_, init), init=init))
        else:
            self._announce(node, type_)

    def _initialiser(self, type_: c_ast.Node, init: c_ast.Node | None) -> c_ast.Node | None:
        """*init* with names replaced, and what the system's headers say for objects of threads by what ours say."""
        visited = self.visit(self._plain(init)) if init is not None else None
        if isinstance(visited, c_ast.InitList) and self._has_flexible(type_):
            last = [*self.symbols.members_of(type_)][-1:]
            if len(visited.exprs) >= len(self.symbols.fields(type_)) or _names(visited, last[0].name):
                raise self.unsupported("an initialiser for a flexible array member", init)
        return own_initialiser(self.symbols, self.context.facts.get("initial", {}), type_, visited)

    def _has_flexible(self, type_: c_ast.Node) -> bool:
        """Whether *type_* is a struct that ends in an array without a length."""
        members = self.symbols.members_of(type_)
        last = self.symbols.resolve(members[-1].type) if members else None
        return isinstance(last, c_ast.ArrayDecl) and (last.dim is None or build.is_constant(last.dim, 0))

    @property
    def _is_static(self) -> bool:
        """Whether an initialiser that is being visited is that of a static object."""
        return self._scopes.at_file_level or self._in_static

    def _plain(self, init: c_ast.Node) -> c_ast.Node:
        """What initialises a static object: the values of a compound literal that is no array, not the literal."""
        literal = self._is_static and isinstance(init, c_ast.CompoundLiteral)
        if not literal or self.symbols.is_array(self._declarators.type(init.type.type)):  # type: ignore[attr-defined]
            return init
        values: c_ast.InitList = init.init  # type: ignore[attr-defined]
        return values

    def _announce(self, node: c_ast.Decl, type_: c_ast.Node) -> None:
        """``struct s;`` without members says in which scope ``s`` is."""
        if isinstance(node.type, (c_ast.Struct, c_ast.Union)) and node.type.decls is None:
            self._output.append(c_ast.Decl(None, [], [], [], [], type_, None, None, coord=node.coord))

    def _completed(self, type_: c_ast.Node, init: c_ast.Node | None) -> c_ast.Node:
        """*type_*, with the length of an array that takes it from its initialiser."""
        if isinstance(type_, c_ast.ArrayDecl) and type_.dim is None and init is not None:
            return c_ast.ArrayDecl(type_.type, build.number(length_of(self.symbols, type_, init)), type_.dim_quals)
        return type_

    # Functions

    def _function(self, node: c_ast.FuncDef) -> None:
        node = with_prototype(self.symbols, node)
        self._declarations = []
        self._function_name = node.decl.name
        self._skipped = SkippedDeclarations(node.body)
        self._declared = {}
        self._promises = []
        self._scopes.enter()
        declarator = self._declarators.type(node.decl.type, parameters=True)
        decl = rebuilt(node.decl, type=declarator, funcspec=[])  # what is inlined anyway needs no external copy
        self._emit_prototype(decl)
        lengths = self.variable.taken()
        statements = [*lengths, *self._entered(node.body), *self.visit_statements(node.body.block_items or [])]
        self._scopes.leave()
        for block, skipped in self._promises:
            block.block_items = [item for decl in skipped for item in self._declared.get(id(decl), [])]
        body = c_ast.Compound(self._declarations + statements, node.body.coord)
        self._output.append(c_ast.FuncDef(decl, None, body, node.coord or node.decl.coord))

    def _emit_prototype(self, decl: c_ast.Decl) -> None:
        self.symbols.declare(decl)
        arguments = decl.type.args.params if decl.type.args else []
        if any(isinstance(item, c_ast.EllipsisParam) for item in arguments):
            raise self.unsupported("the definition of a variadic function", decl)
        for item in arguments:
            if isinstance(item, c_ast.Decl) and item.name:
                self.symbols.declare(item)

    # Statements

    def visit_Compound(self, node: c_ast.Compound) -> list[c_ast.Node]:
        self._scopes.enter()
        statements = [*self._entered(node), *self.visit_statements(node.block_items or [])]
        self._scopes.leave()
        return statements

    def visit_statements(self, items: list[c_ast.Node]) -> list[c_ast.Node]:
        """The statements that stand for *items*."""
        return [statement for item in items for statement in self._statement(item)]

    def _statement(self, node: c_ast.Node) -> list[c_ast.Node]:
        """What stands for a statement; the block of a statement expression whose value nobody wants is one."""
        match node:
            case nodes.StatementExpression():
                return self.visit_Compound(node.block)
            case c_ast.Cast(expr=nodes.StatementExpression()) if self.symbols.is_void(node.to_type):
                return self.visit_Compound(node.expr.block)
            case c_ast.ExprList() if any(isinstance(item, nodes.StatementExpression) for item in node.exprs):
                return [statement for item in node.exprs for statement in self._statement(item)]
        result = self.visit(node)
        return result if isinstance(result, list) else [result]

    def visit_StaticAssert(self, node: c_ast.StaticAssert) -> list[c_ast.Node]:
        """The compiler has checked it."""
        return []

    def visit_Asm(self, node: nodes.Asm) -> list[c_ast.Node]:
        refuse_unless_nothing(node)
        return []

    def visit_For(self, node: c_ast.For) -> list[c_ast.Node]:
        self._scopes.enter()
        init: list[c_ast.Node] = []
        if isinstance(node.init, c_ast.DeclList):
            init = self.visit_all(node.init.decls)
        elif node.init is not None:
            init = [rebuilt(self.visit(node.init), coord=node.coord)]
        cond = self.visit(node.cond) if node.cond is not None else None
        step = self.visit(node.next) if node.next is not None else None
        body = self._as_statement(self.visit(node.stmt), node)
        self._scopes.leave()
        return [*self._entered(node), *init, c_ast.For(None, cond, step, body, node.coord)]

    def _as_statement(self, result: Any, node: c_ast.Node) -> c_ast.Node:
        return c_ast.Compound(result, node.coord) if isinstance(result, list) else result

    def _undefined(self, declarations: list[c_ast.Decl], node: c_ast.Node) -> list[c_ast.Node]:
        """Locals become undefined where control can get to without reaching their declarations."""
        if not declarations:
            return []
        block = c_ast.Compound([], node.coord)  # filled when the declarations have been seen
        self._promises.append((block, declarations))
        return [block]

    def _entered(self, node: c_ast.Node) -> list[c_ast.Node]:
        return self._undefined(self._skipped.entered.get(id(node), []), node)

    def _with_skipped(self, jump: c_ast.Node, translated: c_ast.Node) -> c_ast.Node | list[c_ast.Node]:
        """A jump, with the locals undefined whose declarations it passes over on its way into their scope."""
        before = self._undefined(self._skipped.found.get(id(jump), []), jump)
        return [*before, translated] if before else translated

    def visit_Goto(self, node: c_ast.Goto) -> c_ast.Node | list[c_ast.Node]:
        return self._with_skipped(node, node)

    def visit_ComputedGoto(self, node: nodes.ComputedGoto) -> c_ast.Node:
        raise self.unsupported("a computed `goto`", node)

    def visit_LabelAddress(self, node: nodes.LabelAddress) -> c_ast.Node:
        raise self.unsupported("the address of a label", node)

    def visit_Switch(self, node: c_ast.Switch) -> c_ast.Node | list[c_ast.Node]:
        return self._with_skipped(node, self.generic_visit(node))

    def visit_Typedef(self, node: c_ast.Typedef) -> list[c_ast.Node]:
        type_ = self._declarators.type(node.type)
        name = self._scopes.declare(node.name)
        typedef = rebuilt(node, name=name, type=build.renamed(type_, name))
        if self.variable.is_variable(type_):
            self.symbols.declare(typedef)
            return self.variable.taken()
        self.emit(typedef)
        return []

    def visit_Label(self, node: c_ast.Label) -> Any:
        result = self.visit(node.stmt)
        if isinstance(result, list):
            return [build.label(node.name, node.coord), *result]
        return node if result is node.stmt else rebuilt(node, stmt=result)

    def visit_Decl(self, node: c_ast.Decl) -> list[c_ast.Node]:
        if self._declarators.is_inferred(node):
            return self._inferred(node)
        type_ = self._declarators.type(node.type)
        if not node.name:
            return self.variable.taken()
        if self.variable.is_variable(type_):
            return self._variable(node, type_)
        if isinstance(type_, c_ast.FuncDecl) or "extern" in node.storage:
            if node.name not in self.symbols.types:
                self._scopes.declare_at_file_level(node.name)
                self.emit(rebuilt(node, type=type_))
            self._scopes.reveal(node.name)
            return []
        # The scope of a name begins before its initialiser (C11 §6.2.1), the array's length comes from it.
        name = self._scopes.declare(node.name)
        self.symbols.declare(build.declare(name, type_))
        outer, self._in_static = self._in_static, "static" in node.storage
        init = self._initialiser(type_, node.init)
        self._in_static = outer
        return self._local(node, type_, init, name)

    def _local(
        self, node: c_ast.Decl, type_: c_ast.Node, init: c_ast.Node | None, name: str | None = None
    ) -> list[c_ast.Node]:
        """The declaration of a static or automatic object, which gets *name* if it has been declared."""
        name = name or self._scopes.declare(node.name)
        type_ = build.renamed(self._completed(type_, init), name)
        self.variable.note_constant(name, type_, init)
        if "static" in node.storage:
            self.emit(rebuilt(node, name=name, type=type_, init=init, align=self._declarators.alignment(node)))
            return []
        if isinstance(type_, c_ast.ArrayDecl) and type_.dim is None:
            raise InputError(f"the array `{node.name}` has no length", node.coord)
        decl = build.declare(name, build.renamed(self.symbols.unqualified(type_), name), node.coord)
        self.symbols.declare(rebuilt(decl, type=type_))  # its qualifiers still count for _Generic and typeof
        self._declarations.append(decl)
        target = c_ast.ID(name, node.coord)
        self._declared[id(node)] = undefined(self.symbols, target, decl.type, None)
        if init is None:
            return undefined(self.symbols, target, decl.type, node.coord)
        return initialised(self.symbols, target, decl.type, init, node.coord)

    def _variable(self, node: c_ast.Decl, type_: c_ast.Node, init: c_ast.Node | None = None) -> list[c_ast.Node]:
        """The declaration of a variable-length array, or of a pointer to one."""
        lengths = self.variable.taken()
        if "static" in node.storage or "extern" in node.storage:
            raise self.unsupported("a static pointer to a variable-length array", node)
        name = self._scopes.declare(node.name)
        decl = build.declare(name, build.renamed(self.variable.flat(type_), name), node.coord)
        self.symbols.declare(decl)
        self._declarations.append(decl)
        self.variable.declare(name, type_)
        target = c_ast.ID(name, node.coord)
        if self.variable.is_variable_array(type_):
            return [*lengths, self.variable.allocated(target, type_, node)]
        if node.init is not None:
            init = self.visit(node.init)
        if init is None:
            return [*lengths, *undefined(self.symbols, target, decl.type, node.coord)]
        return [*lengths, self.variable.assignment(build.assign(target, init, node.coord))]

    def _inferred(self, node: c_ast.Decl) -> list[c_ast.Node]:
        """``__auto_type x = value;``: the scope of x begins behind its initialiser."""
        init = self.visit(node.init)
        variable = self.variable.type_of(init)
        if variable is not None:
            pointer = pointer_to(self.symbols.element(variable))
            if self.variable.is_variable(pointer):
                return self._variable(rebuilt(node, init=None), pointer, init)
        type_ = build.renamed(self.symbols.unqualified_value(init), node.name)
        return self._local(rebuilt(node, type=type_, init=None), type_, init)

    # Expressions

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
        return node if name == node.name else c_ast.ID(name, node.coord)

    def _large_enumerator(self, name: str) -> c_ast.Node:
        value = build.number(self.symbols.enumerators[name])
        kind = self._declarators.large_enumerators[name]
        return value if kind == "int" else c_ast.Cast(build.typename(basic(kind)), value)

    def declare_function(self, declaration: c_ast.Decl) -> None:
        """Declare a function in front of what is being visited, unless it is declared."""
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
        """A constant of a type with another name too: ``1.5f64`` is ``1.5``."""
        if node.type not in FLOATS:
            return node
        kind = FLOATS[node.type]
        digits = re.sub(r"(?i)(f32x?|f64x?|w)$", "", node.value)
        return c_ast.Constant(kind, digits + {"float": "f", "long double": "L"}.get(kind, ""), node.coord)

    def visit_FuncCall(self, node: c_ast.FuncCall) -> c_ast.Node:
        """A function may be called without being declared; whether it is one that we know is seen later."""
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
        args = self.visit(node.args) if node.args is not None else None
        call = node if name is node.name and args is node.args else rebuilt(node, name=name, args=args)
        return self.variable.arguments(call)

    def _declare_nondet(self, name: str) -> None:
        """Declare a function of SV-COMP for nondeterministic values as what it is, where the program does not."""
        with suppress(KeyError):  # there is no such kind: the linearizer says so
            kind = library.nondet_kind(name)
            if kind is not None:
                returned = basic(library.NONDET_TYPES[kind].removesuffix(" *"))
                type_ = pointer_to(returned) if kind == "pointer" else returned
                self.declare_function(build.declare(name, c_ast.FuncDecl(None, build.renamed(type_, name))))

    def visit_StatementExpression(self, node: nodes.StatementExpression) -> c_ast.Node:
        items = node.block.block_items or []
        statements = self.visit_Compound(node.block)
        last: Any = items[-1] if items else None
        while isinstance(last, c_ast.Label):
            last = last.stmt
            if isinstance(statements[-1], c_ast.Label):
                labelled: Any = statements.pop()
                statements += [build.label(labelled.name, labelled.coord), labelled.stmt]
        if last is None or not nodes.is_expression(last):
            statements.append(c_ast.EmptyStatement(node.coord))  # so that the last statement is no value
        result = nodes.StatementExpression(c_ast.Compound(statements, node.block.coord), node.coord)
        value = nodes.value_of(result)
        return self.variable.marked(result, None if value is None else self.variable.type_of(value))  # type: ignore[no-any-return]

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
        """The association for the type of the value (C11 §6.5.1.1); what is not chosen is not looked at."""
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
        """An expression behind the evaluation of the lengths in its types."""
        lengths = self.variable.taken()
        return c_ast.ExprList([*lengths, node], node.coord) if lengths else node

    def visit_StructRef(self, node: c_ast.StructRef) -> c_ast.StructRef:
        base = self.visit(node.name)
        return node if base is node.name else rebuilt(node, name=base)

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
        """*value* so often, evaluated once."""
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
        """Whether *expr* is what only GNU C knows the size of: a function, or nothing."""
        if isinstance(expr, (c_ast.Constant, c_ast.BinaryOp)):
            return False
        type_ = self.symbols.resolve(expr.type if isinstance(expr, c_ast.Typename) else self.symbols.type_of(expr))
        return isinstance(type_, c_ast.FuncDecl) or self.symbols.is_void(type_)

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> c_ast.Node:
        expr = self.visit(node.expr)
        if node.op == "__alignof__":
            type_ = expr.type if isinstance(expr, c_ast.Typename) else self.symbols.type_of(expr)
            return c_ast.Cast(build.typename(basic("unsigned long")), build.number(self.symbols.preferred(type_)))
        if node.op == "sizeof" and isinstance(expr, nodes.StatementExpression):
            expr = build.typename(self.symbols.type_of(expr))  # nothing of it is evaluated
        if node.op == "sizeof" and isinstance(node.expr, c_ast.CompoundLiteral) and isinstance(expr, c_ast.ExprList):
            expr = expr.exprs[-1]
        if node.op == "&" and isinstance(node.expr, c_ast.CompoundLiteral) and isinstance(expr, c_ast.ExprList):
            return c_ast.ExprList([*expr.exprs[:-1], c_ast.UnaryOp("&", expr.exprs[-1], node.coord)], node.coord)
        if node.op == "sizeof" and self._is_one_byte(expr):
            return c_ast.Cast(build.typename(basic("unsigned long")), build.number(1))
        result = self.variable.unary(node if expr is node.expr else rebuilt(node, expr=expr))
        return self._with_lengths(result) if isinstance(expr, c_ast.Typename) else result


def _names(init: c_ast.InitList, member: str) -> bool:
    """Whether an initialiser names *member*."""
    return any(
        isinstance(item, c_ast.NamedInitializer) and getattr(item.name[0], "name", None) == member
        for item in init.exprs
    )


def _implicit(name: str) -> c_ast.Decl:
    """``int name();``, which a call of what is not declared declares."""
    type_ = c_ast.FuncDecl(None, c_ast.TypeDecl(name, [], None, c_ast.IdentifierType(["int"])))
    return c_ast.Decl(name, [], [], [], [], type_, None, None)


def _without_inline_copies(items: list[c_ast.Node]) -> list[c_ast.Node]:
    """*items* without GNU's ``extern inline`` definitions of functions that are defined a second time."""
    defined = Counter(node.decl.name for node in items if isinstance(node, c_ast.FuncDef))
    return [
        node
        for node in items
        if not isinstance(node, c_ast.FuncDef)
        or defined[node.decl.name] == 1
        or not ("extern" in node.decl.storage and "inline" in node.decl.funcspec)
    ]
