"""Which thread has made each step of TLC's, and what that says about the step program."""

from typing import Any

import pytest

from cseq.model.errors import BackendError
from cseq.modules.tla.replay import Move
from cseq.modules.tla.spec import Specification, Statement
from cseq.modules.tla.tlc_trace import Objects, last, staying, steps

TEXT = """typedef unsigned int number;
static __CSEQ_STATE number x__cs2;
static __CSEQ_STATE unsigned char cells[3];
static __CSEQ_STATE struct node head;
struct __cs_frame_of_f
{
  int v;
  int *p;
};
"""

Memory = dict[str, Any]

VISIBLE = frozenset({"a", "b", "c"})


def memory(*registers: str, status: str = "runs", **data: Any) -> Memory:
    """A memory in which these threads stand at these labels; "" for none."""
    threads = range(len(registers))
    return {
        "data": data,
        "heap": dict.fromkeys(threads, ()),
        "stack": {k: ({"v": 0},) if registers[k] else () for k in threads},
        "register": {k: ({"pc": registers[k], "atomic": 0},) if registers[k] else () for k in threads},
        "ret": dict.fromkeys(threads, "Undef"),
        "status": status,
    }


def specification() -> Specification:
    statements = [Statement(label, "", "f" if label == "b" else "main", None, None, "") for label in "abc"]
    names = {"x__cs2": "x", "v": "v", "v__cs2": "v", "cells": "cells", "head": "head"}
    return Specification("x", 2, {}, {}, {}, [], statements, names=names)


def test_who_has_made_a_step() -> None:
    path = [memory("a", ""), memory("c", "b"), memory("c", "b", x=1), memory("c", ""), memory("", "", status="ended")]
    moves, cycle = steps(path, None, VISIBLE)
    assert cycle is None
    assert moves == [
        Move(0, "a", "c"), Move(0, "c", "c", others=frozenset({1})), Move(1, "b", None), Move(0, "c", None)
    ]  # fmt: skip


def test_a_step_that_only_changes_a_frame() -> None:
    before, after = memory("a", "b"), memory("a", "b", x=2)
    after["stack"][1] = ({"v": 7},)
    assert steps([before, after], None, VISIBLE)[0] == [Move(1, "b", "b")]


def test_a_claim_that_does_not_hold_leaves_threads_where_they_are() -> None:
    path = [memory("a", "b"), memory("a", "b", status="failed.assertion: x")]
    assert steps(path, None, VISIBLE)[0] == [Move(0, "a", "a", others=frozenset({1}))]


def test_an_execution_ends_where_no_other_thread_may_run() -> None:
    path = [memory("a", "b"), memory("a", "b", status="refused.something")]
    assert last(path, frozenset({"a"})) == "b" and last(path, VISIBLE) is None
    assert last(path[1:], VISIBLE) is None and last([memory("a")], VISIBLE) == "a"
    with pytest.raises(BackendError, match="a step is not that of a thread"):
        steps([memory(""), memory("", x=1)], None, VISIBLE)


def test_where_steps_are_repeated() -> None:
    path = [memory("a"), memory("a"), memory("c"), memory("b")]
    assert steps(path, 2, VISIBLE) == ([Move(0, "a", "c"), Move(0, "c", "b"), Move(0, "b", "c")], 1)
    assert steps(path[:2], 1, VISIBLE) == ([], 0)
    assert steps(path, 3, VISIBLE)[1] == 2


def test_ways_to_stay() -> None:
    assert staying(memory("", "")) == [[]]
    assert staying(memory("a", "")) == [[Move(0, "a", "a")], []]
    each = [Move(0, "a", "a"), Move(1, "b", "b")]
    assert staying(memory("a", "b")) == [each, [Move(0, "a", "a", others=frozenset({1}))], []]


def test_what_is_known_of_objects() -> None:
    objects = Objects(specification(), TEXT)
    before = memory("a", "b", x=0, cells={0: 1, 1: 2, 2: 3}, head={0: 1})
    after = memory("a", "c", x=5, cells={0: 1, 1: 9, 2: "Undef"}, head={0: 2})
    after["stack"][1] = ({"v": 7},)
    expected = {"x__cs2": 5, "cells[0]": 1, "cells[1]": 9, "__cs_frames[0].__cs_frame_of_f.v": 7}
    assert steps([before, after], None, VISIBLE, objects)[0] == [Move(1, "b", "c", expected)]
