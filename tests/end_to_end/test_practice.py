"""What POSIX and C leave undefined, and works all the same: a warning by default, a violation with --strict-posix."""

from pathlib import Path

import pytest

from cseq.model.claims import Limit
from cseq.model.verdict import Verdict
from cseq.report.words import description
from tests.support.engines import ENGINES, ask, each_by_one

NO_FUNCTION = "a call through a function pointer that points to no function of its type"

# What calls `f` through a pointer of another type: a program, and what it makes of x.
CALLS = {
    "parameter": ("void f(struct s *p) { x = 1; } void (*q)(void *) = f;", "q(&x);"),
    "parameter, cast": ("void f(struct s *p) { x = 1; } void (*q)(void *) = (void (*)(void *))f;", "q(&x);"),
    "result": ("char *f(char *p) { x = p - t; return p; } void *(*q)(void *) = f;", "q(t + 1);"),
    "result that is lost": (
        "int f(int *p) { x = *p + 1; return 9; } void (*q)(void *) = (void (*)(void *))f;",
        "q(&x);",
    ),
    "result that is missing": ("void f(void *p) { x = 1; } void *(*q)(void *) = (void *(*)(void *))f;", "q(&x);"),
    "no prototype": ("void f() { x = 1; } void (*q)(void *) = (void (*)(void *))f;", "q(&x);"),
    "signs": ("void f(unsigned a) { x = a; } void (*q)(int) = (void (*)(int))f;", "q(1);"),
    "member": ("void f(char *p) { x = 1; } struct { void (*q)(void *); } o = {f};", "o.q(&x);"),
    "argument": ("void f(char *p) { x = 1; } void each(void (*q)(void *)) { q(&x); }", "each((void (*)(void *))f);"),
    "through a union": (
        "void f(char *p) { x = 1; } union { void (*in)(char *); void *(*out)(void *); } u;",
        "u.in = f; u.out(&x);",
    ),
    "copied": (
        "void *memcpy(void *, const void *, unsigned long); void f(char *p) { x = 1; } void (*p)(char *) = f;",
        "void (*q)(void *); memcpy(&q, &p, sizeof q); q(&x);",
    ),
    "through a pointer to the pointer": (
        "void f(char *p) { x = 1; } void (*p)(char *) = f;",
        "(*(void (**)(void *))&p)(&x);",
    ),
    "through void *": ("void f(char *p) { x = 1; } void *v = f;", "((void (*)(void *))v)(&x);"),
}
BROKEN = {
    "number": ("void f(int *p, int *q) { x = 1; } void (*q)(void *) = (void (*)(void *))f;", "q(&x);"),
    "width": ("void f(long a) { x = 1; } void (*q)(int) = (void (*)(int))f;", "q(1);"),
    "pointer for int": ("void f(int a) { x = 1; } void (*q)(void *) = (void (*)(void *))f;", "q(&x);"),
    "floating": ("void f(float a) { x = 1; } void (*q)(int) = (void (*)(int))f;", "q(1);"),
    "in a union": (
        "void f(double d) { x = 1; } union { void (*in)(double); void (*out)(void *); } u;",
        "u.in = f; u.out(&x);",
    ),
    "struct": ("struct s { int a; }; struct s f(void) { struct s r; return r; } void (*q)(void) = (void (*)(void))f;",
               "q();"),
}  # fmt: skip


def _caller(parts: tuple[str, str], expected: int = 1) -> str:
    return f"""\
        #include <assert.h>
        struct s;
        int x;
        char t[2];
        {parts[0]}
        int main(void) {{
          {parts[1]}
          assert(x == {expected});
          return 0;
        }}
        """


@pytest.mark.parametrize(("name", "engine"), each_by_one(CALLS))
def test_a_call_that_differs_in_pointers_only_works(name, engine, tmp_path, monkeypatch):
    outcome = ask(engine, tmp_path, monkeypatch, _caller(CALLS[name]))
    assert outcome.verdict is Verdict.TRUE, outcome.violated
    assert [caution.message.split(":")[0] for caution in outcome.warnings] == [
        "`f` is called through a pointer to a function of another type"
    ]
    assert ask(engine, tmp_path, monkeypatch, _caller(CALLS[name], 2)).violated.name == "assertion"
    strict = ask(engine, tmp_path, monkeypatch, _caller(CALLS[name]), strict_posix=True)
    assert description(strict.violated) == NO_FUNCTION
    assert not strict.warnings


@pytest.mark.parametrize("name", BROKEN)
def test_other_calls_of_another_type_are_violations(name, tmp_path, monkeypatch):
    for engine in ("native", "cbmc 6.6"):
        outcome = ask(engine, tmp_path, monkeypatch, _caller(BROKEN[name]))
        assert outcome.verdict is Verdict.FALSE
        assert description(outcome.violated) == NO_FUNCTION


STARTS = {
    "pointers": "struct s *f(struct s *p) { x = 1; return p; }",
    "int": "int f(void *p) { x = 1; return 7; }",
    "nothing": "void f() { x = 1; }",
    "a number": "void f(long n) { x = 1; }",
    "no parameter": "void *f(void) { x = 1; return 0; }",
}


def _starter(function: str, expected: int = 1) -> str:
    return f"""\
        #include <assert.h>
        #include <pthread.h>
        struct s;
        int x;
        {function}
        int main(void) {{
          pthread_t t;
          pthread_create(&t, 0, (void *(*)(void *))f, &x);
          pthread_join(t, 0);
          assert(x == {expected});
          return 0;
        }}
        """


@pytest.mark.parametrize(("name", "engine"), each_by_one(STARTS))
def test_a_start_function_of_another_type_works(name, engine, tmp_path, monkeypatch):
    outcome = ask(engine, tmp_path, monkeypatch, _starter(STARTS[name]), rounds=2)
    assert outcome.verdict is Verdict.TRUE, outcome.violated
    assert len(outcome.warnings) == 1 and outcome.warnings[0].message.startswith("`f` starts threads")
    assert ask(engine, tmp_path, monkeypatch, _starter(STARTS[name], 2), rounds=2).violated.name == "assertion"
    strict = ask(engine, tmp_path, monkeypatch, _starter(STARTS[name]), strict_posix=True, rounds=2)
    assert description(strict.violated) == NO_FUNCTION


def test_a_start_function_that_was_in_a_union_works(tmp_path, monkeypatch):
    text = _starter("void f(void *p) { x = 1; }\nunion { void (*in)(void *); void *(*out)(void *); } u = {f};")
    text = text.replace("(void *(*)(void *))f", "u.out")
    for engine in ("native", "cbmc 6.6"):
        assert ask(engine, tmp_path, monkeypatch, text, rounds=2).verdict is Verdict.TRUE
        broken = ask(engine, tmp_path, monkeypatch, text.replace("void f(void *p)", "void f(double p)"), rounds=2)
        assert description(broken.violated) == NO_FUNCTION


def test_a_start_function_with_a_floating_parameter_is_a_violation(tmp_path, monkeypatch):
    for engine in ("native", "cbmc 6.6"):
        outcome = ask(engine, tmp_path, monkeypatch, _starter("void *f(double d) { x = 1; return 0; }"), rounds=2)
        assert description(outcome.violated) == NO_FUNCTION


# Objects that are only zeroed: what they are called, their type, and calls that exclude others from `count++`.
ZEROED = {
    "pthread_mutex_t": ("a mutex", "pthread_mutex_lock", "pthread_mutex_unlock"),
    "pthread_rwlock_t": ("a read-write lock", "pthread_rwlock_wrlock", "pthread_rwlock_unlock"),
    "mtx_t": ("a mutex", "mtx_lock", "mtx_unlock"),
}
WHERE = {
    "file level": ("{type} m;", "", "m"),
    "static": ("", "static {type} m; shared = &m;", "*({type} *)shared"),
    "array of structs": ("struct {{ int a; {type} m; }} s[2];", "", "s[1].m"),
    "calloc": ("struct q {{ int a; {type} m; }} *s;", "s = calloc(1, sizeof *s);", "s->m"),
    "memset": ("struct q {{ int a; {type} m; }} *s;", "s = malloc(sizeof *s); memset(s, 0, sizeof *s);", "s->m"),
    "automatic": ("", "{type} m = {{0}}; shared = &m;", "*({type} *)shared"),
}


def _locked(type_: str, where: str, broken: bool = False) -> str:
    _, lock, unlock = ZEROED[type_]
    objects, prepare, place = (part.format(type=type_) for part in WHERE[where])
    return f"""\
        #include <assert.h>
        #include <pthread.h>
        #include <stdlib.h>
        #include <string.h>
        #include <threads.h>
        int count;
        void *shared;
        {objects}
        void *add(void *unused) {{
          {lock}(&{place});
          int old = count;
          {f"{unlock}(&{place});" if broken else ""}
          count = old + 1;
          {"" if broken else f"{unlock}(&{place});"}
          return 0;
        }}
        int main(void) {{
          pthread_t t;
          {prepare}
          pthread_create(&t, 0, add, 0);
          add(0);
          pthread_join(t, 0);
          assert(count == 2);
          return 0;
        }}
        """


@pytest.mark.parametrize(("pair", "engine"), each_by_one([*((each, "file level") for each in ZEROED),
                                                          *(("pthread_mutex_t", each) for each in WHERE)]))  # fmt: skip
def test_an_object_that_is_only_zeroed_works(pair, engine, tmp_path, monkeypatch):
    type_, where = pair
    outcome = ask(engine, tmp_path, monkeypatch, _locked(type_, where), rounds=2)
    assert outcome.verdict is not Verdict.FALSE and outcome.exit_status == 0, outcome.violated
    assert outcome.verdict is Verdict.TRUE or engine != "native"
    assert any(f"is {ZEROED[type_][0]} that nothing initialises" in each.message for each in outcome.warnings)
    broken = ask(engine, tmp_path, monkeypatch, _locked(type_, where, broken=True), rounds=2)
    assert broken.violated is not None and broken.violated.name == "assertion"
    if where == "file level":
        strict = ask(engine, tmp_path, monkeypatch, _locked(type_, where), strict_posix=True, rounds=2)
        assert description(strict.violated).endswith("was never initialised")


@pytest.mark.parametrize("engine", ENGINES)
def test_condition_variables_and_semaphores_that_are_only_zeroed_work(engine, tmp_path, monkeypatch):
    text = """\
        #include <assert.h>
        #include <pthread.h>
        #include <semaphore.h>
        pthread_mutex_t m; pthread_cond_t c; sem_t s;
        int ready, value;
        void *worker(void *unused) {
          value = 1;
          pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);
          sem_post(&s);
          return 0;
        }
        int main(void) {
          pthread_t t;
          pthread_create(&t, 0, worker, 0);
          pthread_mutex_lock(&m);
          if (!ready) pthread_cond_wait(&c, &m);
          pthread_mutex_unlock(&m);
          sem_wait(&s);
          assert(value == WANTED);
          return 0;
        }
        """
    outcome = ask(engine, tmp_path, monkeypatch, text.replace("WANTED", "1"), rounds=2)
    assert outcome.verdict is not Verdict.FALSE, outcome.violated
    assert {caution.message.split("`")[1] for caution in outcome.warnings} == {"m", "c", "s"}
    assert ask(engine, tmp_path, monkeypatch, text.replace("WANTED", "2"), rounds=2).violated.name == "assertion"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "program",
    [
        "pthread_spinlock_t s; int main(void) { pthread_spin_lock(&s); return 0; }",
        "pthread_barrier_t b; int main(void) { pthread_barrier_wait(&b); return 0; }",
        "int main(void) { pthread_mutex_t m; pthread_mutex_lock(&m); return 0; }",
        "int main(void) { pthread_mutex_t *m = malloc(sizeof *m); pthread_mutex_lock(m); return 0; }",
    ],
    ids=["spin lock", "barrier", "automatic", "malloc"],
)
def test_other_objects_that_nothing_initialises_are_violations(program, engine, tmp_path, monkeypatch):
    outcome = ask(engine, tmp_path, monkeypatch, f"#include <pthread.h>\n#include <stdlib.h>\n{program}\n")
    assert outcome.violated is not None and outcome.violated.name == "misuse"


def test_initialised_objects_get_no_warning(tmp_path, monkeypatch):
    text = """\
        #include <pthread.h>
        struct q { pthread_mutex_t m; pthread_cond_t c; } two;
        struct q one = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
        pthread_mutex_t alone, list[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
        void make(struct q *q) { pthread_mutex_init(&q->m, 0); pthread_cond_init(&q->c, 0); }
        int main(void) {
          make(&two);
          pthread_mutex_init(&alone, 0);
          pthread_mutex_lock(&two.m); pthread_mutex_lock(&alone); pthread_mutex_lock(&list[1]);
          pthread_cond_signal(&two.c); pthread_cond_signal(&one.c);
          return 0;
        }
        """
    outcome = ask("native", tmp_path, monkeypatch, text)
    assert (outcome.verdict, outcome.warnings) == (Verdict.TRUE, [])


@pytest.mark.parametrize("returned", ["-1", "1"])
@pytest.mark.parametrize("engine", ENGINES)
def test_a_narrow_negative_result_need_not_be_negative(
    engine: str, returned: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = f"""\
        #include <assert.h>
        #include <pthread.h>
        int work(void *a) {{ return {returned}; }}
        int main(void) {{
          pthread_t t;
          void *result;
          pthread_create(&t, 0, (void *(*)(void *))work, 0);
          pthread_join(t, &result);
          assert((long)result == {returned});
        }}
        """
    outcome = ask(engine, tmp_path, monkeypatch, program, rounds=2)
    assert outcome.verdict is (Verdict.UNKNOWN if returned == "-1" else Verdict.TRUE)
    assert [bound.cut.limit for bound in outcome.bounds] == ([Limit.NARROW_RESULT] if returned == "-1" else [])
