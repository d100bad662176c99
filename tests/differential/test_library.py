"""A sample of the functions of the headers, called once in each family."""

from pathlib import Path

import pytest

from tests.differential.library import BACKENDS, answers, functions
from tests.support.selection import everything

STEP = 1 if everything() else 60


def test_there_are_functions_that_are_answered_and_others() -> None:
    assert len(functions()) > 480
    assert {"abs", "system", "getchar"} <= set(functions())


@pytest.mark.parametrize("backend", BACKENDS)
def test_each_call_has_an_answer_or_is_refused_by_name(backend: str, tmp_path: Path) -> None:
    given = list(answers([*functions()[::STEP], "abs"], backend, tmp_path))
    assert [each for each in given if each[2]] == []
    assert {"TRUE"} <= {answer for _, answer, _ in given} or backend == "graphs"
