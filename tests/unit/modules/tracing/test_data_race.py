"""Data races in words, made from what a replay saw."""

from pycparser import c_ast

from cseq.c.symbols import Symbols, basic
from cseq.model.actions import ObjectKind
from cseq.model.origin import CallSite, Origin
from cseq.model.trace import Hold, Thread
from cseq.modules.analysis import probes
from cseq.modules.tracing.data_race import Conflict
from cseq.modules.tracing.evidence import Evidence, ObservedObject, StoppedThread
from cseq.modules.tracing.naming import Objects
from cseq.report import races
from cseq.report.words import description

MAIN, WORKER, OTHER = Thread(0, "main"), Thread(1, "worker"), Thread(2, "worker")
LINE_3 = Origin("a.c", 3, function="bump", path=(CallSite("worker", "a.c", 9),))
LINE_7 = Origin("a.c", 7, function="main")


def race(*sides: tuple[Thread, Origin, str, str, tuple[int, int, int, int]], locks: int = 0) -> Conflict:
    """sides: thread, place, lvalue, function of the library, and address, size, whether it writes, how."""
    objects = Objects(Symbols(c_ast.FileAST([])))
    objects.add("counter", basic("int"), 0x100)
    objects.add("table", c_ast.ArrayDecl(basic("int"), c_ast.Constant("int", "4"), []), 0x200)
    evidence = Evidence([MAIN, WORKER, OTHER], objects)
    for number, (thread, origin, text, function, said) in enumerate(sides):
        evidence.stands.append(StoppedThread(thread, origin, accesses=(text, function)))
        for name, value in zip(probes.SAID, said, strict=True):
            evidence.said.setdefault(name, {})[number] = value
    if locks:
        evidence.sees(ObservedObject(ObjectKind.MUTEX, "m", 0x300, {"owner": locks}), Origin("a.c", 2))
    return Conflict(evidence)


def words(*sides: tuple[Thread, Origin, str, str, tuple[int, int, int, int]]) -> str:
    violated = race(*sides).violated
    assert violated.name == "race"
    return description(violated).removeprefix("data race on ")


def test_the_write_comes_first():
    assert words(
        (MAIN, LINE_7, "counter", "", (0x100, 4, 0, 0)), (WORKER, LINE_3, "counter", "", (0x100, 4, 1, 0))
    ) == ("`counter`: worker (thread 1) writes it at a.c:3, main reads it at a.c:7")


def test_two_threads_in_one_line():
    side = (LINE_3, "*p", "", (0x204, 4, 1, 0))
    assert words((WORKER, *side), (OTHER, *side)) == (
        "`table[1]`: worker (thread 1) and worker (thread 2) both write it at a.c:3"
    )


def test_the_memory_is_what_both_touch():
    whole, part = ("table", "memset", (0x200, 16, 1, 0)), ("*byte", "", (0x20B, 1, 0, 0))
    assert words((MAIN, LINE_7, *whole), (WORKER, LINE_3, *part)) == (
        "`table[2]`: main writes `table` in `memset` at a.c:7, worker (thread 1) reads it at a.c:3"
    )


def test_memory_without_a_name_is_called_as_the_one_does_who_touches_less():
    freed, read = ("*node", "free", (0x900, 16, 1, 0)), ("p->next", "", (0x908, 8, 0, 0))
    assert words((MAIN, LINE_7, *freed), (WORKER, LINE_3, *read)) == (
        "`p->next`: main frees `*node` at a.c:7, worker (thread 1) reads it at a.c:3"
    )


def test_memory_that_nobody_has_a_name_for():
    sides = (("", "strcpy", (0x900, 1, 1, 0)), ("", "strlen", (0x900, 1, 0, 0)))
    assert words((MAIN, LINE_7, *sides[0]), (WORKER, LINE_3, *sides[1])) == (
        "data race: main writes memory in `strcpy` at a.c:7, worker (thread 1) reads memory in `strlen` at a.c:3"
    )


def test_how_it_is_accessed():
    sides = (("counter", "", (0x100, 4, 1, 2)), ("counter", "", (0x100, 4, 0, 1)))
    assert words((MAIN, LINE_7, *sides[0]), (WORKER, LINE_3, *sides[1])) == (
        "`counter`: main writes it in an atomic section at a.c:7, worker (thread 1) reads it atomically at a.c:3"
    )


def test_bit_fields_that_share_their_memory():
    objects = (("counter.a", "", (0x100, 1, 1, 0)), ("counter.b", "", (0x100, 1, 1, 0)))
    assert words((MAIN, LINE_7, *objects[0]), (WORKER, LINE_3, *objects[1])) == (
        "`counter`: main writes `counter.a` at a.c:7, worker (thread 1) writes `counter.b` at a.c:3"
    )


def test_what_is_about_to_happen():
    found = race(
        (MAIN, LINE_7, "counter", "", (0x100, 4, 0, 0)),
        (WORKER, LINE_3, "counter", "memcpy", (0x100, 4, 1, 0)),
        locks=2,
    )
    assert [races.about(side) for side in found.sides] == [
        ["is about to read counter", "holds no lock"],
        ["is about to write counter in memcpy", "holds m since a.c:2"],
    ]
    assert found.sides[1].holds == (Hold("m", Origin("a.c", 2)),)
    assert found.violated.origin == LINE_3
