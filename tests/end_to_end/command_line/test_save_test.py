"""The option --save-test: what is refused before the run, and what is not written."""

from tests.support.shell import BUGGY, SEQUENTIAL, Shell


def test_nothing_is_overwritten_and_nothing_is_written_in_vain(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    shell.file("saved/Makefile", "all:\n")
    message = "cseq: error: --save-test: saved/Makefile: already exists, and is not overwritten"
    assert shell.refuse("input.c", "--save-test", "saved") == message
    assert shell.refuse("input.c", "--save-test", "input.c") == "cseq: error: --save-test: input.c cannot be written"
    assert shell.refuse("input.c", "--save-test", "no/such") == "cseq: error: --save-test: no/such cannot be written"
    shell.file("input.c", SEQUENTIAL)
    status, _, err = shell.run("input.c", "-b", "native", "--save-test", "other")
    assert (status, err) == (0, "warning: --save-test: nothing is written: there is no violation\n")
    assert not (shell.here / "other").exists()
