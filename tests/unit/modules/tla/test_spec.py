"""The statements of a specification, by their labels."""

from dataclasses import replace

import pytest

from tests.support.handmade_specifications import WORKER, counter


def test_a_statement_is_found_by_its_label_also_after_more_have_been_added() -> None:
    specification = counter()
    label = f"x.c:8 in {WORKER}"
    assert specification.statement(label).operator == f"{WORKER}_6"
    with pytest.raises(KeyError):
        specification.statement("x.c:99 in main")
    specification.statements.append(replace(specification.statements[0], label="x.c:99 in main", operator="main_99"))
    assert specification.statement("x.c:99 in main").operator == "main_99"
    assert specification.statement(label).operator == f"{WORKER}_6"
