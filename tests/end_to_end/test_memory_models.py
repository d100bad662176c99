"""Litmus tests: what may happen under each memory model, with both CBMCs, from the program to the verdict."""

from pathlib import Path

import pytest

import cseq
from cseq.model.errors import UsageError
from cseq.model.verdict import Reason, Verdict
from cseq.report.words import answer
from tests.differential import buffers
from tests.differential.orders import engines

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


def test_a_violation_that_needs_no_buffer_is_replayed_under_any_model(tmp_path: Path):
    path = tmp_path / "program.c"
    path.write_text(written(("x = 1; r1 = y;", "y = 1; r2 = x;"), "r1 == 0 && r2 == 1"))
    outcome = cseq.verify(path, memory_model=TSO)  # the encoding follows from it
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
