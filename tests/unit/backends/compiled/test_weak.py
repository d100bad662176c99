"""Older values for atomic loads: what C11 and C++20 allow comes out, and what they forbid does not."""

import re
from collections import Counter
from pathlib import Path

import pytest

from cseq.modules.compiled.client.record import ChoiceKind, End, RequestFlag, Strategy
from cseq.modules.compiled.client.server import RunBatch, Server
from tests.support.compiled_programs import compiled

pytestmark = pytest.mark.engine

RUNS = 250
LENGTH = 500  # about as many operations as the program has

# Of each test, patterns of outcomes: the values that were read, and the last ones of x and y where they matter. The
# first comes out with older values only, the second never.
EXPECTED: dict[str, tuple[str, str]] = {
    "SB": ("00..", ""),
    "SB_ra": ("00..", ""),
    "SB_sc": ("", "00.."),
    "SB_fences": ("", "00.."),
    "SB_one_fence": ("00..", ""),
    "SB_ar_fences": ("00..", ""),
    "SB_fence_and_sc": ("", "00.."),
    "MP": ("10..", ""),
    "MP_ra": ("", "10.."),
    "MP_rel": ("10..", ""),
    "MP_fences": ("", "10.."),
    "MP_sequence": ("", "[12]0.."),
    "MP_broken": ("20..", "10.."),
    "LB": ("", "11.."),
    "IRIW": ("1010", ""),
    "IRIW_sc": ("", "1010"),
    "IRIW_fences": ("", "1010"),
    "RWC": ("100.", ""),
    "RWC_fences": ("", "100."),
    "WRC": ("110.", ""),
    "WRC_ra": ("", "110."),
    "ISA2": ("", "110."),
    "CoRR": ("", "10.."),
    "CoRR2": ("", "1221|2112|10..|20..|..10|..20"),
    "CoRR_hb": ("", "110."),
    "CoWR": ("", r"0...|.0..|2... x1|.1.. x2"),
    "CoRW": ("", r"2...|.0..|..0.|121. |.21.|1... x1"),
    "WW22": ("", ".... x1 y1"),
    "R": ("0... x1 y2", ""),
    "R_fences": ("", "0... x1 y2"),
    "S_ra": ("", "1... x2"),
    "RMW": ("", r".... x[0-2]"),
    "spin": ("", "0..."),
}


def outcomes(
    program: Path, folder: Path, runs: int, flags: RequestFlag, strategy: Strategy = Strategy.WALK, depth: int = 0
) -> dict[str, Counter[str]]:
    """How often each outcome of each test came out."""
    file = folder / f"outcomes{int(flags)}{strategy.name}{depth}"
    with Server([str(program), str(file)]) as server:
        result = server.run(RunBatch(runs=runs, seed=1, flags=flags, strategy=strategy, depth=depth, length=LENGTH))
        assert (result.end, result.detail, result.races, result.runs) == (End.EXITED, 0, 0, runs)
    found: dict[str, Counter[str]] = {}
    for line in file.read_text().splitlines():
        name, outcome = line.split(" ", 1)
        found.setdefault(name, Counter())[outcome] += 1
    return found


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All litmus tests in one program."""
    return compiled(Path(__file__).with_name("litmus.c"), tmp_path_factory.mktemp("litmus"))


def count(found: Counter[str], pattern: str) -> int:
    return sum(number for outcome, number in found.items() if pattern and re.match(pattern, outcome))


def test_older_values_come_out_as_the_standard_says(program: Path, tmp_path: Path) -> None:
    weak = outcomes(program, tmp_path, RUNS, RequestFlag.WEAK)
    assert set(weak) == set(EXPECTED)
    missing = [name for name, (seen, _) in EXPECTED.items() if seen and count(weak[name], seen) == 0]
    forbidden = [(name, weak[name]) for name, (_, never) in EXPECTED.items() if count(weak[name], never) > 0]
    assert (missing, forbidden) == ([], [])


@pytest.mark.parametrize("depth", [0, 2, 16])
def test_with_pctwm_a_few_loads_read_from_other_threads(program: Path, tmp_path: Path, depth: int) -> None:
    found = outcomes(program, tmp_path, RUNS // 2, RequestFlag.WEAK, Strategy.PCTWM, depth)
    forbidden = [(name, found[name]) for name, (_, never) in EXPECTED.items() if count(found[name], never) > 0]
    assert forbidden == []
    if depth == 0:  # each thread knows of its own stores only
        assert all(outcome.startswith("00") for name in ("SB", "MP", "IRIW") for outcome in found[name])
    if depth == 16:  # the flag is seen, and the data is what the thread knows of
        assert count(found["MP"], "10..") > 0
        assert count(found["MP_ra"], "11..") > 0


def test_without_them_each_load_reads_the_last_store(program: Path, tmp_path: Path) -> None:
    found = outcomes(program, tmp_path, RUNS // 3, RequestFlag(0))
    wrong = [name for name, patterns in EXPECTED.items() for each in patterns if count(found[name], each) > 0]
    assert wrong == []
    assert all(len(found[name]) > 1 for name in EXPECTED if name not in ("CoRR2", "spin"))


def test_an_older_value_is_a_choice_that_repeats(program: Path, tmp_path: Path) -> None:
    file = tmp_path / "outcomes"
    with Server([str(program), str(file)]) as server:
        server.run(RunBatch(seed=7, flags=RequestFlag.WEAK))
        made = [(choice.kind, choice.value) for choice in server.array("choices")]
        assert any(kind == ChoiceKind.STORE and value > 0 for kind, value in made)
        result = server.run(RunBatch(seed=8, choices=made, flags=RequestFlag.WEAK | RequestFlag.STRICT))
        assert result.end == End.EXITED
    lines = file.read_text().splitlines()
    assert lines[: len(EXPECTED)] == lines[len(EXPECTED) :]
