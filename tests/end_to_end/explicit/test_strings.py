"""Strings and bytes that several threads use: each program with a bug, and its twin without, under a lock."""

import pytest

import cseq
from cseq.model.verdict import Verdict

PROGRAM = """\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#ifdef BUG
#define LOCK(m) (void)0
#define UNLOCK(m) (void)0
#else
#define LOCK(m) pthread_mutex_lock(m)
#define UNLOCK(m) pthread_mutex_unlock(m)
#endif
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
char buffer[8] = "no";
struct message {{ int number; char text[8]; }} *message;

void *writer(void *unused)
{{
    char own[3];
    own[0] = 'y';
    own[1] = 'e';
    LOCK(&m);
    {writes}
    UNLOCK(&m);
    return NULL;
}}

int main(void)
{{
    pthread_t t;
    char seen[8] = "";
    message = calloc(1, sizeof *message);
    pthread_create(&t, NULL, writer, NULL);
    LOCK(&m);
    {reads}
    UNLOCK(&m);
    assert({claim});
    pthread_join(t, NULL);
    return 0;
}}
"""
CASES = {
    "memcpy": ('memcpy(buffer, "ye", 2);', "memcpy(seen, buffer, 3);", "(seen[0] == 'n') == (seen[1] == 'o')"),
    "undefined bytes": ("memcpy(buffer, own, 3);", "memcpy(seen, buffer, 2);", "(seen[0] == 'n') == (seen[1] == 'o')"),
    "strlen": ('strcpy(buffer, "");', 'int n = strlen(buffer), same = !strcmp(buffer, "no");', "(n == 2) == same"),
    "strcmp": ('strcpy(buffer, "yes");', 'int odd = strcmp(buffer, "no") && strcmp(buffer, "yes");', "!odd"),
    "memset": ("memset(buffer, 'x', 2);", 'int odd = memcmp(buffer, "no", 2) && memcmp(buffer, "xx", 2);', "!odd"),
    "pointer": ('strcpy(message->text, "yes");', "int n = (int)strlen(message->text);", "n == 0 || n == 3"),
    "strcat": ('strcat(buffer, "pe");', "int odd = strchr(buffer, 'p') && !strrchr(buffer, 'e');", "!odd"),
    "strncpy": ('strncpy(buffer, "yes", 8);', 'int odd = *buffer == 121 && strncmp(buffer, "ye", 2);', "!odd"),
}  # fmt: skip


@pytest.fixture
def told(tmp_path):
    """The outcome of a case."""

    def ask(name: str, **more: object) -> cseq.Outcome:
        writes, reads, claim = CASES[name]
        source = tmp_path / "program.c"
        source.write_text(PROGRAM.format(writes=writes, reads=reads, claim=claim), encoding="utf-8")
        return cseq.verify(source, timeout=60, **more)

    return ask


@pytest.mark.parametrize("name", CASES)
def test_half_a_string_is_seen_without_a_lock(told, name):
    assert told(name, backend="native", define=("BUG",)).verdict is Verdict.FALSE


@pytest.mark.parametrize("name", CASES)
def test_a_lock_makes_a_call_one_step(told, name):
    assert told(name, backend="native").verdict is Verdict.TRUE


def test_the_loops_do_not_need_the_analysis_of_locks(told):
    assert told("strcmp", backend="native", no_movers=True).verdict is Verdict.TRUE


def test_a_symbolic_engine_proves_what_a_lock_protects(told):
    bounds = {"backend": "cbmc", "rounds": 3, "unwind": 5}
    assert told("memcpy", **bounds).verdict is Verdict.TRUE
    outcome = told("memcpy", **bounds, define=("BUG",))  # it does not see half of the bytes, and says so
    assert outcome.verdict is Verdict.UNKNOWN
    assert "grain" in {bound.kind for bound in outcome.bounds}


def test_the_trace_names_the_call(told):
    outcome = told("strcmp", backend="native", define=("BUG",))
    steps = [step for step in outcome.counterexample.steps if step.thread.number == 1]
    assert {step.source.strip() for step in steps[3:]} == {'strcpy(buffer, "yes");'}
    names = {access.name for step in outcome.counterexample.steps for access in step.accesses}
    assert {"buffer[0]", "buffer[at]"} <= names
