"""Bounds for single loops and for recursion: what they mean, and entries that mean nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from cseq.base.errors import UsageError
from cseq.base.linemap import Origin
from cseq.modules.analysis import cuts
from cseq.modules.sequential.unroller.limits import Limits, read

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
    told = '"`f` may call itself more than {} deep"'
    assert told.format(2) in translated("inliner", PROGRAM, unwind=2)
    assert told.format(4) in translated("inliner", PROGRAM, unwind=2, recursion=4)
    start = """\
        #include <pthread.h>
        void *f(void *arg) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }
        int main(void) { f(0); return 0; }
        """
    assert '"`f` may start itself more than 3 deep"' in translated("spawner", start, unwind=1, recursion=3)


def test_a_limit_for_a_loop_that_is_not_there(translated) -> None:
    told = translated.refusal("unroller", PROGRAM, UsageError, unwindset="program.c:6=3")
    assert (
        told == "--unwindset: there is no loop at program.c:6: the nearest are at program.c:5, program.c:7, program.c:9"
    )


@pytest.mark.parametrize(
    "text, kind, bound",
    [
        (cuts.loop(1), "unwinding", 1),
        (cuts.loop(12), "unwinding", 12),
        (cuts.counted(100, 3, "--unwind"), "unwinding", 3),
        (cuts.counted(100, 4, "--unwindset"), "unwinding", 4),
        (cuts.destructors(2), "unwinding", 2),
        (cuts.recursion("f", 5), "recursion", 5),
        (cuts.starts("f", 6), "recursion", 6),
        (cuts.threads(1), "threads", 1),
        (cuts.threads(7), "threads", 7),
    ],
)
def test_the_words_of_a_cut_tell_the_bound(text: str, kind: str, bound: int) -> None:
    assert (cuts.kind(text), cuts.bound(text), cuts.is_the_user_s(text)) == (kind, bound, True)
    assert not cuts.is_the_user_s("strlen: the string may be longer than 63 characters")
