"""The command line as scripts see it: exit status, standard output, standard error, files."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from cseq.backends import cbmc
from cseq.version import __version__

ROOT = Path(__file__).resolve().parent.parent
LAUNCHER = ROOT / "cseq.py"

BUGGY = """\
#include <assert.h>
#include <pthread.h>
int x;
void *add(void *arg) { x++; return NULL; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(x == 2);
  return 0;
}
"""

SEQUENTIAL = "int main(void) { int x = 1; return x; }\n"

needs_cbmc = pytest.mark.skipif(cbmc.find() is None, reason="CBMC is not installed")


class Shell:
    """Runs cseq in a folder of its own, with a temporary folder of its own, and watches what it leaves there."""

    def __init__(self, root: Path) -> None:
        self.here = root / "here"
        self.tmp = root / "tmp"
        self.bin = root / "bin"
        for folder in (self.here, self.tmp, self.bin):
            folder.mkdir()
        self.environment = {**os.environ, "TMPDIR": str(self.tmp), "PYTHONDONTWRITEBYTECODE": "1"}

    def file(self, name: str, content: str | bytes = SEQUENTIAL) -> Path:
        path = self.here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def engine(self, script: str) -> None:
        """Put a script in CBMC's place."""
        path = self.bin / "cbmc"
        path.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo "6.6.0 (cbmc-6.6.0)"; exit; fi\n{script}\n')
        path.chmod(0o755)
        self.environment["CSEQ_CBMC"] = str(path)

    def files(self) -> list[str]:
        return sorted(str(path.relative_to(self.here)) for path in self.here.rglob("*"))

    def start(self, *words: str, **kwargs: object) -> subprocess.Popen[str]:
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL, **kwargs}
        command = [sys.executable, str(LAUNCHER), *words]
        return subprocess.Popen(command, cwd=self.here, env=self.environment, text=True, **streams)  # type: ignore[call-overload, no-any-return]

    def run(self, *words: str) -> tuple[int, str, str]:
        with self.start(*words) as process:
            out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def refuse(self, *words: str, status: int = 2) -> str:
        """Run something that is refused: the one line that says why."""
        before = self.files()
        result, out, err = self.run(*words)
        assert (result, out) == (status, ""), err
        assert err.count("\n") == 1 and err.endswith("\n")
        assert "Traceback" not in err
        assert self.files() == before, "stray files beside the input"
        assert not list(self.tmp.iterdir()), "stray files in the temporary folder"
        return err.rstrip("\n")


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


# --- bad input ---


def test_missing_file(shell: Shell) -> None:
    assert shell.refuse("-i", "none.c") == "cseq: error: none.c: no such file"


def test_directory(shell: Shell) -> None:
    (shell.here / "folder.c").mkdir()
    assert shell.refuse("-i", "folder.c") == "cseq: error: folder.c: is a directory, not a C file"


def test_empty_file(shell: Shell) -> None:
    shell.file("empty.c", "")
    assert shell.refuse("-i", "empty.c") == "cseq: error: empty.c: the file is empty"


def test_binary_file(shell: Shell) -> None:
    shell.file("binary.c", b"\x7fELF\x02\x01\x01\0\0\0\0\xff\xfe")
    assert shell.refuse("-i", "binary.c") == "cseq: error: binary.c: is a binary file, not C"


def test_syntax_error_is_reported_at_its_place(shell: Shell) -> None:
    shell.file("wrong.c", "int main(void)\n{\n  int x\n  return 0;\n}\n")
    assert re.fullmatch(r"wrong\.c:4: error: syntax error: .+", shell.refuse("-i", "wrong.c"))


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
        ("--unwind=", "--unwind: `` is not"),
        ("--unwind", "option '--unwind' requires an argument"),
        ("--timeout soon", "--timeout: `soon` is not"),
        ("--memlimit 0", "--memlimit: 0 is less than 1"),
        ("--backend none", "--backend: `none` is none of cbmc"),
        ("--frobnicate", "no such option"),
        ("-x", "no such option"),
        ("--cex=yes", "option '--cex' does not take a value"),
        ("--chain none", "no chain file `none`"),
        ("--dump-after none", "--dump-after: the chain lazy has no stage `none`"),
        ("--dump-after feeder --dump-all .", "--dump-all: "),
        ("--quiet --verbose", "--quiet and --verbose do not go together"),
        ("--json --seq-only", "--json and --seq-only do not go together"),
        ("--linemap --dump-after merger", "--linemap and --dump-after do not go together"),
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
    assert "my.chain: the option --json of the parameter `format` is taken" in shell.refuse("input.c", "--chain=my.chain")


GREEDY = """\
from cseq.stage import Parameter, Stage
class Greedy(Stage):
    takes = (Parameter("format", str, "", "any", ("--json",)),)
"""

BROKEN = """\
from cseq.stage import Stage
class Broken(Stage):
    def run(self, value):
        return {}["the key"]
"""


def test_bug_of_ours_is_one_line_and_shown_under_verbose(shell: Shell) -> None:
    shell.file("input.c")
    shell.file("my.chain", "stage broken\n")
    shell.file("broken.py", BROKEN)
    line = shell.refuse("input.c", "--chain", "my.chain", status=3)
    assert line == "cseq: internal error: KeyError: 'the key' (please report it with what --verbose shows)"
    status, out, err = shell.run("input.c", "--chain", "my.chain", "--verbose")
    assert (status, out) == (3, "")
    assert err.startswith("Traceback") and err.endswith("cseq: internal error: KeyError: 'the key' (please report it)\n")


# --- the engine fails ---


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("echo nonsense", "the backend `cbmc` failed"),
        ("exit 6", "the backend `cbmc` failed"),
        ("kill -9 $$", "the backend `cbmc` failed: CBMC was killed by signal 9"),
    ],
)
def test_engine_that_fails(shell: Shell, script: str, complaint: str) -> None:
    shell.file("input.c", BUGGY)
    shell.engine(script)
    assert shell.refuse("input.c", status=3).startswith(f"cseq: error: {complaint}")


def test_engine_that_is_missing(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    shell.environment["CSEQ_CBMC"] = str(shell.bin / "none")
    assert "`cbmc`" in shell.refuse("input.c", status=3)


def test_engine_that_takes_too_long(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    shell.engine("sleep 60")
    assert shell.run("input.c", "--timeout", "0.2") == (3, "UNKNOWN: the engine ran out of time\n", "")
    assert not list(shell.tmp.iterdir())


def waited_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def alive(process: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_ends_the_children_too(shell: Shell, number: signal.Signals) -> None:
    shell.file("input.c", BUGGY)
    started = shell.bin / "started"
    shell.engine(f"sleep 60 & echo $$ $! > {started}.new; mv {started}.new {started}; wait")
    with shell.start("input.c") as process:
        waited_for(started.exists)
        children = [int(word) for word in started.read_text().split()]
        assert all(map(alive, children))
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "cseq: interrupted\n")
    waited_for(lambda: not any(map(alive, children)))
    assert shell.files() == ["input.c"]
    assert not list(shell.tmp.iterdir())


# --- what is asked for ---


def test_version(shell: Shell) -> None:
    assert shell.run("--version") == (0, f"cseq {__version__}\n", "")


def test_version_and_doctor_load_no_stage() -> None:
    script = dedent("""\
        import sys
        from cseq.cli import main
        assert main(["--version"]) == 0 and main(["doctor", "--help"]) == 0
        print([name for name in sys.modules if name.startswith(("cseq.modules", "pycparser", "click"))])
        """)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.endswith("\n[]\n")


def test_help_shows_the_options_of_the_stages(shell: Shell) -> None:
    status, out, err = shell.run("--help")
    assert (status, err) == (0, "")
    names = "-i -I -D --unwind --rounds --backend --cex --linemap --chain --dump-after --dump-all --seq-only --timeout --memlimit"
    for name in [*names.split(), *"--json --quiet --verbose --32 --64 --keep --version --help".split()]:
        assert re.search(rf"(^|[ ,]){name}\b", out), name
    assert all(len(line) <= 80 for line in out.splitlines())


def test_doctor(shell: Shell) -> None:
    shell.environment["PATH"] = str(shell.bin)
    status, out, err = shell.run("doctor")
    assert (status, err) == (0, "")
    assert "cbmc" in out
    assert shell.refuse("doctor", "now") == "cseq: error: `cseq doctor` takes no argument, such as `now`"


def test_seq_only_is_a_program_that_compiles_when_its_needs_are_met(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    status, out, err = shell.run("input.c", "--seq-only", "--rounds", "2")
    assert (status, err) == (0, "")
    comment, _, program = out.partition("*/\n")
    assert "from input.c with --rounds 2, --unwind 1" in comment
    needs = re.findall(r"^ \*   (.+;)$", comment, re.MULTILINE)
    assert "void __CSEQ_assume(int condition);" in needs
    typedefs = dict.fromkeys(re.findall(r"^typedef unsigned int __CSEQ_bits_\d+;$", program, re.MULTILINE))
    shell.file("seq.c", "\n".join([*typedefs, *needs, program]))
    command = ["cc", "-std=gnu11", "-Werror=implicit-function-declaration", "-w", "-fsyntax-only", "seq.c"]
    assert subprocess.run(command, cwd=shell.here, capture_output=True, text=True, check=False).stderr == ""


def test_dump_after_and_dump_all_agree(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    status, out, err = shell.run("input.c", "--dump-after", "unroller", "--dump-all", "new/dumps")
    assert (status, err) == (0, "")
    dumped = sorted((shell.here / "new" / "dumps").iterdir())
    assert [path.name for path in dumped][::5] == ["01-merger.c", "06-unroller.c"]
    assert dumped[-1].read_text() == out


def test_dump_after_a_stage_that_makes_no_program(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    shell.engine("""echo '[{"cProverStatus": "success"}]'""")
    assert shell.refuse("input.c", "--dump-after", "feeder").startswith("cseq: error: the stage `feeder` does not make")


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


# --- verdicts ---


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
def test_no_violation(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    assert shell.run("input.c")[:2] == (0, "UNKNOWN: no violation within 1 round\n(a larger --rounds looks further)\n")
    shell.file("input.c", SEQUENTIAL)
    assert shell.run("input.c")[:2] == (0, "TRUE: no violation in any execution\n")


@needs_cbmc
def test_verbose_shows_the_time_of_each_stage(shell: Shell) -> None:
    shell.file("input.c")
    status, out, err = shell.run("input.c", "--verbose")
    assert (status, err) == (0, "")
    assert re.search(r"^  merger +\d+\.\d{3} s$", out, re.MULTILINE)
    assert "backend cbmc" in out


@needs_cbmc
def test_keep(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    assert shell.run("input.c", "--keep", "kept")[0] == 0
    assert list((shell.here / "kept").iterdir())


# --- terminals ---


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    ours, theirs = pty.openpty()
    yield ours, theirs
    os.close(ours)


def test_progress_is_shown_on_a_terminal_and_erased(shell: Shell, terminal: tuple[int, int]) -> None:
    shell.file("input.c", BUGGY)
    shell.engine("sleep 0.6")
    shell.environment["TERM"] = "xterm"
    ours, theirs = terminal
    with shell.start("input.c", stderr=theirs) as process:
        process.wait(timeout=60)
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    line, _, error = shown.rpartition("\r\x1b[K")
    assert re.search(r"\r\x1b\[Kcbmc 0\.[3-9] s", line)
    assert error.startswith("cseq: error: ")


@pytest.mark.parametrize("option", ["--quiet", "--json"])
def test_progress_is_not_shown_to_programs(shell: Shell, terminal: tuple[int, int], option: str) -> None:
    shell.file("input.c", BUGGY)
    shell.engine("sleep 0.3")
    ours, theirs = terminal
    with shell.start("input.c", option, stderr=theirs) as process:
        process.wait(timeout=60)
    os.close(theirs)
    assert os.read(ours, 65536).decode().startswith("cseq: error: ")
