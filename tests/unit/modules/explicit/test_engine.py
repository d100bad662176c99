"""What explicit-state engines print, executions in files, and what is compiled once on a machine."""

import json
from pathlib import Path

import pytest

from cseq.model.errors import BackendError, MissingError, UnsupportedError, UsageError
from cseq.modules.explicit import engine as explicit_engine
from cseq.modules.explicit.engine import Exploration, build, compiled, kept, read, recorded


def test_an_answer_is_read_and_what_is_not_known_is_left_out() -> None:
    said = {"status": "violated", "kind": "race", "schedule": [[0, []], [1, [2]]], "threads": [0, 1], "news": 1}
    answer = read(json.dumps(said))
    assert (answer.status, answer.kind, answer.threads) == ("violated", "race", [0, 1])
    assert answer.schedule == [[0, []], [1, [2]]]
    assert not answer.complete


@pytest.mark.parametrize("text", ["", "[1]", '{"kind": "race"}', "Segmentation fault"])
def test_what_no_engine_prints(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read(text)


@pytest.mark.parametrize(
    "content, expected",
    [
        ([[0, []], [1, [3]]], Exploration("unknown", schedule=[[0, []], [1, [3]]])),
        ({"schedule": [[0, []]], "kind": "deadlock", "threads": [0]},
         Exploration("violated", "deadlock", schedule=[[0, []]], threads=[0])),
        ({"answers": [{"verdict": "TRUE"}, {"execution": {"schedule": [[2, []]], "cycle": 0, "kind": "ltl"}}]},
         Exploration("violated", "ltl", schedule=[[2, []]], cycle=0)),
    ],
)  # fmt: skip
def test_an_execution_in_a_file(tmp_path: Path, content: object, expected: Exploration) -> None:
    path = tmp_path / "e.json"
    path.write_text(json.dumps(content))
    assert recorded(str(path)) == expected


@pytest.mark.parametrize("content", ["{}", "[]", '{"schedule": []}', "no JSON", "[[0, 1]]"])
def test_a_file_without_an_execution(tmp_path: Path, content: str) -> None:
    path = tmp_path / "e.json"
    path.write_text(content)
    with pytest.raises(UsageError, match="has no schedule in it"):
        recorded(str(path))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.json: No such file"):
        recorded(str(tmp_path / "none.json"))


@pytest.mark.engine
@pytest.mark.parametrize("bits", [32, 64])
def test_both_data_models_become_object_files_of_one_format(tmp_path: Path, bits: int) -> None:
    text = f'_Static_assert(8 * sizeof(long) == {bits} && 8 * sizeof(void *) == {bits}, "width");'
    made = compiled(text, tmp_path / "x.o", bits)
    assert made.read_bytes()[:5] == b"\x7fELF\2"


@pytest.mark.engine
def test_a_compiler_without_x32_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "mycc"
    script.write_text('#!/bin/sh\ncase "$*" in *-mx32*) echo error: no such option >&2; exit 1;; esac\n')
    script.chmod(0o755)
    monkeypatch.setenv("CC", str(script))
    with pytest.raises(UnsupportedError, match=r"mycc` does not compile for ILP32 .*-mx32.*CC=gcc.*symbolic"):
        compiled("int x;", tmp_path / "x.o", 32)


@pytest.mark.engine
def test_a_step_program_of_32_bits_that_does_not_compile(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match=r"^the step program does not compile: .*nothing"):
        compiled("int x = nothing;", tmp_path / "x.o", 32)


def test_without_objcopy_there_is_no_search_with_32_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None if name == "objcopy" else f"/usr/bin/{name}")
    with pytest.raises(MissingError, match="objcopy"):
        compiled("int x;", tmp_path / "x.o", 32)


@pytest.mark.engine
def test_the_first_complaint_of_the_compiler_is_the_message(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match=r"^the step program does not compile: .*error: .*nothing"):
        compiled("int x = nothing;", tmp_path / "x.o", 64)
    with pytest.raises(BackendError, match=r"^it does not compile: exit status 1"):
        build(["false"], "it")


def test_what_is_made_is_kept_until_its_recipe_or_its_sources_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explicit_engine, "engines_folder", lambda: tmp_path / "engines")
    source = tmp_path / "a.c"
    source.write_text("one")
    made = []

    def make(target: Path) -> None:
        made.append(target)
        target.write_text(source.read_text())

    def get(*recipe: str) -> Path:
        return kept("engine", ".a", list(recipe), [source], tmp_path, make)

    first = get("-O2")
    assert (get("-O2"), len(made), first.read_text()) == (first, 1, "one")
    assert get("-O3") != first
    source.write_text("two")
    assert get("-O2").read_text() == "two"
    assert len(made) == 3
    assert not list((tmp_path / "engines").rglob("*.a.*")), "nothing is left half made"
