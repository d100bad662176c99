"""Bounds for single loops and for recursion: what they mean, and entries that mean nothing."""

from pathlib import Path

import pytest

from cseq.model.claims import Cut, Limit
from cseq.model.errors import UsageError
from cseq.model.origin import Origin
from cseq.modules.symbolic.encode.unroller.limits import Limits, read
from cseq.report import violations

PLACES = [Origin("src/net.c", 7), Origin("src/net.c", 41), Origin("lib/net.c", 7), Origin("a.c", 3), Origin("a.c", 9)]


def test_entries_with_commas_between() -> None:
    assert read("a.c:3=2, src/net.c:41=10") == [("a.c", 3, 2), ("src/net.c", 41, 10)]
    assert read("odd:name=1.c:3=2") == [("odd:name=1.c", 3, 2)]


@pytest.mark.parametrize("text", ["", "a.c", "a.c:3", "a.c=3", "3=2", "a.c:x=2", "a.c:3=x", "a.c:3=2,", "a.c:3=-1"])
def test_what_is_no_entry(text: str) -> None:
    with pytest.raises(ValueError, match="is not FILE:LINE=N"):
        read(text)


def test_a_file_is_told_by_the_last_parts_of_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits(["net.c:7=2,src/net.c:7=5", "./a.c:3=4"], PLACES)
    assert [limits.bound(place) for place in PLACES] == [5, None, 2, 4, None]  # what is said last holds
    assert limits.bound(None) is None
    monkeypatch.chdir(tmp_path)
    assert Limits([f"{tmp_path}/a.c:3=4,src/../a.c:9=5"], PLACES).bound(PLACES[4]) == 5
    with pytest.raises(UsageError, match=r"no loop at c/net\.c:7"):
        Limits("c/net.c:7=2", PLACES)


@pytest.mark.parametrize(
    "text, message",
    [
        ("a.c:5=2", "there is no loop at a.c:5: the nearest are at a.c:3, a.c:9"),
        ("src/net.c:8=2", "there is no loop at src/net.c:8: the nearest are at src/net.c:7, src/net.c:41"),
        ("b.c:3=2", "there is no loop at b.c:3: the program has loops in a.c, lib/net.c, src/net.c"),
    ],
)
def test_entries_that_mean_no_loop(text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        Limits([text], PLACES)
    assert caught.value.message == f"--unwindset: {message}"
    with pytest.raises(UsageError, match="the program has no loops"):
        Limits([text], [])


PROGRAM = """\
    int x;
    int f(int n) { return n ? f(n - 1) : 0; }
    int main(void)
    {
      while (x)
        x = 1;
      for (int i = 0; i < 5; i++)
        x = 2;
      for (int i = 0; i < 5; i++)
        x = 3;
      return f(x);
    }
    """


def test_loops_of_one_line_and_recursion_have_bounds_of_their_own(translated) -> None:
    text = translated("unroller", PROGRAM, unwindset=("program.c:5=3,program.c:9=2",), recursion=4)
    assert [text.count(f"x = {number};") for number in (1, 2, 3)] == [3, 5, 2]
    assert '__CSEQ_unwound(!x, "cut.loop 3");' in text
    assert '__CSEQ_unwound(0, "cut.counted 2/5=");' in text


def test_recursion_is_as_deep_as_said(translated) -> None:
    told = '"cut.recursion {}: f"'
    assert told.format(2) in translated("inliner", PROGRAM, unwind=2)
    assert told.format(4) in translated("inliner", PROGRAM, unwind=2, recursion=4)
    start = """\
        #include <pthread.h>
        void *f(void *arg) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }
        int main(void) { f(0); return 0; }
        """
    assert '"cut.starts 3: f"' in translated("thread_instances", start, unwind=1, recursion=3)


def test_a_limit_for_a_loop_that_is_not_there(translated) -> None:
    told = translated.refusal("unroller", PROGRAM, UsageError, unwindset="program.c:6=3")
    assert (
        told == "--unwindset: there is no loop at program.c:6: the nearest are at program.c:5, program.c:7, program.c:9"
    )


@pytest.mark.parametrize(
    "cut, kind, bound, words",
    [
        (Cut(Limit.LOOP, 1), "unwinding", 1, "the loop may run more than once"),
        (Cut(Limit.LOOP, 12), "unwinding", 12, "the loop may run more than 12 times"),
        (Cut(Limit.COUNTED, 3, runs=100), "unwinding", 3, "the loop runs 100 times, and --unwind is 3"),
        (Cut(Limit.COUNTED, 4, runs=100, is_set=True), "unwinding", 4,
         "the loop runs 100 times, and --unwindset says 4"),
        (Cut(Limit.DESTRUCTORS, 2), "unwinding", 2, "a thread may call destructors more than 2 times"),
        (Cut(Limit.RECURSION, 5, "f"), "recursion", 5, "`f` may call itself more than 5 deep"),
        (Cut(Limit.STARTS, 6, "f"), "recursion", 6, "`f` may start itself more than 6 deep"),
        (Cut(Limit.THREADS, 1), "threads", 1, "more than 1 thread may be created"),
        (Cut(Limit.THREADS, 7), "threads", 7, "more than 7 threads may be created"),
    ],
)  # fmt: skip
def test_a_cut_tells_the_bound(cut: Cut, kind: str, bound: int, words: str) -> None:
    found = Cut.of(cut.key)
    assert found == cut and (found.kind, found.number, found.is_the_users) == (kind, bound, True)
    assert violations.cut(found) == words
    assert not Cut(Limit.STRING, 63, function="strlen").is_the_users
