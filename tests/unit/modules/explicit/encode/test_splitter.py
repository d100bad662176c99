"""The splitter: the parts of a step function together do what it did."""

import re
from pathlib import Path

import pytest

import cseq
from cseq.model.verdict import Outcome, Verdict
from cseq.modules.explicit.encode import splitter

PROGRAM = """\
#include <assert.h>
#include <pthread.h>
int x, y, z = WRONG;
int __VERIFIER_nondet_int(void);
void *worker(void *arg)
{
    int sum = 0, turn, here;
    for (turn = 0; turn < 3; turn++) {
        here = turn * 2 + 1;
        if (x > y) {
            sum += here;
            y = sum;
            if (sum == 7)
                goto out;
            for (int i = 0; i < 2; i++)
                sum -= i;
        } else {
            x = x + here;
            sum++;
        }
        here = sum;
        if (z == 2 && here == 2 && y == 4)
            assert(x == 9);
    }
out:
    z = z > 1 ? z : 1;
    return 0;
}
int main(void)
{
    pthread_t t;
    _Bool which = __VERIFIER_nondet_int();
    pthread_create(&t, 0, worker, 0);
    if (which)
        worker(0);
    else
        x = 1;
    pthread_join(t, 0);
    return 0;
}
"""

SILENT = """\
int x;
int main(void)
{
    int kept = x, low = kept + 1, high = low * 3, alone;
    alone = high;
    alone++;
    low = high - low;
    high = low + high;
    low = high - 2 * low;
    x = kept;
    x = kept;
    return 0;
}
"""
"""Nothing else can notice what it does between its accesses to x."""


@pytest.fixture
def split(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions are split every three statements."""
    monkeypatch.setattr(splitter, "_LONG", 6)
    monkeypatch.setattr(splitter, "_PART", 3)


def explored(folder: Path, bug: bool) -> Outcome:
    path = folder / "program.c"
    path.write_text(PROGRAM)
    return cseq.verify(path, chain="explicit", define=[f"WRONG={2 if bug else 0}"])


def size(outcome: Outcome) -> tuple[object, ...]:
    return outcome.verdict, *(outcome.statistics[name] for name in ("states", "transitions"))


@pytest.mark.engine
@pytest.mark.parametrize("bug", [True, False])
def test_the_states_are_the_same(tmp_path: Path, bug: bool, request: pytest.FixtureRequest) -> None:
    whole = explored(tmp_path, bug)
    request.getfixturevalue("split")
    assert size(explored(tmp_path, bug)) == size(whole)
    assert whole.verdict is (Verdict.FALSE if bug else Verdict.TRUE)


def test_a_short_function_stays_whole(translated) -> None:
    translated.use("explicit")
    assert "__cs_part_" not in translated("splitter", PROGRAM.replace("WRONG", "0"))


@pytest.mark.usefixtures("split")
def test_only_locals_that_several_parts_use_are_shared(translated) -> None:
    translated.use("explicit")
    text = translated("splitter", SILENT)
    assert re.findall(r"^static int __cs_(\w+)_in_main;", text, re.MULTILINE) == ["low", "high"]
    assert re.findall(r"^  int (alone|low|high);", text, re.MULTILINE) == ["alone"]
    assert "static unsigned int __cs_left;" in text
    assert len(re.findall(r"^static unsigned int __cs_part_\d+_of_main\(", text, re.MULTILINE)) > 3
