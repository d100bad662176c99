"""The other engines on random programs: a fixed, small sample. `fuzz.py --backend NAME` goes on from there."""

import random
from collections import Counter
from pathlib import Path

import pytest

from cseq.backends.registry import BACKENDS, backend
from tests.differential import deadlocks, fuzz, races

_SECONDS = 60.0


@pytest.fixture(params=["esbmc", "klee"])
def engine(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if name not in BACKENDS or backend(name).find() is None:
        pytest.skip(f"the backend `{name}` is not installed")
    return name


def test_assertions(engine: str) -> None:
    bounds = fuzz.Bounds(1, 1, 64, backend=engine, timeout=_SECONDS)
    counts: Counter[str] = Counter()
    for number, program in fuzz.programs(401, 1, 2, size=3):
        for test in fuzz.tests_of(program, bounds, random.Random(f"401/{number}/tests"), counts):
            wrong = fuzz.disagreement(test, bounds, counts)
            assert not wrong, f"{wrong}, with {bounds}:\n{fuzz.to_c(test)}"
    assert counts["expected True: FALSE"] == 1, counts
    assert counts["expected False: UNKNOWN"] + counts["expected False: TRUE"] == 1, counts


@pytest.mark.parametrize(("number", "race"), [(29, False), (144, True)])
def test_races(engine: str, number: int, race: bool) -> None:
    bounds = fuzz.Bounds(1, 1, 64, backend=engine, timeout=_SECONDS)
    counts: Counter[str] = Counter()
    for _, program in races.programs(402, 1, number, size=2):
        wrong = races.disagreement(program, bounds, counts)
        assert not wrong, f"{wrong}, with {bounds}:\n{fuzz.to_c(program)}"
    answers = {"race True: FALSE"} if race else {"race False: UNKNOWN", "race False: TRUE"}
    assert sum(counts[answer] for answer in answers) == 1, counts


# KLEE has to follow all executions of a program without a deadlock: they are many even in the smallest one.
@pytest.mark.parametrize(
    ("engine", "number", "deadlock"),
    [("esbmc", 17, False), ("esbmc", 2713, True), ("klee", 2713, True)],
    indirect=["engine"],
)
def test_deadlocks(engine: str, number: int, deadlock: bool, tmp_path: Path) -> None:
    for _, program in deadlocks.programs(number, 1):
        answers = deadlocks.compare(program, 1, tmp_path, backend=engine, timeout=_SECONDS)
        assert answers == (deadlock, deadlock), deadlocks.to_c(program)


@pytest.mark.parametrize(("other", "verdict"), [("y", {"TRUE", "UNKNOWN"}), ("x", {"FALSE"})])
def test_two_objects_do_not_overlap(engine: str, other: str, verdict: set[str]) -> None:
    """With some of ESBMC's options, the numbers that casts give two addresses may be the same."""
    text = f"""\
        #include <pthread.h>
        int x, y;
        void *one(void *arg) {{ x = 1; return 0; }}
        int main(void) {{ pthread_t t; pthread_create(&t, 0, one, 0); {other} = 1; pthread_join(t, 0); return y; }}
        """
    found, message = races.said(text, fuzz.Bounds(1, 1, 64, backend=engine, timeout=_SECONDS))
    assert found in verdict, message


_ERRNO = """\
    #include <assert.h>
    #include <errno.h>
    #include <pthread.h>
    void *other(void *arg) { errno = 5; return 0; }
    int main(void) {
        pthread_t t;
        errno = 3;
        pthread_create(&t, 0, other, 0);
        pthread_join(t, 0);
        assert(errno == EXPECTED);
    }
    """

_GROWN = """\
    #include <assert.h>
    #include <stdlib.h>
    int main(void) {
        int *p = malloc(sizeof(int));
        *p = 1;
        p = realloc(p, 2 * sizeof(int));
        assert(p[EXPECTED] != 7);
    }
    """


@pytest.mark.parametrize(
    ("text", "expected", "verdicts"),
    [
        (_ERRNO, 3, {"TRUE"}),
        (_ERRNO, 5, {"FALSE"}),
        (_GROWN, 0, {"TRUE"}),
        (_GROWN, 1, {"FALSE", "bug: replay"}),  # the replay cannot know what is in memory that nothing was written to
    ],
)
def test_functions_that_engines_have_of_their_own(engine: str, text: str, expected: int, verdicts: set[str]) -> None:
    bounds = fuzz.Bounds(1, 1, 64, backend=engine, timeout=_SECONDS)
    verdict, message = fuzz.said(text.replace("EXPECTED", str(expected)), bounds)
    assert verdict in verdicts, message
