"""The analysis of one thread: what is known at each point of its control flow, with calls followed in their contexts.

A node is a block, or what comes after a call in it, with the calls that lead to it. Functions that call themselves, and
those that are called too deep, have one activation for all their calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from cseq.modules.analysis.dataflow import Analysis, Direction, solve_on_demand
from cseq.modules.analysis.threadlocals import is_thread_local
from cseq.modules.ir import expressions as ex
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.ir.program import Kind, Template
from cseq.modules.library import lexicon
from cseq.modules.modular.accesses import Access, Thread
from cseq.modules.modular.environment import SHARED, Activation, Environment
from cseq.modules.modular.state import Cell, Join, Node, State
from cseq.modules.modular.terms import SymbolKind, Term
from cseq.modules.modular.transfer import Transfer

Edge = tuple[Node, int]
"""The node that an edge leaves, and which of its edges it is."""

_MOST_VISITS = 40_000
_MOST_DEPTH = 12


class ThreadAnalysis(Analysis[Node, Edge, State]):
    """The states of one thread. accesses: those to memory that may be shared, after `collect`."""

    direction = Direction.FORWARD

    def __init__(self, environment: Environment, thread: Thread) -> None:
        self.environment = environment
        self.thread = thread
        self.accesses: list[Access] = []
        self.handles: dict[int, Term | None] = {}
        self.forms: dict[int, Term | None] = {}
        self.left: bool = False
        self._solve()
        while self.forms != self.handles:  # what identifiers were taken for was a guess
            self.handles = {c: form if c not in self.handles or self.handles[c] == form else None
                            for c, form in self.forms.items()}  # fmt: skip
            guessed = dict(self.handles)
            self._solve()
            if all(form is None for c, form in guessed.items() if form != self.forms.get(c)):
                break

    def _solve(self) -> None:
        self.forms = {}
        self._activations: dict[Node, Activation] = {(): Activation(self.thread.template, (), None, True)}
        self._outputs: dict[Node, list[State]] = {}
        self._inputs: dict[Node, dict[Edge, State]] = {}
        self._bases: dict[Node, State] = {}
        self._restarts = 0
        self._solution = solve_on_demand(self, self, _MOST_VISITS)

    # Objects

    def object(self, object_: Object, activation: Activation) -> Term:
        """The address of a named object."""
        number = self.thread.number
        address = SymbolKind.ADDRESS
        if object_.storage is Storage.THREAD_LOCAL or is_thread_local(object_.declaration):
            return self.environment.symbols.term(address, (number, object_), self.thread.parent is None)
        if object_.template is None:
            return self.environment.symbols.term(address, ("static", object_), True)
        around: Activation | None = activation
        while around is not None and around.template.number != object_.template:
            around = around.around
        where = activation.path if around is None else around.path
        is_fixed = around is not None and around.is_once and self.thread.parent is None
        return self.environment.symbols.term(address, (number, object_, where), is_fixed)

    # The graph

    @property
    def entry(self) -> Node:
        """The beginning of the thread."""
        return (0, 0)

    def leaving(self, node: Node) -> Iterator[tuple[Edge, Node]]:
        """The edges that the transfer function has found."""
        return (((node, number), state.at) for number, state in enumerate(self._outputs[node]))

    def activation(self, node: Node) -> Activation:
        """What a node is in."""
        return self._activations[node[:-2]]

    # The framework

    def boundary(self) -> State:
        """What is known when the thread begins."""
        thread = self.thread
        cells = dict(thread.cells)
        template = thread.template
        if template.parameters and thread.parent is not None:
            parameter = template.parameters[0]
            address = self.object(parameter, self._activations[()])
            cells[address] = Cell(thread.argument, parameter.type.size)
        return State(self.entry, cells, bounds=thread.bounds, observed=thread.observed, is_first=thread.parent is None)

    def bottom(self) -> State:
        """Never asked: nodes are found on demand."""
        return State(())

    def join(self, one: State, other: State) -> State:
        """What holds on all paths to a node; see `along` for what is known of the edges."""
        node = other.at
        assert other.via is not None
        if self._is_shared_entry(node):
            return self._joined(one, other)
        if not self._is_head(node):
            return self._folded(node)
        if self._is_back(node, other.via[0]):
            return replace(self._joined(one, other), restarts=one.restarts)
        base = self._folded(node)
        known = self._bases.get(node)
        if known is not None and replace(base, restarts=known.restarts) == known:
            return one if base.restarts == one.restarts else replace(one, restarts=max(base.restarts, one.restarts))
        self._bases[node] = base
        self._restarts += 1
        return replace(base, restarts=max(self._restarts, base.restarts))

    def _joined(self, one: State, other: State) -> State:
        return Join(self.environment.symbols, one, other, lambda: self._guesses(one), is_back=True).joined()

    def _folded(self, node: Node) -> State:
        """The join of what came by each edge last; for the head of a loop, without the edges back."""
        inputs = self._inputs[node]
        is_head = self._is_head(node)
        states = [s for edge, s in sorted(inputs.items()) if not (is_head and self._is_back(node, edge[0]))]
        found = states[0]
        for each in states[1:]:
            found = Join(self.environment.symbols, found, each, tuple).joined()
        return found

    def transfer(self, node: Node, state: State) -> State:
        """The state after the instructions of a block up to the next call of a function."""
        if node not in self._bases and self._is_head(node):
            self._bases[node] = state
        transfer = Transfer(self, self.activation(node), state, False)
        self._outputs[node] = [*self._run(node, transfer)]
        for number, each in enumerate(self._outputs[node]):
            self._inputs.setdefault(each.at, {})
            object.__setattr__(each, "via", (node, number))
        return state

    def along(self, edge: Edge, state: State) -> State | None:
        """The state after an edge."""
        node, number = edge
        found = self._outputs[node][number]
        self._inputs[found.at][edge] = found
        return found

    def _is_head(self, node: Node) -> bool:
        if node[-1] or self._is_shared_entry(node):
            return False
        block = self.activation(node).block(node)
        return bool(block.predecessors) and max(block.predecessors) >= block.number

    def _is_back(self, node: Node, source: Node) -> bool:
        """Whether an edge from *source* closes a loop whose head *node* is."""
        depth = len(node) - 2
        return len(source) > depth and source[:depth] == node[:-2] and source[depth] >= node[-2]

    def _is_shared_entry(self, node: Node) -> bool:
        return node[:1] == (SHARED,) and node[2:] == (0, 0)

    def _guesses(self, state: State) -> Iterator[Term]:
        """The terms with which the head of a loop compares."""
        if not self._is_head(state.at):
            return
        activation = self.activation(state.at)
        block = activation.block(state.at)
        end = block.end
        condition = end.condition if isinstance(end, ir.Branch) else None
        if isinstance(condition, ex.Unary):
            condition = condition.operand
        if isinstance(condition, ex.Compare) and not condition.loads and not block.body:
            transfer = Transfer(self, activation, state, False)
            yield from transfer.values(end, (condition.left, condition.right), False)

    # Control flow

    def _run(self, node: Node, transfer: Transfer) -> Iterator[State]:
        """Execute a node; the states with which control leaves it."""
        activation = self.activation(node)
        block = activation.block(node)
        is_once = self.thread.parent is None and activation.is_once and block.loop is None
        body = block.body
        for position in range(node[-1], len(body)):
            instruction = body[position]
            if type(instruction) is ir.Call:
                callee = self.environment.program.by_name.get(instruction.function)
                if callee is not None and callee.kind is not Kind.STEP:
                    yield from self._call((*node[:-1], position), transfer, instruction, callee, is_once)
                    return
            transfer.execute(instruction, is_once)
            if transfer.is_dead:
                return
        yield from self._leave(node, transfer, block.end, is_once)

    def _leave(self, node: Node, transfer: Transfer, end: ir.Terminator, is_once: bool) -> Iterator[State]:
        path = node[:-2]
        match end:
            case ir.Goto(to):
                yield transfer.state().moved((*path, to, 0))
            case ir.Branch(_, then, other):
                condition = transfer.condition(end, is_once)
                before = transfer.state()
                for to, holds in ((then, True), (other, False)):
                    after = Transfer(self, self.activation(node), before, False)
                    after.assume(condition, holds)
                    if not after.is_dead:
                        yield after.state().moved((*path, to, 0))
            case ir.ThreadExit():
                self._end(transfer, end)
            case ir.Return():
                yield from self._return(node, transfer, end, is_once)
            case ir.Abandon():
                if self._collects:
                    self.environment.cut(end)
            case ir.ProcessExit() | ir.Fail() | ir.Stop():
                pass
            case _ if self._collects:
                self.environment.refuse(end)

    def _end(self, transfer: Transfer, end: ir.Return) -> None:
        self.left |= bool(transfer.alive)
        if self._collects and (self.thread.parent is not None or isinstance(end, ir.ThreadExit)):
            self.environment.waits.end(self.thread, end, transfer.may_hold)

    def _call(self, node: Node, transfer: Transfer, call: ir.Call, callee: Template, is_once: bool) -> Iterator[State]:
        activation = self.activation(node)
        values = transfer.values(call, call.arguments, is_once)
        is_shared = activation.is_shared or callee in activation.templates or activation.depth >= _MOST_DEPTH
        path = (SHARED, callee.number) if is_shared else node
        if path not in self._activations:
            self._activations[path] = Activation(callee, path, activation, is_once and not is_shared)
        entered = self._activations[path]
        if is_shared:
            transfer.forget_locals()
            transfer.callers = (transfer.callers if activation.is_shared else frozenset()) | {(callee.number, *node)}
        for parameter, value in zip(callee.parameters, values, strict=False):
            place = self.environment.program.expressions.variable(parameter)
            address = self.object(parameter, entered)
            if is_shared and not value.is_fixed:
                transfer.lose(address)
                continue
            transfer.store(place, address, value)
        if _is_section(callee):
            transfer.sections += 1
        yield transfer.state().moved((*path, 0, 0))

    def _return(self, node: Node, transfer: Transfer, end: ir.Return, is_once: bool) -> Iterator[State]:
        path = node[:-2]
        value = next(iter(transfer.values(end, end.operands(), is_once)), None)
        if not path:
            self._end(transfer, end)
            return
        activation = self._activations[path]
        if not activation.is_shared:
            yield self._back(path, transfer, value)
            return
        transfer.forget_locals()
        for number, *caller in sorted(transfer.callers):
            if number == activation.template.number:
                yield self._back(tuple(caller), transfer, value if value is None or value.is_fixed else None)

    def _back(self, caller: Node, transfer: Transfer, value: Term | None) -> State:
        """The state after the call at *caller*, which returns *value*; None: something."""
        around = self.activation(caller)
        block = around.block(caller)
        call = block.body[caller[-1]]
        assert isinstance(call, ir.Call)
        back = Transfer(self, around, transfer.state().moved(caller), self._collects)
        if not around.is_shared:
            back.callers = frozenset()
        if _is_section(self.environment.program.by_name[call.function]):
            back.sections = max(0, back.sections - 1)
        is_once = self.thread.parent is None and around.is_once and block.loop is None
        back.returned(call, value, is_once)
        return back.state().moved((*caller[:-1], caller[-1] + 1))

    _collects = False

    # What is found

    @property
    def states(self) -> Mapping[Node, State]:
        """What is known before each node."""
        return self._solution.before

    def collect(self) -> None:
        """Note all accesses and creations, with what is known where they are made."""
        self._collects = True
        self.left = False
        for node, state in self._solution.before.items():
            if node[-2:] == self.entry:
                self.environment.entered(self.activation(node).template, state.held)
            transfer = Transfer(self, self.activation(node), state, True)
            for _ in self._run(node, transfer):
                pass


def _is_section(template: Template) -> bool:
    """Whether calls of a function are atomic sections, as the rules of SV-COMP have it."""
    return template.name.startswith(lexicon.ATOMIC_PREFIX) and template.name not in (
        lexicon.ATOMIC_BEGIN,
        lexicon.ATOMIC_END,
    )
