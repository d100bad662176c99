"""Native runs are counted as what they are; the programs for the compiled family are pairs that say what is wrong."""

import re
from pathlib import Path

import pytest

from benchmarks.compiled.native_repetition import PROGRAMS, repeated, tasks

MARKED = re.compile(r"// (FAIL|RACE|DEADLOCK|USE AFTER FREE|HANG)$", re.MULTILINE)
SHOWN = {
    "unreach-call": {"FAIL", "RACE"},
    "no-data-race": {"RACE", "USE AFTER FREE"},
    "no-deadlock": {"DEADLOCK", "HANG"},
    "valid-memsafety": {"USE AFTER FREE", "RACE"},
}
"""By property: the marks of which a program that violates it has one."""


@pytest.mark.engine
@pytest.mark.parametrize(
    ("script", "limit", "expected"),
    [
        ("exit 0", 20, (3, 0, 0, 0)),
        ("exit 3", 20, (3, 3, 0, 1)),
        ("kill -ABRT $$", 20, (3, 3, 0, 1)),
        ("exec sleep 60", 0.2, (1, 0, 1, 1)),
        ("test -e $0.again && exit 1; touch $0.again", 20, (3, 2, 0, 2)),
    ],
)
def test_runs_are_counted(tmp_path: Path, script: str, limit: float, expected: tuple[int, ...]) -> None:
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    count = repeated(program, runs=3, limit=limit, most_hung=1)
    assert (count.runs, count.failed, count.hung, count.first) == expected


def test_only_the_programs_that_are_named() -> None:
    assert [(task.name, task.flags, task.violated) for task in tasks(["openmp_sum", "signal_one"])] == [
        ("openmp_sum", ("-std=c++20", "-fopenmp"), ("no-data-race",)),
        ("signal_one", ("-std=gnu11",), ("no-deadlock",)),
    ]


def test_each_program_has_its_marks_and_a_twin_that_has_none() -> None:
    folders = {"": PROGRAMS, "papers": PROGRAMS / "papers"}
    checked = 0
    for place, folder in folders.items():
        for file in sorted(folder.glob("*.yml")):
            [source] = (path for suffix in (".c", ".cpp") if (path := file.with_suffix(suffix)).is_file())
            violated = re.findall(r"/([\w-]+)\.prp\n    expected_verdict: false", file.read_text(encoding="utf-8"))
            marks = set(MARKED.findall(source.read_text(encoding="utf-8")))
            if file.stem.endswith("_ok"):
                assert (violated, marks) == ([], set()), (place, file.name)
                continue
            assert violated and all(SHOWN[each] & marks for each in violated), (place, file.name)
            assert source.with_stem(source.stem + "_ok").is_file(), (place, file.name)
            name = source.stem if place else source.name
            assert f"| `{name}` |" in (folder / "README.md").read_text(encoding="utf-8"), (place, file.name)
            checked += 1
    assert checked >= 47
