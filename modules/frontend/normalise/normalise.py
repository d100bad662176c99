"""Bring all declarations to one scope, so that later stages need not know of scopes at all."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pycparser import c_ast

from cseq.c import build, nodes
from cseq.c.layout import PACK
from cseq.c.nodes import Visitor
from cseq.c.symbols import Symbols, basic, pointer_to
from cseq.c.unused import names_of
from cseq.model.errors import InputError, UnsupportedError
from cseq.model.origin import Origin
from cseq.modules.analysis import cuts
from cseq.modules.analysis.initializers import initialised, undefined
from cseq.modules.analysis.lifetimes import Blocks
from cseq.modules.frontend.normalise.cleanups import Cleanups
from cseq.modules.frontend.normalise.expressions import Expressions
from cseq.modules.frontend.normalise.skipped_declarations import SkippedDeclarations
from cseq.options.properties import CHECKED, REFUSE
from cseq.pipeline.stage import Context
from cseq.pipeline.translator import rebuilt

# Refuse, by name, what the parser accepts but no stage supports.

_CONSTRUCTS: dict[type, str] = {
    nodes.LabelAddress: "the address of a label `&&…`",
    nodes.ComputedGoto: "a computed `goto`",
    nodes.NestedFunction: "a nested function",
}
_KNOWN = frozenset({"aligned", "cleanup", PACK, "gcc_struct", "gnu_inline", "packed", "transparent_union"})
"""Attributes that this stage or a later one knows; others that are modelled are gone here."""
_OPERATORS = ("__real__", "__imag__")
_RUN = ("init", "ctors", "fini", "dtors")
"""What the names of sections contain whose contents run before or after main."""
_THREADPRIVATE = re.compile(r"omp\s+threadprivate\s*\(([^()]*)\)")
_WORD = re.compile(r"[A-Za-z_]\w*")
_TYPES = ("_Float16", "_Float128", "__float128", "__bf16", "_Decimal", "__uint128_t", "__ibm128")


class Refusals(Visitor):
    """Note what is wrong with the statements and declarations in which such constructs are, by identity."""

    def __init__(self) -> None:
        self.statements: dict[int, UnsupportedError] = {}

    def visit_Compound(self, node: c_ast.Compound) -> None:
        self._visit_each(node.block_items or [])

    def visit_FileAST(self, node: c_ast.FileAST) -> None:
        """What a pragma names that makes objects thread-local is not supported, rather than the pragma."""
        self._visit_each(node.ext)
        for pragma in node.ext:
            found = _THREADPRIVATE.match(str(pragma.string)) if isinstance(pragma, c_ast.Pragma) else None
            if found is not None:
                error = self.statements.pop(id(pragma))
                names = found.group(1).replace(",", " ").split()
                declared = (item for item in node.ext if isinstance(item, c_ast.Decl) and item.name in names)
                self.statements.update((id(item), error) for item in declared)

    def _visit_each(self, items: Iterable[c_ast.Node]) -> None:
        for item in items:
            try:
                self.visit(item)
            except UnsupportedError as error:
                self.statements[id(item)] = error

    def generic_visit(self, node: c_ast.Node) -> None:
        """Visit the children of a node that is not refused."""
        name = _CONSTRUCTS.get(type(node))
        if name is not None:
            raise UnsupportedError(f"{name} is not supported", node.coord)
        super().generic_visit(node)

    def visit_Pragma(self, node: c_ast.Pragma) -> None:
        if str(node.string).split()[:1] == ["omp"]:
            words = "is not supported; -b compiled --compile -fopenmp runs the program with it"
            raise UnsupportedError(f"`#pragma {node.string}` {words}", node.coord)
        if str(node.string).startswith("acc "):
            raise UnsupportedError(f"`#pragma {node.string}` is not supported", node.coord)
        if str(node.string).startswith(("pack", "weak")):  # the merger takes those that are not in a declaration
            raise UnsupportedError(f"`#pragma {node.string}` is not supported here", node.coord)

    def visit_FuncDef(self, node: c_ast.FuncDef) -> None:
        """A thread stops where it enters a function with an attribute that is not supported."""
        for group in getattr(node.decl, "attributes", None) or []:
            try:
                self.visit(group)
            except UnsupportedError as error:
                if not node.body.block_items:
                    raise
                self.statements[id(node.body.block_items[0])] = error
        self.generic_visit(rebuilt(node, decl=rebuilt(node.decl, attributes=None)))

    def visit_Attribute(self, node: c_ast.Attribute) -> None:
        if node.name not in _KNOWN:
            raise UnsupportedError(f"the attribute `{node.name}` is not supported", node.coord)

    def visit_UnaryOp(self, node: c_ast.UnaryOp) -> None:
        if node.op in _OPERATORS:
            raise UnsupportedError(f"`{node.op}` is not supported", node.coord)
        self.generic_visit(node)

    def visit_Constant(self, node: c_ast.Constant) -> None:
        if "_Complex" in node.type or node.type.startswith(_TYPES):
            raise UnsupportedError(f"a constant of type `{node.type}` is not supported", node.coord)

    def visit_IdentifierType(self, node: c_ast.IdentifierType) -> None:
        for name in node.names:
            if name.startswith(_TYPES):
                raise UnsupportedError(f"the type `{name}` is not supported", node.coord)


def entries(statements: list[c_ast.Node]) -> list[str] | None:
    """The labels in *statements*; None if a `case` of a switch around them is there, too."""
    found = _Entries()
    for statement in statements:
        found.visit(statement)
    return found.labels if not found.has_case else None


class _Entries(Visitor):
    """Collects where control can enter statements other than at their beginning."""

    def __init__(self) -> None:
        self.labels: list[str] = []
        self.has_case = False

    def visit_Label(self, node: c_ast.Label) -> None:
        self.labels.append(node.name)
        self.visit(node.stmt)

    def _case(self, node: Any) -> None:
        self.has_case = True
        for statement in node.stmts or []:
            self.visit(statement)

    visit_Case = visit_Default = _case

    def visit_Switch(self, node: c_ast.Switch) -> None:
        before = self.has_case
        self.visit(node.stmt)
        self.has_case = before


# Function definitions in the old style of Kernighan and Ritchie, as definitions with prototypes.


def with_prototype(symbols: Symbols, node: c_ast.FuncDef) -> c_ast.FuncDef:
    """The definition with a prototype. A caller passes promoted arguments, which the function converts (C11 §6.9.1)."""
    parameters = node.decl.type.args.params if node.decl.type.args is not None else []
    if not node.param_decls and not any(isinstance(item, c_ast.ID) for item in parameters):
        return node
    declared: dict[str, Any] = {item.name: item for item in node.param_decls or []}
    params: list[c_ast.Node] = []
    locals_: list[c_ast.Node] = []
    for item in parameters:
        decl = declared.pop(item.name, None)
        if decl is None:
            decl = build.declare(item.name, basic("int"), item.coord)
        promoted = _promoted(symbols, decl.type)
        if promoted is None:
            params.append(rebuilt(decl, storage=[]))
            continue
        given = f"{item.name}__cs_given"
        params.append(build.declare(given, promoted, decl.coord))
        value = c_ast.Cast(c_ast.Typename(None, [], None, build.renamed(decl.type, None)), c_ast.ID(given), decl.coord)
        locals_.append(rebuilt(decl, init=value, storage=[]))
    for name, decl in declared.items():
        raise InputError(f"`{name}` is declared as a parameter, but is not one", decl.coord)
    type_ = rebuilt(node.decl.type, args=c_ast.ParamList(params))
    body = rebuilt(node.body, block_items=[*locals_, *(node.body.block_items or [])])
    return c_ast.FuncDef(rebuilt(node.decl, type=type_), None, body, node.coord)


def _promoted(symbols: Symbols, type_: c_ast.Node) -> c_ast.Node | None:
    """The type that an argument of *type_* is promoted to; None if that is the same type."""
    kind = symbols.arithmetic(type_)
    if kind == "float":
        return basic("double")
    if kind is not None and kind.split()[-1] in ("char", "short", "_Bool"):
        return basic("int")
    return None


if TYPE_CHECKING:  # most programs have none
    from cseq.modules.frontend.normalise.assembly import Assembly


class Normalise(Expressions):
    """in: preprocessed C. out: the same, where each name means one thing in the whole unit.

    Local declarations are at the top of their function, with one declarator each and no initialiser. Initialisers
    become assignments; a local without one is assigned a nondeterministic value each time its declaration is reached,
    because it is undefined there. Static locals and local types are at file level; each struct, union and enum has a
    tag and is defined by a declaration of its own. Of GNU C's additions to expressions only `StatementExpression`
    remains, and a type is never given by an expression.
    """

    takes = (CHECKED, REFUSE)

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._blocks = Blocks() if self.parameter(CHECKED) else None
        self.atomic_types = False
        self._cleanups = Cleanups(c_ast.Compound([]))
        self._skipped = SkippedDeclarations(c_ast.Compound([]))
        self._declared: dict[int, list[c_ast.Node]] = {}
        self._promises: list[tuple[c_ast.Compound, list[c_ast.Decl]]] = []
        self._refused: dict[int, UnsupportedError] = {}

    @cached_property
    def _assembly(self) -> Assembly:
        from cseq.modules.frontend.normalise.assembly import Assembly

        return Assembly(self)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Visit the declarations in order; what moves to file level is put before the declaration it was found in."""
        refusals = Refusals()
        refusals.visit(tree)
        self._refused = refusals.statements
        items = _without_inline_copies(tree.ext)
        for node in items:
            if error := self._refused.get(id(node)) or self._assembly_error(node):
                self._refused[id(node)] = error
                self._refuse(node, error)
                continue
            name = node.decl.name if isinstance(node, c_ast.FuncDef) else getattr(node, "name", None)
            if name:
                self._scopes.declare_at_file_level(name)
            if isinstance(node, c_ast.FuncDef):
                self._definitions.add(node.decl.name)
            self._note_enumerators(node)
        for node in items:
            if id(node) in self._refused:
                continue
            is_repeated = getattr(node, "name", None) in self.symbols.types
            try:
                if isinstance(node, c_ast.FuncDef):
                    self._function(node)
                elif isinstance(node, (c_ast.Decl, c_ast.Typedef)):
                    self._file_level(node)
                elif not isinstance(node, (c_ast.Pragma, c_ast.StaticAssert, nodes.Asm)):
                    raise self.unsupported(f"a {type(node).__name__} at file level", node)
            except UnsupportedError as error:
                if is_repeated:
                    raise  # what an earlier declaration of the object allowed has not been refused
                self._refuse(node, error)
        return c_ast.FileAST(self._output)

    def _assembly_error(self, node: c_ast.Node) -> UnsupportedError | None:
        """Why assembly outside of functions is not supported; None for what is."""
        try:
            if isinstance(node, nodes.Asm):
                self._assembly.at_file_level(node)
        except UnsupportedError as error:
            return error
        return None

    def _refuse(self, node: Any, error: UnsupportedError) -> None:
        """Let a thread stop where it uses what *node*, at file level, declares: *error* says why.

        Assembly may define or change whatever it mentions. Raises *error* where something is executed without a use.
        """
        is_assembly = isinstance(node, nodes.Asm)
        names = set(_WORD.findall(node.template)) if is_assembly else names_of(node).declared
        runs = any(word in node.template for word in _RUN) if is_assembly else isinstance(node, c_ast.Pragma)
        if runs or "main" in names or self.parameter(REFUSE):
            raise error
        self._scopes.refuse(names, error)

    def _note_enumerators(self, node: Any) -> None:
        """Declare the enumerators of a declaration or a member, also those of enumerations in its structs."""
        type_ = getattr(node, "type", None)
        while isinstance(type_, (c_ast.TypeDecl, c_ast.PtrDecl, c_ast.ArrayDecl)):
            type_ = type_.type
        if isinstance(type_, c_ast.Enum) and type_.values is not None:
            for item in type_.values.enumerators:
                self._scopes.declare_at_file_level(item.name)
        elif isinstance(type_, (c_ast.Struct, c_ast.Union)):
            for member in type_.decls or []:
                self._note_enumerators(member)

    # File level

    def _file_level(self, node: Any) -> None:
        if isinstance(node, c_ast.Decl) and self._declarators.is_inferred(node):
            node = rebuilt(node, type=build.renamed(self.symbols.unqualified_value(self.visit(node.init)), node.name))
        type_ = self._declarators.type(node.type)
        if isinstance(node, c_ast.Typedef):
            self.emit(rebuilt(node, type=type_))
        elif node.name:
            node = rebuilt(node, type=type_, align=self._declarators.alignment_of_object(node, type_))
            if node.name not in self.symbols.types and (sized := self.sized(node, node.name, type_)) is not None:
                self.emit(sized)
                return
            self.symbols.declare(node)
            init = self._initialiser(type_, node.init)
            self.variable.note_constant(node.name, type_, init)
            self.emit(rebuilt(node, type=self._completed(type_, init), init=init))
        else:
            self._announce(node, type_)

    def _announce(self, node: c_ast.Decl, type_: c_ast.Node) -> None:
        """Declare the tag: ``struct s;`` without members determines the scope of ``s``."""
        if isinstance(node.type, (c_ast.Struct, c_ast.Union)) and node.type.decls is None:
            self._output.append(c_ast.Decl(None, [], [], [], [], type_, None, None, coord=node.coord))

    # Functions

    def _function(self, node: c_ast.FuncDef) -> None:
        node = with_prototype(self.symbols, node)
        self._declarations = []
        self._function_name = node.decl.name
        self._skipped = SkippedDeclarations(node.body)
        self._cleanups = Cleanups(node.body)
        self._declared = {}
        self._promises = []
        with self._scopes.scope():
            declarator = self._declarators.type(node.decl.type, parameters=True)
            decl = rebuilt(node.decl, type=declarator, funcspec=[])  # what is inlined needs no external copy
            self._emit_prototype(decl)
            lengths = self.variable.taken()
            with self._cleanups.frame("block"):
                statements = [*lengths, *self._entered(node.body), *self.visit_statements(node.body.block_items or [])]
                statements += self._cleanups.block(node.body.coord)
        for block, skipped in self._promises:
            block.block_items = [item for decl in skipped for item in self._declared.get(id(decl), [])]
        body = c_ast.Compound(self._declarations + statements, node.body.coord)
        self._output.append(c_ast.FuncDef(decl, None, body, node.coord or node.decl.coord))

    def _emit_prototype(self, decl: c_ast.Decl) -> None:
        self.symbols.declare(decl)
        arguments = decl.type.args.params if decl.type.args else []
        if any(isinstance(item, c_ast.EllipsisParam) for item in arguments):
            self.need_variadic()
        for item in arguments:
            if isinstance(item, c_ast.Decl) and item.name:
                self.symbols.declare(item)

    # Statements

    def visit_Compound(self, node: c_ast.Compound) -> list[c_ast.Node]:
        return self._block(node)

    def _block(self, node: c_ast.Compound, is_value: bool = False) -> list[c_ast.Node]:
        """The statements of a block. is_value: the last one is its value, and nothing may follow it."""
        blocks = self._blocks.block() if self._blocks else nullcontext()
        with self._scopes.scope(), self._cleanups.frame("block"), blocks as lifetimes:
            statements = [*self._entered(node), *self.visit_statements(node.block_items or [])]
            statements = self._with_due(statements, self._cleanups.block(node.coord), is_value)
        return statements if lifetimes is None or is_value else [*statements, *lifetimes.end()]

    def _with_due(self, statements: list[c_ast.Node], due: list[c_ast.Node], is_value: bool) -> list[c_ast.Node]:
        """The *statements* of a block and what is *due* at its end, before which its value is known."""
        value: Any = statements[-1] if due and is_value and statements else None
        if value is None or not nodes.is_expression(value) or self.symbols.is_void(self.symbols.type_of(value)):
            return [*statements, *due]
        saved = self.temporary(self.symbols.value_type(value))
        return [*statements[:-1], build.assign(saved, value, value.coord), *due, saved]

    def visit_Return(self, node: c_ast.Return) -> c_ast.Node | list[c_ast.Node]:
        due = self._cleanups.all(node.coord)
        if not due or node.expr is None:
            return [*due, node] if due else self.generic_visit(node)
        value = self.visit(node.expr)
        if self.symbols.is_void(self.symbols.type_of(value)):
            return [value, *due, rebuilt(node, expr=None)]
        saved = self.temporary(self.symbols.value_type(value))
        return [build.assign(saved, value, node.coord), *due, rebuilt(node, expr=saved)]

    def visit_statements(self, items: list[c_ast.Node]) -> list[c_ast.Node]:
        """The statements that replace *items*. A thread stops at what is not supported.

        That is a statement or, where a declaration is not supported, what follows it in its block.
        """
        result: list[c_ast.Node] = []
        for position, item in enumerate(items):
            try:
                if error := self._refused.get(id(item)):
                    raise error
                result.extend(self._statement(item))
            except UnsupportedError as error:
                is_declared = isinstance(item, (c_ast.Decl, c_ast.Typedef))
                lost = items[position:] if is_declared else [item]
                if self.parameter(REFUSE) or (entered := entries(lost)) is None:
                    raise
                result.append(cuts.stop(error, item.coord))
                for name in entered:
                    result += [build.label(name, item.coord), cuts.stop(error, item.coord)]
                if is_declared:
                    break
        return result

    def visit_Case(self, node: c_ast.Case) -> c_ast.Node:
        return rebuilt(node, expr=self.visit(node.expr), stmts=self.visit_statements(node.stmts or []))

    def visit_Default(self, node: c_ast.Default) -> c_ast.Node:
        return rebuilt(node, stmts=self.visit_statements(node.stmts or []))

    def _statement(self, node: c_ast.Node) -> list[c_ast.Node]:
        """The replacement of a statement, which is a block for a statement expression whose value is not used."""
        match node:
            case nodes.StatementExpression():
                return self.visit_Compound(node.block)
            case c_ast.Cast(expr=nodes.StatementExpression()) if self.symbols.is_void(node.to_type):
                return self.visit_Compound(node.expr.block)
            case c_ast.ExprList() if any(isinstance(item, nodes.StatementExpression) for item in node.exprs):
                return [statement for item in node.exprs for statement in self._statement(item)]
        result = self.visit(node)
        return result if isinstance(result, list) else [result]

    def visit_StatementExpression(self, node: nodes.StatementExpression) -> c_ast.Node:
        items = node.block.block_items or []
        statements = self._block(node.block, is_value=True)
        last: Any = items[-1] if items else None
        while isinstance(last, c_ast.Label):
            last = last.stmt
            if isinstance(statements[-1], c_ast.Label):
                labelled: Any = statements.pop()
                statements += [build.label(labelled.name, labelled.coord), labelled.stmt]
        if last is None or not nodes.is_expression(last):
            statements.append(c_ast.EmptyStatement(node.coord))  # so that the last statement is not a value
        result = nodes.StatementExpression(c_ast.Compound(statements, node.block.coord), node.coord)
        value = nodes.value_of(result)
        return self.variable.marked(result, None if value is None else self.variable.type_of(value))  # type: ignore[no-any-return]

    def visit_StaticAssert(self, node: c_ast.StaticAssert) -> list[c_ast.Node]:
        """Drop it: the compiler has checked it."""
        return []

    def visit_Asm(self, node: nodes.Asm) -> list[c_ast.Node]:
        return self._assembly.statements(node)

    def asm_variable(self, node: c_ast.Decl) -> None:
        """Declare a local without a value, in the scope of an asm statement."""
        name = self._scopes.declare(node.name)
        type_ = self.symbols.unqualified(self._declarators.type(node.type))
        decl = build.declare(name, build.renamed(type_, name), node.coord)
        self.symbols.declare(decl)
        self._declarations.append(decl)

    @contextmanager
    def asm_scope(self) -> Iterator[None]:
        """A scope for the variables of one asm statement."""
        with self._scopes.scope():
            yield

    def visit_For(self, node: c_ast.For) -> list[c_ast.Node]:
        with self._scopes.scope(), self._cleanups.frame("block"):
            return [*self._for(node), *self._cleanups.block(node.coord)]

    def _for(self, node: c_ast.For) -> list[c_ast.Node]:
        init: list[c_ast.Node] = []
        if isinstance(node.init, c_ast.DeclList):
            init = self.visit_all(node.init.decls)
        elif node.init is not None:
            init = [rebuilt(self.visit(node.init), coord=node.coord)]
        cond = self.visit(node.cond) if node.cond is not None else None
        step = self.visit(node.next) if node.next is not None else None
        with self._cleanups.frame("loop"), self._blocks.loop() if self._blocks else nullcontext():
            body = self._as_statement(self.visit(node.stmt), node)
        coord = node.coord
        if coord is not None and coord.statement:
            coord = coord._replace(statement=_statement(node.cond))
            if step is not None:
                step = rebuilt(step, coord=coord._replace(statement=_statement(node.next)))
        return [*self._entered(node), *init, c_ast.For(None, cond, step, body, coord)]

    def visit_DoWhile(self, node: c_ast.DoWhile) -> c_ast.Node:
        result = self._loop(node)
        if isinstance(result, c_ast.DoWhile) and node.coord is not None and (number := _statement(node.cond)):
            origin = result.cond.coord or node.coord
            return rebuilt(result, cond=rebuilt(result.cond, coord=origin._replace(statement=number)))
        return result

    def _loop(self, node: c_ast.Node) -> c_ast.Node:
        with self._cleanups.frame("loop"), self._blocks.loop() if self._blocks else nullcontext():
            return self.generic_visit(node)  # type: ignore[no-any-return]

    visit_While = _loop

    def visit_Break(self, node: c_ast.Break) -> list[c_ast.Node]:
        return [*self._cleanups.jump(False, node.coord), *(self._blocks.left(loop=False) if self._blocks else []), node]

    def visit_Continue(self, node: c_ast.Continue) -> list[c_ast.Node]:
        return [*self._cleanups.jump(True, node.coord), *(self._blocks.left(loop=True) if self._blocks else []), node]

    def _as_statement(self, result: Any, node: c_ast.Node) -> c_ast.Node:
        return c_ast.Compound(result, node.coord) if isinstance(result, list) else result

    def _undefined(self, declarations: list[c_ast.Decl], node: c_ast.Node) -> list[c_ast.Node]:
        """The place where locals become undefined because control can get there without reaching their declarations."""
        if not declarations:
            return []
        block = c_ast.Compound([], node.coord)  # filled when the declarations have been seen
        self._promises.append((block, declarations))
        return [block]

    def _entered(self, node: c_ast.Node) -> list[c_ast.Node]:
        return self._undefined(self._skipped.entered.get(id(node), []), node)

    def _with_skipped(self, jump: c_ast.Node, translated: c_ast.Node) -> c_ast.Node | list[c_ast.Node]:
        """A jump, after making undefined those locals into whose scope it jumps past their declarations."""
        before = self._undefined(self._skipped.found.get(id(jump), []), jump)
        return [*before, translated] if before else translated

    def visit_Goto(self, node: c_ast.Goto) -> c_ast.Node | list[c_ast.Node]:
        if self._blocks and self._blocks.has_locals():
            self.context.warn("locals of blocks that a `goto` leaves are assumed to stay alive", node.coord)
        due = self._cleanups.goto(node.name, node.coord)
        jump = self._with_skipped(node, node)
        return [*due, *(jump if isinstance(jump, list) else [jump])] if due else jump

    def visit_ComputedGoto(self, node: nodes.ComputedGoto) -> c_ast.Node:
        raise self.unsupported("a computed `goto`", node)

    def visit_LabelAddress(self, node: nodes.LabelAddress) -> c_ast.Node:
        raise self.unsupported("the address of a label", node)

    def visit_Switch(self, node: c_ast.Switch) -> c_ast.Node | list[c_ast.Node]:
        with self._cleanups.frame("switch"), self._blocks.switch() if self._blocks else nullcontext():
            inside = self.generic_visit(node)
        return self._with_skipped(node, inside)

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
        statements = self._declaration(node)
        if node.name:
            self._cleanups.declared(node, self._scopes.lookup(node.name) or node.name, self._scopes.lookup)
        return statements

    def _declaration(self, node: c_ast.Decl) -> list[c_ast.Node]:
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
        # The scope of a name begins before its initialiser (C11 §6.2.1), which gives the array its length.
        name = self._scopes.declare(node.name)
        if "static" in node.storage and (sized := self.sized(node, name, type_)) is not None:
            self.emit(sized)
            return []
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
            self.emit(
                rebuilt(
                    node, name=name, type=type_, init=init, align=self._declarators.alignment_of_object(node, type_)
                )
            )
            return []
        if isinstance(type_, c_ast.ArrayDecl) and type_.dim is None:
            raise InputError(f"the array `{node.name}` has no length", node.coord)
        decl = build.declare(name, build.renamed(self.symbols.unqualified(type_), name), node.coord)
        decl = rebuilt(decl, align=self._declarators.alignment_of_object(node, type_))
        self.symbols.declare(rebuilt(decl, type=type_))  # its qualifiers still matter to _Generic and typeof
        self._declarations.append(decl)
        target = c_ast.ID(name, node.coord)
        begins = self._blocks.declared(name) if self._blocks else []
        self._declared[id(node)] = [*begins, *undefined(self.symbols, target, decl.type, None)]
        if init is None:
            return [*begins, *undefined(self.symbols, target, decl.type, node.coord)]
        return [*begins, *initialised(self.symbols, target, decl.type, init, node.coord)]

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
        """``__auto_type x = value;``: the scope of x begins after its initialiser."""
        init = self.visit(node.init)
        variable = self.variable.type_of(init)
        if variable is not None:
            pointer = pointer_to(self.symbols.element(variable))
            if self.variable.is_variable(pointer):
                return self._variable(rebuilt(node, init=None), pointer, init)
        type_ = build.renamed(self.symbols.unqualified_value(init), node.name)
        return self._local(rebuilt(node, type=type_, init=None), type_, init)


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


def _statement(node: c_ast.Node | None) -> tuple[int, ...]:
    """The number of the statement that *node* is in, where statements have numbers."""
    if node is None:
        return ()
    if isinstance(node.coord, Origin) and node.coord.statement:
        return node.coord.statement
    return next((found for _, child in node.children() if (found := _statement(child))), ())
