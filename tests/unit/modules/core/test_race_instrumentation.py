"""Marks in front of accesses to shared memory."""

import re
from textwrap import dedent

import pytest

from tests.conftest import function_text

PROGRAM = """\
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct pair {{ int m, n; }}; struct bits {{ int a : 3, b : 9; int : 0; int c : 2; char d; int e : 1; }};
int x, y, a[4]; _Atomic int at; struct pair s, t, *p; struct bits bits, *bp; char text[8]; pthread_t thread;
pthread_mutex_t mutex; const int constant = 1; _Thread_local int own; void *result; int get(void) {{ return x; }}
union {{ int i; char c; struct {{ unsigned f : 3, g : 4; }}; }} u;
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); void __VERIFIER_assume(int);
void *run(void *argument)
{{
  int l = 0;
{}
  return 0;
}}
int main(void)
{{
  pthread_create(&thread, 0, run, 0);
  return 0;
}}
"""


@pytest.fixture
def marked(translated):
    """What becomes of statements in a thread.

    ``? r(x)`` is a mark: the thread is about to read x; ``w`` for writing, ``R`` and ``W`` for doing so atomically.
    ``?!`` is one where a thread that is switched out stays. ``<`` and ``>`` are an atomic section.
    """

    def run(statements: str) -> list[str]:
        unit = translated.unit(
            "symbolic/encode/race_instrumentation",
            PROGRAM.format(dedent(statements)),
            property="no-data-race",
            unwind=2,
        )
        body = function_text(unit, "run__cs1")
        body = body.partition("l = 0;\n")[2].rpartition("  return")[0]
        lines = [line.strip() for line in body.splitlines() if "__CSEQ_access" not in line]
        return [_readable(line) for line in lines]

    return run


def _readable(line: str) -> str:
    line = line.replace("__VERIFIER_atomic_begin();", "<").replace("__VERIFIER_atomic_end();", ">")
    line = re.sub(r"__cs_tmp_\d+", "t", line)
    stands = re.fullmatch(r'__CSEQ_stands\(0, "", (\d), (.*)\);', line)
    if stands is None:
        return line
    accesses = re.sub(
        r"__cs_race_accesses\(__CSEQ_address\((.*?)\), ([^,]*), (\d), (\d)\)(?=, __cs_|$)", _access, stands[2]
    )
    return f"{'?!' if stands[1] == '1' else '?'} {accesses}"


def _access(match: re.Match[str]) -> str:
    address, size, writes, atomic = match.groups()
    place = re.fullmatch(r"&(.*)", address)
    what = f"{address if address.isidentifier() else f'({address})'}: {size}"
    if place is not None and size in (f"sizeof({place[1]})", f"sizeof{place[1]}"):
        what = place[1]
    return f"{'rwRW'[int(writes) + 2 * int(atomic)]}({what})"


@pytest.mark.parametrize(
    "statement, expected",
    [
        ("x = 1;", "?! w(x)\nx = 1;"),
        ("l = x;", "?! r(x)\nl = x;"),
        ("x++;", "?! r(x)\nt = x;\n?! w(x)\nx = t + 1;"),
        ("a[l] = 1;", "?! w(a[l])\na[l] = 1;"),
        ("p->n = 1;", "?! r(p)\nt = p;\n?! w(t->n)\nt->n = 1;"),
        ("*(char *)&x = 1;", "?! w((*((char *) (&x))))\n*((char *) (&x)) = 1;"),
        ("if (x) l = 1;", "?! r(x)\nif (x) {\nl = 1;\n}"),
        ("l = l && x;", "t = l != 0;\nif (t) {\n?! r(x)\nt = x != 0;\n}\nl = t;"),
        ("__VERIFIER_assume(x);", "? r(x)\n__CSEQ_assume(x);"),
        ("l = get();", "?! r(x)\n__cs_ret_get = x;\nl = __cs_ret_get;"),
        ("u.c = 1;", "?! w(u.c)\nu.c = 1;"),
        # what nobody else can notice
        ("l = l + constant;", "l = l + constant;"),
        ("own = 1;", "own = 1;"),
        ("int k[2]; k[l] = l;", "k[0] = __CSEQ_nondet_int();\nk[1] = __CSEQ_nondet_int();\nk[l] = l;"),
        ("pthread_mutex_lock(&mutex);", "pthread_mutex_lock(&mutex);"),
        ('l = "abc"[l];', 'l = "abc"[l];'),
    ],
)
def test_accesses(marked, statement, expected):
    assert marked(statement) == expected.splitlines()


def test_a_struct_is_copied_member_by_member(marked):
    lines = marked("s = t;")
    assert [line for line in lines if line.startswith("?")] == ["?! r(t.m)", "?! r(t.n)", "?! w(s.m)", "?! w(s.n)"]


@pytest.mark.parametrize(
    "statement, expected",
    [
        ("l = bits.a;", ["?! r((((char *) (&bits)) + 0): 2)", "l = bits.a;"]),
        ("l = bits.b;", ["?! r((((char *) (&bits)) + 0): 2)", "l = bits.b;"]),
        ("l = bits.c;", ["?! r((((char *) (&bits)) + 4): 1)", "l = bits.c;"]),
        ("bits.e = 1;", ["?! w((((char *) (&bits)) + 6): 1)", "bits.e = 1;"]),
        ("bits.d = 1;", ["?! w(bits.d)", "bits.d = 1;"]),
        ("l = bp->c;", ["?! r(bp)", "t = bp;", "?! r((((char *) t) + 4): 1)", "l = t->c;"]),
        ("l = u.g;", ["?! r((((char *) (&u)) + 0): 1)", "l = u.g;"]),
    ],
)
def test_a_bit_field_is_accessed_with_those_beside_it(marked, statement, expected):
    assert marked(statement) == expected


def test_a_store_to_a_bit_field_is_one_access(marked):
    assert marked("bits.a = l;") == [
        "?! r((((char *) (&bits)) + 0): 2)",
        "__cs_beside_1 = bits.b;",
        "?! w((((char *) (&bits)) + 0): 2)",
        "<",
        "bits.a = l;",
        "bits.b = __cs_beside_1;",
        ">",
    ]


@pytest.mark.parametrize(
    "statement, expected",
    [
        ("at = 1;", "? W(at)\nat = 1;"),
        ("at++;", "? W(at)\n<\nt = at;\nat = t + 1;\n>"),
        ("if (at) l = 1;", "? R(at)\nif (at) {\nl = 1;\n}"),
        ("while (at) ;", "? R(at)\nif (!at) goto __cs_loop_1;\n? R(at)\n__CSEQ_assume(!at);\n__cs_loop_1: ;"),
        ("at = get();", "?! r(x)\n__cs_ret_get = x;\nt = __cs_ret_get;\n? W(at)\nat = t;"),
        ("l = __atomic_load_n(&x, 5);", "? R(x)\nt = x;\nl = t;"),
        ("__atomic_store_n(&x, l, 5);", "? W(x)\nx = l;"),
        ("__sync_fetch_and_add(&x, 1);", "? W(x)\n<\nt = x;\nx = t + ((int) 1);\n>"),
        # the user's own section: each access in it has a mark
        ("__VERIFIER_atomic_begin(); x = 1; l = y; __VERIFIER_atomic_end();",
         "<\n?! w(x)\nx = 1;\n?! r(y)\nl = y;\n>"),
    ],
)  # fmt: skip
def test_atomic_accesses(marked, statement, expected):
    assert marked(statement) == expected.splitlines()


def test_a_comparison_that_fails_stores_nothing(marked):
    lines = marked("l = __sync_bool_compare_and_swap(&x, 3, 4);")
    assert lines[0] == "? R(x), W((&x): (x == 3) ? (sizeof(x)) : (0))"
    assert lines[1] == "<"
    assert not any(line.startswith("?") for line in lines[1:])


@pytest.mark.parametrize(
    "statement, expected",
    [
        ("memcpy(text, a, l);", "?! w(text: l), r(a: l)\nmemcpy(text, a, l);"),
        ("free(p);", "?! r(p)\nt = p;\n?! w(t: (t != 0) ? (__CSEQ_size(t)) : (0))\nfree(t);"),
        ("strcpy(text, p);", "?! r(p)\nt = p;\n?! __cs_tells_strcpy(text, t)\nstrcpy(text, t);"),
        ("pthread_join(l, 0);", "pthread_join(l, 0);"),
        ("pthread_join(l, &result);", "? __cs_tells_pthread_join(l, &result)\npthread_join(l, &result);"),
    ],
)
def test_calls_tell_what_they_access(marked, statement, expected):
    assert marked(statement) == expected.splitlines()


def test_the_identifier_may_be_stored_when_the_thread_runs_already(translated):
    unit = translated.unit(
        "symbolic/encode/race_instrumentation",
        PROGRAM.format("l = thread != 0;"),
        property="no-data-race",
        strict_posix=True,
    )
    lines = [_readable(line.strip()) for line in function_text(unit, "main").splitlines()]
    assert lines[2:-1] == [
        "pthread_t t;",
        "int t;",
        "t = pthread_create(&t, 0, run__cs1, 0);",
        "?! w(thread)",
        "thread = t;",
        "return 0;",
    ]
