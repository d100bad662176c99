"""Programs for software verifiers: values that can be anything, assumptions, sections in which no other thread runs."""

import time
from pathlib import Path

import pytest

from cseq.model.verdict import Binary, Verdict
from cseq.modules.compiled.build import with_sections
from cseq.modules.compiled.client.server import Server
from cseq.modules.compiled.exploration import Exploration
from cseq.modules.compiled.schedule_search import Settings
from cseq.report.words import description
from tests.support.compiled_programs import compiled

pytestmark = pytest.mark.engine

PROGRAM = r"""
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), reach_error(void), abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
int count;
atomic_int ready, seen;
const char *what;

static void assume_abort_if_not(int holds) {
    if (!holds) { abort(); }
}
int __VERIFIER_atomic_take(int *from)
{
    if (*from == 0) return 0;
    return (*from)--;
}
static void *work(void *unused) {
    if (strchr(what, 'f')) {
        if (__VERIFIER_atomic_take(&count) < 0) reach_error();
    } else {
        __VERIFIER_atomic_begin();
        int before = count;
        count = before + 1;
        __VERIFIER_atomic_end();
    }
    if (strchr(what, 'a')) {
        assume_abort_if_not(ready);
        if (!strchr(what, 'r')) return 0;
        reach_error();
    }
    if (strchr(what, 's')) { /* between two sections others run */
        __VERIFIER_atomic_begin();
        ready = 1;
        __VERIFIER_atomic_end();
        __VERIFIER_atomic_begin();
        ready = 0;
        __VERIFIER_atomic_end();
    }
    if (strchr(what, 'o')) {
        __VERIFIER_atomic_begin();
        ready = 1;
        ready = 0;
        __VERIFIER_atomic_end();
    }
    return unused;
}
int main(int number, char **words) {
    pthread_t one, two;
    what = words[number - 1];
    if (strchr(what, 'n') && __VERIFIER_nondet_bool() && __VERIFIER_nondet_bool()) reach_error();
    if (strchr(what, 'f')) count = 1;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, 0);
    if (strchr(what, 'a')) ready = strchr(what, 'r') != 0;
    if (strchr(what, 's') || strchr(what, 'o')) { if (ready) reach_error(); }
    pthread_join(one, 0);
    pthread_join(two, 0);
    if (count != 2 && !strchr(what, 'f')) reach_error();
    return 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("conventions")
    source = folder / "source.c"
    source.write_text(PROGRAM)
    copy = with_sections(str(source), folder / "copy.c")
    assert copy == str(folder / "copy.c")
    return compiled(Path(copy), folder)


@pytest.mark.parametrize(
    ("what", "right"), [("-", True), ("a", True), ("ar", False), ("n", False), ("f", True), ("s", False), ("o", True)]
)
def test_all_schedules(program: Path, what: str, right: bool) -> None:
    with Server([str(program), what]) as server:
        outcome = Exploration([server], Settings(end=time.monotonic() + 60), Binary("")).exhaust().outcome
    assert outcome.verdict is (Verdict.TRUE if right else Verdict.FALSE), outcome
    if not right:
        assert outcome.violated is not None
        assert description(outcome.violated) == "assertion `reach_error()`"


def test_other_programs_are_left_alone(tmp_path: Path) -> None:
    source = tmp_path / "plain.c"
    source.write_text("void __VERIFIER_atomic_begin(void) { }\nint __VERIFIER_atomic_take(int *);\n")
    assert with_sections(str(source), tmp_path / "copy.c") == str(source)
