"""The certificate of what the analysis has found, in the form that the checker reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from cseq.modules.analysis.points_to import GETS_SPECIFIC, Location
from cseq.modules.ir.instructions import Call, Operation
from cseq.modules.modular.accesses import Thread, Why
from cseq.modules.modular.certificate import form
from cseq.modules.modular.program_analysis import ProgramAnalysis
from cseq.modules.modular.state import Attempt, Cell, Event, Held, LockKind, Origin, Range, State
from cseq.modules.modular.terms import Bounds, Symbol, SymbolKind, Term


def certificate(analysis: ProgramAnalysis) -> form.Certificate:
    """What *analysis* claims of its program."""
    return _Writer(analysis).certificate()


class _Writer:
    """Writes terms as sums, and so on."""

    def __init__(self, analysis: ProgramAnalysis) -> None:
        self._analysis = analysis
        self._has_signals = any(why is Why.AWAITED for _, _, why in analysis.judged)
        self._unknown: dict[str, None] = {}
        self._names = form.Names()
        self._atoms: dict[Symbol, form.Atom] = {}
        self._sums: dict[Term, form.Sum] = {}

    def certificate(self) -> form.Certificate:
        """All of it."""
        analysis, pointers = self._analysis, self._analysis.points_to
        for template in analysis.program.templates:
            if any(isinstance(each, Call) and each.function in GETS_SPECIFIC for each in template.instructions()):
                self._unknown["a value of a key"] = None
        reasons: dict[frozenset[form.Site], frozenset[form.Kind]] = {}
        for one, other, why in analysis.judged:
            sites = frozenset({(each.thread.number, each.instruction.number) for each in (one, other)})
            reasons[sites] = reasons.get(sites, frozenset()) | {form.Kind(why.value)}
        return form.Certificate(
            self._names,
            {number: self._thread(thread) for number, thread in analysis.threads.items()},
            form.Pointers(
                {root: self._locations(found) for root, found in pointers.contents.items()},
                {template.name: self._locations(found) for template, found in pointers.returned.items()},
                {root: type_ for root, type_ in pointers.used.items() if isinstance(root, Operation)},
            ),
            dict(analysis.creations),
            reasons,
            tuple(self._unknown),
        )

    def _thread(self, thread: Thread) -> form.ThreadClaim:
        found = self._analysis.analyses[thread.number]
        argument = self._sum(thread.argument)
        initial = form.State(self._cells(thread.cells), limits=self._limits(thread.bounds))
        initial.observed = self._observed(thread.observed)
        _prune(initial, argument)
        return form.ThreadClaim(
            thread.number,
            thread.template.name,
            None if thread.parent is None else thread.parent.number,
            argument,
            self._sum(thread.counted),
            initial,
            frozenset(map(self._atom, thread.owned)),
            thread.is_many,
            thread.is_numbered,
            thread.leaves,
            frozenset(thread.beside),
            thread.most,
            {creation: None if at is None else self._sum(at) for creation, at in found.handles.items()},
            {node: self._state(state) for node, state in found.states.items()},
        )

    def _state(self, state: State) -> form.State:
        self._note_unknown(state)
        found = self._full(state)
        _prune(found)
        return found

    def _full(self, state: State) -> form.State:
        return form.State(
            self._cells(state.cells),
            self._all_held(state.held),
            frozenset(
                form.Lock(None if each.lock is None else self._sum(each.lock), self._locations(each.places))
                for each in state.may_hold
            ),
            frozenset(map(self._atom, state.private)),
            {self._atom(b): self._atom(around) for b, around in state.stored_in.items() if b in state.private},
            self._limits(state.bounds),
            {creation: self._numbers(range_) for creation, range_ in state.alive.items()},
            self._attempts(state.attempts),
            {self._sum(address): self._sum(value) for address, value in state.section_reads.items()},
            state.sections,
            state.is_first,
            {self._event(event): self._sum(count) for event, count in state.counts.items()},
            self._observed(state.observed),
            self._origins(state.origins),
        )

    def _event(self, event: Event) -> form.Event:
        return form.Event(form.EventKind(event.kind.value), self._sum(event.at))

    def _observed(self, observed: Iterable[tuple[Term, Term]]) -> frozenset[tuple[form.Sum, form.Sum]]:
        return frozenset((self._sum(at), self._sum(least)) for at, least in observed if self._has_signals)

    def _cells(self, cells: Mapping[Term, Cell]) -> dict[form.Sum, form.Cell]:
        return {
            self._sum(key): form.Cell(self._sum(cell.value), cell.size)
            for key, cell in cells.items() if not _is_specific(key)
        }  # fmt: skip

    def _numbers(self, range_: Range | None) -> form.Numbers | None:
        return None if range_ is None else form.Numbers(self._sum(range_.lower), self._sum(range_.upper))

    def _held(self, held: Held) -> form.Held | None:
        """A lock that is held, if its kind is known to the checker."""
        if held.kind not in (LockKind.LOCK, LockKind.SEMAPHORE, LockKind.FLAG) or not held.is_acquired:
            self._unknown["a ticket lock, or one with a fence"] = None
            return None
        return form.Held(held.writes, form.LockKind(held.kind.value), self._locations(held.places))

    def _all_held(self, locks: Mapping[Term, Held]) -> dict[form.Sum, form.Held]:
        found = {self._sum(lock): self._held(held) for lock, held in locks.items()}
        return {lock: held for lock, held in found.items() if held is not None}

    def _attempts(self, attempts: Mapping[Symbol, Attempt]) -> dict[form.Atom, form.Attempt]:
        found: dict[form.Atom, form.Attempt] = {}
        for symbol, attempt in attempts.items():
            sides = [None if each is None else self._held(each) for each in attempt[1:]]
            if [each is None for each in sides] == [each is None for each in attempt[1:]]:
                found[self._atom(symbol)] = form.Attempt(self._sum(attempt.lock), *sides)
        return found

    def _origins(self, origins: Mapping[Symbol, Origin]) -> dict[form.Atom, form.Sum]:
        found = {symbol: each.address for symbol, each in origins.items() if each.is_acquired and self._has_signals}
        return {self._atom(symbol): self._sum(at) for symbol, at in found.items()}

    def _note_unknown(self, state: State) -> None:
        """Note what the form has no room for."""
        for is_there, what in (
            (state.held_if or state.alive_if, "what depends on a condition"),
            (state.unfenced or state.is_released, "a fence"),
            (state.tickets.out, "a ticket lock, or one with a fence"),
            (self._analysis.has_weak_orders, "orders weaker than acquire and release"),
        ):
            if is_there:
                self._unknown[what] = None

    def _limits(self, bounds: Mapping[Symbol, Bounds]) -> dict[form.Atom, form.Limits]:
        found: dict[form.Atom, form.Limits] = {}
        for symbol, known in bounds.items():
            upper = frozenset(frozenset(map(self._sum, part)) for part in known.upper)
            found[self._atom(symbol)] = form.Limits(frozenset(map(self._sum, known.lower)), upper)
        return found

    def _locations(self, places: Iterable[Location]) -> frozenset[form.Location]:
        return frozenset(form.Location(each.root, each.path) for each in places)

    def _sum(self, term: Term) -> form.Sum:
        found = self._sums.get(term)
        if found is None:
            found = form.Sum(term.constant)
            for symbol, coefficient in term.parts:
                found = found.plus(self._atom(symbol).sum, coefficient)
            self._sums[term] = found
        return found

    def _atom(self, symbol: Symbol) -> form.Atom:
        found = self._atoms.get(symbol)
        if found is None:
            found = self._atoms[symbol] = self._made(symbol)
        return found

    def _made(self, symbol: Symbol) -> form.Atom:
        kind = form.AtomKind(symbol.kind.value)
        if symbol.kind is SymbolKind.APPLIED:
            return self._names.applied(symbol.operator, *map(self._sum, symbol.of)).parts[0][0]
        if symbol.kind is SymbolKind.COUNTER:
            return self._names.atom(kind, (symbol.key[0], symbol.number))
        if symbol.kind is SymbolKind.GIVEN:
            creation, inner = symbol.key
            return self._names.atom(kind, (creation, self._atom(inner)))
        return self._names.atom(kind, symbol.key)


def _is_specific(address: Term) -> bool:
    """Whether it is where a thread's own value for a key is, which is no memory."""
    return address.symbol is not None and address.symbol.kind is SymbolKind.APPLIED


def _prune(state: form.State, *used: form.Sum) -> None:
    """Leave out what limits atoms of which nothing else is said, and which are in none of the sums that are *used*."""
    sums = [
        *used,
        *state.cells,
        *(cell.value for cell in state.cells.values()),
        *state.held,
        *state.section_reads.values(),
        *state.counts.values(),
        *(symbol.sum for symbol in state.origins),
    ]
    for numbers in state.alive.values():
        sums += numbers or ()
    todo = [atom for each in sums for atom in each.atoms()] + [*state.attempts]
    kept: dict[form.Atom, form.Limits] = {}
    while todo:
        atom = todo.pop()
        known = state.limits.get(atom)
        if known is None or atom in kept:
            continue
        kept[atom] = known
        limits = [*known.lower, *(each for part in known.upper for each in part)]
        todo += [inner for each in limits for inner in each.atoms()]
    state.limits = kept
