"""lazy-cseq.py: one line with the verdict, whatever happens."""

import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cseq.backends import cbmc
from tests.support.checkout import ROOT
from tests.support.shell import BUGGY, Shell

UNREACH = str(ROOT / "sv-benchmarks" / "properties" / "unreach-call.prp")
ENGINE = pytest.mark.skipif(cbmc.find() is None, reason="CBMC is not installed")

HEAD = "#include <pthread.h>\n#include <stdlib.h>\nvoid reach_error(void);\n"
THREAD = "int main(void) { pthread_t t; pthread_create(&t, NULL, work, NULL); pthread_join(t, NULL); return 0; }\n"


@pytest.fixture
def entry(shell: Shell):
    """Run lazy-cseq.py: its exit status and its line, which is all that it may say."""

    def run(*words: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, str(ROOT / "lazy-cseq.py"), *words],
            cwd=shell.here,
            env=shell.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.stderr == ""
        assert done.stdout.count("\n") == 1
        assert len(re.findall("TRUE|FALSE|UNKNOWN", done.stdout)) == 1
        return done.returncode, done.stdout.rstrip("\n")

    return run


def state(process: str) -> str:
    """The state of a process: Z where it has ended, and nobody has waited for it yet."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "gone"


def worker(body: str, head: str = "") -> str:
    return f"{HEAD}{head}void *work(void *arg) {{ {body} return NULL; }}\n{THREAD}"


@ENGINE
def test_a_violation_and_a_proof(shell: Shell, entry) -> None:
    shell.file("a.c", BUGGY)
    shell.file("b.c", BUGGY.replace("assert(x == 2)", "assert(x <= 2)"))
    assert entry("--spec", UNREACH, "--input", "a.c") == (
        1,
        "FALSE(unreach-call): assertion `x == 2` is violated at a.c:11 in main",
    )
    assert entry("--spec", UNREACH, "--input", "b.c") == (0, "TRUE: no violation in any execution")
    assert not list(shell.tmp.iterdir())


@ENGINE
@pytest.mark.parametrize(
    "body, formula, violated",
    [
        ("int *p = malloc(8); free(p); *p = 1;", "valid-free valid-deref valid-memtrack", "valid-deref"),
        ("int *p = malloc(8); free(p); free(p);", "valid-free valid-deref valid-memtrack", "valid-free"),
        ("int *p = malloc(8); *p = 1;", "valid-free valid-deref valid-memtrack", "valid-memtrack"),
        ("int a[2]; int i = 2; a[i] = 1;", "valid-free valid-deref valid-memtrack", "valid-deref"),
        ("int x = 2147483647; x++;", "! overflow", "no-overflow"),
        ("pthread_mutex_t m; pthread_mutex_init(&m, NULL); pthread_mutex_lock(&m); pthread_mutex_lock(&m);",
         "! deadlock", "no-deadlock"),
    ],
)  # fmt: skip
def test_the_violated_property_is_named(shell: Shell, entry, body: str, formula: str, violated: str) -> None:
    """Of valid-memsafety, the part of it."""
    formulas = [formula] if formula.startswith("!") else formula.split()
    shell.file("p.prp", "".join(f"CHECK( init(main()), LTL(G {name}) )\n" for name in formulas))
    shell.file("a.c", worker(body))
    status, told = entry("--spec", "p.prp", "--input", "a.c")
    assert status == 1
    assert told.startswith(f"FALSE({violated}): ")


@ENGINE
def test_misuse_is_no_call_of_reach_error(shell: Shell, entry) -> None:
    shell.file("a.c", worker("pthread_mutex_unlock(&m);", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"))
    status, told = entry("--spec", UNREACH, "--input", "a.c")
    assert status == 3
    assert told.startswith("UNKNOWN: the thread library is misused: pthread_mutex_unlock: ")
    status, told = entry("--misuse", "--spec", UNREACH, "--input", "a.c")
    assert status == 1
    assert told.startswith("FALSE(unreach-call): pthread_mutex_unlock: ")


@ENGINE
@pytest.mark.parametrize("check, verdict", [("x == 2", "UNKNOWN"), ("x == 1", "FALSE(unreach-call)")])
def test_behind_misuse_calls_of_reach_error_are_looked_for(shell: Shell, entry, check: str, verdict: str) -> None:
    globals_ = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint x;\n"
    body = f"if (__VERIFIER_nondet_int()) pthread_mutex_unlock(&m); x = 1; if ({check}) reach_error();"
    shell.file("a.c", "int __VERIFIER_nondet_int(void);\n" + worker(body, globals_))
    status, told = entry("--spec", UNREACH, "--input", "a.c")
    assert (status, told.partition(": ")[0]) == (1 if check == "x == 1" else 3, verdict)


@ENGINE
@pytest.mark.parametrize("check, verdict", [("n < 0", "UNKNOWN"), ("n == 3", "FALSE(unreach-call)")])
def test_an_array_without_elements_is_no_call_of_reach_error(shell: Shell, entry, check: str, verdict: str) -> None:
    body = f"int n = __VERIFIER_nondet_int(); if (n > 9) return 0; char a[n]; if ({check}) reach_error();"
    shell.file("a.c", "int __VERIFIER_nondet_int(void);\n" + worker(body, ""))
    assert entry("--spec", UNREACH, "--input", "a.c")[1].partition(": ")[0] == verdict


@ENGINE
def test_warnings_and_names_in_the_program_say_no_verdict(shell: Shell, entry) -> None:
    source = worker("int TRUE = 1; while (TRUE++) if (UNKNOWN) reach_error();", "_Bool UNKNOWN;\n")
    shell.file("FALSE.c", source)
    status, told = entry("--spec", UNREACH, "--input", "FALSE.c", "--timeout", "2")
    # 3 where not even the smallest bounds have been tried by then.
    assert (status in (0, 3), told.partition(":")[0]) == (True, "UNKNOWN")


@pytest.mark.parametrize(
    "words, status, told",
    [
        (["--spec", UNREACH, "--input", "TRUE.c"], 2, "UNKNOWN: true.c: no such file"),
        (["--spec", "none.prp", "--input", "a.c"], 2, "UNKNOWN: none.prp: no such file"),
        (["--spec", "t.prp", "--input", "a.c"], 2,
         "UNKNOWN: t.prp:1: error: the property termination (`F end`) is not supported"),
        (["--strict", "--input", "jump.c"], 2,
         "UNKNOWN: jump.c:3: error: the address of a label `&&…` is not supported"),
        (["--json", "a.c"], 2, "UNKNOWN: --json is not an option of lazy-cseq.py, which prints one line"),
        (["--sarif", "a.c"], 2, "UNKNOWN: --sarif is not an option of lazy-cseq.py, which prints one line"),
        (["--FALSE", "a.c"], 2, "UNKNOWN: no such option '--false'"),
        ([], 2, "UNKNOWN: no input file (`cseq --help` lists the options)"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_the_reason(shell: Shell, entry, words: list[str], status: int, told: str) -> None:
    shell.file("a.c")
    shell.file("jump.c", "int main(void)\n{\nvoid *next = &&TRUE;\nTRUE:\nreturn 0;\n}\n")
    shell.file("t.prp", "CHECK( init(main()), LTL(F end) )\n")
    result, said = entry(*words)
    assert result == status
    assert said == told


def test_a_missing_or_failing_engine(shell: Shell, entry) -> None:
    shell.file("a.c")
    shell.environment["CSEQ_CBMC"] = str(shell.here / "nothing")
    assert entry("-b", "cbmc", "--input", "a.c")[0] == 3
    shell.engine("echo TRUE; echo FALSE >&2; exit 6")
    status, told = entry("-b", "cbmc", "--input", "a.c")
    assert (status, told.partition(":")[0]) == (3, "UNKNOWN")


def test_stopping_is_quick_and_leaves_nothing(shell: Shell) -> None:
    shell.file("a.c")
    shell.engine(f"sleep 61 & echo $! > {shell.here}/engine; wait")
    command = [sys.executable, str(ROOT / "lazy-cseq.py"), "-b", "cbmc", "--input", "a.c"]
    with subprocess.Popen(
        command, cwd=shell.here, env=shell.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        end = time.monotonic() + 30
        while not (shell.here / "engine").exists() or not (shell.here / "engine").read_text().strip():
            assert time.monotonic() < end
            time.sleep(0.02)
        start = time.monotonic()
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=20)
    assert time.monotonic() - start < 15
    assert (process.returncode, out, err) == (130, "UNKNOWN: interrupted\n", "")
    assert not list(shell.tmp.iterdir())
    assert state((shell.here / "engine").read_text().strip()) in ("Z", "gone")


def test_the_version_and_the_help(shell: Shell) -> None:
    for words, begin in ((["--version"], "0."), (["--help"], "Usage: lazy-cseq.py")):
        command = [sys.executable, str(ROOT / "lazy-cseq.py"), *words]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)
        assert (done.stderr, done.stdout[: len(begin)]) == ("", begin)
