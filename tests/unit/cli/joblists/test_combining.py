"""One answer from several reports: never a proof from less than all schedules, never a violation that is lost."""

import random
from pathlib import Path

import pytest

from cseq.cli.joblists.combining import MergedAnswer
from cseq.cli.merge_command import merged
from cseq.model.verdict import Verdict
from tests.support.job_reports import LOOP, NAME, PROOF, ROUNDS, TIMEOUT, VIOLATION, Writer, nothing


def answer(folder: Path, name: str = NAME) -> MergedAnswer:
    """The answer about *name* from all reports in *folder*."""
    return next(each for each in merged([str(folder)]).answers if each.name == name)


@pytest.mark.parametrize("tiles", [["0/1"], ["0/2", "1/2"], ["0/2", "2/4", "3/4"], ["1/2", "0/4", "2/8", "3/8"]])
def test_tiles_that_cover_everything_prove(write: Writer, tiles: list[str]) -> None:
    files = [write(nothing(), tile=tile) if tile != "0/1" else write(PROOF, tile=tile) for tile in tiles]
    assert answer(files[0].parent).verdict is Verdict.TRUE
    if len(tiles) > 1:
        files[-1].unlink()
        found = answer(files[0].parent)
        assert (found.verdict, found.reason, found.exit_status) == (Verdict.UNKNOWN, "interrupted", 3)


def test_a_bound_besides_the_tile_is_no_proof(write: Writer) -> None:
    write(nothing(), tile="0/2")
    file = write(nothing(LOOP), tile="1/2")
    found = answer(file.parent)
    assert (found.verdict, found.reason, found.exit_status) == (Verdict.UNKNOWN, "unwinding", 0)
    assert found.level is not None and [bound["kind"] for bound in found.level.left()] == ["unwinding"]


@pytest.mark.parametrize("change", [{"rounds": 3}, {"unwind": 2}, {"recursion": 7}, {"prove": True}, {"contexts": 5}])
def test_tiles_of_different_levels_are_not_counted_together(write: Writer, change: dict[str, int]) -> None:
    write(nothing(), tile="0/2")
    file = write(nothing(), tile="1/2", **change)
    found = answer(file.parent)
    assert (found.verdict, found.exit_status) == (Verdict.UNKNOWN, 3)
    assert [[str(tile) for tile in level.missing] for level in found.levels] != [[], []]


def test_limits_of_time_may_differ(write: Writer) -> None:
    write(nothing(), tile="0/2", timeout=5.0, jobs=1)
    file = write(nothing(), tile="1/2", memlimit=2_000, solver="cadical")
    assert answer(file.parent).verdict is Verdict.TRUE


def test_a_tile_that_is_given_twice_counts_once(write: Writer) -> None:
    for outcome in (nothing(), nothing(LOOP), TIMEOUT):
        file = write(outcome, tile="0/2")
    found = answer(file.parent)
    assert found.verdict is Verdict.UNKNOWN and list(map(str, found.levels[0].missing)) == ["1/2"]
    write(nothing(), tile="1/2")
    assert answer(file.parent).verdict is Verdict.TRUE


def test_a_violation_is_the_answer_whatever_else_there_is(write: Writer) -> None:
    write(nothing(), tile="0/2")
    write(TIMEOUT, tile="1/2")
    write(VIOLATION, tile="3/4")
    file = write(TIMEOUT, engine="native")
    found = answer(file.parent)
    assert found.verdict is Verdict.FALSE and found.by is not None and found.by.report.place.endswith("0002.json")
    assert found.against is None and merged([str(file.parent)]).exit_status == 1


def test_a_contradiction_is_a_violation_with_a_warning(write: Writer) -> None:
    file = write(VIOLATION)
    assert answer(file.parent).against is None
    write(PROOF, engine="horn")
    assert answer(file.parent).verdict is Verdict.FALSE
    assert answer(file.parent).against is not None
    for tile in ("0/2", "1/2"):
        write(nothing(), tile=tile)
    (file.parent / "0001.json").unlink()
    assert answer(file.parent).verdict is Verdict.FALSE and answer(file.parent).against is not None


def test_a_proof_about_one_tile_is_about_one_tile(write: Writer) -> None:
    file = write(PROOF, tile="0/2")
    assert answer(file.parent).verdict is Verdict.UNKNOWN
    write(PROOF, tile="1/2")
    assert answer(file.parent).verdict is Verdict.TRUE


def test_a_property_that_a_part_cannot_violate_is_not_proved_by_it(write: Writer) -> None:
    """Each of the parts has an answer about another property, and none has all parts."""
    file = write(PROOF, tile="0/2")
    write(PROOF, tile="1/2", only="no-data-race")
    whole = merged([str(file.parent)])
    assert [(each.verdict, each.exit_status) for each in whole.answers] == [(Verdict.UNKNOWN, 3)] * 2
    write(nothing(LOOP), tile="1/2")
    assert answer(file.parent).verdict is Verdict.UNKNOWN


def test_the_deepest_level_that_is_complete_is_the_answer(write: Writer) -> None:
    for unwind in (1, 2, 4):
        for tile in ("0/2", "1/2"):
            file = write(TIMEOUT if (unwind, tile) == (4, "1/2") else nothing(ROUNDS), tile=tile, unwind=unwind)
    found = answer(file.parent)
    assert (found.reason, found.exit_status) == ("bounded", 0)
    assert found.level is not None and found.level.bounds == {"rounds": 2, "unwind": 2}
    assert len(found.levels) == 3


def test_a_property_without_any_report_is_not_forgotten(write: Writer) -> None:
    file = write(PROOF)
    whole = merged([str(file.parent)])
    assert [(each.name, each.verdict) for each in whole.answers] == [
        (NAME, Verdict.TRUE),
        ("no-data-race", Verdict.UNKNOWN),
    ]
    assert (whole.verdict, whole.exit_status) == (Verdict.UNKNOWN, 3)


@pytest.mark.parametrize("seed", range(12))
def test_a_proof_is_one_of_each_sixteenth(write: Writer, seed: int) -> None:
    """Against the sixteenths that are checked one by one."""
    chosen = random.Random(seed)
    proved: set[int] = set()
    for _ in range(chosen.randrange(1, 14)):
        parts = chosen.choice([2, 4, 4, 8, 8, 16])
        number = chosen.randrange(parts)
        outcome = chosen.choice([nothing(), nothing(), nothing(), nothing(LOOP), TIMEOUT])
        file = write(outcome, tile=f"{number}/{parts}")
        if outcome == nothing():
            width = 16 // parts
            proved |= set(range(number * width, (number + 1) * width))
    assert (answer(file.parent).verdict is Verdict.TRUE) == (proved == set(range(16)))
