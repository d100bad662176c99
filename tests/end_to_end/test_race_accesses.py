"""What counts as an access to memory that a data race can be about, and to which bytes."""

from pathlib import Path

import pytest

import cseq
from cseq.backends.cbmc import BACKEND
from cseq.model.verdict import Outcome, Verdict
from cseq.report.words import message

pytestmark = pytest.mark.skipif(BACKEND.find() is None, reason="no CBMC is installed (setup/provide-cbmc)")

HEAD = """\
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x, y, a[4];
volatile int v;
char text[8] = "abc", other[8];
struct pair { int u, w; } s, s2;
struct { struct pair in[2]; char c; } nest;
union { int i; struct { short low, high; } half; char bytes[4]; } un;
struct { unsigned int p : 3, q : 4; int n; } bits;
int *pointer = &x;
const int k = 3;
atomic_int flag;
pthread_t shared_thread;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int twice(int n) { return 2 * n; }
int sum(const int *from, int count) { int n = 0; for (int i = 0; i < count; i++) n += from[i]; return n; }
void *echo(void *arg) { return arg; }
"""

# What it is about, what one thread does, what the other does.
RACES = [
    ("a read whose value is dropped", "x;", "x = 1;"),
    ("a volatile read whose value is dropped", "(void)v;", "v = 1;"),
    ("the left operand of a comma", "y = (x, 1);", "x = 1;"),
    ("a factor of 0", "y = x * 0;", "x = 1;"),
    ("an index", "int *l = &a[x]; (void)l;", "x = 1;"),
    ("an argument of printf", 'printf("%d", x);', "x = 1;"),
    ("a string that printf puts out", 'printf("%*d%.2s", k, k, text);', "text[1] = 'x';"),
    ("a string that is put out", "puts(text);", "text[2] = 'x';"),
    ("the result of a thread", "return (void *)(long)x;", "x = 1;"),
    ("a loop in a function, the last element", "sum(a, 3);", "a[2] = 1;"),
    ("the end of a string", "y = strlen(text);", "text[3] = 'x';"),
    ("the end of a copied string", "strcpy(other, text);", "other[3] = 'x';"),
    ("a part of memory", "memset(a, 0, 8);", "a[1] = 1;"),
    ("a member of a struct that is copied", "s2 = s;", "s.w = 1;"),
    ("a member of a struct that is an argument", "struct pair l = s; (void)l;", "s.w = 1;"),
    ("a struct in an array in a struct", "nest.in[1].w = 1;", "s = nest.in[1];"),
    ("the upper half of a word", "un.half.high = 1;", "un.bytes[2] = 1;"),
    ("reading a neighbouring bit-field", "y = bits.p;", "bits.q = 1;"),
    ("a pointer that is followed", "y = *pointer;", "pointer = a;"),
    ("what a pointer leads to", "*pointer = 1;", "y = x;"),
    ("where the result of a join goes", "pthread_t t; pthread_create(&t, 0, echo, 0);"
     " pthread_join(t, (void **)&pointer);", "int *l = pointer; (void)l;"),
    ("the identifier of a thread", "pthread_create(&shared_thread, 0, echo, 0);", "shared_thread;"),
    ("memory that is freed", "free(pointer);", "*pointer = 1;"),
    ("freeing twice", "free(pointer);", "free(pointer);"),
    ("initialising an atomic object", "atomic_init(&flag, 1);", "flag++;"),
    ("a compare-and-swap that succeeds", "int l = 0; __atomic_compare_exchange_n(&x, &l, 1, 0, 5, 5);", "y = x;"),
    ("what a compare-and-swap expects", "__atomic_compare_exchange_n(&x, &y, 1, 0, 5, 5);", "y = 1;"),
    ("an atomic section, later on", "__VERIFIER_atomic_begin(); if (y == 0) x = 1; __VERIFIER_atomic_end();", "x = 2;"),
    ("a copy in an atomic section", "__VERIFIER_atomic_begin(); s = s2; __VERIFIER_atomic_end();", "s.w = 2;"),
]  # fmt: skip

# Together no race: each line is about objects of its own.
APART = [
    ("int l = sizeof(x++) + (int)(&x - &x); (void)l;", "x = 1;"),
    ("memset(a, 0, 8); sum(a, 2);", "a[2] = 1;"),
    ("printf(\"%d %.2s\", k, text);", "text[2] = 'x';"),
    ("strcpy(other, \"ab\");", "other[3] = 'x';"),
    ("s.u = 1;", "s.w = 1;"),
    ("nest.in[0] = s2;", "nest.in[1].u = 1; nest.c = 1;"),
    ("un.half.high = 1;", "un.bytes[1] = 1;"),
    ("bits.n = 1;", "bits.q = 1;"),
    ("flag++;", "if (flag) flag = 2;"),
    ("int l = 7; __atomic_compare_exchange_n(&y, &l, 1, 0, 5, 5);", "int n = y; (void)n;"),
    ("__VERIFIER_atomic_begin(); if (v == 1) a[3] = 1; __VERIFIER_atomic_end();", "a[3] = 1;"),
    ("pthread_mutex_lock(&m); pointer = malloc(4); pthread_mutex_unlock(&m);",
     "pthread_mutex_lock(&m); pointer = &k == pointer ? 0 : pointer; pthread_mutex_unlock(&m);"),
]  # fmt: skip


def races(folder: Path, one: str, other: str, rounds: int) -> Outcome:
    """What is said of two threads; `pointer` leads to memory from the heap."""
    start = "".join(f"pthread_create(&t[{n}], 0, t{n}, 0); " for n in range(2))
    main = f"pthread_t t[2]; {start}pthread_join(t[0], 0); pthread_join(t[1], 0); return 0;"
    if "free" in one:
        main = f"pointer = malloc(sizeof(*pointer)); *pointer = 1; {main}"
    bodies = "".join(
        f"void *t{n}(void *arg) {{ (void)arg; {body} return 0; }}\n" for n, body in enumerate((one, other))
    )
    path = folder / "program.c"
    path.write_text(f"{HEAD}{bodies}int main(void) {{ {main} }}\n")
    outcome = cseq.verify(path, rounds=rounds, unwind=4, race=True, timeout=120).of("no-data-race")
    assert outcome.verdict is Verdict.FALSE or outcome.exit_status == 0, (outcome.reason, message(outcome))
    return outcome


@pytest.mark.parametrize(("one", "other"), [case[1:] for case in RACES], ids=[case[0] for case in RACES])
def test_a_race(one: str, other: str, tmp_path: Path) -> None:
    rounds = 2 if "atomic_begin" in one else 1  # nobody is switched out inside of a section but for good
    assert races(tmp_path, one, other, rounds).verdict is Verdict.FALSE


def test_no_race(tmp_path: Path) -> None:
    ones, others = ("".join(f"{{ {case[n]} }} " for case in APART) for n in range(2))
    outcome = races(tmp_path, ones, others, 1)
    assert outcome.verdict is not Verdict.FALSE, outcome.violated
