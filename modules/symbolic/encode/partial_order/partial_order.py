"""Partial orders instead of rounds: the engine explores the interleavings of the threads itself."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from pycparser import c_ast

from cseq.backends.base import Answer
from cseq.c import build
from cseq.c.generated import ours
from cseq.c.symbols import Symbols
from cseq.model.errors import UnsupportedError, UsageError
from cseq.modules.analysis.marks import is_thread
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.library import lexicon
from cseq.modules.symbolic.encode.facts import ENCODING, PARTIAL_ORDER, SCHEDULED
from cseq.modules.symbolic.encode.instrumenter import BACKEND
from cseq.modules.symbolic.encode.partial_order import pointers
from cseq.modules.symbolic.encode.partial_order.numbered import (
    LibraryForThreads,
    PointerNumbering,
    is_pointer,
    shared_pointers,
)
from cseq.modules.symbolic.encode.partial_order.orderedthread import BEGUN, OrderedThread
from cseq.modules.symbolic.encode.partial_order.trace_order import ARRIVED, Run, runs
from cseq.modules.symbolic.encode.sequentializer import contexts
from cseq.modules.symbolic.encode.sequentializer.driver import Driver
from cseq.modules.symbolic.encode.sequentializer.sequentializer import Sequentializer
from cseq.modules.symbolic.encode.sequentializer.threadfunction import ThreadFunction
from cseq.options.memory_models import C11, MEMORY_MODEL, SC
from cseq.options.properties import PROPERTY, UNREACH
from cseq.pipeline.facts import Gives
from cseq.pipeline.stage import Parameter, Unit
from cseq.pipeline.translator import rebuilt

# The sequential program that makes the steps of one known schedule.

_LEFT = "__cs_left_"
"""A thread that never goes on: the label that it stands at need not be known."""


class ScheduledThread(ThreadFunction):
    """A thread instance with control code; in its last context it may stop at any label from the given one on."""

    def _guard(self, labels: int | None = None) -> c_ast.Node:
        guard = super()._guard(labels)
        assert isinstance(guard, c_ast.FuncCall)
        cond = c_ast.BinaryOp("||", guard.args.exprs[0], build.ident(f"{_LEFT}{self.number}"))
        return build.call(lexicon.ASSUME, cond)


class ScheduledDriver(Driver):
    """Calls the threads in the order of a schedule. runs: the schedule; empty where the program is never executed."""

    runs: Sequence[Run] = ()
    _called = 0

    def control(self) -> list[str]:
        """Also whether a thread is in its last context."""
        return [*super().control(), *(f"unsigned char {_LEFT}{thread.number};" for thread in self.threads)]

    def at_begin(self, thread: ThreadFunction) -> Iterator[str]:
        """Notes that the context is the last one of a thread of which no more is known."""
        here = self._called
        self._called += 1
        if here < len(self.runs) and self.runs[here].is_left:
            yield f"{_LEFT}{thread.number} = 1;"


def scheduled_by(schedule: Sequence[Run]) -> type[ScheduledDriver]:
    """The drivers of *schedule*."""

    class _Scheduled(ScheduledDriver):
        runs = schedule

    return _Scheduled


_ENGINE = "cbmc"
_ROUNDS = ("__cs_pc_", "__cs_cs_", "__cs_left_")


class PartialOrder(Sequentializer):
    """in: main and a bounded function per thread instance. out: the same as threads that CBMC runs concurrently.

    CBMC encodes the order of the accesses to shared memory (Alglave, Kroening and Tautschnig, CAV 2013): all schedules,
    and no rounds. Each access is a statement of its own; operations of the thread library and atomic sections of the
    program are atomic sections of CBMC's. The schedule in a trace is replayed by the sequential program that has just
    these contexts; its labels are those of the threads here.
    """

    takes = (*Sequentializer.takes, ENCODING, BACKEND, MEMORY_MODEL)
    scheduled = Gives(SCHEDULED)
    thread_function = ScheduledThread
    driver = ScheduledDriver
    merges = False
    _runs: list[Run] | None = None

    @classmethod
    def settle(cls, values: dict[str, Any], given: Collection[str]) -> None:
        """Bounds on contexts are those of rounds, which have no memory model but sequential consistency."""
        model = MEMORY_MODEL.of(values)
        if model == C11:
            raise UsageError(f"--memory-model {C11} is for the backend `graphs` alone")
        if model != SC:
            if ENCODING.name in given and ENCODING.of(values) != PARTIAL_ORDER:
                raise UsageError(f"--memory-model {model} cannot be combined with --encoding {ENCODING.of(values)}")
            values[ENCODING.name] = PARTIAL_ORDER
        if ENCODING.of(values) != PARTIAL_ORDER:
            return
        if BACKEND.of(values) != _ENGINE:
            raise UsageError(f"--encoding {PARTIAL_ORDER} is for the backend `{_ENGINE}` alone")
        parameters: tuple[Parameter[Any], ...] = contexts.PARAMETERS
        for parameter in parameters:
            if parameter.name in given:
                raise UsageError(f"{parameter.options[0]} cannot be combined with --encoding {PARTIAL_ORDER}")

    def plan(self, sizes: list[int]) -> contexts.Plan:
        """The contexts of the execution that is replayed; elsewhere one."""
        called = [[run.thread] for run in self._runs] if self._runs is not None else [[*range(len(sizes))]]
        return contexts.Plan(called, None, 0)

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Let the threads run; leaves what the sequentializer leaves, and the way from a trace to a replay."""
        if self.parameter(PROPERTY) != UNREACH:
            raise UnsupportedError(f"the property {self.parameter(PROPERTY)} with partial orders")
        sequential = super().translate(tree)
        symbols = Symbols(tree, self.context.model)
        visibility = Visibility(symbols, tree)
        instances = [node for node in tree.ext if is_thread(node)]
        library = [n for n in sequential.ext if isinstance(n, c_ast.FuncDef) and lexicon.is_library(n.decl.name)]
        known = Symbols(sequential, self.context.model)
        pointers.check(instances, [], symbols, visibility)
        pointers.check([], library, known, Visibility(known, c_ast.FileAST(library)))
        numbers = {node.decl.name: number for number, node in enumerate(instances)}
        threads = [OrderedThread(n, numbers, symbols, visibility, False, self._claims) for n in instances]
        sizes = [thread.size for thread in threads]
        self.scheduled = self._replay_of(tree, sizes)
        names = {thread.called for thread in threads} | {"main"}
        rest = [node for node in sequential.ext if not _is_control(node, names)]
        for_threads, pointers_kept = LibraryForThreads(), shared_pointers(tree.ext, symbols)
        numbered = PointerNumbering(pointers_kept)
        kept = [n if isinstance(n, c_ast.FuncDef) else for_threads.visit(numbered.visit(n)) for n in rest]
        active = ["__cs_active[0] = 1;"] if "__cs_active" in symbols.types else []
        begin = ["int main(void)", "{", *active, f"{threads[0].called}((void *) 0);", "return 0;", "}"]
        functions = [_numbered(thread.function, pointers_kept, symbols) for thread in reversed(threads)]
        return c_ast.FileAST([*self._declared(), *kept, *functions, *ours(begin)])

    def _declared(self) -> list[c_ast.Node]:
        """What each thread has of its own, and what all of them read first."""
        own = [f"_Thread_local unsigned int {name};" for name in (lexicon.THREAD, ARRIVED)]
        return ours([*own, f"unsigned char {BEGUN};"])

    def _replay_of(self, tree: c_ast.FileAST, sizes: list[int]) -> Callable[[Answer], tuple[Unit, Answer]]:
        def scheduled(answer: Answer) -> tuple[Unit, Answer]:
            from dataclasses import replace

            self._runs = runs(answer.events or ())
            self.driver = scheduled_by(self._runs)
            program = super(PartialOrder, self).translate(tree)
            inputs = [
                value
                for run in self._runs
                for value in (sizes[run.thread] if run.end is None else run.end, *run.inputs)
            ]
            return Unit(tree=program), replace(answer, inputs=inputs)

        return scheduled


def _numbered(node: c_ast.FuncDef, kept: dict[str, c_ast.Node], symbols: Symbols) -> c_ast.FuncDef:
    """A thread whose shared pointers are numbers: those at file level, and its own that have addresses."""
    items = [item for item in node.body.block_items or [] if isinstance(item, c_ast.Decl)]
    own = {
        item.name: symbols.resolve(item.type)
        for item in items
        if "static" in item.storage and is_pointer(item, symbols)
    }
    return rebuilt(node, body=PointerNumbering({**kept, **own}).visit(node.body))


def _is_control(node: Any, names: Collection[str]) -> bool:
    """Whether *node* is a part of the sequential program that threads of their own do not need."""
    if isinstance(node, c_ast.FuncDef):
        return node.decl.name in names
    name = getattr(node, "name", None) or ""
    return name.startswith((*_ROUNDS, "__CSEQ_bits_")) or name == lexicon.THREAD
