"""Deepening, as the user sees it."""

import json
import re

import pytest

from cseq.backends import cbmc
from tests.support.shell import BUGGY, Shell

pytestmark = pytest.mark.skipif(cbmc.find() is None, reason="CBMC is not installed")

LOCKED = BUGGY.replace("int x;", "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;").replace(
    "x++;", "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);"
)
LATE = """\
#include <pthread.h>
void reach_error(void); int __VERIFIER_nondet_int(void);
int x;
void *add(void *arg) { x++; return NULL; }
int main(void) {
  pthread_t t; int n = __VERIFIER_nondet_int();
  pthread_create(&t, NULL, add, NULL);
  for (int i = 0; i < n; i++) if (i == 3 && x) reach_error();
  return 0;
}
"""


def levels(out: str) -> list[str]:
    return [re.sub(r" \([0-9.]+ s\)$", "", line) for line in out.splitlines() if line.endswith(" s)")]


def test_a_violation_ends_it(shell: Shell) -> None:
    shell.file("a.c", BUGGY)
    status, out, err = shell.run("a.c", "--auto", "--timeout", "60")
    assert (status, err) == (1, "")
    assert levels(out) == ["2 rounds, unwind 1: violated"]
    assert "FALSE: assertion `x == 2` is violated at a.c:11 in main" in out


def test_a_proof_ends_it(shell: Shell) -> None:
    shell.file("a.c", LOCKED)
    status, out, err = shell.run("a.c", "--auto")
    assert (status, err) == (0, "")
    assert levels(out)[-1] == "2 rounds, unwind 1: proved"
    assert out.endswith("TRUE: no violation in any execution\n")


def test_unwinding_grows_as_well(shell: Shell) -> None:
    shell.file("a.c", LATE)
    status, out, _ = shell.run("a.c", "--auto", "--timeout", "100")
    assert status == 1
    found = re.fullmatch(r"(\d+) rounds?, unwind (\d+): violated", levels(out)[-1])
    assert found and int(found[2]) >= 4
    assert any("the loop" in line for line in levels(out))


def test_it_begins_where_the_user_says(shell: Shell) -> None:
    shell.file("a.c", BUGGY)
    _, out, _ = shell.run("a.c", "--auto", "--rounds", "2", "--unwind", "3")
    assert levels(out) == ["2 rounds, unwind 3: violated"]
    _, out, _ = shell.run("a.c", "--auto", "--rounds", "1")
    assert levels(out) == ["1 round, unwind 1: no violation; one more round can begin", "2 rounds, unwind 1: violated"]


def test_json_and_quiet_tell_no_levels(shell: Shell) -> None:
    shell.file("a.c", LOCKED)
    status, out, _ = shell.run("a.c", "--auto", "--json", "--rounds", "1")
    report = json.loads(out)
    assert status == 0 and report["parameters"]["rounds"] == 1
    assert [level["bounds"]["rounds"] for level in report["levels"]] == [1, 2]
    assert [level["verdict"] for level in report["levels"]] == ["UNKNOWN", "TRUE"]
    assert report["levels"][0]["reached"] == "one more round can begin"
    assert shell.run("a.c", "--auto", "--quiet")[:2] == (0, "TRUE\n")


def test_no_time(shell: Shell) -> None:
    shell.file("a.c", LOCKED)
    assert shell.run("a.c", "--auto", "--timeout", "0")[0] == 3


def test_several_properties(shell: Shell) -> None:
    shell.file("a.c", LOCKED.replace("x++; pthread_mutex_unlock(&m);", "pthread_mutex_unlock(&m); x++;"))
    status, out, _ = shell.run("a.c", "--auto", "--deadlock")
    assert status == 1
    assert "unreach-call: 2 rounds, unwind 1: violated" in levels(out)
    assert re.fullmatch("no-deadlock: [0-9] rounds, unwind 1: proved", levels(out)[-1])


def test_levels_have_names_though_only_one_property_is_searched(shell: Shell) -> None:
    shell.file("a.c", BUGGY)
    status, out, _ = shell.run("a.c", "--auto", "--deadlock")
    assert (status, levels(out)[-1]) == (1, "unreach-call: 2 rounds, unwind 1: violated")
    assert "no-deadlock: TRUE: no violation is possible" in out


@pytest.mark.parametrize("option, value", [("--schedule", "+:+"), ("--contexts", "3")])
def test_restricted_schedules_are_not_deepened(shell: Shell, option: str, value: str) -> None:
    shell.file("a.c", BUGGY)
    assert shell.refuse("a.c", "--auto", option, value) == f"cseq: error: --auto and {option} cannot be combined"
