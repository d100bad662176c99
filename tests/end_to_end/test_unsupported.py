"""A thread stops at what is not supported: the others go on, and nothing is claimed of what comes after it."""

from pathlib import Path
from typing import Any

import pytest

import cseq
from cseq.model.errors import UnsupportedError
from cseq.model.verdict import Outcome, Verdict
from cseq.report.text.terminal import render

HEAD = """\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int unknown(void);
struct module { struct module *next; int count; };
extern int verbose, levels[3];
extern struct module module;
static int x, y, z;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void stop(void)
{
    %s
}
"""

STOPS = {
    "undefined function": "unknown();",
    "assembly": 'asm("hlt");',
    "computed goto": "static void *to[] = { &&end }; goto *to[x & 0]; end: ;",
    "nested function": "int inner(int v) { if (v) { return v + x; } return 1; } x = inner(1);",
    "refused function": "system(0);",
    "OpenMP": "\n#pragma omp parallel\n    x = 1;",
    "declaration": "_Complex double d = 1; x = d != 0;",
    "undefined object": "x = module.count;",
    "in a condition": "if (unknown()) { again: x = 1; } if (x == 5) goto again;",
    "in a loop": "while (unknown()) x++;",
    "in a switch": 'switch (x) { case 0: case 1: asm("hlt"); default: x = x; asm("hlt"); }',
    "reached by a jump": 'if (x == 7) { if (y) { asm("hlt"); to: ; } } x = x; asm("hlt"); if (y) goto to;',
}

DECLARED = {
    "type": ("typedef int four __attribute__((vector_size(16)));", "four v; x = sizeof v;"),
    "type of a member": ("struct s { int n; _Complex float z; }; static struct s s;", "struct s *p = &s; x = p->n;"),
    "type of a parameter": ("static int take(_Complex double z) { return 0; }", "x = take(0);"),
    "assembly": ('asm("one: movl $1, %eax\\n\\tret"); int one(void);', "x = one();"),
    "incomplete object": ("struct m; extern struct m hidden; struct m *owner = &hidden;", "x = owner != 0;"),
    "address of an incomplete object": (
        "struct m; extern struct m away; static int take(struct m *p) { return p != 0; }",
        "x = take(&away);",
    ),
    "private to threads of OpenMP": ("static int own;\n#pragma omp threadprivate(own)", "own = x;"),
    "object by a pointer": (
        "struct l { struct l *next; int n; }; extern struct l last; static struct { struct l *l; } first = { &last };",
        "x = first.l->n;",
    ),
    "function by a pointer": ("int unknown(void); static int (*ask)(void) = unknown;", "x = ask();"),
    "start of a thread": (
        "#include <pthread.h>\nvoid *far(void *); static void *(*start)(void *) = far;",
        "pthread_t t; pthread_create(&t, 0, start, 0);",
    ),
}

F = "static void *f(void *arg) { stop(); y = 1; return 0; }\n"
G = "static void *g(void *arg) { x = 1; z = 1; return 0; }\n"
CALL = "static void *f(void *arg) { pthread_mutex_lock(&m); stop(); pthread_mutex_unlock(&m); return 0; }\n"
SIGNAL = """static void *f(void *arg)
{
    stop();
    pthread_mutex_lock(&m); x = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);
    return 0;
}
"""
CIRCLE = """static void *g(void *arg)
{
    pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);
    return 0;
}
"""
LEAK = "static void *f(void *arg) { void *p = malloc(4); stop(); free(p); return 0; }\n"
WAIT = "pthread_mutex_lock(&m); while (!x) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);"
CLOSE = "pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);"


def main(*bodies: str, start: str = "f") -> str:
    created = "".join(f" pthread_create(&{name}t, 0, {name}, 0);" for name in start)
    threads = "".join(f" pthread_t {name}t;" for name in start)
    return f"int main(void) {{{threads}{created} {' '.join(bodies)} return 0; }}\n"


CASES = {
    "after it": (F + main("pthread_join(ft, 0); assert(!y);"), "UNKNOWN", {}),
    "before it": (F.replace("stop", "x = 1; stop") + main("assert(!x);"), "FALSE", {}),
    "elsewhere": (F + G + main("pthread_join(gt, 0); assert(!z);", start="fg"), "FALSE", {}),
    "elsewhere, repaired": (F + G + main("pthread_join(gt, 0); assert(z);", start="fg"), "UNKNOWN", {}),
    "never reached": (F.replace("stop", "if (z) stop") + main("assert(!z);"), "TRUE", {}),
    "a join of it": (F + main("pthread_join(ft, 0);"), "UNKNOWN", {"only": "no-deadlock"}),
    "its mutex": (CALL + main("pthread_mutex_lock(&m); pthread_mutex_unlock(&m);"), "UNKNOWN", {"only": "no-deadlock"}),
    "its signal": (SIGNAL + main(WAIT), "UNKNOWN", {"only": "no-deadlock", "unwind": 2}),
    "a circle elsewhere": (F + CIRCLE + main(CLOSE, start="fg"), "FALSE", {"only": "no-deadlock"}),
    "a race elsewhere": (F + G + main("z = 2;", start="fg"), "FALSE", {"only": "no-data-race"}),
    "its memory": (LEAK + main("pthread_exit(0);"), "UNKNOWN", {"only": "valid-memsafety"}),
}  # fmt: skip


def asked(folder: Path, text: str, stop: str, declared: str = "", **options: Any) -> Outcome:
    path = folder / "program.c"
    path.write_text(f"{declared}\n{HEAD % stop}{text}")
    return cseq.verify(path, **options)


@pytest.mark.parametrize("backend", ["native", "cbmc"])
@pytest.mark.parametrize("case", CASES)
def test_the_others_go_on(case: str, backend: str, tmp_path: Path) -> None:
    text, verdict, options = CASES[case]
    if backend == "cbmc" and verdict == "TRUE":
        options = {**options, "rounds": 3, "prove": True}
    outcome = asked(tmp_path, text, "unknown();", backend=backend, **options)
    assert outcome.verdict is Verdict[verdict], outcome
    if verdict == "UNKNOWN":
        assert "unsupported" in {bound.kind for bound in outcome.bounds}


@pytest.mark.parametrize("kind", STOPS)
def test_each_kind(kind: str, tmp_path: Path) -> None:
    answers = [
        asked(tmp_path, CASES[case][0], STOPS[kind]).verdict for case in ("after it", "before it", "never reached")
    ]
    assert answers == [Verdict.UNKNOWN, Verdict.FALSE, Verdict.TRUE]


@pytest.mark.parametrize("kind", DECLARED)
def test_each_kind_outside_of_functions(kind: str, tmp_path: Path) -> None:
    declared, stop = DECLARED[kind]
    verdicts = {"after it": Verdict.UNKNOWN, "before it": Verdict.FALSE, "never reached": Verdict.TRUE}
    answers = {case: asked(tmp_path, CASES[case][0], stop, declared) for case in verdicts}
    assert {case: answer.verdict for case, answer in answers.items()} == verdicts
    cut = next(bound.cut for bound in answers["after it"].bounds if bound.kind == "unsupported")
    assert cut is not None and cut.place is not None and cut.place.file.endswith("program.c")
    with pytest.raises(UnsupportedError) as refusal:
        asked(tmp_path, CASES["never reached"][0], stop, declared, strict=True)
    assert refusal.value.origin is not None and refusal.value.exit_status == 2


@pytest.mark.parametrize("backend", ["horn", "tlc"])
@pytest.mark.parametrize("case", ["after it", "never reached"])
def test_proofs_need_that_it_is_not_reached(case: str, backend: str, tmp_path: Path) -> None:
    text, verdict, options = CASES[case]
    assert asked(tmp_path, text, "unknown();", backend=backend, **options).verdict is Verdict[verdict]


@pytest.mark.parametrize("kind", STOPS)
def test_strictly_it_is_refused(kind: str, tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError) as refusal:
        asked(tmp_path, CASES["never reached"][0], STOPS[kind], strict=True)
    assert refusal.value.origin is not None


def test_a_timed_wait_for_a_lock_that_prefers_writers(tmp_path: Path) -> None:
    kind = "pthread_rwlockattr_setkind_np(&a, PTHREAD_RWLOCK_PREFER_WRITER%s_NP);"
    body = "pthread_rwlockattr_t a; pthread_rwlock_t l; struct timespec t = {0}; pthread_rwlockattr_init(&a);" + kind
    body += "pthread_rwlock_init(&l, &a); pthread_rwlock_timedwrlock(&l, &t); assert(!x);"
    for preferred, verdict in (("", "TRUE"), ("_NONRECURSIVE", "UNKNOWN")):
        assert asked(tmp_path, main(body % preferred, start=""), "").verdict is Verdict[verdict]


@pytest.mark.parametrize("only", ["unreach-call", "no-deadlock", "valid-memsafety"])
def test_an_execution_that_gets_there_is_shown(only: str, tmp_path: Path) -> None:
    text = F.replace("stop", "if (x == 2) stop") + main("x = 1; x = 2; x = 3; assert(x == 3);")
    outcome = asked(tmp_path, text, "unknown();", backend="native", only=only, show_cut=True)
    shown = outcome.counterexample
    assert outcome.verdict is Verdict.UNKNOWN and outcome.violated is None
    assert shown is not None and shown.cut is not None and shown.cut.place is not None
    assert shown.steps[-1].origin.line == shown.cut.place.line
    assert "the thread stops at " in render(outcome, steps=True)
    good = text.replace("x == 2", "x == 4")
    assert asked(tmp_path, good, "unknown();", backend="native", only=only, show_cut=True).counterexample is None


def test_an_undefined_object_has_any_contents(tmp_path: Path) -> None:
    bad = main("assert(verbose < 5 || levels[1] != 77);", start="")
    assert asked(tmp_path, bad, "").verdict is Verdict.FALSE
    good = main("int before = verbose; x = 1; assert(verbose == before);", start="")
    assert asked(tmp_path, good, "").verdict is Verdict.TRUE


WAITS = {
    "read(0, &x, 1);": ("TRUE", "FALSE"),
    "fgets((char *)&x, 2, stdin);": ("TRUE", "FALSE"),
    "pause();": ("TRUE", "FALSE"),
    "struct pollfd f = {0}; poll(&f, 1, -1);": ("TRUE", "FALSE"),
    "struct pollfd f = {0}; poll(&f, 1, 9);": ("TRUE", "TRUE"),
    "struct pollfd f = {0}; poll(&f, 1, x);": ("TRUE", "UNKNOWN"),
    "struct timeval t = {0}; select(1, 0, 0, 0, &t);": ("TRUE", "TRUE"),
    "select(1, 0, 0, 0, 0);": ("TRUE", "FALSE"),
}


@pytest.mark.parametrize("body", WAITS)
def test_what_only_the_environment_can_end(body: str, tmp_path: Path) -> None:
    text = "#include <poll.h>\n#include <stdio.h>\n#include <sys/select.h>\n#include <unistd.h>\n"
    text += "int x;\n" + main(body, start="")
    path = tmp_path / "program.c"
    path.write_text(text)
    for closed, verdict in zip((False, True), WAITS[body], strict=True):
        outcome = cseq.verify(path, only="no-deadlock", closed_world=closed)
        assert outcome.verdict is Verdict[verdict], closed
        is_open = any(caution.of == "no-deadlock" for caution in outcome.warnings)
        assert is_open is (not closed and WAITS[body] != ("TRUE", "TRUE"))
        assert cseq.verify(path, only="unreach-call", closed_world=closed).warnings == []
