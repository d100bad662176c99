"""Execution graphs as steps, and the check of a graph that the explorer reports."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import cseq
from cseq.model.trace import Unseen
from cseq.model.verdict import Reason, Verdict
from cseq.modules.graphs.run import Explored, GraphsRun
from cseq.modules.ir.instructions import Order
from cseq.pipeline.stage import Unit
from cseq.report.witness import waypoints
from cseq.reproducer.program import refusal

pytestmark = pytest.mark.engine

STORE_BUFFERING = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y; int r1, r2;
void *one(void *a) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    r1 = atomic_load_explicit(&y, memory_order_relaxed);
    return 0;
}
void *two(void *a) {
    atomic_store_explicit(&y, -1, memory_order_relaxed);
    r2 = atomic_load_explicit(&x, memory_order_relaxed);
    return 0;
}
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, one, 0);
    pthread_create(&q, 0, two, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(r1 || r2);
}
"""


def _verified(tmp_path: Path, text: str = STORE_BUFFERING) -> cseq.Outcome:
    source = tmp_path / "program.c"
    source.write_text(text, encoding="utf-8")
    return cseq.verify([source], memory_model="c11")


def test_a_step_says_which_store_a_load_does_not_see(tmp_path: Path) -> None:
    shown = _verified(tmp_path).counterexample
    assert shown is not None
    accesses = [(step.thread.function, step.origin.line, access) for step in shown.steps for access in step.accesses]
    assert [(who, line, each.kind, each.name, each.value) for who, line, each in accesses] == [
        ("one", 6, "write", "x", "1"), ("one", 7, "read", "y", "0"), ("one", 7, "write", "r1", "0"),
        ("two", 11, "write", "y", "-1"), ("two", 12, "read", "x", "0"), ("two", 12, "write", "r2", "0"),
        ("main", 21, "read", "r1", "0"), ("main", 21, "read", "r2", "0"),
    ]  # fmt: skip
    (unseen,) = [each.unseen for _, _, each in accesses if each.unseen is not None]
    assert isinstance(unseen, Unseen)
    assert (unseen.thread.function, unseen.origin.line, unseen.value, unseen.order) == ("one", 6, "1", "relaxed")


LOST_UPDATE = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *one(void *a) { int old = atomic_load(&x); atomic_store(&x, old + 1); return 0; }
int main(void) {
    pthread_t p, q;
    pthread_create(&p, 0, one, 0);
    pthread_create(&q, 0, one, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(x == 2);
}
"""


def test_in_a_sequentially_consistent_execution_each_load_sees_the_last_store(tmp_path: Path) -> None:
    shown = _verified(tmp_path, LOST_UPDATE).counterexample
    assert shown is not None
    memory = {"x": "0"}
    for access in (access for step in shown.steps for access in step.accesses):
        assert access.kind == "write" or access.value == memory[access.name]
        assert access.unseen is None
        memory[access.name] = access.value


def test_there_is_no_witness_and_no_reproducer(tmp_path: Path) -> None:
    outcome = _verified(tmp_path)
    assert waypoints.refusal(outcome) == "the format is about sequentially consistent executions"
    assert refusal(outcome) == "a schedule alone does not show what weak memory orders allow"


@pytest.mark.parametrize("wrong", ["an order", "a value"])
def test_a_graph_that_is_not_consistent_is_no_violation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    explore = GraphsRun.run

    def tampered(stage: GraphsRun, value: Unit) -> Explored:
        found = explore(stage, value)
        if wrong == "an order":
            strong = [{**event, "order": int(Order.SEQ_CST) * (event["order"] > 0)} for event in found.graph]
            return replace(found, graph=strong)
        first = next(event for event in found.graph if event["kind"] == "load" and event["from"])
        return replace(found, graph=[{**event, "value": 5} if event is first else event for event in found.graph])

    monkeypatch.setattr(GraphsRun, "run", tampered)
    outcome = _verified(tmp_path)
    assert (outcome.verdict, outcome.reason) == (Verdict.UNKNOWN, Reason.REPLAY)
    assert ("its axioms" if wrong == "an order" else "a value") in outcome.message
