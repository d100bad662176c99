"""What is printed on request, and the verdicts."""

import json
import re
import subprocess
import sys
from textwrap import dedent

import pytest

from cseq.backends import cbmc
from cseq.version import __version__
from tests.support.checkout import ROOT
from tests.support.shell import BUGGY, SEQUENTIAL, Shell

needs_cbmc = pytest.mark.skipif(cbmc.find() is None, reason="CBMC is not installed")


def test_version(shell: Shell) -> None:
    assert shell.run("--version") == (0, f"cseq {__version__}\n", "")


def test_version_and_doctor_load_no_stage() -> None:
    script = dedent("""\
        import sys
        from cseq.cli.main import main
        assert main(["--version"]) == 0 and main(["doctor", "--help"]) == 0
        print([name for name in sys.modules if name.startswith(("cseq.modules", "pycparser", "click"))])
        """)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.endswith("\n[]\n")


def test_help_shows_the_options_of_the_stages(shell: Shell) -> None:
    status, out, err = shell.run("--help")
    assert (status, err) == (0, "")
    words = """
        -i --input -I -D --32 --64 --unwind --rounds --backend --timeout --memlimit --cex --json --quiet --verbose
        --sarif --keep --seq-only --linemap --dump-after --dump-all --chain --version --help
        """
    for name in words.split():
        assert re.search(rf"(^|[ ,]){name}\b", out), name
    assert all(len(line) <= 80 for line in out.splitlines())


def test_doctor(shell: Shell) -> None:
    shell.environment["PATH"] = str(shell.bin)
    status, out, err = shell.run("doctor")
    assert (status, err) == (0, "")
    assert "cbmc" in out
    assert shell.refuse("doctor", "now") == "cseq: error: `cseq doctor` takes no argument, such as `now`"


def test_seq_only_is_a_program_that_compiles_as_it_is(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    status, out, err = shell.run("input.c", "--seq-only", "--rounds", "2")
    assert (status, err) == (0, "")
    assert "from input.c with --rounds 2, --unwind 1" in out
    assert "void __CSEQ_assume(int condition);" in out
    assert '"assertion `x == 2`");' in out and "assertion: x" not in out  # a reader gets sentences, and no keys
    shell.file("seq.c", out)
    command = ["cc", "-std=gnu11", "-Werror=implicit-function-declaration", "-w", "-fsyntax-only", "seq.c"]
    assert subprocess.run(command, cwd=shell.here, capture_output=True, text=True, check=False).stderr == ""


def test_dump_after_and_dump_all_agree(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    status, out, err = shell.run("input.c", "--dump-after", "unroller", "--dump-all", "new/dumps")
    assert (status, err) == (0, "")
    dumped = sorted((shell.here / "new" / "dumps").iterdir())
    assert [path.name for path in dumped][::8] == ["01-merger.c", "09-unroller.c"]
    assert dumped[-1].read_text() == out


def test_dump_after_shows_the_intermediate_representation(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    status, out, err = shell.run("input.c", "--dump-after", "inliner", "--ir")
    assert (status, err) == (0, "")
    assert "template main() -> i32" in out and 'check (read(x) == 2) "assertion: x == 2"' in out
    assert "template pthread_join(" in out
    assert shell.refuse("input.c", "--ir") == "cseq: error: --ir needs --dump-after"


RACER = "void *work(void *arg) { x = 2; return 0; } int main(void)"
CREATE = "pthread_create(&t, 0, work, 0);"
"""A thread without which the orders of the others do not matter."""


def test_warnings_are_lines_on_standard_error(shell: Shell) -> None:
    shell.file(
        "input.c",
        f"#include <pthread.h>\n#include <stdatomic.h>\natomic_int x; {RACER} {{ pthread_t t; {CREATE}\n"
        "  return atomic_load_explicit(&x, memory_order_relaxed) +\n"
        "    atomic_load_explicit(&x, memory_order_acquire);\n}\n",
    )
    shell.engine("""echo '[{"cProverStatus": "success"}]'""")
    warning = "memory_order_relaxed is treated as sequentially consistent"
    status, out, err = shell.run("input.c", "-b", "cbmc")
    assert (status, err) == (0, f"warning: input.c:4: {warning}\n")
    assert warning not in out
    assert out.startswith("UNKNOWN: no violation within 1 round (memory model: SC)")
    status, out, err = shell.run("input.c", "-b", "cbmc", "--json")
    assert (status, err) == (0, "")
    assert [(found["message"], found["line"]) for found in json.loads(out)["warnings"]] == [(warning, 4)]
    assert shell.run("input.c", "-b", "cbmc", "--quiet") == (0, "UNKNOWN\n", "")


def test_dump_after_a_stage_that_makes_no_program(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    shell.engine("""echo '[{"cProverStatus": "success"}]'""")
    assert shell.refuse("input.c", "--dump-after", "feeder").startswith(
        "cseq: error: the stage `symbolic/run` does not make"
    )


def test_linemap_has_a_row_per_line_that_ends_in_the_place(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    status, out, err = shell.run("input.c", "--linemap", "--rounds", "2", "--dump-all", "dumps")
    assert (status, err) == (0, "")
    header, *rows = [line.split() for line in out.splitlines()]
    assert header[0] == "instrumenter" and header[-2:] == ["merger", "source"]
    last = (shell.here / "dumps" / f"{len(header) - 1:02}-instrumenter.c").read_text().splitlines()
    assert len(rows) == len(last)
    assert [int(row[0]) for row in rows] == list(range(1, len(rows) + 1))
    assert all(len(row) == len(header) for row in rows)
    merged = (shell.here / "dumps" / "01-merger.c").read_text().splitlines()
    claims = [row for row, text in zip(rows, last, strict=True) if "assert" in text and row[-1].startswith("input.c")]
    assert claims
    for row in claims:
        assert row[-1] == "input.c:11"
        assert "x == 2" in merged[int(row[-2]) - 1]


def test_chain_that_ends_in_a_program_prints_it(shell: Shell) -> None:
    shell.file("input.c", "int main(void) { return 3; }\n")
    shell.file("my.chain", "stage merger\n")
    status, out, err = shell.run("--chain", "my.chain", "input.c")
    assert (status, err) == (0, "")
    assert "return 3;" in out


def test_several_files_make_one_program(shell: Shell) -> None:
    shell.file("one.c", "int f(void);\nint main(void) { return f(); }\n")
    shell.file("two.c", "int f(void) { return ANSWER; }\n")
    for words in (["-i", "one.c", "-i", "two.c"], ["one.c", "two.c"], ["-i", "one.c", "two.c"]):
        status, out, err = shell.run(*words, "-D", "ANSWER=42", "--dump-after", "merger")
        assert (status, err) == (0, "")
        assert "return 42;" in out


def test_include_folders(shell: Shell) -> None:
    shell.file("headers/answer.h", "#define ANSWER 42\n")
    shell.file("input.c", '#include "answer.h"\nint main(void) { return ANSWER; }\n')
    status, out, _ = shell.run("-Iheaders", "input.c", "--dump-after", "merger")
    assert status == 0 and "return 42;" in out


@needs_cbmc
def test_violation(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    verdict = "FALSE: assertion `x == 2` is violated at input.c:11 in main"
    assert shell.run("-i", "input.c", "--rounds", "2") == (1, f"{verdict}\n(--cex shows how)\n", "")
    status, out, err = shell.run("-i", "input.c", "--rounds", "2", "--cex")
    assert (status, err) == (1, "")
    lines = out.splitlines()
    assert lines[0] == verdict and lines[-1] == verdict.removeprefix("FALSE: ")
    assert "---- context switch: main goes on ----" in lines
    assert re.search(r"^add \(thread 1\)  input\.c:4 .* x\+\+;", out, re.MULTILINE)
    assert "__cs" not in out and "__CSEQ" not in out and "\x1b" not in out
    assert shell.run("-i", "input.c", "--rounds", "2", "--quiet") == (1, "FALSE\n", "")
    assert shell.files() == ["input.c"]
    assert not list(shell.tmp.iterdir())


@needs_cbmc
def test_violation_as_json(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    status, out, err = shell.run("input.c", "-r2", "--json")
    assert (status, err) == (1, "")
    report = json.loads(out)
    assert (report["verdict"], report["exit_status"]) == ("FALSE", 1)
    assert (report["property"]["file"], report["property"]["line"]) == ("input.c", 11)
    assert report["counterexample"]["steps"][-1]["line"] == 11
    assert report["parameters"]["rounds"] == 2


@needs_cbmc
def test_violation_as_sarif(shell: Shell) -> None:
    shell.file("my input.c", BUGGY)
    status, out, err = shell.run("my input.c", "-r2", "--sarif", "--witness", "w.yml")
    assert (status, err) == (1, "")
    (run,) = json.loads(out)["runs"]
    (place,) = run["results"][0]["locations"]
    assert place["physicalLocation"]["artifactLocation"]["uri"] == "my%20input.c"
    assert place["physicalLocation"]["region"]["startLine"] == 11
    assert run["invocations"][0]["commandLine"] == "cseq 'my input.c' -r2 --sarif --witness w.yml"
    assert (shell.here / "w.yml").exists()


def test_warnings_and_errors_with_sarif(shell: Shell) -> None:
    do = "atomic_store_explicit(&{0}, 1, memory_order_relaxed); return {1} ? arg : 0;"  # a store may be late
    racer = f"void *racer(void *arg) {{ {do.format('x', 'y')} }}"
    body = f"int main(void) {{ void *arg = &x; pthread_t t; pthread_create(&t, 0, racer, 0); {do.format('y', 'x')} }}"
    body = body.replace("? arg : 0", "")
    shell.file("input.c", f"#include <pthread.h>\n#include <stdatomic.h>\natomic_int x, y; {racer} {body}\n")
    status, out, err = shell.run("input.c", "-b", "native", "--sarif")
    assert (status, err) == (0, "")
    (note,) = json.loads(out)["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert note["level"] == "warning"
    assert note["message"]["text"] == "memory_order_relaxed is treated as sequentially consistent."
    assert note["locations"][0]["physicalLocation"]["region"]["startLine"] == 3
    assert shell.refuse("none.c", "--sarif") == "cseq: error: none.c: no such file"


@needs_cbmc
def test_no_violation(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    said = "UNKNOWN: no violation within 1 round\n(what helps: --rounds 5)\n"
    assert shell.run("input.c", "-b", "cbmc")[:2] == (0, said)
    shell.file("input.c", SEQUENTIAL)
    assert shell.run("input.c", "-b", "cbmc")[:2] == (
        0,
        "TRUE: no assertion in the program was violated (there is none); see --race, --deadlock, --memsafety\n",
    )


@needs_cbmc
def test_verbose_shows_the_time_of_each_stage(shell: Shell) -> None:
    shell.file("input.c")
    status, out, err = shell.run("input.c", "-b", "cbmc", "--verbose")
    assert (status, err) == (0, "")
    assert re.search(r"^  merger +\d+\.\d{3} s$", out, re.MULTILINE)
    assert "backend cbmc" in out


@needs_cbmc
def test_keep(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    assert shell.run("input.c", "-b", "cbmc", "--keep", "kept")[0] == 0
    assert list((shell.here / "kept").iterdir())


def test_an_execution_that_reaches_what_is_not_supported_is_shown_on_request(shell: Shell) -> None:
    shell.file("input.c", "int unknown(void);\nint x;\nint main(void)\n{\n  x = 1;\n  return unknown();\n}\n")
    words = "the thread stops at input.c:6: the function `unknown` is called but not defined; this is not a violation"
    _, out, _ = shell.run("input.c", "-b", "native", "--cex")
    assert out.startswith("UNKNOWN: ") and "x = 1;" in out and words in out
    assert words not in shell.run("input.c", "-b", "native")[1]
