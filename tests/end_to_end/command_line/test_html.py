"""The option --html: what is written when, and what is not."""

import pytest

from cseq.backends import cbmc
from tests.support.shell import BUGGY, SEQUENTIAL, Shell

pytestmark = pytest.mark.skipif(cbmc.find() is None, reason="CBMC is not installed")


def test_beside_the_report(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    status, out, err = shell.run("input.c", "--rounds", "2", "--json", "--html", "page.html")
    assert (status, err) == (1, "")
    assert out.startswith("{")
    page = (shell.here / "page.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert "assertion `x == 2` is violated at input.c:11 in main" in page
    assert "<dd>cseq input.c --rounds 2 --json --html page.html</dd>" in page


def test_without_a_counterexample_nothing_is_written_and_nothing_lost(shell: Shell) -> None:
    shell.file("input.c", SEQUENTIAL)
    shell.file("page.html", "old")
    status, out, err = shell.run("input.c", "--html", "page.html")
    assert (status, err) == (0, "warning: --html: nothing is written: there is none for TRUE\n")
    assert out.startswith("TRUE")
    assert (shell.here / "page.html").read_text() == "old"
    assert shell.run("input.c", "--html", "page.html", "-q") == (0, "TRUE\n", "")


@pytest.mark.parametrize("name", ["input.c", "./input.c", "link.c", "my.prp"])
def test_what_was_read_is_not_overwritten(shell: Shell, name: str) -> None:
    shell.file("input.c", BUGGY)
    shell.file("my.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    (shell.here / "link.c").symlink_to("input.c")
    message = shell.refuse("input.c", "--spec", "my.prp", "--html", name)
    assert message.endswith("is an input file, which is not overwritten")
    assert message.startswith("cseq: error: --html: ")


def test_headers_are_not_overwritten(shell: Shell) -> None:
    shell.file("input.c", '#include "input.h"\nint main(void) { return 0; }\n')
    shell.file("input.h", "")
    message = shell.refuse("input.c", "--html", "input.h")
    assert message == "cseq: error: --html: input.h: looks like a file of a program, which is not overwritten"


@pytest.mark.parametrize("name", [".", "none/page.html"])
def test_what_cannot_be_written_is_said_before_the_run(shell: Shell, name: str) -> None:
    shell.file("input.c", "this is no C\n")
    assert shell.refuse("input.c", "--html", name) == f"cseq: error: --html: {name} cannot be written"


def test_what_does_not_go_together(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    message = shell.refuse("input.c", "--seq-only", "--html", "page.html")
    assert message == "cseq: error: --seq-only and --html cannot be combined"
    message = shell.refuse("input.c", "--witness", "w", "--html", "./w")
    assert message == "cseq: error: --witness and --html name the same file"
