"""What can be said in the source: which lock protects a variable or a member, and which one callers of a function hold.

These are the attributes of Clang's thread safety analysis (Hutchins, Ballman, Sutherland, SCAM 2014), which looks at
one function at a time: an access without the lock that happens before there are threads would be a warning. So only
what is accessed under the lock everywhere is annotated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from cseq.model.actions import ActionKind
from cseq.model.origin import Origin, is_ours
from cseq.model.sharing import DRIVER, Annotation, AnnotationKind
from cseq.modules.analysis.points_to import ANYWHERE, uncast
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.objects import Object, Storage
from cseq.modules.ir.program import Template
from cseq.modules.ir.types import Array, Field, Record, Type
from cseq.modules.modular.accesses import Access, LockKey, meet
from cseq.modules.modular.lock_names import at_offset, static_object
from cseq.modules.modular.sharing import Group, Sharing
from cseq.modules.modular.terms import Term
from cseq.pipeline.translator import user_name

LOCK_TYPES = frozenset({"pthread_mutex_t", "pthread_rwlock_t", "pthread_spinlock_t", "mtx_t"})
"""The types of locks that annotations can name."""

_OPERATIONS = frozenset({
    ActionKind.LOCK, ActionKind.READ_LOCK, ActionKind.TRY, ActionKind.READ_TRY, ActionKind.UNLOCK, ActionKind.INIT,
    ActionKind.DESTROY,
})  # fmt: skip


class _Lock(NamedTuple):
    """A lock that can be named. at: its address, if it is static. type: of C. base: the variable that it is in."""

    text: str
    type: str
    at: Term | None
    base: Object | None


class Annotations:
    """The annotations for what *sharing* has found."""

    def __init__(self, sharing: Sharing) -> None:
        self._sharing = sharing
        self._analysis = sharing.analysis
        self._guarded: dict[Term, list[Group]] = {}
        """The groups that a static lock protects."""

    def all(self) -> tuple[Annotation, ...]:
        """All of them: variables, members, functions."""
        found = [*self._variables(), *self._members()]
        return (*found, *self._functions())

    # Data

    def _groups(self) -> dict[Any, list[Group]]:
        by_root: dict[Any, list[Group]] = {}
        for group in self._sharing.groups:
            by_root.setdefault(group.location.root, []).append(group)
        return by_root

    def _variables(self) -> Iterator[Annotation]:
        accesses = self._analysis.by_object()
        for root, groups in self._groups().items():
            if not isinstance(root, Object) or not _is_global(root):
                continue
            common = [key for key in _common(accesses[root]) if key[0] == "fixed"]
            found = next((lock for key in common if (lock := self._fixed(key[1])) and lock.base is not root), None)
            if found is not None and found.at is not None:
                self._guarded.setdefault(found.at, []).extend(groups)
                yield _annotation(AnnotationKind.VARIABLE, root.name, root.origin, found, False)

    def _members(self) -> Iterator[Annotation]:
        """The members whose objects all have one kind of lock, but for those of variables that have one as a whole."""
        done = {id(group) for groups in self._guarded.values() for group in groups}
        by_field: dict[Field, list[Group]] = {}
        for group in self._sharing.groups:
            if group.location.path and id(group) not in done:
                by_field.setdefault(group.location.path[-1], []).append(group)
        for field, groups in by_field.items():
            found = self._of_member(field, [access for group in groups for access in group.accesses])
            if found is None:
                continue
            if found.at is not None:
                self._guarded.setdefault(found.at, []).extend(groups)
            yield _annotation(AnnotationKind.MEMBER, field.name, _origin(field.declaration), found, False)

    def _of_member(self, field: Field, accesses: list[Access]) -> _Lock | None:
        common = _common(accesses)
        for key in common:
            if key[0] == "record" and key[1] == field.record.number:
                assert isinstance(key[2], int)
                text = at_offset("", field.record, key[2]).removeprefix(".")
                type_ = _declared(field.record, key[2], None)
                if text and "[" not in text and type_ in LOCK_TYPES:
                    return _Lock(text, type_, None, None)
        return next((lock for key in common if key[0] == "fixed" and (lock := self._fixed(key[1]))), None)

    def _fixed(self, at: object) -> _Lock | None:
        """The static lock at an address, if its name means the same everywhere in a file."""
        assert isinstance(at, Term)
        base = static_object(at)
        if base is None or not _is_global(base):
            return None
        type_ = _declared(base.type, at.constant, base.declaration)
        if type_ not in LOCK_TYPES:
            return None
        return _Lock(at_offset(user_name(base.name) or base.name, base.type, at.constant), type_, at, base)

    # Functions

    def _functions(self) -> Iterator[Annotation]:
        """The functions that are only called under a lock, and that need it."""
        users = [each for each in self._analysis.program.templates if _is_of_user(each)]
        of = {instruction: template for template in users for instruction in template.instructions()}
        for at, groups in self._guarded.items():
            lock = self._fixed(at)
            assert lock is not None
            free = [each for each in users if not self._operates(each, at)]
            needing = {
                template for group in groups for each in group.accesses
                if (template := of.get(each.instruction)) is not None
            }  # fmt: skip
            held = {each for each in free if at in self._analysis.held_at_entry.get(each, {})}
            chosen = held & needing
            while more := {each for each in held - chosen if any(_calls(each, other) for other in chosen)}:
                chosen |= more
            for template in sorted(chosen, key=lambda each: each.number):
                reading = not self._analysis.held_at_entry[template][at].writes
                assert template.source is not None
                origin = _origin(template.source.decl)
                yield _annotation(AnnotationKind.FUNCTION, template.name, origin, lock, reading)

    def _operates(self, template: Template, at: Term) -> bool:
        """Whether a function takes or releases a lock itself."""
        places = self._sharing.names.places(at)
        for instruction in template.instructions():
            if not isinstance(instruction, ir.Operation):
                continue
            for act in instruction.acts:
                if act.kind not in _OPERATIONS or act.argument is None:
                    continue
                targets = self._analysis.points_to.targets(uncast(instruction.arguments[act.argument]))
                if meet(targets or {ANYWHERE}, places):
                    return True
        return False


def _annotation(kind: AnnotationKind, name: str, origin: Origin | None, lock: _Lock, shared: bool) -> Annotation:
    base = "" if lock.base is None else user_name(lock.base.name) or lock.base.name
    declared = None if lock.base is None else lock.base.origin
    is_static = lock.base is not None and "static" in lock.base.declaration.storage
    return Annotation(
        kind, user_name(name) or name, origin or Origin("", 0), lock.text, lock.type, shared, base, declared, is_static
    )


def _common(accesses: Iterable[Access]) -> list[LockKey]:
    """The locks that all accesses hold, by their relation to the memory; those that write hold them alone."""
    found: dict[LockKey, None] | None = None
    for each in accesses:
        if each.instruction.origin is not None and each.instruction.origin.file.startswith(DRIVER):
            continue
        keys = {key: None for key, held in each.keys.items() if held.writes or not each.writes}
        found = keys if found is None else {key: None for key in found if key in keys}
    return list(found or ())


def _is_global(root: Object) -> bool:
    return root.template is None and root.storage is Storage.STATIC and not is_ours(root.origin)


def _is_of_user(template: Template) -> bool:
    source = template.source
    return source is not None and not is_ours(source.decl.coord)


def _calls(template: Template, other: Template) -> bool:
    return any(type(each) is ir.Call and each.function == other.name for each in template.instructions())


def _origin(declaration: Any) -> Origin | None:
    origin: Origin | None = getattr(declaration, "coord", None)
    return origin


def _declared(type_: Type, offset: int, declaration: Any) -> str:
    """The name of the type of the part at an offset, as it is declared; empty if it has none."""
    while True:
        if isinstance(type_, Array) and type_.element.size:
            offset %= type_.element.size
            type_ = type_.element
            continue
        members = type_.fields.values() if isinstance(type_, Record) else ()
        part = next(
            (each for each in members
             if user_name(each.name) and each.offset <= offset < each.offset + each.type.size), None
        )  # fmt: skip
        if part is None:
            return _type_name(declaration)
        offset, type_, declaration = offset - part.offset, part.type, part.declaration


def _type_name(declaration: Any) -> str:
    node = getattr(declaration, "type", None)
    while node is not None and not hasattr(node, "names"):
        node = getattr(node, "type", None)
    return " ".join(node.names) if node is not None else ""
