"""Counterexamples in lanes, on outcomes made by hand."""

from dataclasses import replace
from textwrap import dedent, indent

import click
import pytest

from cseq import verify
from cseq.model.origin import Origin
from cseq.model.trace import Counterexample, Step, Thread
from cseq.model.verdict import Outcome, Verdict
from cseq.report.text.lanes import MINIMUM, lines
from cseq.report.text.terminal import PLAIN, Style, render
from cseq.report.words import cells
from tests.support.checkout import ROOT
from tests.support.explained import check_lanes
from tests.unit.report.text.test_terminal import CLAIM, CREATION, INNER, MAIN, ONE, VIOLATED, stuck

WIDE = Style(width=160)


def outcome(*steps: Step, cycle: int | None = None) -> Outcome:
    threads = sorted({step.thread for step in steps}, key=lambda thread: thread.number)
    return Outcome(Verdict.FALSE, violated=VIOLATED, counterexample=Counterexample(list(steps), threads, cycle=cycle))


def table(*steps: Step, style: Style = WIDE, cycle: int | None = None) -> str:
    shown = outcome(*steps, cycle=cycle).counterexample
    assert shown is not None
    return "".join(f"{line}\n" for line in lines(shown, style, violates=cycle is None))


def drawn(expected: str) -> str:
    return dedent(expected).lstrip("\n")


def test_each_thread_has_a_lane() -> None:
    inner = replace(INNER, origin=INNER.origin._replace(path=INNER.origin.path[:1]))
    assert table(CREATION, inner, CLAIM) == drawn("""
        a.c
           line  function              main                                 | add (thread 1)
        -----------------------------------------------------------------------------------------------
           7     main                  pthread_create(&t, NULL, add, NULL); |
                                         creates add (thread 1)             |
        ---- context switch: add (thread 1) starts ----------------------------------------------------
           3     bump (iteration 2.1)                                       | x++;
                                                                            |   called by add at a.c:10
                                                                            |   reads x = 0
                                                                            |   x = 1
        ---- context switch: main goes on -------------------------------------------------------------
        => 12    main                  assert(x == 2);                      |
                                         reads x = 1                        |
        """)


def test_the_report_has_the_lanes_between_the_verdict_and_the_violation() -> None:
    found = outcome(CREATION, INNER, CLAIM)
    words = "assertion `x == 2` is violated at a.c:12 in main"
    assert render(found, WIDE, steps=True) == f"FALSE: {words}\n\n{table(CREATION, INNER, CLAIM)}\n{words}\n"


def test_functions_and_calls_are_told_when_they_change() -> None:
    again = Step(ONE, INNER.origin._replace(line=4), "y++;")
    other = Step(ONE, INNER.origin._replace(line=4, path=INNER.origin.path[:1]), "y++;")
    last = Step(ONE, Origin("a.c", 11, function="add"), "return NULL;")
    rows = table(INNER, again, other, last).splitlines()
    assert [line[9:29].strip() for line in rows if ";" in line] == ["bump (iteration 2.1)", "", "", "add"]
    assert [line.strip() for line in rows if "called" in line] == [
        "called by twice at a.c:4, by add at a.c:10",
        "called by add at a.c:10",
    ]


def test_several_files_are_named_with_each_line() -> None:
    rows = table(CREATION, Step(ONE, Origin("b.c", 3, function="add"), "x++;")).splitlines()
    assert rows[0].split() == ["place", "function", "main", "|", "add", "(thread", "1)"]
    assert [line.split()[:2] for line in rows if ";" in line] == [["a.c:7", "main"], ["=>", "b.c:3"]]


def test_where_threads_stand_in_the_end_is_marked() -> None:
    rows = table(CREATION, *stuck()).splitlines()
    assert [line.split(" ----")[0] for line in rows if line.startswith("---- ")] == [
        "---- in the end: add (thread 1)", "---- in the end: main"
    ]  # fmt: skip
    assert [line.split()[:3] for line in rows if line.startswith("=> ")] == [["=>", "4", "add"], ["=>", "9", "main"]]


def test_what_is_repeated_for_ever_is_no_violation_of_a_step() -> None:
    rows = table(CREATION, CLAIM, cycle=1)
    assert "---- from here on, for ever ---" in rows and "=>" not in rows
    assert table(CREATION, CLAIM, cycle=2).splitlines()[-1].startswith("---- from here on, nothing happens ---")


def test_threads_without_a_step_have_no_lane() -> None:
    found = outcome(CREATION, CLAIM).counterexample
    assert found is not None
    found.threads.append(ONE)
    assert "|" not in "".join(lines(found, WIDE, violates=True))


def test_too_narrow_terminals_and_files_get_the_list() -> None:
    long = Step(ONE, Origin("a.c", 3, function="add"), "x = " + " + ".join("abcdefghijklmnop") + ";")
    margin = len("=> ") + len("line  function  ") + len(" | ")
    least = margin + 2 * MINIMUM
    wide = [Step(MAIN, CLAIM.origin, long.source), long]
    assert table(*wide, style=Style(width=least))
    assert not table(*wide, style=Style(width=least - 1))
    assert not table(*wide, style=PLAIN)
    report = render(outcome(*wide), Style(width=least - 1), steps=True)
    assert "---- context switch: add (thread 1) starts ----\n" in report
    assert "thread          place" in render(outcome(*wide), PLAIN, steps=True)


def test_many_threads_get_the_list() -> None:
    many = [Step(Thread(n, "add"), Origin("a.c", 3, function="add"), "x++;") for n in range(30)]
    assert not table(*many)
    assert table(*many, style=Style(width=30 * (len("add (thread 29)") + 3) + 20))


@pytest.mark.parametrize("width", [90, 100, 120])
def test_long_lines_are_wrapped_inside_of_their_lane(width: int) -> None:
    source = "total = " + " + ".join(f"amount_of_{n}" for n in range(20)) + ";"
    unbroken = 'puts("' + "x" * 200 + '");'
    steps = [Step(MAIN, CLAIM.origin, source), Step(ONE, INNER.origin, unbroken, INNER.accesses), CLAIM]
    rows = table(*steps, style=Style(width=width)).splitlines()
    assert rows and max(map(len, rows)) == width
    check_lanes(outcome(*steps), (width,))


def test_wide_characters_take_two_columns() -> None:
    wide = Step(ONE, Origin("a.c", 3, function="add"), 'puts("計数器の値");')
    rows = table(CREATION, wide, CLAIM).splitlines()
    assert cells("計数器の値") == 10
    assert next(line for line in rows if "計" in line).index("|") == rows[1].index("|")
    swapped = table(Step(MAIN, CLAIM.origin, wide.source), INNER).splitlines()
    at = next(line for line in swapped if "計" in line).index("|")
    assert at == swapped[1].index("|") - 5
    check_lanes(outcome(CREATION, wide, CLAIM))


def test_source_cannot_control_the_terminal() -> None:
    shown = table(Step(MAIN, CLAIM.origin, 'puts("\x1b[2J\u202e");\tx = 1;'), INNER)
    assert 'puts("\\x1b[2J\\u202e"); x = 1;' in shown and "\x1b" not in shown


def test_colour_changes_nothing_but_the_colour() -> None:
    steps = (CREATION, INNER, CLAIM)
    bright = render(outcome(*steps), Style(colour=True, width=160), steps=True)
    assert "\x1b[31m" in bright
    assert click.unstyle(bright) == render(outcome(*steps), WIDE, steps=True)


@pytest.mark.engine
def test_the_manual_shows_the_lanes_of_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "sv-benchmarks")
    found = verify("lost_update_bad.c", backend="native")
    check_lanes(found)
    assert found.counterexample is not None
    manual = (ROOT / "docs" / "counterexamples.md").read_text()
    assert indent(table(*found.counterexample.steps), "    ") in manual
