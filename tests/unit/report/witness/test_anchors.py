"""Witnesses whose contexts begin with statements at which a validator can switch threads."""

from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent

import pytest

from cseq.model.origin import Origin
from cseq.model.trace import Access, Counterexample, Step, Thread
from cseq.model.verdict import Outcome, Verdict
from cseq.report.witness.anchors import followable
from cseq.report.witness.waypoints import Texts, WitnessTask, waypoints

MAIN, FIRST, SECOND = Thread(0, "main"), Thread(1, "writer"), Thread(2, "reader")

PROGRAM = """\
    #include <pthread.h>
    int x, y, done;
    void *writer(void *arg)
    {
        int mine = 0;
        x = 1;
        y = 1;
        if (x)
            done = 1;
        return NULL;
    }
    void *reader(void *arg)
    {
        int seen = y;
        pthread_exit(NULL);
    }
    int main(void)
    {
        pthread_t t, u;
        pthread_create(&t, NULL, writer, NULL);
        pthread_create(&u, NULL, reader, NULL);
        x = 2;
        __assert_fail("x", "", 1, "");
    }
    """
X, Y, DONE = 8, 16, 24


@pytest.fixture(autouse=True)
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.c").write_text(dedent(PROGRAM))


def did(thread: Thread, line: int, *touched: tuple[str, int]) -> Step:
    """A step of *thread* at *line*, with accesses: the kind and the address of each."""
    accesses = [Access(kind, "v", "1", shared=True, address=address) for kind, address in touched]
    return Step(thread, Origin("a.c", line, function=thread.function), accesses=accesses)


def kept(*steps: Step) -> list[tuple[int, int]]:
    """The thread and the line of each point that remains, for main up to line 21, and then these steps."""
    return points([did(MAIN, 20), did(MAIN, 21), *steps, did(MAIN, 23)])


def points(steps: Sequence[Step]) -> list[tuple[int, int]]:
    outcome = Outcome(Verdict.FALSE, property="unreach-call")
    shown = Counterexample(list(steps), [MAIN, FIRST, SECOND])
    run = WitnessTask(("a.c",))
    found = followable(waypoints(shown, outcome, run), steps, Texts(run))
    return [(point.thread.number, point.place.line) for point in found][2:-2]


def test_the_first_statement_that_depends_on_another_thread() -> None:
    x_is_set = did(MAIN, 22, ("write", X))
    first = did(FIRST, 5), did(FIRST, 6, ("write", X)), did(FIRST, 7, ("write", Y))
    assert kept(x_is_set, *first) == [(0, 22), (1, 6), (1, 7)]


def test_else_the_last_on_which_another_thread_depends() -> None:
    first = did(FIRST, 5), did(FIRST, 6, ("write", X)), did(FIRST, 7, ("write", Y))
    assert kept(*first, did(SECOND, 14, ("read", Y))) == [(1, 7), (2, 14)]


def test_two_reads_are_no_reason() -> None:
    assert kept(did(FIRST, 6, ("read", X)), did(FIRST, 7, ("write", Y)), did(SECOND, 14, ("read", X))) == [
        (1, 6),
        (1, 7),
        (2, 14),
    ]


def test_no_context_begins_with_a_branch_or_a_statement_without_an_end() -> None:
    branch = did(FIRST, 8, ("read", X)), did(FIRST, 9, ("write", DONE))
    assert kept(did(SECOND, 14, ("read", Y)), *branch) == [(2, 14), (1, 9)]
    assert kept(did(SECOND, 14, ("read", Y)), did(FIRST, 10)) == [(2, 14)]
    assert kept(did(FIRST, 6, ("write", X)), did(SECOND, 15)) == [(1, 6)]


def test_no_context_begins_with_a_statement_that_was_executed_before() -> None:
    twice = did(FIRST, 6, ("write", X)), did(SECOND, 14, ("read", Y)), did(Thread(3, "writer"), 6, ("write", X))
    assert kept(*twice) == [(1, 6), (2, 14)]
