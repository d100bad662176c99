"""What the instructions of a thread do with memory, locks and threads, where the values of its variables are known."""

from collections.abc import Iterable, Iterator

from cseq.modules.analysis.dataflow import Digraph, solve_on_demand
from cseq.modules.analysis.local_values import (
    READING,
    TRIES,
    WRITING,
    Handle,
    LocalValues,
    Lock,
    Outcome,
    Values,
)
from cseq.modules.analysis.points_to import ANYWHERE, KEEP_NOTHING, NOWHERE, Location, Locations, PointsTo, uncast
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.expressions import Const, Expr
from cseq.modules.ir.objects import Object
from cseq.modules.ir.peeling import Node, PeeledGraph
from cseq.modules.ir.program import Program, Template
from cseq.modules.ir.slotted import Slotted, field
from cseq.modules.ir.types import Float, Int, Pointer, Void
from cseq.modules.library import lexicon

ACQUIRES = {
    "pthread_mutex_lock": WRITING, "mtx_lock": WRITING, "pthread_spin_lock": WRITING, "pthread_rwlock_wrlock": WRITING,
    "pthread_rwlock_rdlock": READING,
}  # fmt: skip
RELEASES = frozenset({"pthread_mutex_unlock", "mtx_unlock", "pthread_spin_unlock", "pthread_rwlock_unlock"})
SIGNALS = frozenset({"pthread_cond_signal", "pthread_cond_broadcast", "cnd_signal", "cnd_broadcast"})
_STEP = "__cs_step_"
SLEEPS = frozenset(f"{_STEP}{name}" for name in (
    "cond_sleep", "cond_sleep__cs5", "cond_timedsleep", "cond_clocksleep", "cnd_sleep", "cnd_sleep__cs5",
    "cnd_timedsleep"))  # fmt: skip
WAKES = frozenset(f"{_STEP}{name}" for name in (
    "cond_wake", "cond_wake__cs5", "cond_timedwake", "cond_clockwake", "cnd_wake", "cnd_wake__cs5",
    "cnd_timedwake"))  # fmt: skip
CONDITION_ENDS = frozenset({"pthread_cond_destroy", "cnd_destroy"})
JOINS = frozenset({"pthread_join", "thrd_join"})
_LOCKING = frozenset(ACQUIRES) | RELEASES | SLEEPS | WAKES | TRIES
_SPECIAL = (ir.Call, ir.Create, ir.Assume, ir.CutUnless)
_MOST_VISITS = 60_000
"""How many visits of blocks are made before all is given up."""


class Step(metaclass=Slotted):
    """What an instruction does. reads, writes: what it may access; what it may write is not a lock that is held then.

    lock: the one that it is about, if that is certain, and targets: what that may be. gains: how it holds the lock
    afterwards; loses: whether it releases it. joins: the thread that has ended afterwards.
    """

    instruction: ir.Instruction
    reads: list[Location]
    writes: list[Location]
    lock: Lock | None = field(default=None)
    targets: Locations = field(default=NOWHERE)
    gains: str | None = field(default=None)
    loses: bool = field(default=False)
    joins: Handle | None = field(default=None)

    @property
    def function(self) -> str:
        """The name of the function that it calls; empty if it is no call."""
        return self.instruction.function if isinstance(self.instruction, ir.Call) else ""


class ThreadSteps:
    """The steps of the threads that execute a template.

    graph: the nodes that control may reach, and the locks that are held where an edge is taken. steps: by node, without
    instructions that do nothing of interest. Raises LimitReachedError.
    """

    def __init__(
        self, program: Program, points_to: PointsTo, template: Template, handles: frozenset[Object] = frozenset()
    ) -> None:
        self.template = template
        self.is_main = template.name == "main"
        self._points_to = points_to
        self._peeled = PeeledGraph(template, self.is_main)
        self._values = values = LocalValues(program, points_to, self._peeled, handles)
        solution = solve_on_demand(self._peeled, values, _MOST_VISITS)
        self.steps = {node: self._steps(node, state) for node, state in solution.before.items()}
        self.graph: Digraph[Node, Outcome | None] = Digraph(
            self._peeled.entry,
            solution.before,
            (
                (node, self._learned(edge.terminator, edge.holds, state), to)
                for node, state in solution.after.items()
                for edge, to in self._peeled.leaving(node)
                if values.along(edge, state) is not None
            ),
        )

    def instructions(self) -> Iterator[ir.Instruction]:
        """The instructions that control may reach."""
        for number in {node[-1] for node in self.steps}:
            yield from self.template.blocks[number].instructions()

    def executions(self) -> Iterator[tuple[ir.Instruction, int]]:
        """The calls that control may reach, and how often a thread makes them: 2 stands for many; one may recur."""
        for node, steps in self.steps.items():
            times = 2 if self._peeled.is_repeated(node) else 1
            calls = (step.instruction for step in steps if isinstance(step.instruction, (ir.Call, ir.Create)))
            yield from ((call, times) for call in calls)

    def _learned(self, end: ir.Terminator, holds: bool | None, values: Values) -> Outcome | None:
        found = self._values.outcome(end.condition, values) if isinstance(end, ir.Branch) and values else None
        return found if found is not None and found.if_true is holds else None

    def _steps(self, node: Node, before: Values) -> list[Step]:
        found: list[Step] = []
        changing = self._values.changing[node[-1]]
        values = dict(before) if changing else before
        position = 0
        for each in self._peeled.block(node).instructions():
            changes = position < len(changing) and changing[position] is each
            if each.access is None and each.grain is None and not isinstance(each, _SPECIAL):
                pass
            elif isinstance(each, (ir.Call, ir.Create)):
                self._call(each, values, found)
            elif isinstance(each, (ir.Assume, ir.CutUnless)):
                found.append(self._assumed(each, values))
            else:
                found.append(Step(each, self._read(each, values), self._written(each, values)))
            if changes:
                self._values.apply(each, values, node)  # type: ignore[arg-type]
                position += 1
        return found

    def _read(self, instruction: ir.Instruction, values: Values) -> list[Location]:
        return [at for load in instruction.loads for at in self._points_to.locations(load, values) or (ANYWHERE,)]

    def _written(self, instruction: ir.Instruction, values: Values) -> list[Location]:
        target = instruction.target()
        is_new = isinstance(instruction, ir.Undefine) and instruction.how == lexicon.FRESH
        if target is None or not target.is_visible or is_new:
            return []  # no other thread knows of new memory
        return list(self._points_to.locations(target, values) or (ANYWHERE,))

    def _assumed(self, instruction: ir.Assume | ir.CutUnless, values: Values) -> Step:
        learned = self._values.outcome(instruction.condition, values)
        reads = self._read(instruction, values)
        if learned is None or not learned.if_true:
            return Step(instruction, reads, [])
        return Step(instruction, reads, [], learned.lock, gains=learned.mode)

    def _call(self, call: ir.Call | ir.Create, values: Values, found: list[Step]) -> None:
        reads = self._read(call, values)
        if isinstance(call, ir.Create):
            stored = self._reached((call.handle, call.attributes), values)
            found.append(Step(call, reads, [*stored, *self._written(call, values)]))
            return
        name, arguments = call.function, call.arguments
        if name not in _LOCKING:
            reached = self._reached(arguments, values, is_far=not name.startswith(KEEP_NOTHING))
            step = Step(call, reads, [*reached, *self._written(call, values)])
            if name in JOINS:
                step.joins = self._values.handle(arguments[0], values)
            found.append(step)
            return
        position = 1 if name in SLEEPS | WAKES else 0
        lock, targets = self._values.lock(arguments[position], values)
        others = self._reached(arguments[:position] + arguments[position + 1 :], values)
        step = Step(call, reads, self._written(call, values), lock, targets)
        found.append(step)
        if name in WAKES:
            step.gains = WRITING
            found.append(Step(call, [], others))
        else:
            step.writes += others
            step.gains = ACQUIRES.get(name)
            step.loses = name in RELEASES or name in SLEEPS or name.endswith("_destroy")

    def _reached(self, pointers: Iterable[Expr], values: Values, is_far: bool = False) -> list[Location]:
        """What a function of the library may access through pointers. is_far: beyond the places themselves, too."""
        found: list[Location] = []
        for pointer in map(uncast, pointers):
            if isinstance(pointer, Const) or not isinstance(pointer.type, Pointer):
                continue
            targets = self._points_to.targets(pointer, values)
            if is_far and targets:
                is_flat = isinstance(pointer.type.to, (Void, Int, Float))
                targets = frozenset(map(self._points_to.whole, targets)) if is_flat else frozenset({ANYWHERE})
            found += targets
        return found
