"""A sample of the random programs that are compared with runs of the compiled program."""

import random
from pathlib import Path

import pytest

from tests.differential.machine import HEAD, KINDS, compared, program, seen
from tests.support.selection import everything

EACH = 10 if everything() else 1


@pytest.mark.parametrize("number", range(EACH))
@pytest.mark.parametrize("kind", KINDS)
def test_no_run_contradicts_a_proof(kind: str, number: int, tmp_path: Path) -> None:
    _, contradicted = compared(program(random.Random(f"5/{number}"), [kind]), tmp_path)
    assert contradicted == set()


@pytest.mark.parametrize(
    "statements, wrong",
    [
        ("PAUSE x++; assert(x);", set()),
        ("PAUSE assert(x);", {"unreach-call"}),
        ("PAUSE sem_init(&s, 0, 0); sem_wait(&s);", {"no-deadlock"}),
        ("struct timespec t = {0, 3000000}; for (x = 0; x < 90; x++) nanosleep(&t, 0);", set()),
    ],
)
def test_runs_notice_what_is_wrong(statements: str, wrong: set[str], tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(f"{HEAD}sem_t s;\nint main(void) {{ {statements} return 0; }}\n", encoding="utf-8")
    assert seen(path, runs=3) == wrong
