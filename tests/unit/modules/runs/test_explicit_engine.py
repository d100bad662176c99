"""What explicit-state engines print, executions in files, and what is compiled once on a machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cseq.base.errors import BackendError, UnsupportedError, UsageError
from cseq.modules.runs import explicit_engine
from cseq.modules.runs.explicit_engine import Exploration, build, compiled, kept, read, recorded


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


def test_only_programs_for_this_machine_are_compiled(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedError, match="64 bits, not 32"):
        compiled("int x;", tmp_path / "x.o", 32)
    assert compiled("int x;", tmp_path / "x.o", 64).is_file()


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
