"""The analysis of all threads of a program, in rounds, and of the pairs of their accesses.

What one thread may do to the memory of another is taken from the round before, in which less was known, so every round
is sound by itself, and the last one is the most precise.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from cseq.modules.analysis.dataflow import LimitReachedError
from cseq.modules.analysis.places import calling
from cseq.modules.analysis.points_to import ANYWHERE, Location, PointsTo
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.instructions import Access as IrAccess
from cseq.modules.ir.instructions import AccessKind, Order
from cseq.modules.ir.objects import Object
from cseq.modules.ir.program import Kind, Program, Template
from cseq.modules.ir.types import Array, Int, Pointer, Record
from cseq.modules.modular.accesses import Access, Thread, Why, are_disjoint, lock_keys, may_be_parallel, meet, why_not
from cseq.modules.modular.effects import Effects
from cseq.modules.modular.environment import NotFollowedError
from cseq.modules.modular.lock_order import LockOrder
from cseq.modules.modular.signal_order import SignalOrder
from cseq.modules.modular.state import Cell, Event, EventKind, FlagUse, Held, LockKind, Node, Range, State
from cseq.modules.modular.terms import OBJECTS, ZERO, Bounds, Symbol, SymbolKind, Symbols, Term, is_positive
from cseq.modules.modular.thread_analysis import ThreadAnalysis

_MOST_THREADS = 60
_ROUNDS = 4
_POINTER = 8
"""Bytes."""
_MOST_COUNTED = 1024
"""So many threads of one creation are counted."""


class ProgramAnalysis:
    """The threads of *program*, analysed in rounds until nothing new is found.

    threads: by creation. accesses: to memory that may be shared. open: the pairs of accesses that may be in a data
    race. reasons: why the others are in none, by object. cuts: what ends executions that are not followed further.
    has_orders: whether an atomic access has an order weaker than seq_cst.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.symbols = Symbols()
        templates = [each for each in program.templates if each.kind is not Kind.STEP]
        self.points_to = PointsTo(program, templates)
        self.effects = Effects(program)
        self._creations: dict[Any, int] = {}
        self._creation_of: dict[int, ir.Create] = {}
        instructions = (each.access for template in templates for each in template.instructions())
        accesses = [*(each.access for each in program.sections), *instructions]
        atomic = [each for each in accesses if each is not None and each.is_atomic]
        self._weakly_published = self._find_weakly_published([each for each in atomic if _is_weak(each)])
        self._has_weak_numbers = any(
            _is_weak(each) and each.place is not None and isinstance(each.place.type, Int) and each.size >= _POINTER
            for each in atomic
        )
        self.has_orders = any(each.order is not Order.SEQ_CST for each in atomic)
        self._plain_handles = self._find_plain_handles(templates)
        self._creating = self._find_creating(templates)
        self.threads: dict[int, Thread] = {}
        self.accesses: list[Access] = []
        self._before: dict[Any, list[Access]] | None = None
        self._known: dict[int, Thread] = {}
        self._handle_places: dict[int, set[Location]] = {}
        self.cuts: list[ir.Instruction] = []
        self.open: list[tuple[Access, Access]] = []
        self.reasons: dict[Any, set[Why]] = {}
        left = -1
        for number in range(_ROUNDS):
            self._round()
            self._judge()
            if not self.open or (number and len(self.open) == left):
                break
            left = len(self.open)
            self._before = self._by_root([each for each in self.accesses if each.writes])
            self._known = dict(self.threads)

    # Rounds

    def _round(self) -> None:
        self.threads, self.accesses, self.cuts = {}, [], []
        self._flags: list[tuple[ir.Instruction, frozenset[Location], FlagUse]] = []
        self._tickets: list[tuple[frozenset[Location], Term]] = []
        self._published: set[object] = set()
        self._semaphores: list[tuple[frozenset[Location], bool]] = []
        self.signals = SignalOrder(self)
        self.waits = LockOrder(self)
        self._stores: dict[Any, list[Access]] | None = None
        self._todo: list[Thread] = []
        main = self.program.by_name.get("main")
        if main is None:
            raise NotFollowedError("a program without `main`")
        self._todo.append(Thread(0, main, is_numbered=False, leaves=False, most=1))
        while self._todo:
            thread = self._todo.pop(0)
            if len(self.threads) > _MOST_THREADS:
                raise NotFollowedError("more creations of threads than are followed")
            self.threads[thread.number] = thread
            try:
                analysis = ThreadAnalysis(self, thread)
            except LimitReachedError:
                raise NotFollowedError(f"the size of the thread `{thread.template.name}`") from None
            analysis.collect()
            thread.leaves = analysis.left
            self.accesses += analysis.accesses

    def _judge(self) -> None:
        """Look at all pairs of accesses."""
        self.open, self.reasons = [], {}
        weak = self._weakly_published | self._published
        for each in self.accesses:
            each.is_private &= each.address is None or not ({None, self.root_of(each.address)} & weak)
        around = {
            how: self._around(how) for how in {how for each in self.accesses for how in each.held.values()}
            if self.excludes(how)
        }  # fmt: skip
        for each in self.accesses:
            each.keys = {
                key: held
                for lock, held in each.held.items() if held in around
                for key in lock_keys(each, lock, around[held], self.symbols)
            }  # fmt: skip
        by_root = self._by_root(self.accesses)
        anywhere = by_root.get(None, [])
        for root, accesses in by_root.items():
            is_known = root in self.points_to.exposed or not isinstance(root, Object)
            rivals = accesses if root is None or not is_known else [*accesses, *anywhere]
            for number, one in enumerate(accesses):
                for other in rivals[number:]:
                    if not (one.writes or other.writes) or (one.is_atomic and other.is_atomic):
                        continue
                    why = why_not(one, other) or self.signals.why(one, other)
                    if why is None:
                        self.open.append((one, other))
                    else:
                        self.reasons.setdefault(root, set()).add(why)

    def rests_on_memory_safety(self) -> bool:
        """Whether the answer holds only if accesses through pointers and to elements of arrays are valid."""
        return any(
            each.address is None or not each.address.is_fixed or len(each.address.parts) != 1
            or each.address.parts[0][0].kind is not SymbolKind.ADDRESS
            for each in self.accesses
        )  # fmt: skip

    def _by_root(self, accesses: Iterable[Access]) -> dict[Any, list[Access]]:
        found: dict[Any, list[Access]] = {}
        for each in accesses:
            for root in {place.root for place in each.places}:
                found.setdefault(root, []).append(each)
        return found

    def stores_to(self, root: object) -> list[Access]:
        """The stores of this round that may be to an object."""
        if self._stores is None:
            self._stores = self._by_root([each for each in self.accesses if each.writes])
        return [*self._stores.get(root, ()), *self._stores.get(None, ())]

    # Locks

    def flag(self, instruction: ir.Instruction, where: frozenset[Location], use: FlagUse) -> None:
        """Note a store to what may be a flag, or a part of a ticket lock."""
        self._flags.append((instruction, where, use))

    def ticket(self, where: frozenset[Location], distance: Term) -> None:
        """Note that the lock that a ticket is for is *distance* after the number of the next ticket."""
        self._tickets.append((where, distance))

    def publish(self, blocks: Iterable[Symbol], is_pointer: bool) -> None:
        """Note a store of the addresses of private blocks that does not release, or is one of numbers."""
        if is_pointer or self._has_weak_numbers:
            self._published.update(self.root_of(each.term) for each in blocks)

    def semaphore(self, where: frozenset[Location], is_good: bool) -> None:
        """Note a post of a semaphore, or its initialisation: whether it is one of a lock."""
        self._semaphores.append((where, is_good))

    def excludes(self, held: Held) -> bool:
        """Whether only one thread at a time can hold a lock like this."""
        if held.kind is LockKind.NONE or not held.is_acquired:
            return False
        if held.kind is LockKind.SEMAPHORE:
            return all(good for where, good in self._semaphores if meet(where, held.places))
        places = held.places | held.tickets
        proper: set[ir.Instruction] = set()
        for right in _USES[held.kind]:
            mine = held.tickets if right is FlagUse.TAKEN else held.places
            for instruction, where, use in self._flags:
                if meet(where, mine):
                    if use not in (right, FlagUse.CLEARED):
                        return False
                    proper.add(instruction)
        if held.kind is LockKind.TICKET:
            distances = {distance for where, distance in self._tickets if meet(where, held.places)}
            if len(distances) != 1 or not all(each.is_fixed for each in distances):
                return False
        return not any(
            each.writes and not each.is_first and not each.is_private and not each.is_free
            and each.instruction not in proper and meet(each.places, places)
            for each in self.accesses
        )  # fmt: skip

    def _around(self, held: Held) -> list[tuple[Record, int]]:
        """The record that a lock is a member of, and at which offset, if that is the same wherever it may be."""
        last = [each.path[-1] if each.path else None for each in held.places]
        found = {(each.record, each.offset) if each and not isinstance(each.type, Array) else None for each in last}
        return [each for each in found if each is not None] if len(found) == 1 else []

    # What other threads do

    def _rivals(self, root: object, where: Iterable[Location]) -> Iterator[Access]:
        """The stores of the round before that may be to an object, or to one of several."""
        assert self._before is not None
        roots = {root} if root is not None else {each.root for each in where}
        if None in roots:
            for accesses in self._before.values():
                yield from accesses
            return
        for each in roots:
            yield from self._before.get(each, ())
        yield from self._before.get(None, ())

    def is_quiet(
        self, thread: Thread, alive: Mapping[int, Range | None], bounds: Mapping[Symbol, Bounds], address: Term,
        size: int, where: frozenset[Location],
    ) -> bool:  # fmt: skip
        """Whether no thread but this one may store at *address* while those that are *alive* exist."""
        if self._before is None:
            return False
        me = Access(thread, _NO_INSTRUCTION, address, size, where, False, False, {}, alive, bounds)
        return not any(
            may_be_parallel(me, each) and not are_disjoint(me, each) and not each.is_private
            for each in self._rivals(self.root_of(address), where)
        )

    def stays(
        self, thread: Thread, alive: Mapping[int, Range | None], bounds: Mapping[Symbol, Bounds], address: Term,
        size: int, private: frozenset[Symbol],
    ) -> bool:  # fmt: skip
        """Whether memory keeps its value when further threads exist."""
        if address.is_in(private):
            return True
        root = self.root_of(address)
        if isinstance(root, Object) and not root.is_visible and root not in self.points_to.exposed:
            return True
        where = frozenset({self.points_to.location(root)}) if root is not None else frozenset({ANYWHERE})
        return self.is_quiet(thread, alive, bounds, address, size, where)

    def is_constant(self, address: Term, size: int, where: frozenset[Location]) -> bool:
        """Whether memory is written only before there are other threads."""
        if self._before is None:
            return False
        me = Access(self.threads[0], _NO_INSTRUCTION, address, size, where, False, False, {}, {}, {})
        return all(
            each.is_first or (each.address is not None and address.is_fixed and are_disjoint(me, each))
            for each in self._rivals(self.root_of(address), where)
            if meet(each.places, where)
        )

    def root_of(self, address: Term) -> Object | ir.Operation | None:
        """The object that an address is in."""
        base = address.base
        if base is not None and base.kind is SymbolKind.GIVEN:
            base = base.key[1]
        root = base.key[1] if base is not None and base.kind in OBJECTS else None
        return root if isinstance(root, (Object, ir.Operation)) else None

    # Threads

    def creation(self, thread: Thread, node: Node, create: ir.Create) -> int:
        """The number of a creation."""
        if any(each.node and self._creation_of.get(each.number) is create for each in thread.path):
            raise NotFollowedError("a thread that creates threads like itself", create)
        number = self._creations.setdefault((thread.number, node[:-1], create), len(self._creations) + 1)
        self._creation_of[number] = create
        return number

    def own(self, creation: int) -> Symbol:
        """The number of a thread among those of one creation."""
        return self.symbols.of(SymbolKind.OWN, creation)

    def leaves(self, creation: int) -> bool:
        """Whether a thread may have ended before a thread that it has created."""
        known = self._known.get(creation)
        if known is not None:
            return known.leaves
        start = self._creation_of[creation].start.name
        return start not in self.program.by_name or start in self._creating

    def is_safe_handle(self, thread: Thread, creation: int, form: Term) -> bool:
        """Whether the identifiers that a creation stores are changed by nothing but creations of this thread."""
        root = self.root_of(form)
        if root in self._plain_handles:
            return True
        places = self._handle_places.get(creation)
        if self._before is None or not places:
            return False
        return all(
            each.is_first or (isinstance(each.instruction, ir.Create) and each.thread.number == thread.number)
            for each in self._rivals(root, places)
            if meet(each.places, places)
        )

    def note_handle(self, creation: int, where: frozenset[Location]) -> None:
        """Note where the identifiers of threads are stored."""
        self._handle_places.setdefault(creation, set()).update(where)

    def created(
        self, parent: Thread, creation: int, create: ir.Create, argument: Term, number: Term, state: State,
        others: Mapping[int, Range | None], after: Range | None,
    ) -> None:  # fmt: skip
        """Note a creation, and what its threads know when they begin."""
        template = self.program.by_name.get(create.start.name)
        if template is None:
            raise NotFollowedError(f"the start function `{create.start.name}`", create)
        thread = Thread(creation, template, parent, state.at, own=self.own(creation))
        thread.is_many = creation in others
        thread.is_numbered = after is not None
        own = self.own(creation).term
        counter = number.parts[0][0] if number.parts else None
        owned: set[Symbol] = set()
        handed = {s for s in argument.symbols if s in state.private}

        def instead(symbol: Symbol) -> Term | None:
            if symbol is counter:
                return own
            if symbol.is_fixed or symbol.kind is SymbolKind.APPLIED:
                return None
            given = self.symbols.of(SymbolKind.GIVEN, (creation, symbol))
            if symbol in handed:
                owned.add(given)
            return given.term

        thread.argument = self.symbols.replaced(argument, instead)
        thread.owned = frozenset(owned)
        cells: dict[Term, Cell] = {}
        for key, cell in state.cells.items():
            root = self.root_of(key)
            if isinstance(root, Object) and not root.is_visible:
                continue
            there = self.symbols.replaced(key, instead)
            if self._inherits(thread, there, cell.size, owned):
                cells[there] = Cell(self.symbols.replaced(cell.value, instead), cell.size)
        thread.cells = cells
        thread.owned = frozenset(owned)
        bounds: dict[Symbol, Bounds] = {}
        for symbol, known in state.bounds.items():
            renamed = self.symbols.replaced(symbol.term, instead).symbol
            if renamed is not None:
                bounds[renamed] = Bounds(
                    frozenset(self.symbols.replaced(each, instead) for each in known.lower),
                    frozenset(frozenset(self.symbols.replaced(e, instead) for e in part) for part in known.upper),
                )
        thread.bounds = bounds
        thread.beside.update(each for each in others if each != creation)
        thread.observed = state.observed
        if parent.most is not None:
            count = state.counts.get(Event(EventKind.CREATE, Term(creation)), ZERO)
            numbers = range(1, _MOST_COUNTED + 1)
            found = bisect_left(numbers, True, key=lambda n: is_positive(Term(n).minus(count), state.bounds))
            thread.most = numbers[found] * parent.most if found < len(numbers) else None
        self._todo.append(thread)

    def _inherits(self, thread: Thread, address: Term, size: int, owned: set[Symbol]) -> bool:
        """Whether memory stays as the creator knows it throughout the life of a new thread, but for its own stores."""
        if address.is_in(owned):
            return True
        if self._before is None:
            return False
        root = self.root_of(address)
        where = frozenset({self.points_to.location(root)}) if root is not None else frozenset({ANYWHERE})
        return self.is_quiet(thread, _EVERY, thread.bounds, address, size, where)

    # The program

    def _find_weakly_published(self, weak: Iterable[IrAccess]) -> set[object]:
        """The blocks whose addresses are stored without a release, or read without an acquire; None: any."""
        found: set[object] = set()
        holders: dict[object, set[object]] = {}
        for holder, root in self.points_to.holders():
            holders.setdefault(holder, set()).add(root)
        for access in weak:
            if access.place is not None and isinstance(access.place.type, Pointer):
                for each in self.points_to.locations(access.place) or (ANYWHERE,):
                    found |= holders.get(each.root, set()) if each.root is not None else {None}
        todo = list(found)
        while todo:
            new = holders.get(todo.pop(), set()) - found
            found |= new
            todo += new
        return found

    def _find_plain_handles(self, templates: Iterable[Template]) -> set[object]:
        """The variables for identifiers of threads to which nothing but creations assigns."""
        found: set[object] = {each for each in self.points_to.handles if each not in self.points_to.exposed}
        for template in templates:
            for instruction in template.instructions():
                target = None if isinstance(instruction, ir.Undefine) else instruction.target()
                if target is not None and isinstance(target.base, Object):
                    found.discard(target.base)
        return found

    def _find_creating(self, templates: Iterable[Template]) -> set[str]:
        """The functions that create threads, or call one that does."""
        calls: dict[str, set[str]] = {}
        found: set[str] = set()
        for template in templates:
            calls[template.name] = set()
            for instruction in template.instructions():
                if isinstance(instruction, ir.Create):
                    found.add(template.name)
                elif type(instruction) is ir.Call:
                    calls[template.name].add(instruction.function)
        return found | calling(calls, found)

    def cut(self, instruction: ir.Instruction) -> None:
        """Note that executions may be cut off."""
        if instruction not in self.cuts:
            self.cuts.append(instruction)

    def refuse(self, instruction: ir.Instruction) -> None:
        """Refuse what is not followed."""
        what = f"`{instruction.function}`" if isinstance(instruction, ir.Call) else type(instruction).__name__
        raise NotFollowedError(what, instruction)


class _Every(dict[int, "Range | None"]):
    """The threads of all creations may exist."""

    def __contains__(self, key: object) -> bool:
        return True


def _is_weak(access: IrAccess) -> bool:
    """Whether an atomic access does not acquire what it reads, or does not release what it writes."""
    order = access.order
    if access.failure not in (None, Order.ACQUIRE, Order.SEQ_CST):
        return True
    if access.kind is AccessKind.READ:
        return order not in (Order.ACQUIRE, Order.SEQ_CST)
    if access.kind is AccessKind.WRITE:
        return order not in (Order.RELEASE, Order.SEQ_CST)
    return access.kind is AccessKind.UPDATE and order not in (Order.ACQ_REL, Order.SEQ_CST)


_EVERY = _Every()
_USES: Mapping[LockKind, Sequence[FlagUse]] = {
    LockKind.LOCK: (),
    LockKind.FLAG: (FlagUse.FLAG,),
    LockKind.TICKET: (FlagUse.SHOWN, FlagUse.TAKEN),
}
"""What stores to each variable of a lock are for it, apart from those that clear the variable at first."""
_NO_INSTRUCTION = ir.Skip()
