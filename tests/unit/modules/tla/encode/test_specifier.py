"""Specifications of whole programs: TLC finds in them what the programs do."""

import pytest

from cseq.modules.tla.encode.specifier import module_name

TWO = """
int main(void) {
  pthread_t t, u;
  begin();
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  end();
  return 0;
}
"""


def test_updates_are_lost_without_a_lock(outcome):
    count = "int x; static void begin(void) { } static void end(void) { assert(x == 2); }"
    add = "{ int n = x; n++; x = n; return 0; }"
    assert outcome(f"{count} void *one(void *a) {add} void *two(void *a) {add} {TWO}") == "failed.assertion: x == 2"


def test_mutexes_conditions_and_blocks(outcome):
    program = """
    struct item { int value; struct item *next; } *items;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t filled = PTHREAD_COND_INITIALIZER; int sum;
    static void begin(void) { } static void end(void) { assert(sum == 3 && !items); }
    void *one(void *a) {
      for (int i = 1; i <= 2; i++) {
        struct item *new = malloc(sizeof *new);
        new->value = i;
        pthread_mutex_lock(&lock);
        new->next = items;
        items = new;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
      }
      return 0;
    }
    void *two(void *a) {
      for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&lock);
        while (!items)
          pthread_cond_wait(&filled, &lock);
        struct item *old = items;
        items = old->next;
        pthread_mutex_unlock(&lock);
        sum += old->value;
        free(old);
      }
      return 0;
    }
    """
    assert outcome(program + TWO) == ""


def test_semaphores_barriers_locks_and_once(outcome):
    program = """
    sem_t s; pthread_barrier_t b; pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; pthread_once_t o = PTHREAD_ONCE_INIT;
    int x, inits, serial;
    static void init(void) { inits++; }
    static void begin(void) { sem_init(&s, 0, 1); pthread_barrier_init(&b, 0, 2); }
    static void end(void) { assert(x == 2 && inits == 1 && serial == 1); }
    void *one(void *a) {
      pthread_once(&o, init);
      sem_wait(&s); x++; sem_post(&s);
      int last = pthread_barrier_wait(&b);
      pthread_rwlock_rdlock(&l); assert(x == 2); pthread_rwlock_unlock(&l);
      pthread_rwlock_wrlock(&l); if (last) serial++; pthread_rwlock_unlock(&l);
      return 0;
    }
    void *two(void *a) {
      pthread_once(&o, init);
      sem_wait(&s); x++; sem_post(&s);
      int last = pthread_barrier_wait(&b);
      pthread_rwlock_wrlock(&l); if (last) serial++; pthread_rwlock_unlock(&l);
      return 0;
    }
    """
    assert outcome(program + TWO) == ""


def test_threads_that_wait_for_each_other(outcome):
    program = """
    pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
    static void begin(void) { } static void end(void) { }
    void *one(void *arg) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); return 0; }
    void *two(void *arg) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); return 0; }
    """
    assert outcome(program + TWO, property="no-deadlock") == "deadlock"


@pytest.mark.parametrize(
    ("statement", "status"),
    [
        ("int *p = 0; *p = 1;", "failed.crash.access"),
        ("int v; if (v) x = 1;", "undefined.v"),
        ("pthread_mutex_unlock(&lock);", "failed.misuse.not_held pthread_mutex_unlock: mutex"),
    ],
)
def test_executions_end_where_something_is_wrong(outcome, statement, status):
    program = f"int x; pthread_mutex_t lock; int main(void) {{ {statement} return x; }}"
    assert outcome(program) == status


def test_propositions_are_operators(specified):
    found = specified("int x, y; int main(void) { x = 1; y = x; return 0; }", prop=("both=x && y == 2", "none = !x"))
    assert found.propositions["both"].body == "m.data.x # 0 /\\ m.data.y = 2"
    assert found.propositions["none"].body == "m.data.x = 0"


@pytest.mark.parametrize(
    ("files", "name"),
    [
        (["a/queue.c", "b.c"], "queue"),
        (["x-1.test.c"], "x_1"),
        (["2.c"], "program_2"),
        (["TLC.c"], "TLC_"),
        ([], "program"),
    ],
)
def test_the_module_is_named_after_the_first_file(files, name):
    assert module_name(files) == name
