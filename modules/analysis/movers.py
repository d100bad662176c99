"""Which visible statements need no place of their own, because they commute with what other threads do meanwhile.

After Lipton (CACM 1975) and Flanagan and Qadeer (PLDI 2003); `docs/movers.md` has the rules and the argument. All
families of engines ask this one analysis. It is made of where pointers lead (`modules/analysis/points_to.py`), which
locks are held where (`modules/analysis/locksets.py`), and which threads exist (`modules/analysis/
may_happen_in_parallel.py`). A property of each instruction; under-approximates.
"""

from __future__ import annotations

from collections.abc import Collection

from pycparser import c_ast

from cseq.c.symbols import Symbols
from cseq.model.errors import UnsupportedError
from cseq.modules.analysis.dataflow import LimitReachedError
from cseq.modules.analysis.local_values import TRIES, Lock
from cseq.modules.analysis.locksets import Locksets, common
from cseq.modules.analysis.may_happen_in_parallel import MayHappenInParallel, handles_of_main, only_main_joins
from cseq.modules.analysis.points_to import ANYWHERE, Location, PointsTo, Root, overlap
from cseq.modules.analysis.thread_multiplicity import ThreadMultiplicity
from cseq.modules.analysis.thread_steps import ACQUIRES, CONDITION_ENDS, RELEASES, SIGNALS, Step, ThreadSteps
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.lower import lower
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.ir.program import Kind, Program, Template
from cseq.modules.ir.slotted import Slotted
from cseq.modules.library import lexicon
from cseq.options.properties import DEADLOCK, OVERFLOW, RACE, UNREACH
from cseq.pipeline.stage import Parameter

NO_MOVERS = Parameter(
    "no_movers",
    bool,
    False,
    "make each access to shared memory a step, even where a lock protects it",
    ("--no-movers",),
)
"""Shared by the stages that decide where one thread may make way for another."""

_FOR = frozenset({UNREACH, DEADLOCK, RACE, OVERFLOW})
"""The properties for which a state in the middle of a transaction cannot matter."""
_SLEEPS = frozenset({"__cs_step_cond_sleep", "__cs_step_cnd_sleep"})
"""Those that only release a mutex and begin to wait. Their variants also end executions."""
_STOPS = frozenset({"pthread_cancel", lexicon.THRD_CREATE})
"""With these functions nothing is known: they end threads anywhere, or begin them in a way that is not followed."""


_KINDS = (ir.Assign, ir.Branch, ir.Goto, ir.Check, ir.Fail)
"""Instructions that neither wait nor end an execution, except with a violation."""


class _Accesses(metaclass=Slotted):
    """The accesses to a location while other threads may exist: the locks that they have in common."""

    writes: bool
    templates: set[Template]
    locks: int


class Movers:
    """The instructions of *program* that need no place. It finds nothing without a program."""

    def __init__(self, program: Program | None = None) -> None:
        self._program = program
        self._reached: set[int] = set()
        self._at: dict[int, set[Location]] = {}  # the locations that an instruction accesses
        self._accesses: dict[Root, dict[Location, _Accesses]] = {}
        self._tried: set[Location] = set()
        self._released: dict[int, set[Lock | None]] = {}  # None: one that is not certain to be held
        self._ends_conditions = False
        self._protected: dict[Location, bool] = {}
        if program is not None:
            self._analyse(program)

    @classmethod
    def of(
        cls,
        tree: c_ast.FileAST,
        symbols: Symbols,
        visibility: Visibility,
        property_: str,
        off: bool = False,
        without_locks: bool = False,
    ) -> Movers:
        """The analysis of *tree*, which finds nothing if it is *off*, or if the program is not followed.

        without_locks: whether to look at a program that uses none, too.
        """
        uses_some = without_locks or symbols.functions.keys() & (ACQUIRES.keys() | SIGNALS)
        if off or property_ not in _FOR or not uses_some or symbols.functions.keys() & _STOPS:
            return cls()
        try:
            return cls(lower(tree, symbols, visibility))
        except (LimitReachedError, UnsupportedError):
            return cls()

    def _analyse(self, program: Program) -> None:
        templates = [each for each in program.templates if each.kind is not Kind.STEP]
        main = program.by_name.get("main")
        if main is None or any(each.kind is not Kind.THREAD for each in templates):
            return
        points_to = PointsTo(program, templates)
        handles = handles_of_main(points_to)
        nothing = frozenset[Object]()
        threads = [ThreadSteps(program, points_to, each, handles if each is main else nothing) for each in templates]
        self._exposed = points_to.exposed
        self._main = main
        self._main_ends = any(isinstance(block.end, ir.ThreadExit) for block in main.blocks)
        self._multiplicity = ThreadMultiplicity(threads)
        self._locksets = Locksets(threads)
        alone = MayHappenInParallel(threads[templates.index(main)], only_main_joins(points_to)).alone()
        for thread in threads:
            self._reached.update(each.number for each in thread.instructions())
            for step, held in self._locksets.steps(thread):
                if step.loses:
                    is_held = step.lock is not None and step.lock in self._locksets.locks(held)
                    self._released.setdefault(step.instruction.number, set()).add(step.lock if is_held else None)
                if step not in alone:
                    self._note(step, thread.template, held)

    def _note(self, step: Step, template: Template, held: int) -> None:
        """Note what a step accesses while other threads may exist."""
        self._at.setdefault(step.instruction.number, set()).update(step.reads, step.writes)
        if step.function in TRIES:
            self._tried.update(step.targets)
        self._ends_conditions |= step.function in CONDITION_ENDS
        for locations, writes in ((step.reads, False), (step.writes, True)):
            locks = self._locksets.against(held, writes) if locations else 0
            for location in locations:
                of_root = self._accesses.setdefault(location.root, {})
                known = of_root.get(location)
                if known is None:
                    of_root[location] = _Accesses(writes, {template}, locks)
                else:
                    known.writes |= writes
                    known.templates.add(template)
                    known.locks &= locks

    # Instructions

    def _numbers(self, node: object) -> Collection[int]:
        return self._program.numbers.get(id(node), ()) if self._program is not None else ()

    def __contains__(self, node: object) -> bool:
        """Whether the statement *node* needs no place: it is a both-mover or a left mover wherever it is executed."""
        numbers = self._numbers(node)
        return bool(numbers) and all(map(self.is_mover, numbers))

    def is_undisturbed(self, node: object) -> bool:
        """Whether no other thread makes an access that conflicts with one of *node*, while that is executed.

        Then it makes no difference of how many accesses *node* consists.
        """
        numbers = self._numbers(node)
        return bool(numbers) and all(map(self.is_alone, numbers))

    @property
    def finds_any(self) -> bool:
        """Whether the program is followed."""
        return bool(self._reached)

    def is_reached(self, number: int) -> bool:
        """Whether control may reach the instruction with this number."""
        return number in self._reached

    def is_alone(self, number: int) -> bool:
        """Whether no access of another thread conflicts with one of the instruction with this number at that time."""
        at = self._at.get(number, ())
        return number in self._reached and all(self._is_own(each) or self._is_protected(each) for each in at)

    def may_meet(self, one: int, other: int) -> bool:
        """Whether two instructions may access the same memory while several threads exist."""
        return any(
            overlap(a, b) and not self._is_own(a)
            for a in self._at.get(one, ())
            for b in self._at.get(other, ())
        )  # fmt: skip

    def is_mover(self, number: int) -> bool:
        """Whether the instruction with this number is a both-mover or a left mover."""
        if self._program is None or number not in self._reached:
            return False
        match self._program.instructions[number]:
            case ir.Operation(function) if function in SIGNALS | _SLEEPS and self._ends_conditions:
                return False  # a call for a condition variable that was destroyed ends the execution
            case ir.Operation(function):
                if function not in SIGNALS and not (
                    (function in RELEASES or function in _SLEEPS) and self._releases(number)
                ):
                    return False
            case ir.Input(_, _, size) | ir.Undefine(_, _, size):
                if size is not None:
                    return False
            case instruction if not isinstance(instruction, _KINDS):
                return False
        return all(map(self._is_protected, self._at.get(number, ())))

    def _releases(self, number: int) -> bool:
        """Whether an instruction releases a lock that is certain to be held, and whose state no thread just reads."""
        return all(lock is not None and self._is_simple(lock) for lock in self._released.get(number, (None,)))

    # Objects

    @staticmethod
    def _is_own(location: Location) -> bool:
        """Whether *location* is in a local that only its thread can reach."""
        root = location.root
        return isinstance(root, Object) and root.is_local and not root.is_visible

    def _is_protected(self, location: Location) -> bool:
        """Whether no access to *location* can be made while another thread is about to make one that conflicts."""
        known = self._protected.get(location)
        if known is None:
            known = self._protected[location] = self._protects(location)
        return known

    def _protects(self, location: Location) -> bool:
        if location is ANYWHERE or not self._stays(location.root):
            return False
        accesses = self._around(location)
        templates = {template for each in accesses for template in each.templates}
        if not any(each.writes for each in accesses):
            return True
        if len(templates) == 1 and not any(map(self._multiplicity.is_many, templates)):
            return True
        return any(map(self._is_lock, self._locksets.locks(common(each.locks for each in accesses))))

    def _stays(self, root: Root) -> bool:
        """Whether an object exists as long as the threads do."""
        if not isinstance(root, Object):
            return True  # freeing it is an access
        of_main = root.template == self._main.number and root.storage is not Storage.THREAD_LOCAL
        return not root.is_local or (of_main and not self._main_ends)

    def _around(self, location: Location) -> list[_Accesses]:
        """The accesses to memory that *location* may have in common with others."""
        root = location.root
        found = [each for at, each in self._accesses.get(root, {}).items() if overlap(at, location)]
        is_known = root in self._exposed or not isinstance(root, Object)
        return [*found, *self._accesses.get(None, {}).values()] if is_known else found

    # Locks

    def _is_lock(self, lock: Lock) -> bool:
        """Whether only one thread at a time can hold *lock*: it is one object, which only the library changes."""
        root = lock.location.root
        is_one = self._multiplicity.is_allocated_once(root) if isinstance(root, ir.Operation) else self._stays(root)
        return is_one and not any(each.writes for each in self._around(lock.location))

    def _is_simple(self, lock: Lock) -> bool:
        """Whether no thread can notice that *lock* is held except by waiting for it."""
        is_seen = self._around(lock.location) or any(overlap(each, lock.location) for each in self._tried)
        return not is_seen and self._is_lock(lock)
