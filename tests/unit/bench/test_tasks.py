"""Task definitions: what is read, and where what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from cseq.base.errors import CSeqError
from cseq.bench.tasks import found, listed, read
from tests.support.checkout import ROOT

pytest.importorskip("yaml", reason="PyYAML is not installed")

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
    task = read(folder / "t.yml")
    assert task.files == (folder / "a.c", folder / "h.h")
    assert [(e.name, str(e)) for e in task.properties] == [
        ("unreach-call", "true"), ("valid-memsafety", "false(valid-free)"), ("no-overflow", ""),
    ]  # fmt: skip
    assert task.options == {"language": "C", "data_model": "ILP32"}


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("'2.0'", "'9.0'", "t.yml:1: unknown format_version `9.0`"),
        ("format_version: '2.0'\n", "", "t.yml:1: `format_version` is missing"),
        ("['a.c', 'h.h']", "b.c", "t.yml:2: the input file `b.c` is not there"),
        ("['a.c', 'h.h']", "\n  - a.c\n  - b.c", "t.yml:4: the input file `b.c` is not there"),
        ("['a.c', 'h.h']", "[]", "t.yml:2: there is no input file"),
        ("['a.c', 'h.h']", "[a.c", "t.yml:3: no YAML: expected ',' or ']', but got ':'"),
        ("p/no-overflow.prp", "q/no-overflow.prp", "t.yml:9: the property file `q/no-overflow.prp` is not there"),
        ("expected_verdict: true", "expected_verdict: maybe",
         "t.yml:5: the expected verdict is `true` or `false`, not `maybe`"),
        ("- property_file: p/unreach-call.prp\n    expected_verdict", "- expected_verdict",
         "t.yml:4: `property_file` is missing"),
        ("  - property_file: p/no-overflow.prp", "  - termination", "t.yml:9: no mapping with a key `property_file`"),
        ("options:", "input_files: a.c\noptions:", "t.yml:1: the key `input_files` stands there twice"),
        (GOOD, "- a\n- list\n", "t.yml:1: no task definition"),
        (GOOD, "", "t.yml:1: no task definition"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(folder: Path, old: str, new: str, message: str) -> None:
    assert GOOD.count(old) == 1
    (folder / "t.yml").write_text(GOOD.replace(old, new))
    with pytest.raises(CSeqError) as caught:
        read(folder / "t.yml")
    assert str(caught.value).removeprefix(f"{folder}/") == message


def test_a_binary_file_is_no_task(folder: Path) -> None:
    (folder / "t.yml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(CSeqError, match=r"t\.yml:1: the file is not a text"):
        read(folder / "t.yml")


def test_the_lists_of_the_benchmarks_name_each_task_once() -> None:
    folder = ROOT / "sv-benchmarks"
    tasks = [path for name in sorted(folder.glob("*.set")) for path in listed(name, pytest.fail)]
    assert sorted(tasks) == sorted(folder.rglob("*.yml"))


def test_folders_make_groups(folder: Path) -> None:
    for name in ("s/one/a.yml", "s/b.yml", "s/one/deep/c.yml"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    groups = {group.group: [path.name for path in group.paths] for group in found([folder / "s"], pytest.fail)}
    assert groups == {"s": ["b.yml"], "one": ["a.yml"], "one/deep": ["c.yml"]}
