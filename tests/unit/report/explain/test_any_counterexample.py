"""Counterexamples that no program has: whatever the steps are, there are lanes and a paragraph."""

from hypothesis import given, settings
from hypothesis import strategies as st

from cseq.model.actions import ActionKind, Manner, Mode
from cseq.model.claims import Claim, Kind, Memory, MemoryState, Object, Reason, misuse
from cseq.model.origin import CallSite, Origin
from cseq.model.trace import Access, Action, Counterexample, Step, Thread
from cseq.model.verdict import Outcome, Property, Verdict
from cseq.report.explain.paragraph import explain
from tests.support.explained import check_explanation, check_lanes

THREADS = [Thread(0, "main"), Thread(1, "work"), Thread(2, "work"), Thread(3, "other")]
SOURCES = [
    "x = y + 1;", "if (x == y)", "while (!x)", "pthread_mutex_lock(&m);", "f(&y);", "return x;", "assert(x == y);", "",
]  # fmt: skip
KINDS = [kind for kind in ActionKind if not kind.has_thread]
ABOUT_THREADS = [kind for kind in ActionKind if kind.has_thread]
CLAIMS = [
    Claim(Kind.ASSERTION, subject="x == y"),
    Claim(Kind.REACHABILITY, Reason.CALLED, function="reach_error"),
    Claim(Kind.LTL, subject="F x"),
    misuse("pthread_mutex_lock", Object.MUTEX, Reason.DESTROYED),
    misuse("pthread_mutex_lock", Object.MUTEX, Reason.UNINITIALISED),
    misuse("pthread_join", Object.THREAD, Reason.NONE_CREATED),
    misuse("pthread_cond_wait", Object.MUTEX, Reason.WAITS_UNLOCKED),
    Claim(Kind.MEMSAFETY, Reason.READ, "*p", memory=Memory(MemoryState.FREED, Origin("a.c", 3))),
    Claim(Kind.MEMSAFETY, Reason.READ, "*p", memory=Memory(MemoryState.ENDED, Origin("b.c", 4))),
]

values = st.sampled_from(["0", "1", "NULL"])
accesses = st.builds(
    Access, st.sampled_from(["read", "write", "undefined"]), st.sampled_from(["x", "y", "*p", "a[i]", "f()"]), values,
    st.booleans(), st.sampled_from([0, 64, 72]),
)  # fmt: skip
actions = st.one_of(
    st.builds(
        Action,
        st.sampled_from(KINDS),
        st.sampled_from(["m", "c"]),
        st.none(),
        st.sampled_from([0, 96, 104]),
        st.sampled_from(Manner),
        st.sampled_from(Mode),
    ),
    st.builds(Action, st.sampled_from(ABOUT_THREADS), st.just(""), st.sampled_from([*THREADS, None])),
)
paths = st.lists(st.builds(CallSite, st.just("g"), st.just("a.c"), st.integers(1, 9)), max_size=2).map(tuple)
numbers = st.lists(st.integers(1, 9), max_size=2).map(tuple)
places = st.builds(
    Origin, st.sampled_from(["a.c", "b.c"]), st.integers(1, 9), st.just(0), st.sampled_from(["f", None]),
    paths, numbers, numbers, numbers,
)  # fmt: skip
"""Without strategies of hypothesis for texts, which need a table of Unicode."""
steps = st.builds(
    Step,
    st.sampled_from(THREADS),
    places,
    st.sampled_from(SOURCES),
    st.lists(accesses, max_size=3),
    st.lists(actions, max_size=3),
    st.just(False),
    st.lists(st.sampled_from(THREADS[1:]), max_size=1),
    st.lists(values, max_size=1),
)


@settings(max_examples=30, deadline=None)
@given(st.lists(steps, min_size=1, max_size=12), st.sampled_from(CLAIMS), st.booleans())
def test_any_counterexample_has_lanes_and_a_paragraph(made: list[Step], claim: Claim, endless: bool) -> None:
    shown = Counterexample(made, THREADS, cycle=len(made) // 2 if endless else None)
    found = Outcome(Verdict.FALSE, violated=Property(claim, made[-1].origin), counterexample=shown)
    check_lanes(found, (150,))
    check_explanation(found)
    assert explain(found)
