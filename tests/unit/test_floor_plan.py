"""The house: where files are, what they are called, and how long they are."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path

from tests.support.checkout import ROOT

LONGEST = 520
"""Lines of a file of code; about 500, as the architecture says."""

LONGER = {
    "backends/explorer/search.c": "one search, with everything that may be asked of it",
    "cseq/c/symbols.py": "one class: the types of all names and expressions of a program",
    "modules/core/three_address/three_address.py": "one class: a visitor with a method for each kind of expression",
}
"""Files that are longer, and why."""

MOST = 40
"""Files of code in a folder."""

MANUALS = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "DEVELOPERS.md", "SECURITY.md", "benchmarks/README.md")

SPECIAL = frozenset({"__init__", "__main__"})


def code() -> list[Path]:
    """The files of code that git knows, but for tests, benchmarks and what programs are given to compile."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    rooms = ("cseq/", "modules/", "backends/")
    return [Path(name) for name in listed if name.startswith(rooms) and name.endswith((".py", ".c", ".h", ".js"))]


def test_no_two_files_have_one_name() -> None:
    names = Counter(path.name for path in code() if path.suffix == ".py" and path.stem not in SPECIAL)
    assert len(names) > 200
    assert [name for name, number in names.items() if number > 1] == []


def test_no_folder_is_crowded() -> None:
    folders = Counter(str(path.parent) for path in code())
    assert len(folders) > 30
    assert {folder: number for folder, number in folders.items() if number > MOST} == {}


def test_files_are_short() -> None:
    lengths = {str(path): len((ROOT / path).read_text(encoding="utf-8").splitlines()) for path in code()}
    assert {path for path, length in lengths.items() if length > LONGEST} == set(LONGER)


def test_the_folders_beside_the_package_are_in_it() -> None:
    for name in ("modules", "backends", "pthread_stubs"):
        assert (ROOT / "cseq" / name).resolve() == ROOT / name


def test_each_package_says_what_it_is() -> None:
    for path in code():
        if path.name == "__init__.py":
            assert (ROOT / path).read_text(encoding="utf-8").startswith('"""'), path


NAMED = re.compile(
    r"(?<![\w/.-])((?:modules|cseq|backends|pthread_stubs|tests|benchmarks|docs|setup)/[\w/.-]*?\.(?:py|c|h|md|chain|js|json))\b(?!\.)"
)
"""What looks like the path of one of our files."""


def test_files_that_are_named_somewhere_are_there() -> None:
    """In docstrings, comments and manuals."""
    texts = [*code(), *(path.relative_to(ROOT) for path in ROOT.glob("docs/**/*.md")), *map(Path, MANUALS)]
    named = {(str(text), name) for text in texts for name in NAMED.findall((ROOT / text).read_text(encoding="utf-8"))}
    assert len(named) > 100
    assert {(text, name) for text, name in named if "NAME" not in name and not (ROOT / name).exists()} == set()
