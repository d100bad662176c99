"""Evidence: who holds which lock in the end, since when, and how the user calls it."""

import pytest
from pycparser import c_ast

from cseq.c import Printer, build, parse
from cseq.c.symbols import Symbols, basic
from cseq.model.actions import ObjectKind
from cseq.model.origin import Origin
from cseq.model.trace import Thread
from cseq.modules.tracing.evidence import (
    Evidence,
    HeldLock,
    ObservedObject,
    StoppedThread,
    remembered,
    state_of,
    subjects,
)
from cseq.modules.tracing.naming import Objects

MAIN, ONE, TWO = Thread(0, "main"), Thread(1, "work"), Thread(2, "work")
LINE_3, LINE_5, LINE_9 = Origin("a.c", 3), Origin("a.c", 5), Origin("a.c", 9)


@pytest.fixture
def seen() -> Evidence:
    """Of a program with an array of two locks at 0x100; those are words here, whose type it does not know."""
    objects = Objects(Symbols(c_ast.FileAST([])))
    objects.add("locks", c_ast.ArrayDecl(basic("int"), c_ast.Constant("int", "2"), []), 0x100)
    return Evidence([MAIN, ONE, TWO], objects)


def mutex(address: int, owner: int, name: str = "*m") -> ObservedObject:
    return ObservedObject(ObjectKind.MUTEX, name, address, {"owner": owner})


def rwlock(writer: int = 0, readers: int = 0, **more: int) -> ObservedObject:
    return ObservedObject(ObjectKind.RWLOCK, "l", 0x900, {"writer": writer, "readers": readers, **more})


def names(held: list[HeldLock]) -> list[str]:
    return [lock.name for lock in held]


@pytest.mark.parametrize(
    ("sight", "holders"),
    [
        (mutex(1, 0), set()),
        (mutex(1, 2), {1}),
        (ObservedObject(ObjectKind.SPIN_LOCK, "s", 1, {"owner": 1}), {0}),
        (rwlock(), set()),
        (rwlock(writer=3), {2}),
        (rwlock(readers=0b101), {0, 2}),
        (rwlock(readers=0b001, readers_2=0b001, readers_4=0b100), {0, 2}),
        (ObservedObject(ObjectKind.ONCE, "o", 1, {"": 0}), set()),
        (ObservedObject(ObjectKind.ONCE, "o", 1, {"": 2}), {1}),
        (ObservedObject(ObjectKind.ONCE, "o", 1, {"": 0xFFFFFFFF}), set()),
        (ObservedObject(ObjectKind.SEMAPHORE, "s", 1, {"value": 2}), set()),
        (ObservedObject(ObjectKind.BARRIER, "b", 1, {"arrived": 1, "count": 2}), set()),
        (ObservedObject(ObjectKind.THREAD, "t", 1), set()),
    ],
)
def test_who_holds_an_object(sight: ObservedObject, holders: set[int]) -> None:
    assert sight.holders() == holders


def test_a_lock_is_held_from_where_it_was_taken_to_where_it_is_free(seen: Evidence) -> None:
    seen.sees(mutex(0x100, owner=2), LINE_3)
    seen.sees(mutex(0x100, owner=2), LINE_5)
    assert seen.held_by(ONE) == [HeldLock(ONE, ObjectKind.MUTEX, "locks[0]", 0x100, LINE_3)]
    seen.sees(mutex(0x100, owner=0), LINE_5)
    assert seen.held_by(ONE) == []
    seen.sees(mutex(0x100, owner=2), LINE_9)
    assert [lock.since for lock in seen.held_by(ONE)] == [LINE_9]


def test_another_owner_is_another_hold(seen: Evidence) -> None:
    seen.sees(mutex(0x100, owner=2), LINE_3)
    seen.sees(mutex(0x100, owner=3), LINE_5)
    assert seen.held_by(ONE) == [] and [lock.since for lock in seen.held_by(TWO)] == [LINE_5]
    assert seen.holders(0x100) == seen.held_by(TWO)


def test_locks_come_in_the_order_in_which_they_were_taken(seen: Evidence) -> None:
    seen.sees(mutex(0x104, owner=1), LINE_3)
    seen.sees(mutex(0x500, owner=1, name="*p"), LINE_5)
    seen.sees(mutex(0x100, owner=1), LINE_9)
    assert names(seen.held_by(MAIN)) == ["locks[1]", "*p", "locks[0]"]
    seen.sees(mutex(0x500, owner=0), LINE_9)
    assert names(seen.held_by(MAIN)) == ["locks[1]", "locks[0]"] and seen.holders(0x500) == []


def test_readers_hold_a_lock_with_others_a_writer_alone(seen: Evidence) -> None:
    seen.sees(rwlock(readers=0b010), LINE_3)
    seen.sees(rwlock(readers=0b110), LINE_5)
    assert [(held.thread, held.since, held.reading) for held in seen.holders(0x900)] == [
        (ONE, LINE_3, True), (TWO, LINE_5, True),
    ]  # fmt: skip
    seen.sees(rwlock(readers=0b100), LINE_9)
    assert [held.thread for held in seen.holders(0x900)] == [TWO]
    seen.sees(rwlock(), LINE_9)
    seen.sees(rwlock(writer=2), LINE_9)
    assert [(held.thread, held.reading) for held in seen.holders(0x900)] == [(ONE, False)]


def test_who_is_no_thread_of_the_program_holds_nothing(seen: Evidence) -> None:
    seen.sees(mutex(0x100, owner=9), LINE_3)
    assert seen.holders(0x100) == []


def test_an_object_is_called_as_in_any_thread_or_else_as_this_one_does(seen: Evidence) -> None:
    assert seen.name_of(mutex(0x104, 0, "*m")) == "locks[1]"
    assert seen.name_of(mutex(0x500, 0, "*m")) == "*m"
    assert seen.name_of(ObservedObject(ObjectKind.THREAD, "t[1]", 0x104)) == "t[1]"  # an identifier is no address


def test_the_first_object_of_a_kind() -> None:
    condition, lock = ObservedObject(ObjectKind.CONDITION, "c", 1), mutex(2, 0)
    stand = StoppedThread(MAIN, LINE_3, "pthread_cond_wait", [condition, lock, mutex(3, 0)])
    assert stand.object(ObjectKind.MUTEX) is lock and stand.object(ObjectKind.CONDITION) is condition
    assert stand.object(ObjectKind.BARRIER) is None


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("pthread_mutex_lock", [(0, "pthread_mutex_t", ObjectKind.MUTEX)]),
        ("pthread_cond_wait", [(0, "pthread_cond_t", ObjectKind.CONDITION), (1, "pthread_mutex_t", ObjectKind.MUTEX)]),
        ("sem_wait", [(0, "sem_t", ObjectKind.SEMAPHORE)]),
        ("memcpy", []),
    ],
)
def test_what_a_call_is_about(function: str, expected: list[tuple[int, str, ObjectKind]]) -> None:
    assert subjects(function) == expected


@pytest.mark.parametrize(
    ("type_", "kind", "shown"),
    [
        ("pthread_mutex_t", ObjectKind.MUTEX, [("owner", "((pthread_mutex_t *) __CSEQ_object)->__cs_owner")]),
        ("pthread_once_t", ObjectKind.ONCE, [("", "*((pthread_once_t *) __CSEQ_object)")]),
        ("pthread_t", ObjectKind.THREAD, []),
    ],
)
def test_what_is_shown_of_an_object(type_: str, kind: ObjectKind, shown: list[tuple[str, str]]) -> None:
    assert [(name, Printer().visit(node)) for name, node in state_of(type_, kind)] == shown


def test_an_address_is_remembered_for_what_is_shown_next() -> None:
    assert Printer().visit(remembered(build.ident("m"))) == "__CSEQ_object = m"


POOL = """
struct lock { long owner; int state; };
struct pool { int used; struct lock m; };
struct pool *first, *last;
int *count;
"""


def test_blocks_are_named_by_the_pointer_that_leads_there() -> None:
    tree = parse(POOL)
    objects = Objects(Symbols(tree))
    declared = {node.name: node.type for node in tree.ext if node.name}
    for name, address in (("first", 0x100), ("last", 0x108), ("count", 0x110)):
        objects.add(name, declared[name], address)
    objects.store(0x100, 0x900)
    objects.store(0x108, 0xA00)
    objects.store(0x110, 0x904)
    assert (objects.name_of(0x908, 16), objects.path_to(0x908, 16)) == (None, "first->m")
    assert (objects.path_to(0xA00, 4), objects.path_to(0x904, 4)) == ("last->used", "*count")
    assert objects.path_to(0xA20, 4) is None
    objects.store(0x108, 0x900)
    assert (objects.path_to(0x908, 16), objects.path_to(0xA08, 16)) == ("last->m", None)
