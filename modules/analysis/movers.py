"""Which visible statements need no place of their own, because they commute with what other threads do meanwhile.

After Lipton (CACM 1975) and Flanagan and Qadeer (PLDI 2003); `docs/movers.md` has the rules and the argument. All
families of engines ask this one analysis. It is made of where pointers lead (`modules/analysis/points_to.py`) and of
which locks are held where (`modules/analysis/locksets.py`).
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

from pycparser import c_ast

from cseq.c import build
from cseq.c.symbols import Symbols
from cseq.modules.analysis.liveness import declared
from cseq.modules.analysis.lock_calls import ACQUIRES, CONDITION_ENDS, RELEASES, SIGNALS, TRIES, WRITING
from cseq.modules.analysis.locksets import Lock, LockedAccess, Locksets, LockUse, TooMuchError
from cseq.modules.analysis.marks import threads_of
from cseq.modules.analysis.places import has_call
from cseq.modules.analysis.points_to import ANYWHERE, HEAP, Place, Pointees, overlap
from cseq.modules.analysis.threadlocals import is_thread_local
from cseq.modules.analysis.visibility import Visibility
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


class Movers:
    """The statements of one unit in the inlined core language that need no place.

    A statement is identified by its node in the tree that the analysis is made of.
    """

    def __init__(self, locksets: Locksets | None = None, symbols: Symbols | None = None, ends: bool = False) -> None:
        self._locksets = locksets
        self._symbols = symbols
        self._main_ends = ends  # whether main may end before the process does
        self._protected: dict[Place, bool] = {}
        self._simple: dict[Lock, bool] = {}

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
        if off or property_ not in _FOR or not uses_some:
            return cls()
        threads = threads_of(tree)
        if symbols.functions.keys() & _STOPS or not any(node.decl.name == "main" for node in threads):
            return cls()
        try:
            pointees = Pointees(symbols, tree, threads)
            locksets = Locksets(symbols, visibility, pointees, threads)
        except TooMuchError:
            return cls()
        main = next(node for node in threads if node.decl.name == "main")
        found = cls(locksets, symbols, has_call(main.body, lexicon.EXIT))
        found._of_main = set(declared(main)).difference(*(declared(node) for node in threads if node is not main))
        found._exposed = frozenset(pointees.exposed)
        found._visibility = visibility
        return found

    _exposed: frozenset[str] = frozenset()
    _of_main: Collection[str] = ()  # the locals of main; a function that is inlined in several has one name for several
    _visibility: Visibility | None = None

    def __contains__(self, node: object) -> bool:
        """Whether the statement *node* needs no place: it is a both-mover or a left mover wherever it is executed."""
        sets = self._locksets
        if sets is None or id(node) not in sets.at:
            return False
        statement = node.rvalue if isinstance(node, c_ast.Assignment) else node
        if isinstance(statement, c_ast.FuncCall):
            name = statement.name.name if isinstance(statement.name, c_ast.ID) else ""
            if name in SIGNALS | _SLEEPS and any(use.function in CONDITION_ENDS for use in self._together):
                return False  # a call for a condition variable that was destroyed ends the execution
            if name in RELEASES or name in _SLEEPS:
                if not self._releases(node):
                    return False
            elif name not in SIGNALS and name != lexicon.ASSERT and not name.startswith(lexicon.NONDET):
                return False
        elif not isinstance(node, (c_ast.Assignment, c_ast.If, c_ast.While)):
            return False
        return id(node) not in sets.together or all(map(self._is_protected, sets.at[id(node)]))

    def is_undisturbed(self, node: object) -> bool:
        """Whether no other thread makes an access that conflicts with one of *node*, while that is executed.

        Then it makes no difference of how many accesses *node* consists.
        """
        sets = self._locksets
        if sets is None or id(node) not in sets.at:
            return False
        places = [place for place in sets.at[id(node)] if not self._is_own(place)]
        return id(node) not in sets.together or all(map(self._is_protected, places))

    def _is_own(self, place: Place) -> bool:
        """Whether *place* is in a local that only its thread can reach."""
        assert self._symbols is not None and self._visibility is not None
        return place[0] in self._symbols.locals and not self._visibility.is_visible(build.ident(place[0]))

    def _releases(self, node: object) -> bool:
        """Whether *node* releases a lock that its thread is certain to hold, and whose state no thread just reads."""
        assert self._locksets is not None
        locks = self._locksets.locks.get(id(node), set())
        return id(node) not in self._locksets.unheld and bool(locks) and all(map(self._is_simple, locks))

    # Objects

    def _is_protected(self, place: Place) -> bool:
        """Whether no access to *place* can be made while another thread is about to make one that conflicts with it."""
        known = self._protected.get(place)
        if known is None:
            known = self._protected[place] = self._protects(place)
        return known

    def _protects(self, place: Place) -> bool:
        if place == ANYWHERE or not self._stays(place[0]):
            return False
        together = [access for access in self._around(place) if not access.alone]
        if not any(access.writes for access in together) or self._is_of_one_thread(together):
            return True
        return any(self._is_lock(lock) for lock in _common(together))

    def _is_of_one_thread(self, accesses: list[LockedAccess]) -> bool:
        assert self._locksets is not None
        threads = {access.thread for access in accesses}
        return len(threads) == 1 and all(name == "main" or self._locksets.started.get(name, 0) <= 1 for name in threads)

    def _stays(self, root: str) -> bool:
        """Whether the object *root* exists as long as the threads do."""
        assert self._symbols is not None
        if root.startswith(HEAP):
            return True  # freeing it is an access
        own = is_thread_local(self._symbols.qualified.get(root))
        return self._is_global(root) or (root in self._of_main and not own and not self._main_ends)

    def _is_global(self, root: str) -> bool:
        assert self._symbols is not None
        declared = self._symbols.qualified.get(root)
        return root in self._symbols.types and root not in self._symbols.locals and not is_thread_local(declared)

    @cached_property
    def _by_root(self) -> dict[str, list[LockedAccess]]:
        assert self._locksets is not None
        found: dict[str, list[LockedAccess]] = {}
        for access in self._locksets.accesses:
            found.setdefault(access.place[0], []).append(access)
        return found

    def _around(self, place: Place) -> list[LockedAccess]:
        """The accesses to memory that *place* may have in common with others."""
        anywhere = self._by_root.get("", []) if place[0] in self._exposed or place[0].startswith(HEAP) else []
        return [access for access in self._by_root.get(place[0], []) if overlap(access.place, place)] + anywhere

    # Locks

    def _is_lock(self, lock: Lock) -> bool:
        """Whether only one thread at a time can hold *lock*: it is one object, which only the library changes."""
        assert self._locksets is not None
        root = lock.place[0]
        one = self._locksets.made.get(root) == 1 if root.startswith(HEAP) else self._stays(root)
        return one and all(access.alone or not access.writes for access in self._around(lock.place))

    @cached_property
    def _together(self) -> list[LockUse]:
        """The uses of locks while other threads may exist."""
        assert self._locksets is not None
        return [use for use in self._locksets.uses if not use.alone]

    def _is_simple(self, lock: Lock) -> bool:
        """Whether no thread can notice that *lock* is held except by waiting for it."""
        known = self._simple.get(lock)
        if known is None:
            known = self._is_lock(lock) and all(access.alone for access in self._around(lock.place))
            known = known and not any(
                use.function in TRIES and (use.place == ANYWHERE or overlap(use.place, lock.place))
                for use in self._together
            )
            self._simple[lock] = known
        return known


def _common(accesses: list[LockedAccess]) -> set[Lock]:
    """The locks that are held at each of *accesses*, for writing where it writes."""
    found: set[Lock] | None = None
    for access in accesses:
        held = {lock for lock, mode in access.held if mode == WRITING or not access.writes}
        found = held if found is None else found & held
    return found or set()
