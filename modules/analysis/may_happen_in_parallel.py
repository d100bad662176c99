"""May-happen-in-parallel analysis: which threads may exist besides main while it executes a step.

Sets of creations under union; forward, may, on the nodes of main. Over-approximates: a thread that is created exists
until main has certainly joined it, and other threads are never alone (Naumovich, Avrunin, Clarke, FSE 1999, reduced
to what main knows).
"""

from cseq.modules.analysis.dataflow import Analysis, Direction, solve
from cseq.modules.analysis.local_values import Handle, Outcome
from cseq.modules.analysis.points_to import PointsTo, uncast
from cseq.modules.analysis.thread_steps import JOINS, Step, ThreadSteps
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.expressions import AddressOf, Const, Read
from cseq.modules.ir.objects import Object
from cseq.modules.ir.peeling import Node

Threads = frozenset[Handle]


class MayHappenInParallel(Analysis[Node, Outcome | None, Threads]):
    """The threads that may exist besides main. can_join: whether nothing is left of one that main has joined."""

    direction = Direction.FORWARD

    def __init__(self, main: ThreadSteps, can_join: bool) -> None:
        self._main = main
        self._can_join = can_join
        self._before = solve(main.graph, self).before

    def alone(self) -> set[Step]:
        """The steps of main that are made while no other thread exists."""
        found: set[Step] = set()
        for node, before in self._before.items():
            others = before
            for step in self._main.steps[node]:
                if not others:
                    found.add(step)
                others = self._after(node, step, others)
        return found

    def _after(self, node: Node, step: Step, others: Threads) -> Threads:
        if isinstance(step.instruction, ir.Create):
            return others | {Handle(node, step.instruction.number)}
        return others - {step.joins} if step.joins is not None and self._can_join else others

    # The framework

    def boundary(self) -> Threads:
        """Main begins alone."""
        return frozenset()

    def bottom(self) -> Threads:
        """No thread."""
        return frozenset()

    def join(self, one: Threads, other: Threads) -> Threads:
        """The threads that may exist on either path."""
        return one | other

    def transfer(self, node: Node, state: Threads) -> Threads:
        """The threads that may exist behind a node."""
        for step in self._main.steps[node]:
            state = self._after(node, step, state)
        return state


def only_main_joins(points_to: PointsTo) -> bool:
    """Whether nothing is left of a thread once main has joined it.

    No thread is detached, no thread but main joins others, and none but main creates any: what a thread creates may
    still be there when it has ended itself.
    """
    for template, flows in points_to.flows.items():
        is_main = template.name == "main"
        for instruction in flows:
            if isinstance(instruction, ir.Create):
                if not is_main or not isinstance(instruction.attributes, Const):
                    return False  # with attributes, it may be detached from the beginning
            elif isinstance(instruction, ir.Call):
                name = instruction.function
                if "detach" in name or ("join" in name and not (is_main and name in JOINS)):
                    return False
    return True


def handles_of_main(points_to: PointsTo) -> frozenset[Object]:
    """The variables of identifiers to which only main assigns, and whose address is given to nothing but creations."""
    found: set[object] = {each for each in points_to.handles if each not in points_to.exposed}
    for template in points_to.flows:
        for instruction in template.instructions() if found else ():
            target = instruction.target()
            base = None if target is None else target.base
            if template.name == "main":
                if isinstance(instruction, ir.Assign) and base not in points_to.exposed:
                    value = uncast(instruction.value)
                    if isinstance(value, Read) and value.place.base in found:
                        found.add(base)
            elif base in found:
                found.discard(base)
            elif isinstance(instruction, ir.Create) and isinstance(handle := uncast(instruction.handle), AddressOf):
                found.discard(handle.place.base)
    return frozenset(each for each in found if isinstance(each, Object))
