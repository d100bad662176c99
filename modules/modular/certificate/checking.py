"""The check of a certificate: the claims at each node are closed under execution, and each pair has its reason.

All claims together are one invariant of the program, so they are checked by one step each: what one thread claims of
memory is compared with what the claims of the others let them write. Accesses are first collected without such
comparisons, then with those of the pass before; each pass is sound by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from cseq.model.errors import CSeqError
from cseq.model.origin import Origin
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.instructions import AccessKind, Order
from cseq.modules.ir.objects import Object
from cseq.modules.ir.program import Kind as TemplateKind
from cseq.modules.ir.program import Program, Template
from cseq.modules.library import lexicon
from cseq.modules.modular.certificate.failure import RejectedError, UncoveredError
from cseq.modules.modular.certificate.form import (
    ANY,
    NOTHING,
    SHARED,
    Atom,
    AtomKind,
    Cell,
    Certificate,
    Event,
    EventKind,
    Kind,
    Location,
    Node,
    Numbers,
    State,
    Sum,
    ThreadClaim,
)
from cseq.modules.modular.certificate.inclusion import Inclusion
from cseq.modules.modular.certificate.library import Effects
from cseq.modules.modular.certificate.logic import Logic
from cseq.modules.modular.certificate.pairs import Locks, Moment, Reasons, Spot, spot_of
from cseq.modules.modular.certificate.pointers import PointerCheck, meet
from cseq.modules.modular.certificate.semantics import Access, Execution, Wait
from cseq.modules.modular.certificate.signals import Done, Signals, Started
from cseq.modules.modular.certificate.waits import WaitCheck


class Status(Enum):
    """What a check says of a certificate."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNCOVERED = "not checked"


class Answer(NamedTuple):
    """What a check says, and why; pairs: how many pairs of accesses have been checked."""

    status: Status
    why: str = ""
    pairs: int = 0


def check(program: Program, certificate: Certificate, has_deadlocks: bool = False) -> Answer:
    """Whether a certificate shows that *program* has no data race, or, if *has_deadlocks* is asked, no deadlock."""
    checker = _Checker(program, certificate)
    try:
        return checker.check(has_deadlocks)
    except RejectedError as error:
        if certificate.left_out:
            return Answer(Status.UNCOVERED, certificate.left_out[0])
        return Answer(Status.REJECTED, str(error))
    except UncoveredError as error:
        return Answer(Status.UNCOVERED, str(error))


class _Checker:
    """One check; see `Around` for what it answers to executions."""

    def __init__(self, program: Program, certificate: Certificate) -> None:
        self.program = program
        self.names = certificate.names
        self.logic = Logic(program)
        self.effects = Effects(program)
        self._certificate = certificate
        self._threads = certificate.threads
        self._templates = [each for each in program.templates if each.kind is not TemplateKind.STEP]
        self.pointers = PointerCheck(program, self._templates, certificate.pointers)
        self.is_weak = any(map(_is_weak, self._ordered()))
        self.reasons = Reasons(program, self.names, self.logic, self._threads)
        self._is_last = False
        self._known: dict[object, list[Access]] | None = None
        self._begin()

    def _begin(self) -> None:
        self._accesses: list[Access] = []
        self._flags: list[tuple[int, frozenset[Location], bool]] = []
        self._semaphores: list[tuple[frozenset[Location], bool]] = []
        self._done: list[Done] = []
        self._started: list[Started] = []
        self._waits: list[Wait | ir.Instruction] = []
        self._ends: list[Origin | None] = []

    def _ordered(self) -> Iterator[ir.Access]:
        for section in self.program.sections:
            if section.access is not None:
                yield section.access
        for template in self._templates:
            for each in template.instructions():
                if each.access is not None:
                    yield each.access

    # The check

    def check(self, has_deadlocks: bool) -> Answer:
        """The answer. Raises RejectedError or UncoveredError."""
        self._check_threads()
        self.pointers.check()
        self._pass(False)
        try:
            return self._conclude(has_deadlocks)
        except RejectedError:  # with the accesses of another pass, less may be written
            self._pass(False)
            return self._conclude(has_deadlocks)

    def _conclude(self, has_deadlocks: bool) -> Answer:
        self._pass(True)
        for thread in self._threads.values():
            self._check_inherited(thread)
        locks = Locks(self.logic, self.names, self._accesses, self._flags, self._semaphores)
        if not has_deadlocks:
            return self._check_pairs(locks)
        for origin in self._ends:
            raise RejectedError(f"a thread may end with a lock that it holds ({origin})")
        return Answer(Status.ACCEPTED, "", WaitCheck(self.reasons, self.logic, locks).check(self._waits))

    def _pass(self, is_last: bool) -> None:
        """Execute all nodes once; in the last pass, compare with what is claimed."""
        self._is_last = is_last
        self._begin()
        for thread in self._threads.values():
            self._run_thread(thread)
        found: dict[object, list[Access]] = {}
        for each in self._accesses:
            for root in {place.root for place in each.places} if each.writes else ():
                found.setdefault(root, []).append(each)
        self._known = found

    def _check_threads(self) -> None:
        main = self._threads.get(0)
        if main is None or main.start != "main" or main.parent is not None or main.is_many or main.initial.cells:
            raise RejectedError("the main thread is not as claimed")
        if main.initial.observed or main.most != 1:
            raise RejectedError("the main thread is not as claimed")
        if main.initial.limits or main.owned or "main" not in self.program.by_name:
            raise RejectedError("the main thread is not as claimed")
        for number, thread in self._threads.items():
            parent = None if thread.parent is None else self._threads.get(thread.parent)
            if thread.number != number or (number and (parent is None or thread.start not in self.program.by_name)):
                raise RejectedError("a thread is not as claimed")
            if thread.parent is not None and thread.parent >= number:
                raise RejectedError("a thread is created by one that comes later")

    def _run_thread(self, thread: ThreadClaim) -> None:
        if self._is_last:
            self._check_beginning(thread)
        for node, state in thread.states.items():
            try:
                for to, after in self._run(thread, node, state):
                    if self._is_last:
                        self._check_edge(thread, to, after.state, after.known)
            except (IndexError, KeyError, AssertionError, AttributeError, ValueError, TypeError) as error:
                raise RejectedError(f"what is claimed at {node} cannot be executed ({error!r})") from error
            except CSeqError as error:
                raise RejectedError(f"what is claimed at {node} cannot be executed ({error})") from error

    def _check_edge(
        self, thread: ThreadClaim, to: Node, after: State, known: Mapping[Atom, Sum] = MappingProxyType({})
    ) -> None:
        want = thread.states.get(to)
        if want is None:
            raise RejectedError(f"`{thread.start}`: nothing is claimed at {to}, where control may come")
        try:
            try:
                Inclusion(self.names, self.logic, to, after, want, {}).check()
            except RejectedError:
                if not known:
                    raise
                Inclusion(self.names, self.logic, to, after, want, known).check()
        except RejectedError as error:
            raise RejectedError(f"`{thread.start}`, before {self._origin(thread, to)}: {error}") from None

    def _origin(self, thread: ThreadClaim, node: Node) -> str:
        block = self._template(thread, node).blocks[node[-2]]
        return str(([*block.body, block.end])[node[-1]].origin or block.end.origin)

    def _check_beginning(self, thread: ThreadClaim) -> None:
        state = State(cells=dict(thread.initial.cells), limits=dict(thread.initial.limits), is_first=not thread.number)
        state.observed = thread.initial.observed
        parameters = self.program.by_name[thread.start].parameters
        if parameters and thread.number:
            execution = Execution(self, thread, (0, 0), state)
            state.cells[execution.location_of(parameters[0])] = Cell(thread.argument, parameters[0].type.size)
        self._check_edge(thread, (0, 0), state)

    # Control flow

    def _template(self, thread: ThreadClaim, node: Node) -> Template:
        if node[0] == SHARED:
            raise UncoveredError("functions that call themselves, or that are called too deep")
        template = self.program.by_name[thread.start]
        for at in range(0, len(node) - 2, 2):
            call = template.blocks[node[at]].body[node[at + 1]]
            assert isinstance(call, ir.Call)
            template = self.program.by_name[call.function]
        return template

    def _run(self, thread: ThreadClaim, node: Node, state: State) -> Iterator[tuple[Node, Execution]]:
        """Execute a node; to which nodes control goes, and with which states."""
        template = self._template(thread, node)
        path, block = node[:-2], template.blocks[node[-2]]
        execution = Execution(self, thread, node, state)
        for position in range(node[-1], len(block.body)):
            instruction = block.body[position]
            if type(instruction) is ir.Call:
                callee = self.program.by_name.get(instruction.function)
                if callee is not None and callee.kind is not TemplateKind.STEP:
                    yield self._enter(execution, instruction, callee, (*node[:-1], position))
                    return
            execution.execute(instruction)
            if execution.is_dead:
                return
        end = block.end
        execution.start(end)
        match end:
            case ir.Goto(to):
                yield (*path, to, 0), execution
            case ir.Branch(condition, then, other):
                value = execution.truth(execution.value(condition))
                for to, holds in ((then, True), (other, False)):
                    after = Execution(self, thread, node, execution.state)
                    after.known = execution.known
                    after.assume(value, holds)
                    if not after.is_dead:
                        yield (*path, to, 0), after
            case ir.Return(value) if path and not isinstance(end, ir.ThreadExit):
                result = None if value is None else execution.value(value)
                yield self._leave(execution, path, result)
            case ir.Return(value):
                if value is not None:
                    execution.value(value)
                if execution.state.may_hold and (thread.number or isinstance(end, ir.ThreadExit)):
                    self._ends.append(end.origin)
                if execution.state.alive and not thread.leaves and thread.number:
                    raise RejectedError(f"`{thread.start}` may end before a thread that it has created")
            case ir.ProcessExit() | ir.Fail() | ir.Stop():
                pass
            case _:
                raise UncoveredError("executions that are cut off")

    def _enter(self, execution: Execution, call: ir.Call, callee: Template, path: Node) -> tuple[Node, Execution]:
        execution.start(call)
        values = [execution.value(each) for each in call.arguments]
        inside = Execution(self, execution.thread, (*path, 0, 0), execution.state)
        for parameter, value in zip(callee.parameters, values, strict=False):
            address = inside.location_of(parameter)
            execution.write(self.program.expressions.variable(parameter), address, value, parameter.type.size)
        execution.state.sections += _is_section(callee)
        return (*path, 0, 0), execution

    def _leave(self, inner: Execution, path: Node, value: Sum | None) -> tuple[Node, Execution]:
        thread = inner.thread
        call = self._template(thread, path).blocks[path[-2]].body[path[-1]]
        assert isinstance(call, ir.Call)
        execution = Execution(self, thread, path, inner.state)
        execution.known = inner.known
        if _is_section(self.program.by_name[call.function]):
            execution.state.sections = max(0, execution.state.sections - 1)
        execution.returned(call, value)
        return (*path[:-1], path[-1] + 1), execution

    # Threads

    def create(self, execution: Execution, create: ir.Create, handle: Sum, argument: Sum) -> None:
        """A thread is created."""
        thread, state = execution.thread, execution.state
        number = self._certificate.creations.get((thread.number, execution.node[:-1], create))
        claim = None if number is None else self._threads.get(number)
        if number is None or claim is None or claim.parent != thread.number:
            raise RejectedError(f"{create.origin}: nothing is claimed of the threads that are created")
        if claim.start != create.start.name:
            raise RejectedError(f"{create.origin}: another function is started than is claimed")
        before = dict(state.alive)
        execution.count(EventKind.CREATE, Sum(number))
        after: Numbers | None = Numbers(claim.counted, claim.counted.add(1))
        if number in before:
            known = before[number]
            is_new = known is not None and self.logic.positive(claim.counted.minus(known.upper), state.limits)
            after = Numbers(known.lower, claim.counted.add(1)) if known is not None and is_new else None
        if self._is_last:
            self._check_creation(execution, claim, argument, after)
            form = thread.handles.get(number)
            if number not in thread.handles:
                raise RejectedError(f"{create.origin}: it is not claimed where identifiers are")
            if form is not None and not self.logic.equal(self._then(claim, form), handle, state.limits):
                raise RejectedError(f"{create.origin}: the identifier is somewhere else than is claimed")
        state.alive[number] = after

    def _then(self, claim: ThreadClaim, sum_: Sum) -> Sum:
        """What is claimed of a new thread, in the terms of its creator."""

        def instead(atom: Atom) -> Sum | None:
            if atom.kind is AtomKind.OWN and atom.key == claim.number:
                return claim.counted
            if atom.kind is AtomKind.GIVEN and atom.key[0] == claim.number:
                found: Atom = atom.key[1]
                return found.sum
            return None

        return self.names.replaced(sum_, instead)

    def _check_creation(self, execution: Execution, claim: ThreadClaim, argument: Sum, after: Numbers | None) -> None:
        state, logic = execution.state, self.logic
        where = f"{execution.instruction.origin}"
        if claim.number in state.alive and not claim.is_many:
            raise RejectedError(f"{where}: several threads may exist")
        if after is None and claim.is_numbered:
            raise RejectedError(f"{where}: two threads may have one number")
        if not {*state.alive} - {claim.number} <= claim.beside:
            raise RejectedError(f"{where}: more threads may exist when one is created")
        if not claim.initial.observed <= state.observed:
            raise RejectedError(f"{where}: a variable was not observed when a thread begins")
        if claim.most is not None:
            count = state.counts.get(Event(EventKind.CREATE, Sum(claim.number)), NOTHING)
            around = self._threads[execution.thread.number].most
            if not around or not logic.positive(Sum(claim.most // around).minus(count), state.limits):
                raise RejectedError(f"{where}: more threads may be created")
        if not logic.equal(self._then(claim, claim.argument), argument, state.limits):
            raise RejectedError(f"{where}: the argument is another one than is claimed")
        for key, cell in claim.initial.cells.items():
            known = state.cells.get(self._then(claim, key))
            root = logic.root(key)
            if known is None or known.size != cell.size or (isinstance(root, Object) and not root.is_visible) or (
                not logic.equal(known.value, self._then(claim, cell.value), state.limits)
            ):  # fmt: skip
                raise RejectedError(f"{where}: memory at {key} is not as claimed when a thread begins")
        for atom, limits in claim.initial.limits.items():
            value = self._then(claim, atom.sum)
            for lower in limits.lower:
                if not logic.positive(value.minus(self._then(claim, lower)), state.limits):
                    raise RejectedError(f"{where}: {atom} is not at least {lower} when a thread begins")
            for part in limits.upper:
                if not logic.at_most(value, [self._then(claim, each) for each in part], state.limits):
                    raise RejectedError(f"{where}: {atom} is not limited when a thread begins")
        for given in claim.owned:
            block = given.key[1] if given.kind is AtomKind.GIVEN and given.key[0] == claim.number else None
            if block not in state.private or block not in argument.atoms():
                raise RejectedError(f"{where}: a block is not handed over")

    def _check_inherited(self, thread: ThreadClaim) -> None:
        """Whether what a thread knows when it begins stays so, as far as other threads are concerned."""
        moment = Moment(thread, None, thread.initial.limits)
        for key, cell in thread.initial.cells.items():
            if any(c == 1 and atom in thread.owned for atom, c in key.parts):
                continue
            root = self.logic.root(key)
            places = frozenset({ANY if root is None else Location(root)})
            if not self._are_apart(Spot(moment, key, cell.size, places), root):
                raise RejectedError(f"`{thread.start}`: memory at {key} may change after the thread has begun")

    # What executions ask

    def leaves(self, creation: int) -> bool:
        """Whether threads may be left that a thread of a creation has created."""
        return creation not in self._threads or self._threads[creation].leaves

    def _writes(self, root: object, places: frozenset[Location]) -> Iterator[Access]:
        assert self._known is not None
        roots = {root} if root is not None else {each.root for each in places}
        if None in roots:
            roots = {*self._known}
        for each in {*roots, None}:
            yield from self._known.get(each, ())

    def _are_apart(self, spot: Spot, root: object) -> bool:
        """Whether no other thread writes to memory, as long as its creator creates no further ones."""
        if self._known is None:
            return False
        for each in self._writes(root, spot.places):
            other = spot_of(each)
            if (
                not each.is_private
                and self.reasons.may_be_parallel(spot.moment, other.moment)
                and not self.reasons.are_disjoint(spot, other)
            ):
                return False
        return True

    def is_quiet(self, thread: ThreadClaim, state: State, address: Sum, size: int, places: frozenset[Location]) -> bool:
        """Whether no other thread that exists, or that they create, writes there."""
        spot = Spot(Moment(thread, state.alive, state.limits), address, size, places)
        return self._are_apart(spot, self.logic.root(address))

    def is_constant(self, address: Sum, size: int, places: frozenset[Location]) -> bool:
        """Whether nothing is written there once a thread was created."""
        if self._known is None:
            return False
        spot = Spot(Moment(self._threads[0], {}, {}), address, size, places)
        is_fixed = self.logic.is_fixed(address)
        return all(
            each.state.is_first or (is_fixed and self.reasons.are_disjoint(spot, spot_of(each)))
            for each in self._writes(self.logic.root(address), places)
            if meet(each.places, places)
        )

    def keeps_handles(self, thread: ThreadClaim, form: Sum) -> bool:
        """Whether nothing but creations of a thread writes to where identifiers are."""
        root = self.logic.root(form)
        if isinstance(root, Object) and root not in self.pointers.exposed and root not in self.pointers.assigned:
            return True
        if root is None or self._known is None:
            return False
        place = [Location(root)]
        return all(
            each.state.is_first or (isinstance(each.instruction, ir.Create) and each.thread is thread)
            for each in self._writes(root, frozenset(place))
            if meet(each.places, place)
        )

    def note_access(self, access: Access) -> None:
        """An access."""
        self._accesses.append(access)

    def note_wait(self, wait: Wait | ir.Instruction) -> None:
        """A wait; or one of a kind that is not known."""
        self._waits.append(wait)

    def note_flag(self, instruction: ir.Instruction, places: frozenset[Location], is_good: bool) -> None:
        """A store to what may be a flag: whether it takes, releases or initialises one that is a lock."""
        self._flags.append((instruction.number, places, is_good))

    def note_semaphore(self, places: frozenset[Location], is_good: bool) -> None:
        """A post or an initialisation of a semaphore: whether it is one of a lock."""
        self._semaphores.append((places, is_good))

    def note_event(
        self, execution: Execution, event: Event, places: frozenset[Location], is_increment: bool, value: Sum
    ) -> None:
        """Something is done that others may wait for; a store of *value*, which may add 1."""
        self._done.append(Done(execution.thread, event, places, execution.state.copied(), is_increment, value))

    def note_initial(self, at: Sum, places: frozenset[Location], value: int | None) -> None:
        """The number that a semaphore or barrier begins with; None: it is not known."""
        self._started.append(Started(at, places, value))

    # Pairs

    def _check_pairs(self, locks: Locks) -> Answer:
        signals = Signals(
            self.program, self.logic, self._done, self._started, self._accesses, self.is_weak, self.reasons.never_equal
        )
        number = 0
        for at, one in enumerate(self._accesses):
            for other in self._accesses[at:]:
                if not (one.writes or other.writes) or (one.is_atomic and other.is_atomic):
                    continue
                if not self.pointers.may_share(one.places, other.places):
                    continue
                number += 1
                self._check_pair(one, other, locks, signals)
        return Answer(Status.ACCEPTED, "", number)

    def _check_pair(self, one: Access, other: Access, locks: Locks, signals: Signals) -> None:
        sites = frozenset({(each.thread.number, each.instruction.number) for each in (one, other)})
        claimed = self._certificate.reasons.get(sites, frozenset())
        if not any(self._holds(kind, one, other, locks, signals) for kind in claimed):
            raise RejectedError(f"no reason holds for {one.instruction.origin} and {other.instruction.origin}")

    def _holds(self, kind: Kind, one: Access, other: Access, locks: Locks, signals: Signals) -> bool:
        match kind:
            case Kind.SECTIONS:
                return one.state.sections > 0 and other.state.sections > 0
            case Kind.PRIVATE:
                return one.is_private or other.is_private
            case Kind.ORDERED:
                return not self.reasons.may_be_parallel(spot_of(one).moment, spot_of(other).moment)
            case Kind.AWAITED:
                return signals.are_ordered(one, other)
            case Kind.LOCKED:
                return locks.common(one, other)
            case Kind.ELSEWHERE:
                return self.reasons.are_disjoint(spot_of(one), spot_of(other))
        return False


def _is_section(template: Template) -> bool:
    """Whether calls of a function are atomic sections, as the rules of SV-COMP have it."""
    bounds = (lexicon.ATOMIC_BEGIN, lexicon.ATOMIC_END)
    return template.name.startswith(lexicon.ATOMIC_PREFIX) and template.name not in bounds


def _is_weak(access: ir.Access) -> bool:
    """Whether an atomic access does not acquire what it reads, or does not release what it writes."""
    if not access.is_atomic:
        return False
    needed = {
        AccessKind.READ: (Order.ACQUIRE, Order.SEQ_CST),
        AccessKind.WRITE: (Order.RELEASE, Order.SEQ_CST),
        AccessKind.UPDATE: (Order.ACQ_REL, Order.SEQ_CST),
    }.get(access.kind)
    return needed is not None and access.order not in needed
