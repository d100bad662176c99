"""A sample of the random programs that are compared with runs of the compiled program."""

import random
from pathlib import Path

import pytest

from tests.differential.machine import HEAD, KINDS, RESULT, compared, runs
from tests.support.selection import everything

EACH = 10 if everything() else 1


@pytest.mark.parametrize("number", range(EACH))
@pytest.mark.parametrize("kind", KINDS)
def test_no_run_contradicts_a_proof(kind: str, number: int, tmp_path: Path) -> None:
    text, _, contradicted = compared(random.Random(f"5/{number}"), tmp_path, [kind])
    assert contradicted == set(), text


@pytest.mark.parametrize(
    "statements, wrong, value",
    [
        ("PAUSE x++; assert(x);", set(), 1),
        ("PAUSE assert(x);", {"unreach-call"}, None),
        ("PAUSE sem_init(&s, 0, 0); sem_wait(&s);", {"no-deadlock"}, None),
        ("struct timespec t = {0, 3000000}; for (x = 0; x < 90; x++) nanosleep(&t, 0);", set(), 90),
    ],
)
def test_runs_notice_what_is_wrong(statements: str, wrong: set[str], value: int | None, tmp_path: Path) -> None:
    text = f"{HEAD}sem_t s;\nint main(void) {{ {statements} {RESULT} return 0; }}\n"
    found = runs(text, tmp_path, 3)
    assert found.violated == wrong and found.values == ({} if wrong else {value: 3})
