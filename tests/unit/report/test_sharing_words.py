"""The shared data of a program in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cseq.model.origin import Origin
from cseq.model.sharing import (
    LockOrderEdge,
    OpenPair,
    Protection,
    ProtectionKind,
    SharedAccess,
    SharedData,
    SharedObject,
)
from cseq.report import sharing_words

LOG = SharedAccess(Origin("net.c", 88, function="log"), "worker", writes=True, atomic=False)
MAIN = SharedAccess(Origin("net.c", 9, function="main"), "main", writes=False, atomic=False, holds=("a", "b"))
QUEUE = SharedObject("queue.head", Origin("q.c", 3), "", (), (LOG, MAIN))


@pytest.mark.parametrize(
    ("given", "name", "words"),
    [
        (Protection(ProtectionKind.LOCK, "queue.lock", always=True), "queue.head", "always under `queue.lock`"),
        (Protection(ProtectionKind.LOCK, "m"), "x", "under `m`"),
        (Protection(ProtectionKind.ATOMIC, always=True), "stop", "atomic"),
        (Protection(ProtectionKind.BEFORE, writes=True), "config", "written before the threads exist"),
        (Protection(ProtectionKind.AFTER), "result", "read after the threads are joined"),
        (Protection(ProtectionKind.OWN_PART), "stats[i].hits", "one cell per thread"),
        (Protection(ProtectionKind.OWN_PART), "struct job.id", "one per thread"),
        (Protection(ProtectionKind.SEMAPHORE, "done"), "x", "handed over by the semaphore `done`"),
    ],
)
def test_reasons(given: Protection, name: str, words: str) -> None:
    assert sharing_words.protection(given, name) == words


def test_all_reasons_have_words() -> None:
    assert len({sharing_words.protection(Protection(kind, "m")) for kind in ProtectionKind}) == len(ProtectionKind)


def test_what_is_missing() -> None:
    both = "`log()` at net.c:88 (write) holds none, `main()` at net.c:9 (read) holds `a`, `b`"
    assert sharing_words.missing(OpenPair(LOG, MAIN)) == f"no common lock: {both}"
    assert sharing_words.missing(OpenPair(LOG, LOG)) == "no common lock: `log()` at net.c:88 (write) holds none"
    assert sharing_words.missing(OpenPair(LOG, MAIN, race=True)) == f"data race: {both}"
    atomic = replace(MAIN, atomic=True, holds=())
    assert sharing_words.missing(OpenPair(LOG, atomic)) == "not always atomic: `log()` at net.c:88 (write) is plain"


def test_locks_of_the_same_name_may_be_those_of_other_objects() -> None:
    one, other = (replace(each, holds=("a[i].m",)) for each in (LOG, MAIN))
    assert sharing_words.missing(OpenPair(one, other)).startswith("perhaps not the lock of the same object: `log()`")


def test_what_a_library_rests_on() -> None:
    names = tuple(f"f{number}" for number in range(9))
    told = sharing_words.rests_on(SharedData(entries=names, given_valid=True))
    assert told.startswith("the reasons hold for any number of threads that call `f0`, ")
    assert "`f7`, … with valid arguments" in told and told.endswith("(--memsafety)")
    assert "`f8`" in sharing_words.rests_on(SharedData(entries=("f8",)))


def test_pairs_of_the_same_places_are_told_once() -> None:
    reading = replace(LOG, writes=False)
    shared = replace(QUEUE, open=(OpenPair(reading, LOG), OpenPair(LOG, LOG), OpenPair(LOG, MAIN)))
    assert sharing_words.pairs(shared) == [OpenPair(LOG, LOG), OpenPair(LOG, MAIN)]


def test_objects() -> None:
    locked = Protection(ProtectionKind.LOCK, "m")
    shared = replace(QUEUE, protections=(locked,), open=(OpenPair(LOG, LOG),))
    told = "no common lock: `log()` at net.c:88 (write) holds none; other accesses: under `m`"
    assert sharing_words.line(shared) == f"`queue.head`: {told}"
    assert sharing_words.line(replace(shared, function="main")) == f"`queue.head` of `main`: {told}"
    assert sharing_words.line(replace(shared, name="")) == f"memory of which nothing is known: {told}"
    far = [replace(LOG, origin=Origin("net.c", line)) for line in range(1, 7)]
    many = replace(QUEUE, open=tuple(OpenPair(LOG, each) for each in far))
    assert sharing_words.line(many).endswith("; and 3 more pairs")


def test_everything_that_an_answer_rests_on() -> None:
    shared = replace(QUEUE, protections=(Protection(ProtectionKind.LOCK, "m", always=True),))
    assert list(sharing_words.lines(SharedData((shared,)))) == [
        "`queue.head`: always under `m`",
        "the reasons hold for any number of threads, iterations and calls",
    ]
    assert "(--memsafety)" in list(sharing_words.lines(SharedData((shared,), given_valid=True)))[-1]
    alone, _ = sharing_words.lines(SharedData(of_locks=True))
    assert alone.startswith("no thread waits")
    unshared, _ = sharing_words.lines(SharedData())
    assert unshared == "no data is shared and written"
    edges = (LockOrderEdge("a", "b", Origin("x.c", 3)), LockOrderEdge("a", "", Origin("x.c", 4)))
    assert list(sharing_words.lines(SharedData(orders=edges, of_locks=True)))[:2] == [
        "while a thread may hold `a`, it waits for `b` (x.c:3)",
        "while a thread may hold `a`, it waits for another thread (x.c:4)",
    ]
    assert list(sharing_words.lines(SharedData((shared,), cut=Origin("x.c", 3))))[1:] == [
        "executions may be cut off at x.c:3"
    ]
