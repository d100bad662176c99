"""Partial orders instead of rounds, from the program to the verdict, with each CBMC."""

from pathlib import Path

import pytest

import cseq
from cseq.model.errors import UnsupportedError, UsageError
from cseq.model.verdict import Verdict
from tests.differential.orders import engines

PRELUDE = "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n"
MUTEX = """\
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *work(void *arg)
{
    pthread_mutex_lock(&m);
    int was = x;
#ifdef BUG
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
#endif
    x = was + 1;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
"""
CONDITION = """\
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, data;
void *work(void *arg)
{
    data = 5;
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&m);
#ifdef BUG
    if (!ready)
#else
    while (!ready)
#endif
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    assert(data == 5);
    return 0;
}
"""
TIMED = """\
#include <errno.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int data;
void *work(void *arg)
{
    pthread_mutex_lock(&m);
    data = 5;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void)
{
    pthread_t a;
    struct timespec time = {0, 0};
    int late = 0;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&m);
    if (data == 0)
        late = pthread_cond_timedwait(&c, &m, &time);
#ifdef BUG
    assert(late == 0);
#else
    assert(late == 0 || late == ETIMEDOUT);
#endif
    return 0;
}
"""
SEMAPHORE = """\
sem_t s;
int x;
void *work(void *arg)
{
    x = *(int *)arg;
    sem_post(&s);
    return 0;
}
int main(void)
{
    pthread_t a;
    int given = 3;
    sem_init(&s, 0, 0);
    pthread_create(&a, 0, work, &given);
#ifndef BUG
    sem_wait(&s);
#endif
    assert(x == 3);
    return 0;
}
"""
JOIN = """\
int x;
void *work(void *arg)
{
    x = 1;
    return (void *)7;
}
int main(void)
{
    pthread_t a;
    void *result = (void *)7;
    pthread_create(&a, 0, work, 0);
#ifndef BUG
    pthread_join(a, &result);
#endif
    assert(x == 1 && result == (void *)7);
    return 0;
}
"""


@pytest.mark.parametrize("engine", engines(), ids=lambda path: path.parts[-3])
@pytest.mark.parametrize(
    "text", [MUTEX, CONDITION, TIMED, SEMAPHORE, JOIN], ids=["mutex", "condition", "timed", "semaphore", "join"]
)
def test_the_bug_is_found_and_replayed_and_the_twin_is_proved(text, engine, tmp_path: Path, monkeypatch):
    monkeypatch.setenv("CSEQ_CBMC", str(engine))
    verdicts = []
    for define in ("#define BUG\n", ""):
        path = tmp_path / "program.c"
        path.write_text(define + PRELUDE + text)
        outcome = cseq.verify(path, backend="cbmc", encoding="partial-order", unwind=2)
        verdicts.append(outcome.verdict)
        if outcome.verdict is Verdict.FALSE:
            assert outcome.counterexample is not None
    assert verdicts == [Verdict.FALSE, Verdict.TRUE]


def test_a_pointer_from_shared_memory_is_refused_with_its_place(tmp_path: Path):
    path = tmp_path / "program.c"
    path.write_text(
        "#include <pthread.h>\nint a, b, *p = &a;\n"
        "void *work(void *arg) { p = &b; return 0; }\n"
        "int main(void)\n{\n    pthread_t t;\n    pthread_create(&t, 0, work, 0);\n    *p = 1;\n    return 0;\n}\n"
    )
    with pytest.raises(UnsupportedError, match="following the pointer `p`, which comes from shared memory") as caught:
        cseq.verify(path, backend="cbmc", encoding="partial-order")
    assert caught.value.origin is not None
    assert caught.value.origin.line == 8


def test_rounds_are_none_of_its_bounds(tmp_path: Path):
    path = tmp_path / "program.c"
    path.write_text("int main(void) { return 0; }\n")
    with pytest.raises(UsageError, match="--rounds cannot be combined with --encoding partial-order"):
        cseq.verify(path, backend="cbmc", encoding="partial-order", rounds=2)
