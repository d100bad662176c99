"""Which locks are held where, when main is alone, and how often things happen."""

import pytest

from cseq.c import parse
from cseq.c.symbols import Symbols
from cseq.modules.analysis import local_values, thread_steps
from cseq.modules.analysis.dataflow import LimitReachedError
from cseq.modules.analysis.locksets import Locksets
from cseq.modules.analysis.may_happen_in_parallel import MayHappenInParallel, handles_of_main, only_main_joins
from cseq.modules.analysis.points_to import Location, PointsTo
from cseq.modules.analysis.thread_multiplicity import ThreadMultiplicity
from cseq.modules.analysis.thread_steps import Step, ThreadSteps
from cseq.modules.analysis.visibility import Visibility
from cseq.modules.ir import instructions as ir
from cseq.modules.ir.lower import lower
from cseq.modules.ir.objects import Object

PROGRAM = """
typedef struct {{ int owner; }} pthread_mutex_t; typedef struct {{ int writer; }} pthread_rwlock_t;
typedef struct {{ int waiting; }} pthread_cond_t; typedef unsigned long pthread_t;
struct s {{ pthread_mutex_t lock; int value; struct s *next; }};
pthread_mutex_t m, n, each[2]; pthread_rwlock_t rw; pthread_cond_t c; struct s s, t; int x, y, look;
int pthread_mutex_lock(pthread_mutex_t *m); int pthread_mutex_unlock(pthread_mutex_t *m); void *malloc(unsigned long n);
int pthread_rwlock_wrlock(pthread_rwlock_t *l); int pthread_rwlock_rdlock(pthread_rwlock_t *l);
int pthread_mutex_trylock(pthread_mutex_t *m); int pthread_rwlock_tryrdlock(pthread_rwlock_t *l);
int pthread_rwlock_unlock(pthread_rwlock_t *l); int pthread_mutex_destroy(pthread_mutex_t *m);
void __cs_step_cond_sleep(pthread_cond_t *c, pthread_mutex_t *m);
int __cs_step_cond_timedsleep(pthread_cond_t *c, pthread_mutex_t *m, int *time);
void __cs_step_cond_wake(pthread_cond_t *c, pthread_mutex_t *m); int pthread_detach(pthread_t t);
int pthread_create(pthread_t *t, void *a, void *(*f)(void *), void *arg); int pthread_join(pthread_t t, void **r);
void *start(void *arg) {{ int i; pthread_mutex_t *p; struct s *q; pthread_t me; {} }}
int main(void) {{ int i; pthread_t t, u, ts[3]; struct s *h; {} }}
"""


class Analysed:
    """The analyses of a program with these statements."""

    def __init__(self, thread: str = "return 0;", main: str = "return 0;") -> None:
        tree = parse(PROGRAM.format(thread, main), "program.c")
        symbols = Symbols(tree)
        self.program = lower(tree, symbols, Visibility(symbols, tree))
        templates = [each for each in self.program.templates if each.name in ("start", "main")]
        points_to = PointsTo(self.program, templates)
        handles = handles_of_main(points_to)
        self.threads = {
            each.name: ThreadSteps(self.program, points_to, each, handles if each.name == "main" else frozenset())
            for each in templates
        }
        self.locksets = Locksets([*self.threads.values()])
        self.multiplicity = ThreadMultiplicity(self.threads.values())
        self.parallel = MayHappenInParallel(self.threads["main"], only_main_joins(points_to))

    def looks(self, thread: str) -> list[tuple[Step, int]]:
        """The steps that access `look`, with the locks that are held."""
        found = self.locksets.steps(self.threads[thread])
        return [(step, held) for step, held in found if "look" in map(_shown, [*step.reads, *step.writes])]

    def allocates_once(self) -> list[bool]:
        """Of each allocation, whether it is executed at most once."""
        return [
            self.multiplicity.is_allocated_once(each)
            for each in self.program.instructions
            if isinstance(each, ir.Operation) and each.function == "malloc"
        ]

    def is_many(self, name: str = "start") -> bool:
        """Whether several threads may execute a function."""
        return self.multiplicity.is_many(self.program.by_name[name])


def _shown(location: Location) -> str:
    root = location.root.name if isinstance(location.root, Object) else "?"
    return ".".join([root, *(field.name for field in location.path)])


def held(statements: str) -> set[str]:
    """The locks that are held where `look` is accessed; those for reading with an `r`."""
    analysed = Analysed(statements)
    sets = analysed.locksets
    found = []
    for _, held in analysed.looks("start"):
        writing = sets.locks(sets.against(held, True))
        found.append({
            _shown(lock.location) + "".join(map("[{}]".format, lock.subscripts)) + "r" * (lock not in writing)
            for lock in sets.locks(held)
        })  # fmt: skip
    return set.intersection(*found)


LOCK, UNLOCK, TRY = "pthread_mutex_lock", "pthread_mutex_unlock", "pthread_mutex_trylock"


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("look = 1;", set()),
        (f"{LOCK}(&m); look = 1;", {"m"}),
        (f"i = {LOCK}(&m); look = 1;", {"m"}),
        (f"{LOCK}(&m); {UNLOCK}(&m); look = 1;", set()),
        (f"{LOCK}(&m); {LOCK}(&n); {UNLOCK}(&m); look = 1;", {"n"}),
        (f"if (x) {LOCK}(&m); look = 1;", set()),
        (f"if (x) {{ {LOCK}(&m); }} else {{ {LOCK}(&m); }} look = 1;", {"m"}),
        (f"{LOCK}(&m); if (x) {UNLOCK}(&m); look = 1;", set()),
        (f"{LOCK}(&m); while (x) {{ {UNLOCK}(&m); {LOCK}(&m); }} look = 1;", {"m"}),
        (f"{LOCK}(&m); while (x) {{ {UNLOCK}(&m); }} look = 1;", set()),
        (f"{LOCK}(&m); while (x) {{ look = 1; {UNLOCK}(&m); }}", set()),
        (f"{LOCK}(&m); if (x) goto out; {UNLOCK}(&m); out: ; look = 1;", set()),
        (f"{LOCK}(&m); if (x) goto out; {UNLOCK}(&m); return 0; out: ; look = 1;", {"m"}),
        (f"p = &m; {LOCK}(p); look = 1;", {"m"}),
        (f"p = &m; if (x) p = &n; {LOCK}(p); look = 1;", set()),
        (f"{LOCK}(&m); p = &m; if (x) p = &n; {UNLOCK}(p); look = 1;", set()),
        (f"q = &s; {LOCK}(&q->lock); q = &t; look = 1;", {"s.lock"}),
        (f"q = &s; {LOCK}(&q->lock); q = &t; {UNLOCK}(&q->lock); look = 1;", {"s.lock"}),
        (f"{LOCK}(&each[1]); look = 1;", {"each[1]"}),
        (f"{LOCK}(&each[1]); {UNLOCK}(&each[0]); look = 1;", {"each[1]"}),
        (f"{LOCK}(&each[1]); {UNLOCK}(&each[x]); look = 1;", set()),
        (f"{LOCK}(&each[x]); look = 1;", set()),
        (f"i = 1; {LOCK}(&each[i]); look = 1;", {"each[1]"}),
        (f"p = each; {LOCK}(p); look = 1;", set()),
        (f"{LOCK}(&m); __cs_step_cond_sleep(&c, &m); look = 1;", set()),
        (f"{LOCK}(&m); __cs_step_cond_sleep(&c, &m); __cs_step_cond_wake(&c, &m); look = 1;", {"m"}),
        (f"{LOCK}(&m); pthread_mutex_destroy(&m); look = 1;", set()),
        (f"{LOCK}(&m); m.owner = 0; look = 1;", set()),
        (f"{LOCK}(&s.lock); s.value = 0; look = 1;", {"s.lock"}),
        (f"i = {TRY}(&m); if (i == 0) look = 1;", {"m"}),
        (f"i = {TRY}(&m); if (!i) look = 1;", {"m"}),
        (f"i = {TRY}(&m); if (i != 0) look = 1;", set()),
        (f"i = {TRY}(&m); if (i) return 0; look = 1;", {"m"}),
        (f"i = {TRY}(&m); i = i == 0; if (i) look = 1;", {"m"}),
        (f"i = {TRY}(&m); if (i == 1) look = 1;", set()),
        (f"i = {TRY}(&m); i = x; if (i == 0) look = 1;", set()),
        (f"i = {TRY}(&m); if (i == 0) {UNLOCK}(&m); if (i == 0) look = 1;", set()),
        (f"i = {TRY}(&m); while (i != 0) {{ i = {TRY}(&m); }} look = 1;", {"m"}),
        (f"i = {TRY}(&m); while (i != 0) {{ look = 1; i = {TRY}(&m); }}", set()),
        ("i = pthread_rwlock_tryrdlock(&rw); if (i == 0) look = 1;", {"rwr"}),
        ("pthread_rwlock_wrlock(&rw); look = 1;", {"rw"}),
        ("pthread_rwlock_rdlock(&rw); look = 1;", {"rwr"}),
        ("if (x) { pthread_rwlock_rdlock(&rw); } else { pthread_rwlock_wrlock(&rw); } look = 1;", {"rwr"}),
        ("pthread_rwlock_rdlock(&rw); pthread_rwlock_unlock(&rw); look = 1;", set()),
    ],
)
def test_held(statements, expected):
    assert held(statements) == expected


CREATE = "pthread_create(&t, 0, start, 0);"
LOOP = "i = 0; while (i < 3) {{ {} i = i + 1; }}"
MANY = LOOP.format("pthread_create(&ts[i], 0, start, 0);")


@pytest.mark.parametrize(
    ("main", "alone"),
    [
        ("look = 1;", True),
        (f"look = 1; {CREATE}", True),
        (f"{CREATE} look = 1;", False),
        (f"{CREATE} pthread_join(t, 0); look = 1;", True),
        (f"{CREATE} u = t; pthread_join(u, 0); look = 1;", True),
        (f"{CREATE} t = x; pthread_join(t, 0); look = 1;", False),
        (f"{CREATE} {CREATE} pthread_join(t, 0); look = 1;", False),
        (f"{CREATE} pthread_join(u, 0); look = 1;", False),
        (f"{CREATE} if (x) pthread_join(t, 0); look = 1;", False),
        (f"if (x) {{ {CREATE} }} look = 1;", False),
        (f"{CREATE} pthread_detach(t); pthread_join(t, 0); look = 1;", False),
        ("pthread_create(&t, &x, start, 0); pthread_join(t, 0); look = 1;", False),
        (f"{MANY} {LOOP.format('pthread_join(ts[i], 0);')} look = 1;", True),
        (f"{MANY} pthread_join(ts[0], 0); pthread_join(ts[2], 0); look = 1;", False),
        (f"{MANY} {LOOP.format('pthread_join(ts[x], 0);')} look = 1;", False),
        (f"while (x) {{ {CREATE} pthread_join(t, 0); }} look = 1;", False),
        (f"{CREATE} h = (struct s *) &t; pthread_join(t, 0); look = 1;", False),
    ],
)
def test_alone(main, alone):
    found = Analysed(main=main)
    ((step, _),) = found.looks("main")
    assert (step in found.parallel.alone()) is alone


def test_a_join_in_another_thread_may_leave_none_for_main():
    found = Analysed("pthread_join(me, 0);", f"{CREATE} pthread_join(t, 0); look = 1;")
    ((step, _),) = found.looks("main")
    assert step not in found.parallel.alone()


def test_what_a_call_about_a_lock_reads_besides():
    found = Analysed("__cs_step_cond_timedsleep(&c, &m, &look);")
    ((step, _),) = found.looks("start")
    assert {"c", "look"} <= set(map(_shown, step.writes))


def test_how_many_threads_there_are():
    assert Analysed(main=f"{CREATE} {CREATE}").is_many()
    assert not Analysed(main=CREATE).is_many()
    assert Analysed(main=f"while (x) {{ {CREATE} }}").is_many()
    assert Analysed(thread="pthread_create(&me, 0, start, 0);").is_many()
    assert not Analysed(main=CREATE).is_many("main")


def test_how_often_memory_is_allocated():
    assert Analysed(main="h = malloc(8);").allocates_once() == [True]
    assert Analysed(main="while (x) { h = malloc(8); }").allocates_once() == [False]
    assert Analysed(main=LOOP.format("h = malloc(8);")).allocates_once() == [False]
    assert Analysed(thread="q = malloc(8);").allocates_once() == [False]


def test_loops_are_peeled_up_to_a_limit(monkeypatch):
    join = f"{MANY} {LOOP.format('pthread_join(ts[i], 0);')} look = 1;"
    monkeypatch.setattr(local_values, "_MOST_PEELED", 5)
    found = Analysed(main=join)
    ((step, _),) = found.looks("main")
    assert step not in found.parallel.alone()


def test_a_program_may_be_too_large(monkeypatch):
    monkeypatch.setattr(thread_steps, "_MOST_VISITS", 10)
    with pytest.raises(LimitReachedError):
        Analysed(main="if (x) x = 1;" * 20)
