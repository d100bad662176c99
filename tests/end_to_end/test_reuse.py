"""What was freed may come back: memory and identifiers of threads, in both families. Each bug has a twin without it."""

from pathlib import Path
from typing import Any

import pytest

import cseq
from cseq.backends.base import engines_folder
from cseq.backends.cbmc import BACKEND
from cseq.model.claims import Limit
from cseq.model.verdict import Outcome, Verdict
from cseq.report.words import bound_text, description
from tests.support.checkout import ROOT

CONFORMANCE = ROOT / "tests" / "programs" / "conformance"
PROGRAMS = ["c11/aba", "threads/identifier_again", "library/realloc_stays"]
FAMILIES = ["cbmc", "native"]

needs_engine = pytest.mark.skipif(BACKEND.find() is None, reason="CBMC is not installed (setup/provide-cbmc)")

HEAD = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"

STACK = """\
struct node { struct node *next; int value; };
_Atomic(struct node *) top;
int popped[4];
void push(int value)
{
    struct node *n = malloc(sizeof *n), *t = atomic_load(&top);
    n->value = value;
    do { n->next = t; } while (!atomic_compare_exchange_weak(&top, &t, n));
}
int pop(void)
{
    struct node *t = atomic_load(&top), *next;
    do {
        if (!t) return 0;
        next = t->next;
    } while (!atomic_compare_exchange_weak(&top, &t, next));
    int value = t->value;
    #ifdef BUG
    free(t);
    #endif
    return value;
}
void *other(void *arg)
{
    int x = pop(), y = pop();
    if (x) popped[x]++;
    if (y) popped[y]++;
    push(3);
    return 0;
}
int main(void)
{
    pthread_t t;
    push(1); push(2);
    pthread_create(&t, 0, other, 0);
    int x = pop();
    if (x) popped[x]++;
    pthread_join(t, 0);
    for (int i = 0; i < 3; i++) { x = pop(); if (x) popped[x]++; }
    assert(popped[1] <= 1 && popped[2] <= 1);
    return 0;
}
"""
"""Treiber's stack without tags: a node that is freed while another thread is about to compare with its address."""


def verified(folder: Path, text: str, **parameters: Any) -> Outcome:
    path = folder / "program.c"
    path.write_text(HEAD + text, encoding="utf-8")
    return cseq.verify(path, **parameters)


def assert_nothing_wrong(outcome: Outcome) -> None:
    """The verdict is TRUE, but for the number of rounds."""
    if outcome.verdict is not Verdict.TRUE:
        assert outcome.verdict is Verdict.UNKNOWN, outcome.violated
        assert [bound.kind for bound in outcome.bounds] == ["rounds"]


@needs_engine
@pytest.mark.parametrize("bug", [True, False], ids=["bug", "twin"])
def test_a_stack_that_frees_its_nodes_is_wrong_by_default(tmp_path: Path, bug: bool) -> None:
    outcome = verified(tmp_path, STACK, define=("BUG",) if bug else ())
    assert outcome.verdict is (Verdict.FALSE if bug else Verdict.TRUE), outcome.bounds


@needs_engine
@pytest.mark.parametrize("engine", ["6.6", "5.12", "native"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_both_families_and_both_versions_of_cbmc_agree(name: str, engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: dict[str, Any] = {"backend": "cbmc", "rounds": 2}
    if engine == "native":
        chosen = {"chain": "explicit"}
    elif not (path := engines_folder() / f"cbmc-{engine}" / "bin" / "cbmc").is_file():
        pytest.skip(f"CBMC {engine} is not installed (setup/provide-cbmc)")
    else:
        monkeypatch.setenv("CSEQ_CBMC", str(path))
    path = CONFORMANCE / f"{name}.c"
    failing = next(number for number, line in enumerate(path.read_text().splitlines(), 1) if line.endswith("// FAIL"))
    bug = cseq.verify(path, define=("BUG",), **chosen)
    assert bug.verdict is Verdict.FALSE
    assert bug.violated is not None and bug.violated.origin is not None and bug.violated.origin.line == failing
    assert_nothing_wrong(cseq.verify(path, **chosen))


BY_ANOTHER = """\
int *shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *replace(void *arg)
{
    pthread_mutex_lock(&lock);
    free(shared);
    shared = malloc(sizeof *shared);
    *shared = 2;
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    pthread_t t;
    shared = malloc(sizeof *shared);
    *shared = 1;
    int *mine = shared;
    pthread_create(&t, 0, replace, 0);
    pthread_mutex_lock(&lock);
    if (shared == mine) assert(*shared == 1 || CLAIM);
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    return 0;
}
"""


@needs_engine
@pytest.mark.parametrize("family", FAMILIES)
def test_what_another_thread_frees_and_allocates_may_come_back(tmp_path: Path, family: str) -> None:
    for claim, verdict in (("0", Verdict.FALSE), ("*shared == 2", Verdict.TRUE)):
        rounds = {"rounds": 2} if family == "cbmc" else {}
        outcome = verified(tmp_path, BY_ANOTHER.replace("CLAIM", claim), backend=family, **rounds)
        if verdict is Verdict.TRUE:
            assert_nothing_wrong(outcome)
        else:
            assert outcome.verdict is verdict, (claim, outcome.bounds)


OLD_AND_NEW = """\
int main(void)
{
    int *old = malloc(sizeof *old), *new;
    free(old);
    new = BLOCK;
    assert(CLAIM);
    return 0;
}
"""


@needs_engine
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("block", ["malloc(sizeof *new)", "calloc(1, sizeof *new)"])
def test_a_block_may_come_back_and_need_not(tmp_path: Path, family: str, block: str) -> None:
    for claim in ("old != new", "old == new"):
        text = OLD_AND_NEW.replace("BLOCK", block).replace("CLAIM", claim)
        assert verified(tmp_path, text, backend=family).verdict is Verdict.FALSE, claim


@needs_engine
@pytest.mark.parametrize("family", FAMILIES)
def test_blocks_that_exist_at_the_same_time_differ(tmp_path: Path, family: str) -> None:
    text = OLD_AND_NEW.replace("free(old);", "").replace("BLOCK", "malloc(4)").replace("CLAIM", "old != new")
    assert verified(tmp_path, text.replace("return", "free(old); return"), backend=family).verdict is Verdict.TRUE


def test_memory_that_comes_back_again_and_again_is_a_finite_search(tmp_path: Path) -> None:
    text = """\
    int *shared;
    void *worker(void *arg) { while (1) { int *p = malloc(4); if (p == shared) *p = 1; free(p); } }
    int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_join(t, 0); return 0; }
    """
    assert verified(tmp_path, text, backend="native").verdict is Verdict.TRUE


def test_a_stale_access_is_no_proof_and_hides_no_bug(tmp_path: Path) -> None:
    text = """\
    int main(void)
    {
        int *old = malloc(sizeof *old), *new;
        *old = 1;
        free(old);
        new = malloc(sizeof *new);
        *new = 2;
        if (old != new) assert(*old == VALUE);
        return 0;
    }
    """
    outcome = verified(tmp_path, text.replace("VALUE", "1"), backend="native")
    assert outcome.verdict is Verdict.UNKNOWN
    assert [bound_text(bound) for bound in outcome.bounds] == [
        f"{tmp_path}/program.c:12: `*old` is accessed, where nothing is allocated (see --memsafety)"
    ]
    assert verified(tmp_path, text.replace("VALUE", "2"), backend="native").verdict is Verdict.FALSE


@needs_engine
def test_more_blocks_than_are_followed_are_a_bound(tmp_path: Path) -> None:
    text = """\
    int main(void)
    {
        int *old[6], *new;
        for (int i = 0; i < 6; i++) old[i] = malloc(sizeof(int));
        for (int i = 0; i < 6; i++) free(old[i]);
        for (int i = 0; i < 6; i++) { new = malloc(sizeof(int)); if (new == old[5]) *new = 1; }
        return 0;
    }
    """
    outcome = verified(tmp_path, text, backend="cbmc", unwind=7)
    assert outcome.verdict is Verdict.UNKNOWN
    assert "more freed blocks wait to be allocated again than are followed" in map(bound_text, outcome.bounds)


def test_a_thread_that_was_joined_twice_is_a_misuse_where_its_identifier_does_not_come_back(tmp_path: Path) -> None:
    text = """\
    void *work(void *arg) { return 0; }
    int main(void)
    {
        pthread_t first, second;
        pthread_create(&first, 0, work, 0);
        pthread_join(first, 0);
        pthread_create(&second, 0, work, 0);
        if (pthread_equal(first, second)) return 0;
        pthread_join(first, 0);
        return 0;
    }
    """
    outcome = verified(tmp_path, text, backend="native")
    assert outcome.verdict is Verdict.FALSE and outcome.violated is not None
    assert description(outcome.violated) == "pthread_join: the thread has already been joined"


OTHER_SIZE = """\
int main(void)
{
    char *p = malloc(8);
    unsigned long old = (unsigned long)p;
    free(p);
    p = malloc(SIZE);
    assert((unsigned long)p != old CLAIM);
    free(p);
    return 0;
}
"""


@needs_engine
@pytest.mark.parametrize("backend", ["native", "cbmc"])
def test_a_block_of_another_size_at_an_old_address_is_a_bound(tmp_path: Path, backend: str) -> None:
    text = OTHER_SIZE.replace("SIZE", "24").replace("CLAIM", "")
    outcome = verified(tmp_path, text, backend=backend)
    assert outcome.verdict is Verdict.UNKNOWN
    assert Limit.OTHER_SIZE in [bound.cut.limit for bound in outcome.bounds]
    text = OTHER_SIZE.replace("SIZE", "8").replace("CLAIM", "")
    assert verified(tmp_path, text, backend="native").verdict is Verdict.FALSE
    text = OTHER_SIZE.replace("SIZE", "8").replace("CLAIM", "|| 1")
    assert verified(tmp_path, text, backend="native").verdict is Verdict.TRUE
