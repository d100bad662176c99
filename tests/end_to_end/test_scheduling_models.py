"""Compiled programs with a scheduler of the user's own: `--model`."""

from pathlib import Path

import pytest

from cseq.cli.main import main
from tests.support.compiled_programs import compiled

TASKS = r"""
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int running;
static atomic_int counter;

static void give_way(int me) {
    running = -1;
    running = me;
}

static void *task(void *number) {
    int me = (int)(ptrdiff_t)number;
    running = me;
    int before = counter;
#ifdef WRONG
    give_way(me);
#endif
    counter = before + 1;
    running = -1;
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, task, (void *)1);
    pthread_create(&other, NULL, task, (void *)2);
    running = -1;
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(counter == 2);
    return 0;
}
"""

MODEL = """
extern volatile int running;
int cseq_can_preempt(int a, int b) { return b < 0 || (a == running && b != running); }
"""


@pytest.fixture
def tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The words that explore tasks that give way, in a folder with a model of that."""
    monkeypatch.chdir(tmp_path)
    Path("tasks.c").write_text(TASKS)
    Path("model.c").write_text(MODEL)
    return ["tasks.c", "-b", "compiled", "-q"]


def test_tasks_that_give_way_after_their_changes_only_need_the_model(
    tasks: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    assert main([*tasks, "--model", "model.c", "--exhaustive"]) == 0
    assert main([*tasks, "--model", "model.c", "--runs", "100"]) == 0
    assert main([*tasks, "--runs", "2000"]) == 1
    assert capfd.readouterr() == ("TRUE\nUNKNOWN\nFALSE\n", "")


def test_a_violation_that_the_model_allows_is_found_saved_and_repeated_with_it(
    tasks: list[str], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = [*tasks, "-D", "WRONG", "--model", "model.c"]
    assert main([*wrong, "--exhaustive"]) == 1
    assert main([*wrong, "--runs", "2000", "--save", "run.cseq"]) == 1
    saved = Path("run.cseq").absolute()
    monkeypatch.chdir("/")
    assert main(["replay", "-q", "--times", "5", str(saved)]) == 1
    assert capfd.readouterr() == ("FALSE\nFALSE\nFALSE\n", "")


def test_a_program_of_another_build_has_the_model_that_is_linked_with_it(
    tasks: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    program = str(compiled(tmp_path / "tasks.c", tmp_path, "-O2", str(tmp_path / "model.c")))
    assert main(["run", "-q", "--exhaustive", program]) == 0
    assert capfd.readouterr() == ("TRUE\n", "")


NO_FUNCTION = "model.c does not define the function `int cseq_can_preempt(int a, int b)`"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int cseq_can_preempt(int a, int b) { return a == }", "model.c:1: error: expected expression"),
        ("extern int none; int cseq_can_preempt(int a, int b) { return none; }", "undefined reference to `none'"),
        ("", NO_FUNCTION),
        ("static int cseq_can_preempt(int a, int b) { return a < b; }", NO_FUNCTION),
        ("int cseq_can_preempt = 1;", NO_FUNCTION),
        ("int cseq_can_preempt(int a, int b) { return *(volatile int *)0; }", "is ended by SIGSEGV"),
        ("void abort(void); int cseq_can_preempt(int a, int b) { abort(); }", "is ended by SIGABRT"),
        ("void exit(int); int cseq_can_preempt(int a, int b) { exit(0); }", "ends the program"),
    ],
)
def test_a_model_that_is_wrong_is_one_line(
    tasks: list[str], capfd: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    Path("model.c").write_text(text)
    status = main([*tasks, "--model", "model.c", "--runs", "20"])
    out, err = capfd.readouterr()
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err
