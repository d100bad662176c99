"""The house: packages say what they are, and the files that texts name are there."""

import re
from pathlib import Path

from tests.support.checkout import ROOT

MANUALS = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "DEVELOPERS.md", "SECURITY.md", "benchmarks/README.md")

ROOMS = ("modules", "backends", "pthread_stubs")
"""The folders that stand beside the package and are linked into it."""


def code() -> list[Path]:
    """The files of code of the product."""
    beside = [path for room in ("modules", "backends") for path in (ROOT / room).rglob("*")]
    inside = [path for path in (ROOT / "cseq").rglob("*") if path.relative_to(ROOT / "cseq").parts[0] not in ROOMS]
    return [path for path in (*inside, *beside) if path.suffix in (".py", ".c", ".h", ".js")]


def test_the_folders_beside_the_package_are_in_it() -> None:
    for name in ROOMS:
        assert (ROOT / "cseq" / name).resolve() == ROOT / name


def test_each_package_says_what_it_is() -> None:
    packages = [path for path in code() if path.name == "__init__.py"]
    assert len(packages) > 30
    assert [path for path in packages if not path.read_text(encoding="utf-8").startswith('"""')] == []


NAMED = re.compile(
    r"(?<![\w/.-])((?:modules|cseq|backends|pthread_stubs|tests|benchmarks|docs|setup)/[\w/.-]*?\.(?:py|c|h|md|chain|js|json))\b(?!\.)"
)
"""What looks like the path of one of our files."""


def test_files_that_are_named_somewhere_are_there() -> None:
    """In docstrings, comments and manuals."""
    texts = [*code(), *ROOT.glob("docs/**/*.md"), *(ROOT / name for name in MANUALS)]
    named = {(str(text), name) for text in texts for name in NAMED.findall(text.read_text(encoding="utf-8"))}
    assert len(named) > 100
    assert {(text, name) for text, name in named if "NAME" not in name and not (ROOT / name).exists()} == set()
