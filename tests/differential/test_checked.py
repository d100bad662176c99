"""A few programs of the comparison with sanitizers."""

from pathlib import Path

import pytest

from tests.differential.checked import PROPERTIES, disagreement, fails, program


@pytest.mark.parametrize("property_, numbers", [(PROPERTIES[0], (0, 1)), (PROPERTIES[1], (2, 3))])
def test_explorer_and_sanitizers_agree(property_: str, numbers: tuple[int, ...], tmp_path: Path) -> None:
    assert {fails(program(f"1.{number}", property_), property_, tmp_path) for number in numbers} == {True, False}
    assert [disagreement(program(f"1.{number}", property_), property_, tmp_path) for number in numbers] == ["", ""]
