"""What a program has no means to violate, and what is enough to make it a question again."""

from pathlib import Path

import pytest

from cseq.modules.analysis.vacuity import vacuous
from cseq.pipeline.chain import load
from cseq.pipeline.session import Session
from cseq.pipeline.stage import Context

HEAD = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\nint x, y;\npthread_mutex_t m;\n"
MAIN = "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); x = 2; pthread_join(t, 0); return 0; }\n"
WORK = "void *work(void *arg) { x = 1; return 0; }\n"


def found(folder: Path, text: str, closed: bool = False) -> dict[str, str]:
    """The properties that nothing in the program can violate, and why."""
    path = folder / "program.c"
    path.write_text(HEAD + text)
    chain = load("lazy")
    session = Session(chain, [str(path)], Context(chain.values({}), folder))
    return vacuous(session.run(chain.values({}), until="merger").tree, ["forbidden"], closed)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("int main(void) { x = 1; return 0; }", {"no-deadlock", "no-data-race", "valid-memsafety", "unreach-call"}),
        (WORK + MAIN, {"no-deadlock", "valid-memsafety"}),
        (WORK + MAIN.replace("pthread_join(t, 0);", ""), {"no-deadlock", "valid-memsafety"}),
        ("int main(void) { assert(x); return 0; }", {"no-deadlock", "no-data-race", "valid-memsafety"}),
    ],
)  # fmt: skip
def test_what_nothing_can_violate(text: str, expected: set[str], tmp_path: Path) -> None:
    assert found(tmp_path, text).keys() == expected


@pytest.mark.parametrize("statement", ["char c; read(0, &c, 1);", "x = 1;"])
def test_an_open_wait_may_last_for_ever_in_a_closed_world(statement: str, tmp_path: Path) -> None:
    text = "#include <unistd.h>\n" + WORK.replace("x = 1;", statement) + MAIN
    assert "no-deadlock" in found(tmp_path, text)
    assert ("no-deadlock" in found(tmp_path, text, closed=True)) == (statement == "x = 1;")


@pytest.mark.parametrize("statement", ["unknown();", 'asm("hlt");'])
def test_what_is_not_understood_may_do_anything(statement: str, tmp_path: Path) -> None:
    assert not found(tmp_path, "int unknown(void);\n" + WORK.replace("x = 1;", statement) + MAIN)


@pytest.mark.parametrize(
    "text",
    [
        WORK.replace("x = 1;", "pthread_mutex_lock(&m);") + MAIN,
        WORK.replace("x = 1;", "pthread_t u; pthread_join(u, 0);") + MAIN,
        WORK + MAIN.replace("x = 2;", "pthread_t u = pthread_self();"),
        WORK + MAIN.replace("x = 2;", "pthread_mutex_lock(&m);"),
        WORK + "void stop(pthread_t t) { pthread_join(t, 0); }\n" + MAIN.replace("pthread_join(t, 0)", "stop(t)"),
        "void __VERIFIER_atomic_begin(void);\n" + WORK + MAIN.replace("x = 2;", "__VERIFIER_atomic_begin();"),
    ],
)
def test_what_may_block(text: str, tmp_path: Path) -> None:
    assert "no-deadlock" not in found(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "int a[2]; int main(void) { a[x] = 1; return 0; }",
        "int *p; int main(void) { return p == 0; }",
        "int main(void) { free(malloc(1)); return 0; }",
        "struct s { int n; } s; int main(void) { return (&s)->n; }",
        "int main(void) { return *(int *) (long) x; }",
        WORK.replace("x = 1;", "pthread_mutex_lock(arg);") + MAIN,
        "void f(void) { }\nint main(void) { void (*g)(void) = f; g(); return 0; }",
        "typedef pthread_mutex_t *pointer; pointer p; int main(void) { pthread_mutex_lock(p); return 0; }",
        "void *keep(void *p) { return 0; }\nint main(void) { keep(&x); return 0; }",
    ],
)
def test_what_may_access_memory(text: str, tmp_path: Path) -> None:
    assert not found(tmp_path, text).keys() & {"valid-memsafety", "unreach-call"}


@pytest.mark.parametrize(
    "statement",
    [
        "assert(x);", "x = 1 / y;", "x %= y;", "ERROR: x = 1;", "reach_error();", "forbidden();", "abort();",
        "pthread_mutex_lock(&m);",
    ],
)  # fmt: skip
def test_what_may_fail(statement: str, tmp_path: Path) -> None:
    declared = "void reach_error(void) { } void forbidden(void) { }\n"
    assert "unreach-call" not in found(tmp_path, f"{declared}int main(void) {{ {statement} return 0; }}")


def test_two_threads_may_race(tmp_path: Path) -> None:
    assert "no-data-race" not in found(tmp_path, WORK + MAIN)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("x = 1;", "no thread ever waits for another one"),
        ("char c; read(0, &c, 1);", "no thread ever waits for another one (the environment may end waits in `read`)"),
    ],
)
def test_an_answer_names_the_open_waits(statement: str, words: str, tmp_path: Path) -> None:
    text = f"#include <unistd.h>\nint main(void) {{ {statement} return 0; }}"
    assert found(tmp_path, text)["no-deadlock"] == words
