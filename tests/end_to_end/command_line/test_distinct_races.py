"""All distinct data races of a program are listed, one for each pair of lines, by both families."""

import json
from pathlib import Path

import pytest

import cseq
from cseq.backends.cbmc import BACKEND, engines_folder
from cseq.model.trace import Race
from cseq.model.verdict import Listing, Outcome, Verdict
from tests.support.checkout import ROOT
from tests.support.sarif_check import check_schema
from tests.support.shell import Shell

SPEC = str(ROOT / "sv-benchmarks" / "properties" / "no-data-race.prp")

# The race on `z` is behind the one on `y`: main stores to `z` only where it reads what the thread stores to `y`.
PROGRAM = """\
#include <pthread.h>
int x, y, z;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#ifdef BUG
#define LOCK
#define UNLOCK
#else
#define LOCK pthread_mutex_lock(&m);
#define UNLOCK pthread_mutex_unlock(&m);
#endif
void *work(void *arg)
{
    LOCK x++; UNLOCK
    LOCK y = 1; UNLOCK
    pthread_mutex_lock(&m);
    z++;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void)
{
    int seen;
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    LOCK x = 3; UNLOCK
    LOCK seen = y; UNLOCK
    if (seen) {
        LOCK z = 0; UNLOCK
    }
    pthread_join(t, 0);
    return 0;
}
"""
PAIRS = [(13, 25), (14, 26), (16, 28)]

NATIVE = {"backend": "native"}
CBMC = {"backend": "cbmc", "rounds": 3, "prove": True}


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "program.c"
    path.write_text(PROGRAM)
    return path


def pairs(outcome: Outcome) -> list[tuple[int, int]]:
    """The lines of each race, in order."""
    found = []
    for violated in (outcome.violated, *outcome.others):
        assert violated is not None and isinstance(violated.account, Race)
        one, other = sorted(side.origin.line for side in violated.account.sides)
        found.append((one, other))
    return sorted(found)


@pytest.mark.parametrize("version", ["", "cbmc-6.6", "cbmc-5.12"])
def test_all_are_listed(version: str, program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if version:
        path = engines_folder() / version / "bin" / "cbmc"
        if not path.is_file():
            pytest.skip(f"{version} is not installed")
        monkeypatch.setenv("CSEQ_CBMC", str(path))
    how = CBMC if version else NATIVE
    outcome = cseq.verify(program, spec=SPEC, define=["BUG"], **how)
    assert (outcome.verdict, pairs(outcome), outcome.listing) == (Verdict.FALSE, PAIRS, Listing.ALL)
    twin = cseq.verify(program, spec=SPEC, **how)
    assert (twin.verdict, twin.others, twin.listing) == (Verdict.TRUE, [], None)


def test_the_first_one_is_enough_on_request(program: Path) -> None:
    outcome = cseq.verify(program, spec=SPEC, define=["BUG"], first=True, **NATIVE)
    assert len(pairs(outcome)) == 1 and outcome.listing is None


@pytest.mark.skipif(BACKEND.find() is None, reason="no CBMC is installed (setup/provide-cbmc)")
def test_within_bounds_there_may_be_others(program: Path) -> None:
    outcome = cseq.verify(program, spec=SPEC, define=["BUG"], backend="cbmc", rounds=1)
    assert set(pairs(outcome)) <= set(PAIRS)
    assert outcome.listing is Listing.WITHIN


def test_what_is_shown(shell: Shell) -> None:
    shell.file("program.c", PROGRAM)
    words = ("program.c", "-D", "BUG", "-b", "native", "--race")
    status, out, err = shell.run(*words)
    lines = out.splitlines()
    assert status == 1
    assert lines[1].startswith("no-data-race: FALSE: data race on ")
    assert all(line.startswith("  data race on `") for line in lines[2:4])
    assert lines[4:] == ["(--cex shows how)", "(no other data race is possible)"]
    assert lines[1] in err.splitlines(), "it is printed before the others are looked for"

    report = json.loads(shell.run(*words, "--json")[1])
    answer = report["properties"][1]
    found = sorted(tuple(sorted(side["line"] for side in race["racing"])) for race in answer["races"])
    assert (found, answer["races_listed"]) == (PAIRS, "all")
    assert answer["races"][0]["description"] == answer["property"]["description"]

    log = json.loads(shell.run(*words, "--sarif")[1])
    assert len(log["runs"][0]["results"]) == 3
    check_schema(log)
