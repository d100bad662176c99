"""Runs of `cseq check` on small projects: what is printed and written, and what is known the next time."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cseq.cli.main import main
from tests.support.sarif_check import check_schema as check_sarif_schema
from tests.unit.cli.projects.conftest import Written
from tests.unit.cli.tasks.test_perform_tasks import check

pytestmark = pytest.mark.engine

QUEUE = '#include "q.h"\nint size = SIZE;\nint room(void) { return size; }\n'
HEADER = "#define WANTED 1\nextern int size;\nint room(void);\n"
CHECK = '#include "q.h"\n#include <assert.h>\nint main(void) { assert(room() == WANTED); return 0; }\n'
FLAGS = {"q.c": "-DSIZE=2", "t.c": "-DSIZE=3"}
SAID = "assertion `room() == WANTED` is violated at t.c:3 in main"


@pytest.fixture
def project(written: Written) -> Path:
    return written(FLAGS, q_c=QUEUE, q_h=HEADER, t_c=CHECK)


@pytest.fixture
def say(capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, list[str], str]]:
    """Run `cseq check` with *words* and `native`: the exit status, the lines but for the time, the errors."""

    def run(*words: str) -> tuple[int, list[str], str]:
        status = main(["check", "--project", "compile_commands.json", "-b", "native", *words])
        out, err = capfd.readouterr()
        return (
            status,
            [line for line in out.splitlines() if not line.startswith(("1 program", "2 programs", "3 programs"))],
            err,
        )

    return run


Say = Callable[..., tuple[int, list[str], str]]


def forbid_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have whatever starts a process fail."""

    def refuse(*words: object, **_: object) -> None:
        raise AssertionError(f"a process is started: {words}")

    monkeypatch.setattr(subprocess.Popen, "__init__", refuse)
    monkeypatch.setattr(os, "fork", refuse)
    monkeypatch.setattr(os, "posix_spawn", refuse)


def test_an_answer_is_found_out_once(project: Path, say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    assert say() == (1, [f"FALSE    t.c  {SAID}"], "")
    assert (project.parent / ".cseq-cache" / ".gitignore").read_text() == "*\n"
    with monkeypatch.context() as strict:
        forbid_processes(strict)
        assert say() == (1, [f"FALSE    t.c  {SAID} (unchanged)"], "")
        status, lines, _ = say("--cex")
        assert status == 1 and any("return size;" in line for line in lines)
        with pytest.raises(AssertionError, match="a process is started"):
            os.posix_spawn("true", [], {})


def test_what_has_changed_is_checked_again(project: Path, say: Say) -> None:
    folder = project.parent
    say()
    (folder / "q.h").write_text(HEADER.replace("WANTED 1", "WANTED 2"))  # of the same length
    assert say() == (0, ["TRUE     t.c  no violation in any execution"], "")
    assert say("--deadlock")[1] != say()[1]  # other options, another question
    project.write_text(project.read_text().replace("-DSIZE=2", "-DSIZE=1"))
    assert say() == (1, [f"FALSE    t.c  {SAID}"], "")
    assert say("--no-cache") == (1, [f"FALSE    t.c  {SAID}"], "")


def test_a_new_header_that_is_found_first_counts(written: Written, say: Say) -> None:
    project = written(
        {"t.c": "-Ifirst -Isecond"}, t_c="#include <w.h>\n#include <assert.h>\nint main(void) { assert(W); }\n"
    )
    for name, text in (("first", ""), ("second", "#define W 1\n")):
        (project.parent / name).mkdir()
        (project.parent / name / "w.h").write_text(text)
    (project.parent / "first" / "w.h").unlink()
    assert say()[0] == 0
    (project.parent / "first" / "w.h").write_text("#define W 0\n")
    assert say()[0] == 1


@pytest.mark.parametrize(
    ("include", "words", "new"),
    [
        ('#include "../w.h"', ("-I", "first/deep", "-Isecond/deep"), "first/w.h"),
        ('#include "w.h"', ("-Ifirst", "-I", "second"), "first/w.h"),
        ('#if __has_include("x.h")\n#include "x.h"\n#else\n#define W 1\n#endif', (), "x.h"),
    ],
)
def test_a_header_that_was_looked_for_counts_once_it_is_there(
    written: Written, say: Say, include: str, words: tuple[str, ...], new: str
) -> None:
    """Also where folders are named on the command line, and where a program only asks whether there is one."""
    folder = written(t_c=f"{include}\n#include <assert.h>\nint main(void) {{ assert(W); }}\n").parent
    for name in ("first/deep", "second/deep"):
        (folder / name).mkdir(parents=True)
    (folder / "second" / "w.h").write_text("#define W 1\n")
    assert say(*words)[0] == 0
    assert say(*words)[1] == ["TRUE     t.c  no violation in any execution (unchanged)"]
    (folder / new).write_text("#define W 0\n")
    assert say(*words)[0] == 1


def test_a_header_that_the_build_generates_later_is_found(written: Written, say: Say) -> None:
    text = '#include "generated.h"\n#include <assert.h>\nint main(void) { assert(W); }\n'
    folder = written({"t.c": "-Ibuild"}, t_c=text).parent
    (folder / "build").mkdir()
    assert say()[0] == 2
    (folder / "build" / "generated.h").write_text("#define W 1\n")
    assert say()[0] == 0


def test_a_broken_cache_is_ignored(project: Path, say: Say) -> None:
    say()
    cache = project.parent / ".cseq-cache"
    broken = [path for path in cache.rglob("*") if path.is_file() and path.name != ".gitignore"]
    assert len(broken) == 2
    for path in broken:
        path.write_bytes(path.read_bytes()[:-9])
    status, lines, err = say()
    assert (status, lines) == (1, [f"FALSE    t.c  {SAID}"])
    assert err.splitlines() == [f"warning: {path}: is broken, and is ignored" for path in sorted(broken, reverse=True)]
    assert say() == (1, [f"FALSE    t.c  {SAID} (unchanged)"], "")


def test_reports_for_programs(project: Path, say: Say, capfd: pytest.CaptureFixture[str]) -> None:
    assert say("--junit", "j.xml", "--write-baseline", "known.json")[0] == 1
    suite = ElementTree.parse(project.parent / "j.xml").getroot()
    assert {name: suite.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "1", "failures": "1", "errors": "0",
    }  # fmt: skip
    failure = suite.find("testcase[@name='t.c']/failure")
    assert failure is not None and failure.get("message") == SAID
    assert "t.c:3" in (failure.text or "")
    for _ in range(2):  # checked, and from the cache
        assert main(["check", "--project", ".", "-b", "native", "--json", "--baseline", "known.json", "--race"]) == 0
        report = json.loads(capfd.readouterr().out)
        check(report)
        [task] = report["tasks"]
        assert [one["why"] for one in task["excuses"]] == ["known"] and task["exit_status"] == 0
        assert sorted(task["report"]["inputs"]) == ["q.c", "t.c"]
    assert main(["check", "--project", ".", "-b", "native", "--sarif", "--baseline", "known.json", "--race"]) == 0
    log = json.loads(capfd.readouterr().out)
    check_sarif_schema(log)
    [result] = log["runs"][0]["results"]
    assert [one["kind"] for one in result["suppressions"]] == ["external"]


def test_a_known_finding_stays_known_when_its_line_moves(project: Path, say: Say) -> None:
    say("--write-baseline", "known.json")
    (project.parent / "t.c").write_text("\n\n" + CHECK)
    status, [line], _ = say("--baseline", "known.json")
    assert status == 0 and line.endswith("t.c:5 in main (in the baseline)")
    (project.parent / "t.c").write_text(CHECK.replace("room() ==", "1 + room() =="))
    assert say("--baseline", "known.json")[0] == 1


def test_a_baseline_without_some_answers_says_so(project: Path, say: Say) -> None:
    (project.parent / "u.c").write_text("int main(void) { return unknown; }\n")
    told = json.loads(project.read_text())
    project.write_text(json.dumps([*told, {**told[0], "file": "u.c", "command": "cc -c u.c"}]))
    status, _, err = say("--write-baseline", "known.json")
    assert status == 1 and err == "warning: --write-baseline: known.json has nothing about u.c: there is no answer\n"
    assert len(json.loads((project.parent / "known.json").read_text())["findings"]) == 1


def test_comments_expect_and_ignore(project: Path, say: Say) -> None:
    source = project.parent / "t.c"
    source.write_text(CHECK.replace("int main", "// cseq: expect assertion\nint main"))
    assert say()[:2] == (0, [f"FALSE    t.c  {SAID.replace(':3', ':4')} (expected)"])
    for verdict in ("FALSE", "FALSE assertion"):
        source.write_text(CHECK.replace("int main", f"// cseq: expect {verdict}\nint main"))
        assert say()[0] == 0
    source.write_text(CHECK.replace("int main", "// cseq: expect race\n// cseq: ignore assertion: a test\nint main"))
    status, lines, _ = say("--junit", "j.xml")
    assert status == 1 and lines[0].endswith("(ignored: a test)")
    assert lines[1:] == ["error    t.c:3  expected: race, which was not found"]
    assert len(ElementTree.parse(project.parent / "j.xml").getroot().findall("testcase/failure")) == 1
    source.write_text(CHECK.replace("int main", "// cseq: ignore assertion\nint main"))
    status, _, err = say()
    assert status == 2 and err.startswith("t.c:3: error: what is ignored needs a reason")


def test_a_function_that_need_not_be_there_is_called_where_it_is(written: Written, say: Say) -> None:
    """The objects of a program are linked, whether or not a reference to them is weak."""
    text = "#include <assert.h>\n__attribute__((weak)) int hook(void);\n"
    path = written(
        t_c=f"{text}int main(void) {{ assert(!hook || hook() == 0); }}\n", h_c="int hook(void) { return 1; }\n"
    )
    told = json.loads(path.read_text())
    for entry in told:
        entry["output"] = f"CMakeFiles/t.dir/{entry['file']}.o"
    path.write_text(json.dumps(told))
    assert say()[1] == ["FALSE    t.c  assertion `!hook || hook() == 0` is violated at t.c:3 in main"]
    path.write_text(json.dumps(told[:1]))
    assert say()[1] == ["TRUE     t.c  no violation in any execution"]


def test_a_function_is_called(written: Written, say: Say) -> None:
    written(
        t_c="#include <assert.h>\nstatic void inner(void) { assert(0); }\nvoid with(int x) { assert(x); }\n"
        "int main(void) { inner(); with(1); return 0; }\n"
    )
    said = "FALSE    inner  assertion `0` is violated at t.c:2 in inner"
    assert say("--entry", "inner") == (1, [said], "")
    assert say("--entry", "inner") == (1, [f"{said} (unchanged)"], "")


def test_a_function_with_numbers_as_parameters_gets_any(written: Written, say: Say) -> None:
    """Also of types that only the file has."""
    written(t_c="#include <assert.h>\ntypedef unsigned short small;\nenum color { RED, GREEN };\n"
            "static void f(small n, enum color c, _Bool yes) { assert(n != 777 || c == RED || yes); }\n"
            "void g(unsigned char n) { assert(n < 256); }\nvoid h(const char *text) { assert(text); }\n"
            "void v(int n, ...) { assert(n); }\nint main(void) { f(1, RED, 1); return 0; }\n")  # fmt: skip
    said = "FALSE    f  assertion `n != 777 || c == RED || yes` is violated at t.c:4 in f"
    assert say("--entry", "f") == (1, [said], "")
    assert say("--entry", "g")[0] == 0
    for function, parameter in (("h", "text"), ("v", "number 2")):
        assert f"the parameter `{parameter}` of `{function}` is not a number" in say("--entry", function)[2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--main", "q.c"), "--main: q.c does not define `main`"),
        (("--main", "x.c"), "--main: x.c is not in the compilation database"),
        (("--main", "t.c", "--entry", "room"), "--entry and --main cannot be combined"),
        (("--main",), "option '--main' requires an argument"),
        (("--bogus",), "no such option '--bogus'"),
        (("t.c",), "`cseq check` takes no files, such as t.c"),
        (("--json", "--sarif"), "--json and --sarif cannot be combined"),
        (("--reproducer", "r.c"), "--reproducer is not for the programs of a project"),
        (("--write-baseline", "t.c"), "--write-baseline: t.c: is not a baseline, and is not overwritten"),
        (("--junit", "t.c"), "--junit: t.c: is not overwritten"),
        (("--baseline", "compile_commands.json"), "not a baseline"),
    ],
)  # fmt: skip
def test_bad_words_are_one_line(project: Path, say: Say, words: tuple[str, ...], said: str) -> None:
    before = (project.parent / "t.c").read_text()
    status, lines, err = say(*words)
    assert (status, lines, err.count("\n")) == (2, [], 1) and said in err
    assert (project.parent / "t.c").read_text() == before


def test_a_file_that_cannot_be_compiled_does_not_stop_the_others(written: Written, say: Say) -> None:
    written(t_c="int main(void) { return 0; }\n", u_c="int main(void) { return x; }\n", v_cpp="int main() {}\n")
    status, lines, _ = say()
    assert status == 2
    assert sorted(line.split()[0] for line in lines) == ["TRUE", "error", "error"]
    assert any("u.c cannot be compiled" in line for line in lines)
    assert any("v.cpp is not in C" in line for line in lines)
