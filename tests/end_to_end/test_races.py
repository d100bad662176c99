"""Data races in whole programs: what they are told as, and what makes an answer a proof."""

import os
from pathlib import Path
from typing import Any

import pytest

import cseq
from cseq.backends.cbmc import BACKEND, engines_folder
from cseq.model.verdict import Outcome, Verdict
from cseq.report.actions import events
from cseq.report.words import description
from tests.support.checkout import ROOT

pytestmark = pytest.mark.skipif(BACKEND.find() is None, reason="no CBMC is installed (setup/provide-cbmc)")

SPEC = ROOT / "sv-benchmarks" / "properties" / "no-data-race.prp"

THREADS = """\
int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
"""


def check(folder: Path, text: str, **parameters: Any) -> Outcome:
    """What is said of the program *text* with two threads, of data races alone."""
    path = folder / "program.c"
    path.write_text(f"#include <pthread.h>\n#include <assert.h>\n#include <string.h>\n{text}{THREADS}")
    return cseq.verify(path, backend="cbmc", spec=str(SPEC), **parameters)


def test_a_thread_whose_assertion_would_fail_can_stand_in_front_of_it(tmp_path):
    text = """\
        _Atomic int go; int x;
        void *one(void *arg) { int never = 0; go = 1; assert(never); return 0; }
        void *two(void *arg) { if (go) x = 1; return 0; }
        """
    # The store to `go` counts, although every execution that goes on behind it violates another property.
    racy = text.replace("int never = 0;", "int never = 0; int seen = x;").replace("go = 1;", "go = 1; seen = x;")
    assert check(tmp_path, racy, rounds=2).verdict is Verdict.FALSE
    assert check(tmp_path, text, rounds=8).verdict is Verdict.TRUE


def test_a_store_in_front_of_an_assertion_that_fails_is_seen(tmp_path):
    text = """\
        _Atomic int go; int x, y;
        void *one(void *arg) { int never = 0; go = 1; assert(never); return 0; }
        void *two(void *arg) { if (go) x = 1; return 0; }
        void *three(void *arg) { int seen = x; return (void *)(long)seen; }
        """
    main = THREADS.replace("&t2, 0, two, 0);\n", "&t2, 0, two, 0);\n    pthread_create(&t3, 0, three, 0);\n")
    path = tmp_path / "program.c"
    path.write_text(f"#include <pthread.h>\n#include <assert.h>\n{text}{main.replace('t1, t2;', 't1, t2, t3;')}")
    outcome = cseq.verify(path, spec=str(SPEC), rounds=1)
    assert outcome.verdict is Verdict.FALSE
    assert outcome.violated is not None
    assert description(outcome.violated).startswith("data race on `x`: two (thread 2) writes it")


def test_fewer_rounds_are_a_proof_than_for_assertions(tmp_path):
    text = """\
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
        void *one(void *arg) { pthread_mutex_lock(&m); x++; x++; x++; pthread_mutex_unlock(&m); return 0; }
        void *two(void *arg) { return one(arg); }
        """
    assert check(tmp_path, text, rounds=4, no_movers=True).verdict is Verdict.UNKNOWN
    assert check(tmp_path, text, rounds=5, no_movers=True).verdict is Verdict.TRUE
    both = cseq.verify(tmp_path / "program.c", race=True, rounds=5, no_movers=True)
    assert both.of("unreach-call").verdict is Verdict.UNKNOWN
    assert both.of("no-data-race").verdict is Verdict.TRUE


def test_a_step_that_is_several_accesses_is_no_obstacle_to_a_proof(tmp_path):
    text = """\
        char a[8] = "abc", b[8];
        void *one(void *arg) { strcpy(b, a); return 0; }
        void *two(void *arg) { a[WHERE] = 1; return 0; }
        """
    assert check(tmp_path, text.replace("WHERE", "4"), rounds=4).verdict is Verdict.TRUE
    found = check(tmp_path, text.replace("WHERE", "3"), rounds=4).violated
    assert found is not None
    assert found.description == (
        f"data race on `a[3]`: two (thread 2) writes it at {tmp_path / 'program.c'}:6, "
        f"one (thread 1) reads it in `strcpy` at {tmp_path / 'program.c'}:5"
    )


@pytest.mark.parametrize("version", ["6.6", "5.12"])
@pytest.mark.parametrize("name", ["bytes", "bit_fields", "heap_blocks", "free", "strcpy", "section"])
def test_addresses_are_compared_alike_by_both_versions_of_cbmc(name, version, monkeypatch):
    cbmc = engines_folder() / f"cbmc-{version}" / "bin" / "cbmc"
    if not os.access(cbmc, os.X_OK):
        pytest.skip(f"cbmc {version} is not provided (setup/provide-cbmc)")
    monkeypatch.setenv("CSEQ_CBMC", str(cbmc))
    path = ROOT / "tests" / "programs" / "conformance" / "race" / f"{name}.c"
    assert cseq.verify(path, spec=str(SPEC), rounds=2, define=["BUG"]).verdict is Verdict.FALSE
    assert cseq.verify(path, spec=str(SPEC), rounds=2).verdict is not Verdict.FALSE


def test_the_report_of_a_race(tmp_path):
    text = """\
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        struct node { int value; } node;
        void set(struct node *p) { p->value = 1; }
        void *one(void *arg) { pthread_mutex_lock(&m); set(&node); pthread_mutex_unlock(&m); return 0; }
        void *two(void *arg) { int seen = node.value; return (void *)(long)seen; }
        """
    outcome = check(tmp_path, text)
    assert outcome.counterexample is not None
    write, read = outcome.counterexample.racing
    assert (write.action, write.name, write.how, write.function) == ("writes", "node.value", "", "")
    assert [(call.function, call.line) for call in write.origin.path] == [("one", 7)]
    assert [(lock.name, lock.since.line) for lock in write.holds] == [("m", 7)]
    assert (read.thread.number, read.action, read.name, read.holds) == (2, "reads", "node.value", ())
    first, second = outcome.counterexample.steps[-2:]
    assert first.stands and second.stands
    assert events(first) == ["is about to write node.value", f"holds m since {tmp_path / 'program.c'}:7"]
    assert events(second) == ["is about to read node.value", "holds no lock"]
