"""Pointers that are numbers for a moment: they keep their objects, unless the number changes."""

import pytest

import cseq
from cseq.model.verdict import Verdict

PROGRAM = """\
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
struct node {{ int value; struct node *next; }};
static struct node *_Atomic head;
static struct node one, other;
static void *thread(void *u)
{{
    struct node *n = {pointer};
    if (n) n->value = 1;
    return u;
}}
int main(void)
{{
    pthread_t t;
    struct node *n = malloc(sizeof *n);
    if (!n) return 0;
    head = n;
    pthread_create(&t, NULL, thread, NULL);
    {frees}
    pthread_join(t, NULL);
    {later}
    return 0;
}}
"""


@pytest.fixture
def told(tmp_path):
    """The outcome for memory safety."""

    def ask(pointer: str, frees: str = "", later: str = "free(n);") -> cseq.Outcome:
        source = tmp_path / "program.c"
        source.write_text(PROGRAM.format(pointer=pointer, frees=frees, later=later), encoding="utf-8")
        return cseq.verify(source, backend="native", only="valid-memsafety", timeout=60)

    return ask


TRIP = "(struct node *) (uintptr_t) (const void *) head"


def test_a_round_trip_keeps_the_object(told):
    assert told(TRIP).verdict is Verdict.TRUE


def test_the_object_may_be_gone(told):
    assert told(TRIP, "free(n);", "").verdict is Verdict.FALSE


@pytest.mark.parametrize("pointer", [f"(struct node *) ((uintptr_t) head + {n})" for n in (16, 64)])
def test_a_number_that_changes_is_no_round_trip(told, pointer):
    assert told(pointer).verdict is not Verdict.TRUE


def test_a_number_that_is_too_short_is_none(told):
    assert told("(struct node *) (uintptr_t) (unsigned) (uintptr_t) head").verdict is not Verdict.TRUE
