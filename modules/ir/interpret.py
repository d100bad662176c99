"""An interpreter: the definition of what a program does, which all engines are tested against.

A thread makes one *step* at a time; which thread is next is open. A step is one visible instruction (an access, a call
of the library, a creation, a whole atomic section, the end of the process, an assumption or a cut that fails), and then
the invisible instructions up to the next visible one; the end of a thread belongs to its last step.

-   A load in a condition happens whenever the thread arrives there.
-   An atomic section is one step. If it cannot be finished, its thread cannot begin it. Sections nest to any depth.
-   A library function is executed as its text says, in the same step; a `Wait` whose condition does not hold makes the
    step impossible.
-   A check that fails is a violation, and ends the execution. An assumption that fails ends it without one, and a cut
    leaves the exploration incomplete; both are steps, so other threads may come first.
-   `main` returns, or the process ends: all threads end, in a step of their own.
-   Inputs and other choices branch. Where an undefined value is read, any value is chosen, and the object has it from
    then on; only records are copied with what is undefined in them.
-   Signed arithmetic wraps around. Bad pointers and division by zero are undefined behaviour, which is noted, and ends
    the execution. Memory orders mean sequential consistency.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from cseq.modules.ir.expressions import Const
from cseq.modules.ir.memory import UndefinedBehaviourError, converted
from cseq.modules.ir.program import Program
from cseq.modules.ir.step import (
    RUNNING,
    ChoiceError,
    DisabledError,
    EndError,
    EndlessError,
    Inputs,
    State,
    Step,
    ViolationError,
    World,
)
from cseq.modules.ir.types import Int, Pointer, Type


@dataclass
class Found:
    """What an exploration found.

    violations: the keys of claims → the numbers of the threads, in the order of their steps. cuts: why executions were
    not followed further. is_exact: whether all values of inputs were tried, and nothing coarse is one step. undefined:
    what was undefined behaviour. deadlocks: how many states there are in which threads wait, and none can go on.
    """

    violations: dict[str, tuple[int, ...]] = field(default_factory=dict)
    cuts: set[str] = field(default_factory=set)
    is_exact: bool = True
    states: int = 0
    undefined: set[str] = field(default_factory=set)
    deadlocks: int = 0


def explore(program: Program, inputs: Inputs, limit: int = 50_000, first_only: bool = False) -> Found:
    """Everything that *program* can do, in at most *limit* attempts at a step.

    inputs: the values to try for an input or an undefined value of a type. first_only: stop at a violation.
    """
    machine = Machine(program, inputs, limit)
    found = Found()
    known: dict[State, tuple[int, ...]] = {}
    todo: list[State] = []

    def enter(results: Iterator[State | None], trace: tuple[int, ...]) -> bool:
        """Enter the states after a step; whether there was one."""
        moved = False
        for state in results:
            moved = True
            if state is not None and state not in known:
                known[state] = trace
                todo.append(state)
        return moved

    enter(machine.initial(found, ()), ())
    while todo:
        if machine.attempts > limit or (first_only and found.violations):
            break
        state = todo.pop()
        trace = known[state]
        moved = [
            enter(machine.steps(state, thread, found, (*trace, thread)), (*trace, thread))
            for thread, frames in enumerate(state[1])
            if frames and frames[0].template != RUNNING
        ]
        is_running = any(frames and frames[0].template == RUNNING for frames in state[1])
        if moved and not any(moved) and not is_running and machine.attempts <= limit:
            found.deadlocks += 1
    found.states = len(known)
    if todo or machine.attempts > limit:
        found.cuts.add("time")
    return found


class Machine:
    """Executes the steps of one program."""

    def __init__(self, program: Program, inputs: Inputs, limit: int = 50_000) -> None:
        self._world = World(program, inputs)
        self.limit = limit
        self.attempts = 0

    def initial(self, found: Found, trace: tuple[int, ...]) -> Iterator[State | None]:
        """The states in which the execution can begin: main is where its first visible instruction is."""
        world = self._world
        blocks = {each.number + 1: (0,) * each.type.size for each in world.statics()}

        def start(step: Step) -> None:
            for each in world.statics():
                step.initialise(each)
            step.begin_thread(world.program.by_name["main"], ())

        yield from self._all((tuple(blocks.items()), (), 0), 0, start, found, trace)

    def steps(self, state: State, thread: int, found: Found, trace: tuple[int, ...]) -> Iterator[State | None]:
        """The states after each way to do the next step of *thread*; None for an execution that ends there."""
        yield from self._all(state, thread, Step.run, found, trace)

    def _all(
        self, state: State, thread: int, action: Callable[[Step], None], found: Found, trace: tuple[int, ...]
    ) -> Iterator[State | None]:
        todo: list[tuple[int, ...]] = [()]
        while todo:
            self.attempts += 1
            if self.attempts > self.limit:
                return
            choices = todo.pop()
            step = Step(self._world, state, thread, choices)
            try:
                action(step)
                step.advance_all()
                found.is_exact = found.is_exact and step.is_exact
                yield step.state()
            except ChoiceError as choice:
                todo.extend((*choices, number) for number in reversed(range(choice.count)))
            except ViolationError as violation:
                found.violations.setdefault(violation.key, trace)
                yield None
            except EndError as end:
                found.is_exact = found.is_exact and step.is_exact
                if end.cut is not None:
                    found.cuts.add(end.cut)
                yield None
            except UndefinedBehaviourError as undefined:
                found.undefined.add(str(undefined))
                yield None
            except EndlessError:
                found.cuts.add("a section that takes too long")
            except DisabledError:
                continue


def constants(program: Program) -> Inputs:
    """The values to try where *program* asks for any: its constants, their neighbours, and the extremes of the type."""
    found = {0, 1}
    for node in program.expressions.all:
        if isinstance(node, Const) and isinstance(node.value, int) and not isinstance(node.type, Pointer):
            found.update((node.value - 1, node.value, node.value + 1))

    def inputs(type_: Type) -> Sequence[int]:
        extremes = {1 << 8 * type_.size - 1, (1 << 8 * type_.size - 1) - 1} if isinstance(type_, Int) else set()
        return sorted({int(converted(value, type_)) for value in found | extremes})  # type: ignore[arg-type]

    return inputs
