"""A reproducer takes the place of an older one, and of nothing that the user wrote."""

import pytest

from cseq.backends import cbmc
from tests.support.shell import BUGGY, Shell

pytestmark = pytest.mark.skipif(cbmc.find() is None, reason="CBMC is not installed")


@pytest.mark.parametrize("name", ["other.c", "other.h", "input.c"])
def test_a_file_of_a_program_is_not_overwritten(shell: Shell, name: str) -> None:
    """As where the name of the reproducer was forgotten: `--reproducer *.c`."""
    shell.file("input.c", BUGGY)
    shell.file("other.c", "int precious;\n")
    shell.file("other.h", "int precious(void);\n")
    before = (shell.here / name).read_text()
    message = shell.refuse("--rounds", "2", "--reproducer", name, "input.c")
    assert message.startswith(f"cseq: error: --reproducer: {name}: ") and message.endswith("which is not overwritten")
    assert (shell.here / name).read_text() == before


def test_a_reproducer_is_overwritten(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    shell.file("out.c", "")
    texts = []
    for line in ("", "\n"):
        shell.file("input.c", BUGGY + line)
        status, _, err = shell.run("--rounds", "2", "--reproducer", "out.c", "input.c")
        assert (status, err) == (1, "")
        texts.append((shell.here / "out.c").read_text())
    assert len(texts[1]) == len(texts[0]) + 1
