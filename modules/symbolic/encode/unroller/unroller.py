"""Unroll loops, so that control only ever moves forward."""

from __future__ import annotations

from collections.abc import Iterator

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols, basic
from cseq.model.claims import Cut, Limit
from cseq.model.origin import Origin
from cseq.modules.analysis import cuts, threadends
from cseq.modules.analysis.constant_propagation import Counting, Exits, Known, joined, kept
from cseq.modules.analysis.marks import threads_of
from cseq.modules.analysis.spurious import SPURIOUS
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.library import lexicon
from cseq.modules.symbolic.encode.unroller.idle_loops import Functions, Spinning
from cseq.modules.symbolic.encode.unroller.limits import UNWINDSET, Limits
from cseq.modules.symbolic.encode.unroller.room import ROOM, THINNED, Weights
from cseq.modules.symbolic.encode.unroller.wait_loops import Waiting, can_see_locks, variant, with_variants
from cseq.options.bounds import UNWIND
from cseq.pipeline.facts import Gives
from cseq.pipeline.stage import Parameter
from cseq.pipeline.translator import Translator, rebuilt

EXACT = Parameter(
    "exact_limit", int, 64,
    "unroll loops whose number of iterations can be computed that often, up to N, whatever --unwind says",
    ("--exact-limit",), "N", minimum=0,
)  # fmt: skip

_MOST_STATEMENTS = 50_000  # limit on unrolling a loop beyond the bound
_MOST_STATEMENTS_COUNTED = 20_000  # limit on following a longer loop to count its iterations


class _Abandoned(Exception):
    """The outermost loop that is being unrolled as often as it runs makes the program too large."""


class Unroller(Translator):
    """in: the core language without calls. out: the same without loops.

    Each loop's body is repeated as often as the bound says, or as often as the loop runs, if that follows from the
    values of locals (see `modules/analysis/constant_propagation.py`). What would go on after the last repetition is cut
    off by ``__CSEQ_unwound``. An iteration that changes nothing is not followed by another one (see
    `modules/symbolic/encode/unroller/idle_loops.py` and `wait_loops.py` beside it). A loop that would be unrolled as
    often as it runs is cut off like others where that needs more room than there is (see `room.py`).

    In the result control only moves forward, so the known values of locals at each place are found on the way. In a
    loop that is unrolled as often as it runs, known values replace locals, and decide branches.
    """

    takes = (UNWIND, UNWINDSET, EXACT, ROOM, SPURIOUS)
    thinned = Gives(THINNED)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Unroll the loops of each function."""
        self.symbols = Symbols(tree, self.context.model)
        self._visibility = Visibility(self.symbols, tree)
        self._counting = Counting(self.symbols, self._visibility)
        self._bound = self.parameter(UNWIND)
        self._most = self.parameter(EXACT)
        self._weights = Weights(self._visibility, self.parameter(ROOM))
        self._loops = 0
        self._exits: dict[int, tuple[c_ast.Node, Exits]] = {}
        self._flags = 0
        functions = threads_of(tree)
        places = [loop.coord for n in functions for loop in _loops(n.body) if not threadends.is_destruction(loop.cond)]
        self._limits = Limits(self.parameter(UNWINDSET), [place for place in places if place is not None])
        self._drops_waits = self.parameter(SPURIOUS) and not can_see_locks(self.symbols.functions)
        nodes = with_variants([self.visit(n) if isinstance(n, c_ast.FuncDef) else n for n in tree.ext])
        self.thinned = self._weights.are_exceeded
        return nodes

    def visit_FuncDef(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        if lexicon.is_ours(node.coord) or next(_loops(node.body), None) is None:
            return node  # library functions that are single steps bound their own loops
        self._weights.enter(node)
        self._known: Known | None = {}
        self._pending: dict[str, Known] = {}  # label -> what is known so far at the jumps to it
        self._folding = False  # whether known values replace locals
        self._trials = 0  # enclosing loops that are unrolled as often as they run
        self._iterations: dict[int, int] = {}  # of each loop, within the outermost of these
        self._abandoned: set[int] = set()
        self._work = self._room = 0  # the number of statements copied, and its limit
        self._ways: list[str | None] = []  # the labels jumped to in the outermost of these; None for an end
        self._function = Functions(node.body, self._visibility)
        self._spinning: dict[int, tuple[c_ast.Node, Spinning]] = {}
        self._flagged: list[_Loop] = []  # enclosing loops that record whether an iteration changes anything
        self._waiting: list[_Loop] = []  # enclosing loops in which a thread does not go back to waiting without need
        self._declared: list[c_ast.Node] = []
        out: list[c_ast.Node] = []
        self._unroll(node.body.block_items or [], out, {}, ())
        return rebuilt(node, body=c_ast.Compound(self._declared + out, node.body.coord))

    # Statements

    def _unroll(
        self, nodes: list[c_ast.Node], out: list[c_ast.Node], labels: dict[str, str], iteration: tuple[int, ...]
    ) -> None:
        """Append *nodes* to *out*, with *labels* renamed and loops unrolled, but without unreachable statements."""
        for node in nodes:
            if isinstance(node, c_ast.Label):
                self._label(node, out, labels, iteration)
            elif isinstance(node, c_ast.Decl):
                out.append(node)
            elif self._known is not None or self._is_target(node, labels):
                if isinstance(node, c_ast.While):
                    self._loop(node, out, labels, iteration)
                else:
                    self._copy(node, out, labels, iteration)

    def _is_target(self, node: c_ast.Node, labels: dict[str, str]) -> bool:
        """Whether something jumps into the statement *node*."""
        return any(labels.get(name, name) in self._pending for name in _labels([node]))

    def _label(
        self, node: c_ast.Label, out: list[c_ast.Node], labels: dict[str, str], iteration: tuple[int, ...]
    ) -> None:
        name = labels.get(node.name, node.name)
        arriving = self._pending.pop(name, None)
        if arriving is not None:
            self._known = dict(joined(self._known, arriving) or {})
            if out and isinstance(out[-1], c_ast.Goto) and out[-1].name == name:
                out.pop()
            out.append(build.label(name, _at(node.coord, iteration)))

    def _jump(self, label: str) -> None:
        """Note a jump from here to *label*."""
        self._ways.append(label)
        if self._known is not None:
            self._pending[label] = dict(joined(self._known, self._pending.get(label)) or {})

    def _copy(
        self, node: c_ast.Node, out: list[c_ast.Node], labels: dict[str, str], iteration: tuple[int, ...]
    ) -> None:
        """Append a copy of one statement that is not a loop."""
        self._work += 1
        self._weights.add(node)
        origin = _at(node.coord, iteration)
        match node:
            case c_ast.Goto():
                target = labels.get(node.name, node.name)
                self._jump(target)
                self._known = None
                out.append(build.goto(target, origin))
            case c_ast.If():
                self._if(node, out, labels, iteration)
            case c_ast.Compound():
                self._unroll(build.statements(node), out, labels, iteration)
            case _:
                copy = self._folded(node)
                if isinstance(node, c_ast.Assignment) and self._known is not None:
                    self._counting.assign(node, self._known)
                    if self._folding and isinstance(node.lvalue, c_ast.ID) and node.lvalue.name in self._known:
                        number = self._counting.literal(node.lvalue.name, self._known[node.lvalue.name])
                        copy = copy if number is None else rebuilt(node, rvalue=number)
                elif isinstance(node, c_ast.FuncCall) and self._known is not None:
                    self._counting.call(node, self._known)
                if _is_end(node):
                    self._known = None
                    self._ways.append(None)
                copy = rebuilt(copy, coord=origin) if iteration else copy
                out.extend(self._waits(node, copy) if self._waiting else [copy])
                for loop in self._flagged:
                    if loop.spinning.has_effect(node):
                        out.append(build.assign(build.ident(loop.flag), build.number(1)))

    def _waits(self, node: c_ast.Node, copy: c_ast.Node) -> list[c_ast.Node]:
        """The statements for *node*, of which *copy* is the copy, in loops that wait."""
        found = [copy]
        for loop in self._waiting:
            waiting = loop.waiting
            moved = build.ident(loop.moved) if loop.moved else build.number(0)
            if node is waiting.sleep:
                found = [variant(copy, moved)] if loop.copies > 1 else [copy]
            elif node is waiting.wake and loop.copies > loop.bound:
                self._known = None
                return [cuts.unwound(build.number(0), self._cut(loop), _at(loop.node.coord, loop.iteration))]
            elif node is waiting.wake:
                found = [variant(copy), *([build.assign(moved, build.number(0))] if loop.moved else [])]
            elif loop.moved and waiting.has_effect(node):
                found.append(build.assign(moved, build.number(1)))
        return found

    def _folded(self, node: c_ast.Node) -> c_ast.Node:
        folded: c_ast.Node = self._counting.folded(node, self._known) if self._folding and self._known else node
        return folded

    def _decided(self, cond: c_ast.Node) -> bool | None:
        """Whether *cond* holds; None if unknown."""
        value = None if self._known is None else self._counting.value(cond, self._known)
        return None if value is None else bool(value)

    def _if(self, node: c_ast.If, out: list[c_ast.Node], labels: dict[str, str], iteration: tuple[int, ...]) -> None:
        origin = _at(node.coord, iteration)
        decided = self._decided(node.cond) if self._folding else None
        if decided is not None:
            taken, dropped = (node.iftrue, node.iffalse) if decided else (node.iffalse, node.iftrue)
            if dropped is None or not self._is_target(dropped, labels):
                if taken is not None:
                    self._unroll(build.statements(taken), out, labels, iteration)
                return
        cond = self._folded(node.cond)
        if isinstance(node.iftrue, c_ast.Goto) and node.iffalse is None:
            target = labels.get(node.iftrue.name, node.iftrue.name)
            self._jump(target)
            out.append(build.jump_if(cond, target, origin))
            return
        before = self._known
        branches = []
        ends = []
        for branch, possible in ((node.iftrue, decided is not False), (node.iffalse, decided is not True)):
            self._known = dict(before) if before is not None and possible else None
            statements: list[c_ast.Node] = []
            if branch is not None:
                self._unroll(build.statements(branch), statements, labels, iteration)
            branches.append(None if branch is None else statements)
            ends.append(self._known)
        self._known = joined(*ends)
        out.append(build.branch(cond, branches[0] or [], branches[1], origin))

    # Loops

    def _loop(
        self, node: c_ast.While, out: list[c_ast.Node], labels: dict[str, str], iteration: tuple[int, ...]
    ) -> None:
        limit = None if threadends.is_destruction(node.cond) else self._limits.bound(node.coord)
        spinning = self._spinning_of(node)
        waiting = Waiting(node, self._function, spinning)
        loop = _Loop(node, labels, iteration, limit, self._bound, self._most, spinning, waiting)
        if not (self._is_promising(node) and self._tried(loop)):
            self._bounded(loop)
        out.extend(loop.statements)

    def _is_promising(self, node: c_ast.While) -> bool:
        return (
            id(node) not in self._abandoned
            and not threadends.is_destruction(node.cond)
            and self._exits_of(node).may_be_known
        )

    def _exits_of(self, node: c_ast.While) -> Exits:
        if id(node) not in self._exits:
            self._exits[id(node)] = (node, Exits(node, self._counting))  # with the node, so that no id is used again
        return self._exits[id(node)][1]

    def _spinning_of(self, node: c_ast.While) -> Spinning:
        if id(node) not in self._spinning:
            self._spinning[id(node)] = (node, Spinning(node, self._function))
        return self._spinning[id(node)][1]

    def _is_over(self, loop: _Loop) -> bool:
        """Whether control can no longer enter the body from here; appends the code needed to find out."""
        node = loop.node
        if self._known is None or self._decided(node.cond) is False:
            return True
        if self._counting.fails(node.cond, self._known):
            self._test(loop)
            self._known = None
            return True
        return False

    def _test(self, loop: _Loop) -> None:
        """Append the test of the condition before the next copy."""
        node = loop.node
        self._jump(loop.leave)
        origin = _at(node.coord, (*loop.iteration, loop.copies + 1))
        loop.statements.append(build.jump_if(build.negation(self._folded(node.cond)), loop.leave, origin))

    def _once(self, loop: _Loop) -> None:
        """Append the test of the condition, where it is not decided, and one copy of the body."""
        node, number = loop.node, loop.number
        if self._decided(node.cond) is None:
            self._test(loop)
        if loop.flag:
            self._drop_repetition(loop)
            loop.statements.append(build.assign(build.ident(loop.flag), build.number(0)))
        loop.copies += 1
        inside = (*loop.iteration, loop.copies)
        items = build.statements(node.stmt)
        renamed = {**loop.labels, **{name: _copied_label(name, number, loop.copies) for name in _labels(items)}}
        shown = not threadends.is_destruction(node.cond)  # not a loop of the user's
        if loop.flag:
            self._flagged.append(loop)
        if loop.drops_waits:
            self._waiting.append(loop)
        self._unroll(items, loop.statements, renamed, inside if shown else loop.iteration)
        if loop.drops_waits:
            self._waiting.pop()
        if loop.flag:
            self._flagged.pop()

    def _drop_repetition(self, loop: _Loop) -> None:
        """Drop the executions that begin an iteration after one that has changed nothing."""
        if loop.copies:
            origin = _at(loop.node.coord, loop.iteration)
            loop.statements.append(build.call(lexicon.ASSUME, build.ident(loop.flag), origin=origin))

    def _close(self, loop: _Loop) -> None:
        """Append the place after the loop."""
        if loop.leave in self._pending:
            self._known = dict(joined(self._known, self._pending.pop(loop.leave)) or {})
            loop.statements.append(build.label(loop.leave, _at(loop.node.coord, loop.iteration)))

    def _bounded(self, loop: _Loop) -> None:
        """Repeat the body as often as the bound says, and cut off further iterations."""
        node = loop.node
        self._begin(loop)
        spins = loop.bound > 0 and not threadends.is_destruction(node.cond)
        if spins and loop.spinning.perhaps:
            self._flags += 1
            loop.flag = f"__cs_tmp_moved_{self._flags}"
            self._declared.append(build.declare(loop.flag, basic("int")))
        once = spins and loop.spinning.always
        loop.drops_waits = spins and self._drops_waits and loop.waiting.sleep is not None
        if loop.drops_waits and loop.waiting.may_move:
            self._flags += 1
            loop.moved = f"__cs_tmp_moved_{self._flags}"
            self._declared.append(build.declare(loop.moved, basic("int")))
        # With waits there is one more copy, up to where the thread sleeps again: before that, it is not known to.
        for _ in range(1 if once else loop.bound + loop.drops_waits):
            if self._is_over(loop):
                break
            self._once(loop)
        if not self._is_over(loop):
            endless = self._decided(node.cond) is True
            origin = _at(node.coord, loop.iteration)
            if loop.flag:
                if not endless:
                    self._test(loop)
                self._drop_repetition(loop)
                endless = True
            holds = build.number(0) if endless else build.negation(self._folded(node.cond))
            cut = cuts.unwound(holds, self._cut(loop), origin)
            loop.statements.append(build.call(lexicon.ASSUME, holds, origin=origin) if once else cut)
            if endless:
                self._known = None
        self._close(loop)

    def _cut(self, loop: _Loop) -> Cut:
        if threadends.is_destruction(loop.node.cond):
            return Cut(Limit.DESTRUCTORS, loop.bound)
        if loop.runs is None:
            return Cut(Limit.LOOP, loop.bound)
        return Cut(Limit.COUNTED, loop.bound, runs=loop.runs, is_set=loop.limit is not None)

    # Loops that are unrolled as often as they run

    def _begin(self, loop: _Loop) -> None:
        self._loops += 1
        loop.number = self._loops
        loop.copies = 0
        loop.statements = []

    def _tried(self, loop: _Loop) -> bool:
        """Repeat the body as often as the loop runs. Returns False, with the state restored, if that is unknown."""
        assert self._known is not None
        known, pending, loops, folding = dict(self._known), dict(self._pending), self._loops, self._folding
        outermost = self._trials == 0
        if outermost:
            self._iterations = {}
            self._room = self._work + _MOST_STATEMENTS
            self._weights.begin()
            self._ways = []
        self._trials += 1
        self._folding = True
        self._begin(loop)
        try:
            complete = self._goes_through(loop)
            if outermost and not complete:
                loop.runs = self._counted(loop)
        except _Abandoned:
            if not outermost:
                raise
            complete = False
        finally:
            self._trials -= 1
            self._folding = folding
        if complete:
            self._close(loop)
            return True
        self._abandoned.add(id(loop.node))
        self._known, self._pending, self._loops = known, pending, loops
        return False

    def _goes_through(self, loop: _Loop) -> bool:
        """Repeat the body until the loop is over. Returns False if its end is not found."""
        key = id(loop.node)
        decisive = self._exits_of(loop.node).decisive
        self._iterations.setdefault(key, 0)
        while not self._is_over(loop):
            assert self._known is not None
            if loop.copies >= loop.bound:
                if loop.copies >= loop.most:
                    self._iterations[key] -= loop.copies
                    return False
                if self._iterations[key] >= self._most or self._work > self._room or self._weights.exceed():
                    raise _Abandoned
            known = kept(self._known, decisive)
            self._iterations[key] += 1
            self._once(loop)
            if self._known is not None and kept(self._known, decisive) == known and not self._is_over(loop):
                return False  # from here on it would repeat for ever
        return True

    def _counted(self, loop: _Loop) -> int | None:
        """The number of iterations of a loop that was followed to the limit; None if it depends, or is too large."""
        self._room = self._work + _MOST_STATEMENTS_COUNTED
        while loop.copies >= loop.most and self._work <= self._room:
            if self._known is None or any(way is None or way in self._pending for way in self._ways):
                return None
            decided = self._decided(loop.node.cond)
            if not decided:
                return loop.copies if decided is False else None
            loop.statements = []
            self._once(loop)
        return None


class _Loop:
    """A loop that is being unrolled.

    labels: the names of the labels in it. iteration: of the enclosing loops. limit: the user's bound for this loop
    alone. bound: how often it is unrolled. most: the maximum if it is unrolled as often as it runs. runs: the number of
    its iterations, if known to exceed the unrolling. number, statements, copies: of the current attempt.
    spinning: what is known about its iterations. flag: the variable that records whether an iteration has changed
    anything, if there is one. waiting: what is known about waits in it. drops_waits: whether going back to waiting
    without need is dropped. moved: the variable that records whether anything has changed since the thread woke up.
    """

    def __init__(
        self,
        node: c_ast.While,
        labels: dict[str, str],
        iteration: tuple[int, ...],
        limit: int | None,
        bound: int,
        most: int,
        spinning: Spinning,
        waiting: Waiting,
    ) -> None:
        self.node = node
        self.spinning = spinning
        self.flag = ""
        self.waiting = waiting
        self.drops_waits = False
        self.moved = ""
        self.labels = labels
        self.iteration = iteration
        self.limit = limit
        self.bound = bound if limit is None else limit
        self.most = most if limit is None else limit
        self.runs: int | None = None
        self.number = 0
        self.copies = 0
        self.statements: list[c_ast.Node] = []

    @property
    def leave(self) -> str:
        """The label after the loop."""
        return f"__cs_loop_{self.number}"


def _copied_label(name: str, loop: int, round_: int) -> str:
    """The name of a label in a copy. A user's label gets our mark, because it may itself end in numbers."""
    return f"{name}{'' if '__cs' in name else '__cs'}_{loop}_{round_}"


def _at(origin: Origin | None, iteration: tuple[int, ...]) -> Origin | None:
    return origin._replace(iteration=iteration) if origin is not None and iteration else origin


def _blocks(node: c_ast.Node) -> list[list[c_ast.Node]]:
    """The statement lists directly inside a statement."""
    match node:
        case c_ast.Compound():
            return [node.block_items or []]
        case c_ast.If():
            return [[branch] for branch in (node.iftrue, node.iffalse) if branch is not None]
        case c_ast.While():
            return [[node.stmt]]
    return []


def _is_end(node: c_ast.Node) -> bool:
    """Whether control does not go on after *node*."""
    if isinstance(node, c_ast.Return):
        return True
    if not isinstance(node, c_ast.FuncCall) or not isinstance(node.name, c_ast.ID):
        return False
    name = node.name.name
    if name in ("__CSEQ_unwound", lexicon.ASSERT, lexicon.ASSUME):
        return build.is_constant(node.args.exprs[0], 0)
    return name in (lexicon.STOP, lexicon.EXIT)


def _labels(nodes: list[c_ast.Node]) -> list[str]:
    """The labels in *nodes*, without those in loops, which only the loops themselves jump to."""
    found = []
    for node in nodes:
        if isinstance(node, c_ast.Label):
            found.append(node.name)
        elif not isinstance(node, c_ast.While):
            for block in _blocks(node):
                found.extend(_labels(block))
    return found


def _loops(node: c_ast.Node) -> Iterator[c_ast.While]:
    if isinstance(node, c_ast.While):
        yield node
    for block in _blocks(node):
        for item in block:
            yield from _loops(item)
