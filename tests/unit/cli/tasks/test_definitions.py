"""Task definitions: what they say, and what is wrong with those at fault."""

from pathlib import Path

import pytest

from cseq.cli.tasks.definitions import defined, is_definition
from cseq.model.errors import InputError
from cseq.model.taskresults import Expected

GOOD = """\
format_version: '2.0'
input_files: 'a.c'
properties:
  - property_file: memory.prp
    expected_verdict: false
    subproperty: valid-free
  - property_file: ends.prp
    expected_verdict: true
options:
  data_model: LP64
"""
MEMORY = "".join(f"CHECK( init(main()), LTL(G valid-{part}) )\n" for part in ("free", "deref", "memtrack"))


@pytest.fixture
def task(tmp_path: Path) -> Path:
    (tmp_path / "a.c").write_text("int main(void) { return 0; }")
    (tmp_path / "memory.prp").write_text(MEMORY)
    (tmp_path / "ends.prp").write_text("CHECK( init(main()), LTL(F end) )\n")
    (tmp_path / "task.yml").write_text(GOOD)
    return tmp_path / "task.yml"


def test_what_a_definition_says(task: Path) -> None:
    found = defined(task)
    assert is_definition(task)
    assert (found.files, found.bits) == ((str(task.parent / "a.c"),), 64)
    (wanted,) = found.wanted  # termination is left to others
    assert (wanted.name, wanted.spec) == ("memory", str(task.parent / "memory.prp"))
    assert found.expected == {"valid-memsafety": Expected(False, "valid-free")}


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("'a.c'", "'b.c'", "2: the input file `b.c` does not exist"),
        ("'a.c'", "[]", "2: `input_files` names no file"),
        ("'a.c'", "[1]", "2: `input_files` names no file"),
        ("'a.c'", "'a.c", "not YAML"),
        ("LP64", "LP32", "10: the data model `LP32` is not one of ILP32, LP64"),
        ("memory.prp", "other.prp", "4: the property file `other.prp` does not exist"),
        ("verdict: false", "verdict: maybe", "4: the expected verdict `maybe` is neither true nor false"),
        ("property_file: memory.prp", "file: memory.prp", "3: a property has no `property_file`"),
    ],
)
def test_what_is_wrong_is_said_with_the_line(task: Path, old: str, new: str, error: str) -> None:
    task.write_text(GOOD.replace(old, new))
    with pytest.raises(InputError) as caught:
        defined(task)
    assert error in str(caught.value) and str(caught.value).startswith(str(task))


def test_other_files_are_no_definitions(tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text("services:\n  input_files: 'a.c'\n")
    assert not is_definition(tmp_path / "a.yml") and not is_definition(tmp_path / "none.yml")
    (tmp_path / "b.yml").write_text("- 1\n")
    with pytest.raises(InputError, match="not a task definition"):
        defined(tmp_path / "b.yml")
