"""Canonical schedules: what the driver remembers of a turn, and when a context may come after it."""

from typing import cast

import pytest
from pycparser import c_ast

from cseq.c import parse, print_unit
from cseq.modules.library import lexicon
from cseq.modules.symbolic.encode.sequentializer.canonical import MORE, CanonicalDriver, WithoutLifetimes
from cseq.modules.symbolic.encode.sequentializer.contexts import Plan
from cseq.modules.symbolic.encode.sequentializer.footprints import Footprint
from cseq.modules.symbolic.encode.sequentializer.threadfunction import ThreadFunction

X, Y = 1, 2
READS_X, WRITES_X, WRITES_Y, NOTHING = Footprint(reads=X), Footprint(writes=X), Footprint(writes=Y), Footprint()
ANY = 1 << 63


class Thread:
    """What a driver has of a thread function with three labels."""

    size, width = 3, 2

    def __init__(self, number: int) -> None:
        self.number = number
        self.pc, self.cs = f"pc{number}", f"cs{number}"
        self.called = f"thread{number}"


def made(*footprints: list[Footprint], dynamic: bool = False) -> tuple[CanonicalDriver, list[ThreadFunction]]:
    threads = [cast(ThreadFunction, Thread(number)) for number in range(len(footprints))]
    plan = Plan([[thread.number for thread in threads]], None, 2)
    return CanonicalDriver(threads, plan, dynamic, True, footprints), threads


MAIN, WORK = [WRITES_X, NOTHING, READS_X], [READS_X, WRITES_Y, NOTHING]


def test_the_first_context_of_a_thread_is_free() -> None:
    driver, (main, work) = made(MAIN, WORK)
    assert list(driver.at_begin(main)) == []
    list(driver.at_end(main))
    assert list(driver.at_begin(work)) == []


def test_what_the_steps_of_a_turn_access_is_remembered() -> None:
    driver, (_, work) = made(MAIN, WORK)
    assert list(driver.at_end(work)) == [
        "if (!(pc1 > 0 || 0 >= cs1)) __cs_touched_0 |= 1ULL;",
        "if (!(pc1 > 1 || 1 >= cs1)) __cs_touched_0 |= 2ULL;",
        "if (!(pc1 > 1 || 1 >= cs1)) __cs_wrote_0 |= 2ULL;",
    ]
    assert driver.declarations() == [
        "unsigned long long __cs_touched_0 = 0;", "unsigned long long __cs_wrote_0 = 0;",
    ]  # fmt: skip


def test_labels_whose_steps_access_the_same_are_put_together() -> None:
    driver, (_, work) = made(MAIN, [READS_X, NOTHING, READS_X])
    assert list(driver.at_end(work)) == [
        "if (!(pc1 > 0 || 0 >= cs1) || !(pc1 > 2 || 2 >= cs1)) __cs_touched_0 |= 1ULL;"
    ]


def test_a_later_context_is_empty_or_conflicts_with_what_others_did_since() -> None:
    driver, (main, work) = made(MAIN, WORK)
    for thread in (main, work):
        list(driver.at_end(thread))
    assert list(driver.at_begin(main)) == [
        "__CSEQ_assume(cs0 == pc0"
        " || ((pc0 == 0) && (((__cs_touched_1) & 1ULL) != 0))"
        " || ((pc0 == 2) && (((__cs_wrote_1) & 1ULL) != 0)));"
    ]


def test_what_the_thread_did_itself_is_no_cause_nor_what_was_before_its_last_turn() -> None:
    driver, (main, work) = made(MAIN, WORK)
    for thread in (main, work, main):
        list(driver.at_end(thread))
    (condition,) = driver.at_begin(work)
    assert "__cs_touched_2" in condition and "_0" not in condition and "_1" not in condition
    assert list(driver.at_begin(main)) == ["__CSEQ_assume(cs0 == pc0);"]  # nobody has done anything since


def test_a_read_only_conflicts_with_a_write() -> None:
    driver, (main, work) = made([READS_X], [READS_X])
    for thread in (main, work):
        list(driver.at_end(thread))
    (condition,) = driver.at_begin(main)
    assert "__cs_wrote_1" in condition and "__cs_touched_1" not in condition


def test_what_may_begin_an_atomic_section_conflicts_with_each_step() -> None:
    driver, (main, work) = made([Footprint(section=True)], [NOTHING], dynamic=True)
    for thread in (main, work):
        last = list(driver.at_end(thread))[-1]
    assert last == f"if (cs1 > pc1) __cs_touched_1 |= {ANY}ULL;"
    assert list(driver.at_begin(main)) == [
        f"__CSEQ_assume(cs0 == pc0 || ((pc0 == 0) && (((__cs_touched_1) & {ANY}ULL) != 0)));"
    ]


def test_one_more_context_behind_the_last_round_reaches_the_cut() -> None:
    driver, (main, work) = made(MAIN, WORK)
    for thread in (main, work, main):
        list(driver.at_end(thread))
    lines = list(driver.after_last_context())
    assert lines[:3] == [
        "__cs_beyond = 1;",
        "__cs_next = __CSEQ_nondet_uint();",
        "if (__cs_active[1] && __cs_next == 1) {",
    ]
    assert "__CSEQ_assume(cs1 > pc1);" in lines
    assert lines[-3:] == ["thread1();", f'__CSEQ_unwound(0, "{MORE.key}");', "}"]


def test_no_context_is_tried_of_a_thread_that_nothing_can_have_changed() -> None:
    driver, (main, work) = made([NOTHING], [NOTHING])
    for thread in (main, work, main):
        list(driver.at_end(thread))
    assert list(driver.after_last_context()) == ["__cs_beyond = 1;", "__cs_next = __CSEQ_nondet_uint();"]


@pytest.mark.parametrize("name", [lexicon.BEGINS, lexicon.ENDS])
def test_marks_of_lifetimes_are_taken_out(name: str) -> None:
    tree = parse(f"void f(void) {{ x = 1; {name}(&x); x = 2; }}")
    assert name in print_unit(tree)[0]
    assert print_unit(WithoutLifetimes().visit(tree))[0].splitlines()[2:-1] == ["  x = 1;", "  x = 2;"]


def test_that_the_process_ends_in_one_more_round_counts_as_one() -> None:
    tree = parse(f"void f(void) {{ {lexicon.PROCESS_ENDS}(1); g(); }}")
    body = print_unit(WithoutLifetimes().visit(tree))[0].splitlines()[2:-1]
    assert body == [f'  {lexicon.ASSERT}(!__cs_beyond, "{MORE.key}");', "  g();"]


def test_the_driver_is_a_program() -> None:
    driver, _ = made(MAIN, WORK)
    (function,) = [node for node in driver.nodes() if isinstance(node, c_ast.FuncDef)]
    text = print_unit(c_ast.FileAST([function]))[0]
    assert text.index("__cs_touched_0 = 0;") < text.index("thread0();") < text.index("thread1();")
    assert text.count("__CSEQ_unwound(0, ") == 1 and text.rstrip().endswith("return 0;\n}")
