"""The benchmark on programs by others: its index, and what its answers mean."""

from pathlib import Path

import pytest

from benchmarks.field import index
from benchmarks.field.run import asked, is_right, is_wrong, read, summary
from benchmarks.field.tools import Answer, Task

HEADER = "category,name,file,property,expected,model\n"


def written(folder: Path, *rows: str) -> Path:
    (folder / "x.c").write_text("int main(void) { return 0; }\n")
    path = folder / "index.csv"
    path.write_text(HEADER + "".join(f"{row}\n" for row in rows))
    return path


def test_an_index_lists_tasks(tmp_path: Path) -> None:
    (task,) = read(written(tmp_path, "suite,one,x.c,deadlock,FALSE,32"))
    assert task == Task("suite", "one", (tmp_path / "x.c").resolve(), "deadlock", "FALSE", 32)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("suite,one,y.c,race,TRUE,64", "no such file"),
        ("suite,one,x.c,luck,TRUE,64", "no such property: luck"),
        ("suite,one,x.c,race,MAYBE,64", "expected is"),
        ("suite,,x.c,race,TRUE,64", "no name"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_line(tmp_path: Path, row: str, said: str) -> None:
    path = written(tmp_path, "suite,one,x.c,race,TRUE,64", row)
    with pytest.raises(ValueError, match=said) as error:
        list(read(path))
    assert str(error.value).startswith(f"{path}:3: error: ")


def test_answers_are_kept_and_not_asked_for_again(tmp_path: Path) -> None:
    (task,) = read(written(tmp_path, "suite,one,x.c,assertion,FALSE,64"))
    calls = []

    def tool(task: Task, limit: float) -> Answer:
        calls.append(limit)
        return Answer("FALSE", "", 1.0, 2.0)

    results = tmp_path / "results.jsonl"
    first = asked([task], {"tool": tool}, 5.0, results)
    assert asked([task], {"tool": tool}, 5.0, results) == first
    assert calls == [5.0]


def test_only_what_is_known_can_be_wrong(tmp_path: Path) -> None:
    task, unknown = read(written(tmp_path, "s,one,x.c,assertion,FALSE,64", "s,two,x.c,assertion,,64"))
    found, proved, open_ = (Answer(verdict, "", 1.0, 1.0) for verdict in ("FALSE", "TRUE", "UNKNOWN"))
    assert [is_right(task, answer) for answer in (found, proved, open_)] == [True, False, False]
    assert [is_wrong(task, answer) for answer in (found, proved, open_)] == [False, True, False]
    assert not is_wrong(unknown, proved) and not is_right(unknown, found)
    assert "**1**" in summary([(task, "tool", proved)])


def test_a_suite_says_what_is_right(tmp_path: Path) -> None:
    folder = tmp_path / "suite"
    folder.mkdir()
    threads = "#include <pthread.h>\nint main(void) { pthread_t t; pthread_create(&t, 0, 0, 0); %s return 0; }\n"
    (folder / "a_bad.c").write_text(threads % "assert(0);")
    (folder / "b_ok.c").write_text(threads % "assert(1);")
    (folder / "c_bad.c").write_text(threads % "")
    rows = [(name, property_, verdict) for _, name, _, property_, verdict, _ in index.sctbench(tmp_path)]
    assert rows == [("a_bad", "assertion", "FALSE"), ("b_ok", "assertion", "TRUE"), ("c_bad", "deadlock", "FALSE")]
