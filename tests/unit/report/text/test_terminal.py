"""The report for people, on outcomes made by hand."""

from dataclasses import replace
from textwrap import dedent

import pytest

from cseq.model import trace as tr
from cseq.model.claims import Claim, Cut, Kind, Limit, Object
from cseq.model.claims import Reason as Wrong
from cseq.model.origin import CallSite, Origin
from cseq.model.verdict import Bound, Outcome, Property, Reason, Verdict, summed
from cseq.report.text.terminal import PLAIN, Style, effects, render
from tests.conftest import said
from tests.support.executions import ELEMENTS, elements

MAIN, ONE, TWO = tr.Thread(0, "main"), tr.Thread(1, "add"), tr.Thread(2, "add")

CREATION = tr.Step(
    MAIN,
    Origin("a.c", 7, function="main"),
    "pthread_create(&t, NULL, add, NULL);",
    [],
    [tr.Action(tr.ActionKind.CREATE, thread=ONE)],
)
INNER = tr.Step(
    ONE,
    Origin("a.c", 3, 5, "bump", (CallSite("add", "a.c", 10), CallSite("twice", "a.c", 4)), (2, 1)),
    "\tx++;\n",
    [tr.Access("read", "x", "0"), tr.Access("write", "x", "1")],
)
CLAIM = tr.Step(MAIN, Origin("a.c", 12, function="main"), "assert(x == 2);", [tr.Access("read", "x", "1")])
VIOLATED = Property(Claim(Kind.ASSERTION, subject="x == 2"), CLAIM.origin)


def stuck() -> list[tr.Step]:
    """Two threads that wait for each other's locks."""
    waits = [tr.LockWait(tr.ObjectKind.MUTEX, name, tr.Holder(thread)) for name, thread in (("b", MAIN), ("a", ONE))]
    one = tr.Stuck(ONE, Origin("a.c", 4, function="add"), waits[0])
    other = tr.Stuck(MAIN, Origin("a.c", 9, function="main"), waits[1])
    texts = ("lock(&b);", "lock(&a);")
    return [tr.Step(s.thread, s.origin, text, stands=True, why=s) for s, text in zip((one, other), texts, strict=True)]


def outcome(*steps: tr.Step) -> Outcome:
    threads = sorted({step.thread for step in steps}, key=lambda thread: thread.number)
    return Outcome(Verdict.FALSE, violated=VIOLATED, counterexample=tr.Counterexample(list(steps), threads))


def shown(expected: str) -> str:
    return dedent(expected).lstrip("\n")


def test_violation_without_its_steps() -> None:
    assert render(outcome(CREATION, CLAIM)) == shown("""
        FALSE: assertion `x == 2` is violated at a.c:12 in main
        (--cex shows how)
        """)


def test_steps_are_columns() -> None:
    assert render(outcome(CREATION, INNER, CLAIM), steps=True) == shown("""
        FALSE: assertion `x == 2` is violated at a.c:12 in main

        thread          place   function              source
        main            a.c:7   main                  pthread_create(&t, NULL, add, NULL);
                                                        creates add (thread 1)
        ---- context switch: add (thread 1) starts ----
        add (thread 1)  a.c:3   bump (iteration 2.1)  x++;
                                                        called by twice at a.c:4, by add at a.c:10
                                                        reads x = 0
                                                        x = 1
        ---- context switch: main goes on ----
        main            a.c:12  main                  assert(x == 2);
                                                        reads x = 1

        assertion `x == 2` is violated at a.c:12 in main
        """)


def test_elements_that_follow_each_other_are_one_effect() -> None:
    assert list(effects(replace(CLAIM, accesses=elements()))) == ELEMENTS


def test_where_threads_stand_in_the_end_is_no_context() -> None:
    first, second = stuck()
    words = "deadlock: add (thread 1) waits for `b` at a.c:4; main waits for `a` at a.c:9"
    found = outcome(CREATION, first, second)
    found.violated = Property(Claim(Kind.DEADLOCK), second.origin, description=words)
    assert render(found, steps=True) == shown(f"""
        FALSE: {words}

        thread          place  function  source
        main            a.c:7  main      pthread_create(&t, NULL, add, NULL);
                                           creates add (thread 1)
        ---- in the end: add (thread 1) ----
        add (thread 1)  a.c:4  add       lock(&b);
                                           waits for b, held by main
        ---- in the end: main ----
        main            a.c:9  main      lock(&a);
                                           waits for a, held by add (thread 1)

        {words}
        """)


def test_source_lines_get_lines_of_their_own_on_a_narrow_terminal() -> None:
    report = render(outcome(INNER, CLAIM), Style(width=60), steps=True)
    assert report == shown("""
        FALSE: assertion `x == 2` is violated at a.c:12 in main

        add (thread 1)  a.c:3   bump (iteration 2.1)
            x++;
              called by twice at a.c:4, by add at a.c:10
              reads x = 0
              x = 1
        ---- context switch: main starts ----
        main            a.c:12  main
            assert(x == 2);
              reads x = 1

        assertion `x == 2` is violated at a.c:12 in main
        """)


def test_instances_of_one_function_are_told_apart() -> None:
    steps = [tr.Step(thread, Origin("a.c", 3, function="add"), "x++;") for thread in (ONE, TWO, ONE)]
    report = render(outcome(*steps), steps=True)
    switches = [line for line in report.splitlines() if line.startswith("----")]
    assert switches == [
        "---- context switch: add (thread 2) starts ----",
        "---- context switch: add (thread 1) goes on ----",
    ]


def test_colour_changes_nothing_but_the_colour() -> None:
    import click

    bright = render(outcome(CREATION, INNER, CLAIM), Style(colour=True), steps=True)
    assert "\x1b[31m" in bright
    assert click.unstyle(bright) == render(outcome(CREATION, INNER, CLAIM), PLAIN, steps=True)


def test_source_cannot_control_the_terminal() -> None:
    step = tr.Step(MAIN, Origin("a.c", 1, function="main"), 'puts("\x1b[2J");\tx = 1;')
    assert '  puts("\\x1b[2J"); x = 1;\n' in render(outcome(step), steps=True)


@pytest.mark.parametrize(
    ("violated", "line"),
    [
        (Property(Claim(Kind.MISUSE, Wrong.DETACHED, Object.THREAD, "pthread_join"), Origin("a.c", 3, function="f")),
         "FALSE: pthread_join: the thread is detached at a.c:3 in f"),
        (Property(Claim(Kind.UNWINDING, cut=Cut(Limit.LOOP, 2)), Origin("a.c", 3, function="f")),
         "FALSE: the loop at a.c:3 in f may run more than 2 times"),
        (Property(Claim(Kind.UNWINDING, cut=Cut(Limit.RECURSION, 2, "g")), Origin("a.c", 3, function="f")),
         "FALSE: `g` may call itself more than 2 deep at a.c:3 in f"),
        (Property(Claim(Kind.REACHABILITY, Wrong.CALLED, function="reach_error"), Origin("a.c", 3)),
         "FALSE: reach_error() is reached at a.c:3"),
        (Property(Claim(Kind.ASSERTION, subject="x")), "FALSE: assertion `x` is violated"),
    ],
)  # fmt: skip
def test_properties_in_words(violated: Property, line: str) -> None:
    assert render(Outcome(Verdict.FALSE, violated=violated)) == f"{line}\n"


def test_proof() -> None:
    assert render(Outcome(Verdict.TRUE)) == "TRUE: no violation in any execution\n"


def test_bounds_that_cut_something_off() -> None:
    bounds = [
        Bound("rounds", 2, said("2 rounds")),
        Bound("unwinding", 3, Cut(Limit.LOOP, 3), Origin("a.c", 5)),
        Bound("unwinding", 3, Cut(Limit.LOOP, 3), Origin("a.c", 5, iteration=(2,))),
        Bound("recursion", 3, said("`f` calls itself more than 3 deep"), Origin("a.c", 9), certain=True),
    ]
    assert render(Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=bounds)) == shown("""
        UNKNOWN: no violation within 2 rounds and unwinding 3
          a.c:5: the loop may run more than 3 times
          a.c:9: `f` calls itself more than 3 deep; nothing beyond it was explored
        (what helps: --unwind 6)
        """)


def test_bounds_of_single_loops_and_of_recursion() -> None:
    bounds = [Bound("unwinding", 3, said("a"), Origin("a.c", 5)), Bound("unwinding", 7, said("b"), Origin("a.c", 6))]
    bounds.append(Bound("recursion", 1, said("c"), Origin("a.c", 9)))
    first = render(Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=bounds)).splitlines()[0]
    assert first == "UNKNOWN: no violation within unwinding 3 to 7 and recursion 1"


def test_a_schedule_is_a_bound() -> None:
    bounds = [
        Bound("rounds", 2, said("2 rounds")),
        Bound("contexts", 1, said("1")),
        Bound("schedule", 2, Cut(Limit.SCHEDULE, 2, "1:+")),
    ]
    assert render(Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=bounds)) == shown("""
        UNKNOWN: no violation within 2 rounds, 1 context switch and the schedule `1:+`
        (what helps: a --schedule of more contexts)
        """)


def test_one_round_is_singular() -> None:
    bounds = [Bound("rounds", 1, said("1 round"))]
    assert render(Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=bounds)).startswith(
        "UNKNOWN: no violation within 1 round\n"
    )


def test_many_bounds_are_cut_short_unless_details_are_wanted() -> None:
    bounds = [Bound("unwinding", 1, Cut(Limit.LOOP, 1), Origin("a.c", n)) for n in range(1, 26)]
    result = Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=bounds)
    assert "  and 5 more (--verbose shows them)\n" in render(result)
    assert "a.c:25" not in render(result)
    assert "a.c:25" in render(result, details=True)


@pytest.mark.parametrize(
    ("reason", "message", "line"),
    [
        (Reason.TIMEOUT, "", "UNKNOWN: out of time\n(what helps: a larger --timeout)"),
        (
            Reason.MEMORY,
            "the engine ran out of memory",
            "UNKNOWN: the engine ran out of memory\n(what helps: -b native)",
        ),
    ],
)
def test_no_verdict(reason: Reason, message: str, line: str) -> None:
    assert render(Outcome(Verdict.UNKNOWN, reason, message)) == f"{line}\n"


def test_files_kept_for_a_bug_report_are_named() -> None:
    result = Outcome(Verdict.UNKNOWN, Reason.REPLAY, "not replayed", kept="/tmp/cseq-1")
    assert (
        render(result)
        == "UNKNOWN: not replayed\n(what helps: --memsafety)\nThe intermediate files are in /tmp/cseq-1\n"
    )


def test_details() -> None:
    result = Outcome(Verdict.TRUE, backend="cbmc", solvers=["z3", "kissat"], times={"merger": 0.5, "feeder": 1.25})
    assert render(result, details=True) == shown("""
        TRUE: no violation in any execution

        backend cbmc with z3, kissat
          merger    0.500 s
          feeder    1.250 s
          in all    1.750 s
        """)


def test_statistics_are_details() -> None:
    numbers = {"states": 1234567, "seconds": 1.5, "bytes_per_state": 40.0}
    result = Outcome(Verdict.TRUE, backend="native", times={"explorer": 2.0}, statistics=numbers)
    assert render(result) == "TRUE: no violation in any execution\n"
    assert render(result, details=True) == shown("""
        TRUE: no violation in any execution

        search
          1 234 567 states stored
          1.50 seconds
          40 bytes per state stored

        backend native
          explorer    2.000 s
          in all      2.000 s
        """)


def test_several_properties_have_a_line_each_and_hints_come_once() -> None:
    cuts = [Bound("rounds", 2, said("2 rounds")), Bound("unwinding", 1, Cut(Limit.LOOP, 1), Origin("a.c", 5))]
    parts = [
        Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=cuts, property="unreach-call"),
        Outcome(Verdict.UNKNOWN, Reason.BOUNDED, bounds=cuts, property="no-deadlock"),
        Outcome(Verdict.TRUE, property="no-overflow"),
    ]
    assert render(summed(parts)) == shown("""
        unreach-call: UNKNOWN: no violation within 2 rounds and unwinding 1
          a.c:5: the loop may run more than once
        no-deadlock: UNKNOWN: no violation within 2 rounds and unwinding 1
        no-overflow: TRUE: no violation in any execution
        (what helps: --unwind 2)
        """)


def test_where_threads_stand_in_the_end_is_told_with_the_way_to_it() -> None:
    sides = [tr.Racing(ONE, INNER.origin, tr.RaceKind.READ, "x"), tr.Racing(MAIN, CLAIM.origin, tr.RaceKind.WRITE, "x")]
    stands = [replace(INNER, accesses=[], stands=True, why=sides[0])]
    stands.append(tr.Step(MAIN, CLAIM.origin, CLAIM.source, stands=True, why=sides[1]))
    report = render(outcome(INNER, *stands), steps=True)
    assert report.partition("x = 1\n")[2] == shown("""
        ---- in the end: add (thread 1) ----
        add (thread 1)  a.c:3   bump (iteration 2.1)  x++;
                                                        called by twice at a.c:4, by add at a.c:10
                                                        is about to read x
                                                        holds no lock
        ---- in the end: main ----
        main            a.c:12  main                  assert(x == 2);
                                                        is about to write x
                                                        holds no lock

        assertion `x == 2` is violated at a.c:12 in main
        """)


def test_what_is_repeated_for_ever() -> None:
    endless = outcome(CREATION, CLAIM)
    endless.violated = Property(Claim(Kind.LTL, subject="F x"))
    assert endless.counterexample is not None
    endless.counterexample.cycle = 1
    assert render(endless, steps=True) == shown("""
        FALSE: the formula `F x` does not hold

        thread  place   function  source
        main    a.c:7   main      pthread_create(&t, NULL, add, NULL);
                                    creates add (thread 1)
        ---- from here on, for ever ----
        main    a.c:12  main      assert(x == 2);
                                    reads x = 1

        the formula `F x` does not hold
        """)
    endless.counterexample.cycle = 2
    assert render(endless, steps=True).splitlines()[-3:] == [
        "---- from here on, nothing happens ----",
        "",
        "the formula `F x` does not hold",
    ]
