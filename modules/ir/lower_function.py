"""Statements and calls: the part of lowering that lowers a whole function."""

from collections.abc import Callable
from typing import ClassVar

from pycparser import c_ast

from cseq.c import build
from cseq.model.errors import UnsupportedError
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.expressions import Const, Expr, Place
from cseq.modules.ir.instructions import Terminator
from cseq.modules.ir.lower_blocks import argument
from cseq.modules.ir.lower_objects import Objects
from cseq.modules.ir.lower_values import UPDATES, ValueLowering, has_effect
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.ir.program import (
    Block,
    IfLayout,
    Kind,
    LabelLayout,
    Layout,
    LoopLayout,
    Section,
    SectionKind,
    Template,
)
from cseq.modules.ir.sections import assign_sections
from cseq.modules.ir.types import Code, Pointer
from cseq.modules.library import lexicon, primitives, stubs

UNWOUND = "__CSEQ_unwound"

_DESCRIBE = frozenset({
    lexicon.ACCESS, lexicon.COARSE, lexicon.CHECKS, lexicon.STANDS, lexicon.AHEAD, lexicon.DEMAND, lexicon.SHOW,
    "__CSEQ_at",
})  # fmt: skip
"""Calls that do nothing, and describe the statement after them: the one table of those."""


class FunctionLowering(ValueLowering):
    """Lowers one function into *template*."""

    def __init__(self, objects: Objects, template: Template) -> None:
        super().__init__(objects, template.kind is Kind.STEP)
        self.template = template
        self._labels: dict[str, int] = {}
        self._pending: list[tuple[Terminator, str, str]] = []
        self._leaving: list[tuple[str, str]] = []
        self._has_sections = False

    # The function

    def lower(self) -> Template:
        """Lower the definition that the template comes from."""
        template = self.template
        node = template.source
        assert node is not None
        self._start()
        parameters = node.decl.type.args
        for item in parameters.params if parameters is not None else []:
            if isinstance(item, c_ast.Decl) and item.name:
                self._declare(item, Storage.PARAMETER)
        template.parameters = tuple(self._declared)
        self._declared = []
        self._statements(node.body.block_items or [])
        self._keep_marks()
        if self._current is not None:
            self._end(ir.Return(None))
        for terminator, attribute, label in self._pending:
            if label not in self._labels:
                raise UnsupportedError(f"a jump to `{label}`, which is not there,", terminator.origin)
            setattr(terminator, attribute, self._labels[label])
        template.locals = tuple(self._declared)
        template.blocks = tuple(self._blocks)
        template.layout = tuple(self._layout)
        found: list[list[int]] = [[] for _ in self._blocks]
        for block in self._blocks:
            for to in block.end.successors():
                if block.number not in found[to]:
                    found[to].append(block.number)
        for block in self._blocks:
            block.predecessors = tuple(found[block.number])
        if self._has_sections:
            assign_sections(self._program, template)
        return template

    # Statements

    def _statements(self, nodes: list[c_ast.Node]) -> None:
        methods = self._STATEMENTS
        for node in nodes:
            method = methods.get(node.__class__)
            if method is None and self._is_step:
                method = FunctionLowering._dropped
            if method is None:
                raise UnsupportedError(f"a statement of kind {type(node).__name__} in the core language", node.coord)
            try:
                method(self, node)
            except UnsupportedError as error:
                raise (error if error.origin is not None else type(error)(error.message, node.coord)) from None

    def _part(self, node: c_ast.Node | None) -> Layout:
        """The layout of the statements of a part of a statement, which are lowered."""
        outer, self._layout = self._layout, []
        if node is not None:
            self._statements(build.statements(node))
        self._keep_marks()
        made, self._layout = self._layout, outer
        return tuple(made)

    def _declaration(self, node: c_ast.Decl) -> None:
        self._declare(node)
        if node.init is not None and self._locals[node.name].storage is not Storage.THREAD_LOCAL:
            place = self.pool.variable(self._locals[node.name])
            if isinstance(node.init, c_ast.InitList):
                raise UnsupportedError("a list as the initialiser of a local", node.coord)
            self._store(place, node.init, node)

    def _assignment(self, node: c_ast.Assignment) -> None:
        if node.op == "=":
            self._store(self.place(node.lvalue), node.rvalue, node)
        elif self._is_step:
            self._update(node.lvalue, node.op[:-1], node.rvalue, node)
        else:
            raise UnsupportedError(f"`{node.op}` in the core language", node.coord)

    def _store(self, place: Place, value: c_ast.Node, node: c_ast.Node) -> None:
        if isinstance(value, c_ast.FuncCall):
            self._call(value, place, node)
        else:
            self._add(
                ir.Assign(place, self.pool.convert(self.value(value), place.type), origin=node.coord, source=node)
            )

    def _update(self, lvalue: c_ast.Node, op: str, right: c_ast.Node | None, node: c_ast.Node) -> Place:
        place = self.place(lvalue)
        other = self._outer.number(1) if right is None else self.value(right)
        new = self._arithmetic(op, self.pool.read(place), other)
        self._add(ir.Assign(place, self.pool.convert(new, place.type), origin=node.coord, source=node))
        return place

    def _dropped(self, node: c_ast.Node) -> None:
        """An expression of library text whose value is not used."""
        if isinstance(node, c_ast.ExprList):
            self._statements(node.exprs)
        elif has_effect(node):
            self.value(node)

    def _effect(self, node: c_ast.UnaryOp) -> None:
        if self._is_step and node.op not in UPDATES:
            self._dropped(node)
            return
        if not self._is_step or node.op not in UPDATES:
            raise UnsupportedError(f"`{node.op}` as a statement of the core language", node.coord)
        self._update(node.expr, UPDATES[node.op], None, node)

    def _branch(self, node: c_ast.If) -> None:
        jump = node.iftrue.name if isinstance(node.iftrue, c_ast.Goto) and node.iffalse is None else None
        branch = ir.Branch(self.value(node.cond), -1, -1, origin=node.coord, source=node)
        self._end(branch)
        if jump is not None:
            self._pending.append((branch, "then", jump))
            branch.other = self._fresh().number
            self._layout.append(IfLayout(branch.number, (), None, jump))
            return
        branch.then = self._fresh().number
        then = self._part(node.iftrue)
        other: Layout | None = None
        ends: list[ir.Goto] = []
        if node.iffalse is not None:
            if self._current is not None:
                ends.append(ir.Goto(-1))
                self._end(ends[0], listed=False)
            branch.other = self._fresh().number
            other = self._part(node.iffalse)
        if self._current is not None:
            ends.append(ir.Goto(-1))
            self._end(ends[-1], listed=False)
        after = self._fresh().number
        for end in ends:
            end.to = after
        if node.iffalse is None:
            branch.other = after
        self._layout.append(IfLayout(branch.number, then, other, None))

    def _while(self, node: c_ast.While) -> None:
        condition = node.cond
        if isinstance(condition, c_ast.ExprList):
            *marks, condition = condition.exprs
            self._marks.extend(build.call(lexicon.CHECKS, mark) for mark in marks)
        head = self._start()
        outer, self._loop = self._loop, head.number
        head = self._relabelled(head)
        value = self.value(condition)
        always = value if isinstance(value, Const) and value.value != 0 else None
        first: ir.Branch | ir.Goto
        first = (
            ir.Goto(-1, origin=node.coord, source=node)
            if always is not None
            else ir.Branch(value, -1, -1, origin=node.coord, source=node)
        )
        self._end(first)
        if isinstance(first, ir.Goto):
            self._layout.pop()
            first.to = self._fresh().number
        else:
            first.then = self._fresh().number
        self._leaving.append((f"__break {first.number}", f"__continue {first.number}"))
        body = self._loop_body(node)
        self._leaving.pop()
        trailing, self._marks = tuple(self._marks), []
        self._labels[f"__continue {first.number}"] = head.number
        if self._current is not None:
            self._end(ir.Goto(head.number), listed=False)
        self._loop = outer
        after = self._fresh().number
        self._labels[f"__break {first.number}"] = after
        if isinstance(first, ir.Branch):
            first.other = after
        self._layout.append(LoopLayout(first.number, head.number, body, always, trailing))

    def _relabelled(self, head: Block) -> Block:
        """The loop's head, which belongs to its loop."""
        made = Block(head.number, head.number)
        made.labels = head.labels
        self._blocks[head.number] = self._current = made
        return made

    def _loop_body(self, node: c_ast.While) -> Layout:
        outer, self._layout = self._layout, []
        self._statements(build.statements(node.stmt))
        made, self._layout = self._layout, outer
        return tuple(made)

    def _for(self, node: c_ast.For) -> None:
        """A loop of library text, which has no `continue`."""
        if node.init is not None:
            self._statements(node.init.decls if isinstance(node.init, c_ast.DeclList) else [node.init])
        body = [*build.statements(node.stmt), *([] if node.next is None else [node.next])]
        self._while(c_ast.While(node.cond or build.number(1), build.block(body), node.coord))

    def _leave(self, node: c_ast.Node) -> None:
        """A `break` or `continue` of library text."""
        jump = ir.Goto(-1, origin=node.coord, source=node)
        self._pending.append((jump, "to", self._leaving[-1][isinstance(node, c_ast.Continue)]))
        self._end(jump)

    def _label(self, node: c_ast.Label) -> None:
        self._keep_marks()
        block = self._start()
        block.labels += (node.name,)
        self._labels[node.name] = block.number
        self._layout.append(LabelLayout(node.name, block.number, node.coord))
        if not isinstance(node.stmt, c_ast.EmptyStatement):
            raise UnsupportedError("a label with a statement in the core language", node.coord)

    def _goto(self, node: c_ast.Goto) -> None:
        jump = ir.Goto(-1, origin=node.coord, source=node)
        self._pending.append((jump, "to", node.name))
        self._end(jump)

    def _return(self, node: c_ast.Return) -> None:
        value = None if node.expr is None else self.pool.convert(self.value(node.expr), self.template.result)
        self._end(ir.Return(value, origin=node.coord, source=node))

    def _compound(self, node: c_ast.Compound) -> None:
        if not self._is_step:
            raise UnsupportedError("a block in the core language", node.coord)
        self._statements(node.block_items or [])

    def _empty(self, node: c_ast.Node) -> None:
        if not self._is_step:
            raise UnsupportedError("an empty statement in the core language", node.coord)

    def _call_statement(self, node: c_ast.FuncCall) -> None:
        self._call(node, None, node)

    _STATEMENTS: ClassVar[dict[type, Callable[..., None]]] = {
        c_ast.Decl: _declaration,
        c_ast.Assignment: _assignment,
        c_ast.FuncCall: _call_statement,
        c_ast.If: _branch,
        c_ast.While: _while,
        c_ast.For: _for,
        c_ast.Break: _leave,
        c_ast.Continue: _leave,
        c_ast.Label: _label,
        c_ast.Goto: _goto,
        c_ast.Return: _return,
        c_ast.Compound: _compound,
        c_ast.EmptyStatement: _empty,
        c_ast.UnaryOp: _effect,
    }

    # Calls

    def _call(self, node: c_ast.FuncCall, result: Place | None, statement: c_ast.Node) -> None:
        """Lower a call whose value is stored in *result*."""
        name: str = node.name.name
        method = self._CALLS.get(name)
        if method is not None:
            method(self, node, result, statement)
        elif name in _DESCRIBE:
            self._marks.append(node)
        elif name.startswith(lexicon.NONDET):
            self._nondet(node, result, statement)
        else:
            self._add(self._called(name, node, result, statement))

    def _called(self, name: str, node: c_ast.FuncCall, result: Place | None, statement: c_ast.Node) -> ir.Call:
        declarator = self.symbols.types.get(name)
        type_ = None if declarator is None else self._types.of(declarator)
        values = [self.value(argument) for argument in (node.args.exprs if node.args else ())]
        parameters = type_.parameters if isinstance(type_, Code) and type_.parameters is not None else ()
        arguments = tuple(
            self.pool.convert(value, parameters[number]) if number < len(parameters) else value
            for number, value in enumerate(values)
        )
        if name in self._program.by_name or (self._is_step and name in self._program.steps):
            return ir.Call(name, arguments, result, origin=statement.coord, source=statement)
        return ir.Operation(name, arguments, result, primitives.acts(name), origin=statement.coord, source=statement)

    def _nondet(self, node: c_ast.FuncCall, result: Place | None, statement: c_ast.Node) -> None:
        if result is None:
            result = self._temporary(self._types.c_int)
        kind = node.name.name.removeprefix(lexicon.NONDET)
        if node.coord is None:
            self._add(ir.Undefine(result, kind, None, origin=statement.coord, source=statement))
        else:
            self._add(ir.Input(result, kind, None, node.coord, origin=statement.coord, source=statement))

    def _whole(self, node: c_ast.FuncCall, result: Place | None, statement: c_ast.Node) -> None:
        pointer, size = self.value(node.args.exprs[0]), self.value(node.args.exprs[1])
        place = self.pool.deref(pointer)
        size = self.pool.convert(size, self._types.size)
        name = node.name.name
        if name == "__CSEQ_zero":
            self._add(ir.Zero(place, size, origin=statement.coord, source=statement))
        elif name == lexicon.HAVOC and node.coord is not None and not _begins(node, place):
            self._add(ir.Input(place, "memory", size, node.coord, origin=statement.coord, source=statement))
        else:
            self._add(ir.Undefine(place, name, size, origin=statement.coord, source=statement))

    def _choice(self, node: c_ast.FuncCall, result: Place | None, statement: c_ast.Node) -> None:
        if result is None:
            raise UnsupportedError("a choice without a result", node.coord)
        bound = self.value(node.args.exprs[0])
        is_sampled = node.name.name == lexicon.SAMPLED
        self._add(ir.Choose(result, bound, is_sampled, origin=statement.coord, source=statement))

    def _lifetime(self, node: c_ast.FuncCall, result: Place | None, statement: c_ast.Node) -> None:
        place = self.pool.deref(self.value(node.args.exprs[0]))
        self._add(ir.Lifetime(place, node.name.name == lexicon.BEGINS, origin=statement.coord, source=statement))

    def _check(self, node: c_ast.FuncCall, result: Place | None, statement: c_ast.Node) -> None:
        condition, key = self.value(node.args.exprs[0]), _key(node)
        if _is_zero(condition):
            self._end(ir.Fail(key, origin=statement.coord, source=statement))
        else:
            self._add(ir.Check(condition, key, origin=statement.coord, source=statement))

    def _assume(self, node: c_ast.FuncCall, result: Place | None, statement: c_ast.Node) -> None:
        condition = self.value(node.args.exprs[0])
        if _is_zero(condition):
            self._end(ir.Stop(origin=statement.coord, source=statement))
        else:
            self._add(ir.Assume(condition, origin=statement.coord, source=statement))

    def _cut(self, node: c_ast.FuncCall, result: Place | None, statement: c_ast.Node) -> None:
        condition, key = self.value(node.args.exprs[0]), _key(node)
        if _is_zero(condition):
            self._end(ir.Abandon(key, origin=statement.coord, source=statement))
        else:
            self._add(ir.CutUnless(condition, key, origin=statement.coord, source=statement))

    def _wait(self, node: c_ast.FuncCall, result: Place | None, statement: c_ast.Node) -> None:
        condition, *others = [self.value(argument) for argument in node.args.exprs]
        on = others[0] if others else None
        if node.name.name == stubs.WAIT_OR_WAKE:  # it may also end without a reason, where that is allowed
            condition = self.pool.logical("||", condition, self.value(c_ast.ID(lexicon.SPURIOUS)))
        self._add(ir.Wait(condition, node.name.name, on, origin=statement.coord, source=statement))

    def _begin(self, node: c_ast.FuncCall, result: Place | None, statement: c_ast.Node) -> None:
        self._has_sections = True
        kind = SectionKind.USER
        for mark in self._marks:
            if build.is_call(mark, lexicon.ACCESS):
                kind = SectionKind.GROUP if build.is_constant(argument(mark), 0) else SectionKind.RMW
        section = Section(len(self._program.sections), kind)
        self._program.sections.append(section)
        self._add(ir.Begin(section.number, origin=statement.coord, source=statement))

    def _leave_section(self, node: c_ast.FuncCall, result: Place | None, statement: c_ast.Node) -> None:
        self._has_sections = True
        self._add(ir.End(origin=statement.coord, source=statement))

    def _exit(self, node: c_ast.FuncCall, result: Place | None, statement: c_ast.Node) -> None:
        value = self.pool.convert(self.value(node.args.exprs[0]), self._types.void_pointer)
        self._end(ir.ThreadExit(value, origin=statement.coord, source=statement))

    def _stop(self, node: c_ast.FuncCall, result: Place | None, statement: c_ast.Node) -> None:
        self._end(ir.ProcessExit(origin=statement.coord, source=statement))

    def _create(self, node: c_ast.FuncCall, result: Place | None, statement: c_ast.Node) -> None:
        handle, attributes, start, argument = node.args.exprs
        if not isinstance(start, c_ast.ID):
            raise UnsupportedError("a start function that is not named", node.coord)
        void = self._types.void_pointer
        made = ir.Create(
            self._as_pointer(self.value(handle)),
            self.pool.convert(self.value(attributes), void),
            self._outer.object(start.name, node.coord),
            self.pool.convert(self.value(argument), void),
            result,
            origin=statement.coord,
            source=statement,
        )
        self._add(made)
        self._program.creations.append(made)

    def _as_pointer(self, value: Expr) -> Expr:
        """*value* as a pointer; a null pointer constant is an integer."""
        return value if isinstance(value.type, Pointer) else self.pool.convert(value, self._types.void_pointer)

    _CALLS: ClassVar[dict[str, Callable[..., None]]] = {
        lexicon.ASSERT: _check,
        lexicon.MISUSE_STUB: _check,
        lexicon.ASSUME: _assume,
        UNWOUND: _cut,
        lexicon.ATOMIC_BEGIN: _begin,
        lexicon.ATOMIC_END: _leave_section,
        lexicon.EXIT: _exit,
        lexicon.STOP: _stop,
        lexicon.CREATE: _create,
        lexicon.CHOOSE: _choice,
        lexicon.SAMPLED: _choice,
        lexicon.BEGINS: _lifetime,
        lexicon.ENDS: _lifetime,
        **dict.fromkeys(lexicon.WHOLE, _whole),
        **dict.fromkeys(stubs.WAITS, _wait),
    }


def _key(node: c_ast.FuncCall) -> str:
    """The key of a claim or a cut in a call."""
    return build.text(node.args.exprs[1])


def _is_zero(value: Expr) -> bool:
    return isinstance(value, Const) and value.value == 0


def _begins(node: c_ast.FuncCall, place: Place) -> bool:
    """Whether a call of ``__CSEQ_havoc`` is the beginning of a local without an initialiser, and no input.

    A local with many scalars is made nondeterministic as a whole (`cseq.modules.analysis.initializers.undefined`).
    """
    size = node.args.exprs[1]
    is_whole = isinstance(size, c_ast.UnaryOp) and size.op == "sizeof"
    return is_whole and isinstance(place.base, Object) and place.base.is_local
