"""Explicit-state search where the text does not tell what is written: followed, with some values where it is not.

Each program does the wrong thing with a macro, and the right one without.
"""

from pathlib import Path

import pytest

import cseq
from cseq.model.errors import UnsupportedError
from cseq.model.verdict import Verdict
from cseq.report.words import bound_text, description

START = """\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
int g; pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct pair { int one; char small; int other; } shared[2];
struct node { struct node *next; int value; } *top;
"""

THREADS = """
pthread_t t[2]; void *r;
for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, thread, (void *)(long)i);
for (int i = 0; i < 2; i++) pthread_join(t[i], &r);
"""

PUSH = f"""
void *thread(void *number)
{{
    struct node *new = malloc(sizeof *new);
    #ifndef UNSET
    new->value = 1 + (long)number;
    #endif
    pthread_mutex_lock(&lock); new->next = top; top = new; pthread_mutex_unlock(&lock);
    return 0;
}}
int main(void)
{{
    {THREADS}
    int sum = 0;
    while (top) {{
        struct node *first = top;
        top = top->next;
        sum += first->value;
        free(first);
        #ifdef LATE
        sum += first->value;
        #endif
        #ifdef TWICE
        free(first);
        #endif
    }}
    #ifdef WRONG
    assert(sum == 2);
    #endif
    assert(sum == 3);
    return 0;
}}
"""

SCALAR = f"""
void *thread(void *p) {{ g = 1; return 0; }}
int main(void)
{{
    int x, *p = &x, y;
    {THREADS}
    #ifdef ESCAPING
    if (g > 1) *p = 1;
    #else
    *p = 1;
    #endif
    if (g) y = 1;
    #ifdef LOCAL
    if (!g) y = 1; else {{ int z; if (g > 1) z = 1; y = z; }}
    #endif
    assert(x == 1 && y == 1 && r == 0);
    return 0;
}}
"""

COPIED = f"""
void *thread(void *number)
{{
    struct pair mine, other[2];
    mine.one = 1;
    #ifndef UNSET
    mine.other = 2;
    #endif
    other[1] = mine;
    shared[(long)number] = other[1];
    return 0;
}}
int main(void)
{{
    {THREADS}
    struct pair last, bytes;
    shared[0].other = shared[1].other;
    shared[0] = shared[1];
    last = shared[0];
    memcpy(&bytes, &last, sizeof last);
    assert(bytes.one == 1);
    assert(bytes.other == 2);
    return 0;
}}
"""

BYTES = """
int main(void)
{
    char *text = malloc(8), *more;
    int *zero = calloc(2, sizeof *zero), row[3];
    for (int i = 0; i < 7; i++) text[i] = 'a' + i;
    #ifndef UNSET
    text[7] = 0;
    #endif
    assert(strlen(text) == 7 && zero[1] == 0);
    more = realloc(text, 24);
    assert(more[3] == 'd');
    memset(row, 0, sizeof row);
    assert(row[2] == 0 && row[row[1]] == 0);
    assert(row[zero[row[0]]] == 0);
    #ifdef BEHIND
    more[24] = 1;
    #endif
    #ifdef COPIED
    free(zero);
    memcpy(zero, row, sizeof row);
    #endif
    #ifdef FILLED
    memset(more, 0, 25);
    #endif
    #ifdef GROWN
    assert(more[8] == 0);
    #endif
    #ifdef MUCH
    text = malloc(100000);
    #endif
    free(more); free(zero);
    return 0;
}
"""


TEXTS = """
char *text;
void *thread(void *p) { text = strdup("hello"); return 0; }
int main(void)
{
    pthread_t t;
    char all[16], two[8];
    int n = 3, squares[n];
    pthread_create(&t, 0, thread, 0);
    pthread_join(t, 0);
    for (int i = 0; i < n; i++) squares[i] = i * i;
    snprintf(all, sizeof all, "%d-%s", 42, text);
    strcpy(two, "ab");
    strcat(two, "c");
    free(text);
    #ifdef WRONG
    assert(all[1] != '2');
    #endif
    assert(strcmp(all, "42-hello") == 0 && strlen(two) == 3 && squares[2] == 4);
    return 0;
}
"""


def checked(folder: Path, text: str, *define: str, **parameters: object) -> cseq.Outcome:
    """What the engine `native` says of a program."""
    (folder / "input.c").write_text(START + text, encoding="utf-8")
    return cseq.verify([folder / "input.c"], define=define, backend="native", **parameters)


@pytest.mark.parametrize(
    "text", [PUSH, SCALAR, COPIED, BYTES, TEXTS], ids=["push", "scalar", "copied", "bytes", "texts"]
)
def test_a_program_that_writes_before_it_reads_is_proved(tmp_path, text):
    assert checked(tmp_path, text).verdict is Verdict.TRUE


VIOLATED = [
    (PUSH, "WRONG", "assertion `sum == 2`"),
    (PUSH, "LATE", "assertion `sum == 3`"),  # what was freed is still there, since its address may come back
    (PUSH, "TWICE", "free: this is no block from malloc, or it has been freed already"),
    (TEXTS, "WRONG", "assertion `all[1] != '2'`"),
]


@pytest.mark.parametrize(("text", "define", "what"), VIOLATED, ids=["sum", "late", "free", "texts"])
def test_what_is_wrong_with_memory_that_is_allocated_is_found(tmp_path, text, define, what):
    outcome = checked(tmp_path, text, define)
    assert outcome.verdict is Verdict.FALSE
    assert outcome.violated is not None
    assert description(outcome.violated) == what


UNWRITTEN = [
    (PUSH, "UNSET", "sum += first->value;", "`first->value` is read before it is written"),
    (SCALAR, "ESCAPING", "assert(x", "`x` is read before it is written"),
    (SCALAR, "LOCAL", "y = z;", "`z` is read before it is written"),
    (COPIED, "UNSET", "assert(bytes.other", "`bytes.other` is read before it is written"),
    (BYTES, "GROWN", "assert(more[8]", "`more[8]` is read before it is written"),
]
REFUSED = [
    (BYTES, "BEHIND", "more[24]", "`more[24]` is accessed, where nothing is allocated (see --memsafety)"),
    (BYTES, "COPIED", "memcpy(zero", "memory is accessed, where nothing is allocated (see --memsafety)"),
    (BYTES, "FILLED", "memset(more", "memory is accessed, where nothing is allocated (see --memsafety)"),
    (BYTES, "UNSET", "assert(strlen", "`strlen` accesses memory where nothing is allocated (see --memsafety)"),
]


def line_of(text: str, where: str) -> int:
    """The number of the line of the program with *text* that contains *where*."""
    return (START + text)[: (START + text).index(where)].count("\n") + 1


@pytest.mark.parametrize(("text", "define", "where", "what"), UNWRITTEN, ids=[f"{r[1]}-{r[3][:12]}" for r in UNWRITTEN])
def test_a_program_that_reads_before_it_writes_is_followed_with_some_values_and_a_warning(
    tmp_path, text, define, where, what
):
    outcome = checked(tmp_path, text, define)
    assert outcome.verdict is Verdict.FALSE
    assert not outcome.unreplayed
    assert f"{tmp_path}/input.c:{line_of(text, where)}: {what}" in [str(each) for each in outcome.warnings]


UNUSED = """
int main(void)
{
    int *p = malloc(sizeof *p), x = *p;
    g = x;
    assert(g == 0 || g != 0);
    #ifdef SUM
    assert(x != 43);
    #endif
    return 42 - 42;
}
"""


def test_there_is_no_proof_where_memory_was_never_written_and_the_symbolic_engine_has_one(tmp_path):
    outcome = checked(tmp_path, UNUSED)
    assert outcome.verdict is Verdict.UNKNOWN
    assert [bound_text(bound) for bound in outcome.bounds] == [
        f"{tmp_path}/input.c:{line_of(UNUSED, 'x = *p')}: `*p` is read before it is written: "
        "the values of memory that was never written were sampled"
    ]
    assert cseq.verify([tmp_path / "input.c"]).verdict is Verdict.TRUE
    assert checked(tmp_path, UNUSED, "SUM").verdict is Verdict.FALSE


@pytest.mark.parametrize(("text", "define", "where", "what"), REFUSED, ids=[f"{r[1]}-{r[3][:12]}" for r in REFUSED])
def test_a_program_that_accesses_what_is_not_allocated_is_refused_with_the_line(tmp_path, text, define, where, what):
    with pytest.raises(UnsupportedError) as caught:
        checked(tmp_path, text, define)
    line = line_of(text, where)
    assert str(caught.value) == f"{tmp_path}/input.c:{line}: {what}; explicit-state search does not follow that"


def test_a_block_that_is_freed_twice_is_refused_with_the_line_where_the_question_is_another_one(tmp_path):
    with pytest.raises(UnsupportedError) as caught:
        checked(tmp_path, PUSH, "TWICE", only="no-deadlock")
    line = line_of(PUSH, "#endif\n    }") - 1
    what = "memory is freed or resized that is no block from malloc, or has been freed already"
    assert str(caught.value) == f"{tmp_path}/input.c:{line}: {what}; explicit-state search does not follow that"
    assert checked(tmp_path, PUSH, only="no-deadlock").verdict is Verdict.TRUE


def test_the_size_of_the_arenas_is_a_bound(tmp_path):
    outcome = checked(tmp_path, BYTES, "MUCH", heap=4096)
    assert outcome.verdict is Verdict.UNKNOWN
    assert [bound_text(bound) for bound in outcome.bounds] == [
        "more than 4096 bytes are allocated by a thread (--heap)"
    ]


RESIZED = """
int *table;
void *use(void *u) { int *p = table; return p[0] == 1 ? u : 0; }
int main(void)
{
    pthread_t t;
    table = malloc(sizeof *table);
    *table = 1;
    pthread_create(&t, 0, use, 0);
    KEPT
    int *larger = realloc(table, 2 * sizeof *table);
    table = larger;
    LATER
    free(table);
    return 0;
}
"""


def test_a_block_that_another_thread_resizes_meanwhile_is_about_memory(tmp_path):
    bad = RESIZED.replace("KEPT", "").replace("LATER", "pthread_join(t, 0);")
    with pytest.raises(UnsupportedError, match=r"is accessed, where nothing is allocated \(see --memsafety\)"):
        checked(tmp_path, bad)
    assert checked(tmp_path, bad, only="valid-memsafety").verdict is Verdict.FALSE
    right = RESIZED.replace("KEPT", "pthread_join(t, 0);").replace("LATER", "")
    assert checked(tmp_path, right).verdict is Verdict.TRUE
    assert checked(tmp_path, right, only="valid-memsafety").verdict is Verdict.TRUE
