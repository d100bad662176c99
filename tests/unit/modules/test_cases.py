"""What stages make of programs: the files ``*.cases`` in these folders have a program and what becomes of it, each.

Their form is a fixture that is given what stands before ``---``, with the arguments, and returns what stands after it.
``pytest --bless`` writes what is returned into the files; read the difference before you commit it.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.cases import Case, cases

HERE = Path(__file__).parent
FILES = sorted(HERE.rglob("*.cases"))


ALL = [case for file in FILES for case in cases(file)]
RUN = {"failing"}
"""The forms that run what a stage makes."""


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=[pytest.mark.engine] * (case.form in RUN)) for case in ALL],
    ids=[f"{case.file.stem}: {case.title}" for case in ALL],
)
def test_what_a_stage_makes(case: Case, request: pytest.FixtureRequest) -> None:
    make: Callable[..., str | list[str]] = request.getfixturevalue(case.form)
    made = make(case.before, **case.arguments)
    made = made if isinstance(made, str) else "".join(f"{line}\n" for line in made)
    if made != case.after and request.config.getoption("--bless"):
        case.bless(made)
    else:
        assert made == case.after


def test_there_are_cases() -> None:
    assert len(ALL) >= 70
