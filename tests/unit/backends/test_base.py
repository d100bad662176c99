"""Where engines are found, and what is read of what they print."""

from pathlib import Path

import pytest

from cseq.backends.base import Backend, engines_folder, excerpt, last_phase
from cseq.model.activity import ActivityKind

FIRST, SECOND = list(ActivityKind)[:2]


class Toy(Backend):
    """An engine whose version is the number in its file."""

    name = "toy"

    def version(self, path: Path) -> tuple[int, ...] | None:
        text = path.read_text().splitlines()[-1]
        return tuple(map(int, text[1:].split("."))) if text[1:] else None


@pytest.fixture(autouse=True)
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No engine is there but those that a test makes."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("CSEQ_TOY", raising=False)


def program(path: Path, version: str = "2.0", mode: int = 0o755) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n#{version}")
    path.chmod(mode)
    return path


def test_a_program_on_the_path(tmp_path: Path) -> None:
    here = program(tmp_path / "bin" / "toy", "2.0")
    assert Toy().located((2, 0), [program(tmp_path / "own" / "toy")]) == here


@pytest.mark.parametrize("version", ["1.9", ""])
def test_one_that_is_too_old_or_something_else_is_not_taken(tmp_path: Path, version: str) -> None:
    program(tmp_path / "bin" / "toy", version)
    own = program(tmp_path / "own" / "toy")
    assert Toy().located((2, 0), [own]) == own
    assert Toy().located((2, 0), []) is None


def test_the_first_of_our_own_that_can_be_run(tmp_path: Path) -> None:
    broken = program(tmp_path / "one" / "toy", mode=0o644)
    own = program(tmp_path / "two" / "toy")
    assert Toy().located((1,), [tmp_path / "nowhere", broken, own, program(tmp_path / "three")]) == own


def test_what_the_user_names_comes_first_however_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin" / "toy")
    named = program(tmp_path / "old" / "toy", "0.1")
    monkeypatch.setenv("CSEQ_TOY", str(named))
    assert Toy().located((2, 0), []) == named


def test_what_the_user_names_and_is_not_there_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = program(tmp_path / "bin" / "toy")
    monkeypatch.setenv("CSEQ_TOY", str(tmp_path / "nowhere"))
    assert Toy().located((2, 0), [own]) is None


def test_a_name_is_looked_up_and_becomes_a_whole_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = program(tmp_path / "bin" / "toy-next")
    monkeypatch.setenv("CSEQ_TOY", "toy-next")
    assert Toy().located((2, 0), []) == other
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CSEQ_TOY", "bin/toy-next")
    assert Toy().located((2, 0), []) == other


def test_engines_lie_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert engines_folder() == tmp_path / "cseq" / "engines"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert engines_folder() == tmp_path / ".cache" / "cseq" / "engines"


@pytest.mark.parametrize(
    ("printed", "doing"),
    [
        ("", None),
        ("Reading\n", FIRST),
        ("Reading\nSolving\n", SECOND),
        ("Reading\nSolving\nReading\n", FIRST),
        ("something else", None),
    ],
)
def test_the_last_phase_that_is_mentioned(printed: str, doing: ActivityKind | None) -> None:
    assert last_phase(printed, [("Reading", FIRST), ("Solving", SECOND)]) is doing


def test_an_excerpt_is_one_line_of_some_length() -> None:
    assert excerpt("  it\n\tfails \n") == "it fails"
    assert excerpt("x" * 200) == "x" * 200
    assert excerpt("x" * 201) == "x" * 200 + "…"


def test_an_engine_does_nothing_that_it_does_not_say(tmp_path: Path) -> None:
    engine = Toy()
    assert engine.usable(tmp_path) == [] and engine.phase("Reading") is None
    with pytest.raises(NotImplementedError):
        engine.find()
