"""One step of a thread: what `modules/ir/interpret.py` describes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cseq.modules.ir import instructions as ir
from cseq.modules.ir.evaluation import Evaluation
from cseq.modules.ir.expressions import Expr, Place
from cseq.modules.ir.instructions import Instruction
from cseq.modules.ir.memory import Bytes, Memory, OpenError, UndefinedBehaviourError, Value, converted
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.ir.program import Program, Template
from cseq.modules.ir.types import Float, Int, Type
from cseq.modules.library import lexicon, stubs

_SHORT, _LONGEST = 500, 5_000
"""Instructions of a step: after the first, repetitions are looked for; after the second, it counts as endless."""

_NOTHING = frozenset({
    stubs.MAY_HANG, stubs.MAY_WAIT, "__CSEQ_dozes", "__CSEQ_contends", "__CSEQ_again",
})  # fmt: skip
"""Primitives that concern other properties, or schedulers."""

_ALLOCATES = frozenset({"malloc", lexicon.ALLOCATE, "__CSEQ_allocate_freeable", "calloc", "__CSEQ_zeroed"})

_DEPTH, _THREADS = 16, 64
"""The most frames of a thread, and the most threads."""

Inputs = Callable[[Type], Sequence[int]]
"""The values to try for an input, or an undefined value, of a type."""


class DisabledError(Exception):
    """The step is not possible now."""


class EndlessError(Exception):
    """The step does not end, or takes too long."""


class ViolationError(Exception):
    """A check fails. key: that of its claim."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class EndError(Exception):
    """The execution ends here. cut: why it is not followed further; None for an assumption, or the process's end."""

    def __init__(self, cut: str | None = None) -> None:
        super().__init__(cut)
        self.cut = cut


class ChoiceError(Exception):
    """One of *count* choices has to be made."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.count = count


@dataclass(frozen=True, slots=True)
class Frame:
    """An activation. template: its number. block, position: the next instruction. result: where its value goes.

    depth: what tells its locals from those of other frames of the thread.
    """

    template: int
    block: int = 0
    position: int = 0
    result: tuple[int, Type] | None = None
    depth: int = 0


RUNNING = -1
"""The template of a thread that executes invisible instructions for ever."""

State = tuple[tuple[tuple[int, Bytes], ...], tuple[tuple[Frame, ...], ...], int]
"""Blocks by number; the frames of each thread, none if it has ended; how many blocks have been allocated."""


class World:
    """What the steps of one program share: addresses, and the values to try.

    The program was lowered with numbers for the settings of the chain.
    """

    def __init__(self, program: Program, inputs: Inputs) -> None:
        self.program = program
        self.inputs = inputs
        self.shift = 32 if program.model.pointer == 8 else 14
        for name in program.steps:
            assert program.steps[name].blocks
        for each in program.objects:  # also for those that an initialiser adds: strings
            program.initial(each)
        self.count = len(program.objects) + 1
        active = next((each for each in program.objects if each.name == "__cs_active"), None)
        self.most_threads = 1 if active is None else active.type.size

    def statics(self) -> list[Object]:
        """The objects that are there from the beginning."""
        return [each for each in self.program.objects if not each.is_local]


class Step:
    """One attempt at a step of *thread* in *state*, with the given outcomes of its first choices."""

    def __init__(self, world: World, state: State, thread: int, choices: tuple[int, ...]) -> None:
        self._world = world
        self._program = world.program
        blocks, threads, self._allocated = state
        self.memory = Memory(dict(blocks), world.shift)
        self._threads = list(threads)
        self.thread = thread
        self._choices = choices
        self._chosen = 0
        self._left = _LONGEST
        self._touched = [thread]
        self.is_exact = True
        self._evaluation = Evaluation(self)

    def state(self) -> State:
        """The state after the step."""
        return tuple(sorted(self.memory.blocks.items())), tuple(self._threads), self._allocated

    # Choices

    def choose(self, count: int) -> int:
        """One of the numbers less than *count*."""
        if self._chosen == len(self._choices):
            raise ChoiceError(count)
        self._chosen += 1
        return self._choices[self._chosen - 1]

    def any_value(self, type_: Type) -> Value:
        """Some value of *type_*, of those that are to be tried."""
        if isinstance(type_, Float):
            self.is_exact = False
            return 0.0
        values = self._world.inputs(type_)
        number_of_all = 2 if isinstance(type_, Int) and type_.is_bool else 1 << 8 * type_.size
        self.is_exact = self.is_exact and len(values) >= number_of_all
        return values[self.choose(len(values))] if values else 0

    def value(self, node: Expr) -> Value:
        """The value of an expression; an undefined value in it is chosen, and remains."""
        while True:
            try:
                return self._evaluation.value(node)
            except OpenError as open_value:
                self.memory.store(open_value.address, open_value.type, self.any_value(open_value.type))

    # Threads and frames

    def block_of(self, object_: Object) -> int:
        """The number of the block of an object, in the frame that is executed."""
        if not object_.is_local:
            return object_.number + 1
        depth = 0 if object_.storage is Storage.THREAD_LOCAL else self._threads[self.thread][-1].depth
        return self._world.count * (1 + self.thread * _DEPTH + depth) + object_.number + 1

    def begin_thread(self, template: Template, arguments: tuple[Value, ...]) -> None:
        """Add a thread that is at its beginning, and let the step go on with the one that it belongs to."""
        own, self.thread = self.thread, len(self._threads)
        self._threads.append(())
        self._touched.append(self.thread)
        self._enter(template, arguments, None)
        for each in template.locals:
            if each.storage is Storage.THREAD_LOCAL:
                self.memory.blocks[self.block_of(each)] = (0,) * each.type.size
                self.initialise(each)
        self.thread = own

    def initialise(self, object_: Object) -> None:
        """Give a static object its first contents."""
        for place, value in self._program.initial(object_):
            self.store(place, self.value(value))

    def _enter(self, template: Template, arguments: tuple[Value, ...], result: tuple[int, Type] | None) -> None:
        frames = self._threads[self.thread]
        depth = len(frames)
        if depth == _DEPTH:
            raise EndError("recursion")
        self._threads[self.thread] = (*frames, Frame(template.number, result=result, depth=depth))
        for each in (*template.parameters, *template.locals):
            if each.storage is not Storage.THREAD_LOCAL:
                self.memory.blocks[self.block_of(each)] = (None,) * each.type.size
        for parameter, argument in zip(template.parameters, arguments, strict=False):
            address = self.memory.address(self.block_of(parameter))
            self.memory.store(address, parameter.type, converted(argument, parameter.type))

    def _leave(self, value: Value | None) -> None:
        *frames, last = self._threads[self.thread]
        template = self._program.templates[last.template]
        for each in (*template.parameters, *template.locals):
            if each.storage is not Storage.THREAD_LOCAL or not frames:
                del self.memory.blocks[self.block_of(each)]
        self._threads[self.thread] = tuple(frames)
        if last.result is not None and value is not None:
            address, type_ = last.result
            self.memory.store(address, type_, converted(value, type_))

    def _jump(self, block: int) -> None:
        *frames, last = self._threads[self.thread]
        self._threads[self.thread] = (*frames, Frame(last.template, block, 0, last.result, last.depth))

    def _next(self) -> None:
        *frames, last = self._threads[self.thread]
        moved = Frame(last.template, last.block, last.position + 1, last.result, last.depth)
        self._threads[self.thread] = (*frames, moved)

    def current(self) -> Instruction:
        """The next instruction of the thread."""
        last = self._threads[self.thread][-1]
        block = self._program.templates[last.template].blocks[last.block]
        return block.body[last.position] if last.position < len(block.body) else block.end

    # Steps

    def run(self) -> None:
        """Execute the next visible instruction."""
        depth = 0
        while True:
            instruction = self.current()
            if isinstance(instruction, ir.Begin):
                depth += 1
            elif isinstance(instruction, ir.End):
                if depth == 0:
                    raise UndefinedBehaviourError("the end of no atomic section")
                depth -= 1
            self.execute(instruction)
            if depth == 0:
                return
            if not self._threads[self.thread]:
                raise UndefinedBehaviourError("a thread ends in an atomic section")

    def advance_all(self) -> None:
        """Execute the invisible instructions of the threads that are in this step."""
        for thread in self._touched:
            self.thread = thread
            self._advance()

    def _advance(self) -> None:
        """Execute the invisible instructions of the thread; one that never ends goes on for ever, and takes no step."""
        seen: set[object] = set()
        count = 0
        while (frames := self._threads[self.thread]) and not self._is_visible(self.current()):
            count += 1
            if count > _SHORT and isinstance(self.current(), ir.Goto):
                now = (frames, tuple(self.memory.blocks.items()))
                if now in seen or count > _LONGEST:
                    self.is_exact = self.is_exact and now in seen
                    self._threads[self.thread] = (Frame(RUNNING),)
                    return
                seen.add(now)
            self.execute(self.current())

    def _is_visible(self, node: Instruction) -> bool:
        """Whether the instruction is a step, or begins one."""
        if node.access is not None or node.grain is not None:
            return True
        match node:
            case ir.Operation() | ir.Create() | ir.Begin() | ir.End() | ir.ProcessExit() | ir.Stop() | ir.Abandon():
                return True
            case ir.ThreadExit():
                return False
            case ir.Return():
                template = self._program.templates[self._threads[self.thread][-1].template]
                return template.name == "main" and len(self._threads[self.thread]) == 1
            case ir.Assume(condition) | ir.CutUnless(condition, _):
                return not self.value(condition)
        return False

    def execute(self, node: Instruction) -> None:
        """Execute one instruction, and all of a library function."""
        self._left -= 1
        if self._left < 0:
            raise EndlessError
        if node.grain is not None:
            self.is_exact = False
        match node:
            case ir.Goto(to):
                return self._jump(to)
            case ir.Branch(condition, then, other):
                return self._jump(then if self.value(condition) else other)
            case ir.ThreadExit(value):
                self._exit(self.value(value) if value is not None else 0)
                return None
            case ir.Return(value):
                return self._return(value)
            case ir.ProcessExit() | ir.Stop():
                raise EndError
            case ir.Fail(key):
                raise ViolationError(key)
            case ir.Abandon(key):
                raise EndError(key)
            case ir.Create():
                return self._create(node)
            case ir.Call():
                return self._call(node)
        self._plain(node)
        self._next()
        return None

    def _plain(self, node: Instruction) -> None:
        match node:
            case ir.Assign(place, value):
                self.store(place, self.value(value))
            case ir.Input(place, kind, None):
                self.store(place, converted(self.any_value(self._input_type(kind)), place.type))
            case ir.Input(place, _, size) | ir.Undefine(place, _, size):
                count = place.type.size if size is None else int(self.value(size))  # type: ignore[arg-type]
                self.memory.store_bytes(self.address(place), (None,) * count)
            case ir.Zero(place, size):
                self.memory.store_bytes(self.address(place), (0,) * int(self.value(size)))  # type: ignore[arg-type]
            case ir.Choose(place, bound):
                self.store(place, self.choose(max(int(self.value(bound)), 1)))  # type: ignore[arg-type]
            case ir.Check(condition, key):
                if not self.value(condition):
                    raise ViolationError(key)
            case ir.Assume(condition):
                if not self.value(condition):
                    raise EndError
            case ir.CutUnless(condition, key):
                if not self.value(condition):
                    raise EndError(key)
            case ir.Wait(condition, _, _):
                if not self.value(condition):
                    raise DisabledError

    def _input_type(self, kind: str) -> Type:
        types = self._program.types
        return types.void_pointer if kind == "pointer" else types.arithmetic(lexicon.NONDET_TYPES[kind])

    def address(self, place: Place) -> int:
        """The address of *place*."""
        while True:
            try:
                return self._evaluation.address(place)
            except OpenError as open_value:
                self.memory.store(open_value.address, open_value.type, self.any_value(open_value.type))

    def store(self, place: Place, value: Value) -> None:
        """Write a value, converted to the type of *place*."""
        self.memory.store(self.address(place), place.type, converted(value, place.type), place.bits)

    # Calls

    def _exit(self, value: Value) -> None:
        """The end of the thread, with this result."""
        ending = self._program.steps.get("__cs_step_exit")
        if ending is not None:
            self._run_step(ending, (value,), None)
        while self._threads[self.thread]:
            self._leave(None)

    def _return(self, node: Expr | None) -> None:
        frames = self._threads[self.thread]
        template = self._program.templates[frames[-1].template]
        if len(frames) == 1 and template.name == "main":
            raise EndError
        value = None if node is None else self.value(node)
        if len(frames) > 1:
            self._leave(value)
        else:
            self._exit(0 if value is None else value)

    def _arguments(self, values: Sequence[Expr]) -> tuple[Value, ...]:
        return tuple(map(self.value, values))

    def _target(self, result: Place | None) -> tuple[int, Type] | None:
        return None if result is None else (self.address(result), result.type)

    def _create(self, node: ir.Create) -> None:
        number = len(self._threads)
        if number >= self._world.most_threads:
            raise EndError("threads")
        handle, attributes, argument = self._arguments(node.operands())
        created = (handle, attributes, number, argument)
        self._next()
        self._run_step(self._program.steps["__cs_step_create"], created, self._target(node.result))
        template = self._program.by_name[node.start.name]
        self.begin_thread(template, (argument,) if template.parameters else ())

    def _call(self, node: ir.Call) -> None:
        name = node.function
        arguments = self._arguments(node.arguments)
        target = self._target(node.result)
        self._next()
        if name in self._program.by_name:
            self._enter(self._program.by_name[name], arguments, target)
        elif name in self._program.steps:
            self._run_step(self._program.steps[name], arguments, target)
        elif name not in _NOTHING:
            value = self._modelled(name, [int(each) for each in arguments if not isinstance(each, tuple)])
            if target is not None:
                self.memory.store(target[0], target[1], converted(value, target[1]))

    def _run_step(self, template: Template, arguments: tuple[Value, ...], target: tuple[int, Type] | None) -> None:
        """Execute a library function to its end."""
        depth = len(self._threads[self.thread])
        self._enter(template, arguments, target)
        while len(self._threads[self.thread]) > depth:
            self.execute(self.current())

    def _modelled(self, name: str, given: list[int]) -> int:
        """What a function of the C library that every engine models does, and its value."""
        memory = self.memory
        if name in _ALLOCATES:
            size = given[0] * given[1] if name == "calloc" else given[0]
            self._allocated += 1
            number = self._world.count * (1 + _DEPTH * _THREADS) + self._allocated
            memory.blocks[number] = ((0,) if name in ("calloc", "__CSEQ_zeroed") else (None,)) * size
            return memory.address(number)
        if name in ("free", "__CSEQ_release"):
            if given[0] and memory.blocks.pop(given[0] >> memory.shift, None) is None:
                raise UndefinedBehaviourError(f"`{name}` of what is not allocated")
            return 0
        if name in ("memcpy", "memmove", "__CSEQ_copy", "__CSEQ_move"):
            memory.store_bytes(given[0], memory.bytes(given[1], given[2]))
            return given[0]
        if name in ("memset", "__CSEQ_fill"):
            memory.store_bytes(given[0], (given[1] & 255,) * given[2])
            return given[0]
        if name in ("__CSEQ_size", "__CSEQ_room"):
            return len(memory.block(given[0]))
        if name == "__CSEQ_inside":
            return int(given[0] >> memory.shift == given[1] >> memory.shift)
        raise UndefinedBehaviourError(f"a call of `{name}`")
