"""Instructions of the intermediate representation as steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from pycparser import c_ast

from cseq.model.claims import Claim, Cut, Kind, Limit
from cseq.model.errors import UnsupportedError
from cseq.modules.analysis.movers import Movers
from cseq.modules.analysis.points_to import uncast
from cseq.modules.core.inliner.main_entry import ALONE
from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.encode.algebra import FALSE, TRUE, choose, convert, negation
from cseq.modules.deductive.encode.cells import Cells, Spot, leaves, scalar
from cseq.modules.deductive.encode.flow import Flow, FlowStep, Statement, Writer
from cseq.modules.deductive.encode.inexpressible import refused
from cseq.modules.deductive.encode.values import Alternatives, Values, is_temporary, named
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.expressions import AddressOf, Const, Expr, Place, Read
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.ir.program import Block, Program, Template
from cseq.modules.ir.types import Array, Record
from cseq.modules.library import lexicon, stubs
from cseq.modules.library.assertions import Claims
from cseq.modules.library.primitives import called, without_variant
from cseq.pipeline.translator import user_name

_MOST_ELEMENTS = 64


def _whole(instruction: ir.Instruction) -> Place | None:
    """The place that *instruction* gives a value as a whole, if it is one that does that."""
    if not isinstance(instruction, (ir.Input, ir.Undefine, ir.Zero)) or instruction.size is None:
        return None
    place = instruction.place
    inner = uncast(place.base) if isinstance(place.base, Expr) else None
    if isinstance(inner, AddressOf) and not place.path:
        place = inner.place
    size = instruction.size.value if isinstance(instruction.size, Const) else 0
    while place.parent is not None and isinstance(size, int) and size > place.type.size:
        place = place.parent  # the address of an array is that of its first element
    return place


def _objects_read(node: Expr) -> Iterable[Object | None]:
    """The objects that *node* reads, or has the address of; None for what is no object as a whole."""
    if isinstance(node, Read):
        yield named(node.place)
    elif isinstance(node, AddressOf):
        yield node.place.base if isinstance(node.place.base, Object) else None
    else:
        for operand in node.operands():
            yield from _objects_read(operand)


Handler = Callable[["Statements", Any], None]
"""Writes what a creation or an operation does."""


class Statements:
    """Writes the steps of the threads of one template.

    handlers: what writes the calls of some functions. returns: what writes the end of the thread, or of the process,
    given what is returned; control does not come back. same: the statements that were copied, by the `id` of the copy.
    """

    def __init__(
        self,
        template: Template,
        values: Values,
        cells: Cells,
        program: Program,
        claims: Claims,
        movers: Movers,
        handlers: dict[str, Handler],
        returns: Callable[[Statements, Expr | None], None],
        same: dict[int, c_ast.Node],
    ) -> None:
        self.values = values
        self.cells = cells
        self.program = program
        self.writer = Writer()
        self.in_loop = False
        self._claims = claims
        self._movers = movers
        self._handlers = handlers
        self._returns = returns
        self._same = same
        self._inlined: list[tuple[str, FlowStep, ts.Read | None]] = []  # library functions, their ends and results
        self._template = template
        named = (_whole(each) for each in template.instructions())
        self._wholes = Counter(place.base for place in named if place is not None)

    def flow(self) -> Flow:
        """The steps of the whole function."""
        self._begin(None)
        for object_ in self._template.locals:
            if object_.storage is Storage.THREAD_LOCAL:
                self._initialise(object_)
        self._write(self._template)
        return Flow(self.writer.entry)

    def _initialise(self, object_: Object) -> None:
        place = self.program.expressions.variable(object_)
        ((_, spot),) = self.values.places(place)
        self.fill(spot, lambda target: ts.Assign(target, ts.Number(0, target.type)))
        for part, value in self.program.initial(object_):
            self.store(part, self.values.value(value))

    # Writing

    def _begin(self, node: ir.Instruction | None, mover: bool = False, waits: bool = False) -> None:
        if not self._inlined:
            self.writer.begin(Statement(node.origin if node is not None else None, mover, waits))
            self.values.origin = self.writer.statement.origin

    def _moves(self, node: ir.Instruction) -> bool:
        return self._same.get(id(node.source), node.source) in self._movers

    def act(self, *actions: ts.Action) -> None:
        """Write what the expressions that were translated demand, and then *actions*."""
        self.writer.at.actions += [*self.values.before, *actions]
        self.values.before = []

    def branch(self, ways: Iterable[tuple[ts.Expression, Callable[[], None]]]) -> None:
        """Write several ways to go on; each is taken if its condition holds, and no two do. They meet again."""
        self.act()
        start, join = self.writer.at, self.writer.new()
        for condition, write in ways:
            self.writer.at = start
            self.writer.go_to(self.writer.new(), condition)
            write()
            self.writer.go_to(join)
        self.writer.at = join

    def either(self, condition: ts.Expression, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        """Write what is done if *condition* holds, and otherwise."""
        self.branch([(condition, then), (negation(condition), otherwise)])

    def assign(self, places: Alternatives, value: ts.Expression, live: ts.Expression = FALSE) -> None:
        """Store *value* in one of *places*. live: see `Cells.is_live`, where it is the identifier of a thread."""
        self.values.stores += 1

        def store(spot: Spot) -> None:
            target = self.cells.reference(self.values.template, spot)
            self.act(ts.Assign(target, convert(value, target.type)))
            if self.cells.is_handle(self.cells.declared_part(spot.root, spot.path)):
                self.act(*self.cells.set_live(target, live, self.values.template))

        if len(places) == 1:
            store(places[0][1])
        elif places:
            self.branch((condition, lambda spot=spot: store(spot)) for condition, spot in places)  # type: ignore[misc]
        else:
            self.act()

    def store(self, place: Place | None, value: ts.Expression) -> None:
        """Store *value* in *place*, if there is one."""
        kept = None if place is None else self._kept(place, value)
        if kept is not None:
            self.values.stores += 1
            self.act(ts.Assign(kept, convert(value, kept.type)))
        elif place is not None:
            self.assign(self.values.places(place), value)
        else:
            self.act()

    def _kept(self, place: Place, value: ts.Expression) -> ts.Read | ts.Element | None:
        """The variable for a temporary, or a parameter, of a library function; None for other places."""
        object_, bound = named(place), self.values.bound
        if object_ is None or not (is_temporary(object_) or object_.number in bound):
            return None
        if object_.number not in bound:
            type_ = ts.UNBOUNDED if value.type == ts.UNBOUNDED else scalar(place.type, self.values.origin)
            bound[object_.number] = ts.Read(self.cells.fresh(type_, self.values.template))
        found = bound[object_.number]
        if not isinstance(found, ts.Read):
            raise refused(f"an assignment to the parameter `{object_.name}`", self.values.origin)
        return found

    def fill(self, spot: Spot, action: Callable[[ts.Read | ts.Element], ts.Action]) -> None:
        """Do something to each scalar of the object *spot*."""
        self.values.stores += 1
        for path in leaves(spot.type):
            variable = self.cells.variable(self.values.template, spot.root, (*spot.path, *path))
            targets: list[ts.Read | ts.Element] = [ts.Read(variable)]
            if isinstance(variable.type, ts.Array):
                if spot.index is not None or variable.type.length > _MOST_ELEMENTS:
                    which = "elements in an array" if spot.index is not None else f"more than {_MOST_ELEMENTS} elements"
                    name = user_name(spot.root.name) or spot.root.name
                    raise refused(f"`{name}`, where {which} get a value at once,", self.values.origin)
                targets = [ts.Element(variable, ts.Number(index)) for index in range(variable.type.length)]
            self.act(*map(action, targets))
            if self.cells.is_handle(self.cells.declared_part(spot.root, (*spot.path, *path))):
                self.act(*(one for each in targets for one in self.cells.set_live(each, FALSE, self.values.template)))

    # Blocks

    def _write(self, template: Template) -> None:
        """Write the blocks of a function, from here on."""
        blocks = template.blocks
        heads: dict[int, FlowStep] = {}

        def head(number: int) -> FlowStep:
            if number not in heads:
                block = blocks[number]
                is_loop = block.loop == number
                if is_loop and self._inlined:
                    raise refused(f"the function `{template.name}`, whose model has a loop", block.end.origin)
                origin = next(block.instructions()).origin
                heads[number] = self.writer.new() if self._inlined else FlowStep(Statement(origin), cut=is_loop)
            return heads[number]

        self.writer.go_to(head(0))
        for block in blocks:
            if block.number in heads:
                self.writer.at = heads[block.number]
                self.in_loop = self.in_loop if self._inlined else block.loop is not None
                for instruction in block.body:
                    self._instruction(instruction)
                self._leave(blocks, block, head)

    def _leave(self, blocks: tuple[Block, ...], block: Block, head: Callable[[int], FlowStep]) -> None:
        """Write the end of a block. head: the first step of another one."""
        end = block.end
        self._coarse(end)
        match end:
            case ir.Goto(to):
                self.act()
                self.writer.go_to(head(to))
            case ir.Branch(condition, then, other):
                self._begin(end, self._moves(end))
                holds = self.values.truth(condition)
                if self._is_choice(blocks[then], end):
                    self._choose(holds, blocks[then])
                    self.writer.go_to(head(other))
                    return
                self.act()
                self.writer.at.next += [(holds, head(then)), (negation(holds), head(other))]
            case ir.Return(value) if self._inlined and not isinstance(end, ir.ThreadExit):
                _, after, result = self._inlined[-1]
                returned = None if value is None else self.values.value(value)
                self.act()
                if returned is not None and result is not None:
                    self.act(ts.Assign(result, convert(returned, result.type)))
                self.writer.go_to(after)
            case ir.Return(value):
                self._begin(None if end.source is None else end)
                self._returns(self, value)
            case ir.ProcessExit():
                self._begin(end)
                self.act()
            case ir.Fail() | ir.Stop() | ir.Abandon():
                self._claim(end)
            case _:
                raise refused(f"a terminator of kind {type(end).__name__}", end.origin)

    def _is_choice(self, block: Block, branch: ir.Branch) -> bool:
        """Whether what a branch decides is nothing but one assignment, which no other thread sees before it ends."""
        if len(block.predecessors) > 1 or not isinstance(block.end, ir.Goto) or block.end.to != branch.other:
            return False
        *before, node = block.body or [block.end]
        target = named(node.place) if isinstance(node, ir.Assign) and node.grain is None else None
        if target is None or isinstance(target.type, Record) or self.cells.is_handle(self.cells.declared_part(target)):
            return False
        if self._inlined:
            return all(map(self._only_computes, before))
        # What others can change is loaded by a statement of its own.
        read = [target, *(each for part in node.operands() for each in _objects_read(part))]
        return not before and all(each is not None and self.cells.is_own(each) for each in read)

    def _choose(self, condition: ts.Expression, block: Block) -> None:
        """Write an assignment that is only made if *condition* holds."""
        *before, node = block.body
        assert isinstance(node, ir.Assign)
        with self.values.only_if(condition):
            for each in before:
                self._instruction(each)
            value = self.values.value(node.value)
        target = self._kept(node.place, value)
        if target is None:
            ((_, spot),) = self.values.places(node.place)
            target = self.cells.reference(self.values.template, spot)
        self.values.stores += 1
        self.act(ts.Assign(target, choose(condition, convert(value, target.type), target)))

    def _only_computes(self, node: ir.Instruction) -> bool:
        """Whether an instruction of a library function does nothing but to give a temporary a value."""
        target = node.target()
        object_ = None if target is None else named(target)
        if object_ is None or not is_temporary(object_):
            return False
        if isinstance(node, ir.Call):
            return node.function in self.program.steps and _returned(self.program.steps[node.function]) is not None
        return isinstance(node, ir.Input | ir.Undefine)

    # Instructions

    def _instruction(self, node: ir.Instruction) -> None:
        """Write one instruction."""
        self._coarse(node)
        match node:
            case ir.Skip() | ir.Lifetime():
                return
            case ir.Begin() | ir.End():
                self._begin(node, waits=isinstance(node, ir.Begin))
                self.writer.at.section = 1 if isinstance(node, ir.Begin) else -1
                self.writer.go_to(self.writer.new())
            case ir.Assign():
                self._begin(node, self._moves(node))
                self._assign(node)
            case ir.Input(place, kind, None) | ir.Undefine(place, kind, None):
                self._begin(node, self._moves(node))
                self._input(place, kind)
            case ir.Input() | ir.Undefine() | ir.Zero():
                self._begin(node)
                self._fill_whole(node)
            case ir.Check() | ir.Assume() | ir.CutUnless():
                self._claim(node)
            case ir.Wait(condition, how):
                if how != stubs.WAIT_OR_WAKE:  # which may end at any time
                    self.act(ts.Assume(self.values.truth(condition)))
            case ir.Create():
                self._begin(node, self._moves(node))
                self._handlers[lexicon.CREATE](self, node)
            case ir.Call():
                self._call(node)
            case _:
                raise refused(f"an instruction of kind {type(node).__name__}", node.origin)

    def _coarse(self, node: ir.Instruction) -> None:
        """Write the cut before an instruction that stands for several accesses."""
        if node.grain is not None:
            self._begin(node)
            cut = Cut(Limit.GRAIN, 1, node.grain)
            self.act(ts.Check(FALSE, Claim(Kind.UNWINDING, cut=cut), node.origin))

    def _assign(self, node: ir.Assign) -> None:
        if isinstance(node.place.type, Record):
            self._copy(node.place, node.value, node.place.type)
            return
        value = self.values.value(node.value)
        if self.cells.is_handle(self.cells.declared(node.place)):
            handle = self.handle(node.value)
            kept = ts.Read(self.cells.ghost("live", ts.BOOL, self.values.template))
            if handle is not None:
                gone = self.cells.set_live(handle, FALSE, self.values.template)
                self.act(ts.Assign(kept, self.cells.is_live(handle)), *gone)
            self.assign(self.values.places(node.place), value, FALSE if handle is None else kept)
        else:
            self.store(node.place, value)

    def handle(self, node: Expr) -> ts.Read | ts.Element | None:
        """The variable, or element of an array, that the identifier *node* of a thread is read from, if it is one."""
        node = uncast(node)
        if not isinstance(node, Read) or not self.cells.is_handle(self.cells.declared(node.place)):
            return None
        places = self.values.places(node.place)
        if len(places) != 1:
            return None
        return self.cells.reference(self.values.template, places[0][1])

    def _copy(self, target: Place, source: Expr, type_: Record) -> None:
        """Copy a struct."""
        if not isinstance(source, Read):
            raise refused("a struct that is no object", self.values.origin)
        if type_.is_union:
            raise refused("a union", self.values.origin)
        pool = self.program.expressions
        for field in type_.fields.values():
            one, other = pool.field(target, field), pool.field(source.place, field)
            if isinstance(field.type, Array):
                raise refused("a copy of a struct with an array", self.values.origin)
            if isinstance(field.type, Record):
                self._copy(one, pool.read(other), field.type)
            else:
                self.assign(self.values.places(one), self.values.value(pool.read(other)))

    def _input(self, place: Place, kind: str) -> None:
        """Write that *place* gets any value."""
        words = lexicon.NONDET_TYPES.get(kind)
        if words is None:
            raise refused(f"the input `{lexicon.NONDET}{kind}`", self.values.origin)
        is_pointer = "*" in words
        type_ = ts.Address.POINTER if is_pointer else scalar(self.program.types.arithmetic(words), self.values.origin)
        value = self.values.unknown(type_)
        object_ = named(place)
        if object_ is not None and is_temporary(object_) and object_.number not in self.values.bound:
            self.values.bound[object_.number] = value
        else:
            self.store(place, value)

    # Calls

    def _call(self, node: ir.Call) -> None:
        """Write the call of a library function."""
        name = node.function
        if name in (stubs.MAY_HANG, stubs.MAY_WAIT):  # which say something, and do nothing
            return
        if name == ALONE:  # a cut that every execution runs into
            raise refused("what a program does with its arguments, unless --args gives them,", node.origin)
        if name in self._handlers:
            self._begin(node, self._moves(node))
            self._handlers[name](self, node)
        elif name in self.program.steps:
            self._begin(node, self._moves(node), waits=stubs.may_wait(name))
            outside = not self._inlined
            try:
                self._inline(self.program.steps[name], node.arguments, node.result)
            except UnsupportedError as error:
                if not outside or not lexicon.is_ours(error.origin):
                    raise
                raise refused(f"the function `{called(name) or without_variant(name)}`", node.origin) from error
        else:
            raise refused(f"the function `{called(name) or without_variant(name)}`", node.origin)

    def _claim(self, node: ir.Instruction) -> None:
        """Write an assertion, an assumption, or a cut."""
        claim = None
        if isinstance(node, (ir.CutUnless, ir.Abandon)):
            claim = Claim(Kind.UNWINDING, cut=node.cut)
        elif isinstance(node, (ir.Check, ir.Fail)) and self._claims.has_key(node.key):
            claim = node.claim
        self._begin(node, self._moves(node), waits=claim is None)
        condition = (
            self.values.truth(node.condition) if isinstance(node, ir.Check | ir.Assume | ir.CutUnless) else FALSE
        )
        if claim is None:
            self.act(ts.Assume(condition))
        elif condition == TRUE:
            self.act()
        else:
            self.act(ts.Check(condition, claim, self.values.origin))
        if condition == FALSE:
            self.writer.dead()

    def _fill_whole(self, node: ir.Input | ir.Undefine | ir.Zero) -> None:
        """Write that a whole object gets a value."""
        place = _whole(node)
        assert place is not None
        found = self.values.places(place)
        if not (isinstance(node.size, Const) and node.size.value == place.type.size):
            raise refused("an operation on a part of an object", self.values.origin)
        if len(found) != 1:
            raise refused("an operation on an unknown object", self.values.origin)
        if isinstance(node, ir.Zero):
            self.fill(found[0][1], lambda target: ts.Assign(target, ts.Number(0, target.type)))
        elif not self._is_any_value(place, found[0][1]):
            self.fill(found[0][1], ts.Havoc)

    def _is_any_value(self, place: Place, spot: Spot) -> bool:
        """Whether the object has any value already: it is a thread's own, and this is done once, before others."""
        if self.in_loop or place.path or not self.cells.is_own(spot.root):
            return False
        return self._wholes[place.base] == 1

    def _inline(self, function: Template, arguments: tuple[Expr, ...], place: Place | None) -> None:
        """Write the body of a library function, which is one step."""
        values, name, returned = self.values, function.name, _returned(function)
        if any(name == outer for outer, _, _ in self._inlined):
            raise refused(f"the recursive function `{name}`", values.origin)
        outer = dict(values.bound), dict(values.given), values.in_library
        values.bind(function, arguments, keep=returned is None)
        values.in_library = True
        object_ = None if place is None else named(place)
        if returned is not None and object_ is not None and is_temporary(object_):
            values.computed[object_.number] = values.value(returned), values.stores
            values.bound, values.given, values.in_library = outer
            return
        result = None if place is None else ts.Read(self.cells.fresh(self.cells.result(function), values.template))
        end = self.writer.new()
        self._inlined.append((name, end, result))
        self._write(function)
        self._inlined.pop()
        values.bound, values.given, values.in_library = outer
        self.writer.at = end
        if result is not None:
            self.store(place, result)


def _returned(function: Template) -> Expr | None:
    """What *function* returns, if it does nothing else."""
    (block, *more) = function.blocks
    end = block.end
    return end.value if not more and not block.body and isinstance(end, ir.Return) else None
