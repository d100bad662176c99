"""The option --reproducer: what is written when, and what is not."""

import subprocess

import pytest

from cseq.c.preprocess import compiler
from tests.support.shell import BUGGY, SEQUENTIAL, Shell


def test_beside_the_report(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    status, out, err = shell.run("input.c", "-b", "native", "--json", "--reproducer", "out.c")
    assert (status, err) == (1, "")
    assert out.startswith("{")
    subprocess.run([compiler(), "-pthread", "out.c", "-o", "out"], cwd=shell.here, check=True)
    done = subprocess.run(["./out"], cwd=shell.here, capture_output=True, text=True, check=False)
    assert done.returncode < 0
    assert "input.c:11: main: Assertion `x == 2' failed." in done.stderr


def test_without_a_violation_nothing_is_written_and_nothing_lost(shell: Shell) -> None:
    shell.file("input.c", SEQUENTIAL)
    status, out, err = shell.run("input.c", "-b", "native", "--reproducer", "out.c")
    assert (status, err) == (0, "warning: --reproducer: nothing is written: there is no violation\n")
    assert out.startswith("TRUE")
    assert not (shell.here / "out.c").exists()
    assert shell.run("input.c", "-b", "native", "--reproducer", "out.c", "-q") == (0, "TRUE\n", "")


def test_what_cannot_be_reproduced_is_told(shell: Shell) -> None:
    for body, what in (("int a[1]; a[x + 1] = 1;", "a crash"), ("x = !malloc(4);", "an error of memory")):
        head = "void *malloc(unsigned long); int x; void f(void); int main(void) { f(); return 0; }"
        shell.file("input.c", f"{head}\nvoid f(void) {{ {body} }}\n")
        status, out, err = shell.run("input.c", "--memsafety", "--rounds", "1", "--reproducer", "out.c")
        assert (status, out[:6]) == (1, "unreac")
        last = err.splitlines()[-1]
        assert last == f"warning: --reproducer: nothing is written: a schedule alone does not show {what}"


@pytest.mark.parametrize("name", ["input.c", "./input.c", "link.c"])
def test_what_was_read_is_not_overwritten(shell: Shell, name: str) -> None:
    shell.file("input.c", BUGGY)
    (shell.here / "link.c").symlink_to("input.c")
    message = shell.refuse("input.c", "--reproducer", name)
    assert (
        message == f"cseq: error: --reproducer: {name.removeprefix('./')}: is an input file, which is not overwritten"
    )


def test_what_cannot_be_written_is_said_before_the_run(shell: Shell) -> None:
    shell.file("input.c", "this is no C\n")
    message = "cseq: error: --reproducer: none/out.c cannot be written"
    assert shell.refuse("input.c", "--reproducer", "none/out.c") == message


def test_what_does_not_go_together(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    message = shell.refuse("input.c", "--seq-only", "--reproducer", "out.c")
    assert message == "cseq: error: --seq-only and --reproducer cannot be combined"
    message = shell.refuse("input.c", "--html", "out.c", "--reproducer", "./out.c")
    assert message == "cseq: error: --html and --reproducer name the same file"
