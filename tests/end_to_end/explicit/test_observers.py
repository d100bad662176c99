"""Invariants, abstractions and heuristics in a search."""

from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import cseq
from cseq.model.errors import UsageError
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.report.words import bound_text, description

PROGRAM = """\
#include <assert.h>
#include <pthread.h>
struct view { int a; char rest[2]; };
static int a, b;
static int *where = &b;
static int sum(int times) { int total = 0; while (times--) total += a + b; return total; }
int small(void) { return sum(2) < 2 * MOST; }
int short_way(void) { return *where < MOST; }
int fine(void) { return 1; }
void both(struct view *to) { to->a = a; to->rest[1] = b; }
void *count(void *arg) { for (int i = 0; i < 3; i++) a = a + 1; return 0; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, count, 0);
    for (int i = 0; i < 3; i++)
        b = b + 1;
    b = 0;
    pthread_join(t, 0);
    assert(a == 3 && b == 0);
    return 0;
}
"""


def explored(folder: Path, most: int, **parameters: Any) -> Outcome:
    path = folder / "program.c"
    path.write_text(dedent(PROGRAM), encoding="utf-8")
    return cseq.verify(path, chain="explicit", define=(f"MOST={most}",), timeout=60, **parameters)


@pytest.mark.parametrize(
    "invariants, most, no_por",
    [(("fine", "small"), 6, False), (("fine", "small"), 6, True), (("short_way",), 3, False)],
)
def test_an_invariant_holds_in_every_state(tmp_path, invariants, most, no_por):
    """The sum is at its greatest in states in between only, and so is what the pointer leads to."""
    outcome = explored(tmp_path, most, invariant=invariants, no_por=no_por)
    assert outcome.verdict is Verdict.FALSE
    assert outcome.violated is not None
    assert description(outcome.violated) == f"invariant `{invariants[-1]}` does not hold"
    assert explored(tmp_path, most + 1, invariant=invariants, no_por=no_por).verdict is Verdict.TRUE


def test_what_an_abstraction_hides_is_no_proof(tmp_path):
    """Where nothing but the places of threads is matched, loops are not followed beyond their first iteration."""
    assert explored(tmp_path, 6, invariant=("small",), abstract="both").verdict is Verdict.FALSE
    for most, name in ((6, "fine"), (9, "both")):
        outcome = explored(tmp_path, most, invariant=("small",), abstract=name)
        assert (outcome.verdict, outcome.reason, outcome.exit_status) == (Verdict.UNKNOWN, Reason.BOUNDED, 0)
        same = f"of the states that `{name}` makes the same, with the threads at the same places,"
        assert [(bound.kind, bound_text(bound)) for bound in outcome.bounds] == [
            ("abstraction", f"{same} only one was looked at")
        ]


def test_a_heuristic_changes_the_order_and_no_verdict(tmp_path):
    assert explored(tmp_path, 6, invariant=("small",), heuristic="b").verdict is Verdict.FALSE
    assert explored(tmp_path, 7, invariant=("small",), heuristic="a").verdict is Verdict.TRUE


def test_a_heuristic_is_for_its_search(tmp_path):
    for parameters in ({"search": "heuristic"}, {"search": "dfs", "heuristic": "a"}):
        with pytest.raises(UsageError, match="--search heuristic and --heuristic have to be used together"):
            explored(tmp_path, 6, **parameters)


def test_an_invariant_is_a_question_where_the_program_claims_nothing(tmp_path):
    path = tmp_path / "program.c"
    path.write_text("int x; int ok(void) { return x < LIMIT; } int main(void) { x = 1; x = 2; return 0; }\n")
    for limit, expected in ((2, Verdict.FALSE), (3, Verdict.TRUE)):
        outcome = cseq.verify(path, backend="native", invariant=("ok",), deadlock=True, define=(f"LIMIT={limit}",))
        assert outcome.of("unreach-call").verdict is expected
        assert outcome.of("no-deadlock").verdict is Verdict.TRUE
