"""What is made of TLC's output. That in recorded/tlc is genuine; the script in TLC's place prints it again."""

from pathlib import Path

import pytest

from cseq.modules.tla.run import _cuts, _threads
from tests.support.shell import Shell

pytestmark = pytest.mark.engine

RECORDED = Path(__file__).resolve().parent / "recorded" / "tlc"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def tlc(shell: Shell, script: str) -> None:
    """Put a script in the place of TLC."""
    path = shell.bin / "tlc"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    shell.environment["CSEQ_TLC"] = str(path)


def recorded(shell: Shell, name: str, status: int) -> str:
    """A script that prints what TLC has printed about the program *name*."""
    shell.file(f"{name}.c", (RECORDED / f"{name}.c").read_bytes())
    return f"cat {RECORDED / name}.txt; exit {status}"


# Whole runs

VIOLATIONS = {
    "lost": (12, [], "FALSE: assertion `count == 2` is violated at lost.c:20 in main"),
    "stuck": (12, ["--deadlock"], "no-deadlock: FALSE: deadlock: main holds `a` since stuck.c:18 and waits for `b`"),
    "spins": (13, ["--termination"], "termination: FALSE: the threads do not all end"),
}


@pytest.mark.parametrize("name", VIOLATIONS)
def test_violations_are_executed(shell: Shell, name: str) -> None:
    code, options, verdict = VIOLATIONS[name]
    script = recorded(shell, name, code)
    # Nothing is wrong with the assertions of the programs that are asked about something else.
    safe = f"cat {RECORDED.parents[3] / 'backends/recorded/tlc/safe.txt'}; exit 0"
    tlc(shell, f"if grep -q NoViolation ./{name}.cfg; then {script if not options else safe}; fi; {script}")
    status, out, err = shell.run("-i", f"{name}.c", "-b", "tlc", *options)
    assert verdict in out, out + err
    assert status == 1


def test_an_execution_that_the_program_does_not_have(shell: Shell) -> None:
    script = recorded(shell, "lost", 12)
    shell.file("lost.c", (RECORDED / "lost.c").read_text().replace("count == 2", "count >= 1"))
    tlc(shell, script)
    status, out, _ = shell.run("-i", "lost.c", "-b", "tlc")
    assert status == 3, out
    assert out.startswith("UNKNOWN: TLC's trace was not followed")


def test_what_specifications_do_not_follow(shell: Shell) -> None:
    tlc(shell, recorded(shell, "freed", 12))
    why = shell.refuse("-i", "freed.c", "-b", "tlc")
    assert why == "freed.c:11: error: an access to freed memory; a specification in TLA+ does not follow that"


def test_a_violation_besides_what_specifications_do_not_follow(shell: Shell) -> None:
    """TLC reports the access to freed memory first. Asked for violations only, it reports the lost update."""
    script = recorded(shell, "lost", 12)
    refused = f"cat {RECORDED / 'freed.txt'}; exit 12"
    tlc(shell, f"if grep -q Supported ./lost.cfg; then {refused}; fi; {script}")
    status, out, err = shell.run("-i", "lost.c", "-b", "tlc")
    assert VIOLATIONS["lost"][2] in out, out + err
    assert status == 1


def test_which_of_several_temporal_properties(shell: Shell) -> None:
    """TLC does not say which one, so that each is asked about by itself."""
    recorded(shell, "spins", 13)
    lasso, safe = RECORDED / "spins.txt", RECORDED.parents[3] / "backends/recorded/tlc/safe.txt"
    tlc(shell, f"if ! grep -q Property_2 ./spins.cfg; then cat {safe}; exit 0; fi; cat {lasso}; exit 13")
    status, out, err = shell.run(
        "-i", "spins.c", "-b", "tlc", "--tla-property", "[]TRUE", "--tla-property", "<>Terminated(memory)"
    )
    assert "the TLA+ formula `<>Terminated(memory)` does not hold" in out, out + err
    assert status == 1


def test_tlc_that_fails(shell: Shell) -> None:
    shell.file("a.c")
    tlc(shell, "echo nonsense; exit 3")
    assert "the backend `tlc` failed: TLC printed no known message (exit status 3): nonsense" in shell.refuse(
        "-i", "a.c", "-b", "tlc", status=3
    )


def test_time_and_memory(shell: Shell) -> None:
    shell.file("a.c")
    tlc(shell, "sleep 60 & sleep 60")
    status, out, _ = shell.run("-i", "a.c", "-b", "tlc", "--timeout", "2")
    assert status == 3 and out.startswith("UNKNOWN: the engine ran out of time;")
    assert "--race" not in out and "see --deadlock" in out
    tlc(shell, f"cat {RECORDED.parents[3] / 'backends/recorded/tlc/memory.txt'}; exit 75")
    status, out, _ = shell.run("-i", "a.c", "-b", "tlc")
    assert status == 3 and out.startswith("UNKNOWN: the engine ran out of memory")


def test_what_the_module_prints() -> None:
    printed = ('<<"cseq", "cut", "cut.threads 3">>', '<<"cseq", "threads", {0}>>', '<<"cseq", "threads", {2, 1}>>')
    assert _cuts(printed) == ["cut.threads 3"]
    assert _threads(printed) == [1, 2]
    assert _threads(printed[:1]) == []
