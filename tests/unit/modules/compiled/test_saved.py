"""Saved runs: what is written is read again, and nothing else is."""

from dataclasses import replace
from pathlib import Path

import pytest

from cseq.model.errors import UsageError
from cseq.modules.compiled import saved
from cseq.modules.compiled.client.record import ChoiceKind, RequestFlag
from cseq.modules.compiled.client.recorded import Module
from cseq.modules.compiled.saved import SavedRun

CHOICES = ((1, 2), (1, 2), (1, 2), (2, 1), (1, 0), (4, 7), (3, 1), (5, 1), (6, 3))

RUN = SavedRun(
    program="/x/program", digest="ab", arguments=("a b", ""), folder="/x", environment={"LANG": "C"},
    whole_environment=False, stdin=None, sources=("a.cpp", "b.c"), options=("-O2", "-DX=1"), flags=("weak", "early"),
    steps=10, seconds=1.5, sites=(("/x/program", 16), ("", 99)), choices=CHOICES, end="deadlock", detail=0,
    races=((("/x/program", 1), ("/lib/y.so", 2)),), status=None,
)  # fmt: skip


def test_a_run_that_is_written_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.write_text(RUN.text())
    assert saved.read(str(path)) == RUN
    assert "\n" in RUN.text().strip() and max(map(len, RUN.text().splitlines())) < 120


def test_every_kind_of_choice_has_a_letter() -> None:
    assert saved.written_choices(CHOICES) == "t2*3 w1 t0 s7 o1 f1 g3"
    every = tuple((int(kind), 1) for kind in ChoiceKind)
    assert saved.read_choices(saved.written_choices(every)) == every


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda text: text.replace('"cseq_run": 1', '"cseq_run": 2'), "was written by another version of CSeq"),
        (lambda text: text.replace("t2*3", "q2"), "is not a run that --save has written"),
        (lambda text: text.replace('"weak"', '"week"'), "there is no flag `week`"),
        (lambda text: text.replace('"digest"', '"digests"'), "is not a run that --save has written"),
        (lambda text: text[:50], "is not a run that --save has written"),
        (lambda text: "[1]", "is not a run that --save has written"),
    ],
)
def test_other_files_are_refused(change: object, message: str, tmp_path: Path) -> None:
    path = tmp_path / "run"
    path.write_text(change(RUN.text()))  # type: ignore[operator]
    with pytest.raises(UsageError, match=message):
        saved.read(str(path))
    with pytest.raises(UsageError, match="cannot read"):
        saved.read(str(tmp_path / "none"))


def test_flags_that_do_not_change_a_run_are_left_out() -> None:
    flags = RequestFlag.WEAK | RequestFlag.DETAIL | RequestFlag.STRICT | RequestFlag.SLEEP_SETS
    assert saved.flag_names(flags) == ("weak",)
    assert replace(RUN, flags=("weak",)).request_flags == RequestFlag.WEAK | RequestFlag.STRICT


def test_places_move_with_their_object_files() -> None:
    then = [Module("/x/program", 0x1000, 0x2000), Module("/lib/y.so", 0x8000, 0x9000)]
    now = [Module("/lib/y.so", 0x3000, 0x4000), Module("/else/program", 0x500000, 0x600000)]
    places = [saved.place(address, then) for address in (0x1010, 0x8004, 0x42)]
    assert places == [("/x/program", 0x10), ("/lib/y.so", 4), ("", 0x42)]
    assert [saved.address(place, now) for place in places] == [0x500010, 0x3004, 0x42]
    assert saved.address(("/gone", 1), now) is None


def test_the_variables_that_matter_are_kept() -> None:
    given = {"OMP_NUM_THREADS": "2", "HOME": "/x", "LANG": "C", "LD_LIBRARY_PATH": "/y"}
    assert saved.mattering(given) == {"LANG": "C", "LD_LIBRARY_PATH": "/y", "OMP_NUM_THREADS": "2"}
