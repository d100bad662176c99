"""Which locks a thread holds for certain at each statement, and what the statement accesses there.

One walk over each function of a thread, in the inlined core language: jumps lead forward, and loops are `while`. A loop
of main whose conditions are known is followed as often as it runs, so that it is known which threads exist. Any other
loop is repeated until nothing changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.analysis import cuts
from cseq.modules.analysis.constant_propagation import Counting, joined
from cseq.modules.analysis.lock_calls import (
    ACQUIRES,
    ATTEMPTS,
    CONDITION_ENDS,
    LOCKING,
    READING,
    RELEASES,
    SLEEPS,
    WAKES,
    WRITING,
)
from cseq.modules.analysis.points_to import (
    ALLOCATES,
    ANYWHERE,
    IGNORED,
    KEEP_NOTHING,
    NOWHERE,
    Place,
    Places,
    Pointees,
    overlap,
)
from cseq.modules.analysis.thread_identifiers import JOINS, only_main_joins, own_identifiers
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.library import lexicon

_ENDS = frozenset({lexicon.EXIT, lexicon.STOP})
_MOST_FOLLOWED, _MOST_VISITS = 20_000, 60_000
"""How many statements are looked at, each as often as it is, before no loop is followed, and before all is given up."""


class Lock(NamedTuple):
    """One lock: its place, and the subscripts on the way to it."""

    place: Place
    subscripts: tuple[int, ...] = ()


Held = dict[Lock, str]
"""The locks that are held, and whether for reading or for writing."""


class TryLock(NamedTuple):
    """A lock that is held if a value is not 0 (or if it is 0, unless *if_true*), and how."""

    lock: Lock
    mode: str
    if_true: bool


class TooMuchError(Exception):
    """The program is too large, or of a shape that is not followed."""


@dataclass
class LockState:
    """What is known where a thread stands.

    env: where local pointers lead. known: the values of local numbers. identifiers: which thread's identifier a
    variable holds. tried: variables that say whether a lock is held, since it was tried. others: the threads that may
    exist besides this one; None if it is not known which.
    """

    held: Held = field(default_factory=dict)
    env: dict[str, Places] = field(default_factory=dict)
    known: dict[str, int] = field(default_factory=dict)
    identifiers: dict[str, int] = field(default_factory=dict)
    tried: dict[str, TryLock] = field(default_factory=dict)
    others: frozenset[int] | None = None

    @property
    def alone(self) -> bool:
        """Whether no other thread exists."""
        return self.others is not None and not self.others

    def copy(self) -> LockState:
        """A copy that can be changed on its own."""
        own = (dict(self.held), dict(self.env), dict(self.known), dict(self.identifiers), dict(self.tried))
        return LockState(*own, self.others)


class LockedAccess(NamedTuple):
    """An access to a place by a thread with this start function, which holds these locks; if no other thread exists,
    *alone* holds."""

    place: Place
    writes: bool
    thread: str
    held: tuple[tuple[Lock, str], ...]
    alone: bool


class LockUse(NamedTuple):
    """A call, of a function with this name, about a lock at this place."""

    place: Place
    function: str
    alone: bool


class Locksets:
    """The accesses of a program, with the locks that are held at each.

    accesses, uses: all of them. at: statement → the places that it accesses; a statement is identified by its node.
    together: the statements that are executed while other threads may exist. unheld: calls that release or wait with a
    lock that is not certain to be held. locks: statement → the lock that it is about, if it is always the same.
    started: start function → how many threads run it, where 2 stands for many. made: allocation → how often it is
    made, likewise.
    Raises TooMuchError.
    """

    def __init__(
        self, symbols: Symbols, visibility: Visibility, pointees: Pointees, threads: Sequence[c_ast.FuncDef]
    ) -> None:
        self._symbols = symbols
        self._visibility = visibility
        self._pointees = pointees
        self._counting = Counting(symbols, visibility)
        self.accesses: set[LockedAccess] = set()
        self.uses: set[LockUse] = set()
        self.at: dict[int, set[Place]] = {}
        self.together: set[int] = set()
        self.unheld: set[int] = set()
        self.locks: dict[int, set[Lock]] = {}
        self.started: dict[str, int] = {}
        self.made: dict[str, int] = {}
        self._own_pointers: dict[str, bool] = {}
        self._loads: dict[int, tuple[c_ast.Node | None, list[c_ast.Node]]] = {}
        self._nodes: list[c_ast.Node] = []  # whose identities are in use
        self._visits = 0
        self._identifiers = 0
        self._main_s = own_identifiers(threads, symbols)
        self._can_join = only_main_joins(pointees.called)
        for node in threads:
            self._thread = node.decl.name
            self._loops = 0  # those around the statement that are not followed as often as they run
            self._coming: dict[str, LockState] = {}
            is_main = self._thread == "main"
            self._list(node.body.block_items or [], LockState(others=frozenset() if is_main else None))
            if self._coming:
                raise TooMuchError  # a jump that does not lead forward

    # Control

    def _list(self, nodes: Sequence[c_ast.Node], state: LockState | None) -> LockState | None:
        for node in nodes:
            state = self._after(node, state)
        return state

    def _after(self, node: Any, state: LockState | None) -> LockState | None:
        self._visits += 1
        if self._visits > _MOST_VISITS:
            raise TooMuchError
        match node:
            case c_ast.Label():
                state = _merged(state, self._coming.pop(node.name, None))
                return self._after(node.stmt, state)
            case c_ast.Compound():
                return self._list(node.block_items or [], state)
            case c_ast.If():
                return self._branch(node, state)
            case c_ast.While():
                return self._loop(node, state)
        if state is None:
            return None
        match node:
            case c_ast.Goto():
                coming = _merged(self._coming.get(node.name), state)
                if coming is not None:
                    self._coming[node.name] = coming
                return None
            case c_ast.Assignment():
                self._assigned(node, state)
            case c_ast.FuncCall():
                if build.is_call(node, *IGNORED):
                    return state
                if build.is_call(node, lexicon.CHECKS):
                    for claim in node.args.exprs:
                        self._called(claim, claim, state)
                    return state
                self._called(node, node, state)
                ends = build.is_call(node, *_ENDS)
                if build.is_call(node, cuts.UNWOUND, lexicon.ASSUME):
                    state = self._where(node.args.exprs[0], state, True)
                never = build.is_call(node, cuts.UNWOUND, lexicon.ASSUME, lexicon.ASSERT)
                return None if ends or (never and build.is_constant(node.args.exprs[0], 0)) else state
            case c_ast.Return():
                self._reads(node, node.expr, state)
                return None
        return state

    def _branch(self, node: c_ast.If, state: LockState | None) -> LockState | None:
        otherwise = then = None
        if state is not None:
            self._reads(node, node.cond, state)
            value = self._counting.value(node.cond, state.known)
            then = self._where(node.cond, state.copy(), True) if value != 0 else None
            otherwise = self._where(node.cond, state, False) if value is None or value == 0 else None
        then = self._after(node.iftrue, then)
        return _merged(then, self._after(node.iffalse, otherwise) if node.iffalse is not None else otherwise)

    def _loop(self, node: c_ast.While, state: LockState | None) -> LockState | None:
        cond = node.cond.exprs[-1] if isinstance(node.cond, c_ast.ExprList) else node.cond
        if state is not None and self._thread == "main" and self._loops == 0:
            while state is not None and self._visits < _MOST_FOLLOWED:
                if (value := self._counting.value(cond, state.known)) is None:
                    break
                self._reads(node, cond, state)
                if value == 0:
                    return state
                state = self._after(node.stmt, state)
            if state is None:
                return None
        self._loops += 1
        while True:
            before = None if state is None else state.copy()
            if state is not None:
                self._reads(node, cond, state)
            again = self._after(node.stmt, None if state is None else self._where(cond, state.copy(), True))
            state = _merged(state, again)
            if state == before:
                break
        self._loops -= 1
        return None if state is None else self._where(cond, state, False)

    def _where(self, cond: c_ast.Node, state: LockState, holds: bool) -> LockState:
        """*state*, where *cond* holds or not."""
        tried = self._tried(cond, state)
        if tried is not None and tried.if_true is holds and state.held.get(tried.lock) != WRITING:
            state.held[tried.lock] = tried.mode
        return state

    def _tried(self, value: Any, state: LockState) -> TryLock | None:
        """The lock that is held, or not, if *value* is not 0."""
        match value:
            case c_ast.ID():
                return state.tried.get(value.name)
            case c_ast.Cast():
                return self._tried(value.expr, state)
            case c_ast.UnaryOp(op="!"):
                inner = self._tried(value.expr, state)
                return inner and inner._replace(if_true=not inner.if_true)
            case c_ast.BinaryOp(op="==" | "!=") if build.is_constant(value.right, 0):
                inner = self._tried(value.left, state)
                return inner and inner._replace(if_true=inner.if_true is (value.op == "!="))
        return None

    # Statements

    def _assigned(self, node: c_ast.Assignment, state: LockState) -> None:
        call = node.rvalue if isinstance(node.rvalue, c_ast.FuncCall) else None
        if call is not None:
            self._called(call, node, state)
        else:
            self._reads(node, node.rvalue, state)
        self._stores(node, node.lvalue, state, also_reads=node.op != "=")
        identifier = None if call is not None else self._identifier(node.rvalue, state)
        targets = self._pointees.targets(node.rvalue, state.env) if self._is_own_pointer(node.lvalue) else None
        if call is not None and (name := call.name.name) in ALLOCATES:
            site = self._pointees.site(call)
            often = self._thread == "main" and self._loops == 0
            self.made[site] = self.made.get(site, 0) + (1 if name and often else 2)
        self._counting.assign(node, state.known)
        self._set_tried(node, state)
        self._set_identifier(node.lvalue, identifier, state)
        if targets is not None:
            state.env[node.lvalue.name] = targets

    def _set_tried(self, node: c_ast.Assignment, state: LockState) -> None:
        if not isinstance(node.lvalue, c_ast.ID):
            return
        tried = self._tried(node.rvalue, state) if node.op == "=" else None
        if isinstance(node.rvalue, c_ast.FuncCall) and node.rvalue.name.name in ATTEMPTS:
            lock, _ = self._lock(node.rvalue.args.exprs[0], state)
            tried = lock and TryLock(lock, ATTEMPTS[node.rvalue.name.name], False)
        state.tried.pop(node.lvalue.name, None)
        if tried is not None and not self._visibility.is_visible(node.lvalue):
            state.tried[node.lvalue.name] = tried

    def _is_own_pointer(self, lvalue: c_ast.Node) -> bool:
        if not isinstance(lvalue, c_ast.ID):
            return False
        if (known := self._own_pointers.get(lvalue.name)) is None:
            type_ = self._symbols.types.get(lvalue.name)
            pointer = type_ is not None and isinstance(self._symbols.resolve(type_), c_ast.PtrDecl)
            known = self._own_pointers[lvalue.name] = pointer and not self._visibility.is_visible(lvalue)
        return known

    def _called(self, call: c_ast.FuncCall, node: c_ast.Node, state: LockState) -> None:
        name = call.name.name
        arguments = call.args.exprs if call.args else []
        for argument in arguments:
            self._reads(node, argument, state)
        if name not in (lexicon.ASSERT, lexicon.ASSUME, cuts.UNWOUND):
            state.tried.clear()  # it may change a lock, or a variable
        if name == lexicon.CREATE:
            self._created(arguments, state)
            for argument in arguments[:2]:
                self._stores_through(node, argument, state)
        elif name in LOCKING:
            self._locking(name, arguments, node, state)
        elif name in lexicon.WHOLE:
            target = build.addressed(arguments[0]) or arguments[0]
            self._stores(node, target, state)
        elif name in (lexicon.ASSERT, lexicon.ASSUME, cuts.UNWOUND) or name.startswith(lexicon.NONDET):
            pass
        else:
            if name in CONDITION_ENDS:
                self.uses.update(LockUse(place, name, state.alone) for place in self._lock(arguments[0], state)[1])
            if name in JOINS:
                self._joined(arguments[0], state)
            for argument in arguments:
                self._stores_through(node, argument, state, far=not name.startswith(KEEP_NOTHING))
            self._unlocked(arguments, state)
        for target in filter(None, map(build.addressed, arguments)):
            for changed in build.names(target):
                state.env.pop(changed, None)  # the call may change a local pointer
        self._counting.call(call, state.known)

    def _locking(self, name: str, arguments: list[c_ast.Node], node: c_ast.Node, state: LockState) -> None:
        position = 1 if name in SLEEPS | WAKES else 0
        argument, others = arguments[position], arguments[:position] + arguments[position + 1 :]
        lock, places = self._lock(argument, state)
        self._seen(node, state)
        self.uses.update(LockUse(place, name, state.alone) for place in places)
        if lock is None or lock not in state.held:
            self.unheld.add(id(node))
        self.locks.setdefault(id(node), set()).update(() if lock is None else (lock,))
        if name not in WAKES:
            for other in others:  # the condition variable, a deadline
                self._stores_through(node, other, state)
        if name in ACQUIRES or name in WAKES:
            mode = ACQUIRES.get(name, WRITING)
            if lock is not None and state.held.get(lock) != WRITING:
                state.held[lock] = mode
        elif name in RELEASES or name in SLEEPS or name.endswith("_destroy"):
            self._unlocked([argument], state)
        if name in WAKES:
            for other in others:
                self._stores_through(node, other, state)

    def _unlocked(self, arguments: Sequence[c_ast.Node], state: LockState) -> None:
        """What *arguments* lead to may not be held any more."""
        for argument in arguments:
            lock, places = self._lock(argument, state)
            for other in list(state.held):
                same = lock is None or lock == other or lock.place != other.place  # or another element of the array
                if same and any(_may_be(place, other) for place in places):
                    del state.held[other]

    def _lock(self, argument: c_ast.Node, state: LockState) -> tuple[Lock | None, Places]:
        """The lock that the pointer *argument* leads to, if that is certain; and where it may lead."""
        type_ = self._symbols.type_of(argument)
        if not self._symbols.is_pointer(type_):
            return None, NOWHERE
        places = self._pointees.targets(argument, state.env)
        if len(places) != 1 or ANYWHERE in places:
            return None, places
        (place,) = places
        named = build.addressed(argument)
        subscripts = self._subscripts(named, state) if named is not None else None
        if subscripts is not None:
            return Lock(place, subscripts), places
        return Lock(place) if self._pointees.is_one(place, self._symbols.element(type_)) else None, places

    def _subscripts(self, lvalue: Any, state: LockState) -> tuple[int, ...] | None:
        """The constant subscripts in an lvalue that leads from a named object; None if it is another one."""
        match lvalue:
            case c_ast.ID():
                return () if lvalue.name in self._symbols.types else None
            case c_ast.StructRef(type="."):
                return self._subscripts(lvalue.name, state)
            case c_ast.ArrayRef() if self._symbols.is_array(self._symbols.type_of(lvalue.name)):
                outer = self._subscripts(lvalue.name, state)
                value = self._counting.value(lvalue.subscript, state.known)
                return None if outer is None or value is None else (*outer, value)
        return None

    # Threads

    def _created(self, arguments: list[c_ast.Node], state: LockState) -> None:
        start = arguments[2].name if isinstance(arguments[2], c_ast.ID) else ""
        once = self._thread == "main" and self._loops == 0
        self.started[start] = self.started.get(start, 0) + (1 if once else 2)
        if not once or state.others is None:
            state.others = None
            return
        self._identifiers += 1
        state.others |= {self._identifiers}
        place = build.addressed(arguments[0]) or build.uncast(arguments[0])
        self._set_identifier(place, self._identifiers, state)

    def _joined(self, value: c_ast.Node, state: LockState) -> None:
        number = self._identifier(value, state)
        if number is not None and state.others is not None and self._can_join and self._loops == 0:
            state.others -= {number}

    def _key(self, lvalue: Any, state: LockState) -> str | None:
        """The key of a variable, or of an element of an array, that only main changes; None for others."""
        if isinstance(lvalue, c_ast.ID):
            return lvalue.name if lvalue.name in self._main_s else None
        if (
            isinstance(lvalue, c_ast.ArrayRef)
            and isinstance(lvalue.name, c_ast.ID)
            and lvalue.name.name in self._main_s
        ):
            subscript = self._counting.value(lvalue.subscript, state.known)
            array = self._symbols.is_array(self._symbols.type_of(lvalue.name))
            return f"{lvalue.name.name}[{subscript}]" if array and subscript is not None else None
        return None

    def _identifier(self, value: c_ast.Node, state: LockState) -> int | None:
        key = self._key(build.uncast(value), state) if state.identifiers else None
        return None if key is None else state.identifiers.get(key)

    def _set_identifier(self, lvalue: Any, identifier: int | None, state: LockState) -> None:
        root = lvalue
        while isinstance(root, (c_ast.ArrayRef, c_ast.StructRef)):
            root = root.name
        if not isinstance(root, c_ast.ID) or root.name not in self._main_s:
            return
        key = self._key(lvalue, state)
        if isinstance(lvalue, c_ast.ID) and self._symbols.is_array(self._symbols.type_of(lvalue)):
            key = f"{lvalue.name}[0]" if identifier is not None else None
        for name in [n for n in state.identifiers if n.partition("[")[0] == root.name and key in (None, n)]:
            del state.identifiers[name]
        if key is not None and identifier is not None:
            state.identifiers[key] = identifier

    # Accesses

    def _seen(self, node: c_ast.Node, state: LockState) -> set[Place]:
        key = id(node)
        if (seen := self.at.get(key)) is None:
            self._nodes.append(node)
            seen = self.at[key] = set()
        if state.others is None or state.others:  # it is not alone
            self.together.add(key)
        return seen

    def _note(self, node: c_ast.Node, places: Places, writes: bool, state: LockState) -> None:
        seen = self._seen(node, state)
        held = tuple(state.held.items())
        for place in places or (ANYWHERE,):
            seen.add(place)
            self.accesses.add(LockedAccess(place, writes, self._thread, held, state.alone))

    def _reads(self, node: c_ast.Node, value: c_ast.Node | None, state: LockState) -> None:
        self._seen(node, state)
        if (known := self._loads.get(id(value))) is None:  # copies of a statement share its expressions
            known = self._loads[id(value)] = value, list(self._visibility.loads(value))
        for load in known[1]:
            self._note(node, self._pointees.places(load, state.env), False, state)

    def _stores(self, node: c_ast.Node, lvalue: c_ast.Node, state: LockState, also_reads: bool = False) -> None:
        for load in self._visibility.address_loads(lvalue):
            self._note(node, self._pointees.places(load, state.env), False, state)
        if not self._visibility.is_visible(lvalue):
            self._seen(node, state)
            return
        places = self._pointees.places(lvalue, state.env)
        self._note(node, places, True, state)
        if also_reads:
            self._note(node, places, False, state)
        for lock in list(state.held):
            if any(_may_be(place, lock) for place in places):
                del state.held[lock]

    def _stores_through(self, node: c_ast.Node, pointer: c_ast.Node, state: LockState, far: bool = False) -> None:
        """A function of the library may access whatever *pointer* leads to.

        far: beyond the place itself, too, and whatever is reached from there.
        """
        plain = build.uncast(pointer)
        if isinstance(plain, c_ast.Constant) or not self._symbols.is_pointer(self._symbols.type_of(plain)):
            return
        places = self._pointees.targets(plain, state.env)
        if far and places:
            type_ = self._symbols.element(self._symbols.type_of(plain))
            flat = self._symbols.is_void(type_) or self._symbols.arithmetic(type_) is not None
            places = frozenset((root, "") for root, _ in places) if flat else frozenset({ANYWHERE})
        if places:
            self._note(node, places, True, state)


def _may_be(place: Place, lock: Lock) -> bool:
    return place == ANYWHERE or overlap(place, lock.place)


def _merged(one: LockState | None, other: LockState | None) -> LockState | None:
    """What is known where two paths meet; None stands for a place that no path leads to."""
    if one is None or other is None:
        return other if one is None else one
    held = {lock: READING if READING in (mode, other.held[lock]) else WRITING
            for lock, mode in one.held.items() if lock in other.held}  # fmt: skip
    env = {name: places | other.env[name] for name, places in one.env.items() if name in other.env}
    identifiers = {name: number for name, number in one.identifiers.items() if other.identifiers.get(name) == number}
    tried = {name: lock for name, lock in one.tried.items() if other.tried.get(name) == lock}
    others = None if one.others is None or other.others is None else one.others | other.others
    return LockState(held, env, joined(one.known, other.known) or {}, identifiers, tried, others)
