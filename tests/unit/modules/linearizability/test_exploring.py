"""Scenarios that are explored: what is right and what is wrong, by the question that finds it."""

from pathlib import Path

import pytest

from cseq.model.errors import BackendError
from cseq.modules.linearizability.exploring import MEMORY, PROGRESS, RACES, RESULTS, Explorer, ScenarioAnswer
from cseq.modules.linearizability.grammar import parsed
from cseq.modules.linearizability.results import kinds
from cseq.modules.linearizability.scenario_programs import ScenarioFrame, declarations
from cseq.modules.linearizability.scenarios import scenarios
from cseq.portfolio.families import EXPLICIT, Families

pytestmark = pytest.mark.engine


def first_violation(
    folder: Path, code: str, specification: str, size: tuple[int, int], *questions: str, model: str = ""
) -> ScenarioAnswer | None:
    """The first scenario with a violation, if there is one; all others are complete."""
    (folder / "code.c").write_text(code)
    (folder / "code.h").write_text("")
    text = f'files "code.c"; {specification}'
    if model:
        (folder / "model.c").write_text(model)
        (folder / "code.h").write_text(model[: model.index("//")])
        text = f'header "code.h"; model "model.c"; {text}'
    structure = parsed(text, str(folder / "test.cseq"))
    frame = ScenarioFrame(structure, kinds(declarations(structure), structure.all_calls, folder), *size)
    chain = Families().chains[EXPLICIT]
    explorer = Explorer(frame, chain, chain.values({"backend": "native"}), questions or (RESULTS,), folder, 1000)
    explorer.build()
    for scenario in scenarios(structure, [size]):
        answer = explorer.explore(scenario, 100)
        if answer.violation is not None:
            return answer
        assert not answer.gap
    return None


COUNTER = "int n; int next(void) {{ {before} int old = n; n = old + 1; {after} return old; }}"
LOCK = {"before": "pthread_mutex_lock(&m);", "after": "pthread_mutex_unlock(&m);"}
MUTEX = "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"


def test_a_lost_update_is_unexplained_and_a_lock_mends_it(tmp_path: Path) -> None:
    specification = "operation next();"
    found = first_violation(tmp_path, COUNTER.format(before="", after=""), specification, (2, 1))
    assert found is not None
    assert found.violation is not None
    assert (found.violation.kind, [one.result for one in found.violation.returned]) == ("unexplained", [0, 0])
    assert first_violation(tmp_path, MUTEX + COUNTER.format(**LOCK), specification, (2, 2)) is None


# A write that stays in the thread's own buffer: others may read the old value after it has returned.
BUFFERED = """
int written[2], full[2], shared;
void put(int t) { written[t] = 1; full[t] = 1; }
int get(int t) { return full[t] ? written[t] : shared; }
"""
REGISTER = """void put(int t); int get(int t);
//
int shared; void put(int t) { shared = 1; } int get(int t) { return shared; }
"""
PUT_GET = "operation put(CSEQ_THREAD); operation get(CSEQ_THREAD);"


@pytest.mark.parametrize(
    ("consistency", "calls", "is_right"),
    [("linearizable", 1, False), ("quiescent", 1, False), ("sequential", 1, True), ("sequential", 2, False)],
)
def test_what_a_buffer_of_writes_is(tmp_path: Path, consistency: str, calls: int, is_right: bool) -> None:
    """With two calls each, both threads write and then read nothing of the other: no order explains that either."""
    code = (
        BUFFERED
        if calls == 1
        else BUFFERED.replace("return full[t] ? written[t] : shared", "return full[!t] ? 0 : shared")
    )
    specification = f"consistency {consistency}; {PUT_GET}"
    found = first_violation(tmp_path, code, specification, (2, calls), model=REGISTER)
    assert (found is None) == is_right


# Of two values that are put while the same slow call goes on, the later one comes first.
HASTY = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int values[4], at[4], count, busy, calls;
void slow(void) { calls++; busy = 1; busy = 0; }
void put(int v) {
    pthread_mutex_lock(&m);
    at[count] = busy ? calls : 0;
    if (count == 1 && at[0] && at[0] == at[1]) { values[1] = values[0]; values[0] = v; } else values[count] = v;
    count++;
    pthread_mutex_unlock(&m);
}
int first(void) { pthread_mutex_lock(&m); int v = count > 1 ? values[0] : 0; pthread_mutex_unlock(&m); return v; }
"""


@pytest.mark.parametrize(("consistency", "is_right"), [("linearizable", False), ("quiescent", True)])
def test_quiescent_consistency_lets_calls_of_a_thread_overtake(
    tmp_path: Path, consistency: str, is_right: bool
) -> None:
    specification = (
        f"consistency {consistency}; operation put({{1..2}}) by a; operation first() by a; operation slow() by b;"
    )
    assert (first_violation(tmp_path, HASTY, specification, (2, 3)) is None) == is_right


@pytest.mark.parametrize(("code", "is_right"), [("return thread;", True), ("return !thread;", False)])
def test_operations_know_their_thread_in_quiescent_orders(tmp_path: Path, code: str, is_right: bool) -> None:
    """Each call is a thread of its own there, and has the number of the scenario's thread all the same."""
    specification = "consistency quiescent; operation who(CSEQ_THREAD);"
    model = "int who(int thread);\n//\nint who(int thread) { return thread; }\n"
    found = first_violation(tmp_path, f"int who(int thread) {{ {code} }}", specification, (2, 2), model=model)
    assert (found is None) == is_right


BOX = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int full;
void put(void) {{ pthread_mutex_lock(&m); full++; {signal} pthread_mutex_unlock(&m); }}
void take(void) {{ pthread_mutex_lock(&m); while (!full) pthread_cond_wait(&c, &m); full--; pthread_mutex_unlock(&m); }}
"""


def test_a_call_may_wait_where_it_would_wait_alone(tmp_path: Path) -> None:
    specification = "operation put(); operation take();"
    right = BOX.format(signal="pthread_cond_signal(&c);")
    assert first_violation(tmp_path, right, specification, (2, 2)) is None
    found = first_violation(tmp_path, BOX.format(signal=""), specification, (2, 2))
    assert found is not None
    assert found.violation is not None
    assert found.violation.kind == "deadlock"
    assert found.scenario.threads == ((1,), (2,))


def test_memory_and_leaks(tmp_path: Path) -> None:
    code = "#include <stdlib.h>\nint *p; void make(void) {{ {check} p = malloc(4); }} void end(void) {{ free(p); }}"
    specification = "operation make(); teardown end();"
    found = first_violation(tmp_path, code.format(check=""), specification, (2, 1), MEMORY)
    assert found is not None
    assert found.violation is not None
    assert (found.violation.question, found.violation.is_sequential) == (MEMORY, False)
    once = "#include <stdlib.h>\nint *p; void make(void) { if (!p) free(malloc(4)); } void end(void) { free(p); }"
    assert first_violation(tmp_path, once, specification, (2, 1), MEMORY) is None
    kept = code.format(check="")  # nothing gives memory back, which is not asked for then
    assert first_violation(tmp_path, kept, "operation make();", (2, 1), MEMORY) is None


def test_memory_that_one_thread_uses_wrongly(tmp_path: Path) -> None:
    """The sequential orders cannot be followed, which is no reason not to ask for memory."""
    code = (
        "#include <stdlib.h>\nint *p; void make(void) { p = malloc(4); *p = 1; } int get(void) { free(p); return *p; }"
    )
    specification = "setup make(); operation get();"
    found = first_violation(tmp_path, code, specification, (2, 1), RESULTS, MEMORY)
    assert found is not None
    assert found.violation is not None
    assert found.violation.question == MEMORY


def test_races(tmp_path: Path) -> None:
    specification = "operation next();"
    found = first_violation(tmp_path, COUNTER.format(before="", after=""), specification, (2, 1), RACES)
    assert found is not None
    assert found.violation is not None
    assert found.violation.kind == "race"
    assert first_violation(tmp_path, MUTEX + COUNTER.format(**LOCK), specification, (2, 1), RACES) is None


ATOMIC = """
#include <stdatomic.h>
atomic_int n;
int next(void) { int old = n; while (!atomic_compare_exchange_strong(&n, &old, old + 1)); return old; }
"""
SPIN = """
#include <stdatomic.h>
atomic_int l; int n;
int next(void) { while (atomic_exchange(&l, 1)); int old = n++; l = 0; return old; }
"""


def test_a_thread_that_stops_with_a_lock_stops_others(tmp_path: Path) -> None:
    assert first_violation(tmp_path, ATOMIC, "operation next();", (2, 1), RESULTS, PROGRESS) is None
    for code in (SPIN, MUTEX + COUNTER.format(**LOCK)):
        assert first_violation(tmp_path, code, "operation next();", (2, 1), RESULTS) is None
        found = first_violation(tmp_path, code, "operation next();", (2, 1), PROGRESS)
        assert found is not None
        assert found.violation is not None
        assert found.violation.kind == "trap"
        assert found.violation.stopped in (0, 1)


def test_what_is_wrong_with_one_thread(tmp_path: Path) -> None:
    code = "#include <assert.h>\nint n; void twice(void) { assert(n++ == 0); }"
    found = first_violation(tmp_path, code, "operation twice();", (2, 1))
    assert found is not None
    assert found.violation is not None
    assert found.violation.is_sequential


def test_programs_that_take_too_long_to_build_are_given_up(tmp_path: Path) -> None:
    (tmp_path / "code.c").write_text(COUNTER.format(before="", after=""))
    structure = parsed('files "code.c"; operation next();', str(tmp_path / "test.cseq"))
    frame = ScenarioFrame(structure, kinds(declarations(structure), structure.all_calls, tmp_path), 2, 1)
    chain = Families().chains[EXPLICIT]
    explorer = Explorer(frame, chain, chain.values({"backend": "native"}), [RESULTS], tmp_path, 1000)
    with pytest.raises(BackendError, match="--time gives more"):
        explorer.build(1, 0.0)
