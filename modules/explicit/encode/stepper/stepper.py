"""Turn each thread into a function that makes one transition, from the place where the thread stopped."""

from collections.abc import Collection
from typing import Any

from pycparser import c_ast

from cseq.c import build
from cseq.c.generated import ours
from cseq.c.symbols import Symbols
from cseq.c.unused import names_of
from cseq.model.errors import UsageError
from cseq.modules.analysis.address_numbers import (
    AddressUses,
    computed_identifiers,
    guessed_addresses,
    overlapping_literals,
)
from cseq.modules.analysis.constant_propagation import Counting
from cseq.modules.analysis.coverage_points import COVERAGE, POINTS, Points
from cseq.modules.analysis.creations import MOST, Creations, most_threads, reads_results
from cseq.modules.analysis.marks import threads_of
from cseq.modules.analysis.mentions import address_only, mentioned
from cseq.modules.analysis.movers import NO_MOVERS, Movers
from cseq.modules.analysis.places import addressed
from cseq.modules.analysis.spurious import HAS_SPURIOUS, HAS_WEAK, SPURIOUS, mentions
from cseq.modules.analysis.undefined_objects import refuse_undefined_objects
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.core.definedness import DEFINEDNESS
from cseq.modules.core.input_choices.libraryinputs import declare_choices
from cseq.modules.explicit.encode.scheduling_model import SCHEDULING, Scheduling
from cseq.modules.explicit.encode.step_program import AT, SET, STEPS, PlaceFrame, Steps
from cseq.modules.explicit.encode.stepper.future_accesses import Objects, tables, touched_later
from cseq.modules.explicit.encode.stepper.stepfunction import StepFunction
from cseq.modules.explicit.encode.stepper.symmetry import symmetry
from cseq.modules.explicit.encode.thread_sets import MOST_WIDE, WIDE, NarrowError, WideMembers
from cseq.modules.explicit.engine import ENGINES
from cseq.modules.frontend.observers.observers import OBSERVED, ObserverCode
from cseq.modules.library import lexicon, stubs
from cseq.modules.library.assertions import Claims
from cseq.options import properties
from cseq.options.bounds import THREADS
from cseq.options.mutual_exclusion import MUTEX, Lines
from cseq.pipeline.facts import Gives, Needs, Uses
from cseq.pipeline.translator import Rewriter, Translator, rebuilt, user_name

STATE = "__CSEQ_STATE"
"""The prefix of the declaration of an object that belongs to the state."""
FORWARD = f"static {STATE}"
"""The storage class of an object that is defined further down, in one word: it is not taken for the definition."""

_ACTIVE = "__cs_active"
_PAGE = 4096
_ABOUT_WAITING = frozenset(
    {
        properties.DEADLOCK,
        properties.LTL,
        properties.PROGRESS,
        properties.ACCEPTANCE,
        properties.TERMINATION,
        properties.TLA,
    }
)
"""The properties that may be violated because a thread has to wait."""


class Stepper(Translator):
    """in: the core language, without calls of the user's functions. out: a step program for explicit-state engines.

    Everything that the threads can change is in one section, the state. The function of a thread makes one transition:
    from the place where the thread stands, through a statement visible to others, up to the next such statement. Loops
    stay loops. `backends/explorer/interface.h` documents what the program guarantees.
    """

    takes = (
        properties.PROPERTY,
        properties.EXCUSED,
        THREADS,
        WIDE,
        SPURIOUS,
        properties.STRICT,
        NO_MOVERS,
        MUTEX,
        COVERAGE,
    )
    observed = Uses(OBSERVED, ObserverCode())
    scheduling = Uses(SCHEDULING, Scheduling())
    definedness = Needs(DEFINEDNESS)
    has_weak = Uses(HAS_WEAK, False)
    points = Uses(POINTS, Points())
    steps = Gives(STEPS)
    has_spurious = Gives(HAS_SPURIOUS)

    @classmethod
    def settle(cls, values: dict[str, object], given: Collection[str]) -> None:
        """An engine for specifications does not report what it reaches."""
        super().settle(values, given)
        if COVERAGE.of(values) is not None and values["backend"] not in ENGINES:
            raise UsageError(f"--coverage is for {' and '.join(ENGINES)}, not for `{values['backend']}`")

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Make the step program; leaves `Steps` as a fact."""
        symbols = Symbols(tree, self.context.model)
        declare_choices(symbols)
        refuse_undefined_objects(symbols, tree.ext)
        visibility = Visibility(symbols, tree)
        claims = Claims(self.parameter(properties.PROPERTY) == properties.UNREACH, self.parameter(properties.EXCUSED))
        threads = threads_of(tree)
        threads.sort(key=lambda node: node.decl.name != "main")
        with_library = _ACTIVE in symbols.types
        creations = Creations({n.decl.name: n for n in threads}, Counting(symbols, visibility))
        most = most_threads(creations, self.parameter(THREADS), self._limit(creations))
        steps = Steps(1 + most if with_library else 1, [n.decl.name for n in threads])
        steps.wide = bool(self.parameter(WIDE))
        steps.creates_for_ever = creations.are_endless()
        steps.reads_results = any(reads_results(node) for node in threads)
        uses = AddressUses(tree, symbols, visibility, threads)
        steps.reads_pointers = {each.plain() for each in uses.parts() if each is not None}
        steps.makes_numbers = any(True for _ in uses.numbers()) or bool(steps.reads_pointers)
        steps.compares_addresses = any(True for _ in uses.unrelated(once=False))
        steps.guesses_addresses = any(True for _ in guessed_addresses(tree, symbols, threads))
        literals = overlapping_literals(tree, symbols, threads)
        steps.compares_literals = {(each.file, each.line) for each in literals if each is not None}
        steps.computes_identifiers = {(each.file, each.line) for each in computed_identifiers(symbols, threads)}
        steps.renews_locals = _takes_again(symbols, threads[0].body)
        tracked = self.definedness.names
        movers = self._movers(tree, symbols, visibility)
        memory = self.parameter(properties.PROPERTY) == properties.MEMSAFETY
        watched = Lines(self.parameter(MUTEX) if self.parameter(properties.PROPERTY) == properties.EXCLUSION else ())
        waits = self.parameter(properties.PROPERTY) in _ABOUT_WAITING
        points = self.points if self.parameter(properties.PROPERTY) == properties.UNREACH else Points()
        points = points.with_lines() if self.parameter(COVERAGE) is not None else points
        steps.points = points
        functions = [
            StepFunction(node, steps, symbols, visibility, claims, tracked, movers, memory, watched, waits, points)
            for node in threads
        ]
        steps.frames = [
            PlaceFrame(f.frame_type, f.entry, f.last, f.is_main, {name: f.ended.get(name, "") for name in f.reachable})
            for f in functions
            if f.has_frame
        ]
        values = mentioned([n for n in tree.ext if not isinstance(n, c_ast.FuncDef)] + threads, set(steps.starts))
        self._initial = {name for n in tree.ext if _is_initialised(n) for name in names_of(n).mentioned}
        rest = [new for n in tree.ext if (new := self._left(n, threads, values, symbols, claims))]
        self.steps = steps
        self.has_spurious = self.has_weak or mentions(symbols.functions)
        return c_ast.FileAST(
            [
                *self._control(symbols, steps, functions),
                *rest,
                *(part for function in functions for part in function.frame()),
                *_frames(functions, steps),
                *(function.function for function in functions),
                *ours(_interface(functions), [SET]),
                *(ours(_marks(steps)) if any(points) else []),
                *ours(_touched_later(tree, symbols, functions, len(steps.places))),
                *ours(self._interchangeable(tree, symbols, visibility, functions), [SET]),
            ]
        )

    def _limit(self, creations: Creations) -> int:
        """The number of threads besides main that sets have bits for. NarrowError if they should have more."""
        wide, total = self.parameter(WIDE), creations.led_to("main")
        if wide is False and self.parameter(THREADS) is None and total is not None and total > MOST:
            raise NarrowError(f"more than {MOST} threads besides main are not supported here")
        return MOST_WIDE if wide else MOST

    def _movers(self, tree: c_ast.FileAST, symbols: Symbols, visibility: Visibility) -> Movers:
        # Between any two transitions a scheduler decides, and observers look at the state.
        off = self.parameter(NO_MOVERS) or self.scheduling.counts or bool(self.observed.text)
        return Movers.of(tree, symbols, visibility, self.parameter(properties.PROPERTY), off)

    def _interchangeable(
        self, tree: c_ast.FileAST, symbols: Symbols, visibility: Visibility, functions: list[StepFunction]
    ) -> list[str]:
        """The tables of the threads that are interchangeable, if there are any and the program does not read them."""
        if self.parameter(properties.PROPERTY) != properties.UNREACH or self.scheduling.counts or self.observed.text:
            return []
        if self.steps.uses_addresses:
            return []
        _, *others = functions
        shown = {name for function in others for name in function.shown}
        found = symmetry(tree, symbols, Counting(symbols, visibility), self.definedness.names, shown)
        if found is None:
            return []
        return found.tables(self.steps.most_threads, any(function.has_frame for function in others))

    def _left(
        self, node: Any, threads: list[c_ast.FuncDef], values: set[str], symbols: Symbols, claims: Claims
    ) -> c_ast.Node | None:
        """The replacement of a declaration at file level."""
        if node in threads:
            return _static(address_only(node)) if node.decl.name in values and node.decl.name != "main" else None
        if isinstance(node, c_ast.FuncDef):
            return _library_function(node, claims, bool(self.parameter(WIDE)))
        if not isinstance(node, c_ast.Decl) or node.name is None:
            return node  # type: ignore[no-any-return]
        if isinstance(node.type, c_ast.FuncDecl):
            is_defined = node.name in symbols.functions
            return None if node.name == "main" else rebuilt(node, storage=["static"]) if is_defined else node
        if "extern" in node.storage:
            definition = symbols.qualified[node.name]
            if symbols.is_const(node.type):
                return rebuilt(definition, storage=["static"], init=None)  # constants may use its address
            if node.name not in self._initial or "extern" in definition.storage:
                return None
            return rebuilt(definition, storage=[FORWARD], init=None)
        if symbols.is_const(node.type):
            return rebuilt(node, storage=["static"]) if user_name(node.name) is not None else node
        init = c_ast.InitList([build.number(1)]) if node.name == _ACTIVE else node.init
        return rebuilt(in_state(node), init=init)

    def _control(self, symbols: Symbols, steps: Steps, functions: list[StepFunction]) -> list[c_ast.Node]:
        """The declarations at the beginning of the program."""
        kind = "unsigned char" if len(steps.places) < 256 else "unsigned short"
        lines = [
            f"enum {{ {lexicon.THREADS} = {steps.most_threads} }};",
            f"enum {{ __CSEQ_DEADLOCKS = {int(self.parameter(properties.PROPERTY) == properties.DEADLOCK)} }};",
        ]
        if mentions(symbols.functions):
            lines.append(f"enum {{ {lexicon.SPURIOUS} = {int(self.parameter(SPURIOUS))} }};")
        if any(stubs.uses(name, lexicon.ZEROED) for name in symbols.functions):
            lines.append(f"enum {{ {lexicon.ZEROED} = {int(not self.parameter(properties.STRICT))} }};")
        lines.extend(f"enum {{ {f.entry_name} = {f.entry} }};" for f in functions)
        if "__cs_keys" in symbols.types:
            lines.append(f"enum {{ {lexicon.KEYS} = {max(steps.keys, 1)} }};")
        if "__cs_waiting_blocks" in symbols.types:  # the arenas know what is free; this stands for all of that
            lines.append(f"enum {{ {lexicon.FREED} = 1 }};")
        lines.append(f"static unsigned int {lexicon.THREAD};")
        return [*ours(lines), *map(in_state, ours([f"{kind} {AT}[{lexicon.THREADS}] = {{1}};"]))]


class _Primitives(Rewriter):
    """Expands primitives of the thread library.

    A claim that is not being checked ends an execution where it does not hold. The threads needed to end a wait are
    only computed where a thread has to wait: in other states the computation may be meaningless.
    """

    def __init__(self, claims: Claims) -> None:
        super().__init__()
        self._claims = claims

    def visit_FuncCall(self, node: c_ast.FuncCall) -> c_ast.Node:
        if node.name.name == stubs.WAIT_FOR:
            holds, who = node.args.exprs
            return build.branch(build.negation(holds), [build.call("__CSEQ_block", who)], None, node.coord)
        if node.name.name != lexicon.MISUSE_STUB or self._claims.has(node.args.exprs[1]):
            return node
        return build.call(lexicon.ASSUME, node.args.exprs[0], origin=node.coord)


def _library_function(node: c_ast.FuncDef, claims: Claims, wide: bool) -> c_ast.FuncDef:
    if not lexicon.is_library(node.decl.name):
        return _static(node)  # one of the user's, of which only the address is still used
    # Inline, so that those that are not called cost no time, and need nothing that only others define.
    decl = rebuilt(node.decl, storage=["static"], funcspec=["inline"])
    body = WideMembers().visit(node.body) if wide else node.body
    return rebuilt(node, decl=decl, body=_Primitives(claims).visit(body))


def _static(node: c_ast.FuncDef) -> c_ast.FuncDef:
    """A function of the user's under its name, which the engine may have, too."""
    return rebuilt(node, decl=rebuilt(node.decl, storage=["static"], funcspec=[]))


def _frames(functions: list[StepFunction], steps: Steps) -> list[c_ast.Node]:
    """The declarations of the frames: main's, and one per other thread, whatever function it executes."""
    types: list[str] = []
    objects: list[str] = []
    main, *others = functions
    if main.has_frame:
        objects.append(f"struct {main.frame_type} {main.frame_place};")
    if any(function.has_frame for function in others):
        members = " ".join(f"struct {f.frame_type} {f.frame_type};" for f in others if f.has_frame)
        types.append(f"union __cs_frame {{ {members} }};")
        objects.append(f"union __cs_frame __cs_frames[{steps.most_threads - 1}];")
    return [*ours(types), *map(in_state, ours(objects))]


def in_state(node: Any, is_static: bool = True) -> c_ast.Node:
    """The declaration of an object of the state. is_static: whether it has no earlier declaration."""
    declared: c_ast.Node = rebuilt(node, storage=["static", STATE] if is_static else [STATE])
    return declared


def _takes_again(symbols: Symbols, body: c_ast.Compound) -> bool:
    """Whether *body* may take the address of a local twice, in a loop or in a function that is called twice."""
    if any(isinstance(node, c_ast.Goto) for node in build.walk(body)):
        return bool(addressed(body))
    again = [n for n in build.walk(body) if isinstance(n, c_ast.While) or (n.coord is not None and n.coord.path)]
    return any(name in symbols.locals for node in again for name in addressed(node))


def _is_initialised(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.Decl) and node.init is not None


def _touched_later(tree: c_ast.FileAST, symbols: Symbols, functions: list[StepFunction], places: int) -> list[str]:
    """The tables of what the threads may still touch at each place."""
    state = {
        node.name: node.name
        for node in tree.ext
        if isinstance(node, c_ast.Decl) and node.name and not isinstance(node.type, c_ast.FuncDecl)
        and "extern" not in node.storage and not symbols.is_const(node.type)
    }  # fmt: skip
    main = functions[0]  # the only thread of its kind
    state.update({name: f"{main.frame_place}.{name}" for name in main.shown})
    objects = Objects(symbols, tree.ext, state, symbols.functions)
    futures = {function.entry_name: function.futures for function in functions}
    return tables(objects, touched_later(futures, objects), places)


def _marks(steps: Steps) -> list[str]:
    """The object in which the program notes what it reaches: whole pages, which processes can share."""
    size = -(-max(len(steps.marks), 1) // _PAGE) * _PAGE
    return [
        f"unsigned char __CSEQ_marked[{size}] __attribute__((aligned({_PAGE})));",
        f"const unsigned int __CSEQ_marks = {len(steps.marks)};",
    ]


def _interface(functions: list[StepFunction]) -> list[str]:
    """The functions that an engine calls."""
    steps = "".join(f"if (place <= {f.last}) {f.called}(place); else " for f in functions[:-1])
    return [
        f"const unsigned int __CSEQ_most_threads = {lexicon.THREADS};",
        f"{SET} __CSEQ_alive(void)",
        "{",
        f"{SET} set = 0;",
        f"for (unsigned int k = 0; k < {lexicon.THREADS}; k++) if ({AT}[k]) set |= __CSEQ_ONLY(k);",
        "return set;",
        "}",
        f"unsigned int __CSEQ_place(unsigned int thread) {{ return {AT}[thread]; }}",
        "void __CSEQ_step(unsigned int thread)",
        "{",
        f"unsigned int place = {AT}[thread];",
        f"{lexicon.THREAD} = thread;",
        "__CSEQ_begin();",
        f"{steps}{functions[-1].called}(place);",
        "}",
    ]
