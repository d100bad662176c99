"""What the measurements of compiled programs count as right, and as a run that met the bug."""

from pathlib import Path

import pytest

from benchmarks.compiled import pairs, strategies
from benchmarks.compiled.building import programs
from benchmarks.compiled.pairs import Said
from benchmarks.compiled.strategies import Counts
from cseq.modules.compiled.client.record import Strategy
from cseq.modules.compiled.client.server import Server
from cseq.modules.compiled.rotation import Slice
from tests.support.compiled_programs import compiled


@pytest.mark.parametrize(
    ("buggy", "verdict", "message", "repeated", "right"),
    [
        (True, "FALSE", "deadlock", 100, True),
        (True, "FALSE", "deadlock", 99, False),
        (True, "UNKNOWN", "no violation in 9 runs", 0, False),
        (False, "UNKNOWN", "no violation in 9 runs", 0, True),
        (False, "UNKNOWN", "the program ended", 0, False),
        (False, "FALSE", "data race", 100, False),
    ],
)
def test_right_answers(buggy: bool, verdict: str, message: str, repeated: int, right: bool) -> None:
    said = Said("p", "gcc -O0", buggy, 20, verdict, message, 1.5, repeated, 100 if buggy else 0)
    assert said.is_right is right
    wrong = list(pairs.tables([said]))[-1]
    assert ("Nothing." in wrong) is right


def test_programs_have_their_flags_and_properties() -> None:
    [bug, twin] = programs("", ("openmp_sum", "openmp_sum_ok"))
    assert (bug.flags, bug.violated) == (("-std=c++20", "-fopenmp"), ("no-data-race",))
    assert (twin.name, twin.violated) == ("openmp_sum_ok", ())


def test_half_of_the_seeds_without_the_bug_is_never() -> None:
    assert Counts([3, 1, 8]).median(10) == 3
    assert Counts([0, 0, 8]).median(10) == float("inf")


@pytest.mark.engine
def test_runs_until_a_failure(tmp_path: Path) -> None:
    text = "#include <stdlib.h>\nvolatile int x;\nint main(int n, char **a) { x = n; if (n > 1) abort(); return 0; }\n"
    program = compiled(text, tmp_path)
    parts = [Slice(Strategy.WALK, 0, 2), Slice(Strategy.POS, 0, 9)]
    with Server([str(program)]) as server:
        assert strategies.until_failure(server, parts, 1, 5) == 0
    with Server([str(program), "fails"]) as server:
        assert strategies.until_failure(server, parts, 1, 5) == 1


def test_the_table_of_native_repetition_is_understood() -> None:
    text = "| `a` | no-deadlock | 1000 | 3 | 0 | 7 | 4.75 |\n| `b` | x, y | 22 | 0 | 0 | never | 4 |\n"
    assert strategies.native(text) == {"a": "7", "b": "never in 22"}
