"""The analysis of small programs in the core language."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cseq.c import parse
from cseq.c.symbols import Symbols
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.ir.lower import lower
from cseq.modules.modular.program_analysis import ProgramAnalysis

PROGRAM = """
typedef struct {{ int __cs_state; }} pthread_mutex_t;
typedef struct {{ int __cs_state; }} sem_t;
typedef struct {{ int __cs_state; }} pthread_barrier_t;
struct item {{ int v; pthread_mutex_t m; }};
int pthread_create(unsigned *t, void *a, void *(*f)(void *), void *arg); int pthread_join(unsigned t, void **r);
int pthread_mutex_lock(pthread_mutex_t *m); int pthread_mutex_unlock(pthread_mutex_t *m);
int pthread_mutex_trylock(pthread_mutex_t *m);
int sem_init(sem_t *s, int shared, unsigned value); int sem_wait(sem_t *s); int sem_post(sem_t *s);
int pthread_barrier_init(pthread_barrier_t *b, void *a, unsigned n);
void *malloc(unsigned long size); void free(void *p); int __CSEQ_nondet_int(void);
void __CSEQ_access(int atomic);
pthread_mutex_t m, n, locks[4]; sem_t s; struct item items[4], *shared; pthread_barrier_t b;
int x, y, flag, cells[8];
void use(int *p) {{ *p = 1; }}
void set(void) {{ x = 1; }}
void set_locked(void) {{ pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); }}
void recur(int n) {{ if (n) recur(n - 1); }}
int __cs_step_barrier_arrive(pthread_barrier_t *b);
void *work(void *arg) {{ long i; int l, k, *q; struct item *p; i = (long) arg; {work} return 0; }}
int main(void)
{{
    unsigned t, u, ts[4]; int i, l; struct item *p;
    {main}
    return 0;
}}
"""
CREATE = "pthread_create(&t, 0, work, 0);"
TWICE = f"{CREATE} pthread_create(&u, 0, work, 0);"
LOOP = (
    "i = 0; while (i < 4) { pthread_create(&ts[i], 0, work, (void *) (long) i); i = i + 1; }"
    " i = 0; while (i < 4) { pthread_join(ts[i], 0); i = i + 1; }"
)


@pytest.fixture
def analyse() -> Callable[..., ProgramAnalysis]:
    """What is found of a program with these statements in a thread and in main."""

    def analysed(work: str, main: str = TWICE) -> ProgramAnalysis:
        tree = parse(PROGRAM.format(work=work, main=main), "program.c")
        symbols = Symbols(tree)
        return ProgramAnalysis(lower(tree, symbols, Visibility(symbols, tree)))

    return analysed
