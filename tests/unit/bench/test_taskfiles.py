"""Task definitions: what is read, and where what is wrong."""

from pathlib import Path

import pytest

from cseq.bench.runsets import load, of_tasks
from cseq.bench.taskfiles import TaskGroup, fault, found, listed
from tests.support.checkout import ROOT

GOOD = """\
format_version: '2.0'
input_files: ['a.c', 'h.h']
properties:
  - property_file: p/unreach-call.prp
    expected_verdict: true
  - property_file: p/valid-memsafety.prp
    expected_verdict: false
    subproperty: valid-free
  - property_file: p/no-overflow.prp
options:
  language: C
  data_model: ILP32
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "p").mkdir()
    for name in ("a.c", "h.h", "p/unreach-call.prp", "p/valid-memsafety.prp", "p/no-overflow.prp"):
        (tmp_path / name).touch()
    return tmp_path


def test_what_a_task_says(folder: Path) -> None:
    (folder / "t.yml").write_text(GOOD)
    names = ("unreach-call", "valid-memsafety", "no-overflow", "no-data-race")
    run_sets = of_tasks(load(None, []), [TaskGroup("some", [folder / "t.yml"])], names)
    runs = [run for run_set in run_sets for run in run_set.runs]
    assert [(run.properties[0].name, *map(str, run.expected_results.values())) for run in runs] == [
        ("unreach-call", "true"), ("valid-memsafety", "false(valid-free)"), ("no-overflow", ""),
    ]  # fmt: skip
    for run in runs:
        assert run.sourcefiles == [str(folder / "a.c"), str(folder / "h.h")]
        assert run.task_options == {"language": "C", "data_model": "ILP32"}
    assert [run_set.real_name for run_set in run_sets if not run_set.runs] == ["no-data-race"]


def test_what_benchexec_alone_refuses(folder: Path) -> None:
    (folder / "t.yml").write_text(GOOD.replace("2.0", "1.0"))
    [run_set] = of_tasks(load(None, []), [TaskGroup("some", [folder / "t.yml"])], ["unreach-call"])
    [error] = run_set.errors
    assert not run_set.runs
    assert error.origin and (error.origin.file, error.exit_status) == (str(folder / "t.yml"), 2)
    assert "invalid key 'options'" in error.message


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("'2.0'", "'9.0'", "t.yml:1: Task-definition file t.yml specifies invalid format_version '9.0'."),
        ("format_version: '2.0'\n", "", "t.yml:1: Task-definition file t.yml specifies invalid format_version 'None'."),
        ("['a.c', 'h.h']", "b.c", "t.yml:2: the input file `b.c` does not exist"),
        ("['a.c', 'h.h']", "\n  - a.c\n  - b.c", "t.yml:4: the input file `b.c` does not exist"),
        ("['a.c', 'h.h']", "[]", "t.yml:2: `input_files` names no file"),
        ("['a.c', 'h.h']", "[a.c", "t.yml:3: not YAML: expected ',' or ']', but got ':'"),
        ("p/no-overflow.prp", "q/no-overflow.prp", "t.yml:9: the property file `q/no-overflow.prp` does not exist"),
        ("expected_verdict: true", "expected_verdict: maybe",
         "t.yml:4: the expected verdict `maybe` is neither true nor false"),
        ("- property_file: p/unreach-call.prp\n    expected_verdict", "- expected_verdict",
         "t.yml:3: a property has no `property_file`"),
        ("  - property_file: p/no-overflow.prp", "  - termination",
         "t.yml:3: a property has no `property_file`"),
        ("options:", "input_files: a.c\noptions:", "t.yml:10: not YAML: the key `input_files` is there twice"),
        (GOOD, "- a\n- list\n", "t.yml:1: not a task definition"),
        (GOOD, "", "t.yml:1: not a task definition"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_reported_with_its_line(folder: Path, old: str, new: str, message: str) -> None:
    assert GOOD.count(old) == 1
    (folder / "t.yml").write_text(GOOD.replace(old, new))
    assert str(fault(folder / "t.yml")).replace(f"{folder}/", "") == message
    [run_set] = of_tasks(load(None, []), [TaskGroup("some", [folder / "t.yml"])], ["unreach-call"])
    assert not run_set.runs and {str(error).replace(f"{folder}/", "") for error in run_set.errors} == {message}


def test_a_binary_file_is_no_task(folder: Path) -> None:
    (folder / "t.yml").write_bytes(b"\xff\xfe\x00")
    assert str(fault(folder / "t.yml")).endswith("t.yml:1: not a text file")


def test_a_task_that_cannot_be_read(folder: Path) -> None:
    assert str(fault(folder / "t.yml")).endswith("t.yml:1: cannot be read: No such file or directory")


def test_the_lists_of_the_benchmarks_name_each_task_once() -> None:
    folder = ROOT / "sv-benchmarks"
    tasks = [path for name in sorted(folder.glob("*.set")) for path in listed(name, pytest.fail)]
    assert sorted(tasks) == sorted(folder.rglob("*.yml"))


def test_folders_make_groups(folder: Path) -> None:
    for name in ("s/one/a.yml", "s/b.yml", "s/one/deep/c.yml"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(GOOD)
    (folder / "s/witness.yml").write_text("- entry_type: violation_sequence\n")
    groups = {group.group: [path.name for path in group.paths] for group in found([folder / "s"], pytest.fail)}
    assert groups == {"s": ["b.yml"], "one": ["a.yml"], "one/deep": ["c.yml"]}
