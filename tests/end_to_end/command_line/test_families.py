"""Two engines at the same time, as the user sees them: who answered, and that nothing is left."""

import json
import signal
from pathlib import Path

import pytest

from tests.support.processes import waited_for
from tests.support.shell import BUGGY, Shell

LINUX = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="there is no /proc here")

LOCKED = BUGGY.replace("int x;", "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;").replace(
    "x++;", "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"
)

# A choice, so that both begin at once; and more states than anybody explores.
ENDLESS = """\
#include <assert.h>
#include <pthread.h>
_Bool __VERIFIER_nondet_bool(void);
unsigned x, y;
void *add(void *arg) { for (;;) { x++; y += x; } return NULL; }
int main(void) {
  pthread_t a, b;
  if (__VERIFIER_nondet_bool()) x = 5;
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, NULL);
  assert(y != 123456789 || x != 987654321);
  return 0;
}
"""

MARK = "CSEQ_TESTED_BY"


def left(shell: Shell) -> list[str]:
    """The names of the processes that the shell has started, and that are there."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={shell.here}\0".encode() in (folder / "environ").read_bytes():
                found.append((folder / "comm").read_text().strip())
        except OSError:  # somebody else's, or gone meanwhile
            continue
    return found


@pytest.fixture
def marked(shell: Shell) -> Shell:
    """What it starts has a mark in its environment."""
    shell.environment[MARK] = str(shell.here)
    return shell


def test_a_machine_with_a_compiler_only(shell: Shell) -> None:
    shell.environment["CSEQ_CBMC"] = str(shell.bin / "none")
    shell.file("input.c", LOCKED)
    assert shell.run("input.c") == (0, "TRUE: no violation in any execution\n(by native)\n", "")
    assert shell.run("input.c", "-b", "native") == (0, "TRUE: no violation in any execution\n", "")
    assert shell.run("input.c", "--quiet") == (0, "TRUE\n", "")
    status, out, _ = shell.run("input.c", "--json")
    report = json.loads(out)
    assert (status, report["backend"], report["parameters"]["backend"]) == (0, "native", "auto")
    assert not list(shell.tmp.iterdir())


def test_several_properties(shell: Shell) -> None:
    shell.environment["CSEQ_CBMC"] = str(shell.bin / "none")
    shell.file("input.c", BUGGY)
    status, out, err = shell.run("input.c", "--deadlock", "--race")
    assert status == 1
    lines = out.splitlines()
    at_once = err.splitlines()  # all but the last one that is known; a race also while others are looked for
    assert len(at_once) in (2, 3) and set(at_once) <= set(lines)
    assert lines[0] == "unreach-call: FALSE: assertion `x == 2` is violated at input.c:11 in main"
    assert lines[1].startswith("no-deadlock: TRUE: no violation is possible: only main waits")
    assert lines[2].startswith("no-data-race: FALSE: data race on `x`: ")
    assert lines[3:] == ["(--cex shows how)", "(no other data race is possible)", "(by native)"]


def test_what_only_cbmc_takes_where_it_is_not(shell: Shell) -> None:
    shell.environment["CSEQ_CBMC"] = str(shell.bin / "none")
    shell.file("input.c", "int main(void) {\n  long double x = 1;\n  return x != 1;\n}\n")
    line = shell.refuse("input.c", "--32", status=3)
    assert line.startswith("input.c:2: error: ")
    assert line.endswith("; the backend `cbmc`, which may support it, is not installed")


@pytest.mark.parametrize("option, name", [("--memsafety", "valid-memsafety"), ("--overflow", "no-overflow")])
def test_a_property_of_expressions_without_cbmc(shell: Shell, option: str, name: str) -> None:
    shell.environment["CSEQ_CBMC"] = str(shell.bin / "none")
    shell.file("input.c", LOCKED)
    status, out, _ = shell.run("input.c", option)
    assert status == 0
    assert f"{name}: TRUE: no violation in any execution" in out.splitlines()


@LINUX
def test_the_search_that_is_not_wanted_any_more_is_gone(marked: Shell) -> None:
    marked.engine("""echo '[{"cProverStatus": "success"}]'""")
    marked.file("input.c", ENDLESS)
    status, out, err = marked.run("input.c", "--verbose")
    assert (status, err) == (0, "")
    assert out.splitlines()[:3] == [
        *[line for line in out.splitlines() if line.startswith("2 rounds, unwind 1: proved (")],
        "TRUE: no violation in any execution",
        "(by cbmc)",
    ]
    assert left(marked) == []
    assert not list(marked.tmp.iterdir())
    assert marked.files() == ["input.c"]


@LINUX
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_both(marked: Shell, number: signal.Signals) -> None:
    marked.engine("sleep 60")
    marked.file("input.c", ENDLESS)
    with marked.start("input.c") as process:
        waited_for(lambda: {"sleep", "explore"} <= set(left(marked)))
        process.send_signal(number)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "cseq: interrupted\n")
    assert left(marked) == []
    assert not list(marked.tmp.iterdir())
    assert marked.files() == ["input.c"]


@LINUX
def test_the_time_is_for_both(marked: Shell) -> None:
    marked.engine("sleep 60")
    marked.file("input.c", ENDLESS)
    status, out, err = marked.run("input.c", "--timeout", "4")
    assert (status, err) == (3, "")
    lines = out.splitlines()
    assert lines[0] == "UNKNOWN: the engine ran out of time"
    assert any(line.startswith("(native: ") and "out of time" in line for line in lines)
    assert lines[-1] == "(by cbmc)"
    assert left(marked) == []
