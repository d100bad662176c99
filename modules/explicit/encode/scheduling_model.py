"""Schedulers that restrict which threads may run: priorities, round robin, or a comparison of the user's."""

from collections.abc import Collection
from dataclasses import dataclass

from pycparser import c_ast

from cseq.c import build
from cseq.c.unused import names_of
from cseq.model.errors import UsageError
from cseq.modules.frontend.observers.observers import CAN_PREEMPT
from cseq.modules.library import lexicon, primitives, stubs
from cseq.modules.library.linking import parsed
from cseq.modules.library.primitives.schema import Scheduled, Silence
from cseq.pipeline.facts import Fact, Gives
from cseq.pipeline.stage import Parameter
from cseq.pipeline.translator import Rewriter, Translator, rebuilt

ANY, ROUND_ROBIN, PRIORITY, USER = "any", "roundrobin", "priority", "user"

SCHEDULER = Parameter(
    "scheduler", str, ANY,
    "which threads may run: any runnable thread, one after the other, or the threads with the highest priority",
    ("--scheduler",), "NAME", choices=lambda: [ANY, ROUND_ROBIN, PRIORITY],
)  # fmt: skip
QUANTUM: Parameter[int | None] = Parameter(
    "quantum", int, None, "with round robin, a thread makes N transitions before the next one has its turn (default 1)",
    ("--quantum",), "N", minimum=1,
)  # fmt: skip

_ASKS = frozenset(name for name, what in primitives.SCHEDULING.items() if what is Scheduled.ASKS)
"""Functions by which a program reads priorities."""
_PRIORITIES = _ASKS | {name for name, what in primitives.SCHEDULING.items() if what is Scheduled.PRIORITY}
"""Functions with a variant that maintains priorities."""
_MUTEXES = frozenset(name for name, what in primitives.SCHEDULING.items() if what is Scheduled.PROTOCOL)
"""Functions with a variant for mutex protocols. All other variants report what only the passage of time causes."""
_CALLED = frozenset(
    name
    for name in primitives.SCHEDULING
    if name in primitives.SUCCEEDS or primitives.PRIMITIVES[name].does is Silence.TIME
)
"""Functions without visible effects. Their variants have such effects, and keep their own names."""


def scheduled(function: str) -> str:
    """The library's name for the variant of *function* that respects priorities."""
    return function + primitives.SCHEDULED


@dataclass(frozen=True)
class Scheduling:
    """The scheduler of a run.

    name: one of `--scheduler`, or ``user`` for a comparison of the user's. words: its name in a sentence.
    priorities: whether there are priorities, that is, threads. ceilings, mutexes: whether mutexes with a ceiling are
    recorded, and whether there are any mutexes at all.
    """

    name: str = ANY
    words: str = ""
    priorities: bool = False
    ceilings: bool = False
    mutexes: bool = False

    @property
    def counts(self) -> bool:
        """Whether an engine has to ask who may run."""
        return self.name != ANY and (self.name != PRIORITY or self.priorities)


SCHEDULING = Fact[Scheduling]("scheduling")


class Scheduler(Translator):
    """in: the merged program. out: the same, with a thread library that maintains the scheduler's data.

    Variants of some library functions (`pthread_stubs/schedule.c`) record the priorities of threads and mutexes, and
    who waits for what. If any thread may run, that is only done if the program asks for priorities; then the only
    priorities are those that it has set.
    """

    takes = (SCHEDULER, QUANTUM, CAN_PREEMPT)
    scheduling = Gives(SCHEDULING)

    @classmethod
    def settle(cls, values: dict[str, object], given: Collection[str]) -> None:
        """There is only one scheduler."""
        if CAN_PREEMPT.of(values) and SCHEDULER.of(values) != ANY:
            raise UsageError("--scheduler and --can-preempt cannot be combined: the function is the scheduler")
        if QUANTUM.name in given and SCHEDULER.of(values) != ROUND_ROBIN:
            raise UsageError("--quantum is for --scheduler roundrobin")

    def translate(self, tree: c_ast.FileAST) -> c_ast.FileAST:
        """Replace functions by their variants; leaves the fact `scheduling`."""
        name = USER if self.parameter(CAN_PREEMPT) else self.parameter(SCHEDULER)
        used = {word for node in tree.ext if not isinstance(node, c_ast.Typedef) for word in names_of(node).mentioned}
        used |= {word for node in tree.ext for word in names_of(node).declared}
        wanted = self._wanted(name, used)
        if wanted:
            tree = c_ast.FileAST(_with_variants(tree.ext, wanted))
        present = {word for node in tree.ext for word in names_of(node).declared}
        self.scheduling = Scheduling(
            name,
            {USER: f"the scheduler `{self.parameter(CAN_PREEMPT)}`", PRIORITY: "scheduling by priorities",
             ROUND_ROBIN: f"round robin with a quantum of {self.parameter(QUANTUM) or 1}"}.get(name, ""),
            priorities="__cs_priority" in present,
            ceilings="__cs_protected" in present,
            mutexes="pthread_mutex_lock" in present & wanted,
        )  # fmt: skip
        return tree

    def _wanted(self, name: str, used: set[str]) -> set[str]:
        """The functions whose variants are needed."""
        known = {word for word in used if scheduled(word) in stubs.items()}
        if name == PRIORITY:
            return known
        wanted = known & _PRIORITIES if known & _ASKS else set()
        return wanted | (known - _PRIORITIES - _MUTEXES if name == USER else set())


def _is_of_library(node: c_ast.Node) -> bool:
    coord = node.coord if not isinstance(node, c_ast.FuncDef) else node.decl.coord
    return coord is not None and str(coord.file).startswith(lexicon.FILE_PREFIX)


def _with_variants(nodes: list[c_ast.Node], wanted: set[str]) -> list[c_ast.Node]:
    """The unit with the variants of the functions *wanted*, and what they need.

    A variant takes the name of the function that it replaces. It calls the original by the variant's name, except for
    the functions in _CALLED.
    """
    user = [node for node in nodes if not _is_of_library(node)]
    present = {name: node for node in nodes if _is_of_library(node) for name in names_of(node).declared}
    ordered, fresh = _ordered(present, {scheduled(name) for name in wanted}, nodes)
    exchanged = {name: scheduled(name) for name in wanted - _CALLED}
    exchanged |= {new: old for old, new in exchanged.items()}
    called = {name: scheduled(name) for name in wanted & _CALLED}
    ours = [_renamed(node, exchanged, called) for node in ordered]
    prototypes = {node.decl.name: node.decl for node in ours if isinstance(node, c_ast.FuncDef)}
    cancelled = {name for name in called if stubs.cancellable(name) in prototypes}
    rename = _Calls({name: new for name, new in called.items() if name not in cancelled})
    found: list[c_ast.Node] = []
    for node in user:
        found.append(rename.visit(node) if isinstance(node, c_ast.FuncDef) else node)
        name = getattr(node, "name", None)
        if isinstance(node, c_ast.Decl) and name in called and scheduled(name) in fresh:
            found.append(rebuilt(prototypes[scheduled(name)], coord=node.coord))
            fresh.discard(scheduled(name))
    return [*found, *_in_order_of_use(ours)]


def _in_order_of_use(nodes: list[c_ast.Node]) -> list[c_ast.Node]:
    """Declarations in an order in which each comes after those that it uses."""
    by_name = {name: node for node in nodes for name in names_of(node).declared}
    found: dict[int, c_ast.Node] = {}

    def add(node: c_ast.Node) -> None:
        if id(node) not in found:
            for name in sorted(names_of(node).mentioned & by_name.keys()):
                if by_name[name] is not node:
                    add(by_name[name])
            found[id(node)] = node

    for node in nodes:
        add(node)
    return list(found.values())


def _ordered(
    present: dict[str, c_ast.Node], variants: set[str], nodes: list[c_ast.Node]
) -> tuple[list[c_ast.Node], set[str]]:
    """The library's part of the unit with *variants*, each after what it needs; and the names of what is new."""
    defined = {node.decl.name for node in nodes if isinstance(node, c_ast.FuncDef)} - present.keys()
    items = stubs.needed({*present, *variants}, without=defined)
    missing = [item for item in items if not item.names <= present.keys()]
    made = dict(zip((item.text for item in missing), parsed(missing), strict=True))
    ordered: dict[int, c_ast.Node] = {}
    for item in items:
        node = made.get(item.text) or present[next(iter(item.names))]
        ordered[id(node)] = node
    rest = {id(node): node for node in present.values() if id(node) not in ordered}
    return [*rest.values(), *ordered.values()], {name for item in missing for name in item.names}


def _renamed(node: c_ast.Node, exchanged: dict[str, str], called: dict[str, str]) -> c_ast.Node:
    """A part of the library in which variants replace their originals."""
    if not isinstance(node, c_ast.FuncDef):
        return node
    name = node.decl.name
    base = name.removesuffix(primitives.SCHEDULED)
    if name in called.values():
        return node
    is_variant = name in exchanged and name != base
    new: c_ast.FuncDef = _Calls({base: name} if is_variant else called).visit(node)
    if name not in exchanged:
        return new
    name = exchanged[name]
    return rebuilt(new, decl=rebuilt(new.decl, name=name, type=build.renamed(new.decl.type, name)))


class _Calls(Rewriter):
    """Renames functions where they are called."""

    def __init__(self, names: dict[str, str]) -> None:
        super().__init__()
        self._names = names

    def visit_FuncCall(self, node: c_ast.FuncCall) -> c_ast.FuncCall:
        node = self.generic_visit(node)
        name = node.name.name if isinstance(node.name, c_ast.ID) else None
        return rebuilt(node, name=c_ast.ID(self._names[name], node.name.coord)) if name in self._names else node
