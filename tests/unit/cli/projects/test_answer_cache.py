"""What is kept of answers, and what is read of files that somebody else may have made."""

import hashlib
import pickle
from pathlib import Path

import pytest

from cseq.cli.projects.answer_cache import Cache, is_complete
from cseq.model.taskresults import TaskEnd, TaskFailure, TaskResult
from cseq.model.verdict import Listing, Outcome, Reason, Verdict


def result(outcome: Outcome) -> TaskResult:
    return TaskResult("t", TaskEnd.ANSWERED, outcome=outcome, seconds=1.5, parameters={"rounds": 2})


def test_an_answer_is_found_with_its_key_only(tmp_path: Path) -> None:
    said: list[str] = []
    cache = Cache(tmp_path / "cache", said.append)
    kept = result(Outcome(Verdict.TRUE))
    assert cache.answer("q", "k") is None
    cache.keep_answer("q", "k", kept)
    assert cache.answer("q", "k") == kept
    assert cache.answer("q", "other") is None
    cache.keep_answer("q", "other", kept)  # in the place of the other
    assert cache.answer("q", "k") is None and len(list((tmp_path / "cache" / "answers").iterdir())) == 1
    assert said == []


@pytest.mark.parametrize(
    "incomplete",
    [
        TaskResult("t", TaskEnd.FAILED, failure=TaskFailure("no")),
        result(Outcome(Verdict.UNKNOWN, Reason.TIMEOUT)),
        result(Outcome(Verdict.UNKNOWN, Reason.MEMORY)),
        result(Outcome(Verdict.FALSE, listing=Listing.STOPPED)),
        result(Outcome(Verdict.FALSE, parts=[Outcome(Verdict.FALSE), Outcome(Verdict.UNKNOWN, Reason.TIMEOUT)])),
    ],
)
def test_what_more_time_could_change_is_not_kept(tmp_path: Path, incomplete: TaskResult) -> None:
    assert not is_complete(incomplete)
    cache = Cache(tmp_path, print)
    cache.keep_answer("q", "k", incomplete)
    assert cache.answer("q", "k") is None
    assert is_complete(result(Outcome(Verdict.UNKNOWN, Reason.BOUNDED)))


class Evil:
    def __reduce__(self) -> tuple[object, tuple[str, ...]]:
        return print, ("this must not be printed",)


def test_nothing_but_plain_data_is_made_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said: list[str] = []
    cache = Cache(tmp_path, said.append)
    cache.keep_answer("q", "k", result(Outcome(Verdict.TRUE)))
    [path] = (tmp_path / "answers").iterdir()
    for value in (Evil(), "a text"):
        body = pickle.dumps(value)
        path.write_bytes(f"1 k {hashlib.sha256(body).hexdigest()}\n".encode() + body)
        assert cache.answer("q", "k") is None
    assert said == [f"{path}: is broken, and is ignored"] * 2
    assert capsys.readouterr().out == ""


def test_a_folder_that_cannot_be_written_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said: list[str] = []
    cache = Cache(tmp_path / "file", said.append)
    for _ in range(2):
        cache.keep_table("units", "k", {"a": 1})
    assert len(said) == 1 and "nothing is kept for the next run" in said[0]


def test_tables(tmp_path: Path) -> None:
    cache = Cache(tmp_path, print)
    cache.keep_table("units", "k", {"a": [1]})
    assert cache.table("units", "k") == {"a": [1]}
    assert cache.table("units", "l") == cache.table("tests", "k") == {}
    assert Cache(None, print).table("units", "k") == {}
