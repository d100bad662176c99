"""Counterexamples of the explicit family: what they tell, and that they read like those of the symbolic one."""

import re
from pathlib import Path
from typing import Any

import pytest

import cseq
from cseq.backends.cbmc import BACKEND as CBMC
from cseq.model.errors import UsageError
from cseq.model.verdict import Outcome, Reason, Verdict
from cseq.report.json import jsonreport
from cseq.report.text import terminal
from cseq.report.words import description

HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
"""

FORCED = {
    "a loop, and a call": """
        int n;
        int twice(int k) { int sum = 0; for (int i = 0; i < 2; i++) sum += k; return sum; }
        int main(void) { n = twice(3); while (n > 4) n--; assert(n == WRONG(4)); return 0; }
        """,
    "a thread": """
        int n;
        void *worker(void *arg) { int *to = arg; *to = 5; pthread_exit(0); }
        int main(void) {
          pthread_t t;
          pthread_create(&t, 0, worker, &n);
          pthread_join(t, 0);
          assert(n == WRONG(5));
          return 0;
        }
        """,
    "inputs": """
        _Bool __VERIFIER_nondet_bool(void);
        int n;
        int main(void) { _Bool b = __VERIFIER_nondet_bool(); if (b) n = 3; assert(n + WRONG(0) != 4); return 0; }
        """,
    "misuse": """
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        int main(void) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); if (WRONG(0)) pthread_mutex_unlock(&m);
          return 0; }
        """,
}
"""Programs that have one execution, as far as the reader can tell. WRONG makes a number a wrong one for the bug."""

STUCK = {
    "a lock taken twice": """
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        int main(void) { pthread_mutex_lock(&m); if (WRONG(0)) pthread_mutex_lock(&m); return 0; }
        """,
    "a semaphore that nobody posts": """
        sem_t s;
        int main(void) { sem_init(&s, 0, 1); sem_wait(&s); if (WRONG(0)) sem_wait(&s); return 0; }
        """,
    "a thread that has ended with a lock": """
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        void *worker(void *arg) { pthread_mutex_lock(&m); if (!WRONG(0)) pthread_mutex_unlock(&m); return 0; }
        int main(void) {
          pthread_t t;
          pthread_create(&t, 0, worker, 0);
          pthread_join(t, 0);
          pthread_mutex_lock(&m);
          return 0;
        }
        """,
}
"""Programs that end in a deadlock, each in one way only."""


def written(folder: Path, text: str, bug: bool = True) -> Path:
    path = folder / "program.c"
    path.write_text(f"{HEAD}#define WRONG(n) ((n){' + 1' if bug else ''})\n{text}")
    return path


def explored(path: Path, **parameters: Any) -> Outcome:
    return cseq.verify(path, chain="explicit", **parameters)


def told(outcome: Outcome) -> list[str]:
    """The report, but for addresses and advice."""
    return re.sub("0x[0-9a-f]+", "0x", terminal.render(outcome, steps=True)).splitlines()


@pytest.mark.skipif(CBMC.find() is None, reason="no CBMC is installed (setup/provide-cbmc)")
@pytest.mark.parametrize("name", [*FORCED, *STUCK])
def test_it_reads_like_one_of_the_symbolic_family(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, FORCED.get(name) or STUCK[name])
    deadlock = name in STUCK
    solved = cseq.verify(path, chain="lazy", deadlock=deadlock, rounds=9, unwind=4)
    outcome = explored(path, deadlock=deadlock)
    assert outcome.verdict is Verdict.FALSE
    assert told(outcome) == told(solved)
    assert outcome.violated == solved.violated


@pytest.mark.parametrize("name", [*FORCED, *STUCK])
def test_the_twin_is_proved(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, FORCED.get(name) or STUCK[name], bug=False)
    assert explored(path, deadlock=name in STUCK).verdict is Verdict.TRUE


RACING = {
    "an array, in a loop": """
        int a[3];
        void *worker(void *arg) { for (int i = 0; i < 2; i++) a[i] = i; return 0; }
        int main(void) {
          pthread_t t;
          pthread_create(&t, 0, worker, 0);
          a[WRONG(2) % 3] = 7;
          return 0;
        }
        """,
    "the result of a join, in the library": """
        void *result;
        void *worker(void *arg) { if (WRONG(0)) result = 0; return 0; }
        void *other(void *arg) { return 0; }
        int main(void) {
          pthread_t t, u;
          pthread_create(&t, 0, worker, 0);
          pthread_create(&u, 0, other, 0);
          pthread_join(u, &result);
          return 0;
        }
        """,
    "the identifier of a thread that reads it": """
        pthread_t t;
        void *worker(void *arg) { pthread_t me = WRONG(0) ? t : pthread_self(); return (void *)(long)me; }
        int main(void) { pthread_create(&t, 0, worker, 0); pthread_join(t, 0); return 0; }
        """,
    "atomic and not": """
        _Atomic int n;
        int *plain = (int *)&n;
        void *worker(void *arg) { if (WRONG(0)) *plain = 1; else n = 1; return 0; }
        int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); n++; return 0; }
        """,
    "a condition of a loop": """
        int stop; _Atomic int flag;
        void *worker(void *arg) { if (WRONG(0)) stop = 1; flag = 1; return 0; }
        int main(void) {
          pthread_t t;
          pthread_create(&t, 0, worker, 0);
          for (int i = 0; !stop && i < 2; i++) ;
          return 0;
        }
        """,
}
"""Programs with a data race."""


@pytest.mark.parametrize("name", RACING)
def test_a_race_is_told_and_its_twin_is_proved(tmp_path: Path, name: str) -> None:
    # What pthread_create stores is ordered before the thread, but for strict readers of POSIX.
    outcome = explored(written(tmp_path, RACING[name]), race=True, strict_posix=True).of("no-data-race")
    assert outcome.verdict is Verdict.FALSE
    shown = outcome.counterexample
    assert shown is not None
    assert [step.thread for step in shown.steps if step.stands] == [side.thread for side in shown.racing]
    assert any(side.action == "writes" for side in shown.racing)
    twin = explored(written(tmp_path, RACING[name], bug=False), race=True)
    assert twin.of("no-data-race").verdict is Verdict.TRUE


def test_both_sides_of_a_race_in_words(tmp_path: Path) -> None:
    path = written(tmp_path, RACING["the result of a join, in the library"])
    outcome = explored(path, race=True).of("no-data-race")
    assert outcome.violated is not None
    assert description(outcome.violated) == (
        f"data race on `result`: main writes it in `pthread_join` at {path}:13, worker (thread 1) writes it at {path}:7"
    )


CRASHES = {
    "invalid memory access": "int *p = &n; if (WRONG(0)) p = 0; *p = 1;",
    "division by zero, or one that overflows": "n = 5 / (1 - WRONG(0));",
    "index outside of an array": "a[3 + WRONG(0)] = 1;",
}


@pytest.mark.parametrize("text", CRASHES)
def test_crash(tmp_path: Path, text: str) -> None:
    program = f"int n, a[4];\nint main(void) {{ n = 1;\n {CRASHES[text]}\n return 0; }}\n"
    violated = explored(written(tmp_path, program)).violated
    assert violated is not None and violated.origin is not None
    assert (violated.name, description(violated), violated.origin.line) == ("crash", text, 7)
    assert explored(written(tmp_path, program, bug=False)).verdict is Verdict.TRUE


def test_simulation(tmp_path: Path) -> None:
    path = written(tmp_path, FORCED["a thread"], bug=False)
    outcome = explored(path, simulate="roundrobin")
    assert (outcome.verdict, outcome.exit_status) == (Verdict.UNKNOWN, 0)
    lines = terminal.render(outcome).splitlines()
    assert lines[0] == "UNKNOWN: no violation in one execution, scheduled round robin"
    assert lines[-2].split() == ["reads", "n", "=", "5"]
    assert explored(written(tmp_path, FORCED["a thread"]), simulate="random").verdict is Verdict.FALSE


@pytest.mark.parametrize("question", ["unreach", "deadlock", "race"])
def test_a_recorded_execution_is_made_again(tmp_path: Path, question: str) -> None:
    name = {"unreach": "a thread", "deadlock": "a thread that has ended with a lock"}.get(question)
    path = written(tmp_path, RACING["an array, in a loop"] if name is None else {**FORCED, **STUCK}[name])
    parameters = {question: True} if question != "unreach" else {}
    found = explored(path, **parameters)
    record = tmp_path / "report.json"
    record.write_text(jsonreport.render(found))
    again = explored(path, simulate=str(record), **parameters)
    assert again.verdict is Verdict.FALSE
    assert again.violated == found.violated
    assert again.counterexample == found.counterexample


def test_a_schedule_of_another_program(tmp_path: Path) -> None:
    path = written(tmp_path, FORCED["a thread"])
    schedule = tmp_path / "schedule.json"
    schedule.write_text("[[0, []], [3, []]]")
    outcome = explored(path, simulate=str(schedule))
    assert (outcome.verdict, outcome.reason) == (Verdict.UNKNOWN, Reason.REPLAY)
    schedule.write_text("{}")
    with pytest.raises(UsageError, match="has no schedule in it"):
        explored(path, simulate=str(schedule))
