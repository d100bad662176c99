"""Deadlocks by the chain that is guessed on the fly: programs, and their twins that have none."""

from typing import NamedTuple

import pytest

from cseq.api import run
from cseq.model.verdict import Outcome, Verdict
from cseq.pipeline.chain import load
from cseq.portfolio.families import Configuration
from cseq.report.words import bound_text, description
from tests.support.checkout import ROOT

HEAD = """\
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, c = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER, r;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
pthread_spinlock_t s, t;
mtx_t m, n;
int go, x;
#define LOCK(mutex) pthread_mutex_lock(&mutex);
#define UNLOCK(mutex) pthread_mutex_unlock(&mutex);
#define TWO(first, second) LOCK(first) LOCK(second) x++; UNLOCK(second) UNLOCK(first)
#define RECURSIVE(mutex) pthread_mutexattr_t kind; pthread_mutexattr_init(&kind); \\
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&mutex, &kind);
"""


class Pair(NamedTuple):
    """A program with a deadlock and its twin: the bodies of the threads, and what main does before, and then itself."""

    bad: tuple[str, ...]
    good: tuple[str, ...]
    rounds: int = 2
    before: str = ""
    itself: tuple[str, str] = ("", "")


ORDERED = "TWO(a, b)"
REVERSED = "TWO(b, a)"

PAIRS = {
    "two mutexes in reverse order": Pair((ORDERED, REVERSED), (ORDERED, ORDERED)),
    "three threads in a circle": Pair(
        ("TWO(a, b)", "TWO(b, c)", "TWO(c, a)"), ("TWO(a, b)", "TWO(b, c)", "TWO(a, c)"), 3
    ),
    # The chain grows in the order of the circle: here that is the order in which the threads run in a round.
    "three threads in a circle the other way round": Pair(
        ("TWO(a, b)", "TWO(c, a)", "TWO(b, c)"), ("TWO(a, b)", "TWO(a, c)", "TWO(b, c)"), 2
    ),
    "a gate lock": Pair(
        (f"LOCK(gate) {ORDERED} UNLOCK(gate)", REVERSED),
        (f"LOCK(gate) {ORDERED} UNLOCK(gate)", f"LOCK(gate) {REVERSED} UNLOCK(gate)"),
        3,
    ),
    "the first lock is released in between": Pair(
        ("LOCK(a) x++; UNLOCK(a) LOCK(a) LOCK(b) UNLOCK(b) UNLOCK(a)", REVERSED),
        ("LOCK(a) x++; UNLOCK(a) LOCK(b) UNLOCK(b)", REVERSED),
        3,
    ),
    "another thread is blocked, and in no circle": Pair(
        (ORDERED, "LOCK(a) UNLOCK(a)", REVERSED), (ORDERED, "LOCK(a) UNLOCK(a)", ORDERED)
    ),
    "another thread has to go on": Pair(
        ("LOCK(a) if (go) { LOCK(b) UNLOCK(b) } UNLOCK(a)", REVERSED, "go = x == 0;"),
        ("LOCK(a) if (go) { LOCK(b) UNLOCK(b) } UNLOCK(a)", REVERSED, "go = x < 0;"),
        3,
    ),
    "main is one of them": Pair((ORDERED,), (ORDERED,), itself=(REVERSED, ORDERED)),
    "main joins before": Pair((ORDERED,), (ORDERED,), itself=(REVERSED, "pthread_join(h[0], 0); return 0;" + REVERSED)),
    "a normal mutex is locked again": Pair(
        ("LOCK(a) LOCK(a) UNLOCK(a)",), ("LOCK(r) LOCK(r) UNLOCK(r) UNLOCK(r)",), 1, "RECURSIVE(r)"
    ),
    "a recursive mutex is still locked when it was unlocked once": Pair(
        ("LOCK(r) LOCK(r) x++; UNLOCK(r) LOCK(b) UNLOCK(b) UNLOCK(r)", "TWO(b, r)"),
        ("LOCK(r) LOCK(r) x++; UNLOCK(r) UNLOCK(r) LOCK(b) UNLOCK(b)", "TWO(b, r)"),
        3,
        "RECURSIVE(r)",
    ),
    "a lock that was tried": Pair(
        ("if (pthread_mutex_trylock(&a) == 0) { LOCK(b) UNLOCK(b) UNLOCK(a) }", REVERSED),
        (ORDERED, "LOCK(b) if (pthread_mutex_trylock(&a) == 0) { x++; UNLOCK(a) } UNLOCK(b)"),
    ),
    "a lock that waking up takes again": Pair(
        ("LOCK(b) LOCK(a) if (!go) pthread_cond_wait(&changed, &a); UNLOCK(a) UNLOCK(b)",
         "LOCK(a) go = 1; pthread_cond_signal(&changed); LOCK(b) UNLOCK(b) UNLOCK(a)"),
        ("LOCK(a) if (!go) pthread_cond_wait(&changed, &a); UNLOCK(a) LOCK(b) UNLOCK(b)",
         "LOCK(a) go = 1; pthread_cond_signal(&changed); LOCK(b) UNLOCK(b) UNLOCK(a)"),
    ),
    "a lock that a wait lets go": Pair(
        ("LOCK(a) LOCK(c) if (!go) pthread_cond_wait(&changed, &c); UNLOCK(c) LOCK(b) UNLOCK(b) UNLOCK(a)",
         "LOCK(b) LOCK(c) go = 1; pthread_cond_signal(&changed); UNLOCK(c) LOCK(a) UNLOCK(a) UNLOCK(b)"),
        ("LOCK(a) if (!go) pthread_cond_wait(&changed, &a); UNLOCK(a) LOCK(b) UNLOCK(b)",
         "LOCK(b) LOCK(a) go = 1; pthread_cond_signal(&changed); UNLOCK(a) UNLOCK(b)"),
    ),
    "spin locks": Pair(
        ("pthread_spin_lock(&s); pthread_spin_lock(&t); pthread_spin_unlock(&t); pthread_spin_unlock(&s);",
         "pthread_spin_lock(&t); pthread_spin_lock(&s); pthread_spin_unlock(&s); pthread_spin_unlock(&t);"),
        ("pthread_spin_lock(&s); pthread_spin_lock(&t); pthread_spin_unlock(&t); pthread_spin_unlock(&s);",
         "pthread_spin_lock(&t); pthread_spin_unlock(&t); pthread_spin_lock(&s); pthread_spin_unlock(&s);"),
        2, "pthread_spin_init(&s, 0); pthread_spin_init(&t, 0);",
    ),
    "a mutex and a mutex of C11": Pair(
        ("LOCK(a) mtx_lock(&m); mtx_unlock(&m); UNLOCK(a)", "mtx_lock(&m); LOCK(a) UNLOCK(a) mtx_unlock(&m);"),
        ("LOCK(a) mtx_lock(&m); mtx_unlock(&m); UNLOCK(a)", "LOCK(a) UNLOCK(a) mtx_lock(&m); mtx_unlock(&m);"),
        2, "mtx_init(&m, mtx_plain);",
    ),
    "one spin lock and one mutex": Pair(
        ("LOCK(a) pthread_spin_lock(&s); pthread_spin_unlock(&s); UNLOCK(a)",
         "pthread_spin_lock(&s); LOCK(a) UNLOCK(a) pthread_spin_unlock(&s);"),
        ("LOCK(a) if (pthread_spin_trylock(&s) == 0) pthread_spin_unlock(&s); UNLOCK(a)",
         "pthread_spin_lock(&s); LOCK(a) UNLOCK(a) pthread_spin_unlock(&s);"),
        2, "pthread_spin_init(&s, 0);",
    ),
}  # fmt: skip


def program(threads: tuple[str, ...], before: str = "", itself: str = "") -> str:
    """A C program whose main starts threads with these bodies and then does something itself."""
    starts = "".join(f"void *start{n}(void *p) {{ {body} return 0; }}\n" for n, body in enumerate(threads))
    created = " ".join(f"pthread_create(&h[{n}], 0, start{n}, 0);" for n in range(len(threads)))
    joined = " ".join(f"pthread_join(h[{n}], 0);" for n in range(len(threads)))
    return (
        f"{HEAD}{starts}int main(void)\n{{\n    pthread_t h[{len(threads)}]; {before}\n    {created}\n    {itself}\n"
        f"    {joined}\n    return 0;\n}}\n"
    )


@pytest.fixture
def searched(tmp_path):
    """``searched(text, chain, rounds=…)``: the outcome of one search for deadlocks in a program."""

    def search(text: str, chain: str = "guessed-chain", **parameters) -> Outcome:
        path = tmp_path / "program.c"
        path.write_text(text, encoding="utf-8")
        loaded = load(chain)
        loaded.planner = None  # no other property is asked for
        return run(Configuration(loaded, loaded.values({"property": "no-deadlock", **parameters})), [path])

    return search


@pytest.mark.parametrize("name", PAIRS)
def test_a_deadlock_is_found(searched, name):
    pair = PAIRS[name]
    outcome = searched(program(pair.bad, pair.before, pair.itself[0]), rounds=pair.rounds)
    assert outcome.verdict is Verdict.FALSE, outcome
    assert outcome.violated.name == "deadlock"
    assert all(stuck.in_circle for stuck in outcome.counterexample.stuck)


@pytest.mark.parametrize("name", PAIRS)
def test_its_twin_has_none(searched, name):
    pair = PAIRS[name]
    outcome = searched(program(pair.good, pair.before, pair.itself[1]), rounds=pair.rounds + 1)
    assert outcome.verdict is Verdict.UNKNOWN
    assert outcome.reason.name == "BOUNDED"


@pytest.mark.parametrize("name", PAIRS)
def test_the_search_in_the_last_state_agrees(searched, name):
    pair = PAIRS[name]
    outcome = searched(program(pair.bad, pair.before, pair.itself[0]), "lazy", rounds=pair.rounds)
    assert outcome.verdict is Verdict.FALSE
    outcome = searched(program(pair.good, pair.before, pair.itself[1]), "lazy", rounds=pair.rounds)
    assert outcome.verdict is not Verdict.FALSE


FILES = ROOT / "sv-benchmarks" / "deadlock"

BENCHMARKS = {
    # programs whose deadlock is a circle of locks: rounds in which both searches find it
    "gate_lock": 2, "lock_order_array": 2, "lock_order_functions": 2, "lock_order_pointers": 2,
    "philosophers_two": 2, "recursive_relock": 1, "spinlock_order": 2, "three_way_cycle": 3, "trylock_backoff": 3,
}  # fmt: skip


@pytest.mark.parametrize("chain", ["lazy", "guessed-chain"])
@pytest.mark.parametrize(("name", "rounds"), BENCHMARKS.items())
def test_the_searches_agree_on_circles_of_locks(searched, name, rounds, chain):
    task = (FILES / f"{name}_bad.yml").read_text(encoding="utf-8")
    unwind, bits = int(task.partition("unwind: ")[2]), 32 if "ILP32" in task else 64
    for twin, wanted in (("bad", 1), ("good", 0)):
        text = (FILES / f"{name}_{twin}.c").read_text(encoding="utf-8")
        assert searched(text, chain, rounds=rounds, unwind=unwind, bits=bits).exit_status == wanted, twin


def test_both_searches_say_the_same_words(searched):
    text = program((ORDERED, REVERSED))
    lazy, guessed = searched(text, "lazy", rounds=2), searched(text, rounds=2)
    said, says = (description(each.violated).split("; ") for each in (lazy, guessed))
    assert said[:2] == says[:2] and len(said[:2]) == 2
    assert said[0].startswith("deadlock: start0 (thread 1) holds `a` since ")
    assert all(part.startswith("main waits at ") for part in said[2:] + says[2:])  # it may have got there


def test_nothing_is_proved(searched):
    """Where the contexts cover all schedules there are still the deadlocks that are no circles of threads."""
    outcome = searched(program(("LOCK(a) x++; UNLOCK(a)",)), rounds=20)
    assert outcome.verdict is Verdict.UNKNOWN
    assert [bound.kind for bound in outcome.bounds] == ["property"]
    assert bound_text(outcome.bounds[0]) == (
        "of the deadlocks, only circles of threads that hold each other's mutexes or spin locks are looked for"
    )


@pytest.mark.parametrize(
    "threads", [("LOCK(a) x++;", "LOCK(a) UNLOCK(a)"), ("LOCK(a) pthread_cond_wait(&changed, &a); UNLOCK(a)",)]
)
def test_what_is_no_circle_is_for_the_other_search(searched, threads):
    assert searched(program(threads), "lazy", rounds=2).verdict is Verdict.FALSE
    assert searched(program(threads), rounds=2).verdict is Verdict.UNKNOWN


def test_a_chain_never_needs_more_rounds_than_it_has_threads(searched):
    """In the one direction of the circle each thread can only join a round after the one before it."""
    philosophers = ("TWO(a, b)", "TWO(b, c)", "TWO(c, a)")
    assert searched(program(philosophers), rounds=2).verdict is Verdict.UNKNOWN
    assert searched(program(philosophers), rounds=3).verdict is Verdict.FALSE
    assert searched(program(philosophers), "lazy", rounds=1).verdict is Verdict.FALSE


def test_without_the_option_the_chain_is_as_the_lazy_one(tmp_path):
    path = tmp_path / "program.c"
    path.write_text("#include <assert.h>\nint main(void) { assert(0); return 0; }\n", encoding="utf-8")
    loaded = load("guessed-chain")
    assert run(Configuration(loaded, loaded.values({})), [path]).violated.name == "assertion"
