"""Paragraphs in words, on programs of sv-benchmarks and on counterexamples made by hand."""

from typing import Any

import pytest

from cseq import verify
from cseq.model.claims import Claim, Cut, Kind, Limit
from cseq.model.trace import Step
from cseq.model.verdict import Outcome, Property, Verdict, summed
from cseq.report.explain.paragraph import explain
from cseq.report.text.terminal import PLAIN, Style, render
from cseq.report.words import cells
from tests.support import counterexamples as made
from tests.support.checkout import ROOT
from tests.support.explained import check_explanation

NO_LOCK = "holds a lock there"

PROGRAMS: list[tuple[str, dict[str, Any], list[str]]] = [
    ("lost_update", {},
     ["finds `counter = 1`", "increment (thread 1)", "increment (thread 2)", "both at line 17",
      "is lost", NO_LOCK, "the same mutex for `counter`", "one atomic operation"]),
    ("check_then_use", {},
     ["user (thread 1)", "at line 20", "again at line 21 it finds NULL", "remover (thread 2) stored `shared = NULL`",
      "at line 31", "from line 20 to line 21", "the same mutex for `shared`"]),
    ("order_violation", {},
     ["no step stores `table` before thread 1 reads it at line 17", "main has not come further than line 26",
      "before it creates thread 1 at line 26"]),
    ("lazy_publish", {},
     ["user (thread 2) finds `value = 0`", "`ready = 1` at line 20", "user (thread 1) had stored at line 23",
      "before it stores `ready`", "holds `lock` there (since line 21)", "without that lock"]),
    ("lazy_init", {},
     ["had read `ready = 0` at line 19", "stored `ready = 1` at line 22", "holds no lock at line 19",
      "has to hold `lock`, too, from line 19 to line 21"]),
    ("stack_pop", {},
     ["had read `top = 1` at line 34", "at line 23 it finds 0", "stored `top = 0` at line 24",
      "both hold `lock` there, but thread 2 lets it go in between", "from line 34 to line 23 without letting it go"]),
    ("bank_transfer", {},
     ["transfer (thread 1) holds `lock` since line 18", "stored `a = 7` at line 19", "audit (thread 2)",
      "reads `a` at line 30 without that lock", "thread 2 has to hold `lock` as well"]),
    ("bounded_buffer", {},
     ["waited for `not_empty` at line 38", "producer (thread 2) woke it at line 27", "stored `items = 0` at line 40",
      "`while` instead of `if` at line 37"]),
    ("spin_flag", {},
     ["`flag = 1` at line 25", "producer (thread 1) had stored at line 17", "no step before had stored `data`"]),
    ("struct_fields", {},
     ["`w->ends.lo = 5`, which mover (thread 1) had stored at line 25", "`w->ends.hi = 3`",
      "as a whole under one lock"]),
    ("loop_variable_arg", {},
     ["when main created thread 1 at line 31", "`i = 0` held", "stored `i = 1` at line 30",
      "memory of its own"]),
    ("static_local", {},
     ["had stored `scratch = 1` at line 16", "worker (thread 2)", "over it", "a variable of its own"]),
    ("nested_create", {},
     ["child (thread 2), created at line 26, has not made a step yet", "main has to wait for"]),
    ("stop_flag", {},
     ["`open = 0` (stored by main at line 29)", "wait for its end (join) before the store"]),
    ("nondet_input", {}, ["certain inputs", "`wish = 1` at line 22"]),
    ("second_unwinding", {},
     ["has not seen anything that another thread did", "no special order of threads"]),
    ("unlock_not_owner", {},
     ["down (thread 2) calls pthread_mutex_unlock at", "no thread holds `lock`", "has not locked it"]),
    ("trylock_inverted", {},
     ["(since line 18)", "had tried to lock it at line 18", "has returned 0"]),
    ("late_mutex_init", {},
     ["no thread holds `lock`", "main has initialised it at line 27 in the meantime", "before any thread uses it"]),
    ("deadlock/philosophers_two", {"deadlock": True},
     ["plato (thread 1)", "kant (thread 2)", "holds `fork_a` (since line 18)", "holds `fork_b` (since line 29)",
      "wait for each other", "one and the same order"]),
    ("deadlock/missed_signal", {"deadlock": True},
     ["loader (thread 1) signalled `loaded` at line 20, before", "at line 30", "is lost", "test under the mutex"]),
    ("deadlock/signal_for_all", {"deadlock": True},
     ["a signal wakes one thread", "broadcast"]),
    ("deadlock/join_with_lock", {"deadlock": True},
     ["main must not hold `state` while it waits for", "to end"]),
    ("race/one_sided_lock", {"race": True},
     ["on `done`", "main reads it at line 30", "worker (thread 1) writes it at line 19", "`lock` (since line 18)",
      "main has to hold `lock` there as well", "join"]),
    ("race/two_locks", {"race": True},
     ["`put_lock`", "`take_lock`", "do not exclude each other", "one and the same lock"]),
]  # fmt: skip


@pytest.mark.engine
@pytest.mark.parametrize(("name", "asked", "facts"), PROGRAMS, ids=[name for name, _, _ in PROGRAMS])
def test_what_matters_is_told(
    name: str, asked: dict[str, Any], facts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "sv-benchmarks")
    outcome = verify(f"{name}_bad.c", backend="native", **asked)
    check_explanation(outcome)
    text = explain(outcome).lower()
    assert [fact for fact in facts if fact.lower() not in text] == [], text


def test_a_bound_is_no_fault_of_the_program() -> None:
    text = made.told(made.LOST[:2], Claim(Kind.UNWINDING, cut=Cut(Limit.LOOP, 2)))
    assert "bound of the search" in text and "--unwind" in text


def test_of_several_properties_the_violated_one_is_told() -> None:
    safe = Outcome(Verdict.TRUE, property="no-overflow")
    assert explain(summed([safe, made.violation(made.LOST)])) == explain(made.violation(made.LOST))


def test_nothing_to_say() -> None:
    assert explain(Outcome(Verdict.TRUE)) == ""
    violated = Property(Claim(Kind.ASSERTION, subject="x"))
    assert explain(Outcome(Verdict.FALSE, violated=violated, unreplayed="no inputs")) == ""


@pytest.mark.parametrize("width", [None, 40, 100])
def test_the_paragraph_is_wrapped(width: int | None) -> None:
    report = render(made.violation(made.LOST), Style(width=width) if width else PLAIN, explained=True)
    lines = report.splitlines()
    start = lines.index("") + 1
    paragraph = lines[start : lines.index("", start)]
    assert " ".join(paragraph) == explain(made.violation(made.LOST))
    assert max(map(cells, paragraph)) <= (width or 80)
    assert lines[-1] == "(--cex shows how)"


def test_the_paragraph_comes_behind_the_counterexample() -> None:
    report = render(made.violation(made.LOST), steps=True, explained=True)
    before, _, behind = report.partition("\nassertion `x == 2` is violated at a.c:23 in main\n\n")
    assert "context switch: main goes on" in before and behind.startswith("Assertion `x == 2`")
    assert behind.endswith("operation.\n") and not behind.endswith("\n\n")


def test_long_executions_take_little_time() -> None:
    steps = [made.create(made.ONE, made.TWO)]
    for n in range(500):
        steps += [
            Step(
                thread,
                made.at(5),
                "x = x + y;",
                [made.read("x", str(n), 64), made.wrote("x", str(n + 1), 64), made.own("y", str(n))],
            )
            for thread in (made.ONE, made.TWO)
        ]
    steps.append(Step(made.ONE, made.at(6), "assert(x == 2);", [made.read("x", "501", 64)]))
    assert "over it" in made.told(steps)
