"""Scenarios under the memory orders of C11: right structures and wrong ones."""

from pathlib import Path

import pytest

import cseq
from cseq.model.verdict import Verdict
from cseq.modules.linearizability.exploring import MEMORY, PROGRESS, RACES, RESULTS, UNORDERED, Explorer, ScenarioAnswer
from cseq.modules.linearizability.grammar import parsed
from cseq.modules.linearizability.histories import OrderTree
from cseq.modules.linearizability.results import kinds
from cseq.modules.linearizability.scenario_programs import ReturnedCall, ScenarioFrame, declarations, example
from cseq.modules.linearizability.scenarios import Scenario, scenarios
from cseq.portfolio.families import EXPLICIT, GRAPHS, Families

pytestmark = pytest.mark.engine

HEAD = "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"


def explorer(
    folder: Path, code: str, specification: str, size: tuple[int, int], *questions: str, always: bool = False
) -> Explorer:
    """The explorer of a structure, with its programs."""
    (folder / "code.c").write_text(HEAD + code)
    structure = parsed(f'files "code.c"; {specification}', str(folder / "test.cseq"))
    frame = ScenarioFrame(structure, kinds(declarations(structure), structure.all_calls, folder), *size)
    chains = Families().chains
    made = Explorer(
        frame, chains[EXPLICIT], chains[EXPLICIT].values({"backend": "native"}), questions or (RESULTS,), folder, 1000,
        weak_chain=chains[GRAPHS], always=always,
    )  # fmt: skip
    made.build()
    return made


def answers(made: Explorer) -> list[ScenarioAnswer]:
    """The answers until the first violation."""
    frame = made.frame
    found: list[ScenarioAnswer] = []
    for scenario in scenarios(frame.structure, [(frame.threads, frame.calls)]):
        found.append(made.explore(scenario, 100))
        if found[-1].violation is not None:
            break
    return found


def violation(found: list[ScenarioAnswer]) -> tuple[str, str, list[int]] | None:
    """The question and the kind of the violation, and the results; None if all scenarios are explored to their end."""
    bad = found[-1].violation
    if bad is None:
        assert all(one.is_complete for one in found)
        return None
    assert bad.is_weak
    return bad.question, bad.kind, [one.result for one in bad.returned]


MESSAGE = """
static atomic_int data, flag;
void send(void)
{{
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_{release});
}}
int receive(void)
{{
    if (!atomic_load_explicit(&flag, memory_order_acquire))
        return -1;
    return atomic_load_explicit(&data, memory_order_relaxed);
}}
"""


@pytest.mark.parametrize(("release", "is_right"), [("relaxed", False), ("release", True)])
def test_a_message_is_published(tmp_path: Path, release: str, is_right: bool) -> None:
    made = explorer(tmp_path, MESSAGE.format(release=release), "operation send(); operation receive();", (2, 2))
    assert violation(answers(made)) == (None if is_right else (RESULTS, "unexplained", [0, 0]))


BOTH = """
static atomic_int raised[2];
void mark(int me)
{{
    atomic_store_explicit(&raised[me], 1, memory_order_release);
    {fence}
}}
int other(int me) {{ return atomic_load_explicit(&raised[!me], memory_order_acquire); }}
"""
FENCE = "atomic_thread_fence(memory_order_seq_cst);"
MARK = "operation mark(CSEQ_THREAD); operation other(CSEQ_THREAD);"


@pytest.mark.parametrize(
    ("consistency", "fence", "is_right"),
    [
        ("linearizable", "", False),
        ("linearizable", FENCE, True),
        ("sequential", "", False),
        ("sequential", FENCE, True),
        ("quiescent", "", True),
    ],
)
def test_both_threads_miss_the_other(tmp_path: Path, consistency: str, fence: str, is_right: bool) -> None:
    """Calls of a thread may be exchanged for quiescent consistency, as long as another call goes on beside them."""
    made = explorer(tmp_path, BOTH.format(fence=fence), f"consistency {consistency}; {MARK}", (2, 2))
    assert violation(answers(made)) == (None if is_right else (RESULTS, "unexplained", [0, 0, 0, 0]))


SPIN = """
static atomic_int held;
static int count;
int next(void)
{{
    while (atomic_exchange_explicit(&held, 1, memory_order_acquire));
    int old = count++;
    {check}
    atomic_store_explicit(&held, 0, memory_order_{release});
    return old;
}}
"""


@pytest.mark.parametrize(("release", "is_right"), [("relaxed", False), ("release", True)])
def test_data_races_are_violations(tmp_path: Path, release: str, is_right: bool) -> None:
    code = SPIN.format(release=release, check="")
    found = violation(answers(explorer(tmp_path, code, "operation next();", (2, 2))))
    assert found == (None if is_right else (RACES, "race", []))


@pytest.mark.parametrize(("order", "is_right"), [("relaxed", False), ("release", True)])
def test_assertions_in_the_structure(tmp_path: Path, order: str, is_right: bool) -> None:
    code = (
        "#include <assert.h>"
        + f"""
    static atomic_int data, flag;
    void put(void)
    {{
        atomic_store_explicit(&data, 1, memory_order_relaxed);
        atomic_store_explicit(&flag, 1, memory_order_{order});
    }}
    void check(void)
    {{
        if (atomic_load_explicit(&flag, memory_order_acquire))
            assert(atomic_load_explicit(&data, memory_order_relaxed));
    }}
    """
    )
    found = violation(answers(explorer(tmp_path, code, "operation put(); operation check();", (2, 1))))
    assert found == (None if is_right else (RESULTS, "assertion", []))


BOX = """
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static atomic_int full;
void put(void)
{{
    pthread_mutex_lock(&m);
    atomic_fetch_add_explicit(&full, 1, memory_order_relaxed);
    {signal}
    pthread_mutex_unlock(&m);
}}
void take(void)
{{
    pthread_mutex_lock(&m);
    while (!atomic_load_explicit(&full, memory_order_relaxed)) pthread_cond_wait(&c, &m);
    atomic_fetch_sub_explicit(&full, 1, memory_order_relaxed);
    pthread_mutex_unlock(&m);
}}
"""


@pytest.mark.parametrize(("signal", "kind"), [("pthread_cond_signal(&c);", ""), ("", "deadlock")])
def test_a_call_may_wait_where_it_would_wait_alone(tmp_path: Path, signal: str, kind: str) -> None:
    operations = "operation put(); operation take();"
    made = explorer(tmp_path, BOX.format(signal=signal), operations, (2, 1), always=True)
    assert made.graphs is not None
    put, take = ReturnedCall(0, 0, 0), ReturnedCall(1, 0, 0)
    tree = OrderTree({(), (put,), (put, take)})
    assert made.graphs.explore(Scenario(((1,), (2,))), tree, 100, 1000).kind == kind
    taking = OrderTree({()})
    assert made.graphs.explore(Scenario(((2,), (2,))), taking, 100, 1000).kind == ""


@pytest.mark.parametrize("order", ["relaxed", "acquire"])
def test_a_call_that_waits_in_a_loop(tmp_path: Path, order: str) -> None:
    code = f"""
    static atomic_int flag;
    void raise_flag(void) {{ atomic_store_explicit(&flag, 1, memory_order_relaxed); }}
    int wait_for(void) {{ while (!atomic_load_explicit(&flag, memory_order_{order})); return 1; }}
    """
    assert violation(answers(explorer(tmp_path, code, "operation raise_flag(); operation wait_for();", (2, 2)))) is None


# A write that stays in the buffer of its thread, and a call that synchronises.
BUFFERED = """
static int written[2];
static atomic_int touched;
void put(int t) { written[t] = 1; }
int get(int t) { return written[t]; }
void touch(int t) { atomic_exchange_explicit(&touched, 1, memory_order_acq_rel); }
"""


def test_what_happens_before_comes_first(tmp_path: Path) -> None:
    """The calls that synchronise order the others; without them, get may come before put."""
    operations = "operation put(CSEQ_THREAD); operation get(CSEQ_THREAD); operation touch(CSEQ_THREAD);"
    made = explorer(tmp_path, BUFFERED, operations, (2, 2), always=True)
    assert made.graphs is not None
    put, get_0, get_1 = ReturnedCall(0, 0, 0), ReturnedCall(1, 0, 0), ReturnedCall(1, 0, 1)
    apart = OrderTree({(put, get_1), (get_0, put)})
    assert made.graphs.explore(Scenario(((1,), (2,))), apart, 100, 1000).kind == ""

    def calls(order: str) -> list[ReturnedCall]:
        """put and touch of the first thread, touch and get of the second one: p, t, T and g."""
        places = {"p": (0, 0), "t": (0, 1), "T": (1, 0), "g": (1, 1)}
        seen = order.index("p") < order.index("g")
        return [ReturnedCall(*places[each], int(each == "g" and seen)) for each in order]

    known = OrderTree({tuple(calls(order)) for order in ("ptTg", "pTtg", "pTgt", "Tptg", "Tpgt", "Tgpt")})
    scenario = Scenario(((1, 3), (3, 2)))
    found = made.graphs.explore(scenario, known, 100, 1000)
    assert (found.kind, found.history is not None) == ("unexplained", True)
    assert found.history is not None
    assert found.history.before == (((0, 0), (1, 1)),)
    program = example(made.frame, scenario, found.history.returned, found.history.between, weak=True)
    (tmp_path / "example.c").write_text(program)
    outcome = cseq.verify(tmp_path / "example.c", backend="graphs")
    assert outcome.verdict is Verdict.FALSE


def test_what_happens_before_is_a_flag_in_the_example(tmp_path: Path) -> None:
    made = explorer(tmp_path, MESSAGE.format(release="release"), "operation send(); operation receive();", (2, 1))
    returned = (ReturnedCall(0, 0, 0), ReturnedCall(1, 0, -1))
    program = example(made.frame, Scenario(((1,), (2,))), returned, [((0, 0), (1, 0))], weak=True)
    assert "__atomic_store_n(&returned_1_1, 1, __ATOMIC_RELEASE);" in program
    assert "__VERIFIER_assume(__atomic_load_n(&returned_1_1, __ATOMIC_ACQUIRE));" in program
    (tmp_path / "example.c").write_text(program)
    assert (
        cseq.verify(tmp_path / "example.c", backend="graphs").verdict is Verdict.TRUE
    )  # the message cannot be missed then
    assert "__atomic" not in example(made.frame, Scenario(((1,), (2,))), returned, [((0, 0), (1, 0))])


MUTEX = """
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int count;
static atomic_int calls;
int next(void)
{{
    atomic_fetch_add_explicit(&calls, 1, memory_order_{order});
    pthread_mutex_lock(&m);
    int old = count++;
    pthread_mutex_unlock(&m);
    return old;
}}
"""


@pytest.mark.parametrize("order", ["seq_cst", "relaxed"])
def test_programs_that_are_sequentially_consistent_need_no_graphs(tmp_path: Path, order: str) -> None:
    made = explorer(tmp_path, MUTEX.format(order=order), "operation next();", (2, 1))
    assert made.graphs is None
    (answer,) = answers(made)
    assert (answer.violation, answer.executions) == (None, 0)
    (tmp_path / "wanted").mkdir()
    wanted = explorer(tmp_path / "wanted", MUTEX.format(order=order), "operation next();", (2, 1), always=True)
    (answer,) = answers(wanted)
    assert answer.is_complete
    assert answer.executions > 0


NODES = """
static _Atomic(int *) shared;
static void give(int *p) {{ {give} }}
int swap(void)
{{
    int *made = malloc(4), *old;
    *made = 1;
    old = atomic_exchange_explicit(&shared, made, memory_order_acq_rel);
    int seen = old ? *old : 0;
    give(old);
    return seen;
}}
void end(void) {{ free(atomic_load_explicit(&shared, memory_order_relaxed)); }}
"""


@pytest.mark.parametrize(("give", "gap"), [("free(p);", ""), ("(void)p;", "memory that is not freed")])
def test_all_memory_is_freed(tmp_path: Path, give: str, gap: str) -> None:
    made = explorer(tmp_path, NODES.format(give=give), "operation swap(); teardown end();", (2, 1), RESULTS, MEMORY)
    assert made.graphs is not None
    one, other = (tuple(ReturnedCall(thread, 0, k) for k, thread in enumerate(each)) for each in ((0, 1), (1, 0)))
    found = made.graphs.explore(Scenario(((1,), (1,))), OrderTree({one, other}), 100, 1000)
    assert (found.kind, found.refused) == ("", bool(gap))
    assert gap in found.gap
    assert bool(found.gap) is bool(gap)


def test_what_is_not_followed_is_named(tmp_path: Path) -> None:
    code = """
    static struct { int n : 5; } bits;
    static atomic_int calls;
    int next(void) { bits.n = 1; return atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed); }
    """
    (answer,) = answers(explorer(tmp_path, code, "operation next();", (2, 1)))
    assert (answer.violation, answer.gap, answer.is_complete, answer.weak_refused) == (None, "", False, True)
    assert "a bit-field is not followed" in answer.weak_gap
    assert "code.c:7" in answer.weak_gap


def test_lock_freedom_is_left_open(tmp_path: Path) -> None:
    made = explorer(tmp_path, BOTH.format(fence=FENCE), MARK, (2, 1), RESULTS, PROGRESS)
    assert {one.weak_gap for one in answers(made)} == {UNORDERED}
