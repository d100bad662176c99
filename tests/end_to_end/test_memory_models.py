"""Litmus tests: what may happen under each memory model, with both CBMCs, from the program to the verdict."""

from pathlib import Path

import pytest

import cseq
from cseq.model.errors import UsageError
from cseq.model.trace import ActionKind
from cseq.model.verdict import Reason, Verdict
from cseq.report.explain.paragraph import explain
from cseq.report.words import answer
from tests.differential import buffers
from tests.differential.orders import engines
from tests.support.explained import check_explanation

PRELUDE = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define F __sync_synchronize();
int x, y, z, r1 = 9, r2 = 9, r3 = 9, r4 = 9;
atomic_int a, b;
"""
# Name → what the threads do, what must not happen in the end, and the models under which it may. The answers are those
# of the literature (Alglave, Maranget, Tautschnig: Herding Cats, 2014); stores of C atomics are those of compilers for
# x86, with a fence if they are sequentially consistent and without one otherwise.
SC, TSO, PSO = "sc", "tso", "pso"
LITMUS = {
    "SB": (("x = 1; r1 = y;", "y = 1; r2 = x;"), "r1 == 0 && r2 == 0", {TSO, PSO}),
    "SB+fences": (("x = 1; F r1 = y;", "y = 1; F r2 = x;"), "r1 == 0 && r2 == 0", set()),
    "SB+fence": (("x = 1; F r1 = y;", "y = 1; r2 = x;"), "r1 == 0 && r2 == 0", {TSO, PSO}),
    "SB+asm": (
        (
            'x = 1; __asm__ volatile("mfence" ::: "memory"); r1 = y;',
            'y = 1; __asm__ volatile("lock; addl $0,0(%%rsp)" ::: "memory"); r2 = x;',
        ),
        "r1 == 0 && r2 == 0",
        set(),
    ),
    "SB+movs": (
        ('__asm__("movl $1,%0" : "=m"(x)); r1 = y;', '__asm__("movl $1,%0" : "=m"(y)); r2 = x;'),
        "r1 == 0 && r2 == 0",
        {TSO, PSO},
    ),
    "SB+atomics": (("a = 1; r1 = b;", "atomic_store(&b, 1); if (a) r2 = 1; else r2 = 0;"), "!r1 && !r2", set()),
    "SB+releases": (
        (
            "atomic_store_explicit(&a, 1, memory_order_relaxed); r1 = b;",
            "atomic_store_explicit(&b, 1, memory_order_release); r2 = a;",
        ),
        "r1 == 0 && r2 == 0",
        {TSO, PSO},
    ),
    "SB+updates": (("x = 1; z++; r1 = y;", "y = 1; atomic_fetch_add(&a, 1); r2 = x;"), "!r1 && !r2", {TSO, PSO}),
    "MP": (("x = 1; y = 1;", "r1 = y; r2 = x;"), "r1 == 1 && r2 == 0", {PSO}),
    "MP+fence": (("x = 1; F y = 1;", "r1 = y; r2 = x;"), "r1 == 1 && r2 == 0", set()),
    "LB": (("r1 = x; y = 1;", "r2 = y; x = 1;"), "r1 == 1 && r2 == 1", set()),
    "2+2W": (("x = 1; y = 2;", "y = 1; x = 2;"), "x == 1 && y == 1", {PSO}),
    "R": (("x = 1; y = 1;", "y = 2; r1 = x;"), "r1 == 0 && y == 2", {TSO, PSO}),
    "S": (("x = 2; y = 1;", "r1 = y; x = 1;"), "r1 == 1 && x == 2", {PSO}),
    "CoRR": (("x = 1;", "r1 = x; r2 = x;"), "r1 == 1 && r2 == 0", set()),
    "create": (("r1 = z;",), "r1 == 0", set()),
    "IRIW": (
        ("x = 1;", "y = 1;", "r1 = x; r2 = y;", "r3 = y; r4 = x;"),
        "r1 == 1 && r2 == 0 && r3 == 1 && r4 == 0",
        set(),
    ),
}


def written(threads: tuple[str, ...], forbidden: str) -> str:
    """The program of a litmus test; its assertion fails where *forbidden* holds in the end."""
    functions = [f"void *t{n}(void *arg) {{ {text} return 0; }}\n" for n, text in enumerate(threads)]
    begin = "".join(f"    pthread_create(&h[{n}], 0, t{n}, 0);\n" for n in range(len(threads)))
    end = "".join(f"    pthread_join(h[{n}], 0);\n" for n in range(len(threads)))
    body = f"    pthread_t h[{len(threads)}];\n    z = 1;\n{begin}{end}    assert(!({forbidden}));\n"
    main = f"int main(void)\n{{\n{body}}}\n"
    return PRELUDE + "".join(functions) + main


@pytest.mark.parametrize("name", LITMUS)
def test_what_a_litmus_test_forbids_happens_under_the_models_that_allow_it(name, tmp_path: Path, monkeypatch):
    threads, forbidden, allowed = LITMUS[name]
    path = tmp_path / "litmus.c"
    path.write_text(written(threads, forbidden))
    known = engines()
    models = (TSO, PSO, SC) if name in ("SB", "SB+asm") else (TSO, PSO)
    for turn, model in enumerate(models, list(LITMUS).index(name)):
        monkeypatch.setenv("CSEQ_CBMC", str(known[turn % len(known)]))
        outcome = cseq.verify(path, encoding="partial-order", memory_model=model)
        assert outcome.memory_model == model
        if model in allowed:
            assert outcome.reason is Reason.BUFFERING, model
        else:
            assert outcome.verdict is Verdict.TRUE, model
            assert ("memory model" in answer(outcome)) == (model != SC)


@pytest.mark.parametrize("name", LITMUS)
def test_execution_graphs_have_the_same_answers_and_show_the_execution(name: str, tmp_path: Path) -> None:
    threads, forbidden, allowed = LITMUS[name]
    path = tmp_path / "litmus.c"
    path.write_text(written(threads, forbidden))
    for model in (TSO, PSO):
        outcome = cseq.verify(path, memory_model=model)
        assert (outcome.verdict, outcome.backend) == (
            Verdict.FALSE if model in allowed else Verdict.TRUE, "graphs"
        ), (model, answer(outcome), outcome.attempts)  # fmt: skip
        assert outcome.memory_model == model
        if model in allowed:
            assert outcome.counterexample is not None


def test_a_read_says_which_store_may_be_in_a_buffer(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(written(*LITMUS["SB"][:2]))
    outcome = cseq.verify(path, memory_model=TSO)
    check_explanation(outcome)
    assert "although t0 (thread 1) has stored 1 at line 7: that store may still be in a buffer" in explain(outcome)
    assert outcome.counterexample is not None
    # The end of a thread waits for its buffer, so it comes after the read of the other thread.
    done = [
        (step.thread.number, name)
        for step in outcome.counterexample.steps
        for name in [*(access.name for access in step.accesses), *(action.kind for action in step.actions)]
    ]
    assert done.index((2, "x")) < done.index((1, ActionKind.END))


LOCKS = """\
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *t0(void *arg) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m); return 0; }
void *t1(void *arg) { pthread_mutex_lock(&FIRST); pthread_mutex_lock(&SECOND); x++; pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m); return 0; }
int main(void) {
    pthread_t h[2];
    pthread_create(&h[0], 0, t0, 0); pthread_create(&h[1], 0, t1, 0);
    pthread_join(h[0], 0); pthread_join(h[1], 0);
    assert(x == 2);
    return 0;
}
"""


@pytest.mark.parametrize("model", [TSO, PSO])
def test_deadlocks_are_found_with_buffers(model: str, tmp_path: Path) -> None:
    path = tmp_path / "locks.c"
    path.write_text(PRELUDE + LOCKS.replace("FIRST", "n").replace("SECOND", "m"))
    assert cseq.verify(path, memory_model=model, deadlock=True).of("no-deadlock").verdict is Verdict.FALSE
    path.write_text(PRELUDE + LOCKS.replace("FIRST", "m").replace("SECOND", "n"))
    found = cseq.verify(path, memory_model=model, deadlock=True)
    assert {part.verdict for part in found.all()} == {Verdict.TRUE}


def test_what_graphs_do_not_follow_is_left_to_cbmc(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    text = written(("struct { int f : 3; } s; s.f = 1; x = s.f; F r1 = y;", "y = 1; F r2 = x;"), "!r1 && !r2")
    path.write_text(text)
    outcome = cseq.verify(path, memory_model=TSO)
    assert (outcome.verdict, outcome.backend) == (Verdict.TRUE, "cbmc")
    assert [attempt.backend for attempt in outcome.attempts] == ["graphs"]


def test_data_races_are_no_matter_of_the_hardware(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(written(*LITMUS["SB"][:2]))
    with pytest.raises(UsageError, match="data races are those of C, not of --memory-model tso"):
        cseq.verify(path, memory_model=TSO, backend="graphs", race=True)


def test_a_violation_that_needs_no_buffer_is_replayed_under_any_model(tmp_path: Path):
    path = tmp_path / "program.c"
    path.write_text(written(("x = 1; r1 = y;", "y = 1; r2 = x;"), "r1 == 0 && r2 == 1"))
    outcome = cseq.verify(path, memory_model=TSO, backend="cbmc")  # the encoding follows from it
    assert outcome.verdict is Verdict.FALSE
    assert outcome.counterexample is not None


def test_random_programs_do_what_a_machine_with_buffers_does(monkeypatch):
    monkeypatch.setenv("CSEQ_CBMC", "")  # restored afterwards
    wrong, buffered = buffers.run(6, 3)
    assert not wrong
    assert buffered


def test_rounds_are_sequentially_consistent(tmp_path: Path):
    path = tmp_path / "program.c"
    path.write_text("int main(void) { return 0; }\n")
    with pytest.raises(UsageError, match="--memory-model tso cannot be combined with --encoding rounds"):
        cseq.verify(path, encoding="rounds", memory_model=TSO)
    with pytest.raises(UsageError, match="--memory-model"):
        cseq.verify(path, backend="native", memory_model=TSO)
