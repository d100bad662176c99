"""Which statements need no step of their own; by the number of labels that they get."""

import re

import pytest

from tests.conftest import function_text

HEAD = """\
#include <pthread.h>
#include <stdlib.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
struct box {{ pthread_mutex_t lock; int value; }} box = {{ PTHREAD_MUTEX_INITIALIZER }}, *heap;
int x, y;
void *one(void *a) {{ {} return 0; }}
void *two(void *a) {{ {} return 0; }}
int main(void)
{{
  pthread_t s, t;
  heap = malloc(sizeof *heap);
  pthread_mutex_init(&heap->lock, 0);
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  {}
}}
"""
LOCK, UNLOCK = "pthread_mutex_lock", "pthread_mutex_unlock"


@pytest.fixture
def labels(translated):
    """The number of labels of the thread *one*, without that of its end; or of another function."""

    def count(one: str, two: str, main: str = "return 0;", function: str = "one__cs1", **parameters: object) -> int:
        unit = translated.unit("sequentializer", HEAD.format(one, two, main), rounds=2, **parameters)
        return len(re.findall(r"^ *__cs_[0-9]+_[0-9]+:$", function_text(unit, function), re.MULTILINE))

    return count


SECTION = f"{LOCK}(&m); x = x + 1; {UNLOCK}(&m);"


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        (SECTION, SECTION, 1),
        (SECTION + SECTION, SECTION, 2),
        (SECTION, "x = 1;", 3),
        (SECTION, f"{LOCK}(&n); x = 1; {UNLOCK}(&n);", 3),
        (SECTION, "y = x;", 3),
        (f"{LOCK}(&m); if (y) x = 1; {UNLOCK}(&m);", "x = y;", 2),  # only reads of y
        (f"{LOCK}(&m); {LOCK}(&n); x = 1; {UNLOCK}(&n); {UNLOCK}(&m);", SECTION, 2),
        (f"{LOCK}(&m); x = 1; {UNLOCK}(&m); y = 1; y = 2;", SECTION, 1),  # one thread has y for itself
        (SECTION, f"if (pthread_mutex_trylock(&m) == 0) {{ x = 1; {UNLOCK}(&m); }}", 2),
        (SECTION, "pthread_mutex_destroy(&m);", 2),
        (SECTION, "pthread_mutex_t copy = m;", 2),
        (f"{LOCK}(&m); x = 1; pthread_cond_signal(&c); {UNLOCK}(&m);", f"{LOCK}(&m); pthread_cond_wait(&c, &m);", 1),
        (f"{LOCK}(&m); x = 1; {UNLOCK}(&m); pthread_cond_signal(&c);", f"{LOCK}(&m); pthread_cond_wait(&c, &m);", 2),
        (f"{LOCK}(&m); pthread_cond_wait(&c, &m); {UNLOCK}(&m);", SECTION, 2),
        ("pthread_rwlock_rdlock(&rw); y = x; pthread_rwlock_unlock(&rw);",
         "pthread_rwlock_wrlock(&rw); x = 1; pthread_rwlock_unlock(&rw);", 1),
        (f"{LOCK}(&box.lock); box.value = 1; {UNLOCK}(&box.lock);",
         f"struct box *b = &box; {LOCK}(&b->lock); b->value = 2; {UNLOCK}(&b->lock);", 1),
        (f"{LOCK}(&heap->lock); heap->value = 1; {UNLOCK}(&heap->lock);",
         f"{LOCK}(&heap->lock); heap->value = 2; {UNLOCK}(&heap->lock);", 1),
        (f"{LOCK}(&heap->lock); heap->value = 1; {UNLOCK}(&heap->lock);", "heap->value = 2;", 2),
    ],
)  # fmt: skip
def test_labels(labels, one, two, expected):
    assert labels(one, two) == expected


def test_without(labels):
    assert labels(SECTION, SECTION, no_movers=True) == 4


@pytest.mark.parametrize("asked", [{"property": "valid-memsafety", "checked": True}])
def test_where_it_is_off(labels, asked):
    assert labels(SECTION, SECTION, **asked) == 4


def test_what_main_does_alone(labels):
    joins = "pthread_join(s, 0); pthread_join(t, 0); x = 1; x = 2; return 0;"
    all_joined = labels(SECTION, SECTION, joins, "main__cs0")
    one_joined = labels(SECTION, SECTION, joins.replace("pthread_join(t, 0);", ""), "main__cs0")
    assert (all_joined, one_joined) == (5, 6)


def test_a_thread_that_may_be_cancelled(labels):
    assert labels(SECTION, SECTION, "pthread_cancel(s); return 0;") > 1
