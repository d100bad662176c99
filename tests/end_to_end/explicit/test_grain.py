"""Calls that are several accesses: proved where no other thread is about to make one in conflict, else not.

Each program has a violation with BUG, in which the other thread acts on memory that it does not own.
"""

import pytest

import cseq
from cseq.model.claims import Limit
from cseq.model.verdict import Verdict

HEAD = """\
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""
CASES = {
    "snprintf into a block that is published": """
        char *box;
        void *t(void *u) {
            char *own = calloc(1, 8);
        #ifdef BUG
            pthread_mutex_lock(&m); box = own; pthread_mutex_unlock(&m);
            snprintf(own, 8, "%s", "abc");
        #else
            snprintf(own, 8, "%s", "abc");
            pthread_mutex_lock(&m); box = own; pthread_mutex_unlock(&m);
        #endif
            return u;
        }
        int main(void) {
            pthread_t a;
            pthread_create(&a, 0, t, 0);
            pthread_mutex_lock(&m); char *seen = box; pthread_mutex_unlock(&m);
            if (seen) assert(seen[0] == 'a');
            pthread_join(a, 0);
            return 0;
        }""",
    "realloc under a lock": """
        int *list;
        void *t(void *u) {
            pthread_mutex_lock(&m);
            int *more = realloc(list, 3 * sizeof *list);
            if (!more) abort();
            list = more;
            pthread_mutex_unlock(&m);
            return u;
        }
        int main(void) {
            pthread_t a;
            list = malloc(2 * sizeof *list);
            if (!list) return 0;
            list[0] = 1;
            pthread_create(&a, 0, t, 0);
        #ifndef BUG
            pthread_mutex_lock(&m);
        #endif
            list[0]++;
        #ifndef BUG
            pthread_mutex_unlock(&m);
        #endif
            pthread_join(a, 0);
            assert(list[0] == 2);
            free(list);
            return 0;
        }""",
    "memcpy of a pointer that a semaphore hands over": """
        unsigned char raw[sizeof(int *)];
        sem_t ready;
        void *t(void *u) {
            int *to;
            sem_wait(&ready);
            memcpy(&to, raw, sizeof to);
            *to = 9;
            return u;
        }
        int main(void) {
            pthread_t a;
            int one = 3, other = 4, *to = &one;
            sem_init(&ready, 0, 0);
            memcpy(raw, &to, sizeof to);
            pthread_create(&a, 0, t, 0);
        #ifdef BUG
            sem_post(&ready);
            to = &other;
            memcpy(raw, &to, sizeof to);
        #else
            to = &other;
            memcpy(raw, &to, sizeof to);
            sem_post(&ready);
        #endif
            pthread_join(a, 0);
            assert(other == 9);
            return 0;
        }""",
    "memset of a local before its address is stored": """
        struct job { int done; struct job *next; } *shared;
        int saw;
        void *t(void *u) {
            pthread_mutex_lock(&m);
            struct job *j = shared;
            pthread_mutex_unlock(&m);
            if (j) { j->done = 1; saw = 1; }
            return u;
        }
        int main(void) {
            pthread_t a;
            struct job j;
            pthread_create(&a, 0, t, 0);
        #ifndef BUG
            memset(&j, 0, sizeof j);
        #endif
            pthread_mutex_lock(&m); shared = &j; pthread_mutex_unlock(&m);
        #ifdef BUG
            memset(&j, 0, sizeof j);
        #endif
            pthread_join(a, 0);
            if (saw) assert(j.done == 1);
            return 0;
        }""",
    "strtok_r of two strings": """
        char one[] = "a b", other[] = "c d";
        void *t(void *text) {
            char *rest, *first = strtok_r(text, " ", &rest);
            assert(first && strlen(first) == 1);
            return 0;
        }
        int main(void) {
            pthread_t a, b;
            pthread_create(&a, 0, t, one);
        #ifdef BUG
            one[0] = 0;
        #endif
            pthread_create(&b, 0, t, other);
            pthread_join(a, 0);
            pthread_join(b, 0);
            return 0;
        }""",
    "strdup of a string under a lock": """
        char text[4] = "ab";
        void *t(void *u) {
            pthread_mutex_lock(&m);
            text[0] = 'x';
            text[1] = 'y';
            pthread_mutex_unlock(&m);
            return u;
        }
        int main(void) {
            pthread_t a;
            pthread_create(&a, 0, t, 0);
        #ifdef BUG
            char *seen = strdup(text);
        #else
            pthread_mutex_lock(&m); char *seen = strdup(text); pthread_mutex_unlock(&m);
        #endif
            if (seen) assert((seen[0] == 'a') == (seen[1] == 'b'));
            pthread_join(a, 0);
            free(seen);
            return 0;
        }""",
}  # fmt: skip


@pytest.fixture
def told(tmp_path):
    """The outcome of a program."""

    def ask(text: str, *defined: str, **more: object) -> cseq.Outcome:
        source = tmp_path / "program.c"
        source.write_text(HEAD + text, encoding="utf-8")
        return cseq.verify(source, timeout=60, define=defined, **{"backend": "native", **more})

    return ask


@pytest.mark.parametrize("name", CASES)
def test_a_call_that_no_thread_disturbs_is_one_step(told, name):
    outcome = told(CASES[name])
    assert outcome.verdict is Verdict.TRUE, outcome
    assert not outcome.bounds


@pytest.mark.parametrize("name", CASES)
def test_the_bug_is_found(told, name):
    only = "valid-memsafety" if "realloc" in name else "unreach-call"
    assert told(CASES[name], "BUG", only=only).verdict is Verdict.FALSE


def test_a_race_elsewhere_does_not_matter(told):
    text = CASES["snprintf into a block that is published"].replace("return u;", "count++; return u;")
    text = "int count;" + text.replace("char *seen = box;", "char *seen = box; count++;")
    assert told(text).verdict is Verdict.TRUE


def test_the_other_properties_are_proved_as_well(told):
    text = CASES["realloc under a lock"]
    for only in ("no-deadlock", "valid-memsafety", "no-overflow"):
        assert told(text, only=only).verdict is Verdict.TRUE, only


PARTS = """
char text[8] = "";
char own[4] = "ab", other[4] = "cd";
void *t(void *u) {
    LOCK
    other[0] = 'x';
    other[1] = 'y';
    UNLOCK
    return u;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, t, 0);
    LOCK
    snprintf(text, 8, "%s%s", own, other);
    UNLOCK
    assert((text[2] == 'c') == (text[3] == 'd'));
    pthread_join(a, 0);
    return 0;
}
"""


def without_and_with_locks(text: str) -> tuple[str, str]:
    """A program without the locks that it names, and with them."""
    locked = text.replace("UNLOCK", "pthread_mutex_unlock(&m);").replace("LOCK", "pthread_mutex_lock(&m);")
    return text.replace("UNLOCK", "").replace("LOCK", ""), locked


def test_each_part_of_a_text_counts(told):
    """The first part is undisturbed, which says nothing about the second."""
    parts, locked = without_and_with_locks(PARTS)
    assert told(parts).verdict is not Verdict.TRUE
    assert told(locked).verdict is Verdict.TRUE


COPY = """
struct large { int all[80]; } from, to;
void *t(void *u) {
    LOCK
    assert(to.all[0] == to.all[79]);
    UNLOCK
    return u;
}
int main(void) {
    pthread_t a;
    from.all[0] = from.all[79] = 1;
    pthread_create(&a, 0, t, 0);
    LOCK
    to = from;
    UNLOCK
    pthread_join(a, 0);
    return 0;
}
"""


def test_the_store_of_a_large_copy_counts(told):
    """No thread writes to what is copied, which says nothing about what it is copied to."""
    parts, locked = without_and_with_locks(COPY)
    assert told(parts).verdict is not Verdict.TRUE
    assert told(locked).verdict is Verdict.TRUE


ANY_TEXT = """
char text[3];
void *t(void *format) {
    LOCK
    snprintf(text, sizeof text, format, 10);
    UNLOCK
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, t, "%d");
    LOCK
    char first = text[0], second = text[1];
    UNLOCK
    pthread_join(a, 0);
    assert(!first || second == text[1]);
    return 0;
}
"""


def test_a_text_of_an_unknown_format_counts(told):
    """It is any text, which is several accesses as well."""
    parts, locked = without_and_with_locks(ANY_TEXT)
    assert Limit.GRAIN in {bound.cut.limit for bound in told(parts, backend="cbmc", auto=True).bounds}
    assert told(locked, backend="cbmc", auto=True).verdict is Verdict.TRUE
