"""Lists of jobs: which rows there are, that each is a valid command line, and what merging their reports says."""

import shlex
from pathlib import Path

import pytest

from cseq.cli.main import main

PROGRAM = """
#include <assert.h>
#include <pthread.h>
int x;
void *add(void *unused) { %s return unused; }
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, add, 0);
    add(0);
    pthread_join(a, 0);
    assert(x == 2);
    return 0;
}
"""
BAD, GOOD = PROGRAM % "int seen = x; x = seen + 1;", PROGRAM % "__atomic_fetch_add(&x, 1, 5);"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Programs, in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad one.c").write_text(BAD)
    (tmp_path / "good.c").write_text(GOOD)
    return tmp_path


def rows(*words: str) -> list[list[str]]:
    """The rows of the list that *words* ask for."""
    assert main(["--job-list", "list", *words]) == 0
    text = Path("list").read_text()
    assert text == Path("list.d/rows").read_text()
    found = [shlex.split(line) for line in text.splitlines()]
    for number, row in enumerate(found, 1):
        assert (row[0], row[-2:]) == ("cseq", [">", f"list.d/{number:04}.json"])
    return [row[1:-2] for row in found]


def perform(row: list[str], number: int, capsys: pytest.CaptureFixture[str]) -> int:
    """Do what a row says."""
    capsys.readouterr()
    status = main(row)
    said = capsys.readouterr()
    assert said.err == ""
    Path(f"list.d/{number:04}.json").write_text(said.out)
    return status


def test_the_rows_of_two_properties() -> None:
    found = rows("--race", "--tiles", "2", "--timeout", "7.5", "good.c")
    assert all(row[-3:] == ["--race", "--json", "good.c"] for row in found)
    engines = [row[1] for row in found]
    assert {engine: engines.count(engine) for engine in engines} == {"native": 10, "cbmc": 20, "horn": 1}
    levels = [(row[3], row[5], row[7]) for row in found if row[1] == "cbmc" and "no-data-race" in row]
    assert levels == [
        (rounds, unwind, tile)
        for rounds, unwind in (("2", "1"), ("2", "2"), ("3", "2"), ("3", "4"), ("4", "4"))
        for tile in ("0/2", "1/2")
    ]
    assert all("7.5" in row and "--only" in row for row in found)


@pytest.mark.parametrize(
    "words, engines, last",
    [
        (["-b", "cbmc", "-r", "2", "-u", "3"], ["cbmc"] * 2, "--rounds 2 --unwind 3 --tile 1/2"),
        (["-r", "5"], ["native"] * 5 + ["cbmc"] * 6 + ["horn"], ""),
        (["-b", "cbmc", "--auto", "--tiles", "1"], ["cbmc"] * 5, "--rounds 4 --unwind 4 --only"),
        (["--contexts", "3", "-u", "2"], ["cbmc"] * 2, "--unwind 2 --tile 1/2"),
        (["--encoding", "partial-order", "-u", "2"], ["cbmc"], "--unwind 2 --only"),
        (["-b", "horn"], ["horn"], ""),
        (["-b", "native", "--search", "icb"], ["native"], "--search icb"),
        (["--termination"], ["spin"] * 2, "--only termination"),
        (["-b", "tlc"], ["tlc"], ""),
        (["--only", "no-overflow", "--jobs", "3"], ["native"] * 5 + ["cbmc"] * 10, "--jobs 3"),
        (["--args", "-x", "--32", "-D", "A=1", "-b", "horn"], ["horn"], "--32 "),
    ],
)
def test_which_rows_there_are(words: list[str], engines: list[str], last: str) -> None:
    found = rows("--tiles", "2", *words, "good.c")
    assert [row[1] for row in found] == engines
    assert last in " ".join(found[-1]) and ("--jobs" in found[-1])


@pytest.mark.engine
@pytest.mark.parametrize("name, verdict", [("bad one.c", 1), ("good.c", 0)])
def test_each_row_is_valid_and_the_answer_is_that_of_the_program(
    name: str, verdict: int, capsys: pytest.CaptureFixture[str]
) -> None:
    found = rows("-r", "2", "-u", "1", "--tiles", "2", name)
    assert [row[1] for row in found] == ["native"] * 5 + ["cbmc"] * 2 + ["horn"]
    for number, row in enumerate(found, 1):
        if number in (1, 4, 6, 7) or (number == 8 and not verdict):
            assert perform(row, number, capsys) in {0, 3, verdict}
    assert main(["merge", "-q", "list.d"]) == verdict
    assert capsys.readouterr().out == ("FALSE\n" if verdict else "TRUE\n")
    for number in (1, 4, 8):
        Path(f"list.d/{number:04}.json").unlink(missing_ok=True)
    assert main(["merge", "-q", "list.d"]) == verdict  # by the tiles alone
    assert capsys.readouterr().out == ("FALSE\n" if verdict else "TRUE\n")
    Path("list.d/0006.json").unlink()
    assert main(["merge", "-q", "list.d"]) in ({1, 3} if verdict else {3})


def test_names_are_quoted(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--job-list", "my list", "-b", "horn", "bad one.c"]) == 0
    assert Path("my list").read_text().endswith("--json 'bad one.c' > 'my list.d/0001.json'\n")
    assert "`cseq merge 'my list.d'`" in capsys.readouterr().out
    Path("-x.c").write_text(GOOD)
    assert rows("-b", "horn", "--", "-x.c")[0][-2:] == ["--", "-x.c"]


@pytest.mark.parametrize(
    "words, message",
    [
        (["--tiles", "3"], "is not a power of two"),
        (["--tiles", "2097152"], "is not a power of two from 1 to"),
        (["--tile", "0/2"], "--tile cannot be combined"),
        (["-q"], "--quiet cannot be combined"),
        (["--cex"], "--cex cannot be combined"),
        (["--linemap"], "--linemap cannot be combined"),
        (["--linemap-json", "m"], "--linemap-json cannot be combined"),
        (["--witness", "w"], "--witness cannot be combined"),
        (["--resume", "j"], "--resume cannot be combined"),
        (["--simulate", "random"], "--simulate cannot be combined"),
        (["--chain", "lazy"], "--chain cannot be combined"),
        (["-b", "compiled"], "run as they are compiled"),
        (["none.c"], "none.c: no such file"),
        (["-D", "A=1\n"], "line break"),
    ],
)
def test_what_makes_no_sense_is_one_line(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--job-list", "list", *words, "good.c"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1 and message in err
    assert not Path("list").exists() and not Path("list.d").exists()


def test_where_the_list_cannot_be_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "other.d").write_text("a file")
    for name, message in [
        ("good.c", "is an input file"),
        ("bad one.c", "looks like a file of a program"),
        ("none/list", "cannot be written"),
        ("other", "other.d: cannot be written"),
    ]:
        assert main(["--job-list", name, "good.c"]) == 2
        err = capsys.readouterr().err
        assert err.count("\n") == 1 and message in err, name
    assert (folder / "good.c").read_text() == GOOD and not (folder / "other").exists()
    assert main(["--tiles", "2", "good.c"]) == 2
    assert "--tiles is for --job-list" in capsys.readouterr().err
    for _ in range(2):  # a list that is there already is written again
        assert main(["--job-list", "list", "-b", "horn", "good.c"]) == 0


@pytest.mark.parametrize(("given", "command"), [("../it/cseq.py", "../it/cseq.py"), ("/usr/bin/pytest", "cseq")])
def test_rows_call_the_launcher_of_a_checkout_as_the_user_did(
    given: str, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", [given])
    assert main(["--job-list", "list", "-b", "horn", "good.c"]) == 0
    assert Path("list").read_text().startswith(f"{command} -b horn ")
    assert f"`{command} merge list.d`" in capsys.readouterr().out
