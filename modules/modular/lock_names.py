"""The names of objects and locks in the user's terms: ``queue.head``, ``accounts[i].lock``, ``struct node.next``."""

from __future__ import annotations

from collections.abc import Collection

from cseq.modules.analysis.points_to import Location
from cseq.modules.ir.objects import Object
from cseq.modules.ir.types import Array, Field, Record, Type
from cseq.modules.modular.accesses import Access, LockKey, lock_keys
from cseq.modules.modular.program_analysis import ProgramAnalysis
from cseq.modules.modular.terms import SymbolKind, Term
from cseq.pipeline.translator import user_name

_INDICES = "ijklmn"
_SOME_LOCK = "a lock"


class LockNames:
    """Names for what *analysis* knows."""

    def __init__(self, analysis: ProgramAnalysis) -> None:
        self._analysis = analysis
        self._places: dict[Term, set[Location]] = {}
        for access in analysis.accesses:
            for lock, how in access.held.items():
                self._places.setdefault(lock, set()).update(how.places)

    def places(self, lock: Term) -> Collection[Location]:
        """Where a lock may be that is held somewhere."""
        return self._places.get(lock, ())

    def of(self, lock: Term) -> str:
        """The name of the lock, semaphore, variable or barrier at an address."""
        return self.of_places(lock, self.places(lock))

    def of_places(self, lock: Term | None, places: Collection[Location]) -> str:
        """The same, for an address that may be unknown, by where it may be."""
        root = None if lock is None else static_object(lock)
        if root is not None and lock is not None:
            return at_offset(_name(root), root.type, lock.constant)
        names = {of_location(each) for each in places if each.root is not None}
        return names.pop() if len(names) == 1 else _SOME_LOCK

    def of_key(self, location: Location, access: Access, key: LockKey) -> str:
        """The name of a lock that is held, by its relation to the memory at *location*, which is accessed."""
        for number, each in enumerate(location.path):
            if key[0] == "record" and each.record.number == key[1]:
                assert isinstance(key[2], int)
                return at_offset(of_location(location, number), each.record, key[2])
        lock = self.lock_of(access, key)
        return _SOME_LOCK if lock is None else self.of(lock)

    def lock_of(self, access: Access, key: LockKey) -> Term | None:
        """The lock that an access holds, by its relation to the memory."""
        analysis = self._analysis
        return next(
            (
                lock for lock, how in access.held.items()
                if key in lock_keys(access, lock, analysis.around(how), analysis.symbols)
            ),
            None,
        )  # fmt: skip


def static_object(address: Term) -> Object | None:
    """The named object that *address* is at a known distance from; None if there is none."""
    if len(address.parts) != 1 or address.parts[0][1] != 1 or address.parts[0][0].kind is not SymbolKind.ADDRESS:
        return None
    root = address.parts[0][0].key[1]
    return root if isinstance(root, Object) else None


def of_location(location: Location, length: int | None = None) -> str:
    """The name of an object or a member, with letters for indices. length: the number of members to follow, if not all.

    A block that is allocated has the name of the record that its first member is in.
    """
    root, path = location.root, location.path
    type_: Type | None = None
    if isinstance(root, Object):
        text, type_ = _name(root), root.type
    elif path:
        text, type_ = record_name(path[0].record), path[0].record
    else:
        text = "block" if root is None or root.origin is None else f"block of {root.origin}"
    letters = iter(_INDICES)

    def indexed() -> None:
        nonlocal text, type_
        while isinstance(type_, Array):
            text, type_ = f"{text}[{next(letters, 'n')}]", type_.element

    for each in path[:length]:
        indexed()
        text, type_ = f"{text}.{each.name}", each.type
    indexed()
    return text


def record_name(record: Record) -> str:
    """The name of a record: its tag, or just its keyword if the user gave it none."""
    keyword, _, tag = record.tag.partition(" ")
    name = user_name(tag)
    return f"{keyword} {name}" if name else keyword


def at_offset(text: str, type_: Type, offset: int) -> str:
    """The name of the innermost part that begins at an offset in an object of a type, whose own name is *text*."""
    while True:
        if isinstance(type_, Array) and type_.element.size:
            index, offset = divmod(offset, type_.element.size)
            text, type_ = f"{text}[{index}]", type_.element
            continue
        part = _member(type_, offset) if isinstance(type_, Record) else None
        if part is None:
            return text
        text, offset, type_ = f"{text}.{part.name}", offset - part.offset, part.type


def _member(record: Record, offset: int) -> Field | None:
    """The member at an offset; None for an object of the library, whose members are ours."""
    members = (each for each in record.fields.values() if user_name(each.name))
    return next((each for each in members if each.offset <= offset < each.offset + each.type.size), None)


def _name(object_: Object) -> str:
    return user_name(object_.name) or object_.name
