"""The option --witness: what is written when, and what is not."""

import subprocess
import sys

import pytest

from cseq.backends import cbmc
from cseq.cli import svcomp
from cseq.model.errors import UsageError
from cseq.report.witness import yamlwitness
from tests.support.shell import BUGGY, LAUNCHER, SEQUENTIAL, Shell

pytestmark = pytest.mark.skipif(cbmc.find() is None, reason="CBMC is not installed")

DEADLOCK = """\
#include <pthread.h>
int main(void) { pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); pthread_mutex_lock(&m); }
"""
MISUSE = """\
#include <pthread.h>
int main(void) { pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_unlock(&m); return 0; }
"""


def test_both_formats_at_once(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    (shell.here / "my.prp").write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n")
    words = ["input.c", "--32", "--spec", "my.prp", "--rounds", "2", "--witness", "w.yml", "--witness", "w.GraphML"]
    status, out, err = shell.run(*words)
    assert (status, err) == (1, "")
    assert out.startswith("FALSE: ")
    text = (shell.here / "w.yml").read_text()
    assert 'entry_type: "violation_sequence"' in text
    assert 'specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )"' in text
    assert 'data_model: "ILP32"' in text
    assert f'command_line: "cseq {" ".join(words)}"' in text
    graph = (shell.here / "w.GraphML").read_text()
    assert graph.startswith("<?xml")
    assert '<data key="architecture">32bit</data>' in graph


def test_a_proof_has_one(shell: Shell) -> None:
    shell.file("input.c", SEQUENTIAL)
    assert shell.run("input.c", "-q", "--witness", "w.yml") == (0, "TRUE\n", "")
    assert 'entry_type: "invariant_set"' in (shell.here / "w.yml").read_text()


def test_without_a_verdict_nothing_is_written_and_nothing_lost(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    shell.file("w.yml", "old")
    status, out, err = shell.run("input.c", "--rounds", "1", "--witness", "w.yml")
    assert (status, err) == (0, "warning: --witness: nothing is written: there is none for UNKNOWN\n")
    assert out.startswith("UNKNOWN")
    assert (shell.here / "w.yml").read_text() == "old"
    assert shell.run("input.c", "--rounds", "1", "--witness", "w.yml", "-q") == (0, "UNKNOWN\n", "")


def test_a_deadlock_has_none(shell: Shell) -> None:
    shell.file("input.c", DEADLOCK)
    (shell.here / "my.prp").write_text("CHECK( init(main()), LTL(G ! deadlock) )\n")
    status, _, err = shell.run("input.c", "--spec", "my.prp", "--witness", "w.yml")
    message = "warning: --witness: nothing is written: a deadlock is none of the properties that the format knows\n"
    assert (status, err) == (1, message)
    assert not (shell.here / "w.yml").exists()


def test_a_file_that_cannot_be_written_takes_no_verdict_away(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    status, out, err = shell.run("input.c", "--rounds", "2", "--witness", "none/w.yml", "--witness", "w.yml")
    assert status == 2
    assert out.startswith("FALSE: ")
    assert err == "cseq: error: --witness: none/w.yml: cannot be written: No such file or directory\n"
    assert (shell.here / "w.yml").exists()


@pytest.mark.parametrize("name", ["input.c", "./input.c", "link.c", "my.prp"])
def test_what_was_read_is_not_overwritten(shell: Shell, name: str) -> None:
    shell.file("input.c", BUGGY)
    (shell.here / "my.prp").write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    (shell.here / "link.c").symlink_to("input.c")
    message = shell.refuse("input.c", "--spec", "my.prp", "--rounds", "2", "--witness", name)
    assert message == f"cseq: error: --witness: {name}: is an input file, which is not overwritten"
    assert (shell.here / "input.c").read_text() == BUGGY


@pytest.mark.parametrize("option", ["--seq-only", "--linemap"])
def test_a_program_is_no_verdict(shell: Shell, option: str) -> None:
    shell.file("input.c", BUGGY)
    message = shell.refuse("input.c", option, "--witness", "w.yml")
    assert message == f"cseq: error: {option} and --witness cannot be combined"


def test_graphml_is_for_one_file(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    shell.file("other.c", "int y;\n")
    message = shell.refuse("input.c", "other.c", "--witness", "w.graphml")
    assert message == "cseq: error: --witness: w.graphml: GraphML is for a program in one file; YAML can have several"


def compete(shell: Shell, *words: str) -> subprocess.CompletedProcess[str]:
    """Run lazy-cseq.py."""
    command = [sys.executable, str(LAUNCHER.with_name("lazy-cseq.py")), *words]
    return subprocess.run(command, cwd=shell.here, env=shell.environment, capture_output=True, text=True, check=False)


def test_in_competitions_the_verdict_is_told_once(shell: Shell) -> None:
    shell.file("input.c", BUGGY)
    done = compete(shell, "--input", "input.c", "--witness", "TRUE/w.yml", "--witness", "w.yml")
    assert (done.returncode, done.stdout.count("\n")) == (2, 1)
    assert done.stdout.startswith("FALSE(unreach-call): ")
    assert done.stderr == "lazy-cseq.py: --witness: true/w.yml: cannot be written: No such file or directory\n"
    assert 'command_line: "lazy-cseq.py --input' in (shell.here / "w.yml").read_text()


def test_in_competitions_the_witness_is_for_the_verdict_that_is_told(shell: Shell) -> None:
    shell.file("input.c", MISUSE)
    done = compete(shell, "--input", "input.c", "--witness", "w.yml")
    assert done.stdout.startswith("UNKNOWN: ")
    assert not (shell.here / "w.yml").exists()
    done = compete(shell, "--misuse", "--input", "input.c", "--witness", "w.yml")
    assert done.stdout.startswith("FALSE(unreach-call): ")
    assert 'type: "target"' in (shell.here / "w.yml").read_text()


def test_in_competitions_a_bug_in_the_witness_takes_no_verdict_away(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> str:
        raise KeyError("FALSE")

    monkeypatch.chdir(shell.here)
    monkeypatch.setattr(yamlwitness, "render", broken)
    shell.file("input.c", SEQUENTIAL)
    assert svcomp.main(["--input", "input.c", "--witness", "w.yml"]) == 2
    out, err = capsys.readouterr()
    assert out.startswith("TRUE: ") and out.count("\n") == 1
    assert err == "lazy-cseq.py: --witness: internal error: KeyError: 'false'\n"


def test_in_competitions_a_reproducer_that_is_lost_costs_no_witness(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise UsageError("--reproducer: cannot be written")

    monkeypatch.chdir(shell.here)
    monkeypatch.setattr(svcomp, "write_reproducer", broken)
    shell.file("input.c", SEQUENTIAL)
    svcomp.main(["--input", "input.c", "--witness", "w.yml"])
    assert (shell.here / "w.yml").stat().st_size > 0
