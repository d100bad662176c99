"""Deepening finds the bugs of sv-benchmarks and proves their twins, from one round and unwinding 1 on."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import cseq
from cseq.api import Functions, run
from cseq.backends.cbmc import BACKEND
from cseq.model.verdict import Outcome, Verdict
from cseq.pipeline.chain import load
from cseq.portfolio.families import Configuration
from tests.support.checkout import ROOT

FOLDER = ROOT / "sv-benchmarks"
PAIRS: dict[str, dict[str, Any]] = {
    "lost_update": {}, "bank_transfer": {}, "check_then_use": {}, "atomic_sections": {}, "continue_do": {},
    "compound_assign": {"bits": 32}, "escaping_pointer": {},
    "deadlock/join_self": {"deadlock": True}, "deadlock/philosophers_two": {"deadlock": True},
    "race/two_locks": {"race": True},
}  # fmt: skip

pytestmark = pytest.mark.skipif(BACKEND.find() is None, reason="no CBMC is installed (setup/provide-cbmc)")


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("twin, verdict", [("bad", Verdict.FALSE), ("good", Verdict.TRUE)])
def test_verdict(pair: str, twin: str, verdict: Verdict) -> None:
    outcome = cseq.verify(FOLDER / f"{pair}_{twin}.c", auto=True, timeout=120, **PAIRS[pair])
    assert outcome.verdict is verdict, outcome.levels
    assert outcome.levels and outcome.levels[-1].verdict is verdict


def test_what_stays_the_same_is_not_translated_again() -> None:
    ran: Counter[str] = Counter()

    def after(name: str, value: Any) -> Any:
        ran[name] += 1
        return value

    chain = load("lazy")
    values = chain.values({"auto": True, "deadlock": True})
    outcome = run(Configuration(chain, values), [FOLDER / "lost_update_good.c"], observer=Functions(made=after))
    assert isinstance(outcome, Outcome) and outcome.verdict is Verdict.TRUE
    levels = len(outcome.levels)
    assert levels == 3
    assert {ran[name] for name in ("merger", "normalise", "control_flow", "thread_local_promotion")} == {1}
    assert {ran[name] for name in ("three_address", "inliner", "unroller", "thread_instances")} == {2}, (
        "once for each property"
    )
    assert ran["sequentializer"] == ran["symbolic/run"] == ran["symbolic/verdict"] == levels


@pytest.mark.parametrize("value, verdict", [(4561, Verdict.FALSE), (4560, Verdict.TRUE)])
def test_a_loop_that_runs_a_bit_too_often(value: int, verdict: Verdict, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(
        "#include <assert.h>\nint main(void)\n{\n  int n = 0;\n  for (int i = 0; i < 96; i++) n += i;\n"
        f"  assert(n == {value});\n  return 0;\n}}\n"
    )
    outcome = cseq.verify(path, auto=True, timeout=120)
    assert outcome.verdict is verdict
    assert [level.bounds.get("exact_limit") for level in outcome.levels] == [None, 96]


AFTER = """\
#include <assert.h>
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int sum, n;
void *add(void *arg) {
    for (int i = 0; i < 50; i++) { pthread_mutex_lock(&lock); sum++; pthread_mutex_unlock(&lock); }
    int known = n;
    n = known + 1;
    return 0;
}
int main(void) {
    pthread_t s, t;
    pthread_create(&s, 0, add, 0); pthread_create(&t, 0, add, 0);
    pthread_join(s, 0); pthread_join(t, 0);
    assert(n == 2);
    return 0;
}
"""
INSIDE = AFTER.replace("sum++;", "sum++; int found = sum;").replace("&lock); }", "&lock); assert(sum == found); }")
LATE = """\
#include <assert.h>
#include <pthread.h>
int level;
void *look(void *arg) { int seen = level; assert(seen < 70); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, look, 0);
    for (int i = 0; i < 70; i++) level = i + 1;
    return 0;
}
"""


@pytest.mark.parametrize(
    "program, exactly, verdict",
    [
        (AFTER, True, Verdict.FALSE),
        (INSIDE, False, Verdict.FALSE),
        (LATE, True, Verdict.FALSE),
        (LATE.replace("< 70)", "<= 70)"), True, Verdict.TRUE),
    ],
)
def test_long_counted_loops(program: str, exactly: bool, verdict: Verdict, tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(program)
    outcome = cseq.verify(path, backend="cbmc", auto=True, exact_limit=80, timeout=120)
    assert outcome.verdict is verdict, outcome.levels
    rooms = ["room" in level.bounds for level in outcome.levels]
    assert rooms[0] and rooms[-1] is not exactly
