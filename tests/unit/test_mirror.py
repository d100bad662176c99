"""The tests mirror the rooms: each file of some size has a test file of its name, in the folder of its room."""

import re
from pathlib import Path, PurePath

from tests.support.checkout import ROOT

LEAST = 150
"""Files with more lines than this need a test file of their name."""

UNIT = ROOT / "tests" / "unit"

# Files that are tested under other names only. The list shrinks: whoever writes the test file removes the line.
MISSING = {"api", "cli/options", "bench/command", "bench/runsets"}


def sources() -> list[PurePath]:
    """The Python files of the rooms, as paths in the folder of their rooms: ``c/lexer.py``, ``modules/runs/ltl.py``."""
    framework = [path.relative_to(ROOT / "cseq") for path in (ROOT / "cseq").rglob("*.py") if not path.is_symlink()]
    beside = [path.relative_to(ROOT) for room in ("modules", "backends") for path in (ROOT / room).rglob("*.py")]
    return [*framework, *beside]


def lines(source: PurePath) -> int:
    """The number of lines of a source."""
    top = ROOT if source.parts[0] in ("modules", "backends") else ROOT / "cseq"
    return len((top / source).read_text(encoding="utf-8").splitlines())


def name(source: PurePath) -> str:
    return str(source.with_suffix(""))


def is_tested(source: PurePath) -> bool:
    """Whether there is a test file of its name, or a file of cases, in the folder of its room."""
    path = UNIT / source.parent / f"test_{source.name}"
    return path.with_name(f"{source.stem}.cases").is_file() or (
        path.is_file() and "def test_" in path.read_text(encoding="utf-8")
    )


def test_every_file_of_some_size_has_a_test_file_of_its_name() -> None:
    found = sources()
    assert len(found) > 150, "the sources are not where this test looks for them"
    untested = {name(source) for source in found if lines(source) > LEAST and not is_tested(source)}
    assert untested - MISSING == set(), "write tests of these"
    assert MISSING - untested == set(), "these have tests now, or are gone: remove them from MISSING"


def test_every_folder_of_tests_is_that_of_a_room() -> None:
    rooms = {path.parent.relative_to(UNIT) for path in UNIT.rglob("test_*.py")} - {Path()}
    assert len(rooms) > 30
    beside = ("modules", "backends", "benchmarks", "setup", "docs")
    places = {room: ROOT / room if room.parts[0] in beside else ROOT / "cseq" / room for room in rooms}
    assert [str(room) for room, place in places.items() if not place.is_dir()] == []


def test_what_is_tested_is_imported_and_never_searched_for() -> None:
    scripts = [path for top in ("tests", "benchmarks", "docs") for path in (ROOT / top).rglob("*.py")]
    assert len(scripts) > 200, "the scripts are not where this test looks for them"
    change = re.compile(r"sys\.path\.(insert|append|extend)\(|sys\.path\s*(\+=|=[^=])")
    changing = [str(path.relative_to(ROOT)) for path in scripts if change.search(path.read_text(encoding="utf-8"))]
    assert changing == []
