"""Lazy sequentialization: turn bounded thread functions into one sequential program."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pycparser import c_ast

from cseq.c import build
from cseq.c.generated import ours
from cseq.c.symbols import Symbols
from cseq.c.unused import names_of
from cseq.model.claims import Cut, Limit
from cseq.model.errors import ChainError, UnsupportedError
from cseq.model.origin import Origin
from cseq.model.trace import Thread
from cseq.model.verdict import Bound
from cseq.modules.analysis import cuts
from cseq.modules.analysis.address_numbers import layout_bounds
from cseq.modules.analysis.marks import PREFIXES
from cseq.modules.analysis.movers import NO_MOVERS, Movers
from cseq.modules.analysis.places import called
from cseq.modules.analysis.spurious import HAS_SPURIOUS, HAS_WEAK, SPURIOUS, mentions
from cseq.modules.analysis.undefined_objects import refuse_undefined_objects
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.library import clibrary, lexicon, stubs
from cseq.modules.library.assertions import Claims
from cseq.modules.library.primitives import REUSING
from cseq.modules.symbolic.encode.facts import BEYOND_ROUNDS, BOUNDS, INSTANCES, ROUNDS_NEEDED, THREAD_FUNCTIONS
from cseq.modules.symbolic.encode.sequentializer import contexts
from cseq.modules.symbolic.encode.sequentializer.canonical import CanonicalDriver, WithoutLifetimes
from cseq.modules.symbolic.encode.sequentializer.driver import Driver
from cseq.modules.symbolic.encode.sequentializer.footprints import footprints
from cseq.modules.symbolic.encode.sequentializer.resume import LIMITS
from cseq.modules.symbolic.encode.sequentializer.threadfunction import ThreadFunction, asserted
from cseq.modules.symbolic.encode.sequentializer.tiles import TILE, Tile
from cseq.options.properties import DEADLOCK, EXCUSED, MEMSAFETY, PROPERTY, STRICT, UNREACH
from cseq.pipeline.facts import Gives, Uses
from cseq.pipeline.stage import Parameter
from cseq.pipeline.translator import Rewriter, Translator, rebuilt, user_name

# How many freed blocks wait to be allocated again, in a program without loops.

MOST_WAITING = 4
"""Each block that waits makes every pointer to a new one ambiguous, which engines pay for."""

GIVEN_BACK = "__cs_given_back"
"""The library's function for freed blocks."""

_ALLOCATES = frozenset(f"{name}{REUSING}" for name in ("malloc", "calloc", "realloc", "reallocarray"))
_FREES = frozenset(f"{name}{REUSING}" for name in ("free", "realloc", "reallocarray"))


def waiting_blocks(threads: Sequence[ThreadFunction]) -> int:
    """The number of blocks that can wait and will be taken: no more than are freed, and than are allocated."""
    names = [name for thread in threads for name in called(thread.function)]
    return max(min(sum(name in _FREES for name in names), sum(name in _ALLOCATES for name in names)), 1)


def all_waiting(node: Any) -> Any:
    """The library's function for freed blocks without its bound, if *node* is that; otherwise *node*."""
    if not isinstance(node, c_ast.FuncDef) or node.decl.name != GIVEN_BACK:
        return node
    items = [item for item in node.body.block_items if not _is_cut(item)]
    return rebuilt(node, body=rebuilt(node.body, block_items=items))


def _is_cut(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.FuncCall) and node.name.name == cuts.UNWOUND


_MOST_KEYS = 32  # the bits in a set of keys
_MOST_IN_A_SET = 64  # the bits in a set of threads


class Sequentializer(Translator):
    """in: main and a bounded function per thread instance. out: a sequential program for any engine.

    The schema is that of Inverso et al. (CAV 2014, §3; ASE 2015, §II.A). A driver runs K rounds. In each it calls the
    existing threads, in order of creation, or those that a schedule lists. Before a call it guesses where the thread
    will be switched out (``__cs_cs_T``), and afterwards keeps the guess (``__cs_pc_T``). A thread function jumps from
    label to label to where it was, and runs on to the guessed label. Locals are static, so they persist.
    There is a label before each statement that another thread can notice. After the last round, main runs once more, so
    that it can see what the threads did in it. The code in the threads only reads the control variables. Where control
    can skip labels, an assumption says that the guess is not among them.
    """

    takes: ClassVar[tuple[Parameter[Any], ...]] = (
        PROPERTY,
        EXCUSED,
        *contexts.PARAMETERS,
        SPURIOUS,
        STRICT,
        NO_MOVERS,
    )
    earlier_bounds = Uses(BOUNDS, ())
    has_weak = Uses(HAS_WEAK, False)
    bounds = Gives(BOUNDS)
    has_spurious = Gives(HAS_SPURIOUS)
    threads = Gives(INSTANCES)
    thread_functions = Gives(THREAD_FUNCTIONS)
    rounds_needed = Gives(ROUNDS_NEEDED)
    beyond = Gives(BEYOND_ROUNDS)

    thread_function: type[ThreadFunction] = ThreadFunction
    driver: type[Driver] = Driver
    merges = True
    """Whether accesses that commute with what others do need no label."""

    @classmethod
    def settle(cls, values: dict[str, Any], given: Collection[str]) -> None:
        """The bounds on contexts have to agree."""
        contexts.settle(values, given)

    def plan(self, sizes: list[int]) -> contexts.Plan:
        """The contexts of threads with these numbers of steps."""
        bounds = (self.parameter(contexts.ROUNDS), self.parameter(contexts.CONTEXTS), self.parameter(contexts.SCHEDULE))
        return contexts.plan(sizes, *bounds)

    @property
    def _tile(self) -> Tile | None:
        """The part of the schedules; None for all of them."""
        text = self.parameter(TILE)
        tile = Tile.read(text) if text is not None else None
        return None if tile is None or tile.is_whole else tile

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Sequentialize; leaves the threads, the bounds, and how many rounds cover all schedules."""
        symbols = Symbols(tree, self.context.model)
        refuse_undefined_objects(symbols, tree.ext)
        visibility = Visibility(symbols, tree)
        definitions = [n for n in tree.ext if isinstance(n, c_ast.FuncDef)]
        instances = [n for n in definitions if not lexicon.is_ours(n.coord)]
        numbers = {node.decl.name: number for number, node in enumerate(instances)}
        property_ = self.parameter(PROPERTY)
        self._claims = Claims(property_ == UNREACH, self.parameter(EXCUSED))
        self._judge = _judge(property_, symbols)
        lifetimes = property_ == MEMSAFETY
        movers = Movers.of(tree, symbols, visibility, property_, self.parameter(NO_MOVERS) or not self.merges)

        def made(dynamic: bool) -> list[ThreadFunction]:
            given = (numbers, symbols, visibility, dynamic, self._claims, lifetimes, movers, self._tile is not None)
            return [self.thread_function(node, *given) for node in instances]

        threads = made(dynamic=False)
        dynamic = any(thread.needs_atomic_flag for thread in threads)
        if dynamic:
            threads = made(dynamic=True)
        rest = [n for n in _called(tree.ext) if not (isinstance(n, c_ast.FuncDef) and n.decl.name in numbers)]
        rest = [_with_length(symbols, n) for n in rest if not _is_defined_as_another_type(symbols, n)]
        steps = [self._step_function(n) if isinstance(n, c_ast.FuncDef) else n for n in rest]
        if GIVEN_BACK in symbols.functions and waiting_blocks(threads) <= MOST_WAITING:
            steps = [all_waiting(node) for node in steps]
        if len(threads) > _MOST_IN_A_SET:
            for function in (n.decl.name for n in rest if isinstance(n, c_ast.FuncDef)):
                if lexicon.keeps_a_set_of_threads(function):
                    what = "condition variables, barriers or read-write locks"
                    start = instances[_MOST_IN_A_SET].decl.coord  # of the first thread over the limit
                    raise UnsupportedError(f"{what} with more than {_MOST_IN_A_SET} threads are not supported", start)
        plan = self.plan([thread.steps for thread in threads])
        self._leave_facts(threads, plan, steps)
        self.bounds += layout_bounds(tree, symbols, visibility, instances, once=True)
        self.has_spurious = self.has_weak or mentions(symbols.functions)
        with_library = "__cs_active" in symbols.types
        keys = [origin for thread in threads for origin in thread.keys]
        if len(keys) > _MOST_KEYS:
            raise UnsupportedError(f"more than {_MOST_KEYS} keys of thread-specific data", keys[_MOST_KEYS])
        driver = self.driver(threads, plan, dynamic, with_library, self._judge, lifetimes, self._tile)
        key_count = max(len(keys), 1) if "__cs_keys" in symbols.types else 0
        control = self._control(symbols, driver, dynamic, key_count)
        functions = [thread.function for thread in threads]

        def beyond() -> c_ast.FileAST:
            seen = footprints(threads, tree, symbols, visibility)
            canonical = CanonicalDriver(threads, plan, dynamic, with_library, seen, driver.judge, self._tile)
            declared = self._control(symbols, canonical, dynamic, key_count)
            asked = [WithoutLifetimes().visit(function) for function in functions] if lifetimes else functions
            return c_ast.FileAST([*declared, *steps, *asked, *canonical.nodes()])

        few_rounds = len(threads) > 1 and [bound.kind for bound in plan.bounds] == ["rounds"]
        self.beyond = beyond if few_rounds else None
        return c_ast.FileAST([*control, *steps, *functions, *driver.nodes()])

    def _leave_facts(self, threads: list[ThreadFunction], plan: contexts.Plan, steps: list[c_ast.Node]) -> None:
        bounds: dict[tuple[Cut, Origin | None], Bound] = {}
        for thread in threads:
            for bound in thread.bounds:
                place = bound.origin._replace(path=(), iteration=(), statement=()) if bound.origin else None
                if (bound.cut, place) not in bounds:
                    shown = bound.origin.plain() if bound.origin else None
                    bounds[bound.cut, place] = replace(bound, origin=shown)
        tile = self._tile
        part = [Bound.of(Cut(Limit.TILE, tile.number, runs=tile.parts))] if tile is not None else []
        found = [*part, *plan.bounds, *bounds.values(), *self.earlier_bounds]
        # Library functions cut executions off, for example those with longer strings.
        bodies = (node.body for node in steps if isinstance(node, c_ast.FuncDef))
        calls = (call for body in bodies for call in build.inside(body, c_ast.FuncCall))
        found += [Bound("library", 1, cuts.of(call)) for call in calls if build.is_call(call, cuts.UNWOUND)]
        self.bounds = found
        self.rounds_needed = plan.needed
        self.thread_functions = {t.called: t.number for t in threads}
        self.threads = [Thread(t.number, user_name(t.name) or t.name) for t in threads]

    def _step_function(self, node: c_ast.FuncDef) -> c_ast.FuncDef:
        """A library function, made private to the program, with its primitives defined for this family."""
        if not lexicon.is_library(node.decl.name):
            return node  # one of the user's, of which only the address is still used
        node = _PRIMITIVES.get(self._judge, _Primitives)(_returns(node), self._claims).visit(node)
        return rebuilt(node, decl=rebuilt(node.decl, storage=["static"]))

    def _control(self, symbols: Symbols, driver: Driver, dynamic: bool, keys: int) -> list[c_ast.Node]:
        threads = driver.threads
        lines = [f"enum {{ {lexicon.THREADS} = {len(threads)} }};", f"unsigned int {lexicon.THREAD};"]
        if mentions(symbols.functions):
            lines.append(f"enum {{ {lexicon.SPURIOUS} = {int(self.parameter(SPURIOUS))} }};")
        if any(stubs.uses(name, lexicon.ZEROED) for name in symbols.functions):
            lines.append(f"enum {{ {lexicon.ZEROED} = {int(not self.parameter(STRICT))} }};")
        if keys:
            lines.append(f"enum {{ {lexicon.KEYS} = {keys} }};")
        if "__cs_waiting_blocks" in symbols.types:
            lines.append(f"enum {{ {lexicon.FREED} = {min(waiting_blocks(threads), MOST_WAITING)} }};")
        for width in sorted(driver.widths()):
            lines.append(f"typedef unsigned int __CSEQ_bits_{width};")
        for thread in threads:
            lines.append(f"__CSEQ_bits_{thread.width} {thread.pc};")
            lines.append(f"__CSEQ_bits_{thread.width} {thread.cs};")
        lines.extend(driver.control())
        if self._tile is not None:
            lines.extend(f"unsigned int {limit};" for limit in LIMITS)
        if dynamic:
            lines.append("unsigned char __cs_atomic;")
        if self._judge is not None:
            lines.append(f"unsigned char {lexicon.STANDING};")
        return ours(lines)


def _is_defined_as_another_type(symbols: Symbols, node: c_ast.Node) -> bool:
    """Whether *node* declares an object that another file defines, with a type that has another name in that file."""
    if not isinstance(node, c_ast.Decl) or "extern" not in (node.storage or []):
        return False
    definition = symbols.qualified[node.name]
    records = [symbols.record(_element(symbols, declared.type)) for declared in (node, definition)]
    return "extern" not in definition.storage and records[0] is not records[1]


def _with_length(symbols: Symbols, node: c_ast.Node) -> c_ast.Node:
    """*node*; the declaration of an array has the length of the definition that comes later."""
    if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.ArrayDecl) and node.type.dim is None:
        return rebuilt(node, type=symbols.types[node.name])
    return node


def _element(symbols: Symbols, type_: c_ast.Node) -> c_ast.Node:
    """What *type_* is an array of, or *type_* itself."""
    while symbols.is_array(type_):
        type_ = symbols.element(type_)
    return type_


def _called(nodes: list[c_ast.Node]) -> list[c_ast.Node]:
    """*nodes* without the functions of the C library that nothing calls: their cuts are none of the program's."""
    idle = {n.decl.name: n for n in nodes if isinstance(n, c_ast.FuncDef) and clibrary.is_modelled(n.decl.name)}
    todo = [n for n in nodes if n not in idle.values()] if idle else []
    while todo and idle:
        mentioned = names_of(todo.pop()).mentioned & idle.keys()
        todo.extend(idle.pop(name) for name in mentioned)
    gone = set(map(id, idle.values()))
    return [node for node in nodes if id(node) not in gone]


class _Primitives(Rewriter):
    """Defines the primitives of the thread library: waiting is an assumption, misuse an assertion."""

    def __init__(self, nothing: c_ast.Return, claims: Claims) -> None:
        super().__init__()
        self._claims = claims
        self._nothing = nothing  # leaves the function

    def visit_Compound(self, node: c_ast.Compound) -> c_ast.Compound:
        return rebuilt(node, block_items=self.visit_all(node.block_items or []))

    def visit_FuncCall(self, node: c_ast.FuncCall) -> Any:
        name = node.name.name
        if name in (stubs.MAY_HANG, stubs.MAY_WAIT):
            return []
        if name in stubs.WAITS:
            return build.call(lexicon.ASSUME, _goes_on(node), origin=node.coord)
        if name == lexicon.MISUSE_STUB:
            return asserted(node.args.exprs[0], node.args.exprs[1], node.coord, self._claims)
        return node

    def visit_If(self, node: c_ast.If) -> c_ast.If:
        then, otherwise = self.visit(node.iftrue), node.iffalse and self.visit(node.iffalse)
        then = then if not isinstance(then, list) else c_ast.Compound(then, node.coord)
        otherwise = otherwise if not isinstance(otherwise, list) else c_ast.Compound(otherwise, node.coord)
        return c_ast.If(node.cond, then, otherwise, node.coord)


def _goes_on(node: c_ast.FuncCall) -> c_ast.Node:
    """The condition on which the wait *node* ends. Who wakes up spuriously does go on, but a deadlock is one still."""
    cond: c_ast.Node = node.args.exprs[0]
    if node.name.name == stubs.WAIT_OR_WAKE:
        return c_ast.BinaryOp("||", build.ident(lexicon.SPURIOUS), cond)
    return cond


class _BlockingPrimitives(_Primitives):
    """For deadlock detection: a thread that is asked where it stands reports that it is blocked, and for whom."""

    def visit_FuncCall(self, node: c_ast.FuncCall) -> Any:
        name = node.name.name
        if name not in stubs.BLOCKS:
            return super().visit_FuncCall(node)
        cond, *who = node.args.exprs
        if name == stubs.MAY_HANG:
            who = [c_ast.BinaryOp("<<", c_ast.Constant("unsigned long long", "1ULL"), build.ident(lexicon.THREAD))]
        report = build.call("__cs_deadlock_waits_for" if who else "__cs_deadlock_waits", *who)
        waits = name in stubs.WAITS
        blocked = c_ast.BinaryOp("&&", build.ident(lexicon.STANDING), c_ast.UnaryOp("!", cond) if waits else cond)
        asked = build.branch(blocked, [report, self._nothing])
        return [asked, build.call(lexicon.ASSUME, _goes_on(node), origin=node.coord)] if waits else [asked]


_PRIMITIVES: dict[str | None, type[_Primitives]] = {PREFIXES[DEADLOCK]: _BlockingPrimitives}


def _judge(property_: str, symbols: Symbols) -> str | None:
    """The prefix of the functions that judge the last state; None if the property does not depend on it."""
    prefix = PREFIXES.get(property_)
    if prefix is None or f"{prefix}_end" in symbols.functions:
        return prefix
    if lexicon.CHAINED in symbols.types:
        return None  # judged during the execution
    raise ChainError(f"no stage of this chain supports the property {property_}")


def _returns(node: c_ast.FuncDef) -> c_ast.Return:
    """A statement that leaves the function; its value is never used."""
    returned = node.decl.type.type
    void = isinstance(returned, c_ast.TypeDecl) and "void" in getattr(returned.type, "names", ())
    return c_ast.Return(None if void else build.number(0))
