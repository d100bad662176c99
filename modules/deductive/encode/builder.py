"""The transition system of a program in the core language."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from pycparser import c_ast

from cseq.c.symbols import Symbols
from cseq.model.errors import UnsupportedError
from cseq.model.origin import LineMap
from cseq.modules.analysis.constant_propagation import Counting
from cseq.modules.analysis.dataflow import reachable
from cseq.modules.analysis.marks import threads_of
from cseq.modules.analysis.movers import NO_MOVERS, Movers
from cseq.modules.analysis.points_to import PointsTo
from cseq.modules.analysis.threadlocals import is_thread_local
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.deductive import transitions as ts
from cseq.modules.deductive.encode.algebra import negation
from cseq.modules.deductive.encode.cells import Cells
from cseq.modules.deductive.encode.flow import Flow, FlowStep
from cseq.modules.deductive.encode.inexpressible import refused
from cseq.modules.deductive.encode.initial import initial_values
from cseq.modules.deductive.encode.knowledge import tidied
from cseq.modules.deductive.encode.listing import listed
from cseq.modules.deductive.encode.merging import Merger
from cseq.modules.deductive.encode.shortening import shortened
from cseq.modules.deductive.encode.statements import Handler, Statements
from cseq.modules.deductive.encode.threads import Kind, Threads
from cseq.modules.deductive.encode.unbounded import OF_THREADS, adapted
from cseq.modules.deductive.encode.unrolling import Unrolling, unrolled
from cseq.modules.deductive.encode.values import Values
from cseq.modules.ir.lower import lower
from cseq.modules.ir.objects import Object
from cseq.modules.ir.program import Template
from cseq.modules.library import lexicon
from cseq.modules.library.assertions import Claims
from cseq.options.properties import EXCUSED, PROPERTY, STRICT, UNREACH
from cseq.pipeline.facts import Fact, Gives
from cseq.pipeline.stage import Unit
from cseq.pipeline.translator import Translator, user_name

SYSTEM = Fact[ts.System]("system")
"""The transition system of the program."""


class Builder(Translator):
    """in: the core language, without calls of the user's functions. out: the same; the transition system is a fact.

    Raises UnsupportedError, with the construct and its place, for what the system cannot express.
    """

    takes = (PROPERTY, EXCUSED, STRICT, NO_MOVERS)
    system = Gives(SYSTEM)

    def translate(self, tree: c_ast.FileAST) -> Unit:
        """Build the system; the program stays as it is, but its text begins with the system, as a comment."""
        text = adapted(tree)
        symbols = Symbols(text, self.context.model)
        visibility = Visibility(symbols, text)
        movers = Movers.of(text, symbols, visibility, self.parameter(PROPERTY), self.parameter(NO_MOVERS))
        claims = Claims(self.parameter(PROPERTY) == UNREACH, self.parameter(EXCUSED))
        try:
            self.system = build(text, symbols, visibility, movers, claims, self.parameter(STRICT))
        except UnsupportedError as error:
            raise UnsupportedError(f"{error.message}; -b native and -b cbmc may support it", error.origin) from None
        return _ListedProgram(tree, self.system)


class _ListedProgram(Unit):
    """A program whose text begins with a listing of its transition system."""

    def __init__(self, tree: c_ast.FileAST, system: ts.System) -> None:
        super().__init__(tree)
        self._system: ts.System | None = system

    @property
    def text(self) -> str:
        """The C text."""
        if self._system is not None:
            lines = listed(self._system).replace("*/", "* /").splitlines()
            self._system = None
            comment = "\n".join(["/*", *lines, " */", ""])
            self._text, self._linemap = comment + super().text, super().linemap.shifted(len(lines) + 2)
        return super().text

    @property
    def linemap(self) -> LineMap:
        """The origin of each line of the text."""
        return super().linemap if self.text else LineMap([])


def build(
    tree: c_ast.FileAST, symbols: Symbols, visibility: Visibility, movers: Movers, claims: Claims, strict: bool = False
) -> ts.System:
    """The transition system of the program *tree*, in the core language after the inliner, with an adapted library.

    movers: the statements that need no location before them. claims: which assertions are checked; the others are
    assumed. strict: whether an object of the thread library has to be initialised even if it is zero.
    """
    return _Building(tree, symbols, visibility, movers, claims, strict).system()


Owners = Mapping[str, frozenset[str]]
"""The functions of threads that declare a local: several where a function that declares it is inlined in several."""


_NOBODY: frozenset[str] = frozenset()


def owners_of(templates: Iterable[Template]) -> Owners:
    """The owners of the locals of *templates*."""
    found: dict[str, frozenset[str]] = {}
    for template in templates:
        for each in (*template.parameters, *template.locals):
            found[each.name] = found.get(each.name, _NOBODY) | {template.name}
    return found


def known_to_others(owners: Owners, received: Collection[str], points_to: PointsTo) -> set[str]:
    """The locals to which a pointer may lead that is not in a local of the same thread.

    received: the locals whose first value comes from another thread. A pointer that passes from thread to thread passes
    through one of those, or through an object that is no local or is known to others.
    """
    found: set[str] = set()
    named = ([each.name if isinstance(each, Object) else "" for each in pair] for pair in points_to.holders())
    holders = [(holder, root) for holder, root in named if root in owners]
    size = -1
    while size < len(found):
        size = len(found)
        for holder, root in holders:
            if holder in found or holder in received or owners.get(holder, _NOBODY).isdisjoint(owners[root]):
                found.add(root)
    return found


class _Building:
    def __init__(
        self,
        tree: c_ast.FileAST,
        symbols: Symbols,
        visibility: Visibility,
        movers: Movers,
        claims: Claims,
        strict: bool,
    ) -> None:
        self._symbols = symbols
        self._movers = movers
        self._claims = claims
        self._constants = {lexicon.ZEROED: int(not strict), lexicon.SPURIOUS: 1}
        functions = threads_of(tree)
        self._unrolling = Unrolling(Counting(symbols, visibility))
        copies = [copy for node in functions if (copy := self._unrolling.function(node)) is not None]
        for copy in copies:
            symbols.declare(copy.decl)
        self._program = lower(c_ast.FileAST([*tree.ext, *copies]), symbols, visibility)
        templates = self._program.by_name
        if "main" not in templates:
            raise UnsupportedError("a program without main")
        threads = [templates[node.decl.name] for node in functions]
        written_out = {each.name: templates[name] for each in threads if (name := unrolled(each.name)) in templates}
        self._points_to = PointsTo(self._program, [*threads, *written_out.values()], written_out)
        self._cells = Cells(self._program, symbols)
        self._owners = owners_of(threads)
        received = {each.name for template in threads if template.name != "main" for each in template.parameters}
        self._cells.shared_locals = known_to_others(self._owners, received, self._points_to)
        self._threads = Threads(templates, self._cells, claims)
        self._handlers: dict[str, Handler] = {
            lexicon.CREATE: self._threads.create,
            **dict.fromkeys(("pthread_join", "thrd_join"), self._threads.join),
            **dict.fromkeys(("pthread_detach", "thrd_detach"), self._threads.detach),
        }

    def system(self) -> ts.System:
        """Build it."""
        flows: dict[str, Flow] = {}
        kinds = self._threads.kinds
        while len(flows) < len(kinds):
            kind = kinds[len(flows)]
            flows[kind.template.name] = self._flow(kind)
        self._threads.settle()
        self._refuse_locals_of_many()
        initial = initial_values(self._program, self._cells, self._values(kinds[0]))
        counts = self._threads.counts
        tidied(flows, initial, () if counts is None else [*ts.read(counts.exists)])
        self._find_touches(flows)
        mergers = []
        for kind in kinds:
            merger = Merger(kind.template, flows[kind.template.name])
            merger.merge()
            mergers.append(merger)
        self._keep_sections(mergers)
        self._keep_counts(kinds)
        alive = self._alive(kinds)
        first = {one: value for one in self._cells.all() if isinstance(value := initial.get(one.name), int)}
        for kind in alive:
            shortened(kind.template, first if kind is kinds[0] else None)
        return self._assembled(alive, initial)

    def _refuse_locals_of_many(self) -> None:
        """Refuse locals of which there are several objects that other threads can reach."""
        for name in sorted(self._cells.shared_roots()):
            owners = self._owners[name]
            of = [kind for kind in self._threads.kinds if kind.start in owners]
            if len(of) != 1 or of[0].template.is_replicated or is_thread_local(self._symbols.qualified[name]):
                shown = user_name(name) or name
                raise refused(
                    f"the local `{shown}` of several threads, which others can reach through a pointer,",
                    self._symbols.qualified[name].coord,
                )

    def _values(self, kind: Kind) -> Values:
        name = kind.template.name
        return Values(name, kind.identity, self._cells, self._program, self._points_to, self._constants)

    def _flow(self, kind: Kind) -> Flow:
        statements = Statements(
            kind.function, self._values(kind), self._cells, self._program, self._claims, self._movers, self._handlers,
            self._threads.end, self._unrolling.same,
        )  # fmt: skip
        flow = statements.flow()
        name = kind.template.name
        first: list[ts.Action] = [*self._threads.begins(kind)]
        for ghost in self._cells.zero.get(name, ()):
            targets: list[ts.Read | ts.Element] = [ts.Read(ghost)]
            if isinstance(ghost.type, ts.Array):
                targets = [ts.Element(ghost, ts.Number(index)) for index in range(ghost.type.length)]
            first += [ts.Assign(target, ts.Number(0, target.type)) for target in targets]
        own = (root for root in OF_THREADS if root in self._symbols.types)
        first += [
            ts.Assign(ts.Read(self._cells.variable(name, self._cells.objects[root])), ts.Number(0, ts.INT))
            for root in own
        ]
        flow.entry.actions[:0] = first
        return flow

    def _find_touches(self, flows: dict[str, Flow]) -> None:
        """Find the statements that access what another thread may change, or change what others may read."""
        steps = [step for flow in flows.values() for step in flow.nodes()]
        changing = {to for step in steps for action in step.actions if (to := ts.written(action)) is not None}
        for step in steps:
            if any(variable.is_shared and variable in changing for variable in _mentioned(step)):
                step.statement.touches = True

    def _keep_sections(self, mergers: list[Merger]) -> None:
        """Where a location is inside of an atomic section, let other threads wait while one is there."""
        if not any(merger.sections for merger in mergers):
            return
        busy = ts.Read(self._cells.ghost("section", ts.BOOL))
        for merger in mergers:
            template = merger.template
            template.edges[:] = [_in_section(edge, merger.sections, busy) for edge in template.edges]

    def _keep_counts(self, kinds: list[Kind]) -> None:
        """Say on each edge of a thread that is one of many that it has not ended, where it is counted who has."""
        if self._threads.counts is None:
            return
        exists = ts.Assume(self._threads.counts.exists)
        for template in (kind.template for kind in kinds if kind.template.is_replicated):
            template.edges[:] = [replace(edge, actions=(exists, *edge.actions)) for edge in template.edges]

    def _alive(self, kinds: list[Kind]) -> list[Kind]:
        """The kinds of threads that some edge creates, and main."""
        edges = {kind.template.name: kind.template.edges for kind in kinds}
        created = reachable(lambda name: [one.template for edge in edges[name] for one in edge.creations], ["main"])
        return [kind for kind in kinds if kind.template.name in created]

    def _assembled(self, kinds: list[Kind], initial: dict[str, int | tuple[int, ...]]) -> ts.System:
        used: dict[ts.Variable, None] = {}
        for kind in kinds:
            template = kind.template
            found: dict[ts.Variable, None] = {}
            for edge in template.edges:
                for action in edge.actions:
                    found.update(dict.fromkeys(_in_action(action)))
            if template.identity is not None:
                found[template.identity] = None
            template.locals = [one for one in found if one.template == template.name]
            used.update(dict.fromkeys(one for one in found if one.is_shared))
        shared = list(used)
        first = {one.name: initial[one.name] for one in shared if one.name in initial}
        return ts.System(shared, first, [kind.template for kind in kinds])


def _in_section(edge: ts.Edge, inside: set[int], busy: ts.Read) -> ts.Edge:
    actions: list[ts.Action] = list(edge.actions)
    if edge.source not in inside:
        actions.insert(0, ts.Assume(negation(busy)))
    if (edge.source in inside) != (edge.target in inside):
        actions.append(ts.Assign(busy, ts.Number(int(edge.target in inside), ts.BOOL)))
    return ts.Edge(edge.source, edge.target, tuple(actions), edge.origin)


def _mentioned(step: FlowStep) -> list[ts.Variable]:
    found = [variable for action in step.actions for variable in _in_action(action)]
    return found + [variable for condition, _ in step.next for variable in ts.read(condition)]


def _in_action(action: ts.Action) -> list[ts.Variable]:
    target = ts.written(action)
    found = [target] if target is not None else []
    return found + [variable for expression in ts.expressions(action) for variable in ts.read(expression)]
