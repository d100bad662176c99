"""A saved test fails as long as the violation is there, and is made of the files as they are."""

import shutil
import subprocess
from pathlib import Path

import pytest

from cseq.c.preprocess import compiler
from tests.support.checkout import ROOT
from tests.support.shell import BUGGY, Shell

pytestmark = pytest.mark.engine

PROGRAMS = ROOT / "sv-benchmarks"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def made(shell: Shell) -> tuple[bool, str]:
    """Whether the test passes, built by make, and what that prints."""
    done = subprocess.run(
        ["make", "-C", "saved", f"CC={compiler()}"], cwd=shell.here, capture_output=True, text=True, check=False
    )
    return done.returncode == 0, done.stdout + done.stderr


def sanitizes(folder: Path) -> bool:
    """Whether the compiler has ThreadSanitizer, and that works here."""
    (folder / "x.c").write_text("int main(void) { return 0; }\n")
    built = subprocess.run([compiler(), "-fsanitize=thread", "x.c", "-o", "x"], cwd=folder, check=False)
    return built.returncode == 0 and subprocess.run(["./x"], cwd=folder, check=False).returncode == 0


@pytest.mark.parametrize(
    ("name", "option", "says"),
    [
        ("lost_update", "--cex", "Assertion `counter == 2' failed"),
        ("main_pthread_exit", "--cex", "Assertion `limit == 2' failed"),
        ("deadlock/full_pipes", "--deadlock", "cseq: deadlock"),
        ("race/missing_join", "--race", "WARNING: ThreadSanitizer: data race"),
    ],
)
def test_it_fails_until_the_program_is_repaired(
    shell: Shell, name: str, option: str, says: str, tmp_path: Path
) -> None:
    if option == "--race" and not sanitizes(tmp_path):
        pytest.skip("ThreadSanitizer does not work here")
    program = shell.file("program.c", (PROGRAMS / f"{name}_bad.c").read_bytes())
    status, _, err = shell.run("program.c", "-b", "native", option, "--save-test", "saved")
    assert (status, "nothing is written" in err) == (1, False)
    passes, output = made(shell)
    assert not passes
    assert says in output
    program.write_bytes((PROGRAMS / f"{name}_good.c").read_bytes())
    passes, output = made(shell)
    assert passes, output


@pytest.mark.skipif(shutil.which("cmake") is None, reason="CMake is not installed")
def test_by_ctest(shell: Shell) -> None:
    program = shell.file("program.c", BUGGY)
    shell.run("program.c", "-b", "native", "--save-test", "a test", "-q")
    shell.file("CMakeLists.txt", 'project(all C)\nenable_testing()\nadd_subdirectory("a test")\n')

    def tested() -> int:
        for command in (["cmake", "-DCMAKE_BUILD_TYPE=Release", "-S", ".", "-B", "b"], ["cmake", "--build", "b"]):
            subprocess.run(command, cwd=shell.here, capture_output=True, check=True)
        return subprocess.run(["ctest"], cwd=shell.here / "b", capture_output=True, check=False).returncode

    assert tested() != 0
    program.write_text(BUGGY.replace("int x;", "_Atomic int x;"))  # the same lines, which now mean something else
    assert tested() == 0


def test_other_lines_may_change_in_files_and_headers(shell: Shell) -> None:
    head, tail = BUGGY.split("int main")
    header = shell.file("inc/add.h", "#pragma once\n" + head)
    main = shell.file("main.c", f'#include "add.h"\nint main{tail}')
    assert shell.run("main.c", "-I", "inc", "-b", "native", "-q", "--save-test", "saved") == (1, "FALSE\n", "")
    text = main.read_text().replace("  ", "\t").replace("NULL);\n", "NULL); // a comment\n")
    main.write_text("/* a comment\n   of two lines */\n" + text.replace("return 0", "return 3"))
    header.write_text(header.read_text().replace("int x;", "\n\nint more;\nint x;"))
    passes, output = made(shell)
    assert not passes
    assert "main.c:10: main: Assertion `x == 2' failed" in output
    header.write_text(header.read_text().replace("x++;", "__atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);"))
    passes, output = made(shell)  # whatever main returns
    assert passes, output
    assert "has changed, so the schedule has no call there" in output


def test_static_names_of_several_files_and_of_a_header_for_all_of_them(shell: Shell) -> None:
    shell.file("a.h", "#ifndef A_H\n#define A_H\nint x;\nstatic int none(void) { return 0; }\n#endif\n")
    head, tail = BUGGY.replace("int x;\n", '#include "a.h"\nstatic int step = 1;\n').split("int main")
    adds = shell.file("add.c", head.replace("x++", "x += step"))
    main = tail.replace("x == 2", "x == step").replace("return 0", "return none()")
    shell.file("main.c", f'#include "add.h"\n#include <assert.h>\n#include "a.h"\nstatic int step = 2;\nint main{main}')
    shell.file("add.h", "#include <pthread.h>\nvoid *add(void *);\n")
    assert shell.run("add.c", "main.c", "-b", "native", "-q", "--save-test", "saved") == (1, "FALSE\n", "")
    passes, output = made(shell)
    assert not passes
    assert "Assertion `x == step' failed" in output
    adds.write_text(adds.read_text().replace("x += step", "__atomic_fetch_add(&x, step, __ATOMIC_SEQ_CST)"))
    passes, output = made(shell)
    assert passes, output
