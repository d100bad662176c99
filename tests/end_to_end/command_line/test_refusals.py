"""Input and command lines that are at fault: one line on standard error, an exit status, and no stray files."""

import os
import re
from pathlib import Path

import pytest

from tests.support.shell import BUGGY, Shell


def test_missing_file(shell: Shell) -> None:
    assert shell.refuse("-i", "none.c") == "cseq: error: none.c: no such file"


@pytest.mark.parametrize(
    "option", ["--html", "--reproducer", "--witness", "--keep", "--linemap-json", "--dump-after", "--dump-all", "-i"]
)
def test_an_option_without_its_value(shell: Shell, option: str) -> None:
    shell.file("input.c", BUGGY)
    assert shell.refuse("input.c", option).endswith(f"option '{option}' requires an argument")


def test_directory(shell: Shell) -> None:
    (shell.here / "folder.c").mkdir()
    assert shell.refuse("-i", "folder.c").startswith("cseq: error: folder.c: there is no program in the folder (")


def test_empty_file(shell: Shell) -> None:
    shell.file("empty.c", "")
    assert shell.refuse("-i", "empty.c") == "cseq: error: empty.c: the file is empty"


def test_binary_file(shell: Shell) -> None:
    shell.file("binary.c", b"\x7fELF\x02\x01\x01\0\0\0\0\xff\xfe")
    assert shell.refuse("-i", "binary.c") == "cseq: error: binary.c: is a binary file, not C"


def test_syntax_error_is_reported_at_its_place(shell: Shell) -> None:
    shell.file("wrong.c", "int main(void)\n{\n  int x\n  return 0;\n}\n")
    assert re.fullmatch(r"wrong\.c:4: error: .+", shell.refuse("-i", "wrong.c"))


def test_missing_header_is_reported_at_its_place(shell: Shell) -> None:
    shell.file("wrong.c", '\n#include "none.h"\nint main(void) { return 0; }\n')
    assert shell.refuse("wrong.c").startswith("wrong.c:2: error: none.h: ")


def test_no_main(shell: Shell) -> None:
    shell.file("part.c", "int f(void) { return 0; }\n")
    assert shell.refuse("-i", "part.c") == "part.c:1: error: there is no function `main`"


def test_nesting_beyond_all_measure(shell: Shell) -> None:
    shell.file("deep.c", f"int main(void) {{ int x = {'(' * 20000}1{')' * 20000}; return x; }}\n")
    assert "nested too deeply" in shell.refuse("-i", "deep.c")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--rounds 0", "--rounds: 0 is less than 1"),
        ("--rounds -1", "--rounds: -1 is less than 1"),
        ("-r 1.5", "--rounds: `1.5` is not"),
        ("--unwind x", "--unwind: `x` is not"),
        ("--spec none.prp", "none.prp: no such file"),
        ("--recursion 0", "--recursion: 0 is less than 1"),
        ("--exact-limit -1", "--exact-limit: -1 is less than 0"),
        ("--unwindset a.c:3", "--unwindset: `a.c:3` is not FILE:LINE=N"),
        ("--unwindset a.c:3=2,a.c=3", "--unwindset: `a.c=3` is not FILE:LINE=N"),
        ("--contexts -1", "--contexts: -1 is less than 0"),
        ("--schedule +:x", "--schedule: column 3: `x` cannot stand here"),
        ("--schedule=", "--schedule: column 1: something is missing here"),
        ("--schedule +:+ --rounds 3", "--rounds is 3, and --schedule has 2 rounds: leave --rounds out"),
        ("--unwind=", "--unwind: `` is not"),
        ("--unwind", "option '--unwind' requires an argument"),
        ("--timeout soon", "--timeout: `soon` is not"),
        ("--memlimit 0", "--memlimit: 0 is less than 1"),
        ("--backend none", "there is no backend `none` (known: auto, native, spin, cbmc, esbmc, klee, "),
        ("--frobnicate", "no such option"),
        ("-x", "no such option"),
        ("--cex=yes", "option '--cex' does not take a value"),
        ("--chain none", "no chain file `none`"),
        ("--dump-after none", "--dump-after: the chain lazy has no stage `none`"),
        ("--dump-after feeder --dump-all .", "--dump-all: "),
        ("--quiet --verbose", "--quiet and --verbose cannot be combined"),
        ("--json --seq-only", "--json and --seq-only cannot be combined"),
        ("--json --sarif", "--json and --sarif cannot be combined"),
        ("--sarif --quiet", "--sarif and --quiet cannot be combined"),
        ("--linemap --sarif", "--sarif and --linemap cannot be combined"),
        ("--linemap --dump-after merger", "--linemap and --dump-after cannot be combined"),
    ],
)
def test_senseless_options(shell: Shell, words: str, complaint: str) -> None:
    shell.file("input.c")
    if "--dump-all" in words:
        shell.file("01-merger.c/in-the-way")
    assert shell.refuse("-i", "input.c", *words.split()).startswith(f"cseq: error: {complaint}")


def test_no_input(shell: Shell) -> None:
    assert shell.refuse() == "cseq: error: no input file (`cseq --help` lists the options)"


@pytest.mark.parametrize("option", ["--dump-all", "--keep"])
def test_folder_that_cannot_be_written(shell: Shell, option: str) -> None:
    shell.file("input.c")
    shell.file("regular")
    assert "regular/below: cannot be written: Not a directory" in shell.refuse("input.c", option, "regular/below")


def test_output_that_cannot_be_written(shell: Shell) -> None:
    shell.file("input.c")
    with Path("/dev/full").open("w") as full, shell.start("input.c", "--seq-only", stdout=full) as process:
        _, err = process.communicate(timeout=60)
    assert err == "cseq: error: standard output cannot be written: No space left on device\n"
    assert process.returncode == 2


def test_reader_that_goes_away_is_no_error(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    reading, writing = os.pipe()
    os.close(reading)
    with shell.start("input.c", "--seq-only", stdout=writing) as process:
        os.close(writing)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")


def test_file_name_that_cannot_be_printed(shell: Shell) -> None:
    assert shell.refuse("two\nlines\x1b[31m.c") == "cseq: error: two lines\\x1b[31m.c: no such file"


def test_chain_file_with_an_error(shell: Shell) -> None:
    shell.file("input.c")
    shell.file("my.chain", "about nothing\nstage none\n")
    assert shell.refuse("input.c", "--chain", "my.chain") == "my.chain:2: error: there is no stage `none`"


def test_option_of_a_stage_that_is_taken(shell: Shell) -> None:
    shell.file("input.c")
    shell.file("my.chain", "stage greedy\n")
    shell.file("greedy.py", GREEDY)
    assert "my.chain: the option --json of the parameter `format` is taken" in shell.refuse(
        "input.c", "--chain=my.chain"
    )


GREEDY = """\
from cseq.pipeline.stage import Parameter, Stage
class Greedy(Stage):
    takes = (Parameter("format", str, "", "any", ("--json",)),)
"""

BROKEN = """\
from cseq.pipeline.stage import Stage
class Broken(Stage):
    def run(self, value):
        return {}["the key"]
"""


def test_a_bug_is_one_line_that_names_the_stage_and_is_shown_under_verbose(shell: Shell) -> None:
    shell.file("input.c")
    shell.file("my.chain", "stage broken\n")
    shell.file("broken.py", BROKEN)
    line = shell.refuse("input.c", "--chain", "my.chain", status=3, fails=True)
    what = "cseq: internal error in the stage `broken`: KeyError: 'the key'"
    assert line == f"{what} (please report it with what --verbose shows)"
    status, out, err = shell.run("input.c", "--chain", "my.chain", "--verbose", fails=True)
    assert (status, out) == (3, "")
    assert err.startswith("Traceback") and err.endswith(f"in the stage `broken`\n{what} (please report it)\n")
