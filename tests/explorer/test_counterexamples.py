"""Counterexamples of the explicit family: what they tell, and that they read like those of the symbolic one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import cseq
from cseq.backends.cbmc import BACKEND as CBMC
from cseq.report import terminal
from cseq.verdict import Outcome, Verdict

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
